/* cmd_suggest.c - penumbra suggest: which rows to label next. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/output.h"
#include "lines.h"
#include "model_rows.h"
#include "progress.h"

#include <math.h>

static struct {
    const char *output;
    int64_t most;
    int json;
} given = { .most = 10 };

static const cli_flag flags[] = {
    { "number", "N", "how many rows (10)", 'n', FLAG_COUNT, &given.most, 1 },
    { "output", "FILE",
      "a .csv or .tsv file with an empty column class, to be filled in and read as labels; - for "
      "CSV in place of the table",
      'o', FLAG_TEXT, &given.output },
    { "json", NULL, "print the suggestions as JSON", 0, FLAG_SWITCH, &given.json },
    { NULL },
};

/* What is said of a row, in this order; without classes only ROW, GAIN and CLASS. */
enum { ROW, GUESS, PROBABILITY, OR, OR_PROBABILITY, GAIN, CLASS, COLUMNS };
static const char *const titles[COLUMNS] = { "row",  "guess", "probability", "or", "or_probability",
                                             "gain", "class" };
enum { CELL_SIZE = 32, LONGEST = 20 };

/* What the command reads and finds. */
typedef struct request {
    pen_model *model;
    pen_table *rows, *known; /* known: with the labels */
    pen_suggestion *list;    /* [count] */
    int64_t most, count;
    int classes; /* whether the model has any */
    char *texts; /* of cells, [count x COLUMNS x CELL_SIZE] */
} request;

static int is_shown(const request *r, int column)
{
    return r->classes || column == ROW || column == GAIN;
}

static long long row_number(const request *r, int64_t i) /* in the file */
{
    const int64_t row = r->list[i].row;
    return r->rows->row_numbers ? r->rows->row_numbers[row] : row;
}

static double number_of(const pen_suggestion *s, int column)
{
    return column == PROBABILITY ? s->p_first : column == OR_PROBABILITY ? s->p_second : s->share;
}

/* A cell; the format is that of its number. */
static const char *cell(const request *r, int64_t i, int column, const char *format)
{
    const pen_suggestion *const s = &r->list[i];
    char *const text = r->texts + (i * COLUMNS + column) * CELL_SIZE;

    if (column == GUESS || column == OR) {
        const int32_t class = column == GUESS ? s->first : s->second;
        return class < 0 ? "" : pen_model_class_name(r->model, class);
    }
    if (column == ROW)
        snprintf(text, CELL_SIZE, "%lld", row_number(r, i));
    else
        snprintf(text, CELL_SIZE, format, number_of(s, column));
    return text;
}

static const char *row_name(const request *r, int64_t i)
{
    return r->rows->row_names ? r->rows->row_names[r->list[i].row] : NULL;
}

/* ---- the table ---- */

static void put_padded(const char *text, int width)
{
    char cut[4 * LONGEST + 8];

    cli_shorten(text, LONGEST, cut, sizeof cut);
    cli_put(stdout, cut);
    printf("%*s", width - cli_width(cut) + 2, "");
}

static int wider(int width, const char *text)
{
    const int own = cli_width(text) < LONGEST ? cli_width(text) : LONGEST;
    return own > width ? own : width;
}

/* Line -1 is the header; the name of a row comes after its number. */
static void print_line(const request *r, int64_t i, const int *widths, int name_width)
{
    static const char *const heads[] = { "row", "guess", "p", "or", "p", "gain" };

    for (int j = 0; j < CLASS; j++) {
        if (!is_shown(r, j))
            continue;
        const char *const text = i < 0 ? heads[j] : cell(r, i, j, "%.3f");
        if (j == GAIN)
            puts(text);
        else
            put_padded(text, widths[j]);
        if (j == ROW && r->rows->row_names)
            put_padded(i < 0 ? "name" : row_name(r, i), name_width);
    }
}

static void print_table(const request *r)
{
    int widths[CLASS] = { 3, 5, 5, 5, 5, 5 }, name_width = 4;

    for (int64_t i = 0; i < r->count; i++) {
        for (int j = 0; j < CLASS; j++)
            widths[j] = wider(widths[j], cell(r, i, j, "%.3f"));
        name_width = r->rows->row_names ? wider(name_width, row_name(r, i)) : name_width;
    }
    for (int64_t i = -1; r->count > 0 && i < r->count; i++)
        print_line(r, i, widths, name_width);
}

/* ---- JSON ---- */

static void print_json(const request *r)
{
    cli_json_open();
    cli_json_member("suggestions");
    putchar('[');
    for (int64_t i = 0; i < r->count; i++) {
        printf("%s\n    {\"row\": %lld", i ? "," : "", row_number(r, i));
        if (row_name(r, i)) {
            fputs(", \"name\": ", stdout);
            cli_json_text(stdout, row_name(r, i));
        }
        for (int j = GUESS; j < CLASS; j++) {
            if (!is_shown(r, j))
                continue;
            printf(", \"%s\": ", titles[j]);
            if (j == GUESS || j == OR)
                cli_json_text(stdout, cell(r, i, j, ""));
            else
                cli_json_number(stdout, number_of(&r->list[i], j));
        }
        putchar('}');
    }
    fputs("\n  ]", stdout);
    cli_json_string("output", given.output);
    cli_json_close();
}

/* ---- the file ---- */

/* All cells are carried texts, but those of the last column, which are empty. */
static int write_file(const request *r)
{
    char *names[COLUMNS], **const cells = cli_alloc(r->count * COLUMNS, sizeof *cells),
                                  **const row_names = cli_alloc(r->count, sizeof *row_names);
    double *const empty = cli_alloc(r->count, sizeof *empty);
    int64_t columns = 0, at = 0;

    for (int j = 0; j < CLASS; j++)
        if (is_shown(r, j))
            names[columns++] = (char *)(uintptr_t)titles[j];
    for (int64_t i = 0; i < r->count; i++) {
        empty[i] = (double)NAN;
        row_names[i] = (char *)(uintptr_t)row_name(r, i);
        for (int j = 0; j < CLASS; j++)
            if (is_shown(r, j))
                cells[at++] = (char *)(uintptr_t)cell(r, i, j, "%.6g");
    }
    const pen_array x = pen_dense(empty, PEN_F64, r->count, 1, 1);
    char *const last = (char *)(uintptr_t)titles[CLASS];
    const pen_table table = { .x = x,
                              .column_names = (char *[]){ last },
                              .row_names = r->rows->row_names ? row_names : NULL,
                              .carried = cells,
                              .carried_names = names,
                              .carried_count = columns };
    CLI_CALL(pen_write(given.output, NULL, &table, &cli_error));
    return CLI_OK;
}

/* ---- the work ---- */

static pen_status find(void *context, const pen_control *control)
{
    request *const r = context;
    const int32_t *const labels = r->known ? r->known->labels : NULL;

    return pen_suggest(r->model, &(pen_data){ .x = r->rows->x, .labels = labels }, r->most, control,
                       r->list, &r->count, &cli_error);
}

static void report(const request *r)
{
    if (given.json)
        print_json(r);
    else if (!given.output || !output_streamed(given.output))
        print_table(r);
    if (cli_quiet || given.json)
        return;
    if (r->count < given.most)
        line_print("note",
                   "%lld of %lld rows: no others are left that are neither labelled nor nearly "
                   "equal to a labelled or a suggested one",
                   (long long)r->count, (long long)given.most);
    if (given.output && !output_streamed(given.output))
        line_print("wrote", "%s (%lld rows, whose column class is empty)", given.output,
                   (long long)r->count);
}

static int suggest(void)
{
    static request r;
    const char *const data = args_operand(1);
    pen_read_options options;

    CLI_TRY(args_not_both("labels", "label-column"));
    if (given.output)
        CLI_TRY(output_ending(given.output, "suggestions", ".csv or .tsv"));
    CLI_TRY(model_rows_check());
    CLI_TRY(input_options(&options));
    CLI_TRY(model_rows_load(2, &r.model));
    CLI_TRY(model_rows_read(r.model, data, &options, 1, &r.rows));
    CLI_TRY(model_rows_labels(data, r.rows, &r.known));
    r.most = given.most < r.rows->x.rows ? given.most : r.rows->x.rows;
    r.classes = pen_model_class_count(r.model) > 0;
    r.list = cli_alloc(r.most, sizeof *r.list);
    r.texts = cli_alloc(r.most * COLUMNS, CELL_SIZE);
    CLI_TRY(cli_work(data, find, &r));
    if (given.output)
        CLI_TRY(write_file(&r));
    report(&r);
    return CLI_OK;
}

static const args_form form = {
    "penumbra suggest MODEL DATA [flags]",
    "Suggest rows of DATA to label next: rows whose classes the model leaves open, typical of "
    "many such rows, and apart from labelled rows and from each other. If the model was "
    "fitted without labels: rows that cover the data. Rows are numbered from 0. gain: how "
    "much of what is uncertain the label would tell.",
    2,
    2,
    { { NULL, input_labels_flag },
      { NULL, flags },
      { "Reading DATA (rows with a label are known)", input_flags } },
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
