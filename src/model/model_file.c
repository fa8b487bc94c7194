/* model_file.c - models as safetensors files.
 *
 *   8 bytes    h, the length of the header, little-endian
 *   h bytes    JSON: dtype, shape and data_offsets of each tensor by name; strings under
 *              "__metadata__"; padded with blanks to a multiple of 8
 *   the rest   the tensors, little-endian
 *
 * docs/model-file.md describes the metadata. */
#include "core/arguments.h"
#include "core/checksum.h"
#include "core/file.h"
#include "core/textbuf.h"
#include "model/json.h"
#include "model/model.h"
#include "solve/class_mass.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT = 2,
    LENGTH_SIZE = 8,
    MOST_HEADER = 100000000,
    MOST_COLUMNS = INT32_MAX / 2,
    CHECKSUM_SIZE = 16
};

/* The tensors of a model, in the order of the file. The first two are required. */
enum {
    PROJECTION,
    MEAN,
    EIGENVALUES,
    BIAS,
    CLASS_MASS,
    LANDMARK_ROWS,
    LANDMARKS,
    KERNEL_ORIGIN,
    KERNEL_SCALE,
    READER_CENTER,
    READER_ROWS,
    READER_CLASSES,
    READER_WEIGHTS,
    READER_BIAS,
    MEMBERS,
    TENSORS
};

/* What a program must know to use a file of format 2. */
enum { NEEDS_CLASS_MASS = 1, NEEDS_KERNEL = 2, NEEDS_READER = 4, NEEDS_MEMBERS = 8 };
static const char *const need_names[] = { "class_mass", "kernel", "reader", "members", NULL };

/* A tensor: its name, dimensions, and what a file that has it needs; optional: a file may lack
 * it. */
static const struct {
    const char *name;
    int rank, needs, optional;
} kinds[TENSORS] = {
    [PROJECTION] = { "projection", 2, 0, 0 },
    [MEAN] = { "mean", 1, 0, 0 },
    [EIGENVALUES] = { "eigenvalues", 1, 0, 1 },
    [BIAS] = { "bias", 1, 0, 1 },
    [CLASS_MASS] = { "class_mass", 2, NEEDS_CLASS_MASS, 0 },
    [LANDMARK_ROWS] = { "landmark_rows", 1, NEEDS_KERNEL, 0 },
    [LANDMARKS] = { "landmarks", 2, NEEDS_KERNEL, 1 },
    [KERNEL_ORIGIN] = { "kernel_origin", 1, NEEDS_KERNEL, 1 },
    [KERNEL_SCALE] = { "kernel_scale", 1, NEEDS_KERNEL, 1 },
    [READER_CENTER] = { "reader_center", 1, NEEDS_READER, 1 },
    [READER_ROWS] = { "reader_rows", 2, NEEDS_READER, 1 },
    [READER_CLASSES] = { "reader_classes", 1, NEEDS_READER, 1 },
    [READER_WEIGHTS] = { "reader_weights", 2, NEEDS_READER, 1 },
    [READER_BIAS] = { "reader_bias", 1, NEEDS_READER, 1 },
    [MEMBERS] = { "members", 1, NEEDS_MEMBERS, 0 },
};

/* Of the sum of the priors. */
static const double PRIOR_ROUNDING = 1e-9;

static void put_u64(uint64_t value, unsigned char bytes[8])
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_u64(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void checksum_text(uint32_t crc, char text[CHECKSUM_SIZE])
{
    snprintf(text, CHECKSUM_SIZE, "crc32:%08lx", (unsigned long)crc);
}

/* ---- saving ---- */

static void add_names(pen_string *text, const char *key, char *const *names, int64_t count)
{
    pen_string list = { .data = NULL };

    pen_text_add_string(&list, "[");
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            pen_text_add_string(&list, ",");
        pen_text_add_json(&list, names[i]);
    }
    pen_text_add_string(&list, "]");
    text->failed |= list.failed;
    if (!list.failed)
        pen_text_add_member(text, key, list.data);
    free(list.data);
}

/* The types of numbers in a file. All tensors are F64 but landmarks, whose values take the
 * narrowest type that holds them: they are rows of the fit, and may be bytes. */
enum number_type { NUMBER_F64, NUMBER_F32, NUMBER_U8, NUMBER_TYPES };
static const struct {
    const char *name;
    int64_t size;
} number_types[NUMBER_TYPES] = { { "F64", 8 }, { "F32", 4 }, { "U8", 1 } };

/* A tensor of a model; values is NULL if the model does not have it. */
struct part {
    const double *values;
    int64_t rows, cols; /* cols 0: one dimension */
    enum number_type type;
    const unsigned char *bytes; /* [rows] in place of values; NULL: there are values */
};

static int holds(enum number_type type, double value)
{
    if (type == NUMBER_U8)
        return value >= 0 && value <= UINT8_MAX && value == floor(value) && !signbit(value);
    return type == NUMBER_F64 || (fabs(value) <= (double)FLT_MAX && value == (double)(float)value);
}

static int64_t part_count(const struct part *part)
{
    return part->values || part->bytes ? pen_times(part->rows, part->cols ? part->cols : 1) : 0;
}

static enum number_type narrowest(const struct part *part)
{
    enum number_type type = NUMBER_U8;

    for (int64_t i = 0; i < part_count(part); i++)
        while (!holds(type, part->values[i]))
            type--;
    return type;
}

static int64_t part_bytes(const struct part *part)
{
    return pen_times(number_types[part->type].size, part_count(part));
}

static struct part numbers(const double *values, int64_t rows, int64_t cols)
{
    return (struct part){ .values = values, .rows = rows, .cols = cols, .type = NUMBER_F64 };
}

static void parts_of_reader(const pen_model *model, struct part parts[TENSORS])
{
    const pen_reader *const r = &model->reader;

    parts[READER_CENTER] = numbers(r->center, r->k, 0);
    parts[READER_ROWS] = numbers(r->rows, r->count, r->k);
    parts[READER_CLASSES] = numbers(model->reader_classes, r->count, 0);
    parts[READER_WEIGHTS] = numbers(r->weights, r->k, r->classes);
    parts[READER_BIAS] = numbers(r->bias, r->classes, 0);
}

/* members: the bytes of the files of further members (pack_members), or NULL. */
static void parts_of(const pen_model *model, const unsigned char *members, int64_t member_bytes,
                     struct part parts[TENSORS])
{
    for (int t = 0; t < TENSORS; t++)
        parts[t] = (struct part){ .values = NULL };
    parts[PROJECTION] = numbers(model->projection, model->d, model->k);
    parts[MEAN] = numbers(model->mean, model->d, 0);
    parts[EIGENVALUES] = numbers(model->eigenvalues, model->k, 0);
    parts[BIAS] = numbers(model->bias, model->class_count, 0);
    /* only new rows need them */
    parts[CLASS_MASS] = numbers(model->bias ? model->class_mass : NULL, 2, model->class_count);
    parts[LANDMARK_ROWS] = numbers(model->kernel.rows, model->d, 0);
    parts[LANDMARKS] = numbers(model->kernel.landmarks, model->d, model->kernel.inputs);
    parts[KERNEL_ORIGIN] = numbers(model->kernel.origin, model->kernel.inputs, 0);
    parts[LANDMARKS].type = narrowest(&parts[LANDMARKS]);
    parts[KERNEL_SCALE] = numbers(model->kernel.scale, model->kernel.inputs, 0);
    parts_of_reader(model, parts);
    parts[MEMBERS] = (struct part){ .rows = member_bytes, .type = NUMBER_U8, .bytes = members };
}

/* Does the file say more of the reader than that there is a bias? */
static int says_reader(const pen_model *model)
{
    return model->reader.kind != PEN_READER_NONE
           && (model->reader.kind != PEN_READER_SCORES || model->temperature > 0);
}

static int needs_of(const pen_model *model, const struct part parts[TENSORS])
{
    int needs = says_reader(model) ? NEEDS_READER : 0;

    for (int t = 0; t < TENSORS; t++)
        needs |= part_count(&parts[t]) > 0 ? kinds[t].needs : 0;
    return needs;
}

/* A number as it stands in the file; returns its size. */
static size_t number_bytes(enum number_type type, double value, unsigned char bytes[8])
{
    const float single = (float)value;
    uint64_t bits = 0;
    uint32_t half = 0;

    memcpy(&bits, &value, sizeof bits);
    memcpy(&half, &single, sizeof half);
    put_u64(type == NUMBER_F64 ? bits : type == NUMBER_F32 ? half : (uint64_t)value, bytes);
    return (size_t)number_types[type].size;
}

/* The checksum of all tensors as stored in the file. */
static uint32_t checksum_of(const struct part parts[TENSORS])
{
    unsigned char bytes[8];
    uint32_t crc = 0;

    for (int t = 0; t < TENSORS; t++) {
        if (parts[t].bytes)
            crc = pen_crc32(crc, parts[t].bytes, (size_t)parts[t].rows);
        for (int64_t i = 0; parts[t].values && i < part_count(&parts[t]); i++) {
            const size_t size = number_bytes(parts[t].type, parts[t].values[i], bytes);
            crc = pen_crc32(crc, bytes, size);
        }
    }
    return crc;
}

static void add_tensor(pen_string *text, const char *name, const struct part *part, int64_t *offset)
{
    char entry[160];
    const int64_t end = pen_plus(*offset, part_bytes(part));
    int used = snprintf(entry, sizeof entry, "{\"dtype\":\"%s\",\"shape\":[%lld",
                        number_types[part->type].name, (long long)part->rows);

    if (part->cols)
        used += snprintf(entry + used, sizeof entry - (size_t)used, ",%lld", (long long)part->cols);
    snprintf(entry + used, sizeof entry - (size_t)used, "],\"data_offsets\":[%lld,%lld]}",
             (long long)*offset, (long long)end);
    pen_text_add_key(text, name);
    pen_text_add_string(text, entry);
    *offset = end;
}

static void add_needs(pen_string *text, int needs)
{
    char list[64] = "";

    for (int i = 0; need_names[i]; i++)
        if (needs & (1 << i)) {
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? "," : "[", need_names[i]);
        }
    strcat(list, "]");
    pen_text_add_member(text, "needs", list);
}

/* The kernel as a JSON object in a string. */
static void add_kernel(pen_string *text, const pen_model_kernel_map *kernel)
{
    pen_string object = { .data = NULL };

    pen_text_add_string(&object, "{");
    pen_text_add_member(&object, "name", pen_kernel_names[kernel->form.kind]);
    pen_text_add_number(&object, "columns", (double)kernel->inputs);
    pen_text_add_number(&object, "gamma", kernel->form.gamma);
    pen_text_add_number(&object, "degree", (double)kernel->form.degree);
    pen_text_add_number(&object, "coef0", kernel->form.coef0);
    pen_text_add_string(&object, "}");
    text->failed |= object.failed;
    if (!object.failed)
        pen_text_add_member(text, "kernel", object.data);
    free(object.data);
}

/* The reader as a JSON object in a string. */
static void add_reader(pen_string *text, const pen_model *model)
{
    const pen_reader *const r = &model->reader;
    pen_string object = { .data = NULL };

    pen_text_add_string(&object, "{");
    pen_text_add_member(&object, "name", pen_reader_names[r->kind]);
    if (r->divisor > 0)
        pen_text_add_number(&object, "divisor", r->divisor);
    if (r->kind == PEN_READER_NEIGHBORS)
        pen_text_add_number(&object, "neighbors", (double)r->neighbors);
    if (r->kind == PEN_READER_MEANS)
        pen_text_add_number(&object, "width", r->width);
    if (model->temperature > 0)
        pen_text_add_number(&object, "temperature", model->temperature);
    pen_text_add_string(&object, "}");
    text->failed |= object.failed;
    if (!object.failed)
        pen_text_add_member(text, "reader", object.data);
    free(object.data);
}

static pen_status header_of(pen_run *run, const pen_model *model, const struct part parts[TENSORS],
                            char **out)
{
    pen_string text = { .data = NULL };
    char format[16], checksum[CHECKSUM_SIZE];
    const int needs = needs_of(model, parts);
    int64_t offset = 0;

    snprintf(format, sizeof format, "%d", needs ? 2 : 1);
    checksum_text(checksum_of(parts), checksum);
    pen_text_add_string(&text, "{");
    pen_text_add_key(&text, "__metadata__");
    pen_text_add_string(&text, "{");
    pen_text_add_member(&text, "format", format);
    if (needs)
        add_needs(&text, needs);
    pen_text_add_member(&text, "library", "penumbra " PEN_VERSION);
    pen_text_add_member(&text, "checksum", checksum);
    pen_text_add_member(&text, "method", model->method);
    pen_text_add_member(&text, "parameters", model->parameters);
    pen_text_add_member(&text, "info", model->info);
    add_names(&text, "class_names", model->class_names, model->class_count);
    if (model->feature_names)
        add_names(&text, "feature_names", model->feature_names, pen_model_input_dim(model));
    if (needs & NEEDS_KERNEL)
        add_kernel(&text, &model->kernel);
    if (needs & NEEDS_READER)
        add_reader(&text, model);
    pen_text_add_string(&text, "}");
    for (int t = 0; t < TENSORS; t++)
        if (part_count(&parts[t]) > 0)
            add_tensor(&text, kinds[t].name, &parts[t], &offset);
    pen_text_add_string(&text, "}");
    while (!text.failed && text.size % 8 != 0)
        pen_text_add_string(&text, " ");
    return pen_text_finish(run, &text, out);
}

/* Where a model is written to: a file, or memory of the size it takes. */
struct sink {
    pen_output *output; /* NULL: memory */
    unsigned char *next;
};

static pen_status put(struct sink *sink, const void *bytes, size_t size)
{
    if (sink->output)
        return pen_output_write(sink->output, bytes, size);
    memcpy(sink->next, bytes, size);
    sink->next += size;
    return PEN_OK;
}

static pen_status write_numbers(struct sink *sink, const struct part *part)
{
    unsigned char bytes[8];

    if (part->bytes)
        return put(sink, part->bytes, (size_t)part->rows);
    for (int64_t i = 0; i < part_count(part); i++) {
        const size_t size = number_bytes(part->type, part->values[i], bytes);
        PEN_TRY(put(sink, bytes, size));
    }
    return PEN_OK;
}

static pen_status write_all(struct sink *sink, const struct part parts[TENSORS], const char *header)
{
    unsigned char length[LENGTH_SIZE];

    put_u64(strlen(header), length);
    PEN_TRY(put(sink, length, sizeof length));
    PEN_TRY(put(sink, header, strlen(header)));
    for (int t = 0; t < TENSORS; t++)
        PEN_TRY(write_numbers(sink, &parts[t]));
    return PEN_OK;
}

static pen_status to_memory(pen_run *run, const pen_model *model, void **bytes, size_t *size);

/* The files of the further members, each after its length in 8 bytes. free() *out; NULL: there are
 * none. */
static pen_status pack_members(pen_run *run, const pen_model *model, unsigned char **out,
                               int64_t *size)
{
    void *files[PEN_MOST_MEMBERS] = { NULL };
    size_t sizes[PEN_MOST_MEMBERS] = { 0 };
    pen_status status = PEN_OK;

    *out = NULL;
    *size = 0;
    for (int64_t m = 0; m < model->member_count && status == PEN_OK; m++) {
        status = to_memory(run, model->members[m], &files[m], &sizes[m]);
        *size = pen_plus(*size, pen_plus(LENGTH_SIZE, (int64_t)sizes[m]));
    }
    if (status == PEN_OK && *size > 0 && !(*out = pen_keep(run, *size, 1)))
        status = PEN_NO_MEMORY;
    unsigned char *to = *out;
    for (int64_t m = 0; m < model->member_count; m++) {
        if (status == PEN_OK) {
            put_u64(sizes[m], to);
            memcpy(to + LENGTH_SIZE, files[m], sizes[m]);
            to += LENGTH_SIZE + sizes[m];
        }
        free(files[m]);
    }
    return status;
}

static pen_status save(pen_run *run, const pen_model *model, const char *path)
{
    struct part parts[TENSORS];
    struct sink sink = { .output = NULL };
    unsigned char *members;
    char *header = NULL;
    int64_t size;

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pack_members(run, model, &members, &size));
    parts_of(model, members, size, parts);
    pen_status status = header_of(run, model, parts, &header);
    if (status == PEN_OK)
        status = pen_output_open(run, path, &sink.output);
    if (status == PEN_OK) {
        status = write_all(&sink, parts, header);
        if (status == PEN_OK)
            status = pen_output_commit(sink.output);
        else
            pen_output_discard(sink.output);
    }
    free(header);
    free(members);
    return status;
}

pen_status pen_model_save(const pen_model *model, const char *path, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = save(run, model, path);
    pen_run_close(run);
    return status;
}

/* The bytes of the file whose parts these are. */
static pen_status put_in_memory(pen_run *run, const pen_model *model,
                                const struct part parts[TENSORS], void **bytes, size_t *size)
{
    int64_t tensors = 0;
    char *header;

    for (int t = 0; t < TENSORS; t++)
        tensors = pen_plus(tensors, part_bytes(&parts[t]));
    PEN_TRY(header_of(run, model, parts, &header));
    const int64_t all = pen_plus(pen_plus(LENGTH_SIZE, (int64_t)strlen(header)), tensors);
    *bytes = pen_keep(run, all, 1);
    if (*bytes) {
        struct sink sink = { .next = *bytes };
        (void)write_all(&sink, parts, header); /* memory takes everything */
        *size = (size_t)all;
    }
    free(header);
    return *bytes ? PEN_OK : PEN_NO_MEMORY;
}

static pen_status to_memory(pen_run *run, const pen_model *model, void **bytes, size_t *size)
{
    struct part parts[TENSORS];
    unsigned char *members;
    int64_t member_bytes;

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, bytes, "bytes"));
    PEN_TRY(pen_check_given(run, size, "size"));
    PEN_TRY(pack_members(run, model, &members, &member_bytes));
    parts_of(model, members, member_bytes, parts);
    const pen_status status = put_in_memory(run, model, parts, bytes, size);
    free(members);
    return status;
}

pen_status pen_model_bytes(const pen_model *model, void **bytes, size_t *size, pen_error *err)
{
    pen_run *run;

    if (bytes)
        *bytes = NULL;
    if (size)
        *size = 0;
    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = to_memory(run, model, bytes, size);
    pen_run_close(run);
    return status;
}

void pen_model_bytes_free(void *bytes)
{
    free(bytes);
}

/* ---- loading ---- */

struct source {
    pen_run *run;
    const char *name; /* of the file, for messages */
    const unsigned char *tensors;
    int64_t tensor_bytes;
    int needs;
    int is_member; /* of another model: it has no members itself */
};

#define REFUSE_UNLESS(source, condition, ...)                                                      \
    PEN_REQUIRE((source)->run, condition, PEN_BAD_FORMAT, __VA_ARGS__)

/* Is it a whole number in [0, 2^53]? */
static int is_whole(const pen_json *item, int64_t *value)
{
    if (!pen_json_is(item, PEN_JSON_NUMBER) || !(item->number >= 0 && item->number <= 0x1p53)
        || item->number != floor(item->number))
        return 0;
    *value = (int64_t)item->number;
    return 1;
}

struct tensor {
    int64_t shape[2];
    int64_t begin, end;
    enum number_type type;
};

static pen_status read_type(const struct source *s, const pen_json *dtype, int which,
                            enum number_type *type)
{
    const char *const name = pen_json_is(dtype, PEN_JSON_STRING) ? dtype->text : "";

    *type = which == MEMBERS ? NUMBER_U8 : NUMBER_F64;
    while (which == LANDMARKS && *type < NUMBER_U8 && strcmp(name, number_types[*type].name) != 0)
        ++*type;
    REFUSE_UNLESS(s, strcmp(name, number_types[*type].name) == 0,
                  "%s: tensor \"%s\" must be of dtype %s", s->name, kinds[which].name,
                  which == LANDMARKS ? "F64, F32 or U8" : number_types[*type].name);
    return PEN_OK;
}

/* Read the header entry of a tensor and check it against the file size. */
static pen_status find_tensor(const struct source *s, const pen_json *root, int which,
                              struct tensor *t)
{
    const char *const name = kinds[which].name;
    const int rank = kinds[which].rank;
    const pen_json *entry = pen_json_member(root, name), *dtype = pen_json_member(entry, "dtype");
    const pen_json *shape = pen_json_member(entry, "shape"),
                   *offsets = pen_json_member(entry, "data_offsets");

    REFUSE_UNLESS(s, pen_json_is(entry, PEN_JSON_OBJECT),
                  "%s: not a penumbra model: it has no tensor \"%s\"", s->name, name);
    PEN_TRY(read_type(s, dtype, which, &t->type));
    const int64_t size = number_types[t->type].size, most = s->tensor_bytes / size;
    REFUSE_UNLESS(s, pen_json_is(shape, PEN_JSON_ARRAY) && shape->count == rank,
                  "%s: tensor \"%s\" must have %d dimensions", s->name, name, rank);
    t->shape[1] = 1;
    for (int i = 0; i < rank; i++)
        REFUSE_UNLESS(s,
                      is_whole(pen_json_item(shape, i), &t->shape[i]) && t->shape[i] >= 1
                          && t->shape[i] <= most,
                      "%s: tensor \"%s\" has an impossible shape for a file of this size", s->name,
                      name);
    REFUSE_UNLESS(s, t->shape[0] <= most / t->shape[1],
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

/* Find all tensors, [0, 0) for those the file does not have, and check that there are no others and
 * no gaps. */
static pen_status find_tensors(const struct source *s, const pen_json *root,
                               struct tensor t[TENSORS])
{
    int64_t used = 0;
    int there = 0;

    for (int i = 0; i < TENSORS; i++) {
        t[i] = (struct tensor){ .begin = 0 };
        if ((kinds[i].needs & s->needs) != kinds[i].needs
            || (kinds[i].optional && !pen_json_member(root, kinds[i].name)))
            continue;
        PEN_TRY(find_tensor(s, root, i, &t[i]));
        used += t[i].end - t[i].begin;
        there++;
        for (int j = 0; j < i; j++)
            REFUSE_UNLESS(s, t[i].begin >= t[j].end || t[j].begin >= t[i].end,
                          "%s: the tensors overlap", s->name);
    }
    REFUSE_UNLESS(s, root->count == there + 1,
                  "%s: a penumbra model has the tensors projection, mean, eigenvalues, bias and "
                  "those of what it needs, this file has others",
                  s->name);
    REFUSE_UNLESS(s, used == s->tensor_bytes, "%s: expected %lld bytes of tensors, got %lld",
                  s->name, (long long)used, (long long)s->tensor_bytes);
    return PEN_OK;
}

/* Files written by version 0.1.0 have no checksum. */
static pen_status check_tensors(const struct source *s, const pen_json *metadata)
{
    const pen_json *const written = pen_json_member(metadata, "checksum");
    char found[CHECKSUM_SIZE];

    if (!written)
        return PEN_OK;
    REFUSE_UNLESS(s,
                  pen_json_is(written, PEN_JSON_STRING) && strncmp(written->text, "crc32:", 6) == 0
                      && strlen(written->text) == 14
                      && strspn(written->text + 6, "0123456789abcdef") == 8,
                  "%s: metadata \"checksum\" must be crc32: and eight hexadecimal digits", s->name);
    checksum_text(pen_crc32(0, s->tensors, (size_t)s->tensor_bytes), found);
    REFUSE_UNLESS(
        s, strcmp(found, written->text) == 0,
        "%s: damaged: the checksum of the tensors must be %s, as recorded in the file, got "
        "%s",
        s->name, written->text, found);
    return PEN_OK;
}

static double number_at(enum number_type type, const unsigned char *bytes)
{
    unsigned char all[8] = { 0 };
    double value;
    float single;

    if (type == NUMBER_U8)
        return bytes[0];
    memcpy(all, bytes, (size_t)number_types[type].size);
    const uint64_t bits = get_u64(all);
    const uint32_t half = (uint32_t)bits;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &half, sizeof single);
    return type == NUMBER_F64 ? value : (double)single;
}

static pen_status read_numbers(const struct source *s, const struct tensor *t, const char *name,
                               double *values)
{
    for (int64_t i = 0; i < t->shape[0] * t->shape[1]; i++) {
        values[i] = number_at(t->type, s->tensors + t->begin + number_types[t->type].size * i);
        REFUSE_UNLESS(s, isfinite(values[i]), "%s: tensor \"%s\" has a value that is not finite",
                      s->name, name);
    }
    return PEN_OK;
}

static pen_status text_of(const struct source *s, const pen_json *metadata, const char *key,
                          const char **text)
{
    const pen_json *item = pen_json_member(metadata, key);
    REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING) && item->text[0],
                  "%s: not a penumbra model: its metadata has no \"%s\"", s->name, key);
    *text = item->text;
    return PEN_OK;
}

/* Parse JSON stored as a string in the metadata. */
static pen_status parse_text(const struct source *s, const char *key, const char *text,
                             pen_json **out)
{
    char what[80];

    snprintf(what, sizeof what, "metadata \"%s\"", key);
    return pen_json_parse(s->run, s->name, what, text, strlen(text), out);
}

static pen_status read_names(const struct source *s, const pen_json *list, const char *key,
                             char ***names, int64_t *count)
{
    REFUSE_UNLESS(s, pen_json_is(list, PEN_JSON_ARRAY),
                  "%s: metadata \"%s\" must be a list of strings", s->name, key);
    const int64_t there = list->count;
    const pen_json *item;

    if (there == 0)
        return PEN_OK;
    *names = pen_keep(s->run, there, sizeof **names);
    if (!*names)
        return PEN_NO_MEMORY;
    *count = there;
    int64_t i = 0;
    for (item = list->first; item; item = item->next) {
        REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING),
                      "%s: metadata \"%s\" must be a list of strings", s->name, key);
        PEN_TRY(pen_model_text(s->run, item->text, &(*names)[i++]));
    }
    return PEN_OK;
}

/* A JSON list of strings, itself stored as a string in the metadata. */
static pen_status parse_names(const struct source *s, const pen_json *metadata, const char *key,
                              char ***names, int64_t *count)
{
    const char *text = NULL;
    pen_json *list;

    PEN_TRY(text_of(s, metadata, key, &text));
    PEN_TRY(parse_text(s, key, text, &list));
    const pen_status status = read_names(s, list, key, names, count);
    free(list);
    return status;
}

static pen_status parse_object(const struct source *s, const pen_json *metadata, const char *key,
                               char **text, pen_fact_store *facts)
{
    const char *found = NULL;

    PEN_TRY(text_of(s, metadata, key, &found));
    PEN_TRY(parse_text(s, key, found, &facts->tree));
    REFUSE_UNLESS(s, pen_json_is(facts->tree, PEN_JSON_OBJECT),
                  "%s: metadata \"%s\" must be a JSON object", s->name, key);
    PEN_TRY(pen_facts_new(s->run, facts->tree, facts));
    return pen_model_text(s->run, found, text);
}

static pen_status read_metadata(const struct source *s, const pen_json *metadata, pen_model *model)
{
    const int64_t columns = pen_model_input_dim(model);
    const char *method = NULL;
    int64_t features = 0;

    PEN_TRY(text_of(s, metadata, "method", &method));
    PEN_TRY(pen_model_text(s->run, method, &model->method));
    PEN_TRY(parse_object(s, metadata, "parameters", &model->parameters, &model->parameter_facts));
    const pen_fact *const normalize = pen_fact_named(&model->parameter_facts.facts, "normalize");
    const char *const kind = normalize && normalize->type == PEN_FACT_TEXT ? normalize->text : "";
    model->unit = strcmp(kind, "l2") == 0;
    PEN_TRY(parse_object(s, metadata, "info", &model->info, &model->info_facts));
    PEN_REQUIRE(s->run, model->unit || strcmp(kind, "none") == 0, PEN_BAD_FORMAT,
                "%s: the parameter normalize must be none or l2, got \"%.40s\"", s->name, kind);
    PEN_TRY(parse_names(s, metadata, "class_names", &model->class_names, &model->class_count));
    if (!pen_json_member(metadata, "feature_names"))
        return PEN_OK;
    char **names = NULL;

    const pen_status status = parse_names(s, metadata, "feature_names", &names, &features);
    if (status != PEN_OK || features != columns) {
        for (int64_t i = 0; i < features; i++)
            free(names[i]);
        free(names);
        PEN_TRY(status);
    }
    REFUSE_UNLESS(s, features == columns, "%s: expected %lld feature names, got %lld", s->name,
                  (long long)columns, (long long)features);
    model->feature_names = names;
    return PEN_OK;
}

static pen_status read_needs(struct source *s, const pen_json *list)
{
    const pen_json *item;

    REFUSE_UNLESS(s, pen_json_is(list, PEN_JSON_ARRAY),
                  "%s: metadata \"needs\" must be a list of strings", s->name);
    for (item = list->first; item; item = item->next) {
        REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING),
                      "%s: metadata \"needs\" must be a list of strings", s->name);
        int need = 0;
        while (need_names[need] && strcmp(item->text, need_names[need]) != 0)
            need++;
        PEN_REQUIRE(s->run, need_names[need], PEN_NEWER_FORMAT,
                    "%s: the model needs \"%.40s\", which this version (%s) does not know", s->name,
                    item->text, PEN_VERSION);
        s->needs |= 1 << need;
    }
    return PEN_OK;
}

static pen_status check_needs(struct source *s, const pen_json *metadata)
{
    const char *text = NULL;
    pen_json *list;

    PEN_TRY(text_of(s, metadata, "needs", &text));
    PEN_TRY(parse_text(s, "needs", text, &list));
    const pen_status status = read_needs(s, list);
    free(list);
    return status;
}

static pen_status check_format(struct source *s, const pen_json *metadata)
{
    const char *format = NULL;
    char *end;

    REFUSE_UNLESS(s, pen_json_is(metadata, PEN_JSON_OBJECT),
                  "%s: not a penumbra model: it has no metadata", s->name);
    PEN_TRY(text_of(s, metadata, "format", &format));
    const long number = strtol(format, &end, 10);
    REFUSE_UNLESS(s, format[0] >= '1' && format[0] <= '9' && *end == '\0',
                  "%s: not a penumbra model: its format is \"%.40s\"", s->name, format);
    PEN_REQUIRE(s->run, number <= FORMAT, PEN_NEWER_FORMAT,
                "%s: model format %ld is newer than %d, the newest this version (%s) reads",
                s->name, number, FORMAT, PEN_VERSION);
    return number == 1 ? PEN_OK : check_needs(s, metadata);
}

static pen_status read_optional(const struct source *s, const struct tensor tensors[TENSORS],
                                int which, double **values)
{
    const struct tensor *const t = &tensors[which];

    if (t->shape[0] == 0)
        return PEN_OK;
    *values = pen_keep(s->run, pen_times(t->shape[0], t->shape[1]), sizeof **values);
    return *values ? read_numbers(s, t, kinds[which].name, *values) : PEN_NO_MEMORY;
}

static pen_status read_tensors(const struct source *s, const struct tensor t[TENSORS],
                               pen_model *model)
{
    PEN_TRY(read_numbers(s, &t[PROJECTION], kinds[PROJECTION].name, model->projection));
    PEN_TRY(read_numbers(s, &t[MEAN], kinds[MEAN].name, model->mean));
    PEN_TRY(read_optional(s, t, EIGENVALUES, &model->eigenvalues));
    PEN_TRY(read_optional(s, t, BIAS, &model->bias));
    PEN_TRY(read_optional(s, t, CLASS_MASS, &model->class_mass));
    PEN_TRY(read_optional(s, t, LANDMARK_ROWS, &model->kernel.rows));
    PEN_TRY(read_optional(s, t, LANDMARKS, &model->kernel.landmarks));
    PEN_TRY(read_optional(s, t, KERNEL_ORIGIN, &model->kernel.origin));
    PEN_TRY(read_optional(s, t, KERNEL_SCALE, &model->kernel.scale));
    PEN_TRY(read_optional(s, t, READER_CENTER, &model->reader.center));
    PEN_TRY(read_optional(s, t, READER_ROWS, &model->reader.rows));
    PEN_TRY(read_optional(s, t, READER_CLASSES, &model->reader_classes));
    PEN_TRY(read_optional(s, t, READER_WEIGHTS, &model->reader.weights));
    return read_optional(s, t, READER_BIAS, &model->reader.bias);
}

/* What the shares of new rows rely on. */
static pen_status check_class_mass(const struct source *s, const pen_model *model)
{
    const int64_t c = model->class_count;
    const double *const mass = model->class_mass, *const prior = mass + c;
    double sum = 0;

    for (int64_t k = 0; k < c; k++) {
        REFUSE_UNLESS(s, mass[k] >= PEN_SCORE_FLOOR && mass[k] <= PEN_MOST_MASS,
                      "%s: the mass of a class must be in [%g, %g], got %g", s->name,
                      PEN_SCORE_FLOOR, PEN_MOST_MASS, mass[k]);
        REFUSE_UNLESS(s, prior[k] > 0, "%s: the prior of a class must be > 0, got %g", s->name,
                      prior[k]);
        sum += prior[k];
    }
    REFUSE_UNLESS(s, fabs(sum - 1) <= PRIOR_ROUNDING,
                  "%s: the priors of the classes must sum to 1, got %g", s->name, sum);
    return PEN_OK;
}

/* ---- the kernel ---- */

/* A number of the object `kernel`, in [least, most]. */
static pen_status kernel_number(const struct source *s, const pen_json *object, const char *name,
                                double least, double most, double *number)
{
    const pen_json *const item = pen_json_member(object, name);

    REFUSE_UNLESS(
        s, pen_json_is(item, PEN_JSON_NUMBER) && item->number >= least && item->number <= most,
        "%s: metadata \"kernel\": %s must be a number in [%g, %g]", s->name, name, least, most);
    *number = item->number;
    return PEN_OK;
}

static pen_status read_form(const struct source *s, const pen_json *object,
                            pen_model_kernel_map *kernel)
{
    const pen_json *const name = pen_json_member(object, "name");
    double columns = 0, degree = 0;
    int kind = PEN_KERNEL_LINEAR;

    REFUSE_UNLESS(s, pen_json_is(name, PEN_JSON_STRING),
                  "%s: metadata \"kernel\" must be an object with a name", s->name);
    while (pen_kernel_names[kind] && strcmp(pen_kernel_names[kind], name->text) != 0)
        kind++;
    PEN_REQUIRE(s->run, pen_kernel_names[kind], PEN_NEWER_FORMAT,
                "%s: the model needs the kernel \"%.40s\", which this version (%s) does not know",
                s->name, name->text, PEN_VERSION);
    kernel->form.kind = (enum pen_kernel_kind)kind;
    PEN_TRY(kernel_number(s, object, "columns", 1, MOST_COLUMNS, &columns));
    PEN_TRY(kernel_number(s, object, "gamma", DBL_TRUE_MIN, DBL_MAX, &kernel->form.gamma));
    PEN_TRY(kernel_number(s, object, "degree", 1, 0x1p53, &degree));
    PEN_TRY(kernel_number(s, object, "coef0", 0, DBL_MAX, &kernel->form.coef0));
    REFUSE_UNLESS(s, columns == floor(columns) && degree == floor(degree),
                  "%s: metadata \"kernel\": columns and degree must be whole numbers", s->name);
    kernel->inputs = (int64_t)columns;
    kernel->form.degree = (int64_t)degree;
    return PEN_OK;
}

static pen_status check_kernel(const struct source *s, const struct tensor t[TENSORS],
                               const pen_model *model)
{
    const pen_model_kernel_map *const kernel = &model->kernel;
    const int64_t columns = kernel->inputs;
    const int given = kernel->form.kind == PEN_KERNEL_PRECOMPUTED;

    REFUSE_UNLESS(s,
                  t[LANDMARK_ROWS].shape[0] == model->d && (kernel->landmarks == NULL) == given
                      && (kernel->origin == NULL) == given && (!kernel->scale || !given)
                      && (given || t[LANDMARKS].shape[0] == model->d)
                      && (given || t[LANDMARKS].shape[1] == columns)
                      && (given || t[KERNEL_ORIGIN].shape[0] == columns)
                      && (!kernel->scale || t[KERNEL_SCALE].shape[0] == columns),
                  "%s: the shapes of the tensors are inconsistent", s->name);
    for (int64_t l = 0; l < model->d; l++) {
        const double row = kernel->rows[l];
        REFUSE_UNLESS(s, row >= 0 && row == floor(row) && row < (given ? (double)columns : 0x1p53),
                      "%s: a landmark must be the number of a row, got %g", s->name, row);
    }
    return PEN_OK;
}

static pen_status read_kernel(const struct source *s, const pen_json *metadata,
                              const struct tensor t[TENSORS], pen_model *model)
{
    const char *text = NULL;
    pen_json *object;

    if (!(s->needs & NEEDS_KERNEL))
        return PEN_OK;
    PEN_TRY(text_of(s, metadata, "kernel", &text));
    PEN_TRY(parse_text(s, "kernel", text, &object));
    const pen_status status = read_form(s, object, &model->kernel);
    free(object);
    PEN_TRY(status);
    PEN_TRY(check_kernel(s, t, model));
    pen_model_show_kernel(model);
    return PEN_OK;
}

/* ---- the reader ---- */

/* A number of the object `reader`, in [least, most]. */
static pen_status reader_number(const struct source *s, const pen_json *object, const char *name,
                                double least, double most, double *number)
{
    const pen_json *const item = pen_json_member(object, name);

    REFUSE_UNLESS(
        s, pen_json_is(item, PEN_JSON_NUMBER) && item->number >= least && item->number <= most,
        "%s: metadata \"reader\": %s must be a number in [%g, %g]", s->name, name, least, most);
    *number = item->number;
    return PEN_OK;
}

static pen_status read_reader_form(const struct source *s, const pen_json *object, pen_model *model)
{
    const pen_json *const name = pen_json_member(object, "name");
    pen_reader *const r = &model->reader;
    double neighbors = 1;
    int kind = PEN_READER_NEAREST;

    REFUSE_UNLESS(s, pen_json_is(name, PEN_JSON_STRING),
                  "%s: metadata \"reader\" must be an object with a name", s->name);
    while (kind < PEN_READER_NONE && strcmp(pen_reader_names[kind], name->text) != 0)
        kind++;
    PEN_REQUIRE(s->run, kind < PEN_READER_NONE, PEN_NEWER_FORMAT,
                "%s: the model needs the reader \"%.40s\", which this version (%s) does not know",
                s->name, name->text, PEN_VERSION);
    r->kind = (enum pen_reader_kind)kind;
    if (pen_json_member(object, "temperature"))
        PEN_TRY(reader_number(s, object, "temperature", DBL_MIN, DBL_MAX, &model->temperature));
    if (kind == PEN_READER_NEAREST || kind == PEN_READER_NEIGHBORS || kind == PEN_READER_MEANS)
        PEN_TRY(reader_number(s, object, "divisor", DBL_TRUE_MIN, DBL_MAX, &r->divisor));
    if (kind == PEN_READER_MEANS)
        PEN_TRY(reader_number(s, object, "width", DBL_MIN, DBL_MAX, &r->width));
    if (kind == PEN_READER_NEIGHBORS)
        PEN_TRY(reader_number(s, object, "neighbors", 1, 0x1p53, &neighbors));
    REFUSE_UNLESS(s, neighbors == floor(neighbors),
                  "%s: metadata \"reader\": neighbors must be a whole number", s->name);
    r->neighbors = (int64_t)neighbors;
    return PEN_OK;
}

static int has_shape(const struct tensor *t, int64_t rows, int64_t cols)
{
    return t->shape[0] == rows && (rows == 0 || t->shape[1] == cols);
}

/* The tensors that a reader of this kind has, and no others. */
static pen_status check_reader(const struct source *s, const struct tensor t[TENSORS],
                               const pen_model *model)
{
    const enum pen_reader_kind kind = model->reader.kind;
    const int64_t k = model->k, c = model->class_count;
    const int means = kind == PEN_READER_MEANS,
              rows = means || kind == PEN_READER_NEAREST || kind == PEN_READER_NEIGHBORS,
              affine = kind != PEN_READER_SCORES && !rows;
    const int64_t count = means ? c : rows ? pen_max(t[READER_ROWS].shape[0], 1) : 0;

    REFUSE_UNLESS(s,
                  c >= 2 && (kind == PEN_READER_SCORES) == (model->bias != NULL)
                      && has_shape(&t[READER_CENTER], count ? k : 0, 1)
                      && has_shape(&t[READER_ROWS], count, k)
                      && has_shape(&t[READER_CLASSES], rows ? count : 0, 1)
                      && has_shape(&t[READER_WEIGHTS], affine ? k : 0, c)
                      && has_shape(&t[READER_BIAS], affine ? c : 0, 1),
                  "%s: the tensors of the reader %s are inconsistent", s->name,
                  pen_reader_names[kind]);
    for (int64_t i = 0; rows && i < count; i++) {
        const double of = model->reader_classes[i];
        REFUSE_UNLESS(s, of >= 0 && of < (double)c && of == floor(of),
                      "%s: a class of the reader must be in [0, %lld], got %g", s->name,
                      (long long)c - 1, of);
    }
    return PEN_OK;
}

/* After the metadata: files without `reader` that have a bias score classes with it. */
static pen_status read_reader(const struct source *s, const pen_json *metadata,
                              const struct tensor t[TENSORS], pen_model *model)
{
    const char *text = NULL;
    pen_json *object;

    model->reader.k = model->k;
    model->reader.classes = model->class_count;
    model->reader.count = t[READER_ROWS].shape[0];
    if (!(s->needs & NEEDS_READER)) {
        model->reader.kind = model->bias ? PEN_READER_SCORES : PEN_READER_NONE;
        return PEN_OK;
    }
    PEN_TRY(text_of(s, metadata, "reader", &text));
    PEN_TRY(parse_text(s, "reader", text, &object));
    const pen_status status = read_reader_form(s, object, model);
    free(object);
    PEN_TRY(status);
    PEN_TRY(check_reader(s, t, model));
    return model->reader_classes ? pen_model_number_classes(s->run, model) : PEN_OK;
}

/* ---- the members ---- */

static pen_status parse(pen_run *run, const char *name, const unsigned char *bytes, size_t size,
                        int is_member, pen_model **out);

/* A member is a model of the same columns and classes, as pen_join has them. */
static pen_status check_member(const struct source *s, const pen_model *model,
                               const pen_model *member)
{
    int alike = member->reader.kind != PEN_READER_NONE
                && pen_model_input_dim(member) == pen_model_input_dim(model)
                && member->class_count == model->class_count;

    for (int64_t c = 0; alike && c < model->class_count; c++)
        alike = strcmp(member->class_names[c], model->class_names[c]) == 0;
    REFUSE_UNLESS(s, alike, "%s: its members do not have the same columns and classes", s->name);
    return PEN_OK;
}

static pen_status read_members(const struct source *s, const struct tensor t[TENSORS],
                               pen_model *model)
{
    const unsigned char *at = s->tensors + t[MEMBERS].begin;
    int64_t left = t[MEMBERS].end - t[MEMBERS].begin;

    if (!(s->needs & NEEDS_MEMBERS))
        return PEN_OK;
    REFUSE_UNLESS(s, model->reader.kind != PEN_READER_NONE && !s->is_member,
                  "%s: a model with members must have a reader, and be none itself", s->name);
    model->members = pen_keep(s->run, PEN_MOST_MEMBERS, sizeof *model->members);
    if (!model->members)
        return PEN_NO_MEMORY;
    while (left > 0) {
        const uint64_t size = left > LENGTH_SIZE ? get_u64(at) : 0;
        REFUSE_UNLESS(s,
                      size > 0 && size <= (uint64_t)(left - LENGTH_SIZE)
                          && model->member_count < PEN_MOST_MEMBERS - 1,
                      "%s: tensor \"members\" must hold at most %d models, each after its length",
                      s->name, PEN_MOST_MEMBERS - 1);
        PEN_TRY(parse(s->run, s->name, at + LENGTH_SIZE, (size_t)size, 1,
                      &model->members[model->member_count]));
        model->member_count++;
        PEN_TRY(check_member(s, model, model->members[model->member_count - 1]));
        at += LENGTH_SIZE + size;
        left -= LENGTH_SIZE + (int64_t)size;
    }
    return PEN_OK;
}

/* Build the model from the parsed header. */
static pen_status read_model(struct source *s, const pen_json *root, pen_model **out)
{
    const pen_json *metadata = pen_json_member(root, "__metadata__");
    struct tensor t[TENSORS];

    REFUSE_UNLESS(s, pen_json_is(root, PEN_JSON_OBJECT),
                  "%s: not a penumbra model: its header is not a JSON object", s->name);
    PEN_TRY(check_format(s, metadata));
    PEN_TRY(find_tensors(s, root, t));
    PEN_TRY(check_tensors(s, metadata));
    const int64_t d = t[PROJECTION].shape[0], k = t[PROJECTION].shape[1];
    REFUSE_UNLESS(s, d <= MOST_COLUMNS && k <= MOST_COLUMNS, "%s: more than %d columns", s->name,
                  MOST_COLUMNS);
    REFUSE_UNLESS(
        s,
        t[MEAN].shape[0] == d && (t[EIGENVALUES].shape[0] == k || !t[EIGENVALUES].shape[0])
            && t[BIAS].shape[0] <= k
            && (!(s->needs & NEEDS_CLASS_MASS)
                || (t[CLASS_MASS].shape[0] == 2 && t[CLASS_MASS].shape[1] == t[BIAS].shape[0])),
        "%s: the shapes of the tensors are inconsistent", s->name);
    PEN_TRY(pen_model_new(s->run, d, k, out));
    PEN_TRY(read_tensors(s, t, *out));
    PEN_TRY(read_kernel(s, metadata, t, *out));
    PEN_TRY(read_metadata(s, metadata, *out));
    REFUSE_UNLESS(s, !(*out)->bias || t[BIAS].shape[0] == (*out)->class_count,
                  "%s: expected a bias for each of %lld classes, got %lld", s->name,
                  (long long)(*out)->class_count, (long long)t[BIAS].shape[0]);
    PEN_TRY(read_reader(s, metadata, t, *out));
    PEN_TRY(read_members(s, t, *out));
    return (*out)->class_mass ? check_class_mass(s, *out) : PEN_OK;
}

static pen_status parse(pen_run *run, const char *name, const unsigned char *bytes, size_t size,
                        int is_member, pen_model **out)
{
    struct source s = { .run = run, .name = name, .is_member = is_member };

    REFUSE_UNLESS(&s, size > LENGTH_SIZE, "%s: not a penumbra model: it has only %zu bytes", name,
                  size);
    const uint64_t length = get_u64(bytes);
    REFUSE_UNLESS(
        &s, length <= MOST_HEADER && length <= size - LENGTH_SIZE && bytes[LENGTH_SIZE] == '{',
        "%s: not a penumbra model, or a truncated one: its header does not fit a file of %zu bytes",
        name, size);
    s.tensors = bytes + LENGTH_SIZE + length;
    s.tensor_bytes = (int64_t)(size - LENGTH_SIZE - length);
    pen_json *root;
    PEN_TRY(pen_json_parse(run, name, "not a penumbra model: its header",
                           (const char *)bytes + LENGTH_SIZE, (size_t)length, &root));
    const pen_status status = read_model(&s, root, out);
    free(root);
    if (status != PEN_OK) {
        pen_model_free(*out);
        *out = NULL;
    }
    return status;
}

pen_status pen_model_parse(const void *bytes, size_t size, pen_model **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(NULL, err, &run));
    pen_status status = pen_check_given(run, out, "out");
    if (status == PEN_OK)
        status = pen_check_given(run, bytes, "bytes");
    if (status == PEN_OK)
        status = parse(run, "model", bytes, size, 0, out);
    pen_run_close(run);
    return status;
}

pen_status pen_model_load(const char *path, pen_model **out, pen_error *err)
{
    pen_bytes bytes;
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(NULL, err, &run));
    pen_status status = pen_check_given(run, out, "out");
    if (status == PEN_OK)
        status = pen_check_given(run, path, "path");
    if (status == PEN_OK)
        status = pen_bytes_read(run, path, &bytes);
    if (status == PEN_OK) {
        status = parse(run, path, bytes.data, bytes.size, 0, out);
        pen_bytes_free(&bytes);
    }
    pen_run_close(run);
    return status;
}
