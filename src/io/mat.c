/* mat.c - the elements of MATLAB files: each a type, a size and bytes, padded to 8. A variable is
 * an element of elements; compressed, it is a zlib stream of one.
 * https://www.mathworks.com/help/pdf_doc/matlab/matfile_format.pdf */
#include "io/mat.h"

#include "core/memory.h"
#include "core/number.h"
#include "io/inflate.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 128,
    TAG = 8,
    PEEK = 1 << 12, /* of a compressed variable, for its name */
    UINT8 = 2,
    DOUBLE = 9,
    INT64 = 12,
    UINT64 = 13,
    MATRIX = 14,
    COMPRESSED = 15,
    UTF8 = 16,
    CLASS_MASK = 0xFF,
    IS_LOGICAL = 1 << 9,
    IS_COMPLEX = 1 << 11,
    MOST_DIMS = 64
};

static const unsigned char sizes[] = {
    [1] = 1, [2] = 1,  [3] = 2,  [4] = 2,  [5] = 4,  [6] = 4, [7] = 4,
    [9] = 8, [12] = 8, [13] = 8, [16] = 1, [17] = 2, [18] = 4
};

static pen_status damaged(pen_run *run, const pen_input *input)
{
    return pen_fail(run, PEN_BAD_FORMAT, "%s: the MATLAB file is damaged or truncated",
                    input->name);
}

int pen_mat_recognizes(const pen_input *input)
{
    return input->size >= HEADER && memcmp(input->data, "MATLAB 5.0", 10) == 0;
}

static uint64_t number(const unsigned char *p, size_t size, int high_first)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++)
        value = value << 8 | p[high_first ? i : size - 1 - i];
    return value;
}

static size_t size_of(int type)
{
    return type > 0 && (size_t)type < sizeof sizes ? sizes[type] : 0;
}

static uint64_t bits_of(const pen_mat_numbers *numbers, int64_t index)
{
    const size_t size = size_of(numbers->type);

    return number(numbers->values + (size_t)index * size, size, numbers->high_first);
}

double pen_mat_value(const pen_mat_numbers *numbers, int64_t index)
{
    const uint64_t bits = bits_of(numbers, index);
    const uint32_t low = (uint32_t)bits;
    double value;
    float single;

    switch (numbers->type) {
    case 1:
        return (double)(int8_t)bits;
    case 3:
        return (double)(int16_t)bits;
    case 5:
        return (double)(int32_t)bits;
    case INT64:
        return (double)(int64_t)bits;
    case 7:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case 9:
        memcpy(&value, &bits, sizeof value);
        return value;
    default:
        return (double)bits;
    }
}

size_t pen_mat_text(const pen_mat_numbers *numbers, int64_t index, char *text)
{
    return numbers->type == INT64 || numbers->type == UINT64
               ? pen_number_write_whole(bits_of(numbers, index), numbers->type == INT64, text)
               : pen_number_write(pen_mat_value(numbers, index), text);
}

/* ---- elements ---- */

/* A part of the file, or of what was expanded. */
struct part {
    const unsigned char *p, *end;
    int high_first;
};

struct element {
    int type;
    const unsigned char *data;
    size_t size;
};

/* Takes the next element; what is cut off by the end of the part is left out, with 0 returned. */
static int take(struct part *part, struct element *out)
{
    const size_t left = (size_t)(part->end - part->p);

    if (left < TAG)
        return 0;
    const uint32_t first = (uint32_t)number(part->p, 4, part->high_first);
    if (first >> 16) { /* at most four bytes, in the tag */
        *out = (struct element){ (int)(first & 0xFFFF), part->p + 4, first >> 16 };
        part->p += TAG;
        return out->size <= 4;
    }
    const size_t size = (size_t)number(part->p + 4, 4, part->high_first), room = left - TAG;
    *out = (struct element){ (int)first, part->p + TAG, size < room ? size : room };
    const size_t padded = first == COMPRESSED ? size : (size + 7) & ~(size_t)7;
    part->p += TAG + (padded < room ? padded : room);
    return size <= room;
}

static int take_numbers(struct part *part, pen_mat_numbers *out)
{
    struct element e = { 0 };

    if (!take(part, &e) || size_of(e.type) == 0)
        return 0;
    *out =
        (pen_mat_numbers){ e.type, part->high_first, e.data, (int64_t)(e.size / size_of(e.type)) };
    return 1;
}

/* ---- arrays ---- */

static int take_shape(struct part *part, pen_mat *out)
{
    pen_mat_numbers shape;

    if (!take_numbers(part, &shape) || (shape.type != 5 && shape.type != 6) || shape.count < 2
        || shape.count > MOST_DIMS)
        return 0;
    const double rows = pen_mat_value(&shape, 0), cols = pen_mat_value(&shape, 1);
    if (rows < 0 || cols < 0)
        return 0;
    out->dims = shape.count;
    out->rows = (int64_t)rows;
    out->cols = (int64_t)cols;
    return 1;
}

/* The flags, the shape, which objects do not have, and the name. Returns 0 if they are damaged. */
static int take_head(struct part *part, pen_mat *out)
{
    struct element flags = { 0 }, name = { 0 };

    if (!take(part, &flags) || flags.type != 6 || flags.size < 4)
        return 0;
    const uint32_t word = (uint32_t)number(flags.data, 4, part->high_first);
    out->class = (enum pen_mat_class)(word & CLASS_MASK);
    out->complex = (word & IS_COMPLEX) != 0;
    out->logical = (word & IS_LOGICAL) != 0;
    out->high_first = part->high_first;
    if ((out->class != PEN_MAT_OPAQUE && !take_shape(part, out)) || !take(part, &name)
        || size_of(name.type) != 1)
        return 0;
    out->name = (pen_text){ (const char *)name.data, name.size };
    return 1;
}

/* ---- characters ---- */

/* The character of UTF-8 at *p, which moves to the next one. What is damaged is some number. */
static uint32_t next_character(const unsigned char **p, const unsigned char *end)
{
    const unsigned char first = *(*p)++;
    uint32_t character = first < 0x80   ? first
                         : first < 0xE0 ? first & 0x1F
                         : first < 0xF0 ? first & 0x0F
                                        : first & 0x07;

    while (first >= 0x80 && *p < end && (**p & 0xC0) == 0x80)
        character = character << 6 | (*(*p)++ & 0x3F);
    return character;
}

/* What the shape of a char array of UTF-8 counts: characters where SciPy wrote it, bytes where
 * Octave did, units of UTF-16 as MATLAB counts its own. */
enum counted { BYTES, CHARACTERS, UNITS, NOTHING };

static enum counted counted_by(const pen_mat_numbers *text, int64_t cells)
{
    const unsigned char *p = text->values, *const end = p + text->count;
    int64_t characters = 0, units = 0;

    if (text->count == cells)
        return BYTES;
    while (p < end) {
        characters++;
        units += next_character(&p, end) >= 0x10000 ? 2 : 1;
    }
    return characters == cells ? CHARACTERS : units == cells ? UNITS : NOTHING;
}

pen_status pen_mat_characters(pen_run *run, const pen_mat *array, uint32_t **out, int *bytes)
{
    const pen_mat_numbers *const text = &array->values;
    const int64_t cells = pen_times(array->rows, array->cols);
    const enum counted how = text->type == UTF8 ? counted_by(text, cells) : UNITS;
    const unsigned char *p = text->values, *const end = p + text->count;
    int64_t used = 0;

    *bytes = how == BYTES;
    PEN_TRY(PEN_NEW(run, *out, cells));
    for (int64_t i = 0; i < cells && (text->type != UTF8 || how == BYTES); i++) {
        const double value = pen_mat_value(text, i);
        (*out)[i] = value > 0 && value < 0x110000 ? (uint32_t)value : 0;
    }
    while (text->type == UTF8 && how != BYTES && p < end) {
        const uint32_t character = next_character(&p, end), rest = character - 0x10000;
        const int both = how == UNITS && character >= 0x10000;
        if (both)
            (*out)[used++] = 0xD800 + (rest >> 10 & 0x3FF);
        (*out)[used++] = both ? 0xDC00 + (rest & 0x3FF) : character;
    }
    return PEN_OK;
}

/* ---- values ---- */

/* MATLAB tags the entries of a logical sparse matrix as doubles, but writes a byte for each. */
static int take_entries(struct part *part, pen_mat *out)
{
    struct element e = { 0 };
    struct part again = *part;

    if (!take_numbers(part, &out->values) || !take(&again, &e))
        return 0;
    if (out->logical && out->values.type == DOUBLE && (int64_t)e.size == out->indices.count) {
        out->values.type = UINT8;
        out->values.count = out->indices.count;
    }
    return 1;
}

/* The elements after the head. Returns 0 if they are damaged, or not as many as the shape says. */
static int take_body(struct part *part, pen_mat *out)
{
    const int64_t cells = pen_times(out->rows, out->cols);

    if (out->class == PEN_MAT_CELL) {
        out->cells = part->p;
        out->cell_bytes = (size_t)(part->end - part->p);
        return out->dims > 2 || cells <= (int64_t)(out->cell_bytes / TAG);
    }
    if (out->class == PEN_MAT_SPARSE)
        return take_numbers(part, &out->indices) && take_numbers(part, &out->starts)
               && take_entries(part, out);
    if (out->class == PEN_MAT_CHAR
        || (out->class >= PEN_MAT_DOUBLE && out->class <= PEN_MAT_UINT64))
        return take_numbers(part, &out->values)
               && (out->dims > 2 || out->values.count == cells
                   || (out->class == PEN_MAT_CHAR && out->values.type == UTF8
                       && counted_by(&out->values, cells) != NOTHING));
    return 1;
}

/* ---- variables ---- */

/* What `peek` lets grow: nothing. */
static int grow_not(pen_growing *growing, size_t used, size_t more)
{
    (void)growing;
    (void)used;
    (void)more;
    return 0;
}

static int grow(pen_growing *growing, size_t used, size_t more)
{
    const int64_t wanted = pen_plus((int64_t)used, (int64_t)more),
                  room = pen_max(wanted, pen_times(2, (int64_t)growing->room));
    unsigned char *const data =
        wanted <= pen_memory() ? realloc(growing->data, (size_t)room) : NULL;

    if (!data)
        return 0;
    growing->data = data;
    growing->room = (size_t)room;
    return 1;
}

/* A zlib stream (RFC 1950) begins with two bytes and ends with a checksum. */
enum { ZLIB_HEAD = 2, ZLIB_TAIL = 4 };

static int is_zlib(const struct element *e)
{
    return e->size > ZLIB_HEAD + ZLIB_TAIL && (e->data[0] & 15) == 8 && !(e->data[1] & 32)
           && ((unsigned)e->data[0] << 8 | e->data[1]) % 31 == 0;
}

/* Adler-32. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    enum { PRIME = 65521, BEFORE_OVERFLOW = 5552 };
    uint32_t a = 1, b = 0;

    while (size > 0) {
        const size_t some = size < BEFORE_OVERFLOW ? size : BEFORE_OVERFLOW;
        for (size_t i = 0; i < some; i++) {
            a += bytes[i];
            b += a;
        }
        a %= PRIME;
        b %= PRIME;
        bytes += some;
        size -= some;
    }
    return b << 16 | a;
}

static int high_first(const pen_input *input)
{
    return input->data[126] == 'M' && input->data[127] == 'I';
}

/* The element at an offset; *next is that of the following one. */
static pen_status element_at(pen_run *run, const pen_input *input, size_t at, struct element *out,
                             size_t *next)
{
    struct part part = { input->data + at, input->data + input->size, high_first(input) };

    if (!take(&part, out) || (out->type != MATRIX && out->type != COMPRESSED))
        return damaged(run, input);
    *next = (size_t)(part.p - input->data);
    return PEN_OK;
}

static pen_status head_of(pen_run *run, const pen_input *input, const struct element *e,
                          pen_mat *out)
{
    struct part part = { e->data, e->data + e->size, high_first(input) };
    struct element inner = { 0 };
    pen_growing peeked = { .size = 0, .room = PEEK, .grow = grow_not };
    size_t used;

    if (e->type == COMPRESSED) {
        if (!is_zlib(e))
            return damaged(run, input);
        PEN_TRY(PEN_NEW(run, peeked.data, PEEK));
        memset(peeked.data, 0, PEEK);
        const enum pen_inflated how =
            pen_inflate_growing(e->data + ZLIB_HEAD, e->size - ZLIB_HEAD, &peeked, &used);
        if (how != PEN_INFLATED && how != PEN_INFLATE_NO_ROOM)
            return damaged(run, input);
        part.p = peeked.data;
        part.end = peeked.data + PEEK;
        (void)take(&part, &inner); /* cut off */
        if (inner.type != MATRIX)
            return damaged(run, input);
        part.p = inner.data;
    }
    return take_head(&part, out) ? PEN_OK : damaged(run, input);
}

pen_status pen_mat_next(pen_run *run, const pen_input *input, size_t *at, pen_mat *out)
{
    struct element e = { 0 };

    *out = (pen_mat){ .dims = 0 };
    if (*at == 0)
        *at = HEADER;
    if (*at == input->size) {
        *at = 0;
        return PEN_OK;
    }
    PEN_TRY(element_at(run, input, *at, &e, at));
    return head_of(run, input, &e, out);
}

static pen_status expand(pen_run *run, const pen_input *input, struct element *e, pen_bytes *out)
{
    pen_growing to = { .data = malloc(PEEK), .room = PEEK, .grow = grow };
    size_t used = 0;

    PEN_REQUIRE(run, to.data, PEN_NO_MEMORY, "out of memory");
    const enum pen_inflated how =
        is_zlib(e) ? pen_inflate_growing(e->data + ZLIB_HEAD, e->size - ZLIB_HEAD, &to, &used)
                   : PEN_INFLATE_DAMAGED;
    *out = (pen_bytes){ to.data, to.size, 0 };
    if (how != PEN_INFLATED || e->size - ZLIB_HEAD - used < ZLIB_TAIL
        || number(e->data + ZLIB_HEAD + used, ZLIB_TAIL, 1) != checksum(to.data, to.size)) {
        pen_bytes_free(out);
        return how == PEN_INFLATE_NO_ROOM
                   ? pen_fail(run, PEN_NO_MEMORY, "%s: out of memory", input->name)
                   : damaged(run, input);
    }
    struct part part = { to.data, to.data + to.size, high_first(input) };
    if (take(&part, e) && e->type == MATRIX)
        return PEN_OK;
    pen_bytes_free(out);
    return damaged(run, input);
}

pen_status pen_mat_open(pen_run *run, const pen_input *input, size_t at, pen_bytes *expanded,
                        pen_mat *out)
{
    struct element e = { 0 };
    size_t next;

    *expanded = (pen_bytes){ NULL, 0, 0 };
    *out = (pen_mat){ .dims = 0 };
    PEN_TRY(element_at(run, input, at == 0 ? HEADER : at, &e, &next));
    if (e.type == COMPRESSED)
        PEN_TRY(expand(run, input, &e, expanded));
    struct part part = { e.data, e.data + e.size, high_first(input) };
    if (take_head(&part, out) && take_body(&part, out))
        return PEN_OK;
    pen_bytes_free(expanded);
    return damaged(run, input);
}

pen_status pen_mat_cell(pen_run *run, const pen_input *input, const pen_mat *array, size_t *at,
                        pen_mat *out)
{
    struct part part = { array->cells + *at, array->cells + array->cell_bytes, array->high_first };
    struct element e = { 0 };

    *out = (pen_mat){ .dims = 0 };
    if (!take(&part, &e) || e.type != MATRIX)
        return damaged(run, input);
    *at = (size_t)(part.p - array->cells);
    struct part inner = { e.data, e.data + e.size, array->high_first };
    return take_head(&inner, out) && take_body(&inner, out) ? PEN_OK : damaged(run, input);
}
