/* explain.c - finds columns that vary too little compared with other columns or with their own
 * values. */
#include "model/explain.h"

#include "core/utf8.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64, NAME_BYTES = 20 }; /* at most NAME_BYTES of a column name are shown */

/* Columns are examined one by one, but rank concerns directions: a column this close to the
 * tolerance may have been cut. */
static const double NEARLY = 4;

/* Fraction of the variance, and the fewest columns to compare. */
static const double NEARLY_ALL = 0.9;
enum { FEWEST_COLUMNS = 3 };

/* Fraction of the unlabelled rows: it is common that no label reaches a few of them. */
static const double MOST_UNREACHED = 0.1;

/* Eigenvalues may differ by this fraction through rounding. */
static const double EQUAL = 1e-10;

/* The number of bytes of a name to show, without splitting a character. */
static int shown(const char *name)
{
    size_t length = 0, next = 0;

    for (; name[length]; length += next) {
        next = pen_text_character(name + length, strlen(name + length));
        next += next == 0; /* a byte that is not UTF-8 */
        if (length + next > NAME_BYTES)
            break;
    }
    return (int)length;
}

/* Writes a name such as: column 3 ("income"), counted from 0. */
static void name_column(const char *const *names, int64_t column, char text[NAME_SIZE])
{
    const char *const name = names && names[column] ? names[column] : "";

    if (*name)
        snprintf(text, NAME_SIZE, "column %lld (\"%.*s\")", (long long)column, shown(name), name);
    else
        snprintf(text, NAME_SIZE, "column %lld", (long long)column);
}

/* The column with the largest deviation below `limit`, ignoring constant columns; or -1. */
static int64_t largest_below(const double *deviation, int64_t d, double limit)
{
    int64_t found = -1;

    for (int64_t j = 0; j < d; j++)
        if (deviation[j] > 0 && deviation[j] < limit
            && (found < 0 || deviation[j] > deviation[found]))
            found = j;
    return found;
}

/* All columns are constant up to rounding: names the one that varies most, if any varies. */
static pen_status explain_rounding(pen_run *run, const pen_view *x, const char *const *names,
                                   char text[PEN_EXPLANATION_SIZE])
{
    char column[NAME_SIZE];
    double *low, *high;
    int64_t most = 0;

    PEN_TRY(pen_rows_extremes(run, x, &low, &high));
    for (int64_t j = 1; j < x->d; j++)
        if (high[j] - low[j] > high[most] - low[most])
            most = j;
    if (high[most] - low[most] > 0) {
        name_column(names, most, column);
        snprintf(text, PEN_EXPLANATION_SIZE,
                 "no column varies by more than rounding: %s by %.2g about %.2g; subtract its mean "
                 "first",
                 column, high[most] - low[most], x->mean[most]);
    }
    return PEN_OK;
}

/* Names a column that is lost next to one with a larger deviation. */
static void explain_units(const double *deviation, int64_t d, pen_cut cut, const char *const *names,
                          char text[PEN_EXPLANATION_SIZE])
{
    char large[NAME_SIZE], small[NAME_SIZE];
    const int64_t most = largest_below(deviation, d, (double)INFINITY);
    const int64_t lost =
        largest_below(deviation, d, NEARLY * sqrt(cut.tolerance) * deviation[most]);

    if (lost < 0)
        return;
    name_column(names, most, large);
    name_column(names, lost, small);
    snprintf(text, PEN_EXPLANATION_SIZE,
             "rank %lld of %lld: %s varies %.1g times more than %s; set scale auto",
             (long long)cut.rank, (long long)d, large, deviation[most] / deviation[lost], small);
}

void pen_explain_share(const pen_view *x, const char *const *names, char text[PEN_EXPLANATION_SIZE])
{
    char column[NAME_SIZE];
    double sum = 0;
    int64_t most = 0;

    *text = '\0';
    for (int64_t j = 0; j < x->d; j++) {
        sum += x->deviation[j] * x->deviation[j];
        most = x->deviation[j] > x->deviation[most] ? j : most;
    }
    const double share = x->deviation[most] * x->deviation[most] / sum;
    if (x->d < FEWEST_COLUMNS || !(share > NEARLY_ALL))
        return;
    name_column(names, most, column);
    snprintf(
        text, PEN_EXPLANATION_SIZE,
        "%s has %.3g %% of the variance of all columns and dominates the result; set scale auto",
        column, floor(1000 * share) / 10);
}

pen_status pen_explain_rank(pen_run *run, const pen_view *x, const char *const *names,
                            char text[PEN_EXPLANATION_SIZE])
{
    const pen_cut cut = pen_cut_noted(run);
    double *deviation;

    *text = '\0';
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, deviation, x->d));
    for (int64_t j = 0; j < x->d; j++)
        deviation[j] = x->deviation[j] * (x->scale ? x->scale[j] : 1);
    if (largest_below(deviation, x->d, (double)INFINITY) < 0)
        PEN_TRY(explain_rounding(run, x, names, text));
    else
        explain_units(deviation, x->d, cut, names, text);
    pen_release(run, mark);
    return PEN_OK;
}

void pen_explain_far(pen_run *run, const pen_view *x, char text[PEN_EXPLANATION_SIZE])
{
    enum { SHOWN = 3 };
    char list[96];
    int at = 0;

    *text = '\0';
    if (x->far_count == 0)
        return;
    for (int64_t i = 0; i < pen_min(SHOWN, x->far_count); i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%lld", i > 0 ? ", " : "",
                       (long long)x->far_rows[i]);
    snprintf(text, PEN_EXPLANATION_SIZE,
             "%lld row%s far from all other rows, as codes for missing values are: %s%s (counted "
             "from 0)",
             (long long)x->far_count, x->far_count == 1 ? " is" : "s are", list,
             x->far_count > SHOWN ? ", ..." : "");
    pen_note(run, "far_rows", (double)x->far_count);
}

void pen_explain_unreached(pen_run *run, const pen_view *x, char text[PEN_EXPLANATION_SIZE])
{
    const double unlabelled = (double)(x->n - x->labelled);
    const pen_remark *remark;

    *text = '\0';
    for (int i = 0; (remark = pen_note_at(run, i)); i++)
        if (strcmp(remark->name, "unreached") == 0 && remark->number > MOST_UNREACHED * unlabelled)
            snprintf(text, PEN_EXPLANATION_SIZE,
                     "no path of neighbors connects %.0f of %.0f unlabelled rows with a labelled "
                     "row: set more neighbors, or label some of them",
                     remark->number, unlabelled);
}

void pen_explain_equal(const double *values, int64_t k, int64_t d, char text[PEN_EXPLANATION_SIZE])
{
    enum { SHOWN = 3 };
    int at = 0;
    int64_t first = 0, runs = 0;
    double largest = 0;

    *text = '\0';
    for (int64_t c = 0; values && c < k; c++)
        largest = fmax(largest, fabs(values[c]));
    for (int64_t c = 1; values && c <= k; c++) {
        const double gap = c < k ? fabs(values[c] - values[first]) : INFINITY;
        if (values[first] != 0
            && gap <= fmax(EQUAL * fabs(values[first]), (double)d * DBL_EPSILON * largest))
            continue;
        if (c - first > 1 && runs++ < SHOWN)
            at += snprintf(text + at, PEN_EXPLANATION_SIZE - (size_t)at, "%s%lld to %lld",
                           runs > 1 ? ", " : "columns ", (long long)first + 1, (long long)c);
        first = c;
    }
    if (runs > 0)
        snprintf(text + at, PEN_EXPLANATION_SIZE - (size_t)at,
                 "%s have equal eigenvalues: their order and directions "
                 "within this span are arbitrary",
                 runs > SHOWN ? ", ..." : "");
}
