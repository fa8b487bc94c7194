/* picture.c - a picture of points in one or several panels, written as a gnuplot script.
 *
 * Points whose label was known are filled, larger, outlined and drawn last; the others are hollow,
 * in the color of their class if that is known, else gray. Margins, panels and the legend are
 * placed in pixels, because gnuplot would give each panel margins of its own. */
#define _POSIX_C_SOURCE 200809L

#include "picture.h"

#include "gnuplot.h"
#include "palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* gnuplot's numbers of circle, square, triangle, diamond, triangle on its tip. */
static const int filled_shapes[] = { 7, 5, 9, 13, 11 };
static const int hollow_shapes[] = { 6, 4, 8, 12, 10 };
enum { SHAPES = 5 };

/* Sizes in pixels of a picture of 1000 x 800; a larger picture has all of them larger. */
static const double USUAL_AREA = 1000.0 * 800.0;
static const double FONT_PIXELS = 16, LETTER = 0.56, LEGEND_LINE = 24, LEGEND_MARK = 22, EDGE = 16;
static const double MARGIN_LEFT = 46, DIGIT = 9.4, MARGIN_BOTTOM = 58, MARGIN_TOP = 16,
                    TITLE_HEIGHT = 30;
static const double NUMBER_EVERY = 56; /* between the numbers on an axis */
enum { LEGEND_NAME = 22 };             /* letters shown of a name */

/* Angles of the view of three dimensions, degrees. */
static const double VIEW_TILT = 62, VIEW_TURN = 35, VIEW_ZOOM = 1.02;

/* ---- layout ---- */

/* The axes of one panel: their ends and the distance of the numbers on them. */
typedef struct frame {
    double min[PICTURE_DIMS], max[PICTURE_DIMS], step[PICTURE_DIMS];
} frame;

typedef struct layout {
    double scale; /* relative to the usual size */
    double margin_left;
    int columns, rows;
    double legend_width; /* 0: no legend */
    int legend_lines;    /* in one column */
    int legend_entries;
    /* filled points, hollow points with a class, hollow points without one */
    int has_known, has_unknown, has_classless;
} layout;

/* Letters of a UTF-8 text. */
static int letters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void look_at_points(const picture *pic, layout *lay)
{
    for (int p = 0; p < pic->panel_count; p++) {
        const picture_panel *const panel = &pic->panels[p];
        for (int64_t i = 0; i < panel->count; i++) {
            lay->has_known |= panel->known[i];
            lay->has_unknown |= !panel->known[i] && panel->classes[i] != PICTURE_NO_CLASS;
            lay->has_classless |= panel->classes[i] == PICTURE_NO_CLASS;
        }
    }
}

static void lay_out_legend(const picture *pic, layout *lay)
{
    int widest = letters("unlabelled");

    look_at_points(pic, lay);
    if (pic->class_count == 0)
        return;
    for (int c = 0; c < pic->class_count; c++)
        widest = (int)fmax(widest, fmin(letters(pic->class_names[c]), LEGEND_NAME));
    lay->legend_entries = pic->class_count + (lay->has_unknown && lay->has_known ? 2 : 0)
                          + (lay->has_classless ? 1 : 0);
    lay->legend_lines =
        (int)fmax(1, (pic->height / lay->scale - MARGIN_TOP - MARGIN_BOTTOM) / LEGEND_LINE);
    const int legend_columns = (lay->legend_entries + lay->legend_lines - 1) / lay->legend_lines;
    const double width = legend_columns * (LEGEND_MARK + widest * LETTER * FONT_PIXELS + EDGE);
    lay->legend_width = fmin(width, 0.5 * pic->width / lay->scale);
}

/* The range of a coordinate with a margin at both ends. */
static void find_range(const picture_panel *panel, int j, double *min, double *max)
{
    *min = *max = panel->points[j];
    for (int64_t i = 1; i < panel->count; i++) {
        *min = fmin(*min, panel->points[i * panel->dims + j]);
        *max = fmax(*max, panel->points[i * panel->dims + j]);
    }
    if (panel->baseline_name && j == 1) {
        *min = fmin(*min, panel->baseline);
        *max = fmax(*max, panel->baseline);
    }
    const double least = panel->joined && j == 0 ? 0.5 : 1e-300;
    const double room =
        fmax(0.05 * (*max - *min), fmax(1e-5 * fmax(fabs(*min), fabs(*max)), least));
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

static layout make_layout(const picture *pic, frame *frames)
{
    layout lay = { .scale = sqrt((double)pic->width * pic->height / USUAL_AREA) };
    int widest = 0;

    lay.columns = (int)ceil(sqrt((double)pic->panel_count));
    lay.rows = (pic->panel_count + lay.columns - 1) / lay.columns;
    lay_out_legend(pic, &lay);
    const double width = (pic->width / lay.scale - lay.legend_width) / lay.columns,
                 height = pic->height / lay.scale / lay.rows;
    for (int p = 0; p < pic->panel_count; p++) {
        const picture_panel *const panel = &pic->panels[p];
        for (int j = 0; j < panel->dims; j++) {
            const double length = panel->dims == 3 ? 0.5 * fmin(width, height)
                                  : j == 0         ? width
                                                   : height;
            find_range(panel, j, &frames[p].min[j], &frames[p].max[j]);
            frames[p].step[j] =
                nice_step(frames[p].max[j] - frames[p].min[j], fmax(2, length / NUMBER_EVERY));
            if (panel->joined && j == 0)
                frames[p].step[j] = fmax(1, frames[p].step[j]);
        }
        widest = (int)fmax(widest, widest_number(&frames[p]));
    }
    lay.margin_left = MARGIN_LEFT + DIGIT * widest;
    return lay;
}

/* ---- points ---- */

/* In the legend: whatever the class. */
enum { ANY_CLASS = PICTURE_NO_CLASS - 1 };

static unsigned color_of(int class_index)
{
    if (class_index >= 0)
        return palette_color(class_index);
    return class_index == ANY_CLASS ? PALETTE_TEXT : PALETTE_NO_CLASS;
}

/* Lines that cross are easier to follow by shape and color; points by color alone, as long as there
 * are colors left. */
static int shape_of(const picture *pic, int class_index, int filled)
{
    int shape = 0;

    if (class_index >= 0)
        shape = pic->panels[0].joined ? class_index : class_index / PALETTE_COLORS;
    return filled ? filled_shapes[shape % SHAPES] : hollow_shapes[shape % SHAPES];
}

typedef struct point {
    double depth; /* toward the viewer */
    int64_t index;
} point;

static int farther_first(const void *a, const void *b)
{
    const point *const p = a, *const q = b;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

/* The order of drawing: hollow before filled; in three dimensions, what is farther away first. */
static point *drawing_order(const picture_panel *panel, const frame *axes)
{
    const double degree = 3.14159265358979323846 / 180;
    const double eye[PICTURE_DIMS] = { sin(VIEW_TURN * degree) * sin(VIEW_TILT * degree),
                                       -cos(VIEW_TURN * degree) * sin(VIEW_TILT * degree),
                                       cos(VIEW_TILT * degree) };

    point *const order = malloc(((size_t)panel->count + 1) * sizeof *order);
    for (int64_t i = 0; order && i < panel->count; i++) {
        order[i] = (point){ panel->known[i] ? 100 : 0, i }; /* 100: more than any depth */
        for (int j = 0; panel->dims == 3 && j < 3; j++)
            order[i].depth +=
                eye[j] * (panel->points[i * 3 + j] - axes->min[j]) / (axes->max[j] - axes->min[j]);
    }
    if (order)
        qsort(order, (size_t)panel->count, sizeof *order, farther_first);
    return order;
}

/* Points are smaller in smaller panels, and where there are many. */
static double point_size(const picture_panel *panel, const layout *lay)
{
    const double crowd = fmin(1, pow(600.0 / (double)(panel->count + 1), 0.25));
    const double room = pow((double)lay->columns * lay->rows, -0.25);
    return fmax(0.35, 1.35 * crowd * room);
}

static void write_point(FILE *script, const picture_panel *panel, int64_t index, double size,
                        int shape, unsigned color)
{
    char number[CLI_NUMBER_SIZE];
    for (int j = 0; j < panel->dims; j++)
        fprintf(script, "%s ", cli_number(panel->points[index * panel->dims + j], number));
    fprintf(script, "%.3f %d 0x%06X\n", size, shape, color);
}

/* Lines "x y [z] size shape color"; a filled point comes after the larger dark one that is its
 * outline. */
static int write_points(const picture *pic, const layout *lay, int p, const frame *axes,
                        FILE *script)
{
    const picture_panel *const panel = &pic->panels[p];
    const double size = lay->scale * point_size(panel, lay);
    const double large = lay->has_unknown || lay->has_classless ? 1.45 * size : size;

    point *const order = drawing_order(panel, axes);
    if (!order)
        return 0;
    fprintf(script, "$points%d << EOD\n", p);
    for (int64_t i = 0; i < panel->count; i++) {
        const int64_t index = order[i].index;
        const int class_index = panel->classes[index], filled = panel->known[index];
        if (filled)
            write_point(script, panel, index, large + 0.3 * lay->scale,
                        shape_of(pic, class_index, 1), PALETTE_OUTLINE);
        write_point(script, panel, index, filled ? large : size, shape_of(pic, class_index, filled),
                    color_of(class_index));
    }
    fprintf(script, "EOD\n");
    free(order);
    return 1;
}

/* The classes that a joined panel has a line for. */
static int line_count(const picture_panel *panel)
{
    int count = 0;

    for (int64_t i = 0; panel->joined && i < panel->count; i++)
        count = panel->classes[i] < count ? count : panel->classes[i] + 1;
    return count;
}

static void write_lines(const picture_panel *panel, int p, FILE *script)
{
    char number[CLI_NUMBER_SIZE];
    const int count = line_count(panel);

    for (int c = 0; c < count; c++) {
        fprintf(script, "$line%d_%d << EOD\n", p, c);
        for (int64_t i = 0; i < panel->count; i++) {
            if (panel->classes[i] != c)
                continue;
            fprintf(script, "%s ", cli_number(panel->points[2 * i], number));
            fprintf(script, "%s\n", cli_number(panel->points[2 * i + 1], number));
        }
        fputs("EOD\n", script);
    }
}

/* ---- panels ---- */

static void write_baseline(const picture_panel *panel, const layout *lay, FILE *script)
{
    char number[CLI_NUMBER_SIZE];

    if (!panel->baseline_name)
        return;
    cli_number(panel->baseline, number);
    fprintf(script,
            "set arrow from graph 0, first %s to graph 1, first %s nohead dashtype 2 linecolor rgb "
            "0x%06X linewidth %.2f\nset label ",
            number, number, PALETTE_AXIS, lay->scale);
    gnuplot_text(script, panel->baseline_name);
    fprintf(script, " at graph 0.01, first %s left offset 0,0.6\n", number);
}

static void write_axes(const picture_panel *panel, const frame *axes, FILE *script)
{
    static const char letter[] = "xyz";
    char number[CLI_NUMBER_SIZE];

    for (int j = 0; j < panel->dims; j++) {
        fprintf(script, "set %crange [%s:", letter[j], cli_number(axes->min[j], number));
        fprintf(script, "%s]\n", cli_number(axes->max[j], number));
        fprintf(script, "set %ctics %s\nset %clabel ", letter[j], cli_number(axes->step[j], number),
                letter[j]);
        gnuplot_text(script, panel->axis_names[j]);
        fprintf(script, "%s\n", j == 2 ? " rotate by 90" : "");
    }
}

/* A rectangle in pixels of the usual size, from the lower left corner. */
typedef struct rectangle {
    double left, right, bottom, top;
} rectangle;

/* Where the axes of panel p are. */
static rectangle panel_place(const picture *pic, const layout *lay, int p)
{
    const double width = (pic->width / lay->scale - lay->legend_width) / lay->columns,
                 height = pic->height / lay->scale / lay->rows;
    const double left = p % lay->columns * width,
                 top = pic->height / lay->scale - p / lay->columns * height;
    const double title = pic->panels[p].title ? TITLE_HEIGHT : 0;
    return (rectangle){ left + lay->margin_left, left + width - EDGE, top - height + MARGIN_BOTTOM,
                        top - MARGIN_TOP - title };
}

/* The axes of a flat panel fill its place exactly; the box of three dimensions is scaled by gnuplot
 * to fit into it. */
static void write_place(const picture *pic, const layout *lay, const rectangle *place, int flat,
                        FILE *script)
{
    const double x = lay->scale / pic->width, y = lay->scale / pic->height;

    if (flat) {
        fprintf(script, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", place->left * x,
                place->right * x);
        fprintf(script, "set bmargin at screen %.5f\nset tmargin at screen %.5f\n",
                place->bottom * y, place->top * y);
        return;
    }
    const double left = place->left - 0.5 * lay->margin_left,
                 bottom = place->bottom - MARGIN_BOTTOM;
    fprintf(script, "set margins 0,0,0,0\nset origin %.5f,%.5f\nset size %.5f,%.5f\n", left * x,
            bottom * y, (place->right - left) * x, (place->top - bottom) * y);
}

static void write_panel(const picture *pic, const layout *lay, int p, const frame *axes,
                        FILE *script)
{
    const picture_panel *const panel = &pic->panels[p];
    const rectangle place = panel_place(pic, lay, p);
    const int flat = panel->dims == 2;

    write_place(pic, lay, &place, flat, script);
    if (panel->title) {
        fputs("set label ", script);
        gnuplot_text(script, panel->title);
        fprintf(script, " at screen %.5f,%.5f center font ',%.1f'\n",
                (place.left + place.right) / 2 * lay->scale / pic->width,
                (place.top + 0.5 * TITLE_HEIGHT) * lay->scale / pic->height, lay->scale * 13);
    }
    write_axes(panel, axes, script);
    if (!flat)
        fprintf(script,
                "set border 895 linewidth 0.7 linecolor rgb 0x%06X\nset grid x y z vertical\n",
                PALETTE_BOX);
    write_baseline(panel, lay, script);
    fputs(flat ? "plot " : "splot ", script);
    for (int c = 0; c < line_count(panel); c++)
        fprintf(script,
                "$line%d_%d using 1:2 with lines linecolor rgb 0x%06X linewidth %.2f notitle, ", p,
                c, palette_color(c), 1.3 * lay->scale);
    fprintf(script,
            "$points%d using %s with points pointtype variable pointsize variable linecolor rgb "
            "variable linewidth %.2f notitle\n",
            p, flat ? "1:2:3:4:5" : "1:2:3:4:5:6", 1.3 * lay->scale);
    fputs("unset label\nunset arrow\n", script);
}

/* ---- legend ---- */

static void write_mark(FILE *script, const picture *pic, const layout *lay, double x, double y,
                       double size, int shape, unsigned color)
{
    fprintf(
        script,
        "set label '' at screen %.5f,%.5f point pointtype %d pointsize %.2f linecolor rgb 0x%06X "
        "linewidth %.2f\n",
        x * lay->scale / pic->width, y * lay->scale / pic->height, shape, size * lay->scale, color,
        1.3 * lay->scale);
}

static void write_entry(FILE *script, const picture *pic, const layout *lay, int entry,
                        const char *name, int class_index, int filled)
{
    const double height = pic->height / lay->scale,
                 left = pic->width / lay->scale - lay->legend_width;
    const int legend_columns = (lay->legend_entries + lay->legend_lines - 1) / lay->legend_lines;
    const double x =
        left + 0.4 * EDGE + entry / lay->legend_lines * (lay->legend_width / legend_columns);
    const double y = height - MARGIN_TOP - (pic->panels[0].title ? TITLE_HEIGHT : 0)
                     - 0.5 * LEGEND_LINE - entry % lay->legend_lines * LEGEND_LINE;
    char text[4 * LEGEND_NAME + 4];
    size_t used = 0;

    for (int count = 0; name[used] && used < sizeof text - 4; used++)
        if (((unsigned char)name[used] & 0xC0) != 0x80 && count++ == LEGEND_NAME)
            break;
    snprintf(text, sizeof text, "%.*s%s", (int)used, name, name[used] ? "..." : "");
    if (filled)
        write_mark(script, pic, lay, x, y, 1.9, shape_of(pic, class_index, 1), PALETTE_OUTLINE);
    write_mark(script, pic, lay, x, y, 1.6, shape_of(pic, class_index, filled),
               color_of(class_index));
    fputs("set label ", script);
    gnuplot_text(script, text);
    fprintf(script, " at screen %.5f,%.5f left\n",
            (x + 0.6 * LEGEND_MARK) * lay->scale / pic->width, y * lay->scale / pic->height);
}

/* The legend is made of labels, which are drawn with the next plot. */
static void write_legend(const picture *pic, const layout *lay, FILE *script)
{
    int entry = 0;

    if (pic->class_count == 0)
        return;
    for (int c = 0; c < pic->class_count; c++)
        write_entry(script, pic, lay, entry++, pic->class_names[c], c, lay->has_known);
    if (lay->has_known && lay->has_unknown) {
        write_entry(script, pic, lay, entry++, pic->filled_name, ANY_CLASS, 1);
        write_entry(script, pic, lay, entry++, pic->hollow_name, ANY_CLASS, 0);
    }
    if (lay->has_classless)
        write_entry(script, pic, lay, entry, "unlabelled", PICTURE_NO_CLASS, 0);
}

/* ---- the picture ---- */

static void write_setup(const picture *pic, const layout *lay, FILE *script)
{
    fprintf(script,
            "set encoding utf8\nset terminal %s size %d,%d noenhanced font '%s,%.1f' background "
            "'#ffffff'\n",
            pic->svg ? "svg" : "pngcairo", pic->width, pic->height,
            pic->svg ? "Helvetica, Arial, sans-serif" : "Sans", 11 * lay->scale);
    fprintf(script, "set multiplot\nunset key\nset border 3 linecolor rgb 0x%06X linewidth %.2f\n",
            PALETTE_AXIS, lay->scale);
    fprintf(script,
            "set tics nomirror out scale 0.6 textcolor rgb 0x%06X\nset xyplane 0\nset view "
            "%g,%g,%g\n",
            PALETTE_TEXT, VIEW_TILT, VIEW_TURN, VIEW_ZOOM);
    fprintf(script, "set grid linetype 1 linecolor rgb 0x%06X linewidth %.2f\n", PALETTE_GRID,
            0.8 * lay->scale);
}

static int write_all(const picture *pic, frame *frames, FILE *script)
{
    const layout lay = make_layout(pic, frames);

    write_setup(pic, &lay, script);
    for (int p = 0; p < pic->panel_count; p++) {
        if (!write_points(pic, &lay, p, &frames[p], script))
            return 0;
        write_lines(&pic->panels[p], p, script);
        if (p == pic->panel_count - 1)
            write_legend(pic, &lay, script);
        write_panel(pic, &lay, p, &frames[p], script);
    }
    fputs("unset multiplot\n", script);
    return 1;
}

int picture_write(const picture *pic, FILE *script)
{
    frame *const frames = calloc((size_t)pic->panel_count, sizeof *frames);
    const int written = frames && write_all(pic, frames, script);
    free(frames);
    return written;
}
