/* model_file.c - models as safetensors files, and reading them.
 *
 *   8 bytes    h, the length of the header, little-endian
 *   h bytes    JSON: dtype, shape and data_offsets of each tensor by name; strings under
 *              "__metadata__"; padded with blanks to a multiple of 8
 *   the rest   the tensors, little-endian
 *
 * docs/model-file.md describes the metadata. */
#include "classifiers/class_mass.h"
#include "model/describe.h"
#include "model/model_parts.h"
#include "model/old_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char a_file[] = "a penumbra model";

enum { FORMAT = 2 };

/* Allowed error of the sum of the priors. */
static const double PRIOR_ROUNDING = 1e-9;

/* The depth of nested arrays and objects. */
static int depth_of(const pen_json *value)
{
    int most = 0;

    for (const pen_json *item = value->first; item; item = item->next) {
        const int depth = depth_of(item);
        most = depth > most ? depth : most;
    }
    return most + (value->type == PEN_JSON_ARRAY || value->type == PEN_JSON_OBJECT);
}

/* The text of an object of the metadata, with today's names. method: its parameters; NULL: other
 * facts. */
static pen_status parse_object(const pen_model_source *s, const pen_json *metadata, const char *key,
                               const char *method, char **text)
{
    pen_json *tree;
    pen_string renewed = { .data = NULL };

    PEN_TRY(pen_source_json(s, metadata, key, &tree));
    const int is_object = pen_json_is(tree, PEN_JSON_OBJECT) && depth_of(tree) < PEN_JSON_DEPTH;
    if (is_object && method)
        pen_renew_parameters(tree, method, &renewed);
    else if (is_object)
        pen_renewed_text(tree, &renewed);
    REFUSE_UNLESS(s, is_object, "%s: metadata \"%s\" must be a JSON object", s->name, key);
    return pen_text_finish(s->run, &renewed, text);
}

/* Does the row end with length one? */
static pen_status read_unit(const pen_model_source *s, const pen_json *steps, pen_model *model)
{
    const pen_param *const param = pen_param_find(pen_common_params, "row_steps");
    pen_common common = { .dim = 0 };
    pen_error err;

    REFUSE_UNLESS(s, pen_json_is(steps, PEN_JSON_STRING),
                  "%s: metadata \"parameters\" must have row_steps", s->name);
    REFUSE_UNLESS(s, pen_param_read(param, &common, steps->text, &err) == PEN_OK, "%s: %s", s->name,
                  err.message);
    model->unit = common.row.l2;
    return PEN_OK;
}

static pen_status read_reading(const pen_model_source *s, const pen_json *metadata,
                               pen_model *model)
{
    const char *text = NULL;

    if (pen_json_member(metadata, "reading"))
        PEN_TRY(pen_source_text(s, metadata, "reading", &text));
    return pen_model_keep_reading(s->run, s->name, text, model);
}

static pen_status read_metadata(const pen_model_source *s, const pen_json *metadata,
                                const pen_tensor t[TENSORS], pen_model *model)
{
    const char *method = NULL;
    pen_json *parameters;

    PEN_TRY(pen_source_text(s, metadata, "method", &method));
    PEN_TRY(pen_keep_text(s->run, method, &model->method));
    PEN_TRY(parse_object(s, metadata, "parameters", method, &model->parameters));
    PEN_TRY(pen_describe_parse(s->run, model->parameters, &parameters));
    PEN_TRY(read_unit(s, pen_json_member(parameters, "row_steps"), model));
    PEN_TRY(parse_object(s, metadata, "info", NULL, &model->info));
    PEN_TRY(read_reading(s, metadata, model));
    PEN_TRY(pen_row_file_read(s, metadata, t, model));
    const int64_t columns = pen_model_columns(model);
    PEN_TRY(pen_source_names(s, metadata, "class_names", &model->class_names, &model->class_count,
                             NULL));
    return pen_source_features(s, metadata, columns, &model->column_names);
}

static pen_status read_needs(pen_model_source *s, const pen_json *metadata)
{
    const pen_json *item;
    pen_json *list;

    PEN_TRY(pen_source_list(s, metadata, "needs", &list));
    for (item = list->first; item; item = item->next) {
        REFUSE_UNLESS(s, strcmp(item->text, "one_hot") != 0,
                      "%s: the model has columns of words; fit it again to the output of python -m "
                      "penumbra.convert FILE --one-hot COLUMNS",
                      s->name);
        const char *const name = pen_name_of_today(item->text);
        int need = 0;
        while (pen_need_names[need] && strcmp(name, pen_need_names[need]) != 0)
            need++;
        PEN_REQUIRE(s->run, pen_need_names[need], PEN_NEWER_FORMAT,
                    "%s: the model needs \"%.40s\", which this version (%s) does not know", s->name,
                    item->text, PEN_VERSION);
        s->needs |= 1 << need;
    }
    return PEN_OK;
}

static pen_status check_format(pen_model_source *s, const pen_json *metadata)
{
    const char *format = NULL;
    char *end;

    REFUSE_UNLESS(s, pen_json_is(metadata, PEN_JSON_OBJECT),
                  "%s: not a penumbra model: it has no metadata", s->name);
    REFUSE_UNLESS(s, !pen_json_member(metadata, "kind"),
                  "%s: not a penumbra model: it holds statistics, and fit makes a model from them",
                  s->name);
    PEN_TRY(pen_source_text(s, metadata, "format", &format));
    const long number = strtol(format, &end, 10);
    REFUSE_UNLESS(s, format[0] >= '1' && format[0] <= '9' && *end == '\0',
                  "%s: not a penumbra model: its format is \"%.40s\"", s->name, format);
    PEN_REQUIRE(s->run, number <= FORMAT, PEN_NEWER_FORMAT,
                "%s: model format %ld is newer than %d, the newest this version (%s) reads",
                s->name, number, FORMAT, PEN_VERSION);
    return number == 1 ? PEN_OK : read_needs(s, metadata);
}

/* Finds all tensors, [0, 0) for absent ones, and checks that there are no other tensors and no
 * gaps. */
static pen_status find_tensors(const pen_model_source *s, const pen_json *root,
                               pen_tensor t[TENSORS])
{
    int64_t used = 0;
    int there = 0;

    for (int i = 0; i < TENSORS; i++) {
        pen_tensor_kind kind = pen_tensor_kinds[i];
        t[i] = (pen_tensor){ .begin = 0 };
        if ((kind.needs & s->needs) != kind.needs
            || (kind.optional && !pen_json_member(root, kind.name)))
            continue;
        if (i == CLASSIFIER_ROWS && s->needs & NEEDS_VOTES)
            kind.type = NUMBER_F32;
        PEN_TRY(pen_tensor_find(s, root, &kind, &t[i]));
        REFUSE_UNLESS(s, t[i].shape[0] >= 1 && t[i].shape[1] >= 1,
                      "%s: tensor \"%s\" has an impossible shape for a file of this size", s->name,
                      kind.name);
        used += t[i].end - t[i].begin;
        there++;
        for (int j = 0; j < i; j++)
            REFUSE_UNLESS(s, t[i].begin >= t[j].end || t[j].begin >= t[i].end,
                          "%s: the tensors overlap", s->name);
    }
    return pen_tensors_end(
        s, root, there, used,
        "a penumbra model has the tensors projection, mean, scale, deviation, eigenvalues, "
        "picture, bias and the tensors of its needs, but this file has others");
}

static pen_status read_tensors(const pen_model_source *s, const pen_tensor t[TENSORS],
                               pen_model *model)
{
    for (int i = 0; i < TENSORS; i++) {
        const pen_tensor_kind *const kind = &pen_tensor_kinds[i];
        if (!kind->at || t[i].shape[0] == 0)
            continue;
        double **const values = (double **)pen_tensor_at(model, kind);
        if (!*values)
            PEN_TRY(PEN_KEEP(s->run, *values, pen_times(t[i].shape[0], t[i].shape[1])));
        PEN_TRY(pen_tensor_numbers(s, &t[i], kind, *values));
    }
    for (int64_t j = 0; model->scale && j < model->d; j++)
        REFUSE_UNLESS(s, model->scale[j] >= 0, "%s: a scale must be >= 0, got %g", s->name,
                      model->scale[j]);
    return PEN_OK;
}

/* Checks that they are positive and sum to 1. */
static pen_status check_shares(const pen_model_source *s, int64_t c, const double *shares)
{
    double sum = 0;

    for (int64_t k = 0; k < c; k++) {
        REFUSE_UNLESS(s, shares[k] > 0, "%s: the prior of a class must be > 0, got %g", s->name,
                      shares[k]);
        sum += shares[k];
    }
    REFUSE_UNLESS(s, fabs(sum - 1) <= PRIOR_ROUNDING,
                  "%s: the priors of the classes must sum to 1, got %g", s->name, sum);
    return PEN_OK;
}

/* Checks what the probabilities of new rows rely on. */
static pen_status check_class_mass(const pen_model_source *s, const pen_model *model)
{
    const int64_t c = model->class_count;
    const double *const mass = model->class_mass;

    for (int64_t k = 0; k < c; k++)
        REFUSE_UNLESS(s, mass[k] >= PEN_SCORE_FLOOR && mass[k] <= PEN_MOST_MASS,
                      "%s: the mass of a class must be in [%g, %g], got %g", s->name,
                      PEN_SCORE_FLOOR, PEN_MOST_MASS, mass[k]);
    return check_shares(s, c, mass + c);
}

/* ---- the models of an ensemble ---- */

static pen_status read_model(pen_model_source *s, pen_json *root, void *model);

/* All models of an ensemble have the same columns and classes. */
static pen_status check_member(const pen_model_source *s, const pen_model *model,
                               const pen_model *member)
{
    int alike = member->classifier.kind != PEN_CLASSIFIER_NONE
                && pen_model_columns(member) == pen_model_columns(model)
                && member->class_count == model->class_count;

    for (int64_t c = 0; alike && c < model->class_count; c++)
        alike = strcmp(member->class_names[c], model->class_names[c]) == 0;
    REFUSE_UNLESS(s, alike, "%s: its models do not have the same columns and classes", s->name);
    return PEN_OK;
}

static pen_status read_members(const pen_model_source *s, const pen_tensor t[TENSORS],
                               pen_model *model)
{
    pen_model_source of_member = {
        .run = s->run, .name = s->name, .what = s->what, .is_member = 1
    };
    const unsigned char *at = s->tensors + t[MEMBERS].begin;
    int64_t left = t[MEMBERS].end - t[MEMBERS].begin;

    if (!(s->needs & NEEDS_MEMBERS))
        return PEN_OK;
    if (s->needs & NEEDS_MEAN) {
        double *const T = &model->mean_temperature;
        REFUSE_UNLESS(s, t[MEAN_TEMPERATURE].shape[0] == 1,
                      "%s: the shapes of the tensors are inconsistent", s->name);
        PEN_TRY(
            pen_tensor_numbers(s, &t[MEAN_TEMPERATURE], &pen_tensor_kinds[MEAN_TEMPERATURE], T));
        REFUSE_UNLESS(s, *T > 0, "%s: a temperature must be > 0, got %g", s->name, *T);
    }
    REFUSE_UNLESS(s, !s->is_member, "%s: an ensemble must not contain an ensemble", s->name);
    REFUSE_UNLESS(s, model->classifier.kind == PEN_CLASSIFIER_NONE,
                  "%s: an ensemble must not have a classifier itself", s->name);
    PEN_TRY(PEN_KEEP(s->run, model->members, PEN_MOST_MEMBERS));
    while (left > 0) {
        const uint64_t size = left > LENGTH_SIZE ? pen_get_u64(at) : 0;
        REFUSE_UNLESS(s,
                      size > 0 && size <= (uint64_t)(left - LENGTH_SIZE)
                          && model->member_count < PEN_MOST_MEMBERS - 1,
                      "%s: tensor \"members\" must hold at most %d models, each after its length",
                      s->name, PEN_MOST_MEMBERS - 1);
        pen_model **const member = &model->members[model->member_count++];
        PEN_TRY(pen_source_parse(&of_member, at + LENGTH_SIZE, (size_t)size, read_model, member));
        of_member.needs = 0;
        PEN_TRY(check_member(s, model, *member));
        at += LENGTH_SIZE + size;
        left -= LENGTH_SIZE + (int64_t)size;
    }
    return PEN_OK;
}

/* Builds the model from the parsed header. */
static pen_status read_model(pen_model_source *s, pen_json *root, void *model)
{
    pen_model **const out = model;
    pen_json *const metadata = (pen_json *)pen_json_member(root, "__metadata__");
    pen_tensor t[TENSORS];

    REFUSE_UNLESS(s, pen_json_is(root, PEN_JSON_OBJECT),
                  "%s: not a penumbra model: its header is not a JSON object", s->name);
    pen_renew_names(root);
    if (pen_json_is(metadata, PEN_JSON_OBJECT))
        pen_renew_names(metadata);
    PEN_TRY(check_format(s, metadata));
    PEN_TRY(find_tensors(s, root, t));
    PEN_TRY(pen_tensors_check(s, metadata));
    const int64_t d = t[PROJECTION].shape[0], k = t[PROJECTION].shape[1];
    REFUSE_UNLESS(s, d <= MOST_COLUMNS && k <= MOST_COLUMNS, "%s: more than %d columns", s->name,
                  MOST_COLUMNS);
    REFUSE_UNLESS(
        s,
        t[MEAN].shape[0] == d && (t[SCALE].shape[0] == d || !t[SCALE].shape[0])
            && (t[DEVIATION].shape[0] == d || !t[DEVIATION].shape[0])
            && (t[EIGENVALUES].shape[0] == k || !t[EIGENVALUES].shape[0]) && t[BIAS].shape[0] <= k
            && (!t[PICTURE].shape[0] || (t[PICTURE].shape[0] == k && t[PICTURE].shape[1] == 2))
            && (!(s->needs & NEEDS_CLASS_MASS)
                || (t[CLASS_MASS].shape[0] == 2 && t[CLASS_MASS].shape[1] == t[BIAS].shape[0])),
        "%s: the shapes of the tensors are inconsistent", s->name);
    PEN_TRY(pen_model_new(s->run, d, k, out));
    PEN_TRY(read_tensors(s, t, *out));
    PEN_TRY(pen_kernel_file_read(s, metadata, t, *out));
    PEN_TRY(read_metadata(s, metadata, t, *out));
    REFUSE_UNLESS(s, !(*out)->bias || t[BIAS].shape[0] == (*out)->class_count,
                  "%s: expected a bias for each of %lld classes, got %lld", s->name,
                  (long long)(*out)->class_count, (long long)t[BIAS].shape[0]);
    REFUSE_UNLESS(s, !(*out)->class_shares || t[CLASS_SHARES].shape[0] == (*out)->class_count,
                  "%s: the shapes of the tensors are inconsistent", s->name);
    if ((*out)->class_shares)
        PEN_TRY(check_shares(s, (*out)->class_count, (*out)->class_shares));
    PEN_TRY(pen_classifier_file_read(s, metadata, t, *out));
    PEN_TRY(read_members(s, t, *out));
    return (*out)->class_mass ? check_class_mass(s, *out) : PEN_OK;
}

pen_status pen_model_from_bytes(const void *bytes, size_t size, pen_model **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_model_free,
             pen_source_from_bytes(run, a_file, "model", bytes, size, read_model, out));
}

pen_status pen_model_load(const char *path, pen_model **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_model_free, pen_source_load(run, a_file, path, read_model, out));
}
