/* compared_plan.c - what a comparison tries, from the costs of the methods and a budget. */
#include "core/folds.h"
#include "eval/choose/compare_passes.h"
#include "eval/choose/grid.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

enum { INNER_FOLDS = 3 };

/* The part of the budget that the classifiers of the baseline may take. */
static const double BASELINE = 0.1;

pen_status pen_comparing_inner_folds(pen_run *run, const pen_trial_set *trials, int64_t *folds)
{
    *folds = INNER_FOLDS;
    for (int64_t t = 0; t < trials->count; t++) {
        pen_rows known = { .n = 0 };
        int64_t most;
        pen_trial c;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_trial_open(run, trials, t, &c));
        PEN_TRY(pen_rows_label(run, c.data.labels, c.data.x.rows, &known));
        PEN_TRY(pen_rows_group(run, c.data.groups, &known));
        PEN_TRY(pen_folds_most(run, &known, &most));
        *folds = pen_min(*folds, most);
        pen_release(run, mark);
    }
    *folds = *folds < 2 ? 0 : *folds;
    return PEN_OK;
}

/* The baseline is tried first, lda in any case, and other classifiers as far as a tenth of the
 * budget goes. Returns what it takes. */
static double plan_baseline(pen_comparing *k, const pen_costs *costs, double budget,
                            int64_t classified)
{
    static const enum pen_classifier_kind kinds[] = { PEN_CLASSIFIER_LDA, PEN_CLASSIFIER_NEAREST,
                                                      PEN_CLASSIFIER_LOGISTIC };
    const pen_shared_fit *const fit = &k->list.fits[0];
    double trial = pen_costs_trial(costs, k->list.fits[0].spec);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double more = pen_costs_classifier(costs, k->list.fits[0].spec, kinds[i], classified);
        int64_t c = fit->first;
        while (k->list.pairs[c].classifier != kinds[i])
            c++;
        k->is_tried[c] = i == 0 || (trial + more) * (double)k->room <= BASELINE * budget;
        trial += k->is_tried[c] ? more : 0;
    }
    k->shares[0] = (pen_share){ .trial = trial, .grid = 1, .tried = 1 };
    k->order[0] = 0;
    return trial * (double)k->room;
}

static double cost_of_trial(const pen_comparing *k, const pen_costs *costs, int64_t f,
                            int64_t classified)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    double cost = pen_costs_trial(costs, k->list.fits[f].spec);

    for (int64_t c = fit->first; c < fit->first + fit->count; c++)
        cost += pen_costs_classifier(costs, k->list.fits[f].spec, k->list.pairs[c].classifier,
                                     classified);
    return cost;
}

enum { MOST_COMBINATIONS = 24 };

/* The number of combinations to try of a fit: all that are asked for, or the most useful ones, more
 * with a larger budget. */
static pen_status combinations_of(pen_run *run, const pen_comparing *k, int64_t f, int64_t *count)
{
    const double most = MOST_COMBINATIONS * fmax(k->effort, 1);
    const pen_mark_t mark = pen_mark(run);
    pen_grid grid;

    PEN_TRY(pen_grid_open(run, k->list.fits[f].spec, &grid));
    *count = k->list.fits[f].has_grid || (double)grid.size <= most ? grid.size : (int64_t)most;
    pen_release(run, mark);
    return PEN_OK;
}

/* Methods share what the baseline leaves. */
static pen_status plan_methods(pen_run *run, pen_comparing *k, const pen_costs *costs,
                               double budget, int64_t classified)
{
    const int64_t count = k->list.fit_count - 1, inner = k->inner->folds;

    for (int64_t f = 1; f <= count; f++) {
        k->shares[f] = (pen_share){ .trial = cost_of_trial(k, costs, f, classified) };
        PEN_TRY(combinations_of(run, k, f, &k->shares[f].grid));
    }
    pen_plan_shares(fmax(budget, 0), k->effort > 0 ? inner : 0, count, k->shares + 1, k->order + 1,
                    &k->trials->count);
    for (int64_t f = 1; f <= count; f++)
        if (k->list.fits[f].has_grid) {
            k->shares[f].tried = 1;
            k->shares[f].combinations = inner > 0 ? k->shares[f].grid : 0;
        }
    k->listed = 1;
    for (int64_t i = 1; i <= count; i++) { /* those left out may stand between the others */
        const int64_t f = ++k->order[i];   /* the baseline is before them */
        const pen_shared_fit *const fit = &k->list.fits[f];
        memset(k->is_tried + fit->first, k->shares[f].tried, (size_t)fit->count);
        if (k->shares[f].tried)
            k->order[k->listed++] = f;
    }
    return PEN_OK;
}

pen_status pen_comparing_plan(pen_run *run, pen_comparing *k, pen_comparison *out)
{
    const pen_protocol *const p = &k->trials->protocol;
    const double unit = PEN_COMPARE_BUDGET * (k->effort > 0 ? k->effort : 1);
    const double budget =
        k->effort == 0 && k->list.fits[k->list.fit_count - 1].named ? (double)INFINITY : unit;
    const int64_t classified = k->trials->classes.labelled / p->folds + k->trials->stability_count;
    pen_costs costs;

    PEN_TRY(PEN_NEW2(run, k->shares, k->order, k->list.fit_count));
    PEN_TRY(PEN_NEW(run, k->is_tried, k->count));
    PEN_TRY(pen_costs_open(run, k->trials->data, &costs));
    costs.shared = !p->inductive;
    k->room = k->trials->count;
    const double rest = budget - plan_baseline(k, &costs, budget, classified);
    PEN_TRY(plan_methods(run, k, &costs, rest, classified));
    k->room = k->trials->count;
    for (int64_t c = 0; c < k->count; c++) {
        const pen_share *const share = &k->shares[k->list.pairs[c].fit];
        out->candidates[c].cost = share->trial * (double)k->room / unit;
        out->candidates[c].grid = share->grid;
    }
    return PEN_OK;
}
