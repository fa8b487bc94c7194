/* checksum.h - CRC-32 as in zlib, PNG and gzip: polynomial 0x04C11DB7, bits reflected. */
#ifndef PEN_CHECKSUM_H
#define PEN_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of data whose first part has the checksum `previous` (0 if there is none) and is
 * followed by these `size` bytes. */
uint32_t pen_crc32(uint32_t previous, const void *bytes, size_t size);

/* The header of a model or of statistics begins with the CRC-32 of the whole file, computed while
 * its digits are zeros. Files of version 0.1.0 begin differently. */
#define CRC_START "{\"__metadata__\":{\"crc32\":\""
#define CRC_ZEROS "00000000"
enum { CRC_DIGITS = 8 };

/* The checksum as lower-case hexadecimal digits. */
void pen_crc32_text(uint32_t crc, char text[CRC_DIGITS + 1]);

#endif
