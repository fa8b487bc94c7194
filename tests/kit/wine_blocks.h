/* wine_blocks.h - the wines in ten blocks, with labels and pairs, as published numbers of merged
 * statistics were computed. */
#ifndef WINE_BLOCKS_H
#define WINE_BLOCKS_H

#include "kit/wine.h"

#include <penumbra.h>

enum { WINE_BLOCKS = 10, WINE_MUST = 8, WINE_CANNOT = 5 };

typedef struct wine_blocks {
    wine *w;
    int32_t labels[WINES]; /* where the row is a multiple of 6 */
    int64_t first[WINE_BLOCKS + 1];
    int64_t group[WINES]; /* the lowest row that must-links join a row to, or -1 */
    pen_data data;        /* all rows, with labels and without pairs */
    pen_data pairs;       /* the pairs alone */
} wine_blocks;

wine_blocks *wine_blocks_new(void);

/* All rows, with labels (or not) and pairs (or not). */
pen_data wine_blocks_data(const wine_blocks *b, int labels, int pairs);

/* The statistics of block j for a fit of `text` ("METHOD NAME=VALUE ..."); rows in pairs are kept.
 */
pen_stats *wine_block_stats(const wine_blocks *b, const char *text, int j);

/* The same with the chunks that must-links make, of rows without labels. */
pen_stats *wine_merged_chunks(const wine_blocks *b, const char *text);

/* The same of all blocks, merged. */
pen_stats *wine_merged(const wine_blocks *b, const char *text);

/* The same after a second pass. */
pen_stats *wine_merged_nearest(const wine_blocks *b, const char *text);

#endif
