/* projection.c - columns of principal components by class probabilities, chosen on rows left out.
 */
#include "eval/projection.h"

#include "core/rng.h"
#include "core/textbuf.h"
#include "eval/picture.h"
#include "eval/task_pool.h"
#include "eval/thin.h"
#include "linalg/blas.h"
#include "linalg/products.h"
#include "linalg/signs.h"
#include "model/model.h"
#include "model/reader_fit.h"
#include "model/spec.h"
#include "neighbors/heap.h"
#include "readers/affine_reader.h"
#include "readers/answer.h"
#include "solve/class_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ridges[] = { 0.01, 0.03, 0.1, 0.3, 1, 3, 1000 };
static const int64_t votes[] = { 1, 5, 10, 20 }, widths[] = { 15, 30, 60 };

enum {
    RIDGES = sizeof ridges / sizeof *ridges,
    VOTES = sizeof votes / sizeof *votes,
    WIDTHS = 1 + sizeof widths / sizeof *widths, /* and the directions alone */
    MOST_VOTES = 20,
    HALVES = 2,
    ASKED = 1000,           /* rows of a half whose classes are told, at most */
    BLOCK = 64,             /* of these at a time */
    MOST_COMPONENTS = 1000, /* of wide rows */
    SPLIT_TAG = 6000
};

/* Of the rows that are asked: what fewer columns may lose. */
static const double LOSS = 0.005;

/* The rows in principal components, and what is known of them. */
struct rows {
    int64_t n, q, classes;
    const double *z, *p; /* [n x q], [n x classes] */
    double *variance;    /* [q] */
    int32_t *told;       /* [n] by p */
    int64_t *half[HALVES], size[HALVES];
    int64_t widths[WIDTHS]; /* ascending */
    int count;              /* of widths */
    /* [HALVES x RIDGES x WIDTHS x VOTES] rows told as p does; -1: there are not so many columns */
    int64_t *same;
};

/* ---- principal components ---- */

static pen_status fit_components(pen_run *run, const pen_data *data, const pen_control *control,
                                 pen_model **out)
{
    const int64_t most = pen_min(data->x.cols, pen_max(MOST_COMPONENTS, 1));
    pen_spec *spec;
    pen_error err;

    pen_status status = pen_spec_new("pca", &spec, &err);
    if (status == PEN_OK)
        status = pen_spec_set_int(spec, "dim", most, &err);
    if (status == PEN_OK)
        status = pen_spec_set_int(spec, "allow_fewer", 1, &err);
    if (status == PEN_OK)
        status = pen_spec_set(spec, "reader", "none", &err);
    if (status == PEN_OK)
        status = pen_model_fit(pen_run_cache(run), spec, data, control, out, &err);
    pen_spec_free(spec);
    return status == PEN_OK ? PEN_OK : pen_fail_as(run, &err);
}

static pen_status find_variance(pen_run *run, struct rows *x)
{
    PEN_TRY(PEN_FILLED(run, x->variance, x->q, 0));
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t j = 0; j < x->q; j++)
            x->variance[j] += x->z[i * x->q + j] * x->z[i * x->q + j] / (double)x->n;
    return PEN_OK;
}

/* ---- the choice ---- */

/* The rows by halves, in an order that is drawn by what they contain. */
static pen_status split(pen_run *run, const pen_data *data, uint64_t seed, struct rows *x)
{
    pen_rng rng = { pen_rng_derive(seed, SPLIT_TAG) };
    int64_t *order, *turn;

    PEN_TRY(pen_data_order(run, data, &order));
    PEN_TRY(PEN_NEW(run, turn, x->n));
    pen_rng_permutation(&rng, x->n, turn);
    for (int h = 0; h < HALVES; h++)
        PEN_TRY(PEN_NEW(run, x->half[h], x->n));
    for (int64_t i = 0; i < x->n; i++)
        x->half[i % HALVES][x->size[i % HALVES]++] = order[turn[i]];
    PEN_TRY(PEN_NEW(run, x->told, x->n));
    for (int64_t i = 0; i < x->n; i++)
        x->told[i] = pen_largest_share(x->classes, x->p + i * x->classes);
    return PEN_OK;
}

static void list_widths(int64_t wanted, struct rows *x)
{
    const int64_t most = pen_min(x->q, widths[WIDTHS - 2]);

    x->widths[0] = wanted > 0 ? wanted : pen_min(most, pen_max(2, x->classes - 1));
    x->count = 1;
    for (int i = 0; wanted == 0 && i < WIDTHS - 1; i++)
        if (pen_min(most, widths[i]) > x->widths[x->count - 1])
            x->widths[x->count++] = pen_min(most, widths[i]);
}

/* Rows [count] in columns W [k x q]: to [count x k]. */
static pen_status project(pen_run *run, const struct rows *x, int64_t count, const int64_t *rows,
                          const double *W, int64_t k, double **to)
{
    double *z;

    PEN_TRY(PEN_NEW(run, *to, pen_times(count, k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, z, pen_times(count, x->q)));
    for (int64_t i = 0; i < count; i++)
        memcpy(z + i * x->q, x->z + rows[i] * x->q, (size_t)x->q * sizeof *z);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, count, k, x->q, 1, z, x->q, W, x->q, 0, *to,
                  k);
    pen_release(run, mark);
    return PEN_OK;
}

/* Which class the nearest rows tell, for each number of votes. near [count]: nearest first, numbers
 * in `from`. */
static void vote(const struct rows *x, const int64_t *from, int64_t count,
                 const pen_neighbor *near, double *sum, int32_t told[VOTES])
{
    int next = 0;

    memset(sum, 0, (size_t)x->classes * sizeof *sum);
    for (int64_t v = 0; v < count; v++) {
        const double *const p = x->p + from[near[v].row] * x->classes;
        for (int64_t c = 0; c < x->classes; c++)
            sum[c] += p[c];
        while (next < VOTES && (v + 1 == votes[next] || v + 1 == count))
            told[next++] = pen_largest_share(x->classes, sum);
    }
}

/* One half, which learns, in the columns of one ridge, and rows of the other, which are asked. */
struct trial {
    const struct rows *x;
    const int64_t *from, *asked;
    int64_t rows, count, stride; /* of both, and of: */
    double *a, *b;
};

/* *length [rows]: squared lengths of the first k of `stride` columns. */
static pen_status lengths(pen_run *run, int64_t rows, int64_t k, int64_t stride, const double *z,
                          double **length)
{
    PEN_TRY(PEN_FILLED(run, *length, rows, 0));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < k; j++)
            (*length)[i] += z[i * stride + j] * z[i * stride + j];
    return PEN_OK;
}

/* same [VOTES] += rows that are told as p does by the nearest rows in the first k columns. */
static pen_status ask(pen_run *run, const struct trial *t, int64_t k, int64_t *same)
{
    const int64_t most = pen_min(MOST_VOTES, t->rows);
    const pen_mark_t mark = pen_mark(run);
    double *of_a, *of_b, *products, *sum;
    pen_neighbor near[MOST_VOTES];
    int32_t told[VOTES];

    PEN_TRY(lengths(run, t->rows, k, t->stride, t->a, &of_a));
    PEN_TRY(lengths(run, t->count, k, t->stride, t->b, &of_b));
    PEN_TRY(PEN_NEW(run, products, pen_times(BLOCK, t->rows)));
    PEN_TRY(PEN_NEW(run, sum, t->x->classes));
    for (int64_t i = 0; i < t->count; i++) {
        if (i % BLOCK == 0)
            pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, pen_min(BLOCK, t->count - i),
                          t->rows, k, -2, t->b + i * t->stride, t->stride, t->a, t->stride, 0,
                          products, t->rows);
        const double *const row = products + i % BLOCK * t->rows;
        pen_heap_clear(near, most);
        for (int64_t j = 0; j < t->rows; j++) {
            const pen_neighbor entry = { fmax(0, of_b[i] + of_a[j] + row[j]), j };
            if (heap_worse(near[0], entry))
                pen_heap_replace(near, most, entry);
        }
        pen_heap_sort(near, most);
        vote(t->x, t->from, most, near, sum, told);
        for (int v = 0; v < VOTES; v++)
            same[v] += told[v] == t->x->told[t->asked[i]];
    }
    pen_release(run, mark);
    return PEN_OK;
}

static int64_t *same_of(const struct rows *x, int half, int ridge, int width)
{
    return x->same + ((half * RIDGES + ridge) * WIDTHS + width) * VOTES;
}

/* One ridge in one half. */
static pen_status try_ridge(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct rows *const x = context;
    const int half = (int)(piece / RIDGES), ridge = (int)(piece % RIDGES);
    const int64_t most = x->widths[x->count - 1];
    struct trial t = { .x = x, .from = x->half[half], .rows = x->size[half] };
    pen_class_means means;
    double *W;

    (void)control;
    t.asked = x->half[1 - half];
    t.count = pen_min(ASKED, x->size[1 - half]);
    PEN_TRY(PEN_NEW(run, W, pen_times(most, x->q)));
    PEN_TRY(pen_class_means_find(run, t.rows, t.from, x->z, x->p, x->q, x->classes, x->variance,
                                 &means));
    PEN_TRY(pen_class_columns(run, &means, ridges[ridge], most, W, &t.stride));
    PEN_TRY(project(run, x, t.rows, t.from, W, t.stride, &t.a));
    PEN_TRY(project(run, x, t.count, t.asked, W, t.stride, &t.b));
    for (int w = 0; w < x->count; w++) {
        int64_t *const same = same_of(x, half, ridge, w);
        if (x->widths[w] <= t.stride)
            PEN_TRY(ask(run, &t, x->widths[w], same));
        else
            same[0] = -1;
    }
    return PEN_OK;
}

/* What is chosen. */
struct choice {
    double ridge, agreement; /* NaN: nothing to ask */
    int64_t k, votes;
};

static pen_status choose(pen_run *run, struct rows *x, struct choice *out)
{
    const int64_t asked = pen_min(ASKED, x->size[0]) + pen_min(ASKED, x->size[1]);
    const pen_task_pool tasks = {
        .phase = "projection", .pieces = HALVES * RIDGES, .fn = try_ridge, .context = x
    };
    int64_t most = -1, best = -1;
    char state[HALVES * RIDGES];

    PEN_TRY(PEN_FILLED(run, x->same, HALVES * RIDGES * WIDTHS * VOTES, 0));
    PEN_TRY(pen_tasks_run(run, &tasks, state, NULL));
    for (int pass = 0; pass < 2; pass++) /* the best of all, then of the fewest columns */
        for (int w = 0; w < x->count && (pass == 0 || best < 0); w++)
            for (int at = 0; at < RIDGES * VOTES; at++) {
                const int64_t *const a = same_of(x, 0, at / VOTES, w),
                                     *const b = same_of(x, 1, at / VOTES, w);
                const int64_t same = a[0] < 0 || b[0] < 0 ? -1 : a[at % VOTES] + b[at % VOTES];
                if (pass == 0)
                    most = pen_max(most, same);
                else if (same > best && (double)same >= (double)most - LOSS * (double)asked) {
                    best = same;
                    *out = (struct choice){ ridges[at / VOTES], (double)same / (double)asked,
                                            x->widths[w], votes[at % VOTES] };
                }
            }
    return PEN_OK;
}
