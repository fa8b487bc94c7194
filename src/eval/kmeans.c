/* kmeans.c - starts run in parallel; each of them is a plain loop. Sparse points have dense
 * centers, and distances |b|^2 - 2 bc + |c|^2. Arthur, Vassilvitskii 2007; Lloyd 1982. */
#include "eval/kmeans.h"

#include "core/parallel.h"
#include "core/rng.h"
#include "linalg/sparse_rows.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 300 };

/* The points: y, or sparse rows and their entries. */
struct points {
    int64_t n, d;
    const double *y; /* [n x d] centered */
    const pen_rows *x;
    const pen_sparse_rows *entries;
    const double *length2; /* [n] of entries */
};

/* One start. */
struct lloyd {
    struct points p;
    int64_t k;
    double *centers;  /* [k x d] */
    double *center2;  /* [k] squared lengths, for sparse points */
    double *nearest;  /* [n] squared distance to the center of its cluster */
    int32_t *cluster; /* [n] */
    int64_t *size;    /* [k] */
};

static double sparse_distance2(const struct lloyd *s, int64_t i, int64_t c)
{
    const pen_sparse_rows *const entries = s->p.entries;
    const double *const center = s->centers + c * s->p.d;
    double product = 0;

    for (int64_t e = entries->starts[i]; e < entries->starts[i + 1]; e++)
        product += entries->values[e] * center[entries->columns[e]];
    return fmax(0, s->p.length2[i] + s->center2[c] - 2 * product);
}

/* From point i to center c. */
static double distance2(const struct lloyd *s, int64_t i, int64_t c)
{
    if (s->p.entries)
        return sparse_distance2(s, i, c);
    const double *restrict point = s->p.y + i * s->p.d, *restrict center = s->centers + c * s->p.d;
    double sum = 0;

    for (int64_t j = 0; j < s->p.d; j++)
        sum += (point[j] - center[j]) * (point[j] - center[j]);
    return sum;
}

/* Adds point i to `to` [d]. */
static void add_point(const struct points *p, int64_t i, double *restrict to)
{
    for (int64_t j = 0; !p->entries && j < p->d; j++)
        to[j] += p->y[i * p->d + j];
    for (int64_t e = p->entries ? p->entries->starts[i] : 0;
         p->entries && e < p->entries->starts[i + 1]; e++)
        to[p->entries->columns[e]] += p->entries->values[e];
}

static void measure_centers(const struct lloyd *s)
{
    for (int64_t c = 0; s->p.entries && c < s->k; c++) {
        s->center2[c] = 0;
        for (int64_t j = 0; j < s->p.d; j++)
            s->center2[c] += s->centers[c * s->p.d + j] * s->centers[c * s->p.d + j];
    }
}

/* k-means++: a point becomes the next center with a probability proportional to its squared
 * distance from the nearest center so far. */
static int64_t draw_center(const struct lloyd *s, pen_rng *rng)
{
    double total = 0, reached = 0;

    for (int64_t i = 0; i < s->p.n; i++)
        total += s->nearest[i];
    if (total == 0)
        return pen_rng_below(rng, s->p.n);
    const double goal = pen_rng_uniform(rng) * total;
    for (int64_t i = 0; i < s->p.n; i++) {
        reached += s->nearest[i];
        if (reached > goal)
            return i;
    }
    return s->p.n - 1;
}

/* From point i to center c, which is point `row`: exactly 0 for equal points. */
static double distance2_to_point(const struct lloyd *s, int64_t i, int64_t c, int64_t row)
{
    return s->p.entries ? pen_rows_distance2(s->p.x, i, row) : distance2(s, i, c);
}

static void choose_centers(const struct lloyd *s, pen_rng *rng)
{
    int64_t next = pen_rng_below(rng, s->p.n);

    memset(s->centers, 0, (size_t)(s->k * s->p.d) * sizeof *s->centers);
    for (int64_t c = 0; c < s->k; c++) {
        if (c > 0)
            next = draw_center(s, rng);
        add_point(&s->p, next, s->centers + c * s->p.d);
        for (int64_t i = 0; i < s->p.n; i++) {
            const double there = distance2_to_point(s, i, c, next);
            s->nearest[i] = c == 0 ? there : fmin(s->nearest[i], there);
        }
    }
}

/* Assign each point to its nearest center, the first among equals. */
static void assign(const struct lloyd *s, int32_t *to)
{
    memset(s->size, 0, (size_t)s->k * sizeof *s->size);
    for (int64_t i = 0; i < s->p.n; i++) {
        to[i] = 0;
        s->nearest[i] = distance2(s, i, 0);
        for (int64_t c = 1; c < s->k; c++) {
            const double there = distance2(s, i, c);
            if (there < s->nearest[i]) {
                s->nearest[i] = there;
                to[i] = (int32_t)c;
            }
        }
        s->size[to[i]]++;
    }
}

/* Each empty cluster takes the point farthest from its center, among clusters with more than one
 * point. */
static void fill_empty(const struct lloyd *s, int32_t *to)
{
    for (int64_t c = 0; c < s->k; c++) {
        int64_t far = -1;
        for (int64_t i = 0; s->size[c] == 0 && i < s->p.n; i++)
            if (s->size[to[i]] > 1 && (far < 0 || s->nearest[i] > s->nearest[far]))
                far = i;
        if (far < 0)
            continue;
        s->size[to[far]]--;
        to[far] = (int32_t)c;
        s->size[c] = 1;
        s->nearest[far] = 0;
    }
}

static void center_clusters(const struct lloyd *s)
{
    const int64_t d = s->p.d;

    memset(s->centers, 0, (size_t)(s->k * d) * sizeof *s->centers);
    for (int64_t i = 0; i < s->p.n; i++)
        add_point(&s->p, i, s->centers + s->cluster[i] * d);
    for (int64_t c = 0; c < s->k; c++)
        for (int64_t j = 0; s->size[c] > 0 && j < d; j++)
            s->centers[c * d + j] /= (double)s->size[c];
}

struct starts {
    struct lloyd one;                        /* what all starts share */
    pen_slices centers, nearest, size, next; /* [k x (d + 1)], [n], [k], [n] */
    int32_t *clusters;                       /* [restarts x n] */
    double *sums;                            /* [restarts] */
    uint64_t seed;
};

static void run_start(void *context, int64_t task, int worker)
{
    const struct starts *all = context;
    struct lloyd s = all->one;
    int32_t *const next = pen_slice(&all->next, worker);
    pen_rng rng = { pen_rng_derive(all->seed, (uint64_t)task) };

    s.centers = pen_slice(&all->centers, worker);
    s.center2 = s.centers + s.k * s.p.d;
    s.nearest = pen_slice(&all->nearest, worker);
    s.size = pen_slice(&all->size, worker);
    s.cluster = all->clusters + task * s.p.n;
    choose_centers(&s, &rng);
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        measure_centers(&s);
        assign(&s, next);
        fill_empty(&s, next);
        const int same =
            iteration > 0 && memcmp(next, s.cluster, (size_t)s.p.n * sizeof *next) == 0;
        memcpy(s.cluster, next, (size_t)s.p.n * sizeof *next);
        if (same)
            break;
        center_clusters(&s);
    }
    measure_centers(&s);
    all->sums[task] = 0;
    for (int64_t i = 0; i < s.p.n; i++)
        all->sums[task] += distance2(&s, i, s.cluster[i]);
}

/* Subtract the mean of y. */
static void center(int64_t n, int64_t d, const double *y, double *out)
{
    for (int64_t j = 0; j < d; j++) {
        double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += y[i * d + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            out[i * d + j] = y[i * d + j] - mean;
    }
}

static pen_status cluster_points(pen_run *run, const struct points *p, int64_t k, int64_t restarts,
                                 uint64_t seed, int32_t *cluster, double *sum)
{
    const int workers = pen_workers(run, restarts);
    struct starts all = { .one = { .p = *p, .k = k }, .seed = seed };
    const int64_t n = p->n;
    int64_t best = 0;

    PEN_TRY(pen_slices_new(run, workers, pen_times(k, p->d + 1), sizeof(double), &all.centers));
    PEN_TRY(pen_slices_new(run, workers, n, sizeof(double), &all.nearest));
    PEN_TRY(pen_slices_new(run, workers, k, sizeof(int64_t), &all.size));
    PEN_TRY(pen_slices_new(run, workers, n, sizeof(int32_t), &all.next));
    PEN_TRY(PEN_NEW(run, all.clusters, pen_times(restarts, n)));
    PEN_TRY(PEN_NEW(run, all.sums, restarts));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("k-means"), restarts, run_start, &all));
    for (int64_t u = 1; u < restarts; u++)
        if (all.sums[u] < all.sums[best])
            best = u;
    memcpy(cluster, all.clusters + best * n, (size_t)n * sizeof *cluster);
    *sum = all.sums[best];
    return PEN_OK;
}

pen_status pen_kmeans_restarts(pen_run *run, int64_t n, int64_t d, const double *y, int64_t k,
                               int64_t restarts, uint64_t seed, int32_t *cluster, double *sum)
{
    double *points;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, points, pen_times(n, d)));
    center(n, d, y, points);
    const struct points p = { .n = n, .d = d, .y = points };
    PEN_TRY(cluster_points(run, &p, k, restarts, seed, cluster, sum));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_kmeans_sparse(pen_run *run, const pen_rows *x, int64_t k, int64_t restarts,
                             uint64_t seed, int32_t *cluster, double *sum)
{
    pen_sparse_rows entries;
    double *length2;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sparse_rows_open_some(run, x, NULL, x->n, 0, &entries));
    PEN_TRY(PEN_NEW(run, length2, x->n));
    for (int64_t i = 0; i < x->n; i++) {
        length2[i] = 0;
        for (int64_t e = entries.starts[i]; e < entries.starts[i + 1]; e++)
            length2[i] += entries.values[e] * entries.values[e];
    }
    const struct points p = {
        .n = x->n, .d = x->d, .x = x, .entries = &entries, .length2 = length2
    };
    PEN_TRY(cluster_points(run, &p, k, restarts, seed, cluster, sum));
    pen_release(run, mark);
    return PEN_OK;
}
