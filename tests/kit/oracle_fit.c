/* oracle_fit.c - see oracle_fit.h. */
#include "kit/oracle_fit.h"
#include "core/row_order.h"
#include "core/run.h"
#include "kit/embedded.h"
#include "kit/pairs_golden.h"
#include "model/model.h"
#include "model/spec.h"
#include "oracle/class_mass_oracle.h"

#include <stdio.h>

/* The oracle's result of a fit. */
typedef struct outcome {
    pen_status status;
    const char *phrase; /* phrase of the message, or NULL */
    int64_t gives;      /* columns with allow_fewer, 0: it fails as well, -1: unknown */
    int either;         /* either of two errors: the scatters contain only rounding errors */
    int arbitrary;      /* it succeeds with undefined columns */
    expected e;
    double rounding; /* error of columns and values, besides the tolerance */
    /* the problem A w = value B w that the columns solve, for the rows in `q` coordinates; q 0:
     * columns are compared directly */
    int64_t q;
    const double *unbasis, *A, *B; /* [q x d], [q x q], [q x q] */
    int weighted, orthonormal;     /* W' B W = diag(values), or W' W = I */
    struct {
        const char *name;
        double right, tolerance;
    } numbers[16]; /* numbers in the info */
    int count;
    label_oracle *labels;
} outcome;

static void expect_number(outcome *o, const char *name, double right, double tolerance)
{
    o->numbers[o->count].name = name;
    o->numbers[o->count].right = right;
    o->numbers[o->count++].tolerance = tolerance;
}

static int starts(const char *text, const char *method)
{
    const size_t length = strlen(method);
    return strncmp(text, method, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

/* The dimensions that a text requests, at most the available number. */
static int64_t asked(const char *text, int64_t there)
{
    const char *const dim = strstr(text, " dim=");
    return dim ? atoll(dim + 5) : there;
}

/* ---- the families ---- */

static outcome of_ratio(const char *text, const pen_data *data)
{
    oracle *f = oracle_fit(text, data->x.rows, data->x.cols, data->x.values, data->labels);
    const int64_t q = f->q;
    outcome o = { .gives = 0,
                  .q = q,
                  .unbasis = f->unbasis,
                  .A = f->B,
                  .B = f->C,
                  .weighted = f->metric == ORACLE_WEIGHTED,
                  .orthonormal = f->metric == ORACLE_ORTHONORMAL };

    o.e = (expected){ f->d, f->k, q, f->mean, .lambda = f->lambda, .w = f->W };
    o.either = q > 0 && f->singular && dense_dot(q * q, f->B, f->B) == 0;
    o.status = q == 0        ? PEN_RANK_TOO_SMALL
               : f->singular ? PEN_SINGULAR_SCATTER
               : f->k == 0   ? PEN_RANK_TOO_SMALL
                             : PEN_OK;
    o.phrase = o.status == PEN_SINGULAR_SCATTER ? "the denominator scatter is" : NULL;
    o.gives = o.status == PEN_OK ? asked(text, f->k) : 0;
    return o;
}

static outcome of_blend(const char *text, const pen_data *data)
{
    const sample s = { data->x.rows, data->x.cols, (double *)(uintptr_t)data->x.values,
                       (int32_t *)(uintptr_t)data->labels };
    lpp_oracle *f = lpp_oracle_fit(text, &s);
    double *unscaled = zeros(s.d * s.d);
    outcome o = { .status = f->status,
                  .gives = f->status == PEN_OK ? asked(text, f->k) : 0,
                  .rounding = 1e-13 * f->condition,
                  .q = s.d,
                  .unbasis = unscaled,
                  .A = f->A,
                  .B = f->B,
                  .weighted = f->weighted,
                  .orthonormal = f->orthonormal };

    for (int64_t i = 0; i < s.d && f->status == PEN_OK; i++)
        unscaled[i * s.d + i] = 1 / f->scale[i];
    o.e = (expected){
        f->d, f->k, f->k, f->mean, f->lambda, f->W, .after = f->k < f->d ? 0 : (double)INFINITY
    };
    return o;
}

static outcome of_columns(const pair_oracle *f)
{
    outcome o = { .status = f->status, .gives = f->gives };

    o.e = (expected){ f->d,
                      f->count,
                      f->count,
                      f->mean,
                      .lambda = f->values,
                      .w = f->W,
                      .ties = f->ties,
                      .after = (double)INFINITY,
                      .least = 1,
                      .clear = 1e-4 };
    return o;
}

static void expect_pairs(outcome *o, const pair_oracle *f)
{
    expect_number(o, "must_links", (double)f->must, 0);
    expect_number(o, "cannot_links", (double)f->cannot, 0);
    expect_number(o, "duplicates", (double)f->duplicates, 0);
    expect_number(o, "contradictions", (double)f->contradictions, 0);
}

static outcome of_pairs(const char *text, const pen_data *data)
{
    const pair_oracle *f = pair_oracle_fit(text, data);
    outcome o = of_columns(f);

    expect_pairs(&o, f);
    if (f->lambda) {
        expect_number(&o, "rank", (double)f->rank, 0);
        expect_number(&o, "levelled", (double)f->i, 0);
    }
    if (f->lambda && f->i > 0)
        expect_number(&o, "spread", f->lambda[0] / f->lambda[f->i - 1], 1e-7);
    if (f->chunklets > 0) {
        expect_number(&o, "chunklets", (double)f->chunklets, 0);
        expect_number(&o, "chunklet_rows", (double)f->chunklet_rows, 0);
    }
    return o;
}

static outcome of_graph(const char *text, const pen_data *data)
{
    static const char *const rules[] = { "derived_by_a", "derived_by_b", "derived_by_c",
                                         "derived_by_d" };
    const graph_oracle *g = graph_oracle_fit(text, data);
    outcome o = of_columns(g->fit);

    if (g->derived.rules || g->signed_weights)
        expect_pairs(&o, g->fit);
    if (g->signed_weights)
        expect_number(&o, "heat", g->heat, 1e-12);
    if (!g->derived.rules)
        return o;
    expect_number(&o, "gamma", g->gamma, 1e-12);
    expect_number(&o, "shared_neighbor_pairs", (double)g->shared, 0);
    expect_number(&o, "cannot_links_transformed", (double)g->derived.pairs, 0);
    expect_number(&o, "conflicts", (double)g->derived.conflicts, 0);
    for (int i = 0; i < 4; i++)
        expect_number(&o, rules[i], (double)g->derived.by_rule[i], 0);
    if (!strstr(text, "lambda=0 "))
        expect_number(&o, "isolated", (double)g->isolated, 0);
    return o;
}

static outcome of_labels(const char *text, const pen_data *data)
{
    label_oracle *l = label_oracle_fit(text, data);
    outcome o = of_columns(l->fit);

    o.labels = l;
    o.arbitrary = l->arbitrary;
    o.gives = l->fit->status == PEN_OK ? l->fit->gives : -1;
    o.e.ties = NULL;
    return o;
}

/* The landmarks that a fit of this text draws, into `landmarks`; returns 0 without landmarks. */
static int draw_landmarks(const char *text, const pen_data *data, int64_t *landmarks)
{
    fit_options o = options_read(text);
    const char *const number = strstr(text, "relative:");
    const int64_t count = number ? atoll(number + 9) : 0;
    const uint64_t seed = (uint64_t)option_int(&o, "seed");
    const pen_data alone = { .x = data->x };
    int64_t *drawn;
    pen_view rows;

    pen_run *const run = check_run(0, NULL);
    if (count > 0) {
        assert_int_equal(pen_rows_open(run, &alone, 0, PEN_SCALE_NONE, &rows), PEN_OK);
        assert_int_equal(pen_rows_draw(run, &rows, count, seed, &drawn), PEN_OK);
        memcpy(landmarks, drawn, (size_t)count * sizeof *landmarks);
    }
    pen_run_close(run);
    return count > 0;
}

static outcome of_reconstruction(const char *text, const pen_data *data)
{
    int64_t landmarks[16];
    const int drawn = draw_landmarks(text, data, landmarks);
    const rssdr_oracle *f = rssdr_oracle_fit(text, data, drawn ? landmarks : NULL);
    /* values grow as the denominator becomes singular */
    outcome o = { .status = PEN_OK,
                  .gives = asked(text, f->difference ? f->p : dense_rank_of(f->p, f->Num)),
                  .rounding = 1e-17 * fabs(f->values[0]) };

    o.e = (expected){ f->d,
                      f->p,
                      f->p,
                      f->mean,
                      .lambda = f->values,
                      .w = f->W,
                      .after = (double)INFINITY,
                      .least = 1,
                      .clear = 1e-4 };
    return o;
}

static const struct family {
    const char *methods;
    outcome (*fit)(const char *text, const pen_data *data);
    int pairs, joined; /* learns from pairs; uses a graph that depends on ties of distances */
} families[] = {
    { "pca fda lfda self", of_ratio, 0, 0 },
    { "lpp ilpp self-ilpp self-mix", of_blend, 0, 0 },
    { "bwdr wbdr ssdr cmm cfld rca", of_pairs, 1, 0 },
    { "sodrpac clpp", of_graph, 1, 1 },
    { "sda", of_graph, 0, 1 },
    { "npssdr rssdr", of_reconstruction, 1, 1 },
    { "soda tr-fsda fme asl soge stsd ssda", of_labels, 0, 1 },
};

static const struct family *family_of(const char *text)
{
    for (int64_t i = 0; i < COUNT_OF(families); i++)
        for (const char *name = families[i].methods; name; name = strchr(name, ' ')) {
            const size_t length = strcspn(name += *name == ' ', " ");
            if (strncmp(text, name, length) == 0 && strchr(" ", text[length]))
                return &families[i];
        }
    abort();
}

/* ---- models that predict or propagate ---- */

static int predicts(const char *text)
{
    return starts(text, "fme") || starts(text, "asl") || starts(text, "soge");
}

/* Selects the model's solution out of two equally good ones: each block, by the sums of its
 * columns. */
static void choose_turn(const pen_model *model, label_oracle *o)
{
    const int64_t d = o->fit->d, m = o->fit->count, c = o->classes;

    for (int64_t from = 0; from + c <= m && label_oracle_two(o); from += c) {
        double along = 0;
        for (int64_t i = 0; i < d; i++) {
            double sum = 0, wanted = 0;
            for (int64_t k = from; k < from + c; k++) {
                sum += model_columns(model)[i * m + k];
                wanted += o->fit->W[i * m + k];
            }
            along += sum * wanted;
        }
        if (along < 0)
            label_oracle_turn(o, from);
    }
}

static void check_scores(const char *text, const pen_model *model, const label_oracle *o,
                         double tolerance)
{
    const int64_t c = o->classes;
    double *class_mass = check_allocate(2 * c, sizeof *class_mass),
           *shares = label_oracle_shares(o, class_mass);

    check_array(text, "propagated", o->n * c, model_shares(model), shares, tolerance);
    if (predicts(text))
        check_array(text, "bias", c, model_bias(model), o->bias, tolerance);
    if (o->prior == PEN_PRIOR_NONE)
        CHECK(!model->class_mass, "%s: class masses", text);
    else
        check_array(text, "class_mass", 2 * c, model->class_mass, class_mass, tolerance);
}

/* The objectives and iterations that the info reports. */
static void check_history(const char *text, const pen_model *model, const label_oracle *o)
{
    int64_t count;
    double *list = info_list(model, "objective", &count);

    if (starts(text, "fme"))
        CHECK(count == 1
                  && fabs(list[0] - o->history[0]) <= 1e-9 * o->history[0] + 1e-11 * o->weight,
              "%s: %lld objectives, %.17g, expected %.17g", text, (long long)count, list[0],
              o->history[0]);
    else if (predicts(text))
        CHECK(count > 0 && info_number(model, "iterations") == (double)count,
              "%s: %g iterations, %lld objectives", text, info_number(model, "iterations"),
              (long long)count);
    for (int64_t i = 1; i < count; i++)
        CHECK(list[i] <= list[i - 1] + 1e-12 * fabs(list[i - 1]),
              "%s: objective %lld rises to %.17g from %.17g", text, (long long)i, list[i],
              list[i - 1]);
    for (int64_t i = 0; starts(text, "asl") && i < count && i < o->iterations; i++)
        CHECK_CLOSE(list[i], o->history[i], 1e-9, 1e-12);
}

static void check_labels(const char *text, const pen_model *model, const outcome *o,
                         double tolerance)
{
    label_oracle *const l = o->labels;
    const pair_oracle *const f = l->fit;
    expected e = o->e;

    CHECK(pen_model_class_count(model) == l->classes && model->rows == l->n,
          "%s: %lld classes, %lld rows", text, (long long)pen_model_class_count(model),
          (long long)model->rows);
    CHECK(predicts(text) ? !model_eigenvalues(model) && model_bias(model)
                         : model_eigenvalues(model) && !model_bias(model),
          "%s: eigenvalues or a bias", text);
    if (starts(text, "soge"))
        choose_turn(model, l);
    /* a single eigenvalue of the difference at the best ratio is 0 up to rounding */
    if (f->count == 1 && l->ratio != 0)
        e.lambda = NULL;
    if (predicts(text))
        check_array(text, "projection", f->d * f->count, model_columns(model), f->W, tolerance);
    else
        check_model(model, &e, tolerance, text);
    for (int64_t i = 0; i < f->d; i++)
        CHECK_CLOSE(model_mean(model)[i], f->mean[i], 1e-13, 1e-13);
    if (predicts(text) || starts(text, "soda"))
        check_scores(text, model, l, tolerance);
    else
        CHECK(!model_shares(model), "%s: scores", text);
    if (l->ratio != 0)
        CHECK_CLOSE(info_number(model, "ratio"), l->ratio, tolerance, 0);
    check_history(text, model, l);
}

/* ---- comparisons ---- */

/* a' m b; m NULL: a' b. */
static double bilinear(int64_t q, const double *a, const double *m, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < q; i++)
        sum += a[i] * (m ? dense_dot(q, m + i * q, b) : b[i]);
    return sum;
}

/* The model's columns solve the oracle's problem. */
static void check_problem(const pen_model *model, const outcome *o, double tolerance,
                          const char *text)
{
    const int64_t r = pen_model_dim(model), q = o->q;
    const double *lambda = model_eigenvalues(model), size_a = sqrt(dense_dot(q * q, o->A, o->A)),
                 size_b = sqrt(dense_dot(q * q, o->B, o->B));
    double *columns = dense_product(q, o->e.d, r, o->unbasis, model_columns(model)),
           *t = dense_transpose(q, r, columns);

    for (int64_t j = 0; j < r; j++) {
        const double *own = t + j * q;
        double residual = 0;
        for (int64_t i = 0; i < q && !o->orthonormal; i++) {
            const double rest =
                dense_dot(q, o->A + i * q, own) - lambda[j] * dense_dot(q, o->B + i * q, own);
            residual += rest * rest;
        }
        const double most =
            tolerance * (size_a + lambda[j] * size_b) * sqrt(dense_dot(q, own, own));
        CHECK(sqrt(residual) <= most, "%s: column %lld leaves the residual %.3g, at most %.3g",
              text, (long long)j, sqrt(residual), most);
        for (int64_t i = 0; i <= j; i++) {
            const double dot = bilinear(q, t + i * q, o->orthonormal ? NULL : o->B, own),
                         unit = o->weighted ? sqrt(lambda[i] * lambda[j]) : 1;
            CHECK(fabs(dot - (i == j ? unit : 0)) <= 100 * tolerance * unit,
                  "%s: T' B T [%lld][%lld] is %.17g, expected %.17g", text, (long long)i,
                  (long long)j, dot, i == j ? unit : 0);
        }
    }
}

static void check_outcome(const char *text, const outcome *o, const pen_data *data,
                          double tolerance)
{
    pen_model *model = fit_data(text, data);
    char label[300];

    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)data->x.rows,
             (long long)data->x.cols);
    if (!o->arbitrary && o->gives >= 0)
        CHECK(pen_model_dim(model) == o->gives, "%s: %lld dimensions, expected %lld", label,
              (long long)pen_model_dim(model), (long long)o->gives);
    if (o->labels && !o->arbitrary)
        check_labels(label, model, o, tolerance);
    if (!o->labels)
        check_model(model, &o->e, tolerance + o->rounding, label);
    if (o->q > 0)
        check_problem(model, o, tolerance, label);
    for (int i = 0; i < o->count; i++)
        CHECK(fabs(info_number(model, o->numbers[i].name) - o->numbers[i].right)
                  <= o->numbers[i].tolerance * fabs(o->numbers[i].right),
              "%s: %s is %.17g, expected %.17g (%s)", label, o->numbers[i].name,
              info_number(model, o->numbers[i].name), o->numbers[i].right, pen_model_info(model));
}

/* Whether centered columns are dependent for another reason than few rows. A ratio of scatters then
 * omits the dependent ones, which oracles do not do (test_noise.c). */
static int columns_depend(const pen_array *x)
{
    const int64_t n = x->rows, d = x->cols, most = n - 1 < d ? n - 1 : d;
    double *rest = check_allocate(n * d, sizeof *rest); /* orthogonalized columns */
    int64_t rank = 0;

    for (int64_t j = 0; j < d; j++) {
        double mean = 0;
        double *const column = rest + rank * n;
        for (int64_t i = 0; i < n; i++)
            mean += ((const double *)x->values)[i * d + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            column[i] = ((const double *)x->values)[i * d + j] - mean;
        const double before = dense_dot(n, column, column);
        for (int64_t c = 0; c < 2 * rank; c++) {
            const double *const other = rest + c % rank * n;
            dense_add(n, -dense_dot(n, other, column), other, column);
        }
        const double after = dense_dot(n, column, column);
        for (int64_t i = 0; i < n; i++)
            column[i] /= sqrt(after);
        rank += after > 1e-20 * before && rank < most;
    }
    return rank < most;
}

/* Rounding decides: either of two errors, or, for dependent columns, any numbers. */
static void check_undefined(const char *text, const pen_data *data, int dependent)
{
    pen_model *model = NULL;
    pen_error err;
    const pen_status status = fit_status(text, data, &model, &err);

    CHECK(status == PEN_SINGULAR_SCATTER || status == PEN_RANK_TOO_SMALL
              || (status == PEN_OK && dependent),
          "%s without a defined solution: status %d", text, (int)status);
    if (model) {
        CHECK(all_finite(data->x.cols * pen_model_dim(model), model_columns(model)),
              "%s: columns are not finite", text);
        check_signs(model, text);
    }
}

void check_like(const char *text, const pen_data *data, const pen_data *of, double tolerance)
{
    const void *const mark = keep_mark();
    const outcome o = family_of(text)->fit(text, data);
    const pen_data *fitted = of ? of : data;
    const int dependent = o.status == PEN_SINGULAR_SCATTER && columns_depend(&data->x);
    char other[300], phrase[48];

    snprintf(phrase, sizeof phrase, "dim must be at most %lld,", (long long)o.gives);
    snprintf(other, sizeof other, "%s allow_fewer=true", text);
    if (o.status == PEN_OK) {
        check_outcome(text, &o, fitted, tolerance);
    } else if (o.either || dependent) {
        check_undefined(text, fitted, dependent);
    } else {
        CHECK_FIT_FAILS(text, fitted, o.status, o.gives > 0 ? phrase : o.phrase);
        if (o.gives > 0)
            check_outcome(other, &o, fitted, tolerance);
        else if (o.gives == 0)
            CHECK_FIT_FAILS(other, fitted, o.status, NULL);
    }
    keep_release(mark);
}

void check_like_oracle(const char *text, const sample *s, double tolerance)
{
    const pen_data data = sample_data(s);
    check_like(text, &data, NULL, tolerance);
}

void check_shapes(uint64_t tag, int repeats, int64_t columns, double tolerance, const char *list)
{
    const text_list texts = text_list_of(list);
    const struct family *f = family_of(texts.text[0]);
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(repeats); repeat++)
        for (int which = 0; which < (f->pairs ? LINKED_SHAPES : SHAPES); which++) {
            linked l = { .labels = 1 };
            if (!f->pairs)
                l.s = sample_shape(&rng, which);
            else /* many pairs need fewer rows, because the literal rules are slow */
                l = f->joined && which == 4 ? linked_random(&rng, 45, 6, 4, 200, 200)
                                            : linked_shape(&rng, which);
            const pen_data data = linked_data(&l);
            /* grid points: scaling or rotation breaks ties of distances */
            const int lattice =
                f->joined && (f->pairs ? which == 10 || which == 12 : which == SHAPES - 1);
            for (int64_t i = 0; i < texts.count && l.s.d >= columns; i++)
                if (!lattice
                    || (!strstr(texts.text[i], "pca=") && !strstr(texts.text[i], "scale=")))
                    check_like(texts.text[i], &data, NULL, tolerance);
        }
}

void check_all_shapes(uint64_t tag, int repeats, const char *list)
{
    check_shapes(tag, repeats, 1, 1e-8, list);
}

/* ---- printed numbers ---- */
/* r columns of w, `stride` apart, and their values match the printed ones. */
static void check_digits(const golden_fit *g, int64_t r, const double *values, const double *w,
                         int64_t stride, const char *text)
{
    CHECK(r == g->gives, "set %s, %s: %lld dimensions, expected %lld", g->set->name, text,
          (long long)r, (long long)g->gives);
    check_array(text, "eigenvalues", g->listed, values, g->values, 1e-8);
    check_up_to_sign(text, g->set->d, g->listed, w, stride, g->columns, g->listed, 1e-8);
}

static void check_golden_fit(const golden_fit *g)
{
    char text[128], label[160], phrase[48];
    linked l = linked_golden(g->set->name);
    const pen_data data = linked_data(&l);

    snprintf(text, sizeof text, "%s dim=%lld", g->text, (long long)g->dim);
    snprintf(label, sizeof label, "the oracle's %s", text);
    pair_oracle *f = pair_oracle_fit(text, &data);
    check_digits(g, f->gives, f->values, f->W, f->count, label);
    if (g->gives < g->dim) {
        snprintf(phrase, sizeof phrase, "dim must be at most %lld,", (long long)g->gives);
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, phrase);
        strcat(text, " allow_fewer=true");
    }
    pen_model *model = fit_data(text, &data);
    check_digits(g, pen_model_dim(model), model_eigenvalues(model), model_columns(model),
                 pen_model_dim(model), text);
    if (g->stretched > 0)
        CHECK(info_number(model, "levelled") == (double)g->stretched && f->i == g->stretched,
              "set %s, %s: %s, expected %lld levelled", g->set->name, text, pen_model_info(model),
              (long long)g->stretched);
}

void check_pair_golden(const char *method)
{
    const size_t length = strlen(method);
    int64_t found = 0;

    for (int64_t i = 0; i < golden_fit_count(); i++) {
        const golden_fit *g = golden_fit_at(i);
        if (strncmp(g->text, method, length) == 0 && (!g->text[length] || g->text[length] == ' ')) {
            check_golden_fit(g);
            found++;
        }
    }
    CHECK(found > 0, "no printed fit of %s", method);
}

void check_printed_fit(const char *text, const pen_data *data, int64_t k, const double *values,
                       const double *columns, double tolerance)
{
    pen_model *model = fit_data(text, data);
    const int64_t d = pen_model_columns(model);

    CHECK(pen_model_dim(model) == k, "%s: %lld dimensions", text, (long long)pen_model_dim(model));
    for (int64_t j = 0; j < k; j++)
        CHECK_CLOSE(model_eigenvalues(model)[j], values[j], tolerance, tolerance);
    check_up_to_sign(text, d, k, model_columns(model), k, columns, k, tolerance);
}

void check_ridge_regression(const pen_model *model, const sample *s, double ridge, double tolerance)
{
    const int64_t d = s->d, u = d + 1, c = pen_model_class_count(model);
    double *const system = zeros(u * u), *const right = zeros(u * c);

    for (int64_t i = 0; i < s->n; i++)
        for (int64_t p = 0; p < u && s->y[i] >= 0; p++) {
            const double x_p = p < d ? s->x[i * d + p] - model_mean(model)[p] : 1;
            right[p * c + s->y[i]] += x_p;
            for (int64_t q = 0; q < u; q++)
                system[p * u + q] += x_p * (q < d ? s->x[i * d + q] - model_mean(model)[q] : 1);
        }
    for (int64_t p = 0; p < d; p++)
        system[p * u + p] += ridge;
    const double *const solved = dense_solve(u, c, system, right);
    for (int64_t i = 0; i < u * c; i++)
        CHECK_CLOSE(i < d * c ? model_columns(model)[i] : model_bias(model)[i - d * c], solved[i],
                    tolerance, tolerance / 10);
}

/* ---- prediction ---- */
/* Classes and scores of the rows, computed here from columns, mean, bias and class masses. */
static void check_scores_of_rows(const char *text, const pen_model *model, const pen_data *data)
{
    const int64_t n = data->x.rows, d = data->x.cols, m = pen_model_dim(model),
                  c = pen_model_class_count(model);
    const double *x = data->x.values, *w = model_columns(model), *bias = model_bias(model),
                 *mass = model->class_mass;
    int32_t *classes = check_allocate(n, sizeof *classes);
    double *scores = check_allocate(n * c, sizeof *scores),
           *right = check_allocate(c, sizeof *right), *shares = check_allocate(c, sizeof *shares);
    pen_error err;

    CHECK_OK(pen_predict(model, &data->x, NULL, classes, scores, NULL, &err), &err);
    for (int64_t i = 0; i < n; i++) {
        int64_t best = 0;
        double size = 0, most = 0;
        for (int64_t k = 0; k < c; k++) {
            right[k] = bias[k];
            for (int64_t l = 0; l < d; l++) {
                right[k] += (x[i * d + l] - model_mean(model)[l]) * w[l * m + k];
                size += fabs((x[i * d + l] - model_mean(model)[l]) * w[l * m + k]);
            }
            size += fabs(bias[k]);
            most = fmax(most, right[k]);
        }
        if (mass)
            class_mass_oracle_row(c, mass, right, shares);
        /* an error of a score is relative to its terms; probabilities are relative to the
         * largest */
        const double error = (mass ? 1e-10 / fmax(most, 1e-9) : 1e-12) * size;
        for (int64_t k = 0; k < c; k++) {
            CHECK(fabs(scores[i * c + k] - (mass ? shares : right)[k]) <= error,
                  "%s: score %lld of row %lld is %.17g, expected %.17g", text, (long long)k,
                  (long long)i, scores[i * c + k], (mass ? shares : right)[k]);
            best = scores[i * c + k] > scores[i * c + best] ? k : best;
        }
        CHECK(classes[i] == best, "%s: row %lld has class %d, expected %lld", text, (long long)i,
              (int)classes[i], (long long)best);
    }
}

/* A model without scores classifies its embedding; a loaded one gives the same bits. */
static void check_classifier_of_rows(const char *text, const pen_model *model,
                                     const pen_model *loaded, const pen_data *data)
{
    const int64_t n = data->x.rows, c = pen_model_class_count(model);
    int32_t *classes = check_allocate(2 * n, sizeof *classes);
    double *p = check_allocate(2 * n * c, sizeof *p);
    pen_error err;

    CHECK(strcmp(model_text(model, "classifier"), "lda") == 0
              && strcmp(model_text(loaded, "classifier"), "lda") == 0,
          "%s: the classifier differs", text);
    CHECK_OK(pen_predict(model, &data->x, NULL, classes, p, NULL, &err), &err);
    CHECK_OK(pen_predict(loaded, &data->x, NULL, classes + n, p + n * c, NULL, &err), &err);
    CHECK(memcmp(classes, classes + n, (size_t)n * sizeof *classes) == 0
              && memcmp(p, p + n * c, (size_t)(n * c) * sizeof *p) == 0,
          "%s: a loaded model predicts differently", text);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0, most = 0;
        for (int64_t k = 0; k < c; k++) {
            sum += p[i * c + k];
            most = fmax(most, p[i * c + k]);
        }
        CHECK(fabs(sum - 1) < 1e-12 && p[i * c + classes[i]] == most,
              "%s: row %lld has probabilities that sum to %.17g", text, (long long)i, sum);
    }
}

void check_prediction(const char *text, const pen_data *data)
{
    const int64_t n = data->x.rows;
    int32_t *classes = check_allocate(2 * n, sizeof *classes);
    pen_model *const model = fit_data(text, data), *const loaded = through_file(model);
    pen_error err;

    CHECK(!model_shares(loaded), "%s: a loaded model has rows of its fit", text);
    if (predicts(text)) {
        check_scores_of_rows(text, model, data);
        check_scores_of_rows(text, loaded, data);
        CHECK_OK(pen_predict(model, &data->x, NULL, classes, NULL, NULL, &err), &err);
        CHECK_OK(pen_predict(loaded, &data->x, NULL, classes + n, NULL, NULL, &err), &err);
        CHECK(memcmp(classes, classes + n, (size_t)n * sizeof *classes) == 0,
              "%s: a loaded model predicts differently", text);
        CHECK(memcmp(model_bias(model), model_bias(loaded),
                     (size_t)pen_model_class_count(model) * sizeof(double))
                  == 0,
              "%s: a loaded model has another bias", text);
        CHECK(!model->class_mass == !loaded->class_mass
                  && (!model->class_mass
                      || memcmp(model->class_mass, loaded->class_mass,
                                2 * (size_t)pen_model_class_count(model) * sizeof(double))
                             == 0),
              "%s: a loaded model has other class masses", text);
    } else {
        CHECK(!loaded->class_mass, "%s: class masses without scores", text);
        check_classifier_of_rows(text, model, loaded, data);
    }
}

/* ---- equal fits, parameters, lists, entries ---- */

void check_same_fit(const char *text, const sample *s, const char *other, const sample *of,
                    double columns, double values, double tolerance)
{
    const relation r = { .columns = columns, .values = values, .moved = s != of };
    pen_model *model = fit_sample(text, s), *base = fit_sample(other, of);

    check_related(model, base, &r, tolerance, text);
}

sample sample_labels(void)
{
    static const double x[] = { 0.97,  0.75, -0.02, -0.6, -1.43, 0.6,   -1.21, -0.42, -0.78, -0.28,
                                -1.35, 0.1,  0.44,  0.84, 0.78,  0.98,  -1.47, 1.03,  0.73,  -0.1,
                                -0.08, -0.4, -1.26, 0.85, -0.42, -0.41, 0.74,  0.48,  -0.59, 1.04 };
    static const int32_t y[] = { 0, 1, 0, 1, 0, 1, -1, -1, -1, -1 };
    return sample_of(10, 3, x, y);
}

double *info_list(const pen_model *model, const char *name, int64_t *count)
{
    char key[64];

    snprintf(key, sizeof key, "info.%s", name);
    *count = model_list(model, key, 0, NULL);
    double *list = check_allocate(*count, sizeof *list);
    model_list(model, key, *count, list);
    return list;
}

void check_entries(const char *what, int64_t count, const double *found, const double *right,
                   double tolerance, const char *file, int line)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(found[i] - right[i]) <= tolerance * (1 + fabs(right[i])))) {
            print_error("%s: entry %lld is %.17g, expected %.17g\n", what, (long long)i, found[i],
                        right[i]);
            check_fail(file, line);
        }
}
