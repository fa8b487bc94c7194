/* cmd_suggest.c - penumbra suggest: suggest rows to label next. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/output.h"
#include "base/lines.h"
#include "common/model_rows.h"
#include "common/progress.h"

#include <math.h>

static struct {
    const char *output;
    int64_t most;
} given = { .most = 10 };

static const cli_flag flags[] = {
    { "number", "N", "number of rows to suggest (10)", 'n', FLAG_COUNT, &given.most, 1 },
    { "output", "FILE",
      "a .csv or .tsv file with an empty column class: fill it in, and give it to fit --labels; - "
      "writes CSV to standard output instead of the table",
      'o', FLAG_TEXT, &given.output },
    { NULL },
};

/* The columns of the output and the heads of the table. Models without classes have only ROW, GAIN
 * and CLASS; rows without names have no NAME. */
enum { ROW, NAME, GUESS, PROBABILITY, OR, OR_PROBABILITY, GAIN, CLASS, COLUMNS };
static const char *const titles[COLUMNS] = { "row", "name",           "guess", "probability",
                                             "or",  "or_probability", "gain",  "class" },
                         *const heads[CLASS] = { "row", "name", "guess", "p", "or", "p", "gain" };
enum { CELL_SIZE = 32, LONGEST = 20 };

/* The input and the results of the command. */
typedef struct request {
    model_rows of;
    pen_suggestion *list; /* [count] */
    int64_t most, count;
    int classes; /* whether the model has any */
} request;

static int is_shown(const request *r, int column)
{
    return column == ROW || column == GAIN
           || (column == NAME ? r->of.rows->row_names != NULL : r->classes);
}

static int is_text(int column)
{
    return column == NAME || column == GUESS || column == OR;
}

static double number_of(const request *r, int64_t i, int column)
{
    const pen_suggestion *const s = &r->list[i];
    const int64_t *const numbers = r->of.rows->row_numbers; /* in the file */

    return column == ROW              ? (double)(numbers ? numbers[s->row] : s->row)
           : column == PROBABILITY    ? s->p_first
           : column == OR_PROBABILITY ? s->p_second
                                      : s->share;
}

/* The text of a cell; `format` applies to numbers. */
static char *cell(const request *r, int64_t i, int column, const char *format)
{
    const pen_suggestion *const s = &r->list[i];
    const int32_t class = column == GUESS ? s->first : s->second;
    const char *text = column == NAME ? r->of.rows->row_names[s->row]
                       : class < 0    ? ""
                                      : pen_model_class_name(r->of.model, class);

    char *const number = is_text(column) ? NULL : cli_alloc(1, CELL_SIZE);
    if (number)
        snprintf(number, CELL_SIZE, column == ROW ? "%.0f" : format, number_of(r, i, column));
    return number ? number : (char *)(uintptr_t)text;
}

/* ---- the table ---- */

/* Line -1 is the header. */
static void print_table(const request *r)
{
    int width[CLASS];
    char cut[4 * LONGEST + 8];

    for (int j = 0; j < CLASS; j++) {
        width[j] = j == ROW ? 3 : j == NAME ? 4 : 5;
        for (int64_t i = 0; is_shown(r, j) && i < r->count; i++) {
            const int own = cli_width(cell(r, i, j, "%.3f"));
            width[j] = own <= width[j] ? width[j] : own < LONGEST ? own : LONGEST;
        }
    }
    for (int64_t i = -1; r->count > 0 && i < r->count; i++)
        for (int j = 0; j < CLASS; j++) {
            if (!is_shown(r, j))
                continue;
            cli_put(stdout, cli_shorten(i < 0 ? heads[j] : cell(r, i, j, "%.3f"), LONGEST, cut,
                                        sizeof cut));
            printf(j == GAIN ? "\n" : "%*s", width[j] - cli_width(cut) + 2, "");
        }
}

/* ---- JSON ---- */

static void print_json(const request *r)
{
    cli_json_begin();
    cli_json_open("suggestions", '[', 1);
    for (int64_t i = 0; i < r->count; i++) {
        cli_json_open(NULL, '{', 0);
        for (int j = 0; j < CLASS; j++)
            if (is_shown(r, j) && is_text(j))
                cli_json_string(titles[j], cell(r, i, j, ""));
            else if (is_shown(r, j))
                cli_json_real(titles[j], number_of(r, i, j));
        cli_json_close();
    }
    cli_json_close();
    cli_json_string("output", given.output);
    cli_json_close();
}

/* ---- the file ---- */

/* Writes all cells as carried texts, except the last column, which is empty. */
static int write_file(const request *r)
{
    char *names[COLUMNS], **const cells = cli_alloc(r->count * COLUMNS, sizeof *cells),
                                  **const row_names = cli_alloc(r->count, sizeof *row_names),
                                  *last = (char *)(uintptr_t)titles[CLASS];
    double *const empty = cli_alloc(r->count, sizeof *empty);
    pen_table table = { .x = pen_dense(empty, PEN_F64, r->count, 1, 1),
                        .column_names = &last,
                        .row_names = is_shown(r, NAME) ? row_names : NULL,
                        .carried = cells,
                        .carried_names = names };

    for (int j = 0; j < CLASS; j++)
        if (j != NAME && is_shown(r, j))
            names[table.carried_count++] = (char *)(uintptr_t)titles[j];
    for (int64_t i = 0, at = 0; i < r->count; i++) {
        empty[i] = (double)NAN;
        row_names[i] = table.row_names ? cell(r, i, NAME, "") : NULL;
        for (int j = 0; j < CLASS; j++)
            if (j != NAME && is_shown(r, j))
                cells[at++] = cell(r, i, j, "%.6g");
    }
    CLI_CALL(pen_write(given.output, NULL, &table, &cli_error));
    return CLI_OK;
}

/* ---- the work ---- */

static pen_status find(void *context, const pen_control *control)
{
    request *const r = context;
    const int32_t *const labels = r->of.known ? r->of.known->labels : NULL;

    return pen_suggest(r->of.model, &(pen_data){ .x = r->of.rows->x, .labels = labels }, r->most,
                       control, r->list, &r->count, &cli_error);
}

static void report(const request *r)
{
    if (cli_json)
        print_json(r);
    else if (!given.output || !output_streamed(given.output))
        print_table(r);
    if (!cli_json && r->count < given.most)
        line_print("note",
                   "%lld of %lld rows: all others are labelled, or nearly equal to a labelled or "
                   "suggested row",
                   (long long)r->count, (long long)given.most);
    if (!cli_json && given.output && !output_streamed(given.output))
        line_print("wrote", "%s (%lld rows; fill in its column class)", given.output,
                   (long long)r->count);
}

static int suggest(void)
{
    static request r;

    if (given.output)
        CLI_TRY(output_ending(given.output, "suggestions", ".csv or .tsv"));
    CLI_TRY(model_rows_open(2, 1, &r.of));
    r.most = given.most < r.of.rows->x.rows ? given.most : r.of.rows->x.rows;
    r.classes = pen_model_class_count(r.of.model) > 0;
    r.list = cli_alloc(r.most, sizeof *r.list);
    CLI_TRY(cli_work(args_operand(1), find, &r));
    if (given.output)
        CLI_TRY(write_file(&r));
    report(&r);
    return CLI_OK;
}

const args_form cmd_suggest = {
    "suggest",
    "name the rows whose labels would help most",
    suggest,
    0,
    2,
    2,
    { { NULL, input_labels_flag },
      { NULL, flags },
      { "Reading DATA (labelled rows are not suggested)", input_flags } },
    "Usage: penumbra suggest MODEL DATA [flags]                    all flags: --help\n"
    "Name the rows of DATA whose labels would help MODEL most: rows whose class is\n"
    "uncertain, which resemble many other rows and differ from each other.\n"
    "\n"
    "  penumbra suggest data.pen data.csv\n"
    "  penumbra suggest data.pen data.csv -n 20 -o next.csv\n"
    "\n"
    "  -n, --number N          number of rows to suggest (10)\n"
    "  -o, --output FILE       .csv or .tsv: fill in its column class and give it to\n"
    "                          fit --labels\n"
    "  --label-column COLUMN   column of known labels (that of the fit, if present):\n"
    "                          such rows are not suggested\n"
    "  --labels FILE           known labels from a file\n"
    "  --json                  print the suggestions as JSON\n",
};
