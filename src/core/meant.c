/* meant.c - names within a few typing errors. */
#include "core/meant.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64, LEAST_PART = 3, LEAST_END = 5 };

static char plain(char c)
{
    return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance: letters inserted, deleted, changed or swapped with a neighbor. */
static int slips(const char *a, size_t n, const char *b, size_t m)
{
    int d[LONGEST + 1][LONGEST + 1];

    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (plain(a[i - 1]) != plain(b[j - 1])));
            if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2])
                && plain(a[i - 2]) == plain(b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

/* The end of a name after its last '-' or '_'; length 0: it has none. */
static size_t last_part(const char *name, size_t length)
{
    for (size_t i = length; i > 0; i--)
        if (plain(name[i - 1]) == '-')
            return length - i;
    return 0;
}

int pen_name_distance(const char *name, const char *known, size_t length)
{
    const size_t typed = strlen(name), end = last_part(known, length);

    if (typed > LONGEST || length > LONGEST)
        return 2 * LONGEST;
    int d = 2 * slips(name, typed, known, length);
    if (d >= (int)length) /* a short name is entirely different */
        d += PEN_FAR;
    if (end >= LEAST_END && slips(name, typed, known + length - end, end) < 2)
        d = least(d, PEN_FAR / 2); /* priors for classifier-prior */
    const size_t shorter = typed < length ? typed : length;
    if (shorter >= LEAST_PART && slips(name, shorter, known, shorter) == 0)
        d = least(d, PEN_FAR - 2); /* dimensions for dim */
    return d;
}

const char *pen_nearest(const char *name, const char *const *known, int64_t count)
{
    const char *best = NULL;
    int fewest = PEN_FAR;

    for (int64_t i = 0; i < count; i++) {
        const int d = pen_name_distance(name, known[i], strlen(known[i]));
        if (d < fewest) {
            best = known[i];
            fewest = d;
        }
    }
    return best;
}

const char *pen_meant(const char *name, const char *const *known, int64_t count,
                      char text[PEN_MEANT_SIZE])
{
    const char *const near = pen_nearest(name, known, count);

    *text = '\0';
    if (near && strcmp(near, name) != 0)
        snprintf(text, PEN_MEANT_SIZE, "; did you mean %s?", near);
    return text;
}
