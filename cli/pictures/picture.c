/* picture.c - a picture of points in one or several panels, written as a gnuplot script. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/picture.h"

#include "pictures/gnuplot.h"
#include "pictures/palette.h"
#include "pictures/picture_legend.h"
#include "pictures/picture_points.h"

#include <math.h>

/* Of three dimensions; its angles, in degrees, are those of depth_of in picture_points.c. */
static const double VIEW_TILT = 62, VIEW_TURN = 35, VIEW_ZOOM = 1.02;
static const double USUAL_AREA = 1000.0 * 800.0;
static const double MARGIN_AXES = 100; /* about, of the labels of an axis and its ends */
enum { CROWD = 20000 };

/* ---- what the points are ---- */

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

static void make_layout(const picture *pic, layout *lay)
{
    *lay = (layout){ .crowded = picture_is_crowded(pic) };
    for (int p = 0; p < pic->panel_count; p++)
        look_at_panel(&pic->panels[p], lay);
    lay->scale = sqrt((double)pic->width * pic->height / USUAL_AREA);
    lay->width = pic->width / lay->scale;
    lay->height = pic->height / lay->scale;
    lay->columns = (int)ceil(sqrt((double)pic->panel_count));
    lay->rows = (pic->panel_count + lay->columns - 1) / lay->columns;
    legend_place(pic, lay);
    if (!pic->fixed && lay->names.below)
        lay->height += lay->names.height;
}

/* ---- the script ---- */

static void write_setup(const picture *pic, const layout *lay, FILE *script)
{
    fprintf(script,
            "set encoding utf8\nset terminal %s size %.0f,%.0f noenhanced font '%s,%.1f' "
            "background '#%06x'\n",
            pic->svg ? "svg" : "pngcairo", lay->width * lay->scale, lay->height * lay->scale,
            pic->svg ? "Helvetica, Arial, sans-serif" : "Sans", LAYOUT_FONT * lay->scale,
            PALETTE_PAPER);
    fprintf(script, "set multiplot\nunset key\nset border 3 linecolor rgb 0x%06X linewidth %.2f\n",
            PALETTE_AXIS, lay->scale);
    fprintf(script,
            "set tics nomirror out scale 0.6 textcolor rgb 0x%06X\nset xyplane 0\nset view "
            "%g,%g,%g\n",
            PALETTE_TEXT, VIEW_TILT, VIEW_TURN, VIEW_ZOOM);
    fprintf(script, "set grid linetype 1 linecolor rgb 0x%06X linewidth %.2f\n", PALETTE_GRID,
            0.8 * lay->scale);
    fputs("set autoscale noextend\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n",
          script);
}

/* The place of panel p, its axes and its title; gnuplot finds margins, ranges and tics. */
static void write_axes(const picture *pic, const layout *lay, int p, FILE *script)
{
    const picture_panel *const panel = &pic->panels[p];
    const double below = lay->names.below ? lay->names.height / lay->height : 0,
                 right = lay->names.below ? 0 : lay->names.width / lay->width,
                 width = (1 - right) / lay->columns, height = (1 - below) / lay->rows;

    fprintf(script, "set origin %.5f,%.5f\nset size %.5f,%.5f\n", p % lay->columns * width,
            1 - (p / lay->columns + 1) * height, width, height);
    for (int j = 0; j < panel->dims; j++) {
        const double length = (j == 0 ? width * lay->width : height * lay->height) - MARGIN_AXES;
        fprintf(script, "set %clabel ", "xyz"[j]);
        legend_name(script, panel->axis_names[j], fmax(8, length / LAYOUT_EM));
        fprintf(script, "%s\n", j == 2 ? " rotate by 90" : "");
    }
    if (panel->dims == 3)
        fprintf(script,
                "set border 895 linewidth 0.7 linecolor rgb 0x%06X\nset grid x y z vertical\n",
                PALETTE_BOX);
    if (panel->title) {
        fputs("set title ", script);
        gnuplot_text(script, panel->title);
        fprintf(script, " font ',%.1f'\n", lay->scale * 13);
    }
}

void picture_write(const picture *pic, FILE *script)
{
    layout lay;

    make_layout(pic, &lay);
    write_setup(pic, &lay, script);
    for (int p = 0; p < pic->panel_count; p++) {
        const picture_panel *const panel = &pic->panels[p];
        if (p == pic->panel_count - 1)
            legend_write(&lay, script);
        write_axes(pic, &lay, p, script);
        fputs(panel->dims == 2 ? "plot " : "splot ", script);
        points_write(panel, &lay, script);
    }
    fputs("unset multiplot\n", script);
}
