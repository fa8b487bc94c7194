/* stats.c - the object, and its table of tensors. */
#include "stats/stats.h"

#include "core/number.h"
#include "core/sort.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const pen_stats_part_names[] = {
    "total", "classes", "chunks", "rows", "nearest", NULL
};

#define OF(member) (-(int64_t)offsetof(struct pen_stats, member))
#define TENSOR(name, part, type, member, rows, cols)                                               \
    PEN_TENSOR(pen_stats, name, part, type, member, rows, cols, 0)

const pen_tensor_kind pen_stats_tensors[STATS_TENSORS] = {
    TENSOR("blocks", 0, I64, blocks, OF(block_count), 3),
    TENSOR("block_digest", 0, I64, block_digest, OF(block_count), 0),
    TENSOR("low", PEN_PART_TOTAL, F64, low, OF(d), 0),
    TENSOR("high", PEN_PART_TOTAL, F64, high, OF(d), 0),
    TENSOR("mean", PEN_PART_TOTAL, F64, mean, OF(d), 0),
    TENSOR("scatter", PEN_PART_TOTAL, F64, scatter, OF(packed), 0),
    TENSOR("class_count", PEN_PART_CLASSES, I64, classes.rows, OF(class_count), 0),
    TENSOR("class_mean", PEN_PART_CLASSES, F64, classes.mean, OF(class_count), OF(d)),
    TENSOR("within", PEN_PART_CLASSES, F64, classes.within, OF(packed), 0),
    TENSOR("chunk_id", PEN_PART_CHUNKS, I64, chunk_id, OF(chunks.count), 0),
    TENSOR("chunk_rows", PEN_PART_CHUNKS, I64, chunks.rows, OF(chunks.count), 0),
    TENSOR("chunk_mean", PEN_PART_CHUNKS, F64, chunks.mean, OF(chunks.count), OF(d)),
    TENSOR("chunk_within", PEN_PART_CHUNKS, F64, chunks.within, OF(packed), 0),
    TENSOR("row_id", PEN_PART_ROWS, I64, row_id, OF(kept), 2),
    TENSOR("row_value", PEN_PART_ROWS, F64, row_value, OF(kept), OF(d)),
    TENSOR("row_class", PEN_PART_ROWS, I32, row_class, OF(kept), 0),
    TENSOR("near_id", PEN_PART_NEAREST, I64, near_id, OF(near_rows), 2),
    { "near_distance2",
      PEN_PART_NEAREST,
      NUMBER_F64,
      offsetof(pen_stats, near_distance2),
      { OF(near_rows), OF(near) },
      .also = INFINITY },
};

/* ---- the object ---- */

pen_status pen_stats_empty(pen_run *run, int64_t d, pen_stats **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    (*out)->d = d;
    (*out)->packed = pen_times(d, d + 1) / 2;
    return PEN_OK;
}

pen_status pen_stats_allocate(pen_run *run, pen_stats *s)
{
    s->classes.count = s->class_count;
    for (int t = 0; t < STATS_TENSORS; t++) {
        const pen_tensor_kind *const tensor = &pen_stats_tensors[t];
        const int64_t count =
            pen_times(pen_tensor_shape(s, tensor, 0), pen_tensor_shape(s, tensor, 1));
        if (!pen_stats_has(s, tensor))
            continue;
        *pen_tensor_at(s, tensor) = pen_keep(run, pen_max(1, count), pen_number_size(tensor->type));
        if (!*pen_tensor_at(s, tensor))
            return PEN_NO_MEMORY;
    }
    return PEN_OK;
}

void pen_stats_free(pen_stats *stats)
{
    if (!stats)
        return;
    for (int t = 0; t < STATS_TENSORS; t++)
        free(*pen_tensor_at(stats, &pen_stats_tensors[t]));
    pen_free_names(stats->column_names, stats->d);
    pen_free_names(stats->class_names, stats->class_count);
    free(stats);
}

static int64_t sum_of_blocks(const pen_stats *s, int field)
{
    int64_t sum = 0;
    for (int64_t b = 0; b < s->block_count; b++)
        sum = pen_plus(sum, s->blocks[3 * b + field]);
    return sum;
}

int64_t pen_stats_count(const pen_stats *s)
{
    return sum_of_blocks(s, 1);
}

int64_t pen_stats_labelled(const pen_stats *s)
{
    return sum_of_blocks(s, 2);
}

pen_status pen_stats_check_blocks(pen_run *run, const pen_stats *s, int64_t first, int64_t blocks)
{
    const int64_t count = s->block_count,
                  last = pen_max(s->blocks[3 * count - 3], first + blocks - 1);
    int64_t at = 0;
    char to[64] = "", others[64] = "";

    PEN_REQUIRE(run, blocks == 0 || count <= blocks, PEN_BAD_ARGUMENT,
                "blocks must be the number of blocks, %lld, got %lld", (long long)count,
                (long long)blocks);
    while (at < count && s->blocks[3 * at] == first + at)
        at++;
    if (count == blocks || (blocks == 0 && at == count))
        return PEN_OK;
    const int64_t from = first + at, end = at < count ? s->blocks[3 * at] - 1 : last,
                  more = last - first - count - (end - from);
    if (end > from)
        snprintf(to, sizeof to, "s %lld to %lld are", (long long)from, (long long)end);
    else
        snprintf(to, sizeof to, " %lld is", (long long)from);
    if (more > 0)
        snprintf(others, sizeof others, ", and %lld others", (long long)more);
    return pen_fail(
        run, PEN_BAD_DATA,
        "block%s missing%s: blocks must be numbered 0, 1, 2, .., unless their number is given", to,
        others);
}

int64_t pen_stats_find_block(const pen_stats *s, int64_t id)
{
    const int64_t *const at =
        bsearch(&id, s->blocks, (size_t)s->block_count, 3 * sizeof *s->blocks, pen_by_int64);
    return at ? (at - s->blocks) / 3 : -1;
}

/* ---- names ---- */

int pen_stats_in_number_order(char *const *names, int64_t count)
{
    double value;
    int all = 1;

    for (int64_t i = 0; all && i < count; i++)
        all = pen_number_is(names[i], strlen(names[i]), &value);
    return all;
}

int pen_stats_compare_names(const char *a, const char *b, int by_number)
{
    double p = 0, q = 0;

    if (by_number) {
        pen_number_is(a, strlen(a), &p);
        pen_number_is(b, strlen(b), &q);
    }
    return p != q ? (p > q) - (p < q) : strcmp(a, b);
}

struct named {
    const char *name;
    double value; /* if all names are numbers */
    int64_t at;
};

static int by_name(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    return p->value != q->value ? (p->value > q->value) - (p->value < q->value)
                                : strcmp(p->name, q->name);
}

/* In the order of pen_stats_compare_names, but each number is read only once. */
pen_status pen_stats_order_names(pen_run *run, const char *const *names, int64_t count,
                                 const char ***ordered, int64_t *different, int64_t *of)
{
    struct named *list;
    int all = 1;

    *different = 0;
    PEN_TRY(PEN_NEW(run, *ordered, count));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, list, count));
    for (int64_t i = 0; i < count; i++) {
        list[i] = (struct named){ .name = names[i], .at = i };
        all = all && pen_number_is(names[i], strlen(names[i]), &list[i].value);
    }
    for (int64_t i = 0; !all && i < count; i++)
        list[i].value = 0;
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, by_name);
    for (int64_t i = 0; i < count; i++) {
        if (*different == 0 || strcmp((*ordered)[*different - 1], list[i].name) != 0)
            (*ordered)[(*different)++] = list[i].name;
        of[list[i].at] = *different - 1;
    }
    pen_release(run, mark);
    return PEN_OK;
}
