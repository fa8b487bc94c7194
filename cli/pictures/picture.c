/* picture.c - writes a picture of points in one or several panels as a gnuplot script. Lengths are
 * in pixels of a 1000 x 800 picture and scale with its size. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double AREA = 1000.0 * 800.0, FONT = 11, LETTER = 8.6; /* points; approximate width */
static const double MARGIN_AXES = 100; /* approximate width of axis labels */
static const double EYE[PICTURE_DIMS] = { 0.506, -0.723, 0.469 }; /* direction of view 62,35 */
static const double OUTLINE = 0.3, HALO = 0.7, ACROSS = 0.9; /* around a filled mark; its lines */
static const double LINE = 24, MARK = 22, EDGE = 16, MOST_WIDTH = 0.42; /* of the legend */
enum { LONGEST = 80, SHORTEST = 8, TITLE_LETTERS = 160 };               /* of names */
enum { CROWD = 20000, ANY_CLASS = PICTURE_NO_CLASS - 1 };

/* ---- colors and shapes ---- */

enum { PALETTE_COLORS = 10, MARK_SHAPES = 10, MARK_PARTS = 2 };

/* Colors of rows without a class, outlines of points, lines, numbers and grid of the axes, and the
 * background. */
enum {
    PALETTE_NO_CLASS = 0x9A9A9A,
    PALETTE_OUTLINE = 0x202020,
    PALETTE_AXIS = 0x606060,
    PALETTE_TEXT = 0x404040,
    PALETTE_GRID = 0xE8E8E8,
    PALETTE_BOX = 0xB0B0B0,
    PALETTE_PAPER = 0xFFFFFF
};

/* Any two colors differ from each other and from the paper by at least 12 (CIEDE2000) for normal,
 * red-blind and green-blind eyes. Neighbors alternate between dark and light, which also shows in
 * gray prints. python/tests/test_palette.py checks this. */
static const unsigned colors[PALETTE_COLORS] = { 0x076F9E, 0xCC8805, 0x17734F, 0xC46EE1, 0x3F1BBD,
                                                 0x90C6EA, 0x9E3A01, 0xC2D61B, 0x2F515C, 0xF3A893 };

/* A color that is visible on `color`: dark on light, light on dark. */
static unsigned palette_ink(unsigned color)
{
    const unsigned red = color >> 16, green = color >> 8 & 255, blue = color & 255;
    return 3 * red + 6 * green + blue > 1280 ? PALETTE_OUTLINE : PALETTE_PAPER;
}

/* A shape consists of one or two point types of gnuplot (0: no more); `lines` is the type of the
 * lines across a filled mark. */
typedef struct mark_shape {
    int filled[MARK_PARTS], hollow[MARK_PARTS], lines;
} mark_shape;

static const mark_shape shapes[MARK_SHAPES] = {
    { { 7 }, { 6 }, 0 },         /* circle */
    { { 5 }, { 4 }, 0 },         /* square */
    { { 9 }, { 8 }, 0 },         /* upward triangle */
    { { 13 }, { 12 }, 0 },       /* diamond */
    { { 11 }, { 10 }, 0 },       /* downward triangle */
    { { 15 }, { 14 }, 0 },       /* pentagon */
    { { 9, 11 }, { 8, 10 }, 0 }, /* two triangles */
    { { 13 }, { 12, 1 }, 1 },    /* diamond with a cross */
    { { 7 }, { 6, 1 }, 1 },      /* circle with a cross */
    { { 5 }, { 4, 2 }, 2 },      /* square with diagonals */
};

/* Returns a circle if there is no class. Classes of the same color have different shapes. */
static const mark_shape *mark_of_class(int index)
{
    return &shapes[index < 0 ? 0 : (index + index / PALETTE_COLORS) % MARK_SHAPES];
}

/* ---- layout ---- */

typedef struct layout {
    const picture *pic;
    double scale, width, height;    /* size in pixels of a 1000 x 800 picture */
    int columns, rows;              /* of panels */
    int64_t points, known;          /* in all panels; filled points */
    int has_unknown, has_classless; /* hollow points with and without a class */
    double right, below;            /* space for the legend */
    picture_panel legend;           /* its marks; ANY_CLASS: stands for all classes */
    const char **names;             /* [legend.count] */
    int letters, lines;             /* of each name; of each column */
} layout;

/* ---- marks ---- */

/* Filled points are translucent dots if they are many; hollow ones if all points are many. */
static int is_dot(const layout *lay, int opacity)
{
    return (opacity == PICTURE_FILLED ? lay->known : lay->points) > CROWD;
}

/* 0xAARRGGBB, with AA 0 if opaque. Dots are fainter if there are more. */
static unsigned color_of(const layout *lay, const picture_panel *panel, int64_t row)
{
    const int c = panel->classes[row], opacity = panel->opacity[row];
    const double dot = fmin(0.8, fmax(0.15, 0.8 * sqrt(CROWD / (double)panel->count))),
                 opaque = fmin(1, opacity / (double)PICTURE_HOLLOW);
    const unsigned color = c >= 0 ? colors[c % PALETTE_COLORS] /* colors repeat after the last */
                           : c == ANY_CLASS ? PALETTE_TEXT
                                            : PALETTE_NO_CLASS;

    return color | (unsigned)(255.5 - 255 * opaque * (is_dot(lay, opacity) ? dot : 1)) << 24;
}

/* Points are smaller in small panels and if there are many. */
static double usual_size(const layout *lay, int64_t count)
{
    const double panels = lay->columns * lay->rows, crowd = 600.0 * panels / (double)(count + 1);
    return 1.35 * pow(fmin(1, crowd) / panels, 0.25);
}

static double size_of(const layout *lay, const picture_panel *panel, int opacity)
{
    const double small = fmax(lay->points > CROWD ? 0.2 : 0.35, usual_size(lay, lay->points));

    if (panel == &lay->legend)
        return is_dot(lay, opacity) ? 1 : 1.6;
    if (is_dot(lay, opacity) || opacity != PICTURE_FILLED || lay->known == lay->points)
        return small;
    return fmax(1.45 * small, 0.8 * usual_size(lay, lay->known));
}

/* Writes binary numbers, which gnuplot reads four times faster: x y [z] size type color. A NULL
 * script writes nothing. Returns the number of marks. */
static int put_mark(const layout *lay, const picture_panel *panel, int64_t row,
                    const int parts[MARK_PARTS], double size, unsigned color, FILE *script)
{
    int count = 0;

    for (; count < MARK_PARTS && parts[count]; count++)
        if (script) {
            const double mark[] = { lay->scale * size, parts[count], color };
            fwrite(panel->points + row * panel->dims, sizeof *mark, (size_t)panel->dims, script);
            fwrite(mark, sizeof mark, 1, script);
        }
    return count;
}

/* Writes the marks of a point from bottom to top. */
static int put_point(const layout *lay, const picture_panel *panel, int64_t row, FILE *script)
{
    const int opacity = panel->opacity[row], dot = is_dot(lay, opacity);
    const mark_shape *const shape = mark_of_class(dot ? PICTURE_NO_CLASS : panel->classes[row]);
    const double size = size_of(lay, panel, opacity);
    const unsigned color = color_of(lay, panel, row);
    const int across[MARK_PARTS] = { shape->lines };
    int count = 0;

    if (dot || opacity != PICTURE_FILLED)
        return put_mark(lay, panel, row, dot ? shape->filled : shape->hollow, size, color, script);
    if (lay->known < lay->points)
        count += put_mark(lay, panel, row, shape->filled, size + HALO, PALETTE_PAPER, script);
    count += put_mark(lay, panel, row, shape->filled, size + OUTLINE, PALETTE_OUTLINE, script);
    count += put_mark(lay, panel, row, shape->filled, size, color, script);
    return count + put_mark(lay, panel, row, across, ACROSS * size, palette_ink(color), script);
}

/* ---- the order of drawing ---- */

static int farther_first(const void *a, const void *b)
{
    const double *const p = a, *const q = b;
    const int at = p[0] == q[0];
    return p[at] < q[at] ? -1 : p[at] > q[at];
}

/* Pairs of numbers (key, row) in drawing order: hollow before filled. In three dimensions distant
 * rows come first; in two, rows without a class, then doubtful ones. A crowd is shuffled, so that
 * no class covers another. */
static const double *order_points(const layout *lay, const picture_panel *panel)
{
    double *const order = cli_alloc(panel->count, 2 * sizeof *order);

    for (int64_t i = 0; i < panel->count; i++) {
        order[2 * i] = panel->opacity[i] == PICTURE_FILLED ? 1000 : 0;
        order[2 * i + 1] = (double)i;
        if (panel->dims == 2 && panel->classes[i] != PICTURE_NO_CLASS)
            order[2 * i] += panel->opacity[i];
        if (panel->dims == 2 && lay->points > CROWD)
            order[2 * i] += PICTURE_HOLLOW * fmod((double)i * 0.6180339887498949, 1);
    }
    for (int j = 0; panel->dims == 3 && j < 3; j++) {
        double min = panel->points[j], max = min;
        for (int64_t i = 0; i < panel->count; i++) {
            min = fmin(min, panel->points[3 * i + j]);
            max = fmax(max, panel->points[3 * i + j]);
        }
        for (int64_t i = 0; i < panel->count && max > min; i++)
            order[2 * i] += EYE[j] * (panel->points[3 * i + j] - min) / (max - min);
    }
    qsort(order, (size_t)panel->count, 2 * sizeof *order, farther_first);
    return order;
}

static void write_points(const layout *lay, const picture_panel *panel, FILE *script)
{
    const double *const order = order_points(lay, panel);
    int64_t total = 0;

    for (int64_t i = 0; i < panel->count; i++)
        total += put_point(lay, panel, i, NULL);
    fprintf(script,
            "%s '-' binary record=%lld format='%%%ddouble' using %s with points pointtype "
            "variable pointsize variable linecolor rgb variable linewidth %.2f notitle\n",
            panel->dims == 2 ? "plot" : "splot", (long long)total, panel->dims + 3,
            panel->dims == 2 ? "1:2:3:4:5" : "1:2:3:4:5:6", 1.3 * lay->scale);
    for (int64_t i = 0; i < panel->count; i++)
        put_point(lay, panel, (int64_t)order[2 * i + 1], script);
}

/* ---- the legend ----
 *
 * The key of gnuplot has one mark for each name, without outlines and lines, and does not tell its
 * size. So the legend is one more panel of marks with labels. */

static void add_entry(layout *lay, const char *name, int class_index, int opacity)
{
    picture_panel *const legend = &lay->legend;

    lay->names[legend->count] = name;
    legend->classes[legend->count] = class_index;
    legend->opacity[legend->count++] = (unsigned char)opacity;
    lay->letters = (int)fmin(LONGEST, fmax(lay->letters, cli_width(name)));
}

/* Lists the entries that the points need. */
static void list_entries(layout *lay)
{
    const picture *const pic = lay->pic;
    const int most = pic->class_count + 3, known = lay->known > 0;

    lay->names = cli_alloc(most, sizeof *lay->names);
    lay->legend.dims = 2;
    lay->legend.points = cli_alloc(most, 2 * sizeof *lay->legend.points);
    lay->legend.classes = cli_alloc(most, sizeof *lay->legend.classes);
    lay->legend.opacity = cli_alloc(most, 1);
    for (int c = 0; c < pic->class_count; c++)
        add_entry(lay, pic->class_names[c], c, known ? PICTURE_FILLED : PICTURE_HOLLOW);
    if (lay->has_unknown && known)
        add_entry(lay, "labelled", ANY_CLASS, PICTURE_FILLED);
    if (lay->has_unknown && (known || pic->predicted))
        add_entry(lay, pic->predicted ? "predicted" : "unlabelled", ANY_CLASS, PICTURE_HOLLOW);
    if (lay->has_classless)
        add_entry(lay, "unlabelled", PICTURE_NO_CLASS, PICTURE_HOLLOW);
}

static double column_width(int letters)
{
    return MARK + EDGE + letters * LETTER;
}

/* Places the legend right of the panels or below them, where it adds height, with full names. A
 * picture of fixed size shortens names and omits some. */
static void place_legend(layout *lay)
{
    const double most = MOST_WIDTH * lay->width;
    const int count = (int)lay->legend.count;
    int lines = (int)fmax(1, (lay->height - 2 * EDGE) / LINE), columns = (count - 1) / lines + 1;

    if (!lay->pic->fixed && columns * column_width(lay->letters) > most) {
        columns = (int)((lay->width - EDGE) / column_width(lay->letters));
        lines = (count - 1) / columns + 1;
        lay->below = lines * LINE + EDGE;
        lay->height += lay->below;
    } else {
        columns = (int)fmin(columns, 1 + most / column_width(SHORTEST));
        lay->letters =
            (int)fmax(SHORTEST, fmin(lay->letters, (most / columns - column_width(0)) / LETTER));
        lay->right = columns * column_width(lay->letters);
    }
    if (count > columns * lines) {
        char *const rest = cli_alloc(1, LONGEST);
        snprintf(rest, LONGEST, "%d more", count - columns * lines + 1);
        lay->legend.count = columns * lines - 1;
        add_entry(lay, rest, PICTURE_NO_CLASS, 0);
    }
    lay->lines = lines;
}

static void write_legend(const layout *lay, FILE *script)
{
    const double left = lay->below > 0 ? EDGE : lay->width - lay->right + 0.4 * EDGE,
                 top = lay->below > 0 ? lay->below : lay->height - EDGE;

    fprintf(script,
            "unset border\nunset tics\nset margins 0,0,0,0\nset xrange "
            "[0:%.2f]\nset yrange [0:%.2f]\n",
            lay->width, lay->height);
    for (int i = 0; i < lay->legend.count; i++) {
        double *const at = lay->legend.points + 2 * i;
        at[0] = left + i / lay->lines * column_width(lay->letters);
        at[1] = top - (i % lay->lines + 0.5) * LINE;
        gnuplot_text(script, "set label", lay->names[i], lay->letters);
        fprintf(script, " at %.2f,%.2f left\n", at[0] + 0.6 * MARK, at[1]);
    }
    write_points(lay, &lay->legend, script);
}

/* ---- the picture ---- */

static layout make_layout(const picture *pic)
{
    const double scale = sqrt((double)pic->width * pic->height / AREA);
    layout lay = { .pic = pic, .scale = scale, .letters = 1 };

    lay.width = pic->width / scale;
    lay.height = pic->height / scale;
    lay.columns = (int)ceil(sqrt(pic->panel_count));
    lay.rows = (pic->panel_count - 1) / lay.columns + 1;
    for (int p = 0; p < pic->panel_count; p++) {
        lay.points += pic->panels[p].count;
        for (int64_t i = 0; i < pic->panels[p].count; i++) {
            const int filled = pic->panels[p].opacity[i] == PICTURE_FILLED;
            const int has_class = pic->panels[p].classes[i] != PICTURE_NO_CLASS;
            lay.known += filled;
            lay.has_unknown |= !filled && has_class;
            lay.has_classless |= !has_class;
        }
    }
    list_entries(&lay);
    if (lay.legend.count > 0)
        place_legend(&lay);
    return lay;
}

static void write_setup(const layout *lay, int svg, FILE *script)
{
    fprintf(script,
            "set encoding utf8\nset terminal %s size %.0f,%.0f noenhanced font '%s,%.1f' "
            "background '#%06x'\nset multiplot\n",
            svg ? "svg" : "pngcairo", lay->width * lay->scale, lay->height * lay->scale,
            svg ? "Helvetica, Arial, sans-serif" : "Sans", FONT * lay->scale, PALETTE_PAPER);
    if (lay->legend.count > 0)
        write_legend(lay, script);
    fprintf(script,
            "reset\nset xyplane 0\nset view 62,35,1.02\nset tics nomirror out scale 0.6 textcolor "
            "rgb 0x%06X\nset border 3 linecolor rgb 0x%06X linewidth %.2f\nset grid linetype 1 "
            "linecolor rgb 0x%06X linewidth %.2f\n"
            "set autoscale noextend\nset offsets graph .05, graph .05, graph .05, graph .05\n",
            PALETTE_TEXT, PALETTE_AXIS, lay->scale, PALETTE_GRID, 0.8 * lay->scale);
}

/* gnuplot computes margins, ranges and tics. */
static void write_panel(const layout *lay, int p, FILE *script)
{
    const picture_panel *const panel = &lay->pic->panels[p];
    const double width = (1 - lay->right / lay->width) / lay->columns,
                 height = (1 - lay->below / lay->height) / lay->rows;

    fprintf(script, "set origin %.5f,%.5f\nset size %.5f,%.5f\n", p % lay->columns * width,
            1 - (p / lay->columns + 1) * height, width, height);
    for (int j = 0; j < panel->dims; j++) {
        const double length = (j == 0 ? width * lay->width : height * lay->height) - MARGIN_AXES;
        const char *const axes[] = { "set xlabel", "set ylabel", "set zlabel rotate by 90" };
        gnuplot_text(script, axes[j], panel->axes[j].text, (int)fmax(8, length / LETTER));
        fputc('\n', script);
    }
    if (panel->dims == 3)
        fprintf(script,
                "set border 895 linewidth 0.7 linecolor rgb 0x%06X\nset grid x y z vertical\n",
                PALETTE_BOX);
    gnuplot_text(script, "set title", panel->title, TITLE_LETTERS);
    fprintf(script, " font ',%.1f'\n", lay->scale * 13);
    write_points(lay, panel, script);
}

int picture_save(const picture *pic, const char *path)
{
    const layout lay = make_layout(pic);
    const int svg = strcmp(cli_extension(path), ".svg") == 0;
    FILE *const script = gnuplot_file();

    if (svg && lay.points > CROWD)
        cli_note("%s: holds an element for every point; a .png is smaller", path);
    if (!script)
        return gnuplot_draw(path, NULL);
    write_setup(&lay, svg, script);
    for (int p = 0; p < pic->panel_count; p++)
        write_panel(&lay, p, script);
    return gnuplot_draw(path, script);
}
