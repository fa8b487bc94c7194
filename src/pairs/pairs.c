/* pairs.c - pairs of rows: checked, merged, and held against labels and each other. */
#include "pairs/pairs.h"

#include <string.h>

static const int64_t MOST_ROWS = INT64_C(1) << 32; /* the numbers of two rows make 64 bits */

static const char *const NAMES[] = { "must_link", "cannot_link" };

/* Pairs being put together. */
struct job {
    const pen_data *data;
    const pen_rows *x;
    enum pen_order order;
    int64_t *position;           /* [n] of a row in the sets, or -1 */
    int64_t *root;               /* [n] of the tree of rows that must-links join */
    int64_t dropped, row, other; /* contradictions, and the first of them */
    pen_pairs *pairs;
};

/* ---- rows that must-links join ---- */

static int64_t root_of(int64_t *root, int64_t row)
{
    while (root[row] != row)
        row = root[row] = root[root[row]];
    return row;
}

/* The smaller row becomes the root: so roots do not depend on the order of the pairs. */
static void join(int64_t *root, int64_t row, int64_t other)
{
    const int64_t a = root_of(root, row), b = root_of(root, other);
    root[pen_max(a, b)] = pen_min(a, b);
}

static pen_status roots_of_labels(pen_run *run, const pen_rows *x, int closed, int64_t **out)
{
    PEN_TRY(PEN_NEW(run, *out, x->n));
    for (int64_t i = 0; i < x->n; i++)
        (*out)[i] = i;
    for (int64_t c = 0; closed && c < x->classes; c++)
        for (int64_t i = x->starts[c] + 1; i < x->starts[c + 1]; i++)
            join(*out, x->members[x->starts[c]], x->members[i]);
    return PEN_OK;
}

/* ---- lists ---- */

static pen_status check_list(pen_run *run, const char *name, const int64_t *list, int64_t count,
                             int64_t n)
{
    PEN_REQUIRE(run, count >= 0 && (count == 0 || list), PEN_BAD_ARGUMENT,
                "%s: %lld pairs and no list of them", name, (long long)count);
    for (int64_t k = 0; k < count; k++) {
        const int64_t *const pair = list + 2 * k;
        for (int end = 0; end < 2; end++)
            PEN_REQUIRE(run, pair[end] >= 0 && pair[end] < n, PEN_BAD_PAIR,
                        "%s: pair %lld (counted from 0): row must be in 0 .. %lld, got %lld", name,
                        (long long)k, (long long)n - 1, (long long)pair[end]);
        PEN_REQUIRE(
            run, pair[0] != pair[1], PEN_BAD_PAIR,
            "%s: pair %lld (counted from 0): two different rows make a pair, got row %lld twice",
            name, (long long)k, (long long)pair[0]);
    }
    return PEN_OK;
}

static pen_status check_lists(pen_run *run, const pen_data *data, int64_t n)
{
    PEN_TRY(check_list(run, NAMES[0], data->must_link, data->must_link_count, n));
    PEN_TRY(check_list(run, NAMES[1], data->cannot_link, data->cannot_link_count, n));
    PEN_REQUIRE(run, n < MOST_ROWS || data->must_link_count + data->cannot_link_count == 0,
                PEN_BAD_DATA, "pairs of more than %lld rows, got %lld", (long long)MOST_ROWS - 1,
                (long long)n);
    PEN_REQUIRE(run,
                data->on_contradiction == PEN_CONTRADICTION_ERROR
                    || data->on_contradiction == PEN_CONTRADICTION_DROP,
                PEN_BAD_ARGUMENT, "on_contradiction must be one of pen_contradiction, got %d",
                (int)data->on_contradiction);
    PEN_REQUIRE(run,
                data->transitive >= PEN_TRANSITIVE_OFF && data->transitive <= PEN_TRANSITIVE_CLOSE,
                PEN_BAD_ARGUMENT, "transitive must be one of pen_transitive, got %d",
                (int)data->transitive);
    return PEN_OK;
}

/* position[row] = 0 for rows that pairs may be of, else -1. */
static void mark_rows(struct job *job)
{
    const pen_data *data = job->data;

    for (int64_t i = 0; i < job->x->n; i++)
        job->position[i] = -1;
    for (int64_t k = 0; k < 2 * data->must_link_count; k++)
        job->position[data->must_link[k]] = 0;
    for (int64_t k = 0; k < 2 * data->cannot_link_count; k++)
        job->position[data->cannot_link[k]] = 0;
    for (int64_t i = 0; data->sample && i < job->x->labelled; i++)
        job->position[job->x->members[i]] = 0;
}

/* place[row]: the first position of the rows that must-links join to it, for the first row of
 * them. */
static void places_of_trees(const struct job *job, int64_t *root, int64_t *place)
{
    const pen_data *data = job->data;
    const int64_t n = job->x->n;
    int64_t sum = 0;

    for (int64_t k = 0; k < data->must_link_count; k++)
        join(root, data->must_link[2 * k], data->must_link[2 * k + 1]);
    memset(place, 0, (size_t)n * sizeof *place);
    for (int64_t i = 0; i < n; i++)
        place[root_of(root, i)] += job->position[i] == 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t here = place[i];
        place[i] = sum;
        sum += here;
    }
}

/* The rows that pairs may be of, and their positions. */
static pen_status find_positions(pen_run *run, struct job *job)
{
    const int64_t n = job->x->n;
    int64_t *rows, *root = NULL, *place = NULL, involved = 0;

    PEN_TRY(PEN_NEW(run, rows, n));
    PEN_TRY(PEN_NEW(run, job->position, n));
    mark_rows(job);
    const pen_mark_t mark = pen_mark(run);
    if (job->order == PEN_ORDER_MUST_LINKS) {
        PEN_TRY(roots_of_labels(run, job->x, job->data->sample != NULL, &root));
        PEN_TRY(PEN_NEW(run, place, n));
        places_of_trees(job, root, place);
    }
    for (int64_t i = 0; i < n; i++)
        if (job->position[i] == 0) {
            job->position[i] = root ? place[root_of(root, i)]++ : involved;
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

static void contradicts(struct job *job, int64_t row, int64_t other)
{
    if (job->dropped++ == 0) {
        job->row = pen_min(row, other);
        job->other = pen_max(row, other);
    }
}

static void add_list(const struct job *job, const int64_t *list, int64_t count, pen_links *links)
{
    for (int64_t k = 0; k < count; k++)
        pen_links_add(links, job->position[list[2 * k]], job->position[list[2 * k + 1]]);
}

/* Pairs that labels speak of are not kept: they say the same, or contradict. */
static int unlike_labels(struct job *job, int64_t i, int64_t j, int must)
{
    const int64_t row = job->pairs->rows[i], other = job->pairs->rows[j];

    if (!labelled(job, row) || !labelled(job, other))
        return 1;
    if (must == (job->data->labels[row] == job->data->labels[other]))
        job->pairs->duplicates++;
    else
        contradicts(job, row, other);
    return 0;
}

static int keep_must(void *context, int64_t i, int64_t j)
{
    return unlike_labels(context, i, j, 1);
}

static int keep_cannot(void *context, int64_t i, int64_t j)
{
    return unlike_labels(context, i, j, 0);
}

/* ---- chains of must-links ---- */

static int join_pair(void *context, int64_t i, int64_t j)
{
    const struct job *job = context;
    join(job->root, job->pairs->rows[i], job->pairs->rows[j]);
    return 1;
}

static int keep_apart(void *context, int64_t i, int64_t j)
{
    struct job *job = context;
    const int64_t row = job->pairs->rows[i], other = job->pairs->rows[j];

    if (root_of(job->root, row) != root_of(job->root, other))
        return 1;
    contradicts(job, row, other);
    return 0;
}

/* Two classes that must-links join. */
static pen_status check_classes(pen_run *run, struct job *job)
{
    const pen_rows *x = job->x;
    int64_t *class_of;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, class_of, x->n));
    for (int64_t i = 0; i < x->n; i++)
        class_of[i] = -1;
    for (int64_t c = 0; job->pairs->closed && c < x->classes; c++) {
        const int64_t row = x->members[x->starts[c]], root = root_of(job->root, row);
        PEN_REQUIRE(run, class_of[root] < 0, PEN_CONTRADICTION,
                    "must-links join the classes of rows %lld and %lld",
                    (long long)x->members[x->starts[class_of[root]]], (long long)row);
        class_of[root] = c;
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Chunklets in the place of the must-links: all their pairs. */
static pen_status close_must(pen_run *run, struct job *job)
{
    pen_pairs *const pairs = job->pairs;
    pen_rows chunklets = *job->x;

    PEN_TRY(pen_links_index(run, &pairs->must));
    chunklets.pairs = pairs;
    PEN_TRY(pen_pairs_chunklets(run, &chunklets, &chunklets));
    const int64_t duplicates = pairs->must.repeated;
    PEN_TRY(pen_links_new(run, pairs->must.n, 0, 0, &pairs->must));
    pairs->must.repeated = duplicates;
    pairs->chain_members = chunklets.members;
    pairs->chain_starts = chunklets.starts;
    pairs->chains = chunklets.classes;
    return PEN_OK;
}

static pen_status follow_chains(pen_run *run, struct job *job)
{
    if (job->data->transitive == PEN_TRANSITIVE_OFF)
        return PEN_OK;
    PEN_TRY(roots_of_labels(run, job->x, job->pairs->closed, &job->root));
    pen_links_filter(&job->pairs->must, join_pair, job);
    PEN_TRY(check_classes(run, job));
    pen_links_filter(&job->pairs->cannot, keep_apart, job);
    return job->data->transitive == PEN_TRANSITIVE_CLOSE ? close_must(run, job) : PEN_OK;
}

/* ---- all of it ---- */

static pen_status settle(pen_run *run, const struct job *job, const char *how)
{
    PEN_REQUIRE(run, job->dropped == 0 || job->data->on_contradiction == PEN_CONTRADICTION_DROP,
                PEN_CONTRADICTION, "rows %lld and %lld %s", (long long)job->row,
                (long long)job->other, how);
    return PEN_OK;
}

static pen_status build(pen_run *run, struct job *job)
{
    const pen_data *data = job->data;
    pen_pairs *const pairs = job->pairs;
    int64_t drawn = 0, i = 0, j = 0;

    if (data->sample)
        PEN_TRY(pen_sample_size(run, data->sample, job->x, &drawn));
    PEN_TRY(find_positions(run, job));
    const int64_t n = pairs->must.n, must = data->must_link_count + drawn,
                  cannot = data->cannot_link_count + drawn;
    const int dense =
        pen_links_are_dense(n, pen_max(data->must_link_count, data->cannot_link_count) + drawn);
    PEN_TRY(pen_links_new(run, n, must, dense, &pairs->must));
    PEN_TRY(pen_links_new(run, n, cannot, dense, &pairs->cannot));
    if (data->sample)
        PEN_TRY(
            pen_sample_add(run, data->sample, job->x, job->position, &pairs->must, &pairs->cannot));
    add_list(job, data->must_link, data->must_link_count, &pairs->must);
    add_list(job, data->cannot_link, data->cannot_link_count, &pairs->cannot);
    PEN_TRY(pen_links_sort(run, &pairs->must));
    PEN_TRY(pen_links_sort(run, &pairs->cannot));
    if (pairs->closed) {
        pen_links_filter(&pairs->must, keep_must, job);
        PEN_TRY(settle(run, job, "must link, but their labels differ"));
        pen_links_filter(&pairs->cannot, keep_cannot, job);
        PEN_TRY(settle(run, job, "cannot link, but their labels are the same"));
    }
    const int64_t both = pen_links_part(&pairs->must, &pairs->cannot, &i, &j);
    if (both > 0)
        contradicts(job, pairs->rows[i], pairs->rows[j]);
    PEN_TRY(settle(run, job, "must link and cannot link"));
    job->dropped += both > 0 ? both - 1 : 0;
    PEN_TRY(follow_chains(run, job));
    return settle(run, job, "cannot link, but a chain of must-links joins them");
}

static void count(const struct job *job)
{
    const pen_rows *x = job->x;
    pen_pairs *const pairs = job->pairs;
    pen_rows groups;

    pairs->must_count = pairs->must.count;
    pairs->cannot_count = pairs->cannot.count;
    if (pen_pairs_must_groups(x, &groups))
        for (int64_t c = 0; c < groups.classes; c++)
            pairs->must_count +=
                pen_times(pen_class_size(&groups, c), pen_class_size(&groups, c) - 1) / 2;
    for (int64_t c = 0; pairs->closed && c < x->classes; c++)
        pairs->cannot_count += pen_class_size(x, c) * (x->labelled - x->starts[c + 1]);
    pairs->duplicates += pairs->must.repeated + pairs->cannot.repeated;
    pairs->contradictions = job->dropped;
}

int pen_pairs_must_groups(const pen_rows *x, pen_rows *out)
{
    const pen_pairs *pairs = x->pairs;

    *out = *x;
    if (!pairs->chain_members)
        return pairs->closed;
    out->members = pairs->chain_members;
    out->starts = pairs->chain_starts;
    out->classes = pairs->chains;
    out->labelled = pairs->chain_starts[pairs->chains];
    return 1;
}

pen_status pen_pairs_open(pen_run *run, const pen_data *data, const pen_rows *x,
                          enum pen_order order, pen_pairs *out)
{
    pen_rows with_pairs = *x;
    struct job job = { .data = data, .x = &with_pairs, .order = order, .pairs = out };

    with_pairs.pairs = out;
    *out = (pen_pairs){ .closed = !data->sample && x->labelled > 0 };
    PEN_TRY(check_lists(run, data, x->n));
    PEN_TRY(build(run, &job));
    PEN_TRY(pen_links_index(run, &out->must));
    PEN_TRY(pen_links_index(run, &out->cannot));
    count(&job);
    return PEN_OK;
}

pen_status pen_need_pairs(pen_run *run, const pen_rows *x, int kinds)
{
    const int must = x->pairs && x->pairs->must_count > 0,
              cannot = x->pairs && x->pairs->cannot_count > 0;

    PEN_REQUIRE(run, kinds != (PEN_NEED_MUST | PEN_NEED_CANNOT) || must || cannot, PEN_NO_PAIRS,
                "this method needs must-links or cannot-links, and there are none");
    PEN_REQUIRE(run, kinds != PEN_NEED_MUST || must, PEN_NO_PAIRS,
                "this method needs must-links, and there are none");
    PEN_REQUIRE(run, kinds != PEN_NEED_CANNOT || cannot, PEN_NO_PAIRS,
                "this method needs cannot-links, and there are none");
    return PEN_OK;
}

void pen_pairs_each(const pen_rows *x, int must, int64_t *others,
                    void (*visit)(void *context, int64_t row, int64_t other), void *context)
{
    const pen_pairs *pairs = x->pairs;
    const pen_links *links = must ? &pairs->must : &pairs->cannot;
    pen_rows groups = *x;
    const int whole = must ? pen_pairs_must_groups(x, &groups) : pairs->closed;

    for (int64_t i = 0; i < links->n; i++) {
        const int64_t found = pen_links_of(links, i, i + 1, links->n, others);
        for (int64_t k = 0; k < found; k++)
            visit(context, pairs->rows[i], pairs->rows[others[k]]);
    }
    for (int64_t c = 0; whole && c < groups.classes; c++)
        for (int64_t i = groups.starts[c]; i < groups.starts[c + 1]; i++)
            for (int64_t j = must ? i + 1 : groups.starts[c + 1];
                 j < (must ? groups.starts[c + 1] : groups.labelled); j++)
                visit(context, groups.members[i], groups.members[j]);
}

/* ---- chunklets ---- */

/* Which rows are in a must-link; the trees of all of them. */
static pen_status trees(pen_run *run, const pen_rows *x, int64_t *root, char *linked)
{
    const pen_pairs *pairs = x->pairs;
    const pen_links *must = &pairs->must;
    int64_t *others;

    PEN_TRY(PEN_NEW(run, others, must->n));
    memset(linked, 0, (size_t)x->n);
    for (int64_t h = 0; h < pairs->chains; h++)
        for (int64_t i = pairs->chain_starts[h]; i < pairs->chain_starts[h + 1]; i++) {
            join(root, pairs->chain_members[pairs->chain_starts[h]], pairs->chain_members[i]);
            linked[pairs->chain_members[i]] = 1;
        }
    for (int64_t i = 0; i < must->n; i++) {
        const int64_t count_ = pen_links_of(must, i, i + 1, must->n, others), row = pairs->rows[i];
        for (int64_t k = 0; k < count_; k++) {
            join(root, row, pairs->rows[others[k]]);
            linked[row] = linked[pairs->rows[others[k]]] = 1;
        }
    }
    for (int64_t c = 0; pairs->closed && c < x->classes; c++)
        for (int64_t i = x->starts[c]; pen_class_size(x, c) > 1 && i < x->starts[c + 1]; i++)
            linked[x->members[i]] = 1;
    return PEN_OK;
}

pen_status pen_pairs_chunklets(pen_run *run, const pen_rows *x, pen_rows *out)
{
    int64_t *root, *members, *starts, *place, count_ = 0, chunklets = 0;
    char *linked;

    PEN_TRY(PEN_NEW(run, members, x->n));
    PEN_TRY(PEN_NEW(run, starts, x->n + 1));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(roots_of_labels(run, x, x->pairs->closed, &root));
    PEN_TRY(PEN_NEW(run, linked, x->n));
    PEN_TRY(PEN_NEW(run, place, x->n));
    PEN_TRY(trees(run, x, root, linked));
    /* Roots are the first rows of their trees: number them, count, and sort by counting. */
    for (int64_t i = 0; i < x->n; i++)
        if (linked[i] && root_of(root, i) == i) {
            place[i] = chunklets;
            starts[++chunklets] = 0;
        }
    starts[0] = 0;
    for (int64_t i = 0; i < x->n; i++)
        if (linked[i])
            starts[place[root_of(root, i)] + 1]++;
    for (int64_t c = 0; c < chunklets; c++)
        starts[c + 1] += starts[c];
    for (int64_t i = 0; i < x->n; i++)
        if (linked[i])
            members[starts[place[root_of(root, i)]]++] = i;
    for (int64_t c = chunklets; c > 0; c--)
        starts[c] = starts[c - 1];
    starts[0] = 0;
    for (int64_t c = 0; c < chunklets; c++)
        count_ += starts[c + 1] - starts[c];
    pen_release(run, mark);
    *out = *x;
    out->members = members;
    out->starts = starts;
    out->labelled = count_;
    out->classes = chunklets;
    return PEN_OK;
}
