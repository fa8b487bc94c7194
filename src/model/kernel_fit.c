/* kernel_fit.c - the kernel coordinates of a fit, computed once for all fits that share a cache. */
#include "model/kernel_fit.h"

#include "core/cache.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "kernels/kernel_gamma.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Maximum number of landmarks for kernel_landmarks auto: beyond it, fits take more than seconds. */
enum { USUAL_LANDMARKS = 1000 };

/* Tag of the random stream that draws landmarks and the rows to measure gamma. */
enum { DRAW_TAG = 4000 };

/* Below this fraction of the kernel, a warning says that landmarks are too few. */
static const double LITTLE = 0.5;

/* The first kernel parameter that differs from its default; NULL: none does. */
static const char *first_set(const pen_common *common)
{
    for (const pen_param *param = pen_common_params; param->name; param++)
        if (strncmp(param->name, "kernel_", 7) == 0 && !pen_param_is_usual(param, common))
            return param->name;
    return NULL;
}

pen_status pen_kernel_fit_check(pen_run *run, const pen_common *common)
{
    const enum pen_kernel_kind kind = common->kernel.kind;
    const char *const set = kind == PEN_KERNEL_NONE ? first_set(common) : NULL;

    PEN_REQUIRE(run, !set, PEN_BAD_ARGUMENT, "%s is set, but kernel is none", set);
    PEN_REQUIRE(run,
                kind != PEN_KERNEL_PRECOMPUTED
                    || (!common->row.l2
                        && (common->scale == PEN_SCALE_NONE || common->scale == PEN_SCALE_AUTO)),
                PEN_BAD_ARGUMENT,
                "kernel precomputed takes rows of kernel values unchanged, without row_steps and "
                "with scale none or auto");
    return PEN_OK;
}

/* ---- the rows that a kernel sees ---- */

static pen_status find_origin(pen_run *run, enum pen_scale scale, pen_view *x)
{
    double *origin, *low, *high;

    if (scale == PEN_SCALE_STANDARD || scale == PEN_SCALE_AUTO) /* subtracts the mean */
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, origin, x->d, 0));
    if (scale == PEN_SCALE_MINMAX) {
        PEN_TRY(pen_rows_extremes(run, x, &low, &high));
        for (int64_t j = 0; j < x->d; j++)
            origin[j] = x->mean[j] + low[j] / x->scale[j];
    }
    x->mean = origin;
    return PEN_OK;
}

/* ---- parameters that depend on the rows ---- */

static uint64_t draw_seed(const pen_common *common)
{
    return pen_rng_derive((uint64_t)common->seed, DRAW_TAG);
}

static pen_status choose_kernel(pen_run *run, const pen_common *common, const pen_view *x,
                                pen_kernel *kernel)
{
    const pen_kernel_params *const p = &common->kernel;
    double usual;

    *kernel = (pen_kernel){ .kind = p->kind, .gamma = 1, .degree = p->degree, .coef0 = 1 };
    if (!pen_kernel_has_gamma(p->kind))
        return PEN_OK;
    kernel->gamma = p->gamma;
    if (p->gamma < 0) { /* auto, or a multiple of auto */
        PEN_TRY(pen_kernel_gamma(run, kernel, x, draw_seed(common), &usual));
        kernel->gamma = -p->gamma * usual;
        PEN_REQUIRE(run, isfinite(kernel->gamma) && kernel->gamma > 0, PEN_BAD_DATA,
                    "kernel_gamma must be finite and > 0, got %g times %g", -p->gamma, usual);
    }
    return PEN_OK;
}

int64_t pen_kernel_fit_landmarks(const pen_kernel_params *p, int64_t n)
{
    return p->landmarks == PEN_LANDMARKS_AUTO  ? pen_min(n, USUAL_LANDMARKS)
           : p->landmarks == PEN_LANDMARKS_ALL ? n
                                               : p->landmarks;
}

int64_t pen_kernel_fit_columns(const pen_kernel_params *p, int64_t n, int64_t d)
{
    return p->kind == PEN_KERNEL_NONE ? d : pen_kernel_fit_landmarks(p, n);
}

/* ---- the map ---- */

static pen_status make_map(pen_run *run, const pen_common *common, pen_kernel_fit *f)
{
    const pen_kernel_params *const p = &common->kernel;
    const pen_view *const x = &f->x;
    const int64_t m = pen_kernel_fit_landmarks(p, x->n);
    int64_t *drawn = NULL, *order;
    pen_kernel kernel;

    PEN_TRY(pen_kernel_map_check(run, m, x->n)); /* before gamma is measured */
    PEN_TRY(choose_kernel(run, common, x, &kernel));
    if (m < x->n && p->choice == PEN_LANDMARKS_CHOLESKY) {
        PEN_TRY(pen_rows_order(run, x, &order));
        return pen_kernel_map_cholesky(run, &kernel, x, order, m, (uint64_t)common->seed, &f->map,
                                       &f->phi, &f->captured);
    }
    if (m < x->n)
        PEN_TRY(pen_rows_draw(run, x, m, draw_seed(common), &drawn));
    PEN_TRY(pen_kernel_map_open(run, &kernel, x, m, drawn, &f->map));
    PEN_TRY(PEN_NEW(run, f->phi, pen_times(x->n, f->map.q)));
    return pen_kernel_map_rows(run, &f->map, x, f->phi, &f->captured);
}

struct making {
    const pen_common *common;
    const pen_kernel_fit *fit;
};

/* The coordinates of all rows, without what the landmarks are multiplied by. */
struct kept_map {
    pen_kernel_map map;
    double *phi, captured;
};

/* A pen_make_fn. */
static pen_status make_coordinates(pen_run *run, void *context, pen_made *out)
{
    const struct making *const making = context;
    pen_kernel_fit f = *making->fit;
    struct kept_map *made;

    PEN_TRY(PEN_NEW(run, made, 1));
    PEN_TRY(make_map(run, making->common, &f));
    *made = (struct kept_map){ f.map, f.phi, f.captured };
    pen_kernel_map *const map = &made->map;
    *out = (pen_made){ made,
                       sizeof *made,
                       3,
                       { { offsetof(struct kept_map, map.T), 8 * pen_times(map->m, map->q) },
                         { offsetof(struct kept_map, phi), 8 * pen_times(f.x.n, map->q) },
                         { offsetof(struct kept_map, map.rows), 8 * map->m } } };
    map->set = (pen_kernel_set){ .kernel = map->set.kernel, .m = map->m, .d = f.x.d };
    map->w = NULL;
    return PEN_OK;
}

/* A name that identifies the coordinates among those of the same rows. */
static pen_status name_map(pen_run *run, const pen_common *common, const pen_array *x,
                           pen_cache_key **out)
{
    const pen_kernel_params *const p = &common->kernel;
    const int64_t m = pen_kernel_fit_landmarks(p, x->rows);

    PEN_TRY(pen_cache_key_new(run, x, PEN_CACHE_KERNEL, out));
    pen_cache_key *const key = *out;
    if (!key)
        return PEN_OK;
    key->normalize = common->row.l2;
    key->scale = common->scale;
    key->kernel.kind = (int64_t)p->kind;
    key->kernel.gamma = p->gamma;
    key->kernel.degree = p->degree;
    key->kernel.landmarks = m;
    key->kernel.choice = (int64_t)p->choice;
    key->kernel.seed = m < x->rows || p->gamma < 0 ? common->seed : 0;
    return PEN_OK;
}

static pen_status find_map(pen_run *run, const pen_common *common, pen_kernel_fit *f)
{
    struct making making = { common, f };
    pen_cache_key *key;
    const void *value;

    PEN_TRY(name_map(run, common, &f->x.values, &key));
    PEN_TRY(pen_cache_get(run, key, make_coordinates, &making, &value));
    const struct kept_map *const kept = value;
    f->map = kept->map;
    f->phi = kept->phi;
    f->captured = kept->captured;
    return PEN_OK;
}

static void note_map(pen_run *run, const pen_kernel_params *p, const pen_kernel_fit *f)
{
    if (pen_kernel_has_gamma(p->kind))
        pen_note(run, "kernel_gamma", f->map.set.kernel.gamma);
    pen_note(run, "landmarks", (double)f->map.m);
    pen_note(run, "kernel_rank", (double)f->map.q);
    pen_note(run, "captured", f->captured);
}

void pen_kernel_fit_warn(const pen_kernel_fit *kernel, char text[PEN_EXPLANATION_SIZE])
{
    if (kernel->captured < LITTLE)
        snprintf(text, PEN_EXPLANATION_SIZE,
                 "%lld landmarks explain %.2g of the kernel: set more kernel_landmarks, or a "
                 "smaller kernel_gamma",
                 (long long)kernel->map.m, kernel->captured);
}

/* Adds the rounding of kernel values times the columns of T, which are long for small
 * eigenvalues. */
static pen_status widen_rounding(pen_run *run, const pen_kernel_fit *f, pen_view *rows)
{
    const int64_t q = f->map.q;
    double *rounding, size = 0;

    PEN_TRY(PEN_FILLED(run, rounding, q, 0));
    for (int64_t i = 0; i < rows->n * q; i++)
        size += f->phi[i] * f->phi[i] / (double)rows->n; /* the mean of k(x, x) */
    for (int64_t i = 0; i < f->map.m * q; i++)
        rounding[i % q] += f->map.T[i] * f->map.T[i];
    for (int64_t j = 0; j < q; j++)
        rounding[j] = rows->rounding[j] + DBL_EPSILON * size * sqrt(rounding[j]);
    rows->rounding = rounding;
    return PEN_OK;
}

pen_status pen_kernel_fit_open(pen_run *run, const pen_common *common, const pen_data *data,
                               pen_view *rows, pen_kernel_fit *out)
{
    pen_data mapped = *data;

    *out = (pen_kernel_fit){ .x = *rows };
    if (common->kernel.kind == PEN_KERNEL_PRECOMPUTED)
        PEN_TRY(pen_kernel_check_square(run, rows));
    PEN_TRY(find_origin(run, out->x.scale ? common->scale : PEN_SCALE_NONE, &out->x));
    out->x.key = NULL; /* the rows now have a different origin */
    PEN_TRY(find_map(run, common, out));
    note_map(run, &common->kernel, out);
    if (common->kernel.ridge > 0) {
        PEN_TRY(PEN_NEW(run, out->penalty, 1));
        PEN_TRY(pen_kernel_map_penalty(run, &out->map, common->kernel.ridge, out->penalty));
    }
    mapped.x = pen_dense(out->phi, PEN_F64, rows->n, out->map.q, out->map.q);
    PEN_TRY(pen_rows_open_shared(run, &mapped, 0, PEN_SCALE_NONE, rows));
    return widen_rounding(run, out, rows);
}

/* ---- the model ---- */

static pen_status keep_landmarks(pen_run *run, const pen_kernel_fit *f, pen_model *model)
{
    const int64_t m = f->map.m;
    pen_model_kernel_map *const kernel = &model->kernel;

    kernel->form = f->map.set.kernel;
    kernel->inputs = f->x.d;
    PEN_TRY(PEN_KEEP(run, kernel->rows, m));
    for (int64_t l = 0; l < m; l++)
        kernel->rows[l] = (double)(f->map.rows ? f->map.rows[l] : l);
    if (kernel->form.kind == PEN_KERNEL_PRECOMPUTED)
        return PEN_OK; /* landmarks are just rows of the fit */
    PEN_TRY(PEN_KEEP(run, kernel->landmarks, pen_times(m, f->x.d)));
    pen_rows_centered(&f->x, f->map.rows, 0, m, kernel->landmarks);
    PEN_TRY(pen_model_numbers(run, f->x.mean, f->x.d, &kernel->origin));
    return pen_model_numbers(run, f->x.scale, f->x.d, &kernel->scale);
}

pen_status pen_kernel_fit_fold(pen_run *run, const pen_kernel_fit *kernel, const double *mean,
                               const double *W, pen_model *model)
{
    double *P; /* in aligned scratch memory; the memory of the model is not aligned */

    PEN_TRY(PEN_NEW(run, P, pen_times(model->d, model->k)));
    PEN_TRY(pen_kernel_map_fold(run, &kernel->map, kernel->phi, mean, model->k, W, model->mean, P));
    memcpy(model->projection, P, (size_t)(model->d * model->k) * sizeof *P);
    PEN_TRY(keep_landmarks(run, kernel, model));
    return PEN_OK;
}
