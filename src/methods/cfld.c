/* cfld.c - cFLD, Fisher's linear discriminant from must-links.
 *
 *   minimize  |W'S_w W| / |W'S_t W|
 *
 *   S_w: covariance within chunklets;  S_t: covariance of their rows, or of all rows
 *
 * A chunklet is a set of rows joined by must-links. Directions in which chunklets do not differ
 * (theta = 1) are left out. The eigenvalue theta is the fraction of a column's variance that lies
 * within chunklets; between / within = 1 / theta - 1.
 * Bar-Hillel, Hertz, Shental, Weinshall: Journal of Machine Learning Research 6 (2005) 937-965.
 */
#include "methods/method.h"

enum length { LENGTH_TOTAL, LENGTH_WITHIN, LENGTH_UNIT };

static const char *const lengths[] = { "total", "within", "unit", NULL };

struct cfld {
    enum pen_total_rows total_rows;
    enum length column_scaling;
};

static const pen_param params[] = {
    PEN_CHOICE(struct cfld, total_rows, pen_total_rows_names, PEN_TOTAL_CHUNK,
               "rows that give the total covariance: rows in chunklets, or all rows"),
    PEN_CHOICE(
        struct cfld, column_scaling, lengths, LENGTH_TOTAL,
        "what equals 1 along a column: the total covariance, the within covariance, or its length"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

/* From w'S_t w = 1. */
static pen_status scale_columns(pen_run *run, enum length length, pen_projection *out)
{
    if (length == LENGTH_UNIT)
        pen_solve_unit_columns(out);
    for (int64_t c = 0; length == LENGTH_WITHIN && c < out->k; c++) {
        PEN_REQUIRE(
            run, out->eigenvalues[c] > 0, PEN_SINGULAR_SCATTER,
            "dimension %lld has no variance within chunklets; set column_scaling to total or unit",
            (long long)c + 1);
        pen_solve_divide_column(out, c, sqrt(out->eigenvalues[c]));
    }
    return PEN_OK;
}

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct cfld *p = params_;
    pen_view chunklets;
    pen_sym S_t, S_w;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_t, &S_w));
    PEN_TRY(pen_scatter_chunklets(run, problem, p->total_rows, &S_t, &S_w, &chunklets));
    PEN_REQUIRE(run, chunklets.classes > 1 || p->total_rows == PEN_TOTAL_ALL, PEN_RANK_TOO_SMALL,
                "nothing to project on: all must-links join their rows to 1 chunklet, and 2 "
                "are needed, or total_rows all");
    const int64_t most = p->total_rows == PEN_TOTAL_ALL ? problem->rows.d : chunklets.classes - 1;
    PEN_TRY(pen_solve_shares(run, &S_t, &S_w, most, request, out));
    return scale_columns(run, p->column_scaling, out);
}

const pen_method pen_method_cfld = {
    .name = "cfld",
    .title = "Fisher's linear discriminant from must-links",
    .cite = "Bar-Hillel, Hertz, Shental, Weinshall: Learning a Mahalanobis metric from equivalence "
            "constraints. Journal of Machine Learning Research 6 (2005) 937-965",
    .dims = "chunklets - 1; with total_rows all n - 1; at most d",
    .cost = "n d^2 + d^3",
    .not_for = "more than a few labels per class; use rca or wbdr",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_USES_UNLABELLED | PEN_MERGES_ROWS,
    PEN_INNER(.any_units = 1, .needs = { .pairs = PEN_MUST_LINKS }, PEN_FIT(struct cfld)),
};
