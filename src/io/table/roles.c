/* roles.c - finds columns by name. */
#include "io/table/roles.h"

#include <stdlib.h>

int pen_by_name(const void *a, const void *b)
{
    return pen_text_order(((const pen_named *)a)->name, ((const pen_named *)b)->name);
}

const pen_named *pen_find_named(const pen_named *sorted, int64_t count, const char *name)
{
    const pen_named wanted = { pen_trim(pen_text_of(name)), 0 };

    return count > 0 ? bsearch(&wanted, sorted, (size_t)count, sizeof *sorted, pen_by_name) : NULL;
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
