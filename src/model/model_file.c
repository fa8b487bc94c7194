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
enum { PROJECTION, MEAN, EIGENVALUES, BIAS, CLASS_MASS, TENSORS };

static const char *const tensor_names[TENSORS] = { "projection", "mean", "eigenvalues", "bias",
                                                   "class_mass" };

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

/* A tensor of a model; values is NULL if the model does not have it. */
struct part {
    const double *values;
    int64_t rows, cols; /* cols 0: one dimension */
};

static void parts_of(const pen_model *model, struct part parts[TENSORS])
{
    parts[PROJECTION] = (struct part){ model->projection, model->d, model->k };
    parts[MEAN] = (struct part){ model->mean, model->d, 0 };
    parts[EIGENVALUES] = (struct part){ model->eigenvalues, model->k, 0 };
    parts[BIAS] = (struct part){ model->bias, model->class_count, 0 };
    /* only new rows need them */
    parts[CLASS_MASS] =
        (struct part){ model->bias ? model->class_mass : NULL, 2, model->class_count };
}

static int64_t part_count(const struct part *part)
{
    return part->values ? pen_times(part->rows, part->cols ? part->cols : 1) : 0;
}

static void number_bytes(double value, unsigned char bytes[8])
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_u64(bits, bytes);
}

/* The checksum of all tensors as stored in the file. */
static uint32_t checksum_of(const struct part parts[TENSORS])
{
    unsigned char bytes[8];
    uint32_t crc = 0;

    for (int t = 0; t < TENSORS; t++)
        for (int64_t i = 0; i < part_count(&parts[t]); i++) {
            number_bytes(parts[t].values[i], bytes);
            crc = pen_crc32(crc, bytes, sizeof bytes);
        }
    return crc;
}

static void add_tensor(pen_string *text, const char *name, const struct part *part, int64_t *offset)
{
    char entry[160];
    const int64_t end = pen_plus(*offset, pen_times(8, part_count(part)));
    int used =
        snprintf(entry, sizeof entry, "{\"dtype\":\"F64\",\"shape\":[%lld", (long long)part->rows);

    if (part->cols)
        used += snprintf(entry + used, sizeof entry - (size_t)used, ",%lld", (long long)part->cols);
    snprintf(entry + used, sizeof entry - (size_t)used, "],\"data_offsets\":[%lld,%lld]}",
             (long long)*offset, (long long)end);
    pen_text_add_key(text, name);
    pen_text_add_string(text, entry);
    *offset = end;
}

static pen_status header_of(pen_run *run, const pen_model *model, const struct part parts[TENSORS],
                            char **out)
{
    pen_string text = { .data = NULL };
    char format[16], checksum[CHECKSUM_SIZE];
    int64_t offset = 0;

    snprintf(format, sizeof format, "%d", parts[CLASS_MASS].values ? 2 : 1);
    checksum_text(checksum_of(parts), checksum);
    pen_text_add_string(&text, "{");
    pen_text_add_key(&text, "__metadata__");
    pen_text_add_string(&text, "{");
    pen_text_add_member(&text, "format", format);
    if (parts[CLASS_MASS].values)
        pen_text_add_member(&text, "needs", "[\"class_mass\"]");
    pen_text_add_member(&text, "library", "penumbra " PEN_VERSION);
    pen_text_add_member(&text, "checksum", checksum);
    pen_text_add_member(&text, "method", model->method);
    pen_text_add_member(&text, "parameters", model->parameters);
    pen_text_add_member(&text, "info", model->info);
    add_names(&text, "class_names", model->class_names, model->class_count);
    if (model->feature_names)
        add_names(&text, "feature_names", model->feature_names, model->d);
    pen_text_add_string(&text, "}");
    for (int t = 0; t < TENSORS; t++)
        if (parts[t].values)
            add_tensor(&text, tensor_names[t], &parts[t], &offset);
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

static pen_status write_numbers(struct sink *sink, const double *values, int64_t count)
{
    unsigned char bytes[8];

    for (int64_t i = 0; i < count; i++) {
        number_bytes(values[i], bytes);
        PEN_TRY(put(sink, bytes, sizeof bytes));
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
        PEN_TRY(write_numbers(sink, parts[t].values, part_count(&parts[t])));
    return PEN_OK;
}

static pen_status save(pen_run *run, const pen_model *model, const char *path)
{
    struct part parts[TENSORS];
    struct sink sink = { .output = NULL };
    char *header;

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, path, "path"));
    parts_of(model, parts);
    PEN_TRY(header_of(run, model, parts, &header));
    pen_status status = pen_output_open(run, path, &sink.output);
    if (status == PEN_OK) {
        status = write_all(&sink, parts, header);
        if (status == PEN_OK)
            status = pen_output_commit(sink.output);
        else
            pen_output_discard(sink.output);
    }
    free(header);
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

static pen_status to_memory(pen_run *run, const pen_model *model, void **bytes, size_t *size)
{
    struct part parts[TENSORS];
    int64_t numbers = 0;
    char *header;

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, bytes, "bytes"));
    PEN_TRY(pen_check_given(run, size, "size"));
    parts_of(model, parts);
    for (int t = 0; t < TENSORS; t++)
        numbers = pen_plus(numbers, part_count(&parts[t]));
    PEN_TRY(header_of(run, model, parts, &header));
    const int64_t all =
        pen_plus(pen_plus(LENGTH_SIZE, (int64_t)strlen(header)), pen_times(8, numbers));
    *bytes = pen_keep(run, all, 1);
    if (*bytes) {
        struct sink sink = { .next = *bytes };
        (void)write_all(&sink, parts, header); /* memory takes everything */
        *size = (size_t)all;
    }
    free(header);
    return *bytes ? PEN_OK : PEN_NO_MEMORY;
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
    int class_mass; /* 1: the file needs it */
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
};

/* Read the header entry of a tensor of `rank` dimensions and check it against the file size. */
static pen_status find_tensor(const struct source *s, const pen_json *root, const char *name,
                              int rank, struct tensor *t)
{
    const pen_json *entry = pen_json_member(root, name), *dtype = pen_json_member(entry, "dtype");
    const pen_json *shape = pen_json_member(entry, "shape"),
                   *offsets = pen_json_member(entry, "data_offsets");
    const int64_t most = s->tensor_bytes / 8;

    REFUSE_UNLESS(s, pen_json_is(entry, PEN_JSON_OBJECT),
                  "%s: not a penumbra model: it has no tensor \"%s\"", s->name, name);
    REFUSE_UNLESS(s, pen_json_is(dtype, PEN_JSON_STRING) && strcmp(dtype->text, "F64") == 0,
                  "%s: tensor \"%s\" must be of dtype F64", s->name, name);
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
                      && t->begin <= t->end && t->end - t->begin == 8 * t->shape[0] * t->shape[1],
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
        const int matrix = i == PROJECTION || i == CLASS_MASS;
        if (i == CLASS_MASS ? !s->class_mass
                            : i >= EIGENVALUES && !pen_json_member(root, tensor_names[i]))
            continue;
        PEN_TRY(find_tensor(s, root, tensor_names[i], matrix ? 2 : 1, &t[i]));
        used += t[i].end - t[i].begin;
        there++;
        for (int j = 0; j < i; j++)
            REFUSE_UNLESS(s, t[i].begin >= t[j].end || t[j].begin >= t[i].end,
                          "%s: the tensors overlap", s->name);
    }
    REFUSE_UNLESS(s, root->count == there + 1,
                  "%s: a penumbra model has the tensors projection, mean, eigenvalues, bias and, "
                  "if it needs it, class_mass, this file has others",
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

static pen_status read_numbers(const struct source *s, const struct tensor *t, const char *name,
                               double *values)
{
    for (int64_t i = 0; i < t->shape[0] * t->shape[1]; i++) {
        const uint64_t bits = get_u64(s->tensors + t->begin + 8 * i);
        memcpy(&values[i], &bits, sizeof bits);
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
    if (status != PEN_OK || features != model->d) {
        for (int64_t i = 0; i < features; i++)
            free(names[i]);
        free(names);
        PEN_TRY(status);
    }
    REFUSE_UNLESS(s, features == model->d, "%s: expected %lld feature names, got %lld", s->name,
                  (long long)model->d, (long long)features);
    model->feature_names = names;
    return PEN_OK;
}

/* What a program must know to use a file of format 2. */
static pen_status read_needs(struct source *s, const pen_json *list)
{
    const pen_json *item;

    REFUSE_UNLESS(s, pen_json_is(list, PEN_JSON_ARRAY),
                  "%s: metadata \"needs\" must be a list of strings", s->name);
    for (item = list->first; item; item = item->next) {
        REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING),
                      "%s: metadata \"needs\" must be a list of strings", s->name);
        PEN_REQUIRE(s->run, strcmp(item->text, "class_mass") == 0, PEN_NEWER_FORMAT,
                    "%s: the model needs \"%.40s\", which this version (%s) does not know", s->name,
                    item->text, PEN_VERSION);
        s->class_mass = 1;
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

static pen_status read_optional(const struct source *s, const struct tensor *t, const char *name,
                                double **values)
{
    if (t->shape[0] == 0)
        return PEN_OK;
    *values = pen_keep(s->run, pen_times(t->shape[0], t->shape[1]), sizeof **values);
    return *values ? read_numbers(s, t, name, *values) : PEN_NO_MEMORY;
}

static pen_status read_tensors(const struct source *s, const struct tensor t[TENSORS],
                               pen_model *model)
{
    PEN_TRY(read_numbers(s, &t[PROJECTION], tensor_names[PROJECTION], model->projection));
    PEN_TRY(read_numbers(s, &t[MEAN], tensor_names[MEAN], model->mean));
    PEN_TRY(read_optional(s, &t[EIGENVALUES], tensor_names[EIGENVALUES], &model->eigenvalues));
    PEN_TRY(read_optional(s, &t[BIAS], tensor_names[BIAS], &model->bias));
    return read_optional(s, &t[CLASS_MASS], tensor_names[CLASS_MASS], &model->class_mass);
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
            && (!s->class_mass
                || (t[CLASS_MASS].shape[0] == 2 && t[CLASS_MASS].shape[1] == t[BIAS].shape[0])),
        "%s: the shapes of the tensors are inconsistent", s->name);
    PEN_TRY(pen_model_new(s->run, d, k, out));
    PEN_TRY(read_tensors(s, t, *out));
    PEN_TRY(read_metadata(s, metadata, *out));
    REFUSE_UNLESS(s, !(*out)->bias || t[BIAS].shape[0] == (*out)->class_count,
                  "%s: expected a bias for each of %lld classes, got %lld", s->name,
                  (long long)(*out)->class_count, (long long)t[BIAS].shape[0]);
    return (*out)->class_mass ? check_class_mass(s, *out) : PEN_OK;
}

static pen_status parse(pen_run *run, const char *name, const unsigned char *bytes, size_t size,
                        pen_model **out)
{
    struct source s = { .run = run, .name = name };

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
        status = parse(run, "model", bytes, size, out);
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
        status = parse(run, path, bytes.data, bytes.size, out);
        pen_bytes_free(&bytes);
    }
    pen_run_close(run);
    return status;
}
