/* read_rows.c - see read_rows.h. */
#include "kit/read_rows.h"
#include "kit/opened.h"

read_result read_rows(const pen_embedded_rows *e, const pen_classifier_params *params, int threads,
                      int64_t m, const double *x, double *p, int32_t *classes)
{
    read_result result = { 0 };
    pen_classifier classifier;

    pen_run *const run = check_run(threads, &result.err);
    result.status = pen_classifier_fit(run, e, params, &classifier);
    if (result.status == PEN_OK)
        result.status = pen_classifier_apply(run, &classifier, m, x, e->k, p, classes);
    result.rho = note_of(run, "classifier_shrinkage");
    result.rounds = note_of(run, "classifier_rounds");
    result.pseudo = note_of(run, "classifier_pseudo");
    pen_run_close(run);
    return result;
}

read_result read_well(const pen_embedded_rows *e, const pen_classifier_params *params, int threads,
                      int64_t m, const double *x, double *p, int32_t *classes)
{
    const read_result result = read_rows(e, params, threads, m, x, p, classes);
    CHECK(result.status == PEN_OK, "%s: %s", pen_classifier_names[params->kind],
          result.err.message);
    return result;
}
