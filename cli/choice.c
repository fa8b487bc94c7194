/* choice.c - methods compared, for compare and for fit auto. */
#include "choice.h"

#include "progress.h"
#include "trials.h"

#include <math.h>

int choice_make(const cli_args *args, const choice_rules *rules, const learning *in, pen_comparison **out)
{
    pen_error err;
    progress bar;

    trials_remark(args, &in->data, &rules->protocol);
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status =
        pen_compare(rules->names.list, rules->names.count, &in->data, &rules->protocol, rules->seconds, &control, out, &err);
    progress_end(&bar);
    if (status == PEN_OK)
        return CLI_OK;
    if (progress_signal())
        return progress_die(args->command);
    if (status == PEN_CANCELLED)
        return cli_say(args->command, CLI_FAILED, "%g seconds were too short for any method; --seconds allows more", rules->seconds);
    return pairs_failed(args, &err);
}

int choice_experimental(const pen_entrant *entrant)
{
    return pen_method_source(entrant->method) == PEN_SOURCE_RECONSTRUCTED;
}

void choice_report(const cli_args *args, const pen_comparison *found)
{
    const pen_entrant *const best = &found->entrants[0];
    char text[CHOICE_TEXT];
    int64_t failed = 0;

    for (int64_t m = 0; m < found->count; m++)
        failed += found->entrants[m].failure[0] != '\0';
    learn_describe(best->method, best->spec, text, sizeof text);
    fprintf(stderr, "penumbra %s: %s%s%s%s%s of %lld methods: %.4f +- %.4f of held-out rows told right, by chance %.4f", args->command,
            pen_method_name(best->method), choice_experimental(best) ? " (experimental)" : "", *text ? " " : "", text,
            found->count > 1 ? ", best" : ", the only one", (long long)found->count, best->score, best->deviation, found->chance);
    if (found->tuned < found->count - failed)
        fprintf(stderr, "; %lld of them could be tuned", (long long)found->tuned);
    fputc('\n', stderr);
}
