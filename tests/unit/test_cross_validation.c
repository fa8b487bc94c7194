/* test_cross_validation.c - losses on held-out labels and pairs against literal ones, and what
 * sodrpac chooses by them. */
#include "kit/opened.h"
#include "kit/pairs_fit.h"

#include "solve/cross_validation.h"

#include <stdio.h>

enum { N = 60, D = 4 };

/* Two classes apart in the first column; the last column is large noise. */
static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = check_normal(&rng) * (j == D - 1 ? 4 : 1);
        s.x[i * D] += i % 2 ? 2 : -1;
        s.y[i] = i % 5 ? i % 2 : PEN_UNLABELLED;
    }
    return s;
}

/* Distinct pairs of rows of the same class, or of different ones. */
static int64_t draw_pairs(pen_rng *rng, int same, int64_t count, int64_t *pairs)
{
    int64_t made = 0;

    while (made < count) {
        const int64_t i = pen_rng_below(rng, N), j = pen_rng_below(rng, N);
        int known = i >= j || (i % 2 == j % 2) != same;
        for (int64_t p = 0; p < made; p++)
            known |= pairs[2 * p] == i && pairs[2 * p + 1] == j;
        if (known)
            continue;
        pairs[2 * made] = i;
        pairs[2 * made++ + 1] = j;
    }
    return made;
}

/* Rows with their pairs, as a method gets them. */
struct problem {
    const pen_data *data;
    opened o;
};

static void open_problem(const pen_data *data, struct problem *p)
{
    p->data = data;
    open_pairs(data, 0, &(pen_pair_params){ .closure = 0 }, PEN_ORDER_ROWS, &p->o);
}

/* ---- literal losses ---- */

enum { MOST = 400, CANDIDATES = 3 };

/* Candidate c keeps columns c, c + 1, .. in turn; sums its losses by what `known` lacks. */
struct literal {
    const struct problem *p;
    int64_t dims; /* of a candidate */
    int each;
    double sum[CANDIDATES];
    int64_t folds, given[2], held_rows;
    double column[CANDIDATES][D];
    char missing[2][N][N], hidden[N];
};

static double value(const struct literal *l, int64_t i, int64_t c, int64_t r)
{
    return ((const double *)l->p->data->x.values)[i * D + (c + r) % D];
}

static double length2(const struct literal *l, int64_t i, int64_t j, int64_t c, int64_t dims)
{
    double sum = 0;

    for (int64_t r = 0; r < dims; r++)
        sum += pow(value(l, i, c, r) - value(l, j, c, r), 2);
    return sum;
}

static double pairs_loss(const struct literal *l, int64_t c, int64_t dims)
{
    double longer = 0, all = 0;

    for (int a = 0; a < N * N; a++)
        for (int b = 0; b < N * N && l->missing[1][a / N][a % N]; b++)
            if (l->missing[0][b / N][b % N]) {
                const double must = length2(l, a / N, a % N, c, dims),
                             cannot = length2(l, b / N, b % N, c, dims);
                longer += must > cannot ? 1 : must == cannot ? 0.5 : 0;
                all++;
            }
    return longer / all;
}

static double rows_loss(const struct literal *l, int64_t c, int64_t dims)
{
    const int32_t *const y = l->p->data->labels;
    double wrong = 0, all = 0;

    for (int i = 0; i < N; i++) {
        double least = INFINITY;
        int32_t predicted = -1;
        for (int j = 0; j < N && l->hidden[i]; j++)
            if (y[j] != PEN_UNLABELLED && !l->hidden[j] && length2(l, i, j, c, dims) < least) {
                least = length2(l, i, j, c, dims);
                predicted = y[j];
            }
        wrong += l->hidden[i] && predicted != y[i];
        all += l->hidden[i];
    }
    return wrong / all;
}

static double literal_loss(const struct literal *l, int64_t c)
{
    const int by_rows = l->p->o.pairs.closed;
    double sum = 0;

    for (int64_t r = 1; l->each && r <= l->dims; r++)
        sum += (by_rows ? rows_loss(l, c, r) : pairs_loss(l, c, r)) / (double)l->dims;
    return l->each ? sum : by_rows ? rows_loss(l, c, l->dims) : pairs_loss(l, c, l->dims);
}

static void mark(void *context, int64_t row, int64_t other, double weight)
{
    char(*const marks)[N] = context;

    marks[row < other ? row : other][row < other ? other : row] ^= 1;
}

/* What is given and `known` lacks is held out: labels, or pairs. */
static pen_status look(void *context, pen_run *run, const pen_problem *known, int64_t group)
{
    struct literal *const l = context;
    int64_t others[N];

    if (group > 0)
        return PEN_OK;
    memset(l->missing, 0, sizeof l->missing);
    for (int i = 0; i < N; i++)
        l->hidden[i] = l->p->data->labels && l->p->data->labels[i] != PEN_UNLABELLED;
    for (int64_t i = 0; i < known->rows.labelled; i++)
        l->hidden[known->rows.members[i]] = 0;
    for (int kind = 0; kind < 2; kind++) {
        pen_pairs_each(&l->p->o.p.rows, l->p->o.p.pairs, kind, others, mark, l->missing[kind]);
        pen_pairs_each(&known->rows, known->pairs, kind, others, mark, l->missing[kind]);
        for (int p = 0; p < N * N; p++)
            l->held_rows += l->missing[kind][p / N][p % N];
    }
    l->folds++;
    for (int64_t c = 0; c < CANDIDATES; c++)
        l->sum[c] += literal_loss(l, c);
    return PEN_OK;
}

static pen_status keep_columns(void *context, pen_run *run, int64_t group, int64_t i,
                               const pen_request *request, pen_projection *out)
{
    const struct literal *l = context;

    assert_true(request->wanted == l->dims);
    out->k = l->dims;
    PEN_TRY(PEN_NEW(run, out->W, D * out->k));
    memset(out->W, 0, (size_t)(D * out->k) * sizeof *out->W);
    for (int64_t r = 0; r < out->k; r++)
        out->W[(group + r) % D * out->k + r] = 1;
    return PEN_OK;
}

static void check_losses(const pen_data *data, int64_t wanted, int64_t folds)
{
    const pen_request request = { .wanted = wanted };
    struct literal l = { .dims = wanted ? wanted : D, .each = wanted == 0 };
    const pen_candidates candidates = { CANDIDATES, 1, look, keep_columns, &l };
    struct problem p;
    pen_held_out held;

    open_problem(data, &p);
    l.p = &p;
    assert_true(pen_cross_validate(p.o.run, &p.o.p, &request, &candidates, &held) == PEN_OK);
    assert_true(held.there && l.folds == folds && held.error > 0);
    for (int c = 0; c < CANDIDATES; c++)
        CHECK_CLOSE(held.loss[c], l.sum[c] / (double)folds, 1e-12, 1e-14);
    CHECK(held.loss[0] < held.loss[1], "losses %g and %g", held.loss[0], held.loss[1]);
    pen_run_close(p.o.run);
}

TEST(literal_losses)
{
    sample s = problem(9401);
    pen_rng rng = check_rng(9402);
    int64_t must[2 * MOST], cannot[2 * MOST];
    const pen_data labels = sample_data(&s);
    pen_data pairs = { .x = labels.x, .must_link = must, .cannot_link = cannot }, both = labels;
    pairs.must_link_count = draw_pairs(&rng, 1, 40, must);
    pairs.cannot_link_count = draw_pairs(&rng, 0, 30, cannot);
    for (int64_t wanted = 0; wanted < 3; wanted += 2) {
        check_losses(&labels, wanted, 10);
        check_losses(&pairs, wanted, 10);
    }
    both.must_link = must; /* listed pairs of unlabelled rows besides labels */
    both.cannot_link = cannot;
    both.must_link_count = pairs.must_link_count;
    both.cannot_link_count = pairs.cannot_link_count;
    check_losses(&both, 2, 10);
    pairs.cannot_link_count = 3;
    check_losses(&pairs, 1, 9); /* three runs of three folds */
}

/* Two labels of a class, one class, one pair: nothing is tried. */
TEST(too_little)
{
    sample s = problem(9403);
    const int64_t must[] = { 0, 2 }, cannot[] = { 0, 1, 2, 3 };
    const pen_request request = { .wanted = 1 };
    struct literal l = { .dims = 1 };
    const pen_candidates candidates = { CANDIDATES, 1, look, keep_columns, &l };
    for (int i = 0; i < N; i++)
        s.y[i] = i < 4 ? i % 2 : PEN_UNLABELLED;
    const pen_data labels = sample_data(&s), pairs = { .x = labels.x,
                                                       .must_link = must,
                                                       .must_link_count = 1,
                                                       .cannot_link = cannot,
                                                       .cannot_link_count = 2 };
    for (int t = 0; t < 2; t++) {
        pen_held_out held;
        struct problem p;
        open_problem(t ? &pairs : &labels, &p);
        assert_true(pen_cross_validate(p.o.run, &p.o.p, &request, &candidates, &held) == PEN_OK);
        assert_true(!held.there && l.folds == 0);
        pen_run_close(p.o.run);
    }
}

/* ---- sodrpac ---- */

static double info_of(const char *text, const pen_data *data, const char *key)
{
    pen_model *const model = fit_data(text, data);
    const double value = info_number(model, key);

    return value;
}

/* A fit with cv is that with the values it notes, bit for bit; too little: the defaults. */
TEST(cv_is_a_fit)
{
    static const char *const texts[] = { "sodrpac lambda=cv gamma=cv dim=2",
                                         "sodrpac lambda=cv pair_terms=sum dim=1",
                                         "sodrpac gamma=cv pair_terms=balanced" };
    sample s = problem(9404);
    const pen_data data = sample_data(&s);
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        const double lambda = info_of(texts[t], &data, "lambda"),
                     gamma = info_of(texts[t], &data, "gamma");
        char text[200];
        snprintf(text, sizeof text, "sodrpac lambda=%.17g gamma=%.17g %s", lambda, gamma,
                 t == 0   ? "dim=2"
                 : t == 1 ? "pair_terms=sum dim=1"
                          : "pair_terms=balanced");
        pen_model *const a = fit_data(texts[t], &data), *const b = fit_data(text, &data);
        const int64_t k = pen_model_dim(a);
        assert_true(k == pen_model_dim(b));
        assert_memory_equal(pen_model_tensor(a, "projection").values,
                            pen_model_tensor(b, "projection").values,
                            (size_t)(D * k) * sizeof(double));
    }
    for (int i = 0; i < N; i++)
        s.y[i] = i < 4 ? i % 2 : PEN_UNLABELLED;
    CHECK_CLOSE(info_of("sodrpac lambda=cv dim=2", &data, "lambda"), 0.125, 0, 0);
}
