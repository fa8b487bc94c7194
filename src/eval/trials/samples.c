/* samples.c - random samples of labels, and of pairs of labelled rows, as docs/sampling.md
 * defines them. */
#include "eval/trials/samples.h"

#include "core/arguments.h"
#include "core/number.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "io/pairs_file.h"
#include "pairs/pairs.h"

#include <math.h>
#include <string.h>

enum { GROUP = 4096 };

/* Checks the arguments of both calls. */
static pen_status check_labelled(pen_run *run, const int32_t *labels, int64_t n, const char *text)
{
    PEN_TRY(pen_check_given(run, labels, "labels"));
    PEN_TRY(pen_check_given(run, text, "text"));
    PEN_REQUIRE(run, n >= 1, PEN_BAD_ARGUMENT, "n must be >= 1, got %lld", (long long)n);
    return PEN_OK;
}

/* ---- labels ---- */

static int64_t share_of_class(const pen_label_sample *sample, int64_t size)
{
    if (sample->per_class > 0)
        return pen_min(sample->per_class, size);
    return pen_max(1, pen_min(size, (int64_t)floor(sample->percent / 100 * (double)size + 0.5)));
}

pen_status pen_labels_draw(pen_run *run, const int32_t *labels, int64_t n, const int64_t *order,
                           const pen_label_sample *sample, int32_t *out)
{
    pen_view x = { .n = 0 };
    pen_rng rng = { sample->seed };
    int64_t *turn;
    int32_t *kept;

    PEN_TRY(pen_rows_label(run, labels, n, &x));
    PEN_REQUIRE(run, x.labelled > 0, PEN_NO_LABELS, "all %lld rows are unlabelled", (long long)n);
    PEN_TRY(pen_rows_arrange(run, order, &x));
    PEN_TRY(PEN_NEW(run, turn, x.labelled));
    PEN_TRY(PEN_FILLED(run, kept, n, -1));
    for (int64_t c = 0; c < x.classes; c++) {
        const int64_t size = pen_class_size(&x, c), share = share_of_class(sample, size);
        pen_rng_permutation(&rng, size, turn);
        for (int64_t i = 0; i < share; i++) {
            const int64_t row = x.members[x.starts[c] + turn[i]];
            kept[row] = labels[row];
        }
    }
    memcpy(out, kept, (size_t)n * sizeof *out);
    return PEN_OK;
}

pen_status pen_label_sample_read(pen_run *run, const char *text, pen_label_sample *out)
{
    const size_t length = strlen(text), number = pen_number_read(text, length, &out->percent);
    const int is_percent =
        number > 0 && strcmp(text + number, "%") == 0 && out->percent > 0 && out->percent <= 100;

    if (!is_percent)
        out->percent = 0;
    PEN_REQUIRE(run, is_percent || (pen_whole_read(text, &out->per_class) && out->per_class > 0),
                PEN_BAD_ARGUMENT,
                "a sample of labels must be a number of labels of each class, at least 1, or a "
                "percentage such as 10%%, got \"%s\"",
                text);
    return PEN_OK;
}

static pen_status sample_labels(pen_run *run, const int32_t *labels, int64_t n, const char *text,
                                uint64_t seed, int32_t *out)
{
    pen_label_sample sample = { .seed = seed };

    PEN_TRY(check_labelled(run, labels, n, text));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_label_sample_read(run, text, &sample));
    return pen_labels_draw(run, labels, n, NULL, &sample, out);
}

pen_status pen_sample_labels(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                             int32_t *out, pen_error *err)
{
    PEN_CALL(NULL, err, sample_labels(run, labels, n, text, seed, out));
}

/* ---- pairs ---- */

/* Lists all pairs of one kind, ascending, in out [links->count x 2]. */
static pen_status list_pairs(pen_run *run, const pen_pair_set *pairs, const pen_links *links,
                             int64_t *out)
{
    int64_t *others, next = 0;

    PEN_TRY(PEN_NEW(run, others, GROUP));
    for (int64_t i = 0; i < links->n; i++)
        for (int64_t at = 0, count = GROUP; count == GROUP; at += count) {
            count = pen_links_slice(links, i, at, GROUP, others);
            for (int64_t k = 0; k < count; k++) {
                out[next++] = pairs->rows[i];
                out[next++] = pairs->rows[others[k]];
            }
            PEN_TRY(pen_progress(run, "pairs", i, links->n));
        }
    return PEN_OK;
}

static pen_status sample_pairs(pen_run *run, const int32_t *labels, int64_t n, const char *text,
                               uint64_t seed, pen_pairs **out)
{
    const pen_data data = { .labels = labels };
    pen_pair_params how = { .closure = 0 };
    pen_view x = { .n = 0 };
    pen_pair_set drawn;

    PEN_TRY(check_labelled(run, labels, n, text));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, pen_pair_sample_form.read(text, &how.sample) && pen_is_sample(&how.sample),
                PEN_BAD_ARGUMENT,
                "a sample of pairs must be a percentage such as 5%%, a count such as 200, or "
                "counts of must-links and cannot-links such as 50+100, got \"%s\"",
                text);
    PEN_TRY(pen_rows_label(run, labels, n, &x));
    PEN_TRY(pen_pairs_open(run, &data, &how, (int64_t)seed, &x, PEN_ORDER_ROWS, &drawn));
    PEN_TRY(pen_pairs_new(run, drawn.must.count, drawn.cannot.count, 0, out));
    PEN_TRY(list_pairs(run, &drawn, &drawn.must, (*out)->must_link));
    return list_pairs(run, &drawn, &drawn.cannot, (*out)->cannot_link);
}

pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                            const pen_control *control, pen_pairs **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_pairs_free, sample_pairs(run, labels, n, text, seed, out));
}
