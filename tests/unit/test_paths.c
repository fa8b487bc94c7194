/* test_paths.c - the scatter of path similarities of many rows against sums over pairs; far and
 * equal rows, ties, and threads. (Few rows: the oracle of ssda.) */
#include "kit/opened.h"

#include "graph/graph.h"
#include "scatter/path_scatter.h"

/* The merges of rows by their k nearest, and the scatter S. */
struct merged {
    opened o;
    pen_similarity similarity;
    pen_merges merges;
    pen_sym S;
};

static void merge(int64_t n, int64_t d, const double *values, const int32_t *labels, int threads,
                  int64_t k, struct merged *m)
{
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d), .labels = labels };
    const pen_view *const x = &m->o.p.rows;
    pen_neighbor *nearest;

    open_rows(&data, threads, &m->o);
    CHECK_CALL(pen_graph_neighbors(m->o.run, &m->o.p, "k", k, &nearest));
    CHECK_CALL(pen_similarity_robust(m->o.run, x, k, nearest, &m->similarity));
    CHECK_CALL(pen_paths_merges(m->o.run, x, &m->similarity, &m->merges));
    CHECK_CALL(pen_sym_zero(m->o.run, d, &m->S));
    CHECK_CALL(pen_scatter_paths(m->o.run, 1, x, &m->merges, &m->S));
}

/* Normal rows, or grid points with many equal distances; a fraction is labelled. */
static double *random_rows(pen_rng *rng, int grid, int64_t n, int64_t d, double share,
                           int32_t *labels)
{
    double *values = check_allocate(n * d, sizeof *values);

    for (int64_t i = 0; i < n * d; i++)
        values[i] = grid ? (double)pen_rng_below(rng, 3) : 30 + check_normal(rng);
    for (int64_t i = 0; i < n; i++)
        labels[i] = pen_rng_uniform(rng) < share ? (int32_t)pen_rng_below(rng, 3) : PEN_UNLABELLED;
    return values;
}

/* P [n x n]: the similarity of the best path between two rows, from the merges, each of which joins
 * two existing groups. */
static double *merged_paths(const pen_merges *merges)
{
    const int64_t n = merges->n;
    double *P = check_allocate(n * n, sizeof *P);
    int64_t *group = check_allocate(n, sizeof *group),
            *parts[2] = { check_allocate(n, sizeof *group), check_allocate(n, sizeof *group) };

    for (int64_t i = 0; i < n; i++)
        group[i] = i;
    for (int64_t m = 0; m < n - 1; m++) {
        const pen_merge *const at = &merges->list[m];
        int64_t sizes[2] = { 0, 0 };
        CHECK(m == 0 || at->similarity <= at[-1].similarity,
              "merge %lld is more similar than the previous one", (long long)m);
        for (int64_t i = 0; i < n; i++)
            if (group[i] == at->left || group[i] == at->right) {
                const int part = group[i] == at->right;
                parts[part][sizes[part]++] = i;
                group[i] = n + m;
            }
        CHECK(sizes[0] > 0 && sizes[1] > 0, "merge %lld is of groups of %lld and %lld rows",
              (long long)m, (long long)sizes[0], (long long)sizes[1]);
        for (int64_t a = 0; a < sizes[0]; a++)
            for (int64_t b = 0; b < sizes[1]; b++)
                P[parts[0][a] * n + parts[1][b]] = P[parts[1][b] * n + parts[0][a]] =
                    at->similarity;
    }
    return P;
}

/* S [d x d] = sum of P_ij (x_i - x_j)(x_i - x_j)' over the pairs that are not both labelled. */
static void check_scatter(const struct merged *m, const double *values, const int32_t *labels)
{
    const int64_t n = m->o.p.rows.n, d = m->o.p.rows.d;
    double *const P = merged_paths(&m->merges), *right = check_allocate(d * d, sizeof *right),
                  size = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            for (int64_t a = 0;
                 a < d && (labels[i] == PEN_UNLABELLED || labels[j] == PEN_UNLABELLED); a++)
                for (int64_t b = 0; b < d; b++)
                    right[a * d + b] += P[i * n + j] * (values[i * d + a] - values[j * d + a])
                                        * (values[i * d + b] - values[j * d + b]);
    for (int64_t a = 0; a < d; a++)
        size += right[a * d + a];
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b <= a; b++)
            CHECK_CLOSE(m->S.a[a * d + b], right[a * d + b], 0, 1e-12 * fabs(size) + 1e-300);
}

/* No labels, some, many, all; more rows than fit in one block. */
TEST(scatters)
{
    enum { MOST = 1100, D = 3 };
    static const double shares[] = { 0, 0.1, 0.6, 1 };
    pen_rng rng = check_rng(352);
    int32_t labels[MOST];

    for (int share = 0; share < 4; share++)
        for (int few = 0; few < 2; few++) {
            const int64_t n = few ? 61 : MOST;
            double *values = random_rows(&rng, few, n, D, shares[share], labels);
            struct merged m;
            merge(n, D, values, labels, 0, 4, &m);
            check_scatter(&m, values, labels);
            /* without pairs it is exactly 0 */
            CHECK(share < 3 || pen_sym_largest(&m.S) == 0, "without pairs the scatter is %g",
                  pen_sym_largest(&m.S));
            pen_run_close(m.o.run);
        }
}

/* If all rows but one are equal, the scatter is exactly 0 in the orthogonal directions. */
TEST(one_other_row)
{
    enum { N = 30, D = 2 };
    double values[N * D];
    struct merged m;

    for (int64_t i = 0; i < N; i++) {
        values[D * i] = i < N - 1 ? 0.1 : 0.3;
        values[D * i + 1] = 0.7;
    }
    merge(N, D, values, NULL, 0, 5, &m);
    CHECK_CLOSE(m.S.a[0], (N - 1) * 0.04 * m.merges.list[N - 2].similarity, 1e-12, 0);
    CHECK(m.S.a[3] == 0, "with equal values the scatter is %g", m.S.a[3]);
    pen_run_close(m.o.run);
}

/* A row so far away that its weight underflows has similarity 0 with all others; if all nearest
 * rows are equal, all weights are 1. */
TEST(weights)
{
    enum { N = 1000, FEW = 40 };
    pen_rng rng = check_rng(354);
    int32_t none[N];
    double *values = random_rows(&rng, 0, N, 1, 0, none);
    struct merged m;

    values[700] = 1e9;
    merge(N, 1, values, none, 0, 2, &m);
    CHECK(isinf(m.similarity.loss[700]), "the weight of the far row is exp(-%g)",
          m.similarity.loss[700]);
    CHECK(m.merges.list[N - 2].similarity == 0 && m.merges.list[N - 3].similarity > 0,
          "the last joins are %g and %g", m.merges.list[N - 3].similarity,
          m.merges.list[N - 2].similarity);
    CHECK(m.S.a[0] > 0 && m.S.a[0] < 1e7, "the scatter is %g", m.S.a[0]);
    pen_run_close(m.o.run);
    for (int64_t i = 0; i < FEW; i += 2)
        values[i + 1] = values[i];
    merge(FEW, 1, values, none, 0, 1, &m);
    for (int64_t i = 0; i < FEW; i++)
        CHECK(m.similarity.loss[i] == 0, "the weight of row %lld is exp(-%g)", (long long)i,
              m.similarity.loss[i]);
    for (int64_t i = 0; i < FEW / 2; i++)
        CHECK(m.merges.list[i].similarity == 1, "equal rows are similar by %g",
              m.merges.list[i].similarity);
    pen_run_close(m.o.run);
}

/* Rows 2 and 3 tie for row 0, and for row 1, which is farther away: the lower one is merged
 * first. */
TEST(ties)
{
    static const double values[] = { -2, 0, 0.5, 0, 0, 1, 0, -1 };
    static const int64_t merged[][2] = { { 2, 1 }, { 4, 3 }, { 0, 5 } };
    const pen_data data = { .x = pen_dense(values, PEN_F64, 4, 2, 2) };
    double loss[4] = { 0 };
    const pen_similarity similarity = { .t = 1, .loss = loss };
    pen_merges merges;
    opened o;
    open_rows(&data, 1, &o);
    CHECK_CALL(pen_paths_merges(o.run, &o.p.rows, &similarity, &merges));
    for (int m = 0; m < 3; m++)
        CHECK(merges.list[m].left == merged[m][0] && merges.list[m].right == merged[m][1],
              "merge %d is of %lld and %lld", m, (long long)merges.list[m].left,
              (long long)merges.list[m].right);
    pen_run_close(o.run);
}

/* The same bits for any number of threads. */
TEST(threads)
{
    enum { N = 500, D = 400 }; /* large enough for more than one task */
    double *const first = check_allocate(D * D, sizeof *first);
    int32_t labels[N];

    for (int grid = 0; grid < 2; grid++)
        for (int count = 1; count <= 5; count += 2) {
            pen_rng rng = check_rng(355);
            double *values = random_rows(&rng, grid, N, D, 0.2, labels);
            struct merged m;
            merge(N, D, values, labels, count, 5, &m);
            for (int64_t a = 0; a < D; a++) {
                if (count == 1)
                    memcpy(first + a * D, m.S.a + a * D, (size_t)(a + 1) * sizeof *first);
                assert_memory_equal(first + a * D, m.S.a + a * D, (size_t)(a + 1) * sizeof *first);
            }
            pen_run_close(m.o.run);
        }
}

static int stop_at_tree(void *user, const char *phase, int64_t done, int64_t total)
{
    return strcmp(phase, "spanning tree") == 0 && done > total / 2;
}

TEST(refusals)
{
    enum { N = 50 };
    static const struct {
        double value, seventh;
        pen_status status;
        const char *phrase;
    } cases[] = {
        { 0.1, 0.1, PEN_RANK_TOO_SMALL, "nothing to project on: all rows are equal" },
        { 0, 1e160, PEN_BAD_DATA, "their products overflow" },
    };
    const pen_control control = { .threads = 1, .progress = stop_at_tree };
    double values[N], loss[N] = { 0 };
    const pen_data data = { .x = pen_dense(values, PEN_F64, N, 1, 1) };
    pen_neighbor nearest[N * 3] = { { 0, 0 } };
    pen_similarity similarity = { .t = 1, .loss = loss };
    pen_merges merges;
    pen_error err;
    pen_view x;
    opened o;
    for (int c = 0; c < 2; c++) {
        for (int64_t i = 0; i < N; i++)
            values[i] = i == 7 ? cases[c].seventh : cases[c].value;
        open_rows(&data, 1, &o);
        CHECK_STATUS(pen_similarity_robust(o.run, &o.p.rows, 3, nearest, &similarity),
                     cases[c].status, cases[c].phrase, &o.err);
        pen_run_close(o.run);
    }
    for (int64_t i = 0; i < N; i++)
        values[i] = (double)(i * i);
    similarity = (pen_similarity){ .t = 1, .loss = loss };
    CHECK_CALL(pen_run_open(&control, &err, &o.run));
    CHECK_CALL(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &x));
    CHECK_STATUS(pen_paths_merges(o.run, &x, &similarity, &merges), PEN_CANCELLED, "cancelled",
                 &err);
    pen_run_close(o.run);
}
