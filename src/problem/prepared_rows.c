/* prepared_rows.c - an array of rows, and a cache that outlives the calls. */
#include "problem/prepared_rows.h"

#include "core/arguments.h"
#include "core/array.h"

#include <stdlib.h>

void pen_rows_free(pen_rows *rows)
{
    if (!rows)
        return;
    pen_cache_free(rows->cache);
    free(rows);
}

size_t pen_rows_memory(const pen_rows *rows)
{
    return rows ? sizeof *rows + pen_cache_memory(rows->cache) : 0;
}

pen_status pen_rows_prepare(pen_run *run, const pen_array *x, pen_rows **out)
{
    PEN_TRY(pen_check_given(run, x, "x"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_array_check(run, x, "x"));
    PEN_TRY(PEN_KEEP(run, *out, 1));
    (*out)->x = *x;
    (*out)->cache = pen_cache_new();
    PEN_REQUIRE(run, (*out)->cache, PEN_NO_MEMORY, "out of memory");
    return PEN_OK;
}

pen_status pen_rows_new(const pen_array *x, const pen_control *control, pen_rows **out,
                        pen_error *err)
{
    PEN_MAKE(control, err, out, pen_rows_free, pen_rows_prepare(run, x, out));
}

static int are_same(const pen_array *a, const pen_array *b)
{
    return a->values == b->values && a->dtype == b->dtype && a->rows == b->rows
           && a->cols == b->cols && a->stride == b->stride && a->step == b->step
           && a->starts == b->starts && a->columns == b->columns;
}

pen_status pen_rows_take(pen_run *run, const pen_data *given, pen_data *out)
{
    static const pen_array none = { .rows = 0 };

    PEN_TRY(pen_check_given(run, given, "data"));
    *out = *given;
    if (!given->rows)
        return PEN_OK;
    PEN_REQUIRE(run, are_same(&given->x, &none) || are_same(&given->x, &given->rows->x),
                PEN_BAD_ARGUMENT,
                "data.x must be empty if data.rows is set, or be the array of these rows");
    out->x = given->rows->x;
    return PEN_OK;
}

pen_status pen_rows_share(pen_run *run, const pen_data *data)
{
    if (!data->rows)
        return pen_cache_open(run);
    pen_run_share(run, data->rows->cache, NULL);
    return PEN_OK;
}
