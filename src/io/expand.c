/* expand.c - files of gzip are expanded into memory before any reader sees them.
 *
 * gzip (RFC 1952) is a sequence of members: a header, a deflate stream, CRC-32 and size. Zeros may
 * follow the last one, as tapes leave them. */
#include "io/expand.h"

#include "core/checksum.h"
#include "core/memory.h"
#include "io/inflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 1 << 16,
    HEAD_SIZE = 10,
    TAIL_SIZE = 8,
    DEFLATE = 8,
    HAS_HEAD_SUM = 2,
    HAS_EXTRA = 4,
    HAS_NAME = 8,
    HAS_COMMENT = 16
};

int pen_is_gzip(const pen_input *input)
{
    return input->size >= 2 && input->data[0] == 0x1f && input->data[1] == 0x8b;
}

/* ---- memory ---- */

static int grow(pen_growing *to, size_t used)
{
    const int64_t most = pen_memory(), wanted = pen_plus((int64_t)used, 1);
    const int64_t room = pen_max(wanted, pen_min(pen_times(2, (int64_t)to->room), most));
    unsigned char *const data = room <= most ? realloc(to->data, (size_t)room) : NULL;

    if (!data)
        return 0;
    to->data = data;
    to->room = (size_t)room;
    return 1;
}

static pen_status no_memory(pen_run *run, const pen_input *in, const pen_growing *to)
{
    char done[PEN_BYTES_SIZE], most[PEN_BYTES_SIZE];

    return pen_fail(run, PEN_NO_MEMORY,
                    "%s: out of memory after %s of its contents were expanded, the limit is %s",
                    in->name, pen_bytes_text((int64_t)to->room, done),
                    pen_bytes_text(pen_memory(), most));
}

/* ---- members ---- */

static pen_status truncated(pen_run *run, const pen_input *in)
{
    return pen_fail(run, PEN_BAD_FORMAT,
                    "%s: the gzip file is truncated after %zu bytes; copy or download it again",
                    in->name, in->size);
}

static pen_status damaged(pen_run *run, const pen_input *in, size_t at, const char *what)
{
    return pen_fail(run, PEN_BAD_FORMAT, "%s: the gzip file is damaged at byte %zu: %s", in->name,
                    at, what);
}

/* Past a text that ends in a zero byte; 0: it does not end. */
static size_t skip_text(const pen_input *in, size_t at)
{
    const unsigned char *const zero =
        at < in->size ? memchr(in->data + at, 0, in->size - at) : NULL;
    return zero ? (size_t)(zero - in->data) + 1 : 0;
}

/* Moves *at past the header of a member. */
static pen_status skip_head(pen_run *run, const pen_input *in, size_t *at)
{
    size_t next = *at + HEAD_SIZE;

    if (in->size - *at < HEAD_SIZE)
        return truncated(run, in);
    const unsigned char *const head = in->data + *at;
    const int flags = head[3];
    if (head[2] != DEFLATE || flags & 0xE0)
        return damaged(run, in, *at + 2, "this is no gzip header");
    if (flags & HAS_EXTRA) {
        if (in->size - next < 2)
            return truncated(run, in);
        next += 2 + in->data[next] + ((size_t)in->data[next + 1] << 8);
    }
    for (int flag = HAS_NAME; flag <= HAS_COMMENT && next > 0; flag *= 2)
        if (flags & flag)
            next = skip_text(in, next);
    if (next > 0 && flags & HAS_HEAD_SUM)
        next += 2;
    if (next == 0 || next > in->size)
        return truncated(run, in);
    *at = next;
    return PEN_OK;
}

static uint32_t four_bytes(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static pen_status expand_member(pen_run *run, const pen_input *in, size_t *at, pen_growing *to)
{
    const size_t before = to->size;
    size_t used;

    PEN_TRY(skip_head(run, in, at));
    switch (pen_inflate_growing(in->data + *at, in->size - *at, to, &used)) {
    case PEN_INFLATE_DAMAGED:
        return pen_fail(run, PEN_BAD_FORMAT, "%s: the data of the gzip file is damaged", in->name);
    case PEN_INFLATE_ENDED:
        return truncated(run, in);
    case PEN_INFLATE_NO_ROOM:
        return no_memory(run, in, to);
    default:
        break;
    }
    *at += used;
    if (in->size - *at < TAIL_SIZE)
        return truncated(run, in);
    const unsigned char *const tail = in->data + *at;
    const size_t made = to->size - before;
    if (four_bytes(tail) != pen_crc32(0, to->data + before, made))
        return damaged(run, in, *at, "the checksum of its contents is another");
    if (four_bytes(tail + 4) != (uint32_t)(made & UINT32_MAX))
        return damaged(run, in, *at + 4, "the size of its contents is another");
    *at += TAIL_SIZE;
    return PEN_OK;
}

static pen_status expand_members(pen_run *run, const pen_input *in, pen_growing *to)
{
    size_t at = 0;

    while (at < in->size) {
        if (at > 0 && in->data[at] == 0) { /* padding */
            for (size_t i = at; i < in->size; i++)
                if (in->data[i] != 0)
                    return damaged(run, in, i, "something follows its end");
            return PEN_OK;
        }
        if (in->data[at] != 0x1f)
            return damaged(run, in, at, "something follows its end");
        if (in->size - at >= 2 && in->data[at + 1] != 0x8b)
            return damaged(run, in, at, "something follows its end");
        PEN_TRY(expand_member(run, in, &at, to));
    }
    return PEN_OK;
}

/* ---- the file ---- */

pen_status pen_expand(pen_run *run, const pen_input *input, pen_bytes *out)
{
    pen_growing to = { .data = malloc(FIRST_ROOM), .room = FIRST_ROOM, .grow = grow };

    *out = (pen_bytes){ NULL, 0, 0 };
    PEN_REQUIRE(run, to.data, PEN_NO_MEMORY, "out of memory");
    const pen_status status = expand_members(run, input, &to);
    if (status != PEN_OK) {
        free(to.data);
        return status;
    }
    unsigned char *const exact = realloc(to.data, to.size > 0 ? to.size : 1);
    *out = (pen_bytes){ exact ? exact : to.data, to.size, 0 };
    return PEN_OK;
}
