/* drawn_labels.c - random samples of labels, and of pairs of labelled rows, as docs/sampling.md
 * defines them. */
#include "core/arguments.h"
#include "core/file.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "eval/thin.h"
#include "pairs/pairs.h"
#include "io/io.h"

#include <math.h>
#include <string.h>

enum { GROUP = 4096 };

/* Arguments that all of these calls require. */
static pen_status check_labelled(pen_run *run, const int32_t *labels, int64_t n, const void *sample)
{
    PEN_TRY(pen_check_given(run, labels, "labels"));
    PEN_TRY(pen_check_given(run, sample, "sample"));
    PEN_REQUIRE(run, n >= 1, PEN_BAD_ARGUMENT, "n must be >= 1, got %lld", (long long)n);
    return PEN_OK;
}

/* ---- labels ---- */

static pen_status check_labels(pen_run *run, const pen_label_sample *sample, const pen_rows *x)
{
    PEN_REQUIRE(run, (sample->per_class != 0) + (sample->percent != 0) == 1, PEN_BAD_ARGUMENT,
                "a sample of labels needs exactly one of a count per class and a percentage");
    PEN_REQUIRE(run, sample->per_class >= 0, PEN_BAD_ARGUMENT,
                "labels per class must be >= 1, got %lld", (long long)sample->per_class);
    PEN_REQUIRE(run, sample->percent >= 0 && sample->percent <= 100, PEN_BAD_ARGUMENT,
                "percent of labels must be in [0, 100], got %g", sample->percent);
    PEN_REQUIRE(run, x->labelled > 0, PEN_NO_LABELS, "all %lld rows are unlabelled",
                (long long)x->n);
    return PEN_OK;
}

static int64_t share_of_class(const pen_label_sample *sample, int64_t size)
{
    if (sample->per_class > 0)
        return pen_min(sample->per_class, size);
    return pen_max(1, pen_min(size, (int64_t)floor(sample->percent / 100 * (double)size + 0.5)));
}

pen_status pen_labels_draw(pen_run *run, const int32_t *labels, int64_t n, const int64_t *order,
                           const pen_label_sample *sample, int32_t *out)
{
    pen_rows x = { .n = 0 };
    pen_rng rng = { sample->seed };
    int64_t *turn;
    int32_t *kept;

    PEN_TRY(pen_rows_label(run, labels, n, &x));
    PEN_TRY(check_labels(run, sample, &x));
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

static pen_status sample_labels(pen_run *run, const int32_t *labels, int64_t n,
                                const pen_label_sample *sample, int32_t *out)
{
    PEN_TRY(check_labelled(run, labels, n, sample));
    PEN_TRY(pen_check_given(run, out, "out"));
    return pen_labels_draw(run, labels, n, NULL, sample, out);
}

pen_status pen_sample_labels(const int32_t *labels, int64_t n, const pen_label_sample *sample,
                             int32_t *out, pen_error *err)
{
    PEN_CALL(NULL, err, sample_labels(run, labels, n, sample, out));
}

/* ---- pairs ---- */

static pen_status draw(pen_run *run, const int32_t *labels, int64_t n,
                       const pen_pair_sample *sample, pen_pair_set *out)
{
    const pen_data data = { .labels = labels, .sample = sample };
    pen_rows x = { .n = 0 };

    PEN_TRY(check_labelled(run, labels, n, sample));
    PEN_TRY(pen_rows_label(run, labels, n, &x));
    return pen_pairs_open(run, &data, &x, PEN_ORDER_ROWS, out);
}

/* Walks over the partners of position i among links of one kind, in ascending order. */
struct walk {
    const pen_links *links;
    int64_t link, at, count, next;
    int64_t others[GROUP];
};

static int64_t walk_next(struct walk *w, int64_t i)
{
    if (w->next == w->count) {
        w->at += w->count;
        w->count = pen_links_slice(w->links, i, w->at, GROUP, w->others);
        w->next = 0;
    }
    return w->next < w->count ? w->others[w->next] : INT64_MAX;
}

static pen_status emit_pairs(pen_run *run, const pen_pair_set *pairs, pen_pair_fn put, void *user)
{
    struct walk *walks;
    int64_t *block, filled = 0;

    PEN_TRY(PEN_NEW(run, walks, 2));
    PEN_TRY(PEN_NEW(run, block, 3 * GROUP));
    for (int64_t i = 0; i < pairs->must.n; i++) {
        for (int kind = 0; kind < 2; kind++) {
            walks[kind].links = kind ? &pairs->must : &pairs->cannot;
            walks[kind].link = kind ? PEN_MUST_LINK : PEN_CANNOT_LINK;
            walks[kind].at = walks[kind].count = walks[kind].next = 0;
        }
        for (;;) {
            const int64_t cannot = walk_next(&walks[0], i), must = walk_next(&walks[1], i);
            struct walk *const first = must < cannot ? &walks[1] : &walks[0];
            if (must == INT64_MAX && cannot == INT64_MAX)
                break;
            block[filled * 3] = pairs->rows[i];
            block[filled * 3 + 1] = pairs->rows[first->others[first->next++]];
            block[filled * 3 + 2] = first->link;
            if (++filled == GROUP) {
                PEN_REQUIRE(run, put(user, block, filled) == 0, PEN_CANCELLED, "cancelled");
                PEN_TRY(pen_progress(run, "pairs", i, pairs->must.n));
                filled = 0;
            }
        }
    }
    PEN_REQUIRE(run, filled == 0 || put(user, block, filled) == 0, PEN_CANCELLED, "cancelled");
    return PEN_OK;
}

static pen_status sample_pairs(pen_run *run, const int32_t *labels, int64_t n,
                               const pen_pair_sample *sample, pen_pair_fn put, void *user)
{
    pen_pair_set pairs;

    PEN_REQUIRE(run, put, PEN_BAD_ARGUMENT, "put must not be NULL");
    PEN_TRY(draw(run, labels, n, sample, &pairs));
    return emit_pairs(run, &pairs, put, user);
}

pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const pen_pair_sample *sample,
                            const pen_control *control, pen_pair_fn put, void *user, pen_error *err)
{
    PEN_CALL(control, err, sample_pairs(run, labels, n, sample, put, user));
}

/* ---- files of pairs ---- */

struct file {
    pen_run *run;
    pen_output *output;
    char delimiter;
    pen_status status;
};

static int put_text(void *user, const int64_t *pairs, int64_t count)
{
    struct file *const file = user;
    const pen_sheet sheet = { .rows = count, .bands = { { .count = 3, .wholes = pairs } } };

    file->status = pen_write_text(file->run, &sheet, file->delimiter, pen_put_output, file->output);
    return file->status != PEN_OK;
}

static int put_binary(void *user, const int64_t *pairs, int64_t count)
{
    struct file *const file = user;
    file->status = pen_output_write(file->output, pairs, (size_t)count * 3 * sizeof *pairs);
    return file->status != PEN_OK;
}

static pen_status write_pairs(pen_run *run, const char *path, const int32_t *labels, int64_t n,
                              const pen_pair_sample *sample)
{
    struct file file = { .run = run };
    pen_status status = PEN_OK;
    pen_pair_set pairs;

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(draw(run, labels, n, sample, &pairs));
    const int npy = pen_has_extension(path, ".npy");
    file.delimiter = pen_delimiter_of(path);
    PEN_TRY(pen_output_open(run, path, &file.output));
    if (npy)
        status = pen_write_npy_header('i', sizeof(int64_t), pairs.must.count + pairs.cannot.count,
                                      3, pen_put_output, file.output);
    if (status == PEN_OK)
        status = emit_pairs(run, &pairs, npy ? put_binary : put_text, &file);
    return pen_output_close(file.output, file.status != PEN_OK ? file.status : status);
}

pen_status pen_sample_pairs_write(const char *path, const int32_t *labels, int64_t n,
                                  const pen_pair_sample *sample, const pen_control *control,
                                  pen_error *err)
{
    PEN_CALL(control, err, write_pairs(run, path, labels, n, sample));
}
