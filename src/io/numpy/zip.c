/* zip.c - the directory at the end of an archive, with zip64 fields for large numbers. */
#include "io/numpy/zip.h"

#include "core/checksum.h"
#include "io/table/gzip.h"

#include <stdio.h>
#include <string.h>

/* Sizes of the records without their texts. */
enum { END_SIZE = 22, LOCATOR_SIZE = 20, END64_SIZE = 56, CENTRAL_SIZE = 46, LOCAL_SIZE = 30 };
enum { MOST_COMMENT = 65535, NAME_SIZE = 512, ENCRYPTED = 1, STORED = 0, DEFLATED = 8 };

/* The most bytes that one compressed byte can expand to. */
enum { MOST_EXPANSION = 1032 };

static const uint32_t IS_CENTRAL = 0x02014B50, IS_END64 = 0x06064B50, IS_LOCATOR = 0x07064B50,
                      IS_END = 0x06054B50, IS_LOCAL = 0x04034B50;

static uint64_t number(const pen_input *in, uint64_t at, size_t size)
{
    return pen_number_at(in->data + at, size, 0);
}

/* Does a record of `size` bytes with this mark begin at `at`? */
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

/* Replaces fields of all ones by numbers from the zip64 field, in this order. */
static int widen(const pen_input *in, uint64_t at, uint64_t length, pen_packed *e)
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

/* Reads the record at `at`; *all is its size including texts. */
static pen_status read_record(pen_run *run, const pen_input *in, uint64_t at, pen_packed *out,
                              uint64_t *all)
{
    if (!has_record(in, at, CENTRAL_SIZE, IS_CENTRAL))
        return damaged(run, in);
    const uint64_t length = number(in, at + 28, 2), extra = number(in, at + 30, 2);
    *all = CENTRAL_SIZE + length + extra + number(in, at + 32, 2);
    if (*all > in->size - at)
        return damaged(run, in);
    *out = (pen_packed){ .name = { (const char *)in->data + at + CENTRAL_SIZE, length },
                         .flags = number(in, at + 8, 2),
                         .method = number(in, at + 10, 2),
                         .crc = number(in, at + 16, 4),
                         .packed = number(in, at + 20, 4),
                         .size = number(in, at + 24, 4),
                         .local = number(in, at + 42, 4) };
    return widen(in, at + CENTRAL_SIZE + length, extra, out) ? PEN_OK : damaged(run, in);
}

pen_status pen_unzip_open(pen_run *run, const pen_input *input, pen_archive *out)
{
    struct directory directory = { 0, 0 };
    uint64_t at, all = 0;

    PEN_TRY(find_directory(run, input, &directory));
    if (directory.count > input->size / CENTRAL_SIZE)
        return damaged(run, input);
    *out = (pen_archive){ .input = input, .count = (int64_t)directory.count };
    PEN_TRY(PEN_NEW(run, out->files, out->count));
    at = directory.at;
    for (int64_t i = 0; i < out->count; i++, at += all)
        PEN_TRY(read_record(run, input, at, &out->files[i], &all));
    return PEN_OK;
}

const pen_packed *pen_unzip_find(const pen_archive *archive, const char *name)
{
    for (int64_t i = 0; i < archive->count; i++)
        if (pen_text_equal(archive->files[i].name, pen_text_of(name)))
            return &archive->files[i];
    return NULL;
}

/* ---- a file ---- */

static pen_status expand(pen_run *run, const pen_packed *file, pen_bytes *expanded, pen_input *out)
{
    const unsigned char *const packed = out->data;
    unsigned char *bytes;

    PEN_REQUIRE(run, file->size <= INT64_MAX && file->size / MOST_EXPANSION <= file->packed,
                PEN_BAD_FORMAT, "%s: %llu bytes cannot expand to %llu", out->name,
                (unsigned long long)file->packed, (unsigned long long)file->size);
    if (expanded) {
        bytes = pen_keep(run, pen_max(1, (int64_t)file->size), 1);
        if (!bytes)
            return PEN_NO_MEMORY;
        *expanded = (pen_bytes){ bytes, file->size, 0 };
    } else {
        PEN_TRY(PEN_NEW(run, bytes, (int64_t)file->size));
    }
    out->owner = expanded;
    out->data = bytes;
    PEN_REQUIRE(run, pen_inflate(packed, file->packed, bytes, file->size), PEN_BAD_FORMAT,
                "%s: the compressed data is damaged", out->name);
    return PEN_OK;
}

pen_status pen_unzip(pen_run *run, const pen_archive *archive, const pen_packed *file,
                     pen_bytes *expanded, pen_input *out)
{
    const pen_input *const in = archive->input;
    char *name;

    PEN_TRY(PEN_NEW(run, name, NAME_SIZE));
    snprintf(name, NAME_SIZE, "%s: %.*s", in->name, (int)file->name.length, file->name.start);
    PEN_REQUIRE(run,
                !(file->flags & ENCRYPTED) && (file->method == STORED || file->method == DEFLATED),
                PEN_BAD_FORMAT, "%s: must be stored or deflated, and not encrypted", name);
    if (!has_record(in, file->local, LOCAL_SIZE, IS_LOCAL))
        return damaged(run, in);
    const uint64_t at = file->local + LOCAL_SIZE + number(in, file->local + 26, 2)
                        + number(in, file->local + 28, 2);
    if (at > in->size || file->packed > in->size - at
        || (file->method == STORED && file->packed != file->size))
        return damaged(run, in);
    *out = (pen_input){ .name = name, .data = in->data + at, .size = file->size };
    if (file->method == DEFLATED)
        PEN_TRY(expand(run, file, expanded, out));
    else
        out->owner = in->owner; /* the owner of the bytes */
    PEN_REQUIRE(run, pen_crc32(0, out->data, out->size) == file->crc, PEN_BAD_FORMAT,
                "%s: the data is damaged: its checksum does not match", name);
    return PEN_OK;
}
