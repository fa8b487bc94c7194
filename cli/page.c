/* page.c - self-contained HTML: style, and text with its markup escaped. */
#include "page.h"

#include "cli.h"
#include "palette.h"

#include <math.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--soft:#59626d;--line:#d5dae0;--paper:#fff;--panel:#f4f6f8}\n"
    "body{margin:0 "
    "auto;max-width:62rem;padding:1rem;color:var(--ink);background:var(--paper);font:16px/1.5 "
    "system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 "
    ".5rem}p,ul{max-width:46rem}\n"
    ".soft{color:var(--soft)}.wide{overflow-x:auto}pre{overflow-x:auto;padding:.7rem;background:"
    "var(--panel);border-radius:.3rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}\n"
    "th,td{padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:middle;border-bottom:1px "
    "solid var(--line);white-space:nowrap}\n"
    "th{font-weight:600}td.free{white-space:normal;min-width:14rem}code{font-size:.92em}\n"
    ".bar{position:relative;width:9.5rem;height:.7rem;border:1px solid var(--line)}"
    ".bar span{position:absolute;top:0;height:100%}\n"
    ".score{left:0;background:var(--bar)}.deviation{height:2px !important;top:calc(50% - 1px) "
    "!important;background:var(--ink)}.chance{border-left:1px dashed var(--ink)}\n"
    "figure{margin:0}img{display:block;max-width:100%;height:auto;background:#fff;"
    "border-radius:.3rem}\n"
    ".classes{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.6rem 0;font-size:.92rem}\n"
    "@media (prefers-color-scheme:dark){\n"
    ":root{--ink:#e8eaed;--soft:#a4adb8;--line:#3a424c;--paper:#14171b;--panel:#1d2228}}\n";

static void put_character(FILE *page, const char *s, int length)
{
    if (length == 0 || (cli_is_control(s) && *s != '\n' && *s != '\t'))
        fputs("\xEF\xBF\xBD", page);
    else if (*s == '&')
        fputs("&amp;", page);
    else if (*s == '<')
        fputs("&lt;", page);
    else if (*s == '>')
        fputs("&gt;", page);
    else if (*s == '"')
        fputs("&quot;", page);
    else if (*s == '\'')
        fputs("&#39;", page);
    else
        fwrite(s, 1, (size_t)length, page);
}

void page_text(FILE *page, const char *text)
{
    while (*text) {
        const int length = cli_utf8_length(text);
        put_character(page, text, length);
        text += length ? length : 1;
    }
}

void page_begin(FILE *page, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          page);
    page_text(page, title);
    fprintf(page, "</title>\n<style>\n%s:root{--bar:#%06x}\n</style>\n</head>\n<body>\n<h1>", style,
            palette_color(0));
    page_text(page, title);
    fputs("</h1>\n", page);
}

void page_end(FILE *page)
{
    fputs("</body>\n</html>\n", page);
}

static double percent(double share)
{
    return 100 * fmin(fmax(share, 0), 1);
}

void page_bar(FILE *page, double share, double deviation, double chance)
{
    const double low = percent(share - deviation), high = percent(share + deviation);

    fprintf(page,
            "<div class=\"bar\" role=\"img\" aria-label=\"%.4f\"><span class=\"score\" "
            "style=\"width:%.1f%%\"></span>",
            share, percent(share));
    fprintf(page, "<span class=\"deviation\" style=\"left:%.1f%%;width:%.1f%%\"></span>", low,
            high - low);
    fprintf(page, "<span class=\"chance\" style=\"left:%.1f%%\"></span></div>", percent(chance));
}

void page_shell_word(FILE *page, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+@%-";

    if (*word && word[strspn(word, plain)] == '\0') {
        page_text(page, word);
        return;
    }
    fputs("&#39;", page);
    while (*word) {
        const size_t length = strcspn(word, "'");
        char part[256];
        const int piece = (int)cli_cut(word, length < sizeof part ? length : sizeof part - 1);
        snprintf(part, sizeof part, "%.*s", piece, word);
        page_text(page, part);
        word += piece;
        if (*word == '\'') {
            fputs("&#39;\\&#39;&#39;", page);
            word++;
        }
    }
    fputs("&#39;", page);
}
