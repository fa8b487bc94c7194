/* test_checksum.c - CRC-32 is the one of the catalogue, as a whole and in parts. */
#include "check.h"

#include "core/checksum.h"

static void known_values(void **state)
{
    static const char digits[] = "123456789";
    (void)state;

    assert_int_equal(pen_crc32(0, "", 0), 0);
    for (size_t cut = 0; cut <= 9; cut++)
        assert_int_equal(pen_crc32(pen_crc32(0, digits, cut), digits + cut, 9 - cut), 0xCBF43926);
    assert_int_equal(pen_crc32(7, NULL, 0), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_values) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
