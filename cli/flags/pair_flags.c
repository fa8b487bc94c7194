/* pair_flags.c - the flags that give pairs. */
#define _POSIX_C_SOURCE 200809L

#include "flags/pair_flags.h"

#include "flags/input.h"
#include "flags/method_text.h"

#include <stdlib.h>
#include <string.h>

const cli_flag pairs_flags[] = {
    { "must-link", "FILE",
      "must-links: pairs of row numbers from 0, one pair a line, or\ni,j,weight", 0 },
    { "cannot-link", "FILE", "cannot-links, likewise", 0 },
    { "pairs", "FILE", "pairs of both kinds: i,j,1 must-link, i,j,-1 cannot-link, or\ni,j,1,weight",
      0 },
    { "contradictions", "error|drop",
      "contradictory pairs, or chains of them, are an error, or are dropped (error)", 0 },
    { "closure", NULL, "also add the must-links that chains of must-links imply", 0 },
    { "pair-weights", "given|agreement",
      "weights of pairs as given; or times how well each agrees with the\npairs around it, where "
      "some "
      "are wrong (given)",
      0 },
    { "sample-pairs", "P%|N|M+Q",
      "a random sample of the pairs of labelled rows: P percent, N\npairs, or M must-links and Q "
      "cannot-links (all)",
      0 },
    { NULL, NULL, NULL, 0 },
};

static const char *const answers[] = { "error", "drop", NULL };
static const char *const pair_weights[] = { "given", "agreement", NULL };

/* In the order of pairs.files. */
static const struct {
    const char *flag, *what;
    pen_link link;
} lists[PAIRS_FILES] = {
    { "must-link", "must-links", PEN_MUST_LINK },
    { "cannot-link", "cannot-links", PEN_CANNOT_LINK },
    { "pairs", "pairs", PEN_ANY_LINK },
};

/* ---- flags ---- */

/* "5%", "200" or "50+100". Returns 0 for any other text. */
static int read_sample(const char *text, pen_pair_sample *out)
{
    char *percent_end;
    uint64_t first, second = 0;

    *out = (pen_pair_sample){ .percent = strtod(text, &percent_end) };
    if (percent_end != text && *percent_end == '%')
        return percent_end[1] == '\0' && out->percent > 0 && out->percent <= 100;
    out->percent = 0;
    if (!cli_whole(&text, &first) || first > INT64_MAX)
        return 0;
    if (*text == '\0') {
        out->count = (int64_t)first;
        return first > 0;
    }
    if (*text++ != '+' || !cli_whole(&text, &second) || second > INT64_MAX || *text != '\0')
        return 0;
    out->must_link = (int64_t)first;
    out->cannot_link = (int64_t)second;
    return first > 0 || second > 0;
}

static int sample_options(const cli_args *args, pairs *out)
{
    const char *const text = args_value(args, "sample-pairs");

    out->sampled = text != NULL;
    if (!text)
        return CLI_OK;
    if (!read_sample(text, &out->sample))
        return cli_say(args->command, CLI_USAGE,
                       "--sample-pairs must be a percentage such as 5%%, a count such as 200, or "
                       "counts of must-links and cannot-links such as 50+100, got \"%s\"",
                       text);
    return args_seed(args, "seed", &out->sample.seed);
}

/* The error of a flag of pairs that the method cannot use. */
static int no_use(const cli_args *args, const char *flag, const pen_method *method)
{
    char known[METHOD_LIST_SIZE];

    method_list_of_pairs(known, sizeof known);
    return cli_say(args->command, CLI_USAGE,
                   "--%s does not apply to %s, which does not learn from pairs; %s do", flag,
                   method->name, known);
}

int pairs_options(const cli_args *args, const pen_method *method, pairs *out)
{
    for (const cli_flag *flag = pairs_flags;
         flag->name && method && !method_learns_from_pairs(method); flag++)
        if (args_value(args, flag->name))
            return no_use(args, flag->name, method);
    if (args_choice(args, "contradictions", answers, &out->on_contradiction) != CLI_OK
        || args_choice(args, "pair-weights", pair_weights, &out->pair_weights) != CLI_OK)
        return CLI_USAGE;
    out->closure = args_value(args, "closure") != NULL;
    return sample_options(args, out);
}

/* ---- files ---- */

/* Print an error of a file of pairs, with the flag that reads such a file. */
static int unread(const cli_args *args, const pen_error *err)
{
    const char *remark = "";

    if (err->hints & PEN_HINT_LABEL_FILE)
        remark = " --labels reads those";
    else if (err->hints & PEN_HINT_ANY_LINK)
        remark = "; --pairs reads those";
    else if (err->hints & PEN_HINT_ONE_LINK)
        remark = "; --must-link and --cannot-link read pairs of one kind";
    return cli_say(args->command, CLI_FAILED, "%s%s", err->message, remark);
}

int pairs_read(const cli_args *args, const char *data_path, const pen_table *data, pairs *out)
{
    pen_error err;

    for (int i = 0; i < PAIRS_FILES; i++) {
        const char *const path = args_value(args, lists[i].flag);
        if (!path)
            continue;
        const int status = input_all_rows(args, lists[i].what, path, data_path, data);
        if (status != CLI_OK)
            return status;
        if (pen_read_pairs(path, lists[i].link, data->x.rows, &out->files[i], &err) != PEN_OK)
            return unread(args, &err);
    }
    return CLI_OK;
}

/* The weights of two lists as one, in *joined unless neither has weights. Returns 0 when there is
 * no memory. */
static int join_weights(const double *a, int64_t a_count, const double *b, int64_t b_count,
                        double **joined, const double **list)
{
    *list = NULL;
    if (!a && !b)
        return 1;
    *joined = malloc(((size_t)a_count + (size_t)b_count) * sizeof **joined);
    for (int64_t k = 0; *joined && k < a_count + b_count; k++)
        (*joined)[k] = k < a_count ? (a ? a[k] : 1) : b ? b[k - a_count] : 1;
    *list = *joined;
    return *joined != NULL;
}

/* Two lists as one, in *joined unless one of them is empty. Returns 0 when there is no memory. */
static int join(const int64_t *a, int64_t a_count, const int64_t *b, int64_t b_count,
                int64_t **joined, const int64_t **list, int64_t *count)
{
    const size_t a_size = (size_t)a_count * 2 * sizeof **joined,
                 b_size = (size_t)b_count * 2 * sizeof **joined;

    *list = a_count > 0 ? a : b;
    *count = a_count + b_count;
    if (a_count == 0 || b_count == 0)
        return 1;
    *joined = malloc(a_size + b_size);
    if (!*joined)
        return 0;
    memcpy(*joined, a, a_size);
    memcpy(*joined + 2 * a_count, b, b_size);
    *list = *joined;
    return 1;
}

int pairs_set(const cli_args *args, pairs *given, pen_data *data)
{
    static const pen_pairs none = { 0 };
    const pen_pairs *const must = given->files[0] ? given->files[0] : &none,
                           *const cannot = given->files[1] ? given->files[1] : &none;
    const pen_pairs *const both = given->files[2] ? given->files[2] : &none;

    data->on_contradiction = (pen_contradiction)given->on_contradiction;
    data->transitive = given->closure ? PEN_TRANSITIVE_CLOSE : PEN_TRANSITIVE_CHECK;
    data->pair_weights = (pen_pair_weights)given->pair_weights;
    data->sample = given->sampled ? &given->sample : NULL;
    if (!join(must->must_link, must->must_link_count, both->must_link, both->must_link_count,
              &given->joined[0], &data->must_link, &data->must_link_count)
        || !join(cannot->cannot_link, cannot->cannot_link_count, both->cannot_link,
                 both->cannot_link_count, &given->joined[1], &data->cannot_link,
                 &data->cannot_link_count)
        || !join_weights(must->must_link_weights, must->must_link_count, both->must_link_weights,
                         both->must_link_count, &given->weights[0], &data->must_link_weights)
        || !join_weights(cannot->cannot_link_weights, cannot->cannot_link_count,
                         both->cannot_link_weights, both->cannot_link_count, &given->weights[1],
                         &data->cannot_link_weights))
        return cli_say(args->command, CLI_FAILED, "out of memory for pairs");
    return CLI_OK;
}

void pairs_free(pairs *given)
{
    for (int i = 0; i < PAIRS_FILES; i++)
        pen_pairs_free(given->files[i]);
    for (int kind = 0; kind < 2; kind++) {
        free(given->joined[kind]);
        free(given->weights[kind]);
    }
}

int pairs_failed(const cli_args *args, const pen_error *err)
{
    const char *remark = "";

    if (err->code == PEN_NO_PAIRS)
        remark = "; --must-link, --cannot-link and --pairs give pairs, and labels count as pairs";
    else if ((err->hints & PEN_HINT_DROP) && !args_value(args, "contradictions"))
        remark = "; --contradictions drop leaves them out";
    else
        return input_failed(args, err);
    return cli_say(args->command, CLI_FAILED, "%s%s", err->message, remark);
}
