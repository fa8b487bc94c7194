/* marks.c - the shapes of points, the same in pictures and on pages. */
#include "marks.h"

#include "palette.h"

#include <stddef.h>

static const char circle[] = "M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0Z";
static const char square[] = "M-1,-1H1V1H-1Z";
static const char upward[] = "M0,-1.33L1.33,.67H-1.33Z";
static const char downward[] = "M0,1.33L1.33,-.67H-1.33Z";
static const char diamond[] = "M0,-1.41L1.41,0L0,1.41L-1.41,0Z";
static const char pentagon[] = "M0,-1.33L1.27,-.41L.78,1.08H-.78L-1.27,-.41Z";
static const char two_triangles[] =
    "M0,-1.33L.44,-.67H1.33L.88,0L1.33,.67H.44L0,1.33L-.44,.67H-1.33"
    "L-.88,0L-1.33,-.67H-.44Z";

static const mark_shape shapes[MARK_SHAPES] = {
    { { 7 }, { 6 }, 0, circle, NULL },
    { { 5 }, { 4 }, 0, square, NULL },
    { { 9 }, { 8 }, 0, upward, NULL },
    { { 13 }, { 12 }, 0, diamond, NULL },
    { { 11 }, { 10 }, 0, downward, NULL },
    { { 15 }, { 14 }, 0, pentagon, NULL },
    { { 9, 11 }, { 8, 10 }, 0, two_triangles, NULL },
    { { 13 }, { 12, 1 }, 1, diamond, "M-1.2,0H1.2M0,-1.2V1.2" },
    { { 7 }, { 6, 1 }, 1, circle, "M-1,0H1M0,-1V1" },
    { { 5 }, { 4, 2 }, 2, square, "M-1,-1L1,1M1,-1L-1,1" },
};

const mark_shape *mark_of_class(int index)
{
    return &shapes[index < 0 ? 0 : (index + index / PALETTE_COLORS) % MARK_SHAPES];
}
