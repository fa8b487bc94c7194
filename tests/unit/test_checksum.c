/* test_checksum.c - CRC-32 as in the catalogue, of the whole and in parts. */
#include "check.h"

#include "core/checksum.h"

TEST(known_values)
{
    static const char digits[] = "123456789";

    assert_int_equal(pen_crc32(0, "", 0), 0);
    for (size_t cut = 0; cut <= 9; cut++)
        assert_int_equal(pen_crc32(pen_crc32(0, digits, cut), digits + cut, 9 - cut), 0xCBF43926);
    assert_int_equal(pen_crc32(7, NULL, 0), 7);
}
