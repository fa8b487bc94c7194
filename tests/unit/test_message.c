/* test_message.c - error messages: one line of printable characters that ends after a whole
 * character. */
#include "check.h"

#include "core/run.h"

static void message_of(const char *name, pen_error *err)
{
    *err = (pen_error){ .code = PEN_OK };
    pen_error_set(err, PEN_BAD_DATA, "%s", name);
}

TEST(control_characters_are_replaced)
{
    static const char *const names[][2] = {
        { "\033[31mred", "?[31mred" },
        { "a\nb\tc\177", "a?b?c?" },
        { "\302\233x", "?x" },
        { "\233x\377", "?x?" },
        { "\302\240", "\302\240" },
        { "Z\303\274rich", "Z\303\274rich" },
        { "\346\227\245", "\346\227\245" },
        { "\355\240\200", "???" },
        { "\300\233", "??" },
        { "cut \346\227", "cut ??" },
    };
    pen_error err;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        message_of(names[i][0], &err);
        assert_string_equal(err.message, names[i][1]);
    }
}

/* Characters of two to four bytes at each position near the end of a message. */
TEST(a_message_ends_after_a_whole_character)
{
    static const char *const characters[] = { "\303\274", "\346\227\245", "\360\237\214\220" };
    const size_t most = sizeof((pen_error *)0)->message - 1;
    pen_error err;
    char name[400];
    for (size_t c = 0; c < 3; c++) {
        const size_t length = strlen(characters[c]);
        for (size_t before = most - 8; before <= most; before++) {
            memset(name, 'x', sizeof name);
            memcpy(name + before, characters[c], length);
            name[before + length + 20] = '\0';
            message_of(name, &err);
            const size_t whole = before < most && before + length > most ? before : most;
            assert_int_equal(strlen(err.message), whole);
            assert_memory_equal(err.message, name, whole);
        }
    }
}
