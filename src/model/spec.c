/* spec.c - setting parameters by name. */
#include "model/spec.h"

#include "core/meant.h"
#include "model/old_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 80, MOST_METHODS = 64, MOST_PARAMS = 64 };

static pen_status unknown_method(const char *name, pen_error *err)
{
    const char *names[MOST_METHODS];
    char list[216] = "", meant[PEN_MEANT_SIZE];
    int64_t count = 0;

    for (; count < MOST_METHODS && pen_method_at(count); count++) {
        const size_t used = strlen(list);
        names[count] = pen_method_at(count)->name;
        snprintf(list + used, sizeof list - used, "%s%s",
                 count ? ", " : "; known methods: ", names[count]);
    }
    return pen_error_set(err, PEN_UNKNOWN_NAME, "unknown method \"%.40s\"%s", name,
                         *pen_meant(name, names, count, meant) ? meant : list);
}

/* Clears the error and requires an argument; these functions have no pen_run. */
static pen_status given(const void *argument, const char *name, pen_error *err)
{
    if (err)
        *err = (pen_error){ .code = PEN_OK };
    return argument ? PEN_OK : pen_error_set(err, PEN_BAD_ARGUMENT, "%s must not be NULL", name);
}

/* ---- grids ---- */

static void drop_grid(pen_spec *spec, int64_t index)
{
    if (!spec->grids)
        return;
    free(spec->grids[index]);
    spec->grids[index] = NULL;
}

static int64_t param_count(const pen_spec *spec)
{
    int64_t count = 0;

    while (spec->method->params[count].name)
        count++;
    return count;
}

static void drop_grids(pen_spec *spec)
{
    for (int64_t i = 0; spec->grids && i < param_count(spec); i++)
        free(spec->grids[i]);
    free(spec->grids);
    spec->grids = NULL;
}

pen_status pen_spec_keep_grid(pen_spec *spec, int64_t index, const char *text, pen_error *err)
{
    const size_t size = strlen(text) + 1;
    char *const copy = malloc(size);

    if (!spec->grids)
        spec->grids = calloc((size_t)param_count(spec), sizeof *spec->grids);
    if (!copy || !spec->grids) {
        free(copy);
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    }
    drop_grid(spec, index);
    memcpy(copy, text, size);
    spec->grids[index] = copy;
    return PEN_OK;
}

static pen_status copy_grids(const pen_spec *spec, pen_spec *out, pen_error *err)
{
    for (int64_t i = 0; spec->grids && i < param_count(spec); i++)
        if (spec->grids[i])
            PEN_TRY(pen_spec_keep_grid(out, i, spec->grids[i], err));
    return PEN_OK;
}

/* ---- a spec ---- */

/* Sets the parameter that follows `sign` in the name of a method; moves *text past it. */
static pen_status set_part(pen_spec *spec, const char *name, char sign, const char **text,
                           pen_error *err)
{
    char value[NAME_SIZE];

    if (**text != sign)
        return PEN_OK;
    const size_t length = sign == '+' ? strcspn(*text + 1, "/") : strlen(*text + 1);
    snprintf(value, sizeof value, "%.*s", (int)length, *text + 1);
    *text += 1 + length;
    return pen_spec_set(spec, name, value, err);
}

pen_status pen_spec_new(const char *method, pen_spec **out, pen_error *err)
{
    PEN_TRY(given(out, "out", err));
    *out = NULL;
    const char *rest = method ? method : "auto";
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(rest, "+/"), rest);
    const pen_method *found = pen_method_named(name);
    if (!found)
        return unknown_method(method, err);
    rest += strlen(name);
    pen_spec *spec = calloc(1, sizeof *spec);
    void *own = calloc(1, found->inner->size > 0 ? found->inner->size : 1);
    if (!spec || !own) {
        free(spec);
        free(own);
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    }
    *spec = (pen_spec){ .method = found, .own = own };
    pen_params_reset(found->params, own, &spec->common);
    pen_status status = set_part(spec, "kernel", '+', &rest, err);
    if (status == PEN_OK)
        status = set_part(spec, "classifier", '/', &rest, err);
    if (status == PEN_OK)
        *out = spec;
    else
        pen_spec_free(spec);
    return status;
}

void pen_spec_free(pen_spec *spec)
{
    if (!spec)
        return;
    drop_grids(spec);
    free(spec->own);
    free(spec);
}

const void *pen_spec_record(const pen_spec *spec, const pen_param *param)
{
    return param->common ? &spec->common : spec->own;
}

const pen_method *pen_spec_method(const pen_spec *spec)
{
    return spec ? spec->method : NULL;
}

pen_status pen_spec_copy(const pen_spec *spec, pen_spec **out, pen_error *err)
{
    PEN_TRY(given(out, "out", err));
    *out = NULL;
    PEN_TRY(given(spec, "spec", err));
    PEN_TRY(pen_spec_new(spec->method->name, out, err));
    (*out)->common = spec->common;
    (*out)->set = spec->set;
    memcpy((*out)->own, spec->own, spec->method->inner->size);
    const pen_status status = copy_grids(spec, *out, err);
    if (status != PEN_OK) {
        pen_spec_free(*out);
        *out = NULL;
    }
    return status;
}

/* The index of the parameter with that name; -1: no such parameter. */
static int64_t index_of(const pen_spec *spec, const char *name)
{
    const pen_param *const param = pen_param_find(spec->method->params, name);

    return param ? param - spec->method->params : -1;
}

int pen_spec_is_set(const pen_spec *spec, const char *name)
{
    const int64_t i = index_of(spec, name);

    return i >= 0 && (spec->set >> i & 1);
}

void pen_spec_read_by(pen_spec *spec, enum pen_classifier_kind kind)
{
    pen_common usual = { .dim = 0 };

    pen_params_reset(pen_common_params, NULL, &usual);
    if (spec->method->traits & PEN_PROPAGATES)
        usual.classifier.prior = spec->common.classifier.prior;
    spec->common.classifier = usual.classifier;
    spec->common.classifier.kind = kind;
}

/* The prefix that lists name instead of the parameters of one part of a fit; NULL: no prefix. */
static const char *family_of(const pen_param *param)
{
    static const char *const families[] = { "kernel", "pca" };

    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(param->name, families[i], strlen(families[i])) == 0)
            return families[i];
    return param->common == 2 ? "contradictions" : NULL;
}

pen_status pen_spec_find(const pen_spec *spec, const char *name, const pen_param **param,
                         int64_t *index, void **record, pen_error *err)
{
    char known[226] = "", meant[PEN_MEANT_SIZE];
    const char *last = NULL, *names[MOST_PARAMS];
    int64_t count = 0;

    PEN_TRY(given(spec, "spec", err));
    PEN_TRY(given(name, "name", err));
    *index = index_of(spec, name);
    if (*index >= 0) {
        *param = &spec->method->params[*index];
        *record = (void *)(uintptr_t)pen_spec_record(spec, *param);
        return PEN_OK;
    }
    const char *const today = pen_param_today(spec->method->name, name);
    if (today)
        return pen_error_set(err, PEN_UNKNOWN_NAME, "%.40s is now %s", name, today);
    for (*param = spec->method->params; (*param)->name; (*param)++) {
        const size_t used = strlen(known);
        const char *const family = family_of(*param);
        if (!family || family != last) /* there is no room for all */
            snprintf(known + used, sizeof known - used, "%s%s%s",
                     used ? ", " : "; it has: ", family ? family : (*param)->name,
                     family ? "..." : "");
        last = family;
        if (count < MOST_PARAMS)
            names[count++] = (*param)->name;
    }
    return pen_error_set(err, PEN_UNKNOWN_NAME, "unknown parameter \"%.40s\" for %s%s", name,
                         spec->method->name, *pen_meant(name, names, count, meant) ? meant : known);
}

/* The parameter is now set, and no longer tuned. */
static void note_set(pen_spec *spec, int64_t index)
{
    spec->set |= (uint64_t)1 << index;
    drop_grid(spec, index);
}

pen_status pen_spec_set(pen_spec *spec, const char *name, const char *text, pen_error *err)
{
    const pen_param *param;
    int64_t index;
    void *record;

    PEN_TRY(pen_spec_find(spec, name, &param, &index, &record, err));
    PEN_TRY(given(text, "text", err));
    PEN_TRY(pen_param_read(param, record, text, err));
    note_set(spec, index);
    return PEN_OK;
}

pen_status pen_spec_set_number(pen_spec *spec, const char *name, double value, pen_error *err)
{
    const pen_param *param;
    int64_t index;
    void *record;

    PEN_TRY(pen_spec_find(spec, name, &param, &index, &record, err));
    PEN_TRY(pen_param_set(param, record, value, err));
    note_set(spec, index);
    return PEN_OK;
}

size_t pen_spec_get(const pen_spec *spec, const char *name, char *text, size_t size)
{
    const pen_param *const param = spec && name ? pen_param_find(spec->method->params, name) : NULL;
    char value[PEN_PARAM_SIZE] = "";

    if (param)
        pen_param_write(param, pen_spec_record(spec, param), value);
    if (text && size > 0)
        snprintf(text, size, "%s", value);
    return strlen(value);
}

pen_status pen_spec_number(const pen_spec *spec, const char *name, double *value, pen_error *err)
{
    const pen_param *param;
    int64_t index;
    void *record;

    PEN_TRY(pen_spec_find(spec, name, &param, &index, &record, err));
    *value = pen_param_get(param, record);
    return PEN_OK;
}
