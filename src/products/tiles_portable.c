/* tiles_portable.c - tiles in plain C. */
#include "products/tiles.h"

#include <string.h>

static void multiply(int64_t depth, const void *left, const int8_t *right, int32_t *products)
{
    const int64_t panel = pen_panel_bytes(depth);

    memset(products, 0, PEN_AREA * sizeof *products);
    for (int64_t i = 0; i < PEN_SIDE; i++) {
        const int8_t *const row = (const int8_t *)left + i / PEN_PANEL * panel + i % PEN_PANEL * 4;
        for (int half = 0; half < 2; half++) {
            int32_t *restrict to = products + i * PEN_SIDE + half * PEN_PANEL;
            for (int64_t k = 0; k < depth; k += 4) {
                const int8_t *restrict a = row + k * PEN_PANEL, *restrict b = right + half * panel
                                                                              + k * PEN_PANEL;
                for (int j = 0; j < PEN_PANEL; j++)
                    to[j] += a[0] * b[4 * j] + a[1] * b[4 * j + 1] + a[2] * b[4 * j + 2]
                             + a[3] * b[4 * j + 3];
            }
        }
    }
}

int pen_whole_portable(const pen_whole_filter *f, const int32_t *products, uint32_t *passing)
{
    uint32_t any = 0;

    for (int i = 0; i < PEN_SIDE; i++, products += PEN_SIDE) {
        uint32_t bits = 0;
        for (int j = 0; j < PEN_SIDE; j++) {
            const int32_t distance2 =
                (int32_t)((uint32_t)f->own[i] + (uint32_t)f->base[j] - 2 * (uint32_t)products[j]);
            const int32_t reach = f->own_reach[i] > f->reach[j] ? f->own_reach[i] : f->reach[j];
            bits |= (uint32_t)(distance2 <= reach) << j;
        }
        any |= passing[i] = bits;
    }
    return any != 0;
}

int pen_scaled_portable(const pen_scaled_filter *f, const int32_t *products, uint32_t *passing)
{
    uint32_t any = 0;

    for (int i = 0; i < PEN_SIDE; i++, products += PEN_SIDE) {
        uint32_t bits = 0;
        for (int j = 0; j < PEN_SIDE; j++) {
            const float product = (float)(products[j] - f->base[j]),
                        mine = f->own_reach[i] + f->slack[j], other = f->reach[j] + f->own_slack[i];
            const float low = f->own_length[i] + f->length[j]
                              - f->own_scale[i] * (f->scale[j] * product),
                        t = mine > other ? mine : other;
            bits |= (uint32_t)(low <= t * t) << j;
        }
        any |= passing[i] = bits;
    }
    return any != 0;
}

const pen_tiles pen_tiles_portable = {
    .isa = PEN_ISA_PORTABLE,
    .largest = 128,
    .unit = 4,
    .block = 256 << 10,
    .cost = 0.17,
    .multiply = multiply,
    .whole = pen_whole_portable,
    .scaled = pen_scaled_portable,
};
