/* roles.c - columns by their names. */
#include "io/roles.h"

#include <stdlib.h>
#include <string.h>

int pen_by_name(const void *a, const void *b)
{
    const pen_named *const p = a, *const q = b;
    const size_t least = p->name.length < q->name.length ? p->name.length : q->name.length;
    const int order = least > 0 ? memcmp(p->name.start, q->name.start, least) : 0;

    return order ? order : (p->name.length > q->name.length) - (p->name.length < q->name.length);
}

pen_status pen_sort_names(pen_run *run, const pen_columns *all, int dropped, pen_named **out,
                          int64_t *count)
{
    *count = 0;
    PEN_TRY(PEN_NEW(run, *out, all->count));
    for (int64_t j = 0; j < all->count; j++)
        if (dropped || all->roles[j] != PEN_COLUMN_DROPPED)
            (*out)[(*count)++] = (pen_named){ pen_trim(all->header[j]), j };
    qsort(*out, (size_t)*count, sizeof **out, pen_by_name);
    return PEN_OK;
}
