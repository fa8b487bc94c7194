/* sink.c - see sink.h. */
#include "model/sink.h"

#include "model/model_source.h"

#include <string.h>

pen_status pen_sink_put(pen_sink *sink, const void *bytes, size_t size)
{
    if (sink->output)
        return pen_output_write(sink->output, bytes, size);
    memcpy(sink->next, bytes, size);
    sink->next += size;
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
    return what->put_tensors(sink, what->context);
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
