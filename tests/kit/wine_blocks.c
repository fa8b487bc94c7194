/* wine_blocks.c - see wine_blocks.h. */
#include "kit/wine_blocks.h"

#include "check.h"
#include "kit/check_fit.h"

static const int64_t must[] = {
    1, 50, 50, 57, 3, 33, 60, 120, 61, 125, 125, 70, 131, 177, 140, 170
};
static const int64_t cannot[] = { 1, 177, 60, 131, 0, 100, 57, 61, 99, 176 };

wine_blocks *wine_blocks_new(void)
{
    wine_blocks *b = check_allocate(1, sizeof *b);

    b->w = wine_read();
    wine_labels(b->w, 6, b->labels);
    for (int j = 0; j <= WINE_BLOCKS; j++)
        b->first[j] = (int64_t)WINES * j * j / (WINE_BLOCKS * WINE_BLOCKS);
    for (int i = 0; i < WINES; i++)
        b->group[i] = -1;
    for (int k = 0; k < 2 * WINE_MUST; k++)
        b->group[must[k]] = must[k];
    for (int again = 0; again < WINE_MUST; again++)
        for (int k = 0; k < WINE_MUST; k++) {
            int64_t *const p = &b->group[must[2 * k]], *const q = &b->group[must[2 * k + 1]];
            *p = *q = *p < *q ? *p : *q;
        }
    b->data = (pen_data){ .x = pen_dense(b->w->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                          .labels = b->labels };
    b->pairs = (pen_data){ .must_link = must,
                           .must_link_count = WINE_MUST,
                           .cannot_link = cannot,
                           .cannot_link_count = WINE_CANNOT };
    return b;
}

pen_data wine_blocks_data(const wine_blocks *b, int labels, int pairs)
{
    pen_data data = b->data;

    if (!labels)
        data.labels = NULL;
    if (pairs) {
        data.must_link = must;
        data.must_link_count = WINE_MUST;
        data.cannot_link = cannot;
        data.cannot_link_count = WINE_CANNOT;
    }
    return data;
}

static pen_data block_data(const wine_blocks *b, int j)
{
    pen_data data = b->data;

    data.x = pen_dense(b->w->x + b->first[j] * WINE_COLUMNS, PEN_F64, b->first[j + 1] - b->first[j],
                       WINE_COLUMNS, WINE_COLUMNS);
    data.labels = b->labels + b->first[j];
    return data;
}

pen_stats *wine_block_stats(const wine_blocks *b, const char *text, int j)
{
    const pen_data data = block_data(b, j);
    int64_t keep[2 * (WINE_MUST + WINE_CANNOT)], count = 0;
    pen_spec *spec = spec_of(text);
    pen_stats *stats;
    pen_error err;

    for (int k = 0; k < 2 * WINE_MUST; k++)
        if (must[k] >= b->first[j] && must[k] < b->first[j + 1])
            keep[count++] = must[k] - b->first[j];
    for (int k = 0; k < 2 * WINE_CANNOT; k++)
        if (cannot[k] >= b->first[j] && cannot[k] < b->first[j + 1])
            keep[count++] = cannot[k] - b->first[j];
    const pen_stats_block block = { .id = j, .keep = keep, .keep_count = count };
    CHECK_OK(pen_stats_new(spec, &data, &block, NULL, &stats, &err), &err);
    return keep_stats(stats);
}

static pen_stats *merged(pen_stats **list, int count)
{
    pen_stats *all;
    pen_error err;

    CHECK_OK(pen_stats_merge((const pen_stats *const *)list, count, 0, NULL, &all, &err), &err);
    return keep_stats(all);
}

pen_stats *wine_merged(const wine_blocks *b, const char *text)
{
    pen_stats *list[WINE_BLOCKS];

    for (int j = 0; j < WINE_BLOCKS; j++)
        list[j] = wine_block_stats(b, text, j);
    return merged(list, WINE_BLOCKS);
}

pen_stats *wine_merged_nearest(const wine_blocks *b, const char *text)
{
    pen_stats *list[WINE_BLOCKS + 1];
    pen_spec *spec = spec_of(text);
    pen_error err;

    list[WINE_BLOCKS] = wine_merged(b, text);
    for (int j = 0; j < WINE_BLOCKS; j++) {
        const pen_data data = block_data(b, j);
        CHECK_OK(pen_stats_nearest(spec, list[WINE_BLOCKS], &data, j, NULL, &list[j], &err), &err);
        keep_stats(list[j]);
    }
    return merged(list, WINE_BLOCKS + 1);
}

pen_stats *wine_merged_chunks(const wine_blocks *b, const char *text)
{
    pen_stats *list[WINE_BLOCKS];
    pen_spec *spec = spec_of(text);
    pen_error err;

    for (int j = 0; j < WINE_BLOCKS; j++) {
        const pen_stats_block block = { .id = j, .chunks = b->group + b->first[j] };
        pen_data data = block_data(b, j);
        data.labels = NULL;
        CHECK_OK(pen_stats_new(spec, &data, &block, NULL, &list[j], &err), &err);
        keep_stats(list[j]);
    }
    return merged(list, WINE_BLOCKS);
}
