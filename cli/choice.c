/* choice.c - a comparison of methods, for compare and fit auto. */
#include "choice.h"

#include "method_text.h"
#include "progress.h"
#include "trial_flags.h"

#include <string.h>

int choice_make(const cli_args *args, const choice_rules *rules, const learning *in,
                pen_comparison **out)
{
    pen_error err;
    progress bar;

    trials_remark(args, &in->data, &rules->protocol);
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status = pen_compare(rules->names.list, rules->names.count, &in->data,
                                          &rules->protocol, rules->seconds, &control, out, &err);
    progress_end(&bar);
    return learn_tried(args, status, &err, rules->seconds, "any method");
}

int choice_limits(const cli_args *args, choice_rules *rules)
{
    const int status = args_real(args, "seconds", 0, CHOICE_MOST_SECONDS, &rules->seconds);

    rules->protocol.kernels = args_value(args, "kernels") != NULL;

    return status == CLI_OK
               ? args_real(args, "effort", 0, CHOICE_MOST_EFFORT, &rules->protocol.effort)
               : status;
}

void choice_remark_late(const cli_args *args, double seconds)
{
    cli_say(args->command, 0,
            "cut short by --seconds %g: this result depends on the speed of the machine", seconds);
}

const pen_compared *choice_taken(const pen_comparison *found)
{
    return &found->candidates[found->chosen];
}

/* An accuracy on fewer held-out rows than these has two decimals. */
enum { FEW_ROWS = 100 };

/* "best of 28 methods", "the most stable of 3 within one standard error of the best, of 28
 * methods" */
static void print_reason(const pen_comparison *found)
{
    if (found->count == 1)
        fputs("the only one", stderr);
    else if (found->chosen > 0)
        fprintf(stderr,
                "the most stable of %lld within one standard error of the best, of %lld methods",
                (long long)found->alike, (long long)found->count);
    else
        fprintf(stderr, "best of %lld methods", (long long)found->count);
}

/* The same but for the numbers in them. */
static int same_reason(const char *a, const char *b)
{
    static const char numbers[] = "0123456789.+-";

    for (;; a++, b++) {
        a += strspn(a, numbers);
        b += strspn(b, numbers);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

int choice_failed(const pen_comparison *found, int64_t m, char *text, size_t size)
{
    const char *const reason = found->candidates[m].failure;

    *text = '\0';
    if (!*reason || found->candidates[m].tried != PEN_TRIED)
        return 0;
    for (int64_t o = 0; o < found->count; o++) {
        const size_t used = strlen(text);
        if (found->candidates[o].tried != PEN_TRIED
            || !same_reason(found->candidates[o].failure, reason))
            continue;
        if (o < m)
            return 0;
        snprintf(text + used, size - used, "%s%s", used ? ", " : "", found->candidates[o].name);
    }
    return 1;
}

int64_t choice_untried(const pen_comparison *found, pen_tried why, char *text, size_t size)
{
    int64_t count = 0;

    *text = '\0';
    for (int64_t m = 0; m < found->count; m++) {
        const pen_compared *const e = &found->candidates[m];
        const size_t used = strlen(text);
        if (e->tried != why)
            continue;
        snprintf(text + used, size - used, "%s%s", count++ ? ", " : "", e->name);
        if (why == PEN_LEFT_OUT)
            snprintf(text + strlen(text), size - strlen(text), " %.2g", e->cost);
    }
    return count;
}

const char *choice_trials(const choice_rules *rules, const pen_data *data,
                          const pen_comparison *found, char *text, size_t size)
{
    char words[CHOICE_TEXT];

    snprintf(text, size, "%lld trials, %s, %lld held-out rows%s", (long long)found->trials,
             trials_words(data, &rules->protocol, PEN_COMPARE_RUNS, words, sizeof words),
             (long long)found->held_out,
             found->cut_short ? "; cut short by the time limit: depends on speed" : "");
    return text;
}

/* What was not tuned, and why. */
static void print_limits(const pen_comparison *found)
{
    int64_t works = 0, partly = 0;

    for (int64_t m = 0; m < found->count; m++) {
        const pen_compared *const e = &found->candidates[m];
        works += !*e->failure;
        partly += !*e->failure && e->combinations > 0 && e->combinations < e->grid;
    }
    if (found->inner_folds == 0)
        fputs("; too few labels to tune any", stderr);
    else if (found->tuned < works)
        fprintf(stderr, "; %lld of %lld tuned", (long long)found->tuned, (long long)works);
    if (partly > 0)
        fprintf(stderr, "; %lld tuned over a part of their values", (long long)partly);
}

void choice_report(const cli_args *args, const choice_rules *rules, const pen_comparison *found)
{
    const pen_compared *const taken = choice_taken(found);
    char text[CHOICE_TEXT];

    params_describe(taken->method, taken->spec, text, sizeof text);
    fprintf(stderr, "penumbra %s: %s%s%s%s, ", args->command, taken->name,
            method_is_experimental(taken->method) ? " (experimental)" : "", *text ? " " : "", text);
    print_reason(found);
    fprintf(stderr,
            ": accuracy %.*f on %lld held-out rows (standard error about %.1g), chance %.2f",
            found->held_out < FEW_ROWS ? 2 : 4, taken->score, (long long)found->held_out,
            found->margin, found->chance);
    print_limits(found);
    fputc('\n', stderr);
    if (found->cut_short)
        choice_remark_late(args, rules->seconds);
}
