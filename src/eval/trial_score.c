/* trial_score.c - how a method scores in a trial: the classes of the rows held out, by the nearest
 * known rows, which vote, or by readers, and their clusters. */
#include "eval/trial_score.h"

#include "core/rng.h"
#include "eval/agreement.h"
#include "eval/kmeans.h"
#include "eval/trial_reader.h"
#include "model/spec.h"
#include "neighbors/nearest.h"
#include "readers/answer.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 10, CLUSTER_TAG = 1000 };

/* A call of pen_trial_score. */
struct scoring {
    const pen_trial *trial;
    const pen_spec *spec; /* its reader is scores if one of the readers is */
    const pen_reader_list *readers;
    int64_t dim_count;
    const int64_t *dims;
    const pen_control *control;
    const pen_trial_scores *scores; /* [readers->count] */
};

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
    if (scores->predicted)
        PEN_TRY(classify_rows(run, c, z, k, r, c->trials->stability_count,
                              c->trials->stability_rows, scores->predicted));
    return scores->told ? classify_rows(run, c, z, k, r, c->hidden, c->hidden_rows, scores->told)
                        : PEN_OK;
}

/* ---- classes by a reader ---- */

/* The shares and classes that a reader gives rows of known class. */
struct reading {
    int64_t count;
    double *p; /* [count x classes] */
    int32_t *told;
};

/* As a model predicts them, tempered if that is asked for. */
static pen_status read_rows(pen_run *run, const pen_trial_reader *reader,
                            const pen_reader_params *params, int64_t count, const int64_t *rows,
                            struct reading *out)
{
    const int64_t c = reader->trial->trials->classes.classes;

    out->count = count;
    PEN_TRY(PEN_NEW(run, out->p, pen_times(count, c)));
    PEN_TRY(PEN_NEW(run, out->told, count));
    PEN_TRY(pen_trial_reader_apply(run, reader, count, rows, out->p, out->told));
    for (int64_t i = 0; i < count; i++)
        pen_temper(c, params->temperature, out->p + i * c);
    return PEN_OK;
}

static pen_status measure(pen_run *run, const pen_trials *t, const struct reading *read,
                          const int64_t *rows, pen_answer_summary *out)
{
    const int64_t c = t->classes.classes;
    pen_answer answer;
    double *work;

    PEN_TRY(PEN_NEW(run, work, c));
    pen_answer_open(c, &answer);
    for (int64_t i = 0; i < read->count; i++)
        pen_answer_add(&answer, read->p + i * c, read->told[i], t->class_of[rows[i]], work);
    pen_answer_summarize(&answer, out);
    return PEN_OK;
}

/* The scores of entry i, whose number of dimensions is r. */
static pen_status read_at(pen_run *run, const struct scoring *s, const pen_embedding *e, int64_t r,
                          int64_t i, const pen_reader_params *params,
                          const pen_trial_scores *scores)
{
    const pen_trial *const c = s->trial;
    const pen_trials *const t = c->trials;
    const int is_last = i + 1 == s->dim_count;
    pen_trial_reader reader;
    struct reading hidden, others;
    pen_answer_summary found;

    PEN_TRY(pen_trial_reader_open(run, c, e, r, params, &reader));
    PEN_TRY(read_rows(run, &reader, params, c->hidden, c->hidden_rows, &hidden));
    PEN_TRY(measure(run, t, &hidden, c->hidden_rows, &found));
    scores->accuracy[i] = found.accuracy;
    if (scores->log_loss)
        scores->log_loss[i] = found.log_loss;
    if (scores->brier)
        scores->brier[i] = found.brier;
    if (scores->dropped && c->dropped > 0) {
        PEN_TRY(read_rows(run, &reader, params, c->dropped, c->dropped_rows, &others));
        PEN_TRY(measure(run, t, &others, c->dropped_rows, &found));
        scores->dropped[i] = found.accuracy;
    }
    if (is_last && scores->told)
        memcpy(scores->told, hidden.told, (size_t)c->hidden * sizeof *hidden.told);
    if (is_last && scores->predicted && t->stability_count > 0) {
        PEN_TRY(read_rows(run, &reader, params, t->stability_count, t->stability_rows, &others));
        memcpy(scores->predicted, others.told, (size_t)others.count * sizeof *others.told);
    }
    return PEN_OK;
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
                           const pen_control *control, pen_embedding *out)
{
    /* unless inductive, all trials fit the same rows, which can share a cache */
    struct pen_cache *const cache = c->trials->protocol.inductive ? NULL : pen_run_cache(run);

    PEN_REQUIRE(
        run, !c->trials->protocol.inductive || spec->common.kernel.kind != PEN_KERNEL_PRECOMPUTED,
        PEN_BAD_ARGUMENT,
        "inductive trials leave rows out, and rows of a precomputed kernel have a value for "
        "each row; leave held-out rows in the fit, without their labels");
    return pen_embed_rows(run, cache, spec, dim, &c->data, &c->trials->data->x, c->trials->as_new,
                          control, out);
}

/* ---- all readers ---- */

/* What the nearest known rows, which vote, classify correctly in the first 1 .. k dimensions. */
struct votes {
    double *share, *dropped; /* [k] */
};

static int wants_dropped(const struct scoring *s)
{
    return s->scores->dropped && s->trial->dropped > 0;
}

static pen_status count_votes(pen_run *run, const struct scoring *s, const pen_embedding *e,
                              struct votes *out)
{
    const pen_trial *const c = s->trial;
    int any = 0;

    for (int64_t q = 0; q < s->readers->count; q++)
        any |= s->readers->list[q].kind == PEN_READER_AUTO;
    PEN_TRY(PEN_NEW(run, out->share, e->k));
    PEN_TRY(PEN_NEW(run, out->dropped, e->k));
    if (any)
        PEN_TRY(count_correct(run, c, e->z, e->k, c->hidden, c->hidden_rows, out->share));
    return any && wants_dropped(s)
               ? count_correct(run, c, e->z, e->k, c->dropped, c->dropped_rows, out->dropped)
               : PEN_OK;
}

static pen_status vote_at(pen_run *run, const struct scoring *s, const pen_embedding *e, int64_t r,
                          int64_t i, const struct votes *votes, const pen_trial_scores *scores)
{
    scores->accuracy[i] = votes->share[r - 1];
    if (wants_dropped(s))
        scores->dropped[i] = votes->dropped[r - 1];
    return i + 1 == s->dim_count ? classify_all(run, s->trial, e->z, e->k, r, scores) : PEN_OK;
}

/* Entry i of the scores of each reader. */
static pen_status read_each(pen_run *run, const struct scoring *s, const pen_embedding *e,
                            int64_t r, int64_t i, const struct votes *votes)
{
    for (int64_t q = 0; q < s->readers->count; q++) {
        const pen_reader_params *const params = &s->readers->list[q];
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(params->kind == PEN_READER_AUTO ? vote_at(run, s, e, r, i, votes, &s->scores[q])
                                                : read_at(run, s, e, r, i, params, &s->scores[q]));
        pen_release(run, mark);
    }
    return PEN_OK;
}

static pen_status cluster_at(pen_run *run, const struct scoring *s, const pen_embedding *e,
                             int64_t r, int64_t i)
{
    pen_agreement agreement;

    if (!s->scores->normalized_rand)
        return PEN_OK;
    PEN_TRY(cluster_hidden(run, s->trial, e->z, e->k, r, &agreement));
    s->scores->normalized_rand[i] = agreement.normalized_rand;
    s->scores->adjusted_rand[i] = agreement.adjusted_rand;
    return PEN_OK;
}

/* Set scores for dims[from] .. dims[to - 1], where the embedding has that many dimensions. */
static pen_status set_scores(pen_run *run, const struct scoring *s, const pen_embedding *e,
                             int64_t from, int64_t to)
{
    struct votes votes;

    PEN_TRY(count_votes(run, s, e, &votes));
    for (int64_t i = from; i < to; i++) {
        const int64_t r = s->dims[i] ? s->dims[i] : e->k;
        if (r > e->k)
            continue;
        for (int64_t q = 0; i + 1 == s->dim_count && q < s->readers->count; q++)
            if (s->scores[q].given)
                *s->scores[q].given = r;
        PEN_TRY(read_each(run, s, e, r, i, &votes));
        PEN_TRY(cluster_at(run, s, e, r, i));
    }
    return PEN_OK;
}

static pen_status score_each(pen_run *run, const struct scoring *s)
{
    int64_t given = 0;

    for (int64_t i = 0; i < s->dim_count; i++) {
        pen_run *own;
        pen_embedding e;
        pen_error err;
        const pen_status opened = pen_run_open(s->control, &err, &own);
        PEN_REQUIRE(run, opened == PEN_OK, opened, "%s", err.message);
        pen_run_share(own, pen_run_cache(run));
        pen_status status = pen_trial_embed(own, s->trial, s->spec, s->dims[i], s->control, &e);
        if (status == PEN_OK)
            status = set_scores(own, s, &e, i, i + 1);
        pen_run_close(own);
        given += status == PEN_OK;
        if (status != PEN_OK
            && !(pen_is_no_such_dim(status) && (given > 0 || i + 1 < s->dim_count)))
            return pen_fail_as(run, &err);
    }
    return PEN_OK;
}

static pen_status score_nested(pen_run *run, const struct scoring *s)
{
    int64_t most = 0, given = 0;
    pen_embedding e;
    int all = 0;

    for (int64_t i = 0; i < s->dim_count; i++) {
        most = pen_max(most, s->dims[i]);
        all |= s->dims[i] == 0;
    }
    PEN_TRY(pen_trial_embed(run, s->trial, s->spec, all ? 0 : most, s->control, &e));
    for (int64_t i = 0; i < s->dim_count; i++)
        given += s->dims[i] <= e.k;
    PEN_REQUIRE(run, given > 0, PEN_RANK_TOO_SMALL,
                "requested %lld dimensions or more, the method gives %lld on these rows",
                (long long)s->dims[0], (long long)e.k);
    return set_scores(run, s, &e, 0, s->dim_count);
}

static void clear(double *values, int64_t count)
{
    for (int64_t i = 0; values && i < count; i++)
        values[i] = (double)NAN;
}

static void clear_scores(const struct scoring *s, const pen_trial_scores *scores)
{
    double *const lists[] = { scores->accuracy,      scores->dropped,  scores->normalized_rand,
                              scores->adjusted_rand, scores->log_loss, scores->brier };

    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        clear(lists[list], s->dim_count);
    for (int64_t i = 0; scores->predicted && i < s->trial->trials->stability_count; i++)
        scores->predicted[i] = -1;
    for (int64_t i = 0; scores->told && i < s->trial->hidden; i++)
        scores->told[i] = -1;
    if (scores->given)
        *scores->given = 0;
}

pen_status pen_trial_score_readers(pen_run *run, const pen_trial *c, const pen_spec *spec,
                                   const pen_reader_list *readers, int64_t dim_count,
                                   const int64_t *dims, const pen_control *control,
                                   const pen_trial_scores *scores)
{
    pen_spec asked = *spec;
    const struct scoring s = { c, &asked, readers, dim_count, dims, control, scores };

    asked.common.reader.kind = PEN_READER_AUTO;
    for (int64_t q = 0; q < readers->count; q++) {
        clear_scores(&s, &scores[q]);
        if (readers->list[q].kind == PEN_READER_SCORES)
            asked.common.reader.kind = PEN_READER_SCORES;
    }
    PEN_REQUIRE(run, c->hidden > 0, PEN_NO_LABELS,
                "fold %lld of run %lld holds out no labelled row", (long long)c->fold + 1,
                (long long)c->run + 1);
    return spec->method->traits & PEN_UNNESTED ? score_each(run, &s) : score_nested(run, &s);
}

pen_status pen_trial_score(pen_run *run, const pen_trial *c, const pen_spec *spec,
                           int64_t dim_count, const int64_t *dims, const pen_control *control,
                           const pen_trial_scores *scores)
{
    const pen_reader_list readers = { &spec->common.reader, 1 };

    return pen_trial_score_readers(run, c, spec, &readers, dim_count, dims, control, scores);
}
