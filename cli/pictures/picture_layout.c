/* picture_layout.c - where the panels and the legend of a picture are.
 *
 * Everything is placed in pixels, because gnuplot would give each panel margins of its own. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/picture_layout.h"

#include "pictures/picture_legend.h"

#include <math.h>

static const double USUAL_AREA = 1000.0 * 800.0;
static const double MARGIN_LEFT = 46, DIGIT = 9.4;
static const double NUMBER_EVERY = 56; /* between the numbers on an axis */
enum { CROWD = 20000 };

/* ---- the points ---- */

int picture_is_crowded(const picture *pic)
{
    int64_t count = 0;

    for (int p = 0; p < pic->panel_count; p++)
        count += pic->panels[p].count;
    return count > CROWD;
}

static void look_at_panel(const picture_panel *panel, layout *lay)
{
    int64_t known = 0;

    for (int64_t i = 0; i < panel->count; i++) {
        const int filled = panel->pale[i] == PICTURE_FILLED;
        known += filled;
        lay->has_unknown |= !filled && panel->classes[i] != PICTURE_NO_CLASS;
        lay->palest = panel->pale[i] > lay->palest ? panel->pale[i] : lay->palest;
        lay->has_classless |= panel->classes[i] == PICTURE_NO_CLASS;
    }
    lay->has_known |= known > 0;
    lay->most_known = known > lay->most_known ? known : lay->most_known;
}

/* What the points are. */
static void look(const picture *pic, layout *lay)
{
    *lay = (layout){ .crowded = picture_is_crowded(pic) };
    for (int p = 0; p < pic->panel_count; p++)
        look_at_panel(&pic->panels[p], lay);
}

/* ---- axes ---- */

/* The range of a coordinate with a margin at both ends. */
static void find_range(const picture_panel *panel, int j, double *min, double *max)
{
    *min = *max = panel->points[j];
    for (int64_t i = 1; i < panel->count; i++) {
        *min = fmin(*min, panel->points[i * panel->dims + j]);
        *max = fmax(*max, panel->points[i * panel->dims + j]);
    }
    const double room =
        fmax(0.05 * (*max - *min), fmax(1e-5 * fmax(fabs(*min), fabs(*max)), 1e-300));
    *min -= room;
    *max += room;
}

/* 1, 2 or 5 times a power of ten, so that there are at most `most` steps in the range. */
static double nice_step(double range, double most)
{
    const double power = pow(10, floor(log10(range / most))), part = range / most / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Letters of the longest number on the vertical axis. */
static int widest_number(const frame *axes)
{
    char text[CLI_NUMBER_SIZE];
    int widest = 0;
    for (double k = ceil(axes->min[1] / axes->step[1]); k <= axes->max[1] / axes->step[1]; k++)
        widest = (int)fmax(widest, snprintf(text, sizeof text, "%g", k * axes->step[1]));
    return widest;
}

/* The axes of a panel in a place of width x height. */
static void make_frame(const picture_panel *panel, double width, double height, frame *axes)
{
    for (int j = 0; j < panel->dims; j++) {
        const double length = panel->dims == 3 ? 0.5 * fmin(width, height)
                              : j == 0         ? width
                                               : height;
        find_range(panel, j, &axes->min[j], &axes->max[j]);
        axes->step[j] = nice_step(axes->max[j] - axes->min[j], fmax(2, length / NUMBER_EVERY));
    }
}

/* ---- the layout ---- */

static double panel_height(const layout *lay)
{
    return (lay->height - (lay->names.below ? lay->names.height : 0)) / lay->rows;
}

static double panel_width(const layout *lay)
{
    return (lay->width - (lay->names.below ? 0 : lay->names.width)) / lay->columns;
}

int layout_make(const picture *pic, layout *lay, frame *frames)
{
    int widest = 0;

    look(pic, lay);
    if (!legend_list(pic, lay))
        return 0;
    lay->scale = sqrt((double)pic->width * pic->height / USUAL_AREA);
    lay->width = pic->width / lay->scale;
    lay->height = pic->height / lay->scale;
    lay->columns = (int)ceil(sqrt((double)pic->panel_count));
    lay->rows = (pic->panel_count + lay->columns - 1) / lay->columns;
    legend_place(pic, lay);
    if (!pic->fixed && lay->names.below)
        lay->height += lay->names.height;
    for (int p = 0; p < pic->panel_count; p++) {
        make_frame(&pic->panels[p], panel_width(lay), panel_height(lay), &frames[p]);
        widest = (int)fmax(widest, widest_number(&frames[p]));
    }
    lay->margin_left = MARGIN_LEFT + DIGIT * widest;
    return 1;
}

rectangle layout_panel(const picture *pic, const layout *lay, int p)
{
    const double width = panel_width(lay), height = panel_height(lay);
    const double left = p % lay->columns * width, top = lay->height - p / lay->columns * height;
    const double title = pic->panels[p].title ? LAYOUT_TITLE : 0;

    return (rectangle){ left + lay->margin_left, left + width - LAYOUT_EDGE,
                        top - height + LAYOUT_BOTTOM, top - LAYOUT_TOP - title };
}
