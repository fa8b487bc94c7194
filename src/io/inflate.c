/* inflate.c - deflate streams of any size by zlib, which counts bytes in 32 bits. */
#define ZLIB_CONST
#include "io/inflate.h"

#include <zlib.h>

enum { NO_HEADER = -MAX_WBITS };

static uInt part_of(size_t size)
{
    const size_t most = 1 << 30;
    return (uInt)(size < most ? size : most);
}

static enum pen_inflated expand(z_stream *z, const unsigned char *from, size_t size,
                                pen_growing *to, size_t *read, size_t *made)
{
    for (;;) {
        const uInt in = part_of(size - *read), room = part_of(to->room - *made);
        z->next_in = from + *read;
        z->next_out = to->data + *made;
        z->avail_in = in;
        z->avail_out = room;
        const int how = inflate(z, Z_NO_FLUSH);
        *read += in - z->avail_in;
        *made += room - z->avail_out;
        if (how == Z_STREAM_END)
            return PEN_INFLATED;
        if (how == Z_MEM_ERROR)
            return PEN_INFLATE_NO_ROOM;
        if (how != Z_OK && how != Z_BUF_ERROR)
            return PEN_INFLATE_DAMAGED;
        if (*made < to->room && *read == size)
            return PEN_INFLATE_ENDED;
        if (*made == to->room && !to->grow(to, *made))
            return PEN_INFLATE_NO_ROOM;
    }
}

enum pen_inflated pen_inflate_growing(const unsigned char *from, size_t size, pen_growing *to,
                                      size_t *used)
{
    size_t made = to->size;
    z_stream z = { .next_in = NULL };

    *used = 0;
    if (inflateInit2(&z, NO_HEADER) != Z_OK)
        return PEN_INFLATE_NO_ROOM;
    const enum pen_inflated how = expand(&z, from, size, to, used, &made);
    inflateEnd(&z);
    if (how == PEN_INFLATED)
        to->size = made;
    return how;
}

static int stay(pen_growing *growing, size_t used)
{
    (void)growing;
    (void)used;
    return 0;
}

int pen_inflate(const unsigned char *from, size_t size, unsigned char *to, size_t room)
{
    pen_growing all = { .data = to, .room = room, .grow = stay };
    size_t used;

    return pen_inflate_growing(from, size, &all, &used) == PEN_INFLATED && all.size == room;
}
