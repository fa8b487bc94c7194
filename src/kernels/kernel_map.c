/* kernel_map.c - the scaled eigenvectors of the kernel values between landmarks. */
#include "kernels/kernel_map.h"

#include "kernels/landmarks.h"
#include "linalg/cholesky.h"
#include "linalg/eig.h"
#include "linalg/products.h"

#include <math.h>
#include <string.h>

static const char *const choices[] = { "", "random", NULL };
static const pen_word numbers[] = { { "auto", PEN_LANDMARKS_AUTO },
                                    { "all", PEN_LANDMARKS_ALL },
                                    { NULL, 0 } };
static const pen_param parts[] = {
    PEN_CHOICE(pen_kernel_params, choice, choices, PEN_LANDMARKS_CHOLESKY, ""),
    PEN_ROW(pen_kernel_params, landmarks, "K", PEN_PARAM_INT, .initial = PEN_LANDMARKS_AUTO,
            .min = 1, .max = PEN_MOST_LANDMARKS, .words = numbers),
    PEN_PARAMS_END,
};
const pen_text_form pen_landmarks_form = { .parts = parts };

/* Finds eigenvalues and eigenvectors of K_LL, scaled by its largest diagonal value, which it
 * returns. So kernels of any magnitude are solved in the same way. */
static pen_status decompose(pen_run *run, const pen_kernel_map *map, const pen_view *x,
                            const int64_t *rows, pen_eig *e, double *size)
{
    const int64_t m = map->m;
    double *diagonal;
    pen_sym K;

    PEN_TRY(PEN_NEW(run, diagonal, m));
    PEN_TRY(pen_kernel_diagonal(run, &map->set.kernel, x, rows, m, diagonal));
    *size = 0;
    for (int64_t i = 0; i < m; i++)
        *size = fmax(*size, diagonal[i]);
    PEN_REQUIRE(run, *size > 0, PEN_BAD_DATA, "the %s kernel matrix is zero",
                pen_kernel_names[map->set.kernel.kind]);
    PEN_TRY(pen_sym_zero(run, m, &K));
    PEN_TRY(pen_kernel_values(run, PEN_WHOLE("kernel"), &map->set, 0, x, rows, m, K.a, m));
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < i; j++)
            K.a[i * m + j] /= *size;
        K.a[i * m + i] = diagonal[i] / *size;
    }
    return pen_eig_indefinite(run, &K, NULL, e);
}

static pen_status check_eigenvalues(pen_run *run, const pen_kernel_map *map, const pen_eig *e,
                                    double size, double negative)
{
    const double largest = e->values[0], smallest = e->values[e->d - 1];

    PEN_REQUIRE(run, isfinite(largest * size), PEN_BAD_DATA,
                "the eigenvalues of the %s kernel matrix overflow",
                pen_kernel_names[map->set.kernel.kind]);
    PEN_REQUIRE(run, smallest >= -negative * largest, PEN_BAD_DATA,
                "the %s kernel matrix is not positive semidefinite: eigenvalue %g, of at most %g",
                pen_kernel_names[map->set.kernel.kind], smallest * size, largest * size);
    return PEN_OK;
}

pen_status pen_kernel_map_check(pen_run *run, int64_t m, int64_t n)
{
    PEN_REQUIRE(run, m <= n, PEN_BAD_ARGUMENT,
                "kernel_landmarks must be at most %lld, the number of rows, got %lld", (long long)n,
                (long long)m);
    PEN_REQUIRE(run, m <= PEN_MOST_LANDMARKS, PEN_BAD_ARGUMENT,
                "kernel_landmarks must be at most %d, got all %lld rows; set it to a number, such "
                "as 1000",
                PEN_MOST_LANDMARKS, (long long)m);
    return PEN_OK;
}

pen_status pen_kernel_map_open(pen_run *run, const pen_kernel *kernel, const pen_view *x, int64_t m,
                               const int64_t *rows, pen_kernel_map *out)
{
    const double noise = pen_kernel_noise(kernel, x);
    double size;
    pen_eig e;

    PEN_TRY(pen_kernel_map_check(run, m, x->n));
    *out = (pen_kernel_map){ .m = m, .rows = rows };
    PEN_TRY(pen_kernel_open(run, kernel, x, m, rows, &out->set));
    PEN_TRY(PEN_NEW(run, out->w, m));
    PEN_TRY(PEN_NEW(run, out->T, pen_times(m, m)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(decompose(run, out, x, rows, &e, &size));
    PEN_TRY(check_eigenvalues(run, out, &e, size, pen_kernel_negative(kernel, x)));
    while (out->q < m && e.values[out->q] > noise * e.values[0])
        out->q++;
    for (int64_t c = 0; c < out->q; c++)
        out->w[c] = e.values[c] * size;
    for (int64_t l = 0; l < m; l++)
        for (int64_t c = 0; c < out->q; c++)
            out->T[l * out->q + c] = e.vectors[c * m + l] / sqrt(out->w[c]);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_kernel_map_rows(pen_run *run, const pen_kernel_map *map, const pen_view *x,
                               double *phi, double *captured)
{
    const int64_t n = x->n, q = map->q;
    const pen_mark_t mark = pen_mark(run);
    double *diagonal, largest = 0, trace = 0, sum = 0;

    PEN_TRY(PEN_NEW(run, diagonal, n));
    PEN_TRY(pen_kernel_diagonal(run, &map->set.kernel, x, NULL, n, diagonal));
    PEN_TRY(pen_kernel_apply(run, "kernel", &map->set, x, NULL, map->T, q, PEN_F64, phi, q, NULL));
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, diagonal[i]);
    for (int64_t i = 0; i < n; i++) { /* numbers up to 1, which do not overflow */
        double length2;
        pen_squared_lengths(PEN_F64, phi + i * q, 1, q, &length2);
        sum += length2 / largest;
        trace += diagonal[i] / largest;
    }
    *captured = fmin(1, sum / trace);
    pen_release(run, mark);
    return PEN_OK;
}

/* T = L'^-1, where L [m x m] has the landmarks' rows of F. */
static pen_status invert(pen_run *run, pen_kernel_map *map, const double *F)
{
    const int64_t m = map->m;
    double *L;

    PEN_TRY(PEN_NEW(run, L, pen_times(m, m)));
    for (int64_t l = 0; l < m; l++)
        memcpy(L + l * m, F + map->rows[l] * m, (size_t)m * sizeof *L);
    pen_invert_factor(m, L, map->T);
    return PEN_OK;
}

pen_status pen_kernel_map_cholesky(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                                   const int64_t *order, int64_t most, uint64_t seed,
                                   pen_kernel_map *out, double **phi, double *captured)
{
    *out = (pen_kernel_map){ .m = 0 };
    PEN_TRY(pen_kernel_map_check(run, most, x->n));
    PEN_TRY(pen_landmarks_cholesky(run, kernel, x, order, most, seed, &out->rows, &out->m, phi,
                                   captured));
    out->q = out->m;
    PEN_TRY(pen_kernel_open(run, kernel, x, out->m, out->rows, &out->set));
    PEN_TRY(PEN_NEW(run, out->T, pen_times(out->m, out->m)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(invert(run, out, *phi));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_kernel_map_penalty(pen_run *run, const pen_kernel_map *map, double weight,
                                  pen_sym *P)
{
    PEN_TRY(pen_sym_zero(run, map->q, P));
    return pen_sym_add_rows(run, "kernel", weight, map->m, map->T, P);
}

pen_status pen_kernel_map_fold(pen_run *run, const pen_kernel_map *map, const double *phi,
                               const double *mean, int64_t k, const double *W, double *origin,
                               double *P)
{
    const int64_t q = map->q;

    for (int64_t l = 0; l < map->m; l++) {
        const double *const row = phi + (map->rows ? map->rows[l] : l) * q;
        origin[l] = 0;
        for (int64_t c = 0; c < q; c++)
            origin[l] += row[c] * mean[c];
    }
    return pen_multiply(run, PEN_PLAIN, PEN_PLAIN, map->m, k, q, map->T, W, P);
}
