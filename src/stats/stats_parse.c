/* stats_parse.c - reads statistics and checks everything in the file. */
#include "core/row_steps.h"
#include "model/safetensors.h"
#include "stats/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative rounding by which means may be outside the extremes. */
static const double MEAN_ROUNDING = 64 * DBL_EPSILON;

static const char a_file[] = "penumbra statistics";

/* ---- metadata ---- */

/* A whole number in [0, most] as text. */
static pen_status read_count(const pen_model_source *s, const pen_json *metadata, const char *key,
                             int64_t most, int64_t *count)
{
    const char *text = NULL;
    char *end;

    PEN_TRY(pen_source_text(s, metadata, key, &text));
    const long long value = strtoll(text, &end, 10);
    REFUSE_UNLESS(s,
                  text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= 0
                      && value <= (long long)most,
                  "%s: metadata \"%s\" must be a whole number in 0 .. %lld, got \"%.40s\"", s->name,
                  key, (long long)most, text);
    *count = value;
    return PEN_OK;
}

/* One of two words. */
static pen_status read_word(const pen_model_source *s, const pen_json *metadata, const char *key,
                            const char *zero, const char *one, int *value)
{
    const char *text = NULL;

    PEN_TRY(pen_source_text(s, metadata, key, &text));
    *value = strcmp(text, one) == 0;
    REFUSE_UNLESS(s, *value || strcmp(text, zero) == 0,
                  "%s: metadata \"%s\" must be %s or %s, got \"%.40s\"", s->name, key, zero, one,
                  text);
    return PEN_OK;
}

/* Reads the parameter row_steps, which must not have steps learned from all rows. */
static pen_status read_steps(const pen_model_source *s, const pen_json *metadata, pen_stats *out)
{
    static const char key[] = "row_steps";
    static const pen_param steps = { .name = key, .form = &pen_row_steps_form, .syntax = "" };
    pen_row_params *const row = &out->row;
    const char *text = NULL;

    REFUSE_UNLESS(s, !pen_json_member(metadata, "normalize"),
                  "%s: statistics in an earlier format: make them again", s->name);
    if (!pen_json_member(metadata, key))
        return PEN_OK;
    PEN_TRY(pen_source_text(s, metadata, key, &text));
    REFUSE_UNLESS(s,
                  pen_text_read(&steps, row, text, NULL) == PEN_OK && row->total >= 0 && !row->idf
                      && row->select == 0 && (row->derivative == 0 || row->derivative % 2)
                      && row->derivative <= out->d,
                  "%s: metadata \"%s\" must be steps of one row, got \"%.60s\"", s->name, key,
                  text);
    return PEN_OK;
}

static pen_status read_parts(const pen_model_source *s, const pen_json *metadata, int *parts)
{
    pen_json *list;

    PEN_TRY(pen_source_list(s, metadata, "parts", &list));
    *parts = 0;
    for (const pen_json *item = list->first; item; item = item->next) {
        int part = 0;
        while (pen_stats_part_names[part] && strcmp(pen_stats_part_names[part], item->text) != 0)
            part++;
        PEN_REQUIRE(s->run, pen_stats_part_names[part], PEN_NEWER_FORMAT,
                    "%s: the statistics have \"%.40s\", which this version (%s) does not know",
                    s->name, item->text, PEN_VERSION);
        *parts |= 1 << part;
    }
    REFUSE_UNLESS(s, *parts == PEN_PART_NEAREST || *parts & PEN_PART_TOTAL,
                  "%s: metadata \"parts\" must have total, or be nearest alone", s->name);
    REFUSE_UNLESS(
        s, !(*parts & PEN_PART_NEAREST) || *parts == PEN_PART_NEAREST || *parts & PEN_PART_ROWS,
        "%s: metadata \"parts\" has nearest without rows", s->name);
    return PEN_OK;
}

/* The number of nearest rows, and the digest of their distances. */
static pen_status read_near(const pen_model_source *s, const pen_json *metadata, pen_stats *out)
{
    static const char key[] = "near";
    double k = 0, digest = 0;
    pen_json *object;

    if (!(out->parts & PEN_PART_NEAREST))
        return PEN_OK;
    PEN_TRY(pen_source_json(s, metadata, key, &object));
    PEN_TRY(pen_source_number(s, key, object, "k", 1, 0x1p31, &k));
    PEN_TRY(pen_source_number(s, key, object, "digest", 0, 0xffffffffp0, &digest));
    out->near = (int64_t)k;
    out->digest = (uint32_t)digest;
    REFUSE_UNLESS(s, (double)out->near == k && (double)out->digest == digest,
                  "%s: metadata \"%s\" must have whole numbers", s->name, key);
    return PEN_OK;
}

static pen_status read_metadata(const pen_model_source *s, const pen_json *metadata,
                                pen_stats **out)
{
    int64_t d;
    int numbers = 0;

    PEN_TRY(read_count(s, metadata, "columns", PEN_STATS_MOST_COLUMNS, &d));
    REFUSE_UNLESS(s, d >= 1, "%s: metadata \"columns\" must be at least 1", s->name);
    PEN_TRY(pen_stats_empty(s->run, d, out));
    pen_stats *const to = *out;
    PEN_TRY(read_parts(s, metadata, &to->parts));
    PEN_TRY(read_steps(s, metadata, to));
    PEN_TRY(read_word(s, metadata, "merges", "canonical", "free", &to->is_free));
    if (pen_json_member(metadata, "blocks"))
        PEN_TRY(read_word(s, metadata, "blocks", "some", "all", &to->is_all));
    PEN_TRY(read_count(s, metadata, "chunk_count", INT64_MAX / 16, &to->chunks.count));
    PEN_TRY(read_near(s, metadata, to));
    PEN_TRY(
        pen_source_names(s, metadata, "class_names", &to->class_names, &to->class_count, &numbers));
    to->is_named = to->class_count > 0 && !numbers;
    if (pen_json_member(metadata, "class_type")) {
        const char *type = NULL;
        PEN_TRY(pen_source_text(s, metadata, "class_type", &type));
        strncpy(to->class_type, type, sizeof to->class_type - 1);
    }
    const int by_number = pen_stats_in_number_order(to->class_names, to->class_count);
    for (int64_t c = 1; c < to->class_count; c++)
        REFUSE_UNLESS(
            s, pen_stats_compare_names(to->class_names[c - 1], to->class_names[c], by_number) < 0,
            "%s: metadata \"class_names\" must be in order", s->name);
    return pen_source_features(s, metadata, d, &to->column_names);
}

/* ---- tensors ---- */

static pen_status read_tensors(const pen_model_source *s, const pen_json *root, pen_stats *out)
{
    pen_tensor tensors[STATS_TENSORS] = { { .begin = 0 } };
    int64_t used = 0;
    int there = 0;

    for (int t = 0; t < STATS_TENSORS; t++) {
        const pen_tensor_kind *const tensor = &pen_stats_tensors[t];
        if (!pen_stats_has(out, tensor))
            continue;
        PEN_TRY(pen_tensor_find(s, root, tensor, &tensors[t]));
        /* the first tensor whose length follows from nothing else */
        if (tensor->at == offsetof(pen_stats, blocks))
            out->block_count = tensors[t].shape[0];
        else if (tensor->at == offsetof(pen_stats, row_id))
            out->kept = tensors[t].shape[0];
        else if (tensor->at == offsetof(pen_stats, near_id))
            out->near_rows = tensors[t].shape[0];
        REFUSE_UNLESS(s, out->block_count >= 1, "%s: statistics must have at least one block",
                      s->name);
        REFUSE_UNLESS(s,
                      tensors[t].shape[0] == pen_tensor_shape(out, tensor, 0)
                          && tensors[t].shape[1] == pen_tensor_shape(out, tensor, 1),
                      "%s: tensor \"%s\" does not have the shape that the other parts imply",
                      s->name, tensor->name);
        REFUSE_UNLESS(s, tensors[t].begin == used,
                      "%s: the tensors must follow each other in the order of their table, without "
                      "gaps: \"%s\"",
                      s->name, tensor->name);
        used = tensors[t].end;
        there++;
    }
    PEN_TRY(pen_tensors_end(s, root, there, used,
                            "this file has tensors that do not belong to statistics"));
    PEN_TRY(pen_stats_allocate(s->run, out));
    for (int t = 0; t < STATS_TENSORS; t++) {
        const pen_tensor_kind *const tensor = &pen_stats_tensors[t];
        if (!pen_stats_has(out, tensor))
            continue;
        PEN_TRY(pen_tensor_items(s, &tensors[t], tensor, *pen_tensor_at(out, tensor)));
    }
    return PEN_OK;
}

/* ---- do the numbers agree? ---- */

static pen_status check_blocks(const pen_model_source *s, const pen_stats *x)
{
    int64_t rows = 0;

    for (int64_t b = 0; b < x->block_count; b++) {
        const int64_t *const block = x->blocks + 3 * b;
        REFUSE_UNLESS(s,
                      block[0] >= 0 && (b == 0 || block[0] > block[-3]) && block[1] >= 0
                          && block[2] >= 0 && block[2] <= block[1],
                      "%s: tensor \"blocks\" must have ascending ids, and no more labelled rows "
                      "than rows",
                      s->name);
        rows = pen_plus(rows, block[1]);
    }
    REFUSE_UNLESS(s, rows <= INT64_C(1) << 52, "%s: too many rows: %lld", s->name, (long long)rows);
    return PEN_OK;
}

/* The diagonal of a packed matrix is not negative. */
static int has_diagonal(const double *packed, int64_t d)
{
    int good = 1;
    for (int64_t j = 0; j < d; j++)
        good &= packed[j * (j + 3) / 2] >= 0;
    return good;
}

static pen_status check_total(const pen_model_source *s, const pen_stats *x)
{
    if (!(x->parts & PEN_PART_TOTAL))
        return PEN_OK;
    for (int64_t j = 0; j < x->d; j++) {
        const double slack = MEAN_ROUNDING * fmax(fabs(x->low[j]), fabs(x->high[j]));
        REFUSE_UNLESS(s,
                      x->low[j] <= x->high[j] && x->mean[j] >= x->low[j] - slack
                          && x->mean[j] <= x->high[j] + slack,
                      "%s: column %lld: the mean must be between low and high", s->name,
                      (long long)j);
    }
    REFUSE_UNLESS(s, has_diagonal(x->scatter, x->d),
                  "%s: tensor \"scatter\" has a negative sum of squares", s->name);
    return PEN_OK;
}

/* The rows of the sums must number at most `most`, and with `exact` as many. */
static pen_status check_sums(const pen_model_source *s, const pen_stats_sums *sums, int64_t d,
                             int64_t most, int exact, const char *what)
{
    int64_t rows = 0;

    for (int64_t c = 0; c < sums->count; c++) {
        REFUSE_UNLESS(s, sums->rows[c] >= 1, "%s: a %s has no rows", s->name, what);
        rows = pen_plus(rows, sums->rows[c]);
    }
    REFUSE_UNLESS(s, rows == most || (!exact && rows < most),
                  "%s: the rows of each %s add up to %lld, but the blocks have %lld", s->name, what,
                  (long long)rows, (long long)most);
    REFUSE_UNLESS(s, has_diagonal(sums->within, d), "%s: a %s has a negative sum of squares",
                  s->name, what);
    return PEN_OK;
}

/* Checks that ids ascend and name rows of blocks. */
static pen_status check_ids(const pen_model_source *s, const pen_stats *x, const int64_t *ids,
                            int64_t count, const char *name)
{
    int64_t block = 0;

    for (int64_t i = 0; i < count; i++) {
        const int64_t *const id = ids + 2 * i;
        REFUSE_UNLESS(s, i == 0 || id[0] > id[-2] || (id[0] == id[-2] && id[1] > id[-1]),
                      "%s: tensor \"%s\" must name rows once, in order", s->name, name);
        while (block < x->block_count && x->blocks[3 * block] < id[0])
            block++;
        REFUSE_UNLESS(s,
                      block < x->block_count && x->blocks[3 * block] == id[0] && id[1] >= 0
                          && id[1] < x->blocks[3 * block + 1],
                      "%s: tensor \"%s\" names row %lld of block %lld, which does not exist",
                      s->name, name, (long long)id[1], (long long)id[0]);
    }
    return PEN_OK;
}

static pen_status check_rows(const pen_model_source *s, const pen_stats *x)
{
    int64_t labelled = 0;

    if (!(x->parts & PEN_PART_ROWS))
        return PEN_OK;
    PEN_TRY(check_ids(s, x, x->row_id, x->kept, "row_id"));
    for (int64_t i = 0; i < x->kept; i++) {
        REFUSE_UNLESS(s, x->row_class[i] >= -1 && x->row_class[i] < x->class_count,
                      "%s: tensor \"row_class\" has a class that does not exist: %ld", s->name,
                      (long)x->row_class[i]);
        labelled += x->row_class[i] >= 0;
    }
    REFUSE_UNLESS(s, labelled == pen_stats_labelled(x),
                  "%s: %lld labelled rows are kept, but the blocks have %lld", s->name,
                  (long long)labelled, (long long)pen_stats_labelled(x));
    return PEN_OK;
}

static pen_status check_nearest(const pen_model_source *s, const pen_stats *x)
{
    int64_t at = 0;

    if (!(x->parts & PEN_PART_NEAREST))
        return PEN_OK;
    for (int64_t i = 0; i < x->near_rows * x->near; i++)
        REFUSE_UNLESS(s,
                      x->near_distance2[i] >= 0
                          && (i % x->near == 0 || x->near_distance2[i] >= x->near_distance2[i - 1]),
                      "%s: tensor \"near_distance2\" must be ascending in each row", s->name);
    for (int64_t i = 1; i < x->near_rows; i++)
        REFUSE_UNLESS(s,
                      x->near_id[2 * i] > x->near_id[2 * i - 2]
                          || (x->near_id[2 * i] == x->near_id[2 * i - 2]
                              && x->near_id[2 * i + 1] > x->near_id[2 * i - 1]),
                      "%s: tensor \"near_id\" must name rows once, in order", s->name);
    for (int64_t i = 0; x->parts & PEN_PART_ROWS && i < x->kept; i++)
        at += x->row_class[i] >= 0;
    REFUSE_UNLESS(s, !(x->parts & PEN_PART_ROWS) || at == x->near_rows,
                  "%s: nearest rows of %lld rows, but %lld are labelled", s->name,
                  (long long)x->near_rows, (long long)at);
    return PEN_OK;
}

static pen_status check_numbers(const pen_model_source *s, const pen_stats *x)
{
    PEN_TRY(check_blocks(s, x));
    PEN_TRY(check_total(s, x));
    if (x->parts & PEN_PART_CLASSES)
        PEN_TRY(check_sums(s, &x->classes, x->d, pen_stats_labelled(x), 1, "class"));
    if (x->parts & PEN_PART_CHUNKS) {
        PEN_TRY(check_sums(s, &x->chunks, x->d, pen_stats_count(x), 0, "chunk"));
        for (int64_t g = 0; g < x->chunks.count; g++)
            REFUSE_UNLESS(s, x->chunk_id[g] >= (g ? x->chunk_id[g - 1] + 1 : 0),
                          "%s: tensor \"chunk_id\" must be ascending", s->name);
    }
    PEN_TRY(check_rows(s, x));
    return check_nearest(s, x);
}

/* ---- the file ---- */

static pen_status read_stats(pen_model_source *s, pen_json *root, void *stats)
{
    pen_stats **const out = stats;
    const pen_json *const metadata = pen_json_member(root, "__metadata__");
    const pen_json *const kind = pen_json_member(metadata, "kind");
    int64_t format;

    REFUSE_UNLESS(s, pen_json_is(kind, PEN_JSON_STRING) && strcmp(kind->text, "statistics") == 0,
                  "%s: not %s: %s", s->name, s->what,
                  pen_json_member(metadata, "method") ? "it is a model"
                                                      : "its metadata has no kind statistics");
    PEN_TRY(read_count(s, metadata, "format", INT64_MAX / 16, &format));
    PEN_REQUIRE(s->run, format <= 2, PEN_NEWER_FORMAT,
                "%s: format %lld is newer than 2, the newest this version (%s) reads", s->name,
                (long long)format, PEN_VERSION);
    PEN_TRY(pen_tensors_check(s, metadata));
    PEN_TRY(read_metadata(s, metadata, out));
    PEN_TRY(read_tensors(s, root, *out));
    return check_numbers(s, *out);
}

pen_status pen_stats_from_bytes(const void *bytes, size_t size, pen_stats **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_stats_free,
             pen_source_from_bytes(run, a_file, "statistics", bytes, size, read_stats, out));
}

pen_status pen_stats_load(const char *path, pen_stats **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_stats_free, pen_source_load(run, a_file, path, read_stats, out));
}
