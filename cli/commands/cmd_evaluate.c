/* cmd_evaluate.c - penumbra evaluate: how accurately methods classify held-out rows. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/trial_flags.h"
#include "leak_warning.h"
#include "learn.h"
#include "progress.h"
#include "scores_json.h"
#include "scores_text.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "dims", "LIST", "numbers of dimensions, such as 1,2,5 or 1-9 (1-9)", 0 },
    { "classifier", "LIST",
      "what tells the classes: nearest, neighbors, means, lda, self-training,\nlogistic, scores, "
      "or auto, that of the models: scores or lda (auto)",
      0 },
    { "shuffle", NULL, "permute the labels at random first, to measure chance", 0 },
    { "json", NULL, "as JSON, one object a line for each method", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

enum { MOST_NUMBERS = 1000, LARGEST_NUMBER = 1000000, TEXT_SIZE = 64, MOST_CLASSIFIERS = 16 };

typedef struct evaluation {
    method_names names;
    char *classifiers; /* what `classifier_names` point into; or NULL */
    const char *classifier_names[MOST_CLASSIFIERS];
    int64_t classifier_count; /* 0: not given */
    pen_protocol protocol;
    int64_t dim_count, dims[MOST_NUMBERS]; /* 0: the usual ones */
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

static int read_dims(const cli_args *args, evaluation *e)
{
    const char *const text = args_value(args, "dims");

    return !text || read_numbers(text, e->dims, &e->dim_count)
               ? CLI_OK
               : cli_say(args->command, CLI_USAGE,
                         "--dims must be whole numbers >= 1 such as 1,2,5 or 1-9, at most %d of "
                         "them, got \"%s\"",
                         MOST_NUMBERS, text);
}

static int read_flags(const cli_args *args, evaluation *e)
{
    int status = trials_options(args, &e->protocol);
    e->protocol.shuffle = args_value(args, "shuffle") != NULL;
    if (status == CLI_OK)
        status = args_not_both(args, "dims", "dim");
    return status == CLI_OK ? read_dims(args, e) : status;
}

/* "nearest,lda" into e->classifier_names. Whether there are such classifiers is known to the specs.
 * */
static int read_classifiers(const cli_args *args, evaluation *e)
{
    const char *const text = args_value(args, "classifier");

    if (!text)
        return CLI_OK;
    e->classifiers = strdup(text);
    if (!e->classifiers)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (char *name = e->classifiers; name;) {
        char *const comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        for (int64_t i = 0; i < e->classifier_count; i++)
            if (cli_same_name(e->classifier_names[i], name))
                return cli_say(args->command, CLI_USAGE, "classifier %s is named twice", name);
        if (e->classifier_count == MOST_CLASSIFIERS)
            return cli_say(args->command, CLI_USAGE, "--classifier names more than %d classifiers",
                           MOST_CLASSIFIERS);
        e->classifier_names[e->classifier_count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return CLI_OK;
}

/* Of several methods those without class scores are left out where the classifier is scores. */
static int is_left_out(const cli_args *args, const evaluation *e, const char *method,
                       const char *classifier)
{
    const int wanted = cli_same_name(classifier, "scores") && e->names.count > 1;
    pen_spec *spec;

    if (!wanted || pen_spec_new(method, &spec, NULL) != PEN_OK)
        return 0;
    const int lacks = !(pen_spec_method(spec)->traits & PEN_PROPAGATES);
    pen_spec_free(spec);
    if (lacks && !args_value(args, "quiet"))
        cli_say(args->command, 0, "%s scores no classes and is not read by scores", method);
    return lacks;
}

/* classifier: NULL: that of the spec, the default. */
static int add_subject(const cli_args *args, const cli_flag *params, const char *method,
                       const char *classifier, evaluation *e)
{
    subject *const s = &e->list[e->count++];
    pen_error err;

    s->classifier = classifier;
    snprintf(s->name, sizeof s->name, "%s%s%s", e->names.count > 1 || !classifier ? method : "",
             e->names.count > 1 && classifier ? "/" : "", classifier ? classifier : "");
    const int status = params_spec(args, method, params, &s->spec);
    s->method = pen_spec_method(s->spec);
    if (status == CLI_OK && classifier
        && pen_spec_set(s->spec, "classifier", classifier, &err) != PEN_OK)
        return cli_say(args->command, CLI_USAGE, "%s", err.message);
    return status;
}

static int make_list(const cli_args *args, const cli_flag *params, evaluation *e)
{
    int status = method_names_read(args, args_operand(args, 0), 0, &e->names);

    if (status == CLI_OK)
        status = read_classifiers(args, e);
    if (status != CLI_OK)
        return status;
    e->list = calloc((size_t)(e->names.count * (e->classifier_count + 1)), sizeof *e->list);
    if (!e->list)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (int64_t m = 0; status == CLI_OK && m < e->names.count; m++) {
        const char *const name = e->names.list[m];
        if (e->classifier_count == 0)
            status = add_subject(args, params, name, NULL, e);
        for (int64_t r = 0; status == CLI_OK && r < e->classifier_count; r++)
            if (!is_left_out(args, e, name, e->classifier_names[r]))
                status = add_subject(args, params, name, e->classifier_names[r], e);
    }
    if (status == CLI_OK && e->count == 0)
        return cli_say(args->command, CLI_USAGE,
                       "classifier scores: none of the methods scores classes");
    return status;
}

/* The first method that learns from pairs, or else the first of all. */
static const pen_method *method_of_pairs(const evaluation *e)
{
    for (int64_t m = 0; m < e->count; m++)
        if (e->list[m].method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))
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
    free(e->classifiers);
    method_names_free(&e->names);
    learn_free(&e->in);
}

/* ---- trials ---- */

/* The subjects of one method, s [count]: one fit for all of them. */
static pen_status evaluate_method(const evaluation *e, subject *s, int64_t count,
                                  const pen_control *control, pen_error *err)
{
    const int64_t *const dims = e->dim_count > 0 ? e->dims : NULL;
    const char *names[MOST_CLASSIFIERS];
    pen_scores *scores[MOST_CLASSIFIERS];

    if (e->classifier_count == 0) {
        const pen_status alone = pen_evaluate(s->spec, &e->in.data, &e->protocol, dims,
                                              e->dim_count, control, &s->scores, err);
        if (alone == PEN_OK)
            snprintf(s->name, sizeof s->name, "%s/%s", s->method->name, s->scores->classifier);
        return alone;
    }
    for (int64_t r = 0; r < count; r++)
        names[r] = s[r].classifier;
    const pen_status status = pen_evaluate_classifiers(
        s->spec, names, count, &e->in.data, &e->protocol, dims, e->dim_count, control, scores, err);
    for (int64_t r = 0; r < count; r++)
        s[r].scores = scores[r];
    return status;
}

/* The subjects of a method, s [count]; *own: 0 if its error is that of every method. */
static int try_method(const cli_args *args, const evaluation *e, subject *s, int64_t count,
                      int *own)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = e->in.threads,
                                  .progress = progress_show,
                                  .user = &bar };
    const pen_status status = evaluate_method(e, s, count, &control, &err);
    progress_end(&bar);
    if (status == PEN_OK || status == PEN_CANCELLED)
        return CLI_OK;
    *own = (err.hints & PEN_HINT_OTHER_METHOD) != 0;
    if (*own && e->names.count > 1) {
        const pen_error cause = err;
        snprintf(err.message, sizeof err.message, "%s: %.160s", s->method->name, cause.message);
    }
    return pairs_failed(args, &err);
}

/* ---- the command ---- */

static void report_data(const cli_args *args, const evaluation *e)
{
    char text[TEXT_SIZE];

    if (args_value(args, "quiet"))
        return;
    cli_tell(args->command);
    learn_print_data(&e->in.data);
    fprintf(stderr, "; %s\n",
            trials_words(&e->in.data, &e->protocol, PEN_EVALUATE_RUNS, text, sizeof text));
    trials_remark(args, &e->in.data, &e->protocol);
}

static void report_part(const cli_args *args, const subject *s)
{
    if (s->scores && s->scores->done < s->scores->trials)
        cli_say(args->command, 0, "%s: %lld of %lld trials finished", s->method->name,
                (long long)s->scores->done, (long long)s->scores->trials);
}

/* The number of subjects of the method of e->list[from]. */
static int64_t subjects_of_method(const evaluation *e, int64_t from)
{
    int64_t count = 1;

    while (from + count < e->count && e->list[from + count].method == e->list[from].method)
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
        subject *const s = &e->list[m];
        some = subjects_of_method(e, m);
        const int tried = try_method(args, e, s, some, &own);
        status = tried != CLI_OK ? tried : status;
        report_part(args, s);
        for (int64_t r = 0; json && s->scores && r < some; r++)
            scores_print_json(&s[r], &e->in.data, &e->protocol);
        told |= s->scores != NULL;
    }
    const scores_table table = { e->list, e->count, e->dim_count > 0 };
    if (told && !json && scores_print_tables(args, &table) != CLI_OK)
        status = CLI_FAILED;
    if (told)
        leaks_warn(args, e->in.rows, &e->in.data, 1);
    if (progress_signal())
        return told ? progress_die_told(args->command) : progress_die(args->command);
    return status;
}

static int evaluate(const cli_args *args, const cli_flag *params)
{
    evaluation e = { .count = 0 };

    int status = make_list(args, params, &e);
    if (status == CLI_OK)
        status = read_flags(args, &e);
    if (status == CLI_OK)
        status = learn_options(args, method_of_pairs(&e), args_operand(args, 1), &e.in);
    if (status == CLI_OK)
        status = learn_read(args, args_operand(args, 1), &e.in);
    trials_use_folds(e.in.fold_file, &e.protocol);
    if (status == CLI_OK)
        status = try_and_print(args, &e);
    evaluation_free(&e);
    return status;
}

static const args_form form = {
    "penumbra evaluate METHOD[,METHOD...] DATA [flags]",
    "Hold out each part of the labelled rows of DATA in turn, learn from the others, and classify "
    "the held-out rows as predict does.\n"
    "Printed are the mean and standard deviation of the accuracy over all parts and runs. "
    "Parameters of METHOD are flags, as for fit;\n"
    "for several methods, those that all of them have.\n",
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
