/* fit.c - a fit: statistics, preprocessing and the method, folded into one projection.
 *
 * Rows are normalized, scaled, centered and, if `pca` is set or there are fewer rows than columns,
 * reduced to their principal components. The method finds columns in those coordinates; scale,
 * components and columns are multiplied into one projection. With a kernel, kernel coordinates
 * replace the scaled rows, and the projection applies to kernel values. With fewer rows than
 * columns, everything a method can find lies in the span of the centered rows, so reducing them to
 * their rank does not change the result. */
#include "classifiers/class_mass.h"
#include "core/arguments.h"
#include "core/cache.h"
#include "core/duplicate_rows.h"
#include "core/textbuf.h"
#include "core/matrix_set.h"
#include "linalg/blas.h"
#include "linalg/reduce.h"
#include "linalg/signs.h"
#include "linalg/sparse_rows.h"
#include "model/classifier_fit.h"
#include "model/describe.h"
#include "model/explain.h"
#include "model/held_out_fit.h"
#include "model/kernel_fit.h"
#include "model/model.h"
#include "model/pair_fit.h"
#include "model/known_rows_fit.h"
#include "model/row_fit.h"
#include "model/spec.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Factors of the bound in rows.h, and of the largest entry of a centered column. */
static const double VALUE_ROUNDING = 16, COLUMN_ROUNDING = 1024 * DBL_EPSILON;

enum {
    /* most values of rows that are solved in their own coordinates, as doubles */
    MOST_COORDINATES = 1 << 26,
    FEW = 2 /* columns for each row */
};

struct fitted {
    const pen_moments *moments; /* sums over all rows, if `data` has only some of them; or NULL */
    pen_row_fit taken;          /* the steps before the fit */
    pen_problem problem;        /* normalized and scaled rows, or kernel coordinates; not reduced */
    pen_kernel_fit kernel;      /* phi NULL: none */
    pen_pair_set pairs;
    pen_neighbor_source neighbors;
    pen_known_rows_fit known; /* the known rows to reduce instead of all rows, if any */
    int direct;               /* matrices of all columns are not stored */
    int reduced;
    int graded; /* by coordinates of the rows; products of rows would lose digits */
    pen_reduction reduction;
    int too_little; /* too little to hold out */
    pen_projection map;
    char warning[2 * PEN_EXPLANATION_SIZE]; /* about rows and lost columns, or empty */
};

static int is_mapped(const struct fitted *f)
{
    return f->kernel.phi != NULL;
}

/* A reduction and the reduced coordinates of all rows. */
struct kept_reduction {
    pen_reduction reduction;
    const double *y;        /* [n x q] */
    const double *rounding; /* [q] */
};

/* The rows to reduce. */
static const pen_problem *to_reduce(const struct fitted *f)
{
    return f->known.problem.rows.n > 0 ? &f->known.problem : &f->problem;
}

struct reducing {
    const pen_view *rows;
    pen_components asked;
};

static pen_status make_reduction(pen_run *run, void *context, pen_made *out)
{
    const struct reducing *r = context;
    struct kept_reduction *made;
    pen_view reduced;

    PEN_TRY(PEN_NEW(run, made, 1));
    PEN_TRY(pen_rows_components(run, r->rows, &r->asked, &made->reduction, &reduced));
    made->y = reduced.values.values;
    made->rounding = reduced.rounding;
    const int64_t column = 8 * r->rows->n, q = made->reduction.q;
    *out = (pen_made){ made,
                       sizeof *made,
                       4,
                       { { offsetof(struct kept_reduction, reduction.V),
                           pen_times(8 * r->rows->d, q) },
                         { offsetof(struct kept_reduction, reduction.A), pen_times(column, q) },
                         { offsetof(struct kept_reduction, y), pen_times(column, q) },
                         { offsetof(struct kept_reduction, rounding), 8 * q } } };
    return PEN_OK;
}

/* The number of components that a method needs if it gets the span of the rows; 0: all. */
static int64_t components_for(const pen_spec *spec)
{
    return spec->method->inner->leading ? spec->common.dim : 0;
}

static pen_status reduce_rows(pen_run *run, const pen_spec *spec, struct fitted *f,
                              pen_problem *reduced)
{
    const pen_problem *const from = to_reduce(f);
    const pen_common *const common = &spec->common;
    struct reducing r = { &from->rows,
                          { .pca = common->pca > 0 ? common->pca : (double)INFINITY,
                            .most = common->pca > 0 ? common->pca_most : components_for(spec),
                            .unit = common->pca_scale == PEN_PCA_SCALE_UNIT,
                            .graded = f->graded } };
    pen_cache_key *key;
    const void *value;

    /* on large data the search would take minutes to find this */
    const int64_t rank = pen_min(r.rows->n - 1, r.rows->d);
    PEN_REQUIRE(run,
                !pen_rows_are_large(r.rows) || !spec->method->inner->leading || common->allow_fewer
                    || common->dim <= rank,
                PEN_RANK_TOO_SMALL,
                "dim must be at most %lld, the largest rank that these rows can have, got %lld",
                (long long)rank, (long long)common->dim);
    *reduced = *from;
    if (!from->rows.key)
        return pen_rows_components(run, r.rows, &r.asked, &f->reduction, &reduced->rows);
    PEN_TRY(pen_rows_key(run, &from->rows, PEN_CACHE_REDUCTION, 0, &key));
    key->pca = r.asked.pca;
    key->pca_most = r.asked.most;
    key->pca_unit = r.asked.unit;
    key->graded = r.asked.graded;
    PEN_TRY(pen_cache_get(run, key, make_reduction, &r, &value));
    const struct kept_reduction *const kept = value;
    f->reduction = kept->reduction;
    PEN_TRY(pen_rows_replace(run, &f->problem.rows, kept->y, kept->reduction.q, kept->rounding,
                             &reduced->rows));
    key->sourced = common->pca == 0;
    reduced->rows.key = key;
    return PEN_OK;
}

/* The penalty of a kernel in the coordinates of the reduction. */
static pen_status reduce_penalty(pen_run *run, const struct fitted *f, pen_sym *penalty)
{
    const int64_t d = f->problem.rows.d, q = f->reduction.q;
    double *unit, *V, *basis; /* [q x q], [d x q], [q x d] */

    PEN_TRY(PEN_NEW(run, unit, pen_times(q, q)));
    PEN_TRY(PEN_NEW(run, V, pen_times(d, q)));
    PEN_TRY(PEN_NEW(run, basis, pen_times(q, d)));
    for (int64_t i = 0; i < q * q; i++)
        unit[i] = i % (q + 1) == 0;
    PEN_TRY(pen_reduction_unfold(run, &f->problem.rows, &f->reduction, q, unit, V));
    pen_transpose(d, q, V, basis);
    return pen_sym_project(run, f->kernel.penalty, basis, q, penalty);
}

/* The mean of the rows as given, in the coordinates of the reduction. */
static pen_status find_given_mean(pen_run *run, const struct fitted *f, pen_view *reduced)
{
    double *mean;

    PEN_TRY(PEN_NEW(run, mean, f->reduction.q));
    reduced->given_mean = mean;
    return pen_reduction_project(run, &to_reduce(f)->rows, &f->reduction, f->problem.rows.mean,
                                 mean);
}

/* Notes how the fit treated wide or sparse rows. */
static void note_route(pen_run *run, const struct fitted *f)
{
    const pen_reduction *const r = &f->reduction;
    const enum pen_route route = f->reduced ? r->route : PEN_ROUTE_SCATTER;

    if (!pen_rows_are_sparse(&f->problem.rows) && !f->direct
        && !(f->reduced && route != PEN_ROUTE_SCATTER))
        return;
    pen_note_text(run, "route", f->direct ? "direct" : pen_route_names[route]);
    if (f->known.problem.rows.n > 0)
        pen_note(run, "part", (double)f->known.problem.rows.n);
    if (route == PEN_ROUTE_PRODUCTS) {
        pen_note(run, "products", (double)r->products);
        pen_note(run, "restarts", (double)r->restarts);
    }
}

/* Without components a fit would form the scatter of all columns or the products of all rows. The
 * user chooses the size of a kernel matrix, and statistics have their own limit. */
static pen_status check_size(pen_run *run, const pen_spec *spec, const struct fitted *f)
{
    const pen_view *const x = &f->problem.rows;
    const int reduced =
        spec->common.pca > 0 || f->known.problem.rows.n > 0 || components_for(spec) > 0;

    PEN_REQUIRE(run,
                reduced || f->direct || spec->method->inner->unreduced || !pen_rows_are_large(x)
                    || x->moments || is_mapped(f),
                PEN_BAD_ARGUMENT,
                "%lld rows and %lld columns are too many for %s without components; set "
                "pca to a number of components, such as 100%s",
                (long long)x->n, (long long)x->d, spec->method->name,
                pen_rows_are_sparse(x) ? "" : ", or to rank, which is slow");
    return PEN_OK;
}

/* If the method sees only some of the rows, takes their span: when they are few compared with the
 * columns, or when the scatter of all columns would be formed, of which the method may need only
 * products. */
static pen_status choose_route(pen_run *run, const pen_spec *spec, struct fitted *f)
{
    const pen_view *const x = &f->problem.rows;

    f->known.problem.rows.n = 0;
    f->direct = 0;
    if (spec->common.pca > 0 || x->moments || is_mapped(f))
        return PEN_OK;
    const int large = pen_rows_are_large(x);
    if (!large && !spec->method->inner->of_known_rows)
        return PEN_OK;
    PEN_TRY(
        pen_method_check(run, spec->method, &f->problem, spec->own, &(pen_request){ .wanted = 0 }));
    if (spec->method->inner->of_known_rows)
        PEN_TRY(pen_known_rows_fit_open(run, &f->problem, large ? PEN_BOTH_LARGE : x->d / FEW,
                                        &f->known));
    f->direct = large && spec->method->inner->direct;
    if (f->direct)
        pen_run_store(run, PEN_BOTH_LARGE);
    return PEN_OK;
}

/* The dimensions of the span of the rows if columns are dependent; otherwise, and if there are too
 * few rows, all columns. */
static pen_status count_spanned(pen_run *run, const struct fitted *f, int64_t *spanned)
{
    const pen_view *const x = &f->problem.rows;
    const int64_t q = f->reduction.q;
    int64_t *first, distinct = 0;

    *spanned = x->d;
    if (f->known.problem.rows.n > 0
        || q >= pen_rows_count(x) - 1) /* some rows do not show the span of all */
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, first, x->n));
    PEN_TRY(pen_duplicates_find(run, x, x->n, first));
    for (int64_t i = 0; i < x->n; i++)
        distinct += first[i] == i;
    if (q < distinct - 1 || x->moments)
        *spanned = q;
    pen_release(run, mark);
    return PEN_OK;
}

/* Fits the method to the rows, or to their coordinates. */
static pen_status fit_method(pen_run *run, const pen_spec *spec, struct fitted *f)
{
    const int by_components = spec->common.pca > 0, few = components_for(spec) > 0;
    pen_problem reduced = { .pairs = NULL };
    const pen_sym *penalty = f->kernel.penalty;
    const void *own;
    pen_sym inner;

    if (f->reduced) {
        PEN_TRY(reduce_rows(run, spec, f, &reduced));
        PEN_TRY(find_given_mean(run, f, &reduced.rows));
        if (penalty) {
            PEN_TRY(reduce_penalty(run, f, &inner));
            penalty = &inner;
        }
    }
    note_route(run, f);
    if (!by_components)
        reduced.rows.source = &to_reduce(f)->rows;
    const int fits = pen_times(f->problem.rows.n, f->problem.rows.d) <= MOST_COORDINATES;
    pen_request request = { .wanted = spec->common.dim,
                            .allow_fewer = spec->common.allow_fewer,
                            .seed = (uint64_t)spec->common.seed,
                            .columns = by_components ? f->reduction.q : f->problem.rows.d,
                            .rows = f->reduced || f->direct || !fits ? NULL : &f->problem.rows,
                            .penalty = penalty,
                            .ridge = spec->method->inner->ridge };
    request.spanned = request.columns;
    if (f->reduced && !by_components && !few)
        PEN_TRY(count_spanned(run, f, &request.spanned));
    f->map = (pen_projection){ .k = 0 };
    const pen_problem *const problem = f->reduced ? &reduced : &f->problem;
    PEN_TRY(pen_held_out_choose(run, spec, problem, &request, &own, &f->too_little));
    PEN_TRY(pen_method_check(run, spec->method, problem, own, &request));
    PEN_TRY(spec->method->inner->fit(run, problem, own, &request, &f->map));
    if (f->map.propagated)
        PEN_TRY(pen_normalize_class_mass(run, &problem->rows,
                                         (enum pen_prior)spec->common.classifier.prior, &f->map));
    PEN_REQUIRE(run, !penalty || f->map.penalized, PEN_BAD_ARGUMENT,
                "kernel_ridge is added to the denominator of a ratio of scatters, and %s has none",
                spec->method->name);
    return PEN_OK;
}

/* Opens and checks the graph of `data`, whose rows are x, if it has one. PEN_BAD_ARGUMENT: a graph
 * for a method that takes none; PEN_BAD_DATA: pen_given_open, pen_given_spot_check. */
static pen_status open_graph(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_view *x, pen_neighbor_source *out)
{
    pen_given *given;

    *out = (pen_neighbor_source){ .given = NULL };
    if (!data->graph)
        return PEN_OK;
    PEN_REQUIRE(run, spec->method->traits & PEN_NEIGHBORS, PEN_BAD_ARGUMENT,
                "%s takes no neighbor graph: it does not search all rows for neighbors, or "
                "searches in more than one space",
                spec->method->name);
    PEN_TRY(PEN_NEW(run, given, 1));
    PEN_TRY(pen_given_open(run, data->graph, data->x.rows, given));
    PEN_TRY(pen_given_spot_check(run, given, x));
    out->given = given;
    return PEN_OK;
}

static pen_status find_columns(pen_run *run, const pen_spec *spec, const pen_data *data,
                               struct fitted *f)
{
    PEN_TRY(pen_pair_fit_open(run, spec, data, f->moments, &f->problem, &f->pairs));
    PEN_TRY(open_graph(run, spec, data, &f->problem.rows, &f->neighbors));
    f->problem.neighbors = &f->neighbors;
    PEN_TRY(choose_route(run, spec, f));
    f->graded = 0;
    f->reduced = spec->common.pca > 0 || f->known.problem.rows.n > 0
                 || (pen_rows_count(&f->problem.rows) < f->problem.rows.d
                     && !spec->method->inner->unreduced && !f->direct)
                 || (pen_rows_are_large(&f->problem.rows) && components_for(spec) > 0);
    PEN_TRY(check_size(run, spec, f));
    pen_status status = fit_method(run, spec, f);
    if (status == PEN_FROM_ROWS) {
        f->reduced = f->graded = 1;
        status = fit_method(run, spec, f);
    }
    PEN_TRY(status);
    PEN_REQUIRE(run, !f->neighbors.given || f->neighbors.asked, PEN_BAD_ARGUMENT,
                "%s seeks no neighbors with these parameters; leave out the neighbor graph",
                spec->method->name);
    return PEN_OK;
}

static void warn(struct fitted *f, const char *text)
{
    const size_t length = strlen(f->warning);

    snprintf(f->warning + length, sizeof f->warning - length, "%s%s", *text && length ? "; " : "",
             text);
}

/* Explains which columns caused the loss of directions. Kernel coordinates have no units. */
static pen_status explain(pen_run *run, const pen_data *data, const struct fitted *f,
                          char text[PEN_EXPLANATION_SIZE])
{
    *text = '\0';
    return is_mapped(f) ? PEN_OK
                        : pen_explain_rank(run, &f->problem.rows, data->column_names, text);
}

/* Do the units of unscaled columns matter to the method, or to the components that precede it? */
static int goes_by_units(const pen_spec *spec, const struct fitted *f)
{
    const pen_common *const common = &spec->common;

    return common->scale == PEN_SCALE_NONE && common->kernel.kind != PEN_KERNEL_PRECOMPUTED
           && (!spec->method->inner->any_units || f->map.ridge > 0 || common->pca > 0);
}

static pen_status check_components(pen_run *run, const pen_common *common)
{
    PEN_REQUIRE(run, common->pca > 0 || common->pca_scale == PEN_PCA_SCALE_NONE, PEN_BAD_ARGUMENT,
                "pca_scale is set, but pca is off");
    return PEN_OK;
}

static pen_status learn(pen_run *run, const pen_spec *spec, const pen_data *data, struct fitted *f)
{
    const pen_moments *const moments = f->moments;
    const enum pen_scale scale = spec->common.kernel.kind == PEN_KERNEL_PRECOMPUTED
                                     ? PEN_SCALE_NONE /* kernel values have no units */
                                     : spec->common.scale;
    char text[PEN_EXPLANATION_SIZE];

    *f->warning = '\0';
    f->kernel = (pen_kernel_fit){ .phi = NULL };
    f->reduction = (pen_reduction){ .q = 0 };
    PEN_TRY(pen_kernel_fit_check(run, &spec->common));
    PEN_TRY(check_components(run, &spec->common));
    PEN_TRY(
        moments
            ? pen_rows_open_moments(run, moments, &data->x, data->labels, scale, &f->problem.rows)
            : pen_rows_open_shared(run, data, spec->common.row.l2, scale, &f->problem.rows));
    if (moments)
        pen_note_text(run, "merges", moments->merges);
    pen_explain_far(run, &f->problem.rows, text);
    warn(f, text);
    const pen_view given = f->problem.rows;
    if (spec->common.scale == PEN_SCALE_AUTO && given.scale)
        pen_note(run, "scaled_columns", (double)given.scaled_columns);
    PEN_TRY(pen_classifier_fit_check(run, spec, &f->problem.rows));
    if (spec->common.kernel.kind != PEN_KERNEL_NONE) {
        PEN_TRY(pen_kernel_fit_open(run, &spec->common, data, &f->problem.rows, &f->kernel));
        *text = '\0';
        pen_kernel_fit_warn(&f->kernel, text);
        warn(f, text);
    } else {
        PEN_TRY(pen_sparse_rows_attach(run, &f->problem.rows));
    }
    PEN_TRY(pen_rows_need_squares(run, &f->problem.rows, !is_mapped(f)));
    const pen_status status = find_columns(run, spec, data, f);
    if (status == PEN_OK) {
        warn(f, f->too_little ? "too little to hold out: cv and dim auto use the defaults" : "");
        pen_explain_unreached(run, &f->problem.rows, text);
        warn(f, text);
    }
    if (status == PEN_OK && pen_cut_noted(run).tolerance > 0) {
        PEN_TRY(explain(run, data, f, text));
        warn(f, text);
    }
    if (status == PEN_OK && !*f->warning && goes_by_units(spec, f))
        pen_explain_share(&given, data->column_names, f->warning);
    if (status == PEN_RANK_TOO_SMALL && explain(run, data, f, text) == PEN_OK && *text)
        pen_explain(run, text);
    return status;
}

/* ---- the projection ---- */

/* Writes the columns of the method for centered rows into W [d x k]. */
static pen_status unfold(pen_run *run, const struct fitted *f, double *W)
{
    const int64_t d = f->problem.rows.d, k = f->map.k;

    if (f->reduced)
        return pen_reduction_unfold(run, &to_reduce(f)->rows, &f->reduction, k, f->map.W, W);
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            W[j * k + c] =
                f->map.W[j * k + c] * (f->problem.rows.scale ? f->problem.rows.scale[j] : 1);
    return PEN_OK;
}

/* Bounds the rounding in the embedding, column by column: that of the rows and their means, and
 * that of the columns W [rows.d x k], which have fewer correct digits. With a kernel, also that of
 * its values, which are at most |phi|^2. */
static pen_status bound_rounding(pen_run *run, const struct fitted *f, const double *W,
                                 pen_model *model)
{
    const pen_view *const x = &f->problem.rows;
    double *low, *high, length2, most = 0;

    PEN_TRY(PEN_KEEP(run, model->rounding, model->k));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_extremes(run, x, &low, &high));
    for (int64_t j = 0; j < x->d; j++)
        for (int64_t c = 0; c < model->k; c++)
            model->rounding[c] +=
                fabs(W[j * model->k + c])
                * (COLUMN_ROUNDING * fmax(-low[j], high[j]) + VALUE_ROUNDING * x->rounding[j])
                / (x->scale ? x->scale[j] : 1);
    for (int64_t i = 0; is_mapped(f) && i < x->n; i++) {
        pen_squared_lengths(PEN_F64, f->kernel.phi + i * x->d, 1, x->d, &length2);
        most = fmax(most, length2);
    }
    for (int64_t i = 0; most > 0 && i < model->d * model->k; i++)
        model->rounding[i % model->k] +=
            VALUE_ROUNDING * DBL_EPSILON * most * fabs(model->projection[i]);
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status fold(pen_run *run, const struct fitted *f, pen_model *model)
{
    const int64_t d = model->d, k = model->k;
    double *W = model->projection;

    if (is_mapped(f)) {
        PEN_TRY(PEN_NEW(run, W, pen_times(f->problem.rows.d, k)));
        PEN_TRY(unfold(run, f, W));
        PEN_TRY(pen_kernel_fit_fold(run, &f->kernel, f->problem.rows.mean, W, model));
    } else {
        PEN_TRY(unfold(run, f, W));
        if (!f->map.uncentered || f->reduced || f->problem.rows.scale)
            memcpy(model->mean, f->problem.rows.mean, (size_t)d * sizeof *model->mean);
        PEN_TRY(pen_model_numbers(run, f->problem.rows.scale, d, &model->scale));
        PEN_TRY(pen_model_numbers(run, f->problem.rows.deviation, d, &model->deviation));
    }
    PEN_TRY(bound_rounding(run, f, W, model));
    if (!f->map.bias) /* class scores keep their signs */
        PEN_TRY(pen_fix_signs(run, d, k, model->deviation, model->projection));
    for (int64_t i = 0; i < d * k; i++)
        PEN_REQUIRE(run, isfinite(model->projection[i]), PEN_BAD_DATA,
                    "the projection overflows: values are too large or too small");
    return PEN_OK;
}

/* ---- the rest of the model ---- */

static pen_status describe_fit(pen_run *run, const pen_data *data, const struct fitted *f,
                               char **out)
{
    pen_string text = { .data = NULL };
    const pen_remark *remark;
    const pen_trace_list *trace;
    char equal[PEN_EXPLANATION_SIZE];

    pen_text_add_string(&text, "{");
    pen_text_add_count(&text, "rows", pen_rows_count(&f->problem.rows));
    pen_text_add_count(&text, "labelled", f->problem.rows.labelled);
    pen_text_add_count(&text, "classes", f->problem.rows.classes);
    if (data->class_type && f->problem.rows.classes > 0)
        pen_text_add_member(&text, "class_type", data->class_type);
    pen_text_add_member(&text, "precision",
                        f->problem.rows.work == PEN_F64 || f->known.problem.rows.n > 0
                                || f->problem.rows.n < f->problem.rows.d
                            ? "double"
                            : "single");
    if (f->reduced) {
        pen_text_add_count(&text, "components", f->reduction.q);
        pen_text_add_number(&text, "variance", f->reduction.retained);
    }
    pen_text_add_number(&text, "residual", fmax(f->map.residual, f->reduction.residual));
    pen_text_add_number(&text, "ridge", f->map.ridge);
    pen_explain_equal(f->map.eigenvalues, f->map.k, f->problem.rows.d, equal);
    if (*equal)
        pen_text_add_member(&text, "equal_columns", equal);
    if (*f->warning)
        pen_text_add_member(&text, "warning", f->warning);
    for (int i = 0; (remark = pen_note_at(run, i)); i++)
        if (*remark->text)
            pen_text_add_member(&text, remark->name, remark->text);
        else
            pen_text_add_number(&text, remark->name, remark->number);
    for (int i = 0; (trace = pen_trace_at(run, i)); i++)
        pen_text_add_numbers(&text, trace->name, trace->values, trace->count);
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}

static pen_status keep_classes(pen_run *run, const pen_view *rows, const pen_data *data,
                               pen_model *model)
{
    char number[PEN_NUMBER_SIZE];

    if (rows->classes == 0)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, model->class_names, rows->classes));
    model->class_count = rows->classes;
    for (int64_t c = 0; c < rows->classes; c++) {
        const int32_t label =
            rows->members ? data->labels[rows->members[rows->starts[c]]] : (int32_t)c;
        PEN_TRY(pen_keep_text(run, pen_label_text(data, label, number), &model->class_names[c]));
    }
    return PEN_OK;
}

/* Keeps results of the method that do not depend on coordinates. */
static pen_status keep_numbers(pen_run *run, const struct fitted *f, pen_model *model)
{
    PEN_TRY(pen_model_numbers(run, f->map.eigenvalues, model->k, &model->eigenvalues));
    PEN_TRY(pen_model_numbers(run, f->map.bias, f->problem.rows.classes, &model->bias));
    PEN_TRY(pen_model_numbers(run, f->map.class_mass, pen_times(2, f->problem.rows.classes),
                              &model->class_mass));
    return pen_model_numbers(run, f->map.propagated,
                             pen_times(f->problem.rows.n, f->problem.rows.classes),
                             &model->propagated);
}

/* seen: the data that the method received. */
static pen_status fill(pen_run *run, const pen_spec *spec, const pen_data *data,
                       const pen_data *seen, const struct fitted *f, pen_model *model)
{
    model->unit = spec->common.row.l2;
    model->rows = pen_rows_count(&f->problem.rows);
    PEN_TRY(fold(run, f, model));
    PEN_TRY(keep_numbers(run, f, model));
    PEN_TRY(pen_pair_fit_keep(run, seen, &f->problem, model));
    if (!f->moments)
        PEN_TRY(pen_row_fit_keep(run, &f->taken, model));
    PEN_TRY(pen_classifier_fit_open(run, spec, f->moments ? seen : data, &f->problem.rows, model));
    if (f->moments) /* the rows have already taken the steps before the classifier embeds them */
        PEN_TRY(pen_row_fit_keep(run, &f->taken, model));
    PEN_TRY(pen_keep_text(run, spec->method->name, &model->method));
    PEN_TRY(pen_describe_parameters(run, spec, model, &model->parameters));
    PEN_TRY(describe_fit(run, data, f, &model->info));
    model->missing = data->fill           ? PEN_MISSING_MEAN
                     : data->drop_missing ? PEN_MISSING_DROP
                                          : PEN_MISSING_ERROR;
    PEN_TRY(pen_model_numbers(run, data->fill, data->x.cols, &model->fill));
    PEN_TRY(keep_classes(run, &f->problem.rows, data, model));
    return pen_keep_names(run, (char *const *)data->column_names, data->x.cols,
                          &model->column_names);
}

static pen_status fit(pen_run *run, const pen_spec *spec, const pen_data *data,
                      const pen_moments *moments, pen_model **out)
{
    struct fitted f = { .moments = moments };
    pen_data prepared;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, out, "out"));
    if (!moments) /* with moments there may be no rows */
        PEN_TRY(pen_check_data(run, data));
    PEN_REQUIRE(run, spec->method->inner->fit, PEN_BAD_ARGUMENT,
                "%s runs its own trials and cannot be part of other trials; name a method",
                spec->method->name);
    PEN_REQUIRE(run,
                !(data->fill || data->drop_missing)
                    || spec->common.kernel.kind != PEN_KERNEL_PRECOMPUTED,
                PEN_BAD_ARGUMENT,
                "with kernel precomputed the rows are kernel values, and none may be missing");
    prepared = *data;
    if (!pen_run_cache(run) && pen_held_out_asked(spec))
        PEN_TRY(pen_cache_open(run)); /* for what fits to the same rows share */
    PEN_TRY(pen_row_fit_open(run, &spec->common, &prepared, &f.moments, &f.taken));
    PEN_TRY(learn(run, spec, &prepared, &f));
    PEN_TRY(pen_model_new(run, is_mapped(&f) ? f.kernel.map.m : f.problem.rows.d, f.map.k, out));
    return fill(run, spec, data, &prepared, &f, *out);
}

static pen_status fit_collecting(pen_run *run, pen_cache *cache, const pen_spec *spec,
                                 const pen_data *data, const pen_moments *moments, int keep_graphs,
                                 pen_model **out)
{
    pen_matrix_set *const graphs = keep_graphs ? pen_matrix_set_new() : NULL;

    PEN_REQUIRE(run, graphs || !keep_graphs, PEN_NO_MEMORY, "out of memory");
    pen_run_share(run, cache, NULL);
    pen_run_collect(run, graphs);
    const pen_status status = fit(run, spec, data, moments, out);
    if (status == PEN_OK)
        (*out)->graphs = graphs;
    else
        pen_matrix_set_free(graphs);
    return status;
}

pen_status pen_model_fit(pen_cache *cache, const pen_spec *spec, const pen_data *data,
                         const pen_control *control, pen_model **out, pen_error *err)
{
    const int keep_graphs = control && control->keep_graphs;

    PEN_MAKE(control, err, out, pen_model_free,
             fit_collecting(run, cache, spec, data, NULL, keep_graphs, out));
}

pen_status pen_model_fit_moments(const pen_spec *spec, const pen_data *data,
                                 const pen_moments *moments, const pen_control *control,
                                 pen_model **out, pen_error *err)
{
    const int keep_graphs = control && control->keep_graphs;

    PEN_MAKE(control, err, out, pen_model_free,
             fit_collecting(run, NULL, spec, data, moments, keep_graphs, out));
}
