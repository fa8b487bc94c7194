/* report.c - the page of penumbra compare: one HTML file with everything inside, tables and
 * pictures. */
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include "figures.h"
#include "input.h"
#include "output.h"
#include "page.h"
#include "progress.h"
#include "trial_flags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURES = 4, CLASSES_SHOWN = 24, TEXT_SIZE = 64 };

/* What is on a picture: rows in two dimensions, learnt without the labels of one fold. */
typedef struct picture {
    const pen_compared *candidate;
    double *z; /* [rows x dims]; NULL: the fit failed */
    int64_t dims;
    char failure[160];
} picture;

typedef struct pictures {
    int count;
    picture list[PICTURES];
    int32_t *classes; /* [rows] as they are known, -1 */
    int32_t *visible; /* [rows] to the fits */
    char *kinds;      /* [rows] */
    int64_t *pairs[2];
    pen_data data; /* to learn from */
} pictures;

/* ---- fits for the pictures ---- */

/* Pairs of which no row is held out. */
static int64_t *keep_pairs(const int64_t *list, int64_t count, const char *kinds, int64_t *kept)
{
    int64_t *const out = calloc((size_t)count + 1, 2 * sizeof *out);

    *kept = 0;
    for (int64_t p = 0; out && p < count; p++) {
        const int64_t i = list[2 * p], j = list[2 * p + 1];
        if (kinds[i] == ROW_HELD_OUT || kinds[j] == ROW_HELD_OUT)
            continue;
        out[2 * *kept] = i;
        out[2 * *kept + 1] = j;
        ++*kept;
    }
    return out;
}

static void pictures_free(pictures *p)
{
    for (int i = 0; i < p->count; i++)
        free(p->list[i].z);
    free(p->classes);
    free(p->visible);
    free(p->kinds);
    free(p->pairs[0]);
    free(p->pairs[1]);
}

/* One fold is held out. */
static int hide_fold(const report_source *source, pictures *p)
{
    const pen_data *const data = &source->in->data;
    const pen_protocol *const protocol = &source->rules->protocol;
    const int64_t n = data->x.rows;
    pen_error err = { PEN_NO_MEMORY, "out of memory for the pictures" };

    p->classes = calloc((size_t)n, sizeof *p->classes);
    p->visible = calloc((size_t)n, sizeof *p->visible);
    p->kinds = calloc((size_t)n, 1);
    int32_t *const fold = calloc((size_t)n, sizeof *fold);
    pen_status status = p->classes && p->visible && p->kinds && fold ? PEN_OK : PEN_NO_MEMORY;
    if (status == PEN_OK)
        status = pen_folds(data->labels, n, protocol->folds ? protocol->folds : TRIALS_FOLDS,
                           !protocol->plain, protocol->seed, fold, &err);
    for (int64_t i = 0; status == PEN_OK && i < n; i++) {
        p->kinds[i] = data->labels[i] == PEN_UNLABELLED ? ROW_UNLABELLED
                      : fold[i] == 0                    ? ROW_HELD_OUT
                                                        : ROW_KNOWN;
        p->classes[i] = data->labels[i] == PEN_UNLABELLED ? -1 : data->labels[i];
        p->visible[i] = p->kinds[i] == ROW_KNOWN ? data->labels[i] : PEN_UNLABELLED;
    }
    free(fold);
    if (status != PEN_OK)
        return input_failed(source->args, &err);
    p->data = *data;
    p->data.labels = p->visible;
    p->pairs[0] =
        keep_pairs(data->must_link, data->must_link_count, p->kinds, &p->data.must_link_count);
    p->pairs[1] = keep_pairs(data->cannot_link, data->cannot_link_count, p->kinds,
                             &p->data.cannot_link_count);
    p->data.must_link = p->pairs[0];
    p->data.cannot_link = p->pairs[1];
    return p->pairs[0] && p->pairs[1]
               ? CLI_OK
               : cli_say(source->args->command, CLI_FAILED, "out of memory for the pictures");
}

/* In two dimensions; a method that does not give two gives what it does. */
static void fit_picture(const pictures *p, picture *out, const pen_control *control)
{
    pen_error err;

    pen_status status = learn_embed(out->candidate->method, out->candidate->spec, 2, &p->data,
                                    control, &out->z, &out->dims, &err);
    if (status != PEN_OK && status != PEN_CANCELLED)
        status = learn_embed(out->candidate->method, out->candidate->spec, 0, &p->data, control,
                             &out->z, &out->dims, &err);
    if (status != PEN_OK)
        snprintf(out->failure, sizeof out->failure, "%.*s", (int)sizeof out->failure - 1,
                 err.message);
}

static int make_pictures(const report_source *source, pictures *p)
{
    progress bar;

    const int status = hide_fold(source, p);
    if (status != CLI_OK)
        return status;
    progress_begin(&bar, args_value(source->args, "quiet") != NULL);
    const pen_control control = { source->in->threads, progress_show, &bar };
    for (int64_t m = 0; m < source->found->count && p->count < PICTURES && !progress_signal();
         m++) {
        if (*source->found->candidates[m].failure)
            continue;
        p->list[p->count].candidate = &source->found->candidates[m];
        fit_picture(p, &p->list[p->count++], &control);
    }
    if (progress_signal() && p->count > 0)
        free(p->list[--p->count].z); /* it may be the one that was stopped */
    progress_end(&bar);
    return CLI_OK;
}

/* ---- the data ---- */

static void write_class(FILE *page, const report_source *source, int64_t c)
{
    int64_t count = 0;

    for (int64_t i = 0; i < source->in->data.x.rows; i++)
        count += source->in->data.labels[i] == c;
    fputs("<span>", page);
    figure_key(page, c, ROW_KNOWN);
    page_text(page, source->in->data.class_names[c]);
    fprintf(page, " <span class=\"soft\">%lld</span></span>\n", (long long)count);
}

static void write_classes(FILE *page, const report_source *source, int unlabelled)
{
    const int64_t count = source->in->data.class_count;

    fputs("<div class=\"legend\">\n", page);
    for (int64_t c = 0; c < count && c < CLASSES_SHOWN; c++)
        write_class(page, source, c);
    if (count > CLASSES_SHOWN)
        fprintf(page, "<span>and %lld more classes</span>\n", (long long)(count - CLASSES_SHOWN));
    if (unlabelled) {
        fputs("<span>", page);
        figure_key(page, -1, ROW_UNLABELLED);
        fputs("unlabelled</span>\n", page);
    }
    fputs("</div>\n", page);
}

static void write_data(FILE *page, const report_source *source)
{
    const pen_data *const data = &source->in->data;
    const int64_t labelled = trials_labelled(data);

    fputs("<p>", page);
    page_text(page, input_name(args_operand(source->args, 0)));
    fprintf(page, ": %lld rows of %lld columns; %lld rows are labelled, with %lld classes.",
            (long long)data->x.rows, (long long)data->x.cols, (long long)labelled,
            (long long)data->class_count);
    if (data->must_link_count + data->cannot_link_count > 0)
        fprintf(page, " %lld pairs must link, %lld cannot.", (long long)data->must_link_count,
                (long long)data->cannot_link_count);
    fputs("</p>\n", page);
    write_classes(page, source, 0);
}

/* ---- the ranking ---- */

static void write_candidate(FILE *page, const report_source *source, int64_t m)
{
    const pen_compared *const e = &source->found->candidates[m];
    char text[CHOICE_TEXT], dims[TEXT_SIZE];

    fprintf(page, "<tr><td>%lld</td><td title=\"", (long long)m + 1);
    page_text(page, pen_method_title(e->method));
    fputs(m == source->found->chosen ? "\"><strong>" : "\">", page);
    page_text(page, pen_method_name(e->method));
    fputs(m == source->found->chosen ? "</strong>" : "", page);
    fputs(choice_experimental(e) ? " <span class=\"soft\">experimental</span></td>" : "</td>",
          page);
    if (*e->failure) {
        fputs("<td class=\"free soft\" colspan=\"8\">failed: ", page);
        page_text(page, e->failure);
        fputs("</td></tr>\n", page);
        return;
    }
    fputs("<td>", page);
    figure_bar(page, e->score, e->deviation, source->found->chance);
    fprintf(page, "</td><td>%.4f ± %.4f</td>", e->score, e->deviation);
    fprintf(page, isnan(e->untuned) ? "<td>fails</td>" : "<td>%.4f</td>", e->untuned);
    fprintf(page,
            isnan(e->p)    ? "<td></td>"
            : e->p < 0.001 ? "<td>&lt; 0.001</td>"
                           : "<td>%.3f</td>",
            e->p);
    fprintf(page, isnan(e->stability) ? "<td></td>" : "<td>%.4f</td>", e->stability);
    learn_describe(e->method, e->spec, text, sizeof text);
    fprintf(page, "<td>%s</td><td>%.2f</td><td class=\"free\"><code>",
            learn_dims(e->method, e->spec, dims, sizeof dims), e->seconds);
    page_text(page, *text ? text : "");
    fputs(*text ? "</code></td></tr>\n"
                : "</code><span class=\"soft\">the defaults</span></td></tr>\n",
          page);
}

static void write_best(FILE *page, const report_source *source)
{
    const pen_compared *const best = &source->found->candidates[0];

    fputs("<p><strong>", page);
    page_text(page, pen_method_name(best->method));
    fputs("</strong> (", page);
    page_text(page, pen_method_title(best->method));
    fprintf(page,
            ") does best: it tells %.1f%% of the rows that were held out right, ± %.1f over the "
            "trials; by chance it would be %.1f%%.",
            100 * best->score, 100 * best->deviation, 100 * source->found->chance);
    int64_t close = 0;
    for (int64_t m = 1; m < source->found->count; m++)
        close += source->found->candidates[m].p >= 0.05;
    if (close > 0)
        fprintf(page,
                " Of the others, %lld cannot be told from it by these trials (p of 0.05 or more).",
                (long long)close);
    if (source->found->chosen > 0) {
        fputs(" To take is <strong>", page);
        page_text(page, pen_method_name(choice_taken(source->found)->method));
        fprintf(page,
                "</strong>, the most stable of the %lld methods that score within a standard error "
                "(%.4f) of it.",
                (long long)source->found->alike, source->found->margin);
    }
    fputs("</p>\n", page);
}

static void write_ranking(FILE *page, const report_source *source)
{
    fputs("<h2>Ranking</h2>\n", page);
    write_best(page, source);
    fputs("<div "
          "class=\"wide\"><table>\n<thead><tr><th></th><th>method</th><th></th><th>score</"
          "th><th>untuned</th><th>p</th><th>stable</th><th>dims</th>"
          "<th>seconds</th><th>parameters</th></tr></thead>\n<tbody>\n",
          page);
    for (int64_t m = 0; m < source->found->count; m++)
        write_candidate(page, source, m);
    fputs("</tbody></table></div>\n<p class=\"soft\">Bars go from 0 to 1, with one standard "
          "deviation over the trials to both sides; the dashed mark "
          "is chance, the largest class always. Untuned: with all parameters at their defaults, "
          "which count where they score more. p: of a test whether the method is as good as the "
          "first. Stable: the share of unlabelled rows that get the same class in two trials. "
          "Seconds: of the trials untuned.</p>\n",
          page);
}

/* ---- the pictures ---- */

static void write_curves(FILE *page, const report_source *source)
{
    fputs("<h2>Accuracy over the number of dimensions</h2>\n<div class=\"wide chart\">\n", page);
    const int drawn = figure_curves(page, source->found);
    fputs("</div>\n<p class=\"soft\">", page);
    if (drawn == 0)
        fputs("The columns of these methods depend on how many there are: there is no such "
              "curve.</p>\n",
              page);
    else
        fprintf(page,
                "Mean over the trials, parameters at their defaults, of the best %d method%s whose "
                "first columns are the answer for fewer dimensions, too.</p>\n",
                drawn, drawn == 1 ? "" : "s");
}

static void write_picture(FILE *page, const report_source *source, const pictures *p,
                          const picture *one)
{
    const char *const name = pen_method_name(one->candidate->method);

    fputs("<figure>", page);
    if (one->z)
        figure_rows(page, name, p->data.x.rows, one->dims, one->z, p->classes, p->kinds,
                    source->in->data.class_count);
    fputs("<figcaption>", page);
    page_text(page, name);
    if (!one->z) {
        fputs(": ", page);
        page_text(page, one->failure);
    } else if (one->dims == 1) {
        fputs(": it gives one dimension, from left to right; classes are apart in height", page);
    } else if (one->dims > 2) {
        fprintf(page, ": the first two of %lld dimensions", (long long)one->dims);
    }
    fputs("</figcaption></figure>\n", page);
}

static void write_pictures(FILE *page, const report_source *source, const pictures *p)
{
    int64_t unlabelled = 0;

    for (int64_t i = 0; i < p->data.x.rows; i++)
        unlabelled += p->kinds[i] == ROW_UNLABELLED;
    fputs("<h2>Rows in two dimensions</h2>\n<p>The best methods, with the parameters above. One "
          "fold was held out: its rows are hollow, in the color of their true class, "
          "which the method did not know. Rows it knew are filled.",
          page);
    fputs(unlabelled > 0 ? " Unlabelled ones are gray." : "", page);
    if (p->data.x.rows > FIGURE_ROWS)
        fprintf(page, " %d of %lld rows are drawn.", FIGURE_ROWS, (long long)p->data.x.rows);
    fputs(" Each axis has a scale of its own.</p>\n", page);
    write_classes(page, source, unlabelled > 0);
    fputs("<div class=\"pictures\">\n", page);
    for (int i = 0; i < p->count; i++)
        write_picture(page, source, p, &p->list[i]);
    fputs("</div>\n", page);
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

/* The command that fits the method to take. */
static void write_fit(FILE *page, const report_source *source)
{
    const pen_compared *const best = choice_taken(source->found);
    const cli_args *const args = source->args;
    char text[CHOICE_TEXT], dims[TEXT_SIZE];

    learn_describe(best->method, best->spec, text, sizeof text);
    fprintf(page,
            "<p>A model of the method to take, fitted to all rows:</p>\n<pre>penumbra fit %s ",
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
    fprintf(page, " --dim %s -o model.pen</pre>\n",
            learn_dims(best->method, best->spec, dims, sizeof dims));
}

static void write_method(FILE *page, const report_source *source)
{
    const pen_protocol *const protocol = &source->rules->protocol;
    char text[TEXT_SIZE];

    fputs("<h2>How it was done</h2>\n<ul>\n", page);
    fprintf(
        page,
        "<li>%s of the labelled rows (seed %llu). Each fold is held out once: its labels are taken "
        "away, %s.</li>\n",
        trials_words(protocol, CHOICE_RUNS, text, sizeof text), (unsigned long long)protocol->seed,
        protocol->inductive ? "and so are its rows" : "its rows stay among the unlabelled ones");
    if (protocol->labels.per_class > 0)
        fprintf(page, "<li>Of the other rows, %lld of each class keep their labels.</li>\n",
                (long long)protocol->labels.per_class);
    if (protocol->labels.percent > 0)
        fprintf(page, "<li>Of the other rows, %g%% of each class keep their labels.</li>\n",
                protocol->labels.percent);
    fprintf(page,
            "<li>A held-out row gets the class of the %s in the embedding; a score is the mean "
            "share that is right.</li>\n",
            protocol->neighbors > 1 ? "majority of its nearest rows of known class"
                                    : "nearest row of known class");
    fputs("<li>In each trial, each method finds values for its parameters by trials of its own, on "
          "what is not held out: no label that scores it has chosen "
          "any of them. A method that scores more with its defaults is taken with these.</li>\n",
          page);
    if (source->rules->seconds > 0)
        fprintf(page, "<li>About %g seconds were given.</li>\n", source->rules->seconds);
    fprintf(page, "<li>%lld of %lld methods could be tuned; others are scored untuned.</li>\n",
            (long long)source->found->tuned, (long long)source->found->count);
    fputs("<li>p is that of a paired t-test over the trials, two-sided, corrected for trials that "
          "share rows (Nadeau and Bengio 2003).</li>\n</ul>\n",
          page);
    fputs("<p>This page:</p>\n<pre>penumbra", page);
    for (int i = 0; i < source->args->word_count; i++) {
        fputc(' ', page);
        page_shell_word(page, source->args->words[i]);
    }
    fputs("</pre>\n", page);
    write_fit(page, source);
    fprintf(page, "<p class=\"soft\">penumbra %s</p>\n", pen_version());
}

static void write_page(FILE *page, const report_source *source, const pictures *p, int stopped)
{
    char title[TEXT_SIZE * 8];

    snprintf(title, sizeof title, "Methods compared on %s",
             input_name(args_operand(source->args, 0)));
    page_begin(page, title);
    if (stopped)
        fputs("<p><strong>The comparison was stopped before its end.</strong> This is what was "
              "finished by then.</p>\n",
              page);
    write_data(page, source);
    write_ranking(page, source);
    write_curves(page, source);
    if (p->count > 0)
        write_pictures(page, source, p);
    write_method(page, source);
    page_end(page);
}

int report_write(const report_source *source, const char *path)
{
    pictures p = { .count = 0 };
    output_file file;

    int status = progress_finish() ? CLI_OK : make_pictures(source, &p);
    const int stopped = progress_finish();
    if (status == CLI_OK) {
        status = output_open(&file, source->args, path);
        if (status == CLI_OK)
            write_page(file.stream, source, &p, stopped);
        const int closed = output_close(&file, status == CLI_OK);
        status = status == CLI_OK ? closed : status;
    }
    pictures_free(&p);
    return status;
}
