/* check.h - additions to cmocka: comparisons with a tolerance that print both numbers, statuses
 * with messages, subspaces, and random numbers whose seed is printed when a check fails.
 *
 * PENUMBRA_TEST_SEED is the seed of all random numbers. PENUMBRA_TEST_EFFORT multiplies the
 * repetitions of random tests; slow sanitizers use 0.1. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <penumbra.h>

#include "core/rng.h"
#include "core/run.h"
#include "kit/keep.h"

/* A value of pen_model_value as text, or NULL; as a number, or NaN. */
static inline const char *model_text(const pen_model *model, const char *key)
{
    const char *text = NULL;
    pen_model_value(model, key, NULL, &text);
    return text;
}

static inline double model_number(const pen_model *model, const char *key)
{
    double number = (double)NAN;
    pen_model_value(model, key, &number, NULL);
    return number;
}

/* Stores at most `most` numbers of a list; returns the length of the list. */
static inline int64_t model_list(const pen_model *model, const char *key, int64_t most, double *out)
{
    const double count = model_number(model, key);
    char item[96];
    for (int64_t i = 0; i < most && (double)i < count; i++) {
        snprintf(item, sizeof item, "%s.%lld", key, (long long)i);
        out[i] = model_number(model, item);
    }
    return isnan(count) ? 0 : (int64_t)count;
}

/* The numbers of a tensor, or NULL. */
static inline const double *model_values(const pen_model *model, const char *name)
{
    return pen_model_tensor(model, name).values;
}

#define COUNT_OF(array) ((int64_t)(sizeof(array) / sizeof *(array)))

/* TEST(name) { .. } defines a test. Tests run in the order of the file. */
void check_add(const char *name, CMUnitTestFunction test);
#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        check_add(#name, name);                                                                    \
    }                                                                                              \
    static void name(void **state __attribute__((unused)))

/* GROUP(set_up, tear_down) runs before the first test and after the last one, EACH(..) before and
 * after every test; either may be NULL. */
struct check_fixture {
    CMFixtureFunction set_up, tear_down;
};
extern struct check_fixture check_group, check_each;
#define GROUP(...) struct check_fixture check_group = { __VA_ARGS__ }
#define EACH(...)  struct check_fixture check_each = { __VA_ARGS__ }

static inline uint64_t check_environment(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static inline uint64_t check_seed(void)
{
    return check_environment("PENUMBRA_TEST_SEED", 1936);
}

/* PENUMBRA_TEST_EFFORT, by default 1. */
static inline double check_effort(void)
{
    const char *const text = getenv("PENUMBRA_TEST_EFFORT");
    return text && *text ? strtod(text, NULL) : 1;
}

/* The repetitions of a random test that requests `times`: at least one. */
static inline int check_repeats(int times)
{
    const double repeats = times * check_effort();
    return repeats > 1 ? (int)repeats : 1;
}

/* The number of rows of a large test: fewer if the effort is low. */
static inline int64_t check_many(int64_t rows)
{
    return check_effort() >= 0.5 ? rows : check_effort() >= 0.15 ? rows / 3 : rows / 8;
}

/* Whether to run case i of similar ones. At low effort one of `of` runs in turn, so that a test
 * over two lists covers most entries of both. */
static inline bool check_in_turn(int64_t i, int64_t of)
{
    return check_effort() >= 0.5 || i % of == 0;
}

/* A separate stream for each `tag`. */
static inline pen_rng check_rng(uint64_t tag)
{
    const pen_rng rng = { pen_rng_derive(check_seed(), tag) };
    return rng;
}

static inline double check_normal(pen_rng *rng)
{
    const double u = 1 - pen_rng_uniform(rng), v = pen_rng_uniform(rng);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* Zeroed memory, freed at the end of the program. */
static inline void *check_allocate(int64_t count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (!memory)
        abort();
    return keep_until_end(memory, free);
}

static inline void check_fail(const char *file, int line)
{
    print_error("(PENUMBRA_TEST_SEED=%llu)\n", (unsigned long long)check_seed());
    _fail(file, line);
}

/* Fails with the message unless the condition holds. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error(__VA_ARGS__);                                                              \
            print_error("\n");                                                                     \
            check_fail(__FILE__, __LINE__);                                                        \
        }                                                                                          \
    } while (0)

/* |value - expected| <= atol + rtol |expected|; always fails for NaN. */
#define CHECK_CLOSE(value, expected, rtol, atol)                                                   \
    check_close((value), (expected), (rtol), (atol), #value, __FILE__, __LINE__)

static inline void check_close(double value, double expected, double rtol, double atol,
                               const char *what, const char *file, int line)
{
    const double off = fabs(value - expected), most = atol + rtol * fabs(expected);
    if (off <= most)
        return;
    print_error("%s is %.17g, expected %.17g: off by %.3g, at most %.3g is allowed\n", what, value,
                expected, off, most);
    check_fail(file, line);
}

/* `count` numbers, each to `tolerance` of the largest expected one; 0: exactly. */
static inline void check_all_close(const char *what, int64_t count, const double *found,
                                   const double *right, double tolerance)
{
    double largest = 0;

    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(right[i]));
    for (int64_t i = 0; i < count; i++)
        CHECK(fabs(found[i] - right[i]) <= tolerance * largest,
              "%s: number %lld is %.17g, expected %.17g", what, (long long)i, found[i], right[i]);
}

/* A call that must succeed; `err` points to the pen_error passed to it. */
#define CHECK_OK(call, err) check_status((call), PEN_OK, NULL, (err), #call, __FILE__, __LINE__)

/* A call that must return `code`, with an error of that code whose message contains `phrase` (NULL:
 * any message). */
#define CHECK_STATUS(call, code, phrase, err)                                                      \
    check_status((call), (code), (phrase), (err), #call, __FILE__, __LINE__)

/* The message must be exactly `text`. */
#define CHECK_MESSAGE(err, text)                                                                   \
    CHECK(strcmp((err)->message, (text)) == 0, "the message is\n    %s\nexpected\n    %s",         \
          (err)->message, (text))

static inline void check_status(pen_status status, pen_status expected, const char *phrase,
                                const pen_error *err, const char *call, const char *file, int line)
{
    const int known = status == PEN_OK || (err->code == status && err->message[0]);
    if (status == expected && known && (!phrase || strstr(err->message, phrase)))
        return;
    print_error("%s returns %d, expected %d%s%s\n    error: %d \"%s\"\n", call, (int)status,
                (int)expected, phrase ? " with the phrase " : "", phrase ? phrase : "",
                (int)err->code, err->message);
    check_fail(file, line);
}

/* A run on `threads` threads (0: the default number), whose first error goes to `err`. */
static inline pen_run *check_run(int threads, pen_error *err)
{
    const pen_control control = { .threads = threads };
    pen_run *run;

    CHECK_OK(pen_run_open(&control, err, &run), err);
    return run;
}

/* An orthonormal basis [d x k] of the first k columns of a [d x .]: Gram-Schmidt, twice. */
static inline double *check_basis(int64_t d, int64_t k, const double *a, int64_t stride)
{
    double *q = check_allocate(d * k, sizeof *q);

    for (int64_t j = 0; j < 2 * k; j++) {
        const int64_t c = j / 2;
        double square = 0;
        for (int64_t i = 0; j % 2 == 0 && i < d; i++)
            q[i * k + c] = a[i * stride + c];
        for (int64_t b = 0; b < c; b++) {
            double dot = 0;
            for (int64_t i = 0; i < d; i++)
                dot += q[i * k + b] * q[i * k + c];
            for (int64_t i = 0; i < d; i++)
                q[i * k + c] -= dot * q[i * k + b];
        }
        for (int64_t i = 0; i < d; i++)
            square += q[i * k + c] * q[i * k + c];
        for (int64_t i = 0; i < d; i++)
            q[i * k + c] /= sqrt(square);
    }
    return q;
}

/* The distance between the spans of the first k columns of a and b: the root of the sum of the
 * squared sines of the principal angles. NaN if a column is 0 or not finite. */
static inline double check_subspaces(int64_t d, int64_t k, const double *a, int64_t a_stride,
                                     const double *b, int64_t b_stride)
{
    double *p = check_basis(d, k, a, a_stride), *q = check_basis(d, k, b, b_stride);
    double sum = 0;

    for (int64_t j = 0; j < k; j++) {
        for (int64_t c = 0; c < k; c++) {
            double dot = 0;
            for (int64_t i = 0; i < d; i++)
                dot += p[i * k + c] * q[i * k + j];
            for (int64_t i = 0; i < d; i++)
                q[i * k + j] -= dot * p[i * k + c];
        }
        for (int64_t i = 0; i < d; i++)
            sum += q[i * k + j] * q[i * k + j];
    }
    return sqrt(sum);
}

/* A progress function that requests a stop at report `at`, counted from 0 (-1: never). Repeated
 * reports do not count: long work repeats its last report (pen_poll), more often on a slow
 * machine. */
struct check_stop {
    int64_t at, reports;
    int64_t after; /* calls after the request */
    int64_t done, total;
    char phase[96];
};

static inline int check_stop_at(void *user, const char *phase, int64_t done, int64_t total)
{
    struct check_stop *const s = user;
    const bool stopped = s->at >= 0 && s->reports > s->at;

    CHECK(phase && phase[0] && done >= 0 && done <= total, "%s: %lld of %lld",
          phase ? phase : "no phase", (long long)done, (long long)total);
    s->after += stopped;
    if (s->reports == 0 || done != s->done || total != s->total || strcmp(phase, s->phase) != 0)
        s->reports++;
    s->done = done;
    s->total = total;
    snprintf(s->phase, sizeof s->phase, "%s", phase);
    return s->at >= 0 && s->reports > s->at;
}

#endif
