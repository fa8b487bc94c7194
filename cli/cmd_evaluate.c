/* cmd_evaluate.c - penumbra evaluate: how accurately methods classify held-out rows. */
#define _POSIX_C_SOURCE 200809L

#include "input.h"
#include "learn.h"
#include "progress.h"
#include "row_weights.h"
#include "trial_flags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "dims", "LIST", "numbers of dimensions, such as 1,2,5 or 1-9 (1-9)", 0 },
    { "reader", "LIST",
      "what tells the classes: nearest, neighbors, means, lda, self-training,\nlogistic, scores, "
      "or "
      "auto, the vote of the nearest rows (auto)",
      0 },
    { "shuffle", NULL, "permute the labels at random first, to measure chance", 0 },
    { "clusters", NULL, "also compare k-means clusters of the held-out rows with their\nclasses",
      0 },
    { "purity", "LIST",
      "also the purity of the K nearest rows, in a fit to all rows, for\nnumbers K such as 5 or "
      "1-15",
      0 },
    { "trust", "LIST", "also the trustworthiness of the K nearest rows, likewise", 0 },
    { "json", NULL, "as JSON, one object a line for each method", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

enum {
    MOST_NUMBERS = 1000,
    LARGEST_NUMBER = 1000000,
    CELL = 18,
    TEXT_SIZE = 64,
    MOST_READERS = 16,
    ROWS_FOR_FOUR_DECIMALS = 100
};

/* What is measured in each number of dimensions. */
enum {
    ACCURACY,
    DROPPED,
    LOG_LOSS,
    BRIER,
    NORMALIZED_RAND,
    ADJUSTED_RAND,
    PURITY,
    TRUST,
    MEASURES
};
static const char *const titles[MEASURES] = { "accuracy",    "dropped labels",  "log-loss",
                                              "Brier score", "normalized Rand", "adjusted Rand",
                                              "purity",      "trustworthiness" };

/* A method, a reader of its embedding, and what came of it. */
typedef struct subject {
    const char *method_name;
    const pen_method *method; /* of the spec */
    const char *reader;       /* NULL: that of the spec */
    pen_spec *spec;           /* with this reader */
    pen_scores *scores;       /* NULL: not tried */
    int is_first;             /* of the subjects of the method: has what depends on no reader */
    char name[TEXT_SIZE];
} subject;

typedef struct evaluation {
    method_names names;
    char *readers; /* what `reader_names` point into; or NULL */
    const char *reader_names[MOST_READERS];
    int64_t reader_count; /* 0: not given */
    pen_protocol protocol;
    int64_t dim_count, dims[MOST_NUMBERS];             /* 0: the usual ones */
    int64_t purity[MOST_NUMBERS], trust[MOST_NUMBERS]; /* what the protocol points into */
    double *weights;                                   /* of protocol, or NULL */
    learning in;
    subject *list; /* [count] of each method, one after the other */
    int64_t count;
} evaluation;

/* ---- flags ---- */

static int by_size(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* "1,2,5-9" into list [MOST_NUMBERS], ascending, each once. Returns 0 for any other text. */
static int read_numbers(const char *text, int64_t *list, int64_t *count)
{
    do {
        uint64_t first, last;
        if (!cli_whole(&text, &first))
            return 0;
        last = first;
        if (*text == '-' && (text++, !cli_whole(&text, &last)))
            return 0;
        if (first < 1 || last < first || last > LARGEST_NUMBER
            || last - first >= (uint64_t)(MOST_NUMBERS - *count))
            return 0;
        for (uint64_t d = first; d <= last; d++)
            list[(*count)++] = (int64_t)d;
    } while (*text == ',' && *text++);
    qsort(list, (size_t)*count, sizeof *list, by_size);
    int64_t kept = 0;
    for (int64_t i = 0; i < *count; i++)
        if (i == 0 || list[i] != list[i - 1])
            list[kept++] = list[i];
    *count = kept;
    return *text == '\0';
}

static int read_list(const cli_args *args, const char *flag, int64_t *list, int64_t *count)
{
    const char *const text = args_value(args, flag);

    return !text || read_numbers(text, list, count)
               ? CLI_OK
               : cli_say(args->command, CLI_USAGE,
                         "--%s must be whole numbers >= 1 such as 1,2,5 or 1-9, at most %d of "
                         "them, got \"%s\"",
                         flag, MOST_NUMBERS, text);
}

static int read_flags(const cli_args *args, evaluation *e)
{
    int status = trials_options(args, &e->protocol);
    e->protocol.shuffle = args_value(args, "shuffle") != NULL;
    e->protocol.clusters = args_value(args, "clusters") != NULL;
    if (status == CLI_OK)
        status = args_not_both(args, "dims", "dim");
    if (status == CLI_OK)
        status = read_list(args, "dims", e->dims, &e->dim_count);
    if (status == CLI_OK)
        status = read_list(args, "purity", e->purity, &e->protocol.purity_count);
    if (status == CLI_OK)
        status = read_list(args, "trust", e->trust, &e->protocol.trust_count);
    e->protocol.purity_sizes = e->purity;
    e->protocol.trust_sizes = e->trust;
    return status;
}

/* "nearest,lda" into e->reader_names. Whether there are such readers is known to the specs. */
static int read_readers(const cli_args *args, evaluation *e)
{
    const char *const text = args_value(args, "reader");

    if (!text)
        return CLI_OK;
    e->readers = strdup(text);
    if (!e->readers)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (char *name = e->readers; name;) {
        char *const comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        for (int64_t i = 0; i < e->reader_count; i++)
            if (cli_same_name(e->reader_names[i], name))
                return cli_say(args->command, CLI_USAGE, "reader %s is named twice", name);
        if (e->reader_count == MOST_READERS)
            return cli_say(args->command, CLI_USAGE, "--reader names more than %d readers",
                           MOST_READERS);
        e->reader_names[e->reader_count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return CLI_OK;
}

/* Of several methods those without class scores are left out where the reader is scores. */
static int is_left_out(const cli_args *args, const evaluation *e, const char *method,
                       const char *reader)
{
    const int wanted = cli_same_name(reader, "scores") && e->names.count > 1;
    pen_spec *spec;

    if (!wanted || pen_spec_new(method, &spec, NULL) != PEN_OK)
        return 0;
    const int lacks = !(pen_method_traits(pen_spec_method(spec)) & PEN_PROPAGATES);
    pen_spec_free(spec);
    if (lacks && !args_value(args, "quiet"))
        cli_say(args->command, 0, "%s scores no classes and is not read by scores", method);
    return lacks;
}

/* reader: NULL: that of the spec, the default. */
static int add_subject(const cli_args *args, const cli_flag *params, const char *method,
                       const char *reader, evaluation *e)
{
    subject *const s = &e->list[e->count++];
    pen_error err;

    s->reader = reader;
    s->is_first = e->count == 1 || !cli_same_name(e->list[e->count - 2].method_name, method);
    s->method_name = method;
    snprintf(s->name, sizeof s->name, "%s%s%s", e->names.count > 1 || !reader ? method : "",
             e->names.count > 1 && reader ? "/" : "", reader ? reader : "");
    const int status = params_spec(args, method, params, &s->spec);
    s->method = pen_spec_method(s->spec);
    if (status == CLI_OK && reader && pen_spec_set(s->spec, "reader", reader, &err) != PEN_OK)
        return cli_say(args->command, CLI_USAGE, "%s", err.message);
    return status;
}

static int make_list(const cli_args *args, const cli_flag *params, evaluation *e)
{
    int status = method_names_read(args, args_operand(args, 0), 0, &e->names);

    if (status == CLI_OK)
        status = read_readers(args, e);
    if (status != CLI_OK)
        return status;
    e->list = calloc((size_t)(e->names.count * (e->reader_count + 1)), sizeof *e->list);
    if (!e->list)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (int64_t m = 0; status == CLI_OK && m < e->names.count; m++) {
        const char *const name = e->names.list[m];
        if (e->reader_count == 0)
            status = add_subject(args, params, name, NULL, e);
        for (int64_t r = 0; status == CLI_OK && r < e->reader_count; r++)
            if (!is_left_out(args, e, name, e->reader_names[r]))
                status = add_subject(args, params, name, e->reader_names[r], e);
    }
    if (status == CLI_OK && e->count == 0)
        return cli_say(args->command, CLI_USAGE,
                       "reader scores: none of the methods scores classes");
    return status;
}

/* The first method that learns from pairs, or else the first of all. */
static const pen_method *method_of_pairs(const evaluation *e)
{
    for (int64_t m = 0; m < e->count; m++)
        if (pen_method_traits(e->list[m].method) & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))
            return e->list[m].method;
    return e->list[0].method;
}

static void evaluation_free(evaluation *e)
{
    for (int64_t m = 0; m < e->count; m++) {
        pen_spec_free(e->list[m].spec);
        pen_scores_free(e->list[m].scores);
    }
    free(e->list);
    free(e->readers);
    free(e->weights);
    method_names_free(&e->names);
    learn_free(&e->in);
}

/* ---- trials ---- */

/* The subjects of one method, s [count]: one fit for all of them. */
static pen_status evaluate_method(const evaluation *e, subject *s, int64_t count,
                                  const pen_control *control, pen_error *err)
{
    const int64_t *const dims = e->dim_count > 0 ? e->dims : NULL;
    const char *names[MOST_READERS];
    pen_scores *scores[MOST_READERS];

    if (e->reader_count == 0)
        return pen_evaluate(s->spec, &e->in.data, &e->protocol, dims, e->dim_count, control,
                            &s->scores, err);
    for (int64_t r = 0; r < count; r++)
        names[r] = s[r].reader;
    const pen_status status = pen_evaluate_readers(s->spec, names, count, &e->in.data, &e->protocol,
                                                   dims, e->dim_count, control, scores, err);
    for (int64_t r = 0; r < count; r++)
        s[r].scores = scores[r];
    return status;
}

static int try_method(const cli_args *args, const evaluation *e, subject *s, int64_t count,
                      int *own)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { e->in.threads, progress_show, &bar };
    const pen_status status = evaluate_method(e, s, count, &control, &err);
    progress_end(&bar);
    if (status == PEN_OK || status == PEN_CANCELLED)
        return CLI_OK;
    *own = (err.hints & PEN_HINT_OTHER_METHOD) != 0;
    if (*own && e->names.count > 1) {
        const pen_error cause = err;
        snprintf(err.message, sizeof err.message, "%s: %.200s", pen_method_name(s->method),
                 cause.message);
    }
    return pairs_failed(args, &err);
}

/* ---- numbers of a method ---- */

/* What is measured over the trials, [trials x dim_count]; NULL: not asked for. */
static const double *over_trials(const subject *s, int measure)
{
    if (!s->scores)
        return NULL;
    switch (measure) {
    case ACCURACY:
        return s->scores->accuracy;
    case DROPPED:
        return s->scores->dropped;
    case LOG_LOSS:
        return s->scores->log_loss;
    case BRIER:
        return s->scores->brier;
    case NORMALIZED_RAND:
        return s->scores->normalized_rand;
    case ADJUSTED_RAND:
        return s->scores->adjusted_rand;
    default:
        return NULL;
    }
}

/* Numbers [dim_count x count] for `sizes` [count] of neighborhoods; values NULL: not asked for. */
typedef struct by_neighbors {
    const double *values;
    const int64_t *sizes;
    int64_t count;
} by_neighbors;

static by_neighbors in_one_fit(const subject *s, int measure)
{
    const pen_scores *const z = s->scores;

    if (z && measure == PURITY)
        return (by_neighbors){ z->purity, z->purity_sizes, z->purity_count };
    if (z && measure == TRUST)
        return (by_neighbors){ z->trustworthiness, z->trust_sizes, z->trust_count };
    return (by_neighbors){ NULL, NULL, 0 };
}

/* In a table by the numbers of dimensions: not what has several numbers for each. */
static int has_measure(const subject *s, int measure)
{
    const by_neighbors once = in_one_fit(s, measure);

    return over_trials(s, measure) || (once.values && once.count == 1);
}

static int any_has_measure(const evaluation *e, int measure)
{
    for (int64_t m = 0; m < e->count; m++)
        if (has_measure(&e->list[m], measure))
            return 1;
    return 0;
}

/* NaN where there is none. */
static void number_at(const subject *s, int measure, int64_t i, double *mean, double *deviation)
{
    const double *const trials = over_trials(s, measure), *const once =
                                                              in_one_fit(s, measure).values;

    *mean = once ? once[i] : (double)NAN;
    *deviation = (double)NAN;
    if (trials)
        pen_scores_summary(s->scores, trials, i, mean, deviation);
    if (s->scores->done < 2)
        *deviation = (double)NAN;
}

/* ---- as a table ---- */

/* A column of a table. */
typedef struct column {
    const subject *subject;
    int measure;
    const char *heading;
} column;

static int64_t place_of(const pen_scores *scores, int64_t dim)
{
    for (int64_t i = 0; scores && i < scores->dim_count; i++)
        if (scores->dims[i] == dim)
            return i;
    return -1;
}

/* Cells have one width; empty ones at the end are not written. */
static void print_row(const char *left, int64_t count, char (*cells)[TEXT_SIZE])
{
    while (count > 0 && !*cells[count - 1])
        count--;
    printf("%-10s", left);
    for (int64_t c = 0; c < count; c++)
        printf(c + 1 < count ? "  %-*s" : "  %.*s", c + 1 < count ? CELL : TEXT_SIZE, cells[c]);
    putchar('\n');
}

/* Returns 0 if there is no number. */
static int fill_cell(const column *c, int64_t dim, int decimals, char text[TEXT_SIZE])
{
    const int64_t i = place_of(c->subject->scores, dim);
    const int best = i >= 0 && c->measure == ACCURACY && i == pen_scores_best(c->subject->scores);
    double mean = (double)NAN, deviation = mean;

    if (i >= 0)
        number_at(c->subject, c->measure, i, &mean, &deviation);
    if (isnan(mean))
        snprintf(text, TEXT_SIZE, "-");
    else if (isnan(deviation))
        snprintf(text, TEXT_SIZE, "%.*f%s", decimals, mean, best ? " *" : "");
    else
        snprintf(text, TEXT_SIZE, "%.*f +- %.*f%s", decimals, mean, decimals, deviation,
                 best ? " *" : "");
    return !isnan(mean);
}

/* The numbers of dimensions of all columns, 0 last. */
static int64_t next_dim(int64_t count, const column *columns, int64_t after)
{
    int64_t next = INT64_MAX, own = 0;

    for (int64_t c = 0; c < count; c++) {
        const pen_scores *const scores = columns[c].subject->scores;
        for (int64_t i = 0; scores && i < scores->dim_count; i++) {
            own |= scores->dims[i] == 0;
            if (scores->dims[i] > after && scores->dims[i] < next)
                next = scores->dims[i];
        }
    }
    return next < INT64_MAX ? next : own ? 0 : -1;
}

/* The mean error over the dimensions and the area under the curve of errors, where there are
 * several numbers of dimensions. */
static void print_errors(int64_t count, const column *columns, char (*cells)[TEXT_SIZE])
{
    static const char *const lines[] = { "mean error", "error area" };

    for (int line = 0; line < 2; line++) {
        int any = 0;
        for (int64_t c = 0; c < count; c++) {
            double error = (double)NAN, deviation = (double)NAN;
            cells[c][0] = '\0';
            if (columns[c].measure == ACCURACY && line == 0)
                pen_scores_mean_error(columns[c].subject->scores, &error, &deviation);
            else if (columns[c].measure == ACCURACY)
                error = pen_scores_error_area(columns[c].subject->scores);
            if (!isnan(error))
                trials_score(error, deviation, cells[c], TEXT_SIZE);
            any |= !isnan(error);
        }
        if (any)
            print_row(lines[line], count, cells);
    }
}

/* Rows without any number are left out unless `all` are wanted. */
static void print_table(int64_t count, const column *columns, int all, int decimals,
                        char (*cells)[TEXT_SIZE])
{
    char left[TEXT_SIZE];

    for (int64_t c = 0; c < count; c++)
        snprintf(cells[c], TEXT_SIZE, "%s", columns[c].heading);
    print_row("dims", count, cells);
    for (int64_t dim = next_dim(count, columns, 0), last = 0; !last && dim >= 0;
         last = dim == 0, dim = next_dim(count, columns, dim)) {
        int any = all;
        for (int64_t c = 0; c < count; c++)
            any |= fill_cell(&columns[c], dim, decimals, cells[c]);
        if (dim)
            snprintf(left, sizeof left, "%lld", (long long)dim);
        if (any)
            print_row(dim ? left : "auto", count, cells);
    }
    print_errors(count, columns, cells);
}

/* The trials and held-out rows of the numbers below, of the method that has most, and the standard
 * error of the highest accuracy. Returns the decimals worth printing. */
static int print_basis(const evaluation *e)
{
    const pen_scores *most = NULL;
    double best = (double)NAN;

    for (int64_t m = 0; m < e->count; m++) {
        const pen_scores *const scores = e->list[m].scores;
        double mean = (double)NAN;
        if (!scores)
            continue;
        if (!most || scores->done > most->done)
            most = scores;
        pen_scores_summary(scores, scores->accuracy, pen_scores_best(scores), &mean, NULL);
        best = isnan(best) || mean > best ? mean : best;
    }
    printf("%lld trial%s, %lld held-out row%s", (long long)most->done, most->done == 1 ? "" : "s",
           (long long)most->held_out, most->held_out == 1 ? "" : "s");
    const int64_t worth = weights_effective(&e->in.data, &e->protocol, most->held_out);
    if (e->protocol.weights)
        printf(" worth %lld of equal weight", (long long)worth);
    if (!isnan(best))
        printf(": standard error about %.1g", pen_standard_error(best, worth));
    putchar('\n');
    return most->held_out < ROWS_FOR_FOUR_DECIMALS ? 2 : 4;
}

/* The columns of one measure: of methods if it depends on no reader. */
static int64_t list_columns(const evaluation *e, int measure, column *columns)
{
    const int of_readers = measure <= BRIER;
    int64_t count = 0;

    for (int64_t m = 0; m < e->count; m++)
        if (of_readers || e->list[m].is_first)
            columns[count++] =
                (column){ &e->list[m], measure,
                          of_readers ? e->list[m].name : pen_method_name(e->list[m].method) };
    return count;
}

/* A measure of neighborhoods for several sizes, a line for each: columns are numbers of
 * dimensions. */
static void print_sizes(const evaluation *e, const subject *s, int measure)
{
    const by_neighbors once = in_one_fit(s, measure);
    char text[TEXT_SIZE];

    if (!once.values || once.count == 1)
        return;
    printf("\n%s%s%s\n%-10s", titles[measure], e->count > 1 ? " of " : "",
           e->count > 1 ? pen_method_name(s->method) : "", "neighbors");
    for (int64_t i = 0; i < s->scores->dim_count; i++) {
        snprintf(text, sizeof text, s->scores->dims[i] ? "%lld dim%s" : "auto",
                 (long long)s->scores->dims[i], s->scores->dims[i] == 1 ? "" : "s");
        printf("  %7s", text);
    }
    for (int64_t k = 0; k < once.count; k++) {
        printf("\n%-10lld", (long long)once.sizes[k]);
        for (int64_t i = 0; i < s->scores->dim_count; i++) {
            const double value = once.values[i * once.count + k];
            snprintf(text, sizeof text, isnan(value) ? "-" : "%.4f", value);
            printf("  %7s", text);
        }
    }
    putchar('\n');
}

/* One method and reader: a table with a column for each measure. Several: a table for each measure,
 * with a column for each of them. */
static int print_tables(const cli_args *args, const evaluation *e)
{
    const int64_t most = e->count > MEASURES ? e->count : MEASURES;
    char(*const cells)[TEXT_SIZE] = calloc((size_t)most, sizeof *cells);
    column *const columns = calloc((size_t)most, sizeof *columns);
    const int decimals = print_basis(e);
    int64_t count = 0;

    for (int measure = 0; cells && columns && measure < MEASURES; measure++) {
        if (!any_has_measure(e, measure))
            continue;
        if (e->count == 1) {
            columns[count++] = (column){ &e->list[0], measure, titles[measure] };
            continue;
        }
        printf("%s%s\n", measure ? "\n" : "", titles[measure]);
        print_table(list_columns(e, measure, columns), columns, e->dim_count > 0, decimals, cells);
    }
    if (count > 0)
        print_table(count, columns, e->dim_count > 0, decimals, cells);
    for (int64_t m = 0; m < e->count; m++)
        for (int measure = PURITY; measure <= TRUST; measure++)
            print_sizes(e, &e->list[m], measure);
    if (cells && columns)
        puts("* the highest, chosen on the same rows: expect less on new rows");
    const int status =
        cells && columns ? CLI_OK : cli_say(args->command, CLI_FAILED, "out of memory");
    free(cells);
    free(columns);
    return status;
}

/* ---- as JSON ---- */

/* A number for each number of dimensions; or for several sizes the sizes, and such lists. */
static void json_neighborhoods(by_neighbors once, int64_t dim_count)
{
    if (once.count == 1) {
        cli_json_numbers(once.values, dim_count);
        return;
    }
    fputs("{\"neighbors\": [", stdout);
    for (int64_t k = 0; k < once.count; k++)
        printf("%s%lld", k ? ", " : "", (long long)once.sizes[k]);
    fputs("], \"values\": [", stdout);
    for (int64_t i = 0; i < dim_count; i++) {
        fputs(i ? ", " : "", stdout);
        cli_json_numbers(once.values + i * once.count, once.count);
    }
    fputs("]}", stdout);
}

static void json_measure(const subject *s, int measure)
{
    static const char *const names[MEASURES] = { "accuracy", "dropped",         "log_loss",
                                                 "brier",    "normalized_rand", "adjusted_rand",
                                                 "purity",   "trustworthiness" };
    const int64_t count = s->scores->dim_count;
    double mean, deviation;

    if (!has_measure(s, measure) && !in_one_fit(s, measure).values)
        return;
    printf(", \"%s\": ", names[measure]);
    if (in_one_fit(s, measure).values) {
        json_neighborhoods(in_one_fit(s, measure), count);
        return;
    }
    for (int which = 0; which < 2; which++) {
        fputs(which ? "], \"deviation\": [" : "{\"mean\": [", stdout);
        for (int64_t i = 0; i < count; i++) {
            number_at(s, measure, i, &mean, &deviation);
            fputs(i ? ", " : "", stdout);
            cli_json_number(which ? deviation : mean);
        }
    }
    fputs("], \"trials\": [", stdout);
    for (int64_t t = 0; t < s->scores->done; t++) {
        fputs(t ? ", " : "", stdout);
        cli_json_numbers(over_trials(s, measure) + t * count, count);
    }
    fputs("]}", stdout);
}

static void json_largest(const subject *s)
{
    const int64_t at = pen_scores_best(s->scores);
    double mean, deviation;

    fputs(", \"largest\": ", stdout);
    if (at < 0) {
        fputs("null", stdout);
        return;
    }
    number_at(s, ACCURACY, at, &mean, &deviation);
    printf("{\"dims\": %lld, \"accuracy\": ", (long long)s->scores->dims[at]);
    cli_json_number(mean);
    putchar('}');
}

static void print_json(const evaluation *e, const subject *s)
{
    double mean, deviation;

    fputs("{\"method\": ", stdout);
    cli_json_text(pen_method_name(s->method));
    fputs(", \"parameters\": ", stdout);
    params_json(s->method, s->spec);
    fputs(", ", stdout);
    trials_json(&e->in.data, &e->protocol, PEN_EVALUATE_RUNS);
    printf("\"trials\": %lld, \"done\": %lld, \"dims\": [", (long long)s->scores->trials,
           (long long)s->scores->done);
    for (int64_t i = 0; i < s->scores->dim_count; i++)
        printf("%s%lld", i ? ", " : "", (long long)s->scores->dims[i]);
    putchar(']');
    for (int measure = 0; measure < MEASURES; measure++)
        json_measure(s, measure);
    pen_scores_mean_error(s->scores, &mean, &deviation);
    fputs(", \"mean_error\": ", stdout);
    cli_json_number(mean);
    fputs(", \"mean_error_deviation\": ", stdout);
    cli_json_number(deviation);
    fputs(", \"error_area\": ", stdout);
    cli_json_number(pen_scores_error_area(s->scores));
    json_largest(s);
    puts("}");
}

/* ---- the command ---- */

static void report_data(const cli_args *args, const evaluation *e)
{
    char text[TEXT_SIZE];

    if (args_value(args, "quiet"))
        return;
    fprintf(stderr, "penumbra %s: ", args->command);
    learn_print_data(NULL, &e->in.data);
    fprintf(stderr, "; %s\n",
            trials_words(&e->in.data, &e->protocol, PEN_EVALUATE_RUNS, text, sizeof text));
    trials_remark(args, &e->in.data, &e->protocol);
}

static void report_part(const cli_args *args, const subject *s)
{
    if (s->is_first && s->scores && s->scores->done < s->scores->trials)
        cli_say(args->command, 0, "%s: %lld of %lld trials finished", pen_method_name(s->method),
                (long long)s->scores->done, (long long)s->scores->trials);
}

/* The number of subjects of the method of e->list[from]. */
static int64_t subjects_of_method(const evaluation *e, int64_t from)
{
    int64_t count = 1;

    while (from + count < e->count && !e->list[from + count].is_first)
        count++;
    return count;
}

static int try_and_print(const cli_args *args, evaluation *e)
{
    const int json = args_value(args, "json") != NULL;
    int status = CLI_OK, told = 0, own = 1;
    int64_t some;

    report_data(args, e);
    for (int64_t m = 0; own && !progress_signal() && m < e->count; m += some) {
        some = subjects_of_method(e, m);
        const int tried = try_method(args, e, &e->list[m], some, &own);
        status = tried != CLI_OK ? tried : status;
        report_part(args, &e->list[m]);
        for (int64_t r = m; json && r < m + some; r++)
            if (e->list[r].scores)
                print_json(e, &e->list[r]);
        told |= e->list[m].scores != NULL;
    }
    if (told && !json && print_tables(args, e) != CLI_OK)
        status = CLI_FAILED;
    if (progress_signal())
        return told ? progress_die_told(args->command) : progress_die(args->command);
    return status;
}

static int evaluate(const cli_args *args, const cli_flag *params)
{
    evaluation e = { .dim_count = 0 };

    int status = make_list(args, params, &e);
    if (status == CLI_OK)
        status = read_flags(args, &e);
    if (status == CLI_OK)
        status = learn_options(args, method_of_pairs(&e), args_operand(args, 1), &e.in);
    if (status == CLI_OK)
        status = learn_read(args, args_operand(args, 1), &e.in);
    trials_use_folds(e.in.fold_file, &e.protocol);
    if (status == CLI_OK)
        status = weights_read(args, args_operand(args, 1), &e.in, &e.protocol, &e.weights);
    if (status == CLI_OK)
        status = try_and_print(args, &e);
    evaluation_free(&e);
    return status;
}

static const args_form form = {
    "penumbra evaluate METHOD[,METHOD...] DATA [flags]",
    "Hold out each part of the labelled rows of DATA in turn, learn from the others, and classify "
    "the held-out rows by the nearest row of known\n"
    "class, or by --reader. Printed are the mean and standard deviation of the accuracy over all "
    "parts and runs. Parameters of METHOD are flags,\n"
    "as for fit; for several methods, those that all of them have.\n",
    2,
    2,
    { { NULL, flags },
      { "Trials", trials_flags },
      { "Pairs of rows, for methods that learn from them", pairs_flags },
      { "Reading DATA", input_flags } },
};

int cmd_evaluate(int argc, char **argv)
{
    return params_run(&form, argc, argv, evaluate);
}
