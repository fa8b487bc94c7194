/* npy_header.c - the header of a NumPy array: a magic string, a version, a Python dictionary
 * (numpy.lib.format, NEP 1). Nothing is allocated until it has been checked against the size of the
 * file. */
#include "io/numpy/npy.h"

#include <string.h>

enum { MAGIC_SIZE = 6, SHORTEST = 12, MOST_TEXT = 1 << 23 };
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
    while (at->p < at->end && memchr(" \t\r\n", *at->p, 4))
        at->p++;
}

/* If the next word is this one, move past it and return 1. */
static int take(struct parser *at, const char *word)
{
    const size_t length = strlen(word);

    skip_space(at);
    if ((size_t)(at->end - at->p) < length || memcmp(at->p, word, length) != 0)
        return 0;
    at->p += length;
    return 1;
}

/* The same for a text in quotes. */
static int take_string(struct parser *at, pen_text *out)
{
    const char quote = take(at, "'") ? '\'' : '"';
    if (quote == '"' && !take(at, "\""))
        return 0;
    const char *const close = memchr(at->p, quote, (size_t)(at->end - at->p));
    if (!close)
        return 0;
    *out = (pen_text){ at->p, (size_t)(close - at->p) };
    at->p = close + 1;
    return 1;
}

/* The same for a whole number. */
static int take_count(struct parser *at, int64_t *out)
{
    skip_space(at);
    pen_text digits = { at->p, 0 };
    while (at->p < at->end && *at->p >= '0' && *at->p <= '9')
        at->p++;
    digits.length = (size_t)(at->p - digits.start);
    (void)take(at, "L"); /* Python 2 */
    return pen_is_count(digits, out);
}

/* The size in bytes of texts such as S12 (bytes) or U12 (characters); 0: another type. */
static size_t text_size(pen_text type)
{
    int64_t count;

    if (type.length < 2 || !memchr("SU", *type.start, 2)
        || !pen_is_count((pen_text){ type.start + 1, type.length - 1 }, &count)
        || count > MOST_TEXT)
        return 0;
    return (*type.start == 'U' ? 4 : 1) * (size_t)count;
}

/* An optional byte order mark, a type letter, a size. */
static pen_status parse_descr(struct parser *at, pen_npy *npy)
{
    static const char *const known[] = { "f2", "f4", "f8", "i1", "i2", "i4", "i8",
                                         "u1", "u2", "u4", "u8", "b1", NULL };
    pen_text descr;
    char quoted[PEN_QUOTE_SIZE];

    PEN_REQUIRE(at->run, !take(at, "["), PEN_BAD_FORMAT,
                "%s: npy header: dtype must be a number, got a record of several fields", at->name);
    if (!take_string(at, &descr))
        return bad_header(at, "expected a quoted string");
    const int marked = descr.length > 0 && memchr("<>|=", *descr.start, 4);
    const char mark = marked ? *descr.start : '=';
    const pen_text type = { descr.start + marked, descr.length - (size_t)marked };
    npy->kind = type.length > 0 ? *type.start : '\0';
    npy->size = text_size(type);
    npy->high_first = mark == '>' || (mark != '<' && !pen_low_byte_first());
    for (int i = 0; known[i]; i++)
        if (pen_text_equal(type, pen_text_of(known[i])))
            npy->size = (size_t)(known[i][1] - '0');
    if (npy->size > 0)
        return PEN_OK;
    PEN_REQUIRE(at->run, !pen_text_equal(type, pen_text_of("O")), PEN_BAD_FORMAT,
                "%s: npy header: this is an array of Python objects, which only Python can read; "
                "save values with .astype(float), labels with .astype(str)",
                at->name);
    return pen_fail(
        at->run, PEN_BAD_FORMAT,
        "%s: npy header: dtype must be f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 or b1, got \"%s\"",
        at->name, pen_quote(descr, quoted));
}

static pen_status parse_shape(struct parser *at, pen_npy *npy)
{
    int64_t shape[2] = { 1, 1 }, count;
    char quoted[PEN_QUOTE_SIZE];

    skip_space(at);
    const struct parser begin = *at;
    int is_shape = take(at, "(");
    for (npy->dims = 0; is_shape && !take(at, ")"); npy->dims++) {
        is_shape = take_count(at, &count)
                   && (take(at, ",") || (npy->dims > 0 && at->p < at->end && *at->p == ')'));
        if (npy->dims < 2)
            shape[npy->dims] = count;
    }
    if (!is_shape)
        return bad_header(&begin, "the shape must be whole numbers in parentheses");
    PEN_REQUIRE(at->run, npy->dims <= 2, PEN_BAD_FORMAT,
                "%s: expected an array of 1 or 2 dimensions, got the shape %s", at->name,
                pen_quote((pen_text){ begin.p, (size_t)(at->p - begin.p) }, quoted));
    npy->rows = shape[0];
    npy->cols = shape[1];
    return PEN_OK;
}

static pen_status parse_order(struct parser *at, pen_npy *npy)
{
    npy->fortran = take(at, "True");
    return npy->fortran || take(at, "False")
               ? PEN_OK
               : bad_header(at, "fortran_order must be True or False");
}

static pen_status parse_header(struct parser *at, pen_npy *npy)
{
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    static pen_status (*const parse[])(struct parser *, pen_npy *) = { parse_descr, parse_order,
                                                                       parse_shape };
    const struct parser begin = *at;
    int seen[3] = { 0, 0, 0 };
    pen_text key;

    for (int more = take(at, "{"); more && take_string(at, &key) && take(at, ":");
         more = take(at, ","))
        for (int k = 0; k < 3; k++)
            if (pen_text_equal(key, pen_text_of(keys[k])) && !seen[k]++)
                PEN_TRY(parse[k](at, npy));
    if (!take(at, "}") || !seen[0] || !seen[1] || !seen[2])
        return bad_header(&begin, "it must be {'descr': .., 'fortran_order': .., 'shape': ..}");
    skip_space(at);
    return at->p == at->end ? PEN_OK : bad_header(at, "nothing may follow the '}'");
}

/* ---- the file ---- */

int pen_npy_is(const pen_input *input)
{
    return input->size >= MAGIC_SIZE && memcmp(input->data, magic, MAGIC_SIZE) == 0;
}

/* Find the header from the bytes before it. */
static pen_status find_header(pen_run *run, const pen_input *input, size_t *begin, size_t *size)
{
    const unsigned char *p = input->data;

    PEN_REQUIRE(run, pen_npy_is(input), PEN_BAD_FORMAT,
                "%s: an npy file begins with \\x93NUMPY, this one does not", input->name);
    PEN_REQUIRE(run, input->size >= SHORTEST, PEN_BAD_FORMAT,
                "%s: the npy file ends before its header", input->name);
    const int major = p[MAGIC_SIZE];
    PEN_REQUIRE(run, major >= 1 && major <= 3, PEN_BAD_FORMAT,
                "%s: the npy version must be 1, 2 or 3, got %d.%d", input->name, major,
                p[MAGIC_SIZE + 1]);
    *begin = MAGIC_SIZE + 2 + (major == 1 ? 2 : 4);
    *size = pen_number_at(p + MAGIC_SIZE + 2, major == 1 ? 2 : 4, 0);
    PEN_REQUIRE(run, *size <= input->size - *begin, PEN_BAD_FORMAT,
                "%s: the npy header claims %zu bytes, the file has %zu left", input->name, *size,
                input->size - *begin);
    return PEN_OK;
}

pen_status pen_npy_open_any(pen_run *run, const pen_input *input, pen_npy *npy)
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

pen_status pen_npy_open(pen_run *run, const pen_input *input, pen_npy *npy)
{
    PEN_TRY(pen_npy_open_any(run, input, npy));
    PEN_REQUIRE(run, npy->dims > 0, PEN_BAD_FORMAT,
                "%s: expected an array of 1 or 2 dimensions, got the shape ()", input->name);
    PEN_REQUIRE(run, npy->kind != 'S' && npy->kind != 'U', PEN_BAD_FORMAT,
                "%s: npy header: dtype must be numbers, got texts, which only labels may be",
                input->name);
    return PEN_OK;
}
