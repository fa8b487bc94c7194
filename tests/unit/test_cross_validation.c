/* test_cross_validation.c - losses on held-out labels and pairs against literal ones, and choices
 * of fits by them. */
#include "kit/large_rows.h"
#include "kit/opened.h"
#include "kit/pairs_fit.h"
#include "solve/cross_validation.h"

#include <stdio.h>

enum { N = 60, D = 4 };

/* Two classes separated in the first column; the last column is large noise. */
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

/* Distinct pairs of rows of one class, or of two. */
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

enum { MOST = 400, CANDIDATES = 3, ALL = CANDIDATES + 1 };

/* Candidate c keeps columns c, c + 1, .. cyclically, and the last one fails. Sums the losses in 1,
 * 2, .. columns on the labels or pairs that `known` lacks. */
struct literal {
    const pen_data *data;
    opened o; /* as a method receives them */
    int64_t dims, folds;
    double sum[CANDIDATES][D];
    char missing[2][N][N], hidden[N];
};

static double value(const struct literal *l, int64_t i, int64_t c, int64_t r)
{
    return ((const double *)l->data->x.values)[i * D + (c + r) % D];
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
    const int32_t *const y = l->data->labels;
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

static void mark(void *context, int64_t row, int64_t other, double weight)
{
    char(*const marks)[N] = context;

    marks[row < other ? row : other][row < other ? other : row] ^= 1;
}

/* Data that `known` lacks is held out: labels or pairs. */
static void look(struct literal *l, const pen_problem *known)
{
    int64_t others[N];

    memset(l->missing, 0, sizeof l->missing);
    for (int i = 0; i < N; i++)
        l->hidden[i] = l->data->labels && l->data->labels[i] != PEN_UNLABELLED;
    for (int64_t i = 0; i < known->rows.labelled; i++)
        l->hidden[known->rows.members[i]] = 0;
    for (int kind = 0; kind < 2; kind++) {
        pen_pairs_each(&l->o.p.rows, l->o.p.pairs, kind, others, mark, l->missing[kind]);
        pen_pairs_each(&known->rows, known->pairs, kind, others, mark, l->missing[kind]);
    }
    l->folds++;
    for (int64_t c = 0; c < CANDIDATES; c++)
        for (int64_t r = 0; r < l->dims; r++)
            l->sum[c][r] += l->o.pairs.closed ? rows_loss(l, c, r + 1) : pairs_loss(l, c, r + 1);
}

static pen_status keep_columns(void *context, pen_run *own, const pen_problem *known, int64_t i,
                               const pen_request *request, pen_projection *out)
{
    struct literal *const l = context;

    if (i == 0)
        look(l, known);
    if (i == CANDIDATES)
        return pen_fail(own, PEN_RANK_TOO_SMALL, "nothing to project on");
    out->k = request->wanted;
    PEN_TRY(PEN_NEW(own, out->W, D * out->k));
    memset(out->W, 0, (size_t)(D * out->k) * sizeof *out->W);
    for (int64_t r = 0; r < out->k; r++)
        out->W[(i + r) % D * out->k + r] = 1;
    return PEN_OK;
}

/* More dimensions than a candidate has: the loss in all of them. */
static void check_losses(const pen_data *data, int64_t dims, int64_t folds)
{
    struct literal l = { .data = data, .dims = dims };
    pen_held_out held;

    open_pairs(data, 0, &(pen_pair_params){ .closure = 0 }, PEN_ORDER_ROWS, &l.o);
    assert_true(pen_cross_validate(l.o.run, &l.o.p, &(pen_request){ .wanted = dims }, dims + 1, ALL,
                                   keep_columns, &l, &held)
                == PEN_OK);
    assert_true(held.count > 0 && l.folds == folds);
    for (int64_t c = 0; c < CANDIDATES; c++)
        for (int64_t r = 0; r <= dims; r++)
            CHECK_CLOSE(held.loss[c * (dims + 1) + r],
                        l.sum[c][pen_min(r, dims - 1)] / (double)folds, 1e-12, 1e-12);
    assert_true(held.loss[0] < held.loss[dims + 1]);
    CHECK_CLOSE(held.loss[CANDIDATES * (dims + 1)], 1, 0, 0);
    pen_run_close(l.o.run);
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
    for (int64_t dims = 2; dims <= D; dims += 2) {
        check_losses(&labels, dims, 10);
        check_losses(&pairs, dims, 10);
    }
    both.must_link = must; /* listed pairs of unlabelled rows besides labels */
    both.cannot_link = cannot;
    both.must_link_count = pairs.must_link_count;
    both.cannot_link_count = pairs.cannot_link_count;
    check_losses(&both, 2, 10);
    pairs.cannot_link_count = 3;
    check_losses(&pairs, 1, 9); /* three runs of three folds */
}

static const char *const asked[] = { "ssdr alpha=cv beta=cv dim=auto",
                                     "npssdr beta=cv mu=cv dim=2",
                                     "rssdr alpha=cv beta=cv",
                                     "bwdr threshold=cv dim=auto",
                                     "wbdr threshold=cv dim=auto",
                                     "rca ridge=cv dim=auto",
                                     "cfld dim=auto",
                                     "clpp dim=auto",
                                     "cmm dim=auto",
                                     "sodrpac lambda=cv gamma=cv pair_terms=sum dim=1" };

/* The literal choice: the dimensions of least loss and, among losses within half a standard error
 * in these dimensions, the earliest values of the grids. */
static void check_choice(const pen_model *model, int64_t held, const char *chosen)
{
    static const int alpha[] = { 1, 10 }, beta[] = { 20, 1, 100 };
    double loss[6 * D];
    char text[80];
    int64_t least = 0, best = -1;

    assert_int_equal(model_list(model, "info.held_out_loss", 6 * D, loss), 6 * D);
    for (int64_t at = 0; at < 6 * D; at++)
        if (loss[at] < loss[least] || (loss[at] == loss[least] && at % D < least % D))
            least = at;
    const double most = loss[least] + sqrt(loss[least] * (1 - loss[least]) / (double)held) / 2;
    for (int64_t i = 0; i < 6; i++)
        if (loss[i * D + least % D] <= most && (best < 0 || i / 3 + i % 3 < best / 3 + best % 3))
            best = i;
    snprintf(text, sizeof text, "alpha=%d beta=%d dim=%d", alpha[best / 3], beta[best % 3],
             (int)(least % D) + 1);
    assert_string_equal(chosen, text);
}

/* The fit has the same bits as one with the values it notes, on any number of threads. */
static void check_fit(const char *text, const pen_data *data)
{
    char explicit[200];
    const char *chosen;
    pen_model *const model = fit_data(text, data);

    assert_true(pen_model_value(model, "info.chosen", NULL, &chosen));
    snprintf(explicit, sizeof explicit, "%s %s", text, chosen); /* the last value counts */
    check_same_bits(model, fit_data(explicit, data), text);
    check_same_bits(model, large_fit(data, text, 3, PEN_OK, NULL), text);
    if (strncmp(text, "ssdr", 4) == 0)
        check_choice(model, data->labels ? N - N / 5 : (int64_t)info_number(model, "cannot_links"),
                     chosen);
}

TEST(cv_equals_a_fit)
{
    pen_rng rng = check_rng(9405);
    sample s = problem(9404);
    const pen_data labels = sample_data(&s);
    for (int64_t t = 0; t < COUNT_OF(asked); t++) {
        linked l = linked_random(&rng, N, D, 2, 12, 9);
        linked_weigh(&rng, &l);
        const pen_data pairs = linked_data(&l);
        check_fit(asked[t], &labels);
        check_fit(asked[t], &pairs);
        check_fit(asked[0], &pairs);
    }
}

TEST(thresholds_are_distinguished)
{
    sample s = problem(9404);
    const pen_data labels = sample_data(&s);
    double loss[4 * D];
    pen_model *const model = fit_data("wbdr threshold=cv dim=auto", &labels);
    assert_int_equal(model_list(model, "info.held_out_loss", 4 * D, loss), 4 * D);
    assert_memory_not_equal(loss, loss + D, D * sizeof *loss);
}

/* Two labels in a class, or one cannot-link: the defaults, in all dimensions. */
TEST(too_few_to_choose)
{
    pen_rng rng = check_rng(9406);
    linked l = linked_random(&rng, N, D, 2, 30, 1);
    sample s = problem(9403);
    for (int i = 4; i < N; i++)
        s.y[i] = PEN_UNLABELLED;
    const pen_data sets[] = { linked_data(&l), sample_data(&s) };
    for (int t = 0; t < 2; t++) {
        pen_model *const model = fit_data(asked[0], &sets[t]);
        const char *said;
        assert_true(pen_model_value(model, "info.chosen", NULL, &said));
        assert_string_equal(said, "alpha=1 beta=20 dim=all");
        assert_true(pen_model_value(model, "info.warning", NULL, &said));
        assert_non_null(strstr(said, "too little to hold out"));
        check_same_bits(model, fit_data("ssdr", &sets[t]), "ssdr");
    }
}
