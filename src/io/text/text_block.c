/* text_block.c - reads a block of rows of a text.
 *
 * The first lines, the head, decide about delimiter, decimal sign, header and columns, just as for
 * the whole file, because these decisions use no line beyond the first one that begins after 64
 * KiB. Walking over lines finds the bytes of a block. */
#include "io/table/kinds.h"
#include "io/text/text_job.h"
#include "io/text/text_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES_BEYOND = PEN_SAMPLE_LINES + 2, /* a line begun there, a header, and rows */
    CHUNK = 1 << 18,
    MOST_ROW = 1 << 28 /* an open quote must not load the whole file */
};

/* Bytes of a file from `offset` on. */
struct window {
    pen_run *run;
    const char *path;
    int64_t file_size, offset;
    unsigned char *bytes; /* [size] */
    int64_t size;
};

static int is_ended(const struct window *w)
{
    return w->offset + w->size == w->file_size;
}

/* Loads the first bytes, or extends the window by half. */
static pen_status load_more(struct window *w)
{
    const int64_t most = w->file_size - w->offset,
                  size = pen_min(most, w->size ? w->size + w->size / 2 : CHUNK);
    unsigned char *const grown = realloc(w->bytes, (size_t)size + 1);

    PEN_REQUIRE(w->run, grown, PEN_NO_MEMORY, "%s: out of memory for %lld bytes of rows", w->path,
                (long long)size);
    w->bytes = grown;
    PEN_TRY(
        pen_bytes_part(w->run, w->path, w->offset + w->size, size - w->size, w->bytes + w->size));
    w->size = size;
    return pen_poll(w->run);
}

/* ---- the head ---- */

int pen_is_text_head(const pen_input *head, const pen_read_options *options)
{
    pen_cursor at = pen_text_open(head, options);

    if (!pen_next_line(&at))
        return 0;
    const char *p = memchr(at.p, '\n', (size_t)(at.end - at.p));
    p = p && at.end - p > PEN_SAMPLE_BYTES ? p + PEN_SAMPLE_BYTES : NULL;
    for (int lines = 0; p && lines < LINES_BEYOND; lines++) {
        p = memchr(p, '\n', (size_t)(at.end - p));
        p = p && p + 1 < at.end ? p + 1 : NULL;
    }
    return p != NULL;
}

/* ---- the rows of a block ---- */

/* Skips the row at the cursor. Most rows have no quotes and end at a line feed. */
static int skip_row(pen_cursor *at)
{
    const char *const feed = memchr(at->p, '\n', (size_t)(at->end - at->p));
    const size_t length = feed ? (size_t)(feed - at->p) : 0;
    const char *const back = feed ? memchr(at->p, '\r', length) : NULL;

    if (!feed || memchr(at->p, '"', length) || (back && back + 1 != feed))
        return pen_count_cells(at) > 0;
    at->p = feed + 1;
    at->line++;
    at->column = 1;
    return 1;
}

/* Moves past the next row. all: no bytes follow; otherwise a line that ends with the bytes may
 * go on. */
static int has_row(pen_cursor *at, int all)
{
    pen_cursor ahead = *at;

    if (!pen_next_line(&ahead))
        return 0;
    const int is_whole = skip_row(&ahead);
    if (!all && (!is_whole || ahead.p == ahead.end))
        return 0;
    if (!is_whole) /* reading the row will report the error */
        ahead.p = ahead.end;
    *at = ahead;
    return 1;
}

/* Finds up to `count` rows: the cursor runs from the first one to the end of the last. *rows is
 * their number, and *line the number of the next line. */
static pen_status find_rows(struct window *w, const pen_cursor *like, int64_t count,
                            pen_cursor *out, int64_t *rows, int64_t *line)
{
    pen_cursor at = *like;
    int64_t done = 0;
    int all = 0;

    at.column = 1;
    for (*rows = 0; *rows < count && !all; done = at.p - (const char *)w->bytes) {
        PEN_TRY(load_more(w));
        all = is_ended(w) || w->size > MOST_ROW;
        at.p = (const char *)w->bytes + done;
        at.end = (const char *)w->bytes + w->size;
        while (*rows < count && has_row(&at, all))
            ++*rows;
    }
    *line = at.line;
    *out = *like;
    out->p = (const char *)w->bytes;
    out->end = (const char *)w->bytes + done;
    out->column = 1;
    return PEN_OK;
}

static pen_status read_rows(pen_text_job *job, const pen_input *input, struct window *w,
                            pen_block *block)
{
    pen_cursor like = job->at;
    pen_input part = *input;
    int64_t line;

    part.size = (size_t)(job->at.p - (const char *)input->data);
    if (block->first > 0)
        like.line = block->line;
    else
        w->offset = (int64_t)part.size;
    PEN_TRY(pen_check_letters(job->run, &part, 1));
    PEN_TRY(find_rows(w, &like, block->count, &job->at, &block->count, &line));
    part.data = w->bytes;
    part.size = (size_t)(job->at.end - job->at.p);
    PEN_TRY(pen_check_letters(job->run, &part, like.line));
    if (block->count == 0)
        return PEN_OK;
    block->offset = w->offset + (job->at.end - job->at.p);
    block->line = line;
    return pen_text_rows(job, input);
}

pen_status pen_read_text_block(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_block *block, pen_table *table)
{
    pen_read_options how = *options;
    pen_text_job job = { .run = run,
                         .name = input->name,
                         .options = &how,
                         .given = options,
                         .table = table,
                         .is_block = 1 };
    struct window w = {
        .run = run, .path = block->path, .file_size = block->size, .offset = block->offset
    };

    PEN_TRY(pen_text_layout(&job, input, &how));
    PEN_REQUIRE(run, !how.transpose, PEN_BAD_ARGUMENT, PEN_NO_TRANSPOSE);
    PEN_TRY(pen_text_decide(&job, input));
    const pen_status status = read_rows(&job, input, &w, block);
    free(w.bytes);
    return status;
}
