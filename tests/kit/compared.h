/* compared.h - comparisons as tests ask for them: of methods that are named, of one spec alone, and
 * the tuning in it. */
#ifndef TEST_COMPARED_H
#define TEST_COMPARED_H

#include "kit/check_fit.h"

#include "eval/choose/compare_result.h"
#include "eval/choose/tune.h"

/* pen_compare of "self+rbf/lda": a method, and, where they are named, its kernel and classifier.
 * Comparisons stay until the program ends. */
pen_status compare_named(const char *const *names, int64_t count, const pen_data *data,
                         const pen_trials *trials, const pen_control *control, pen_comparison **out,
                         pen_error *err);

/* The candidate of that name; the test fails if there is none. */
const pen_compared *named(const pen_comparison *c, const char *name);

/* The accuracy of one spec by its classifier. */
struct scores {
    int64_t trials, dim_count;
    double *accuracy; /* [trials x dim_count]; in its own dimensions, if dims is NULL */
    double aside, log_loss, brier; /* in its own dimensions */
    pen_comparison *comparison;
};

pen_status evaluate(const pen_spec *spec, const pen_data *data, const pen_trials *trials,
                    const int64_t *dims, int64_t dim_count, const pen_control *control,
                    struct scores *out, pen_error *err);

/* pen_tune_classifiers of all combinations for the classifier of the spec. */
pen_status tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                const pen_control *control, pen_tuning **out, pen_error *err);

#endif
