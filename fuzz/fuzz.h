/* fuzz.h - helpers of the fuzz targets. A target takes any bytes. It must not crash, and accepted
 * input must keep the promises below.
 *
 * An input may claim to be huge. Run the targets with
 * ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=64, so that a huge allocation
 * fails as on a small machine instead of ending the run. */
#ifndef FUZZ_H
#define FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/read.h"
#include "kit/signed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise. Unlike assert, it is checked in every kind of build. */
#define PROMISE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A failure has a code and a one-line message, and leaves no table. */
static inline void promise_failure(pen_status status, const pen_error *err, const void *result)
{
    PROMISE(err->code == status);
    PROMISE(strlen(err->message) > 0 && strlen(err->message) < sizeof err->message);
    PROMISE(!strpbrk(err->message, "\r\n"));
    PROMISE(result == NULL);
    PROMISE(status != PEN_INTERNAL);
}

static inline double value_at(const pen_array *x, int64_t i, int64_t j)
{
    const int64_t at = i * x->stride + j;
    if (x->dtype == PEN_F64)
        return ((const double *)x->values)[at];
    return x->dtype == PEN_F32 ? (double)((const float *)x->values)[at]
                               : ((const unsigned char *)x->values)[at];
}

/* Labels are in range, every class has a row, and class names are unique. */
static inline void promise_labels(const pen_table *t)
{
    char *seen = calloc((size_t)t->class_count + 1, 1);

    PROMISE(seen && t->class_count >= 0 && t->class_count <= t->x.rows);
    PROMISE((t->class_count > 0) == (t->class_names != NULL));
    for (int64_t i = 0; t->labels && i < t->x.rows; i++) {
        PROMISE(t->labels[i] >= PEN_UNLABELLED && t->labels[i] < t->class_count);
        if (t->labels[i] >= 0)
            seen[t->labels[i]] = 1;
    }
    for (int64_t c = 0; c < t->class_count; c++) {
        PROMISE(seen[c] && t->labels && strlen(t->class_names[c]) > 0);
        PROMISE(c == 0 || strcmp(t->class_names[c - 1], t->class_names[c]) != 0);
    }
    free(seen);
}

static inline void promise_table(const pen_table *t)
{
    PROMISE(t->x.rows > 0 && t->x.cols > 0 && t->x.stride >= t->x.cols && t->x.values);
    for (int64_t i = 0; i < t->x.rows; i++)
        for (int64_t j = 0; j < t->x.cols; j++)
            PROMISE(isfinite(value_at(&t->x, i, j)));
    for (int64_t j = 0; t->column_names && j < t->x.cols; j++)
        PROMISE(t->column_names[j]);
    for (int64_t i = 0; t->row_names && i < t->x.rows; i++)
        PROMISE(t->row_names[i]);
    PROMISE(t->dropped_rows >= 0 && t->filled_cells >= 0);
    promise_labels(t);
}

/* A buffer that grows when written to. */
struct memory {
    char *data;
    size_t size, room;
};

static inline pen_status put_memory(void *context, const void *bytes, size_t size)
{
    struct memory *m = context;
    if (m->room - m->size < size) {
        m->room = 2 * m->room + size + 64;
        char *grown = realloc(m->data, m->room);
        PROMISE(grown);
        m->data = grown;
    }
    if (size > 0)
        memcpy(m->data + m->size, bytes, size);
    m->size += size;
    return PEN_OK;
}

/* Both tables hold the same bits. */
static inline void promise_same_values(const pen_array *a, const pen_array *b)
{
    PROMISE(a->rows == b->rows && a->cols == b->cols);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->cols; j++) {
            const double u = value_at(a, i, j), v = value_at(b, i, j);
            PROMISE(memcmp(&u, &v, sizeof u) == 0);
        }
}

/* The parser runs on the file as given, and again with a correct checksum, because a wrong one ends
 * the parse. */
static inline void with_checksum(const uint8_t *data, size_t size,
                                 void (*parse)(const uint8_t *data, size_t size))
{
    uint8_t *const copy = malloc(size + 1);

    PROMISE(copy);
    parse(data, size);
    memcpy(copy, data, size);
    sign_file(copy, size);
    parse(copy, size);
    free(copy);
}

#endif
