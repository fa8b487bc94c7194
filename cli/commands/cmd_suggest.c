/* cmd_suggest.c - penumbra suggest: which rows to label next. */
#define _POSIX_C_SOURCE 200809L

#include "blas_memory.h"
#include "flags/input.h"
#include "flags/output.h"
#include "model_rows.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "number", "N", "number of rows to suggest (10)", 'n' },
    { "labels", "FILE", "a file of labels, one for each row: rows with one are not\nsuggested", 0 },
    { "output", "FILE",
      "the suggestions as a file too: .csv, .tsv, or - for CSV in\nplace of the "
      "table",
      'o' },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

enum { USUAL = 10, NUMBER_SIZE = 24, SHARE_COLUMN = 3, COLUMNS = 4 };

/* What the command reads and finds. */
typedef struct request {
    int64_t most;
    int threads;
    pen_read_options options;
    pen_model *model;
    pen_table *rows, *label_file;
    pen_suggestion *list; /* [count] */
    int64_t count;
} request;

static void request_free(request *r)
{
    pen_model_free(r->model);
    pen_table_free(r->rows);
    pen_table_free(r->label_file);
    free(r->list);
}

/* ---- reading ---- */

static int read_flags(const cli_args *args, request *r)
{
    static const char *const endings[] = { "", ".csv", ".tsv", ".txt", NULL };
    const char *const out = args_value(args, "output");

    r->most = USUAL;
    int status = args_count(args, "number", 1, &r->most);
    if (status == CLI_OK)
        status = args_not_both(args, "labels", "label-column");
    if (status == CLI_OK && out)
        status = output_ending(args, out, "suggestions", endings, ".csv or .tsv");
    if (status == CLI_OK)
        status = output_ready(args);
    if (status == CLI_OK)
        status = output_safe(args, args_operand(args, 0));
    if (status == CLI_OK)
        status = input_sources(args, args_operand(args, 1));
    if (status == CLI_OK)
        status = memory_threads(args, &r->threads);
    return status == CLI_OK ? input_options(args, &r->options) : status;
}

static int read_files(const cli_args *args, request *r)
{
    const char *const data = args_operand(args, 1), *const labels = args_value(args, "labels");

    int status = input_model(args, args_operand(args, 0), &r->model);
    if (status == CLI_OK)
        status = model_rows_read(args, r->model, data, &r->options, 1, &r->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, data, r->rows, &r->label_file);
    return status;
}

/* ---- the table ---- */

/* Characters, as a terminal counts them, roughly. */
static int width_of(const char *text)
{
    int width = 0;

    while (*text) {
        const int length = cli_utf8_length(text);
        text += length > 0 ? length : 1;
        width++;
    }
    return width;
}

static void put_padded(const char *text, int width)
{
    cli_put(stdout, text);
    printf("%*s", width - width_of(text) + 2, "");
}

/* "" where there is none. */
static const char *class_name(const request *r, int32_t class)
{
    return class < 0 ? "" : pen_model_class_name(r->model, class);
}

static const char *row_name(const request *r, int64_t i)
{
    return r->rows->row_names ? r->rows->row_names[r->list[i].row] : "";
}

static int wider(int width, const char *text)
{
    const int own = width_of(text);
    return own > width ? own : width;
}

static long long row_number(const pen_table *rows, int64_t row) /* in the file */
{
    return rows->row_numbers ? rows->row_numbers[row] : row;
}

static void print_line(const request *r, int64_t i, int name_width, int class_width)
{
    const pen_suggestion *const s = &r->list[i];

    printf("%8lld  ", row_number(r->rows, s->row));
    if (r->rows->row_names)
        put_padded(row_name(r, i), name_width);
    if (s->first >= 0) {
        put_padded(class_name(r, s->first), class_width);
        printf("%.3f  ", s->p_first);
        put_padded(class_name(r, s->second), class_width);
        printf("%.3f   %.3f  ", s->p_second, s->p_first - s->p_second);
    }
    printf("%5.1f %%\n", 100 * s->share);
}

static void print_table(const request *r)
{
    int name_width = wider(0, "name"), class_width = wider(0, "class");

    for (int64_t i = 0; i < r->count; i++) {
        name_width = wider(name_width, row_name(r, i));
        class_width = wider(class_width, class_name(r, r->list[i].first));
        class_width = wider(class_width, class_name(r, r->list[i].second));
    }
    if (r->count == 0)
        return;
    fputs("     row  ", stdout);
    if (r->rows->row_names)
        put_padded("name", name_width);
    if (r->list[0].first >= 0) {
        put_padded("class", class_width);
        fputs("p      ", stdout);
        put_padded("or", class_width);
        fputs("p      margin  ", stdout);
    }
    puts("  share");
    for (int64_t i = 0; i < r->count; i++)
        print_line(r, i, name_width, class_width);
}

/* ---- the file ---- */

/* Texts of the file: the number of the row and the two classes. */
typedef struct texts {
    char *numbers;  /* [count x NUMBER_SIZE] */
    char **cells;   /* [count x columns] */
    char **names;   /* [count] of the rows; or NULL */
    double *values; /* [count x COLUMNS] */
} texts;

static int texts_new(const request *r, texts *t)
{
    const size_t count = (size_t)r->count + 1;

    t->numbers = calloc(count, NUMBER_SIZE);
    t->cells = calloc(count, SHARE_COLUMN * sizeof *t->cells);
    t->names = calloc(count, sizeof *t->names);
    t->values = calloc(count, COLUMNS * sizeof *t->values);
    return t->numbers && t->cells && t->names && t->values;
}

static void texts_free(texts *t)
{
    free(t->numbers);
    free(t->cells);
    free(t->names);
    free(t->values);
}

/* The columns of text, then those of numbers; without classes only the row and the share. */
static pen_status write_texts(const cli_args *args, const request *r, texts *t, pen_error *err)
{
    static char row[] = "row", class[] = "class", or [] = "or";
    static const char *const titles[] = { "p_class", "p_or", "margin", "share" };
    char *carried_names[] = { row, class, or };
    const int classes = pen_model_class_count(r->model) > 0;
    const int64_t kept = classes ? SHARE_COLUMN : 1, first = classes ? 0 : SHARE_COLUMN;

    for (int64_t i = 0; i < r->count; i++) {
        const pen_suggestion *const s = &r->list[i];
        char **const cells = t->cells + i * kept;
        double *const values = t->values + i * COLUMNS;
        cells[0] = t->numbers + i * NUMBER_SIZE;
        snprintf(cells[0], NUMBER_SIZE, "%lld", row_number(r->rows, s->row));
        for (int which = 1; classes && which < SHARE_COLUMN; which++)
            cells[which] = (char *)(uintptr_t)class_name(r, which == 1 ? s->first : s->second);
        t->names[i] = r->rows->row_names ? r->rows->row_names[s->row] : NULL;
        values[0] = s->p_first;
        values[1] = s->p_second;
        values[2] = s->p_first - s->p_second;
        values[SHARE_COLUMN] = s->share;
    }
    const pen_array z = pen_dense(t->values + first, PEN_F64, r->count, COLUMNS - first, COLUMNS);
    const pen_table table = { .x = z,
                              .row_names = r->rows->row_names ? t->names : NULL,
                              .carried = t->cells,
                              .carried_names = carried_names,
                              .carried_count = kept };
    return pen_write_kept(args_value(args, "output"), &z, titles + first, &table, err);
}

static int write_file(const cli_args *args, const request *r)
{
    texts t = { 0 };
    pen_error err;

    int status = texts_new(r, &t) ? CLI_OK : cli_say(args->command, CLI_FAILED, "out of memory");
    if (status == CLI_OK && write_texts(args, r, &t, &err) != PEN_OK)
        status = input_failed(args, &err);
    texts_free(&t);
    return status;
}

/* ---- the work ---- */

static void report(const cli_args *args, const request *r)
{
    const char *const out = args_value(args, "output");

    if (args_value(args, "quiet"))
        return;
    if (r->count < r->most)
        cli_say(args->command, 0,
                "%lld of %lld rows: no others are left that are neither labelled "
                "nor nearly equal to a labelled or a suggested one",
                (long long)r->count, (long long)r->most);
    if (out && strcmp(out, "-") != 0) {
        output_report(args, out);
        fprintf(stderr, "%lld row%s\n", (long long)r->count, r->count == 1 ? "" : "s");
    }
}

static int write_results(const cli_args *args, const request *r)
{
    const char *const out = args_value(args, "output");
    const int status = out ? write_file(args, r) : CLI_OK;

    if (status != CLI_OK)
        return status;
    report(args, r);
    if (!out || strcmp(out, "-") != 0)
        print_table(r);
    return CLI_OK;
}

static int find(const cli_args *args, request *r)
{
    const int32_t *const labels = r->label_file ? r->label_file->labels : r->rows->labels;
    const int64_t n = r->rows->x.rows, most = r->most < n ? r->most : n;
    pen_error err;
    progress bar;

    r->list = calloc((size_t)most, sizeof *r->list);
    if (!r->list)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { r->threads, progress_show, &bar };
    const pen_status status =
        pen_suggest(r->model, &r->rows->x, labels, most, &control, r->list, &r->count, &err);
    progress_end(&bar);
    if (progress_signal())
        return progress_die(args->command);
    if (status == PEN_OK)
        return write_results(args, r);
    /* their number is right: the argument that is refused is the model */
    return cli_say(args->command, CLI_FAILED, "%s: %s",
                   input_name(args_operand(args, status == PEN_BAD_ARGUMENT ? 0 : 1)), err.message);
}

static int suggest(const cli_args *args)
{
    request r = { 0 };

    int status = read_flags(args, &r);
    if (status == CLI_OK)
        status = read_files(args, &r);
    if (status == CLI_OK)
        status = find(args, &r);
    request_free(&r);
    return status;
}

static const args_form form = {
    "penumbra suggest MODEL DATA [flags]",
    "Suggest rows of DATA (CSV, TSV, npy or libsvm; - is standard input) to label next: rows whose "
    "classes the model leaves open, typical of\n"
    "many such rows, and apart from labelled rows and from each other. If the model was fitted "
    "without labels: rows that cover the data.\n"
    "Rows are numbered from 0. share: how much of what is uncertain the label would tell.\n",
    2,
    2,
    { { NULL, flags }, { "Reading DATA (rows with a label are known)", input_flags } },
    "Usage: penumbra suggest MODEL DATA [flags]                    all flags: --help\n"
    "Name the rows of DATA whose labels would help MODEL most: it is not sure of\n"
    "them, they are like many others, and unlike each other.\n"
    "\n"
    "  penumbra suggest data.pen data.csv --label-column class\n"
    "  penumbra suggest data.pen data.csv --label-column class -n 20 -o next.csv\n"
    "\n"
    "  -n, --number N          how many rows (10)\n"
    "  -o, --output FILE       .csv or .tsv: fill in its column class, and it is a\n"
    "                          file of labels for fit --labels\n"
    "  --label-column COLUMN   column of known labels: such rows are not suggested\n"
    "  --labels FILE           known labels from a file\n"
    "  --json                  print the suggestions as JSON\n",
};

int cmd_suggest(int argc, char **argv)
{
    return args_run(&form, argc, argv, suggest);
}
