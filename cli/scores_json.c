/* scores_json.c - the scores of evaluate as JSON. */
#include "scores_json.h"

#include "cli.h"
#include "flags/param_flags.h"
#include "flags/trial_flags.h"

static void json_measure(const subject *s, int measure)
{
    static const char *const names[SUBJECT_MEASURES] = { "accuracy", "dropped", "log_loss",
                                                         "brier" };
    const double *const values = subject_scores(s, measure);
    const int64_t count = s->scores->dim_count;
    double mean, deviation;

    if (!values)
        return;
    printf(", \"%s\": ", names[measure]);
    for (int which = 0; which < 2; which++) {
        fputs(which ? "], \"deviation\": [" : "{\"mean\": [", stdout);
        for (int64_t i = 0; i < count; i++) {
            pen_scores_summary(s->scores, values, i, &mean, &deviation);
            fputs(i ? ", " : "", stdout);
            cli_json_number(stdout, which ? deviation : mean);
        }
    }
    fputs("], \"trials\": [", stdout);
    for (int64_t t = 0; t < s->scores->done; t++) {
        fputs(t ? ", " : "", stdout);
        cli_json_numbers(stdout, values + t * count, count);
    }
    fputs("]}", stdout);
}

static void json_largest(const subject *s)
{
    const int64_t at = pen_scores_best(s->scores);
    double mean;

    fputs(", \"largest\": ", stdout);
    if (at < 0) {
        fputs("null", stdout);
        return;
    }
    pen_scores_summary(s->scores, s->scores->accuracy, at, &mean, NULL);
    printf("{\"dims\": %lld, \"accuracy\": ", (long long)s->scores->dims[at]);
    cli_json_number(stdout, mean);
    putchar('}');
}

/* A sample of pairs as its flag takes it: "5%", "200" or "50+100". */
static void json_sample(const pen_pair_sample *sample)
{
    char percent[CLI_NUMBER_SIZE];

    if (sample->percent > 0)
        printf("\"%s%%\"", cli_number(sample->percent, percent));
    else if (sample->count > 0)
        printf("\"%lld\"", (long long)sample->count);
    else
        printf("\"%lld+%lld\"", (long long)sample->must_link, (long long)sample->cannot_link);
}

/* Of how many labels and pairs the trials learned; nothing for all of them. */
static void json_size(const pen_label_sample *labels, const pen_pair_sample *sample)
{
    if (labels->per_class > 0)
        printf("\"keep_per_class\": %lld, ", (long long)labels->per_class);
    if (labels->percent > 0) {
        fputs("\"keep_percent\": ", stdout);
        cli_json_number(stdout, labels->percent);
        fputs(", ", stdout);
    }
    if (sample) {
        fputs("\"sample_pairs\": ", stdout);
        json_sample(sample);
        fputs(", ", stdout);
    }
}

void scores_print_json(const subject *s, const pen_data *data, const pen_protocol *protocol)
{
    double mean, deviation;

    fputs("{\"method\": ", stdout);
    cli_json_text(stdout, s->method->name);
    fputs(", \"parameters\": ", stdout);
    params_json(stdout, s->spec);
    printf(", \"classifier\": \"%s\", ", s->scores->classifier);
    trials_json(stdout, data, protocol, PEN_EVALUATE_RUNS);
    json_size(&protocol->labels, data->sample);
    printf("\"trials\": %lld, \"done\": %lld, \"dims\": [", (long long)s->scores->trials,
           (long long)s->scores->done);
    for (int64_t i = 0; i < s->scores->dim_count; i++)
        printf("%s%lld", i ? ", " : "", (long long)s->scores->dims[i]);
    putchar(']');
    for (int measure = 0; measure < SUBJECT_MEASURES; measure++)
        json_measure(s, measure);
    pen_scores_mean_error(s->scores, &mean, &deviation);
    fputs(", \"mean_error\": ", stdout);
    cli_json_number(stdout, mean);
    fputs(", \"mean_error_deviation\": ", stdout);
    cli_json_number(stdout, deviation);
    fputs(", \"error_area\": ", stdout);
    cli_json_number(stdout, pen_scores_error_area(s->scores));
    json_largest(s);
    puts("}");
}
