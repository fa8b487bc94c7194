/* reader_file.c - the reader of a model in its file, and what tells how typical rows are. */
#include "model/reader_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the sum of the votes of a row. */
static const double VOTES_ROUNDING = 1e-6;

int pen_reader_file_needed(const pen_model *model)
{
    return model->reader.kind != PEN_READER_NONE
           && (model->reader.kind != PEN_READER_SCORES || model->temperature > 0);
}

void pen_reader_file_parts(const pen_model *model, pen_part parts[TENSORS])
{
    const pen_reader *const r = &model->reader;
    const pen_typical *const t = &model->typical;

    parts[READER_CENTER] = pen_part_new(r->center, r->k, 0);
    parts[READER_ROWS] = pen_part_new(r->rows, r->count, r->k);
    parts[READER_CLASSES] = pen_part_new(model->reader_classes, r->count, 0);
    parts[READER_WEIGHTS] = pen_part_new(r->weights, r->k, r->classes);
    parts[READER_BIAS] = pen_part_new(r->bias, r->classes, 0);
    parts[READER_VOTES] = pen_part_new(r->votes, r->count, r->classes);
    parts[READER_VOTES].type = NUMBER_F32;
    if (r->votes)
        parts[READER_ROWS].type = NUMBER_F32;
    parts[TYPICAL_UNITS] = pen_part_new(t->units, 2, t->k);
    parts[TYPICAL_ROWS] = pen_part_new(t->rows, t->count, t->k);
    parts[TYPICAL_ROWS].type = NUMBER_F32;
    parts[TYPICAL_DISTANCES] = pen_part_new(t->distances, t->measured, 0);
}

void pen_reader_file_add(pen_string *text, const pen_model *model)
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
    pen_text_add_text(text, "reader", &object);
}

static pen_status read_reader_form(const pen_model_source *s, const pen_json *object,
                                   pen_model *model)
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
        PEN_TRY(pen_source_number(s, "reader", object, "temperature", DBL_TRUE_MIN, DBL_MAX,
                                  &model->temperature));
    if (kind == PEN_READER_NEAREST || kind == PEN_READER_NEIGHBORS || kind == PEN_READER_MEANS)
        PEN_TRY(
            pen_source_number(s, "reader", object, "divisor", DBL_TRUE_MIN, DBL_MAX, &r->divisor));
    if (kind == PEN_READER_MEANS)
        PEN_TRY(pen_source_number(s, "reader", object, "width", DBL_MIN, DBL_MAX, &r->width));
    if (kind == PEN_READER_NEIGHBORS)
        PEN_TRY(pen_source_number(s, "reader", object, "neighbors", 1, 0x1p53, &neighbors));
    REFUSE_UNLESS(s, neighbors == floor(neighbors),
                  "%s: metadata \"reader\": neighbors must be a whole number", s->name);
    r->neighbors = (int64_t)neighbors;
    return PEN_OK;
}

static int has_shape(const pen_tensor *t, int64_t rows, int64_t cols)
{
    return t->shape[0] == rows && (rows == 0 || t->shape[1] == cols);
}

/* Each row has probabilities, which were rounded to float. */
static pen_status check_votes(const pen_model_source *s, const pen_reader *r)
{
    for (int64_t i = 0; i < r->count; i++) {
        double sum = 0;
        for (int64_t c = 0; c < r->classes; c++) {
            const double vote = r->votes[i * r->classes + c];
            REFUSE_UNLESS(s, vote >= 0 && vote <= 1, "%s: a vote must be in [0, 1], got %g",
                          s->name, vote);
            sum += vote;
        }
        REFUSE_UNLESS(s, fabs(sum - 1) <= VOTES_ROUNDING,
                      "%s: the votes of a row must sum to 1, got %g", s->name, sum);
    }
    return PEN_OK;
}

/* The tensors that a reader of this kind has, and no others. */
static pen_status check_reader(const pen_model_source *s, const pen_tensor t[TENSORS],
                               const pen_model *model)
{
    const enum pen_reader_kind kind = model->reader.kind;
    const int64_t k = model->k, c = model->class_count;
    const int means = kind == PEN_READER_MEANS, votes = (s->needs & NEEDS_VOTES) != 0,
              rows = means || kind == PEN_READER_NEAREST || kind == PEN_READER_NEIGHBORS,
              affine = kind != PEN_READER_SCORES && !rows;
    const int64_t count = means ? c : rows ? pen_max(t[READER_ROWS].shape[0], 1) : 0;

    REFUSE_UNLESS(s,
                  c >= 2 && (kind == PEN_READER_SCORES) == (model->bias != NULL)
                      && has_shape(&t[READER_CENTER], count ? k : 0, 1)
                      && has_shape(&t[READER_ROWS], count, k)
                      && has_shape(&t[READER_CLASSES], rows && !votes ? count : 0, 1)
                      && has_shape(&t[READER_VOTES], votes ? count : 0, c)
                      && (!votes || kind == PEN_READER_NEIGHBORS)
                      && has_shape(&t[READER_WEIGHTS], affine ? k : 0, c)
                      && has_shape(&t[READER_BIAS], affine ? c : 0, 1),
                  "%s: the tensors of the reader %s are inconsistent", s->name,
                  pen_reader_names[kind]);
    for (int64_t i = 0; model->reader_classes && i < count; i++) {
        const double of = model->reader_classes[i];
        REFUSE_UNLESS(s, of >= 0 && of < (double)c && of == floor(of),
                      "%s: a class of the reader must be in [0, %lld], got %g", s->name,
                      (long long)c - 1, of);
    }
    return votes ? check_votes(s, &model->reader) : PEN_OK;
}

static pen_status read_typical(const pen_model_source *s, const pen_tensor t[TENSORS],
                               pen_model *model)
{
    pen_typical *const own = &model->typical;
    int fit = has_shape(&t[TYPICAL_UNITS], 2, model->k + 1)
              && has_shape(&t[TYPICAL_ROWS], t[TYPICAL_ROWS].shape[0], model->k + 1);

    *own = (pen_typical){ .k = model->k + 1,
                          .count = t[TYPICAL_ROWS].shape[0],
                          .measured = t[TYPICAL_DISTANCES].shape[0] };
    PEN_TRY(pen_tensor_keep(s, t, TYPICAL_UNITS, &own->units));
    PEN_TRY(pen_tensor_keep(s, t, TYPICAL_ROWS, &own->rows));
    PEN_TRY(pen_tensor_keep(s, t, TYPICAL_DISTANCES, &own->distances));
    for (int64_t i = 0; i < own->measured; i++)
        fit &= own->distances[i] >= (i > 0 ? own->distances[i - 1] : 0);
    REFUSE_UNLESS(s, fit || !own->units, "%s: the tensors of typical rows are inconsistent",
                  s->name);
    return PEN_OK;
}

pen_status pen_reader_file_read(const pen_model_source *s, const pen_json *metadata,
                                const pen_tensor t[TENSORS], pen_model *model)
{
    const char *text = NULL;
    pen_json *object;

    model->reader.k = model->k;
    model->reader.classes = model->class_count;
    model->reader.count = t[READER_ROWS].shape[0];
    PEN_TRY(read_typical(s, t, model));
    if (!(s->needs & NEEDS_READER)) {
        model->reader.kind = model->bias ? PEN_READER_SCORES : PEN_READER_NONE;
        return PEN_OK;
    }
    PEN_TRY(pen_tensor_keep(s, t, READER_CENTER, &model->reader.center));
    PEN_TRY(pen_tensor_keep(s, t, READER_ROWS, &model->reader.rows));
    PEN_TRY(pen_tensor_keep(s, t, READER_CLASSES, &model->reader_classes));
    PEN_TRY(pen_tensor_keep(s, t, READER_WEIGHTS, &model->reader.weights));
    PEN_TRY(pen_tensor_keep(s, t, READER_BIAS, &model->reader.bias));
    PEN_TRY(pen_tensor_keep(s, t, READER_VOTES, &model->reader.votes));
    PEN_TRY(pen_source_text(s, metadata, "reader", &text));
    PEN_TRY(pen_source_json(s, "reader", text, &object));
    const pen_status status = read_reader_form(s, object, model);
    free(object);
    PEN_TRY(status);
    PEN_TRY(check_reader(s, t, model));
    return model->reader_classes ? pen_model_number_classes(s->run, model) : PEN_OK;
}
