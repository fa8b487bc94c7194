/* total_scatter.c - the total scatter of all rows. */
#include "linalg/reduce.h"
#include "scatter/scatter.h"

const char *const pen_total_names[] = { "scatter", "covariance", NULL };

pen_status pen_scatter_total(pen_run *run, double weight, const pen_view *x, enum pen_total total,
                             pen_sym *B)
{
    if (weight == 0)
        return PEN_OK;
    return pen_rows_scatter(
        run, x, total == PEN_TOTAL_COVARIANCE ? weight / (double)pen_rows_count(x) : weight, B);
}

pen_status pen_scatter_total_precise(pen_run *run, double weight, const pen_view *x,
                                     enum pen_total total, pen_sym *B)
{
    const pen_view precise = pen_rows_precise(x);
    return pen_scatter_total(run, weight, &precise, total, B);
}

pen_status pen_scatter_rows(pen_run *run, const pen_view *x, enum pen_total total, pen_sym *S)
{
    PEN_TRY(pen_sym_zero(run, x->d, S));
    return pen_scatter_total_precise(run, 1, x, total, S);
}
