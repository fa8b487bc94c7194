/* trials.c - trials: the labels, pairs and rows that may be learned from, and the accuracy on the
 * rest. */
#include "eval/trials.h"

#include "core/arguments.h"
#include "core/rng.h"
#include "eval/agreement.h"
#include "eval/embedding.h"
#include "core/folds.h"
#include "eval/kmeans.h"
#include "neighbors/nearest.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 10, CLUSTER_TAG = 1000, SHUFFLE_TAG = 2000, STABILITY_TAG = 3000 };

/* ---- all trials ---- */

/* Permute the labels of the labelled rows at random. */
static pen_status shuffle_labels(pen_run *run, const pen_rows *classes, uint64_t seed,
                                 int32_t *labels)
{
    pen_rng rng = { pen_rng_derive(seed, SHUFFLE_TAG) };
    int64_t *order;
    int32_t *from;

    PEN_TRY(PEN_NEW(run, order, classes->labelled));
    PEN_TRY(PEN_NEW(run, from, classes->labelled));
    pen_rng_permutation(&rng, classes->labelled, order);
    for (int64_t i = 0; i < classes->labelled; i++)
        from[i] = labels[classes->members[order[i]]];
    for (int64_t i = 0; i < classes->labelled; i++)
        labels[classes->members[i]] = from[i];
    return PEN_OK;
}

int pen_trials_possible(const pen_rows *classes)
{
    int64_t enough = 0;

    for (int64_t c = 0; c < classes->classes; c++)
        enough += pen_class_size(classes, c) >= 2;
    return enough >= 2;
}

int64_t pen_trials_folds(const pen_rows *classes)
{
    return pen_min(PEN_DEFAULT_FOLDS, pen_class_largest(classes));
}

int64_t pen_default_folds(const int32_t *labels, int64_t n)
{
    pen_rows classes = { .n = 0 };
    int64_t folds = 0;
    pen_run *run;

    if (pen_run_open(NULL, NULL, &run) != PEN_OK)
        return 0;
    if (labels && n > 0 && pen_rows_label(run, labels, n, &classes) == PEN_OK)
        folds = pen_trials_folds(&classes);
    pen_run_close(run);
    return folds;
}

uint64_t pen_run_seed(uint64_t seed, int64_t run)
{
    return pen_rng_derive(pen_rng_derive(seed, (uint64_t)run), 0);
}

static pen_status check_protocol(pen_run *run, const pen_protocol *p, const pen_rows *classes)
{
    const int64_t largest = pen_class_largest(classes);

    PEN_REQUIRE(run, classes->labelled > 0, PEN_NO_LABELS,
                "all %lld rows are unlabelled: there is nothing to hold out",
                (long long)classes->n);
    PEN_REQUIRE(run, classes->classes >= 2, PEN_ONE_CLASS,
                "trials need labelled rows of at least 2 classes, got %lld of %lld",
                (long long)classes->labelled, (long long)classes->classes);
    PEN_REQUIRE(run, p->runs >= 1 && p->runs <= PEN_MOST_RUNS, PEN_BAD_ARGUMENT,
                "runs must be in [1, %d], got %lld", PEN_MOST_RUNS, (long long)p->runs);
    PEN_REQUIRE(run, p->neighbors >= 1, PEN_BAD_ARGUMENT, "voting neighbors must be >= 1, got %lld",
                (long long)p->neighbors);
    PEN_REQUIRE(run, p->folds != 0 || largest > 1, PEN_NO_LABELS,
                "no class has 2 labelled rows, one to hold out and one to learn from; label more "
                "rows, or fit a method without trials");
    PEN_REQUIRE(run, p->plain || p->folds <= largest, PEN_BAD_ARGUMENT,
                "folds must be at most %lld, the number of rows of the largest class, got %lld",
                (long long)largest, (long long)p->folds);
    return PEN_OK;
}

static pen_status find_labels(pen_run *run, pen_trials *t)
{
    const int64_t n = t->data->x.rows;
    int32_t *labels, *class_of;

    PEN_TRY(PEN_NEW(run, labels, n));
    PEN_TRY(PEN_NEW(run, class_of, n));
    for (int64_t i = 0; i < n; i++) {
        labels[i] = t->data->labels ? t->data->labels[i] : PEN_UNLABELLED;
        class_of[i] = -1;
    }
    PEN_TRY(pen_rows_label(run, labels, n, &t->classes));
    if (t->protocol.shuffle) {
        PEN_TRY(shuffle_labels(run, &t->classes, t->protocol.seed, labels));
        PEN_TRY(pen_rows_label(run, labels, n, &t->classes));
    }
    for (int64_t c = 0; c < t->classes.classes; c++)
        for (int64_t i = t->classes.starts[c]; i < t->classes.starts[c + 1]; i++)
            class_of[t->classes.members[i]] = (int32_t)c;
    t->labels = labels;
    t->class_of = class_of;
    return PEN_OK;
}

/* Row numbers in pairs are used as indices before pen_fit checks them. */
static pen_status check_pairs(pen_run *run, const int64_t *pairs, int64_t count, int64_t n)
{
    for (int64_t p = 0; p < 2 * count; p++)
        PEN_REQUIRE(run, pairs[p] >= 0 && pairs[p] < n, PEN_BAD_PAIR,
                    "pair %lld names row %lld; there are rows 0 to %lld", (long long)(p / 2),
                    (long long)pairs[p], (long long)n - 1);
    return PEN_OK;
}

pen_status pen_trials_open(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                           pen_trials *out)
{
    int32_t *folds;

    PEN_TRY(pen_check_data(run, data));
    const int64_t n = data->x.rows;
    *out = (pen_trials){ .data = data };
    if (protocol)
        out->protocol = *protocol;
    pen_protocol *const p = &out->protocol;
    p->runs = p->runs ? p->runs : PEN_EVALUATE_RUNS;
    p->neighbors = p->neighbors ? p->neighbors : 1;
    PEN_TRY(check_pairs(run, data->must_link, data->must_link_count, n));
    PEN_TRY(check_pairs(run, data->cannot_link, data->cannot_link_count, n));
    PEN_TRY(find_labels(run, out));
    PEN_TRY(check_protocol(run, p, &out->classes));
    if (p->folds == 0)
        p->folds = pen_trials_folds(&out->classes);
    PEN_TRY(PEN_NEW(run, folds, pen_times(p->runs, n)));
    for (int64_t r = 0; r < p->runs; r++) {
        PEN_TRY(pen_progress(run, "folds", r, p->runs));
        PEN_TRY(pen_folds_deal(run, &out->classes, p->folds, !p->plain, pen_run_seed(p->seed, r),
                               folds + r * n));
    }
    out->folds = folds;
    out->count = pen_times(p->runs, p->folds);
    return PEN_OK;
}

int64_t pen_trials_fewest_rows(const pen_trials *t)
{
    const int64_t folds = t->protocol.folds,
                  held = t->protocol.inductive ? (t->classes.labelled + folds - 1) / folds : 0;

    return t->data->x.rows - held;
}

int64_t pen_trials_held_out(const pen_trials *t, int64_t done)
{
    int64_t count = 0;

    for (int64_t i = 0; i < t->data->x.rows; i++) /* the first run holds out each of them once */
        count += t->folds[i] >= 0 && t->folds[i] < done;
    return count;
}

pen_status pen_trials_sample_for_stability(pen_run *run, pen_trials *t, int64_t most)
{
    const int64_t n = t->data->x.rows;
    pen_rng rng = { pen_rng_derive(t->protocol.seed, STABILITY_TAG) };
    int64_t *order, *rows;

    PEN_TRY(PEN_NEW(run, order, n));
    PEN_TRY(PEN_NEW(run, rows, pen_min(most, n)));
    pen_rng_permutation(&rng, n, order);
    t->stability_count = 0;
    for (int64_t i = 0; i < n && t->stability_count < most; i++)
        if (t->class_of[order[i]] < 0)
            rows[t->stability_count++] = order[i];
    t->stability_rows = rows;
    return PEN_OK;
}

/* ---- one trial ---- */

/* Set the labels of the fit [n], and list known, hidden and dropped rows. */
static pen_status hide_labels(pen_run *run, const pen_trials *t, const int32_t *fold, pen_trial *c,
                              int32_t *labels)
{
    const int64_t n = t->data->x.rows;
    pen_label_sample keep = t->protocol.labels;
    int64_t *known, *hidden, *dropped;

    PEN_TRY(PEN_NEW(run, known, n));
    PEN_TRY(PEN_NEW(run, hidden, n));
    PEN_TRY(PEN_NEW(run, dropped, n));
    for (int64_t i = 0; i < n; i++)
        labels[i] = fold[i] == c->fold ? PEN_UNLABELLED : t->labels[i];
    if (keep.per_class != 0 || keep.percent != 0) {
        pen_error err;
        keep.seed = pen_rng_derive(pen_rng_derive(t->protocol.seed, (uint64_t)c->run),
                                   (uint64_t)(1 + c->fold));
        const pen_status status = pen_sample_labels(labels, n, &keep, labels, &err);
        PEN_REQUIRE(run, status == PEN_OK, status, "%s", err.message);
    }
    for (int64_t i = 0; i < n; i++)
        if (labels[i] != PEN_UNLABELLED)
            known[c->known++] = i;
        else if (fold[i] == c->fold)
            hidden[c->hidden++] = i;
        else if (t->labels[i] != PEN_UNLABELLED)
            dropped[c->dropped++] = i;
    c->known_rows = known;
    c->hidden_rows = hidden;
    c->dropped_rows = dropped;
    PEN_REQUIRE(run, c->known > 0, PEN_NO_LABELS,
                "fold %lld of run %lld leaves no labelled row to learn from",
                (long long)c->fold + 1, (long long)c->run + 1);
    return PEN_OK;
}

/* Keep the pairs of which both rows may be used with their labels; place [n] is the number of a row
 * in the fit, or -1. */
static pen_status keep_pairs(pen_run *run, const int64_t *pairs, int64_t count,
                             const int64_t *place, const int64_t **kept, int64_t *left)
{
    int64_t *list;

    *left = 0;
    PEN_TRY(PEN_NEW(run, list, pen_times(2, count)));
    for (int64_t p = 0; p < count; p++) {
        const int64_t i = pairs[2 * p], j = pairs[2 * p + 1];
        if (place[i] < 0 || place[j] < 0)
            continue;
        list[2 * *left] = place[i];
        list[2 * *left + 1] = place[j];
        ++*left;
    }
    *kept = list;
    return PEN_OK;
}

/* Choose the rows of the fit: all, or all but the held-out ones; labels [n] move with them. */
static pen_status choose_rows(pen_run *run, const pen_trials *t, const int32_t *fold, pen_trial *c,
                              int32_t *labels)
{
    const int64_t n = t->data->x.rows;
    int64_t *place, *rows, count = 0;

    PEN_TRY(PEN_NEW(run, place, n));
    PEN_TRY(PEN_NEW(run, rows, n));
    for (int64_t i = 0; i < n; i++) {
        const int held = fold[i] == c->fold;
        place[i] = held ? -1 : count;
        if (held && t->protocol.inductive)
            continue;
        labels[count] = labels[i];
        rows[count++] = i;
    }
    for (int64_t k = 0; k < c->dropped; k++) /* a pair would reveal what the dropped label hides */
        place[c->dropped_rows[k]] = -1;
    if (t->protocol.inductive)
        PEN_TRY(pen_array_pick(run, &t->data->x, count, rows, &c->data.x));
    PEN_TRY(keep_pairs(run, t->data->must_link, c->data.must_link_count, place, &c->data.must_link,
                       &c->data.must_link_count));
    return keep_pairs(run, t->data->cannot_link, c->data.cannot_link_count, place,
                      &c->data.cannot_link, &c->data.cannot_link_count);
}

pen_status pen_trial_open(pen_run *run, const pen_trials *t, int64_t number, pen_trial *out)
{
    const int64_t n = t->data->x.rows;
    int32_t *labels;

    *out = (pen_trial){ .trials = t,
                        .run = number / t->protocol.folds,
                        .fold = number % t->protocol.folds,
                        .data = *t->data };
    if (t->protocol.shuffle) /* listed pairs would reveal the true classes */
        out->data.must_link_count = out->data.cannot_link_count = 0;
    const int32_t *const fold = t->folds + out->run * n;
    PEN_TRY(PEN_NEW(run, labels, n));
    PEN_TRY(hide_labels(run, t, fold, out, labels));
    PEN_TRY(choose_rows(run, t, fold, out, labels));
    out->data.labels = labels;
    out->data.feature_names = NULL;
    const pen_pair_sample *const sample = t->protocol.pairs ? t->protocol.pairs : t->data->sample;
    if (sample) {
        out->pairs = *sample;
        out->pairs.seed = pen_rng_derive(pen_rng_derive(t->protocol.seed, (uint64_t)out->run),
                                         (uint64_t)(1 + out->fold));
        out->data.sample = &out->pairs;
    }
    return PEN_OK;
}

/* ---- a method in a trial ---- */

/* The first r of k dimensions of rows [count]. */
static pen_status pick_rows(pen_run *run, const double *z, int64_t k, int64_t r, int64_t count,
                            const int64_t *rows, double **out)
{
    PEN_TRY(PEN_NEW(run, *out, pen_times(count, r)));
    for (int64_t i = 0; i < count; i++)
        memcpy(*out + i * r, z + rows[i] * k, (size_t)r * sizeof *z);
    return PEN_OK;
}

static pen_status pick_classes(pen_run *run, const pen_trials *t, int64_t count,
                               const int64_t *rows, const int32_t **out)
{
    int32_t *classes;

    PEN_TRY(PEN_NEW(run, classes, count));
    for (int64_t i = 0; i < count; i++)
        classes[i] = t->class_of[rows[i]];
    *out = classes;
    return PEN_OK;
}

/* Known rows with their classes, and `rows` to classify, in the first r of k dimensions. The true
 * classes of `rows` are left unset. */
static pen_status open_trial(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                             int64_t r, int64_t count, const int64_t *rows, pen_vote *out)
{
    const pen_trials *const t = c->trials;
    double *known, *hidden;

    *out = (pen_vote){ .d = r, .known = c->known, .hidden = count, .classes = t->classes.classes };
    PEN_TRY(pick_rows(run, z, k, r, c->known, c->known_rows, &known));
    PEN_TRY(pick_rows(run, z, k, r, count, rows, &hidden));
    PEN_TRY(pick_classes(run, t, c->known, c->known_rows, &out->known_classes));
    if (t->protocol.standardize)
        pen_nearest_standardize(r, c->known, known, count, hidden);
    out->known_rows = known;
    out->hidden_rows = hidden;
    return PEN_OK;
}

/* share [k]: the accuracy on `rows` in the first 1 .. k dimensions of z. */
static pen_status count_correct(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                                int64_t count, const int64_t *rows, double *share)
{
    pen_vote trial;
    int64_t *right;

    PEN_TRY(open_trial(run, c, z, k, k, count, rows, &trial));
    PEN_TRY(pick_classes(run, c->trials, count, rows, &trial.hidden_classes));
    PEN_TRY(PEN_NEW(run, right, k));
    PEN_TRY(pen_nearest_correct(run, &trial, c->trials->protocol.neighbors, right));
    for (int64_t r = 0; r < k; r++)
        share[r] = (double)right[r] / (double)count;
    return PEN_OK;
}

/* Classify rows in the first r dimensions. */
static pen_status classify_rows(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                                int64_t r, int64_t count, const int64_t *rows, int32_t *predicted)
{
    pen_vote trial;

    PEN_TRY(open_trial(run, c, z, k, r, count, rows, &trial));
    return pen_nearest_classes(run, &trial, c->trials->protocol.neighbors, predicted);
}

/* What is wanted of the last number of dimensions alone, which is r here. */
static pen_status classify_all(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                               int64_t r, const pen_trial_scores *scores)
{
    if (scores->given)
        *scores->given = r;
    if (scores->predicted)
        PEN_TRY(classify_rows(run, c, z, k, r, c->trials->stability_count,
                              c->trials->stability_rows, scores->predicted));
    return scores->told ? classify_rows(run, c, z, k, r, c->hidden, c->hidden_rows, scores->told)
                        : PEN_OK;
}

/* k-means of the held-out rows in the first r dimensions of z. */
static pen_status cluster_hidden(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                                 int64_t r, pen_agreement *out)
{
    const pen_trials *const t = c->trials;
    const int64_t clusters = pen_min(t->classes.classes, c->hidden);
    const int32_t *classes;
    int32_t *cluster;
    double *points, sum;
    uint64_t seed = pen_rng_derive(pen_rng_derive(t->protocol.seed, CLUSTER_TAG), (uint64_t)c->run);

    seed = pen_rng_derive(pen_rng_derive(seed, (uint64_t)c->fold), (uint64_t)r);
    PEN_TRY(PEN_NEW(run, points, pen_times(c->hidden, r)));
    PEN_TRY(PEN_NEW(run, cluster, c->hidden));
    for (int64_t i = 0; i < c->hidden; i++)
        memcpy(points + i * r, z + c->hidden_rows[i] * k, (size_t)r * sizeof *points);
    PEN_TRY(pick_classes(run, t, c->hidden, c->hidden_rows, &classes));
    PEN_TRY(
        pen_kmeans_restarts(run, c->hidden, r, points, clusters, RESTARTS, seed, cluster, &sum));
    return pen_agreement_measure(run, c->hidden, t->classes.classes, classes, clusters, cluster,
                                 out);
}

pen_status pen_trial_embed(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t dim,
                           const pen_control *control, int64_t *k, double **z)
{
    /* unless inductive, all trials fit the same rows, which can share a cache */
    struct pen_cache *const cache = c->trials->protocol.inductive ? NULL : pen_run_cache(run);

    PEN_REQUIRE(
        run, !c->trials->protocol.inductive || spec->common.kernel.kind != PEN_KERNEL_PRECOMPUTED,
        PEN_BAD_ARGUMENT,
        "inductive trials leave rows out, and rows of a precomputed kernel have a value for "
        "each row; leave held-out rows in the fit, without their labels");
    return pen_embed_rows(run, cache, spec, dim, &c->data, &c->trials->data->x, control, k, z);
}

/* Set scores for dims[from] .. dims[to - 1], where z [n x k] has that many dimensions. */
static pen_status set_scores(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                             int64_t from, int64_t to, int64_t dim_count, const int64_t *dims,
                             const pen_trial_scores *scores)
{
    double *share, *dropped;

    PEN_TRY(PEN_NEW(run, share, k));
    PEN_TRY(PEN_NEW(run, dropped, k));
    PEN_TRY(count_correct(run, c, z, k, c->hidden, c->hidden_rows, share));
    if (scores->dropped && c->dropped > 0)
        PEN_TRY(count_correct(run, c, z, k, c->dropped, c->dropped_rows, dropped));
    for (int64_t i = from; i < to; i++) {
        const int64_t r = dims[i] ? dims[i] : k;
        pen_agreement agreement;
        if (r > k)
            continue;
        if (i + 1 == dim_count)
            PEN_TRY(classify_all(run, c, z, k, r, scores));
        scores->accuracy[i] = share[r - 1];
        if (scores->dropped && c->dropped > 0)
            scores->dropped[i] = dropped[r - 1];
        if (!scores->normalized_rand)
            continue;
        PEN_TRY(cluster_hidden(run, c, z, k, r, &agreement));
        scores->normalized_rand[i] = agreement.normalized_rand;
        scores->adjusted_rand[i] = agreement.adjusted_rand;
    }
    return PEN_OK;
}

static void clear(double *values, int64_t count)
{
    for (int64_t i = 0; values && i < count; i++)
        values[i] = (double)NAN;
}

static pen_status score_each(pen_run *run, const pen_trial *c, const pen_spec *spec,
                             int64_t dim_count, const int64_t *dims, const pen_control *control,
                             const pen_trial_scores *scores)
{
    int64_t given = 0;

    for (int64_t i = 0; i < dim_count; i++) {
        pen_run *own;
        pen_error err;
        int64_t k;
        double *z;
        const pen_status opened = pen_run_open(control, &err, &own);
        PEN_REQUIRE(run, opened == PEN_OK, opened, "%s", err.message);
        pen_run_share(own, pen_run_cache(run));
        pen_status status = pen_trial_embed(own, c, spec, dims[i], control, &k, &z);
        if (status == PEN_OK)
            status = set_scores(own, c, z, k, i, i + 1, dim_count, dims, scores);
        pen_run_close(own);
        given += status == PEN_OK;
        if (status != PEN_OK && !(pen_is_no_such_dim(status) && (given > 0 || i + 1 < dim_count)))
            return pen_fail_as(run, &err);
    }
    return PEN_OK;
}

pen_status pen_trial_score(pen_run *run, const pen_trial *c, const pen_spec *spec,
                           int64_t dim_count, const int64_t *dims, const pen_control *control,
                           const pen_trial_scores *scores)
{
    int64_t k, most = 0, given = 0;
    int all = 0;
    double *z;

    clear(scores->accuracy, dim_count);
    clear(scores->dropped, dim_count);
    clear(scores->normalized_rand, dim_count);
    clear(scores->adjusted_rand, dim_count);
    for (int64_t i = 0; scores->predicted && i < c->trials->stability_count; i++)
        scores->predicted[i] = -1;
    for (int64_t i = 0; scores->told && i < c->hidden; i++)
        scores->told[i] = -1;
    if (scores->given)
        *scores->given = 0;
    PEN_REQUIRE(run, c->hidden > 0, PEN_NO_LABELS,
                "fold %lld of run %lld holds out no labelled row", (long long)c->fold + 1,
                (long long)c->run + 1);
    if (spec->method->traits & PEN_UNNESTED)
        return score_each(run, c, spec, dim_count, dims, control, scores);
    for (int64_t i = 0; i < dim_count; i++) {
        most = pen_max(most, dims[i]);
        all |= dims[i] == 0;
    }
    PEN_TRY(pen_trial_embed(run, c, spec, all ? 0 : most, control, &k, &z));
    for (int64_t i = 0; i < dim_count; i++)
        given += dims[i] <= k;
    PEN_REQUIRE(run, given > 0, PEN_RANK_TOO_SMALL,
                "requested %lld dimensions or more, the method gives %lld on these rows",
                (long long)dims[0], (long long)k);
    return set_scores(run, c, z, k, 0, dim_count, dim_count, dims, scores);
}
