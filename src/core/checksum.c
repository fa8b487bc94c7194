/* checksum.c - CRC-32: four bits at a time, and of many bytes eight bytes at a time. */
#include "core/checksum.h"

/* Fewer bytes take less time than the tables do. */
enum { MANY = 4096, STEP = 8 };

/* The remainder of each 4-bit value, divided by the polynomial. */
static const uint32_t remainder_of[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                           0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                           0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                           0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };

static uint32_t add_byte(uint32_t crc, unsigned char byte)
{
    crc ^= byte;
    crc = crc >> 4 ^ remainder_of[crc & 15];
    return crc >> 4 ^ remainder_of[crc & 15];
}

/* table[t][b]: the remainder of the byte b that t zero bytes follow. */
static void fill(uint32_t table[STEP][256])
{
    for (int b = 0; b < 256; b++)
        table[0][b] = add_byte(0, (unsigned char)b);
    for (int t = 1; t < STEP; t++)
        for (int b = 0; b < 256; b++)
            table[t][b] = table[t - 1][b] >> 8 ^ table[0][table[t - 1][b] & 255];
}

static uint32_t add_many(uint32_t crc, const unsigned char *byte, size_t size)
{
    uint32_t table[STEP][256];

    fill(table);
    for (size_t i = 0; i < size; i += STEP) {
        uint32_t next = 0;
        for (int t = 0; t < STEP; t++) {
            const unsigned from_crc = t < 4 ? crc >> 8 * t & 255 : 0;
            next ^= table[STEP - 1 - t][byte[i + (size_t)t] ^ from_crc];
        }
        crc = next;
    }
    return crc;
}

uint32_t pen_crc32(uint32_t previous, const void *bytes, size_t size)
{
    const unsigned char *const byte = bytes;
    const size_t whole = size < MANY ? 0 : size / STEP * STEP;
    uint32_t crc = ~previous;

    if (whole > 0)
        crc = add_many(crc, byte, whole);
    for (size_t i = whole; i < size; i++)
        crc = add_byte(crc, byte[i]);
    return ~crc;
}
