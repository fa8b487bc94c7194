/* inflate.c - blocks of literals and of references to earlier bytes, coded by prefix codes that are
 * given by the lengths of their words.
 *
 * Words have at most 15 bits and are read from the lowest bit on, so a table of all 15-bit numbers
 * says which symbol is next. */
#include "io/inflate.h"

#include <stdint.h>
#include <string.h>

enum {
    LONGEST = 15,
    TABLE = 1 << LONGEST,
    SYMBOLS = 288, /* of literals and lengths */
    DISTANCES = 32,
    LENGTH_CODES = 19,
    END = 256, /* the symbol that ends a block */
    LENGTH_BITS = 4
};

/* symbol << LENGTH_BITS | length of the word; 0: no word begins so. */
struct code {
    uint16_t entry[TABLE];
};

struct stream {
    const unsigned char *p, *end;
    uint64_t hold; /* bits read from p but not used, the next one lowest */
    int bits;      /* their number */
    int failed;    /* an enum pen_inflated */
    unsigned char *to, *at, *limit;
    pen_growing *growing; /* of `to`; NULL: the room is fixed */
    struct code literals, distances;
};

static void fail(struct stream *s, enum pen_inflated why)
{
    if (!s->failed)
        s->failed = (int)why;
}

/* ---- bits ---- */

static void fill(struct stream *s)
{
    for (; s->bits <= 56 && s->p < s->end; s->bits += 8)
        s->hold |= (uint64_t)*s->p++ << s->bits;
}

static void drop(struct stream *s, int count)
{
    if (count > s->bits)
        fail(s, PEN_INFLATE_ENDED);
    if (s->failed)
        return;
    s->hold >>= count;
    s->bits -= count;
}

/* The next number of `count` bits, at most 16; 0 after the end. */
static unsigned take(struct stream *s, int count)
{
    fill(s);
    const unsigned value = (unsigned)(s->hold & ((UINT64_C(1) << count) - 1));
    drop(s, count);
    return s->failed ? 0 : value;
}

static unsigned take_symbol(struct stream *s, const struct code *code)
{
    fill(s);
    const uint16_t entry = code->entry[s->hold & (TABLE - 1)];
    if (entry == 0)
        fail(s, s->bits < LONGEST ? PEN_INFLATE_ENDED : PEN_INFLATE_DAMAGED);
    drop(s, entry & ((1 << LENGTH_BITS) - 1));
    return s->failed ? 0 : (unsigned)entry >> LENGTH_BITS;
}

/* ---- codes ---- */

static unsigned reversed(unsigned word, int length)
{
    unsigned out = 0;
    for (int i = 0; i < length; i++)
        out |= (word >> i & 1) << (length - 1 - i);
    return out;
}

/* Words of one length are consecutive numbers in the order of the symbols, after those of shorter
 * words. Returns 0 if there are more words than fit. */
static int make_code(const unsigned char *lengths, unsigned count, struct code *code)
{
    unsigned word = 0;

    memset(code, 0, sizeof *code);
    for (int length = 1; length <= LONGEST; length++, word <<= 1)
        for (unsigned symbol = 0; symbol < count; symbol++) {
            if (lengths[symbol] != length)
                continue;
            if (word >> length)
                return 0;
            for (unsigned at = reversed(word, length); at < TABLE; at += 1U << length)
                code->entry[at] = (uint16_t)(symbol << LENGTH_BITS | (unsigned)length);
            word++;
        }
    return 1;
}

static void fixed_codes(struct stream *s)
{
    unsigned char lengths[SYMBOLS];

    for (int i = 0; i < SYMBOLS; i++)
        lengths[i] = (unsigned char)(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    make_code(lengths, SYMBOLS, &s->literals);
    memset(lengths, 5, DISTANCES);
    make_code(lengths, DISTANCES, &s->distances);
}

/* The lengths of the words, coded themselves, with runs. */
static void read_lengths(struct stream *s, unsigned char *lengths, unsigned count)
{
    unsigned done = 0;

    while (!s->failed && done < count) {
        const unsigned symbol = take_symbol(s, &s->literals);
        const unsigned char again = symbol == 16 && done > 0 ? lengths[done - 1] : 0;
        unsigned run = 1;
        if (symbol == 16)
            run = 3 + take(s, 2);
        else if (symbol == 17)
            run = 3 + take(s, 3);
        else if (symbol == 18)
            run = 11 + take(s, 7);
        if (run > count - done || (symbol == 16 && done == 0))
            fail(s, PEN_INFLATE_DAMAGED);
        for (; !s->failed && run > 0; run--)
            lengths[done++] = symbol < 16 ? (unsigned char)symbol : again;
    }
}

static void own_codes(struct stream *s)
{
    static const unsigned char order[LENGTH_CODES] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15 };
    unsigned char lengths[SYMBOLS + DISTANCES] = { 0 };
    const unsigned literals = 257 + take(s, 5), distances = 1 + take(s, 5), given = 4 + take(s, 4);

    if (literals > SYMBOLS)
        fail(s, PEN_INFLATE_DAMAGED);
    for (unsigned i = 0; i < given; i++)
        lengths[order[i]] = (unsigned char)take(s, 3);
    if (!make_code(lengths, LENGTH_CODES, &s->literals))
        fail(s, PEN_INFLATE_DAMAGED);
    memset(lengths, 0, sizeof lengths);
    if (!s->failed)
        read_lengths(s, lengths, literals + distances);
    if (!s->failed
        && (!make_code(lengths, literals, &s->literals)
            || !make_code(lengths + literals, distances, &s->distances)))
        fail(s, PEN_INFLATE_DAMAGED);
}

/* ---- blocks ---- */

/* Is there room for `length` bytes, after growing? */
static int has_room(struct stream *s, size_t length)
{
    pen_growing *const growing = s->growing;

    if (length <= (size_t)(s->limit - s->at))
        return 1;
    if (!growing) {
        fail(s, PEN_INFLATE_DAMAGED);
        return 0;
    }
    const size_t begin = growing->size, done = (size_t)(s->at - s->to);
    if (!growing->grow(growing, begin + done, length)) {
        fail(s, PEN_INFLATE_NO_ROOM);
        return 0;
    }
    s->to = growing->data + begin;
    s->at = s->to + done;
    s->limit = growing->data + growing->room;
    return 1;
}

/* A reference to earlier bytes, which may overlap those it makes. */
static void copy(struct stream *s, unsigned symbol)
{
    static const uint16_t length_base[] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                            15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                            67, 83, 99, 115, 131, 163, 195, 227, 258 };
    static const unsigned char length_bits[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
    static const uint16_t distance_base[] = { 1,    2,    3,    4,     5,     7,    9,    13,
                                              17,   25,   33,   49,    65,    97,   129,  193,
                                              257,  385,  513,  769,   1025,  1537, 2049, 3073,
                                              4097, 6145, 8193, 12289, 16385, 24577 };
    enum { LENGTHS = sizeof length_bits, REACHES = sizeof distance_base / sizeof *distance_base };
    const unsigned l = symbol - END - 1;

    if (l >= LENGTHS) {
        fail(s, PEN_INFLATE_DAMAGED);
        return;
    }
    const size_t length = length_base[l] + take(s, length_bits[l]);
    const unsigned d = take_symbol(s, &s->distances);
    if (s->failed || d >= REACHES) {
        fail(s, PEN_INFLATE_DAMAGED);
        return;
    }
    const size_t distance = distance_base[d] + take(s, d < 4 ? 0 : (int)d / 2 - 1);
    if (!s->failed && distance > (size_t)(s->at - s->to))
        fail(s, PEN_INFLATE_DAMAGED);
    if (s->failed || !has_room(s, length))
        return;
    for (size_t i = 0; i < length; i++, s->at++)
        *s->at = s->at[-(ptrdiff_t)distance];
}

static void coded_block(struct stream *s)
{
    while (!s->failed) {
        const unsigned symbol = take_symbol(s, &s->literals);
        if (s->failed || symbol == END)
            return;
        if (symbol > END)
            copy(s, symbol);
        else if (has_room(s, 1))
            *s->at++ = (unsigned char)symbol;
    }
}

/* Bytes as they are, from the next whole byte on. */
static void stored_block(struct stream *s)
{
    drop(s, s->bits & 7);
    const unsigned length = take(s, 16), inverse = take(s, 16);

    s->p -= s->bits / 8; /* whole bytes that were read ahead */
    s->hold = 0;
    s->bits = 0;
    if ((length ^ inverse) != 0xFFFF)
        fail(s, PEN_INFLATE_DAMAGED);
    if (length > (size_t)(s->end - s->p))
        fail(s, PEN_INFLATE_ENDED);
    if (s->failed || !has_room(s, length))
        return;
    memcpy(s->at, s->p, length);
    s->at += length;
    s->p += length;
}

static void inflate(struct stream *s)
{
    enum { STORED, FIXED, OWN };
    unsigned last = 0;

    while (!last && !s->failed) {
        last = take(s, 1);
        const unsigned type = take(s, 2);
        if (type == FIXED)
            fixed_codes(s);
        else if (type == OWN)
            own_codes(s);
        if (type > OWN)
            fail(s, PEN_INFLATE_DAMAGED);
        if (!s->failed)
            type == STORED ? stored_block(s) : coded_block(s);
    }
}

int pen_inflate(const unsigned char *from, size_t size, unsigned char *to, size_t room)
{
    struct stream s = { .p = from, .end = from + size, .to = to, .at = to, .limit = to + room };

    inflate(&s);
    return !s.failed && s.at == s.limit;
}

enum pen_inflated pen_inflate_growing(const unsigned char *from, size_t size, pen_growing *to,
                                      size_t *used)
{
    unsigned char *const begin = to->data + to->size;
    struct stream s = { .p = from,
                        .end = from + size,
                        .to = begin,
                        .at = begin,
                        .limit = to->data + to->room,
                        .growing = to };

    *used = 0;
    inflate(&s);
    if (s.failed)
        return (enum pen_inflated)s.failed;
    *used = (size_t)(s.p - from) - (size_t)s.bits / 8; /* whole bytes that were read ahead */
    to->size += (size_t)(s.at - s.to);
    return PEN_INFLATED;
}
