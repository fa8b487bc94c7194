/* report.c - the report of penumbra compare: one page of HTML with tables and pictures inside. */
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include "confusion.h"
#include "curves.h"
#include "input.h"
#include "method_text.h"
#include "output.h"
#include "page.h"
#include "progress.h"
#include "trial_flags.h"
#include "trial_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES_SHOWN = 24, TEXT_SIZE = 64 };

/* What the page shows, drawn before the page is begun. */
typedef struct pictures {
    FILE *curves, *rows; /* HTML; NULL: there is nothing to draw, or no time to draw it */
    int curve_count;
    trial_views views;
} pictures;

static void pictures_free(pictures *p)
{
    trial_views_free(&p->views);
    if (p->curves)
        fclose(p->curves);
    if (p->rows)
        fclose(p->rows);
}

/* Without fits where the comparison was interrupted. */
static int make_pictures(const report_source *source, const char *path, int interrupted,
                         pictures *p)
{
    int status = curves_draw(source->args, source->found, path, &p->curves, &p->curve_count);

    if (status == CLI_OK && !interrupted)
        trial_views_fit(source->args, source->rules, source->in, source->found, &p->views);
    if (status == CLI_OK && !progress_signal())
        status = trial_views_draw(source->args, source->in, &p->views, path, &p->rows);
    return progress_signal() ? CLI_OK : status;
}

/* ---- the data ---- */

static void write_class(FILE *page, const report_source *source, int64_t c)
{
    int64_t count = 0;

    for (int64_t i = 0; i < source->in->data.x.rows; i++)
        count += source->in->data.labels[i] == c;
    fputs("<span>", page);
    page_text(page, source->in->data.class_names[c]);
    fprintf(page, " <span class=\"soft\">%lld</span></span>\n", (long long)count);
}

static void write_classes(FILE *page, const report_source *source)
{
    const int64_t count = source->in->data.class_count;

    fputs("<div class=\"classes\">\n", page);
    for (int64_t c = 0; c < count && c < CLASSES_SHOWN; c++)
        write_class(page, source, c);
    if (count > CLASSES_SHOWN)
        fprintf(page, "<span>and %lld more classes</span>\n", (long long)(count - CLASSES_SHOWN));
    fputs("</div>\n", page);
}

static void write_data(FILE *page, const report_source *source)
{
    const pen_data *const data = &source->in->data;

    fputs("<p>", page);
    page_text(page, input_name(args_operand(source->args, 0)));
    fprintf(page, ": %lld rows of %lld columns; %lld rows have labels, of %lld classes.",
            (long long)data->x.rows, (long long)data->x.cols, (long long)trials_labelled(data),
            (long long)data->class_count);
    if (data->must_link_count + data->cannot_link_count > 0)
        fprintf(page, " %lld must-links, %lld cannot-links.", (long long)data->must_link_count,
                (long long)data->cannot_link_count);
    fputs("</p>\n", page);
    write_classes(page, source);
}

/* ---- the ranking ---- */

/* NaN: what `none` says. */
static void write_cell(FILE *page, double value, int digits, const char *none)
{
    if (isnan(value))
        fprintf(page, "<td>%s</td>", none);
    else
        fprintf(page, "<td>%.*f</td>", digits, value);
}

/* Without unlabelled rows nothing is known to be stable: no candidate has a stability. */
static int any_stability(const pen_comparison *found)
{
    for (int64_t m = 0; m < found->count; m++)
        if (!isnan(found->candidates[m].stability))
            return 1;
    return 0;
}

static void write_name(FILE *page, const report_source *source, int64_t m)
{
    const pen_compared *const e = &source->found->candidates[m];
    const int taken = m == source->found->chosen;

    fprintf(page, "<tr><td>%lld</td><td title=\"", (long long)m + 1);
    page_text(page, choice_title(e));
    fputs(taken ? "\"><strong>" : "\">", page);
    page_text(page, e->name);
    fputs(taken ? "</strong>" : "", page);
    fputs(method_is_experimental(e->method) ? " <span class=\"soft\">experimental</span></td>"
          : e->baseline                     ? " <span class=\"soft\">baseline</span></td>"
                                            : "</td>",
          page);
}

static void write_candidate(FILE *page, const report_source *source, int64_t m)
{
    const pen_compared *const e = &source->found->candidates[m];
    char text[CHOICE_TEXT];

    write_name(page, source, m);
    fputs("<td>", page);
    page_bar(page, e->score, isnan(e->deviation) ? 0 : e->deviation, source->found->chance);
    fprintf(page, isnan(e->deviation) ? "</td><td>%.4f</td>" : "</td><td>%.4f ± %.4f</td>",
            e->score, e->deviation);
    write_cell(page, e->untuned, 4, "fails");
    if (e->p < 0.001)
        fputs("<td>&lt; 0.001</td>", page);
    else
        write_cell(page, e->p, 3, "");
    if (any_stability(source->found))
        write_cell(page, e->stability, 4, "");
    params_describe(e->method, e->spec, text, sizeof text);
    fprintf(page, "<td>%lld</td><td>%.2f</td><td class=\"free\"><code>", (long long)e->dim,
            e->seconds);
    page_text(page, text);
    fputs(*text ? "</code>" : "</code><span class=\"soft\">the defaults</span>", page);
    if (e->same_as)
        fprintf(page, "<span class=\"soft\">; the same answer as %s</span>", e->same_as);
    fputs("</td></tr>\n", page);
}

/* Methods that failed for the same reason together, and those that were not tried. */
static void write_failures(FILE *page, const report_source *source)
{
    const pen_comparison *const found = source->found;
    char text[CHOICE_TEXT];

    for (int64_t m = 0; m < found->count; m++) {
        if (!choice_failed(found, m, text, sizeof text))
            continue;
        fprintf(page, "<p class=\"soft\">Failed: %s: ", text);
        page_text(page, found->candidates[m].failure);
        fputs("</p>\n", page);
    }
    if (choice_untried(found, PEN_LEFT_OUT, text, sizeof text))
        fprintf(page,
                "<p class=\"soft\">Left out, with their cost in units of the budget: %s</p>\n",
                text);
    if (choice_untried(found, PEN_NOT_REACHED, text, sizeof text))
        fprintf(page, "<p class=\"soft\">Not reached: %s</p>\n", text);
}

static void write_best(FILE *page, const report_source *source)
{
    const pen_comparison *const found = source->found;
    const pen_compared *const best = &found->candidates[0];
    char text[CHOICE_TEXT];
    int64_t close = 0;

    fputs("<p><strong>", page);
    page_text(page, best->name);
    fputs("</strong> (", page);
    page_text(page, choice_title(best));
    fprintf(page,
            ") scores best: it classifies %.1f%% of the held-out rows correctly, with a standard "
            "error of %.1f percentage points; always naming the largest class would give %.1f%%.",
            100 * best->score, 100 * found->margin, 100 * found->chance);
    for (int64_t m = 1; m < found->count; m++)
        close += found->candidates[m].p >= 0.05;
    if (close > 0)
        fprintf(page,
                " %lld of the others do%s not differ from it significantly (p of 0.05 or more).",
                (long long)close, close == 1 ? "es" : "");
    if (found->chosen > 0) {
        fputs(" Recommended is <strong>", page);
        page_text(page, choice_taken(found)->name);
        fprintf(page, "</strong>, %s.", choice_reason(found, text, sizeof text));
    }
    fputs("</p>\n", page);
}

static void write_ranking(FILE *page, const report_source *source)
{
    const int has_stability = any_stability(source->found);
    char text[CHOICE_TEXT];

    fputs("<h2>Ranking</h2>\n", page);
    write_best(page, source);
    fprintf(page, "<p>%s.</p>\n",
            choice_trials(source->rules, &source->in->data, source->found, text, sizeof text));
    fprintf(page,
            "<div class=\"wide\"><table>\n<thead><tr><th></th><th>method</th><th></th>"
            "<th>score</th><th>untuned</th><th>p</th>%s<th>dims</th>"
            "<th>seconds</th><th>parameters</th></tr></thead>\n<tbody>\n",
            has_stability ? "<th>stable</th>" : "");
    for (int64_t m = 0; m < source->found->count && !*source->found->candidates[m].failure; m++)
        write_candidate(page, source, m);
    fputs("</tbody></table></div>\n", page);
    write_failures(page, source);
    fprintf(
        page,
        "<p class=\"soft\">Bars run from 0 to 1, with one standard deviation over the trials to "
        "either side; the dashed line is chance, always naming the largest class. Untuned: "
        "with all parameters at their defaults, which are used where they score higher. p: of "
        "a test of whether the candidate is as good as the first one.%s Seconds: for the untuned "
        "trials of the method. Baselines are the standardized columns, read without a method; one "
        "is recommended only where no other candidate is within one standard error.</p>\n",
        has_stability
            ? " Stable: the share of unlabelled rows that get the same class in two trials."
            : "");
}

/* ---- the predictions of the recommended candidate ---- */

static void write_calibration(FILE *page, const pen_comparison *found)
{
    calibration_bin bins[PEN_CALIBRATION_BINS];

    for (int b = 0; b < PEN_CALIBRATION_BINS; b++)
        bins[b] = (calibration_bin){ found->calibration[b].predicted, found->calibration[b].right,
                                     found->calibration[b].rows };
    fputs("<h2>Probabilities of the classes</h2>\n<p>The same rows by the probability of the "
          "predicted class. As many should be right: the bar, with its standard error, then ends "
          "at the dashed line.</p>\n",
          page);
    confusion_calibration(page, bins, PEN_CALIBRATION_BINS);
}

/* Returns 0 if there is no memory. */
static int write_predictions(FILE *page, const report_source *source)
{
    const pen_comparison *const found = source->found;
    const char **const names = calloc((size_t)found->class_count, sizeof *names);

    if (!names)
        return 0;
    for (int64_t c = 0; c < found->class_count; c++)
        names[c] = source->in->data.class_names[found->classes[c]];
    fputs("<h2>Predicted classes</h2>\n<p>The held-out rows of all trials by their true class and "
          "by the one that ",
          page);
    page_text(page, choice_taken(found)->name);
    fputs(" predicts; each row is held out once in a run.</p>\n", page);
    confusion_write(page, (int)found->class_count, names, found->confusion);
    if (found->calibration)
        write_calibration(page, found);
    free(names);
    return 1;
}

/* ---- the pictures ---- */

static int write_curves(FILE *page, const pictures *p)
{
    fputs("<h2>Accuracy by the number of dimensions</h2>\n", page);
    if (!p->curves) {
        fputs(p->curve_count == 0
                  ? "<p>These methods are fitted anew for each number of dimensions: there is no "
                    "such curve.</p>\n"
                  : "<p>Interrupted before it was drawn.</p>\n",
              page);
        return 1;
    }
    /* an error of reading is as good as one of writing: the page has no end */
    const int written = page_copy(page, p->curves);
    fprintf(page,
            "<p class=\"soft\">Mean over the trials with all parameters at their defaults, for the "
            "best %d candidate%s whose first columns are also the answer for fewer "
            "dimensions.</p>\n",
            p->curve_count, p->curve_count == 1 ? "" : "s");
    return written;
}

/* What a panel does not show by itself. */
static void write_remark(FILE *page, const trial_view *view)
{
    const pen_trial_embedding *const rows = view->rows;

    if (rows && rows->dim == 2)
        return;
    fputs("<li>", page);
    page_text(page, view->candidate->name);
    if (!rows) {
        fputs(": ", page);
        page_text(page, view->failure);
    } else if (rows->dim == 1) {
        fputs(" gives one dimension, drawn from left to right; classes are set apart in height",
              page);
    } else {
        fprintf(page, ": the first two of %lld dimensions", (long long)rows->dim);
    }
    fputs("</li>\n", page);
}

static int write_views(FILE *page, const report_source *source, const pictures *p)
{
    const int64_t n = source->in->data.x.rows;
    int written = 1;

    fputs("<h2>Rows in two dimensions</h2>\n<p>The best methods in the first trial, with the "
          "parameters above. Filled points are rows whose label the method knew. Hollow ones are "
          "held out, in the color of their true class, which the method did not know.",
          page);
    if (trials_labelled(&source->in->data) < n)
        fputs(" Gray ones have no label.", page);
    if (n > TRIAL_VIEW_ROWS)
        fprintf(page, " %d of %lld rows are drawn.", TRIAL_VIEW_ROWS, (long long)n);
    fputs(" Each axis has its own scale.</p>\n", page);
    if (p->rows)
        written = page_copy(page, p->rows);
    fputs("<ul class=\"soft\">\n", page);
    for (int i = 0; i < p->views.count; i++)
        write_remark(page, &p->views.list[i]);
    fputs("</ul>\n", page);
    return written;
}

/* ---- how it was done ---- */

static int is_reading_flag(const char *name)
{
    const cli_flag *const tables[] = { input_flags, pairs_flags };

    for (int t = 0; t < 2; t++)
        for (const cli_flag *flag = tables[t]; flag->name; flag++)
            if (cli_same_name(flag->name, name))
                return 1;
    return cli_same_name(name, "labels");
}

/* The command that fits the recommended candidate. */
static void write_fit(FILE *page, const report_source *source)
{
    const pen_compared *const best = choice_taken(source->found);
    const cli_args *const args = source->args;
    char text[CHOICE_TEXT];
    double dim = 0;

    params_describe(best->method, best->spec, text, sizeof text);
    fprintf(
        page,
        "<p>A model of the recommended candidate, fitted to all rows:</p>\n<pre>penumbra fit %s ",
        pen_method_name(best->method));
    page_shell_word(page, args_operand(args, 0));
    for (int i = 0; i < args->count; i++) {
        if (!args->list[i].name || !is_reading_flag(args->list[i].name))
            continue;
        fprintf(page, " --%s ", args->list[i].name);
        page_shell_word(page, args->list[i].value);
    }
    fputs(*text ? " " : "", page);
    page_text(page, text);
    pen_spec_get(best->spec, "dim", &dim, NULL);
    if (dim > 0)
        fprintf(page, " --dim %.0f", dim);
    fputs(" -o model.pen</pre>\n", page);
}

/* The labels that are kept of the rows that are not held out. */
static void write_kept(FILE *page, const pen_label_sample *labels)
{
    if (labels->per_class > 0)
        fprintf(page, "<li>Of the other rows, %lld of each class keep their labels.</li>\n",
                (long long)labels->per_class);
    if (labels->percent > 0)
        fprintf(page, "<li>Of the other rows, %g%% of each class keep their labels.</li>\n",
                labels->percent);
}

/* What limited the trials. */
static void write_limits(FILE *page, const report_source *source)
{
    const pen_comparison *const found = source->found;

    fputs(
        "<li>What is tried follows from the costs of the methods and a budget, not from the speed "
        "of the machine.</li>\n",
        page);
    if (found->cut_short)
        fprintf(page,
                "<li>A time limit of %g seconds has cut this short: the result depends on the "
                "speed of the machine.</li>\n",
                source->rules->seconds);
    if (found->inner_folds == 0)
        fputs("<li>There are too few labels to tune.</li>\n", page);
    else
        fprintf(page, "<li>%lld of %lld candidates were tuned, by %lld folds.</li>\n",
                (long long)found->tuned, (long long)choice_count(found),
                (long long)found->inner_folds);
}

static void write_protocol(FILE *page, const report_source *source)
{
    const pen_protocol *const protocol = &source->rules->protocol;
    char text[TEXT_SIZE];

    fprintf(page,
            "<li>%s of the labelled rows (seed %llu). Each fold is held out once: its labels are "
            "removed, %s.</li>\n",
            trials_words(&source->in->data, protocol, PEN_COMPARE_RUNS, text, sizeof text),
            (unsigned long long)protocol->seed,
            protocol->inductive ? "and so are its rows" : "its rows stay as unlabelled ones");
    write_kept(page, &protocol->labels);
    fprintf(page,
            "<li>Readers give a held-out row its class: nearest that of the %s in the embedding, "
            "others what they learn from the rows of known class; a score is the mean share of "
            "rows classified correctly.</li>\n",
            protocol->neighbors > 1 ? "majority of its nearest rows of known class"
                                    : "nearest row of known class");
    fputs(
        "<li>In each trial, each candidate is tuned by trials of its own on the rows that are not "
        "held out: no label that a score is measured on has influenced a parameter. One that "
        "scores higher with its defaults keeps them.</li>\n",
        page);
    write_limits(page, source);
    fputs("<li>p is that of a two-sided paired t-test over the trials, corrected for trials that "
          "share rows (Nadeau and Bengio 2003).</li>\n",
          page);
}

static void write_method(FILE *page, const report_source *source)
{
    fputs("<h2>How it was done</h2>\n<ul>\n", page);
    write_protocol(page, source);
    fputs("</ul>\n<p>This page:</p>\n<pre>penumbra", page);
    for (int i = 0; i < source->args->word_count; i++) {
        fputc(' ', page);
        page_shell_word(page, source->args->words[i]);
    }
    fputs("</pre>\n", page);
    write_fit(page, source);
    fprintf(page, "<p class=\"soft\">penumbra %s</p>\n", pen_version());
}

static int write_page(FILE *page, const report_source *source, const pictures *p, int stopped)
{
    char title[TEXT_SIZE * 8];

    snprintf(title, sizeof title, "Methods compared on %s",
             input_name(args_operand(source->args, 0)));
    page_begin(page, title);
    if (stopped)
        fputs("<p><strong>The comparison was interrupted.</strong> This is what was finished by "
              "then.</p>\n",
              page);
    write_data(page, source);
    write_ranking(page, source);
    int written = write_predictions(page, source);
    written &= write_curves(page, p);
    if (p->views.count > 0)
        written &= write_views(page, source, p);
    write_method(page, source);
    page_end(page);
    return written;
}

int report_write(const report_source *source, const char *path)
{
    pictures p = { .curves = NULL };
    output_file file;

    int status = make_pictures(source, path, progress_finish(), &p);
    const int stopped = progress_finish();
    if (status == CLI_OK && (status = output_open(&file, source->args, path)) == CLI_OK) {
        if (!write_page(file.stream, source, &p, stopped))
            status = cli_say(source->args->command, CLI_FAILED, "%s: a picture cannot be read back",
                             path);
        const int closed = output_close(&file, status == CLI_OK);
        status = status == CLI_OK ? closed : status;
    }
    pictures_free(&p);
    return status;
}
