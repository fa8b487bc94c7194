/* choice.c - a comparison of methods, for compare and fit auto. */
#define _POSIX_C_SOURCE 200809L

#include "choice.h"

#include "flags/method_text.h"
#include "flags/trial_flags.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

int choice_make(const cli_args *args, const choice_rules *rules, const learning *in,
                pen_comparison **out)
{
    pen_error err;
    progress bar;

    trials_remark(args, &in->data, &rules->protocol);
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = in->threads, .progress = progress_show, .user = &bar };
    const pen_status status = pen_compare(rules->names.list, rules->names.count, &in->data,
                                          &rules->protocol, &control, out, &err);
    progress_end(&bar);
    return learn_tried(args, status, &err);
}

int choice_limits(const cli_args *args, choice_rules *rules)
{
    rules->protocol.kernels = args_value(args, "kernels") != NULL;
    return args_real(args, "effort", 0, CHOICE_MOST_EFFORT, &rules->protocol.effort);
}

int choice_classifiers(const cli_args *args, choice_rules *rules)
{
    const char *const given = args_value(args, "classifier");
    int64_t count = 0;

    if (!given)
        return CLI_OK;
    rules->classifiers = strdup(given);
    const char **const list = rules->classifiers ? calloc(strlen(given) + 1, sizeof *list) : NULL;
    if (!list)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (char *name = rules->classifiers; name;) {
        char *const comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        list[count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    rules->protocol.classifiers = list;
    rules->protocol.classifier_count = count;
    return CLI_OK;
}

void choice_classifiers_free(choice_rules *rules)
{
    free((void *)(uintptr_t)rules->protocol.classifiers);
    free(rules->classifiers);
}

const pen_compared *choice_taken(const pen_comparison *found)
{
    return &found->candidates[found->chosen];
}

/* An accuracy on fewer held-out rows than these has two decimals. */
enum { FEW_ROWS = 100 };

const char *choice_title(const pen_compared *candidate)
{
    const int columns = candidate->baseline && !(candidate->method->traits & PEN_BASELINE);

    return columns ? "the standardized columns" : candidate->method->title;
}

/* The number of candidates that are no baselines. */
static int64_t count_candidates(const pen_comparison *found)
{
    int64_t count = 0;
    for (int64_t m = 0; m < found->count; m++)
        count += !found->candidates[m].baseline;
    return count;
}

/* Of these, those that have a score. */
static int64_t count_working(const pen_comparison *found)
{
    int64_t count = 0;
    for (int64_t m = 0; m < found->count; m++)
        count += !found->candidates[m].baseline && !*found->candidates[m].failure;
    return count;
}

/* The number of candidates within one standard error of the best that are no baselines; *first: the
 * best of them. */
static int64_t count_alike(const pen_comparison *found, int64_t *first)
{
    int64_t count = 0;

    *first = -1;
    for (int64_t m = 0; m < found->alike; m++) {
        if (found->candidates[m].baseline)
            continue;
        *first = count++ == 0 ? m : *first;
    }
    return count;
}

/* Are these of the same method and kernel? */
static int same_fit(const pen_compared *a, const pen_compared *b)
{
    const size_t length = strcspn(a->name, "/");

    return length == strcspn(b->name, "/") && strncmp(a->name, b->name, length) == 0;
}

int choice_is_clear(const pen_comparison *found)
{
    const pen_compared *const taken = choice_taken(found);

    if (taken->baseline)
        return 0;
    for (int64_t m = 0; m < found->alike; m++)
        if (!found->candidates[m].baseline && !same_fit(&found->candidates[m], taken))
            return 0;
    return 1;
}

const char *choice_reason(const pen_comparison *found, char *text, size_t size)
{
    int64_t first;
    const long long count = count_candidates(found), alike = count_alike(found, &first);

    if (choice_taken(found)->baseline)
        snprintf(text, size, "a baseline: no method is within one standard error of it");
    else if (count == 1)
        snprintf(text, size, "the only one");
    else if (found->chosen == first)
        snprintf(text, size, "best of %lld candidates%s", count,
                 first > 0 ? " besides the baselines" : "");
    else
        snprintf(text, size,
                 "the most stable of %lld within one standard error of the best, of %lld "
                 "candidates",
                 alike, count);
    return text;
}

/* ---- groups of candidates ---- */

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

static int fails_alike(const pen_compared *a, const pen_compared *b)
{
    return a->tried == b->tried && *a->failure && *b->failure
           && same_reason(a->failure, b->failure);
}

/* The length of the name to print: that of the method where all its classifiers fail alike; 0: it
 * is printed with the first of them. */
static int name_length(const pen_comparison *found, int64_t m)
{
    const pen_compared *const e = &found->candidates[m];
    int is_first = 1;

    for (int64_t o = 0; o < found->count; o++) {
        if (!same_fit(&found->candidates[o], e))
            continue;
        if (!fails_alike(&found->candidates[o], e))
            return (int)strlen(e->name);
        is_first &= o >= m;
    }
    return is_first ? (int)strcspn(e->name, "/") : 0;
}

static void append_name(const pen_comparison *found, int64_t m, char *text, size_t size)
{
    const size_t used = strlen(text);
    const int length = name_length(found, m);

    if (length > 0)
        snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", length,
                 found->candidates[m].name);
}

int choice_failed(const pen_comparison *found, int64_t m, char *text, size_t size)
{
    const pen_compared *const e = &found->candidates[m];

    *text = '\0';
    if (!*e->failure || e->tried != PEN_TRIED)
        return 0;
    for (int64_t o = 0; o < found->count; o++) {
        if (!fails_alike(&found->candidates[o], e))
            continue;
        if (o < m)
            return 0;
        append_name(found, o, text, size);
    }
    return 1;
}

int64_t choice_untried(const pen_comparison *found, pen_tried why, char *text, size_t size)
{
    int64_t count = 0;

    *text = '\0';
    for (int64_t m = 0; m < found->count; m++) {
        const pen_compared *const e = &found->candidates[m];
        if (e->tried != why)
            continue;
        count++;
        append_name(found, m, text, size);
        if (why == PEN_LEFT_OUT && name_length(found, m) > 0)
            snprintf(text + strlen(text), size - strlen(text), " %.2g", e->cost);
    }
    return count;
}

const char *choice_trials(const choice_rules *rules, const pen_data *data,
                          const pen_comparison *found, char *text, size_t size)
{
    char words[CHOICE_TEXT];

    snprintf(text, size, "%lld trial%s, %s, %lld held-out rows", (long long)found->trials,
             found->trials == 1 ? "" : "s",
             trials_words(data, &rules->protocol, PEN_COMPARE_RUNS, words, sizeof words),
             (long long)found->held_out);
    return text;
}

/* What was not tuned, and why. */
static void print_limits(const pen_comparison *found)
{
    const int64_t works = count_working(found);
    int64_t partly = 0;

    for (int64_t m = 0; m < found->count; m++) {
        const pen_compared *const e = &found->candidates[m];
        partly += !*e->failure && e->combinations > 0 && e->combinations < e->grid;
    }
    if (found->inner_folds == 0)
        fputs("; too few labels to tune any", stderr);
    else if (found->tuned < works)
        fprintf(stderr, "; %lld of %lld tuned", (long long)found->tuned, (long long)works);
    if (partly > 0)
        fprintf(stderr, "; %lld tuned over a part of their values", (long long)partly);
}

void choice_report(const cli_args *args, const pen_comparison *found)
{
    const pen_compared *const taken = choice_taken(found);
    char text[CHOICE_TEXT];

    params_describe(taken->spec, text, sizeof text);
    fprintf(cli_tell(args->command), "%s%s%s%s, ", taken->name,
            method_is_experimental(taken->method) ? " (experimental)" : "", *text ? " " : "", text);
    fputs(choice_reason(found, text, sizeof text), stderr);
    fprintf(stderr,
            ": accuracy %.*f on %lld held-out rows (standard error about %.1g), chance %.2f",
            found->held_out < FEW_ROWS ? 2 : 4, taken->score, (long long)found->held_out,
            found->margin, found->chance);
    print_limits(found);
    fputc('\n', stderr);
}
