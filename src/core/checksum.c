/* checksum.c - CRC-32 by zlib. */
#include "core/checksum.h"

#include <stdio.h>
#include <zlib.h>

/* zlib starts over if bytes is NULL, which is possible with size 0. */
uint32_t pen_crc32(uint32_t previous, const void *bytes, size_t size)
{
    return size > 0 ? (uint32_t)crc32_z(previous, bytes, size) : previous;
}

void pen_crc32_text(uint32_t crc, char text[CRC_DIGITS + 1])
{
    snprintf(text, CRC_DIGITS + 1, "%08lx", (unsigned long)crc);
}
