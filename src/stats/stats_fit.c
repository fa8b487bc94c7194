/* stats_fit.c - pen_stats_fit: checks merged statistics and pairs, and fits them like all rows. */
#include "core/arguments.h"
#include "core/sort.h"
#include "model/model.h"
#include "model/spec.h"
#include "stats/stats.h"
#include "stats/stats_rows.h"

#include <stdlib.h>
#include <string.h>

/* The input of a fit. It has pointers to its own members, so it must not be copied. */
struct source {
    const pen_stats *stats;
    int64_t *numbers; /* [kept] numbers of the kept rows among all */
    pen_moments moments;
    pen_class_moments classes, chunks;
    pen_data data;
};

/* ---- the needs of the method ---- */

int pen_stats_takes_chunks(const pen_spec *spec)
{
    const int traits = spec->method->traits;
    return (traits & PEN_MERGES_ROWS) && (traits & PEN_MUST_LINKS) && !(traits & PEN_CANNOT_LINKS);
}

/* Do chunks replace must-links? */
static int uses_chunks(const pen_spec *spec, const pen_stats *s, const pen_data *pairs)
{
    return s->parts & PEN_PART_CHUNKS && pen_stats_takes_chunks(spec)
           && !pen_is_sample(&spec->common.pairs.sample)
           && (!pairs || (pairs->must_link_count == 0 && pairs->cannot_link_count == 0));
}

static pen_status check(pen_run *run, const pen_spec *spec, const pen_stats *s,
                        const pen_data *pairs)
{
    const char *const name = spec->method->name;
    const int parts = pen_method_parts(spec->method), chunked = uses_chunks(spec, s, pairs);

    PEN_REQUIRE(run, parts, PEN_BAD_ARGUMENT,
                "%s cannot be fitted from statistics: fit it to principal components of the rows, "
                "or to the rows with a neighbor graph (docs/statistics.md)",
                name);
    PEN_TRY(pen_stats_check_steps(run, spec));
    PEN_REQUIRE(run, spec->common.pairs.weights != PEN_PAIR_WEIGHTS_AGREEMENT, PEN_BAD_ARGUMENT,
                "weights by agreement need the neighbors of all rows, not statistics of them");
    PEN_REQUIRE(run, s->parts & PEN_PART_TOTAL, PEN_BAD_ARGUMENT,
                "%s needs total, but these are only nearest rows: merge them with the statistics "
                "of the first pass",
                name);
    PEN_REQUIRE(run, !(parts & PEN_PART_ROWS) || s->parts & PEN_PART_ROWS || chunked,
                PEN_BAD_ARGUMENT, "%s needs rows%s, which these statistics lack", name,
                pen_stats_takes_chunks(spec) ? " for pairs, or chunks" : "");
    PEN_REQUIRE(run, !(parts & PEN_PART_CLASSES) || s->parts & (PEN_PART_CLASSES | PEN_PART_ROWS),
                PEN_BAD_ARGUMENT, "%s needs classes or rows, which these statistics lack", name);
    PEN_TRY(pen_stats_check_rows(run, spec, s, "the fit"));
    if (!s->is_all)
        PEN_TRY(pen_stats_check_blocks(run, s, 0, 0));
    PEN_REQUIRE(run, pen_stats_count(s) > 0, PEN_BAD_DATA, "the statistics have no rows");
    return PEN_OK;
}

/* ---- rows by their numbers ---- */

static pen_status number_rows(pen_run *run, struct source *f)
{
    const pen_stats *const s = f->stats;
    int64_t block = 0, before = 0;

    PEN_TRY(PEN_NEW(run, f->numbers, s->kept));
    for (int64_t i = 0; i < s->kept; i++) {
        for (; s->blocks[3 * block] < s->row_id[2 * i]; block++)
            before += s->blocks[3 * block + 1];
        f->numbers[i] = before + s->row_id[2 * i + 1];
    }
    return PEN_OK;
}

/* Converts pairs of rows among all rows to pairs of kept rows. */
static pen_status find_pairs(pen_run *run, const struct source *f, const char *name,
                             const int64_t *pairs, int64_t count, const int64_t **out)
{
    const int64_t n = f->moments.n;
    int64_t *found;

    PEN_REQUIRE(run, count >= 0 && (count == 0 || pairs), PEN_BAD_ARGUMENT,
                "%s must not be NULL if its count is %lld", name, (long long)count);
    PEN_TRY(PEN_NEW(run, found, pen_times(2, count)));
    for (int64_t i = 0; i < 2 * count; i++) {
        PEN_REQUIRE(run, pairs[i] >= 0 && pairs[i] < n, PEN_BAD_PAIR,
                    "%s: pair %lld (counted from 0): row must be in 0 .. %lld, got %lld", name,
                    (long long)(i / 2), (long long)n - 1, (long long)pairs[i]);
        const int64_t *const at = f->stats->kept > 0
                                      ? bsearch(pairs + i, f->numbers, (size_t)f->stats->kept,
                                                sizeof *f->numbers, pen_by_int64)
                                      : NULL;
        PEN_REQUIRE(run, at, PEN_BAD_PAIR,
                    "%s: pair %lld (counted from 0): row %lld was not kept in the statistics", name,
                    (long long)(i / 2), (long long)pairs[i]);
        found[i] = at - f->numbers;
    }
    *out = found;
    return PEN_OK;
}

static pen_status take_pairs(pen_run *run, const pen_data *pairs, struct source *f)
{
    const int64_t *must, *cannot;

    if (!pairs)
        return PEN_OK;
    PEN_TRY(find_pairs(run, f, "must_link", pairs->must_link, pairs->must_link_count, &must));
    PEN_TRY(
        find_pairs(run, f, "cannot_link", pairs->cannot_link, pairs->cannot_link_count, &cannot));
    f->data.must_link = must;
    f->data.must_link_count = pairs->must_link_count;
    f->data.must_link_weights = pairs->must_link_weights;
    f->data.cannot_link = cannot;
    f->data.cannot_link_count = pairs->cannot_link_count;
    f->data.cannot_link_weights = pairs->cannot_link_weights;
    return PEN_OK;
}

/* ---- the sums and the kept rows ---- */

/* Puts the distances of labelled rows at their places among the kept rows. */
static pen_status take_nearest(pen_run *run, const pen_spec *spec, struct source *f)
{
    const pen_stats *const s = f->stats;
    double *near;
    int64_t at = 0;

    if (!(s->parts & PEN_PART_NEAREST) || !(pen_method_parts(spec->method) & PEN_PART_NEAREST))
        return PEN_OK;
    const uint32_t digest = pen_stats_digest(spec, s);
    PEN_REQUIRE(run, digest == s->digest, PEN_BAD_ARGUMENT,
                "the nearest rows belong to another scale, pca or statistics: their digest is "
                "%08lx, this fit has %08lx",
                (unsigned long)s->digest, (unsigned long)digest);
    PEN_TRY(PEN_FILLED(run, near, pen_times(s->kept, s->near), 0));
    for (int64_t i = 0; i < s->kept; i++)
        if (s->row_class[i] >= 0)
            memcpy(near + i * s->near, s->near_distance2 + at++ * s->near,
                   (size_t)s->near * sizeof *near);
    f->moments.near_distance2 = near;
    f->moments.near = s->near;
    return PEN_OK;
}

static pen_status take_sums(pen_run *run, const pen_stats_sums *sums, pen_class_moments *out)
{
    int64_t *starts;

    PEN_TRY(PEN_NEW(run, starts, sums->count + 1));
    starts[0] = 0;
    for (int64_t c = 0; c < sums->count; c++)
        starts[c + 1] = starts[c] + sums->rows[c];
    *out = (pen_class_moments){ sums->count, starts, sums->mean, sums->within };
    return PEN_OK;
}

/* Takes the sums of classes if the labelled rows are not kept. */
static pen_status take_classes(pen_run *run, const pen_spec *spec, const pen_data *pairs,
                               struct source *f)
{
    const pen_stats *const s = f->stats;

    if (!(s->parts & PEN_PART_ROWS) && s->parts & PEN_PART_CLASSES) {
        PEN_TRY(take_sums(run, &s->classes, &f->classes));
        f->moments.classes = &f->classes;
    }
    if (uses_chunks(spec, s, pairs)) {
        PEN_TRY(take_sums(run, &s->chunks, &f->chunks));
        f->moments.chunks = &f->chunks;
    }
    return PEN_OK;
}

/* Opens the input of a fit in scratch memory. */
static pen_status open_source(pen_run *run, const pen_spec *spec, const pen_stats *s,
                              const pen_data *pairs, struct source *f)
{
    *f = (struct source){ .stats = s };
    PEN_TRY(check(run, spec, s, pairs));
    PEN_TRY(number_rows(run, f));
    f->moments = pen_stats_moments(spec, s);
    f->moments.numbers = f->numbers;
    f->data = (pen_data){ .x = pen_dense(s->row_value, PEN_F64, s->kept, s->d, s->d),
                          .labels = s->kept > 0 ? s->row_class : NULL,
                          .class_names = (const char *const *)s->class_names,
                          .class_count = s->class_count,
                          .class_type = *s->class_type ? s->class_type : NULL,
                          .column_names = (const char *const *)s->column_names,
                          .drop_missing = pairs && pairs->drop_missing };
    PEN_TRY(take_classes(run, spec, pairs, f));
    PEN_TRY(take_nearest(run, spec, f));
    return take_pairs(run, pairs, f);
}

static pen_status fit(pen_run *run, const pen_spec *spec, const pen_stats *stats,
                      const pen_data *pairs, const pen_control *control, pen_model **out)
{
    struct source f;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, stats, "stats"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(open_source(run, spec, stats, pairs, &f));
    return pen_model_fit_moments(spec, &f.data, &f.moments, control, out, pen_run_error(run));
}

pen_status pen_stats_fit(const pen_spec *spec, const pen_stats *stats, const pen_data *pairs,
                         const pen_control *control, pen_model **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_model_free, fit(run, spec, stats, pairs, control, out));
}
