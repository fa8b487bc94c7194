/* stats_info.c - pen_stats_info: what statistics are, as JSON. */
#include "core/textbuf.h"
#include "stats/stats_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_names(pen_string *text, const char *key, char *const *names, int64_t count)
{
    pen_text_add_key(text, key);
    pen_text_add_string(text, "[");
    for (int64_t i = 0; i < count; i++) {
        pen_text_add_string(text, i > 0 ? "," : "");
        pen_text_add_json(text, names[i]);
    }
    pen_text_add_string(text, "]");
}

static void add_parts(pen_string *text, int parts)
{
    char *names[PEN_PARTS];
    int64_t count = 0;

    for (int i = 0; i < PEN_PARTS; i++)
        if (parts & 1 << i)
            names[count++] = (char *)(uintptr_t)pen_stats_part_names[i];
    add_names(text, "parts", names, count);
}

static void add_blocks(pen_string *text, const pen_stats *s)
{
    static const char *const keys[] = { "id", "rows", "labelled" };

    pen_text_add_key(text, "blocks");
    pen_text_add_string(text, "[");
    for (int64_t b = 0; b < s->block_count; b++) {
        pen_text_add_string(text, b > 0 ? ",{" : "{");
        for (int k = 0; k < 3; k++)
            pen_text_add_number(text, keys[k], (double)s->blocks[3 * b + k]);
        pen_text_add_string(text, "}");
    }
    pen_text_add_string(text, "]");
}

size_t pen_stats_info(const pen_stats *stats, char *text, size_t size)
{
    pen_string json = { 0 };
    char *made = NULL, steps[PEN_STEPS_TEXT] = "";

    if (text && size > 0)
        *text = 0;
    if (!stats)
        return 0;
    if (pen_row_params_any(&stats->row))
        pen_stats_steps_text(stats, steps);
    pen_text_add_string(&json, "{");
    pen_text_add_member(&json, "kind", "statistics");
    pen_text_add_number(&json, "columns", (double)stats->d);
    pen_text_add_number(&json, "rows", (double)pen_stats_count(stats));
    pen_text_add_number(&json, "labelled", (double)pen_stats_labelled(stats));
    pen_text_add_number(&json, "kept", (double)stats->kept);
    pen_text_add_number(&json, "near", (double)stats->near);
    pen_text_add_member(&json, "normalize", stats->unit ? "l2" : "none");
    pen_text_add_member(&json, "row_steps", steps);
    pen_text_add_member(&json, "merges", pen_stats_merges(stats));
    add_parts(&json, stats->parts);
    add_blocks(&json, stats);
    add_names(&json, "class_names", stats->class_names, stats->class_count);
    if (stats->feature_names)
        add_names(&json, "column_names", stats->feature_names, stats->d);
    else
        pen_text_add_string(&json, ",\"column_names\":null");
    pen_text_add_string(&json, "}");
    if (pen_text_finish(NULL, &json, &made) != PEN_OK)
        return 0;
    const size_t length = strlen(made);
    if (text && size > 0)
        snprintf(text, size, "%s", made);
    free(made);
    return length;
}
