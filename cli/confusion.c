/* confusion.c - how predictions went, as tables of a page. */
#define _POSIX_C_SOURCE 200809L

#include "confusion.h"

#include "page.h"

#include <math.h>
#include <string.h>

/* Headings are set upright where there are more classes, or longer names. */
enum { ACROSS_CLASSES = 8, ACROSS_SHORT = 3, ACROSS_LONG = 12, DENSE = 15 };

/* Of a cell's color: light enough that numbers are read on it, on dark and on light pages. */
static const double FAINTEST = 0.08, STRONGEST = 0.55;

static int64_t sum(const int64_t *counts, int count, int step)
{
    int64_t total = 0;

    for (int i = 0; i < count; i++)
        total += counts[(int64_t)i * step];
    return total;
}

static int stands_upright(int classes, const char *const *names)
{
    const size_t most = classes > ACROSS_CLASSES ? ACROSS_SHORT : ACROSS_LONG;
    int upright = 0;

    for (int c = 0; c < classes; c++)
        upright |= strlen(names[c]) > most;
    return upright;
}

static void write_head(FILE *page, int classes, const char *const *names)
{
    fputs("<thead><tr><th>true \\ predicted</th>", page);
    for (int c = 0; c < classes; c++) {
        fputs("<th scope=\"col\"><span>", page);
        page_text(page, names[c]);
        fputs("</span></th>", page);
    }
    fputs("<th scope=\"col\"><span>rows</span></th><th scope=\"col\"><span>right</span></th></tr>"
          "</thead>\n<tbody>\n",
          page);
}

static void write_share(FILE *page, int64_t part, int64_t all)
{
    if (all > 0)
        fprintf(page, "<td>%.1f%%</td>", 100 * (double)part / (double)all);
    else
        fputs("<td></td>", page);
}

/* No number where there is no row: what is there is then seen at once. */
static void write_count(FILE *page, int64_t count, int64_t all, int is_right)
{
    if (count == 0) {
        fputs(is_right ? "<td>0</td>" : "<td></td>", page);
        return;
    }
    fprintf(page, "<td class=\"%s\" style=\"--s:%.2f\">%lld</td>", is_right ? "right" : "wrong",
            FAINTEST + (STRONGEST - FAINTEST) * (double)count / (double)all, (long long)count);
}

static void write_row(FILE *page, int classes, const char *name, int own, const int64_t *counts)
{
    const int64_t all = sum(counts, classes, 1);

    fputs("<tr><th scope=\"row\">", page);
    page_text(page, name);
    fputs("</th>", page);
    for (int c = 0; c < classes; c++)
        write_count(page, counts[c], all, c == own);
    fprintf(page, "<td>%lld</td>", (long long)all);
    write_share(page, counts[own], all);
    fputs("</tr>\n", page);
}

/* Below the table: what was predicted, and how much of it is right. */
static void write_foot(FILE *page, int classes, const int64_t *counts)
{
    const int64_t all = sum(counts, classes * classes, 1);

    fputs("</tbody>\n<tfoot><tr><th scope=\"row\">predicted</th>", page);
    for (int c = 0; c < classes; c++)
        fprintf(page, "<td>%lld</td>", (long long)sum(counts + c, classes, classes));
    fprintf(page, "<td>%lld</td><td></td></tr>\n<tr><th scope=\"row\">right</th>", (long long)all);
    for (int c = 0; c < classes; c++)
        write_share(page, counts[(int64_t)c * classes + c], sum(counts + c, classes, classes));
    fputs("<td></td>", page);
    write_share(page, sum(counts, classes, classes + 1), all);
    fputs("</tr></tfoot>", page);
}

void confusion_write(FILE *page, int classes, const char *const *names, const int64_t *counts)
{
    fprintf(page, "<div class=\"wide tall\"><table class=\"confusion%s%s\">\n",
            stands_upright(classes, names) ? " upright" : "", classes > DENSE ? " dense" : "");
    write_head(page, classes, names);
    for (int c = 0; c < classes; c++)
        write_row(page, classes, names[c], c, counts + (int64_t)c * classes);
    write_foot(page, classes, counts);
    fputs("</table></div>\n", page);
}

void confusion_calibration(FILE *page, const calibration_bin *bins, int count)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>share given</th><th></th><th>right</th>"
          "<th>rows</th></tr></thead>\n<tbody>\n",
          page);
    for (int b = 0; b < count; b++) {
        const double right = bins[b].right;
        if (bins[b].rows == 0)
            continue;
        fprintf(page, "<tr><td>%.1f%%</td><td>", 100 * bins[b].predicted);
        page_bar(page, right, sqrt(right * (1 - right) / (double)bins[b].rows), bins[b].predicted);
        fprintf(page, "</td><td>%.1f%%</td><td>%lld</td></tr>\n", 100 * right,
                (long long)bins[b].rows);
    }
    fputs("</tbody></table></div>\n", page);
}
