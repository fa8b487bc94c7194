/* gzip.c - streams of any size by zlib, which counts bytes in 32 bits. gzip files are decompressed
 * into memory before any reader sees them. */
#define ZLIB_CONST
#include "io/table/gzip.h"

#include "core/memory.h"

#include <stdlib.h>
#include <zlib.h>

enum { FIRST_ROOM = 1 << 16, NO_HEADER = -MAX_WBITS, GZIP = 16 + MAX_WBITS };

struct stream {
    z_stream z;
    const unsigned char *from;
    size_t size, used; /* of `from` */
    unsigned char *data;
    size_t made, room; /* of `data` */
    int grows;
};

static int grow(struct stream *s)
{
    const int64_t most = pen_memory(), wanted = pen_plus((int64_t)s->made, 1);
    const int64_t room = pen_max(wanted, pen_min(pen_times(2, (int64_t)s->room), most));
    unsigned char *const data = s->grows && room <= most ? realloc(s->data, (size_t)room) : NULL;

    if (!data)
        return 0;
    s->data = data;
    s->room = (size_t)room;
    return 1;
}

static uInt part_of(size_t size)
{
    const size_t most = 1 << 30;
    return (uInt)(size < most ? size : most);
}

/* Expands to the end of the stream: Z_STREAM_END; Z_BUF_ERROR: `from` ends too early; Z_MEM_ERROR;
 * or another error of zlib. */
static int expand(struct stream *s)
{
    for (;;) {
        const uInt in = part_of(s->size - s->used), room = part_of(s->room - s->made);
        s->z.next_in = s->from + s->used;
        s->z.next_out = s->data + s->made;
        s->z.avail_in = in;
        s->z.avail_out = room;
        const int how = inflate(&s->z, Z_NO_FLUSH);
        s->used += in - s->z.avail_in;
        s->made += room - s->z.avail_out;
        if (how != Z_OK && how != Z_BUF_ERROR)
            return how;
        if (s->made < s->room && s->used == s->size)
            return Z_BUF_ERROR;
        if (s->made == s->room && !grow(s))
            return Z_MEM_ERROR;
    }
}

int pen_inflate(const unsigned char *from, size_t size, unsigned char *to, size_t room)
{
    struct stream s = { .from = from, .size = size, .data = to, .room = room };

    if (inflateInit2(&s.z, NO_HEADER) != Z_OK)
        return 0;
    const int how = expand(&s);
    inflateEnd(&s.z);
    return how == Z_STREAM_END && s.made == room;
}

/* ---- gzip ---- */

int pen_is_gzip(const unsigned char *data, size_t size)
{
    return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

static pen_status no_memory(pen_run *run, const char *name, const struct stream *s)
{
    char done[PEN_BYTES_SIZE], most[PEN_BYTES_SIZE];

    return pen_fail(run, PEN_NO_MEMORY,
                    "%s: out of memory after expanding %s of its contents, the limit is %s", name,
                    pen_bytes_text((int64_t)s->room, done), pen_bytes_text(pen_memory(), most));
}

static pen_status damaged(pen_run *run, const char *name, size_t at, const char *what)
{
    return pen_fail(run, PEN_BAD_FORMAT, "%s: the gzip file is damaged at byte %zu: %s", name, at,
                    what ? what : "no such stream");
}

/* Expands a sequence of members (RFC 1952). Zeros may follow the last one, as on tapes. */
static pen_status expand_members(pen_run *run, const char *name, struct stream *s)
{
    for (;;) {
        const int how = expand(s);
        PEN_REQUIRE(run, how != Z_BUF_ERROR, PEN_BAD_FORMAT,
                    "%s: the gzip file is truncated after %zu bytes; copy or download it again",
                    name, s->size);
        if (how == Z_MEM_ERROR)
            return no_memory(run, name, s);
        if (how != Z_STREAM_END)
            return damaged(run, name, s->used, s->z.msg);
        size_t at = s->used;
        while (at < s->size && s->from[at] == 0)
            at++;
        if (at == s->size)
            return PEN_OK;
        if (at > s->used || s->from[at] != 0x1f || (at + 1 < s->size && s->from[at + 1] != 0x8b))
            return damaged(run, name, at, "something follows its end");
        inflateReset(&s->z);
    }
}

pen_status pen_expand(pen_run *run, const char *name, const unsigned char *data, size_t size,
                      pen_bytes *out)
{
    struct stream s = { .from = data, .size = size, .room = FIRST_ROOM, .grows = 1 };

    *out = (pen_bytes){ NULL, 0, 0 };
    s.data = malloc(FIRST_ROOM);
    const int ready = s.data && inflateInit2(&s.z, GZIP) == Z_OK;
    const pen_status status =
        ready ? expand_members(run, name, &s) : pen_fail(run, PEN_NO_MEMORY, "out of memory");
    if (ready)
        inflateEnd(&s.z);
    if (status != PEN_OK) {
        free(s.data);
        return status;
    }
    unsigned char *const exact = realloc(s.data, s.made > 0 ? s.made : 1);
    *out = (pen_bytes){ exact ? exact : s.data, s.made, 0 };
    return PEN_OK;
}
