/* join.c - several models that answer together: the mean of their probabilities. The first embeds;
 * without a classifier it does nothing else. */
#include "core/arguments.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static pen_status check_member(pen_run *run, const pen_model *const *models, int64_t count,
                               int64_t i)
{
    const pen_model *const m = models[i];

    PEN_REQUIRE(run, m, PEN_BAD_ARGUMENT, "models[%lld] must not be NULL", (long long)i);
    PEN_REQUIRE(run, m->member_count == 0, PEN_BAD_ARGUMENT,
                "model %lld is joined from others itself", (long long)i);
    PEN_REQUIRE(run, m->classifier.kind != PEN_CLASSIFIER_NONE || (i == 0 && count > 1),
                PEN_BAD_ARGUMENT, "model %lld predicts no classes", (long long)i);
    PEN_REQUIRE(
        run, m->classifier.kind != PEN_CLASSIFIER_SCORES || m->class_mass || m->temperature > 0,
        PEN_BAD_ARGUMENT, "model %lld gives raw scores (prior none), which are no probabilities",
        (long long)i);
    PEN_REQUIRE(run, pen_model_columns(m) == pen_model_columns(models[0]), PEN_BAD_ARGUMENT,
                "models must map the same columns, got %lld and %lld",
                (long long)pen_model_columns(models[0]), (long long)pen_model_columns(m));
    PEN_REQUIRE(run, m->class_count == models[0]->class_count, PEN_BAD_ARGUMENT,
                "models must have the same classes, got %lld and %lld",
                (long long)models[0]->class_count, (long long)m->class_count);
    for (int64_t c = 0; c < m->class_count; c++)
        PEN_REQUIRE(run, strcmp(m->class_names[c], models[0]->class_names[c]) == 0,
                    PEN_BAD_ARGUMENT,
                    "models must have the same classes, got \"%.40s\" and \"%.40s\"",
                    models[0]->class_names[c], m->class_names[c]);
    return PEN_OK;
}

static pen_status join(pen_run *run, const pen_model *const *models, int64_t count, pen_model **out)
{
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, models, "models"));
    PEN_REQUIRE(run, count >= 1 && count <= PEN_MOST_MEMBERS, PEN_BAD_ARGUMENT,
                "the number of models must be in [1, %d], got %lld", PEN_MOST_MEMBERS,
                (long long)count);
    for (int64_t i = 0; i < count; i++)
        PEN_TRY(check_member(run, models, count, i));
    PEN_TRY(pen_model_copy(run, models[0], out));
    if (count == 1)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, (*out)->members, count - 1));
    (*out)->member_count = count - 1;
    for (int64_t i = 1; i < count; i++)
        PEN_TRY(pen_model_copy(run, models[i], &(*out)->members[i - 1]));
    return PEN_OK;
}

pen_status pen_join(const pen_model *const *models, int64_t count, pen_model **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_model_free, join(run, models, count, out));
}

/* 1: the model itself is the first member. */
static int is_member(const pen_model *model)
{
    return model->member_count == 0 || model->classifier.kind != PEN_CLASSIFIER_NONE;
}

int64_t pen_model_members(const pen_model *model)
{
    return model->member_count + is_member(model);
}

const pen_model *pen_model_voter(const pen_model *model, int64_t index)
{
    return index == 0 && is_member(model) ? model : model->members[index - is_member(model)];
}

/* Threads that come first at the same time each make one, and one is kept. */
static const pen_model *alone(const pen_model *model)
{
    pen_model *const owner = (pen_model *)(uintptr_t)model;
    pen_model *made = atomic_load(&owner->alone), *none = NULL;

    if (made || !(made = malloc(sizeof *made)))
        return made;
    *made = *model;
    made->members = NULL;
    made->member_count = 0;
    made->mean_temperature = 0;
    atomic_init(&made->about, NULL);
    atomic_init(&made->alone, NULL);
    if (atomic_compare_exchange_strong(&owner->alone, &none, made))
        return made;
    free(made);
    return none;
}

const pen_model *pen_model_member(const pen_model *model, int64_t index)
{
    if (!model || model->member_count == 0 || index < 0 || index >= pen_model_members(model))
        return NULL;
    const pen_model *const member = pen_model_voter(model, index);
    return member == model ? alone(model) : member;
}
