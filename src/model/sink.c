/* sink.c - see sink.h. */
#include "model/sink.h"

#include "core/checksum.h"
#include "core/file.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8192 };

/* Numbers come one by one, and go on in blocks. */
struct sink {
    pen_output *output;  /* or NULL */
    unsigned char *next; /* or NULL; in memory of the size it takes */
    uint32_t crc;        /* without both */
    size_t used;
    unsigned char block[BLOCK];
};

static pen_status pass_on(struct sink *sink, const void *bytes, size_t size)
{
    if (sink->output)
        return pen_output_write(sink->output, bytes, size);
    if (sink->next) {
        memcpy(sink->next, bytes, size);
        sink->next += size;
    } else {
        sink->crc = pen_crc32(sink->crc, bytes, size);
    }
    return PEN_OK;
}

static pen_status flush(struct sink *sink)
{
    const size_t used = sink->used;

    sink->used = 0;
    return pass_on(sink, sink->block, used);
}

static pen_status put(struct sink *sink, const void *bytes, size_t size)
{
    PEN_TRY(flush(sink));
    return pass_on(sink, bytes, size);
}

static pen_status put_parts(struct sink *sink, const pen_written *file)
{
    for (const pen_part *p = file->parts; p < file->parts + file->count; p++) {
        const int64_t count = p->name ? pen_part_count(p) : 0;
        if (p->type == NUMBER_U8 && p->items) {
            PEN_TRY(put(sink, p->items, (size_t)count));
            continue;
        }
        for (int64_t i = 0; i < count; i++) {
            if (sink->used > BLOCK - 8)
                PEN_TRY(flush(sink));
            sink->used += pen_part_item(p, i, sink->block + sink->used);
        }
    }
    return flush(sink);
}

static pen_status put_all(struct sink *sink, const char *header, const pen_written *file)
{
    unsigned char length[LENGTH_SIZE];

    pen_put_u64(strlen(header), length);
    PEN_TRY(put(sink, length, sizeof length));
    PEN_TRY(put(sink, header, strlen(header)));
    return put_parts(sink, file);
}

pen_written pen_written_open(const pen_part *parts, int count)
{
    pen_written file = { .parts = parts, .count = count };

    pen_text_add_string(&file.header, CRC_START CRC_ZEROS "\"");
    pen_text_add_member(&file.header, "library", "penumbra " PEN_VERSION);
    return file;
}

/* Puts the checksum of the whole file in the place of its zeros. */
static void sign(char *header, const pen_written *file)
{
    struct sink sink = { .crc = 0 };
    char digits[CRC_DIGITS + 1];

    (void)put_all(&sink, header, file); /* nothing can fail */
    pen_crc32_text(sink.crc, digits);
    memcpy(header + sizeof CRC_START - 1, digits, CRC_DIGITS);
}

void pen_written_names(pen_written *file, const char *key, char *const *names, int64_t count,
                       int quoted)
{
    pen_string list = { .data = NULL };

    pen_text_add_string(&list, "[");
    for (int64_t i = 0; i < count; i++)
        (quoted ? pen_text_add_member : pen_text_add_plain)(&list, NULL, names[i]);
    pen_text_add_string(&list, "]");
    pen_text_add_text(&file->header, key, &list);
}

static pen_status save(pen_run *run, const char *header, const pen_written *file, const char *path)
{
    struct sink sink = { .output = NULL };

    PEN_TRY(pen_output_open(run, path, &sink.output));
    const pen_status status = put_all(&sink, header, file);
    if (status == PEN_OK)
        return pen_output_commit(sink.output);
    pen_output_discard(sink.output);
    return status;
}

static pen_status to_memory(pen_run *run, const char *header, const pen_written *file,
                            int64_t tensors, void **bytes, size_t *size)
{
    const int64_t all = pen_plus(pen_plus(LENGTH_SIZE, (int64_t)strlen(header)), tensors);

    *bytes = pen_keep(run, all, 1);
    if (!*bytes)
        return PEN_NO_MEMORY;
    struct sink sink = { .next = *bytes };
    (void)put_all(&sink, header, file); /* memory takes everything */
    *size = (size_t)all;
    return PEN_OK;
}

pen_status pen_written_finish(pen_run *run, pen_written *file, const char *path, void **bytes,
                              size_t *size)
{
    pen_string *const text = &file->header;
    int64_t tensors = 0;
    char *header;

    pen_text_add_string(text, "}");
    for (int p = 0; p < file->count; p++)
        if (file->parts[p].name)
            pen_part_describe(text, &file->parts[p], &tensors);
    pen_text_add_string(text, "}");
    while (!text->failed && text->size % 8 != 0)
        pen_text_add_string(text, " ");
    PEN_TRY(pen_text_finish(run, text, &header));
    sign(header, file);
    const pen_status status =
        path ? save(run, header, file, path) : to_memory(run, header, file, tensors, bytes, size);
    free(header);
    return status;
}
