/* alike.c - finds names of classes that look alike. */
#include "eval/measures/alike.h"

#include "core/number.h"
#include "core/utf8.h"
#include "io/table/class_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The letters U+00C0 to U+017F that are an ASCII letter with an accent, U+0300 + sign - '0'; blank
 * for others (Unicode 15, canonical decompositions). */
enum { FIRST_LETTER = 0xC0, END_LETTERS = 0x180, ACCENTS = 0x300 };
static const char letters[] = "AAAAAA CEEEEIIII NOOOOO  UUUUY  aaaaaa ceeeeiiii nooooo  uuuuy y"
                              "AaAaAaCcCcCcCcDd  EeEeEeEeEeGgGgGgGgHh  IiIiIiIiI   JjKk LlLlLl "
                              "   NnNnNn   OoOoOo  RrRrRrSsSsSsSsTtTt  UuUuUuUuUuUuWwYyYZzZzZz ",
                  accents[] = "01238: W01280128 301238  01281  01238: W01280128 301238  01281 8"
                              "4466XX112277<<<<  446677XX<<226677WW22  334466XX7   22WW 11WW<< "
                              "   11WW<<   4466;;  11WW<<1122WW<<WW<<  334466::;;XX222281177<< ";

static char *put(char *p, uint32_t character)
{
    if (character >= 'A' && character <= 'Z')
        character += 'a' - 'A';
    return p + pen_utf8_put(character, p);
}

/* Folds a character of two bytes, U+0080 to U+07FF. */
static char *fold_letter(char *p, uint32_t c)
{
    const int is_latin = c >= FIRST_LETTER && c < END_LETTERS;

    if (c == 0xA0) /* no-break space */
        return p;
    if (is_latin && letters[c - FIRST_LETTER] != ' ') {
        p = put(p, (unsigned char)letters[c - FIRST_LETTER]);
        return put(p, (uint32_t)(ACCENTS + accents[c - FIRST_LETTER] - '0'));
    }
    if ((c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9)
        || (c >= 0x410 && c <= 0x42F)) /* Latin, Greek and Cyrillic capitals */
        c += 0x20;
    return put(p, c >= 0x400 && c <= 0x40F ? c + 0x50 : c);
}

/* Blanks of three bytes: U+2000 to U+200B, U+202F, U+3000, U+FEFF. */
static int is_blank(const unsigned char *s)
{
    return (s[0] == 0xE2 && s[1] == 0x80 && (s[2] <= 0x8B || s[2] == 0xAF))
           || memcmp(s, "\xE3\x80\x80", 3) == 0 || memcmp(s, "\xEF\xBB\xBF", 3) == 0;
}

/* The common form of names that look alike. */
static pen_status fold(pen_run *run, const char *name, pen_text *out)
{
    const unsigned char *s = (const unsigned char *)name;
    char *text, *p;
    double value;

    PEN_TRY(PEN_NEW(run, text, pen_times(2, (int64_t)strlen(name) + PEN_NUMBER_SIZE)));
    for (p = text; *s; s++) {
        if (*s >= 0xC2 && *s <= 0xDF && s[1] >> 6 == 2) {
            p = fold_letter(p, (uint32_t)(*s & 0x1F) << 6 | (s[1] & 0x3F));
            s++;
        } else if (*s >= 0xE2 && s[1] && s[2] && is_blank(s)) {
            s += 2;
        } else if (*s >= 0x80) {
            *p++ = (char)*s;
        } else if (!strchr(" \t\r\n", *s)) {
            p = put(p, *s);
        }
    }
    *out = (pen_text){ text, (size_t)(p - text) };
    if (pen_number_is(text, out->length, &value) && fabs(value) < 0x1p53)
        out->length = pen_number_write(value + 0.0, text);
    return PEN_OK;
}

static void add(char *list, size_t size, const char *name)
{
    char quoted[PEN_QUOTE_SIZE], marked[PEN_QUOTE_SIZE + 2];

    snprintf(marked, sizeof marked, "\"%s\"", pen_quote(pen_text_of(name), quoted));
    pen_list_add(list, size, pen_text_of(marked));
}

pen_status pen_find_alike(pen_run *run, const char *const *names, int64_t count, char *text,
                          size_t size)
{
    pen_text *folded;
    int32_t *ids;
    int64_t *first; /* of each id; count: already in the list */

    text[0] = '\0';
    PEN_TRY(PEN_NEW2(run, folded, ids, count));
    PEN_TRY(PEN_FILLED(run, first, count, -1));
    for (int64_t i = 0; i < count; i++)
        PEN_TRY(fold(run, names[i], &folded[i]));
    PEN_TRY(pen_number_texts(run, folded, count, ids, NULL));
    for (int64_t i = 0; i < count; i++) {
        int64_t *const of = &first[ids[i]];
        if (*of < 0) {
            *of = i;
            continue;
        }
        if (*of < count)
            add(text, size, names[*of]);
        *of = count;
        add(text, size, names[i]);
    }
    return PEN_OK;
}
