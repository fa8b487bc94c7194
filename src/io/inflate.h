/* inflate.h - the compression of zip and gzip, read: RFC 1951. */
#ifndef PEN_INFLATE_H
#define PEN_INFLATE_H

#include <stddef.h>

/* Expands `from` [size] into `to` [room]. Returns 1 if the data is valid and fills `to` exactly,
 * otherwise 0. Cost: linear in size + room; memory: 140 KB on the stack. */
int pen_inflate(const unsigned char *from, size_t size, unsigned char *to, size_t room);

#endif
