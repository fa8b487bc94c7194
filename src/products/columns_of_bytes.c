/* columns_of_bytes.c - four rows at a time: sixteen bytes of each become the four codes of sixteen
 * columns. */
#include "products/columns_of_bytes.h"

#include "products/tiles.h"

#include <string.h>

enum { CENTER = 128 };

#if defined(__SSE2__)
#include <immintrin.h>

static void pack_64(const uint8_t *row, int64_t stride, int8_t *to)
{
    const __m128i center = _mm_set1_epi8((char)CENTER);
    __m128i a[4];

    for (int i = 0; i < 4; i++)
        a[i] = _mm_xor_si128(_mm_loadu_si128((const void *)(row + i * stride)), center);
    const __m128i low01 = _mm_unpacklo_epi8(a[0], a[1]), low23 = _mm_unpacklo_epi8(a[2], a[3]),
                  high01 = _mm_unpackhi_epi8(a[0], a[1]), high23 = _mm_unpackhi_epi8(a[2], a[3]);
    _mm_storeu_si128((void *)to, _mm_unpacklo_epi16(low01, low23));
    _mm_storeu_si128((void *)(to + 16), _mm_unpackhi_epi16(low01, low23));
    _mm_storeu_si128((void *)(to + 32), _mm_unpacklo_epi16(high01, high23));
    _mm_storeu_si128((void *)(to + 48), _mm_unpackhi_epi16(high01, high23));
}
#elif defined(__aarch64__)
#include <arm_neon.h>

static void pack_64(const uint8_t *row, int64_t stride, int8_t *to)
{
    const uint8x16_t center = vdupq_n_u8(CENTER);
    uint8x16x4_t a;

    for (int i = 0; i < 4; i++)
        a.val[i] = veorq_u8(vld1q_u8(row + i * stride), center);
    vst4q_u8((uint8_t *)to, a);
}
#else
static void pack_64(const uint8_t *row, int64_t stride, int8_t *to)
{
    for (int64_t j = 0; j < PEN_PANEL; j++)
        for (int64_t i = 0; i < 4; i++)
            to[4 * j + i] = (int8_t)(row[i * stride + j] - CENTER);
}
#endif

void pen_pack_columns(int64_t count, int64_t columns, const uint8_t *rows, int64_t stride,
                      int64_t depth, int64_t room, int8_t *panels)
{
    const int64_t whole_rows = count / 4 * 4, whole_columns = columns / PEN_PANEL * PEN_PANEL,
                  panel = pen_panel_bytes(depth);

    if (depth > whole_rows || room > whole_columns)
        memset(panels, 0, (size_t)(depth * room));
    for (int64_t i = 0; i < count; i += 4)
        for (int64_t j = 0; j < columns; j += PEN_PANEL) {
            const uint8_t *const from = rows + i * stride + j;
            int8_t *const to = panels + j / PEN_PANEL * panel + i * PEN_PANEL;
            if (i < whole_rows && j < whole_columns) {
                pack_64(from, stride, to);
                continue;
            }
            for (int64_t r = 0; r < 4 && i + r < count; r++)
                for (int64_t c = 0; c < PEN_PANEL && j + c < columns; c++)
                    to[4 * c + r] = (int8_t)(from[r * stride + c] - CENTER);
        }
}
