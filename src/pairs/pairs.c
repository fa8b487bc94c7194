/* pairs.c - checks and merges pairs of rows, and compares them with labels and each other. */
#include "pairs/pairs.h"

#include "core/sort.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t MAX_ROWS = INT64_C(1) << 32; /* two row numbers fit in 64 bits */

static const char *const NAMES[] = { "must_link", "cannot_link" };

/* Most rows of a chain in a message; marks a set with rows of two classes. */
enum { SHOWN = 8, MIXED = -2 };

/* State while the sets of pairs are built. */
struct job {
    const pen_data *data;
    const pen_pair_params *how;
    int64_t seed;
    int sampled;
    const pen_view *x;
    enum pen_order order;
    int64_t *position;           /* [n] position of a row in the sets, or -1 */
    int64_t *root;               /* [n] union-find parents of the rows joined by must-links */
    int64_t *class_of;           /* [n] by root, MIXED: the set has rows of two classes; or NULL */
    int64_t dropped, row, other; /* number of contradictions, and the first one */
    pen_pair_set *pairs;
};

/* ---- lists ---- */

static pen_status check_weights(pen_run *run, const char *name, const double *weights,
                                int64_t count)
{
    for (int64_t k = 0; weights && k < count; k++)
        PEN_REQUIRE(run, weights[k] >= 0 && isfinite(weights[k]), PEN_BAD_PAIR,
                    "%s: pair %lld (counted from 0): weight must be a finite number >= 0, got %g",
                    name, (long long)k, weights[k]);
    return PEN_OK;
}

static pen_status check_list(pen_run *run, const char *name, const int64_t *list, int64_t count,
                             int64_t n)
{
    PEN_REQUIRE(run, count >= 0 && (count == 0 || list), PEN_BAD_ARGUMENT,
                "%s must not be NULL if its count is %lld", name, (long long)count);
    for (int64_t k = 0; k < count; k++) {
        const int64_t *const pair = list + 2 * k;
        for (int end = 0; end < 2; end++)
            PEN_REQUIRE(run, pair[end] >= 0 && pair[end] < n, PEN_BAD_PAIR,
                        "%s: pair %lld (counted from 0): row must be in 0 .. %lld, got %lld", name,
                        (long long)k, (long long)n - 1, (long long)pair[end]);
        PEN_REQUIRE(
            run, pair[0] != pair[1], PEN_BAD_PAIR,
            "%s: pair %lld (counted from 0): a pair needs two different rows, got row %lld twice",
            name, (long long)k, (long long)pair[0]);
    }
    return PEN_OK;
}

static pen_status check_lists(pen_run *run, const pen_data *data, const pen_pair_params *how,
                              int64_t n)
{
    PEN_REQUIRE(run, how->weights == PEN_PAIR_WEIGHTS_GIVEN || !how->closure, PEN_BAD_ARGUMENT,
                "pair_weights agreement weights the given pairs, and closure adds other pairs; "
                "choose one of them");
    PEN_TRY(check_list(run, NAMES[0], data->must_link, data->must_link_count, n));
    PEN_TRY(check_list(run, NAMES[1], data->cannot_link, data->cannot_link_count, n));
    PEN_TRY(check_weights(run, NAMES[0], data->must_link_weights, data->must_link_count));
    PEN_TRY(check_weights(run, NAMES[1], data->cannot_link_weights, data->cannot_link_count));
    PEN_REQUIRE(run, n < MAX_ROWS || data->must_link_count + data->cannot_link_count == 0,
                PEN_BAD_DATA, "pairs are limited to %lld rows, got %lld", (long long)MAX_ROWS - 1,
                (long long)n);
    return PEN_OK;
}

/* position[row] = 0 for rows that can occur in pairs, and -1 for others. */
static void mark_involved(struct job *job)
{
    const pen_data *data = job->data;

    for (int64_t i = 0; i < job->x->n; i++)
        job->position[i] = -1;
    for (int64_t k = 0; k < 2 * data->must_link_count; k++)
        job->position[data->must_link[k]] = 0;
    for (int64_t k = 0; k < 2 * data->cannot_link_count; k++)
        job->position[data->cannot_link[k]] = 0;
    for (int64_t i = 0; job->sampled && i < job->x->labelled; i++)
        job->position[job->x->members[i]] = 0;
}

/* For the root of each set of joined rows: place[root] is the first position of the set. */
static void places_of_sets(const struct job *job, int64_t *root, int64_t *place)
{
    const pen_data *data = job->data;
    const int64_t n = job->x->n;
    int64_t sum = 0;

    for (int64_t k = 0; k < data->must_link_count; k++)
        if (!data->must_link_weights || data->must_link_weights[k] > 0)
            pen_chains_join(root, data->must_link[2 * k], data->must_link[2 * k + 1]);
    memset(place, 0, (size_t)n * sizeof *place);
    for (int64_t i = 0; i < n; i++)
        place[pen_chains_root(root, i)] += job->position[i] == 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t here = place[i];
        place[i] = sum;
        sum += here;
    }
}

/* Finds the rows that can occur in pairs, and their positions. */
static pen_status find_positions(pen_run *run, struct job *job)
{
    const int64_t n = job->x->n;
    int64_t *rows, *root = NULL, *place = NULL, involved = 0;

    PEN_TRY(PEN_NEW2(run, rows, job->position, n));
    mark_involved(job);
    const pen_mark_t mark = pen_mark(run);
    if (job->order == PEN_ORDER_MUST_LINKS) {
        PEN_TRY(pen_chains_roots(run, job->x, job->sampled, &root));
        PEN_TRY(PEN_NEW(run, place, n));
        places_of_sets(job, root, place);
    }
    for (int64_t i = 0; i < n; i++)
        if (job->position[i] == 0) {
            job->position[i] = root ? place[pen_chains_root(root, i)]++ : involved;
            rows[job->position[i]] = i;
            involved++;
        }
    pen_release(run, mark);
    job->pairs->rows = rows;
    job->pairs->must.n = job->pairs->cannot.n = involved;
    return PEN_OK;
}

static int labelled(const struct job *job, int64_t row)
{
    return job->pairs->closed && job->data->labels[row] != PEN_UNLABELLED;
}

static void record_contradiction(struct job *job, int64_t row, int64_t other)
{
    if (job->dropped++ == 0) {
        job->row = pen_min(row, other);
        job->other = pen_max(row, other);
    }
}

/* A pair of weight 0 counts as absent. */
static void add_list(const struct job *job, const int64_t *list, const double *weights,
                     int64_t count, pen_links *links)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = job->position[list[2 * k]], j = job->position[list[2 * k + 1]];
        if (!weights || weights[k] > 0)
            pen_links_add(links, i, j, weights ? weights[k] : 1);
    }
}

/* Drops pairs of two labelled rows: they repeat the labels, with weight 1, or contradict them. */
static int not_implied_by_labels(struct job *job, int64_t i, int64_t j, int must, double weight)
{
    const int64_t row = job->pairs->rows[i], other = job->pairs->rows[j];

    if (!labelled(job, row) || !labelled(job, other))
        return 1;
    if (weight == 1 && must == (job->data->labels[row] == job->data->labels[other]))
        job->pairs->duplicates++;
    else
        record_contradiction(job, row, other);
    return 0;
}

static int keep_must(void *context, int64_t i, int64_t j, double weight)
{
    return not_implied_by_labels(context, i, j, 1, weight);
}

static int keep_cannot(void *context, int64_t i, int64_t j, double weight)
{
    return not_implied_by_labels(context, i, j, 0, weight);
}

static pen_status check_contradictions(pen_run *run, const struct job *job, const char *how)
{
    if (job->dropped == 0 || job->how->contradictions == PEN_CONTRADICTIONS_DROP)
        return PEN_OK;
    return pen_fail(run, PEN_CONTRADICTION, "rows %lld and %lld %s",
                    (long long)pen_rows_number(job->x, job->row),
                    (long long)pen_rows_number(job->x, job->other), how);
}

/* ---- chains of must-links ---- */

static int join_pair(void *context, int64_t i, int64_t j, double weight)
{
    (void)weight;
    const struct job *job = context;
    pen_chains_join(job->root, job->pairs->rows[i], job->pairs->rows[j]);
    return 1;
}

static pen_status join_rows(pen_run *run, struct job *job)
{
    PEN_TRY(pen_chains_roots(run, job->x, job->pairs->closed, &job->root));
    pen_links_filter(&job->pairs->must, join_pair, job);
    return PEN_OK;
}

/* Drops cannot-links within a set, which contradict it; while classes are checked, also all
 * must-links of a set with rows of two classes. */
static int not_contradicted(void *context, int64_t i, int64_t j, double weight)
{
    (void)weight;
    struct job *job = context;
    const int64_t row = job->pairs->rows[i], other = job->pairs->rows[j],
                  root = pen_chains_root(job->root, row);

    if (job->class_of ? job->class_of[root] != MIXED : root != pen_chains_root(job->root, other))
        return 1;
    record_contradiction(job, row, other);
    return 0;
}

/* Replaces the must-links by the chunklets; all pairs in a chunklet are must-links. */
static pen_status close_must(pen_run *run, struct job *job)
{
    pen_pair_set *const pairs = job->pairs;
    pen_chain_tree *tree = NULL;
    pen_view chunklets;

    PEN_TRY(pen_links_index(run, &pairs->must));
    if (pairs->must.weights) {
        PEN_TRY(PEN_NEW(run, tree, 1));
        PEN_TRY(pen_pairs_tree(run, job->x, pairs, tree));
    }
    PEN_TRY(pen_pairs_chunklets(run, job->x, pairs, &chunklets));
    pairs->tree = tree;
    pairs->listed = pairs->must;
    PEN_TRY(pen_links_new(run, pairs->must.n, 0, 0, &pairs->must));
    pairs->must.repeated = pairs->listed.repeated;
    pairs->chain_members = chunklets.members;
    pairs->chain_starts = chunklets.starts;
    pairs->chains = chunklets.classes;
    return PEN_OK;
}

/* Fails with a shortest chain such as "0-1=4-2", where = joins rows with equal labels. */
static pen_status check_chain(pen_run *run, struct job *job, const char *what)
{
    char how[SHOWN * 24 + 80];
    int64_t *path, length;

    if (job->dropped == 0 || job->how->contradictions == PEN_CONTRADICTIONS_DROP)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, path, job->x->n));
    PEN_TRY(pen_links_index(run, &job->pairs->must));
    const pen_chain_links links = { &job->pairs->must, job->pairs->rows, job->pairs->closed };
    PEN_TRY(pen_chains_path(run, job->x, &links, job->row, job->other, path, &length));
    int used = snprintf(how, sizeof how, "%s, but a chain of must-links joins them: ", what);
    for (int64_t k = 0; k < pen_min(length, SHOWN); k++) {
        const char *const between = k == 0                                                 ? ""
                                    : labelled(job, path[k - 1]) && labelled(job, path[k]) ? "="
                                                                                           : "-";
        used += snprintf(how + used, sizeof how - (size_t)used, "%s%lld", between,
                         (long long)pen_rows_number(job->x, path[k]));
    }
    snprintf(how + used, sizeof how - (size_t)used, "%s", length > SHOWN ? "-..." : "");
    return check_contradictions(run, job, how);
}

/* If must-links join two classes, drops all must-links of that set, because any may be wrong. */
static pen_status check_classes(pen_run *run, struct job *job)
{
    const pen_view *x = job->x;
    int64_t *class_of;
    int mixed = 0;

    PEN_TRY(PEN_FILLED(run, class_of, x->n, -1));
    for (int64_t c = 0; job->pairs->closed && c < x->classes; c++) {
        const int64_t row = x->members[x->starts[c]];
        int64_t *const first = &class_of[pen_chains_root(job->root, row)];
        mixed |= *first != -1;
        if (*first >= 0 && job->how->contradictions != PEN_CONTRADICTIONS_DROP) {
            record_contradiction(job, *first, row);
            return check_chain(run, job, "have different labels");
        }
        *first = *first == -1 ? row : MIXED;
    }
    if (!mixed)
        return PEN_OK;
    job->class_of = class_of;
    pen_links_filter(&job->pairs->must, not_contradicted, job);
    job->class_of = NULL;
    return join_rows(run, job);
}

static pen_status apply_chains(pen_run *run, struct job *job)
{
    /* with weights by agreement, some pairs are wrong and contradict other pairs */
    if (job->how->checked || job->how->weights == PEN_PAIR_WEIGHTS_AGREEMENT)
        return PEN_OK;
    PEN_TRY(join_rows(run, job));
    PEN_TRY(check_classes(run, job));
    pen_links_filter(&job->pairs->cannot, not_contradicted, job);
    PEN_TRY(check_chain(run, job, "cannot link"));
    return job->how->closure ? close_must(run, job) : PEN_OK;
}

/* ---- building ---- */

/* Counts pairs listed with two different weights as contradictions. */
static void record_unequal(struct job *job, const pen_links *links)
{
    const uint64_t n = (uint64_t)links->n;

    if (links->unequal == 0)
        return;
    record_contradiction(job, job->pairs->rows[links->unequal_key / n],
                         job->pairs->rows[links->unequal_key % n]);
    job->dropped += links->unequal - 1;
}

/* Collects all pairs, sampled or listed. */
static pen_status collect(pen_run *run, struct job *job)
{
    const pen_data *data = job->data;
    pen_pair_set *const pairs = job->pairs;
    int64_t drawn = 0;

    if (job->sampled)
        PEN_TRY(pen_sample_size(run, &job->how->sample, job->x, &drawn));
    PEN_TRY(find_positions(run, job));
    const int64_t n = pairs->must.n, must = data->must_link_count + drawn,
                  cannot = data->cannot_link_count + drawn;
    const int dense =
        !pairs->weighted
        && pen_links_are_dense(n, pen_max(data->must_link_count, data->cannot_link_count) + drawn);
    PEN_TRY(pen_links_new(run, n, must, dense, &pairs->must));
    PEN_TRY(pen_links_new(run, n, cannot, dense, &pairs->cannot));
    if (pairs->weighted) {
        PEN_TRY(PEN_NEW(run, pairs->must.weights, must));
        PEN_TRY(PEN_NEW(run, pairs->cannot.weights, cannot));
    }
    if (job->sampled)
        PEN_TRY(pen_sample_add(run, &job->how->sample, job->seed, job->x, job->position,
                               &pairs->must, &pairs->cannot));
    add_list(job, data->must_link, data->must_link_weights, data->must_link_count, &pairs->must);
    add_list(job, data->cannot_link, data->cannot_link_weights, data->cannot_link_count,
             &pairs->cannot);
    PEN_TRY(pen_links_sort(run, &pairs->must));
    return pen_links_sort(run, &pairs->cannot);
}

/* Leaves out pairs that labels imply, and records pairs that contradict labels. */
static pen_status compare_with_labels(pen_run *run, struct job *job)
{
    pen_pair_set *const pairs = job->pairs;

    pen_links_filter(&pairs->must, keep_must, job);
    PEN_TRY(check_contradictions(run, job,
                                 pairs->weighted ? "must link, but their labels differ, or the "
                                                   "weight is not 1, the weight of labels"
                                                 : "must link, but their labels differ"));
    pen_links_filter(&pairs->cannot, keep_cannot, job);
    return check_contradictions(run, job,
                                pairs->weighted
                                    ? "cannot link, but their labels are the same, or the weight "
                                      "is not 1, the weight of labels"
                                    : "cannot link, but their labels are the same");
}

static pen_status build(pen_run *run, struct job *job)
{
    pen_pair_set *const pairs = job->pairs;
    int64_t i = 0, j = 0;

    PEN_TRY(collect(run, job));
    record_unequal(job, &pairs->must);
    record_unequal(job, &pairs->cannot);
    PEN_TRY(check_contradictions(run, job, "are listed with different weights"));
    if (pairs->closed)
        PEN_TRY(compare_with_labels(run, job));
    const int64_t both = pen_links_remove_common(&pairs->must, &pairs->cannot, &i, &j);
    if (both > 0)
        record_contradiction(job, pairs->rows[i], pairs->rows[j]);
    PEN_TRY(check_contradictions(run, job, "must link and cannot link"));
    job->dropped += both > 0 ? both - 1 : 0;
    return apply_chains(run, job);
}

static void count_pairs(const struct job *job)
{
    const pen_view *x = job->x;
    pen_pair_set *const pairs = job->pairs;
    pen_view groups;

    pairs->must_count = pairs->must.count;
    pairs->cannot_count = pairs->cannot.count;
    pairs->must_weight = pen_links_total(&pairs->must) - (double)pairs->must.count;
    pairs->cannot_weight = pen_links_total(&pairs->cannot) - (double)pairs->cannot.count;
    if (pen_pairs_must_groups(x, pairs, &groups))
        for (int64_t c = 0; c < groups.classes; c++)
            pairs->must_count +=
                pen_times(pen_class_size(&groups, c), pen_class_size(&groups, c) - 1) / 2;
    for (int64_t c = 0; pairs->closed && c < x->classes; c++)
        pairs->cannot_count += pen_class_size(x, c) * (x->labelled - x->starts[c + 1]);
    /* pairs from labels have weight 1 */
    pairs->must_weight += (double)pairs->must_count;
    pairs->cannot_weight += (double)pairs->cannot_count;
    for (int64_t t = 0; pairs->tree && t < pairs->tree->count; t++) {
        const pen_chain_join *const join = pairs->tree->join + t;
        pairs->must_weight += (join->weight - 1) * (double)(join->middle - join->first)
                              * (double)(join->end - join->middle);
    }
    pairs->duplicates += pairs->must.repeated + pairs->cannot.repeated;
    pairs->contradictions = job->dropped;
}

int pen_pairs_must_groups(const pen_view *x, const pen_pair_set *pairs, pen_view *out)
{
    *out = *x;
    if (!pairs->chain_members)
        return pairs->closed;
    out->members = pairs->chain_members;
    out->starts = pairs->chain_starts;
    out->classes = pairs->chains;
    out->labelled = pairs->chain_starts[pairs->chains];
    return 1;
}

pen_status pen_pairs_open(pen_run *run, const pen_data *data, const pen_pair_params *how,
                          int64_t seed, const pen_view *x, enum pen_order order, pen_pair_set *out)
{
    struct job job = { .data = data,
                       .how = how,
                       .seed = seed,
                       .sampled = pen_is_sample(&how->sample),
                       .x = x,
                       .order = order,
                       .pairs = out };

    *out = (pen_pair_set){ .closed = !job.sampled && x->labelled > 0,
                           .weighted = data->must_link_weights || data->cannot_link_weights
                                       || how->weights == PEN_PAIR_WEIGHTS_AGREEMENT };
    PEN_TRY(check_lists(run, data, how, x->n));
    PEN_TRY(build(run, &job));
    PEN_TRY(pen_links_index(run, &out->must));
    PEN_TRY(pen_links_index(run, &out->cannot));
    count_pairs(&job);
    return PEN_OK;
}

static void each_joined(const pen_chain_tree *tree,
                        void (*visit)(void *context, int64_t row, int64_t other, double weight),
                        void *context)
{
    for (int64_t t = 0; t < tree->count; t++)
        for (int64_t i = tree->join[t].first; i < tree->join[t].middle; i++)
            for (int64_t j = tree->join[t].middle; j < tree->join[t].end; j++)
                visit(context, tree->members[i], tree->members[j], tree->join[t].weight);
}

void pen_pairs_each(const pen_view *x, const pen_pair_set *pairs, int must, int64_t *others,
                    void (*visit)(void *context, int64_t row, int64_t other, double weight),
                    void *context)
{
    const pen_links *links = must ? &pairs->must : &pairs->cannot;
    pen_view groups = *x;
    const int complete = must ? pen_pairs_must_groups(x, pairs, &groups) : pairs->closed;

    for (int64_t i = 0; i < links->n; i++) {
        const int64_t found = pen_links_of(links, i, i + 1, links->n, others);
        for (int64_t k = 0; k < found; k++)
            visit(context, pairs->rows[i], pairs->rows[others[k]],
                  pen_links_weight(links, links->first[i] + k));
    }
    if (must && pairs->tree) {
        each_joined(pairs->tree, visit, context);
        return;
    }
    for (int64_t c = 0; complete && c < groups.classes; c++)
        for (int64_t i = groups.starts[c]; i < groups.starts[c + 1]; i++)
            for (int64_t j = must ? i + 1 : groups.starts[c + 1];
                 j < (must ? groups.starts[c + 1] : groups.labelled); j++)
                visit(context, groups.members[i], groups.members[j], 1);
}

/* ---- chunklets ---- */

/* Marks the rows in must-links, and joins their sets. */
static pen_status join_linked(pen_run *run, const pen_view *x, const pen_pair_set *pairs,
                              int64_t *root, char *linked)
{
    const pen_links *must = &pairs->must;
    int64_t *others;

    PEN_TRY(PEN_NEW(run, others, must->n));
    memset(linked, 0, (size_t)x->n);
    for (int64_t h = 0; h < pairs->chains; h++)
        for (int64_t i = pairs->chain_starts[h]; i < pairs->chain_starts[h + 1]; i++) {
            pen_chains_join(root, pairs->chain_members[pairs->chain_starts[h]],
                            pairs->chain_members[i]);
            linked[pairs->chain_members[i]] = 1;
        }
    for (int64_t i = 0; i < must->n; i++) {
        const int64_t found = pen_links_of(must, i, i + 1, must->n, others), row = pairs->rows[i];
        for (int64_t k = 0; k < found; k++) {
            pen_chains_join(root, row, pairs->rows[others[k]]);
            linked[row] = linked[pairs->rows[others[k]]] = 1;
        }
    }
    for (int64_t c = 0; pairs->closed && c < x->classes; c++)
        for (int64_t i = x->starts[c]; pen_class_size(x, c) > 1 && i < x->starts[c + 1]; i++)
            linked[x->members[i]] = 1;
    return PEN_OK;
}

pen_status pen_pairs_chunklets(pen_run *run, const pen_view *x, const pen_pair_set *pairs,
                               pen_view *out)
{
    int64_t *root, *members, *starts, *place, chunklets = 0;
    char *linked;

    PEN_TRY(PEN_NEW(run, members, x->n));
    PEN_TRY(PEN_NEW(run, starts, x->n + 1));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_chains_roots(run, x, pairs->closed, &root));
    PEN_TRY(PEN_NEW2(run, linked, place, x->n));
    PEN_TRY(join_linked(run, x, pairs, root, linked));
    for (int64_t i = 0; i < x->n; i++) { /* roots are the first rows of their sets */
        const int64_t first = pen_chains_root(root, i);
        place[i] = !linked[i] ? -1 : first == i ? chunklets++ : place[first];
    }
    pen_sort_groups(x->n, place, chunklets, starts, members);
    pen_release(run, mark);
    *out = *x;
    out->members = members;
    out->starts = starts;
    out->labelled = starts[chunklets];
    out->classes = chunklets;
    return PEN_OK;
}

pen_status pen_pairs_tree(pen_run *run, const pen_view *x, const pen_pair_set *pairs,
                          pen_chain_tree *out)
{
    if (!pairs->tree)
        return pen_chains_tree(run, x,
                               &(pen_chain_links){ &pairs->must, pairs->rows, pairs->closed }, out);
    *out = *pairs->tree;
    return PEN_OK;
}
