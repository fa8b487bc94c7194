/* few_labels.c - shows the gain from a few labels. An example of the C library, and the first part
 * of
 * `make demo`.
 *
 *   few_labels DATA.csv LABELS_PER_CLASS DRAWS FOLDER [PARAMETER VALUE]
 *
 * reads rows with a last column "class", hides all labels but a few of each class, learns two
 * dimensions by PCA, FDA, LFDA and SELF, and classifies the rows with hidden labels by their
 * nearest labelled row in two dimensions. Prints the accuracy for the first draw of labels and its
 * mean over all draws, and writes the first draw into FOLDER: known.txt and truth.txt (labels; ?:
 * hidden), METHOD.csv. PARAMETER must be common to all methods, such as scale. */
#include <penumbra/files.h>
#include <penumbra/model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameters of each method: the best values for the digits of `make demo`, from ridge 0.01 to
 * 10 and beta 0.1 to 0.999. Few labels make the within-class scatter singular, so FDA and LFDA need
 * a ridge; in SELF, beta acts as one. */
struct setting {
    const char *method;
    const char *names[2], *values[2];
};
static const struct setting settings[] = {
    { "pca", { NULL }, { NULL } },
    { "fda", { "ridge" }, { "10" } },
    { "lfda", { "ridge" }, { "10" } },
    { "self", { "beta" }, { "0.5" } },
};
enum { METHODS = sizeof settings / sizeof settings[0], DIM = 2 };

/* A random number below n; the generator is SplitMix64. */
static int64_t below(uint64_t *state, int64_t n)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)n);
}

/* known[i] is the label of row i for `each` random rows of every class, otherwise
 * PEN_UNLABELLED. */
static void hide_labels(const pen_table *table, int64_t each, uint64_t seed, int32_t *known)
{
    const int64_t n = table->x.rows;
    for (int64_t i = 0; i < n; i++)
        known[i] = PEN_UNLABELLED;
    for (int32_t c = 0; c < table->class_count; c++)
        for (int64_t left = each; left > 0;) {
            const int64_t i = below(&seed, n);
            if (table->labels[i] == c && known[i] == PEN_UNLABELLED) {
                known[i] = c;
                left--;
            }
        }
}

/* Learns from all rows and the known labels; embeds all rows into z [n x DIM]. */
static pen_status embed(const struct setting *how, char **more, const pen_table *table,
                        const int32_t *known, double *z, pen_error *err)
{
    const pen_data data = { .x = table->x, .labels = known };
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_status status = pen_spec_new(how->method, &spec, err);

    if (status == PEN_OK)
        status = pen_spec_set_number(spec, "dim", DIM, err);
    for (int i = 0; status == PEN_OK && how->names[i]; i++)
        status = pen_spec_set(spec, how->names[i], how->values[i], err);
    if (status == PEN_OK && more[0])
        status = pen_spec_set(spec, more[0], more[1], err);
    if (status == PEN_OK)
        status = pen_fit(spec, &data, NULL, &model, err);
    if (status == PEN_OK)
        status = pen_transform(model, &table->x, NULL, PEN_F64, z, DIM, err);
    pen_model_free(model);
    pen_spec_free(spec);
    return status;
}

/* 1-NN accuracy on the rows with hidden labels. */
static double accuracy(const pen_table *table, const int32_t *known, const double *z)
{
    int64_t right = 0, hidden = 0;
    for (int64_t i = 0; i < table->x.rows; i++) {
        double nearest = INFINITY;
        int32_t guess = PEN_UNLABELLED;
        if (known[i] != PEN_UNLABELLED)
            continue;
        for (int64_t j = 0; j < table->x.rows; j++) {
            const double u = z[i * DIM] - z[j * DIM], v = z[i * DIM + 1] - z[j * DIM + 1];
            if (known[j] != PEN_UNLABELLED && u * u + v * v < nearest) {
                nearest = u * u + v * v;
                guess = known[j];
            }
        }
        right += guess == table->labels[i];
        hidden++;
    }
    return (double)right / (double)hidden;
}

static int write_labels(const char *folder, const char *name, const pen_table *table,
                        const int32_t *labels)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    for (int64_t i = 0; i < table->x.rows; i++)
        fprintf(file, "%s\n", labels[i] == PEN_UNLABELLED ? "?" : table->class_names[labels[i]]);
    return fclose(file) == 0;
}

static pen_status write_embedding(const char *folder, const char *method, const double *z,
                                  int64_t n, pen_error *err)
{
    const pen_array array = pen_dense(z, PEN_F64, n, DIM, DIM);
    char path[512];
    snprintf(path, sizeof path, "%s/%s.csv", folder, method);
    return pen_write(path, &array, NULL, err);
}

static int fail(const char *message)
{
    fprintf(stderr, "few_labels: %s\n", message);
    return 1;
}

int main(int argc, char **argv)
{
    const pen_read_options options = { .label_column = "class" };
    double first[METHODS], sum[METHODS] = { 0 };
    pen_table *table = NULL;
    pen_error err;

    if (argc != 5 && argc != 7)
        return fail("usage: few_labels DATA.csv LABELS_PER_CLASS DRAWS FOLDER [PARAMETER VALUE]");
    const int64_t each = atoll(argv[2]), draws = atoll(argv[3]);
    if (pen_read(argv[1], &options, &table, &err))
        return fail(err.message);
    const int64_t n = table->x.rows;
    int32_t *known = malloc((size_t)n * sizeof *known);
    double *z = malloc((size_t)(n * DIM) * sizeof *z);
    if (!known || !z)
        return fail("out of memory");
    for (int64_t draw = 0; draw < draws; draw++) {
        hide_labels(table, each, (uint64_t)draw, known);
        if (draw == 0
            && (!write_labels(argv[4], "known.txt", table, known)
                || !write_labels(argv[4], "truth.txt", table, table->labels)))
            return fail("the labels cannot be written");
        for (int m = 0; m < METHODS; m++) {
            if (embed(&settings[m], argv + 5, table, known, z, &err))
                return fail(err.message);
            const double share = accuracy(table, known, z);
            sum[m] += share;
            if (draw > 0)
                continue;
            first[m] = share;
            if (write_embedding(argv[4], settings[m].method, z, n, &err))
                return fail(err.message);
        }
    }
    printf("%s: %lld rows, %lld columns, %lld classes; %lld labels per class known, two dimensions "
           "learned\n",
           argv[1], (long long)n, (long long)table->x.cols, (long long)table->class_count,
           (long long)each);
    printf("1-NN accuracy on the hidden labels   this draw   mean of %lld draws\n",
           (long long)draws);
    for (int m = 0; m < METHODS; m++)
        printf("  %-33s  %8.3f   %8.3f\n", settings[m].method, first[m], sum[m] / (double)draws);
    free(known);
    free(z);
    pen_table_free(table);
    return 0;
}
