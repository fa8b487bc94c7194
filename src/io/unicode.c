/* unicode.c - texts of other encodings as UTF-8. */
#include "io/unicode.h"

size_t pen_utf8_put(uint32_t character, char bytes[PEN_UTF8_SIZE])
{
    static const unsigned char first[] = { 0, 0x00, 0xC0, 0xE0, 0xF0 };
    const size_t length = character < 0x80      ? 1
                          : character < 0x800   ? 2
                          : character < 0x10000 ? 3
                                                : 4;

    if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000))
        return 0;
    for (size_t i = length - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (character & 0x3F));
        character >>= 6;
    }
    bytes[0] = (char)(first[length] | character);
    return length;
}

int pen_is_utf16(const pen_input *input)
{
    const unsigned char *const p = input->data;

    if (input->size < 4 || input->size % 2 != 0)
        return 0;
    return (p[0] == 0xFE && p[1] == 0xFF)
           || (p[0] == 0xFF && p[1] == 0xFE && (p[2] != 0 || p[3] != 0)); /* UTF-32 has zeros */
}

/* The character of which these are the two halves; 0: there is none. */
static uint32_t join(uint32_t high, uint32_t low)
{
    const int is_pair = high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000;

    return is_pair ? 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) : 0;
}

pen_status pen_utf16_read(pen_run *run, const pen_input *input, pen_input *out)
{
    const unsigned char *const p = input->data;
    const int high_first = p[0] == 0xFE;
    size_t used = 0;
    char *text;

    PEN_TRY(PEN_NEW(run, text, pen_times(3, (int64_t)(input->size / 2))));
    for (size_t i = 2; i < input->size; i += 2) {
        uint32_t character = (uint32_t)pen_number_at(p + i, 2, high_first);
        const size_t at = i;
        const uint32_t next =
            i + 2 < input->size ? (uint32_t)pen_number_at(p + i + 2, 2, high_first) : 0;
        const uint32_t joined = join(character, next);
        character = joined ? joined : character;
        i += joined ? 2 : 0;
        const size_t length = pen_utf8_put(character, text + used);
        PEN_REQUIRE(run, length > 0, PEN_BAD_FORMAT,
                    "%s: UTF-16 text must have both halves of a character, got one at byte %zu",
                    input->name, at);
        used += length;
    }
    *out = *input;
    out->data = (const unsigned char *)text;
    out->size = used;
    out->owner = NULL;
    return PEN_OK;
}
