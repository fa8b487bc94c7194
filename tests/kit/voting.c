/* voting.c - see voting.h. */
#include "kit/voting.h"

#include "kit/embedded.h"
#include "model/classifier_fit.h"

pen_model *fit_voting(const char *text, const sample *s, const double *p, int64_t neighbors)
{
    pen_model *const model = fit_sample(text, s);
    const int64_t c = pen_model_class_count(model);
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    double *const z = embedded(model, &x), *const made = check_allocate(s->n * c, sizeof *made);
    pen_classifier classifier;
    pen_error err;

    for (int64_t i = 0; i < s->n; i++) /* 1/7 .. 4/7 more for one class */
        for (int64_t a = 0; a < c; a++) {
            const double share = (double)(1 + i % 4) / 7;
            made[i * c + a] = (1 - share) / (double)c + (a == i % c ? share : 0);
        }
    pen_run *const run = check_run(0, &err);
    CHECK_OK(pen_classifier_fit_votes(run, s->n, pen_model_dim(model), z, c, p ? p : made,
                                      neighbors, &classifier),
             &err);
    CHECK_OK(pen_classifier_keep(run, &classifier, model), &err);
    pen_run_close(run);
    return model;
}
