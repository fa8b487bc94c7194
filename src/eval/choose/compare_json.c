/* compare_json.c - the result of a comparison as JSON. */
#include "eval/choose/compare_result.h"
#include "eval/measures/summary.h"
#include "model/describe.h"

#include <string.h>

/* ---- parameters ---- */

/* Adds the parameters that differ from their defaults, or all. */
static void add_parameters(pen_string *text, const char *name, const pen_spec *spec, int all)
{
    char value[PEN_PARAM_SIZE], usual[PEN_PARAM_SIZE];

    pen_text_add_plain(text, name, spec ? "{" : "null");
    for (const pen_param *param = spec ? spec->method->params : NULL; param && param->name;
         param++) {
        pen_param_write(param, pen_spec_record(spec, param), value);
        pen_param_text(param, param->initial, usual, sizeof usual);
        if (all || strcmp(value, usual) != 0)
            pen_describe_parameter(text, spec, param);
    }
    pen_text_add_string(text, spec ? "}" : "");
}

/* ---- candidates ---- */

static void add_found(pen_string *text, const pen_compared *e)
{
    pen_text_add_plain(text, "found", "[");
    for (int64_t i = 0; e->found && i < e->found->count; i++) {
        const pen_candidate *const one = &e->found->candidates[i];
        pen_text_add_plain(text, NULL, "{");
        pen_text_add_number(text, "accuracy", one->score);
        pen_text_add_count(text, "dim", one->dim);
        add_parameters(text, "parameters", one->spec, 0);
        pen_text_add_string(text, "}");
    }
    pen_text_add_string(text, "]");
}

/* [[..],..] */
static void add_table(pen_string *text, const char *name, const double *values, int64_t rows,
                      int64_t columns)
{
    pen_text_add_plain(text, name, "[");
    for (int64_t i = 0; i < rows; i++)
        pen_text_add_numbers(text, NULL, values + i * columns, columns);
    pen_text_add_string(text, "]");
}

/* Adds null for a failed candidate. */
static void add_accuracy(pen_string *text, const pen_comparison *c, const pen_compared *e)
{
    const double error = pen_standard_error(e->score, c->held_out);

    pen_text_add_number(text, "accuracy", e->score);
    pen_text_add_number(text, "error", PEN_HALF_WIDTH * error);
    pen_text_add_number(text, "standard_error", error);
}

static void add_candidate(pen_string *text, const pen_comparison *c, int64_t m)
{
    const pen_compared *const e = &c->candidates[m];
    const int failed = *e->failure != '\0';
    const int64_t dims = pen_compared_has_curve(c, e) ? c->dim_count : 0;
    const int columns = e->baseline && !(e->method->traits & PEN_BASELINE);

    pen_text_add_plain(text, NULL, "{");
    pen_text_add_member(text, "name", e->name);
    pen_text_add_member(text, "method", e->method->name);
    pen_text_add_member(text, "title", columns ? "the standardized columns" : e->method->title);
    pen_text_add_member(text, "classifier", e->classifier);
    pen_text_add_count(text, "rank", pen_comparison_place(c, m));
    pen_text_add_flag(text, "recommended", m == c->chosen);
    pen_text_add_flag(text, "baseline", e->baseline);
    pen_text_add_flag(text, "experimental", e->method->source == PEN_SOURCE_RECONSTRUCTED);
    add_accuracy(text, c, e);
    pen_text_add_number(text, "deviation", e->deviation);
    pen_text_add_number(text, "untuned", e->untuned);
    pen_text_add_number(text, "aside", e->aside);
    pen_text_add_number(text, "log_loss", e->log_loss);
    pen_text_add_number(text, "brier", e->brier);
    pen_text_add_number(text, "p", e->p);
    pen_text_add_number(text, "stable", e->stability);
    pen_text_add_count(text, "dim", e->dim);
    pen_text_add_number(text, "seconds", e->seconds);
    pen_text_add_number(text, "cost", e->cost);
    pen_text_add_flag(text, "tried", e->tried == PEN_TRIED);
    pen_text_add_count(text, "grid", e->grid);
    pen_text_add_count(text, "combinations", e->combinations);
    pen_text_add_member(text, "same_as", e->same_as);
    pen_text_add_member(text, "failure", failed ? e->failure : NULL);
    add_parameters(text, "parameters", e->spec, 1);
    add_parameters(text, "changed", e->spec, 0);
    pen_text_add_numbers(text, "trials", e->trials, failed ? 0 : c->trials);
    pen_text_add_numbers(text, "curve", e->curve, dims);
    add_table(text, "curve_trials", e->curve_trials, dims ? c->trials : 0, dims);
    add_found(text, e);
    pen_text_add_string(text, "}");
}

/* ---- the recommended candidate ---- */

static void add_class_names(pen_string *text, const pen_data *data, const pen_comparison *c)
{
    char number[PEN_NUMBER_SIZE];

    pen_text_add_plain(text, "class_names", "[");
    for (int64_t i = 0; i < c->class_count; i++)
        pen_text_add_member(text, NULL, pen_label_text(data, c->classes[i], number));
    pen_text_add_string(text, "]");
}

static void add_outcome(pen_string *text, const pen_comparison *c)
{
    pen_text_add_plain(text, "confusion", "[");
    for (int64_t i = 0; i < c->class_count; i++)
        pen_text_add_counts(text, NULL, c->confusion + i * c->class_count, c->class_count);
    pen_text_add_string(text, "]");
    pen_text_add_plain(text, "calibration", "[");
    for (int64_t b = 0; b < PEN_CALIBRATION_BINS; b++) {
        pen_text_add_plain(text, NULL, "{");
        pen_text_add_count(text, "rows", c->calibration[b].rows);
        pen_text_add_number(text, "predicted", c->calibration[b].predicted);
        pen_text_add_number(text, "right", c->calibration[b].right);
        pen_text_add_string(text, "}");
    }
    pen_text_add_string(text, "]");
}

/* ---- all ---- */

static void add_trials(pen_string *text, const pen_comparison_facts *facts, const pen_comparison *c)
{
    const pen_data *const data = facts->data;
    const pen_trials *const t = facts->trials;

    pen_text_add_count(text, "rows", data->x.rows);
    pen_text_add_count(text, "columns", data->x.cols);
    pen_text_add_count(text, "labelled", c->labelled);
    pen_text_add_count(text, "classes", c->class_count);
    pen_text_add_count(text, "folds", c->folds);
    pen_text_add_count(text, "runs", c->runs);
    pen_text_add_count(text, "seed", (int64_t)t->seed);
    pen_text_add_flag(text, "given_folds", t->fold_of != NULL);
    pen_text_add_flag(text, "groups", data->groups != NULL);
    pen_text_add_flag(text, "inductive", t->inductive != 0);
    pen_text_add_member(text, "keep_labels", t->keep_labels);
    pen_text_add_number(text, "effort", t->effort);
    pen_text_add_count(text, "trials", c->trials);
    pen_text_add_count(text, "held_out", c->held_out);
    pen_text_add_count(text, "inner_folds", c->inner_folds);
    pen_text_add_count(text, "compared", c->count);
    pen_text_add_count(text, "tuned", c->tuned);
    pen_text_add_flag(text, "interrupted", c->interrupted);
    pen_text_add_number(text, "seconds", c->seconds);
}

pen_status pen_comparison_describe(pen_run *run, const pen_comparison_facts *facts,
                                   pen_comparison *c)
{
    const pen_compared *const best = &c->candidates[c->chosen];
    pen_string text = { .data = NULL };

    pen_text_add_string(&text, "{");
    add_trials(&text, facts, c);
    pen_text_add_member(&text, "recommended", best->name);
    add_accuracy(&text, c, best);
    pen_text_add_number(&text, "margin", c->margin);
    pen_text_add_number(&text, "chance", c->chance);
    pen_text_add_number(&text, "p_value", c->p_value);
    pen_text_add_flag(&text, "predicts", c->predicts);
    pen_text_add_number(&text, "shuffled", c->shuffled);
    add_class_names(&text, facts->data, c);
    add_outcome(&text, c);
    if (facts->trials->picture)
        pen_text_add_plain(&text, "picture", c->picture ? c->picture : "null");
    pen_text_add_counts(&text, "dims", c->dims, c->dim_count);
    pen_text_add_plain(&text, "candidates", "[");
    for (int64_t m = 0; m < c->count; m++)
        add_candidate(&text, c, m);
    pen_text_add_string(&text, "]}");
    return pen_text_finish(run, &text, &c->json);
}
