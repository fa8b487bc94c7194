/* signed.h - corrects the checksum of a changed model or statistics file. */
#ifndef SIGNED_H
#define SIGNED_H

#include "core/checksum.h"

#include <string.h>

/* Corrects the CRC-32 at the start of a file, so that the rest is read. A file without one is
 * unchanged. */
static inline void sign_file(unsigned char *bytes, size_t size)
{
    const size_t length = 8, at = length + sizeof CRC_START - 1;
    char digits[CRC_DIGITS + 1];

    if (size < at + CRC_DIGITS || memcmp(bytes + length, CRC_START, at - length) != 0)
        return;
    memcpy(bytes + at, CRC_ZEROS, CRC_DIGITS);
    pen_crc32_text(pen_crc32(0, bytes, size), digits);
    memcpy(bytes + at, digits, CRC_DIGITS);
}

#endif
