/* columns_of_bytes.h - columns of bytes as panels of codes (tiles.h). */
#ifndef PEN_COLUMNS_OF_BYTES_H
#define PEN_COLUMNS_OF_BYTES_H

#include <stdint.h>

/* Packs columns of `count` rows of bytes, `stride` bytes apart, into panels of `depth` codes, each
 * the byte less 128: [columns / 16 panels][depth / 4][16][4]. What is added to `count` and to
 * `columns`, up to `depth` and `room` (a multiple of 16), is 0. */
void pen_pack_columns(int64_t count, int64_t columns, const uint8_t *rows, int64_t stride,
                      int64_t depth, int64_t room, int8_t *panels);

#endif
