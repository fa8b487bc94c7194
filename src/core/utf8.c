/* utf8.c - UTF-8 decoding: valid sequences, and control characters. */
#include "core/utf8.h"

#include <stdint.h>
#include <string.h>

size_t pen_text_character(const char *text, size_t room)
{
    const unsigned char *const s = (const unsigned char *)text;
    const size_t length = s[0] < 0x80                   ? 1
                          : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                          : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                          : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                        : 0;
    if (length > room)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    const int overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const int surrogate_or_beyond =
        (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF4 && s[1] >= 0x90);
    return overlong || surrogate_or_beyond ? 0 : length;
}

int pen_text_is_shown(const char *character, size_t length)
{
    const unsigned char *const s = (const unsigned char *)character;
    const int control =
        length == 1 ? s[0] < 0x20 || s[0] == 0x7F : length == 2 && s[0] == 0xC2 && s[1] < 0xA0;
    return length > 0 && !control;
}

size_t pen_text_valid(const char *bytes, size_t size)
{
    size_t i = 0;

    for (size_t length = 1; i < size && length > 0; i += length) {
        uint64_t eight = UINT64_MAX; /* most texts are ASCII */
        memcpy(&eight, bytes + i, size - i < sizeof eight ? 0 : sizeof eight);
        length = eight & UINT64_C(0x8080808080808080) ? pen_text_character(bytes + i, size - i)
                                                      : sizeof eight;
    }
    return i;
}

int pen_text_is_utf8(const char *bytes, size_t size)
{
    return pen_text_valid(bytes, size) == size;
}

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

uint32_t pen_utf8_join(uint32_t high, uint32_t low)
{
    const int is_pair = high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000;

    return is_pair ? 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) : 0;
}
