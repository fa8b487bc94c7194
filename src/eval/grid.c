/* grid.c - combinations of parameter values, in order of the number that differ from the given
 * ones. */
#include "eval/tune.h"

#include "core/params.h"
#include "kernels/kernel_gamma.h"
#include "model/spec.h"

#include <stdio.h>
#include <string.h>

enum { VALUE = 32 };

/* Does the parameter vary over the grid? That of a kernel does where there is one, and columns of
 * kernel values have no scale. */
static int varies(const pen_spec *spec, const pen_param *param)
{
    const enum pen_kernel_kind kernel = spec->common.kernel.kind;

    if (!param->grid || pen_spec_is_set(spec, param->name))
        return 0;
    if (strcmp(param->name, "kernel_gamma") == 0)
        return pen_kernel_has_gamma(kernel);
    return kernel != PEN_KERNEL_PRECOMPUTED || strcmp(param->name, "scale") != 0;
}

/* Value `index` of a grid, whose values are separated by blanks. Returns 0 after the last. */
static int value_at(const char *grid, int64_t index, char text[VALUE])
{
    for (;; index--) {
        grid += strspn(grid, " ");
        const size_t length = strcspn(grid, " ");
        if (length == 0 || length >= VALUE)
            return 0;
        if (index == 0) {
            memcpy(text, grid, length);
            text[length] = '\0';
            return 1;
        }
        grid += length;
    }
}

/* Count the grid values that differ from the current one; `text` gets number `wanted` of them. */
static int64_t others(const pen_spec *spec, const pen_param *param, int64_t wanted,
                      char text[VALUE])
{
    char own[VALUE], value[VALUE];
    int64_t count = 0;

    pen_param_text(param, pen_param_get(param, pen_spec_record(spec, param)), own, sizeof own);
    for (int64_t i = 0; value_at(param->grid, i, value); i++) {
        if (strcmp(value, own) == 0)
            continue;
        if (count++ == wanted)
            memcpy(text, value, VALUE);
    }
    return count;
}

/* ways[c]: the number of combinations in which c of the parameters from `first` on differ from the
 * current values. */
enum { MOST_PARAMS = 16 };

static void count_ways(const pen_spec *spec, int64_t first, int64_t ways[MOST_PARAMS + 1])
{
    const pen_param *param;
    int64_t last = 0;
    char text[VALUE];

    memset(ways, 0, (MOST_PARAMS + 1) * sizeof *ways);
    ways[0] = 1;
    while (pen_method_param(spec->method, last))
        last++;
    for (int64_t i = last - 1; i >= first; i--) {
        param = pen_method_param(spec->method, i);
        if (!varies(spec, param))
            continue;
        const int64_t count = others(spec, param, -1, text);
        for (int c = MOST_PARAMS; c > 0; c--)
            ways[c] += count * ways[c - 1];
    }
}

int64_t pen_grid_size(const pen_spec *spec)
{
    int64_t ways[MOST_PARAMS + 1], size = 0;

    count_ways(spec, 0, ways);
    for (int c = 0; c <= MOST_PARAMS; c++)
        size += ways[c];
    return size;
}

/* Set combination `index` among those in which exactly `changed` parameters differ, ordered by the
 * first parameter that does. */
static pen_status set_changed(const pen_spec *spec, int changed, int64_t index, pen_spec *out,
                              pen_error *err)
{
    const pen_param *param;
    int64_t ways[MOST_PARAMS + 1];
    char text[VALUE];

    for (int64_t i = 0; changed > 0 && (param = pen_method_param(spec->method, i)); i++) {
        if (!varies(spec, param))
            continue;
        count_ways(spec, i + 1, ways);
        const int64_t count = others(spec, param, -1, text), with = count * ways[changed - 1];
        if (index >= with) {
            index -= with;
            continue;
        }
        others(spec, param, index / ways[changed - 1], text);
        PEN_TRY(pen_spec_set(out, param->name, text, err));
        index %= ways[changed - 1];
        changed--;
    }
    return PEN_OK;
}

pen_status pen_grid_spec(pen_run *run, const pen_spec *spec, int64_t index, pen_spec **out)
{
    int64_t ways[MOST_PARAMS + 1];
    int changed = 0;
    pen_error err;

    pen_status status = pen_spec_copy(spec, out, &err);
    PEN_REQUIRE(run, status == PEN_OK, status, "%s", err.message);
    count_ways(spec, 0, ways);
    while (changed < MOST_PARAMS && index >= ways[changed])
        index -= ways[changed++];
    status = set_changed(spec, changed, index, *out, &err);
    if (status != PEN_OK) {
        pen_spec_free(*out);
        *out = NULL;
        return pen_fail(run, PEN_INTERNAL, "the grid of %s: %s", spec->method->name, err.message);
    }
    return PEN_OK;
}
