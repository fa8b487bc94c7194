/* row_file.c - metadata "row" is a JSON list of the steps in their order, each a list of its name
 * and its number, if it has one:
 * [["total",10000],["log1p"],["idf"],["snv"],["derivative",11],["select"],["l2"]]. With a kernel,
 * rows have only the selected columns, so "select" has the number of all columns. */
#include "model/model_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- in a model ---- */

int pen_row_file_needs(const pen_model *model)
{
    const pen_row_steps *const steps = &model->row.steps;

    return (steps->columns > 0 ? NEEDS_ROW : 0)
           | (steps->snv || steps->derivative > 0 ? NEEDS_SPECTRA : 0);
}

void pen_row_file_list(pen_string *list, const pen_model *model)
{
    const pen_row_steps *const steps = &model->row.steps;
    const int mapped = model->kernel.form.kind != PEN_KERNEL_NONE;
    const pen_row_params row = {
        steps->total,       steps->log1p,
        steps->idf != NULL, steps->snv,
        steps->derivative,  !steps->selected ? 0 : mapped ? steps->columns : -1, /* no number */
        model->unit
    };

    pen_text_add_string(list, "[");
    for (const pen_param *step = pen_row_steps_form.parts; step->name; step++) {
        const double value = pen_param_get(step, &row);
        if (value == 0)
            continue;
        pen_text_add_plain(list, NULL, "[");
        pen_text_add_member(list, NULL, step->name);
        if (step->type != PEN_PARAM_FLAG && value > 0)
            pen_text_add_number(list, NULL, value);
        pen_text_add_string(list, "]");
    }
    pen_text_add_string(list, "]");
}

void pen_row_file_add(pen_string *text, const pen_model *model)
{
    pen_string list = { .data = NULL };

    pen_row_file_list(&list, model);
    pen_text_add_text(text, "row", &list);
}

/* ---- in a file ---- */

enum step { TOTAL, LOG1P, IDF_WEIGHTS, SNV, DERIVATIVE, SELECT, L2, STEPS };

/* Reads one step, which must follow step `last`. */
static pen_status read_step(const pen_model_source *s, const pen_json *item, int last, int *which,
                            double *number)
{
    const pen_json *const name = pen_json_item(item, 0), *const value = pen_json_item(item, 1);
    const pen_param *const steps = pen_row_steps_form.parts;

    *which = last + 1;
    while (*which < STEPS
           && (!pen_json_is(name, PEN_JSON_STRING) || strcmp(name->text, steps[*which].name) != 0))
        ++*which;
    *number = pen_json_is(value, PEN_JSON_NUMBER) ? value->number : 0;
    REFUSE_UNLESS(
        s,
        pen_json_is(item, PEN_JSON_ARRAY) && *which < STEPS && item->count == 1 + (*number > 0)
            && *number <= DBL_MAX
            && (*which == SELECT || (steps[*which].type != PEN_PARAM_FLAG) == (*number > 0)),
        "%s: metadata \"row\" must be a list of steps (total, log1p, idf, snv, "
        "derivative, select, l2) in this order, each a list of its name and its number",
        s->name);
    return PEN_OK;
}

static pen_status read_steps(const pen_model_source *s, const pen_json *list, pen_model *model,
                             int has[STEPS])
{
    pen_row_steps *const steps = &model->row.steps;
    double number;
    int which = -1;

    memset(has, 0, STEPS * sizeof *has);
    REFUSE_UNLESS(s, pen_json_is(list, PEN_JSON_ARRAY),
                  "%s: metadata \"row\" must be a list of steps", s->name);
    steps->columns = pen_model_columns(model);
    for (const pen_json *item = list->first; item; item = item->next) {
        PEN_TRY(read_step(s, item, which, &which, &number));
        has[which] = 1;
        if (which == TOTAL)
            steps->total = number;
        if (which == DERIVATIVE && number == floor(number))
            steps->derivative = (int64_t)fmin(number, MOST_COLUMNS);
        if (which != SELECT)
            continue;
        REFUSE_UNLESS(s,
                      (number > 0) == (model->kernel.form.kind != PEN_KERNEL_NONE)
                          && number == floor(number) && number <= MOST_COLUMNS,
                      "%s: metadata \"row\": select must have a number of columns with a kernel, "
                      "and only then",
                      s->name);
        steps->columns = number > 0 ? (int64_t)number : steps->columns;
    }
    steps->log1p = has[LOG1P];
    steps->snv = has[SNV];
    return PEN_OK;
}

/* Reads the selected columns of the fit. */
static pen_status check_selected(const pen_model_source *s, const pen_model *model)
{
    const pen_row_steps *const steps = &model->row.steps;
    const int mapped = model->kernel.form.kind != PEN_KERNEL_NONE;
    double last = -1;

    REFUSE_UNLESS(s, !mapped || steps->kept == model->kernel.inputs,
                  "%s: the tensors of the row steps are inconsistent", s->name);
    for (int64_t c = 0; c < steps->kept; c++) {
        const double column = model->row.selected[c];
        REFUSE_UNLESS(s,
                      column > last && column < (double)steps->columns && column == floor(column),
                      "%s: selected columns must be ascending in [0, %lld], got %g", s->name,
                      (long long)steps->columns - 1, column);
        last = column;
    }
    return PEN_OK;
}

static pen_status check_weights(const pen_model_source *s, const pen_model *model)
{
    for (int64_t j = 0; model->row.idf && j < model->row.steps.columns; j++)
        REFUSE_UNLESS(s, model->row.idf[j] > 0,
                      "%s: a weight of tensor \"idf\" must be > 0, got %g", s->name,
                      model->row.idf[j]);
    return PEN_OK;
}

static pen_status read_row(const pen_model_source *s, const pen_json *metadata,
                           const pen_tensor t[TENSORS], pen_model *model)
{
    pen_row_steps *const steps = &model->row.steps;
    int has[STEPS];
    pen_json *list;

    if (!(s->needs & NEEDS_ROW))
        return PEN_OK;
    PEN_TRY(pen_source_json(s, metadata, "row", &list));
    PEN_TRY(read_steps(s, list, model, has));
    REFUSE_UNLESS(s,
                  has[IDF_WEIGHTS] == (t[IDF].shape[0] > 0)
                      && has[SELECT] == (t[SELECTED].shape[0] > 0) && has[L2] == model->unit
                      && (!has[IDF_WEIGHTS] || t[IDF].shape[0] == steps->columns),
                  "%s: the tensors of the row steps are inconsistent", s->name);
    REFUSE_UNLESS(s, !(has[SNV] || has[DERIVATIVE]) == !(s->needs & NEEDS_SPECTRA),
                  "%s: metadata \"row\" must have snv or derivative if \"needs\" has spectra, and "
                  "only then",
                  s->name);
    REFUSE_UNLESS(
        s,
        !has[DERIVATIVE]
            || (steps->derivative % 2 == 1 && steps->derivative >= 3
                && steps->derivative <= steps->columns),
        "%s: metadata \"row\": derivative must have an odd number of columns in 3 .. %lld", s->name,
        (long long)steps->columns);
    steps->kept = has[SELECT] ? t[SELECTED].shape[0] : steps->columns;
    steps->idf = model->row.idf;
    PEN_TRY(check_weights(s, model));
    if (!has[SELECT])
        return PEN_OK;
    PEN_TRY(check_selected(s, model));
    return pen_model_number_columns(s->run, model);
}

/* Without means, rows with missing values get no prediction. */
pen_status pen_row_file_read(const pen_model_source *s, const pen_json *metadata,
                             const pen_tensor t[TENSORS], pen_model *model)
{
    PEN_TRY(read_row(s, metadata, t, model));
    REFUSE_UNLESS(s, !model->fill || t[FILL].shape[0] == pen_model_columns(model),
                  "%s: the shapes of the tensors are inconsistent", s->name);
    model->missing = model->fill                ? PEN_MISSING_MEAN
                     : s->needs & NEEDS_MISSING ? PEN_MISSING_DROP
                                                : PEN_MISSING_ERROR;
    return PEN_OK;
}
