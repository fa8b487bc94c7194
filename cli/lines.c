/* lines.c - see lines.h. */
#include "lines.h"

#include <stdarg.h>
#include <string.h>

enum { INDENT = 10, WIDTH = 80 - INDENT };

/* The columns that the first `size` bytes of text take, or all. */
static int columns_of(const char *text, size_t size)
{
    int columns = 0;

    for (size_t i = 0; i < size && text[i]; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

void line_add(line *l, const char *format, ...)
{
    const size_t used = strlen(l->text);
    va_list list;

    va_start(list, format);
    vsnprintf(l->text + used, sizeof l->text - used, format, list);
    va_end(list);
}

int64_t line_add_classes(line *l, const int32_t *labels, int64_t n, const char *const *names,
                         int64_t count)
{
    int64_t *const sizes = cli_alloc(count, sizeof *sizes), all = 0;
    int columns = 0;

    for (int64_t i = 0; i < n; i++)
        if (labels[i] >= 0 && labels[i] < count) {
            sizes[labels[i]]++;
            all++;
        }
    for (int64_t c = 0; c < count; c++) {
        line entry = { "" };
        line_add(&entry, "%s%s: %lld", c ? ", " : "", names[c], (long long)sizes[c]);
        columns += columns_of(entry.text, strlen(entry.text));
        if (c > 0 && columns > (c < count - 1 ? WIDTH - 15 : WIDTH)) {
            line_add(l, " and %lld more", (long long)(count - c));
            break;
        }
        line_add(l, "%s", entry.text);
    }
    return all;
}

/* The words of a line: parts end in semicolons, and begin below if they do not fit. */
static void print(const char *word, char *text)
{
    int used = 0, is_part = 0;

    fflush(stdout); /* or a line cuts a table where both go into one file */
    fprintf(stderr, "%-*s", INDENT, word);
    for (char *at = text; *at;) {
        const size_t size = strcspn(at, " ");
        const char end = at[size];
        const int columns = columns_of(at, is_part ? strcspn(at, ";") + 1 : size);
        if (used > 0 && used + 1 + columns > WIDTH) {
            fprintf(stderr, "\n%*s", INDENT, "");
            used = 0;
        }
        is_part = size > 0 && at[size - 1] == ';';
        fputs(used > 0 ? " " : "", stderr);
        at[size] = '\0';
        cli_put(stderr, at);
        used += columns_of(at, size) + (used > 0);
        at += size + (end != '\0');
    }
    fputc('\n', stderr);
}

void line_print(const char *word, const char *format, ...)
{
    line l;
    va_list list;

    va_start(list, format);
    vsnprintf(l.text, sizeof l.text, format, list);
    va_end(list);
    if (!cli_quiet)
        print(word, l.text);
}

void line_warn(const char *format, ...)
{
    line l;
    va_list list;

    va_start(list, format);
    vsnprintf(l.text, sizeof l.text, format, list);
    va_end(list);
    if (strcmp(cli_command, "fit") == 0)
        line_print("warning", "%s", l.text);
    else
        cli_note("warning: %s", l.text);
}

void line_wrap(FILE *out, int at, const char *text)
{
    int used = 0, blank = 0; /* blank: the last piece ended in one */
    line piece;

    while (*text) {
        size_t size = strcspn(text, " |");
        size += text[size] == '|';
        const int columns = columns_of(text, size);
        if (used > 0 && at + used + blank + columns > 80) {
            fprintf(out, "\n%*s", at, "");
            used = blank = 0;
        }
        snprintf(piece.text, sizeof piece.text, "%s%.*s", blank ? " " : "", (int)size, text);
        cli_put(out, piece.text);
        used += columns + blank;
        blank = text[size] == ' ';
        text += size + (size_t)blank;
    }
    fputc('\n', out);
}
