/* needs.c - checks the needs of a method before its fit. */
#include "methods/method.h"

static pen_status check_classes(pen_run *run, const pen_view *x, int64_t least)
{
    PEN_REQUIRE(run, least == 0 || x->labelled > 0, PEN_NO_LABELS,
                "this method needs labelled rows, but all %lld rows are unlabelled",
                (long long)pen_rows_count(x));
    PEN_REQUIRE(run, x->classes >= least, PEN_ONE_CLASS,
                "this method needs labelled rows of at least %lld classes, got %lld of %lld",
                (long long)least, (long long)x->labelled, (long long)x->classes);
    return PEN_OK;
}

/* Checks that there are enough classes for the weights of a blend. */
static pen_status check_blend(pen_run *run, const pen_method *method, const pen_view *x,
                              const void *params)
{
    const char *const *const name = method->inner->needs.unlabelled_shares;
    double share[2] = { 0, 0 };

    for (int i = 0; i < 2 && name[i]; i++)
        share[i] = pen_param_get(pen_param_find(method->params, name[i]), params);
    const double sum = share[0] + share[1];
    PEN_REQUIRE(run, sum <= 1, PEN_BAD_ARGUMENT, "%s + %s must be at most 1, got %g + %g", name[0],
                name[1], share[0], share[1]);
    const char *const name_within = method->inner->needs.share_within;
    const double within =
        name_within ? pen_param_get(pen_param_find(method->params, name_within), params) : -1;
    return check_classes(run, x, sum == 0 ? 2 : sum < 1 || (within >= 0 && within < 1));
}

/* At least one pair of the kinds needed. */
static pen_status check_pairs(pen_run *run, const pen_problem *problem, int kinds)
{
    const char *const needed = kinds == PEN_MUST_LINKS     ? "must-links"
                               : kinds == PEN_CANNOT_LINKS ? "cannot-links"
                                                           : "must-links or cannot-links";
    const int64_t must = kinds & PEN_MUST_LINKS ? problem->pairs->must_count : 0,
                  cannot = kinds & PEN_CANNOT_LINKS ? problem->pairs->cannot_count : 0;

    PEN_REQUIRE(run, kinds == 0 || must > 0 || cannot > 0, PEN_NO_PAIRS,
                "this method needs %s, got none", needed);
    return PEN_OK;
}

/* The first dimensions are the class scores. */
static pen_status check_dim(pen_run *run, const pen_view *x, const pen_request *request)
{
    PEN_TRY(pen_solve_enough(run, x->classes, request));
    PEN_REQUIRE(run, request->wanted == 0 || request->wanted >= x->classes, PEN_BAD_ARGUMENT,
                "dim must be auto or %lld, the number of classes, since the first dimensions are "
                "their scores, got %lld",
                (long long)x->classes, (long long)request->wanted);
    return PEN_OK;
}

pen_status pen_method_check(pen_run *run, const pen_method *method, const pen_problem *problem,
                            const void *params, const pen_request *request)
{
    const pen_view *const x = &problem->rows;
    const pen_needs needs =
        method->inner->needs_of ? method->inner->needs_of(problem, params) : method->inner->needs;

    PEN_TRY(needs.unlabelled_shares[0] ? check_blend(run, method, x, params)
                                       : check_classes(run, x, needs.classes));
    PEN_TRY(check_pairs(run, problem, needs.pairs));
    PEN_REQUIRE(run, !needs.missing, PEN_NO_PAIRS, "%s", needs.missing);
    return needs.dim_of_classes ? check_dim(run, x, request) : PEN_OK;
}
