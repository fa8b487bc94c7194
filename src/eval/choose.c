/* choose.c - what to fit without trials.
 *
 * Labels can be held out, so trials decide. Pairs and rows cannot; what is taken for them was
 * measured (docs/evaluation.md). */
#include "eval/choose.h"

#include "eval/plan.h"
#include "eval/trials.h"

#include <stdio.h>

enum { MOST_COMPONENTS = 50 };
static const double VARIANCE = 0.95;

struct rule {
    const char *method, *reason;
};
static const struct rule rules_by_links[2][2] = {
    /* [has must-links][has cannot-links] */
    { { "pca", "there are neither labels nor pairs: components with 95 % of the variance, at most "
               "50" },
      { "ssdr", "there are cannot-links only, and no labels to hold out" } },
    { { "ssdr", "there are must-links only, and no labels to hold out" },
      { "wbdr", "there are pairs of both kinds, and no labels to hold out" } }
};
static const struct rule rule_for_one_class = {
    "pca", "labels of one class say nothing, and there are no pairs: components with 95 % of the "
           "variance, at most 50"
};
static const struct rule rule_for_single_labels = {
    "fme", "classes have one label each, too few to hold any out"
};

static pen_status set_components(pen_spec *spec, pen_error *err)
{
    PEN_TRY(pen_spec_set_real(spec, "pca", VARIANCE, err));
    PEN_TRY(pen_spec_set_int(spec, "dim", MOST_COMPONENTS, err));
    return pen_spec_set_int(spec, "allow_fewer", 1, err);
}

/* Components first where there are many columns, as in trials: the columns of fme can give any row
 * its score there. */
static pen_status set_wide(pen_run *run, const pen_data *data, pen_spec *spec, pen_error *err)
{
    const char *pca;

    PEN_TRY(pen_plan_components(run, &data->x, data->x.rows, NULL, &pca));
    return pca ? pen_spec_set(spec, "pca", pca, err) : PEN_OK;
}

pen_status pen_choose_untried(pen_run *run, const pen_data *data, const pen_rows *classes,
                              pen_selection *out)
{
    const int must = data->must_link_count > 0, cannot = data->cannot_link_count > 0,
              single = classes->classes > 1 && !must && !cannot,
              one_class = classes->classes == 1 && !must && !cannot;
    const struct rule *const rule = single      ? &rule_for_single_labels
                                    : one_class ? &rule_for_one_class
                                                : &rules_by_links[must][cannot];
    pen_error err;

    if (pen_trials_possible(classes))
        return PEN_OK;
    snprintf(out->reason, sizeof out->reason, "%s", rule->reason);
    pen_status status = pen_spec_new(rule->method, &out->spec, &err);
    if (status == PEN_OK && !must && !cannot && !single)
        status = set_components(out->spec, &err);
    if (status == PEN_OK && single)
        status = set_wide(run, data, out->spec, &err);
    return status == PEN_OK ? PEN_OK : pen_fail_as(run, &err);
}
