/* inflate.h - the compression of zip and gzip, read: RFC 1951. */
#ifndef PEN_INFLATE_H
#define PEN_INFLATE_H

#include <stddef.h>

/* Expands bytes [size] into `to`. Returns 1 if they begin with a complete deflate stream of exactly
 * `room` bytes, else 0. */
int pen_inflate(const unsigned char *from, size_t size, unsigned char *to, size_t room);

/* Bytes in memory that grows. `grow` makes room for more than the first `used` bytes, which it
 * keeps, and returns 0 if it cannot. */
typedef struct pen_growing pen_growing;
struct pen_growing {
    unsigned char *data;
    size_t size, room;
    int (*grow)(pen_growing *growing, size_t used);
};

enum pen_inflated {
    PEN_INFLATED,
    PEN_INFLATE_DAMAGED, /* no such stream */
    PEN_INFLATE_ENDED,   /* `from` ends within the stream */
    PEN_INFLATE_NO_ROOM  /* `grow` returned 0, or there is no memory to work with */
};

/* Adds the deflate stream at `from` [size] to `to`; *used is its length, and what follows it is not
 * looked at. On failure to->size stays. */
enum pen_inflated pen_inflate_growing(const unsigned char *from, size_t size, pen_growing *to,
                                      size_t *used);

#endif
