/* stats_file.c - statistics as safetensors files: writing.
 *
 * The layout is that of models (model/model_file.c); docs/statistics.md has the tensors and the
 * metadata. */
#include "core/arguments.h"
#include "core/number.h"
#include "model/model_tensors.h"
#include "model/sink.h"
#include "stats/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[STATS_TYPES] = { "F64", "I64", "I32" };

/* Element `index` of a tensor as it stands in the file; returns its size. */
static size_t element(const pen_stats_tensor *tensor, const void *values, int64_t index,
                      unsigned char bytes[8])
{
    uint64_t bits = 0;
    double number;

    if (tensor->type == STATS_F64) {
        number = ((const double *)values)[index];
        memcpy(&bits, &number, sizeof bits);
    } else if (tensor->type == STATS_I64) {
        bits = (uint64_t)((const int64_t *)values)[index];
    } else {
        bits = (uint32_t)((const int32_t *)values)[index];
    }
    pen_put_u64(bits, bytes);
    return pen_stats_size(tensor->type);
}

static int64_t count_of(const pen_stats *s, const pen_stats_tensor *tensor)
{
    return tensor->part && !(s->parts & tensor->part)
               ? 0
               : pen_stats_shape(s, tensor, 0) * pen_stats_shape(s, tensor, 1);
}

/* Writes the tensors of statistics, the context. */
static pen_status put_tensors(pen_sink *sink, const void *context)
{
    const pen_stats *const s = context;
    unsigned char bytes[8];

    for (int t = 0; t < STATS_TENSORS; t++) {
        const pen_stats_tensor *const tensor = &pen_stats_tensors[t];
        const void *const values = *pen_stats_at(s, tensor);
        const int64_t count = count_of(s, tensor);
        for (int64_t i = 0; i < count; i++) {
            const size_t size = element(tensor, values, i, bytes);
            PEN_TRY(pen_sink_put(sink, bytes, size));
        }
    }
    return PEN_OK;
}

/* ---- the header ---- */

/* A list of strings, or of the numbers that they are. */
static void add_list(pen_string *text, const char *key, char *const *names, int64_t count,
                     int quoted)
{
    pen_string list = { .data = NULL };

    pen_text_add_string(&list, "[");
    for (int64_t i = 0; i < count; i++) {
        pen_text_add_string(&list, i > 0 ? "," : "");
        if (quoted)
            pen_text_add_json(&list, names[i]);
        else
            pen_text_add_string(&list, names[i]);
    }
    pen_text_add_string(&list, "]");
    text->failed |= list.failed;
    if (!list.failed)
        pen_text_add_member(text, key, list.data);
    free(list.data);
}

static void add_parts(pen_string *text, int parts)
{
    const char *names[PEN_PARTS];
    int64_t count = 0;

    for (int i = 0; i < PEN_PARTS; i++)
        if (parts & 1 << i)
            names[count++] = pen_stats_part_names[i];
    add_list(text, "parts", (char *const *)(uintptr_t)names, count, 1);
}

static void add_tensor(pen_string *text, const pen_stats *s, const pen_stats_tensor *tensor,
                       int64_t *offset)
{
    char entry[160];
    const int64_t end = *offset + count_of(s, tensor) * (int64_t)pen_stats_size(tensor->type);
    int used = snprintf(entry, sizeof entry, "{\"dtype\":\"%s\",\"shape\":[%lld",
                        type_names[tensor->type], (long long)pen_stats_shape(s, tensor, 0));

    if (tensor->rows[1])
        used += snprintf(entry + used, sizeof entry - (size_t)used, ",%lld",
                         (long long)pen_stats_shape(s, tensor, 1));
    snprintf(entry + used, sizeof entry - (size_t)used, "],\"data_offsets\":[%lld,%lld]}",
             (long long)*offset, (long long)end);
    pen_text_add_key(text, tensor->name);
    pen_text_add_string(text, entry);
    *offset = end;
}

static void add_metadata(pen_string *text, const pen_stats *s)
{
    char word[64];

    pen_text_add_key(text, "__metadata__");
    pen_text_add_string(text, "{");
    pen_text_add_member(text, "format", "1");
    pen_text_add_member(text, "kind", "statistics");
    pen_text_add_member(text, "library", "penumbra " PEN_VERSION);
    pen_checksum_text(pen_sink_checksum(put_tensors, s), word);
    pen_text_add_member(text, "checksum", word);
    pen_text_add_member(text, "normalize", s->unit ? "l2" : "none");
    if (s->row_total > 0) {
        pen_number_write(s->row_total, word);
        pen_text_add_member(text, "row_total", word);
    }
    if (s->log1p)
        pen_text_add_member(text, "log1p", "true");
    add_parts(text, s->parts);
    snprintf(word, sizeof word, "%lld", (long long)s->d);
    pen_text_add_member(text, "columns", word);
    add_list(text, "class_names", s->class_names, s->class_count, s->is_named);
    snprintf(word, sizeof word, "%lld", (long long)s->chunks.count);
    pen_text_add_member(text, "chunk_count", word);
    if (s->feature_names)
        add_list(text, "feature_names", s->feature_names, s->d, 1);
    pen_text_add_member(text, "merges", pen_stats_merges(s));
    if (s->parts & PEN_PART_NEAREST) {
        snprintf(word, sizeof word, "{\"k\":%lld,\"digest\":%lu}", (long long)s->near,
                 (unsigned long)s->digest);
        pen_text_add_member(text, "near", word);
    }
    pen_text_add_string(text, "}");
}

static pen_status header_of(pen_run *run, const pen_stats *s, char **out)
{
    pen_string text = { .data = NULL };
    int64_t offset = 0;

    pen_text_add_string(&text, "{");
    add_metadata(&text, s);
    for (int t = 0; t < STATS_TENSORS; t++)
        if (!pen_stats_tensors[t].part || s->parts & pen_stats_tensors[t].part)
            add_tensor(&text, s, &pen_stats_tensors[t], &offset);
    pen_text_add_string(&text, "}");
    return pen_sink_header(run, &text, out);
}

/* ---- the file ---- */

/* Writes to `path`, or to memory if it is NULL. */
static pen_status write_stats(pen_run *run, const pen_stats *s, const char *path, void **bytes,
                              size_t *size)
{
    int64_t tensors = 0;
    char *header;

    for (int t = 0; t < STATS_TENSORS; t++)
        tensors = pen_plus(tensors, pen_times(count_of(s, &pen_stats_tensors[t]),
                                              (int64_t)pen_stats_size(pen_stats_tensors[t].type)));
    PEN_TRY(header_of(run, s, &header));
    const pen_written what = { header, tensors, put_tensors, s };
    const pen_status status =
        path ? pen_sink_save(run, &what, path) : pen_sink_bytes(run, &what, bytes, size);
    free(header);
    return status;
}

static pen_status save(pen_run *run, const pen_stats *s, const char *path)
{
    PEN_TRY(pen_check_given(run, s, "stats"));
    PEN_TRY(pen_check_given(run, path, "path"));
    return write_stats(run, s, path, NULL, NULL);
}

pen_status pen_stats_save(const pen_stats *stats, const char *path, pen_error *err)
{
    PEN_CALL(NULL, err, save(run, stats, path));
}

static pen_status to_memory(pen_run *run, const pen_stats *s, void **bytes, size_t *size)
{
    PEN_TRY(pen_check_given(run, s, "stats"));
    PEN_TRY(pen_check_given(run, bytes, "bytes"));
    PEN_TRY(pen_check_given(run, size, "size"));
    return write_stats(run, s, NULL, bytes, size);
}

pen_status pen_stats_bytes(const pen_stats *stats, void **bytes, size_t *size, pen_error *err)
{
    if (bytes)
        *bytes = NULL;
    if (size)
        *size = 0;
    PEN_CALL(NULL, err, to_memory(run, stats, bytes, size));
}
