/* trial_sizes.c - the sizes of evaluate: how many labels or pairs its trials learn from. */
#include "trial_sizes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = PAIRS_MOST_SAMPLES };

/* The number at *text, advancing past it. Returns 0 for any other text. */
typedef int (*read_fn)(const char **text, pen_label_sample *out);

static int read_per_class(const char **text, pen_label_sample *out)
{
    uint64_t number;

    if (!cli_whole(text, &number) || number < 1 || number > INT64_MAX)
        return 0;
    out->per_class = (int64_t)number;
    return 1;
}

static int read_percent(const char **text, pen_label_sample *out)
{
    char *end;

    out->percent = strtod(*text, &end);
    const int read = end != *text;
    *text = end;
    return read && out->percent > 0 && out->percent <= 100;
}

/* Numbers separated by commas. Returns 0 for any other text. */
static int read_labels(const char *text, read_fn read, trial_sizes *sizes)
{
    sizes->label_count = 0;
    do
        if (sizes->label_count == MOST || !read(&text, &sizes->labels[sizes->label_count++]))
            return 0;
    while (*text == ',' && *text++);
    return *text == '\0';
}

/* The flag that is a list, if this is one. */
static int set_list(const cli_args *args, const char *flag, const char *title, int64_t count,
                    trial_sizes *sizes)
{
    if (count < 2)
        return CLI_OK;
    if (sizes->flag) {
        sizes->count = 1;
        return cli_say(args->command, CLI_USAGE,
                       "--%s and --%s are both lists, only one of them may be; got \"%s\" and "
                       "\"%s\"",
                       sizes->flag, flag, args_value(args, sizes->flag), args_value(args, flag));
    }
    sizes->flag = flag;
    sizes->title = title;
    sizes->count = count;
    return CLI_OK;
}

int sizes_read(const cli_args *args, trial_sizes *sizes)
{
    const char *const per_class = args_value(args, "keep-per-class"), *const percent = args_value(
                                                                          args, "keep-percent");

    sizes->count = 1;
    if (per_class && !read_labels(per_class, read_per_class, sizes))
        return cli_say(args->command, CLI_USAGE,
                       "--keep-per-class must be whole numbers of at least 1 such as 1,3,10, at "
                       "most %d of them, got \"%s\"",
                       MOST, per_class);
    if (percent && !read_labels(percent, read_percent, sizes))
        return cli_say(args->command, CLI_USAGE,
                       "--keep-percent must be numbers above 0, up to 100, such as 1,5,20, at most "
                       "%d of them, got \"%s\"",
                       MOST, percent);
    const int status = set_list(args, per_class ? "keep-per-class" : "keep-percent",
                                per_class ? "per class" : "percent", sizes->label_count, sizes);
    return status == CLI_OK ? set_list(args, "sample-pairs", "pairs", sizes->pair_count, sizes)
                            : status;
}

pen_label_sample sizes_labels(const trial_sizes *sizes, int64_t k)
{
    return sizes->label_count > 0 ? sizes->labels[sizes->label_count > 1 ? k : 0]
                                  : (pen_label_sample){ .per_class = 0 };
}

const pen_pair_sample *sizes_pairs(const trial_sizes *sizes, int64_t k)
{
    return sizes->pair_count > 0 ? &sizes->pairs[sizes->pair_count > 1 ? k : 0] : NULL;
}

const char *sizes_text(const trial_sizes *sizes, int64_t k, char text[SIZE_TEXT])
{
    char number[CLI_NUMBER_SIZE];

    if (sizes->pair_count > 1)
        return pairs_sample_text(&sizes->pairs[k], text, SIZE_TEXT);
    if (sizes->labels[k].per_class > 0)
        snprintf(text, SIZE_TEXT, "%lld", (long long)sizes->labels[k].per_class);
    else
        snprintf(text, SIZE_TEXT, "%s", cli_number(sizes->labels[k].percent, number));
    return text;
}
