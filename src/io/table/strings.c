/* strings.c - borrowed texts: compared, cut, and quoted in messages. */
#include "io/table/strings.h"

#include "core/number.h"
#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 18 };

pen_text pen_text_of(const char *string)
{
    return (pen_text){ string, strlen(string) };
}

int pen_text_equal(pen_text a, pen_text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

int pen_text_order(pen_text a, pen_text b)
{
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter > 0 ? memcmp(a.start, b.start, shorter) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

pen_text pen_trim(pen_text text)
{
    while (text.length > 0 && is_blank(text.start[text.length - 1]))
        text.length--;
    while (text.length > 0 && is_blank(text.start[0])) {
        text.start++;
        text.length--;
    }
    return text;
}

int pen_is_count(pen_text text, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9' || i >= MOST_DIGITS)
            return 0;
        *out = 10 * *out + (text.start[i] - '0');
    }
    return text.length > 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

const char *pen_quote(pen_text text, char quoted[PEN_QUOTE_SIZE])
{
    const size_t room = PEN_QUOTE_SIZE - 4;
    size_t length = text.length <= room ? text.length : room;

    /* do not cut within a UTF-8 character */
    while (length < text.length && length > 0 && ((unsigned char)text.start[length] & 0xC0) == 0x80)
        length--;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text.start[i];
        quoted[i] = c < 0x20 || c == 0x7F ? ' ' : (char)c;
    }
    strcpy(quoted + length, length < text.length ? "..." : "");
    return quoted;
}

void pen_short_name(const char *name, char *shown, size_t size)
{
    static const char cut[] = "...";
    const size_t length = strlen(name);
    const char *from = name;

    if (length >= size) {
        from += length - (size - sizeof cut);
        while (((unsigned char)*from & 0xC0) == 0x80) /* within a UTF-8 character */
            from++;
    }
    snprintf(shown, size, "%s%s", from > name ? cut : "", from);
}

int pen_shell_word(pen_text word, char *quoted, size_t size)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/,=:@%+-";
    size_t used = 0, apostrophes = 0, length;
    int is_plain = 1;

    for (size_t i = 0; i < word.length; i += length) {
        length = pen_text_character(word.start + i, word.length - i);
        if (!pen_text_is_shown(word.start + i, length))
            return 0;
        is_plain &= strchr(plain, word.start[i]) != NULL;
        apostrophes += word.start[i] == '\'';
    }
    if (word.length == 0 || word.start[0] == '-' || word.length + 3 * apostrophes + 3 > size)
        return 0;
    if (!is_plain)
        quoted[used++] = '\'';
    for (size_t i = 0; i < word.length; i++) {
        if (word.start[i] == '\'') { /* '\'' ends the quotes, and begins new ones */
            memcpy(quoted + used, "'\\'", 3);
            used += 3;
        }
        quoted[used++] = word.start[i];
    }
    if (!is_plain)
        quoted[used++] = '\'';
    quoted[used] = '\0';
    return 1;
}

void pen_list_add(char *list, size_t size, pen_text text)
{
    static const char more[] = ", ...";
    const size_t used = strlen(list), end = sizeof more - 1;
    char quoted[PEN_QUOTE_SIZE];
    const char *const shown = pen_quote(text, quoted);

    if (used >= end && strcmp(list + used - end, more) == 0)
        return;
    if (used + 2 + strlen(shown) + end < size)
        snprintf(list + used, size - used, "%s%s", used ? ", " : "", shown);
    else
        snprintf(list + used, size - used, "%s", more);
}

int pen_is_alike(const char *a, const char *b, size_t length)
{
    size_t i = 0;

    while (i < length && lower(a[i]) == lower(b[i]))
        i++;
    return i == length;
}

int pen_is_word(pen_text text, const char *word)
{
    return text.length == strlen(word) && pen_is_alike(text.start, word, text.length);
}

int pen_has_extension(const char *path, const char *extension)
{
    const size_t length = strlen(path), wanted = strlen(extension);

    return length >= wanted && pen_is_alike(path + length - wanted, extension, wanted);
}

pen_status pen_number_names(pen_run *run, const char *prefix, int64_t first, int64_t count,
                            const char *const **out)
{
    char(*made)[PEN_NUMBER_SIZE];
    const char **names;

    PEN_TRY(PEN_NEW(run, names, count));
    PEN_TRY(PEN_NEW(run, made, count));
    for (int64_t j = 0; j < count; j++) {
        snprintf(made[j], sizeof *made, "%s%lld", prefix, (long long)(first + j));
        names[j] = made[j];
    }
    *out = names;
    return PEN_OK;
}
