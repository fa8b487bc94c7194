/* safetensors.c - see safetensors.h. */
#include "model/safetensors.h"

#include "core/arguments.h"
#include "core/checksum.h"
#include "core/file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADER = 100000000 };

static const struct {
    const char *name;
    int64_t size;
} number_types[NUMBER_TYPES] = {
    { "F64", 8 }, { "F32", 4 }, { "U8", 1 }, { "I64", 8 }, { "I32", 4 }
};

size_t pen_number_size(enum pen_number_type type)
{
    return (size_t)number_types[type].size;
}

void pen_put_u64(uint64_t value, unsigned char bytes[8])
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

uint64_t pen_get_u64(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

int64_t pen_tensor_shape(const void *object, const pen_tensor_kind *kind, int index)
{
    const int64_t code = kind->shape[index];
    int64_t count;

    if (code >= 0)
        return code == 0 && index > 0 ? 1 : code;
    memcpy(&count, (const char *)object - code, sizeof count);
    return count;
}

/* ---- reading ---- */

/* Checks this before it trusts anything: one flipped bit can give another valid header. */
static pen_status check_crc(const pen_model_source *s, const unsigned char *bytes, size_t size)
{
    enum { AT = LENGTH_SIZE + sizeof CRC_START - 1, END = AT + CRC_DIGITS };
    char found[CRC_DIGITS + 1];

    if (size < END || memcmp(bytes + LENGTH_SIZE, CRC_START, sizeof CRC_START - 1) != 0)
        return PEN_OK;
    const uint32_t start = pen_crc32(pen_crc32(0, bytes, AT), CRC_ZEROS, CRC_DIGITS);
    pen_crc32_text(pen_crc32(start, bytes + END, size - END), found);
    REFUSE_UNLESS(
        s, memcmp(found, bytes + AT, CRC_DIGITS) == 0,
        "%s: damaged: the CRC-32 of its %zu bytes is %s, which differs from the recorded one",
        s->name, size, found);
    return PEN_OK;
}

pen_status pen_source_parse(pen_model_source *s, const void *all, size_t size, pen_source_fn *read,
                            void *out)
{
    const unsigned char *const bytes = all;
    pen_json *root;
    char what[80];

    REFUSE_UNLESS(s, size > LENGTH_SIZE, "%s: not %s: it has only %zu bytes", s->name, s->what,
                  size);
    const uint64_t length = pen_get_u64(bytes);
    REFUSE_UNLESS(
        s, length <= MOST_HEADER && length <= size - LENGTH_SIZE && bytes[LENGTH_SIZE] == '{',
        "%s: not %s, or a truncated one: its header does not fit a file of %zu bytes", s->name,
        s->what, size);
    PEN_TRY(check_crc(s, bytes, size));
    s->tensors = bytes + LENGTH_SIZE + length;
    s->tensor_bytes = (int64_t)(size - LENGTH_SIZE - length);
    snprintf(what, sizeof what, "not %s: its header", s->what);
    PEN_TRY(pen_json_parse(s->run, s->name, what, (const char *)bytes + LENGTH_SIZE, (size_t)length,
                           &root));
    return read(s, root, out);
}

pen_status pen_source_from_bytes(pen_run *run, const char *what, const char *name,
                                 const void *bytes, size_t size, pen_source_fn *read, void *out)
{
    pen_model_source s = { .run = run, .name = name, .what = what };

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, bytes, "bytes"));
    return pen_source_parse(&s, bytes, size, read, out);
}

pen_status pen_source_load(pen_run *run, const char *what, const char *path, pen_source_fn *read,
                           void *out)
{
    pen_model_source s = { .run = run, .what = what };
    pen_bytes bytes;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_bytes_read(run, path, &bytes));
    s.name = pen_path_name(path);
    const pen_status status = pen_source_parse(&s, bytes.data, bytes.size, read, out);
    pen_bytes_free(&bytes);
    return status;
}

pen_status pen_source_text(const pen_model_source *s, const pen_json *metadata, const char *key,
                           const char **text)
{
    const pen_json *item = pen_json_member(metadata, key);
    REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING) && item->text[0],
                  "%s: not %s: its metadata has no \"%s\"", s->name, s->what, key);
    *text = item->text;
    return PEN_OK;
}

pen_status pen_source_json(const pen_model_source *s, const pen_json *metadata, const char *key,
                           pen_json **out)
{
    const char *text = NULL;
    char what[80];

    PEN_TRY(pen_source_text(s, metadata, key, &text));
    snprintf(what, sizeof what, "metadata \"%s\"", key);
    return pen_json_parse(s->run, s->name, what, text, strlen(text), out);
}

/* Reads a list of strings or, with `numbers`, of whole numbers if the first item is one. */
static pen_status read_list(const pen_model_source *s, const pen_json *metadata, const char *key,
                            pen_json **list, int *numbers)
{
    PEN_TRY(pen_source_json(s, metadata, key, list));
    int good = pen_json_is(*list, PEN_JSON_ARRAY);
    if (numbers)
        *numbers = good && pen_json_is((*list)->first, PEN_JSON_NUMBER);
    for (const pen_json *item = good ? (*list)->first : NULL; item; item = item->next)
        good &= numbers && *numbers
                    ? pen_json_is(item, PEN_JSON_NUMBER) && fabs(item->number) <= 0x1p31
                          && item->number == floor(item->number)
                    : pen_json_is(item, PEN_JSON_STRING);
    REFUSE_UNLESS(s, good, "%s: metadata \"%s\" must be a list of strings", s->name, key);
    return PEN_OK;
}

pen_status pen_source_list(const pen_model_source *s, const pen_json *metadata, const char *key,
                           pen_json **out)
{
    return read_list(s, metadata, key, out, NULL);
}

pen_status pen_source_names(const pen_model_source *s, const pen_json *metadata, const char *key,
                            char ***names, int64_t *count, int *numbers)
{
    pen_json *list;
    char text[24];
    int64_t i = 0;

    PEN_TRY(read_list(s, metadata, key, &list, numbers));
    PEN_TRY(PEN_KEEP(s->run, *names, pen_max(1, list->count)));
    *count = list->count;
    for (const pen_json *item = list->first; item; item = item->next) {
        snprintf(text, sizeof text, "%.0f", item->number + 0.0);
        PEN_TRY(pen_keep_text(s->run, item->text ? item->text : text, &(*names)[i++]));
    }
    return PEN_OK;
}

pen_status pen_source_features(const pen_model_source *s, const pen_json *metadata, int64_t columns,
                               char ***names)
{
    int64_t count = 0;
    const char *const key =
        pen_json_member(metadata, "column_names") ? "column_names" : "feature_names"; /* 0.1.0 */

    if (!pen_json_member(metadata, key))
        return PEN_OK;
    const pen_status status = pen_source_names(s, metadata, key, names, &count, NULL);
    if (status == PEN_OK && count == columns)
        return PEN_OK;
    pen_free_names(*names, count);
    *names = NULL;
    PEN_TRY(status);
    return pen_fail(s->run, PEN_BAD_FORMAT, "%s: expected %lld column names, got %lld", s->name,
                    (long long)columns, (long long)count);
}

pen_status pen_source_number(const pen_model_source *s, const char *key, const pen_json *object,
                             const char *name, double least, double most, double *number)
{
    const pen_json *const item = pen_json_member(object, name);

    REFUSE_UNLESS(
        s, pen_json_is(item, PEN_JSON_NUMBER) && item->number >= least && item->number <= most,
        "%s: metadata \"%s\": %s must be a number in [%g, %g]", s->name, key, name, least, most);
    *number = item->number;
    return PEN_OK;
}

/* Is it a whole number in [0, 2^53]? */
static int is_whole(const pen_json *item, int64_t *value)
{
    if (!pen_json_is(item, PEN_JSON_NUMBER) || !(item->number >= 0 && item->number <= 0x1p53)
        || item->number != floor(item->number))
        return 0;
    *value = (int64_t)item->number;
    return 1;
}

static pen_status read_type(const pen_model_source *s, const pen_json *dtype,
                            const pen_tensor_kind *kind, enum pen_number_type *type)
{
    const char *const name = pen_json_is(dtype, PEN_JSON_STRING) ? dtype->text : "";
    const int any = kind->type == NUMBER_TYPES;

    *type = any ? NUMBER_F64 : kind->type;
    while (any && *type < NUMBER_U8 && strcmp(name, number_types[*type].name) != 0)
        ++*type;
    REFUSE_UNLESS(s, strcmp(name, number_types[*type].name) == 0,
                  "%s: tensor \"%s\" must be of dtype %s", s->name, kind->name,
                  any ? "F64, F32 or U8" : number_types[*type].name);
    return PEN_OK;
}

pen_status pen_tensor_find(const pen_model_source *s, const pen_json *root,
                           const pen_tensor_kind *kind, pen_tensor *t)
{
    const char *const name = kind->name;
    const pen_json *const entry = pen_json_member(root, name),
                          *const shape = pen_json_member(entry, "shape"),
                          *const offsets = pen_json_member(entry, "data_offsets");
    const int rank = kind->shape[1] ? 2 : 1;

    REFUSE_UNLESS(s, pen_json_is(entry, PEN_JSON_OBJECT), "%s: not %s: it has no tensor \"%s\"",
                  s->name, s->what, name);
    PEN_TRY(read_type(s, pen_json_member(entry, "dtype"), kind, &t->type));
    const int64_t size = number_types[t->type].size, most = s->tensor_bytes / size;
    REFUSE_UNLESS(s, pen_json_is(shape, PEN_JSON_ARRAY) && shape->count == rank,
                  "%s: tensor \"%s\" must have %d dimensions", s->name, name, rank);
    t->shape[1] = 1;
    REFUSE_UNLESS(s,
                  is_whole(pen_json_item(shape, 0), &t->shape[0])
                      && (rank == 1 || is_whole(pen_json_item(shape, 1), &t->shape[1]))
                      && t->shape[1] <= most && t->shape[0] <= most / pen_max(1, t->shape[1]),
                  "%s: tensor \"%s\" has an impossible shape for a file of this size", s->name,
                  name);
    REFUSE_UNLESS(s,
                  pen_json_is(offsets, PEN_JSON_ARRAY) && offsets->count == 2
                      && is_whole(pen_json_item(offsets, 0), &t->begin)
                      && is_whole(pen_json_item(offsets, 1), &t->end) && t->end <= s->tensor_bytes
                      && t->begin <= t->end
                      && t->end - t->begin == size * t->shape[0] * t->shape[1],
                  "%s: tensor \"%s\" must have data_offsets that match its shape and the file",
                  s->name, name);
    return PEN_OK;
}

pen_status pen_tensors_end(const pen_model_source *s, const pen_json *root, int there, int64_t used,
                           const char *others)
{
    REFUSE_UNLESS(s, root->count == there + 1, "%s: %s", s->name, others);
    REFUSE_UNLESS(s, used == s->tensor_bytes, "%s: expected %lld bytes of tensors, got %lld",
                  s->name, (long long)used, (long long)s->tensor_bytes);
    return PEN_OK;
}

pen_status pen_tensors_check(const pen_model_source *s, const pen_json *metadata)
{
    const pen_json *const written = pen_json_member(metadata, "checksum");
    char found[sizeof "crc32:" + CRC_DIGITS] = "crc32:";

    if (!written)
        return PEN_OK;
    pen_crc32_text(pen_crc32(0, s->tensors, (size_t)s->tensor_bytes), found + strlen(found));
    REFUSE_UNLESS(s, pen_json_is(written, PEN_JSON_STRING) && strcmp(found, written->text) == 0,
                  "%s: damaged: the checksum of the tensors is %s, which is not the recorded one",
                  s->name, found);
    return PEN_OK;
}

static pen_status check_number(const pen_model_source *s, const pen_tensor_kind *kind, double value)
{
    REFUSE_UNLESS(s, isfinite(value) || (isnan(value) ? isnan(kind->also) : value == kind->also),
                  "%s: tensor \"%s\" has a value that is not finite", s->name, kind->name);
    return PEN_OK;
}

pen_status pen_tensor_items(const pen_model_source *s, const pen_tensor *t,
                            const pen_tensor_kind *kind, void *items)
{
    const int64_t size = number_types[t->type].size, count = t->shape[0] * t->shape[1];
    unsigned char bytes[8] = { 0 };

    for (int64_t i = 0; i < count; i++) {
        memcpy(bytes, s->tensors + t->begin + i * size, (size_t)size);
        const uint64_t bits = pen_get_u64(bytes);
        const uint32_t half = (uint32_t)bits;
        memcpy((char *)items + i * size, size == 8 ? (const void *)&bits : (const void *)&half,
               (size_t)size);
        if (t->type == NUMBER_F64)
            PEN_TRY(check_number(s, kind, ((const double *)items)[i]));
    }
    return PEN_OK;
}

static double number_at(enum pen_number_type type, const unsigned char *bytes)
{
    unsigned char all[8] = { 0 };
    double value;
    float single;

    if (type == NUMBER_U8)
        return bytes[0];
    memcpy(all, bytes, (size_t)number_types[type].size);
    const uint64_t bits = pen_get_u64(all);
    const uint32_t half = (uint32_t)bits;
    if (type == NUMBER_I64)
        return (double)(int64_t)bits;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &half, sizeof single);
    return type == NUMBER_F64 ? value : (double)single;
}

pen_status pen_tensor_numbers(const pen_model_source *s, const pen_tensor *t,
                              const pen_tensor_kind *kind, double *values)
{
    for (int64_t i = 0; i < t->shape[0] * t->shape[1]; i++) {
        values[i] = number_at(t->type, s->tensors + t->begin + number_types[t->type].size * i);
        PEN_TRY(check_number(s, kind, values[i]));
    }
    return PEN_OK;
}

/* ---- writing ---- */

static int holds(enum pen_number_type type, double value)
{
    if (type == NUMBER_U8)
        return value >= 0 && value <= UINT8_MAX && value == floor(value) && !signbit(value);
    return type == NUMBER_F64 || (fabs(value) <= (double)FLT_MAX && value == (double)(float)value);
}

int64_t pen_part_count(const pen_part *part)
{
    return part->values || part->items ? pen_times(part->rows, part->cols ? part->cols : 1) : 0;
}

static enum pen_number_type narrowest(const pen_part *part)
{
    enum pen_number_type type = NUMBER_U8;

    for (int64_t i = 0; i < pen_part_count(part); i++)
        while (!holds(type, part->values[i]))
            type--;
    return type;
}

pen_part pen_part_of(const void *object, const pen_tensor_kind *kind)
{
    pen_part part = { .values = kind->at ? *pen_tensor_at(object, kind) : NULL,
                      .rows = pen_tensor_shape(object, kind, 0),
                      .cols = kind->shape[1] ? pen_tensor_shape(object, kind, 1) : 0,
                      .type = kind->type };

    if (part.type == NUMBER_TYPES)
        part.type = narrowest(&part);
    return part;
}

/* Writes a number, which is a value or an item of 4 or 8 bytes, and returns its size. */
static size_t write_item(const pen_part *part, int64_t index, unsigned char bytes[8])
{
    const size_t size = pen_number_size(part->type);
    const double value = part->items ? 0 : part->values[index];
    const float single = (float)value;
    uint64_t bits = 0;
    uint32_t half = 0;

    if (part->items)
        memcpy(size == 8 ? (void *)&bits : (void *)&half,
               (const char *)part->items + (size_t)index * size, size);
    else if (part->type == NUMBER_F64)
        memcpy(&bits, &value, sizeof bits);
    else if (part->type == NUMBER_F32)
        memcpy(&half, &single, sizeof half);
    else
        bits = (uint64_t)value; /* whole numbers stored as values are not negative */
    pen_put_u64(bits | half, bytes);
    return size;
}

/* Writes the entry of a tensor in the header of a file; *offset moves from its start to its end. */
static void describe_part(pen_string *text, const pen_part *part, int64_t *offset)
{
    char entry[160];
    const int64_t end =
        pen_plus(*offset, pen_times(number_types[part->type].size, pen_part_count(part)));
    int used = snprintf(entry, sizeof entry, "{\"dtype\":\"%s\",\"shape\":[%lld",
                        number_types[part->type].name, (long long)part->rows);

    if (part->cols)
        used += snprintf(entry + used, sizeof entry - (size_t)used, ",%lld", (long long)part->cols);
    snprintf(entry + used, sizeof entry - (size_t)used, "],\"data_offsets\":[%lld,%lld]}",
             (long long)*offset, (long long)end);
    pen_text_add_key(text, part->name);
    pen_text_add_string(text, entry);
    *offset = end;
}

pen_written pen_written_open(const pen_part *parts, int count)
{
    pen_written file = { .parts = parts, .count = count };

    pen_text_add_string(&file.header, CRC_START CRC_ZEROS "\"");
    pen_text_add_member(&file.header, "library", "penumbra " PEN_VERSION);
    return file;
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

static void put_parts(const pen_written *file, unsigned char *to)
{
    for (const pen_part *p = file->parts; p < file->parts + file->count; p++) {
        const int64_t count = p->name ? pen_part_count(p) : 0;
        if (p->type == NUMBER_U8 && p->items) {
            memcpy(to, p->items, (size_t)count);
            to += count;
            continue;
        }
        for (int64_t i = 0; i < count; i++)
            to += write_item(p, i, to);
    }
}

/* Lays out the file in memory, with room for a last item of 8 bytes, and replaces the zeros of the
 * checksum. */
static pen_status lay_out(pen_run *run, const pen_written *file, const char *header,
                          int64_t tensors, unsigned char **out, size_t *size)
{
    const size_t length = strlen(header), start = LENGTH_SIZE + length;
    char digits[CRC_DIGITS + 1];

    PEN_TRY(PEN_KEEP(run, *out, pen_plus((int64_t)start + 8, tensors)));
    *size = start + (size_t)tensors;
    pen_put_u64(length, *out);
    memcpy(*out + LENGTH_SIZE, header, length);
    put_parts(file, *out + start);
    pen_crc32_text(pen_crc32(0, *out, *size), digits);
    memcpy(*out + LENGTH_SIZE + sizeof CRC_START - 1, digits, CRC_DIGITS);
    return PEN_OK;
}

pen_status pen_written_finish(pen_run *run, pen_written *file, const char *path, void **bytes,
                              size_t *size)
{
    pen_string *const text = &file->header;
    int64_t tensors = 0;
    unsigned char *all;
    size_t count;
    char *header;

    pen_text_add_string(text, "}");
    for (int p = 0; p < file->count; p++)
        if (file->parts[p].name)
            describe_part(text, &file->parts[p], &tensors);
    pen_text_add_string(text, "}");
    while (!text->failed && text->size % 8 != 0)
        pen_text_add_string(text, " ");
    PEN_TRY(pen_text_finish(run, text, &header));
    pen_status status = lay_out(run, file, header, tensors, &all, &count);
    free(header);
    PEN_TRY(status);
    if (!path) {
        *bytes = all;
        *size = count;
        return PEN_OK;
    }
    status = pen_file_write(run, path, all, count);
    free(all);
    return status;
}

static pen_status write_file(pen_run *run, pen_write_fn *write, const void *object,
                             const char *name, const char *path)
{
    PEN_TRY(pen_check_given(run, object, name));
    PEN_TRY(pen_check_given(run, path, "path"));
    return write(run, object, path, NULL, NULL);
}

pen_status pen_write_file(pen_write_fn *write, const void *object, const char *name,
                          const char *path, pen_error *err)
{
    PEN_CALL(NULL, err, write_file(run, write, object, name, path));
}

static pen_status write_bytes(pen_run *run, pen_write_fn *write, const void *object,
                              const char *name, void **bytes, size_t *size)
{
    PEN_TRY(pen_check_given(run, object, name));
    PEN_TRY(pen_check_given(run, bytes, "bytes"));
    PEN_TRY(pen_check_given(run, size, "size"));
    return write(run, object, NULL, bytes, size);
}

pen_status pen_write_bytes(pen_write_fn *write, const void *object, const char *name, void **bytes,
                           size_t *size, pen_error *err)
{
    if (bytes)
        *bytes = NULL;
    if (size)
        *size = 0;
    PEN_CALL(NULL, err, write_bytes(run, write, object, name, bytes, size));
}
