/* test_widths.c - loops compiled for each vector width (core/subtract_origin.h) against scalar
 * code, with every instruction set of this CPU. */
#include "check.h"

#include "core/isa.h"
#include "core/subtract_origin.h"

enum { MOST = 300 };

/* Values whose differences are rounded, and some that are equal. */
static void draw(pen_rng *rng, double *values)
{
    for (int i = 0; i < MOST; i++)
        values[i] = i % 7 == 0 ? 1 : (pen_rng_uniform(rng) - 0.5) * (i % 5 == 0 ? 1e6 : 1);
}

static void check_shift(pen_rng *rng, int64_t count)
{
    double values[MOST], origin[MOST], to[MOST];
    float singles[MOST], origin_single[MOST], to_single[MOST];
    unsigned char bytes[MOST];

    draw(rng, values), draw(rng, origin);
    for (int i = 0; i < MOST; i++) {
        singles[i] = (float)values[i];
        origin_single[i] = (float)origin[i];
        bytes[i] = (unsigned char)pen_rng_below(rng, 256);
    }
    const void *const from[] = { [PEN_F64] = values, [PEN_F32] = singles, [PEN_U8] = bytes };
    for (int type = 0; type < 3; type++) {
        to[count] = 0.5;
        pen_shift_double((pen_dtype)type, from[type], origin, count, to);
        assert_true(to[count] == 0.5);
        for (int64_t j = 0; j < count; j++) {
            const double v = type == PEN_F64   ? values[j]
                             : type == PEN_F32 ? (double)singles[j]
                                               : (double)bytes[j];
            assert_true(to[j] == v - origin[j]);
        }
        if (type == PEN_F64)
            continue;
        to_single[count] = 0.5F;
        pen_shift_single((pen_dtype)type, from[type], origin_single, count, to_single);
        assert_true(to_single[count] == 0.5F);
        for (int64_t j = 0; j < count; j++) {
            const float v = type == PEN_F32 ? singles[j] : (float)bytes[j];
            assert_true(to_single[j] == v - origin_single[j]);
        }
    }
}

TEST(every_width)
{
    const pen_isa best = pen_isa_now();
    pen_rng rng = check_rng(7300);

    for (int isa = 0; isa < PEN_ISA_COUNT; isa++) {
        if (!pen_isa_has((pen_isa)isa))
            continue;
        pen_isa_use((pen_isa)isa);
        for (int64_t count = 0; count < MOST; count++)
            check_shift(&rng, count);
    }
    pen_isa_use(best);
}
