/* stats_info.c - pen_stats_info: describes statistics as JSON. */
#include "core/textbuf.h"
#include "stats/stats_rows.h"

static void add_blocks(pen_string *text, const pen_stats *s)
{
    static const char *const keys[] = { "id", "rows", "labelled" };

    pen_text_add_plain(text, "blocks", "[");
    for (int64_t b = 0; b < s->block_count; b++) {
        pen_text_add_plain(text, NULL, "{");
        for (int k = 0; k < 3; k++)
            pen_text_add_count(text, keys[k], s->blocks[3 * b + k]);
        pen_text_add_string(text, "}");
    }
    pen_text_add_string(text, "]");
}

size_t pen_stats_info(const pen_stats *stats, char *text, size_t size)
{
    pen_string json = { 0 };
    char steps[PEN_PARAM_SIZE];

    if (text && size > 0)
        *text = 0;
    if (!stats)
        return 0;
    pen_text_write(&pen_row_steps_form, &stats->row, steps);
    pen_text_add_string(&json, "{");
    pen_text_add_member(&json, "kind", "statistics");
    pen_text_add_count(&json, "columns", stats->d);
    pen_text_add_count(&json, "rows", pen_stats_count(stats));
    pen_text_add_count(&json, "labelled", pen_stats_labelled(stats));
    pen_text_add_count(&json, "kept", stats->kept);
    pen_text_add_count(&json, "near", stats->near);
    pen_text_add_member(&json, "row_steps", steps);
    pen_text_add_member(&json, "merges", pen_stats_merges(stats));
    pen_text_add_bits(&json, "parts", pen_stats_part_names, stats->parts);
    add_blocks(&json, stats);
    pen_text_add_names(&json, "class_names", stats->class_names, stats->class_count);
    pen_text_add_names(&json, "column_names", stats->column_names, stats->d);
    pen_text_add_string(&json, "}");
    return pen_text_give(&json, text, size);
}
