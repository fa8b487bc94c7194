/* picture_save.c - a picture of points in one or several panels, written as a gnuplot script. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/layout.h"
#include "pictures/palette.h"

#include <math.h>
#include <string.h>

static const double VIEW_ZOOM = 1.02; /* of three dimensions */
static const double USUAL_AREA = 1000.0 * 800.0;
static const double MARGIN_AXES = 100; /* about, of the labels of an axis and its ends */
enum { CROWD = 20000, TITLE = 160 };

/* ---- what the points are ---- */

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
    lay->most_known = known > lay->most_known ? known : lay->most_known;
}

static layout make_layout(const picture *pic)
{
    layout lay = { .scale = sqrt((double)pic->width * pic->height / USUAL_AREA) };
    int64_t points = 0;

    for (int p = 0; p < pic->panel_count; p++) {
        look_at_panel(&pic->panels[p], &lay);
        points += pic->panels[p].count;
    }
    lay.crowded = points > CROWD;
    lay.width = pic->width / lay.scale;
    lay.height = pic->height / lay.scale;
    lay.columns = (int)ceil(sqrt((double)pic->panel_count));
    lay.rows = (pic->panel_count + lay.columns - 1) / lay.columns;
    return lay;
}

/* ---- the script ---- */

static void write_setup(const layout *lay, FILE *script)
{
    fprintf(script,
            "set encoding utf8\nset terminal %s size %.0f,%.0f noenhanced font '%s,%.1f' "
            "background '#%06x'\n",
            lay->svg ? "svg" : "pngcairo", lay->width * lay->scale, lay->height * lay->scale,
            lay->svg ? "Helvetica, Arial, sans-serif" : "Sans", LAYOUT_FONT * lay->scale,
            PALETTE_PAPER);
    fprintf(script, "set multiplot\nunset key\nset border 3 linecolor rgb 0x%06X linewidth %.2f\n",
            PALETTE_AXIS, lay->scale);
    fprintf(script,
            "set tics nomirror out scale 0.6 textcolor rgb 0x%06X\nset xyplane 0\nset view "
            "%g,%g,%g\n",
            PALETTE_TEXT, LAYOUT_TILT, LAYOUT_TURN, VIEW_ZOOM);
    fprintf(script, "set grid linetype 1 linecolor rgb 0x%06X linewidth %.2f\n", PALETTE_GRID,
            0.8 * lay->scale);
    fputs("set autoscale noextend\nset offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n",
          script);
}

/* The place of panel p, its axes and its title; gnuplot finds margins, ranges and tics. */
static void write_axes(const picture_panel *panel, const layout *lay, int p, FILE *script)
{
    const double width = (1 - lay->right / lay->width) / lay->columns,
                 height = (1 - lay->below / lay->height) / lay->rows;

    fprintf(script, "set origin %.5f,%.5f\nset size %.5f,%.5f\n", p % lay->columns * width,
            1 - (p / lay->columns + 1) * height, width, height);
    for (int j = 0; j < panel->dims; j++) {
        const double length = (j == 0 ? width * lay->width : height * lay->height) - MARGIN_AXES;
        fprintf(script, "set %clabel ", "xyz"[j]);
        gnuplot_text(script, panel->axes[j].text, (int)fmax(8, length / LAYOUT_LETTER));
        fprintf(script, "%s\n", j == 2 ? " rotate by 90" : "");
    }
    if (panel->dims == 3)
        fprintf(script,
                "set border 895 linewidth 0.7 linecolor rgb 0x%06X\nset grid x y z vertical\n",
                PALETTE_BOX);
    if (*panel->title) {
        fputs("set title ", script);
        gnuplot_text(script, panel->title, TITLE);
        fprintf(script, " font ',%.1f'\n", lay->scale * 13);
    }
}

int picture_save(const picture *pic, const char *path)
{
    FILE *const script = gnuplot_file(), *const names = gnuplot_file();
    layout lay = make_layout(pic);

    lay.svg = strcmp(cli_extension(path), ".svg") == 0;
    if (lay.svg && lay.crowded)
        cli_note("%s: every point is an element of it; a .png is smaller", path);
    if (!script || !names)
        return gnuplot_draw(path, NULL);
    legend_write(pic, &lay, names); /* its room comes first */
    rewind(names);
    write_setup(&lay, script);
    for (int p = 0; p < pic->panel_count; p++) {
        const picture_panel *const panel = &pic->panels[p];
        for (int c; p == pic->panel_count - 1 && (c = fgetc(names)) != EOF;)
            fputc(c, script);
        write_axes(panel, &lay, p, script);
        fputs(panel->dims == 2 ? "plot " : "splot ", script);
        points_write(panel, &lay, script);
    }
    fputs("unset multiplot\n", script);
    return gnuplot_draw(path, script);
}
