/* input.c - flags that control how a file is read. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"

#include "flags/output.h"
#include "base/lines.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    const char *label_column, *name_column, *delimiter, *comment;
    int header, decimal, missing, ignore_names, transpose; /* indices of words in choices */
    int64_t skip;
} given = { .header = 2, .decimal = -1 };

const cli_flag input_labels_flag[] = {
    { "labels", "FILE",
      "file of known labels: one line for each row, or lines row,class or name,class; may be "
      "repeated" },
    { NULL },
};

const cli_flag input_held_flags[] = {
    { "keep-labels", "N|P%",
      "learn from N labels of each class, or from P percent of each, and test on the rest" },
    { "groups", "COLUMN|FILE",
      "hold out the rows of one sample together, such as the scans of one patient. COLUMN names "
      "the sample of each row; FILE has the format of --labels. A row without a sample is held "
      "out alone" },
    { NULL },
};

const cli_flag input_flags[] = {
    { "label-column", "COLUMN",
      "column of the labels: its name, or its number from 0; -1 is the last column; '#0' is a "
      "number even if a column is named 0",
      0, FLAG_TEXT, &given.label_column },
    { "name-column", "COLUMN", "column of the row names, given in the same way", 0, FLAG_TEXT,
      &given.name_column },
    { "drop", "COLUMNS",
      "columns to leave out, by name or number, separated by commas; may be repeated; npy and "
      "libsvm: by number" },
    { "carry", "COLUMNS",
      "columns to copy as text and not to learn from; transform writes them before the dimensions, "
      "explore shows them" },
    { "ignore-names", NULL, "match columns by position, not by name", 0, FLAG_SWITCH,
      &given.ignore_names },
    { "header", "yes|no|auto", "whether the first line holds column names (auto)", 0, FLAG_CHOICE,
      &given.header },
    { "delimiter", "CHAR", "cell separator: a character, tab or space (detected)", 0, FLAG_TEXT,
      &given.delimiter },
    { "skip", "N", "lines to skip at the start of a text file (0)", 0, FLAG_COUNT, &given.skip },
    { "transpose", NULL, "read the lines of a text file as columns, and its columns as rows", 0,
      FLAG_SWITCH, &given.transpose },
    { "decimal", ".|,", "decimal separator (detected)", 0, FLAG_CHOICE, &given.decimal },
    { "comment", "CHAR", "ignore the rest of a line after this character, such as '#'", 0,
      FLAG_TEXT, &given.comment },
    { "missing", "error|mean|drop",
      "missing values (an empty cell, NA, NaN, N/A, NULL, None, . or ?): refuse them, replace them "
      "by the mean of their column, or drop their rows (error)",
      0, FLAG_CHOICE, &given.missing },
    { "na", "TEXTS", "more texts that mean a missing value, separated by commas" },
    { "unlabelled", "TEXTS",
      "labels that mean unlabelled besides an empty cell, separated by commas, case-sensitive "
      "(-1,NA,NaN,nan,N/A,#N/A,NULL,None,<NA>,.,?); '': only an empty cell" },
    { NULL },
};

enum { ROWS_SHOWN = 8, HEAD_SIZE = 512, KEPT_SIZE = 1 << 16 };

const char *const input_missings[] = { "error", "mean", "drop" };

static int delimiter(char *out)
{
    static const char *const names[] = { "comma", "semicolon", "\\t", "tab", "space" };
    const char *const sign = given.delimiter;

    for (size_t i = 0; sign && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], sign) == 0)
            *out = ",;\t\t "[i];
    if (sign && strlen(sign) == 1 && !isalnum((unsigned char)*sign) && !strchr("\"+-.", *sign))
        *out = *sign;
    return !sign || *out ? CLI_OK
                         : cli_refuse("--delimiter must be a character not used in numbers, or "
                                      "comma, semicolon, tab or space, got \"%s\"",
                                      sign);
}

int input_options(pen_read_options *out)
{
    static const int headers[] = { 1, -1, 0 };
    const char *const comment = given.comment;

    *out = (pen_read_options){ .map = 1,
                               .header = headers[given.header],
                               .decimal = "\0.,"[given.decimal + 1],
                               .comment = comment ? *comment : '\0',
                               .missing = (pen_missing)given.missing,
                               .ignore_names = given.ignore_names,
                               .skip = given.skip,
                               .transpose = given.transpose,
                               .label_column = given.label_column,
                               .name_column = given.name_column };
    out->unlabelled = args_list("unlabelled", &out->unlabelled_count);
    out->drop = args_list("drop", &out->drop_count);
    out->carry = args_list("carry", &out->carry_count);
    out->na = args_list("na", &out->na_count);
    if (comment && (strlen(comment) != 1 || !strchr("!#$%&*/:<=>?@\\^_`{|}~", *comment)))
        return cli_refuse(
            "--comment must be a character not used in numbers, such as '#', got \"%s\"", comment);
    return delimiter(&out->delimiter);
}

/* The flags that help with an error of the library. */
static const char *remark_for(void)
{
    const int labels = given.label_column != NULL;

    if (!labels && !args_value("labels") && cli_error.code == PEN_NO_LABELS)
        return "; --label-column or --labels gives the labels";
    if (cli_error.hints & PEN_HINT_LABEL_COLUMN)
        return labels ? "; use --name-column for names, or --carry or --drop"
                      : "; use --label-column for classes, --name-column for names, or --carry "
                        "or --drop";
    if (cli_error.hints & PEN_HINT_BY_POSITION)
        return ", which the model was fitted on; --ignore-names takes the columns in their order";
    if (cli_error.hints & PEN_HINT_SAME_NAME)
        return "; --drop leaves one out; --ignore-names takes all in their order";
    if (cli_error.hints & PEN_HINT_ROW_NAMES)
        return "; --name-column says where they are";
    if (cli_error.hints & PEN_HINT_HEADER)
        return "; use --header yes or --header no";
    if (cli_error.hints & PEN_HINT_DECIMAL)
        return strstr(cli_error.message, "decimal point") ? "; --decimal , reads decimal commas"
                                                          : "; --decimal . reads decimal points";
    if (cli_error.hints & PEN_HINT_MISSING)
        return "; --missing mean or --missing drop allows that";
    if (cli_error.hints & PEN_HINT_NA)
        return "; --na TEXT makes it a missing value, for --missing mean or --missing drop";
    return cli_error.hints & PEN_HINT_COMMENT
               ? "; --comment CHAR skips what follows CHAR in a line, such as '#'"
               : "";
}

int input_failed(void)
{
    return cli_fail("%s%s", cli_error.message, remark_for());
}

/* ---- remarks on labels ---- */

/* Whether a mark looks like the other labels: NA among DE and FR, or -1 with only 0 and 1. */
static int may_be_class(const char *mark, const pen_table *labels)
{
    int others = strncmp(mark, "-1", 2) != 0;

    for (int64_t c = 0; c < labels->class_count; c++) {
        const char *const name = labels->class_names[c];
        if (strcasecmp(mark, name) == 0 || (name[0] == '-' && mark[0] == '-')
            || (strlen(mark) == strlen(name) && isupper(mark[0]) && isupper(name[0])
                && !isupper(mark[1]) == !isupper(name[1])))
            return 1;
        others |= strcmp(name, "0") && strcmp(name, "1") && strcmp(name, "+1");
    }
    return !others;
}

/* Prints the texts that were read as unlabelled. */
static void note_marks(const char *path, const pen_table *labels)
{
    line marks = { "" }, others = { "" }, classes = { "" };

    if (cli_quiet)
        return;
    for (int64_t m = 0; m < labels->mark_count; m++) {
        const char *const mark = labels->marks[m];
        line *const to = may_be_class(mark, labels) ? &classes : &others;
        line_add(&marks, "%s%s (%lld row%s)", m ? ", " : "", mark, (long long)labels->mark_rows[m],
                 labels->mark_rows[m] == 1 ? "" : "s");
        line_add(to, "%s%s", *to->text ? "," : "", mark);
    }
    const int may_be = *classes.text && !args_value("unlabelled");
    if (labels->mark_count == 0 || (!may_be && strcmp(cli_command, "fit") != 0))
        return;
    cli_note("%s: %s mean%s unlabelled%s%s%s%s", cli_input_name(path), marks.text,
             labels->mark_count == 1 ? "s" : "", may_be ? "; --unlabelled '" : "",
             may_be ? others.text : "", may_be ? "' makes a class of " : "",
             may_be ? classes.text : "");
}

void input_note_dropped(const char *path, int64_t count, const int64_t *rows)
{
    char list[ROWS_SHOWN * 24] = "";
    size_t used = 0;

    for (int64_t i = 0; rows && i < count && i < ROWS_SHOWN; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%lld", i ? ", " : ": ",
                                 (long long)rows[count - 1 - i]);
    if (count > 0)
        cli_note("%s: dropped %lld rows with missing values%s%s%s", cli_input_name(path),
                 (long long)count, list, rows && count > ROWS_SHOWN ? ", ..." : "",
                 rows ? " (counted from 0)" : "");
}

/* Prints columns without any value, from which a model learns nothing. */
static void note_empty(const char *path, const pen_table *rows)
{
    for (int64_t j = 0; rows->fill && j < rows->x.cols; j++)
        if (isnan(rows->fill[j]))
            cli_note("%s: column %lld%s%s has no value: %s", cli_input_name(path),
                     (long long)(rows->column_numbers ? rows->column_numbers[j] : j),
                     rows->column_names ? " " : "", rows->column_names ? rows->column_names[j] : "",
                     strcmp(cli_command, "convert") == 0 ? "it is 0" : "it is left out");
}

/* ---- pipes ---- */

/* The bytes of a pipe that was read to detect its format, or of several joined files. reason: an
 * errno if it could not be read, or 0. */
static struct {
    const char *path;
    line name; /* for messages of the library; "": the path */
    unsigned char *bytes;
    size_t size;
    int reason;
} kept;

static void keep(int descriptor, const char *path)
{
    size_t room = kept.size;
    ssize_t got;

    kept.path = path;
    do {
        unsigned char *const grown =
            kept.size < room ? kept.bytes : realloc(kept.bytes, room = 2 * room + KEPT_SIZE);
        kept.bytes = grown ? grown : kept.bytes;
        got = grown ? read(descriptor, grown + kept.size, room - kept.size) : -1;
        kept.size += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    kept.reason = got < 0 ? errno : 0;
}

static int is_kept(const char *path)
{
    return kept.path && strcmp(kept.path, path) == 0;
}

const unsigned char *input_head(const char *path, size_t *size)
{
    static unsigned char head[HEAD_SIZE];

    if (is_kept(path)) {
        *size = kept.size;
        return kept.bytes;
    }
    const int descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const off_t at = descriptor >= 0 ? lseek(descriptor, 0, SEEK_CUR) : 0;
    const ssize_t got = at >= 0 ? pread(descriptor, head, sizeof head, at) : 0;

    if (at < 0)
        keep(descriptor, path);
    if (descriptor > STDIN_FILENO)
        close(descriptor);
    *size = at < 0 ? kept.size : got > 0 ? (size_t)got : 0;
    return at < 0 ? kept.bytes : head;
}

static int cannot_read(const char *path)
{
    return cli_fail("%s: cannot be read: %s", cli_input_name(path), strerror(kept.reason));
}

/* Whether a text file begins with column names. */
static int has_names(const char *path, const pen_read_options *options)
{
    pen_read_options any = *options;
    pen_blocks *blocks = NULL;
    pen_table *table = NULL;

    any.missing = PEN_MISSING_KEEP;
    const int found = pen_blocks_open(path, &any, &blocks, NULL) == PEN_OK
                      && pen_blocks_next(blocks, 1, &table, NULL) == PEN_OK && table
                      && table->column_names;
    pen_table_free(table);
    pen_blocks_free(blocks);
    return found;
}

/* Removes kept bytes from `at` on. */
static void leave_out(size_t at, size_t count)
{
    kept.size -= count;
    memmove(kept.bytes + at, kept.bytes + at + count, kept.size - at);
}

int input_join(const char *const *paths, const pen_read_options *options)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    const int names = has_names(paths[0], options);

    if (options->skip > 0 || options->transpose)
        return cli_refuse("--%s requires a single DATA; penumbra convert writes plain CSV",
                          options->transpose ? "transpose" : "skip");
    for (int i = 0; paths[i]; i++) {
        const size_t begin = kept.size;
        const int descriptor = open(paths[i], O_RDONLY | O_CLOEXEC);
        if (descriptor < 0)
            kept.reason = errno;
        else
            keep(descriptor, paths[0]);
        if (kept.reason)
            return cannot_read(paths[i]);
        close(descriptor);
        if (memchr(kept.bytes + begin, 0, kept.size - begin))
            return cli_fail("%s: is not text; several files can be read at once only if all are "
                            "text; penumbra convert writes CSV",
                            paths[i]);
        if (kept.size - begin >= 3 && memcmp(kept.bytes + begin, mark, 3) == 0)
            leave_out(begin, 3);
        if (kept.size > begin && kept.bytes[kept.size - 1] != '\n')
            kept.bytes[kept.size++] = '\n'; /* keep() leaves room for a byte */
        const unsigned char *const end = memchr(kept.bytes, '\n', kept.size);
        const size_t first = names && begin > 0 && end ? (size_t)(end - kept.bytes) + 1 : 0;
        if (kept.size - begin < first || memcmp(kept.bytes, kept.bytes + begin, first) != 0)
            return cli_fail(
                "%s: its first line differs from that of %s, which names the columns; labels "
                "are read with --labels, pairs with --pairs",
                paths[i], paths[0]);
        leave_out(begin, first);
        line_add(&kept.name, "%s%s", i > 0 ? " + " : "", paths[i]);
    }
    return CLI_OK;
}

/* For bytes, the library writes "model" or "statistics" instead of a path. */
static int read_object(const char *path, pen_status status)
{
    if (is_kept(path) && kept.reason)
        return cannot_read(path);
    if (status == PEN_OK)
        return CLI_OK;
    const char *const rest = is_kept(path) ? strchr(cli_error.message, ':') : NULL;
    return rest ? cli_fail("%s%s", cli_input_name(path), rest) : input_failed();
}

#define READ_OBJECT(name, type, release)                                                           \
    int name(const char *path, type **out)                                                         \
    {                                                                                              \
        const pen_status status = is_kept(path)                                                    \
                                      ? type##_from_bytes(kept.bytes, kept.size, out, &cli_error)  \
                                      : type##_load(path, out, &cli_error);                        \
        cli_own(*out, release);                                                                    \
        return read_object(path, status);                                                          \
    }
READ_OBJECT(input_model, pen_model, cli_free_model)
READ_OBJECT(input_stats, pen_stats, cli_free_stats)

/* Reads rows from a file, or from kept bytes, which are then freed. */
static pen_status read_rows(const char *path, const pen_read_options *options, pen_table **out)
{
    pen_read_options of_bytes = *options;

    if (!is_kept(path))
        return pen_read(path, options, out, &cli_error);
    of_bytes.bytes = kept.bytes;
    of_bytes.size = kept.size;
    const pen_status status =
        pen_read(*kept.name.text ? kept.name.text : path, &of_bytes, out, &cli_error);
    free(kept.bytes);
    memset(&kept, 0, sizeof kept);
    return status;
}

/* Prints how the file was read, so that the user notices a wrong guess. */
static void note_rows(const char *path, const pen_table *rows)
{
    if (rows->decimal_commas)
        cli_note("%s: numbers have decimal commas", cli_input_name(path));
    if (rows->short_header)
        cli_note("%s: the header has one cell fewer than the rows: the first column is read as row "
                 "names",
                 cli_input_name(path));
    if (rows->index_dropped)
        cli_note("%s: the first column has no name and is left out", cli_input_name(path));
    input_note_dropped(path, rows->dropped_rows,
                       rows->row_numbers ? rows->row_numbers + rows->x.rows : NULL);
    note_empty(path, rows);
    if (rows->fill && rows->filled_cells > 0)
        cli_note("%s: filled %lld missing values with the means of their columns",
                 cli_input_name(path), (long long)rows->filled_cells);
    note_marks(path, rows);
}

int input_rows(const char *path, const pen_read_options *options, pen_table **out)
{
    if (is_kept(path) && kept.reason)
        return cannot_read(path);
    mapped_begin(path);
    const pen_status status = read_rows(path, options, out);
    cli_own(*out, cli_free_table);
    mapped_end(*out);
    if (status != PEN_OK && cli_error.hints & PEN_HINT_MISSING && options->model)
        return cli_fail("%s; a fit with --missing mean or --missing drop allows that",
                        cli_error.message);
    if (status != PEN_OK)
        return input_failed();
    note_rows(path, *out);
    return CLI_OK;
}

int input_all_rows(const char *what, const char *path, const char *data_path, const pen_table *data)
{
    if (data->dropped_rows > 0)
        return cli_fail("%s: %lld rows were dropped, so the %s of %s no longer match the rows; "
                        "--missing mean keeps all rows, if they fit into memory",
                        cli_input_name(data_path), (long long)data->dropped_rows, what,
                        cli_input_name(path));
    return CLI_OK;
}

int input_labels(const char *path, const char *data_path, const pen_table *data,
                 const pen_table *known, const pen_model *model, pen_table **out)
{
    pen_read_options rows;

    *out = NULL;
    CLI_TRY(input_options(&rows));
    const pen_read_options options = { .unlabelled = rows.unlabelled,
                                       .unlabelled_count = rows.unlabelled_count,
                                       .comment = rows.comment,
                                       .name_column = rows.name_column,
                                       .allow_empty = data->x.rows == 0,
                                       .rows = data,
                                       .labels = known,
                                       .model = model };
    if (pen_read_labels(path, &options, out, &cli_error) != PEN_OK)
        return known && strstr(cli_error.message, "elsewhere")
                   ? cli_fail("%s: %s", cli_input_name(path), cli_error.message)
                   : input_failed();
    cli_own(*out, cli_free_table);
    note_marks(path, *out);
    const long long have = (*out)->x.rows + (*out)->dropped_rows,
                    need = data->x.rows + data->dropped_rows;
    return have == need
               ? CLI_OK
               : cli_fail("%s: %lld labels for %lld rows of %s%s", cli_input_name(path), have, need,
                          cli_input_name(data_path),
                          have == need + 1 ? ": is its first line a header? Delete it" : "");
}

int input_known_labels(const char *data_path, const pen_table *data, const pen_table *known,
                       const pen_model *model, pen_table **out)
{
    const char *path;

    *out = NULL;
    for (int k = 0; (path = args_repeated("labels", k)); k++)
        CLI_TRY(input_labels(path, data_path, data, *out ? *out : known, model, out));
    return CLI_OK;
}

int input_keep_labels(int64_t n, const int32_t **labels)
{
    const char *const value = args_value("keep-labels");
    uint64_t seed = 0;

    if (!value)
        return CLI_OK;
    CLI_TRY(args_seed(&seed));
    if (!*labels)
        return cli_fail("--keep-labels: there are no labels; --label-column or --labels gives "
                        "the labels");
    int32_t *const some = cli_alloc(n, sizeof *some);
    const pen_status status = pen_sample_labels(*labels, n, value, seed, some, &cli_error);
    *labels = some;
    if (status == PEN_BAD_ARGUMENT)
        return cli_refuse("--keep-labels: %s", cli_error.message);
    return status == PEN_OK ? CLI_OK : input_failed();
}

int input_labelled(const char *path, pen_table **read, pen_table *out)
{
    pen_read_options options;
    pen_table *labels;
    const int32_t *some;

    CLI_TRY(input_options(&options));
    CLI_TRY(input_rows(path, &options, read));
    CLI_TRY(input_known_labels(path, *read, (*read)->labels ? *read : NULL, NULL, &labels));
    *out = **read;
    if (labels) {
        out->labels = labels->labels;
        out->class_names = labels->class_names;
        out->class_count = labels->class_count;
        out->label_name = NULL;
    }
    some = out->labels;
    CLI_TRY(input_keep_labels(out->x.rows, &some));
    out->labels = (int32_t *)(uintptr_t)some;
    return CLI_OK;
}

const char *input_group_file(void)
{
    const char *const value = args_value("groups");

    return value && (strcmp(value, "-") == 0 || access(value, F_OK) == 0) ? value : NULL;
}

/* Recognizes /dev/stdin also. A regular file does not count, because it can be opened again. */
static int is_standard_input(const char *path)
{
    struct stat named, input;

    return strcmp(path, "-") == 0
           || (stat(path, &named) == 0 && !S_ISREG(named.st_mode)
               && fstat(STDIN_FILENO, &input) == 0 && named.st_dev == input.st_dev
               && named.st_ino == input.st_ino);
}

/* *streamed: the input that already uses standard input, or NULL. */
static int check_source(const char *path, const char *what, const char **streamed)
{
    const int stream = is_standard_input(path);

    if (stream && *streamed)
        return cli_refuse("%s and %s cannot both come from standard input", *streamed, what);
    *streamed = stream ? what : *streamed;
    return output_safe(path);
}

int input_sources(const char *data_path)
{
    static const char *const flags[][2] = { { "labels", "labels" },
                                            { "must-link", "must-links" },
                                            { "cannot-link", "cannot-links" },
                                            { "pairs", "pairs" },
                                            { "graph", "the neighbor graph" },
                                            { "groups", "groups" },
                                            { "folds", "folds" } };
    const char *streamed = NULL, *path;
    int i = 0;

    for (; (path = args_operand(i)) && path != data_path; i++)
        CLI_TRY(check_source(path, "the model", &streamed));
    CLI_TRY(check_source(data_path, "rows", &streamed));
    while ((path = args_operand(++i)))
        CLI_TRY(output_safe(path));
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
        for (int k = 0; (path = args_repeated(flags[f][0], k)); k++)
            CLI_TRY(check_source(path, flags[f][1], &streamed));
    return CLI_OK;
}
