/* classes.c - rows grouped by their labels, and rows that are held out together. */
#include "core/rows.h"
#include "core/sort.h"

#include <stdlib.h>

int64_t pen_class_largest(const pen_view *x)
{
    int64_t largest = 0;

    for (int64_t c = 0; c < x->classes; c++)
        largest = pen_max(largest, pen_class_size(x, c));
    return largest;
}

struct labelled_row {
    int64_t label, row;
};

/* Sorts labelled rows by their labels, which are within `span` of the least one, and rows of one
 * label by number, as they come. from [count] and to [count]. */
static pen_status place_by_label(pen_run *run, int64_t count, int64_t least, int64_t span,
                                 const struct labelled_row *from, struct labelled_row *to)
{
    int64_t *places;

    PEN_TRY(PEN_FILLED(run, places, span + 2, 0));
    for (int64_t i = 0; i < count; i++)
        places[from[i].label - least + 1]++;
    for (int64_t k = 0; k <= span; k++)
        places[k + 1] += places[k];
    for (int64_t i = 0; i < count; i++)
        to[places[from[i].label - least]++] = from[i];
    return PEN_OK;
}

/* The same for any labels. *rows: in scratch memory. */
static pen_status sort_labelled(pen_run *run, int64_t count, struct labelled_row **rows)
{
    struct labelled_row *const from = *rows, *to;
    int64_t least = INT64_MAX, most = INT64_MIN;

    for (int64_t i = 0; i < count; i++) {
        least = pen_min(least, from[i].label);
        most = pen_max(most, from[i].label);
    }
    if (count == 0 || most - least > count) {
        qsort(from, (size_t)count, sizeof *from, pen_by_two_int64);
        return PEN_OK;
    }
    PEN_TRY(PEN_NEW(run, to, count));
    *rows = to;
    return place_by_label(run, count, least, most - least, from, to);
}

/* Labelled rows grouped by class, classes in the order of the labels. */
pen_status pen_rows_label(pen_run *run, const int32_t *labels, int64_t n, pen_view *out)
{
    struct labelled_row *sorted;
    int64_t *members, *starts, labelled = 0, classes = 0;

    for (int64_t i = 0; labels && i < n; i++)
        labelled += labels[i] != PEN_UNLABELLED;
    PEN_TRY(PEN_NEW(run, members, labelled));
    PEN_TRY(PEN_NEW(run, starts, labelled + 1));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sorted, labelled));
    labelled = 0;
    for (int64_t i = 0; labels && i < n; i++)
        if (labels[i] != PEN_UNLABELLED)
            sorted[labelled++] = (struct labelled_row){ labels[i], i };
    PEN_TRY(sort_labelled(run, labelled, &sorted));
    for (int64_t i = 0; i < labelled; i++) {
        if (i == 0 || sorted[i].label != sorted[i - 1].label)
            starts[classes++] = i;
        members[i] = sorted[i].row;
    }
    starts[classes] = labelled;
    pen_release(run, mark);
    out->n = n;
    out->members = members;
    out->starts = starts;
    out->labelled = labelled;
    out->classes = classes;
    return PEN_OK;
}

pen_status pen_rows_classes(pen_run *run, const pen_view *x, int32_t **class_of)
{
    PEN_TRY(PEN_FILLED(run, *class_of, x->n, PEN_UNLABELLED));
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            (*class_of)[x->members[i]] = (int32_t)c;
    return PEN_OK;
}

pen_status pen_rows_group(pen_run *run, const int32_t *groups, pen_view *out)
{
    pen_view g;
    int64_t *group;

    out->group = NULL;
    if (!groups)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, group, out->n));
    PEN_TRY(pen_rows_label(run, groups, out->n, &g));
    for (int64_t i = 0; i < out->n; i++)
        group[i] = i;
    for (int64_t c = 0; c < g.classes; c++)
        for (int64_t i = g.starts[c]; i < g.starts[c + 1]; i++)
            group[g.members[i]] = g.members[g.starts[c]];
    out->group = group;
    return PEN_OK;
}
