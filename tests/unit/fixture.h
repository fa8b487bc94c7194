/* fixture.h - recomputes the matrix in the files of tests/data/files (tools/make-fixtures), and
 * checks tables read from them. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "check.h"

#include "core/array.h"

#include <stdio.h>

enum { FIXTURE_ROWS = 24, FIXTURE_COLS = 10 };

#define FIXTURE(name) TEST_DATA "/files/" name

static inline double fixture_value(int64_t i, int64_t j)
{
    return (7 * i + 11 * j + i * j) % 17 < 6 ? (double)(((i + 1) * (j + 3)) % 5 + 1) : 0;
}

/* Sparse rows have strictly ascending columns in range. */
static inline int fixture_is_csr(const pen_array *x)
{
    if (!x->starts || x->starts[0] != 0)
        return 0;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
            if (x->columns[e] < 0 || x->columns[e] >= x->cols
                || (e > x->starts[i] && x->columns[e] <= x->columns[e - 1]))
                return 0;
    return 1;
}

/* What a file holds of the matrix: its entries, or 1 where there is an entry; divided by a
 * number. */
enum fixture_kind { FIXTURE_COUNTS, FIXTURE_PATTERN };

static inline void fixture_check(const char *name, const pen_array *x, int64_t rows, int64_t cols,
                                 enum fixture_kind kind, double divisor)
{
    CHECK(x->rows == rows && x->cols == cols, "%s: %lld x %lld", name, (long long)x->rows,
          (long long)x->cols);
    CHECK(!x->starts || fixture_is_csr(x), "%s: the rows are not sparse", name);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const double value = fixture_value(i, j),
                         wanted = (kind == FIXTURE_PATTERN ? value > 0 : value) / divisor;
            CHECK(pen_value_at(x, i, j) == wanted, "%s: (%d, %d) is %g, not %g", name, (int)i,
                  (int)j, pen_value_at(x, i, j), wanted);
        }
}

/* True if the texts [count] are PREFIX0, PREFIX1, .. */
static inline int fixture_numbered(char **texts, const char *prefix, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%s%d", prefix, (int)i);
        if (!texts || strcmp(texts[i], wanted) != 0)
            return 0;
    }
    return 1;
}

/* Reading the file must fail with this code and phrase. */
static inline void fixture_refused(const char *path, const pen_read_options *options,
                                   pen_status code, const char *said)
{
    pen_table *table;
    pen_error err;
    const pen_status status = pen_read(path, options, &table, &err);

    CHECK(status == code && !table, "%s: status %d (%s), expected %d", path, (int)status,
          status ? err.message : "read", (int)code);
    CHECK(strstr(err.message, said), "%s: \"%s\" lacks \"%s\"", path, err.message, said);
}

static inline pen_table *fixture_read(const char *path, const pen_read_options *options)
{
    pen_table *table;
    pen_error err;

    CHECK_OK(pen_read(path, options, &table, &err), &err);
    return table;
}

#endif
