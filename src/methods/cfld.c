/* cfld.c - cFLD, Fisher's linear discriminant from must-links.
 *
 *   minimize  |W'S_w W| / |W'S_t W|
 *       S_w: covariance within chunklets;  S_t: covariance of their rows, or of all rows
 *
 * Chunklets are sets of rows that must-links join. Directions in which chunklets do not differ
 * (theta = 1) are not counted. theta is the eigenvalue: the share of a column's variance that lies
 * within chunklets; between / within = 1 / theta - 1.
 * Bar-Hillel, Hertz, Shental, Weinshall: Journal of Machine Learning Research 6 (2005) 937-965.
 */
#include "methods/method.h"

#include <math.h>

enum length { LENGTH_TOTAL, LENGTH_WITHIN, LENGTH_UNIT };

static const char *const lengths[] = { "total", "within", "unit", NULL };

struct cfld {
    enum pen_total_rows total;
    enum length columns;
};

static const pen_param params[] = {
    PEN_CHOICE(struct cfld, total, pen_total_rows_names, PEN_TOTAL_CHUNK,
               "rows whose covariance is the total: in chunklets, or all"),
    PEN_CHOICE(struct cfld, columns, lengths, LENGTH_TOTAL,
               "what is 1 along a column: the total, the within covariance, its length"),
    PEN_PARAMS_END,
};

/* From w'S_t w = 1. */
static pen_status scale_columns(pen_run *run, enum length length, pen_map *out)
{
    if (length == LENGTH_UNIT)
        pen_solve_unit_columns(out);
    for (int64_t c = 0; length == LENGTH_WITHIN && c < out->k; c++) {
        const double theta = out->eigenvalues[c];
        PEN_REQUIRE(run, theta > 0, PEN_SINGULAR_SCATTER,
                    "columns within: there is nothing within chunklets along dimension %lld; set "
                    "columns to total or unit",
                    (long long)c + 1);
        for (int64_t j = 0; j < out->d; j++)
            out->W[j * out->k + c] /= sqrt(theta);
    }
    return PEN_OK;
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    static const pen_stretch_params all = { .threshold = 1, .target = 1 };
    const struct cfld *p = params_;
    pen_factored S_t = { .d = x->d }, S_w = { .d = x->d };
    int64_t chunklets;
    double *scale;

    PEN_TRY(pen_need_pairs(run, x, PEN_NEED_MUST));
    PEN_TRY(PEN_NEW(run, scale, x->d));
    PEN_TRY(pen_sym_zero(run, x->d, &S_t.matrix));
    PEN_TRY(pen_sym_zero(run, x->d, &S_w.matrix));
    PEN_TRY(pen_scatter_chunklets(run, x, p->total, &S_t.matrix, &S_w.matrix, &chunklets));
    PEN_REQUIRE(run, chunklets > 1 || p->total == PEN_TOTAL_ALL, PEN_RANK_TOO_SMALL,
                "nothing to project on: must-links join their rows to 1 chunklet, and 2 are "
                "needed, or total all");
    PEN_TRY(pen_stretch_scale(run, &S_t.matrix, &S_w.matrix, scale));
    const pen_stretch which = { .below = 1 - 1e-10,
                                .most = p->total == PEN_TOTAL_ALL ? x->d : chunklets - 1,
                                .scale = scale };
    PEN_TRY(pen_solve_stretch(run, &S_t, &S_w, &all, &which, request, out));
    return scale_columns(run, p->columns, out);
}

const pen_method pen_method_cfld = {
    .name = "cfld",
    .title = "Fisher's linear discriminant from must-links",
    .cite = "Bar-Hillel, Hertz, Shental, Weinshall: Learning a Mahalanobis metric from equivalence "
            "constraints. Journal of Machine Learning "
            "Research 6 (2005) 937-965",
    .dims = "chunklets - 1; with total all n - 1; at most d",
    .cost = "n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct cfld),
    .fit = fit,
};
