/* number.c - numbers to and from text.
 *
 * strtod and printf use the decimal point of the process's locale. So strtod only sees digits and
 * an exponent without a point, and only the digits and the exponent of what printf writes are used.
 * Most numbers need neither: for a mantissa of up to 64 bits and a power of five that fits in 64
 * bits, one exact multiplication or division gives the correctly rounded double. */
#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* digits after the 767th only tell whether anything nonzero follows */
    MAX_DIGITS = 800,
    MANTISSA_DIGITS = 19,   /* digits that always fit in 64 bits */
    EXACT_POWER = 22,       /* 10^22 is the largest power of ten that is a double */
    MOST_DIGITS = 17,       /* at most this number is written */
    BIAS = 1023,            /* the exponent bias of a double */
    MAX_FIVES = 27,         /* 5^27 is the largest power of five in 64 bits */
    MAX_EXPONENT = 1000000, /* far outside the range of double; sums of exponents stay within
                              * int64_t */
};
static const uint64_t EXACT_INTEGER = UINT64_C(1) << 53;

/* mantissa * 10^exponent */
struct decimal {
    uint64_t mantissa;
    int64_t exponent;
};

/* 5^i */
static const uint64_t five_to[MAX_FIVES + 1] = { 1,
                                                 5,
                                                 25,
                                                 125,
                                                 625,
                                                 3125,
                                                 15625,
                                                 78125,
                                                 390625,
                                                 1953125,
                                                 9765625,
                                                 48828125,
                                                 244140625,
                                                 1220703125,
                                                 6103515625,
                                                 30517578125,
                                                 152587890625,
                                                 762939453125,
                                                 3814697265625,
                                                 19073486328125,
                                                 95367431640625,
                                                 476837158203125,
                                                 2384185791015625,
                                                 11920928955078125,
                                                 59604644775390625,
                                                 298023223876953125,
                                                 1490116119384765625,
                                                 7450580596923828125 };

/* 10^i */
static const uint64_t ten_to[] = { 1,
                                   10,
                                   100,
                                   1000,
                                   10000,
                                   100000,
                                   1000000,
                                   10000000,
                                   100000000,
                                   1000000000,
                                   10000000000,
                                   100000000000,
                                   1000000000000,
                                   10000000000000,
                                   100000000000000,
                                   1000000000000000,
                                   10000000000000000,
                                   100000000000000000,
                                   1000000000000000000 };

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Is the lowest byte of a word the first one? */
static int is_low_first(void)
{
    const uint16_t one = 1;
    char first;

    memcpy(&first, &one, 1);
    return first;
}

/* ---- decimal to double ---- */

/* 2^s / 5^i, cut off, with s such that the top bit is set */
static const uint64_t fifth_to[MAX_FIVES + 1] = {
    UINT64_C(0x8000000000000000), UINT64_C(0xcccccccccccccccc), UINT64_C(0xa3d70a3d70a3d70a),
    UINT64_C(0x83126e978d4fdf3b), UINT64_C(0xd1b71758e219652b), UINT64_C(0xa7c5ac471b478423),
    UINT64_C(0x8637bd05af6c69b5), UINT64_C(0xd6bf94d5e57a42bc), UINT64_C(0xabcc77118461cefc),
    UINT64_C(0x89705f4136b4a597), UINT64_C(0xdbe6fecebdedd5be), UINT64_C(0xafebff0bcb24aafe),
    UINT64_C(0x8cbccc096f5088cb), UINT64_C(0xe12e13424bb40e13), UINT64_C(0xb424dc35095cd80f),
    UINT64_C(0x901d7cf73ab0acd9), UINT64_C(0xe69594bec44de15b), UINT64_C(0xb877aa3236a4b449),
    UINT64_C(0x9392ee8e921d5d07), UINT64_C(0xec1e4a7db69561a5), UINT64_C(0xbce5086492111aea),
    UINT64_C(0x971da05074da7bee), UINT64_C(0xf1c90080baf72cb1), UINT64_C(0xc16d9a0095928a27),
    UINT64_C(0x9abe14cd44753b52), UINT64_C(0xf79687aed3eec551), UINT64_C(0xc612062576589dda),
    UINT64_C(0x9e74d1b791e07e48)
};

/* Taken from the exponent of x as a double. Clearing lower bits keeps x from rounding up to the
 * next power of two. */
static int leading_zeros(uint64_t x)
{
    const double rounded = (double)(int64_t)(x & ~(x >> 1));
    uint64_t bits;

    memcpy(&bits, &rounded, sizeof bits);
    return x >> 63 ? 0 : 63 - ((int)(bits >> 52) - BIAS);
}

/* x 2^exponent, by two factors that are normal numbers. */
static double times_two_to(double x, int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + BIAS) << 52;
    double power;

    memcpy(&power, &bits, sizeof power);
    return x * power;
}

/* a * b = high * 2^64 + low */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
    const uint64_t cross = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (cross & UINT32_MAX);

    *low = a * b;
    return a1 * b1 + (cross >> 32) + (other >> 32);
}

/* One base-2^32 digit of a long division: the largest q with q * divisor <= rest * 2^32 + next. The
 * top bit of `divisor` is set. */
static uint64_t divide_step(uint64_t *rest, uint64_t next, uint64_t divisor)
{
    const uint64_t d1 = divisor >> 32, d0 = divisor & UINT32_MAX;
    uint64_t q = *rest / d1, left = *rest % d1;

    while (q > UINT32_MAX || q * d0 > (left << 32 | next)) {
        q--;
        left += d1;
        if (left > UINT32_MAX)
            break;
    }
    *rest = (*rest << 32) + next - q * divisor;
    return q;
}

/* The nearest double to m 10^power, power = 0 .. MAX_FIVES. */
static double product_with_ten_to(uint64_t m, int power)
{
    uint64_t low;
    const uint64_t high = multiply(m, five_to[power], &low);

    if (high == 0)
        return times_two_to((double)low, power);
    const int shift = leading_zeros(high);
    const uint64_t top = shift ? high << shift | low >> (64 - shift) : high;
    /* the last bit is sticky: it stands for all lower bits */
    return times_two_to((double)(top | ((low << shift) != 0)), 64 - shift + power);
}

/* The nearest double to m / 10^power, power = 1 .. MAX_FIVES, m > 0. The product with the
 * reciprocal, times a power of two, is below the quotient by less than 2; a quarter of it fits in
 * 62 bits. If both ends of that range have the same nearest double, so does the quotient. */
static double quotient_by_ten_to(uint64_t m, int power)
{
    const int m_shift = leading_zeros(m), d_shift = leading_zeros(five_to[power]);
    const uint64_t n = m << m_shift, divisor = five_to[power] << d_shift;
    uint64_t low;
    const int64_t quarter = (int64_t)(multiply(n, fifth_to[power], &low) >> 2);
    const double quotient = (double)quarter;

    if (quotient == (double)(quarter + 2))
        return times_two_to(quotient, d_shift - m_shift - 61 - power);
    uint64_t rest = n >> 1;
    const uint64_t q1 = divide_step(&rest, n << 31 & UINT32_MAX, divisor);
    const uint64_t q0 = divide_step(&rest, 0, divisor);
    return times_two_to((double)(q1 << 32 | q0 | (rest != 0)), d_shift - m_shift - 63 - power);
}

/* The nearest double to d. */
static double nearest(struct decimal d)
{
    static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const int64_t e = d.exponent, size = e < 0 ? -e : e;
    char text[64];

    if (d.mantissa == 0)
        return 0;
    if (d.mantissa <= EXACT_INTEGER && size <= EXACT_POWER)
        return e < 0 ? (double)d.mantissa / tens[size] : (double)d.mantissa * tens[size];
    if (size <= MAX_FIVES)
        return e < 0 ? quotient_by_ten_to(d.mantissa, (int)size)
                     : product_with_ten_to(d.mantissa, (int)e);
    snprintf(text, sizeof text, "%llue%lld", (unsigned long long)d.mantissa, (long long)e);
    return strtod(text, NULL);
}

/* The same for a digit string of any length, with or without a point; `exponent` is the written
 * exponent. */
static double nearest_long(const char *text, size_t length, int64_t exponent)
{
    char digits[MAX_DIGITS + 32];
    int count = 0, dropped = 0, point = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') {
            point = 1;
            continue;
        }
        if (count < MAX_DIGITS && (count > 0 || text[i] != '0'))
            digits[count++] = text[i];
        else if (count == MAX_DIGITS) {
            dropped |= text[i] != '0';
            exponent++;
        }
        exponent -= point;
    }
    if (dropped) { /* a nonzero tail: enough to break a tie upward */
        digits[count++] = '1';
        exponent--;
    }
    snprintf(digits + count, sizeof digits - (size_t)count, "e%lld", (long long)exponent);
    return strtod(digits, NULL);
}

static size_t read_name(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (word[i]) {
        if (i == length || (text[i] | 0x20) != word[i])
            return 0;
        i++;
    }
    return i;
}

static size_t read_special(const char *text, size_t length, double *value)
{
    size_t used;
    if ((used = read_name(text, length, "infinity")) || (used = read_name(text, length, "inf")))
        *value = (double)INFINITY;
    else if ((used = read_name(text, length, "nan")))
        *value = (double)NAN;
    return used;
}

/* Reads a complete decimal exponent: e, an optional sign, digits. Returns its length in bytes, or
 * 0. */
static size_t read_exponent(const char *text, size_t length, int64_t *exponent)
{
    size_t i = 0;
    int64_t e = 0;

    *exponent = 0;
    if (i == length || (text[i] | 0x20) != 'e')
        return 0;
    i++;
    const int negative = i < length && text[i] == '-';
    if (i < length && (text[i] == '-' || text[i] == '+'))
        i++;
    if (i == length || !is_digit(text[i]))
        return 0;
    for (; i < length && is_digit(text[i]); i++)
        if (e < MAX_EXPONENT)
            e = 10 * e + (text[i] - '0');
    *exponent = negative ? -e : e;
    return i;
}

/* Reads eight bytes; the first becomes the lowest. */
static uint64_t read_word(const char *text)
{
    uint64_t word = 0;

    if (is_low_first())
        memcpy(&word, text, sizeof word);
    for (int i = 0; i < 8 && !is_low_first(); i++)
        word |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return word;
}

/* 1 if all bytes are digits: their high halves are 3, even after adding 6. */
static int are_digits(uint64_t word)
{
    const uint64_t high = UINT64_C(0xF0F0F0F0F0F0F0F0), three = UINT64_C(0x3030303030303030);
    return (word & high) == three && ((word + UINT64_C(0x0606060606060606)) & high) == three;
}

/* The value of eight digits. One product each joins digits to pairs, pairs to fours, and fours to
 * eight; its middle bits are 10, 100 or 10000 times the first half plus the second. */
static uint64_t value_of_eight(uint64_t word)
{
    word = (word & UINT64_C(0x0F0F0F0F0F0F0F0F)) * (1 + (10 << 8)) >> 8;
    word = (word & UINT64_C(0x00FF00FF00FF00FF)) * (1 + (100 << 16)) >> 16;
    return (word & UINT64_C(0x0000FFFF0000FFFF)) * (1 + (UINT64_C(10000) << 32)) >> 32;
}

/* Reads digits into the mantissa, which wraps beyond MANTISSA_DIGITS, and counts them without
 * leading zeros. Returns the number of bytes read. */
static size_t read_digits(const char *text, size_t length, uint64_t *mantissa, size_t *count)
{
    uint64_t m = *mantissa, word;
    size_t i = 0, zeros = 0;

    while (*count == 0 && zeros < length && text[zeros] == '0')
        zeros++;
    for (i = zeros; length - i >= 8 && are_digits(word = read_word(text + i)); i += 8)
        m = 100000000 * m + value_of_eight(word);
    for (; i < length && is_digit(text[i]); i++)
        m = 10 * m + (uint64_t)(text[i] - '0');
    *mantissa = m;
    *count += i - zeros;
    return i;
}

/* Reads a number without its sign. */
static size_t read_unsigned(const char *text, size_t length, double *value)
{
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    size_t count = 0, fraction = 0, used = read_digits(text, length, &mantissa, &count);
    const size_t whole = used;

    if (used < length && text[used] == '.') {
        fraction = read_digits(text + used + 1, length - used - 1, &mantissa, &count);
        used += 1 + fraction;
    }
    if (whole + fraction == 0)
        return used ? 0 : read_special(text, length, value);
    const size_t digits = used;
    if (used < length && (text[used] | 0x20) == 'e')
        used += read_exponent(text + used, length - used, &exponent);
    if (count <= MANTISSA_DIGITS)
        *value = nearest((struct decimal){ mantissa, exponent - (int64_t)fraction });
    else
        *value = nearest_long(text, digits, exponent);
    return used;
}

size_t pen_number_read(const char *text, size_t length, double *value)
{
    const int negative = length > 0 && text[0] == '-',
              sign = negative || (length > 0 && text[0] == '+');
    const size_t used = read_unsigned(text + sign, length - (size_t)sign, value);

    if (used == 0)
        return 0;
    if (negative)
        *value = -*value;
    return used + (size_t)sign;
}

int pen_number_is(const char *text, size_t length, double *value)
{
    return length > 0 && pen_number_read(text, length, value) == length;
}

/* ---- the text of a decimal ---- */

/* Writes the bytes of a word, the lowest first. */
static void write_word(uint64_t word, char *text)
{
    if (is_low_first())
        memcpy(text, &word, sizeof word);
    for (int i = 0; i < 8 && !is_low_first(); i++)
        text[i] = (char)(word >> 8 * i & 0xFF);
}

/* Writes the eight digits of a number below 10^8. The halves of v get four digits each, then the
 * quarters two, then the bytes one, the first digit lowest. Products divide all parts at once,
 * exactly for such small numbers. */
static void write_eight(uint64_t number, char *text)
{
    uint64_t v = number / 10000 | number % 10000 << 32;
    const uint64_t hundreds = (v * 10486 >> 20) & UINT64_C(0x0000007F0000007F);

    v = hundreds | (v - 100 * hundreds) << 16;
    const uint64_t tens = (v * 103 >> 10) & UINT64_C(0x000F000F000F000F);
    v = (tens | (v - 10 * tens) << 8) + UINT64_C(0x3030303030303030);
    write_word(v, text);
}

/* The number of digits of m, which has at least `least`. */
static int count_digits(uint64_t m, int least)
{
    while (m >= ten_to[least])
        least++;
    return least;
}

/* Writes m without trailing zeros, then pads with zeros to MOST_DIGITS digits. Returns the number
 * of digits before the padding. */
static int write_digits(uint64_t m, char *text)
{
    const uint64_t rest = m % 10000000000000000;
    int count = MOST_DIGITS;

    text[0] = (char)('0' + m / 10000000000000000);
    write_eight(rest / 100000000, text + 1);
    write_eight(rest % 100000000, text + 9);
    while (count > 1 && text[count - 1] == '0')
        count--;
    return count;
}

static char *write_exponent(int exponent, char *p)
{
    const int size = exponent < 0 ? -exponent : exponent;

    *p++ = 'e';
    if (exponent < 0)
        *p++ = '-';
    if (size >= 100)
        *p++ = (char)('0' + size / 100);
    if (size >= 10)
        *p++ = (char)('0' + size / 10 % 10);
    *p++ = (char)('0' + size % 10);
    return p;
}

/* Writes d, of `least` to MOST_DIGITS digits, as a plain decimal if that is short, else with an
 * exponent. Returns the length. Digits are written in place; those before a point are then moved by
 * one place. */
static size_t layout(char text[PEN_NUMBER_SIZE], int negative, struct decimal d, int least)
{
    const int missing = MOST_DIGITS - count_digits(d.mantissa, least),
              exponent = (int)d.exponent + MOST_DIGITS - 1 - missing,
              plain = exponent >= -5 && exponent < MOST_DIGITS, zeros = plain && exponent < 0;
    char *p = text + negative;

    text[0] = '-';
    memcpy(p, "0.0000", 6);
    char *const digits = p + (zeros ? 1 - exponent : 1);
    const int count = write_digits(d.mantissa * ten_to[missing], digits),
              before = plain ? exponent + 1 : 1;
    p = digits + count;
    if (!zeros) {
        for (int i = 0; i < before; i++)
            digits[i - 1] = digits[i];
        digits[before - 1] = '.';
        if (count <= before)
            p = digits + before - 1;
    }
    if (!plain)
        p = write_exponent(exponent, p);
    *p = '\0';
    return (size_t)(p - text);
}

/* ---- double to decimal, for numbers of a usual size ----
 *
 * v = m 2^e is scaled to w = v 10^k with 18 or 19 digits before the point. For 0 <= k <= 54 the
 * integer M 5^k has at most 192 bits, M = 2^11 m, and w = M 5^k / 2^s: no table of rounded powers
 * is needed. The code computes w and half the gap between v and the next number,
 * 2^10 5^k / 2^s, both cut off 64 bits after the point. Cases that they cannot decide
 * go to the general code below. */

enum { SCALED_DIGITS = 18, WORDS = 5 };

/* whole + part / 2^64 */
struct fixed {
    uint64_t whole, part;
};

/* words / 2^(64 + shift), lowest word first; the whole part fits */
static struct fixed shifted(const uint64_t words[WORDS], int shift)
{
    const uint64_t *const low = words + shift / 64;
    const int bits = shift % 64;

    if (bits == 0)
        return (struct fixed){ low[1], low[0] };
    return (struct fixed){ low[1] >> bits | low[2] << (64 - bits),
                           low[0] >> bits | low[1] << (64 - bits) };
}

static int is_below(struct fixed a, struct fixed b)
{
    return a.whole < b.whole || (a.whole == b.whole && a.part < b.part);
}

static struct fixed sum_of(struct fixed a, struct fixed b)
{
    const uint64_t part = a.part + b.part;
    return (struct fixed){ a.whole + b.whole + (part < a.part), part };
}

/* A number between two others. */
struct scaled {
    int64_t power; /* k */
    struct fixed w;
    struct fixed half_gap;
    int power_of_two;    /* 1: the gap below is half as wide */
    struct fixed margin; /* differences up to this do not decide */
};

/* Returns 0 if the number is out of range. */
static int scale(double magnitude, int single, struct scaled *out)
{
    uint64_t bits, low, carry, words[WORDS] = { 0 }, gap[WORDS] = { 0 };

    if (!(magnitude >= 1e-36 && magnitude < 0x1p52))
        return 0;
    memcpy(&bits, &magnitude, sizeof bits);
    const uint64_t fraction = bits & (EXACT_INTEGER / 2 - 1), m = fraction | EXACT_INTEGER / 2;
    const int exponent = (int)(bits >> 52) - BIAS; /* m 2^(exponent - 52) */
    /* the largest power of ten up to 2^exponent, which is a power of ten only if it is 1 */
    const int ten = exponent * 30103 / 100000 - (exponent < 0), k = SCALED_DIGITS - 1 - ten,
              s = 11 + 52 - exponent - k;
    gap[1] = five_to[k < MAX_FIVES ? k : MAX_FIVES];
    if (k > MAX_FIVES)
        gap[2] = multiply(gap[1], five_to[k - MAX_FIVES], &gap[1]);
    words[2] = multiply(m << 11, gap[1], &words[1]);
    if (gap[2] > 0) {
        carry = multiply(m << 11, gap[2], &low);
        words[2] += low;
        words[3] = carry + (words[2] < low);
    }
    out->power = k;
    out->w = shifted(words, s);
    struct fixed half = shifted(gap, s - 10);
    if (single) /* its gaps are 2^29 times as wide */
        half = (struct fixed){ half.whole << 29 | half.part >> 35, half.part << 29 };
    out->half_gap = half;
    out->power_of_two = fraction == 0;
    /* the parts cut off; for a float also 2^-28 of half a gap, for readers that round through
     * double */
    out->margin = (struct fixed){ half.whole >> 26, 4 };
    return 1;
}

/* Division by a constant is a product. */
static uint64_t over_ten_to(uint64_t m, int power)
{
    switch (power) {
    case 1:
        return m / 10;
    case 2:
        return m / 100;
    case 3:
        return m / 1000;
    case 4:
        return m / 10000;
    default:
        return m / ten_to[power];
    }
}

/* Finds the fewest digits, from `least` to `most`, that read back. Returns their number; 0: not
 * decided. */
static int shortest_scaled(double magnitude, int least, int most, int single, struct decimal *d)
{
    struct scaled v;

    if (!scale(magnitude, single, &v))
        return 0;
    int zeros = SCALED_DIGITS + (v.w.whole >= ten_to[SCALED_DIGITS]) - least;
    uint64_t unit = ten_to[zeros], count = over_ten_to(v.w.whole, zeros),
             rest = v.w.whole - count * unit;
    for (;;) {
        const uint64_t up = rest >= unit / 2, part = v.w.part;
        if (rest == unit / 2 && part == 0)
            return 0;
        *d = (struct decimal){ count + up, zeros - v.power };
        if (least == most)
            return least;
        /* chosen without a branch, which would be mispredicted half of the time */
        const struct fixed distance = { up ? unit - rest - (part > 0) : rest,
                                        up ? 0 - part : part };
        struct fixed gap = v.half_gap;
        if (v.power_of_two && !up)
            gap = (struct fixed){ gap.whole / 2, gap.whole << 63 | gap.part / 2 };
        if (is_below(sum_of(distance, v.margin), gap))
            return least;
        if (!is_below(sum_of(gap, v.margin), distance))
            return 0;
        unit = ten_to[--zeros];
        const uint64_t digit = over_ten_to(rest, zeros);
        count = 10 * count + digit;
        rest -= digit * unit;
        least++;
    }
}

/* ---- double to decimal, for all numbers ---- */

/* `magnitude` rounded to `precision` digits. */
static struct decimal print_digits(double magnitude, int precision)
{
    char printed[PEN_NUMBER_SIZE];
    struct decimal d = { 0, 0 };

    snprintf(printed, sizeof printed, "%.*e", precision - 1, magnitude);
    const char *mark = strchr(printed, 'e');
    for (const char *p = printed; p < mark; p++)
        if (is_digit(*p))
            d.mantissa = 10 * d.mantissa + (uint64_t)(*p - '0');
    d.exponent = atoi(mark + 1) - (precision - 1);
    return d;
}

/* 1 if d reads back as this number. A float must survive a reader that rounds once and one that
 * rounds through double; the two differ only near a double that lies halfway between two floats. */
static int reads_back(struct decimal d, double magnitude, int single)
{
    const double back = nearest(d);
    char text[64];

    if (!single)
        return back == magnitude;
    const float wanted = (float)magnitude;
    if ((float)back != wanted)
        return 0;
    if ((float)nextafter(back, 0) == wanted && (float)nextafter(back, (double)INFINITY) == wanted)
        return 1;
    snprintf(text, sizeof text, "%llue%lld", (unsigned long long)d.mantissa, (long long)d.exponent);
    return strtof(text, NULL) == wanted;
}

/* The fewest digits, from `least` to `most`, that read back. The number is printed once and shorter
 * candidates are rounded from that text, except where the dropped digits are exactly half a unit:
 * there the text does not show on which side the number lies, and it is printed again. */
static struct decimal shortest(double magnitude, int least, int most, int single)
{
    const struct decimal whole = print_digits(magnitude, most);

    for (int precision = least; precision < most; precision++) {
        const uint64_t unit = ten_to[most - precision], rest = whole.mantissa % unit;
        struct decimal d = { whole.mantissa / unit + (rest > unit / 2),
                             whole.exponent + most - precision };
        if (rest == unit / 2)
            d = print_digits(magnitude, precision);
        if (reads_back(d, magnitude, single))
            return d;
    }
    return whole;
}

static size_t write_number(double value, int least, int most, int single, char *text)
{
    const double magnitude = fabs(value);
    struct decimal d = { 0, 0 };
    int digits = 1;

    if (!isfinite(value)) {
        strcpy(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return strlen(text);
    }
    /* compared as integers, because floor may be a function call */
    if (magnitude < (single ? 0x1p24 : 0x1p53) && magnitude == (double)(int64_t)magnitude)
        d.mantissa = (uint64_t)magnitude;
    else if (!(digits = shortest_scaled(magnitude, least, most, single, &d)))
        d = shortest(magnitude, least, most, single);
    return layout(text, signbit(value) != 0, d, digits > 0 ? digits : 1);
}

/* Subnormal numbers hold fewer digits than DBL_DIG and FLT_DIG, so fewer may suffice. */
size_t pen_number_write(double value, char text[PEN_NUMBER_SIZE])
{
    return write_number(value, fabs(value) < 0x1p-1022 ? 1 : 15, 17, 0, text);
}

size_t pen_number_write_float(float value, char text[PEN_NUMBER_SIZE])
{
    return write_number((double)value, fabsf(value) < 0x1p-126f ? 1 : 6, 9, 1, text);
}

int pen_number_columns(const char *const *names, int64_t count, float *at)
{
    int rises = 1, falls = 1;
    double last = 0, value = 0;

    for (int64_t j = 0; j < count && (rises || falls); j++, last = value) {
        const int is = names && names[j] && pen_number_is(names[j], strlen(names[j]), &value);
        rises &= is && (j == 0 || value > last);
        falls &= is && (j == 0 || value < last);
        at[j] = (float)value;
    }
    for (int64_t j = 0; j < count && !rises && !falls; j++)
        at[j] = (float)j;
    return rises || falls;
}
