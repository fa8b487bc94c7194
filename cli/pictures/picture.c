/* picture.c - a picture of points in one or several panels, written as a gnuplot script. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/picture.h"

#include "pictures/gnuplot.h"
#include "pictures/palette.h"
#include "pictures/picture_legend.h"
#include "pictures/picture_points.h"

#include <stdlib.h>

/* Of three dimensions; its angles, in degrees, are those of depth_of in picture_points.c. */
static const double VIEW_TILT = 62, VIEW_TURN = 35, VIEW_ZOOM = 1.02;

/* ---- panels ---- */

static void write_axes(const picture_panel *panel, const rectangle *place, const frame *axes,
                       FILE *script)
{
    static const char letter[] = "xyz";
    char number[CLI_NUMBER_SIZE];

    for (int j = 0; j < panel->dims; j++) {
        fprintf(script, "set %crange [%s:", letter[j], cli_number(axes->min[j], number));
        fprintf(script, "%s]\n", cli_number(axes->max[j], number));
        fprintf(script, "set %ctics %s\n", letter[j], cli_number(axes->step[j], number));
        fprintf(script, "set %clabel ", letter[j]);
        legend_name(script, panel->axis_names[j],
                    (j == 0 ? place->right - place->left : place->top - place->bottom) / LAYOUT_EM);
        fprintf(script, "%s\n", j == 2 ? " rotate by 90" : "");
    }
}

/* The axes of a flat panel fill its place exactly; the box of three dimensions is scaled by gnuplot
 * to fit into it. */
static void write_place(const layout *lay, const rectangle *place, int flat, FILE *script)
{
    const double x = 1 / lay->width, y = 1 / lay->height;

    if (flat) {
        fprintf(script, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", place->left * x,
                place->right * x);
        fprintf(script, "set bmargin at screen %.5f\nset tmargin at screen %.5f\n",
                place->bottom * y, place->top * y);
        return;
    }
    const double left = place->left - 0.5 * lay->margin_left,
                 bottom = place->bottom - LAYOUT_BOTTOM;
    fprintf(script, "set margins 0,0,0,0\nset origin %.5f,%.5f\nset size %.5f,%.5f\n", left * x,
            bottom * y, (place->right - left) * x, (place->top - bottom) * y);
}

static void write_title(const picture_panel *panel, const layout *lay, const rectangle *place,
                        FILE *script)
{
    if (!panel->title)
        return;
    fputs("set label ", script);
    gnuplot_text(script, panel->title);
    fprintf(script, " at screen %.5f,%.5f center font ',%.1f'\n",
            (place->left + place->right) / 2 / lay->width,
            (place->top + 0.5 * LAYOUT_TITLE) / lay->height, lay->scale * 13);
}

static int write_plot(const picture_panel *panel, const layout *lay, const frame *axes,
                      FILE *script)
{
    point_order order;

    fputs(panel->dims == 2 ? "plot " : "splot ", script);
    const int ordered = points_order(panel, lay, axes, &order);
    if (ordered) {
        points_declare(panel, lay, &order, script);
        points_write(panel, lay, &order, script);
    }
    free(order.rows);
    return ordered;
}

static int write_panel(const picture *pic, const layout *lay, int p, const frame *axes,
                       FILE *script)
{
    const picture_panel *const panel = &pic->panels[p];
    const rectangle place = layout_panel(pic, lay, p);
    const int flat = panel->dims == 2;

    write_place(lay, &place, flat, script);
    write_axes(panel, &place, axes, script);
    if (!flat)
        fprintf(script,
                "set border 895 linewidth 0.7 linecolor rgb 0x%06X\nset grid x y z vertical\n",
                PALETTE_BOX);
    write_title(panel, lay, &place, script);
    const int written = write_plot(panel, lay, axes, script);
    fputs("unset label\n", script);
    return written;
}

/* ---- the picture ---- */

static void write_terminal(const picture *pic, const layout *lay, FILE *script)
{
    fprintf(script,
            "set encoding utf8\nset terminal %s size %.0f,%.0f noenhanced font '%s,%.1f' "
            "background '#%06x'\n",
            pic->svg ? "svg" : "pngcairo", lay->width * lay->scale, lay->height * lay->scale,
            pic->svg ? "Helvetica, Arial, sans-serif" : "Sans", LAYOUT_FONT * lay->scale,
            PALETTE_PAPER);
}

static void write_setup(const layout *lay, FILE *script)
{
    fprintf(script, "set multiplot\nunset key\nset border 3 linecolor rgb 0x%06X linewidth %.2f\n",
            PALETTE_AXIS, lay->scale);
    fprintf(script,
            "set tics nomirror out scale 0.6 textcolor rgb 0x%06X\nset xyplane 0\nset view "
            "%g,%g,%g\n",
            PALETTE_TEXT, VIEW_TILT, VIEW_TURN, VIEW_ZOOM);
    fprintf(script, "set grid linetype 1 linecolor rgb 0x%06X linewidth %.2f\n", PALETTE_GRID,
            0.8 * lay->scale);
}

static int write_all(const picture *pic, layout *lay, frame *frames, FILE *script)
{
    if (!layout_make(pic, lay, frames))
        return 0;
    write_terminal(pic, lay, script);
    write_setup(lay, script);
    for (int p = 0; p < pic->panel_count; p++) {
        if (p == pic->panel_count - 1)
            legend_write(pic, lay, script);
        if (!write_panel(pic, lay, p, &frames[p], script))
            return 0;
    }
    fputs("unset multiplot\n", script);
    return 1;
}

int picture_write(const picture *pic, FILE *script)
{
    layout lay = { .scale = 1 };
    frame *const frames = calloc((size_t)pic->panel_count, sizeof *frames);
    const int written = frames && write_all(pic, &lay, frames, script);

    free(lay.names.entries);
    free(frames);
    return written;
}
