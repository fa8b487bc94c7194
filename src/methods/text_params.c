/* text_params.c - parameters whose value is a text: how it is read and written. */
#include "methods/text_params.h"

#include "classifiers/classifier.h"
#include "core/number.h"
#include "kernels/kernel_map.h"
#include "kernels/landmarks.h"
#include "scatter/scatter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Is the text of that length this word? */
static int is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* What follows "word:" in the text; NULL: it is another text. */
static const char *after(const char *text, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(text, word, length) == 0 && text[length] == ':' ? text + length + 1 : NULL;
}

/* A whole number in [least, most]; a text that is none leaves *out. */
static int read_whole(const char *text, size_t length, double least, double most, int64_t *out)
{
    double value;

    if (!pen_number_is(text, length, &value) || !(value >= least && value <= most)
        || value != floor(value))
        return 0;
    *out = (int64_t)value;
    return 1;
}

static void add(char *text, size_t size, const char *between, const char *word, double number)
{
    const size_t used = strlen(text);
    char digits[PEN_NUMBER_SIZE] = "";

    if (number > 0)
        pen_number_write(number, digits);
    snprintf(text + used, size - used, "%s%s%s%s", used ? between : "", word, number > 0 ? ":" : "",
             digits);
}

/* ---- row_steps ---- */

enum step { TOTAL, LOG1P, IDF, SNV, DERIVATIVE, SELECT, L2, STEPS };
static const char *const step_names[] = { "total",      "log1p",  "idf", "snv",
                                          "derivative", "select", "l2" };
enum { FEWEST_IN_WINDOW = 3 };
static const double MOST_WHOLE = 0x1p53;

/* One step of the text into the record: its place among the steps; STEPS: there is no such step. */
static enum step read_step(const char *text, size_t length, pen_common *to)
{
    const char *const colon = memchr(text, ':', length);
    const size_t name = colon ? (size_t)(colon - text) : length,
                 rest = length - name - (colon != NULL);
    int which = TOTAL;
    double total;

    while (which < STEPS && !is_word(text, name, step_names[which]))
        which++;
    switch ((enum step)which) {
    case TOTAL:
        if (colon && is_word(colon + 1, rest, "median"))
            to->row.total = -1;
        else if (colon && pen_number_is(colon + 1, rest, &total) && total > 0 && isfinite(total))
            to->row.total = total;
        else
            return STEPS;
        return TOTAL;
    case DERIVATIVE:
        return colon
                       && read_whole(colon + 1, rest, FEWEST_IN_WINDOW, MOST_WHOLE,
                                     &to->row.derivative)
                   ? DERIVATIVE
                   : STEPS;
    case SELECT:
        return colon && read_whole(colon + 1, rest, 1, MOST_WHOLE, &to->row.select) ? SELECT
                                                                                    : STEPS;
    case LOG1P:
        to->row.log1p = 1;
        break;
    case IDF:
        to->row.idf = 1;
        break;
    case SNV:
        to->row.snv = 1;
        break;
    case L2:
        to->normalize = PEN_NORMALIZE_L2;
        break;
    case STEPS:
        break;
    }
    return colon ? STEPS : (enum step)which;
}

static void write_row_steps(const void *record, char *text, size_t size)
{
    const pen_common *const common = record;
    const pen_row_params *const row = &common->row;

    *text = '\0';
    if (row->total > 0)
        add(text, size, ",", "total", row->total);
    else if (row->total < 0)
        add(text, size, ",", "total:median", 0);
    if (row->log1p)
        add(text, size, ",", "log1p", 0);
    if (row->idf)
        add(text, size, ",", "idf", 0);
    if (row->snv)
        add(text, size, ",", "snv", 0);
    if (row->derivative > 0)
        add(text, size, ",", "derivative", (double)row->derivative);
    if (row->select > 0)
        add(text, size, ",", "select", (double)row->select);
    if (common->normalize == PEN_NORMALIZE_L2)
        add(text, size, ",", "l2", 0);
}

static pen_status read_row_steps(const pen_param *param, void *record, const char *text,
                                 pen_error *err)
{
    pen_common *const to = record, steps = { .normalize = PEN_NORMALIZE_NONE };
    char right[PEN_PARAM_SIZE];
    int given[STEPS] = { 0 }, last = -1, ordered = 1;

    for (const char *at = text; *at && strcmp(text, "none") != 0;) {
        const size_t length = strcspn(at, ",");
        const enum step step = read_step(at, length, &steps);
        if (step == STEPS || (at[length] && !at[length + 1]))
            return pen_error_set(
                err, PEN_BAD_ARGUMENT,
                "%s must be steps joined by commas, in this order: total:median or total:NUMBER, "
                "log1p, idf, snv, derivative:WINDOW, select:COLUMNS, l2; got \"%.60s\"",
                param->name, text);
        if (given[step]++)
            return pen_error_set(err, PEN_BAD_ARGUMENT, "%s has %s twice, got \"%.60s\"",
                                 param->name, step_names[step], text);
        ordered &= (int)step > last;
        last = (int)step;
        at += length + (at[length] == ',');
    }
    if (!ordered) {
        write_row_steps(&steps, right, sizeof right);
        return pen_error_set(err, PEN_BAD_ARGUMENT,
                             "%s are taken in one order: set %s to %s, got \"%.60s\"", param->name,
                             param->name, right, text);
    }
    to->row = steps.row;
    to->normalize = steps.normalize;
    return PEN_OK;
}

const pen_text_form pen_row_steps_form = { read_row_steps, write_row_steps, .list = 1 };

/* ---- pca ---- */

static pen_status read_pca(const pen_param *param, void *record, const char *text, pen_error *err)
{
    pen_common *const to = record;
    const size_t length = strcspn(text, ":");
    int64_t most = 0;
    double value;

    const int whole = is_word(text, length, "rank"), off = is_word(text, length, "off");
    int good = whole || off || (pen_number_is(text, length, &value) && value >= 0);
    if (whole || off)
        value = whole ? (double)INFINITY : 0;
    if (good && text[length])
        good = value > 0 && (value < 1 || whole)
               && read_whole(text + length + 1, strlen(text + length + 1), 1, MOST_WHOLE, &most);
    if (!good)
        return pen_error_set(err, PEN_BAD_ARGUMENT,
                             "%s must be off, rank, a number of components, a fraction of the "
                             "variance, or a fraction and the most components, such as 0.99:100; "
                             "got \"%.60s\"",
                             param->name, text);
    to->pca = value;
    to->pca_most = most;
    return PEN_OK;
}

static void write_pca(const void *record, char *text, size_t size)
{
    const pen_common *const common = record;
    char number[PEN_NUMBER_SIZE];

    pen_number_write(common->pca, number);
    *text = '\0';
    add(text, size, "",
        common->pca == 0     ? "off"
        : isinf(common->pca) ? "rank"
                             : number,
        (double)common->pca_most);
}

const pen_text_form pen_pca_form = { read_pca, write_pca, .list = 0 };

/* ---- kernel_landmarks ---- */

static pen_status read_landmarks(const pen_param *param, void *record, const char *text,
                                 pen_error *err)
{
    pen_kernel_params *const to = &((pen_common *)record)->kernel;
    const char *const drawn = after(text, "random"), *const number = drawn ? drawn : text;
    int64_t landmarks = PEN_LANDMARKS_AUTO;

    if (strcmp(text, "all") == 0)
        landmarks = PEN_LANDMARKS_ALL;
    else if (strcmp(text, "auto") != 0
             && !read_whole(number, strlen(number), 1, PEN_MOST_LANDMARKS, &landmarks))
        return pen_error_set(err, PEN_BAD_ARGUMENT,
                             "%s must be auto, all, a number in [1, %d], or such a number drawn "
                             "at random, as random:500; got \"%.60s\"",
                             param->name, PEN_MOST_LANDMARKS, text);
    to->landmarks = landmarks;
    to->choice = drawn ? PEN_LANDMARKS_RANDOM : PEN_LANDMARKS_CHOLESKY;
    return PEN_OK;
}

static void write_landmarks(const void *record, char *text, size_t size)
{
    const pen_kernel_params *const p = &((const pen_common *)record)->kernel;

    if (p->landmarks > 0)
        snprintf(text, size, "%s%lld", p->choice == PEN_LANDMARKS_RANDOM ? "random:" : "",
                 (long long)p->landmarks);
    else
        snprintf(text, size, "%s", p->landmarks == PEN_LANDMARKS_ALL ? "all" : "auto");
}

const pen_text_form pen_landmarks_form = { read_landmarks, write_landmarks, .list = 0 };

/* ---- classifier ---- */

enum { USUAL_NEIGHBORS = 5 };

static pen_status read_classifier(const pen_param *param, void *record, const char *text,
                                  pen_error *err)
{
    pen_classifier_params *const to = &((pen_common *)record)->classifier;
    const char *const votes = after(text, "neighbors");
    char known[PEN_PARAM_SIZE] = "";
    int64_t neighbors = USUAL_NEIGHBORS;
    int kind = 0;

    while (pen_classifier_names[kind]
           && !pen_name_equal(votes ? "neighbors" : text, pen_classifier_names[kind]))
        kind++;
    if (!pen_classifier_names[kind]) {
        for (int k = 0; pen_classifier_names[k]; k++)
            add(known, sizeof known, ", ", pen_classifier_names[k], 0);
        return pen_error_set(err, PEN_UNKNOWN_NAME,
                             "%s must be one of %s, or neighbors:K; got \"%.60s\"", param->name,
                             known, text);
    }
    if (votes && !read_whole(votes, strlen(votes), 1, MOST_WHOLE, &neighbors))
        return pen_error_set(err, PEN_BAD_ARGUMENT,
                             "%s neighbors:K must have a whole number >= 1, got \"%.60s\"",
                             param->name, text);
    to->kind = (enum pen_classifier_kind)kind;
    to->neighbors = neighbors;
    return PEN_OK;
}

static void write_classifier(const void *record, char *text, size_t size)
{
    const pen_classifier_params *const p = &((const pen_common *)record)->classifier;
    const int votes = p->kind == PEN_CLASSIFIER_NEIGHBORS && p->neighbors != USUAL_NEIGHBORS;

    *text = '\0';
    add(text, size, "", pen_classifier_names[p->kind], votes ? (double)p->neighbors : 0);
}

const pen_text_form pen_classifier_form = { read_classifier, write_classifier, .list = 0 };

/* ---- space ---- */

static pen_status read_space(const pen_param *param, void *record, const char *text, pen_error *err)
{
    pen_reconstruction_rules *const to = (pen_reconstruction_rules *)record;
    const char *const number = after(text, "relative");
    int64_t landmarks = PEN_SPACE_RELATIVE;

    if (strcmp(text, "plain") == 0)
        landmarks = PEN_SPACE_PLAIN;
    else if (strcmp(text, "relative") != 0
             && !(number && read_whole(number, strlen(number), 1, MOST_WHOLE, &landmarks)))
        return pen_error_set(err, PEN_BAD_ARGUMENT,
                             "%s must be plain, relative, or relative:LANDMARKS, such as "
                             "relative:100; got \"%.60s\"",
                             param->name, text);
    to->landmarks = landmarks;
    return PEN_OK;
}

static void write_space(const void *record, char *text, size_t size)
{
    const int64_t landmarks = ((const pen_reconstruction_rules *)record)->landmarks;

    *text = '\0';
    add(text, size, "", landmarks == PEN_SPACE_PLAIN ? "plain" : "relative", (double)landmarks);
}

const pen_text_form pen_space_form = { read_space, write_space, .list = 0 };
