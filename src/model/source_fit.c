/* source_fit.c - opens a given neighbor graph, and checks that the fit used it. */
#include "model/source_fit.h"

pen_status pen_source_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                               const pen_view *x, pen_neighbor_source *out)
{
    pen_given *given;

    *out = (pen_neighbor_source){ .given = NULL };
    if (!data->graph)
        return PEN_OK;
    PEN_REQUIRE(run, spec->method->traits & PEN_NEIGHBORS, PEN_BAD_ARGUMENT,
                "%s takes no neighbor graph: it does not search all rows for neighbors, or "
                "searches in more than one space",
                spec->method->name);
    PEN_TRY(PEN_NEW(run, given, 1));
    PEN_TRY(pen_given_open(run, data->graph, data->x.rows, given));
    PEN_TRY(pen_given_spot_check(run, given, x));
    out->given = given;
    return PEN_OK;
}

pen_status pen_source_fit_check(pen_run *run, const pen_spec *spec,
                                const pen_neighbor_source *source)
{
    PEN_REQUIRE(run, !source->given || source->asked, PEN_BAD_ARGUMENT,
                "%s seeks no neighbors with these parameters; leave out the neighbor graph",
                spec->method->name);
    return PEN_OK;
}
