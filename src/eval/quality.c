/* quality.c - k-means, purity of neighborhoods and trustworthiness of rows as given. */
#include "core/arguments.h"
#include "core/parallel.h"
#include "eval/kmeans.h"
#include "neighbors/neighbors.h"

#include <string.h>

enum { ROWS = 16 };

static pen_status open_rows(pen_run *run, const pen_array *x, const char *name, pen_rows *rows)
{
    const pen_common unprocessed = { .dim = 0 };
    pen_data data = { .on_contradiction = PEN_CONTRADICTION_ERROR };

    PEN_TRY(pen_check_given(run, x, name));
    PEN_TRY(pen_array_check(run, x, name));
    data.x = *x;
    PEN_TRY(pen_rows_open(run, &data, &unprocessed, rows));
    return pen_rows_need_squares(run, rows, 0);
}

/* ---- k-means ---- */

static pen_status cluster_rows(pen_run *run, const pen_array *x, int64_t k, int64_t restarts,
                               uint64_t seed, int32_t *cluster, double *sum)
{
    pen_rows rows;
    double *values, there;

    PEN_TRY(pen_check_given(run, cluster, "cluster"));
    PEN_TRY(open_rows(run, x, "x", &rows));
    PEN_REQUIRE(run, k >= 1 && k <= rows.n, PEN_BAD_ARGUMENT,
                "clusters must be in [1, %lld], the number of rows, got %lld", (long long)rows.n,
                (long long)k);
    PEN_REQUIRE(run, restarts >= 1 && restarts <= PEN_MOST_RUNS, PEN_BAD_ARGUMENT,
                "restarts must be in [1, %d], got %lld", PEN_MOST_RUNS, (long long)restarts);
    if (pen_rows_are_sparse(&rows))
        return pen_kmeans_sparse(run, &rows, k, restarts, seed, cluster, sum ? sum : &there);
    PEN_TRY(PEN_NEW(run, values, pen_times(rows.n, rows.d)));
    pen_rows_centered(&rows, NULL, 0, rows.n, values);
    return pen_kmeans_restarts(run, rows.n, rows.d, values, k, restarts, seed, cluster,
                               sum ? sum : &there);
}

pen_status pen_kmeans(const pen_array *x, int64_t k, int64_t restarts, uint64_t seed,
                      const pen_control *control, int32_t *cluster, double *sum, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = cluster_rows(run, x, k, restarts, seed, cluster, sum);
    pen_run_close(run);
    return status;
}

/* ---- purity ---- */

static pen_status measure_purity(pen_run *run, const pen_array *z, const int32_t *labels, int64_t k,
                                 double *purity)
{
    const pen_subset all = { NULL, z ? z->rows : 0 };
    pen_neighbor *found;
    int64_t *same;
    pen_rows rows;

    PEN_TRY(pen_check_given(run, labels, "labels"));
    PEN_TRY(pen_check_given(run, purity, "purity"));
    PEN_TRY(open_rows(run, z, "z", &rows));
    PEN_REQUIRE(run, k >= 1 && k <= rows.n - 1, PEN_BAD_ARGUMENT,
                "neighbors must be in [1, %lld], the number of other rows, got %lld",
                (long long)rows.n - 1, (long long)k);
    for (int64_t i = 0; i < rows.n; i++)
        PEN_REQUIRE(run, labels[i] != PEN_UNLABELLED, PEN_NO_LABELS,
                    "purity needs labels for all rows, row %lld has none", (long long)i);
    PEN_TRY(PEN_NEW(run, found, pen_times(rows.n, k)));
    PEN_TRY(PEN_NEW(run, same, k));
    PEN_TRY(pen_neighbors_nearest(run, &rows, all, all, k, found));
    memset(same, 0, (size_t)k * sizeof *same);
    for (int64_t i = 0; i < rows.n; i++)
        for (int64_t j = 0; j < k; j++)
            same[j] += labels[found[i * k + j].row] == labels[i];
    int64_t sum = 0;
    for (int64_t j = 0; j < k; j++) {
        sum += same[j];
        purity[j] = (double)sum / ((double)rows.n * (double)(j + 1));
    }
    return PEN_OK;
}

pen_status pen_purity(const pen_array *z, const int32_t *labels, int64_t k,
                      const pen_control *control, double *purity, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = measure_purity(run, z, labels, k, purity);
    pen_run_close(run);
    return status;
}

/* ---- trustworthiness ---- */

struct ranks {
    const pen_rows *x;
    int64_t most, count;
    const int64_t *sizes;      /* [count] numbers of neighbors, at most `most` */
    const pen_neighbor *found; /* [n x most] of the embedding */
    pen_slices distance2;      /* [n] */
    int64_t *intruded;         /* [tasks x count] */
};

/* Sum max(0, rank - k) over the k nearest neighbors in the embedding, where rank is their rank as
 * neighbors among the rows, for each number k. */
static void rank_rows(void *context, int64_t task, int worker)
{
    const struct ranks *r = context;
    const int64_t n = r->x->n;
    double *const restrict distance2 = pen_slice(&r->distance2, worker);

    int64_t *const intruded = r->intruded + task * r->count;

    memset(intruded, 0, (size_t)r->count * sizeof *intruded);
    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, n); i++) {
        for (int64_t j = 0; j < n; j++)
            distance2[j] = pen_rows_distance2(r->x, i, j);
        for (int64_t c = 0; c < r->most; c++) {
            const int64_t row = r->found[i * r->most + c].row;
            int64_t rank = 1;
            for (int64_t j = 0; j < n; j++)
                rank += j != i
                        && (distance2[j] < distance2[row]
                            || (distance2[j] == distance2[row] && j < row));
            for (int64_t s = 0; s < r->count; s++)
                intruded[s] += c < r->sizes[s] ? pen_max(rank - r->sizes[s], 0) : 0;
        }
    }
}

static pen_status check_sizes(pen_run *run, const int64_t *sizes, int64_t count, int64_t n,
                              int64_t *most)
{
    *most = 0;
    for (int64_t s = 0; s < count; s++) {
        PEN_REQUIRE(run, sizes[s] >= 1 && sizes[s] <= (n - 1) / 2, PEN_BAD_ARGUMENT,
                    "neighbors must be in [1, %lld], less than half of the rows, got %lld",
                    (long long)(n - 1) / 2, (long long)sizes[s]);
        *most = pen_max(*most, sizes[s]);
    }
    return PEN_OK;
}

static pen_status measure_trust(pen_run *run, const pen_array *x, const pen_array *z,
                                const int64_t *sizes, int64_t count, double *trust)
{
    pen_rows rows, embedded;
    struct ranks r = { .x = &rows, .sizes = sizes, .count = count };
    pen_neighbor *found;

    PEN_TRY(pen_check_given(run, trust, "trust"));
    PEN_TRY(pen_check_given(run, sizes, "sizes"));
    PEN_REQUIRE(run, count >= 1, PEN_BAD_ARGUMENT, "count must be >= 1, got %lld",
                (long long)count);
    PEN_TRY(open_rows(run, x, "x", &rows));
    PEN_TRY(open_rows(run, z, "z", &embedded));
    const int64_t n = rows.n, tasks = (n + ROWS - 1) / ROWS;
    const pen_subset all = { NULL, n };
    PEN_REQUIRE(run, embedded.n == n, PEN_BAD_DATA,
                "x and z must have the same number of rows, got %lld and %lld", (long long)n,
                (long long)embedded.n);
    PEN_TRY(check_sizes(run, sizes, count, n, &r.most));
    PEN_TRY(PEN_NEW(run, found, pen_times(n, r.most)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), n, sizeof(double), &r.distance2));
    PEN_TRY(PEN_NEW(run, r.intruded, pen_times(tasks, count)));
    PEN_TRY(pen_neighbors_nearest(run, &embedded, all, all, r.most, found));
    r.found = found;
    PEN_TRY(pen_parallel(run, PEN_WHOLE("ranks of neighbors"), tasks, rank_rows, &r));
    for (int64_t s = 0; s < count; s++) {
        const int64_t k = sizes[s];
        int64_t intruded = 0;
        for (int64_t t = 0; t < tasks; t++)
            intruded += r.intruded[t * count + s];
        trust[s] = 1 - 2 * (double)intruded / ((double)n * (double)k * (double)(2 * n - 3 * k - 1));
    }
    return PEN_OK;
}

pen_status pen_trustworthiness_at(const pen_array *x, const pen_array *z, const int64_t *sizes,
                                  int64_t count, const pen_control *control, double *trust,
                                  pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = measure_trust(run, x, z, sizes, count, trust);
    pen_run_close(run);
    return status;
}

pen_status pen_trustworthiness(const pen_array *x, const pen_array *z, int64_t k,
                               const pen_control *control, double *trust, pen_error *err)
{
    return pen_trustworthiness_at(x, z, &k, 1, control, trust, err);
}
