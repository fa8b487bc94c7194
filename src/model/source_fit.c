/* source_fit.c - the rows of PEN_SPACE_PARAMS, by their names. */
#include "model/source_fit.h"

/* A seed alone says nothing: programs set it wherever there is one. */
static const char *const landmark_params[] = { "landmarks", "landmark_mode", NULL };

static int64_t whole(const pen_spec *spec, const char *name)
{
    return (int64_t)pen_param_get(pen_param_find(spec->method->params, name), spec->own);
}

int pen_source_is_plain(const pen_spec *spec)
{
    return pen_param_find(spec->method->params, "space") && whole(spec, "space") == PEN_SPACE_PLAIN;
}

static pen_status read_space(pen_run *run, const pen_spec *spec, pen_space *out)
{
    if (!pen_param_find(spec->method->params, "space"))
        return PEN_OK;
    for (int i = 0; pen_source_is_plain(spec) && landmark_params[i]; i++) {
        const pen_param *const param = pen_param_find(spec->method->params, landmark_params[i]);
        PEN_REQUIRE(run, pen_param_get(param, spec->own) == param->initial, PEN_BAD_ARGUMENT,
                    "%s is set, but space is plain", param->name);
    }
    *out = (pen_space){ (enum pen_space_kind)whole(spec, "space"), whole(spec, "landmarks"),
                        whole(spec, "seed"), (enum pen_landmark_mode)whole(spec, "landmark_mode") };
    return PEN_OK;
}

pen_status pen_source_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                               pen_neighbor_source *out)
{
    pen_given *given;

    *out = (pen_neighbor_source){ .space = { .kind = PEN_SPACE_PLAIN } };
    PEN_TRY(read_space(run, spec, &out->space));
    if (!data->neighbors)
        return PEN_OK;
    PEN_REQUIRE(run, spec->method->traits & PEN_NEIGHBORS, PEN_BAD_ARGUMENT,
                "%s takes no neighbor graph: it does not seek the nearest of all rows, or not in "
                "one space",
                spec->method->name);
    PEN_REQUIRE(run, out->space.kind == PEN_SPACE_PLAIN, PEN_BAD_ARGUMENT,
                "space must be plain where neighbors are given, in whatever space they were found, "
                "got %s",
                pen_space_names[out->space.kind]);
    PEN_TRY(PEN_NEW(run, given, 1));
    PEN_TRY(pen_given_open(run, data->neighbors, data->x.rows, given));
    out->given = given;
    return PEN_OK;
}

pen_status pen_source_fit_check(pen_run *run, const pen_spec *spec,
                                const pen_neighbor_source *source)
{
    PEN_REQUIRE(run, !source->given || source->asked, PEN_BAD_ARGUMENT,
                "%s seeks no neighbors with these parameters: leave out the neighbor graph",
                spec->method->name);
    return PEN_OK;
}
