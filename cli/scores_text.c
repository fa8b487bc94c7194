/* scores_text.c - the scores of evaluate as tables. */
#include "scores_text.h"

#include "flags/trial_flags.h"

#include <math.h>
#include <stdlib.h>

enum { CELL = 18, ROWS_FOR_FOUR_DECIMALS = 100 };

static const char *const titles[SUBJECT_MEASURES] = { "accuracy", "dropped labels", "log-loss",
                                                      "Brier score" };

static int any_has(const scores_table *e, int measure)
{
    for (int64_t m = 0; m < e->count; m++)
        if (subject_scores(&e->list[m], measure))
            return 1;
    return 0;
}

/* A column of a table. */
typedef struct column {
    const subject *subject;
    int measure;
    const char *heading;
} column;

static int64_t place_of(const pen_scores *scores, int64_t dim)
{
    for (int64_t i = 0; scores && i < scores->dim_count; i++)
        if (scores->dims[i] == dim)
            return i;
    return -1;
}

/* Cells have one width; empty ones at the end are not written. */
static void print_row(const char *left, int64_t count, char (*cells)[SUBJECT_NAME_SIZE])
{
    while (count > 0 && !*cells[count - 1])
        count--;
    printf("%-10s", left);
    for (int64_t c = 0; c < count; c++)
        printf(c + 1 < count ? "  %-*s" : "  %.*s", c + 1 < count ? CELL : SUBJECT_NAME_SIZE,
               cells[c]);
    putchar('\n');
}

/* Returns 0 if there is no number. */
static int fill_cell(const column *c, int64_t dim, int decimals, char text[SUBJECT_NAME_SIZE])
{
    const int64_t i = place_of(c->subject->scores, dim);
    const int best =
        i >= 0 && c->measure == SUBJECT_ACCURACY && i == pen_scores_best(c->subject->scores);
    double mean, deviation;

    pen_scores_summary(c->subject->scores, subject_scores(c->subject, c->measure), i, &mean,
                       &deviation);
    if (isnan(mean))
        snprintf(text, SUBJECT_NAME_SIZE, "-");
    else if (isnan(deviation))
        snprintf(text, SUBJECT_NAME_SIZE, "%.*f%s", decimals, mean, best ? " *" : "");
    else
        snprintf(text, SUBJECT_NAME_SIZE, "%.*f +- %.*f%s", decimals, mean, decimals, deviation,
                 best ? " *" : "");
    return !isnan(mean);
}

/* The numbers of dimensions of all columns, 0 last. */
static int64_t next_dim(int64_t count, const column *columns, int64_t after)
{
    int64_t next = INT64_MAX, own = 0;

    for (int64_t c = 0; c < count; c++) {
        const pen_scores *const scores = columns[c].subject->scores;
        for (int64_t i = 0; scores && i < scores->dim_count; i++) {
            own |= scores->dims[i] == 0;
            if (scores->dims[i] > after && scores->dims[i] < next)
                next = scores->dims[i];
        }
    }
    return next < INT64_MAX ? next : own ? 0 : -1;
}

/* The mean error over the dimensions and the area under the curve of errors, where there are
 * several numbers of dimensions. */
static void print_errors(int64_t count, const column *columns, char (*cells)[SUBJECT_NAME_SIZE])
{
    static const char *const lines[] = { "mean error", "error area" };

    for (int line = 0; line < 2; line++) {
        int any = 0;
        for (int64_t c = 0; c < count; c++) {
            double error = (double)NAN, deviation = (double)NAN;
            cells[c][0] = '\0';
            if (columns[c].measure == SUBJECT_ACCURACY && line == 0)
                pen_scores_mean_error(columns[c].subject->scores, &error, &deviation);
            else if (columns[c].measure == SUBJECT_ACCURACY)
                error = pen_scores_error_area(columns[c].subject->scores);
            if (!isnan(error))
                trials_score(error, deviation, cells[c], SUBJECT_NAME_SIZE);
            any |= !isnan(error);
        }
        if (any)
            print_row(lines[line], count, cells);
    }
}

/* Rows without any number are left out unless all are wanted. */
static void print_table(const scores_table *e, int64_t count, const column *columns, int decimals,
                        char (*cells)[SUBJECT_NAME_SIZE])
{
    char left[SUBJECT_NAME_SIZE];

    for (int64_t c = 0; c < count; c++)
        snprintf(cells[c], SUBJECT_NAME_SIZE, "%s", columns[c].heading);
    print_row("dims", count, cells);
    for (int64_t dim = next_dim(count, columns, 0), last = 0; !last && dim >= 0;
         last = dim == 0, dim = next_dim(count, columns, dim)) {
        int any = e->all_dims;
        for (int64_t c = 0; c < count; c++)
            any |= fill_cell(&columns[c], dim, decimals, cells[c]);
        if (dim)
            snprintf(left, sizeof left, "%lld", (long long)dim);
        if (any)
            print_row(dim ? left : "auto", count, cells);
    }
    print_errors(count, columns, cells);
}

/* The trials and held-out rows of the numbers below, of the method that has most, and the standard
 * error of the highest accuracy. Returns the decimals worth printing. */
static int print_basis(const scores_table *e)
{
    const pen_scores *most = NULL;
    double best = (double)NAN;

    for (int64_t m = 0; m < e->count; m++) {
        const pen_scores *const scores = e->list[m].scores;
        double mean = (double)NAN;
        if (!scores)
            continue;
        if (!most || scores->done > most->done)
            most = scores;
        pen_scores_summary(scores, scores->accuracy, pen_scores_best(scores), &mean, NULL);
        best = isnan(best) || mean > best ? mean : best;
    }
    if (e->count == 1)
        printf("%s/%s: ", e->list[0].method->name, most->classifier);
    printf("%lld trial%s, %lld held-out row%s", (long long)most->done, most->done == 1 ? "" : "s",
           (long long)most->held_out, most->held_out == 1 ? "" : "s");
    if (!isnan(best))
        printf(": standard error about %.1g", pen_standard_error(best, most->held_out));
    putchar('\n');
    return most->held_out < ROWS_FOR_FOUR_DECIMALS ? 2 : 4;
}

int scores_print_tables(const cli_args *args, const scores_table *e)
{
    const int64_t most = e->count > SUBJECT_MEASURES ? e->count : SUBJECT_MEASURES;
    char(*const cells)[SUBJECT_NAME_SIZE] = calloc((size_t)most, sizeof *cells);
    column *const columns = calloc((size_t)most, sizeof *columns);
    const int decimals = print_basis(e);
    int64_t count = 0;

    for (int measure = 0; cells && columns && measure < SUBJECT_MEASURES; measure++) {
        if (!any_has(e, measure))
            continue;
        if (e->count == 1) {
            columns[count++] = (column){ &e->list[0], measure, titles[measure] };
            continue;
        }
        printf("%s%s\n", measure ? "\n" : "", titles[measure]);
        for (int64_t m = 0; m < e->count; m++)
            columns[m] = (column){ &e->list[m], measure, e->list[m].name };
        print_table(e, e->count, columns, decimals, cells);
    }
    if (count > 0)
        print_table(e, count, columns, decimals, cells);
    if (cells && columns)
        puts("* the highest, chosen on the same rows: expect less on new rows");
    const int status =
        cells && columns ? CLI_OK : cli_say(args->command, CLI_FAILED, "out of memory");
    free(cells);
    free(columns);
    return status;
}
