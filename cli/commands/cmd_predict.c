/* cmd_predict.c - penumbra predict: predict the classes of rows. */
#define _POSIX_C_SOURCE 200809L

#include "common/class_output.h"
#include "flags/input.h"
#include "flags/output.h"
#include "base/lines.h"
#include "common/model_rows.h"
#include "common/progress.h"

#include <math.h>
#include <string.h>

static struct {
    const char *output;
    int probabilities;
} given;

static const cli_flag flags[] = {
    { "output", "FILE", "the file of classes, .csv or .tsv; - writes CSV to standard output", 'o',
      FLAG_TEXT, &given.output, .required = 1 },
    { "probabilities", NULL, "also write the probability of each class", 0, FLAG_SWITCH,
      &given.probabilities },
    { NULL },
};

/* The input and the results of the command. */
typedef struct prediction {
    model_rows of;
    row_classes found;
    int64_t counts, correct;                        /* compared labels, correct predictions */
    int64_t unknown;                                /* labels, if none is a class of the model */
    int64_t mistakes, mistake_label, mistake_class; /* the most frequent mistake */
} prediction;

/* ---- accuracy ---- */

static const char *label_name(const prediction *p, int64_t label)
{
    return p->of.known->class_names[label];
}

/* Counts correct predictions and finds the most frequent mistake (the first one if several tie). */
static void compare_with_labels(prediction *p)
{
    const pen_class_rows *const rows = &p->found.rows;
    const int64_t count = rows->class_count;

    if (!p->of.known)
        return;
    int64_t *const of = cli_alloc(p->of.known->class_count * count, sizeof *of);
    int met = 0;
    for (int64_t i = 0; i < rows->n; i++)
        if (p->found.labels[i] >= 0 && p->found.of_row[i] >= 0)
            of[p->found.labels[i] * count + p->found.of_row[i]]++;
    for (int64_t l = 0; l < p->of.known->class_count; l++) {
        for (int64_t c = 0; c < count; c++) {
            const int64_t n = of[l * count + c];
            p->counts += n;
            if (strcmp(label_name(p, l), p->found.names[c]) == 0) {
                p->correct += n;
                met = 1;
            } else if (n > p->mistakes) {
                p->mistakes = n;
                p->mistake_label = l;
                p->mistake_class = c;
            }
        }
    }
    p->unknown = met ? 0 : p->counts;
    if (!met)
        p->counts = p->mistakes = 0;
}

static double accuracy(const prediction *p)
{
    return (double)p->correct / (double)p->counts;
}

/* The accuracy ± this contains Wilson's interval, which is never empty. */
static double half_width(const prediction *p)
{
    const double a = accuracy(p), z2 = CLI_HALF_WIDTH * CLI_HALF_WIDTH / (double)p->counts,
                 center = (a + z2 / 2) / (1 + z2);
    return sqrt(z2 * (a * (1 - a) + z2 / 4)) / (1 + z2) + fabs(center - a);
}

/* ---- the report ---- */

static void print_lines(const prediction *p)
{
    const pen_class_rows *const rows = &p->found.rows;
    line classes = { "" }, mistake = { "" };

    line_add_classes(&classes, p->found.of_row, rows->n, p->found.names, rows->class_count);
    if (!output_streamed(given.output))
        line_print("rows", "%lld; classes %s", (long long)rows->n, classes.text);
    if (p->mistakes > 0)
        line_add(&mistake, "; most frequent mistake: %lld of class %s called %s",
                 (long long)p->mistakes, label_name(p, p->mistake_label),
                 p->found.names[p->mistake_class]);
    if (p->counts > 0)
        line_print("checked", "accuracy %.3f ± %.3f on %lld labels%s", accuracy(p), half_width(p),
                   (long long)p->counts, mistake.text);
    if (p->unknown > 0)
        line_print("checked", "nothing: none of %lld labels is a class of the model",
                   (long long)p->unknown);
    if (!output_streamed(given.output))
        line_print("wrote", "%s (%lld of %lld rows below probability 0.8)", given.output,
                   (long long)p->found.doubtful, (long long)p->found.total);
}

static void print_json(const prediction *p)
{
    const pen_class_rows *const rows = &p->found.rows;

    cli_json_begin();
    cli_json_count("rows", rows->n);
    cli_json_open("classes", '{', 0);
    for (int64_t c = 0; c < rows->class_count; c++) {
        int64_t n = 0;
        for (int64_t i = 0; i < rows->n; i++)
            n += p->found.of_row[i] == c;
        cli_json_count(p->found.names[c], n);
    }
    cli_json_close();
    cli_json_count("labels", p->counts);
    cli_json_real("accuracy", accuracy(p)); /* null without labels */
    cli_json_real("error", half_width(p));
    cli_json_real("standard_error", half_width(p) / CLI_HALF_WIDTH);
    if (p->mistakes > 0) {
        cli_json_open("mistake", '{', 0);
        cli_json_string("label", label_name(p, p->mistake_label));
        cli_json_string("class", p->found.names[p->mistake_class]);
        cli_json_count("rows", p->mistakes);
        cli_json_close();
    } else {
        cli_json_string("mistake", NULL);
    }
    cli_json_count("doubtful", p->found.doubtful);
    cli_json_string("output", given.output);
    cli_json_close();
}

/* ---- the work ---- */

static pen_status predict_rows(void *context, const pen_control *control)
{
    prediction *const p = context;
    return pen_predict(p->of.model, &p->of.rows->x, control, p->found.of_row, p->found.scores,
                       p->found.typical, &cli_error);
}

/* Writes only after all classes are known. */
static int write_classes(prediction *p)
{
    const pen_table *const known = p->of.known;

    if (output_streamed(given.output))
        progress_release();
    classes_place(&p->found, p->of.rows, known ? known->labels : NULL,
                  known ? (const char *const *)known->class_names : NULL,
                  known ? known->class_count : 0);
    p->found.rows.every = given.probabilities;
    CLI_CALL(pen_write_classes(given.output, &p->found.rows, &cli_error));
    compare_with_labels(p);
    if (cli_json)
        print_json(p);
    else
        print_lines(p);
    return CLI_OK;
}

static int predict(void)
{
    static prediction p;

    CLI_TRY(classes_check("output"));
    CLI_TRY(model_rows_open(1, 0, &p.of));
    classes_new(p.of.model, p.of.rows, &p.found);
    CLI_TRY(cli_work(args_operand(1), predict_rows, &p));
    return write_classes(&p);
}

const args_form cmd_predict = {
    "predict",
    "write the class of each row",
    predict,
    0,
    2,
    2,
    { { NULL, input_labels_flag }, { NULL, flags }, { "Reading DATA", input_flags } },
    "Usage: penumbra predict MODEL DATA -o FILE [flags]            all flags: --help\n"
    "Write the class of each row of DATA. Where DATA has labels, also print how many\n"
    "of them the model gets right. A row gets the same class alone and in any file.\n"
    "\n"
    "  penumbra predict data.pen new.csv -o classes.csv\n"
    "  penumbra predict data.pen test.csv --label-column class -o classes.csv\n"
    "\n"
    "  -o, --output FILE       .csv or .tsv; - is standard output (required)\n"
    "  --probabilities         one more column for each class\n"
    "  --label-column COLUMN   column of known labels (that of the fit, if present)\n"
    "  --labels FILE           known labels from a file\n"
    "  --json                  print the summary as JSON\n",
};
