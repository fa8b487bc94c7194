/* choice.c - a comparison of methods, for compare and fit auto. */
#include "choice.h"

#include "method_text.h"
#include "progress.h"
#include "trial_flags.h"

#include <math.h>

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

const pen_compared *choice_taken(const pen_comparison *found)
{
    return &found->candidates[found->chosen];
}

/* "best of 28 methods", "the most stable of 3 within one standard error (0.0218) of the best, of
 * 28 methods" */
static void print_reason(const pen_comparison *found)
{
    if (found->count == 1)
        fputs("the only one", stderr);
    else if (found->chosen > 0)
        fprintf(
            stderr,
            "the most stable of %lld within one standard error (%.4f) of the best, of %lld methods",
            (long long)found->alike, found->margin, (long long)found->count);
    else
        fprintf(stderr, "best of %lld methods", (long long)found->count);
}

void choice_report(const cli_args *args, const pen_comparison *found)
{
    const pen_compared *const taken = choice_taken(found);
    char text[CHOICE_TEXT];
    int64_t failed = 0;

    for (int64_t m = 0; m < found->count; m++)
        failed += found->candidates[m].failure[0] != '\0';
    params_describe(taken->method, taken->spec, text, sizeof text);
    fprintf(stderr, "penumbra %s: %s%s%s%s, ", args->command, pen_method_name(taken->method),
            method_is_experimental(taken->method) ? " (experimental)" : "", *text ? " " : "", text);
    print_reason(found);
    fprintf(stderr, ": accuracy %.4f +- %.4f on held-out rows, chance %.4f", taken->score,
            taken->deviation, found->chance);
    if (found->tuned < found->count - failed)
        fprintf(stderr, "; there was time to tune %lld of them", (long long)found->tuned);
    fputc('\n', stderr);
}
