/* stats_files.c - files of statistics: recognized, fitted from, and described. */
#define _POSIX_C_SOURCE 200809L

#include "stats_files.h"

#include "blas_memory.h"
#include "flags/input.h"
#include "flags/output.h"
#include "flags/pair_flags.h"
#include "flags/param_flags.h"
#include "learn.h"
#include "progress.h"

#include <string.h>

enum { HEAD = 512 };

int stats_are_in(const char *path)
{
    static const char mark[] = "\"kind\":\"statistics\"";
    size_t size;
    int found = 0;

    const unsigned char *const head = input_head(path, &size);
    for (size_t i = 8; i < HEAD && i + sizeof mark <= size + 1 && head[8] == '{' && !found; i++)
        found = memcmp(head + i, mark, sizeof mark - 1) == 0;
    return found;
}

static int64_t labelled_rows(const pen_stats *stats)
{
    const int64_t *blocks, count = pen_stats_blocks(stats, &blocks);
    int64_t sum = 0;

    for (int64_t b = 0; b < count; b++)
        sum += blocks[3 * b + 2];
    return sum;
}

static int64_t class_count(const pen_stats *stats)
{
    int64_t count = 0;
    while (pen_stats_class_name(stats, count))
        count++;
    return count;
}

void stats_print(const pen_stats *stats, const char *unit)
{
    const int64_t blocks = pen_stats_blocks(stats, NULL), classes = class_count(stats);

    fprintf(stderr, "%lld%s of %lld columns in %lld block%s, %lld labelled",
            (long long)pen_stats_rows(stats), unit, (long long)pen_stats_columns(stats),
            (long long)blocks, blocks == 1 ? "" : "s", (long long)labelled_rows(stats));
    if (classes > 0)
        fprintf(stderr, " in %lld class%s", (long long)classes, classes == 1 ? "" : "es");
}

/* ---- fit ---- */

/* What statistics have in themselves, or what only rows give. */
static int check_flags(const cli_args *args)
{
    static const char *const of_rows[] = { "labels",  "keep-labels", "ensemble",        "effort",
                                           "kernels", "classes",     "neighbors-graph", "memory" };
    const char *given = NULL;

    for (size_t i = 0; !given && i < sizeof of_rows / sizeof *of_rows; i++)
        given = args_value(args, of_rows[i]) ? of_rows[i] : NULL;
    for (const cli_flag *flag = input_flags; !given && flag->name; flag++) {
        const char *const value = args_value(args, flag->name);
        const int of_new =
            strcmp(flag->name, "missing") == 0 && value && strcmp(value, "drop") == 0;
        given = value && !of_new ? flag->name : NULL;
    }
    if (given)
        return cli_say(args->command, CLI_USAGE,
                       "--%s is a flag of rows, and DATA holds statistics", given);
    if (!args_value(args, "output"))
        return cli_say(args->command, CLI_USAGE, "-o MODEL is required: the file for the model");
    return CLI_OK;
}

static int fit_stats(const cli_args *args, const pen_spec *spec, const pen_stats *stats,
                     const pen_data *data, int threads, pen_model **model)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = threads, .progress = progress_show, .user = &bar };
    const pen_status status = pen_stats_fit(spec, stats, data, &control, model, &err);
    progress_end(&bar);
    if (progress_signal())
        return progress_die(args->command);
    return status == PEN_OK ? CLI_OK : pairs_failed(args, &err);
}

static int read_pairs(const cli_args *args, const char *path, const pen_stats *stats, pairs *given,
                      pen_data *data)
{
    const pen_table rows = { .x = { .rows = pen_stats_rows(stats) } };

    const int status = pairs_read(args, path, &rows, given);
    return status == CLI_OK ? pairs_set(args, given, data) : status;
}

void stats_report(const cli_args *args, const pen_stats *stats, const pen_model *model,
                  const row_classes *all)
{
    if (args_value(args, "quiet"))
        return;
    cli_line("rows");
    stats_print(stats, "");
    fputc('\n', stderr);
    learn_report_model(args, model);
    learn_report_saved(args, all);
}

int stats_fit_command(const cli_args *args, const char *method, const char *path,
                      const cli_flag *params)
{
    pen_stats *stats = NULL;
    pen_model *model = NULL;
    pen_spec *spec = NULL;
    pen_data data = { .x = { .rows = 0 } };
    pairs given = { .sampled = 0 };
    int threads = 0;

    if (!method || strcmp(method, "auto") == 0)
        return cli_say(args->command, CLI_USAGE,
                       "%s holds statistics: a METHOD must be named, for labels cannot be held out",
                       input_name(path));
    data.missing = args_value(args, "missing") ? PEN_MISSING_DROP : PEN_MISSING_ERROR;
    int status = check_flags(args);
    if (status == CLI_OK)
        status = params_spec(args, method, params, &spec);
    if (status == CLI_OK)
        status = memory_threads(args, &threads);
    if (status == CLI_OK)
        status = pairs_options(args, pen_spec_method(spec), &given);
    if (status == CLI_OK)
        status = output_ready(args);
    if (status == CLI_OK)
        status = input_sources(args, path);
    if (status == CLI_OK)
        status = input_stats(args, path, &stats);
    if (status == CLI_OK)
        status = read_pairs(args, path, stats, &given, &data);
    if (status == CLI_OK)
        status = fit_stats(args, spec, stats, &data, threads, &model);
    if (status == CLI_OK)
        status = learn_save(args, model, NULL);
    if (status == CLI_OK)
        stats_report(args, stats, model, NULL);
    pen_model_free(model);
    pen_stats_free(stats);
    pen_spec_free(spec);
    pairs_free(&given);
    return status;
}

/* ---- info ---- */

static void print_parts(const pen_stats *stats, const char *quote)
{
    const char *between = "";

    for (int part = PEN_PART_TOTAL; pen_part_name(part); part *= 2)
        if (pen_stats_parts(stats) & part) {
            printf("%s%s%s%s", between, quote, pen_part_name(part), quote);
            between = ", ";
        }
}

static void print_names(const pen_stats *stats,
                        const char *(*name)(const pen_stats *, int64_t index))
{
    putchar('[');
    for (int64_t i = 0; name(stats, i); i++) {
        fputs(i ? ", " : "", stdout);
        cli_json_text(stdout, name(stats, i));
    }
    putchar(']');
}

static void print_json(const pen_stats *stats)
{
    const int64_t *blocks, count = pen_stats_blocks(stats, &blocks);
    char steps[96];

    pen_stats_row_steps(stats, steps, sizeof steps);
    printf("{\n  \"kind\": \"statistics\",\n  \"input_dim\": %lld,\n  \"rows\": %lld,\n"
           "  \"labelled\": %lld,\n  \"kept\": %lld,\n  \"near\": %lld,\n  "
           "\"normalize\": \"%s\",\n  \"row_steps\": \"%s\",\n"
           "  \"merges\": \"%s\",\n  \"parts\": [",
           (long long)pen_stats_columns(stats), (long long)pen_stats_rows(stats),
           (long long)labelled_rows(stats), (long long)pen_stats_kept(stats),
           (long long)pen_stats_near(stats), pen_stats_normalize(stats), steps,
           pen_stats_merges(stats));
    print_parts(stats, "\"");
    fputs("],\n  \"blocks\": [", stdout);
    for (int64_t b = 0; b < count; b++)
        printf("%s\n    {\"id\": %lld, \"rows\": %lld, \"labelled\": %lld}", b ? "," : "",
               (long long)blocks[3 * b], (long long)blocks[3 * b + 1],
               (long long)blocks[3 * b + 2]);
    fputs("\n  ],\n  \"class_names\": ", stdout);
    print_names(stats, pen_stats_class_name);
    fputs(",\n  \"feature_names\": ", stdout);
    if (pen_stats_feature_name(stats, 0))
        print_names(stats, pen_stats_feature_name);
    else
        fputs("null", stdout);
    puts("\n}");
}

static void print_text(const pen_stats *stats)
{
    const int64_t *blocks, count = pen_stats_blocks(stats, &blocks);
    char steps[96];

    printf("%-14s ", "statistics");
    print_parts(stats, "");
    printf("\n%-14s %lld of %lld columns, %lld labelled, %lld kept\n", "rows",
           (long long)pen_stats_rows(stats), (long long)pen_stats_columns(stats),
           (long long)labelled_rows(stats), (long long)pen_stats_kept(stats));
    printf("%-14s %lld, %lld to %lld; merges %s\n", "blocks", (long long)count,
           (long long)blocks[0], (long long)blocks[3 * count - 3], pen_stats_merges(stats));
    if (pen_stats_near(stats) > 0)
        printf("%-14s %lld rows of each labelled one\n", "nearest",
               (long long)pen_stats_near(stats));
    if (pen_stats_row_steps(stats, steps, sizeof steps) > 0)
        printf("%-14s %s\n", "row steps", steps);
    printf("%-14s %s\n", "normalize", pen_stats_normalize(stats));
    for (int64_t c = 0; pen_stats_class_name(stats, c); c++) {
        printf(c ? ", " : "%-14s ", "classes");
        cli_put(stdout, pen_stats_class_name(stats, c));
    }
    fputs(class_count(stats) > 0 ? "\n" : "", stdout);
}

int stats_info_command(const cli_args *args, const char *path)
{
    pen_stats *stats;

    const int status = input_stats(args, path, &stats);
    if (status != CLI_OK)
        return status;
    if (args_value(args, "json"))
        print_json(stats);
    else
        print_text(stats);
    pen_stats_free(stats);
    return CLI_OK;
}
