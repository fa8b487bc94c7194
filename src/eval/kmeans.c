/* kmeans.c - starts run in parallel; each of them is a plain loop. Arthur, Vassilvitskii 2007;
 * Lloyd 1982. */
#include "eval/kmeans.h"

#include "core/parallel.h"
#include "core/rng.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 300 };

/* One start. */
struct lloyd {
    int64_t n, d, k;
    const double *y;  /* [n x d] centered */
    double *centers;  /* [k x d] */
    double *nearest;  /* [n] squared distance to the center of its cluster */
    int32_t *cluster; /* [n] */
    int64_t *size;    /* [k] */
};

static double distance2(const struct lloyd *s, int64_t i, const double *restrict center)
{
    const double *restrict point = s->y + i * s->d;
    double sum = 0;
    for (int64_t j = 0; j < s->d; j++)
        sum += (point[j] - center[j]) * (point[j] - center[j]);
    return sum;
}

/* k-means++: a point becomes the next center with a probability proportional to its squared
 * distance from the nearest center so far. */
static int64_t draw_center(const struct lloyd *s, pen_rng *rng)
{
    double total = 0, reached = 0;

    for (int64_t i = 0; i < s->n; i++)
        total += s->nearest[i];
    if (total == 0)
        return pen_rng_below(rng, s->n);
    const double goal = pen_rng_uniform(rng) * total;
    for (int64_t i = 0; i < s->n; i++) {
        reached += s->nearest[i];
        if (reached > goal)
            return i;
    }
    return s->n - 1;
}

static void choose_centers(const struct lloyd *s, pen_rng *rng)
{
    int64_t next = pen_rng_below(rng, s->n);

    for (int64_t c = 0; c < s->k; c++) {
        if (c > 0)
            next = draw_center(s, rng);
        memcpy(s->centers + c * s->d, s->y + next * s->d, (size_t)s->d * sizeof *s->centers);
        for (int64_t i = 0; i < s->n; i++) {
            const double there = distance2(s, i, s->centers + c * s->d);
            s->nearest[i] = c == 0 ? there : fmin(s->nearest[i], there);
        }
    }
}

/* Assign each point to its nearest center, the first among equals. */
static void assign(const struct lloyd *s, int32_t *to)
{
    memset(s->size, 0, (size_t)s->k * sizeof *s->size);
    for (int64_t i = 0; i < s->n; i++) {
        to[i] = 0;
        s->nearest[i] = distance2(s, i, s->centers);
        for (int64_t c = 1; c < s->k; c++) {
            const double there = distance2(s, i, s->centers + c * s->d);
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
        for (int64_t i = 0; s->size[c] == 0 && i < s->n; i++)
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
    memset(s->centers, 0, (size_t)(s->k * s->d) * sizeof *s->centers);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->d; j++)
            s->centers[s->cluster[i] * s->d + j] += s->y[i * s->d + j];
    for (int64_t c = 0; c < s->k; c++)
        for (int64_t j = 0; s->size[c] > 0 && j < s->d; j++)
            s->centers[c * s->d + j] /= (double)s->size[c];
}

struct starts {
    struct lloyd one;                        /* what all starts share */
    pen_slices centers, nearest, size, next; /* [k x d], [n], [k], [n] */
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
    s.nearest = pen_slice(&all->nearest, worker);
    s.size = pen_slice(&all->size, worker);
    s.cluster = all->clusters + task * s.n;
    choose_centers(&s, &rng);
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        assign(&s, next);
        fill_empty(&s, next);
        const int same = iteration > 0 && memcmp(next, s.cluster, (size_t)s.n * sizeof *next) == 0;
        memcpy(s.cluster, next, (size_t)s.n * sizeof *next);
        if (same)
            break;
        center_clusters(&s);
    }
    all->sums[task] = 0;
    for (int64_t i = 0; i < s.n; i++)
        all->sums[task] += distance2(&s, i, s.centers + s.cluster[i] * s.d);
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

pen_status pen_kmeans_restarts(pen_run *run, int64_t n, int64_t d, const double *y, int64_t k,
                               int64_t restarts, uint64_t seed, int32_t *cluster, double *sum)
{
    const int workers = pen_workers(run, restarts);
    struct starts all = { .seed = seed };
    int64_t best = 0;
    double *points;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, points, pen_times(n, d)));
    PEN_TRY(pen_slices_new(run, workers, pen_times(k, d), sizeof(double), &all.centers));
    PEN_TRY(pen_slices_new(run, workers, n, sizeof(double), &all.nearest));
    PEN_TRY(pen_slices_new(run, workers, k, sizeof(int64_t), &all.size));
    PEN_TRY(pen_slices_new(run, workers, n, sizeof(int32_t), &all.next));
    PEN_TRY(PEN_NEW(run, all.clusters, pen_times(restarts, n)));
    PEN_TRY(PEN_NEW(run, all.sums, restarts));
    all.one = (struct lloyd){ .n = n, .d = d, .k = k, .y = points };
    center(n, d, y, points);
    PEN_TRY(pen_parallel(run, PEN_WHOLE("k-means"), restarts, run_start, &all));
    for (int64_t u = 1; u < restarts; u++)
        if (all.sums[u] < all.sums[best])
            best = u;
    memcpy(cluster, all.clusters + best * n, (size_t)n * sizeof *cluster);
    *sum = all.sums[best];
    pen_release(run, mark);
    return PEN_OK;
}
