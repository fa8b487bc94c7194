/* outcome.c - the classes that a model predicts, next to the true ones: a section of a page. */
#define _POSIX_C_SOURCE 200809L

#include "outcome.h"

#include "page.h"

#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

int outcomes_new(const pen_model *model, int classes, const char *const *names, outcomes *out)
{
    const size_t cells = (size_t)classes * (size_t)classes + 1;

    *out = (outcomes){ .model = model, .classes = classes, .names = names };
    out->told.counts = calloc(cells, sizeof *out->told.counts);
    out->untold.counts = calloc(cells, sizeof *out->untold.counts);
    return out->told.counts && out->untold.counts;
}

void outcomes_free(outcomes *all)
{
    free(all->told.counts);
    free(all->untold.counts);
}

void outcomes_add(outcomes *all, int is_told, int true_class, int predicted, double share)
{
    outcome *const to = is_told ? &all->told : &all->untold;
    const int bin = (int)(share * OUTCOME_BINS);
    calibration_bin *const of = &to->bins[bin < 0               ? 0
                                          : bin >= OUTCOME_BINS ? OUTCOME_BINS - 1
                                                                : bin];

    to->counts[(int64_t)true_class * all->classes + predicted]++;
    to->rows++;
    to->right += true_class == predicted;
    of->rows++;
    of->right += true_class == predicted;
    of->predicted += share;
}

/* ---- the section ---- */

static int64_t fitted(const outcomes *all, const char *fact)
{
    const pen_fact *const found = pen_fact_named(pen_model_info_facts(all->model), fact);
    return found && found->type == PEN_FACT_NUMBER ? (int64_t)found->numbers[0] : -1;
}

/* Whether the model learned from these labels is not known; the numbers of rows and labels tell
 * much. */
static void write_told(FILE *page, const outcomes *all)
{
    if (fitted(all, "rows") == all->rows && fitted(all, "labelled") == all->labelled)
        fprintf(page,
                "The model was fitted to %lld rows, %lld of them labelled, the same numbers as "
                "here: most likely it learned from these labels. ",
                (long long)all->rows, (long long)all->labelled);
    else
        fputs("If these are rows of the fit, the model learned from their labels. ", page);
}

static void write_untold(FILE *page, const outcomes *all)
{
    fprintf(page,
            "<p>%lld rows have a true class that was not told as a label; the model names that of "
            "%lld (%.1f%%).",
            (long long)all->untold.rows, (long long)all->untold.right,
            100 * (double)all->untold.right / (double)all->untold.rows);
    if (all->told.rows > 0) {
        fprintf(page, " The %lld labelled rows, of which it names %lld, are not counted. ",
                (long long)all->told.rows, (long long)all->told.right);
        write_told(page, all);
    }
    fputs("</p>\n", page);
}

static void write_learned(FILE *page, const outcomes *all)
{
    fprintf(page, "<p>Of %lld labelled rows the model names the class of %lld (%.1f%%). <strong>",
            (long long)all->told.rows, (long long)all->told.right,
            100 * (double)all->told.right / (double)all->told.rows);
    write_told(page, all);
    fputs("</strong>Then this is how well it fits them, not how well it predicts.</p>\n", page);
}

static void write_bins(FILE *page, const outcome *of)
{
    calibration_bin bins[OUTCOME_BINS];

    memcpy(bins, of->bins, sizeof bins);
    for (int b = 0; b < OUTCOME_BINS; b++) {
        if (bins[b].rows == 0)
            continue;
        bins[b].predicted /= (double)bins[b].rows;
        bins[b].right /= (double)bins[b].rows;
    }
    fputs("<h2>Shares of the classes</h2>\n<p>The same rows by the share that the model gives the "
          "class it predicts. Where the shares are probabilities, as many are right: the bar, with "
          "its standard error, ends at the dashed line.</p>\n",
          page);
    confusion_calibration(page, bins, OUTCOME_BINS);
}

void outcomes_write(FILE *page, const void *data)
{
    const outcomes *const all = data;
    const outcome *const shown = all->untold.rows > 0 ? &all->untold : &all->told;

    fputs("<h2>Predicted classes</h2>\n", page);
    if (shown->rows == 0) {
        fputs("<p>No row has a known class.</p>\n", page);
        return;
    }
    if (all->untold.rows > 0)
        write_untold(page, all);
    else
        write_learned(page, all);
    confusion_write(page, all->classes, all->names, shown->counts);
    if (pen_model_class_mass(all->model))
        write_bins(page, shown);
}
