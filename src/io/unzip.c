/* unzip.c - the directory at the end of an archive, with the fields of zip64 where numbers are
 * large. */
#include "io/unzip.h"

#include "core/checksum.h"
#include "io/expand.h"

#include <stdio.h>
#include <string.h>

/* Sizes of the records without their texts. */
enum { END_SIZE = 22, LOCATOR_SIZE = 20, END64_SIZE = 56, CENTRAL_SIZE = 46, LOCAL_SIZE = 30 };
enum { MOST_COMMENT = 65535, NAME_SIZE = 512, ENCRYPTED = 1, STORED = 0, DEFLATED = 8 };

/* No compressed byte expands to more. */
enum { MOST_EXPANSION = 1032 };

static const uint32_t IS_CENTRAL = 0x02014B50, IS_END64 = 0x06064B50, IS_LOCATOR = 0x07064B50,
                      IS_END = 0x06054B50, IS_LOCAL = 0x04034B50;

static uint64_t number(const pen_input *in, uint64_t at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)in->data[at + (uint64_t)i] << 8 * i;
    return value;
}

/* Are there `size` bytes at `at`, beginning with this mark? */
static int has_record(const pen_input *in, uint64_t at, uint64_t size, uint32_t mark)
{
    return at <= in->size && size <= in->size - at && number(in, at, 4) == mark;
}

static pen_status damaged(pen_run *run, const pen_input *in)
{
    return pen_fail(run, PEN_BAD_FORMAT, "%s: the zip archive is damaged or incomplete", in->name);
}

/* ---- the directory ---- */

struct directory {
    uint64_t at, count;
};

static pen_status find_directory(pen_run *run, const pen_input *in, struct directory *out)
{
    uint64_t end = in->size >= END_SIZE ? in->size - END_SIZE : 0;
    const uint64_t lowest = end > MOST_COMMENT ? end - MOST_COMMENT : 0;

    PEN_REQUIRE(run, in->size >= 4 && in->data[0] == 'P' && in->data[1] == 'K', PEN_BAD_FORMAT,
                "%s: not a .npz file: expected a zip archive", in->name);
    while (end > lowest && !has_record(in, end, END_SIZE, IS_END))
        end--;
    if (!has_record(in, end, END_SIZE, IS_END))
        return damaged(run, in);
    *out = (struct directory){ number(in, end + 16, 4), number(in, end + 10, 2) };
    if (end < LOCATOR_SIZE || !has_record(in, end - LOCATOR_SIZE, LOCATOR_SIZE, IS_LOCATOR))
        return PEN_OK;
    const uint64_t end64 = number(in, end - LOCATOR_SIZE + 8, 8);
    if (!has_record(in, end64, END64_SIZE, IS_END64))
        return damaged(run, in);
    *out = (struct directory){ number(in, end64 + 48, 8), number(in, end64 + 32, 8) };
    return PEN_OK;
}

struct entry {
    uint64_t flags, method, crc, packed, size, local;
};

/* Replaces fields of all ones by the numbers of the zip64 field, which has them in this order. */
static int widen(const pen_input *in, uint64_t at, uint64_t length, struct entry *e)
{
    uint64_t *const fields[] = { &e->size, &e->packed, &e->local };
    const uint64_t end = at + length;

    while (end - at >= 4 && number(in, at, 2) != 1) {
        const uint64_t own = number(in, at + 2, 2), rest = end - at - 4;
        at += 4 + (own < rest ? own : rest);
    }
    const int there = end - at >= 4;
    uint64_t next = at + 4;
    for (int i = 0; i < 3; i++) {
        if (*fields[i] != UINT32_MAX)
            continue;
        if (!there || end - next < 8 || next > end)
            return 0;
        *fields[i] = number(in, next, 8);
        next += 8;
    }
    return 1;
}

/* The name in the record at `at`, and the size of the record with all its texts. */
static pen_status name_at(pen_run *run, const pen_input *in, uint64_t at, pen_text *name,
                          uint64_t *all)
{
    if (!has_record(in, at, CENTRAL_SIZE, IS_CENTRAL))
        return damaged(run, in);
    *name = (pen_text){ (const char *)in->data + at + CENTRAL_SIZE, number(in, at + 28, 2) };
    *all = CENTRAL_SIZE + name->length + number(in, at + 30, 2) + number(in, at + 32, 2);
    return *all > in->size - at ? damaged(run, in) : PEN_OK;
}

pen_status pen_unzip_names(pen_run *run, const pen_input *archive, pen_text **names, int64_t *count)
{
    struct directory directory = { 0, 0 };
    uint64_t at, all = 0;

    PEN_TRY(find_directory(run, archive, &directory));
    if (directory.count > archive->size / CENTRAL_SIZE)
        return damaged(run, archive);
    *count = (int64_t)directory.count;
    PEN_TRY(PEN_NEW(run, *names, *count));
    at = directory.at;
    for (int64_t i = 0; i < *count; i++, at += all)
        PEN_TRY(name_at(run, archive, at, &(*names)[i], &all));
    return PEN_OK;
}

/* Finds a file by its name; *found 0: there is none. */
static pen_status find_entry(pen_run *run, const pen_input *in, const char *name, struct entry *e,
                             int *found)
{
    struct directory directory = { 0, 0 };

    *found = 0;
    PEN_TRY(find_directory(run, in, &directory));
    for (uint64_t i = 0, at = directory.at; i < directory.count && !*found; i++) {
        pen_text text;
        uint64_t all = 0;
        PEN_TRY(name_at(run, in, at, &text, &all));
        if (pen_text_equal(text, pen_text_of(name))) {
            const uint64_t length = text.length, extra = number(in, at + 30, 2);
            *e = (struct entry){ number(in, at + 8, 2),  number(in, at + 10, 2),
                                 number(in, at + 16, 4), number(in, at + 20, 4),
                                 number(in, at + 24, 4), number(in, at + 42, 4) };
            if (!widen(in, at + CENTRAL_SIZE + length, extra, e))
                return damaged(run, in);
            *found = 1;
        }
        at += all;
    }
    return PEN_OK;
}

/* ---- a file ---- */

/* Into *owned, or if that is NULL into scratch memory. */
static pen_status expand(pen_run *run, const pen_input *in, const struct entry *e, uint64_t at,
                         pen_bytes *owned, pen_input *out)
{
    unsigned char *bytes;

    PEN_REQUIRE(run, e->size <= INT64_MAX && e->size / MOST_EXPANSION <= e->packed, PEN_BAD_FORMAT,
                "%s: %llu bytes cannot expand to %llu", out->name, (unsigned long long)e->packed,
                (unsigned long long)e->size);
    if (owned) {
        bytes = pen_keep(run, pen_max(1, (int64_t)e->size), 1);
        if (!bytes)
            return PEN_NO_MEMORY;
        *owned = (pen_bytes){ bytes, e->size, 0 };
        out->owner = owned;
    } else {
        PEN_TRY(PEN_NEW(run, bytes, (int64_t)e->size));
    }
    PEN_REQUIRE(run, pen_inflate(in->data + at, e->packed, bytes, e->size), PEN_BAD_FORMAT,
                "%s: the compressed data is damaged", out->name);
    out->data = bytes;
    return PEN_OK;
}

static pen_status name_member(pen_run *run, const pen_input *archive, const char *name,
                              pen_input *out)
{
    char *text;

    PEN_TRY(PEN_NEW(run, text, NAME_SIZE));
    snprintf(text, NAME_SIZE, "%s: %s", archive->name, name);
    *out = (pen_input){ .name = text };
    return PEN_OK;
}

static pen_status unzip(pen_run *run, const pen_input *archive, const char *name, pen_bytes *owned,
                        pen_input *out)
{
    struct entry e = { 0 };
    int found;

    PEN_TRY(name_member(run, archive, name, out));
    PEN_TRY(find_entry(run, archive, name, &e, &found));
    if (!found)
        return PEN_OK;
    PEN_REQUIRE(run, !(e.flags & ENCRYPTED) && (e.method == STORED || e.method == DEFLATED),
                PEN_BAD_FORMAT, "%s: must be stored or deflated, and not encrypted", out->name);
    if (!has_record(archive, e.local, LOCAL_SIZE, IS_LOCAL))
        return damaged(run, archive);
    const uint64_t at =
        e.local + LOCAL_SIZE + number(archive, e.local + 26, 2) + number(archive, e.local + 28, 2);
    if (at > archive->size || e.packed > archive->size - at
        || (e.method == STORED && e.packed != e.size))
        return damaged(run, archive);
    out->size = e.size;
    out->data = archive->data + at;
    if (e.method == DEFLATED)
        PEN_TRY(expand(run, archive, &e, at, owned, out));
    PEN_REQUIRE(run, pen_crc32(0, out->data, out->size) == e.crc, PEN_BAD_FORMAT,
                "%s: the data is damaged: its checksum is another", out->name);
    return PEN_OK;
}

pen_status pen_unzip(pen_run *run, const pen_input *archive, const char *name, pen_input *out)
{
    return unzip(run, archive, name, NULL, out);
}

pen_status pen_unzip_bytes(pen_run *run, const pen_input *archive, const char *name,
                           pen_bytes *expanded, pen_input *out)
{
    *expanded = (pen_bytes){ NULL, 0, 0 };
    const pen_status status = unzip(run, archive, name, expanded, out);
    if (status != PEN_OK)
        pen_bytes_free(expanded);
    return status;
}

pen_status pen_unzip_form(pen_run *run, const pen_input *archive, char form[PEN_FORM_SIZE])
{
    enum { LETTERS = PEN_FORM_SIZE - 1 };
    pen_input member;

    memset(form, 0, PEN_FORM_SIZE);
    PEN_TRY(pen_unzip(run, archive, "format.npy", &member));
    if (!member.data || member.size < 4 * LETTERS)
        return PEN_OK;
    const unsigned char *const end = member.data + member.size;
    const int low_first = end[-1] == 0, high_first = !low_first && end[-2] == 0,
              step = low_first || high_first ? 4 : 1;
    for (int i = 0; i < LETTERS; i++)
        form[i] = (char)end[step * (i - LETTERS) + (high_first ? step - 1 : 0)];
    return PEN_OK;
}
