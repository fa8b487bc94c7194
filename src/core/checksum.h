/* checksum.h - CRC-32 as zlib, PNG and gzip have it: the polynomial 0x04C11DB7 in reflected
 * order. */
#ifndef PEN_CHECKSUM_H
#define PEN_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Of `size` more bytes after those that have the checksum `before`; 0 before the first. */
uint32_t pen_crc32(uint32_t before, const void *bytes, size_t size);

#endif
