/* checksum.c - CRC-32, four bits at a time. */
#include "core/checksum.h"

uint32_t pen_crc32(uint32_t previous, const void *bytes, size_t size)
{
    /* The remainder of each 4-bit value, divided by the polynomial. */
    static const uint32_t remainder[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                            0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                            0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                            0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
    const unsigned char *const byte = bytes;
    uint32_t crc = ~previous;

    for (size_t i = 0; i < size; i++) {
        crc ^= byte[i];
        crc = crc >> 4 ^ remainder[crc & 15];
        crc = crc >> 4 ^ remainder[crc & 15];
    }
    return ~crc;
}
