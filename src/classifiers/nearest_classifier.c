/* nearest_classifier.c - distances of rows to stored rows, by direct differences, and the resulting
 * classes. If many rows are stored, products first find the near ones. */
#include "classifiers/nearest_classifier.h"

#include "classifiers/affine_classifier.h"
#include "core/parallel.h"
#include "neighbors/heap.h"
#include "products/multiply.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LANES = 8,  /* stored rows whose distances are summed side by side */
    BLOCK = 28, /* rows to compare with a tile of stored rows while the tile is in the cache */
    TASK = 84,  /* rows in a task */
    ASK = 64,   /* tiles between checks whether the caller has stopped the call */
    /* a filter pays for more rows than these, and for more tiles per class or voting row; with more
     * tiles it takes too much memory */
    FEW_ROWS = 64,
    FEW_TILES = 6,
    MOST_TILES = 1 << 14,
    GROUPS = 64, /* groups of tiles: the nearest voters are mostly in different ones */
};

/* Limit for rows in single precision. */
static const double MOST_SQUARE = 1e30;

static const double LEAST_DISTANCE = 1e-9;

pen_status pen_nearest_classifier_fit(pen_run *run, const pen_classifier_rows *rows,
                                      int64_t neighbors, pen_classifier *out)
{
    const int64_t k = rows->all->k;

    out->center = rows->center;
    out->divisor = rows->divisor;
    out->count = rows->labelled;
    out->neighbors = pen_min(neighbors, rows->labelled);
    out->of = rows->of;
    PEN_TRY(PEN_NEW(run, out->rows, pen_times(out->count, k)));
    for (int64_t i = 0; i < out->count; i++)
        pen_classifier_row(k, rows->center, rows->divisor, rows->all->z + rows->members[i] * k,
                           out->rows + i * k);
    return PEN_OK;
}

struct search {
    pen_run *run;
    const pen_classifier *classifier;
    pen_array z;
    int64_t tiles, votes; /* votes: 0 unless the classifier is `neighbors` */
    /* [tiles][k x LANES] stored rows of one class, transposed, padded with zeros */
    const double *tile;
    const int64_t *row;  /* [tiles x LANES] row numbers, ascending in a class, then -1 */
    const int64_t *ends; /* [classes] the end of the tiles of a class that has any */
    const float *factor; /* [k + 1][LANES x tiles]; NULL: search all tiles */
    double longest;      /* the largest |y| */
    double *p;
    int32_t *classes;
    int64_t *first_bad;  /* [tasks] first row that is not finite, or -1 */
    pen_slices rows;     /* [BLOCK x k] */
    pen_slices distance; /* [BLOCK x classes] the smallest d^2 to rows of each class */
    pen_slices nearest;  /* [BLOCK] the nearest row */
    pen_slices voters;   /* [BLOCK x votes] heaps */
    pen_slices left;     /* [BLOCK x (k + 1)] rows in single precision, and 1 */
    pen_slices products; /* [BLOCK][LANES x tiles] of `left` and the factor */
};

/* Distances found so far for one row. */
struct found {
    double *distance;
    pen_neighbor *nearest, *voters;
};

/* Rows that vote with their probabilities have no class, and count as class 0 here. */
static int32_t class_of(const pen_classifier *classifier, int64_t row)
{
    return classifier->of ? classifier->of[row] : 0;
}

/* Each class begins a tile. starts [classes]: the first place of each. */
static void place_classes(const pen_classifier *classifier, int64_t *starts, int64_t *tiles)
{
    for (int64_t c = 0; c < classifier->classes; c++)
        starts[c] = 0;
    for (int64_t i = 0; i < classifier->count; i++)
        starts[class_of(classifier, i)]++;
    *tiles = 0;
    for (int64_t c = 0; c < classifier->classes; c++) {
        const int64_t own = (starts[c] + LANES - 1) / LANES;
        starts[c] = *tiles * LANES;
        *tiles += own;
    }
}

static pen_status transpose_rows(pen_run *run, const pen_classifier *classifier, struct search *s)
{
    const int64_t k = classifier->k;
    int64_t *places, *row;
    double *tile;

    PEN_TRY(PEN_NEW(run, places, classifier->classes));
    place_classes(classifier, places, &s->tiles);
    PEN_TRY(PEN_FILLED(run, row, pen_times(s->tiles, LANES), -1));
    PEN_TRY(PEN_FILLED(run, tile, pen_times(pen_times(s->tiles, k), LANES), 0));
    for (int64_t i = 0; i < classifier->count; i++) {
        const int64_t place = places[class_of(classifier, i)]++;
        row[place] = i;
        for (int64_t j = 0; j < k; j++)
            tile[(place / LANES * k + j) * LANES + place % LANES] = classifier->rows[i * k + j];
    }
    for (int64_t c = 0; c < classifier->classes; c++)
        places[c] = (places[c] + LANES - 1) / LANES;
    s->tile = tile;
    s->row = row;
    s->ends = places;
    return PEN_OK;
}

static void distances(int64_t k, const double *restrict x, const double *restrict tile,
                      double *restrict distance2)
{
    double sum[LANES] = { 0 };

    for (int64_t j = 0; j < k; j++)
        for (int lane = 0; lane < LANES; lane++) {
            const double difference = x[j] - tile[j * LANES + lane];
            sum[lane] += difference * difference;
        }
    memcpy(distance2, sum, sizeof sum);
}

/* 1 if a distance is at most `bound`. */
static int any_within(const double *distance2, double bound)
{
    int any = 0;

    for (int lane = 0; lane < LANES; lane++)
        any |= distance2[lane] <= bound;
    return any;
}

/* Most tiles have no row nearer than the nearest of its class so far. Of equally near rows the
 * lowest counts, regardless of the order of the search. */
static void note_distances(const struct search *s, int64_t tile, const double *distance2,
                           const struct found *f)
{
    const int64_t *const row = s->row + tile * LANES;
    double *const least = &f->distance[class_of(s->classifier, row[0])];
    const double reach =
        heap_reach(s->votes > 0 && f->voters->distance2 > *least ? f->voters->distance2 : *least);

    if (!any_within(distance2, reach))
        return;
    for (int64_t lane = 0; lane < LANES && row[lane] >= 0; lane++) {
        const pen_neighbor entry = { distance2[lane], row[lane] };
        if (entry.distance2 > reach)
            continue;
        *least = entry.distance2 < *least ? entry.distance2 : *least;
        if (heap_worse(*f->nearest, entry))
            *f->nearest = entry;
        if (s->votes > 0 && heap_worse(f->voters[0], entry))
            pen_heap_replace(f->voters, s->votes, entry);
    }
}

static void shares_of_means(const pen_classifier *classifier, double nearest, double *p)
{
    for (int64_t c = 0; c < classifier->classes; c++)
        p[c] = -(p[c] - nearest) / classifier->width;
    pen_softmax(classifier->classes, p);
}

static void shares_of_nearest(int64_t classes, double nearest, double *p)
{
    const double least = LEAST_DISTANCE + sqrt(nearest);
    double sum = 0;

    for (int64_t c = 0; c < classes; c++) {
        const double ratio = least / (LEAST_DISTANCE + sqrt(p[c]));
        sum += p[c] = ratio * ratio * (ratio * ratio);
    }
    for (int64_t c = 0; c < classes; c++)
        p[c] /= sum;
}

/* Averages the probabilities, from the nearest row on, because the order of a heap is arbitrary.
 * They sum to 1 up to rounding. */
static void mean_of_votes(const struct search *s, pen_neighbor *voters, double *p)
{
    const int64_t classes = s->classifier->classes;
    double sum = 0;

    pen_heap_sort(voters, s->votes);
    memset(p, 0, (size_t)classes * sizeof *p);
    for (int64_t v = 0; v < s->votes; v++)
        for (int64_t c = 0; c < classes; c++)
            p[c] += s->classifier->votes[voters[v].row * classes + c];
    for (int64_t c = 0; c < classes; c++)
        sum += p[c];
    for (int64_t c = 0; c < classes; c++)
        p[c] /= sum;
}

static void add_votes(const struct search *s, const pen_neighbor *voters, double *p)
{
    for (int64_t c = 0; c < s->classifier->classes; c++)
        p[c] /= 2;
    for (int64_t v = 0; v < s->votes; v++)
        p[s->classifier->of[voters[v].row]] += 1;
    for (int64_t c = 0; c < s->classifier->classes; c++)
        p[c] /= (double)s->votes + 0.5;
}

/* Writes the distances in ascending order. */
static void distances_of(const struct search *s, pen_neighbor *voters, double *p)
{
    pen_heap_sort(voters, s->votes);
    for (int64_t v = 0; v < s->votes; v++)
        p[v] = voters[v].distance2;
}

/* Turns the distances of a row into p. Returns its class. */
static int32_t decide(const struct search *s, const struct found *f)
{
    const pen_classifier *const classifier = s->classifier;

    if (classifier->votes)
        mean_of_votes(s, f->voters, f->distance);
    else if (!classifier->of)
        distances_of(s, f->voters, f->distance);
    else if (classifier->kind == PEN_CLASSIFIER_MEANS)
        shares_of_means(classifier, f->nearest->distance2, f->distance);
    else
        shares_of_nearest(classifier->classes, f->nearest->distance2, f->distance);
    if (classifier->kind == PEN_CLASSIFIER_NEAREST)
        return classifier->of[f->nearest->row];
    if (classifier->kind == PEN_CLASSIFIER_NEIGHBORS && classifier->of)
        add_votes(s, f->voters, f->distance);
    return pen_largest_share(classifier->classes, f->distance);
}

static struct found found_at(const struct search *s, int64_t row, int worker)
{
    return (struct found){ (double *)pen_slice(&s->distance, worker) + row * s->classifier->classes,
                           (pen_neighbor *)pen_slice(&s->nearest, worker) + row,
                           (pen_neighbor *)pen_slice(&s->voters, worker) + row * s->votes };
}

static void look_at(const struct search *s, int64_t tile, const double *x, const struct found *f)
{
    double distance2[LANES];

    distances(s->classifier->k, x, s->tile + tile * s->classifier->k * LANES, distance2);
    note_distances(s, tile, distance2, f);
}

/* ---- which tiles have near rows ----
 *
 * |x - y|^2 - |x|^2 = |y|^2 - 2 x.y for all stored rows y is a matrix product, here in single
 * precision. A bound on its rounding finds the tiles to search, so that results do not depend on
 * the product. */

static double square_of(int64_t k, const double *x, int64_t stride)
{
    double sum = 0;

    for (int64_t j = 0; j < k; j++)
        sum += x[j * stride] * x[j * stride];
    return sum;
}

/* The factor has a column for each place: -2 y, and |y|^2 for the 1 that ends rows x. A place
 * without a row repeats another row of its tile. */
static pen_status open_filter(pen_run *run, int workers, struct search *s)
{
    const int64_t k = s->classifier->k, places = s->tiles * LANES;
    double most = 0;
    float *factor;

    PEN_TRY(PEN_NEW(run, factor, pen_times(places, k + 1)));
    for (int64_t place = 0; place < places; place++) {
        const int64_t tile = place / LANES, lane = s->row[place] >= 0 ? place % LANES : 0;
        const double *const y = s->tile + tile * k * LANES + lane, square = square_of(k, y, LANES);
        float *const to = factor + place % LANES * s->tiles + tile;
        most = fmax(most, square);
        for (int64_t j = 0; j < k && square <= MOST_SQUARE; j++)
            to[j * places] = (float)(-2 * y[j * LANES]);
        to[k * places] = (float)fmin(square, MOST_SQUARE);
    }
    s->factor = most <= MOST_SQUARE ? factor : NULL;
    s->longest = sqrt(most);
    PEN_TRY(pen_slices_new(run, workers, pen_times(BLOCK, k + 1), sizeof(float), &s->left));
    return pen_slices_new(run, workers, pen_times(BLOCK, places), sizeof(float), &s->products);
}

/* Twice the error of a product: rounding of x, y and |y|^2 to u, and k + 1 additions, give at most
 * (k + 5) u (|x| + |y|)^2. The excess covers sums with it, and distances that count as equal.
 * Numbers too small for single precision add up to less than 1e-37. */
static double slack_of(const struct search *s, double square)
{
    const double reach = sqrt(square) + s->longest;

    return square <= MOST_SQUARE
               ? (double)(s->classifier->k + 8) * FLT_EPSILON * reach * reach + 1e-37
               : (double)INFINITY;
}

static void keep_least(int64_t count, const float *restrict values, float *restrict least)
{
    for (int64_t i = 0; i < count; i++)
        least[i] = values[i] < least[i] ? values[i] : least[i];
}

/* Returns at least the k-th smallest of values, and little more. */
static float bound_of(int64_t count, const float *values, int64_t k)
{
    const int64_t groups = pen_min(count, GROUPS);
    float least[GROUPS], kept[GROUPS];

    memcpy(least, values, (size_t)groups * sizeof *least);
    for (int64_t i = groups; i < count; i += GROUPS)
        keep_least(pen_min(GROUPS, count - i), values + i, least);
    for (int64_t i = 0; i < k; i++)
        kept[i] = INFINITY;
    for (int64_t g = 0; g < groups; g++)
        if (least[g] < kept[k - 1]) {
            int64_t at = k - 1;
            for (; at > 0 && kept[at - 1] > least[g]; at--)
                kept[at] = kept[at - 1];
            kept[at] = least[g];
        }
    return kept[k - 1];
}

/* Searches the tiles that may have the nearest row of a class, or one of the voters: the nearest
 * rows of `votes` tiles are already that many rows. least [tiles]. */
static void search_near(const struct search *s, const double *x, const float *least, double slack,
                        const struct found *f)
{
    const float voters =
        s->votes > 0 ? (float)(bound_of(s->tiles, least, s->votes) + slack) : -INFINITY;
    int64_t end;

    for (int64_t first = 0; first < s->tiles; first = end) {
        end = s->ends[class_of(s->classifier, s->row[first * LANES])];
        const float own = s->classifier->votes
                              ? voters
                              : (float)(bound_of(end - first, least + first, 1) + slack),
                    bound = own > voters ? own : voters;
        for (int64_t t = first; t < end; t++)
            if (least[t] <= bound)
                look_at(s, t, x, f);
    }
}

static void filter_block(const struct search *s, int64_t count, const double *rows, int worker)
{
    const int64_t k = s->classifier->k, places = s->tiles * LANES;
    float *const left = pen_slice(&s->left, worker);
    float *const products = pen_slice(&s->products, worker);
    double slack[BLOCK];

    for (int64_t i = 0; i < count; i++) {
        slack[i] = slack_of(s, square_of(k, rows + i * k, 1));
        for (int64_t j = 0; j < k; j++)
            left[i * (k + 1) + j] = slack[i] < (double)INFINITY ? (float)rows[i * k + j] : 0;
        left[i * (k + 1) + k] = 1;
    }
    pen_multiply_dense(&(pen_dense_product){ .type = PEN_F32,
                                             .m = count,
                                             .n = places,
                                             .k = k + 1,
                                             .a = { left, k + 1, 1, 0 },
                                             .b = { s->factor, places, 1, 0 },
                                             .alpha = 1,
                                             .c = products,
                                             .stride = places });
    for (int64_t i = 0; i < count; i++) {
        const struct found f = found_at(s, i, worker);
        float *const least = products + i * places;
        for (int64_t lane = 1; lane < LANES; lane++)
            keep_least(s->tiles, least + lane * s->tiles, least);
        search_near(s, rows + i * k, least, slack[i], &f);
    }
}

static void search_block(const struct search *s, int64_t first, int64_t count, int worker)
{
    const int64_t k = s->classifier->k, c = s->classifier->classes;
    double *const rows = pen_slice(&s->rows, worker);

    for (int64_t i = 0; i < count; i++) {
        const struct found f = found_at(s, i, worker);
        pen_classifier_row(k, s->classifier->center, s->classifier->divisor,
                           pen_row_at(&s->z, first + i), rows + i * k);
        for (int64_t a = 0; a < c; a++)
            f.distance[a] = INFINITY;
        pen_heap_clear(f.nearest, 1);
        pen_heap_clear(f.voters, s->votes);
    }
    if (s->factor) {
        filter_block(s, count, rows, worker);
        return;
    }
    for (int64_t tile = 0; tile < s->tiles; tile++) {
        if (tile % ASK == 0 && pen_stopped(s->run, worker))
            return;
        for (int64_t i = 0; i < count; i++) {
            const struct found f = found_at(s, i, worker);
            look_at(s, tile, rows + i * k, &f);
        }
    }
}

/* Were the deciding rows found? If squares of distances overflow, they were not. */
static int is_near(const struct search *s, const struct found *f)
{
    return isfinite(f->nearest->distance2)
           && (s->votes == 0 || isfinite(f->voters->distance2)); /* the farthest of the voters */
}

/* Returns the first row too far from all known rows, or -1. */
static int64_t answer_block(const struct search *s, int64_t first, int64_t count, int worker)
{
    const int64_t c = s->classifier->classes;

    for (int64_t i = 0; i < count; i++) {
        const struct found f = found_at(s, i, worker);
        if (!is_near(s, &f))
            return first + i;
        const int32_t class = decide(s, &f);
        if (s->classes)
            s->classes[first + i] = class;
        if (s->p)
            memcpy(s->p + (first + i) * c, f.distance, (size_t)c * sizeof *s->p);
    }
    return -1;
}

static void search_rows(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t end = pen_min(s->z.rows, (task + 1) * TASK);

    s->first_bad[task] = -1;
    for (int64_t i = task * TASK; i < end; i++)
        if (!pen_all_finite(pen_row_at(&s->z, i), s->classifier->k)) {
            s->first_bad[task] = i;
            return;
        }
    for (int64_t first = task * TASK; first < end; first += BLOCK) {
        const int64_t count = pen_min(BLOCK, end - first);
        search_block(s, first, count, worker);
        if (pen_stopped(s->run, worker))
            return;
        s->first_bad[task] = answer_block(s, first, count, worker);
        if (s->first_bad[task] >= 0)
            return;
    }
}

static pen_status open_slices(pen_run *run, int workers, struct search *s)
{
    const pen_classifier *const r = s->classifier;

    PEN_TRY(pen_slices_new(run, workers, pen_times(BLOCK, r->k), sizeof(double), &s->rows));
    PEN_TRY(
        pen_slices_new(run, workers, pen_times(BLOCK, r->classes), sizeof(double), &s->distance));
    PEN_TRY(pen_slices_new(run, workers, BLOCK, sizeof(pen_neighbor), &s->nearest));
    return pen_slices_new(run, workers, pen_times(BLOCK, s->votes), sizeof(pen_neighbor),
                          &s->voters);
}

pen_status pen_nearest_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                        const double *z, int64_t stride, double *p,
                                        int32_t *classes)
{
    const int64_t tasks = (n + TASK - 1) / TASK;
    const int workers = pen_workers(run, tasks);
    struct search s = { .run = run,
                        .classifier = classifier,
                        .z = pen_dense(z, PEN_F64, n, classifier->k, stride),
                        .votes = classifier->kind == PEN_CLASSIFIER_NEIGHBORS
                                     ? pen_min(classifier->neighbors, classifier->count)
                                     : 0,
                        .p = p,
                        .classes = classes };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(transpose_rows(run, classifier, &s));
    if (s.votes <= GROUPS && pen_isa_now() > PEN_ISA_PORTABLE && s.tiles <= MOST_TILES
        && n >= FEW_ROWS
        && s.tiles >= FEW_TILES * (s.votes + (classifier->votes ? 1 : classifier->classes)))
        PEN_TRY(open_filter(run, workers, &s));
    PEN_TRY(open_slices(run, workers, &s));
    PEN_TRY(PEN_NEW(run, s.first_bad, tasks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("predicting classes"), tasks, search_rows, &s));
    for (int64_t t = 0; t < tasks; t++)
        if (s.first_bad[t] >= 0)
            return pen_rows_refuse(run, &s.z, s.first_bad[t]);
    pen_release(run, mark);
    return PEN_OK;
}
