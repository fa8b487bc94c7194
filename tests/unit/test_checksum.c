/* test_checksum.c - CRC-32 against published values and against its definition, in parts. */
#include "check.h"

#include "core/checksum.h"

static uint32_t of_text(const char *text)
{
    return pen_crc32(0, text, strlen(text));
}

static void known_values(void **state)
{
    unsigned char bytes[32] = { 0 };
    (void)state;

    assert_int_equal(of_text(""), 0);
    assert_int_equal(of_text("123456789"), 0xCBF43926); /* check value of the CRC catalogue */
    assert_int_equal(of_text("a"), 0xE8B7BE43);
    assert_int_equal(of_text("The quick brown fox jumps over the lazy dog"), 0x414FA339);
    assert_int_equal(pen_crc32(0, bytes, sizeof bytes), 0x190A55AD);
    memset(bytes, 0xFF, sizeof bytes);
    assert_int_equal(pen_crc32(0, bytes, sizeof bytes), 0xFF6CAB0B);
}

/* Bit by bit, following the definition. */
static uint32_t by_definition(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < 8 * size; i++) {
        const uint32_t bit = (uint32_t)(bytes[i / 8] >> (i % 8) & 1);
        crc = (crc ^ bit) & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
    }
    return ~crc;
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
        assert_int_equal(whole, by_definition(bytes, size));
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
