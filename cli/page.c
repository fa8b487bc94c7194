/* page.c - self-contained HTML: style, and text with its markup escaped. */
#include "page.h"

#include "cli.h"
#include "palette.h"

#include <math.h>
#include <string.h>

enum { COPY_SIZE = 1 << 14, QUANTA_SIZE = 3 << 12 };

/* Pictures are on white in dark pages, too, and their legend with them. A cell of a table of
 * confusion has a translucent color, so that its number is read on both. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#59626d;--line:#d5dae0;--paper:#fff;"
    "--panel:#f4f6f8}\n"
    "body{margin:0 auto;max-width:62rem;padding:1rem;color:var(--ink);background:var(--paper);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}"
    "h1,li,p{overflow-wrap:anywhere}p,ul{max-width:46rem}ul{padding-left:1.2rem}\n"
    ".soft{color:var(--soft)}.wide{overflow-x:auto}.tall{overflow-y:auto;max-height:38rem}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:.7rem;background:var(--panel);border-"
    "radius:.3rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}\n"
    "th,td{padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:middle;border-bottom:1px "
    "solid var(--line);white-space:nowrap}\n"
    "th{font-weight:600}td.free{white-space:normal;min-width:8rem}code{font-size:.92em}\n"
    ".bar{position:relative;width:9.5rem;height:.7rem;border:1px solid var(--line)}"
    ".bar span{position:absolute;top:0;height:100%}\n"
    ".score{left:0;background:var(--bar)}.deviation{height:2px !important;top:calc(50% - 1px) "
    "!important;background:var(--ink)}.chance{border-left:1px dashed var(--ink)}\n"
    "figure{margin:.5rem 0;background:#fff;color:#404040;border-radius:.3rem;overflow:hidden;"
    "max-width:46rem}figure.several{max-width:none}\n"
    ".several .panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),"
    "1fr))}img{display:block;width:100%;height:auto}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;padding:.4rem 1rem .8rem;"
    "font-size:.92rem}.legend.many{display:block;column-gap:1.2rem}"
    ".legend span{display:block;padding-left:1.6em;text-indent:-1.6em;break-inside:avoid;"
    "overflow-wrap:anywhere}.mark{width:1.2em;height:1.2em;margin-right:.4em;"
    "vertical-align:-.2em}\n"
    ".classes{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.6rem 0;font-size:.92rem}"
    ".classes span{min-width:0;overflow-wrap:anywhere}\n"
    ".confusion{border-collapse:separate;border-spacing:0}.confusion th,.confusion td{padding:"
    ".2rem .45rem;text-align:right;min-width:1.5rem}.dense th,.dense td{padding:.15rem .2rem}\n"
    ".confusion th{position:sticky;background:var(--paper)}.confusion thead th{top:0;z-index:1;"
    "vertical-align:bottom}.confusion th:first-child{left:0;z-index:1;text-align:left;"
    "min-width:6rem;max-width:8.5rem;white-space:normal;overflow-wrap:anywhere}"
    ".confusion thead th:first-child{z-index:2}\n"
    ".upright th:first-child{min-width:min(16rem,36vw);max-width:16rem}"
    ".upright thead th:not(:first-child) span{writing-mode:vertical-rl;transform:rotate(180deg);"
    "max-height:12rem;white-space:normal;overflow-wrap:anywhere}\n"
    ".right{background:rgba(7,111,158,var(--s))}.wrong{background:rgba(204,94,5,var(--s))}\n"
    "@media (max-width:30rem){.bar{width:6rem}}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a4adb8;--line:#3a424c;"
    "--paper:#14171b;--panel:#1d2228}}\n";

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

/* ---- files ---- */

int page_copy(FILE *page, FILE *from)
{
    char bytes[COPY_SIZE];
    size_t got;

    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, got, page);
    return !ferror(from);
}

/* Base64 of up to three bytes. */
static void write_quantum(FILE *page, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned all = (unsigned)bytes[0] << 16 | (count > 1 ? (unsigned)bytes[1] << 8 : 0)
                         | (count > 2 ? bytes[2] : 0);

    fputc(digits[all >> 18], page);
    fputc(digits[all >> 12 & 63], page);
    fputc(count > 1 ? digits[all >> 6 & 63] : '=', page);
    fputc(count > 2 ? digits[all & 63] : '=', page);
}

int page_data(FILE *page, FILE *from, const char *type)
{
    unsigned char bytes[QUANTA_SIZE];
    size_t got;

    fprintf(page, "data:%s;base64,", type);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        for (size_t i = 0; i < got; i += 3)
            write_quantum(page, bytes + i, got - i);
    return !ferror(from);
}

/* ---- parts ---- */

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
