/* test_paths.c - the scatter of path similarities against the sum over pairs, and rows that have
 * few or no similarities; test_ssda compares those of usual rows with the best paths. */
#include "check.h"

#include "graph/graph.h"
#include "scatter/path_scatter.h"

enum kind { RANDOM, GRID, DUPLICATES, CLUSTERS, KINDS };

struct opened {
    double *values;
    int32_t *labels;
    int64_t n, d;
    pen_run *run;
    pen_rows x;
    pen_neighbor *nearest;
};

/* Rows on a grid have many equal distances; duplicate rows come in pairs. */
static double value(pen_rng *rng, enum kind kind, const double *row, int64_t i, int64_t j,
                    int64_t d)
{
    if (kind == GRID)
        return (double)pen_rng_below(rng, 3);
    if (kind == DUPLICATES && i % 2 == 1)
        return row[j - d];
    return (kind == CLUSTERS ? 4 * (double)(i % 3) : 30) + check_normal(rng);
}

static struct opened open_rows(pen_rng *rng, enum kind kind, int64_t n, int64_t d, double share,
                               const pen_control *control, pen_error *err)
{
    struct opened o = { .values = check_allocate(n * d, sizeof(double)),
                        .labels = check_allocate(n, sizeof(int32_t)),
                        .n = n,
                        .d = d };

    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++)
            o.values[i * d + j] = value(rng, kind, o.values + i * d, i, j, d);
        o.labels[i] =
            pen_rng_uniform(rng) < share ? (int32_t)pen_rng_below(rng, 3) : PEN_UNLABELLED;
    }
    const pen_data data = { .x = pen_dense(o.values, PEN_F64, n, d, d), .labels = o.labels };
    assert_int_equal(pen_run_open(control, err, &o.run), PEN_OK);
    assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
    return o;
}

static void close_rows(struct opened *o)
{
    pen_run_close(o->run);
    free(o->values);
    free(o->labels);
}

static double distance2(const struct opened *o, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t c = 0; c < o->d; c++)
        sum += (o->values[i * o->d + c] - o->values[j * o->d + c])
               * (o->values[i * o->d + c] - o->values[j * o->d + c]);
    return sum;
}

static void find_merges(struct opened *o, int64_t k, pen_similarity *similarity, pen_merges *merges)
{
    assert_int_equal(
        pen_graph_neighbors(o->run, &(pen_problem){ .rows = o->x }, "k", k, &o->nearest), PEN_OK);
    assert_int_equal(pen_similarity_robust(o->run, &o->x, k, o->nearest, similarity), PEN_OK);
    assert_int_equal(pen_paths_merges(o->run, &o->x, similarity, merges), PEN_OK);
}

/* P [n x n]: the similarity of the bottleneck step of the best path, from the merges; every merge
 * joins two existing groups. */
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
              "merge %lld is more similar than the one before", (long long)m);
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
    free(parts[0]);
    free(parts[1]);
    free(group);
    return P;
}

/* S [d x d] = sum of P_ij (x_i - x_j)(x_i - x_j)' over the pairs that are not both labelled. */
static void check_scatter(struct opened *o, const pen_merges *merges, double weight)
{
    const int64_t n = o->n, d = o->d;
    double *const P = merged_paths(merges), *right = check_allocate(d * d, sizeof *right), size = 0;
    pen_sym S;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            for (int64_t a = 0;
                 a < d && (o->labels[i] == PEN_UNLABELLED || o->labels[j] == PEN_UNLABELLED); a++)
                for (int64_t b = 0; b < d; b++)
                    right[a * d + b] += weight * P[i * n + j]
                                        * (o->values[i * d + a] - o->values[j * d + a])
                                        * (o->values[i * d + b] - o->values[j * d + b]);
    for (int64_t a = 0; a < d; a++)
        size += right[a * d + a];
    assert_int_equal(pen_sym_zero(o->run, d, &S), PEN_OK);
    assert_int_equal(pen_scatter_paths(o->run, weight, &o->x, merges, &S), PEN_OK);
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b <= a; b++)
            CHECK_CLOSE(S.a[a * d + b], right[a * d + b], 0, 1e-12 * fabs(size) + 1e-300);
    free(P);
    free(right);
}

/* No labels, some, many, all; more rows than are held in memory at a time. */
static void scatters(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = { { 2, 1 }, { 61, 5 }, { 1100, 3 } };
    static const double shares[] = { 0, 0.1, 1 };
    pen_rng rng = check_rng(352);

    for (int s = 0; s < 3; s++)
        for (int share = 0; share < 3; share++)
            for (int kind = 0; kind < (shapes[s][0] > 100 ? 1 : KINDS); kind++) {
                struct opened o = open_rows(&rng, (enum kind)kind, shapes[s][0], shapes[s][1],
                                            shares[share], NULL, NULL);
                pen_similarity similarity;
                pen_merges merges;
                if (o.n > 2 || distance2(&o, 0, 1) > 0) {
                    find_merges(&o, pen_min(4, o.n - 1), &similarity, &merges);
                    check_scatter(&o, &merges, 1);
                    if (o.n < 100)
                        check_scatter(&o, &merges, -0.5);
                }
                close_rows(&o);
            }
}

/* If all rows are labelled, no pair is left and the scatter is exactly 0. If all rows but one are
 * equal, it is exactly 0 in the orthogonal direction. */
static void nothing(void **state)
{
    (void)state;
    pen_rng rng = check_rng(353);
    struct opened o = open_rows(&rng, RANDOM, 50, 3, 1, NULL, NULL),
                  duplicates = open_rows(&rng, RANDOM, 30, 2, 0, NULL, NULL);
    pen_similarity similarity;
    pen_merges merges;
    pen_sym S;

    find_merges(&o, 5, &similarity, &merges);
    assert_int_equal(pen_sym_zero(o.run, 3, &S), PEN_OK);
    assert_int_equal(pen_scatter_paths(o.run, 1, &o.x, &merges, &S), PEN_OK);
    CHECK(pen_sym_largest(&S) == 0, "no pair, and the scatter is %g", pen_sym_largest(&S));
    close_rows(&o);
    for (int64_t i = 0; i < 30; i++) {
        duplicates.values[2 * i] = i < 29 ? 0.1 : 0.3;
        duplicates.values[2 * i + 1] = 0.7;
    }
    const pen_data data = { .x = pen_dense(duplicates.values, PEN_F64, 30, 2, 2) };
    assert_int_equal(pen_rows_open(duplicates.run, &data, 0, PEN_SCALE_NONE, &duplicates.x),
                     PEN_OK);
    find_merges(&duplicates, 5, &similarity, &merges);
    assert_int_equal(pen_sym_zero(duplicates.run, 2, &S), PEN_OK);
    assert_int_equal(pen_scatter_paths(duplicates.run, 1, &duplicates.x, &merges, &S), PEN_OK);
    CHECK_CLOSE(S.a[0], 29 * 0.04 * merges.list[28].similarity, 1e-12, 0);
    CHECK(S.a[3] == 0, "equal values, and the scatter is %g", S.a[3]);
    close_rows(&duplicates);
}

/* A row so far away that its weight underflows is similar to no other row; if all nearest rows are
 * equal, all weights are 1. */
static void weights(void **state)
{
    (void)state;
    enum { N = 1000 };
    pen_rng rng = check_rng(354);
    struct opened far = open_rows(&rng, RANDOM, N, 1, 0, NULL, NULL),
                  duplicates = open_rows(&rng, DUPLICATES, 40, 3, 0, NULL, NULL);
    pen_similarity similarity;
    pen_merges merges;
    pen_sym S;

    far.values[700] = 1e9;
    const pen_data data = { .x = pen_dense(far.values, PEN_F64, N, 1, 1) };
    assert_int_equal(pen_rows_open(far.run, &data, 0, PEN_SCALE_NONE, &far.x), PEN_OK);
    find_merges(&far, 2, &similarity, &merges);
    CHECK(isinf(similarity.loss[700]), "the weight of the far row is exp(-%g)",
          similarity.loss[700]);
    CHECK(merges.list[N - 2].similarity == 0 && merges.list[N - 3].similarity > 0,
          "the last joins are %g and %g", merges.list[N - 3].similarity,
          merges.list[N - 2].similarity);
    assert_int_equal(pen_sym_zero(far.run, 1, &S), PEN_OK);
    assert_int_equal(pen_scatter_paths(far.run, 1, &far.x, &merges, &S), PEN_OK);
    CHECK(S.a[0] > 0 && S.a[0] < 1e7, "the scatter is %g", S.a[0]);
    close_rows(&far);
    find_merges(&duplicates, 1, &similarity, &merges);
    for (int64_t i = 0; i < 40; i++)
        CHECK(similarity.loss[i] == 0, "the weight of row %lld is exp(-%g)", (long long)i,
              similarity.loss[i]);
    for (int64_t m = 0; m < 20; m++)
        CHECK(merges.list[m].similarity == 1, "equal rows are similar by %g",
              merges.list[m].similarity);
    close_rows(&duplicates);
}

/* Rows 2 and 3 are equally near to row 0, and equally near to row 1, which is farther away: the
 * lower one is merged first. */
static void ties(void **state)
{
    static const double values[] = { -2, 0, 0.5, 0, 0, 1, 0, -1 };
    static const int64_t merged[][2] = { { 2, 1 }, { 4, 3 }, { 0, 5 } };
    const pen_data data = { .x = pen_dense(values, PEN_F64, 4, 2, 2) };
    double loss[4] = { 0 };
    const pen_similarity similarity = { .t = 1, .loss = loss };
    pen_merges merges;
    pen_run *run;
    pen_rows x;
    (void)state;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), PEN_OK);
    assert_int_equal(pen_paths_merges(run, &x, &similarity, &merges), PEN_OK);
    for (int m = 0; m < 3; m++)
        CHECK(merges.list[m].left == merged[m][0] && merges.list[m].right == merged[m][1],
              "merge %d is of %lld and %lld", m, (long long)merges.list[m].left,
              (long long)merges.list[m].right);
    pen_run_close(run);
}

/* The same bits for any number of threads. */
static void threads(void **state)
{
    (void)state;
    enum { N = 500, D = 400 }; /* large enough for more than one task */
    double *const first = check_allocate(D * D, sizeof *first);

    for (int kind = RANDOM; kind <= GRID; kind++)
        for (int t = 0; t < 3; t++) {
            const pen_control control = { .threads = t == 2 ? 5 : 1 + t };
            pen_rng rng = check_rng(355);
            struct opened o = open_rows(&rng, (enum kind)kind, N, D, 0.2, &control, NULL);
            pen_similarity similarity;
            pen_merges merges;
            pen_sym S;
            find_merges(&o, 5, &similarity, &merges);
            assert_int_equal(pen_sym_zero(o.run, D, &S), PEN_OK);
            assert_int_equal(pen_scatter_paths(o.run, 1, &o.x, &merges, &S), PEN_OK);
            for (int64_t i = 0; i < D * D; i++) {
                const int64_t a = i / D, b = i % D;
                if (t == 0)
                    first[i] = S.a[i];
                CHECK(b > a || S.a[i] == first[i],
                      "kind %d, %d threads: entry %lld is %.17g, with one %.17g", kind,
                      control.threads, (long long)i, S.a[i], first[i]);
            }
            close_rows(&o);
        }
    free(first);
}

static int stop_at_tree(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)user;
    return strcmp(phase, "spanning tree") == 0 && done > total / 2;
}

static void refusals(void **state)
{
    (void)state;
    const pen_control control = { .threads = 1, .progress = stop_at_tree };
    pen_rng rng = check_rng(356);
    pen_error err;
    struct opened o = open_rows(&rng, RANDOM, 50, 2, 0, &control, &err);
    pen_similarity similarity;
    pen_merges merges;

    assert_int_equal(pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", 3, &o.nearest),
                     PEN_OK);
    assert_int_equal(pen_similarity_robust(o.run, &o.x, 3, o.nearest, &similarity), PEN_OK);
    CHECK_STATUS(pen_paths_merges(o.run, &o.x, &similarity, &merges), PEN_CANCELLED, "", &err);
    pen_run_close(o.run);
    for (int times = 0; times < 2; times++) {
        for (int64_t i = 0; i < 100; i++)
            o.values[i] = times == 0 ? 0.1 : i == 7 ? 1e160 : 0;
        const pen_data data = { .x = pen_dense(o.values, PEN_F64, 50, 2, 2) };
        pen_neighbor *const nearest = check_allocate(50 * 3, sizeof *nearest);
        assert_int_equal(pen_run_open(NULL, &err, &o.run), PEN_OK);
        assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
        CHECK_STATUS(pen_similarity_robust(o.run, &o.x, 3, nearest, &similarity),
                     times == 0 ? PEN_RANK_TOO_SMALL : PEN_BAD_DATA,
                     times == 0 ? "nothing to project on: all rows are equal"
                                : "their products overflow",
                     &err);
        if (times == 0)
            pen_run_close(o.run);
        free(nearest);
    }
    close_rows(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scatters), cmocka_unit_test(nothing), cmocka_unit_test(weights),
        cmocka_unit_test(ties),     cmocka_unit_test(threads), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
