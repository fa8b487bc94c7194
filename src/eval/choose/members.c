/* members.c - the mean of the probabilities of models fitted to the same rows. */
#include "eval/choose/members.h"

#include "core/row_steps.h"
#include "eval/trials/embedding.h"
#include "model/model.h"
#include "model/spec.h"

#include <string.h>

pen_status pen_members_list(pen_run *run, const pen_selection *s, int64_t **members, int64_t *count)
{
    PEN_TRY(PEN_NEW(run, *members, s->count));
    *count = 0;
    (*members)[(*count)++] = s->best;
    for (int64_t i = 0; i < s->count; i++)
        if (s->candidates[i].member && i != s->best)
            (*members)[(*count)++] = i;
    return PEN_OK;
}

pen_row_params pen_members_steps(const pen_selection *s)
{
    const pen_chosen *best = NULL;
    int64_t more = 0; /* members with steps less members without */

    for (int64_t i = 0; i < s->count; i++) {
        const pen_chosen *const e = &s->candidates[i];
        const pen_row_params *const row = &e->spec->common.row;
        const int has_steps = pen_row_params_any(row) || row->l2;
        more += !e->member ? 0 : has_steps ? 1 : -1;
        if (e->member && has_steps && (!best || e->score > best->score))
            best = e;
    }
    return best && more >= 0 ? best->spec->common.row : (pen_row_params){ .total = 0 };
}

/* Adds the probabilities of the rows of a model's fit: from the fit, if it has them, because they
 * know the neighbors of a row. */
static pen_status add_shares(pen_run *run, const pen_model *model, const pen_array *x,
                             const pen_control *control, double *sum)
{
    const int64_t count = x->rows * pen_model_class_count(model);
    const double *shares = model->propagated;
    double *p;

    if (!shares) {
        PEN_TRY(PEN_NEW(run, p, count));
        PEN_TRY(pen_shares_predict(run, model, x, control, p));
        shares = p;
    }
    for (int64_t i = 0; i < count; i++)
        sum[i] += shares[i];
    return PEN_OK;
}

static pen_status add_member(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_control *control, pen_model **kept, double *sum)
{
    const pen_mark_t mark = pen_mark(run);
    pen_model *model;

    PEN_TRY(pen_model_fit(pen_run_cache(run), spec, data, control, &model, pen_run_error(run)));
    const pen_status status = add_shares(run, model, &data->x, control, sum);
    if (kept)
        *kept = model;
    else
        pen_model_free(model);
    pen_release(run, mark);
    return status;
}

pen_status pen_members_tell(pen_run *run, const pen_selection *s, const pen_data *data,
                            const int32_t *class_of, const pen_control *control, pen_model **models,
                            double *p)
{
    const int64_t n = data->x.rows, c = s->classes;
    pen_view known = { .n = n }; /* with the classes of the models */
    int64_t *members, count;
    double *sum;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_members_list(run, s, &members, &count));
    PEN_TRY(pen_rows_label(run, class_of, n, &known));
    /* A trial may keep the labels of only one class, which all rows then get. */
    const int alone = known.classes == 1;
    PEN_TRY(PEN_FILLED(run, sum, pen_times(n, known.classes), 0));
    for (int64_t m = 0; m < count && !alone && (models || known.labelled < n); m++)
        PEN_TRY(add_member(run, s->candidates[members[m]].spec, data, control,
                           models ? &models[m] : NULL, sum));
    memset(p, 0, (size_t)(n * c) * sizeof *p);
    for (int64_t i = 0; i < n; i++) {
        double *const row = sum + i * known.classes;
        for (int64_t k = 0; k < known.classes; k++)
            row[k] = alone ? 1 : row[k] / (double)count;
        pen_temper(known.classes, s->mean_temperature, row);
        for (int64_t k = 0; k < known.classes; k++)
            p[i * c + class_of[known.members[known.starts[k]]]] = row[k];
        for (int64_t k = 0; k < c && class_of[i] >= 0; k++)
            p[i * c + k] = k == class_of[i];
    }
    pen_release(run, mark);
    return PEN_OK;
}
