/* selection.c - what fit takes without METHOD: a projection learned from several candidates, or a
 * method. */
#include "selection.h"

#include "flags/input.h"
#include "progress.h"

#include <math.h>

enum { TEXT_SIZE = 400 };

int selection_applies(const learning *in)
{
    const pen_data *const d = &in->data;
    int32_t first = PEN_UNLABELLED;
    int classes = 0;

    for (int64_t i = 0; d->labels && i < d->x.rows && classes < 2; i++)
        if (d->labels[i] != PEN_UNLABELLED && (classes == 0 || d->labels[i] != first)) {
            first = d->labels[i];
            classes++;
        }
    return classes == 2 && d->must_link_count == 0 && d->cannot_link_count == 0 && !d->sample;
}

static void print_candidate(const pen_chosen *e)
{
    if (isnan(e->score))
        fprintf(stderr, "  %-27s %s\n", e->name, *e->failure ? e->failure : "not tried");
    else
        fprintf(stderr, "  %-27s accuracy %.3f, log-loss %.2g%s\n", e->name, e->accuracy,
                e->log_loss, e->member ? "  *" : "");
}

/* "12 candidates on held-out labels in 2.5 s; 3 of them are equally good" */
static void report_trials(const cli_args *args, const pen_selection *found, double seconds)
{
    long long tried = 0, members = 0;

    for (int64_t i = 0; i < found->count; i++) {
        tried += !isnan(found->candidates[i].score);
        members += found->candidates[i].member;
    }
    fprintf(cli_line("tried"), "%lld candidates on held-out labels in %.1f s; ", tried, seconds);
    if (members == 1)
        fprintf(stderr, "%s is the best\n", found->candidates[found->best].name);
    else
        fprintf(stderr, "%lld of them are equally good\n", members);
    for (int64_t i = 0; i < found->count && args_value(args, "verbose"); i++)
        print_candidate(&found->candidates[i]);
}

void selection_expect(const learning *in, double accuracy, double error, double chance,
                      int predicts)
{
    const double half = CLI_HALF_WIDTH * error;
    int unlabelled = 0;

    for (int64_t i = 0; i < in->data.x.rows; i++)
        unlabelled |= in->data.labels[i] == PEN_UNLABELLED;
    if (!predicts && accuracy - half > chance) /* few labels */
        fprintf(cli_line("expect"),
                "accuracy %.2f ± %.2f on %s rows, or chance: there are too few labels to tell; "
                "guessing the largest class gives %.2f\n",
                accuracy, half, unlabelled ? "unlabelled" : "new", chance);
    else if (predicts)
        fprintf(cli_line("expect"),
                "accuracy %.2f ± %.2f on %s rows; guessing the largest class gives %.2f\n",
                accuracy, half, unlabelled ? "unlabelled" : "new", chance);
    else
        fprintf(cli_line("expect"),
                "nothing: these labels do not predict classes here (%.2f ± %.2f, guessing %.2f)\n",
                accuracy, half, chance);
}

static void report(const cli_args *args, const learning *in, const pen_selection *found,
                   double seconds)
{
    char text[TEXT_SIZE] = "";

    if (found->folds > 0) {
        report_trials(args, found, seconds);
        selection_expect(in, found->accuracy, found->error, found->chance, found->predicts);
        return;
    }
    if (!*found->reason)
        return;
    fprintf(cli_line("tried"), "nothing: %s", found->reason);
    if (found->spec) {
        params_describe(found->spec, text, sizeof text);
        fprintf(stderr, "; taken: %s%s%s", pen_spec_method(found->spec)->name, *text ? " " : "",
                text);
    }
    fputc('\n', stderr);
}

int selection_make(const cli_args *args, double effort, const learning *in, pen_selection **out)
{
    const int quiet = args_value(args, "quiet") != NULL;
    pen_error err;
    progress bar;

    progress_begin(&bar, quiet);
    const pen_control control = { .threads = in->threads, .progress = progress_show, .user = &bar };
    const pen_status status = pen_select(&in->data, 0, effort, &control, out, &err);
    const double seconds = progress_seconds(&bar);
    progress_end(&bar);
    if (progress_signal())
        return CLI_FAILED;
    if (status != PEN_OK)
        return input_failed(args, &err);
    if (!quiet)
        report(args, in, *out, seconds);
    return CLI_OK;
}

int selection_fit(const cli_args *args, const pen_selection *found, const pen_wanted *wanted,
                  const learning *in, pen_model **out)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = in->threads, .progress = progress_show, .user = &bar };
    const pen_status status = pen_fit_selected(found, &in->data, wanted, &control, out, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_model_free(*out);
        *out = NULL;
        return CLI_FAILED;
    }
    return status == PEN_OK ? CLI_OK : cli_say(args->command, CLI_FAILED, "%s", err.message);
}
