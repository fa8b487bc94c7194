/* test_palette.c - the colors of classes, looked at as others see them: CIEDE2000 between any two,
 * for normal eyes, the red-blind and the green-blind. */
#include "check.h"

#include "pictures/palette.h"

#include <math.h>
#include <string.h>

enum { EYES = 3, OTHERS = 3 };
static const double LEAST = 12, LEAST_STEP = 15;
static const double PI = 3.14159265358979323846;

/* Machado, Oliveira, Fernandes: IEEE Transactions on Visualization and Computer Graphics 15 (2009)
 * 1291-1298, severity 1, for linear RGB: normal, protanopia, deuteranopia. */
static const double eyes[EYES][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } },
};

/* Paper of pictures, dark paper, rows without a class. */
static const unsigned others[OTHERS] = { PALETTE_PAPER, 0x14171B, PALETTE_NO_CLASS };

typedef struct lab {
    double l, a, b;
} lab;

static double linear(unsigned byte)
{
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double lab_function(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* What an eye sees of an sRGB color, in CIELAB with white D65. */
static lab seen(unsigned color, int eye)
{
    static const double xyz[3][3] = { { 0.4124564, 0.3575761, 0.1804375 },
                                      { 0.2126729, 0.7151522, 0.0721750 },
                                      { 0.0193339, 0.1191920, 0.9503041 } };
    const double rgb[3] = { linear(color >> 16), linear(color >> 8 & 255), linear(color & 255) };
    double f[3];

    for (int i = 0; i < 3; i++) {
        double value = 0, white = 0;
        for (int j = 0; j < 3; j++) {
            double part = 0;
            for (int k = 0; k < 3; k++)
                part += eyes[eye][j][k] * rgb[k];
            value += xyz[i][j] * fmin(fmax(part, 0), 1);
            white += xyz[i][j];
        }
        f[i] = lab_function(value / white);
    }
    return (lab){ 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]) };
}

static double degrees(double a, double b)
{
    const double angle = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / PI;
    return angle < 0 ? angle + 360 : angle;
}

static double cosine(double angle)
{
    return cos(angle * PI / 180);
}

/* CIEDE2000 with all weights 1. Sharma, Wu, Dalal: Color Research and Application 30 (2005)
 * 21-30. */
static double difference(lab p, lab q)
{
    const double c7 = pow((hypot(p.a, p.b) + hypot(q.a, q.b)) / 2, 7);
    const double g = 1.5 - 0.5 * sqrt(c7 / (c7 + pow(25, 7)));
    const double cp = hypot(g * p.a, p.b), cq = hypot(g * q.a, q.b), c = (cp + cq) / 2;
    const double hp = degrees(g * p.a, p.b), hq = degrees(g * q.a, q.b);
    const int gray = cp * cq == 0, around = !gray && fabs(hp - hq) > 180;
    const double turn = gray ? 0 : hq - hp + (around ? (hq > hp ? -360 : 360) : 0);
    const double h = gray ? hp + hq : (hp + hq + (around ? (hp + hq < 360 ? 360 : -360) : 0)) / 2;
    const double l = (p.l + q.l) / 2 - 50;
    const double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6)
                     - 0.2 * cosine(4 * h - 63);
    const double twist = 60 * exp(-pow((h - 275) / 25, 2));
    const double r = -2 * sin(twist * PI / 180) * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)));
    const double dl = (q.l - p.l) / (1 + 0.015 * l * l / sqrt(20 + l * l)),
                 dc = (cq - cp) / (1 + 0.045 * c),
                 dh = 2 * sqrt(cp * cq) * sin(turn * PI / 360) / (1 + 0.015 * c * t);

    return sqrt(dl * dl + dc * dc + dh * dh + r * dc * dh);
}

TEST(any_two_colors_differ_for_all_eyes)
{
    for (int eye = 0; eye < EYES; eye++)
        for (int i = 0; i < PALETTE_COLORS; i++) {
            const lab color = seen(palette_color(i), eye);
            for (int j = 0; j < i; j++)
                assert_true(difference(color, seen(palette_color(j), eye)) >= LEAST);
            for (int j = 0; j < OTHERS; j++)
                assert_true(difference(color, seen(others[j], eye)) >= LEAST);
        }
}

TEST(next_colors_differ_in_lightness)
{
    for (int i = 1; i < PALETTE_COLORS; i++)
        assert_true(fabs(seen(palette_color(i), 0).l - seen(palette_color(i - 1), 0).l)
                    >= LEAST_STEP);
}

TEST(lines_across_a_mark_are_seen_on_it)
{
    for (int i = 0; i < PALETTE_COLORS; i++)
        assert_true(fabs(seen(palette_ink(palette_color(i)), 0).l - seen(palette_color(i), 0).l)
                    >= 30);
}

static int same_shape(const mark_shape *p, const mark_shape *q)
{
    return memcmp(p->hollow, q->hollow, sizeof p->hollow) == 0
           || (memcmp(p->filled, q->filled, sizeof p->filled) == 0 && p->lines == q->lines);
}

TEST(classes_differ_in_color_or_shape)
{
    for (int i = 0; i < PALETTE_COLORS * MARK_SHAPES; i++)
        for (int j = 0; j < i; j++) {
            const int first_ten = i < PALETTE_COLORS;
            if (first_ten || palette_color(i) == palette_color(j))
                assert_false(same_shape(mark_of_class(i), mark_of_class(j)));
        }
}
