/* passes.c - pen_spec_passes: the passes of a fit over rows in blocks; divides a fit that needs
 * every row. */
#include "core/arguments.h"
#include "model/spec.h"
#include "stats/stats_rows.h"

#include <math.h>

int pen_spec_passes(const pen_spec *spec)
{
    const int parts = spec ? pen_method_parts(spec->method) : 0;

    if (!parts || !pen_stats_steps_possible(spec)
        || spec->common.classifier.kind == PEN_CLASSIFIER_SELF_TRAINING
        || spec->common.pairs.weights == PEN_PAIR_WEIGHTS_AGREEMENT)
        return 0;
    const enum pen_sought sought =
        spec->method->inner->sought ? spec->method->inner->sought(spec->own) : PEN_SOUGHT_NOTHING;
    const int rows = spec->common.classifier.kind == PEN_CLASSIFIER_NONE ? 0 : PEN_PART_ROWS;
    return sought == PEN_SOUGHT_ALL       ? 0
           : sought == PEN_SOUGHT_NEAREST ? parts | rows
                                          : (parts & ~PEN_PART_NEAREST) | rows;
}

static void take_rows(const pen_common *from, pen_common *to)
{
    to->row = from->row;
    to->scale = from->scale;
    to->pca = from->pca;
    to->pca_most = from->pca_most;
    to->pca_scale = from->pca_scale;
}

static pen_status split(pen_run *run, const pen_spec *spec, pen_spec **components, pen_spec **rest)
{
    /* components already have the units of the columns */
    static const pen_common as_they_are = { .scale = PEN_SCALE_NONE };

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, components, "components"));
    PEN_TRY(pen_check_given(run, rest, "rest"));
    PEN_TRY(pen_stats_check_steps(run, spec));
    PEN_TRY(pen_spec_copy(spec, rest, pen_run_error(run)));
    PEN_TRY(pen_spec_new("pca", components, pen_run_error(run)));
    take_rows(&spec->common, &(*components)->common);
    if ((*components)->common.pca == 0)
        (*components)->common.pca = INFINITY;
    (*components)->common.classifier.kind = PEN_CLASSIFIER_NONE;
    take_rows(&as_they_are, &(*rest)->common);
    return PEN_OK;
}

pen_status pen_spec_split(const pen_spec *spec, pen_spec **components, pen_spec **rest,
                          pen_error *err)
{
    if (components)
        *components = NULL;
    PEN_MAKE(NULL, err, rest, pen_spec_free, split(run, spec, components, rest));
}
