/* test_csr.c - sparse symmetric matrices: products and Laplacians against full tables, with empty
 * rows and several tasks, for any number of threads. */
#include "kit/opened.h"

#include "graph/graph.h"

/* The Laplacian times weight as a table, by definition. */
static double *laplacian(const pen_graph *g, double weight)
{
    double *table = check_allocate(g->n * g->n, sizeof *table);

    for (int64_t i = 0; i < g->n; i++)
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            const int64_t j = g->other[e];
            table[i * g->n + i] += weight * g->weight[e];
            table[j * g->n + j] += weight * g->weight[e];
            table[i * g->n + j] = table[j * g->n + i] = -weight * g->weight[e];
        }
    return table;
}

static void check_structure(const pen_csr_sym *A, const double *table)
{
    int64_t there = 0, entries = 0;

    assert_int_equal(A->first[0], 0);
    for (int64_t i = 0; i < A->n; i++) {
        CHECK_CLOSE(A->diagonal[i], table[i * A->n + i], 1e-13, 1e-13);
        for (int64_t e = A->first[i]; e < A->first[i + 1]; e++) {
            CHECK(A->other[e] != i && (e == A->first[i] || A->other[e] > A->other[e - 1]),
                  "row %lld: entry %lld is in column %lld", (long long)i,
                  (long long)(e - A->first[i]), (long long)A->other[e]);
            CHECK_CLOSE(A->weight[e], table[i * A->n + A->other[e]], 0, 0);
            entries++;
        }
        for (int64_t j = 0; j < A->n; j++)
            there += j != i && table[i * A->n + j] != 0;
    }
    assert_int_equal(entries, there);
}

static void check_product(pen_run *run, pen_run *other, pen_rng *rng, const pen_csr_sym *A,
                          const double *table, int64_t k)
{
    const int64_t n = A->n;
    double *v = check_allocate(n * k, sizeof *v), *y = check_allocate(n * k, sizeof *y),
           *again = check_allocate(n * k, sizeof *again), *one = check_allocate(n, sizeof *one);

    for (int64_t i = 0; i < n * k; i++)
        v[i] = check_normal(rng);
    CHECK_CALL(pen_csr_apply(run, A, k, v, y));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k; c++) {
            double sum = 0;
            for (int64_t j = 0; j < n; j++)
                sum += table[i * n + j] * v[j * k + c];
            CHECK_CLOSE(y[i * k + c], sum, 1e-12, 1e-11);
        }
    CHECK_CALL(pen_csr_apply(other, A, k, v, again));
    assert_memory_equal(y, again, (size_t)(n * k) * sizeof *y);
    for (int64_t c = 0; c < k; c++) { /* the bits of a column do not depend on the other columns */
        for (int64_t i = 0; i < n; i++)
            again[i] = v[i * k + c];
        CHECK_CALL(pen_csr_apply(run, A, 1, again, one));
        for (int64_t i = 0; i < n; i++)
            CHECK(one[i] == y[i * k + c],
                  "row %lld, column %lld of %lld: %.17g alone, %.17g among others", (long long)i,
                  (long long)c, (long long)k, one[i], y[i * k + c]);
    }
}

TEST(laplacians)
{
    static const int64_t sizes[] = { 1, 2, 3, 17, 256, 300, 600 }, columns[] = { 1, 2, 5, 11 };
    pen_rng rng = check_rng(410);
    pen_run *run = check_run(1, NULL), *other = check_run(5, NULL);

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const double weight = s % 3 ? 1.5 : -1.5;
        pen_graph g = random_graph(run, &rng, sizes[s], s % 2 ? 20 : 1, s % 2);
        double *table = laplacian(&g, weight);
        pen_csr_sym A;
        CHECK_CALL(pen_graph_csr(run, &g, weight, &A));
        check_structure(&A, table);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            check_product(run, other, &rng, &A, table, columns[c]);
    }
    pen_run_close(run);
    pen_run_close(other);
}

/* A diagonal alone: there are no entries to read. */
TEST(diagonals)
{
    const double diagonal[3] = { 2, 0, -1 }, v[6] = { 1, 2, 3, 4, 5, 6 },
                 expected[6] = { 2, 4, 0, 0, -5, -6 };
    const int64_t first[4] = { 0, 0, 0, 0 };
    const pen_csr_sym A = { .n = 3, .first = first, .diagonal = diagonal };
    pen_run *run = check_run(1, NULL);
    double y[6];

    CHECK_CALL(pen_csr_apply(run, &A, 2, v, y));
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(y[i], expected[i], 0, 0);
    pen_run_close(run);
}
