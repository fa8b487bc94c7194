/* npy.c - NumPy arrays: a magic string, a version, a header that is a Python dictionary, the values
 * (numpy.lib.format, NEP 1). Nothing is allocated until the header has been checked against the
 * size of the file. */
#include "io/columns.h"

#include "core/array.h"
#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC_SIZE = 6, TILE = 64 };
static const unsigned char magic[MAGIC_SIZE] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* ---- the header ---- */

struct parser {
    pen_run *run;
    const char *name;
    const char *p, *end;
};

static pen_status bad_header(const struct parser *at, const char *rule)
{
    char quoted[PEN_QUOTE_SIZE];

    return pen_fail(at->run, PEN_BAD_FORMAT, "%s: npy header: %s, got \"%s\"", at->name, rule,
                    pen_quote((pen_text){ at->p, (size_t)(at->end - at->p) }, quoted));
}

static void skip_space(struct parser *at)
{
    while (at->p < at->end && (*at->p == ' ' || *at->p == '\t' || *at->p == '\n' || *at->p == '\r'))
        at->p++;
}

/* If the next character is c, move past it and return 1. */
static int take(struct parser *at, char c)
{
    skip_space(at);
    if (at->p == at->end || *at->p != c)
        return 0;
    at->p++;
    return 1;
}

static int take_word(struct parser *at, const char *word)
{
    const size_t length = strlen(word);

    skip_space(at);
    if ((size_t)(at->end - at->p) < length || memcmp(at->p, word, length) != 0)
        return 0;
    at->p += length;
    return 1;
}

static pen_status parse_string(struct parser *at, pen_text *out)
{
    skip_space(at);
    const char quote = at->p < at->end ? *at->p : '\0';
    if (quote != '\'' && quote != '"')
        return bad_header(at, "expected a quoted string");
    const char *const close = memchr(at->p + 1, quote, (size_t)(at->end - at->p - 1));
    if (!close)
        return bad_header(at, "missing closing quote");
    *out = (pen_text){ at->p + 1, (size_t)(close - at->p - 1) };
    at->p = close + 1;
    return PEN_OK;
}

static int is_one_of(char c, const char *list)
{
    return c != '\0' && strchr(list, c) != NULL;
}

/* An optional byte order mark, a type letter, a size. */
static pen_status parse_descr(struct parser *at, pen_npy *npy)
{
    static const char *const known[] = { "f2", "f4", "f8", "i1", "i2", "i4", "i8",
                                         "u1", "u2", "u4", "u8", "b1", NULL };
    pen_text descr;
    char quoted[PEN_QUOTE_SIZE];

    skip_space(at);
    PEN_REQUIRE(at->run, at->p == at->end || *at->p != '[', PEN_BAD_FORMAT,
                "%s: npy header: dtype must be a number, got a record of several fields", at->name);
    PEN_TRY(parse_string(at, &descr));
    const int marked = descr.length > 0 && is_one_of(descr.start[0], "<>|=");
    const char mark = marked ? descr.start[0] : '=';
    const pen_text type = { descr.start + marked, descr.length - (size_t)marked };
    for (int i = 0; known[i]; i++) {
        if (!pen_text_equal(type, pen_text_of(known[i])))
            continue;
        npy->kind = known[i][0];
        npy->size = (size_t)(known[i][1] - '0');
        npy->high_first = mark == '>' || (mark != '<' && !pen_low_byte_first());
        return PEN_OK;
    }
    return pen_fail(
        at->run, PEN_BAD_FORMAT,
        "%s: npy header: dtype must be f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 or b1, got \"%s\"",
        at->name, pen_quote(descr, quoted));
}

static pen_status parse_count(struct parser *at, int64_t *out)
{
    int64_t count = 0;

    skip_space(at);
    if (at->p == at->end || *at->p < '0' || *at->p > '9')
        return bad_header(at, "expected a number in the shape");
    for (; at->p < at->end && *at->p >= '0' && *at->p <= '9'; at->p++) {
        if (count > (INT64_MAX - 9) / 10)
            return bad_header(at, "a number in the shape is too large");
        count = 10 * count + (*at->p - '0');
    }
    if (at->p < at->end && *at->p == 'L') /* Python 2 */
        at->p++;
    *out = count;
    return PEN_OK;
}

static pen_status parse_shape(struct parser *at, pen_npy *npy)
{
    int64_t shape[2] = { 0, 1 }, dims = 0, count = 0;
    char quoted[PEN_QUOTE_SIZE];

    skip_space(at);
    const char *const begin = at->p;
    if (!take(at, '('))
        return bad_header(at, "the shape must be a tuple");
    while (!take(at, ')')) {
        PEN_TRY(parse_count(at, &count));
        if (dims < 2)
            shape[dims] = count;
        dims++;
        if (!take(at, ',')) {
            if (dims == 1 || !take(at, ')'))
                return bad_header(at, "expected ',' or ')' in the shape");
            break;
        }
    }
    PEN_REQUIRE(at->run, dims == 1 || dims == 2, PEN_BAD_FORMAT,
                "%s: expected an array of 1 or 2 dimensions, got the shape %s", at->name,
                pen_quote((pen_text){ begin, (size_t)(at->p - begin) }, quoted));
    npy->dims = dims;
    npy->rows = shape[0];
    npy->cols = shape[1];
    return PEN_OK;
}

static pen_status parse_order(struct parser *at, pen_npy *npy)
{
    npy->fortran = take_word(at, "True");
    if (!npy->fortran && !take_word(at, "False"))
        return bad_header(at, "fortran_order must be True or False");
    return PEN_OK;
}

static pen_status parse_entry(struct parser *at, pen_npy *npy, int seen[3])
{
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    static pen_status (*const parse[])(struct parser *, pen_npy *) = { parse_descr, parse_order,
                                                                       parse_shape };
    const struct parser before = *at;
    pen_text key;

    PEN_TRY(parse_string(at, &key));
    if (!take(at, ':'))
        return bad_header(at, "expected ':' after key");
    for (int i = 0; i < 3; i++)
        if (pen_text_equal(key, pen_text_of(keys[i]))) {
            if (seen[i]++)
                return bad_header(&before, "each key must occur once");
            return parse[i](at, npy);
        }
    return bad_header(&before, "the keys must be descr, fortran_order and shape");
}

static pen_status parse_header(struct parser *at, pen_npy *npy)
{
    const struct parser begin = *at;
    int seen[3] = { 0, 0, 0 };

    if (!take(at, '{'))
        return bad_header(at, "expected '{'");
    while (!take(at, '}')) {
        PEN_TRY(parse_entry(at, npy, seen));
        if (!take(at, ',')) {
            if (!take(at, '}'))
                return bad_header(at, "expected ',' or '}'");
            break;
        }
    }
    skip_space(at);
    if (at->p != at->end)
        return bad_header(at, "nothing may follow the '}'");
    if (!(seen[0] && seen[1] && seen[2]))
        return bad_header(&begin, "the keys must be descr, fortran_order and shape");
    return PEN_OK;
}

/* ---- the file ---- */

static int recognizes(const pen_input *input)
{
    return input->size >= MAGIC_SIZE && memcmp(input->data, magic, MAGIC_SIZE) == 0;
}

/* Find the header from the bytes before it. */
static pen_status find_header(pen_run *run, const pen_input *input, size_t *begin, size_t *size)
{
    const unsigned char *p = input->data;

    PEN_REQUIRE(run, recognizes(input), PEN_BAD_FORMAT,
                "%s: an npy file begins with \\x93NUMPY, this one does not", input->name);
    PEN_REQUIRE(run, input->size >= MAGIC_SIZE + 2, PEN_BAD_FORMAT,
                "%s: the npy file ends before its header", input->name);
    const int major = p[MAGIC_SIZE];
    PEN_REQUIRE(run, major >= 1 && major <= 3, PEN_BAD_FORMAT,
                "%s: the npy version must be 1, 2 or 3, got %d.%d", input->name, major,
                p[MAGIC_SIZE + 1]);
    *begin = MAGIC_SIZE + 2 + (major == 1 ? 2 : 4);
    PEN_REQUIRE(run, input->size >= *begin, PEN_BAD_FORMAT,
                "%s: the npy file ends before its header", input->name);
    *size = p[MAGIC_SIZE + 2] + ((size_t)p[MAGIC_SIZE + 3] << 8);
    if (major > 1)
        *size += ((size_t)p[MAGIC_SIZE + 4] << 16) + ((size_t)p[MAGIC_SIZE + 5] << 24);
    PEN_REQUIRE(run, *size <= input->size - *begin, PEN_BAD_FORMAT,
                "%s: the npy header claims %zu bytes, the file has %zu left", input->name, *size,
                input->size - *begin);
    return PEN_OK;
}

pen_status pen_npy_open(pen_run *run, const pen_input *input, pen_npy *npy)
{
    size_t begin = 0, size = 0;

    PEN_TRY(find_header(run, input, &begin, &size));
    const char *const text = (const char *)input->data + begin;
    struct parser at = { run, input->name, text, text + size };
    PEN_TRY(parse_header(&at, npy));
    npy->values = input->data + begin + size;
    npy->bytes = input->size - begin - size;
    return PEN_OK;
}

pen_status pen_npy_fits(pen_run *run, const pen_input *input, const pen_npy *npy)
{
    const size_t room = npy->bytes / npy->size; /* in values */
    const uint64_t cols = (uint64_t)pen_max(npy->cols, 1);

    PEN_REQUIRE(run, (uint64_t)npy->rows <= room / cols, PEN_BAD_FORMAT,
                "%s: the npy header claims %lld x %lld values of %zu bytes, the file has %zu bytes "
                "for them",
                input->name, (long long)npy->rows, (long long)npy->cols, npy->size, npy->bytes);
    const size_t claimed = (size_t)npy->rows * (size_t)npy->cols * npy->size;
    PEN_REQUIRE(run, claimed == npy->bytes, PEN_BAD_FORMAT,
                "%s: %zu bytes follow the %lld x %lld values of the npy file", input->name,
                npy->bytes - claimed, (long long)npy->rows, (long long)npy->cols);
    return PEN_OK;
}

/* Open an array and require that it has values. */
static pen_status open_values(pen_run *run, const pen_input *input, pen_npy *npy)
{
    PEN_TRY(pen_npy_open(run, input, npy));
    PEN_REQUIRE(run, npy->rows > 0 && npy->cols > 0, PEN_BAD_DATA,
                "%s: no %s, the shape is %lld x %lld", input->name,
                npy->rows > 0 ? "columns" : "rows", (long long)npy->rows, (long long)npy->cols);
    return pen_npy_fits(run, input, npy);
}

/* ---- the values ---- */

static uint64_t load_bits(const pen_npy *npy, size_t index)
{
    const unsigned char *p = npy->values + index * npy->size;
    uint64_t bits = 0;

    for (size_t i = 0; i < npy->size; i++)
        bits = bits << 8 | p[npy->high_first ? i : npy->size - 1 - i];
    return bits;
}

/* IEEE 754 half precision. */
static double half(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    const double size = exponent == 31  ? fraction > 0 ? (double)NAN : (double)INFINITY
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* A two's complement integer of `size` bytes. */
static int64_t whole(uint64_t bits, size_t size)
{
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return bits & sign ? -(int64_t)(sign - (bits & (sign - 1)) - 1) - 1 : (int64_t)bits;
}

static double load(const pen_npy *npy, size_t index)
{
    const uint64_t bits = load_bits(npy, index);
    const uint32_t low = (uint32_t)bits;
    double value;
    float single;

    switch (npy->kind) {
    case 'b':
        return bits != 0;
    case 'u':
        return (double)bits;
    case 'i':
        return (double)whole(bits, npy->size);
    default:
        break;
    }
    if (npy->size == 2)
        return half(bits);
    if (npy->size == 4) {
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum pen_whole pen_whole_of(double number, int64_t *value)
{
    if (!isfinite(number) || number != floor(number))
        return PEN_NOT_WHOLE;
    if (!(fabs(number) < 0x1p53))
        return PEN_TOO_LARGE;
    *value = (int64_t)number;
    return PEN_WHOLE;
}

enum pen_whole pen_npy_whole(const pen_npy *npy, size_t index, int64_t *value)
{
    if (npy->kind == 'f')
        return pen_whole_of(load(npy, index), value);
    const uint64_t bits = load_bits(npy, index);
    if (npy->kind == 'u' && bits > INT64_MAX)
        return PEN_TOO_LARGE;
    *value = npy->kind == 'i' ? whole(bits, npy->size) : (int64_t)bits;
    return PEN_WHOLE;
}

double pen_npy_value(const pen_npy *npy, size_t index)
{
    return load(npy, index);
}

void pen_npy_text(const pen_npy *npy, size_t index, char *text)
{
    const uint64_t bits = load_bits(npy, index);

    if (npy->kind == 'f')
        pen_number_write(load(npy, index), text);
    else if (npy->kind == 'i')
        snprintf(text, PEN_NUMBER_SIZE, "%lld", (long long)whole(bits, npy->size));
    else
        snprintf(text, PEN_NUMBER_SIZE, "%llu",
                 (unsigned long long)(npy->kind == 'b' ? bits != 0 : bits));
}

static pen_dtype dtype_of(const pen_npy *npy)
{
    if (npy->kind == 'f')
        return npy->size == 8 ? PEN_F64 : PEN_F32;
    return npy->kind == 'u' && npy->size == 1 ? PEN_U8 : PEN_F64;
}

static void store(void *values, pen_dtype dtype, size_t index, double value)
{
    if (dtype == PEN_F64)
        ((double *)values)[index] = value;
    else if (dtype == PEN_F32)
        ((float *)values)[index] = (float)value;
    else
        ((unsigned char *)values)[index] = (unsigned char)value;
}

/* Does the file hold the array in the layout it has in memory? */
static int as_in_memory(const pen_npy *npy)
{
    const int ordered = !npy->fortran || npy->rows == 1 || npy->cols == 1;
    const int same_type =
        npy->kind == (dtype_of(npy) == PEN_U8 ? 'u' : 'f') && npy->size == pen_size(dtype_of(npy));
    return ordered && same_type && (npy->size == 1 || npy->high_first == !pen_low_byte_first());
}

/* Convert to values [rows x value columns], tile by tile: transposing Fortran order stays in
 * cache. */
static void convert(const pen_npy *npy, const pen_columns *columns, void *values)
{
    const pen_dtype dtype = dtype_of(npy);
    const int64_t cols = columns->number[PEN_COLUMN_VALUE];

    for (int64_t top = 0; top < npy->rows; top += TILE)
        for (int64_t left = 0; left < npy->cols; left += TILE) {
            const int64_t bottom = pen_min(top + TILE, npy->rows),
                          right = pen_min(left + TILE, npy->cols);
            for (int64_t k = 0; k < (bottom - top) * (right - left); k++) {
                const int64_t i = top + k / (right - left), j = left + k % (right - left);
                if (columns->roles[j] == PEN_COLUMN_VALUE)
                    store(
                        values, dtype, (size_t)(i * cols + columns->places[j]),
                        load(npy, (size_t)(npy->fortran ? j * npy->rows + i : i * npy->cols + j)));
            }
        }
}

static int row_has_nan(const pen_array *x, int64_t row)
{
    for (int64_t i = row * x->cols; i < (row + 1) * x->cols; i++)
        if (x->dtype == PEN_F64 ? isnan(((const double *)x->values)[i])
                                : isnan(((const float *)x->values)[i]))
            return 1;
    return 0;
}

/* Drop the rows with missing values. */
static pen_status drop(pen_run *run, const pen_input *input, pen_table *table)
{
    const size_t row_size = (size_t)table->x.cols * pen_size(table->x.dtype);
    char *const values = (char *)(uintptr_t)table->x.values; /* the table's own */
    int64_t rows = 0;

    for (int64_t i = 0; i < table->x.rows; i++)
        if (!row_has_nan(&table->x, i))
            memmove(values + (size_t)rows++ * row_size, values + (size_t)i * row_size, row_size);
    PEN_REQUIRE(run, rows > 0, PEN_BAD_DATA, "%s: no rows left: all %lld have missing values",
                input->name, (long long)table->x.rows);
    table->dropped_rows = table->x.rows - rows;
    table->x.rows = rows;
    return PEN_OK;
}

/* Count NaN values. Infinite values are errors, and so is NaN unless `missing` allows it. */
static pen_status check(pen_run *run, const pen_input *input, const pen_array *x,
                        pen_missing missing, int64_t *holes)
{
    *holes = 0;
    if (pen_finite_values(x->dtype, x->values, x->rows * x->cols))
        return PEN_OK;
    for (int64_t i = 0; i < x->rows * x->cols; i++) {
        const double value = x->dtype == PEN_F64 ? ((const double *)x->values)[i]
                                                 : (double)((const float *)x->values)[i];
        if (isfinite(value))
            continue;
        PEN_REQUIRE(run, isnan(value) && missing != PEN_MISSING_ERROR, PEN_BAD_FORMAT,
                    "%s: row %lld, column %lld (counted from 0): value %s, got %s", input->name,
                    (long long)(i / x->cols), (long long)(i % x->cols),
                    isnan(value) ? "is missing" : "must be finite",
                    isnan(value) ? "nan"
                    : value < 0  ? "-inf"
                                 : "inf");
        ++*holes;
    }
    return PEN_OK;
}

static pen_status read_array(pen_run *run, const pen_input *input, const pen_read_options *options,
                             pen_table *table)
{
    pen_columns columns;
    pen_npy npy;
    int64_t holes;

    PEN_TRY(open_values(run, input, &npy));
    PEN_TRY(pen_columns_assign(run, input->name, NULL, npy.cols, options, &columns));
    const pen_dtype dtype = dtype_of(&npy);
    const size_t item = pen_size(dtype);
    const int64_t cols = columns.number[PEN_COLUMN_VALUE];
    const int as_is = as_in_memory(&npy) && cols == npy.cols,
              in_place = as_is && input->owner && (uintptr_t)npy.values % item == 0;
    if (in_place) {
        table->x = pen_dense(npy.values, dtype, npy.rows, npy.cols, npy.cols);
        PEN_TRY(check(run, input, &table->x, options->missing, &holes));
        if (holes == 0) {
            table->mapped = input->owner->mapped;
            pen_table_keep_bytes(table, input->owner);
            return PEN_OK;
        }
    }
    void *const values = pen_table_rows(run, input, table, npy.rows, cols, dtype);
    if (!values)
        return PEN_NO_MEMORY;
    if (as_is)
        memcpy(values, npy.values, (size_t)npy.rows * (size_t)npy.cols * item);
    else
        convert(&npy, &columns, values);
    table->x = pen_dense(values, dtype, npy.rows, cols, cols);
    PEN_TRY(pen_columns_describe(run, &columns, table));
    PEN_TRY(check(run, input, &table->x, options->missing, &holes));
    if (holes == 0)
        return PEN_OK;
    return options->missing == PEN_MISSING_DROP ? drop(run, input, table)
                                                : pen_table_fill(run, input, table);
}

/* ---- labels ---- */

/* The text of label `index` into text [PEN_NUMBER_SIZE]. */
static pen_status label_text(pen_run *run, const pen_input *input, const pen_npy *npy,
                             int64_t index, char *text)
{
    pen_npy_text(npy, (size_t)index, text);
    if (npy->kind != 'f')
        return PEN_OK;
    const double value = load(npy, (size_t)index);
    PEN_REQUIRE(run, isnan(value) || value == floor(value), PEN_BAD_FORMAT,
                "%s: row %lld (counted from 0): a label must be a whole number or NaN, got %s",
                input->name, (long long)index, text);
    PEN_REQUIRE(run, !isinf(value), PEN_BAD_FORMAT,
                "%s: row %lld (counted from 0): a label must be finite, got %s", input->name,
                (long long)index, text);
    return PEN_OK;
}

static pen_status read_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_table *table)
{
    pen_npy npy;
    pen_text *texts;
    char(*characters)[PEN_NUMBER_SIZE];

    PEN_TRY(open_values(run, input, &npy));
    PEN_REQUIRE(run, npy.cols == 1, PEN_BAD_FORMAT,
                "%s: labels must be one column, got the shape %lld x %lld", input->name,
                (long long)npy.rows, (long long)npy.cols);
    PEN_TRY(PEN_NEW(run, texts, npy.rows));
    PEN_TRY(PEN_NEW(run, characters, npy.rows));
    for (int64_t i = 0; i < npy.rows; i++) {
        PEN_TRY(label_text(run, input, &npy, i, characters[i]));
        texts[i] = pen_text_of(characters[i]);
    }
    table->x = pen_dense(NULL, PEN_F64, npy.rows, 0, 0);
    return pen_table_label(run, table, texts, npy.rows, options->unlabelled, PEN_LABELS_NUMBERS);
}

static const char *const extensions[] = { ".npy", NULL };

const pen_format pen_format_npy = { .name = "npy",
                                    .extensions = extensions,
                                    .recognizes = recognizes,
                                    .read = read_array,
                                    .read_labels = read_labels };
