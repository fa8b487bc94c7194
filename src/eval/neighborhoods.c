/* neighborhoods.c - purity and trustworthiness of a method, in a fit to all rows. */
#include "eval/neighborhoods.h"

#include "eval/embedding.h"
#include "model/spec.h"

#include <string.h>

pen_status pen_neighborhoods_check(pen_run *run, const pen_trials *t)
{
    const pen_protocol *const p = &t->protocol;
    const int64_t most_purity = t->classes.labelled - 1, most_trust = (t->data->x.rows - 1) / 2;

    PEN_REQUIRE(run, p->purity >= 0 && p->purity <= most_purity, PEN_BAD_ARGUMENT,
                "neighbors of the purity must be in [1, %lld], the other labelled rows, got %lld",
                (long long)most_purity, (long long)p->purity);
    PEN_REQUIRE(
        run, p->trust >= 0 && p->trust <= most_trust, PEN_BAD_ARGUMENT,
        "neighbors of the trustworthiness must be in [1, %lld], less than half of the rows, "
        "got %lld",
        (long long)most_trust, (long long)p->trust);
    return PEN_OK;
}

/* Purity of the labelled rows among themselves. */
static pen_status measure_purity(pen_run *run, const pen_trials *t, const pen_array *z,
                                 const pen_control *control, double *out)
{
    const pen_data *const data = t->data;
    const int64_t labelled = t->classes.labelled, k = t->protocol.purity;
    double *rows, *purity;
    int32_t *labels;
    int64_t count = 0;
    pen_error err;

    PEN_TRY(PEN_NEW(run, rows, pen_times(labelled, z->cols)));
    PEN_TRY(PEN_NEW(run, purity, k));
    PEN_TRY(PEN_NEW(run, labels, labelled));
    for (int64_t i = 0; i < z->rows; i++) {
        if (data->labels[i] == PEN_UNLABELLED)
            continue;
        memcpy(rows + count * z->cols, (const double *)z->values + i * z->stride,
               (size_t)z->cols * sizeof *rows);
        labels[count++] = data->labels[i];
    }
    const pen_array known = pen_dense(rows, PEN_F64, count, z->cols, z->cols);
    if (pen_purity(&known, labels, k, control, purity, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    *out = purity[k - 1];
    return PEN_OK;
}

static pen_status measure_at(pen_run *run, const pen_trials *t, const pen_array *z,
                             const pen_control *control, pen_scores *scores, int64_t i)
{
    pen_error err;

    if (scores->purity)
        PEN_TRY(measure_purity(run, t, z, control, &scores->purity[i]));
    if (scores->trustworthiness
        && pen_trustworthiness(&t->data->x, z, t->protocol.trust, control,
                               &scores->trustworthiness[i], &err)
               != PEN_OK)
        return pen_fail_as(run, &err);
    return PEN_OK;
}

/* Entries from .. to - 1 of the numbers of dimensions, in one fit. `run` is of this fit. */
static pen_status measure_fit(pen_run *run, const pen_trials *t, const pen_spec *spec,
                              const pen_control *control, pen_scores *scores, int64_t from,
                              int64_t to)
{
    const int64_t *const dims = scores->dims;
    pen_embedding e;
    int64_t most = 0;

    for (int64_t i = from; i < to; i++)
        most = dims[i] == 0 || (i > from && most == 0) ? 0 : pen_max(most, dims[i]);
    const pen_status status =
        pen_embed_rows(run, NULL, spec, most, t->data, &t->data->x, 0, control, &e);
    if (pen_is_no_such_dim(status))
        return PEN_OK; /* as in the trials */
    PEN_TRY(status);
    for (int64_t i = from; i < to; i++) {
        const int64_t r = dims[i] ? dims[i] : e.k;
        const pen_array part = pen_dense(e.z, PEN_F64, t->data->x.rows, r, e.k);
        const pen_mark_t mark = pen_mark(run);
        if (r <= e.k)
            PEN_TRY(measure_at(run, t, &part, control, scores, i));
        pen_release(run, mark);
    }
    return PEN_OK;
}

pen_status pen_neighborhoods_measure(pen_run *run, const pen_trials *t, const pen_spec *spec,
                                     const pen_control *control, pen_scores *scores)
{
    const int64_t count = scores->dim_count,
                  at_once = spec->method->traits & PEN_UNNESTED ? 1 : count;
    pen_error err;

    for (int64_t i = 0; (scores->purity || scores->trustworthiness) && i < count; i += at_once) {
        pen_run *own;
        if (pen_run_open(control, &err, &own) != PEN_OK)
            return pen_fail_as(run, &err);
        const pen_status status = measure_fit(own, t, spec, control, scores, i, i + at_once);
        pen_run_close(own);
        if (status != PEN_OK)
            return pen_fail_as(run, &err);
    }
    return PEN_OK;
}
