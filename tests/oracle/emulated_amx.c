/* emulated_amx.c - the tiles of src/products/tiles_amx.c with AMX instructions written as in
 * Intel's manual, palette 1, for CPUs with AVX-512 only. An assertion fails where the CPU would
 * raise an exception. */
#include "oracle/emulated_tiles.h"

#if defined(__x86_64__)
#include "check.h"

#include <immintrin.h>

enum { TILES = 8, ROWS = 16, ROW_BYTES = 64 };

/* TILECFG and TILEDATA; `configured` is 0 initially and after tilerelease. */
static struct {
    int configured;
    int rows[TILES], bytes[TILES];
    uint8_t data[TILES][ROWS][ROW_BYTES];
} amx;

#define FAULT_UNLESS(condition) mock_assert((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

static int is_tile(int t)
{
    return amx.configured && t >= 0 && t < TILES && amx.rows[t] > 0 && amx.bytes[t] > 0;
}

static void loadconfig(const void *memory)
{
    const uint8_t *const from = memory;

    FAULT_UNLESS(from[0] == 1);
    for (int i = 1; i < 64; i++) /* start_row is for restarts; reserved bytes must be 0 */
        FAULT_UNLESS((i >= 16 && i < 32) || (i >= 48 && i < 56) || from[i] == 0);
    memset(&amx, 0, sizeof amx);
    for (int t = 0; t < TILES; t++) {
        amx.bytes[t] = from[16 + 2 * t] | from[17 + 2 * t] << 8;
        amx.rows[t] = from[48 + t];
        FAULT_UNLESS(amx.bytes[t] <= ROW_BYTES && amx.rows[t] <= ROWS);
        FAULT_UNLESS((amx.bytes[t] == 0) == (amx.rows[t] == 0));
    }
    amx.configured = 1;
}

static void release(void)
{
    memset(&amx, 0, sizeof amx);
}

static void zero(int t)
{
    FAULT_UNLESS(is_tile(t));
    memset(amx.data[t], 0, sizeof amx.data[t]);
}

static void loadd(int t, const void *base, long stride)
{
    FAULT_UNLESS(is_tile(t));
    memset(amx.data[t], 0, sizeof amx.data[t]);
    for (int row = 0; row < amx.rows[t]; row++)
        memcpy(amx.data[t][row], (const char *)base + row * stride, (size_t)amx.bytes[t]);
}

static void stored(int t, void *base, long stride)
{
    FAULT_UNLESS(is_tile(t));
    for (int row = 0; row < amx.rows[t]; row++)
        memcpy((char *)base + row * stride, amx.data[t][row], (size_t)amx.bytes[t]);
}

/* TDPBSSD tsrcdest, tsrc1, tsrc2. */
static void dpbssd(int c, int a, int b)
{
    FAULT_UNLESS(is_tile(c) && is_tile(a) && is_tile(b));
    FAULT_UNLESS(c != a && c != b && a != b);
    FAULT_UNLESS(amx.bytes[a] % 4 == 0 && amx.bytes[b] % 4 == 0 && amx.bytes[c] % 4 == 0);
    FAULT_UNLESS(amx.rows[a] == amx.rows[c] && amx.bytes[b] == amx.bytes[c]);
    FAULT_UNLESS(amx.bytes[a] / 4 == amx.rows[b]);
    for (int m = 0; m < amx.rows[c]; m++)
        for (int k = 0; k < amx.bytes[a] / 4; k++)
            for (int n = 0; n < amx.bytes[c] / 4; n++) {
                uint32_t sum;
                memcpy(&sum, &amx.data[c][m][4 * n], 4);
                for (int i = 0; i < 4; i++)
                    sum += (uint32_t)((int8_t)amx.data[a][m][4 * k + i]
                                      * (int8_t)amx.data[b][k][4 * n + i]);
                memcpy(&amx.data[c][m][4 * n], &sum, 4);
            }
}

#undef _tile_loadconfig
#undef _tile_release
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbssd
#define _tile_loadconfig loadconfig
#define _tile_release    release
#define _tile_zero       zero
#define _tile_loadd      loadd
#define _tile_stored     stored
#define _tile_dpbssd     dpbssd
#define pen_tiles_amx    emulated_tiles_amx
#include "products/tiles_amx.c"

#else
typedef int no_emulated_amx; /* a translation unit must not be empty */
#endif
