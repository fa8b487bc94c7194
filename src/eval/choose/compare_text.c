/* compare_text.c - the result of a comparison as a table of at most 80 columns. */
#include "core/textbuf.h"
#include "eval/choose/compare_result.h"
#include "eval/measures/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 80,
    LINE = 400,
    BEST = 10,      /* are always shown */
    FEW_ROWS = 100, /* an accuracy on fewer held-out rows has two decimals */
    NAME = 12       /* a longer name moves the rest of the line */
};

struct table {
    const pen_comparison_facts *facts;
    const pen_comparison *c;
    int verbose, digits;
    int name, classifier; /* widths */
    pen_string text;
};

__attribute__((format(printf, 2, 3))) static void put(struct table *t, const char *format, ...)
{
    char line[LINE];
    va_list values;

    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    pen_text_add_string(&t->text, line);
}

/* Writes words after a first one, in lines of WIDTH columns; continuation lines are indented. */
static void put_wrapped(struct table *t, const char *first, const char *words)
{
    size_t used = strlen(first);

    put(t, "%s", first);
    while (*words) {
        const size_t length = strcspn(words, " ");
        if (used + 1 + length > WIDTH) {
            put(t, "\n         ");
            used = 9;
        }
        put(t, " %.*s", (int)length, words);
        used += 1 + length;
        words += length + (words[length] == ' ');
    }
    put(t, "\n");
}

/* ---- candidates to show ---- */

/* Counts the different ones among the first `count` candidates. */
static int64_t count_different(const pen_comparison *c, int64_t count)
{
    int64_t different = 0;

    for (int64_t m = 0; m < count; m++)
        different += !*c->candidates[m].failure && !c->candidates[m].same_as;
    return different;
}

static int is_shown(const struct table *t, int64_t m)
{
    const pen_comparison *const c = t->c;
    const pen_compared *const e = &c->candidates[m];

    if (*e->failure || t->verbose || m == c->chosen)
        return !*e->failure;
    return !e->same_as && (e->named || e->baseline || count_different(c, m) < BEST);
}

/* The name without the classifier. */
static int name_length(const pen_compared *e)
{
    return (int)(strrchr(e->name, '/') - e->name);
}

/* ---- lines ---- */

static void put_head(struct table *t)
{
    const pen_comparison *const c = t->c;
    const pen_compared *const best = &c->candidates[c->chosen];
    const pen_trials *const trials = t->facts->trials;

    if (!c->predicts)
        put(t, "nothing: these labels do not predict classes here (%.2f ± %.2f, guessing %.2f)\n",
            best->score, PEN_HALF_WIDTH * pen_standard_error(best->score, c->held_out), c->chance);
    put(t, "%lld labels", (long long)c->labelled);
    if (trials->keep_labels)
        put(t, ", %s of each class kept", trials->keep_labels);
    put(t, ", held out in %lld run%s of %lld%s fold%s", (long long)c->runs, c->runs == 1 ? "" : "s",
        (long long)c->folds, trials->fold_of ? " given" : "", c->folds == 1 ? "" : "s");
    put(t, ";\n          ");
    if (c->trials < c->runs * c->folds)
        put(t, "%lld of %lld trials; ", (long long)c->trials, (long long)(c->runs * c->folds));
    put(t, "%lld different candidates in %.*f s; guessing gives %.2f\n",
        (long long)count_different(c, c->count), c->seconds < 9.95, c->seconds, c->chance);
}

static void put_row(struct table *t, int64_t m)
{
    const pen_comparison *const c = t->c;
    const pen_compared *const e = &c->candidates[m];
    const double error = PEN_HALF_WIDTH * pen_standard_error(e->score, c->held_out),
                 least = c->candidates[0].score - PEN_HALF_WIDTH * c->margin - PEN_SAME_SCORE;
    const char mark = m == c->chosen ? '>' : e->score >= least ? '=' : ' ';
    const char *const after = e->baseline                                     ? "baseline"
                              : e->method->source == PEN_SOURCE_RECONSTRUCTED ? "experimental"
                                                                              : "";
    char line[LINE], stable[8] = "";

    if (!isnan(e->stability))
        snprintf(stable, sizeof stable, "%.2f", e->stability);
    const int used =
        snprintf(line, sizeof line, " %c%3lld  %-*.*s  %-*s  %.*f ± %.*f  %6s  %4lld  %7.1f", mark,
                 (long long)pen_comparison_place(c, m), t->name, name_length(e), e->name,
                 t->classifier, e->classifier, t->digits, e->score, t->digits, error, stable,
                 (long long)e->dim, e->seconds);
    /* ± is two bytes and one column */
    const int fits = *after && used - 1 + 2 + (int)strlen(after) <= WIDTH;
    put(t, "%s%s%s\n", line, fits ? "  " : "", fits ? after : "");
}

static void put_rows(struct table *t)
{
    const pen_comparison *const c = t->c;
    int64_t last = -1;

    put(t, "       %-*s  %-*s  %-*s  stable  dims  seconds\n", t->name, "method", t->classifier,
        "classifier", 2 * t->digits + 7, "accuracy");
    for (int64_t m = 0; m < c->count; m++) {
        if (!is_shown(t, m))
            continue;
        if (last >= 0 && count_different(c, m) > count_different(c, last + 1))
            put(t, "   ...\n");
        put_row(t, m);
        last = m;
    }
}

static void put_legend(struct table *t)
{
    int64_t shown = 0, all = 0;

    for (int64_t m = 0; m < t->c->count; m++) {
        shown += is_shown(t, m);
        all += !*t->c->candidates[m].failure;
    }
    if (t->c->candidates[0].baseline && t->c->chosen > 0)
        put(t, "no method is more accurate here than a baseline, which keeps all columns\n");
    put(t, "> recommended, = as good within ±%s\n", shown < all ? ";" : "");
    if (shown < all)
        put(t, "  shown: %d best that differ, baselines, named ones; all %lld: --verbose\n", BEST,
            (long long)all);
}

/* ---- dimensions ---- */

/* Writes accuracies in the requested dimensions, several in a line. */
static void put_dims(struct table *t)
{
    const pen_comparison *const c = t->c;
    const int wide = 7, name = t->name + 1 + t->classifier;
    const int64_t each = (WIDTH - name - 2) / wide;

    for (int64_t from = 0; from < c->dim_count; from += each) {
        const int64_t to = pen_min(from + each, c->dim_count);
        put(t, "%-*s", name + 2, "in dimensions");
        for (int64_t i = from; i < to; i++)
            put(t, "%*lld", wide, (long long)c->dims[i]);
        put(t, "\n");
        for (int64_t m = 0; m < c->count; m++) {
            if (!is_shown(t, m) || !pen_compared_has_curve(c, &c->candidates[m]))
                continue;
            put(t, "%-*s", name + 2, c->candidates[m].name);
            for (int64_t i = from; i < to; i++)
                if (isnan(c->candidates[m].curve[i]))
                    put(t, "%*s", wide, "");
                else
                    put(t, "%*.*f", wide, t->digits, c->candidates[m].curve[i]);
            put(t, "\n");
        }
    }
}

/* ---- untried and failed candidates ---- */

/* Are the reasons equal except for numbers in them? */
static int same_reason(const char *a, const char *b)
{
    static const char numbers[] = "0123456789.+-";

    for (;; a++, b++) {
        a += strspn(a, numbers);
        b += strspn(b, numbers);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

static int fails_alike(const pen_compared *a, const pen_compared *b)
{
    return a->tried == b->tried && *a->failure && *b->failure
           && same_reason(a->failure, b->failure);
}

/* The length of the name to print: only the method if all its classifiers fail alike; 0: already
 * printed. */
static int length_of_group(const pen_comparison *c, int64_t m)
{
    const pen_compared *const e = &c->candidates[m];
    int is_first = 1;

    for (int64_t o = 0; o < c->count; o++) {
        const pen_compared *const other = &c->candidates[o];
        if (name_length(other) != name_length(e)
            || strncmp(other->name, e->name, (size_t)name_length(e)) != 0)
            continue;
        if (!fails_alike(other, e))
            return (int)strlen(e->name);
        is_first &= o >= m;
    }
    return is_first ? name_length(e) : 0;
}

/* Prints the candidates that fail like candidate m, the first of them. */
static void put_failed(struct table *t, int64_t m)
{
    const pen_comparison *const c = t->c;
    const pen_compared *const e = &c->candidates[m];
    pen_string names = { .data = NULL };
    char cost[48];

    for (int64_t o = m; o < c->count; o++) {
        const int length = fails_alike(&c->candidates[o], e) ? length_of_group(c, o) : 0;
        if (length == 0)
            continue;
        pen_text_add_string(&names, names.size ? ", " : "");
        pen_text_add(&names, c->candidates[o].name, (size_t)length);
        snprintf(cost, sizeof cost, " %.2g", c->candidates[o].cost);
        pen_text_add_string(&names, e->tried == PEN_LEFT_OUT ? cost : "");
    }
    if (e->tried == PEN_TRIED) {
        pen_text_add_string(&names, ": ");
        pen_text_add_string(&names, e->failure);
    }
    t->text.failed |= names.failed;
    put_wrapped(t,
                e->tried == PEN_TRIED ? "failed:"
                : e->tried == PEN_LEFT_OUT
                    ? "left out, with their cost (--effort raises what is allowed):"
                    : "not reached:",
                names.failed ? "" : names.data);
    free(names.data);
}

static void put_failures(struct table *t)
{
    const pen_comparison *const c = t->c;

    for (int64_t m = 0; m < c->count; m++) {
        int64_t before = 0;
        while (before < m && !fails_alike(&c->candidates[before], &c->candidates[m]))
            before++;
        if (*c->candidates[m].failure && before == m)
            put_failed(t, m);
    }
}

/* ---- all ---- */

static pen_status print(pen_run *run, struct table *t, char **out)
{
    const pen_comparison *const c = t->c;

    t->name = (int)strlen("columns");
    t->classifier = (int)strlen("classifier");
    for (int64_t m = 0; m < c->count; m++) {
        if (!is_shown(t, m))
            continue;
        t->name = (int)pen_min(NAME, pen_max(t->name, name_length(&c->candidates[m])));
        t->classifier = (int)pen_max(t->classifier, (int64_t)strlen(c->candidates[m].classifier));
    }
    t->digits = c->held_out < FEW_ROWS ? 2 : 3;
    put_head(t);
    put_rows(t);
    if (t->facts->trials->dims)
        put_dims(t);
    if (!isnan(c->shuffled))
        put(t, "with shuffled labels %s gets %.*f ± %.*f\n", c->candidates[c->chosen].name,
            t->digits, c->shuffled, t->digits,
            PEN_HALF_WIDTH * pen_standard_error(c->shuffled, c->held_out));
    put_failures(t);
    if (c->inner_folds == 0 && (t->facts->trials->effort > 0 || t->facts->trials->grid))
        put(t, "too few labels to tune parameters\n");
    put_legend(t);
    return pen_text_finish(run, &t->text, out);
}

pen_status pen_comparison_print(pen_run *run, const pen_comparison_facts *facts, pen_comparison *c)
{
    for (int verbose = 0; verbose < 2; verbose++) {
        struct table t = { .facts = facts, .c = c, .verbose = verbose };
        PEN_TRY(print(run, &t, &c->text[verbose]));
    }
    return PEN_OK;
}
