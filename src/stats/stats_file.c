/* stats_file.c - writes statistics as safetensors files.
 *
 * The layout is that of models (model/model_file.c); docs/statistics.md lists tensors and
 * metadata. */
#include "core/row_steps.h"
#include "model/safetensors.h"
#include "stats/stats.h"

#include <stdio.h>

static void add_metadata(pen_written *file, const pen_stats *s)
{
    pen_string *const text = &file->header, parts = { .data = NULL };
    char word[64], steps[PEN_PARAM_SIZE];

    pen_text_add_member(text, "format", "1");
    pen_text_add_member(text, "kind", "statistics");
    pen_text_write(&pen_row_steps_form, &s->row, steps);
    if (*steps)
        pen_text_add_member(text, "row_steps", steps);
    pen_text_add_bits(&parts, NULL, pen_stats_part_names, s->parts);
    pen_text_add_text(text, "parts", &parts);
    snprintf(word, sizeof word, "%lld", (long long)s->d);
    pen_text_add_member(text, "columns", word);
    pen_written_names(file, "class_names", s->class_names, s->class_count, s->is_named);
    if (*s->class_type)
        pen_text_add_member(text, "class_type", s->class_type);
    snprintf(word, sizeof word, "%lld", (long long)s->chunks.count);
    pen_text_add_member(text, "chunk_count", word);
    if (s->column_names)
        pen_written_names(file, "column_names", s->column_names, s->d, 1);
    pen_text_add_member(text, "merges", pen_stats_merges(s));
    if (s->is_all)
        pen_text_add_member(text, "blocks", "all");
    if (s->parts & PEN_PART_NEAREST) {
        snprintf(word, sizeof word, "{\"k\":%lld,\"digest\":%lu}", (long long)s->near,
                 (unsigned long)s->digest);
        pen_text_add_member(text, "near", word);
    }
}

/* A pen_write_fn. */
static pen_status write_stats(pen_run *run, const void *stats, const char *path, void **bytes,
                              size_t *size)
{
    const pen_stats *const s = stats;
    pen_part parts[STATS_TENSORS];

    for (int t = 0; t < STATS_TENSORS; t++) {
        const pen_tensor_kind *const tensor = &pen_stats_tensors[t];
        parts[t] = pen_part_of(s, tensor);
        parts[t].items = parts[t].values;
        parts[t].name = pen_stats_has(s, tensor) ? tensor->name : NULL;
    }
    pen_written file = pen_written_open(parts, STATS_TENSORS);
    add_metadata(&file, s);
    return pen_written_finish(run, &file, path, bytes, size);
}

pen_status pen_stats_save(const pen_stats *stats, const char *path, pen_error *err)
{
    return pen_write_file(write_stats, stats, "stats", path, err);
}

pen_status pen_stats_to_bytes(const pen_stats *stats, void **bytes, size_t *size, pen_error *err)
{
    return pen_write_bytes(write_stats, stats, "stats", bytes, size, err);
}
