/* test_checksum.c - CRC-32 is the one of the catalogue, as a whole and in parts. */
#include "check.h"

#include "core/checksum.h"

static void known_values(void **state)
{
    (void)state;

    assert_int_equal(pen_crc32(0, "", 0), 0);
    assert_int_equal(pen_crc32(0, "123456789", 9), 0xCBF43926);
}

static void random_bytes_in_parts(void **state)
{
    pen_rng rng = check_rng(900);
    unsigned char bytes[12000];
    (void)state;

    for (int repeat = check_repeats(50); repeat > 0; repeat--) {
        const size_t most = repeat % 2 ? 500 : sizeof bytes,
                     size = (size_t)pen_rng_below(&rng, (int64_t)most + 1),
                     cut = (size_t)pen_rng_below(&rng, (int64_t)size + 1);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)pen_rng_below(&rng, 256);
        const uint32_t whole = pen_crc32(0, bytes, size);
        assert_int_equal(pen_crc32(pen_crc32(0, bytes, cut), bytes + cut, size - cut), whole);
        assert_int_equal(pen_crc32(whole, NULL, 0), whole);
        if (size > 0) {
            bytes[size / 2] ^= (unsigned char)(1 << repeat % 8);
            assert_true(pen_crc32(0, bytes, size) != whole);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(random_bytes_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
