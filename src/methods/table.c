/* table.c - the list of methods, and the parameters of every method. */
#include "classifiers/class_prior.h"
#include "classifiers/classifier.h"
#include "kernels/kernel_map.h"
#include "kernels/landmarks.h"
#include "methods/method.h"

/* All methods, one line each, in the order of listings. */
#define PEN_METHODS(X)                                                                             \
    X(none)                                                                                        \
    X(pca)                                                                                         \
    X(fda)                                                                                         \
    X(lfda)                                                                                        \
    X(lol)                                                                                         \
    X(self)                                                                                        \
    X(bwdr)                                                                                        \
    X(wbdr)                                                                                        \
    X(ssdr)                                                                                        \
    X(cmm)                                                                                         \
    X(cfld)                                                                                        \
    X(rca)                                                                                         \
    X(sodrpac)                                                                                     \
    X(clpp)                                                                                        \
    X(sda)                                                                                         \
    X(lpp)                                                                                         \
    X(ilpp)                                                                                        \
    X(self_ilpp)                                                                                   \
    X(self_mix)                                                                                    \
    X(rssdr)                                                                                       \
    X(npssdr)                                                                                      \
    X(saloe)                                                                                       \
    X(salwe)                                                                                       \
    X(tr_fsda)                                                                                     \
    X(soda)                                                                                        \
    X(stsd)                                                                                        \
    X(ssda)                                                                                        \
    X(fme)                                                                                         \
    X(soge)                                                                                        \
    X(asl)

#define DECLARE(name) extern const pen_method pen_method_##name;
#define ADDRESS(name) &pen_method_##name,

PEN_METHODS(DECLARE)

static const pen_method *const table[] = { PEN_METHODS(ADDRESS) };

static const char *const scale_names[] = { "none", "standard", "minmax", "auto", NULL };
static const char *const pca_scale_names[] = { "none", "unit", NULL };
static const char *const normalize_names[] = { "none", "l2", NULL };
static const pen_word dim_words[] = { { "all", 0 }, { NULL, 0 } };
const pen_word pen_pca_words[] = { { "off", 0 }, { "rank", (double)INFINITY }, { NULL, 0 } };
const pen_word pen_auto_besides_0[] = { { "auto", -1 }, { NULL, 0 } };
const pen_word pen_same_words[] = { { "same", -1 }, { NULL, 0 } };
const pen_word pen_auto_words[] = { { "auto", 0 }, { NULL, 0 } };

static const pen_word off_words[] = { { "off", 0 }, { NULL, 0 } };
static const pen_word total_words[] = { { "off", 0 }, { "median", -1 }, { NULL, 0 } };
static const pen_word gamma_words[] = {
    { "auto", -1 }, { "auto/4", -0.25 }, { "auto*4", -4 }, { NULL, 0 }
};
static const pen_word landmark_words[] = { { "auto", PEN_LANDMARKS_AUTO },
                                           { "all", PEN_LANDMARKS_ALL },
                                           { NULL, 0 } };

static const pen_word temperature_words[] = { { "auto", PEN_TEMPERATURE_AUTO },
                                              { "none", 0 },
                                              { NULL, 0 } };
enum { MOST_TEMPERATURE = 1000000 };

const pen_param pen_common_params[] = {
    PEN_ROW(pen_common, dim, "dim", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT,
            .words = dim_words, .help = "dimensions of the embedding; all: all the method gives"),
    PEN_FLAG(pen_common, allow_fewer, "take fewer dimensions where dim is more than there are"),
    PEN_ROW(pen_common, row.total, "row_total", PEN_PARAM_REAL, .initial = 0, .open = PEN_OPEN_MIN,
            .max = PEN_NO_LIMIT, .words = total_words,
            .help = "first, divide rows by their sum and multiply by this (counts); median: of the "
                    "sums of rows"),
    PEN_ROW(pen_common, row.log1p, "log1p", PEN_PARAM_FLAG, .max = 1,
            .help = "then, ln(1 + x) of each value x"),
    PEN_ROW(pen_common, row.idf, "idf", PEN_PARAM_FLAG, .max = 1,
            .help = "then, weigh columns by inverse document frequency (texts)"),
    PEN_ROW(pen_common, row.snv, "snv", PEN_PARAM_FLAG, .max = 1,
            .help = "then, subtract from each row its mean and divide it by its standard deviation "
                    "(spectra)"),
    PEN_ROW(pen_common, row.derivative, "derivative", PEN_PARAM_INT, .min = 3, .max = PEN_NO_LIMIT,
            .words = off_words,
            .help =
                "then, the derivative by the column, of parabolas in windows of this odd number "
                "of columns (Savitzky-Golay; spectra)"),
    PEN_ROW(pen_common, row.select, "select", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT,
            .words = dim_words, .help = "then, keep this number of columns of largest variance"),
    PEN_CHOICE(pen_common, normalize, normalize_names, PEN_NORMALIZE_NONE,
               "then, scale rows to length one"),
    PEN_ROW(pen_common, scale, "scale", PEN_PARAM_CHOICE, .initial = PEN_SCALE_AUTO,
            .choices = scale_names, .grid = "auto none standard",
            .help = "then, scale columns to standard deviation one (standard), to range one "
                    "(minmax), or just where their units differ much (auto)"),
    PEN_ROW(pen_common, kernel.kind, "kernel", PEN_PARAM_CHOICE, .initial = PEN_KERNEL_NONE,
            .choices = pen_kernel_names,
            .help = "then, coordinates whose products are kernel values: a nonlinear map; "
                    "precomputed: the rows are kernel values"),
    PEN_ROW(pen_common, kernel.gamma, "kernel_gamma", PEN_PARAM_REAL, .initial = -1,
            .open = PEN_OPEN_MIN, .max = PEN_NO_LIMIT, .words = gamma_words,
            .grid = "auto/4 auto auto*4",
            .help = "scale of the rbf, laplacian and polynomial kernels; auto: 1 / median distance "
                    "or squared length"),
    PEN_ROW(pen_common, kernel.degree, "kernel_degree", PEN_PARAM_INT, .initial = 3, .min = 1,
            .max = PEN_NO_LIMIT, .help = "degree of the polynomial kernel"),
    PEN_ROW(pen_common, kernel.coef0, "kernel_coef0", PEN_PARAM_REAL, .initial = 1,
            .max = PEN_NO_LIMIT, .help = "constant of the polynomial kernel"),
    PEN_ROW(pen_common, kernel.landmarks, "kernel_landmarks", PEN_PARAM_INT,
            .initial = PEN_LANDMARKS_AUTO, .min = 1, .max = PEN_MOST_LANDMARKS,
            .words = landmark_words,
            .help = "rows that the kernel is computed with; auto: all, at most 1000"),
    PEN_ROW(pen_common, kernel.choice, "kernel_choice", PEN_PARAM_CHOICE,
            .initial = PEN_LANDMARKS_CHOLESKY, .choices = pen_landmark_choice_names,
            .help = "landmarks by randomly pivoted Cholesky, or drawn at random"),
    PEN_ROW(pen_common, kernel.ridge, "kernel_ridge", PEN_PARAM_REAL, .initial = 0,
            .max = PEN_NO_LIMIT,
            .help = "penalty on the coefficients of landmarks in the denominator, in units of "
                    "squared kernel values"),
    PEN_ROW(pen_common, kernel.seed, "kernel_seed", PEN_PARAM_INT, .initial = 0, .min = 0,
            .max = PEN_NO_LIMIT, .help = "of the choice of landmarks"),
    PEN_PCA(0, NULL),
    PEN_ROW(pen_common, pca_most, "pca_most", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT,
            .words = dim_words, .help = "maximum number of principal components"),
    PEN_ROW(pen_common, pca_scale, "pca_scale", PEN_PARAM_CHOICE, .initial = PEN_PCA_SCALE_NONE,
            .choices = pca_scale_names,
            .help = "unit: divide all components by one number, their root mean square"),
    PEN_ROW(pen_common, classifier.kind, "classifier", PEN_PARAM_CHOICE,
            .initial = PEN_CLASSIFIER_AUTO, .choices = pen_classifier_names,
            .help = "how classes are read from the embedding; auto: scores where the method has "
                    "them, else lda"),
    PEN_ROW(pen_common, classifier.neighbors, "classifier_neighbors", PEN_PARAM_INT, .initial = 5,
            .min = 1, .max = PEN_NO_LIMIT,
            .help = "labelled rows that vote in classifier neighbors"),
    PEN_ROW(pen_common, classifier.prior, "prior", PEN_PARAM_CHOICE, .initial = PEN_PRIOR_AUTO,
            .choices = pen_prior_names,
            .help = "shares of classes that classifiers scores, lda, self-training and logistic "
                    "expect: found from unlabelled rows, as among the labels, or equal; none: raw "
                    "scores"),
    PEN_ROW(pen_common, classifier.temperature, "temperature", PEN_PARAM_REAL,
            .initial = PEN_TEMPERATURE_AUTO, .open = PEN_OPEN_MIN, .max = MOST_TEMPERATURE,
            .words = temperature_words,
            .help = "probabilities become p^(1/T), divided by their sum; auto: found by hiding "
                    "labels"),
    PEN_PARAMS_END,
};

const pen_param pen_common_of_scores[] = { PEN_DIM_AUTO("always the number of classes"),
                                           PEN_PARAMS_END };

int64_t pen_method_count(void)
{
    return (int64_t)(sizeof table / sizeof table[0]);
}

const pen_method *pen_method_at(int64_t index)
{
    return index >= 0 && index < pen_method_count() ? table[index] : NULL;
}

const pen_method *pen_method_named(const char *name)
{
    for (int64_t i = 0; name && i < pen_method_count(); i++)
        if (pen_name_equal(table[i]->name, name))
            return table[i];
    return NULL;
}

const char *pen_method_name(const pen_method *method)
{
    return method ? method->name : NULL;
}

const char *pen_method_title(const pen_method *method)
{
    return method ? method->title : NULL;
}

const char *pen_method_cite(const pen_method *method)
{
    return method ? method->cite : NULL;
}

const char *pen_method_dims(const pen_method *method)
{
    return method ? method->dims : NULL;
}

const char *pen_method_not_for(const pen_method *method)
{
    return !method ? NULL : method->not_for ? method->not_for : "";
}

const char *pen_method_cost(const pen_method *method)
{
    return method ? method->cost : NULL;
}

pen_source pen_method_source(const pen_method *method)
{
    return method ? method->source : PEN_SOURCE_PAPER;
}

int pen_method_traits(const pen_method *method)
{
    return method ? method->traits : 0;
}

int pen_method_parts(const pen_method *method)
{
    const int traits = method ? method->traits : 0, labels = traits & PEN_LABELS;

    if (traits & PEN_MERGES)
        return PEN_PART_TOTAL | (labels ? PEN_PART_CLASSES : 0);
    if (traits & PEN_MERGES_ROWS)
        return PEN_PART_TOTAL | PEN_PART_ROWS
               | (labels && traits & PEN_NEIGHBORS ? PEN_PART_NEAREST : 0);
    return 0;
}

int64_t pen_method_own_params(const pen_method *method)
{
    int64_t count = 0;
    while (method && method->params[count].name)
        count++;
    return count;
}

const pen_param *pen_method_param(const pen_method *method, int64_t index)
{
    const int64_t own = pen_method_own_params(method);
    if (!method || index < 0)
        return NULL;
    if (index < own)
        return &method->params[index];
    for (int64_t i = 0; pen_common_params[i].name; i++)
        if (i == index - own) {
            const pen_param *const mine =
                method->common ? pen_param_find(method->common, pen_common_params[i].name) : NULL;
            return mine ? mine : &pen_common_params[i];
        }
    return NULL;
}
