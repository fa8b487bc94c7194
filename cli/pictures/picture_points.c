/* picture_points.c - the points of a panel, and the marks they are drawn with. */
#define _POSIX_C_SOURCE 200809L

#include "pictures/layout.h"
#include "pictures/palette.h"

#include <math.h>
#include <stdlib.h>

/* Widths of the outline and of the halo around it, and where the lines across a mark end. */
static const double OUTLINE = 0.3, HALO = 0.7, ACROSS = 0.9;

/* Of the paper in the color of pale points. */
static const double PALENESS[PICTURE_PALEST + 1] = { 0, 0.3, 0.55, 0.75 };
enum { DOT = 7, FADED = 20000 };

/* ---- marks ---- */

/* 0xRRGGBB of a class, of PICTURE_NO_CLASS and of ANY_CLASS. */
static unsigned point_color(int class_index, int pale)
{
    const unsigned color = class_index >= 0           ? palette_color(class_index)
                           : class_index == ANY_CLASS ? PALETTE_TEXT
                                                      : PALETTE_NO_CLASS;
    return pale > PICTURE_HOLLOW ? palette_pale(color, PALENESS[pale]) : color;
}

static int add_parts(const int parts[MARK_PARTS], double size, unsigned color, int count,
                     point_mark *marks)
{
    for (int i = 0; i < MARK_PARTS && parts[i]; i++)
        marks[count++] = (point_mark){ parts[i], size, color };
    return count;
}

/* 0xAA000000 of dots: the more of them, the fainter. */
static unsigned faintness(int64_t count)
{
    const double opaque = fmin(0.8, fmax(0.15, 0.8 * sqrt(FADED / (double)(count + 1))));
    return (unsigned)(255 * (1 - opaque)) << 24;
}

int point_is_dot(const layout *lay, int pale)
{
    return lay->crowded && (pale != PICTURE_FILLED || lay->most_known > FADED);
}

int point_marks(const layout *lay, int class_index, int pale, double size,
                point_mark marks[POINT_MARKS])
{
    const mark_shape *const shape = mark_of_class(class_index);
    const unsigned color = point_color(class_index, pale);
    int count = 0;

    if (point_is_dot(lay, pale)) {
        marks[0] = (point_mark){ DOT, size, color };
        return 1;
    }
    if (pale != PICTURE_FILLED)
        return add_parts(shape->hollow, size, color, 0, marks);
    if (lay->has_unknown || lay->has_classless)
        count = add_parts(shape->filled, size + HALO, PALETTE_PAPER, count, marks);
    count = add_parts(shape->filled, size + OUTLINE, PALETTE_OUTLINE, count, marks);
    count = add_parts(shape->filled, size, color, count, marks);
    if (shape->lines)
        marks[count++] = (point_mark){ shape->lines, ACROSS * size, palette_ink(color) };
    return count;
}

/* ---- sizes ---- */

/* Points are smaller in smaller panels, and where there are many. */
static double usual_size(const layout *lay, int64_t count)
{
    const double crowd = fmin(1, pow(600.0 / (double)(count + 1), 0.25));
    return 1.35 * crowd * pow((double)lay->columns * lay->rows, -0.25);
}

static double point_size(const layout *lay, const picture_panel *panel, int pale)
{
    const double small = fmax(lay->crowded ? 0.2 : 0.35, usual_size(lay, panel->count));

    if (pale != PICTURE_FILLED || point_is_dot(lay, pale)
        || (!lay->has_unknown && !lay->has_classless))
        return small;
    return fmax(1.45 * small, 0.8 * usual_size(lay, lay->most_known));
}

static int marks_of(const picture_panel *panel, const layout *lay, int64_t row,
                    point_mark marks[POINT_MARKS])
{
    const int pale = panel->pale[row];
    const int count =
        point_marks(lay, panel->classes[row], pale, point_size(lay, panel, pale), marks);

    if (point_is_dot(lay, pale))
        marks[0].color |= faintness(panel->count);
    return count;
}

/* ---- order ---- */

typedef struct place {
    double depth; /* toward the viewer */
    int64_t row;
} place;

static int farther_first(const void *a, const void *b)
{
    const place *const p = a, *const q = b;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* A number in [0, 1) for each row, the same every time. */
static double scattered(int64_t row)
{
    const double x = (double)row * 0.6180339887498949;
    return x - floor(x);
}

static double depth_of(const picture_panel *panel, const layout *lay, const double *min,
                       const double *max, int64_t row)
{
    const double degree = 3.14159265358979323846 / 180;
    const double eye[PICTURE_DIMS] = { sin(LAYOUT_TURN * degree) * sin(LAYOUT_TILT * degree),
                                       -cos(LAYOUT_TURN * degree) * sin(LAYOUT_TILT * degree),
                                       cos(LAYOUT_TILT * degree) };
    /* more than any depth, and doubtful points below the others; in space all hollow ones mix */
    double depth = panel->pale[row] == PICTURE_FILLED ? 100
                   : panel->dims == 2                 ? -2 * panel->pale[row]
                                                      : 0;

    for (int j = 0; panel->dims == 3 && j < 3; j++)
        if (max[j] > min[j])
            depth += eye[j] * (panel->points[row * 3 + j] - min[j]) / (max[j] - min[j]);
    return panel->dims == 2 && lay->crowded ? depth + scattered(row) : depth;
}

/* The rows in the order of drawing. */
static place *order_points(const picture_panel *panel, const layout *lay)
{
    double min[PICTURE_DIMS] = { 0 }, max[PICTURE_DIMS] = { 0 };
    place *const order = cli_alloc(panel->count, sizeof *order);

    for (int64_t i = 0; i < panel->count; i++)
        for (int j = 0; j < panel->dims; j++) {
            const double value = panel->points[i * panel->dims + j];
            min[j] = i > 0 ? fmin(min[j], value) : value;
            max[j] = i > 0 ? fmax(max[j], value) : value;
        }
    for (int64_t i = 0; i < panel->count; i++)
        order[i] = (place){ depth_of(panel, lay, min, max, i), i };
    qsort(order, (size_t)panel->count, sizeof *order, farther_first);
    return order;
}

/* ---- the script ---- */

/* Numbers in binary, which gnuplot reads four times as fast: x y [z] size type color. */
void points_write(const picture_panel *panel, const layout *lay, FILE *script)
{
    const place *const order = order_points(panel, lay);
    point_mark marks[POINT_MARKS];
    double numbers[PICTURE_DIMS + 3];
    int64_t total = 0;

    for (int64_t i = 0; i < panel->count; i++)
        total += marks_of(panel, lay, i, marks);
    fprintf(script, "'-' binary record=%lld format='", (long long)total);
    for (int j = 0; j < panel->dims + 3; j++)
        fputs("%double", script);
    fprintf(script,
            "' using %s with points pointtype variable pointsize variable linecolor rgb variable "
            "linewidth %.2f notitle\n",
            panel->dims == 2 ? "1:2:3:4:5" : "1:2:3:4:5:6", 1.3 * lay->scale);
    for (int64_t i = 0; i < panel->count; i++) {
        const int count = marks_of(panel, lay, order[i].row, marks);
        double *at = numbers;
        for (int j = 0; j < panel->dims; j++)
            *at++ = panel->points[order[i].row * panel->dims + j];
        for (int m = 0; m < count; m++) {
            at[0] = lay->scale * marks[m].size;
            at[1] = marks[m].type;
            at[2] = marks[m].color;
            fwrite(numbers, sizeof *numbers, (size_t)panel->dims + 3, script);
        }
    }
}
