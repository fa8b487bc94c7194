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

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint64_t power_of(uint64_t base, int64_t exponent)
{
    uint64_t power = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2)
            power *= base;
    return power;
}

/* ---- decimal to double ---- */

static int leading_zeros(uint64_t x)
{
    int zeros = 0;
    for (int step = 32; step > 0; step /= 2)
        if (!(x >> (64 - step))) {
            x <<= step;
            zeros += step;
        }
    return zeros;
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

/* The nearest double to m * fives. */
static double times_fives(uint64_t m, uint64_t fives)
{
    uint64_t low;
    const uint64_t high = multiply(m, fives, &low);

    if (high == 0)
        return (double)low;
    const int shift = leading_zeros(high);
    const uint64_t top = shift ? high << shift | low >> (64 - shift) : high;
    /* the last bit is sticky: it stands for all lower bits */
    return ldexp((double)(top | ((low << shift) != 0)), 64 - shift);
}

/* The nearest double to m / fives, both > 0. */
static double over_fives(uint64_t m, uint64_t fives)
{
    const int m_shift = leading_zeros(m), d_shift = leading_zeros(fives);
    const uint64_t n = m << m_shift, divisor = fives << d_shift;
    uint64_t rest = n >> 1;
    const uint64_t q1 = divide_step(&rest, n << 31 & UINT32_MAX, divisor);
    const uint64_t q0 = divide_step(&rest, 0, divisor);

    return ldexp((double)(q1 << 32 | q0 | (rest != 0)), d_shift - m_shift - 63);
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
        return ldexp(e < 0 ? over_fives(d.mantissa, power_of(5, size))
                           : times_fives(d.mantissa, power_of(5, size)),
                     (int)e);
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

static size_t read_word(const char *text, size_t length, const char *word)
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
    if ((used = read_word(text, length, "infinity")) || (used = read_word(text, length, "inf")))
        *value = (double)INFINITY;
    else if ((used = read_word(text, length, "nan")))
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

/* Reads digits into the mantissa, which wraps beyond MANTISSA_DIGITS, and counts them without
 * leading zeros. Returns the number of bytes read. */
static size_t read_digits(const char *text, size_t length, uint64_t *mantissa, size_t *count)
{
    uint64_t m = *mantissa;
    size_t i = 0, zeros = 0;

    while (*count == 0 && zeros < length && text[zeros] == '0')
        zeros++;
    for (i = zeros; i < length && is_digit(text[i]); i++)
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

/* ---- double to decimal ---- */

/* Writes the digits of m, at most 20. Returns their number. */
static int write_integer(uint64_t m, char *text)
{
    char reversed[24];
    int count = 0;

    do
        reversed[count++] = (char)('0' + m % 10);
    while (m /= 10);
    for (int i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    return count;
}

/* Writes d as a plain decimal if that is short, else with an exponent. */
static void layout(char *text, int negative, struct decimal d)
{
    char digits[24], *p = text;

    while (d.mantissa && d.mantissa % 10 == 0) {
        d.mantissa /= 10;
        d.exponent++;
    }
    const int count = write_integer(d.mantissa, digits), exponent = (int)d.exponent + count - 1;
    if (negative)
        *p++ = '-';
    if (exponent < -5 || exponent > 16) {
        *p++ = digits[0];
        if (count > 1) {
            *p++ = '.';
            memcpy(p, digits + 1, (size_t)count - 1);
            p += count - 1;
        }
        snprintf(p, PEN_NUMBER_SIZE - (size_t)(p - text), "e%d", exponent);
        return;
    }
    if (exponent < 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = -1; i > exponent; i--)
            *p++ = '0';
    }
    for (int i = 0; i < count || i <= exponent; i++) {
        if (i == exponent + 1 && exponent >= 0)
            *p++ = '.';
        *p++ = i < count ? digits[i] : '0';
    }
    *p = '\0';
}

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
        const uint64_t unit = power_of(10, most - precision), rest = whole.mantissa % unit;
        struct decimal d = { whole.mantissa / unit + (rest > unit / 2),
                             whole.exponent + most - precision };
        if (rest == unit / 2)
            d = print_digits(magnitude, precision);
        if (reads_back(d, magnitude, single))
            return d;
    }
    return whole;
}

static void write_number(double value, int least, int most, int single, char *text)
{
    const double magnitude = fabs(value);
    struct decimal d = { 0, 0 };

    if (!isfinite(value)) {
        strcpy(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    if (magnitude < (single ? 0x1p24 : 0x1p53) && magnitude == floor(magnitude))
        d.mantissa = (uint64_t)magnitude;
    else
        d = shortest(magnitude, least, most, single);
    layout(text, signbit(value) != 0, d);
}

/* Subnormal numbers hold fewer digits than DBL_DIG and FLT_DIG, so fewer may suffice. */
void pen_number_write(double value, char text[PEN_NUMBER_SIZE])
{
    write_number(value, fabs(value) < 0x1p-1022 ? 1 : 15, 17, 0, text);
}

void pen_number_write_float(float value, char text[PEN_NUMBER_SIZE])
{
    write_number((double)value, fabsf(value) < 0x1p-126f ? 1 : 6, 9, 1, text);
}
