/* soft_stats.c - soft classes are merged as classes are, with masses in place of numbers of
 * rows. */
#include "stats/soft_stats.h"

#include "linalg/graph_terms.h"
#include "linalg/packed.h"
#include "scatter/soft_scatter.h"
#include "stats/merge.h"
#include "stats/pair_merge.h"

#include <string.h>

/* ---- the shares ---- */

static pen_status fill_shares(pen_run *run, const pen_stats *all, const pen_terms *terms,
                              pen_stats *s)
{
    s->is_free = all->is_free;
    s->all_rows = terms->n;
    s->soft_classes = terms->classes;
    PEN_TRY(pen_pair_allocate(run, all, s));
    pen_pair_total(all, s);
    memcpy(s->share, terms->share, (size_t)(terms->n * terms->classes) * sizeof *s->share);
    memcpy(s->soft_check, terms->share_check, sizeof terms->share_check);
    return PEN_OK;
}

pen_status pen_soft_shares(pen_run *run, const pen_stats *all, const pen_terms *terms,
                           pen_stats **out)
{
    PEN_TRY(pen_pair_object(run, all, PEN_PART_TOTAL | PEN_PART_SHARES, out));
    return fill_shares(run, all, terms, *out);
}

/* ---- a block ---- */

static pen_status fill_block(pen_run *run, const pen_spec *spec, const pen_stats *g,
                             const pen_stats_pair *pair, pen_stats *s)
{
    pen_pair_task task;
    pen_rows x;
    pen_sym C;

    PEN_TRY(pen_pair_task_open(run, spec, g, pair, &task));
    s->soft_tasks = 1;
    s->soft_classes = g->soft_classes;
    PEN_TRY(pen_pair_allocate(run, g, s));
    memcpy(s->soft_task, task.id, sizeof task.id);
    memcpy(s->soft_check, g->soft_check, PEN_TERM_CHECKS * sizeof *s->soft_check);
    PEN_TRY(pen_pair_rows(run, g, &task, &x));
    PEN_TRY(pen_sym_zero(run, s->d, &C));
    if (x.n > 0 && task.sides == 1) /* rows of two blocks are those of their own tasks */
        PEN_TRY(pen_soft_sums_of(run, &x, s->soft_classes,
                                 g->share + task.first[0] * g->soft_classes, s->soft_mass,
                                 s->soft_mean, &C));
    pen_packed_of(&C, s->soft_within);
    return PEN_OK;
}

pen_status pen_soft_block(pen_run *run, const pen_spec *spec, const pen_stats *shares,
                          const pen_stats_pair *pair, pen_stats **out)
{
    PEN_TRY(pen_pair_object(run, shares, PEN_PART_SOFT, out));
    return fill_block(run, spec, shares, pair, *out);
}

/* ---- both ---- */

static pen_status check_same(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    PEN_TRY(pen_pair_same(run, a, b));
    PEN_REQUIRE(run,
                a->soft_classes == b->soft_classes
                    && memcmp(a->soft_check, b->soft_check, PEN_TERM_CHECKS * sizeof *a->soft_check)
                           == 0,
                PEN_BAD_ARGUMENT, "blocks %lld and %lld have soft classes of different labels",
                (long long)a->soft_task[0], (long long)b->soft_task[0]);
    return PEN_OK;
}

static pen_status join(pen_run *run, const pen_stats *a, const pen_stats *b, pen_stats *s)
{
    char *takes;
    double *delta;

    PEN_TRY(check_same(run, a, b));
    PEN_TRY(PEN_NEW(run, takes, a->soft_tasks + b->soft_tasks));
    PEN_TRY(PEN_NEW(run, delta, s->d));
    s->soft_tasks = pen_stats_merge_order(a->soft_task, a->soft_tasks, b->soft_task, b->soft_tasks,
                                          2, 2, takes);
    s->soft_classes = a->soft_classes;
    PEN_TRY(pen_pair_allocate(run, a, s));
    PEN_TRY(
        pen_pair_join_tasks(run, takes, s->soft_tasks, a->soft_task, b->soft_task, s->soft_task));
    memcpy(s->soft_check, a->soft_check, PEN_TERM_CHECKS * sizeof *s->soft_check);
    for (int64_t i = 0; i < s->packed; i++)
        s->soft_within[i] = a->soft_within[i] + b->soft_within[i];
    for (int64_t c = 0; c < s->soft_classes; c++) {
        pen_stats_join_moments(s->d, a->soft_mass[c], a->soft_mean + c * s->d, b->soft_mass[c],
                               b->soft_mean + c * s->d, delta, s->soft_mean + c * s->d,
                               s->soft_within);
        s->soft_mass[c] = a->soft_mass[c] + b->soft_mass[c];
    }
    return PEN_OK;
}

pen_status pen_soft_merge(pen_run *run, const pen_stats *a, const pen_stats *b, pen_stats **out)
{
    return pen_pair_merge_two(run, a, b, join, out);
}

pen_status pen_soft_complete(pen_run *run, const pen_stats *s)
{
    return pen_pair_blocks_complete(run, s, "soft classes", s->soft_task, s->soft_tasks);
}
