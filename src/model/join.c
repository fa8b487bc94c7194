/* join.c - the members of a model, whose mean probabilities it predicts. The first embeds; without
 * a classifier it does nothing else. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

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
    memcpy(made, model, offsetof(pen_model, about)); /* which others may be setting */
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
