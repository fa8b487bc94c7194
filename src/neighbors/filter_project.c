/* filter_project.c - rows on the axes of a filter, with bounds of all rounding. */
#include "core/parallel.h"
#include "linalg/blas.h"
#include "neighbors/filter.h"

#include <float.h>
#include <math.h>

enum { ROWS = 64 }; /* of a task */

/* What underflows in floats is far below, even d squares of it. */
static const double TINY = 1e-16;

struct projection {
    const pen_filter_rows *of;
    const pen_filter_basis *basis;
    pen_slices blocks, singles; /* [ROWS x d] */
    float *y, *delta;
    double *largest;
};

double pen_filter_blur(const pen_filter_rows *rows, double length, double from_center)
{
    return rows->coding->error * length + rows->coding->absolute + TINY
           + (double)FLT_EPSILON * from_center;
}

/* A sum of d products of floats is off by at most d units of rounding times the sum of their sizes,
 * which for an axis is at most its length times that of the row; over m axes sqrt(m) of that. */
static double error_of(const struct projection *p, double length, double from_center)
{
    const double terms = (double)p->basis->d * sqrt((double)p->basis->m) * (FLT_EPSILON / 2);

    return p->basis->stretch
           * (pen_filter_blur(p->of, length, from_center) + 1.01 * terms * from_center);
}

static void project_rows(void *context, int64_t task, int worker)
{
    const struct projection *p = context;
    const int64_t d = p->basis->d, m = p->basis->m, first = task * ROWS,
                  count = pen_min(ROWS, p->of->count - first);
    double *const block = pen_slice(&p->blocks, worker), lengths[ROWS], from_center[ROWS];
    float *const single = pen_slice(&p->singles, worker);

    pen_coding_block(p->of->coding, p->of->x, p->of->rows, first, count, block);
    pen_squared_lengths(PEN_F64, block, count, d, lengths);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < d; j++) {
            block[i * d + j] -= p->basis->center[j];
            single[i * d + j] = (float)block[i * d + j];
        }
    pen_squared_lengths(PEN_F64, block, count, d, from_center);
    for (int64_t i = 0; i < count; i++)
        p->delta[first + i] =
            (float)(error_of(p, sqrt(lengths[i]), sqrt(from_center[i])) * (1 + 1e-6));
    pen_blas_gemm(PEN_F32, PEN_PLAIN, PEN_TRANSPOSED, count, m, d, 1, single, d, p->basis->axes, d,
                  0, p->y + first * m, m);
    for (int64_t i = first; i < first + count; i++) {
        p->largest[i] = 0;
        for (int64_t j = i * m; j < (i + 1) * m; j++)
            p->largest[i] = fmax(p->largest[i], fabs((double)p->y[j]));
    }
}

pen_status pen_filter_project(pen_run *run, const pen_filter_rows *rows,
                              const pen_filter_basis *basis, float *y, double *largest,
                              float *delta)
{
    const int64_t tasks = (rows->count + ROWS - 1) / ROWS;
    struct projection p = {
        .of = rows, .basis = basis, .y = y, .delta = delta, .largest = largest
    };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(ROWS, basis->d), sizeof(double),
                           &p.blocks));
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(ROWS, basis->d), sizeof(float),
                           &p.singles));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, project_rows, &p));
    pen_release(run, mark);
    return PEN_OK;
}
