/* test_number.c - numbers as text against strtod and printf (decimal commas: session same). */
#include "check.h"
#include "kit/text_list.h"

#include "core/number.h"

#include <stdio.h>

static int same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Reads the whole text, which has no terminating NUL, like strtod. */
static void check_read(const char *text)
{
    const size_t length = strlen(text);
    char *exact = check_allocate((int64_t)length, 1);
    double value = -7;

    memcpy(exact, text, length);
    const size_t used = pen_number_read(exact, length, &value);
    CHECK(used == length, "%zu of the %zu bytes of %s are read", used, length, text);
    CHECK(same_bits(value, strtod(text, NULL)), "%s is read as %a, expected %a", text, value,
          strtod(text, NULL));
}

TEST(chosen_numbers_are_read)
{
    const text_list texts = text_list_of(
        "0; -0; +1; 1.; .5; -.5e-3; 1e22; 1e23; 9007199254740993; "
        "9007199254740993.0000000000000000000000001; 1E+5; 00012; 0.000; 0e5; 1e-400; 1e400; "
        "-1e400; 1e99999999999999999999; 1e-99999999999999999999; 4.9406564584124654e-324; "
        "2.4703282292062327e-324; 2.4703282292062328e-324; 2.2250738585072011e-308; "
        "2.2250738585072014e-308; 1.7976931348623157e308; 1.7976931348623159e308; "
        "18446744073709551615; 18446744073709551616; 36893488147419103232; "
        "1844674407370955161600000000000; 0.1; 123456789012345678901234567890e-30; inf; -Infinity; "
        "INF");
    for (int64_t i = 0; i < texts.count; i++)
        check_read(texts.text[i]);
}

TEST(only_the_number_is_taken)
{
    static const struct {
        const char *text;
        size_t used;
    } texts[] = { { "", 0 },         { "-", 0 },         { "+", 0 },    { ".", 0 },
                  { "-.", 0 },       { ".e5", 0 },       { "e5", 0 },   { " 1", 0 },
                  { "--1", 0 },      { "+-1", 0 },       { "x", 0 },    { "in", 0 },
                  { "na", 0 },       { "1,5", 1 },       { "1e", 1 },   { "1e+", 1 },
                  { "1e5e", 3 },     { "1.2.3", 3 },     { "0x10", 1 }, { "infinit", 3 },
                  { "nan(1)", 3 },   { "12 ", 2 },       { "1d5", 1 },  { "1234567;9", 7 },
                  { "123456:8", 6 }, { "0.1234567?", 9 } };
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        double value;
        const size_t length = strlen(texts[i].text),
                     used = pen_number_read(texts[i].text, length, &value);
        CHECK(used == texts[i].used, "%zu bytes of \"%s\" are read, expected %zu", used,
              texts[i].text, texts[i].used);
        assert_int_equal(pen_number_is(texts[i].text, length, &value), 0);
    }
}

TEST(random_decimals_are_read)
{
    pen_rng rng = check_rng(1);
    for (int repeat = 0; repeat < check_repeats(20000); repeat++) {
        char text[480], *p = text;
        const int64_t digits = repeat % 100 ? 1 + pen_rng_below(&rng, 24)
                                            : 380 + pen_rng_below(&rng, 40),
                      point = pen_rng_below(&rng, digits + 1);
        for (int64_t i = 0; i < digits; i++) {
            if (i == point)
                *p++ = '.';
            *p++ = (char)('0' + pen_rng_below(&rng, 10));
        }
        *p = '\0';
        if (pen_rng_below(&rng, 2))
            sprintf(p, "e%d",
                    (int)pen_rng_below(&rng, repeat % 3 ? 60 : 700) - (repeat % 3 ? 30 : 350));
        check_read(text);
    }
}

/* The exact decimal midpoint of two adjacent doubles, and the texts next to it. */
TEST(halfway_cases_are_read)
{
    pen_rng rng = check_rng(2);
    for (int repeat = 0; repeat < check_repeats(5000); repeat++) {
        /* 54 bits: not a double */
        const uint64_t odd = 2 * ((pen_rng_next(&rng) >> 11) | UINT64_C(1) << 52) + 1;
        const int shift = (int)pen_rng_below(&rng, 9);
        char text[64];
        snprintf(text, sizeof text, "%llu", (unsigned long long)(odd << shift));
        check_read(text);
        snprintf(text, sizeof text, "%llu.00000000000000001", (unsigned long long)(odd << shift));
        check_read(text);
        snprintf(text, sizeof text, "%llu.9999", (unsigned long long)((odd << shift) - 1));
        check_read(text);
        /* odd / 2 and odd / 4, with 17 and 18 digits, few enough for exact division */
        snprintf(text, sizeof text, "%llue-1", (unsigned long long)(odd % 1000000000000000000 * 5));
        check_read(text);
    }
}

/* A digit far beyond the kept ones decides the rounding of a midpoint. */
TEST(far_digits_break_ties)
{
    char text[2048] = "9007199254740993.";
    for (int zeros = 0; zeros < 1500; zeros++)
        strcat(text, "0");
    check_read(text);
    assert_true(strtod(text, NULL) == 9007199254740992.0); /* midpoint, rounded to even */
    strcat(text, "1");
    check_read(text);
    assert_true(strtod(text, NULL) == 9007199254740994.0);
}

static int count_digits(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

/* The number as printf writes it, with the fewest digits, at least `least`, that read back, and no
 * trailing zeros: "d.ddde+dd". */
static void expected_digits(double value, int least, int most, int single, char text[64])
{
    for (int digits = least; digits <= most; digits++) {
        snprintf(text, 64, "%.*e", digits - 1, value);
        const double back = strtod(text, NULL);
        if (digits == most
            || (single ? strtof(text, NULL) == (float)value && (float)back == (float)value
                       : back == value))
            break;
    }
    char *const mark = strchr(text, 'e'), *end = mark;
    while (end[-1] == '0' && end > text + 1)
        end--;
    memmove(end - (end[-1] == '.'), mark, strlen(mark) + 1);
}

/* Compares all digits, also where the nearest of the shortest decimals does not read back, as next
 * to powers of 2. */
static void check_digits(double value, int single)
{
    const double magnitude = fabs(value);
    char text[PEN_NUMBER_SIZE], again[64], expected[64];

    const size_t length =
        single ? pen_number_write_float((float)value, text) : pen_number_write(value, text);
    assert_true(length == strlen(text) && length < PEN_NUMBER_SIZE);
    assert_int_equal(signbit(strtod(text, NULL)) != 0, signbit(value) != 0);
    expected_digits(value,
                    single                  ? magnitude < 0x1p-126 ? 1 : 6
                    : magnitude < 0x1p-1022 ? 1
                                            : 15,
                    single ? 9 : 17, single, expected);
    snprintf(again, sizeof again, "%.*e", count_digits(text) > 0 ? count_digits(text) - 1 : 0,
             strtod(text, NULL));
    CHECK(strcmp(again, expected) == 0, "%a is written as %s, digits %s, expected %s", value, text,
          again, expected);
}

static double random_double(pen_rng *rng)
{
    const uint64_t bits = pen_rng_next(rng);
    double value;

    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 1;
}

/* A decimal of up to 20 digits: many are near or at the midpoint of two doubles. */
static double random_decimal(pen_rng *rng)
{
    char text[64];

    snprintf(text, sizeof text, "%llue%d",
             (unsigned long long)(pen_rng_next(rng) >> pen_rng_below(rng, 64)),
             (int)pen_rng_below(rng, 60) - 45);
    return strtod(text, NULL);
}

TEST(digits_are_those_of_printf)
{
    pen_rng rng = check_rng(4);
    for (int repeat = 0; repeat < check_repeats(20000); repeat++) {
        const double decimal = random_decimal(&rng),
                     few_bits = ldexp((double)(pen_rng_next(&rng) >> pen_rng_below(&rng, 63)),
                                      (int)pen_rng_below(&rng, 200) - 150);
        check_digits(random_double(&rng), 0);
        check_digits(decimal, 0);
        check_digits(nextafter(decimal, 0), 0);
        check_digits(few_bits, 0);
        check_digits(ldexp(check_normal(&rng), (int)pen_rng_below(&rng, 180) - 125), 0);
        check_digits((double)(float)ldexp(check_normal(&rng), (int)pen_rng_below(&rng, 180) - 125),
                     1);
        check_digits((double)(float)decimal, 1);
        check_digits((double)(float)few_bits, 1);
        check_digits(ldexp(pen_rng_uniform(&rng), -1030), 0); /* subnormal */
    }
    for (int e = -1074; e < 1024; e++)
        for (int side = -1; side <= 1; side++) {
            const double power = ldexp(1, e), next = nextafter(power, side < 0 ? 0 : INFINITY);
            check_digits(side ? next : power, 0);
            if (e > -149 && e < 128)
                check_digits(
                    side ? (double)nextafterf((float)power, side < 0 ? 0 : INFINITY) : power, 1);
        }
    for (int e = -323; e < 309; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double ten = strtod(text, NULL);
        check_digits(ten, 0);
        check_digits(nextafter(ten, 0), 0);
        check_digits(nextafter(ten, INFINITY), 0);
    }
}

TEST(chosen_numbers_are_written)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = { { 0, "0" },
                    { -0.0, "-0" },
                    { 1, "1" },
                    { -10, "-10" },
                    { 0.1, "0.1" },
                    { 1.0 / 3, "0.3333333333333333" },
                    { 1e-5, "0.00001" },
                    { 1e-6, "1e-6" },
                    { 123456789, "123456789" },
                    { 9007199254740992.0, "9007199254740992" },
                    { 1e16, "10000000000000000" },
                    { 1e17, "1e17" },
                    { 1.5e300, "1.5e300" },
                    { 5e-324, "5e-324" },
                    { 1.7976931348623157e308, "1.7976931348623157e308" },
                    { 9.5367431640625e-7, "9.5367431640625e-7" },
                    { (double)INFINITY, "inf" },
                    { -(double)INFINITY, "-inf" },
                    { (double)NAN, "nan" } };
    char text[PEN_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        pen_number_write(numbers[i].value, text);
        assert_string_equal(text, numbers[i].text);
    }
    pen_number_write_float(0.1f, text);
    assert_string_equal(text, "0.1");
    pen_number_write_float(16777216.0f, text);
    assert_string_equal(text, "16777216");
}
