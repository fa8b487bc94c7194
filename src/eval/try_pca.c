/* try_pca.c - is a method better than PCA on held-out labels? Asked only where the answer costs
 * little next to the fit. */
#include "core/arguments.h"
#include "core/rows.h"
#include "eval/plan.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

enum { LEAST_ROWS = 10, DIMS = 2 };

/* Multiply-adds: trials may take this share of the fit, or some hundredths of a second. */
static const double SHARE = 0.1, ALWAYS = 1e8;

struct check {
    pen_run *run;
    const pen_spec *spec;
    pen_spec *pca; /* its defaults */
    pen_costs costs;
    const pen_control *control;
    pen_data data;    /* all rows, or labelled ones and a part of the others */
    pen_rows classes; /* of all rows */
    int64_t dims[DIMS];
    pen_protocol protocol;
};

static double cost_of_fit(const struct check *k, const pen_spec *spec, int64_t n)
{
    pen_costs costs = k->costs;

    costs.sizes.n = (double)n;
    return pen_costs_fit(&costs, spec);
}

static double cost_of_trials(const struct check *k, int64_t n)
{
    return (double)k->protocol.folds * (cost_of_fit(k, k->spec, n) + cost_of_fit(k, k->pca, n));
}

/* The most rows whose trials cost little enough; 0: not even the labelled ones do. */
static int64_t affordable_rows(const struct check *k)
{
    const int64_t n = k->data.x.rows;
    const double budget = fmax(SHARE * cost_of_fit(k, k->spec, n), ALWAYS);
    int64_t low = k->classes.labelled, high = n;

    if (cost_of_trials(k, low) > budget)
        return 0;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (cost_of_trials(k, middle) <= budget)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Keep the labelled rows, and of the others those that make it `count` in all, evenly spaced. */
static pen_status thin_out(struct check *k, int64_t count)
{
    const int64_t n = k->data.x.rows, others = n - k->classes.labelled,
                  wanted = count - k->classes.labelled;
    int64_t *rows;
    int32_t *labels;
    int64_t kept = 0, seen = 0;

    if (count == n)
        return PEN_OK;
    PEN_TRY(PEN_NEW(k->run, rows, count));
    PEN_TRY(PEN_NEW(k->run, labels, count));
    for (int64_t i = 0; i < n && kept < count; i++) {
        if (k->data.labels[i] == PEN_UNLABELLED) {
            seen++;
            if (seen * wanted / others == (seen - 1) * wanted / others)
                continue;
        }
        labels[kept] = k->data.labels[i];
        rows[kept++] = i;
    }
    k->data.labels = labels;
    return pen_array_pick(k->run, &k->data.x, kept, rows, &k->data.x);
}

/* The accuracy in the most dimensions that are given; NaN: none, or trials that fail. */
static pen_status score(struct check *k, const pen_spec *spec, const pen_data *data, double *out)
{
    const int64_t none = 0;
    const int unnested =
        (pen_method_traits(pen_spec_method(k->spec)) & PEN_UNNESTED) && spec == k->spec;
    pen_scores *scores;
    pen_error err;
    double dim;

    *out = (double)NAN;
    const int own = unnested && pen_spec_get(spec, "dim", &dim, NULL) == PEN_OK && dim == 0;
    const pen_status status =
        pen_evaluate(spec, data, &k->protocol, own ? &none : k->dims,
                     own || k->dims[0] == k->dims[1] ? 1 : DIMS, k->control, &scores, &err);
    if (status == PEN_NO_MEMORY || status == PEN_CANCELLED)
        return pen_fail_as(k->run, &err);
    for (int64_t i = 0; status == PEN_OK && i < scores->dim_count; i++) {
        double mean;
        pen_scores_summary(scores, scores->accuracy, i, &mean, NULL);
        *out = scores->done == scores->trials && !isnan(mean) ? mean : *out;
    }
    pen_scores_free(scores);
    return PEN_OK;
}

static pen_status score_both(struct check *k, pen_rival *out)
{
    pen_data rows_only = k->data;

    rows_only.must_link_count = rows_only.cannot_link_count = 0;
    rows_only.sample = NULL;
    PEN_TRY(score(k, k->pca, &rows_only, &out->pca));
    PEN_TRY(score(k, k->spec, &k->data, &out->method));
    if (isnan(out->pca) || isnan(out->method))
        return PEN_OK;
    out->rows = k->classes.labelled;
    out->better = out->pca > out->method + pen_standard_error(out->pca, out->rows);
    return PEN_OK;
}

static pen_status try_pca(pen_run *run, const pen_spec *spec, pen_spec *pca, const pen_data *data,
                          int64_t dim, const pen_control *control, pen_rival *out)
{
    pen_spec voted = *spec; /* maps are compared: the nearest rows vote in both */
    struct check k = { .run = run, .spec = &voted, .pca = pca, .control = control, .data = *data };

    pen_spec_read_by(&voted, PEN_READER_AUTO);
    PEN_REQUIRE(run, dim >= 1, PEN_BAD_ARGUMENT, "dim must be >= 1, got %lld", (long long)dim);
    PEN_TRY(pen_check_trial_data(run, data));
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &k.classes));
    k.dims[0] = (dim + 1) / 2;
    k.dims[1] = dim;
    /* rows cannot be left out of a kernel matrix, and are no rows for PCA */
    if (pen_spec_method(spec) == pen_spec_method(pca)
        || spec->common.kernel.kind == PEN_KERNEL_PRECOMPUTED || k.classes.labelled < LEAST_ROWS
        || !pen_trials_possible(&k.classes))
        return PEN_OK;
    k.protocol = (pen_protocol){ .folds = pen_trials_folds(&k.classes), .runs = 1 };
    PEN_TRY(pen_costs_open(run, data, &k.costs));
    const int64_t rows = affordable_rows(&k);
    const int listed = data->must_link_count > 0 || data->cannot_link_count > 0;
    if (rows == 0 || (listed && rows < data->x.rows))
        return PEN_OK;
    PEN_TRY(thin_out(&k, rows));
    out->of_rows = rows;
    return score_both(&k, out);
}

pen_status pen_try_pca(const pen_spec *spec, const pen_data *data, int64_t dim,
                       const pen_control *control, pen_rival *out, pen_error *err)
{
    pen_spec *pca = NULL;
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    pen_status status = pen_check_given(run, out, "out");
    if (status == PEN_OK)
        status = pen_check_given(run, spec, "spec");
    if (status == PEN_OK)
        status = pen_check_given(run, data, "data");
    if (status == PEN_OK) {
        *out = (pen_rival){ .method = (double)NAN, .pca = (double)NAN };
        status = pen_spec_new("pca", &pca, err);
    }
    if (status == PEN_OK)
        status = try_pca(run, spec, pca, data, dim, control, out);
    pen_spec_free(pca);
    pen_run_close(run);
    return status;
}
