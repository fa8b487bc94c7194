/* suggest.c - chooses rows to label next.
 *
 * Rows with equal embeddings are one place. Its weight is the sum of the weights of its rows,
 *
 *   max(1 - (p_first - p_second), 0.01)^2,    of the two likeliest classes; 1 without classes
 *
 * and eval/suggest/cover.h chooses places. More than MOST places are sampled by priority: the MOST
 * places with the smallest draw / weight, with draws in (0, 1] that depend only on the embedding. A
 * weight in the sample is at least the inverse of the first excluded ratio, so that sums over the
 * sample are unbiased. Duffield, Lund, Thorup: Journal of the ACM 54 (2007) 32. After ROUND
 * suggestions the remaining places are sampled again. */
#include "core/arguments.h"
#include "core/duplicate_rows.h"
#include "core/rng.h"
#include "core/rows.h"
#include "eval/suggest/cover.h"
#include "eval/trials/embedding.h"
#include "eval/trials/sample_rows.h"
#include "linalg/blas.h"
#include "model/model.h"
#include "neighbors/heap.h"
#include "problem/prepared_rows.h"

#include <math.h>
#include <string.h>

enum { MOST = 2048, ROUND = 64 };

static const double LEAST_OPEN = 0.01;

/* Places nearer than this, relative to the root mean square distance of the rows from their mean,
 * are the same. */
static const double NEAR = 1e-3;

/* Shares sum to 1 within this. */
static const double ROUNDING = 1e-9;

/* Rows to choose from. */
struct pool {
    int64_t n, d, classes;
    double *z;              /* [n x d] */
    pen_suggestion *likely; /* [n] the likeliest classes, without `row` and `share` */
    double *weight;         /* [n] of the place whose first row this is; 0: not a candidate */
    double *draw;           /* [n] in (0, 1] */
    int64_t labels;         /* places labelled or suggested */
    int64_t *known;         /* [labels] their rows */
    double near2;
};

/* ---- classes ---- */

/* Converts scores to probabilities; equal ones if no score is above 0. */
static void to_probabilities(int64_t classes, double *row)
{
    double sum = 0, least = 0;

    for (int64_t c = 0; c < classes; c++) {
        least = row[c] < least ? row[c] : least;
        row[c] = row[c] > 0 ? row[c] : 0;
        sum += row[c];
    }
    for (int64_t c = 0; c < classes && (least < 0 || fabs(sum - 1) > ROUNDING); c++)
        row[c] = sum > 0 ? row[c] / sum : 1 / (double)classes;
}

/* Finds the two likeliest classes; ties go to the first. */
static void find_likeliest(int64_t classes, const double *row, pen_suggestion *out)
{
    int64_t first = 0, second = -1;

    for (int64_t c = 1; c < classes; c++) {
        if (row[c] > row[first]) {
            second = first;
            first = c;
        } else if (second < 0 || row[c] > row[second]) {
            second = c;
        }
    }
    out->first = (int32_t)first;
    out->second = (int32_t)second;
    out->p_first = row[first];
    out->p_second = second < 0 ? 0 : row[second];
}

static pen_status predict_rows(pen_run *run, const pen_model *model, const pen_array *x,
                               const pen_control *control, struct pool *p)
{
    const int64_t classes = p->classes;
    double *scores;

    PEN_TRY(PEN_NEW(run, p->likely, p->n));
    for (int64_t i = 0; i < p->n; i++)
        p->likely[i] = (pen_suggestion){
            .first = -1, .second = -1, .p_first = (double)NAN, .p_second = (double)NAN
        };
    if (classes == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, scores, pen_times(p->n, classes)));
    PEN_TRY(pen_shares_predict(run, model, x, control, scores));
    for (int64_t i = 0; i < p->n; i++) {
        to_probabilities(classes, scores + i * classes);
        find_likeliest(classes, scores + i * classes, &p->likely[i]);
    }
    pen_release(run, mark);
    return PEN_OK;
}

static double weight_of(const struct pool *p, int64_t row)
{
    const pen_suggestion *const l = &p->likely[row];
    const double open = 1 - (l->p_first - l->p_second);

    if (p->classes == 0)
        return 1;
    return open > LEAST_OPEN ? open * open : LEAST_OPEN * LEAST_OPEN;
}

/* ---- places ---- */

/* A number in (0, 1] that depends only on the values of a row, not on its position. */
static double draw_of(int64_t d, const double *row)
{
    uint64_t state = 0, bits;

    for (int64_t j = 0; j < d; j++) {
        memcpy(&bits, &row[j], sizeof bits);
        state = pen_rng_derive(state, bits);
    }
    return (double)((state >> 11) + 1) * 0x1p-53;
}

/* Finds the squared distance within which places count as one. */
static pen_status find_near(pen_run *run, const pen_view *rows, double *near2)
{
    double *deviation;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, deviation, rows->d));
    PEN_TRY(pen_rows_deviations(run, rows, deviation));
    *near2 = NEAR * NEAR * pen_dot(rows->d, deviation, deviation);
    pen_release(run, mark);
    return PEN_OK;
}

/* Finds the weights of places, and the places of labels. */
static pen_status weigh_places(pen_run *run, const pen_view *rows, const int32_t *labels,
                               struct pool *p)
{
    int64_t *first;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, first, p->n));
    PEN_TRY(pen_duplicates_find(run, rows, p->n, first));
    for (int64_t i = 0; i < p->n; i++) {
        p->weight[i] = 0;
        p->draw[i] = draw_of(p->d, p->z + i * p->d);
    }
    for (int64_t i = 0; i < p->n; i++)
        p->weight[first[i]] += weight_of(p, i);
    for (int64_t i = 0; labels && i < p->n; i++)
        if (labels[i] != PEN_UNLABELLED && p->weight[first[i]] > 0) {
            p->weight[first[i]] = 0;
            p->known[p->labels++] = i;
        }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status open_pool(pen_run *run, const pen_model *model, const pen_array *x,
                            const int32_t *labels, const pen_control *control, struct pool *p)
{
    pen_data data = { .labels = NULL };
    const int64_t classes = pen_model_class_count(model);
    pen_view rows;

    *p = (struct pool){ .n = x->rows,
                        .d = pen_model_dim(model),
                        .classes = classes > 1 || pen_model_classifier(model) ? classes : 0 };
    PEN_TRY(PEN_NEW(run, p->z, pen_times(p->n, p->d)));
    PEN_TRY(PEN_NEW3(run, p->weight, p->draw, p->known, p->n));
    PEN_TRY(predict_rows(run, model, x, control, p));
    PEN_TRY(pen_transform(model, x, control, PEN_F64, p->z, p->d, pen_run_error(run)));
    for (int64_t i = 0; i < p->n; i++)
        PEN_REQUIRE(
            run, !isnan(p->z[i * p->d]), PEN_NOT_FINITE,
            "row %lld (counted from 0) has a missing value: this model gives no result for it",
            (long long)i);
    data.x = pen_dense(p->z, PEN_F64, p->n, p->d, p->d);
    PEN_TRY(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows));
    PEN_TRY(pen_rows_need_squares(run, &rows, 0));
    PEN_TRY(find_near(run, &rows, &p->near2));
    return weigh_places(run, &rows, labels, p);
}

/* ---- a round ---- */

/* Takes the MOST + 1 places with the smallest draw / weight, ascending, or all: *count. */
static pen_status take_sample(pen_run *run, const struct pool *p, pen_neighbor **out,
                              int64_t *count)
{
    const int64_t room = pen_min(MOST + 1, p->n);
    pen_neighbor *heap;

    PEN_TRY(PEN_NEW(run, heap, room));
    pen_heap_clear(heap, room);
    for (int64_t i = 0; i < p->n; i++) {
        const pen_neighbor entry = { p->draw[i] / p->weight[i], i };
        if (p->weight[i] > 0 && heap_worse(heap[0], entry))
            pen_heap_replace(heap, room, entry);
    }
    pen_heap_sort(heap, room);
    *out = heap;
    *count = 0;
    while (*count < room && heap[*count].row >= 0)
        ++*count;
    return PEN_OK;
}

/* Opens the places of a sample. *count is 0 if no place is left. */
static pen_status open_cover(pen_run *run, const struct pool *p, pen_cover *cover, int64_t *count)
{
    pen_places places = { .d = p->d, .near2 = p->near2 };
    double *z, *weight, *known;
    pen_neighbor *sample;
    int64_t *row;

    PEN_TRY(take_sample(run, p, &sample, &places.count));
    const double least = places.count > MOST ? 1 / sample[MOST].distance2 : 0;
    *count = places.count = pen_min(places.count, MOST);
    if (*count == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW2(run, weight, row, *count));
    for (int64_t i = 0; i < *count; i++) {
        row[i] = sample[i].row;
        weight[i] = p->weight[row[i]] > least ? p->weight[row[i]] : least;
    }
    PEN_TRY(pen_rows_pick(run, p->z, p->d, p->d, *count, row, &z));
    PEN_TRY(pen_rows_pick(run, p->z, p->d, p->d, p->labels, p->known, &known));
    places.z = z;
    places.weight = weight;
    places.row = row;
    return pen_cover_open(run, &places, p->labels, known, cover);
}

/* Makes up to ROUND suggestions, at most `most` in all. *left is 0 if no place was left. Places
 * near a label stop being candidates, so every round leaves fewer. */
static pen_status suggest_some(pen_run *run, struct pool *p, int64_t most, pen_suggestion *out,
                               int64_t *count, int64_t *left)
{
    const int64_t end = pen_min(most, *count + ROUND);
    int64_t place = 0;
    pen_cover cover;
    double share;

    PEN_TRY(open_cover(run, p, &cover, left));
    while (*left > 0 && *count < end && place >= 0) {
        PEN_TRY(pen_progress(run, "choosing rows", *count, most));
        PEN_TRY(pen_cover_next(run, &cover, &place, &share));
        if (place < 0)
            continue;
        const int64_t row = cover.places.row[place];
        out[*count] = p->likely[row];
        out[*count].row = row;
        out[*count].share = share;
        ++*count;
        p->known[p->labels++] = row;
    }
    for (int64_t i = 0; i < *left; i++)
        if (!cover.open[i])
            p->weight[cover.places.row[i]] = 0;
    return PEN_OK;
}

/* ---- the call ---- */

static pen_status suggest(pen_run *run, const pen_model *model, const pen_data *given, int64_t most,
                          const pen_control *control, pen_suggestion *out, int64_t *count)
{
    int64_t left = 1;
    pen_data data;
    struct pool p;

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_rows_take(run, given, &data));
    PEN_TRY(pen_check_data(run, &data));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, count, "count"));
    PEN_REQUIRE(run, most >= 1, PEN_BAD_ARGUMENT, "suggestions must be at least 1, got %lld",
                (long long)most);
    *count = 0;
    PEN_TRY(open_pool(run, model, &data.x, data.labels, control, &p));
    while (*count < most && left > 0) {
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(suggest_some(run, &p, most, out, count, &left));
        pen_release(run, mark);
    }
    return PEN_OK;
}

pen_status pen_suggest(const pen_model *model, const pen_data *data, int64_t most,
                       const pen_control *control, pen_suggestion *out, int64_t *count,
                       pen_error *err)
{
    PEN_CALL(control, err, suggest(run, model, data, most, control, out, count));
}
