/* classifier_file.c - the classifier and the typical rows of a model in its file. */
#include "model/model_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Allowed error of the sum of votes of a row. */
static const double VOTES_ROUNDING = 1e-6;

int pen_classifier_file_needed(const pen_model *model)
{
    return model->classifier.kind != PEN_CLASSIFIER_NONE
           && (model->classifier.kind != PEN_CLASSIFIER_SCORES || model->temperature > 0);
}

void pen_classifier_file_add(pen_string *text, const pen_model *model)
{
    const pen_classifier *const r = &model->classifier;
    pen_string object = { .data = NULL };

    pen_text_add_string(&object, "{");
    pen_text_add_member(&object, "name", pen_classifier_names[r->kind]);
    if (r->divisor > 0)
        pen_text_add_number(&object, "divisor", r->divisor);
    if (r->kind == PEN_CLASSIFIER_NEIGHBORS)
        pen_text_add_count(&object, "neighbors", r->neighbors);
    if (r->kind == PEN_CLASSIFIER_MEANS)
        pen_text_add_number(&object, "width", r->width);
    if (model->temperature > 0)
        pen_text_add_number(&object, "temperature", model->temperature);
    pen_text_add_string(&object, "}");
    pen_text_add_text(text, "classifier", &object);
}

static pen_status read_classifier_form(const pen_model_source *s, const pen_json *object,
                                       pen_model *model)
{
    const pen_json *const name = pen_json_member(object, "name");
    pen_classifier *const r = &model->classifier;
    double neighbors = 1;
    int kind = PEN_CLASSIFIER_NEAREST;

    REFUSE_UNLESS(s, pen_json_is(name, PEN_JSON_STRING),
                  "%s: metadata \"classifier\" must be an object with a name", s->name);
    while (kind < PEN_CLASSIFIER_NONE && strcmp(pen_classifier_names[kind], name->text) != 0)
        kind++;
    PEN_REQUIRE(
        s->run, kind < PEN_CLASSIFIER_NONE, PEN_NEWER_FORMAT,
        "%s: the model needs the classifier \"%.40s\", which this version (%s) does not know",
        s->name, name->text, PEN_VERSION);
    r->kind = (enum pen_classifier_kind)kind;
    if (pen_json_member(object, "temperature"))
        PEN_TRY(pen_source_number(s, "classifier", object, "temperature", DBL_TRUE_MIN, DBL_MAX,
                                  &model->temperature));
    if (kind == PEN_CLASSIFIER_NEAREST || kind == PEN_CLASSIFIER_NEIGHBORS
        || kind == PEN_CLASSIFIER_MEANS)
        PEN_TRY(pen_source_number(s, "classifier", object, "divisor", DBL_TRUE_MIN, DBL_MAX,
                                  &r->divisor));
    if (kind == PEN_CLASSIFIER_MEANS)
        PEN_TRY(pen_source_number(s, "classifier", object, "width", DBL_MIN, DBL_MAX, &r->width));
    if (kind == PEN_CLASSIFIER_NEIGHBORS)
        PEN_TRY(pen_source_number(s, "classifier", object, "neighbors", 1, 0x1p53, &neighbors));
    REFUSE_UNLESS(s, neighbors == floor(neighbors),
                  "%s: metadata \"classifier\": neighbors must be a whole number", s->name);
    r->neighbors = (int64_t)neighbors;
    return PEN_OK;
}

static int has_shape(const pen_tensor *t, int64_t rows, int64_t cols)
{
    return t->shape[0] == rows && (rows == 0 || t->shape[1] == cols);
}

/* Checks the probabilities of each row, which were rounded to float. */
static pen_status check_votes(const pen_model_source *s, const pen_classifier *r)
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

/* Requires exactly the tensors of a classifier of this kind. */
static pen_status check_classifier(const pen_model_source *s, const pen_tensor t[TENSORS],
                                   const pen_model *model)
{
    const enum pen_classifier_kind kind = model->classifier.kind;
    const int64_t k = model->k, c = model->class_count;
    const int means = kind == PEN_CLASSIFIER_MEANS, votes = (s->needs & NEEDS_VOTES) != 0,
              rows = means || kind == PEN_CLASSIFIER_NEAREST || kind == PEN_CLASSIFIER_NEIGHBORS,
              affine = kind != PEN_CLASSIFIER_SCORES && !rows;
    const int64_t count = means ? c : rows ? pen_max(t[CLASSIFIER_ROWS].shape[0], 1) : 0;

    REFUSE_UNLESS(s,
                  c >= 2 && (kind == PEN_CLASSIFIER_SCORES) == (model->bias != NULL)
                      && has_shape(&t[CLASSIFIER_CENTER], count ? k : 0, 1)
                      && has_shape(&t[CLASSIFIER_ROWS], count, k)
                      && has_shape(&t[CLASSIFIER_CLASSES], rows && !votes ? count : 0, 1)
                      && has_shape(&t[CLASSIFIER_VOTES], votes ? count : 0, c)
                      && (!votes || kind == PEN_CLASSIFIER_NEIGHBORS)
                      && has_shape(&t[CLASSIFIER_WEIGHTS], affine ? k : 0, c)
                      && has_shape(&t[CLASSIFIER_BIAS], affine ? c : 0, 1),
                  "%s: the tensors of the classifier %s are inconsistent", s->name,
                  pen_classifier_names[kind]);
    for (int64_t i = 0; model->classifier_classes && i < count; i++) {
        const double of = model->classifier_classes[i];
        REFUSE_UNLESS(s, of >= 0 && of < (double)c && of == floor(of),
                      "%s: a class of the classifier must be in [0, %lld], got %g", s->name,
                      (long long)c - 1, of);
    }
    return votes ? check_votes(s, &model->classifier) : PEN_OK;
}

static pen_status read_typical(const pen_model_source *s, const pen_tensor t[TENSORS],
                               pen_model *model)
{
    pen_typical *const own = &model->typical;
    int fit = has_shape(&t[TYPICAL_UNITS], 2, model->k + 1)
              && has_shape(&t[TYPICAL_ROWS], t[TYPICAL_ROWS].shape[0], model->k + 1);

    own->k = model->k + 1;
    own->count = t[TYPICAL_ROWS].shape[0];
    own->measured = t[TYPICAL_DISTANCES].shape[0];
    for (int64_t i = 0; i < own->measured; i++)
        fit &= own->distances[i] >= (i > 0 ? own->distances[i - 1] : 0);
    REFUSE_UNLESS(s, fit || !own->units, "%s: the tensors of typical rows are inconsistent",
                  s->name);
    return PEN_OK;
}

pen_status pen_classifier_file_read(const pen_model_source *s, const pen_json *metadata,
                                    const pen_tensor t[TENSORS], pen_model *model)
{
    pen_json *object;

    model->classifier.k = model->k;
    model->classifier.classes = model->class_count;
    model->classifier.count = t[CLASSIFIER_ROWS].shape[0];
    PEN_TRY(read_typical(s, t, model));
    if (!(s->needs & NEEDS_CLASSIFIER)) {
        model->classifier.kind = model->bias ? PEN_CLASSIFIER_SCORES : PEN_CLASSIFIER_NONE;
        return PEN_OK;
    }
    PEN_TRY(pen_source_json(s, metadata, "classifier", &object));
    PEN_TRY(read_classifier_form(s, object, model));
    PEN_TRY(check_classifier(s, t, model));
    return model->classifier_classes ? pen_model_number_classes(s->run, model) : PEN_OK;
}
