/* grid.c - combinations of parameter values, by the sum of their ranks. */
#include "eval/choose/grid.h"

#include "core/params.h"
#include "core/sort.h"
#include "kernels/kernel_gamma.h"

#include <stdlib.h>
#include <string.h>

/* Did the caller give values for any parameter? */
static int has_given(const pen_spec *spec)
{
    for (int64_t i = 0; spec->grids && spec->method->params[i].name; i++)
        if (spec->grids[i])
            return 1;
    return 0;
}

/* The values to try for a parameter; NULL: it keeps its value. If the caller gave no values at all,
 * its default grid counts unless it is set. Grids of kernel parameters need a kernel, and columns
 * of kernel values have no scale. */
static const char *values_of(const pen_spec *spec, const pen_param *param)
{
    const char *const given = pen_spec_given_grid(spec, param->name);
    const enum pen_kernel_kind kernel = spec->common.kernel.kind;

    if (given || !param->grid || pen_spec_is_set(spec, param->name) || has_given(spec))
        return given;
    if (strcmp(param->name, "kernel_gamma") == 0)
        return pen_kernel_has_gamma(kernel) ? param->grid : NULL;
    return kernel == PEN_KERNEL_PRECOMPUTED && strcmp(param->name, "scale") == 0 ? NULL
                                                                                 : param->grid;
}

/* ---- axes ---- */

/* The value of the spec comes first; it is not tried if the caller gave other values. */
static pen_status open_axis(pen_run *run, const pen_spec *spec, const pen_param *param,
                            const char *text, pen_grid_axis *out)
{
    char own[PEN_PARAM_SIZE], *copy;

    pen_param_write(param, pen_spec_record(spec, param), own);
    PEN_TRY(PEN_NEW(run, out->values, (int64_t)strlen(text) + 1));
    out->param = param;
    out->count = 0;
    if (pen_grid_has(text, own) || !pen_spec_given_grid(spec, param->name)) {
        PEN_TRY(PEN_NEW(run, copy, PEN_PARAM_SIZE));
        memcpy(copy, own, PEN_PARAM_SIZE);
        out->values[out->count++] = copy;
    }
    while (*(text += strspn(text, " "))) {
        const size_t length = strcspn(text, " ");
        PEN_TRY(PEN_NEW(run, copy, (int64_t)length + 1));
        memcpy(copy, text, length);
        copy[length] = '\0';
        if (strcmp(copy, own) != 0 || out->count == 0)
            out->values[out->count++] = copy;
        text += length;
    }
    return PEN_OK;
}

static pen_status open_axes(pen_run *run, const pen_spec *spec, pen_grid *grid)
{
    const pen_param *param;
    int64_t count = 0;

    while (spec->method->params[count].name)
        count++;
    PEN_TRY(PEN_NEW(run, grid->axes, count));
    for (param = spec->method->params; param->name; param++) {
        const char *const text = values_of(spec, param);
        if (text)
            PEN_TRY(open_axis(run, spec, param, text, &grid->axes[grid->axis_count++]));
    }
    return PEN_OK;
}

/* ---- ranks ---- */

/* The index of the value of axis a in a combination: the last axis varies fastest. */
static int64_t place_of(const pen_grid *grid, int64_t combination, int64_t a)
{
    for (int64_t last = grid->axis_count - 1; last > a; last--)
        combination /= grid->axes[last].count;
    return combination % grid->axes[a].count;
}

/* Sorts by rank; among ties the last comes first, because it departs more in an earlier
 * parameter. */
static pen_status sort_combinations(pen_run *run, pen_grid *grid)
{
    PEN_TRY(PEN_NEW(run, grid->order, grid->size));
    for (int64_t i = 0; i < grid->size; i++) {
        int64_t rank = 0;
        for (int64_t a = 0; a < grid->axis_count; a++) {
            const int64_t place = place_of(grid, i, a);
            rank += place > 0 ? 2 * place - 1 : 0;
        }
        grid->order[i] = (pen_ranked){ rank, -i };
    }
    qsort(grid->order, (size_t)grid->size, sizeof *grid->order, pen_by_two_int64);
    return PEN_OK;
}

pen_status pen_grid_open(pen_run *run, const pen_spec *spec, pen_grid *out)
{
    *out = (pen_grid){ .spec = spec, .size = 1 };
    PEN_TRY(open_axes(run, spec, out));
    for (int64_t a = 0; a < out->axis_count; a++)
        out->size = pen_times(out->size, out->axes[a].count);
    PEN_REQUIRE(run, out->size <= PEN_MOST_COMBINATIONS, PEN_BAD_ARGUMENT,
                "the grids of %s must have at most %d combinations, got %.6g", spec->method->name,
                PEN_MOST_COMBINATIONS, (double)out->size);
    return sort_combinations(run, out);
}

static pen_status set_values(const pen_grid *grid, int64_t combination, pen_spec *out,
                             pen_error *err)
{
    for (int64_t a = 0; a < grid->axis_count; a++) {
        const pen_grid_axis *const axis = &grid->axes[a];
        const int64_t v = place_of(grid, combination, a);
        if (v > 0 || pen_spec_given_grid(grid->spec, axis->param->name))
            PEN_TRY(pen_spec_set(out, axis->param->name, axis->values[v], err));
    }
    return PEN_OK;
}

pen_status pen_grid_spec(pen_run *run, const pen_grid *grid, int64_t index, pen_spec **out)
{
    pen_error err;

    PEN_TRY(pen_spec_copy(grid->spec, out, pen_run_error(run)));
    const pen_status status = set_values(grid, -grid->order[index].minus_index, *out, &err);
    PEN_REQUIRE(run, status == PEN_OK, PEN_INTERNAL, "the grid of %s: %s", grid->spec->method->name,
                err.message);
    return PEN_OK;
}
