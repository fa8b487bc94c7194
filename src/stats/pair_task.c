/* pair_task.c - tasks over pairs of blocks are opened, and counted. */
#include "stats/pair_task.h"

#include "core/arguments.h"
#include "model/spec.h"
#include "stats/merge.h"
#include "stats/stats_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows ---- */

pen_status pen_pair_check(pen_run *run, const pen_spec *spec, const pen_stats *s)
{
    PEN_REQUIRE(run, !spec->chain && spec->method->traits & PEN_MERGES_PAIRS, PEN_BAD_ARGUMENT,
                "%s has no passes over pairs of blocks", spec->method->name);
    PEN_TRY(pen_stats_check_steps(run, spec));
    PEN_REQUIRE(run, s->parts & PEN_PART_TOTAL, PEN_BAD_ARGUMENT,
                "the statistics of all blocks must have the part total");
    return pen_stats_check_rows(run, spec, s, "this pass");
}

static pen_status open_side(pen_run *run, const pen_spec *spec, const pen_stats *s,
                            const pen_data *data, int64_t id, int side, pen_pair_task *out,
                            pen_rows *given)
{
    char where[40];

    const pen_status status = pen_units_block(run, spec, s, data, id, given, &out->first[side]);
    snprintf(where, sizeof where, "block %lld", (long long)id);
    if (status == PEN_NOT_FINITE)
        pen_explain(run, where);
    out->id[side] = id;
    out->rows[side] = given->n;
    return status;
}

pen_status pen_pair_task_open(pen_run *run, const pen_spec *spec, const pen_stats *s,
                              const pen_stats_pair *pair, pen_pair_task *out)
{
    const int swapped = pair->b && pair->block_b < pair->block_a;
    pen_rows given[2];

    *out = (pen_pair_task){ .sides = pair->b ? 2 : 1 };
    PEN_REQUIRE(run, !pair->b || pair->block_a != pair->block_b, PEN_BAD_ARGUMENT,
                "block %lld is given twice: give it alone for the pairs of its own rows",
                (long long)pair->block_a);
    PEN_TRY(open_side(run, spec, s, pair->a, pair->block_a, swapped, out, &given[swapped]));
    if (pair->b)
        PEN_TRY(open_side(run, spec, s, pair->b, pair->block_b, !swapped, out, &given[!swapped]));
    else
        out->id[1] = out->id[0];
    PEN_TRY(PEN_NEW(run, out->values[0], pen_times(out->rows[0] + out->rows[1], s->d)));
    out->values[1] = out->values[0] + out->rows[0] * s->d;
    for (int side = 0; side < out->sides; side++)
        if (given[side].n > 0)
            pen_rows_centered(&given[side], NULL, 0, given[side].n, out->values[side]);
    return PEN_OK;
}

pen_status pen_pair_rows(pen_run *run, const pen_stats *s, const pen_pair_task *task, pen_rows *out)
{
    const pen_common plain = { .dim = 0 };
    const int64_t n = task->rows[0] + task->rows[1];
    pen_moments *moments;

    PEN_TRY(PEN_NEW(run, moments, 1));
    *moments = (pen_moments){ .n = pen_stats_count(s),
                              .unit = s->unit,
                              .low = s->low,
                              .high = s->high,
                              .mean = s->mean,
                              .scatter = s->scatter };
    const pen_array values = pen_dense(task->values[0], PEN_F64, n, s->d, s->d);
    PEN_TRY(pen_rows_open_moments(run, moments, &values, NULL, &plain, out));
    out->moments = NULL;
    return PEN_OK;
}

/* ---- the object ---- */

void pen_pair_total(const pen_stats *from, pen_stats *to)
{
    const size_t d = (size_t)from->d * sizeof(double);

    memcpy(to->low, from->low, d);
    memcpy(to->high, from->high, d);
    memcpy(to->mean, from->mean, d);
    memcpy(to->scatter, from->scatter, (size_t)from->packed * sizeof(double));
}

pen_status pen_pair_object(pen_run *run, const pen_stats *s, int part, pen_stats **out)
{
    PEN_TRY(pen_stats_empty(run, s->d, out));
    (*out)->parts = part;
    pen_stats_copy_steps(s, *out);
    (*out)->is_named = s->is_named;
    (*out)->block_count = s->block_count;
    PEN_TRY(pen_stats_names(run, NULL, 0, &(*out)->class_names));
    return s->feature_names ? pen_stats_names(run, (const char *const *)s->feature_names, s->d,
                                              &(*out)->feature_names)
                            : PEN_OK;
}

pen_status pen_pair_allocate(pen_run *run, const pen_stats *s, pen_stats *out)
{
    PEN_TRY(pen_stats_allocate(run, out));
    memcpy(out->blocks, s->blocks, (size_t)(3 * s->block_count) * sizeof *out->blocks);
    memcpy(out->block_digest, s->block_digest, (size_t)s->block_count * sizeof *out->block_digest);
    return PEN_OK;
}

/* ---- tasks ---- */

pen_status pen_pair_blocks(pen_run *run, const pen_stats *s, const int64_t *tasks, int64_t count,
                           int64_t **blocks, int64_t *found)
{
    char *there;

    PEN_TRY(PEN_NEW(run, *blocks, s->block_count));
    PEN_TRY(PEN_NEW(run, there, s->block_count));
    memset(there, 0, (size_t)s->block_count);
    for (int64_t t = 0; t < 2 * count; t++)
        there[pen_stats_find_block(s, tasks[t])] = 1;
    *found = 0;
    for (int64_t b = 0; b < s->block_count; b++)
        if (there[b])
            (*blocks)[(*found)++] = s->blocks[3 * b];
    return PEN_OK;
}

pen_status pen_pair_complete(pen_run *run, const pen_stats *s, const char *what,
                             const int64_t *tasks, int64_t count)
{
    int64_t at = 0;

    for (int64_t a = 0; a < s->block_count; a++)
        for (int64_t b = a; b < s->block_count; b++, at++) {
            const int64_t task[2] = { s->blocks[3 * a], s->blocks[3 * b] };
            PEN_REQUIRE(run, at < count && pen_stats_compare(task, tasks + 2 * at, 2) == 0,
                        PEN_BAD_ARGUMENT,
                        "%s of blocks %lld and %lld are missing: a pass has a task for every two "
                        "blocks, and every single one",
                        what, (long long)task[0], (long long)task[1]);
        }
    return PEN_OK;
}

pen_status pen_pair_lists_complete(pen_run *run, const pen_stats *s)
{
    const int64_t n = pen_stats_count(s), least = pen_min(s->list_width, n - 1);

    PEN_TRY(pen_pair_complete(run, s, "lists", s->list_task, s->list_tasks));
    for (int64_t i = 0; least > 0 && i < n; i++)
        PEN_REQUIRE(run, s->list_row[i * s->list_width + least - 1] >= 0, PEN_BAD_DATA,
                    "the list of row %lld is too short: it has less than %lld rows", (long long)i,
                    (long long)least);
    return PEN_OK;
}

pen_status pen_pair_blocks_complete(pen_run *run, const pen_stats *s, const char *what,
                                    const int64_t *tasks, int64_t count)
{
    int64_t at = 0;

    for (int64_t b = 0; b < s->block_count; b++) {
        const int64_t task[2] = { s->blocks[3 * b], s->blocks[3 * b] };
        while (at < count && pen_stats_compare(tasks + 2 * at, task, 2) < 0)
            at++;
        PEN_REQUIRE(run, at < count && pen_stats_compare(tasks + 2 * at, task, 2) == 0,
                    PEN_BAD_ARGUMENT,
                    "%s of block %lld are missing: the pass has a task for every block", what,
                    (long long)task[0]);
    }
    return PEN_OK;
}
