/* checksum.h - CRC-32 as in zlib, PNG and gzip: polynomial 0x04C11DB7, bits reflected. */
#ifndef PEN_CHECKSUM_H
#define PEN_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of data whose first part has the checksum `previous` (0 if there is none) and is
 * followed by these `size` bytes. */
uint32_t pen_crc32(uint32_t previous, const void *bytes, size_t size);

#endif
