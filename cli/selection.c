/* selection.c - what fit takes without METHOD: a map with its reader, or several. */
#include "selection.h"

#include "input.h"
#include "progress.h"

#include <math.h>

enum { FEW_ROWS = 100 };

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

int selection_make(const cli_args *args, double effort, const learning *in, pen_selection **out)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status = pen_select(&in->data, 0, effort, &control, out, &err);
    progress_end(&bar);
    if (progress_signal())
        return CLI_FAILED;
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

int selection_fit(const cli_args *args, const pen_selection *found, const pen_wanted *wanted,
                  const learning *in, pen_model **out)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status = pen_fit_selected(found, &in->data, wanted, &control, out, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_model_free(*out);
        *out = NULL;
        return CLI_FAILED;
    }
    return status == PEN_OK ? CLI_OK : cli_say(args->command, CLI_FAILED, "%s", err.message);
}

/* An accuracy on few rows has two decimals. */
static int decimals(const pen_selection *found)
{
    return found->labelled < FEW_ROWS ? 2 : 4;
}

static void print_candidate(const pen_selection *found, int64_t i)
{
    const pen_chosen *const e = &found->candidates[i];

    if (isnan(e->score))
        fprintf(stderr, "  %-27s %s\n", e->name, *e->failure ? e->failure : "not tried");
    else
        fprintf(stderr, "  %-27s accuracy %.*f, log-loss %.2g%s\n", e->name, decimals(found),
                e->accuracy, e->log_loss, e->member ? "  *" : "");
}

static void print_trials(const cli_args *args, const pen_selection *found)
{
    fprintf(cli_tell(args->command),
            "%lld run%s of %lld folds of %lld labelled rows, chance %.2f; * within a "
            "standard error (%.1g) of the best:\n",
            (long long)found->runs, found->runs == 1 ? "" : "s", (long long)found->folds,
            (long long)found->labelled, found->chance, found->margin);
    for (int64_t i = 0; i < found->count; i++)
        print_candidate(found, i);
}

static void print_members(const cli_args *args, const pen_selection *found)
{
    int64_t count = 0;

    for (int64_t i = 0; i < found->count; i++)
        count += found->candidates[i].member;
    fprintf(cli_tell(args->command), "the mean of %lld:", (long long)count);
    fprintf(stderr, " %s", found->candidates[found->best].name);
    for (int64_t i = 0; i < found->count; i++)
        if (found->candidates[i].member && i != found->best)
            fprintf(stderr, ", %s", found->candidates[i].name);
    fputc('\n', stderr);
}

void selection_report(const cli_args *args, const pen_selection *found, int together)
{
    if (args_value(args, "quiet"))
        return;
    if (found->folds > 0)
        print_trials(args, found);
    else
        fprintf(cli_tell(args->command), "%s\n", found->reason);
    if (together)
        print_members(args, found);
}
