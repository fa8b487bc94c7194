/* marks.c - the shapes of points. */
#include "pictures/marks.h"

#include "pictures/palette.h"

static const mark_shape shapes[MARK_SHAPES] = {
    { { 7 }, { 6 }, 0 },         /* circle */
    { { 5 }, { 4 }, 0 },         /* square */
    { { 9 }, { 8 }, 0 },         /* upward triangle */
    { { 13 }, { 12 }, 0 },       /* diamond */
    { { 11 }, { 10 }, 0 },       /* downward triangle */
    { { 15 }, { 14 }, 0 },       /* pentagon */
    { { 9, 11 }, { 8, 10 }, 0 }, /* two triangles */
    { { 13 }, { 12, 1 }, 1 },    /* diamond with a cross */
    { { 7 }, { 6, 1 }, 1 },      /* circle with a cross */
    { { 5 }, { 4, 2 }, 2 },      /* square with diagonals */
};

const mark_shape *mark_of_class(int index)
{
    return &shapes[index < 0 ? 0 : (index + index / PALETTE_COLORS) % MARK_SHAPES];
}
