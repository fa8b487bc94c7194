/* spec_grid.c - the grids of parameters, which tuning tries. */
#include "model/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = PEN_PARAM_SIZE };

const char *pen_spec_given_grid(const pen_spec *spec, const char *name)
{
    const pen_param *const param = pen_param_find(spec->method->params, name);

    return spec->grids && param ? spec->grids[param - spec->method->params] : NULL;
}

int pen_grid_has(const char *text, const char *value)
{
    const size_t length = strlen(value);

    for (const char *at = text; (at = strstr(at, value)); at++)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    return 0;
}

/* Checks a value with a copy of the record; appends it to `grid` as pen_param_text writes it. */
static pen_status add_value(const pen_param *param, void *record, const char *text, char *grid,
                            pen_error *err)
{
    const size_t used = strlen(grid);
    char value[VALUE];

    PEN_TRY(pen_param_read(param, record, text, err));
    pen_param_write(param, record, value);
    if (!*value)
        snprintf(value, sizeof value, "none");
    if (pen_grid_has(grid, value))
        return pen_error_set(err, PEN_BAD_ARGUMENT, "the grid of %s has %s twice", param->name,
                             value);
    snprintf(grid + used, (PEN_MOST_GRID_VALUES * VALUE) - used, "%s%s", used ? " " : "", value);
    return PEN_OK;
}

static pen_status read_values(const pen_param *param, void *record, const char *values, char *grid,
                              pen_error *err)
{
    const char *const between = param->form && param->form->list ? " " : " ,";
    char text[2 * VALUE];
    int count = 0;

    while (*(values += strspn(values, between))) {
        const size_t length = strcspn(values, between);
        if (++count > PEN_MOST_GRID_VALUES)
            return pen_error_set(err, PEN_BAD_ARGUMENT, "the grid of %s has more than %d values",
                                 param->name, PEN_MOST_GRID_VALUES);
        /* a truncated text is not a value */
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text),
                 values);
        PEN_TRY(add_value(param, record, text, grid, err));
        values += length;
    }
    return count > 0
               ? PEN_OK
               : pen_error_set(err, PEN_BAD_ARGUMENT, "the grid of %s has no values", param->name);
}

/* Reads the values into the record of another spec. */
static pen_status read_grid(const pen_spec *spec, const pen_param *param, const char *values,
                            char *grid, pen_error *err)
{
    pen_spec *scratch;

    PEN_TRY(pen_spec_new(spec->method->name, &scratch, err));
    const pen_status status =
        read_values(param, (void *)(uintptr_t)pen_spec_record(scratch, param), values, grid, err);
    pen_spec_free(scratch);
    return status;
}

pen_status pen_spec_set_grid(pen_spec *spec, const char *name, const char *values, pen_error *err)
{
    const pen_param *param;
    int64_t index;
    void *record;

    if (err)
        *err = (pen_error){ .code = PEN_OK };
    PEN_TRY(pen_spec_find(spec, name, &param, &index, &record, err));
    if (pen_name_equal(param->name, "dim"))
        return pen_error_set(err, PEN_BAD_ARGUMENT,
                             "dim has no grid: unless it is set, tuning tries several numbers of "
                             "dimensions");
    char *const grid = calloc(PEN_MOST_GRID_VALUES, VALUE);
    if (!grid)
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    pen_status status = read_grid(spec, param, values, grid, err);
    if (status == PEN_OK)
        status = pen_spec_keep_grid(spec, index, grid, err);
    free(grid);
    return status;
}
