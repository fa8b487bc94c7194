/* palette.c - the colors of all pictures and pages. */
#include "palette.h"

/* Okabe and Ito's colors for the color-blind without the yellow, which is lost on white, then three
 * more that differ in lightness. */
static const unsigned colors[PALETTE_COLORS] = { 0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9,
                                                 0xD55E00, 0x6A3D9A, 0xB5A100, 0x7B4A2D, 0x4D4D4D };

unsigned palette_color(int index)
{
    return colors[index % PALETTE_COLORS];
}
