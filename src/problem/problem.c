/* problem.c - parts of a problem, and the check that all of its rows are present. */
#include "problem/problem.h"

pen_status pen_problem_open_part(pen_run *run, const pen_problem *whole, int64_t count,
                                 const int64_t *numbers, pen_problem *out)
{
    *out = (pen_problem){ .neighbors = whole->neighbors, .whole = whole, .numbers = numbers };
    return pen_rows_open_part(run, &whole->rows, count, numbers, &out->rows);
}

pen_status pen_problem_need_all(pen_run *run, const pen_problem *problem)
{
    PEN_REQUIRE(run, !problem->whole, PEN_INTERNAL, "rows that are needed were left out");
    PEN_REQUIRE(run, !problem->rows.moments, PEN_BAD_ARGUMENT,
                "with these parameters %s looks at every row, not only at statistics of them: fit "
                "it to the coordinates of all rows in their principal components, or to the rows "
                "and a neighbor graph of them (docs/statistics.md)",
                problem->rows.moments->method);
    return PEN_OK;
}
