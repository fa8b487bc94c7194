/* blocks.c - pen_blocks: reads the rows of a file block by block.
 *
 * Each call opens the file and reads its head again, so only the place in the file is kept between
 * calls. */
#include "core/arguments.h"
#include "io/read.h"
#include "io/table/gzip.h"
#include "io/table/reading.h"
#include "io/table/row_table.h"
#include "io/text/text_table.h"

#include <stdlib.h>
#include <string.h>

/* The first lines of a text, which may be long, decide how to read it. */
enum { HEAD_SIZE = 1 << 25 };

struct pen_blocks {
    char *file;
    unsigned char *head; /* [head_size] the first bytes of the file */
    int64_t head_size;
    pen_block_reader read;
    pen_read_options options;
    pen_block next;
};

/* ---- opening ---- */

static pen_input input_of(const pen_blocks *b)
{
    return (pen_input){ .name = b->file, .data = b->head, .size = (size_t)b->head_size };
}

static pen_status read_head(pen_run *run, const char *file, pen_blocks *b)
{
    PEN_TRY(PEN_KEEP(run, b->file, (int64_t)strlen(file) + 1));
    strcpy(b->file, file);
    b->next.path = b->file;
    b->next.size = pen_file_size(file);
    PEN_REQUIRE(run, b->next.size >= 0, PEN_FILE_ERROR,
                "%s: not a regular file; only regular files can be read in blocks", file);
    b->head_size = pen_min(b->next.size, HEAD_SIZE);
    PEN_TRY(PEN_KEEP(run, b->head, b->head_size + 1));
    return pen_bytes_part(run, file, 0, b->head_size, b->head);
}

/* member: a name in an archive, which is refused; or NULL. */
static pen_status find_reader(pen_run *run, const char *member, pen_blocks *b)
{
    pen_input input = input_of(b);
    const pen_format *format;

    PEN_REQUIRE(run, !pen_is_gzip(b->head, (size_t)b->head_size), PEN_BAD_FORMAT,
                "%s: a compressed file cannot be read in blocks: expand it first", b->file);
    input.member = member;
    PEN_TRY(pen_read_find_format(run, &input, &b->options, &format));
    b->read = format->read_block;
    PEN_REQUIRE(run, b->read, PEN_BAD_FORMAT,
                "%s: a %s file cannot be read in blocks; npy and text files can", b->file,
                format->name);
    return PEN_OK;
}

static pen_status open_blocks(pen_run *run, const char *path, pen_blocks *b)
{
    const char *file, *member;
    pen_read_options how;

    PEN_TRY(pen_reading_recall(run, &b->options, &how));
    PEN_REQUIRE(run, how.missing != PEN_MISSING_MEAN, PEN_BAD_ARGUMENT,
                "missing mean needs all rows at once, but the rows are read in blocks: drop rows "
                "with missing values");
    PEN_REQUIRE(run, !how.transpose, PEN_BAD_ARGUMENT, PEN_NO_TRANSPOSE);
    PEN_TRY(pen_path_split(run, path, &file, &member));
    PEN_TRY(read_head(run, file, b));
    PEN_TRY(find_reader(run, member, b));
    const pen_input head = input_of(b);
    PEN_REQUIRE(run,
                b->read != pen_read_text_block || b->head_size == b->next.size
                    || pen_is_text_head(&head, &how),
                PEN_BAD_FORMAT,
                "%s: its first lines take more than %d MB: it cannot be read in blocks", b->file,
                HEAD_SIZE >> 20);
    return PEN_OK;
}

/* ---- blocks ---- */

static pen_status next(pen_run *run, pen_blocks *b, int64_t rows, pen_table **out)
{
    pen_read_options how;

    PEN_TRY(pen_check_given(run, b, "blocks"));
    PEN_TRY(pen_check_given(run, out, "out"));
    const pen_input input = input_of(b);
    pen_block block = b->next;
    PEN_REQUIRE(run, rows >= 1, PEN_BAD_ARGUMENT, "rows must be >= 1, got %lld", (long long)rows);
    PEN_REQUIRE(run, pen_file_size(b->file) == block.size, PEN_FILE_ERROR,
                "%s: its size changed while it was read", b->file);
    block.count = rows;
    PEN_TRY(pen_table_new(run, out));
    PEN_TRY(pen_reading_recall(run, &b->options, &how));
    PEN_TRY(b->read(run, &input, &how, &block, *out));
    block.first += block.count;
    b->next = block;
    if (block.count == 0) {
        pen_table_free(*out);
        *out = NULL;
    }
    return PEN_OK;
}

pen_status pen_blocks_next(pen_blocks *blocks, int64_t rows, pen_table **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_table_free, next(run, blocks, rows, out));
}

void pen_blocks_rewind(pen_blocks *blocks)
{
    if (blocks)
        blocks->next.first = blocks->next.offset = blocks->next.line = 0;
}

static pen_status open_path(pen_run *run, const char *path, const pen_read_options *options,
                            pen_blocks **out)
{
    static const pen_read_options usual = { .missing = PEN_MISSING_ERROR };

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(PEN_KEEP(run, *out, 1));
    (*out)->options = options ? *options : usual;
    (*out)->next.rows = -1;
    return open_blocks(run, path, *out);
}

pen_status pen_blocks_open(const char *path, const pen_read_options *options, pen_blocks **out,
                           pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_blocks_free, open_path(run, path, options, out));
}

int64_t pen_blocks_rows(const pen_blocks *blocks)
{
    return blocks ? blocks->next.rows : 0;
}

void pen_blocks_free(pen_blocks *blocks)
{
    if (!blocks)
        return;
    free(blocks->file);
    free(blocks->head);
    free(blocks);
}
