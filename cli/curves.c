/* curves.c - accuracy over the number of dimensions, drawn for the report of compare. */
#include "curves.h"

#include "picture_page.h"

#include <math.h>
#include <stdlib.h>

enum { CURVES = 8, WIDTH = 1000, HEIGHT = 640 };

static int has_curve(const pen_comparison *found, const pen_compared *candidate)
{
    for (int64_t d = 0; d < found->dim_count; d++)
        if (!isnan(candidate->curve[d]))
            return 1;
    return 0;
}

/* The points of one curve; a number of dimensions that is not given has none. */
static void add_points(const pen_comparison *found, const pen_compared *candidate, int class_index,
                       picture_panel *panel)
{
    for (int64_t d = 0; d < found->dim_count; d++) {
        if (isnan(candidate->curve[d]))
            continue;
        panel->points[2 * panel->count] = (double)found->dims[d];
        panel->points[2 * panel->count + 1] = candidate->curve[d];
        panel->classes[panel->count] = class_index;
        panel->known[panel->count++] = 1;
    }
}

static int draw(const cli_args *args, const pen_comparison *found, const char *path,
                picture_panel *panel, FILE **drawn, int *count)
{
    const char *names[CURVES];
    picture pic = { .width = WIDTH, .height = HEIGHT, .panel_count = 1, .panels = panel };

    for (int64_t m = 0; m < found->count && *count < CURVES; m++) {
        if (!has_curve(found, &found->candidates[m]))
            continue;
        names[*count] = found->candidates[m].name;
        add_points(found, &found->candidates[m], (*count)++, panel);
    }
    pic.class_names = names;
    pic.class_count = *count;
    return *count > 0
               ? picture_figure(&pic, args, "accuracy by the number of dimensions", path, drawn)
               : CLI_OK;
}

int curves_draw(const cli_args *args, const pen_comparison *found, const char *path, FILE **drawn,
                int *count)
{
    const size_t most = CURVES * (size_t)found->dim_count;
    picture_panel panel = { .dims = 2,
                            .joined = 1,
                            .axis_names = { "dimensions", "accuracy" },
                            .baseline = found->chance,
                            .baseline_name = "chance",
                            .points = malloc(2 * most * sizeof(double)),
                            .classes = malloc(most * sizeof(int)),
                            .known = malloc(most) };
    int status;

    *drawn = NULL;
    *count = 0;
    if (panel.points && panel.classes && panel.known)
        status = draw(args, found, path, &panel, drawn, count);
    else
        status = cli_say(args->command, CLI_FAILED, "out of memory for the curves");
    free(panel.points);
    free(panel.classes);
    free(panel.known);
    return status;
}
