/* figures.c - the pictures of a page, as SVG inside of it. */
#include "figures.h"

#include "page.h"

#include <math.h>
#include <stdlib.h>

/* ---- bars ---- */

enum { BAR_WIDTH = 150, BAR_HEIGHT = 18 };

static double place(double share)
{
    return 2 + (BAR_WIDTH - 4) * fmin(fmax(share, 0), 1);
}

void figure_bar(FILE *page, double share, double deviation, double chance)
{
    const double low = place(share - deviation), high = place(share + deviation);

    fprintf(
        page,
        "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%.4f\">",
        BAR_WIDTH, BAR_HEIGHT, BAR_WIDTH, BAR_HEIGHT, share);
    fprintf(page, "<rect x=\"2\" y=\"4\" width=\"%d\" height=\"10\" fill=\"none\" class=\"grid\"/>",
            BAR_WIDTH - 4);
    fprintf(page,
            "<rect x=\"2\" y=\"4\" width=\"%.1f\" height=\"10\" class=\"s0\" fill=\"currentColor\" "
            "fill-opacity=\"0.7\"/>",
            place(share) - 2);
    fprintf(page,
            "<path d=\"M%.1f 9H%.1fM%.1f 5.5v7M%.1f 5.5v7\" stroke=\"currentColor\" "
            "stroke-width=\"1.5\"/>",
            low, high, low, high);
    fprintf(page, "<path d=\"M%.1f 1v16\" stroke=\"currentColor\" stroke-dasharray=\"2 2\"/></svg>",
            place(chance));
}

/* ---- shapes ---- */

enum { SHAPES = 4 };

/* A disc, a square, a triangle or a diamond. */
static void put_shape(FILE *page, int shape, double x, double y, double r)
{
    switch (shape) {
    case 0:
        fprintf(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", x, y, r);
        break;
    case 1:
        fprintf(page, "<path d=\"M%.1f %.1fh%.1fv%.1fh%.1fz\"/>", x - r, y - r, 2 * r, 2 * r,
                -2 * r);
        break;
    case 2:
        fprintf(page, "<path d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"/>", x, y - 1.2 * r, 1.2 * r, 2 * r,
                -2.4 * r);
        break;
    default:
        fprintf(page, "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"/>", x, y - 1.4 * r,
                1.4 * r, 1.4 * r, -1.4 * r, 1.4 * r, -1.4 * r, -1.4 * r);
    }
}

/* Classes differ in color and shape, so that they are told apart without color, too. */
static int shape_of(int64_t c)
{
    return (int)((c + c / SHAPES) % SHAPES);
}

static void begin_group(FILE *page, int64_t c, int kind)
{
    if (kind == ROW_UNLABELLED)
        fputs("<g class=\"u\" fill=\"currentColor\" fill-opacity=\"0.45\">", page);
    else if (kind == ROW_HELD_OUT)
        fprintf(page,
                "<g class=\"s%d\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\">",
                (int)(c % PAGE_COLORS));
    else
        fprintf(page, "<g class=\"s%d\" fill=\"currentColor\" fill-opacity=\"0.8\">",
                (int)(c % PAGE_COLORS));
}

void figure_key(FILE *page, int64_t c, int kind)
{
    fputs("<svg width=\"14\" height=\"14\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">", page);
    begin_group(page, c, kind);
    put_shape(page, kind == ROW_UNLABELLED ? 0 : shape_of(c), 7, 7, 4);
    fputs("</g></svg> ", page);
}

/* ---- curves ---- */

enum {
    CURVES = 8,
    LEFT = 46,
    RIGHT = 500,
    TOP = 14,
    BOTTOM = 300,
    WIDTH = 640,
    HEIGHT = 346,
    LINE = 16
};

struct chart {
    const pen_comparison *found;
    int count;
    const pen_compared *list[CURVES];
    double low; /* accuracy at the bottom */
    int64_t most_dims;
};

static int64_t last_point(const struct chart *c, int i)
{
    for (int64_t d = c->found->dim_count - 1; d >= 0; d--)
        if (!isnan(c->list[i]->curve[d]))
            return d;
    return -1;
}

static double chart_x(const struct chart *c, int64_t dim)
{
    return c->most_dims > 1
               ? LEFT + (double)(RIGHT - LEFT) * (double)(dim - 1) / (double)(c->most_dims - 1)
               : (LEFT + RIGHT) / 2.0;
}

static double chart_y(const struct chart *c, double share)
{
    return BOTTOM - (BOTTOM - TOP) * (share - c->low) / (1 - c->low);
}

static void choose_curves(const pen_comparison *found, struct chart *c)
{
    double least = 1;

    *c = (struct chart){ .found = found };
    for (int64_t m = 0; m < found->count && c->count < CURVES; m++) {
        c->list[c->count] = &found->candidates[m];
        const int64_t last = last_point(c, c->count);
        if (last < 0)
            continue;
        if (found->dims[last] > c->most_dims)
            c->most_dims = found->dims[last];
        for (int64_t d = 0; d <= last; d++)
            least = fmin(least, c->list[c->count]->curve[d]);
        c->count++;
    }
    c->low = fmin(floor(least * 10) / 10, 0.9);
}

static void draw_axes(FILE *page, const struct chart *c)
{
    const double step = c->low < 0.5 ? 0.2 : c->low < 0.8 ? 0.1 : 0.05;

    for (double y = 1; y > c->low - 1e-9; y -= step) {
        fprintf(page, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, chart_y(c, y), RIGHT);
        fprintf(page, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>\n",
                LEFT - 6, chart_y(c, y) + 4, y);
    }
    for (int64_t i = 0; i < c->found->dim_count && c->found->dims[i] <= c->most_dims; i++)
        fprintf(page,
                "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%lld</text>\n",
                chart_x(c, c->found->dims[i]), BOTTOM + 18, (long long)c->found->dims[i]);
    fprintf(page,
            "<path class=\"axis\" d=\"M%d %dH%d\"/><text class=\"tick\" x=\"%d\" y=\"%d\" "
            "text-anchor=\"middle\">dimensions</text>\n",
            LEFT, BOTTOM, RIGHT, (LEFT + RIGHT) / 2, BOTTOM + 38);
    if (c->found->chance > c->low)
        fprintf(page,
                "<path class=\"axis\" stroke-dasharray=\"2 4\" d=\"M%d %.1fH%d\"/><text "
                "class=\"tick\" x=\"%d\" y=\"%.1f\">chance</text>\n",
                LEFT, chart_y(c, c->found->chance), RIGHT, LEFT + 4,
                chart_y(c, c->found->chance) - 4);
}

/* Labels beside the ends of the curves, apart from each other. */
static void place_labels(const struct chart *c, double y[CURVES])
{
    int order[CURVES];

    for (int i = 0; i < c->count; i++) {
        int j = i;
        y[i] = chart_y(c, c->list[i]->curve[last_point(c, i)]);
        for (; j > 0 && y[order[j - 1]] > y[i]; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (int i = 1; i < c->count; i++)
        y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + LINE);
    for (int i = c->count - 1; i >= 0; i--)
        y[order[i]] = fmin(y[order[i]], i == c->count - 1 ? BOTTOM : y[order[i + 1]] - LINE);
}

static void draw_curve(FILE *page, const struct chart *c, int i, double label)
{
    static const char *const dashes[] = { "none", "7 3", "2 3", "9 3 2 3" };
    const pen_compared *const e = c->list[i];
    const int64_t last = last_point(c, i);
    int drawn = 0;

    fprintf(page,
            "<g class=\"s%d\"><path fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" "
            "stroke-dasharray=\"%s\" d=\"",
            i, dashes[i % 4]);
    for (int64_t d = 0; d <= last; d++)
        if (!isnan(e->curve[d]))
            fprintf(page, "%c%.1f %.1f", drawn++ ? 'L' : 'M', chart_x(c, c->found->dims[d]),
                    chart_y(c, e->curve[d]));
    fputs("\"/><g fill=\"currentColor\">", page);
    for (int64_t d = 0; d <= last; d++)
        if (!isnan(e->curve[d]))
            put_shape(page, i % SHAPES, chart_x(c, c->found->dims[d]), chart_y(c, e->curve[d]),
                      3.2);
    const double x = chart_x(c, c->found->dims[last]), y = chart_y(c, e->curve[last]);
    fprintf(page,
            "</g><path fill=\"none\" stroke=\"currentColor\" stroke-dasharray=\"1 4\" d=\"M%.1f "
            "%.1fL%d %.1fH%d\"/>",
            x + 5, y, RIGHT + 14, label, RIGHT + 22);
    fputs("<g fill=\"currentColor\">", page);
    put_shape(page, i % SHAPES, RIGHT + 28, label, 3.2);
    fprintf(page, "</g></g><text x=\"%d\" y=\"%.1f\">", RIGHT + 36, label + 4.5);
    page_text(page, pen_method_name(e->method));
    fputs("</text>\n", page);
}

int figure_curves(FILE *page, const pen_comparison *found)
{
    double labels[CURVES];
    struct chart c;

    choose_curves(found, &c);
    if (c.count == 0)
        return 0;
    place_labels(&c, labels);
    fprintf(page,
            "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"accuracy over dimensions\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(page, &c);
    for (int i = c.count - 1; i >= 0; i--)
        draw_curve(page, &c, i, labels[i]);
    fputs("</svg>\n", page);
    return c.count;
}

/* ---- embedded rows ---- */

enum { SIDE = 320, MARGIN = 12 };

/* A number in [0, 1) for each row, the same every time. */
static double scattered(int64_t i)
{
    const double x = (double)i * 0.6180339887498949;
    return x - floor(x);
}

static double coordinate(const double *z, int64_t k, int64_t i, int which, const int32_t *classes,
                         int64_t class_count)
{
    if (which < k)
        return z[i * k + which];
    /* One dimension: a band for each class, the lowest for unlabelled rows. */
    return (classes[i] < 0 ? -1.0 : (double)(class_count - 1 - classes[i])) + 0.6 * scattered(i);
}

static void limits(int64_t n, int64_t k, const double *z, int which, const int32_t *classes,
                   int64_t class_count, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        const double v = coordinate(z, k, i, which, classes, class_count);
        *low = fmin(*low, v);
        *high = fmax(*high, v);
    }
    if (!(*high > *low)) {
        *low -= 0.5;
        *high += 0.5;
    }
}

/* Rows evenly from the first to the last. */
static int is_drawn(int64_t i, int64_t n)
{
    return n <= FIGURE_ROWS || i * FIGURE_ROWS / n != (i - 1) * FIGURE_ROWS / n || i == 0;
}

void figure_rows(FILE *page, const char *title, int64_t n, int64_t k, const double *z,
                 const int32_t *classes, const char *kinds, int64_t class_count)
{
    const double radius = n > 1000 ? 2.2 : n > 300 ? 2.8 : 3.4, span = SIDE - 2 * MARGIN;
    static const int layers[] = { ROW_UNLABELLED, ROW_KNOWN, ROW_HELD_OUT }; /* the last on top */
    double low[2], high[2];

    for (int which = 0; which < 2; which++)
        limits(n, k, z, which, classes, class_count, &low[which], &high[which]);
    fprintf(page,
            "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            SIDE, SIDE, SIDE, SIDE);
    page_text(page, title);
    fputs("\">\n", page);
    for (int layer = 0; layer < 3; layer++) {
        const int kind = layers[layer];
        for (int64_t c = kind == ROW_UNLABELLED ? -1 : 0;
             c < (kind == ROW_UNLABELLED ? 0 : class_count); c++) {
            begin_group(page, c, kind);
            for (int64_t i = 0; i < n; i++) {
                if (kinds[i] != kind || classes[i] != c || !is_drawn(i, n))
                    continue;
                const double x =
                    (coordinate(z, k, i, 0, classes, class_count) - low[0]) / (high[0] - low[0]);
                const double y =
                    (coordinate(z, k, i, 1, classes, class_count) - low[1]) / (high[1] - low[1]);
                put_shape(page, c < 0 ? 0 : shape_of(c), MARGIN + span * x, MARGIN + span * (1 - y),
                          radius);
            }
            fputs("</g>\n", page);
        }
    }
    fputs("</svg>\n", page);
}
