/* file_input.c - the bytes of a file. */
#include "io/table/file_input.h"

#include "io/table/gzip.h"

#include <string.h>

static pen_status expand(pen_run *run, pen_bytes *bytes, pen_input *input)
{
    pen_bytes expanded;

    if (!pen_is_gzip(input->data, input->size))
        return PEN_OK;
    const pen_status status = pen_expand(run, input->name, input->data, input->size, &expanded);
    pen_bytes_free(bytes);
    if (status != PEN_OK)
        return status;
    *bytes = expanded;
    input->owner = bytes;
    input->data = bytes->data;
    input->size = bytes->size;
    return PEN_OK;
}

pen_status pen_input_read(pen_run *run, const char *path, const pen_input *given, int map,
                          pen_bytes *bytes, pen_input *out)
{
    *bytes = (pen_bytes){ NULL, 0, 0 };
    if (given) {
        *out = *given;
        return expand(run, bytes, out);
    }
    PEN_TRY(map ? pen_bytes_map(run, path, bytes) : pen_bytes_read(run, path, bytes));
    *out = (pen_input){
        .name = pen_path_name(path), .data = bytes->data, .size = bytes->size, .owner = bytes
    };
    return expand(run, bytes, out);
}

pen_status pen_path_split(pen_run *run, const char *path, const char **file, const char **member)
{
    const char *const mark = strstr(path, "::");
    char *copy;

    *file = path;
    *member = NULL;
    if (!mark || mark == path || pen_file_kind_of(path) != PEN_NO_FILE)
        return PEN_OK;
    PEN_REQUIRE(run, mark[2] != '\0', PEN_BAD_ARGUMENT, "%s: a name must follow the ::", path);
    const size_t length = (size_t)(mark - path);
    PEN_TRY(PEN_NEW(run, copy, (int64_t)length + 1));
    memcpy(copy, path, length);
    copy[length] = '\0';
    *file = copy;
    *member = mark + 2;
    return PEN_OK;
}
