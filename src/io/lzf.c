/* lzf.c - a byte below 32 says how many bytes follow as they are, less one; any other has, in its
 * upper three bits, the length of a reference to earlier bytes, less two (7: the next byte is added
 * to it), and in its lower five bits and the byte after that, how far back they are, less one. */
#include "io/lzf.h"

#include <string.h>

enum { LITERALS = 32, LONG = 7 };

size_t pen_lzf_expand(const unsigned char *from, size_t size, unsigned char *to, size_t room)
{
    const unsigned char *const end = from + size;
    size_t made = 0;

    while (from < end) {
        const unsigned control = *from++;
        if (control < LITERALS) {
            const size_t count = control + 1;
            if (count > (size_t)(end - from) || count > room - made)
                return 0;
            if (to)
                memcpy(to + made, from, count);
            from += count;
            made += count;
            continue;
        }
        size_t count = control >> 5;
        if (count == LONG) {
            if (from == end)
                return 0;
            count += *from++;
        }
        count += 2;
        if (from == end)
            return 0;
        const size_t back = ((size_t)(control & 31) << 8 | *from++) + 1;
        if (back > made || count > room - made)
            return 0;
        for (size_t i = 0; to && i < count; i++) /* may overlap */
            to[made + i] = to[made + i - back];
        made += count;
    }
    return made;
}
