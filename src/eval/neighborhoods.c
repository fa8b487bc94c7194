/* neighborhoods.c - purity and trustworthiness of a method, in a fit to all rows. */
#include "eval/neighborhoods.h"

#include "eval/embedding.h"
#include "model/spec.h"

#include <string.h>

static pen_sizes_asked sizes_of(const int64_t *list, int64_t count, const int64_t *one)
{
    return list ? (pen_sizes_asked){ list, count } : (pen_sizes_asked){ one, *one != 0 };
}

pen_sizes_asked pen_purity_sizes(const pen_protocol *p)
{
    return sizes_of(p->purity_sizes, p->purity_count, &p->purity);
}

pen_sizes_asked pen_trust_sizes(const pen_protocol *p)
{
    return sizes_of(p->trust_sizes, p->trust_count, &p->trust);
}

static pen_status check_count(pen_run *run, const char *what, pen_sizes_asked asked)
{
    PEN_REQUIRE(run, asked.count >= 0 && asked.count <= INT32_MAX, PEN_BAD_ARGUMENT,
                "%s_count must be in [0, %d], got %lld", what, INT32_MAX, (long long)asked.count);
    return PEN_OK;
}

pen_status pen_neighborhoods_check(pen_run *run, const pen_trials *t)
{
    const pen_sizes_asked purity = pen_purity_sizes(&t->protocol),
                          trust = pen_trust_sizes(&t->protocol);
    const int64_t most_purity = t->classes.labelled - 1, most_trust = (t->data->x.rows - 1) / 2;

    PEN_TRY(check_count(run, "purity", purity));
    PEN_TRY(check_count(run, "trust", trust));
    for (int64_t s = 0; s < purity.count; s++)
        PEN_REQUIRE(run, purity.list[s] >= 1 && purity.list[s] <= most_purity, PEN_BAD_ARGUMENT,
                    "neighbors of the purity must be in [1, %lld], the other labelled rows, got "
                    "%lld",
                    (long long)most_purity, (long long)purity.list[s]);
    for (int64_t s = 0; s < trust.count; s++)
        PEN_REQUIRE(run, trust.list[s] >= 1 && trust.list[s] <= most_trust, PEN_BAD_ARGUMENT,
                    "neighbors of the trustworthiness must be in [1, %lld], less than half of the "
                    "rows, got %lld",
                    (long long)most_trust, (long long)trust.list[s]);
    return PEN_OK;
}

/* Purity of the labelled rows among themselves, for each number of neighbors. */
static pen_status measure_purity(pen_run *run, const pen_trials *t, const pen_array *z,
                                 const pen_control *control, double *out)
{
    const pen_data *const data = t->data;
    const pen_sizes_asked asked = pen_purity_sizes(&t->protocol);
    const int64_t labelled = t->classes.labelled;
    int64_t k = 0;
    double *rows, *purity;
    int32_t *labels;
    int64_t count = 0;
    pen_error err;

    for (int64_t s = 0; s < asked.count; s++)
        k = pen_max(k, asked.list[s]);
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
    for (int64_t s = 0; s < asked.count; s++)
        out[s] = purity[asked.list[s] - 1];
    return PEN_OK;
}

static pen_status measure_at(pen_run *run, const pen_trials *t, const pen_array *z,
                             const pen_control *control, pen_scores *scores, int64_t i)
{
    const pen_sizes_asked trust = pen_trust_sizes(&t->protocol);
    pen_error err;

    if (scores->purity)
        PEN_TRY(measure_purity(run, t, z, control, &scores->purity[i * scores->purity_count]));
    if (scores->trustworthiness
        && pen_trustworthiness_at(&t->data->x, z, trust.list, trust.count, control,
                                  &scores->trustworthiness[i * trust.count], &err)
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
