/* model_tensors.c - the tensors of a model file. */
#include "model/model_tensors.h"

#include "core/checksum.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const pen_need_names[] = { "class_mass", "kernel",  "classifier", "members",
                                       "row",        "missing", "votes",      "mean_temperature",
                                       "spectra",    "typical", NULL };

const pen_tensor_kind pen_tensor_kinds[TENSORS] = {
    [PROJECTION] = { "projection", 2, 0, 0 },
    [MEAN] = { "mean", 1, 0, 0 },
    [SCALE] = { "scale", 1, 0, 1 },
    [DEVIATION] = { "deviation", 1, 0, 1 },
    [EIGENVALUES] = { "eigenvalues", 1, 0, 1 },
    [BIAS] = { "bias", 1, 0, 1 },
    [CLASS_MASS] = { "class_mass", 2, NEEDS_CLASS_MASS, 0 },
    [LANDMARK_ROWS] = { "landmark_rows", 1, NEEDS_KERNEL, 0 },
    [LANDMARKS] = { "landmarks", 2, NEEDS_KERNEL, 1 },
    [KERNEL_ORIGIN] = { "kernel_origin", 1, NEEDS_KERNEL, 1 },
    [KERNEL_SCALE] = { "kernel_scale", 1, NEEDS_KERNEL, 1 },
    [CLASSIFIER_CENTER] = { "classifier_center", 1, NEEDS_CLASSIFIER, 1 },
    [CLASSIFIER_ROWS] = { "classifier_rows", 2, NEEDS_CLASSIFIER, 1 },
    [CLASSIFIER_CLASSES] = { "classifier_classes", 1, NEEDS_CLASSIFIER, 1 },
    [CLASSIFIER_WEIGHTS] = { "classifier_weights", 2, NEEDS_CLASSIFIER, 1 },
    [CLASSIFIER_BIAS] = { "classifier_bias", 1, NEEDS_CLASSIFIER, 1 },
    [MEMBERS] = { "members", 1, NEEDS_MEMBERS, 0 },
    [IDF] = { "idf", 1, NEEDS_ROW, 1 },
    [SELECTED] = { "selected", 1, NEEDS_ROW, 1 },
    [CLASS_SHARES] = { "class_shares", 1, NEEDS_KERNEL, 1 },
    [FILL] = { "fill", 1, NEEDS_MISSING, 1 },
    [PICTURE] = { "picture", 2, 0, 1 },
    [CLASSIFIER_VOTES] = { "classifier_votes", 2, NEEDS_CLASSIFIER | NEEDS_VOTES, 0 },
    [MEAN_TEMPERATURE] = { "mean_temperature", 1, NEEDS_MEMBERS | NEEDS_MEAN, 0 },
    [TYPICAL_UNITS] = { "typical_units", 2, NEEDS_TYPICAL, 0 },
    [TYPICAL_ROWS] = { "typical_rows", 2, NEEDS_TYPICAL, 0 },
    [TYPICAL_DISTANCES] = { "typical_distances", 1, NEEDS_TYPICAL, 0 },
};

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

/* ---- in a model ---- */

static int holds(enum pen_number_type type, double value)
{
    if (type == NUMBER_U8)
        return value >= 0 && value <= UINT8_MAX && value == floor(value) && !signbit(value);
    return type == NUMBER_F64 || (fabs(value) <= (double)FLT_MAX && value == (double)(float)value);
}

pen_part pen_part_new(const double *values, int64_t rows, int64_t cols)
{
    return (pen_part){ .values = values, .rows = rows, .cols = cols, .type = NUMBER_F64 };
}

int64_t pen_part_count(const pen_part *part)
{
    return part->values || part->items ? pen_times(part->rows, part->cols ? part->cols : 1) : 0;
}

enum pen_number_type pen_part_narrowest(const pen_part *part)
{
    enum pen_number_type type = NUMBER_U8;

    for (int64_t i = 0; i < pen_part_count(part); i++)
        while (!holds(type, part->values[i]))
            type--;
    return type;
}

size_t pen_part_item(const pen_part *part, int64_t index, unsigned char bytes[8])
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
        bits = (uint64_t)value; /* whole numbers among values are not negative */
    pen_put_u64(bits | half, bytes);
    return size;
}

void pen_part_describe(pen_string *text, const pen_part *part, int64_t *offset)
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

/* ---- in a file ---- */

/* Is it a whole number in [0, 2^53]? */
static int is_whole(const pen_json *item, int64_t *value)
{
    if (!pen_json_is(item, PEN_JSON_NUMBER) || !(item->number >= 0 && item->number <= 0x1p53)
        || item->number != floor(item->number))
        return 0;
    *value = (int64_t)item->number;
    return 1;
}

static pen_status read_type(const pen_model_source *s, const pen_json *dtype, const char *tensor,
                            enum pen_number_type *type)
{
    const char *const name = pen_json_is(dtype, PEN_JSON_STRING) ? dtype->text : "";
    const int any = *type == NUMBER_TYPES;

    if (any)
        *type = NUMBER_F64;
    while (any && *type < NUMBER_U8 && strcmp(name, number_types[*type].name) != 0)
        ++*type;
    REFUSE_UNLESS(s, strcmp(name, number_types[*type].name) == 0,
                  "%s: tensor \"%s\" must be of dtype %s", s->name, tensor,
                  any ? "F64, F32 or U8" : number_types[*type].name);
    return PEN_OK;
}

pen_status pen_tensor_find(const pen_model_source *s, const pen_json *root, const char *name,
                           int rank, pen_tensor *t)
{
    const pen_json *entry = pen_json_member(root, name), *dtype = pen_json_member(entry, "dtype");
    const pen_json *shape = pen_json_member(entry, "shape"),
                   *offsets = pen_json_member(entry, "data_offsets");

    REFUSE_UNLESS(s, pen_json_is(entry, PEN_JSON_OBJECT), "%s: not %s: it has no tensor \"%s\"",
                  s->name, s->what, name);
    PEN_TRY(read_type(s, dtype, name, &t->type));
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

pen_status pen_tensors_find(const pen_model_source *s, const pen_json *root, pen_tensor t[TENSORS])
{
    int64_t used = 0;
    int there = 0;

    for (int i = 0; i < TENSORS; i++) {
        const int single = i == CLASSIFIER_VOTES || i == TYPICAL_ROWS
                           || (i == CLASSIFIER_ROWS && s->needs & NEEDS_VOTES);
        t[i] = (pen_tensor){ .type = i == LANDMARKS  ? NUMBER_TYPES
                                     : i == MEMBERS  ? NUMBER_U8
                                     : i == SELECTED ? NUMBER_I64
                                     : single        ? NUMBER_F32
                                                     : NUMBER_F64 };
        if ((pen_tensor_kinds[i].needs & s->needs) != pen_tensor_kinds[i].needs
            || (pen_tensor_kinds[i].optional && !pen_json_member(root, pen_tensor_kinds[i].name)))
            continue;
        PEN_TRY(
            pen_tensor_find(s, root, pen_tensor_kinds[i].name, pen_tensor_kinds[i].rank, &t[i]));
        REFUSE_UNLESS(s, t[i].shape[0] >= 1 && t[i].shape[1] >= 1,
                      "%s: tensor \"%s\" has an impossible shape for a file of this size", s->name,
                      pen_tensor_kinds[i].name);
        used += t[i].end - t[i].begin;
        there++;
        for (int j = 0; j < i; j++)
            REFUSE_UNLESS(s, t[i].begin >= t[j].end || t[j].begin >= t[i].end,
                          "%s: the tensors overlap", s->name);
    }
    REFUSE_UNLESS(s, root->count == there + 1,
                  "%s: a penumbra model has the tensors projection, mean, scale, deviation, "
                  "eigenvalues, picture, bias and those of what it needs, this file has others",
                  s->name);
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

void pen_tensor_items(const pen_model_source *s, const pen_tensor *t, void *items)
{
    const int64_t size = number_types[t->type].size, count = t->shape[0] * t->shape[1];
    unsigned char bytes[8] = { 0 };

    for (int64_t i = 0; i < count; i++) {
        memcpy(bytes, s->tensors + t->begin + i * size, (size_t)size);
        const uint64_t bits = pen_get_u64(bytes);
        const uint32_t half = (uint32_t)bits;
        memcpy((char *)items + i * size, size == 8 ? (const void *)&bits : (const void *)&half,
               (size_t)size);
    }
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

pen_status pen_tensor_numbers(const pen_model_source *s, const pen_tensor *t, const char *name,
                              double *values)
{
    for (int64_t i = 0; i < t->shape[0] * t->shape[1]; i++) {
        values[i] = number_at(t->type, s->tensors + t->begin + number_types[t->type].size * i);
        REFUSE_UNLESS(s,
                      isfinite(values[i])
                          || (isnan(values[i]) && strcmp(name, pen_tensor_kinds[FILL].name) == 0),
                      "%s: tensor \"%s\" has a value that is not finite", s->name, name);
    }
    return PEN_OK;
}

pen_status pen_tensor_keep(const pen_model_source *s, const pen_tensor tensors[TENSORS], int which,
                           double **values)
{
    const pen_tensor *const t = &tensors[which];

    if (t->shape[0] == 0)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(s->run, *values, pen_times(t->shape[0], t->shape[1])));
    return pen_tensor_numbers(s, t, pen_tensor_kinds[which].name, *values);
}
