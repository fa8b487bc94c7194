/* sink.c - see sink.h. */
#include "model/sink.h"

#include "core/checksum.h"
#include "model/model_source.h"

#include <string.h>

enum { BLOCK = 8192 };

/* Numbers come one by one, and go on in blocks. */
struct pen_sink {
    pen_output *output;  /* or NULL */
    unsigned char *next; /* or NULL; in memory of the size it takes */
    uint32_t checksum;   /* without both */
    size_t used;
    unsigned char block[BLOCK];
};

static pen_status pass_on(pen_sink *sink, const void *bytes, size_t size)
{
    if (sink->output)
        return pen_output_write(sink->output, bytes, size);
    if (sink->next) {
        memcpy(sink->next, bytes, size);
        sink->next += size;
    } else {
        sink->checksum = pen_crc32(sink->checksum, bytes, size);
    }
    return PEN_OK;
}

static pen_status flush(pen_sink *sink)
{
    const size_t used = sink->used;

    sink->used = 0;
    return pass_on(sink, sink->block, used);
}

pen_status pen_sink_put(pen_sink *sink, const void *bytes, size_t size)
{
    if (size > BLOCK - sink->used)
        PEN_TRY(flush(sink));
    if (size > BLOCK)
        return pass_on(sink, bytes, size);
    memcpy(sink->block + sink->used, bytes, size);
    sink->used += size;
    return PEN_OK;
}

pen_status pen_sink_header(pen_run *run, pen_string *text, char **out)
{
    while (!text->failed && text->size % 8 != 0)
        pen_text_add_string(text, " ");
    return pen_text_finish(run, text, out);
}

static pen_status put_all(pen_sink *sink, const pen_written *what)
{
    unsigned char length[LENGTH_SIZE];

    pen_put_u64(strlen(what->header), length);
    PEN_TRY(pen_sink_put(sink, length, sizeof length));
    PEN_TRY(pen_sink_put(sink, what->header, strlen(what->header)));
    PEN_TRY(what->put_tensors(sink, what->context));
    return flush(sink);
}

uint32_t pen_sink_checksum(pen_put_tensors_fn put_tensors, const void *context)
{
    pen_sink sink = { .checksum = 0 };

    (void)put_tensors(&sink, context); /* nothing can fail */
    (void)flush(&sink);
    return sink.checksum;
}

pen_status pen_sink_save(pen_run *run, const pen_written *what, const char *path)
{
    pen_sink sink = { .output = NULL };

    PEN_TRY(pen_output_open(run, path, &sink.output));
    const pen_status status = put_all(&sink, what);
    if (status == PEN_OK)
        return pen_output_commit(sink.output);
    pen_output_discard(sink.output);
    return status;
}

pen_status pen_sink_bytes(pen_run *run, const pen_written *what, void **bytes, size_t *size)
{
    const int64_t all =
        pen_plus(pen_plus(LENGTH_SIZE, (int64_t)strlen(what->header)), what->tensor_bytes);

    *bytes = pen_keep(run, all, 1);
    if (!*bytes)
        return PEN_NO_MEMORY;
    pen_sink sink = { .next = *bytes };
    (void)put_all(&sink, what); /* memory takes everything */
    *size = (size_t)all;
    return PEN_OK;
}
