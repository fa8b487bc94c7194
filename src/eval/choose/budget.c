/* budget.c - computes the cost of trials from sizes, and plans trials within a budget. */
#include "eval/choose/budget.h"

#include "linalg/reduce.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

/* ---- formulas ---- */

/* The size for a letter, or NaN. */
static double size_of(char letter, const pen_sizes *s)
{
    static const char letters[] = "nldkcpt";
    const double sizes[] = { s->n, s->l, s->d, s->k, s->c, s->p, s->t };
    const char *const at = letter ? strchr(letters, letter) : NULL;

    return at ? sizes[at - letters] : (double)NAN;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A whole number; *text moves past it. */
static double read_number(const char **text)
{
    double number = 0;

    for (; is_digit(**text); ++*text)
        number = 10 * number + (**text - '0');
    return number;
}

/* "12", "n" or "n^2"; *text moves past it. */
static double read_factor(const char **text, const pen_sizes *sizes)
{
    if (is_digit(**text))
        return read_number(text);
    const double size = size_of(**text, sizes);
    if (isnan(size))
        return (double)NAN;
    if (*++*text != '^')
        return size;
    ++*text;
    return is_digit(**text) ? pow(size, read_number(text)) : (double)NAN;
}

/* Factors with one blank between them, up to the end or to " + ". */
static double read_product(const char **text, const pen_sizes *sizes)
{
    double product = read_factor(text, sizes);

    while (!isnan(product) && **text == ' ' && (*text)[1] != '+') {
        ++*text;
        product *= read_factor(text, sizes);
    }
    return product;
}

double pen_cost_of(const char *formula, const pen_sizes *sizes)
{
    double sum = read_product(&formula, sizes);

    while (!isnan(sum) && formula[0] == ' ' && formula[1] == '+' && formula[2] == ' ') {
        formula += 3;
        sum += read_product(&formula, sizes);
    }
    return *formula ? (double)NAN : sum;
}

/* ---- costs ---- */

/* Iterations in formulas, and neighbors of methods without such a parameter. */
static const double ITERATIONS = 50, NEIGHBORS = 5;

/* Rounds of self-training, and conjugate gradients of logistic regression. */
static const double ROUNDS = 5, NEWTON_STEPS = 100;

/* The costs of every fit: allocations, and passes over the values. */
static const double PER_FIT = 1e5, PER_VALUE = 10;

/* Pairs implied by labels are not listed, unless a sample of them is drawn. */
static double drawn_pairs(const pen_pair_sample *s, double l)
{
    return s->percent / 100 * l * (l - 1) / 2 + (double)s->count + (double)s->must_link
           + (double)s->cannot_link;
}

pen_status pen_costs_open(pen_run *run, const pen_data *data, pen_costs *out)
{
    pen_view classes = { .n = 0 };

    const pen_mark_t mark = pen_mark(run);

    *out = (pen_costs){ .sizes = { .n = (double)data->x.rows, .d = (double)data->x.cols } };
    if (data->labels)
        PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &classes));
    out->sizes.l = (double)classes.labelled;
    out->sizes.c = (double)classes.classes;
    out->sizes.p = (double)data->must_link_count + (double)data->cannot_link_count;
    out->sizes.t = ITERATIONS;
    pen_release(run, mark);
    return PEN_OK;
}

/* The number of landmarks, 0 without a kernel. */
static double landmarks_of(const pen_costs *costs, const pen_spec *spec)
{
    const pen_kernel_params *const kernel = &spec->common.kernel;

    return kernel->kind == PEN_KERNEL_NONE
               ? 0
               : (double)pen_kernel_fit_landmarks(kernel, (int64_t)costs->sizes.n);
}

/* The number of columns before components: those of the rows, or the coordinates of a kernel. */
static double width_of(const pen_costs *costs, const pen_spec *spec)
{
    return (double)pen_kernel_fit_columns(&spec->common.kernel, (int64_t)costs->sizes.n,
                                          (int64_t)costs->sizes.d);
}

/* The number of coordinates that the method sees. */
static double columns_of(const pen_costs *costs, const pen_spec *spec)
{
    const double rank = fmin(costs->sizes.n, width_of(costs, spec)), pca = spec->common.pca,
                 count = pca > 0 && pca < 1 ? ceil(rank / 2)
                         : pca >= 1         ? fmin(pca, rank)
                                            : rank;

    return spec->common.pca_most > 0 ? fmin(count, (double)spec->common.pca_most) : count;
}

/* Principal components: the scatter of the rows or of the columns, and its eigenvectors. */
static double reduction(const pen_costs *costs, const pen_spec *spec)
{
    const double n = costs->sizes.n, d = width_of(costs, spec), few = fmin(n, d);

    return costs->shared || (n >= d && spec->common.pca == 0)
               ? 0
               : fmax(n, d) * few * few + 2 * few * few * few;
}

/* Kernel values with the landmarks, and the map: its eigenproblem, or the factor of all rows. */
static double kernel_map(const pen_costs *costs, const pen_spec *spec)
{
    const double n = costs->sizes.n, m = landmarks_of(costs, spec);

    return costs->shared || m == 0 ? 0 : n * m * (costs->sizes.d + m) + (m < n ? 0 : 5 * m * m * m);
}

double pen_costs_fit(const pen_costs *costs, const pen_spec *spec)
{
    pen_sizes sizes = costs->sizes;

    if (pen_spec_number(spec, "neighbors", &sizes.k, NULL) != PEN_OK)
        sizes.k = NEIGHBORS;
    sizes.d = columns_of(costs, spec);
    sizes.p += drawn_pairs(&spec->common.pairs.sample, sizes.l);
    return PER_FIT + PER_VALUE * costs->sizes.n * costs->sizes.d + kernel_map(costs, spec)
           + reduction(costs, spec) + pen_cost_of(spec->method->cost, &sizes);
}

/* The number of dimensions that a classifier reads. */
static double dims_of(const pen_costs *costs, const pen_spec *spec)
{
    const double columns = columns_of(costs, spec), classes = 2 * costs->sizes.c;

    const int few = (spec->method->traits & (PEN_UNNESTED | PEN_BASELINE)) == PEN_UNNESTED;

    return few ? fmin(columns, classes) : columns;
}

double pen_costs_classifier(const pen_costs *costs, const pen_spec *spec,
                            enum pen_classifier_kind kind, int64_t classified)
{
    const double k = dims_of(costs, spec), n = costs->sizes.n, l = costs->sizes.l,
                 c = costs->sizes.c, rows = (double)classified, few = fmin(k, l),
                 lda = k * few * (l + few);

    switch (kind) {
    case PEN_CLASSIFIER_NEAREST:
    case PEN_CLASSIFIER_NEIGHBORS:
        return rows * l * k;
    case PEN_CLASSIFIER_LDA:
        return lda + rows * c * k;
    case PEN_CLASSIFIER_SELF_TRAINING:
        return lda + ROUNDS * (n * c * k + k * k * (n + k));
    case PEN_CLASSIFIER_LOGISTIC:
        return 2 * NEWTON_STEPS * l * c * k;
    case PEN_CLASSIFIER_MEANS:
    case PEN_CLASSIFIER_SCORES:
        return (rows + l) * c * k;
    case PEN_CLASSIFIER_AUTO:
    case PEN_CLASSIFIER_NONE:
    default:
        return 0;
    }
}

double pen_costs_trial(const pen_costs *costs, const pen_spec *spec)
{
    return pen_costs_fit(costs, spec) + costs->sizes.n * costs->sizes.d * landmarks_of(costs, spec)
           + costs->sizes.n * width_of(costs, spec) * dims_of(costs, spec);
}

/* ---- shares of a budget ---- */

/* The parts of a budget that the trials of a method may always take, and that the trials of all
 * methods may take before tuning. */
static const double ALWAYS = 0.02, FIRST_PASS = 0.5;

/* Sorts the methods: cheapest first, ties in list order. */
static void sort(int64_t count, const pen_share *shares, int64_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (; at > 0 && shares[i].trial < shares[order[at - 1]].trial; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Sets `tried` for this number of trials; returns the number of methods tried. */
static int64_t choose(double budget, int64_t trials, int64_t count, const int64_t *order,
                      pen_share *shares)
{
    double spent = 0;
    int64_t tried = 0;

    for (int64_t i = 0; i < count; i++) {
        pen_share *const s = &shares[order[i]];
        const double cost = s->trial * (double)trials;
        s->tried = i == 0 || cost <= ALWAYS * budget || spent + cost <= FIRST_PASS * budget;
        spent += s->tried ? cost : 0;
        tried += s->tried;
    }
    return tried;
}

/* Methods that need the least for all their combinations come first, so that other methods get the
 * rest of their part. */
static void share_rest(double rest, int64_t fits, int64_t tried, int64_t count, pen_share *shares)
{
    for (int64_t left = tried; left > 0; left--) {
        pen_share *least = NULL;
        for (int64_t m = 0; m < count; m++)
            if (shares[m].tried && shares[m].combinations < 0
                && (!least
                    || shares[m].trial * (double)shares[m].grid
                           < least->trial * (double)least->grid))
                least = &shares[m];
        const double each = least->trial * (double)fits,
                     most = floor(fmax(rest, 0) / (double)left / each);
        least->combinations = most < (double)least->grid ? (int64_t)most : least->grid;
        rest -= each * (double)least->combinations;
    }
}

void pen_plan_shares(double budget, int64_t inner, int64_t count, pen_share *shares, int64_t *order,
                     int64_t *trials)
{
    double rest = budget;
    int64_t tried;

    sort(count, shares, order);
    while (2 * (tried = choose(budget, *trials, count, order, shares)) < count && *trials > 1)
        --*trials;
    for (int64_t m = 0; m < count; m++) {
        shares[m].combinations = shares[m].tried && inner > 0 ? -1 : 0;
        rest -= shares[m].tried ? shares[m].trial * (double)*trials : 0;
    }
    if (inner > 0)
        share_rest(rest, inner * (*trials + 1), tried, count, shares);
}

/* ---- components ---- */

enum { MANY = 100, SOME_ROWS = 200 };

/* Trials share the coordinates of kernels, one array for each gamma: the most numbers in it, and
 * the number of landmarks that is allowed even beyond that. */
enum { MOST_COORDINATES = 20000000, FEWEST_LANDMARKS = 100 };

/* "100" if an evenly spread sample of `some` rows, as the method sees them, has 100 components,
 * otherwise a fraction of their variance. */
static pen_status choose_components(pen_run *run, const pen_array *x, int64_t rows,
                                    const pen_common *common, const char **pca)
{
    const int64_t step = x->rows / pen_max(1, rows);
    pen_data some = { .x = *x };
    int64_t *chosen;
    pen_kernel_fit kernel;
    pen_reduction reduction;
    pen_view all, reduced;
    pen_run *own;

    /* a larger set of rows has at least the same rank */
    PEN_TRY(PEN_NEW(run, chosen, rows));
    for (int64_t i = 0; i < rows; i++)
        chosen[i] = i * step;
    if (pen_is_sparse(x))
        PEN_TRY(pen_array_pick(run, x, rows, chosen, &some.x));
    some.x.rows = rows;
    some.x.stride *= step;
    const pen_control control = { .threads = 1 };
    PEN_TRY(pen_run_open(&control, NULL, &own));
    pen_status status = pen_rows_open(own, &some, 0, PEN_SCALE_NONE, &all);
    if (status == PEN_OK && common->kernel.kind != PEN_KERNEL_NONE)
        status = pen_kernel_fit_open(own, common, &some, &all, &kernel);
    if (status == PEN_OK)
        status =
            pen_rows_components(own, &all, &(pen_components){ .pca = MANY }, &reduction, &reduced);
    pen_run_close(own);
    PEN_REQUIRE(run, status != PEN_NO_MEMORY, status, "out of memory");
    *pca = status == PEN_OK ? "100" : "0.99";
    return PEN_OK;
}

pen_status pen_plan_components(pen_run *run, const pen_array *x, int64_t fewest,
                               const pen_kernel_params *kernel, const char **pca)
{
    pen_common common = { .dim = 0 };

    *pca = NULL;
    if (kernel)
        common.kernel = *kernel;
    const int64_t rows = pen_min(SOME_ROWS, fewest),
                  columns = pen_kernel_fit_columns(&common.kernel, fewest, x->cols);
    if (columns <= MANY)
        return PEN_OK;
    common.kernel.landmarks = pen_min(columns, rows); /* for the sample */
    return choose_components(run, x, rows, &common, pca);
}

int pen_plan_is_asked(const pen_spec *spec, const char *name)
{
    return pen_spec_is_set(spec, name) || pen_spec_given_grid(spec, name);
}

pen_status pen_plan_kernel(pen_run *run, const pen_array *x, int64_t fewest, pen_spec *spec)
{
    const int64_t room = pen_max(FEWEST_LANDMARKS, MOST_COORDINATES / x->rows);
    pen_error *const err = pen_run_error(run);
    const char *pca = NULL;

    if (!pen_plan_is_asked(spec, "kernel_landmarks")
        && room < pen_kernel_fit_landmarks(&spec->common.kernel, fewest))
        PEN_TRY(pen_spec_set_number(spec, "kernel_landmarks", (double)room, err));
    if (!spec->method->inner->wide && !pen_plan_is_asked(spec, "pca"))
        PEN_TRY(pen_plan_components(run, x, fewest, &spec->common.kernel, &pca));
    return pca ? pen_spec_set(spec, "pca", pca, err) : PEN_OK;
}
