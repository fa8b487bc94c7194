/* label_size.c - the memory that a file of labels takes when it is read at once.
 *
 * A text has a label in each line: its lines are counted, and so are the different ones among them,
 * by which of many bits their hashes set (Whang, Vander-Zanden, Taylor: ACM Transactions on
 * Database Systems 15 (1990) 208-229). */
#define _POSIX_C_SOURCE 200809L

#include "label_size.h"

#include "block_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 16,
    BITS = 1 << 20,
    OF_BYTE = 11, /* of other files: their texts and classes, for each byte of them */
    OF_ROW = 300, /* the same for each label */
    OF_LINE = 24, /* where its text is, and its class */
    OF_NAME = 150 /* of a class: what it means, and its name in the table */
};

typedef struct count {
    double bytes, lines;
    int is_text;
    uint64_t hash; /* of the line so far */
    unsigned char bits[BITS / 8];
} count;

static void end_line(count *c)
{
    const uint64_t h = (c->hash ^ c->hash >> 29) * UINT64_C(0xBF58476D1CE4E5B9),
                   bit = (h ^ h >> 32) % BITS;

    c->bits[bit / 8] |= (unsigned char)(1U << bit % 8);
    c->hash = 0;
    c->lines++;
}

static void take(count *c, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        c->is_text &= bytes[i] != '\0';
        if (bytes[i] == '\n')
            end_line(c);
        else
            c->hash = (c->hash + (unsigned char)bytes[i] + 1) * UINT64_C(1099511628211);
    }
    c->bytes += (double)length;
}

/* Somewhat more than are expected; all lines where nearly all bits are set. */
static double different(const count *c)
{
    double left = 0;

    for (int i = 0; i < BITS; i++)
        left += !(c->bits[i / 8] >> i % 8 & 1);
    return left < BITS / 64.0 ? c->lines : fmin(c->lines, 1.02 * BITS * log(BITS / left) + 64);
}

/* Names are found by a table that doubles, of which the smaller ones are kept. */
static double table_bytes(double names)
{
    return 48 * exp2(ceil(log2(fmax(names, 64))));
}

double label_size(const char *path, int64_t rows)
{
    const double size = block_rows_file_size(path);
    FILE *const file = size > 0 && !strstr(path, "::") ? fopen(path, "rbe") : NULL;
    count *const c = file ? calloc(1, sizeof *c) : NULL;
    char *const chunk = c ? malloc(CHUNK) : NULL;
    double bytes = fmin(OF_BYTE * size, OF_ROW * (double)rows);
    size_t length;

    if (chunk) {
        c->is_text = 1;
        while (c->is_text && (length = fread(chunk, 1, CHUNK, file)) > 0)
            take(c, chunk, length);
        end_line(c);
        const double names = different(c);
        if (c->is_text)
            bytes = 2 * c->bytes + OF_LINE * c->lines + OF_NAME * names + table_bytes(names);
    }
    free(chunk);
    free(c);
    if (file)
        fclose(file);
    return bytes;
}
