/* cross_validation.c - folds of labelled rows or of pairs, and the losses of candidates in them. */
#include "solve/cross_validation.h"

#include "core/folds.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "core/sort.h"
#include "linalg/products.h"
#include "neighbors/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOLDS = 5,
    ALL_FOLDS = 10,
    LEAST_PAIRS = 2,
    MOST_SCORED = 500, /* pairs of each kind in a fold */
    SEED = 0
};
enum { CANNOT, MUST, KINDS };

/* Pairs of one kind. */
struct list {
    int64_t *rows;  /* [2 x count] */
    double *weight; /* [count] */
    int32_t *fold;  /* [count] */
    int64_t count;
    const char *labelled; /* [n] pairs of two such rows are left out; NULL: no pairs are */
};

struct folds {
    const pen_problem *problem;
    pen_view x;  /* its rows. By rows: only rows in use have labels; otherwise none has */
    int by_rows; /* 1: labelled rows are held out; 0: pairs are */
    int64_t count, runs;
    struct list lists[KINDS]; /* by rows: only pairs with an unlabelled row */
    int32_t *fold;            /* [n] of labelled rows */
    int64_t *order;           /* [n] for dealing rows, and pairs by their rows */
    const pen_request *request;
    int64_t dims; /* number of dimensions with losses */
};

/* ---- rows and pairs to hold out ---- */

static void add_pair(void *context, int64_t row, int64_t other, double weight)
{
    struct list *const list = context;

    if (list->labelled && list->labelled[row] && list->labelled[other])
        return;
    list->rows[2 * list->count] = row;
    list->rows[2 * list->count + 1] = other;
    list->weight[list->count++] = weight;
}

/* A pair by the positions of its rows. */
struct placed {
    int64_t first, second, pair;
};

/* Sorts pairs by their rows, whose positions [n] are given. */
static pen_status arrange_pairs(pen_run *run, const int64_t *position, struct list *list)
{
    const struct list from = *list;
    struct placed *places;

    PEN_TRY(PEN_NEW(run, places, list->count));
    PEN_TRY(PEN_NEW(run, list->rows, pen_times(2, list->count)));
    PEN_TRY(PEN_NEW(run, list->weight, list->count));
    for (int64_t i = 0; i < list->count; i++) {
        const int64_t p = position[from.rows[2 * i]], q = position[from.rows[2 * i + 1]];
        places[i] = (struct placed){ pen_min(p, q), pen_max(p, q), i };
    }
    qsort(places, (size_t)list->count, sizeof *places, pen_by_two_int64);
    for (int64_t i = 0; i < list->count; i++) {
        memcpy(list->rows + 2 * i, from.rows + 2 * places[i].pair, 2 * sizeof *list->rows);
        list->weight[i] = from.weight[places[i].pair];
    }
    return PEN_OK;
}

/* Lists the pairs that labels do not imply: the given pairs, unless chunklets replaced them. */
static pen_status list_pairs(pen_run *run, const pen_problem *problem, struct folds *f)
{
    const pen_view *const x = &problem->rows;
    const pen_pair_set *const all = problem->pairs;
    const int in_chunklets = all->chain_members != NULL;
    pen_pair_set pairs = *all;
    int64_t *others, *position;
    char *labelled;

    PEN_TRY(PEN_NEW(run, position, x->n));
    for (int64_t i = 0; i < x->n; i++)
        position[f->order[i]] = i;
    PEN_TRY(PEN_NEW(run, others, all->must.n));
    PEN_TRY(PEN_FILLED(run, labelled, x->n, 0));
    for (int64_t i = 0; i < x->labelled; i++)
        labelled[x->members[i]] = 1;
    pairs.closed = all->closed && in_chunklets;
    for (int kind = 0; kind < KINDS; kind++) {
        struct list *const list = &f->lists[kind];
        const int64_t given = kind == MUST ? all->must.count : all->cannot.count,
                      whole = kind == MUST ? all->must_count : all->cannot_count,
                      count = in_chunklets ? whole : given;
        PEN_TRY(PEN_NEW(run, list->rows, pen_times(2, count)));
        PEN_TRY(PEN_NEW2(run, list->fold, list->weight, count));
        list->labelled = pairs.closed ? labelled : NULL;
        pen_pairs_each(x, &pairs, kind == MUST, others, add_pair, list);
        PEN_TRY(arrange_pairs(run, position, list));
    }
    return PEN_OK;
}

/* Sets out->count, 0 if there is too little to hold out. */
static pen_status open_folds(pen_run *run, const pen_problem *problem, struct folds *out)
{
    const pen_view *const x = &problem->rows;

    out->problem = problem;
    out->x = *x;
    out->by_rows = problem->pairs->closed;
    PEN_TRY(pen_rows_order(run, x, &out->order));
    PEN_TRY(list_pairs(run, problem, out));
    PEN_TRY(PEN_NEW(run, out->fold, x->n));
    if (!out->by_rows) {
        const int64_t fewest = pen_min(out->lists[MUST].count, out->lists[CANNOT].count);
        PEN_TRY(pen_rows_label(run, NULL, x->n, &out->x));
        out->count = fewest < LEAST_PAIRS ? 0 : pen_min(FOLDS, fewest);
    } else
        PEN_TRY(pen_folds_some(run, x, out->order, FOLDS, out->fold, &out->x, &out->count));
    if (x->moments && x->moments->chunks) /* chunklets replace the rows that must-links join */
        out->count = 0;
    out->runs = out->count > 0 ? ALL_FOLDS / out->count : 0;
    return PEN_OK;
}

/* ---- one fold ---- */

static pen_status deal_pairs(pen_run *run, struct list *list, int64_t folds, uint64_t seed)
{
    pen_rng rng = { seed };
    int64_t *order;

    PEN_TRY(PEN_NEW(run, order, list->count));
    pen_rng_permutation(&rng, list->count, order);
    for (int64_t i = 0; i < list->count; i++)
        list->fold[order[i]] = (int32_t)(i % folds);
    return PEN_OK;
}

static pen_status deal(pen_run *run, struct folds *f, int64_t number)
{
    const uint64_t seed = pen_rng_derive(SEED, (uint64_t)number);

    if (f->by_rows)
        return pen_folds_deal(run, &f->x, f->order, f->count, 1, seed, f->fold);
    for (int kind = 0; kind < KINDS; kind++)
        PEN_TRY(deal_pairs(run, &f->lists[kind], f->count, pen_rng_derive(seed, (uint64_t)kind)));
    return PEN_OK;
}

static int is_held(const struct folds *f, const struct list *list, int64_t pair, int32_t number)
{
    return f->by_rows ? f->fold[list->rows[2 * pair]] == number
                            || f->fold[list->rows[2 * pair + 1]] == number
                      : list->fold[pair] == number;
}

static pen_status keep_pairs(pen_run *run, const struct folds *f, const struct list *list,
                             int32_t number, const int64_t **kept, const double **weights,
                             int64_t *count)
{
    int64_t *rows;
    double *weight;

    PEN_TRY(PEN_NEW(run, rows, pen_times(2, list->count)));
    PEN_TRY(PEN_NEW(run, weight, list->count));
    *count = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (!is_held(f, list, i, number)) {
            rows[2 * *count] = list->rows[2 * i];
            rows[2 * *count + 1] = list->rows[2 * i + 1];
            weight[(*count)++] = list->weight[i];
        }
    *kept = rows;
    *weights = f->problem->pairs->weighted ? weight : NULL;
    return PEN_OK;
}

/* Opens the rows with the labels and pairs of all other folds. */
static pen_status open_known(pen_run *run, const struct folds *f, int32_t number,
                             pen_pair_set *pairs, pen_problem *out)
{
    const pen_pair_params how = { .checked = 1 };
    pen_data data = { .x = f->x.values };
    int32_t *labels = NULL;

    *out = *f->problem;
    out->rows = f->x;
    if (f->by_rows)
        PEN_TRY(pen_folds_select(run, &f->x, f->fold, number, 0, &labels, &out->rows));
    data.labels = labels;
    PEN_TRY(keep_pairs(run, f, &f->lists[MUST], number, &data.must_link, &data.must_link_weights,
                       &data.must_link_count));
    PEN_TRY(keep_pairs(run, f, &f->lists[CANNOT], number, &data.cannot_link,
                       &data.cannot_link_weights, &data.cannot_link_count));
    PEN_TRY(pen_pairs_open(run, &data, &how, 0, &out->rows, PEN_ORDER_MUST_LINKS, pairs));
    out->pairs = pairs;
    return PEN_OK;
}

/* ---- losses ---- */

/* z [count x map->k]: the embedding of rows. */
static pen_status embed(pen_run *run, const pen_view *x, int64_t count, const int64_t *rows,
                        const pen_projection *map, double **z)
{
    double *centered;

    PEN_TRY(PEN_NEW(run, *z, pen_times(count, map->k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, centered, pen_times(count, map->d)));
    pen_rows_centered(x, rows, 0, count, centered);
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, count, map->k, map->d, centered, map->W, *z));
    pen_release(run, mark);
    return PEN_OK;
}

/* loss [map->k]: the fraction of held-out rows that 1-NN misclassifies in the first 1, 2, ..
 * dimensions. */
static pen_status lose_rows(pen_run *run, const struct folds *f, int32_t number,
                            const pen_projection *map, double *loss)
{
    const int64_t l = f->x.labelled, k = map->k;
    int64_t *rows, *right;
    int32_t *classes;
    double *z;

    PEN_TRY(PEN_NEW2(run, rows, classes, l));
    PEN_TRY(PEN_NEW(run, right, k));
    const int64_t known = pen_folds_divide(&f->x, f->fold, number, rows, classes);
    for (int64_t i = 0; i < l; i++)
        rows[i] = f->x.members[rows[i]];
    PEN_TRY(embed(run, &f->x, l, rows, map, &z));
    const pen_nearest trial = { k, known, l - known, z, z + known * k, classes, classes + known };
    PEN_TRY(pen_nearest_correct(run, &trial, k, right));
    for (int64_t c = 0; c < k; c++)
        loss[c] = 1 - (double)right[c] / (double)trial.hidden;
    return PEN_OK;
}

/* A held-out pair, with its length in some dimensions. */
struct scored {
    double length2, weight;
};

/* out [k x count]: held-out pairs in the first 1, 2, .. dimensions. Of more than MOST_SCORED pairs
 * it takes MOST_SCORED, evenly spread. */
static pen_status measure_pairs(pen_run *run, const struct folds *f, const struct list *list,
                                int32_t number, const pen_projection *map, struct scored **out,
                                int64_t *count)
{
    int64_t *ends, held = 0, at = 0;
    double *z, *weight;

    for (int64_t i = 0; i < list->count; i++)
        held += list->fold[i] == number;
    *count = pen_min(held, MOST_SCORED);
    PEN_TRY(PEN_NEW(run, ends, pen_times(2, *count)));
    PEN_TRY(PEN_NEW(run, weight, *count));
    for (int64_t i = 0, seen = 0; i < list->count; i++) {
        if (list->fold[i] != number || at * held > seen++ * *count)
            continue;
        ends[2 * at] = list->rows[2 * i];
        ends[2 * at + 1] = list->rows[2 * i + 1];
        weight[at++] = list->weight[i];
    }
    PEN_TRY(embed(run, &f->x, 2 * at, ends, map, &z));
    PEN_TRY(PEN_NEW(run, *out, pen_times(map->k, at)));
    for (int64_t i = 0; i < at; i++) {
        const double *const a = z + 2 * i * map->k, *const b = a + map->k;
        double sum = 0;
        for (int64_t c = 0; c < map->k; c++) {
            sum += (a[c] - b[c]) * (a[c] - b[c]);
            (*out)[c * at + i] = (struct scored){ sum, weight[i] };
        }
    }
    return PEN_OK;
}

/* Over all combinations of a must-link and a cannot-link, weighted by the products of their
 * weights, the fraction with the longer must-link; ties count half. Both lists are sorted. */
static double share_longer(int64_t musts, struct scored *must, int64_t cannots,
                           struct scored *cannot)
{
    double longer = 0, all = 0, below = 0, cannot_weight = 0;

    qsort(must, (size_t)musts, sizeof *must, pen_by_double);
    qsort(cannot, (size_t)cannots, sizeof *cannot, pen_by_double);
    for (int64_t j = 0; j < cannots; j++)
        cannot_weight += cannot[j].weight;
    for (int64_t i = 0, j = 0; i < musts; i++) {
        double equal = 0;
        for (; j < cannots && cannot[j].length2 < must[i].length2; j++)
            below += cannot[j].weight;
        for (int64_t e = j; e < cannots && cannot[e].length2 == must[i].length2; e++)
            equal += cannot[e].weight;
        longer += must[i].weight * ((below + equal / 2) / cannot_weight);
        all += must[i].weight;
    }
    return longer / all;
}

/* loss [map->k]: 1 - the area under the ROC curve of held-out pairs. */
static pen_status lose_pairs(pen_run *run, const struct folds *f, int32_t number,
                             const pen_projection *map, double *loss)
{
    struct scored *pairs[KINDS];
    int64_t count[KINDS];

    for (int kind = 0; kind < KINDS; kind++)
        PEN_TRY(measure_pairs(run, f, &f->lists[kind], number, map, &pairs[kind], &count[kind]));
    for (int64_t c = 0; c < map->k; c++)
        loss[c] = share_longer(count[MUST], pairs[MUST] + c * count[MUST], count[CANNOT],
                               pairs[CANNOT] + c * count[CANNOT]);
    return PEN_OK;
}

/* sums [dims] */
static pen_status add_losses(pen_run *run, const struct folds *f, int32_t number,
                             const pen_projection *map, double *sums)
{
    double *loss;

    PEN_TRY(PEN_NEW(run, loss, map->k));
    PEN_TRY(f->by_rows ? lose_rows(run, f, number, map, loss)
                       : lose_pairs(run, f, number, map, loss));
    for (int64_t c = 0; c < f->dims; c++)
        sums[c] += loss[pen_min(c, map->k - 1)];
    return PEN_OK;
}

/* ---- all folds ---- */

/* Stops an inner call when the outer call is stopped. */
static int is_stopped(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)phase, (void)done, (void)total;
    return pen_poll(user) != PEN_OK;
}

static pen_status try_candidate(pen_run *run, const struct folds *f, int32_t number,
                                const pen_problem *known, pen_candidate_fn fit, void *context,
                                int64_t i, double *sums)
{
    const pen_control control = { .threads = pen_threads(run),
                                  .progress = is_stopped,
                                  .user = run };
    pen_projection map = { .d = f->x.d };
    pen_error why;
    pen_run *own;

    if (pen_run_open(&control, &why, &own) != PEN_OK)
        return pen_fail_as(run, &why);
    pen_run_share(own, pen_run_cache(run), NULL);
    pen_run_store(own, pen_run_stored(run));
    pen_status status = fit(context, own, known, i, f->request, &map);
    if (status == PEN_OK)
        status = add_losses(own, f, number, &map, sums);
    pen_run_close(own);
    for (int64_t c = 0; c < f->dims && status != PEN_OK; c++)
        sums[c] += 1;
    return pen_ends_call(status) ? pen_fail_as(run, &why) : PEN_OK;
}

pen_status pen_cross_validate(pen_run *run, const pen_problem *problem, const pen_request *request,
                              int64_t dims, int64_t candidates, pen_candidate_fn fit, void *context,
                              pen_held_out *out)
{
    const int64_t losses = pen_times(candidates, dims);
    struct folds f = { .request = request, .dims = dims };
    pen_pair_set pairs;
    pen_problem known;

    PEN_TRY(PEN_FILLED(run, out->loss, losses, 0));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_folds(run, problem, &f));
    const int64_t folds = f.runs * f.count;
    for (int64_t fold = 0; fold < folds; fold++) {
        const int32_t number = (int32_t)(fold % f.count);
        const pen_mark_t before = pen_mark(run);
        if (number == 0)
            PEN_TRY(deal(run, &f, fold / f.count));
        PEN_TRY(open_known(run, &f, number, &pairs, &known));
        for (int64_t i = 0; i < candidates; i++) {
            PEN_TRY(pen_progress(run, "held-out labels and pairs", fold * candidates + i,
                                 folds * candidates));
            PEN_TRY(try_candidate(run, &f, number, &known, fit, context, i, out->loss + i * dims));
        }
        pen_release(run, before);
    }
    for (int64_t c = 0; c < losses && folds > 0; c++)
        out->loss[c] = rint(out->loss[c] / (double)folds * 1e12) / 1e12; /* makes ties exact */
    out->count = folds == 0  ? 0
                 : f.by_rows ? f.x.labelled
                             : pen_min(f.lists[MUST].count, f.lists[CANNOT].count);
    pen_release(run, mark);
    return PEN_OK;
}
