/* solve.c - which eigenvectors become columns, and how long they are. */
#include "linalg/solve.h"

#include "linalg/blas.h"

#include <math.h>
#include <string.h>

const char *const pen_metric_names[] = { "weighted", "plain", "orthonormal", NULL };

static pen_status enough(pen_run *run, const pen_eig *e, const pen_map *out)
{
    const long long there = (long long)e->rank, wanted = (long long)out->wanted;

    PEN_REQUIRE(run, there > 0, PEN_RANK_TOO_SMALL, "nothing to project on: the scatter to be made large is zero");
    PEN_REQUIRE(run, out->allow_fewer || wanted <= there, PEN_RANK_TOO_SMALL,
                "dim must be at most %lld, the dimensions there are for this method on these rows, got %lld", there, wanted);
    return PEN_OK;
}

static pen_status columns(pen_run *run, const pen_eig *e, enum pen_metric metric, pen_map *out)
{
    double *work;

    out->d = e->d;
    out->k = e->rank;
    out->residual = e->residual;
    PEN_TRY(PEN_NEW(run, out->W, out->d * out->k));
    PEN_TRY(PEN_NEW(run, out->eigenvalues, out->k));
    memcpy(out->eigenvalues, e->values, (size_t)out->k * sizeof *out->eigenvalues);
    const pen_mark_t mark = pen_mark(run);
    if (metric == PEN_METRIC_ORTHONORMAL) {
        PEN_TRY(PEN_NEW(run, work, 33 * out->k));
        PEN_REQUIRE(run, lapack_orthonormalize(e->d, out->k, e->vectors, work) == 0, PEN_INTERNAL,
                    "the columns could not be orthonormalized");
    }
    for (int64_t c = 0; c < out->k; c++) {
        const double length = metric == PEN_METRIC_WEIGHTED ? sqrt(e->values[c]) : 1;
        for (int64_t j = 0; j < out->d; j++)
            out->W[j * out->k + c] = length * e->vectors[c * out->d + j];
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status solve_ratio(pen_run *run, const pen_sym *B, pen_sym *C, double ridge, enum pen_metric metric, pen_map *out)
{
    const int64_t most = pen_max(1, B->rank), k = out->wanted ? pen_min(out->wanted, most) : most;
    pen_eig e;

    if (ridge > 0) {
        /* Outside the coordinates of an exact reduction C is what was added of I. */
        const double identity = C->identity, trace = sym_trace(C) + identity * (double)(out->columns - C->d);
        out->ridge = ridge * trace / (double)out->columns;
        sym_add_identity(out->ridge, C);
        C->identity = identity; /* what the method itself added */
    }
    PEN_REQUIRE(run, !C || C->d == out->columns || C->identity > 0 || ridge > 0, PEN_SINGULAR_SCATTER,
                "the within scatter is singular: there are fewer rows than the %lld columns; set ridge > 0, or pca",
                (long long)out->columns);
    PEN_TRY(eig_largest(run, B, C, k, &e));
    PEN_TRY(enough(run, &e, out));
    return columns(run, &e, metric, out);
}

pen_status solve_largest(pen_run *run, const pen_sym *B, enum pen_metric metric, pen_map *out)
{
    return solve_ratio(run, B, NULL, 0, metric, out);
}
