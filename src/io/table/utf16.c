/* utf16.c - converts UTF-16 to UTF-8. */
#include "io/table/utf16.h"

#include "core/utf8.h"

int pen_is_utf16(const pen_input *input)
{
    const unsigned char *const p = input->data;

    if (input->size < 4 || input->size % 2 != 0)
        return 0;
    return (p[0] == 0xFE && p[1] == 0xFF)
           || (p[0] == 0xFF && p[1] == 0xFE && (p[2] != 0 || p[3] != 0)); /* UTF-32 has zeros */
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
        const uint32_t joined = pen_utf8_join(character, next);
        character = joined ? joined : character;
        i += joined ? 2 : 0;
        const size_t length = pen_utf8_put(character, text + used);
        PEN_REQUIRE(run, length > 0, PEN_BAD_FORMAT,
                    "%s: UTF-16 text has half a character at byte %zu", input->name, at);
        used += length;
    }
    *out = *input;
    out->data = (const unsigned char *)text;
    out->size = used;
    out->owner = NULL;
    return PEN_OK;
}
