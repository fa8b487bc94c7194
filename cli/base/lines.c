/* lines.c - see lines.h. */
#include "base/lines.h"

#include <stdarg.h>
#include <string.h>

enum { INDENT = 10, WIDTH = 80, HELP_COLUMN = 32 };

/* The width of the first `size` bytes of text in columns. */
static int columns_of(const char *text, size_t size)
{
    line part;

    snprintf(part.text, sizeof part.text, "%.*s", (int)size, text);
    return cli_width(part.text);
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
        columns += cli_width(entry.text);
        if (c > 0 && columns > (c < count - 1 ? WIDTH - INDENT - 15 : WIDTH - INDENT)) {
            line_add(l, " and %lld more", (long long)(count - c));
            break;
        }
        line_add(l, "%s", entry.text);
    }
    return all;
}

/* by_parts: text between semicolons stays on one line if it fits. */
static void wrap(FILE *out, int at, const char *text, int by_parts)
{
    int used = 0, blank = 0, is_part = 0; /* blank: the last piece ended in a blank */
    line piece;

    while (*text) {
        size_t size = strcspn(text, " |");
        size += text[size] == '|';
        const int columns = columns_of(text, size);
        const int whole = is_part ? columns_of(text, strcspn(text, ";") + 1) : columns;
        if (used > 0 && at + used + blank + whole > WIDTH) {
            fprintf(out, "\n%*s", at, "");
            used = blank = 0;
        }
        is_part = by_parts && size > 0 && text[size - 1] == ';';
        snprintf(piece.text, sizeof piece.text, "%s%.*s", blank ? " " : "", (int)size, text);
        cli_put(out, piece.text);
        used += columns + blank;
        blank = text[size] == ' ';
        text += size + (size_t)blank;
    }
    fputc('\n', out);
}

void line_print(const char *word, const char *format, ...)
{
    line l;
    va_list list;

    va_start(list, format);
    vsnprintf(l.text, sizeof l.text, format, list);
    va_end(list);
    if (cli_quiet)
        return;
    fflush(stdout); /* keeps the order of both streams in one file */
    fprintf(stderr, "%-*s", INDENT, word);
    wrap(stderr, INDENT, l.text, 1);
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
    wrap(out, at, text, 0);
}

void line_flag(char letter, const char *name, const char *value, const char *help,
               const char *range)
{
    char left[100] = "  ";

    if (letter)
        snprintf(left, sizeof left, "  -%c, ", letter);
    const size_t start = strlen(left);
    snprintf(left + start, sizeof left - start, "--%s%s%s", name, value && *value ? " " : "",
             value ? value : "");
    printf("%-*s ", HELP_COLUMN - 1, cli_dashed(left));
    if (strlen(left) >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    line_wrap(stdout, HELP_COLUMN, help);
    if (range) {
        printf("%*s", HELP_COLUMN, "");
        line_wrap(stdout, HELP_COLUMN, range);
    }
}
