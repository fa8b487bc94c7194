/* test_params.c - every parameter of every method: its range, its words, and its text form. */
#include "check.h"

#include <math.h>
#include <stdio.h>

static pen_error err;

/* The nearest number outside the range at its lower end (side -1) or its upper one (1). */
static double outside(const pen_param *param, int side)
{
    const double end = side < 0 ? param->min : param->max;
    const int open = param->open & (side < 0 ? PEN_OPEN_MIN : PEN_OPEN_MAX);

    if (open)
        return end;
    return param->type == PEN_PARAM_REAL ? nextafter(end, side * (double)INFINITY) : end + side;
}

/* The index of the last choice. */
static double last_choice(const pen_param *param)
{
    int count = 0;
    while (param->choices[count])
        count++;
    return count - 1;
}

static double value_of(const pen_spec *spec, const char *name)
{
    double value = (double)NAN;
    CHECK_OK(pen_spec_get(spec, name, &value, &err), &err);
    return value;
}

/* A rejected number changes nothing and does not count as set; the same holds for its text. */
static void refuse(pen_spec *spec, const pen_param *param, double value)
{
    const double before = value_of(spec, param->name);
    const int was_set = pen_spec_is_set(spec, param->name);
    char text[40];

    CHECK_STATUS(pen_spec_set_real(spec, param->name, value, &err), PEN_BAD_ARGUMENT, param->name,
                 &err);
    if (fabs(value) < 1e9 && value == floor(value))
        CHECK_STATUS(pen_spec_set_int(spec, param->name, (int64_t)value, &err), PEN_BAD_ARGUMENT,
                     param->name, &err);
    snprintf(text, sizeof text, "%.17g", value);
    const pen_status status = pen_spec_set(spec, param->name, text, &err);
    CHECK(status == (param->type == PEN_PARAM_CHOICE ? PEN_UNKNOWN_NAME : PEN_BAD_ARGUMENT),
          "%s %s: %d", param->name, text, status);
    assert_true(value_of(spec, param->name) == before);
    assert_int_equal(pen_spec_is_set(spec, param->name), was_set);
}

static void refuse_beyond(pen_spec *spec, const pen_param *param)
{
    refuse(spec, param, outside(param, -1));
    if (param->type == PEN_PARAM_CHOICE)
        refuse(spec, param, last_choice(param) + 1);
    else if (isfinite(param->max))
        refuse(spec, param, outside(param, 1));
    else
        refuse(spec, param, (double)INFINITY);
    refuse(spec, param, -(double)INFINITY);
    refuse(spec, param, (double)NAN);
    if (param->type != PEN_PARAM_REAL)
        refuse(spec, param, param->min + 0.5);
}

/* The text of a value sets the same value. */
static void round_trip(const pen_spec *spec, const pen_param *param)
{
    const double value = value_of(spec, param->name);
    pen_spec *other = NULL;
    char text[32];

    CHECK_OK(pen_spec_copy(spec, &other, &err), &err);
    pen_param_text(param, value, text, sizeof text);
    CHECK_OK(pen_spec_set(other, param->name, text, &err), &err);
    CHECK(value_of(other, param->name) == value, "%s: %s is not %.17g", param->name, text, value);
    assert_true(pen_spec_is_set(other, param->name));
    pen_spec_free(other);
}

static void take_words(pen_spec *spec, const pen_param *param)
{
    for (const pen_word *word = param->words; word && word->text; word++) {
        CHECK_OK(pen_spec_set(spec, param->name, word->text, &err), &err);
        assert_true(value_of(spec, param->name) == word->value);
        round_trip(spec, param);
        const int in_range = word->value > param->min
                             || (word->value == param->min && !(param->open & PEN_OPEN_MIN));
        if (!in_range || !isfinite(word->value))
            refuse(spec, param, word->value);
    }
}

static void take_numbers(pen_spec *spec, const pen_param *param)
{
    const double low = param->open & PEN_OPEN_MIN ? param->min + 1.0 / 3 : param->min;
    const double high = isfinite(param->max) ? param->max : 1e6 + 1;
    const double numbers[] = { low, param->open & PEN_OPEN_MAX ? low : high,
                               low + (high - low) / 3 };

    for (int i = 0; i < (param->type == PEN_PARAM_REAL ? 3 : 2) && param->type != PEN_PARAM_CHOICE;
         i++) {
        CHECK_OK(pen_spec_set_real(spec, param->name, numbers[i], &err), &err);
        round_trip(spec, param);
    }
    for (int i = 0; param->type == PEN_PARAM_CHOICE && param->choices[i]; i++) {
        CHECK_OK(pen_spec_set_int(spec, param->name, i, &err), &err);
        round_trip(spec, param);
        CHECK_OK(pen_spec_set(spec, param->name, param->choices[i], &err), &err);
        assert_true(value_of(spec, param->name) == i);
    }
}

static void ranges_words_and_texts(void **state)
{
    const pen_param *param;
    (void)state;

    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_spec *spec = NULL;
        CHECK_OK(pen_spec_new(pen_method_at(m)->name, &spec, &err), &err);
        for (param = pen_method_at(m)->params; param->name; param++) {
            assert_true(value_of(spec, param->name) == param->initial);
            round_trip(spec, param);
            refuse_beyond(spec, param);
            assert_false(pen_spec_is_set(spec, param->name));
            take_words(spec, param);
            take_numbers(spec, param);
        }
        pen_spec_free(spec);
    }
}

/* The internal value of "all" is not a valid number of dimensions. */
static void messages_name_the_word(void **state)
{
    pen_spec *spec = NULL;
    (void)state;

    CHECK_OK(pen_spec_new("rssdr", &spec, &err), &err);
    CHECK_STATUS(pen_spec_set_int(spec, "dim", 0, &err), PEN_BAD_ARGUMENT,
                 "dim must be a whole number >= 1 or all, got 0", &err);
    CHECK_STATUS(pen_spec_set(spec, "landmarks", "0", &err), PEN_BAD_ARGUMENT,
                 "landmarks must be a whole number >= 1 or all, got 0", &err);
    CHECK_OK(pen_spec_set_real(spec, "pca", 0, &err), &err); /* off, which is in the range */
    pen_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ranges_words_and_texts),
                                        cmocka_unit_test(messages_name_the_word) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
