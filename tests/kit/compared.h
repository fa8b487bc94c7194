/* compared.h - comparisons of named methods or of one spec, and tuning within comparisons. */
#ifndef TEST_COMPARED_H
#define TEST_COMPARED_H

#include "kit/check_fit.h"

#include "eval/choose/compare_result.h"
#include "eval/choose/tune.h"

/* pen_compare of "self+rbf/lda": a method, with an optional kernel and classifier. Comparisons last
 * until the program ends. */
pen_status compare_named(const char *const *names, int64_t count, const pen_data *data,
                         const pen_trials *trials, const pen_control *control, pen_comparison **out,
                         pen_error *err);

/* The candidate of that name, which must exist. */
const pen_compared *named(const pen_comparison *c, const char *name);

/* The accuracy of one spec with its classifier. */
struct scores {
    int64_t trials, dim_count;
    double *accuracy; /* [trials x dim_count]; in the default dimensions if dims is NULL */
    double aside, log_loss, brier; /* in the default dimensions */
    pen_comparison *comparison;
};

pen_status evaluate(const pen_spec *spec, const pen_data *data, const pen_trials *trials,
                    const int64_t *dims, int64_t dim_count, const pen_control *control,
                    struct scores *out, pen_error *err);

/* pen_tune_classifiers over all combinations, with the classifier of the spec. */
pen_status tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                const pen_control *control, pen_tuning **out, pen_error *err);

#endif
