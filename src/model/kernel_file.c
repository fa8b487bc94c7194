/* kernel_file.c - the kernel of a model in its file. */
#include "model/model_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

void pen_kernel_file_add(pen_string *text, const pen_model_kernel_map *kernel)
{
    pen_string object = { .data = NULL };

    pen_text_add_string(&object, "{");
    pen_text_add_member(&object, "name", pen_kernel_names[kernel->form.kind]);
    pen_text_add_count(&object, "columns", kernel->inputs);
    pen_text_add_number(&object, "gamma", kernel->form.gamma);
    pen_text_add_count(&object, "degree", kernel->form.degree);
    pen_text_add_number(&object, "coef0", kernel->form.coef0);
    pen_text_add_string(&object, "}");
    pen_text_add_text(text, "kernel", &object);
}

static pen_status read_form(const pen_model_source *s, const pen_json *object,
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
    PEN_TRY(pen_source_number(s, "kernel", object, "columns", 1, MOST_COLUMNS, &columns));
    PEN_TRY(pen_source_number(s, "kernel", object, "gamma", DBL_TRUE_MIN, DBL_MAX,
                              &kernel->form.gamma));
    PEN_TRY(pen_source_number(s, "kernel", object, "degree", 1, 0x1p53, &degree));
    PEN_TRY(pen_source_number(s, "kernel", object, "coef0", 0, DBL_MAX, &kernel->form.coef0));
    REFUSE_UNLESS(s, columns == floor(columns) && degree == floor(degree),
                  "%s: metadata \"kernel\": columns and degree must be whole numbers", s->name);
    kernel->inputs = (int64_t)columns;
    kernel->form.degree = (int64_t)degree;
    return PEN_OK;
}

static pen_status check_kernel(const pen_model_source *s, const pen_tensor t[TENSORS],
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

pen_status pen_kernel_file_read(const pen_model_source *s, const pen_json *metadata,
                                const pen_tensor t[TENSORS], pen_model *model)
{
    pen_json *object;

    if (!(s->needs & NEEDS_KERNEL))
        return PEN_OK;
    PEN_TRY(pen_source_json(s, metadata, "kernel", &object));
    PEN_TRY(read_form(s, object, &model->kernel));
    return check_kernel(s, t, model);
}
