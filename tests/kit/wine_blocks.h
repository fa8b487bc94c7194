/* wine_blocks.h - the wines in ten blocks, with labels and pairs, as used for the published numbers
 * of merged statistics. */
#ifndef WINE_BLOCKS_H
#define WINE_BLOCKS_H

#include "kit/wine.h"

#include <penumbra.h>

enum { WINE_BLOCKS = 10, WINE_MUST = 8, WINE_CANNOT = 5 };

typedef struct wine_blocks {
    wine *w;
    int32_t labels[WINES]; /* only of rows that are multiples of 6 */
    int64_t first[WINE_BLOCKS + 1];
    int64_t group[WINES]; /* the lowest row linked by must-links, or -1 */
    pen_data data;        /* all rows, with labels, without pairs */
    pen_data pairs;       /* the pairs alone */
} wine_blocks;

wine_blocks *wine_blocks_new(void);

/* All rows, with or without labels and pairs. */
pen_data wine_blocks_data(const wine_blocks *b, int labels, int pairs);

/* The statistics of block j for a fit of `text` ("METHOD NAME=VALUE ..."); rows of pairs are
 * kept. */
pen_stats *wine_block_stats(const wine_blocks *b, const char *text, int j);

/* The same with chunks of must-links, of unlabelled rows. */
pen_stats *wine_merged_chunks(const wine_blocks *b, const char *text);

/* The same of all blocks, merged. */
pen_stats *wine_merged(const wine_blocks *b, const char *text);

/* The same after a second pass. */
pen_stats *wine_merged_nearest(const wine_blocks *b, const char *text);

#endif
