/* sale_fit.c - see sale_fit.h. */
#include "kit/sale_fit.h"
#include "model/spec.h"

#include <stdio.h>

enum { MOST = 128 }; /* the most iterations of a fit here */

/* ---- numbers stored in a model ---- */

static int64_t sale_list(const pen_model *model, const char *name, double *out)
{
    char key[64];

    snprintf(key, sizeof key, "info.%s", name);
    const int64_t count = model_list(model, key, MOST, out);
    CHECK(count <= MOST, "%s has more than %d values", name, MOST);
    return count;
}

/* A number among the parameters of a model. */
static double parameter(const pen_model *model, const char *name)
{
    char key[64];

    snprintf(key, sizeof key, "parameters.%s", name);
    CHECK(model_text(model, key), "no parameter %s in %s", name, model_text(model, "parameters"));
    return model_number(model, key);
}

/* ---- properties of every fit ---- */

/* Equal rows count as a small distance apart; all of them are in both graphs. */
static void check_monotone(const char *text, const pen_model *model, const sample *s, int rises)
{
    double objective[MOST], halfways[MOST];
    const int64_t count = sale_list(model, "objective", objective),
                  same = sale_list(model, "objective_projection", halfways);
    const double spread = fmax(sale_spread(s->n, s->d, s->x), (double)pen_model_dim(model));
    const double slack = 1e-12 * (double)s->n * spread * (1 + parameter(model, "alpha"));

    CHECK(count >= 1 && same == count, "%s: %s", text, pen_model_info(model));
    for (int64_t i = 0; i < count; i++) {
        const double before = i == 0 ? INFINITY : objective[i - 1];
        CHECK(isfinite(objective[i]) && isfinite(halfways[i]), "%s: %s", text,
              pen_model_info(model));
        CHECK(halfways[i] <= before * (1 + 1e-9) + slack,
              "%s: iteration %lld: %.17g, then W: %.17g", text, (long long)i + 1, before,
              halfways[i]);
        CHECK(objective[i] <= halfways[i] * (1 + 1e-9) + slack || (rises && i == 0),
              "%s: iteration %lld: %.17g, then weights: %.17g", text, (long long)i + 1, halfways[i],
              objective[i]);
    }
    if (rises)
        CHECK(halfways[0] == 0 && objective[0] > 0, "%s: zero weights: %g, then %g", text,
              halfways[0], objective[0]);
}

/* W'W = I, or W'S_t W = I. */
static void check_constraint(const char *text, const pen_model *model, const sample *s)
{
    const int64_t d = s->d, k = pen_model_dim(model);
    const double *w = model_columns(model);
    double *metric = check_allocate(d * d, sizeof *metric);

    for (int64_t c = 0; c < d * d; c++)
        for (int64_t i = 0; i < s->n; i++)
            metric[c] += (s->x[i * d + c / d] - model_mean(model)[c / d])
                         * (s->x[i * d + c % d] - model_mean(model)[c % d]) / (double)s->n;
    for (int64_t c = 0; strncmp(text, "saloe", 5) == 0 && c < d * d; c++)
        metric[c] = c / d == c % d;
    for (int64_t a = 0; a < k; a++)
        for (int64_t b = 0; b < k; b++) {
            double dot = 0;
            for (int64_t c = 0; c < d * d; c++)
                dot += w[c / d * k + a] * metric[c] * w[c % d * k + b];
            CHECK(fabs(dot - (a == b)) <= 1e-10, "%s: the constraint has %.17g at [%lld][%lld]",
                  text, dot, (long long)a, (long long)b);
        }
}

/* (x - mean) W [n x k], computed here. */
static double *sale_embed(const pen_model *model, const sample *s)
{
    const int64_t k = pen_model_dim(model);
    double *z = check_allocate(s->n * k, sizeof *z);

    for (int64_t i = 0; i < s->n * k; i++)
        for (int64_t c = 0; c < s->d; c++)
            z[i] += (s->x[i / k * s->d + c] - model_mean(model)[c])
                    * model_columns(model)[c * k + i % k];
    return z;
}

/* The last objective is that of the embedded rows with optimal weights. */
static void check_last_objective(const pen_model *model, const sample *s)
{
    const int64_t within = (int64_t)parameter(model, "within_neighbors"),
                  neighbors = (int64_t)parameter(model, "neighbors");
    const double alpha = parameter(model, "alpha");
    double list[MOST], *z = sale_embed(model, s);
    const double last = list[sale_list(model, "objective", list) - 1];

    CHECK_CLOSE(last, sale_least(s->n, pen_model_dim(model), z, s->y, within, neighbors, alpha),
                1e-9, 1e-12 * list[0]);
}

/* Objectives never increase (if `rises`, from the first step of weights on). The last one is that
 * of the embedded rows with optimal weights, halfway objectives are twice the sum of the
 * eigenvalues, and the columns satisfy the constraint. */
static void check_sale_fit(const char *text, const sample *s, int rises)
{
    pen_model *model = fit_sample(text, s);
    double list[MOST], sum = 0;
    const int64_t k = pen_model_dim(model), count = sale_list(model, "objective_projection", list);

    check_monotone(text, model, s, rises);
    check_constraint(text, model, s);
    check_last_objective(model, s);
    check_signs(model, text);
    for (int64_t j = 0; j < k; j++) {
        sum += model_eigenvalues(model)[j];
        CHECK(j == 0 || model_eigenvalues(model)[j] >= model_eigenvalues(model)[j - 1],
              "%s: eigenvalue %lld decreases", text, (long long)j);
    }
    CHECK_CLOSE(2 * sum, list[count - 1], 1e-10, 1e-12 * list[0]);
}

/* ---- models against the oracle ---- */

static void check_sale_numbers(const pen_model *model, const sale *f, const char *text)
{
    const struct {
        const char *name;
        double right;
    } numbers[] = {
        { "rank", (double)f->rank },
        { "within_neighbors_used", (double)f->within },
        { "classes_cut", (double)f->cut },
    };
    for (int64_t i = 0; i < COUNT_OF(numbers); i++)
        CHECK(info_number(model, numbers[i].name) == numbers[i].right,
              "%s: %s is %g, expected %g (%s)", text, numbers[i].name,
              info_number(model, numbers[i].name), numbers[i].right, pen_model_info(model));
    CHECK(pen_model_dim(model) == f->dim && pen_model_columns(model) == f->d,
          "%s: %lld dimensions, expected %lld", text, (long long)pen_model_dim(model),
          (long long)f->dim);
    for (int64_t i = 0; i < f->d; i++)
        CHECK_CLOSE(model_mean(model)[i], f->mean[i], 1e-13, 1e-13);
}

/* Columns defined by rounding: only the first sum of eigenvalues can be compared. */
static void check_first_sum(const pen_model *model, const sale *f, const char *text)
{
    double list[MOST] = { 0 };

    CHECK(sale_list(model, "objective_projection", list) >= 1, "%s: no objective_projection", text);
    CHECK(fabs(list[0] - f->halfways[0])
              <= 1e-8 * f->halfways[0] + 1e-12 * (double)f->n * sale_spread(f->n, f->rank, f->x),
          "%s: objective_projection[0] is %.17g, expected %.17g", text, list[0], f->halfways[0]);
}

/* Is every step larger than rounding? Not if columns have nearly equal values or all rows collapse
 * to a few points. */
static int is_defined(const sale *f)
{
    return f->gap > 1e-7
           && f->objective[f->iterations - 1] > 1e-6 * fmax(f->objective[0], f->halfways[0]);
}

/* The library's fit matches the oracle's, or fails with the same status. Returns 0 if the columns
 * are undefined, so that only the first sum of eigenvalues is compared. */
static int check_like_sale(const char *text, const sample *s, double tolerance)
{
    sale *f = sale_fit(text, s);
    const int possible = f->dim <= f->rank, defined = !possible || is_defined(f);
    const pen_data data = sample_data(s);
    char label[300], phrase[48];

    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)s->n, (long long)s->d);
    snprintf(phrase, sizeof phrase, "dim must be at most %lld,", (long long)f->rank);
    if (!possible)
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, phrase);
    pen_model *model = possible ? fit_data(text, &data) : NULL;
    if (possible && !defined) {
        check_first_sum(model, f, label);
        check_monotone(label, model, s, strstr(text, "zero") != NULL);
        check_constraint(label, model, s);
    }
    if (possible && defined) {
        const int rests = is_at_rest(f->iterations, f->objective);
        check_course(model, "info.objective_projection", f->iterations, f->halfways, rests, 1,
                     tolerance, label);
        check_course(model, "info.objective", f->iterations, f->objective, rests, 1, tolerance,
                     label);
        CHECK(info_number(model, "iterations") == info_number(model, "objective")
                  && info_number(model, "iterations") == info_number(model, "objective_projection"),
              "%s: %s", label, pen_model_info(model));
        CHECK(rests || info_number(model, "converged") == f->converged, "%s: converged is %g",
              label, info_number(model, "converged"));
        check_sale_numbers(model, f, label);
        /* gaps and small values are relative to the largest value */
        const double share = 1e-3 * f->values[f->rank - 1] / f->values[f->dim - 1];
        const expected e = {
            f->d,           f->dim,
            f->dim,         .lambda = f->values,
            .w = f->W,      .after = f->dim < f->rank ? f->values[f->dim] : (double)INFINITY,
            .least = share, .clear = share
        };
        check_model(model, &e, tolerance, label);
    }
    return defined;
}

void check_all_sale_shapes(const char *method, uint64_t tag)
{
    const text_list rest = text_list_of(
        "pca=off tol=0 max_iter=6; pca=off tol=0 max_iter=6 dim=1; "
        "pca=off tol=0 max_iter=5 dim=2 alpha=10 neighbors=7; "
        "pca=off tol=0 max_iter=5 dim=3 within_neighbors=6 neighbors=4; "
        "pca=off tol=0 max_iter=5 dim=2 alpha=0; pca=off tol=0 max_iter=5 dim=2 init=zero; "
        "pca=off tol=0.01 stop=relative dim=2 neighbors=15; "
        "pca=off tol=0.01 null_tol=0.2 neighbors=5; tol=0 max_iter=5; "
        "tol=0 max_iter=5 dim=1 pca=0.7 alpha=0.3");
    pen_rng rng = check_rng(tag);
    int fits = 0, defined = 0;

    for (int repeat = 0; repeat < check_repeats(1); repeat++)
        for (int which = 0; which < SHAPES; which++) {
            sample s = sample_shape(&rng, which);
            /* half of the texts, the other half for the next shape */
            for (int64_t i = which % 2; i < rest.count; i += 2) {
                char text[160];
                snprintf(text, sizeof text, "%s %s", method, rest.text[i]);
                defined += check_like_sale(text, &s, 1e-8);
                fits++;
            }
        }
    CHECK(6 * defined >= 5 * fits, "%d of %d fits are defined", defined, fits);
}

/* Corners of a cube: ties between equally distant first neighbors are broken by row order. */
void check_sale_lattice(const char *method, uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    char text[160];

    snprintf(text, sizeof text, "%s pca=off tol=0 max_iter=3 dim=2 neighbors=4", method);
    for (int repeat = 0; repeat < 3; repeat++) {
        sample s = sample_random(&rng, 50, 8, 3, 20);
        for (int64_t i = 0; i < 50 * 8; i++)
            s.x[i] = (double)pen_rng_below(&rng, 2);
        CHECK(check_like_sale(text, &s, 1e-8), "%s: undefined columns", text);
    }
}

/* More rows, a third duplicates, and more iterations, because the neighbor search starts from the
 * previous result. */
void check_sale_many_rows(const char *method, uint64_t tag)
{
    static const char *const rest[] = { "pca=off tol=0 max_iter=12 dim=2",
                                        "pca=off tol=0 max_iter=12 dim=4 alpha=1 init=zero",
                                        "dim=1 tol=0 max_iter=8 neighbors=25 within_neighbors=7" };
    enum { N = 240, D = 6 };
    pen_rng rng = check_rng(tag);

    for (int64_t t = 0; t < COUNT_OF(rest); t++) {
        sample s = sample_random(&rng, N, D, 4, 200);
        char text[160];
        for (int64_t i = N - N / 3; i < N; i++)
            memcpy(s.x + i * D, s.x + (i - N / 2) * D, D * sizeof *s.x);
        snprintf(text, sizeof text, "%s %s", method, rest[t]);
        CHECK(check_like_sale(text, &s, 1e-7), "%s: undefined columns", text);
        check_sale_fit(text, &s, strstr(text, "zero") != NULL);
    }
}

/* ---- printed numbers ---- */

typedef struct sale_case {
    const char *text;
    int64_t n, d, k, iterations;
    double x[40];
    int32_t y[10];
    double first_values[2], first_columns[8];
    double objective[12], halfways[12];
    double values[2], columns[8];
    int64_t neighbors[4]; /* of the last row 0 of S, and their weights */
    double weights[4];
} sale_case;

static const sale_case cases[] = {
    { .text = "saloe pca=off dim=1 alpha=0.5 within_neighbors=1 neighbors=2",
      .n = 8,
      .d = 2,
      .k = 1,
      .iterations = 5,
      .x = { 1.36, 0.82, -0.81, -2.58, 0.45, -1.56, -0.03, -4.1, 0.09, -1.89, -0.35, -3.8, 0.61,
             -1.63, -0.54, -4.91 },
      .y = { 0, 1, 0, 1, 0, 1, -1, -1 },
      .first_values = { 0.6781807406 },
      .first_columns = { 0.9633150557, -0.2683730676 },
      .objective = { 1.215612544, 1.210238927, 1.209644562, 1.209442879, 1.209407601 },
      .halfways = { 1.356361481, 1.211296001, 1.209864209, 1.209505755, 1.209416438 },
      .values = { 0.6047082189 },
      .columns = { 0.9591485042, -0.2829030698 },
      .neighbors = { 3, 6 },
      .weights = { 0.1667971022, 0.8332028978 } },
    { .text = "salwe pca=off dim=2 within_neighbors=1 neighbors=3",
      .n = 9,
      .d = 3,
      .k = 2,
      .iterations = 4,
      .x = { 0.28,  0.62, -0.03, -2.08, -3.23, 3.25, 0.35, 4.88, 0.08,
             -0.33, 0.9,  -1.82, -1.58, -1.72, 0.99, 0.35, 1.86, -1.1,
             0.12,  0.09, 0.12,  -0.7,  -0.38, 2.44, 0.21, 2.52, 0.01 },
      .y = { 0, 1, 2, 0, 1, 2, -1, -1, -1 },
      .first_values = { 0.8120326224, 8.44284243 },
      .first_columns = { 0.8794322598, 1.117581122, 0.08069355341, -0.7492154015, -0.08221511107,
                         -0.4739913397 },
      .objective = { 18.22516039, 18.22203139, 18.22172034, 18.22171351 },
      .halfways = { 18.5097501, 18.22268368, 18.22175987, 18.2217144 },
      .values = { 0.7949481893, 8.315909009 },
      .columns = { 0.899620219, 1.166224716, 0.07379027169, -0.7596437763, -0.0793798618,
                   -0.4515345184 },
      .neighbors = { 3, 5, 6 },
      .weights = { 0.2211796367, 0.1800076253, 0.598812738 } },
};

/* Numbers that agree to ten printed digits. */
static void check_digits(int64_t count, const double *found, const double *printed,
                         const char *what)
{
    for (int64_t i = 0; i < count; i++)
        CHECK(fabs(found[i] - printed[i]) <= 1e-8 + 6e-10 * fabs(printed[i]),
              "%s[%lld] is %.17g, printed is %.10g", what, (long long)i, found[i], printed[i]);
}

static void check_oracle_case(const sale_case *c, const sample *s)
{
    sale *f = sale_fit(c->text, s);
    double row[4] = { 0 };

    CHECK(f->iterations == c->iterations && f->converged && f->dim == c->k,
          "oracle, %s: %lld iterations, converged %d", c->text, (long long)f->iterations,
          f->converged);
    check_digits(f->iterations, f->objective, c->objective, "oracle: objective");
    check_digits(f->iterations, f->halfways, c->halfways, "oracle: halfways");
    check_digits(c->k, f->values, c->values, "oracle: values");
    check_up_to_sign("oracle: columns", c->d, c->k, f->W, c->k, c->columns, c->k, 1e-8);
    for (int64_t i = 0; i < 4; i++)
        row[i] = c->weights[i] > 0 ? f->S[c->neighbors[i]] : 0;
    for (int64_t i = 0; i < 4; i++)
        CHECK_CLOSE(row[i], c->weights[i], 1e-9, 1e-9);
}

static void check_library_case(const sale_case *c, const sample *s)
{
    char text[160];
    double list[MOST];

    pen_model *model = fit_sample(c->text, s);
    CHECK(info_number(model, "iterations") == (double)c->iterations
              && info_number(model, "converged") == 1,
          "%s: %s", c->text, pen_model_info(model));
    CHECK(pen_model_dim(model) == c->k, "%s: %lld dimensions", c->text,
          (long long)pen_model_dim(model));
    CHECK(sale_list(model, "objective", list) == c->iterations, "%s: objective: %s", c->text,
          pen_model_info(model));
    check_digits(c->iterations, list, c->objective, "objective");
    CHECK(sale_list(model, "objective_projection", list) == c->iterations, "%s: %s", c->text,
          pen_model_info(model));
    check_digits(c->iterations, list, c->halfways, "objective_projection");
    check_digits(c->k, model_eigenvalues(model), c->values, "eigenvalues");
    check_up_to_sign("projection", c->d, c->k, model_columns(model), c->k, c->columns, c->k, 1e-8);

    snprintf(text, sizeof text, "%s max_iter=1", c->text);
    model = fit_sample(text, s);
    CHECK(info_number(model, "iterations") == 1 && info_number(model, "converged") == 0, "%s: %s",
          text, pen_model_info(model));
    check_digits(c->k, model_eigenvalues(model), c->first_values, "first eigenvalues");
    check_up_to_sign("first projection", c->d, c->k, model_columns(model), c->k, c->first_columns,
                     c->k, 1e-8);
}

void check_sale_golden(char which)
{
    const sale_case *c = &cases[which - 'A'];
    sample s = sample_of(c->n, c->d, c->x, c->y);

    check_oracle_case(c, &s);
    check_library_case(c, &s);
}

/* ---- starts, steps, stops ---- */

void check_sale_starts(const char *method, uint64_t tag)
{
    const text_list forms = text_list_of(
        "pca=off dim=2; pca=off dim=1 alpha=0 within_neighbors=3; "
        "dim=2 neighbors=4 alpha=3 stop=relative; pca=off dim=2 init=random seed=5; "
        "pca=off dim=3 init=random seed=6 alpha=10 within_neighbors=50; pca=off dim=2 init=zero; "
        "dim=1 init=zero alpha=1");
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(4); repeat++) {
        sample s = sample_random(&rng, 50 + 10 * repeat, 5, 3, 20 + 8 * repeat);
        for (int64_t i = 0; i < forms.count; i++) {
            char text[160];
            snprintf(text, sizeof text, "%s %s", method, forms.text[i]);
            check_sale_fit(text, &s, strstr(text, "zero") != NULL);
        }
    }
}

/* The result of a fit. */
static double last_objective(const char *text, const sample *s)
{
    double list[MOST];
    pen_model *model = fit_sample(text, s);
    const int64_t count = sale_list(model, "objective", list);
    CHECK(count > 0, "%s: %s", text, pen_model_info(model));
    return list[count - 1];
}

/* The same seed gives the same bits, another seed different ones; the best of several starts is
 * never worse than the first. */
void check_sale_seeds(const char *method, uint64_t tag)
{
    pen_rng rng = { pen_rng_derive(1936, tag) }; /* for these rows the first start is not best */
    sample s = sample_random(&rng, 60, 6, 3, 24);
    char text[160];
    double first[MOST], second[MOST], least = INFINITY, begin = 0;

    snprintf(text, sizeof text, "%s pca=off init=random seed=11", method);
    pen_model *a = fit_sample(text, &s), *b = fit_sample(text, &s);
    check_same_bits(a, b, text);
    CHECK(strcmp(pen_model_info(a), pen_model_info(b)) == 0, "%s: %s\n%s", text, pen_model_info(a),
          pen_model_info(b));
    snprintf(text, sizeof text, "%s pca=off init=random seed=12", method);
    pen_model *c = fit_sample(text, &s);
    CHECK(sale_list(a, "objective_projection", first) > 0
              && sale_list(c, "objective_projection", second) > 0
              && fabs(first[0] - second[0]) > 1e-6 * first[0],
          "the seeds 11 and 12 give the same start: %s", pen_model_info(c));
    for (int restarts = 1; restarts <= 12; restarts++) {
        snprintf(text, sizeof text, "%s pca=off init=random seed=13 restarts=%d", method, restarts);
        const double last = last_objective(text, &s);
        CHECK(last <= least, "%s: %.17g, but one start fewer gives %.17g", text, last, least);
        least = last;
        begin = restarts == 1 ? last : begin;
    }
    CHECK(least < begin, "%s: twelve starts are no better than one: %.17g", method, least);
}

/* A fit ends after the second iteration, or the first later one, whose objective differs from the
 * previous one by at most `tol`. */
void check_sale_stops(const char *method, uint64_t tag)
{
    static const double tols[] = { 1e300, 1, 0.1, 1e-2, 1e-3 };
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, 50, 5, 3, 20);
    char text[160];
    double list[MOST];

    for (int relative = 0; relative < 2; relative++)
        for (int64_t t = 0; t < COUNT_OF(tols); t++) {
            snprintf(text, sizeof text, "%s pca=off tol=%g stop=%s", method, tols[t],
                     relative ? "relative" : "absolute");
            pen_model *model = fit_sample(text, &s);
            const int64_t count = sale_list(model, "objective", list);
            CHECK(count >= 2 && info_number(model, "converged") == 1, "%s: %s", text,
                  pen_model_info(model));
            for (int64_t i = 1; i < count; i++)
                CHECK((fabs(list[i] - list[i - 1]) <= tols[t] * (relative ? list[i] : 1))
                          == (i == count - 1),
                      "%s: iterations %lld and %lld of %lld: %.17g, %.17g", text, (long long)i,
                      (long long)i + 1, (long long)count, list[i - 1], list[i]);
        }
    /* just reached at the second iteration, with an objective well above 1 */
    for (int relative = 0; relative < 2; relative++) {
        snprintf(text, sizeof text, "%s pca=off alpha=50 tol=0 max_iter=2", method);
        pen_model *model = fit_sample(text, &s);
        CHECK(sale_list(model, "objective", list) == 2 && list[1] > 1.1 && list[0] > list[1],
              "%s: %s", text, pen_model_info(model));
        snprintf(text, sizeof text, "%s pca=off alpha=50 tol=%.17g stop=%s", method,
                 1.01 * (list[0] - list[1]) / list[1], relative ? "relative" : "absolute");
        model = fit_sample(text, &s);
        CHECK((info_number(model, "iterations") == 2) == relative, "%s: %s", text,
              pen_model_info(model));
    }
}

/* ---- other columns ---- */

void check_sale_embedded(const pen_model *a, const sample *of_a, const pen_model *b,
                         const sample *of_b, double tolerance)
{
    const int64_t k = pen_model_dim(a);
    double *z = sale_embed(a, of_a), *right = sale_embed(b, of_b);

    CHECK(pen_model_dim(b) == k, "%lld dimensions, expected %lld", (long long)k,
          (long long)pen_model_dim(b));
    check_up_to_sign("embedded rows", of_a->n, k, z, k, right, k, tolerance);
}

/* ---- small classes, few rows, errors ---- */

/* Labels of the first sizes[c] rows of class c in turn; the remaining rows are unlabelled. */
static void label_sizes(sample *s, int64_t classes, const int64_t *sizes)
{
    int64_t row = 0;
    for (int64_t i = 0; i < s->n; i++)
        s->y[i] = PEN_UNLABELLED;
    for (int64_t c = 0; c < classes; c++)
        for (int64_t i = 0; i < sizes[c]; i++)
            s->y[row++] = (int32_t)c;
}

static void check_sizes(const char *method, pen_rng *rng, const char *rest, int64_t classes,
                        const int64_t *sizes, double used, double cut)
{
    sample s = sample_random(rng, 40, 4, 3, 0);
    char text[160];

    label_sizes(&s, classes, sizes);
    snprintf(text, sizeof text, "%s pca=off tol=0 max_iter=5 %s", method, rest);
    pen_model *model = fit_sample(text, &s);
    CHECK(info_number(model, "within_neighbors_used") == used
              && info_number(model, "classes_cut") == cut,
          "%s: %s", text, pen_model_info(model));
    CHECK(check_like_sale(text, &s, 1e-8), "%s: undefined columns", text);
    check_sale_fit(text, &s, 0);
}

void check_sale_classes(const char *method, uint64_t tag)
{
    static const int64_t mixed[] = { 6, 3, 5 }, lonely[] = { 7, 1, 4 }, ones[] = { 1, 1, 1 },
                         all[] = { 14, 16, 10 }, single[] = { 9 };
    pen_rng rng = check_rng(tag);

    check_sizes(method, &rng, "dim=2 within_neighbors=2", 3, mixed, 2, 0);
    check_sizes(method, &rng, "dim=2 within_neighbors=4", 3, mixed, 2, 1);
    check_sizes(method, &rng, "dim=2 within_neighbors=1000", 3, mixed, 2, 3);
    check_sizes(method, &rng, "dim=1", 3, lonely, 0, 1);
    check_sizes(method, &rng, "dim=2 alpha=0.01", 3, ones, 0, 3);
    check_sizes(method, &rng, "dim=2", 3, all, 2, 0);
    check_sizes(method, &rng, "dim=1 alpha=0", 3, all, 2, 0);
    check_sizes(method, &rng, "dim=1", 1, single, 2, 0);
}

/* Two and three rows, with a closed form. Rows (0, 0) and (3, 4): W = (0.6, 0.8); their distance is
 * 5, or 2 with variance 1. */
void check_sale_few_rows(const char *method)
{
    static const double x[] = { 0, 0, 3, 4, 1, 1 };
    static const int32_t together[] = { 0, 0, PEN_UNLABELLED }, apart[] = { 0, 1, PEN_UNLABELLED },
                         half[] = { 5, PEN_UNLABELLED };
    const int32_t *const labels[] = { together, apart, half };
    const double square = strcmp(method, "salwe") == 0 ? 4 : 25;
    char text[160];

    for (int which = 0; which < 3; which++) {
        sample two = sample_of(2, 2, x, labels[which]);
        const double edges = which == 0 ? 2 + 2 * 0.1 : 2 * 0.1;
        snprintf(text, sizeof text, "%s neighbors=1", method);
        pen_model *model = fit_sample(text, &two);
        double list[MOST];
        CHECK(pen_model_dim(model) == 1 && info_number(model, "rank") == 1, "%s: %s", text,
              pen_model_info(model));
        CHECK_CLOSE(model_columns(model)[0], 0.6 * sqrt(square) / 5, 1e-12, 0);
        CHECK_CLOSE(model_columns(model)[1], 0.8 * sqrt(square) / 5, 1e-12, 0);
        CHECK_CLOSE(model_eigenvalues(model)[0], edges * square / 2, 1e-12, 0);
        CHECK(sale_list(model, "objective", list) == 2 && info_number(model, "converged") == 1,
              "%s: %s", text, pen_model_info(model));
        CHECK_CLOSE(list[1], edges * square, 1e-12, 0);
        const pen_data data = sample_data(&two);
        CHECK_FIT_FAILS(method, &data, PEN_BAD_ARGUMENT,
                        "neighbors must be in [1, 1], the number of other rows, got 10");
        snprintf(text, sizeof text, "%s neighbors=1 dim=2", method);
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, "dim must be at most 1,");
    }
    sample three = sample_of(3, 2, x, together);
    for (int neighbors = 1; neighbors < 3; neighbors++)
        for (int dim = 1; dim < 3; dim++) {
            snprintf(text, sizeof text, "%s pca=off neighbors=%d dim=%d", method, neighbors, dim);
            CHECK(check_like_sale(text, &three, 1e-8), "%s: undefined columns", text);
            check_sale_fit(text, &three, 0);
        }
}

/* `method` with the options `rest` must fail. */
static void check_sale_fails(const char *method, const char *rest, const sample *s, pen_status code,
                             const char *phrase)
{
    const pen_data data = sample_data(s);
    char text[160];

    snprintf(text, sizeof text, "%s%s", method, rest);
    CHECK_FIT_FAILS(text, &data, code, phrase);
}

static void check_lone_rows(const char *method, sample *s)
{
    static const int64_t ones[] = { 1, 1, 1 }, small[] = { 5, 3, 1 };
    char text[160];

    label_sizes(s, 3, small);
    snprintf(text, sizeof text, "%s within_neighbors=2", method);
    fit_sample(text, s);
    label_sizes(s, 3, ones);
    check_sale_fails(method, " alpha=0", s, PEN_BAD_DATA, "alpha");
    fit_sample(method, s);
}

void check_sale_errors(const char *method, uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, 30, 4, 3, 12), dependent = sample_random(&rng, 30, 6, 3, 12);
    char text[160];

    for (int64_t i = 0; i < dependent.n; i++)
        dependent.x[i * 6 + 5] = dependent.x[i * 6] + dependent.x[i * 6 + 1],
                            dependent.x[i * 6 + 2] = 7;
    snprintf(text, sizeof text, "%s neighbors=29", method);
    fit_sample(text, &s);
    /* without a graph of all rows, neighbors do not matter */
    snprintf(text, sizeof text, "%s neighbors=1000 alpha=0", method);
    fit_sample(text, &s);
    snprintf(text, sizeof text, "%s pca=off", method);
    check_rank(text, &dependent, 4);
    check_lone_rows(method, &s);
}

/* ---- examples ---- */

/* The label of the labelled row nearest to row i. */
static int32_t nearest_label(const sample *s, int64_t k, const double *z, int64_t i)
{
    double least = INFINITY;
    int32_t label = PEN_UNLABELLED;

    for (int64_t j = 0; j < s->n; j++) {
        const double square = dense_distance2(k, z + i * k, z + j * k);
        if (s->y[j] != PEN_UNLABELLED && square < least) {
            least = square;
            label = s->y[j];
        }
    }
    return label;
}

double sale_accuracy(const char *text, const sample *s, const int32_t *right)
{
    pen_model *model = fit_sample(text, s);
    double *z = sale_embed(model, s), hits = 0, count = 0;

    for (int64_t i = 0; i < s->n; i++)
        if (s->y[i] == PEN_UNLABELLED) {
            hits += nearest_label(s, pen_model_dim(model), z, i) == right[i];
            count++;
        }
    return hits / count;
}

sample sale_sides(pen_rng *rng, int64_t n, int64_t labelled, int32_t *right)
{
    static const double place[] = { 0, -5, 0, 5 };
    sample s = sample_new(n, 2);

    for (int64_t i = 0; i < n; i++) {
        right[i] = (int32_t)(i % 2);
        s.y[i] = i < 4 * labelled ? right[i] : PEN_UNLABELLED;
        s.x[2 * i] = place[i % 4] + 0.3 * check_normal(rng);
        s.x[2 * i + 1] = 4 * check_normal(rng);
    }
    return s;
}
