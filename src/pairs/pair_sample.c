/* pair_sample.c - pairs sampled from labels, as defined in docs/sampling.md.
 *
 * In a sample of all pairs, pair number t enumerates the upper triangle over the labelled rows in
 * ascending order, row by row. In a sample of each kind, labelled rows are ordered by class, the
 * largest first, and pairs are numbered by their first row in that order. Numbers are drawn in
 * ascending order, so one pass over the rows decodes them. */
#include "core/random_subset.h"
#include "core/number.h"
#include "core/row_order.h"
#include "pairs/pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPORT_INTERVAL = 1 << 20 };

static double pairs_among(int64_t n)
{
    return (double)n * (double)(n - 1) / 2;
}

static double must_links_among(const pen_view *x)
{
    double sum = 0;
    for (int64_t c = 0; c < x->classes; c++)
        sum += pairs_among(pen_class_size(x, c));
    return sum;
}

/* Reads a whole number at the start of the text. Returns the rest; NULL: no number. */
static const char *whole(const char *text, int64_t *out)
{
    *out = 0;
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (*out > (INT64_MAX - 9) / 10)
            return NULL;
        *out = 10 * *out + (*text - '0');
    }
    return text;
}

int pen_whole_read(const char *text, int64_t *out)
{
    text = whole(text, out);
    return text && *text == '\0';
}

/* Reads P%, N, M+Q or all. */
static int read_sample(const char *text, void *record)
{
    pen_pair_sample read = { .percent = 0 };
    double percent;
    int64_t first, second;
    const size_t number = pen_number_read(text, strlen(text), &percent);
    const char *const rest = whole(text, &first);

    if (number > 0 && strcmp(text + number, "%") == 0)
        read.percent = percent <= 100 ? percent : 0;
    else if (rest && !*rest)
        read.count = first;
    else if (rest && *rest == '+' && pen_whole_read(rest + 1, &second))
        read = (pen_pair_sample){ .must_link = first, .cannot_link = second };
    if (!pen_is_sample(&read) && strcmp(text, "all") != 0)
        return 0;
    *(pen_pair_sample *)record = read;
    return 1;
}

static void write_sample(const void *record, char text[PEN_PARAM_SIZE])
{
    const pen_pair_sample *const s = record;
    char percent[PEN_NUMBER_SIZE];

    pen_number_write(s->percent, percent);
    if (s->percent > 0)
        snprintf(text, PEN_PARAM_SIZE, "%s%%", percent);
    else if (s->count > 0)
        snprintf(text, PEN_PARAM_SIZE, "%lld", (long long)s->count);
    else if (s->must_link > 0 || s->cannot_link > 0)
        snprintf(text, PEN_PARAM_SIZE, "%lld+%lld", (long long)s->must_link,
                 (long long)s->cannot_link);
    else
        snprintf(text, PEN_PARAM_SIZE, "all");
}

const pen_text_form pen_pair_sample_form = { .read = read_sample, .write = write_sample };

static pen_status check(pen_run *run, const pen_pair_sample *sample, const pen_view *x)
{
    const double all = pairs_among(x->labelled), must = must_links_among(x), cannot = all - must;

    PEN_REQUIRE(run, x->labelled >= 2, PEN_NO_LABELS,
                "pairs are drawn from labels: at least 2 rows must be labelled, got %lld",
                (long long)x->labelled);
    PEN_REQUIRE(run, all < 0x1p53, PEN_BAD_DATA,
                "pairs cannot be drawn from more than 2^53 pairs, got %g", all);
    PEN_REQUIRE(
        run, (double)sample->count <= all, PEN_BAD_ARGUMENT,
        "count of pairs must be in [1, %.0f], the number of pairs of labelled rows, got %lld", all,
        (long long)sample->count);
    PEN_REQUIRE(
        run, (double)sample->must_link <= must, PEN_BAD_ARGUMENT,
        "count of must-links must be in [0, %.0f], the number of pairs within classes, got %lld",
        must, (long long)sample->must_link);
    PEN_REQUIRE(
        run, (double)sample->cannot_link <= cannot, PEN_BAD_ARGUMENT,
        "count of cannot-links must be in [0, %.0f], the number of pairs between classes, got %lld",
        cannot, (long long)sample->cannot_link);
    return PEN_OK;
}

pen_status pen_sample_size(pen_run *run, const pen_pair_sample *sample, const pen_view *labelled,
                           int64_t *size)
{
    const double all = pairs_among(labelled->labelled);

    PEN_TRY(check(run, sample, labelled));
    *size = sample->count + sample->must_link + sample->cannot_link;
    if (sample->percent > 0)
        *size = (int64_t)fmin(floor(sample->percent / 100 * all + 0.5), all);
    return PEN_OK;
}

/* The destination of drawn pairs. */
struct sink {
    const pen_view *x;
    const int64_t *position;
    pen_links *must, *cannot;
    int64_t size, added;
};

static pen_status add_pair(pen_run *run, struct sink *s, int64_t row, int64_t other, int must)
{
    if (++s->added % REPORT_INTERVAL == 0)
        PEN_TRY(pen_progress(run, "sampling pairs", s->added, s->size));
    pen_links_add(must ? s->must : s->cannot, s->position[row], s->position[other], 1);
    return PEN_OK;
}

/* Lists the labelled rows in ascending order, and their classes. */
static pen_status rows_in_order(pen_run *run, const pen_view *x, int64_t **rows, int64_t **classes)
{
    int32_t *class_of;
    int64_t at = 0;

    PEN_TRY(PEN_NEW2(run, *rows, *classes, x->labelled));
    PEN_TRY(pen_rows_classes(run, x, &class_of));
    for (int64_t i = 0; i < x->n; i++)
        if (class_of[i] >= 0) {
            (*rows)[at] = i;
            (*classes)[at++] = class_of[i];
        }
    return PEN_OK;
}

static pen_status sample_all(pen_run *run, pen_rng *rng, int64_t count, struct sink *s)
{
    const int64_t n = s->x->labelled;
    int64_t *rows, *classes, i = 0, begin = 0;
    pen_draw draw;
    pen_draw_cursor cursor = { 0, 0 };

    PEN_TRY(rows_in_order(run, s->x, &rows, &classes));
    PEN_TRY(pen_draw_open(run, rng, n * (n - 1) / 2, count, &draw));
    for (int64_t t = pen_draw_next(&draw, &cursor); t >= 0; t = pen_draw_next(&draw, &cursor)) {
        while (t - begin >= n - 1 - i)
            begin += n - 1 - i++;
        const int64_t j = i + 1 + t - begin;
        PEN_TRY(add_pair(run, s, rows[i], rows[j], classes[i] == classes[j]));
    }
    return PEN_OK;
}

/* The number of partners after position p of class c in class order: in the same class, or in later
 * ones. */
static int64_t partners(const pen_view *x, int64_t p, int64_t c, int must)
{
    return must ? x->starts[c + 1] - p - 1 : x->labelled - x->starts[c + 1];
}

static pen_status sample_kind(pen_run *run, pen_rng *rng, int must, int64_t count, struct sink *s)
{
    const pen_view *x = s->x;
    int64_t total = 0, p = 0, c = 0, begin = 0;
    pen_draw draw;
    pen_draw_cursor cursor = { 0, 0 };

    for (int64_t of = 0; of < x->classes; of++)
        for (int64_t i = x->starts[of]; i < x->starts[of + 1]; i++)
            total += partners(x, i, of, must);
    if (count == 0)
        return PEN_OK;
    PEN_TRY(pen_draw_open(run, rng, total, count, &draw));
    for (int64_t t = pen_draw_next(&draw, &cursor); t >= 0; t = pen_draw_next(&draw, &cursor)) {
        while (t - begin >= partners(x, p, c, must)) {
            begin += partners(x, p++, c, must);
            c += p == x->starts[c + 1];
        }
        PEN_TRY(add_pair(run, s, x->members[p],
                         x->members[(must ? p + 1 : x->starts[c + 1]) + t - begin], must));
    }
    return PEN_OK;
}

pen_status pen_sample_add(pen_run *run, const pen_pair_sample *sample, int64_t seed,
                          const pen_view *labelled, const int64_t *position, pen_links *must,
                          pen_links *cannot)
{
    struct sink s = { .x = labelled, .position = position, .must = must, .cannot = cannot };
    pen_rng rng = { (uint64_t)seed };
    int64_t size;

    PEN_TRY(pen_sample_size(run, sample, labelled, &size));
    s.size = size;
    const pen_mark_t mark = pen_mark(run);
    if (sample->must_link + sample->cannot_link == 0) {
        PEN_TRY(sample_all(run, &rng, size, &s));
    } else {
        pen_view by_class = *labelled;
        PEN_TRY(pen_rows_arrange(run, NULL, &by_class));
        s.x = &by_class;
        PEN_TRY(sample_kind(run, &rng, 1, sample->must_link, &s));
        PEN_TRY(sample_kind(run, &rng, 0, sample->cannot_link, &s));
    }
    pen_release(run, mark);
    return PEN_OK;
}
