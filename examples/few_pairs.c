/* few_pairs.c - shows the gain from a few pairs. An example of the C library, and the second part
 * of
 * `make demo`.
 *
 *   few_pairs DATA.csv MUST_LINKS CANNOT_LINKS DRAWS FOLDER [PARAMETER VALUE]
 *
 * reads rows with a last column "class", draws MUST_LINKS pairs of rows with the same class and
 * CANNOT_LINKS pairs with different classes, forgets the labels, learns two dimensions from rows
 * and pairs by several methods with default parameters, and classifies every row outside the pairs
 * by its nearest other row. Prints the accuracy for the first draw and its mean over all draws, and
 * writes the first draw into FOLDER: known.txt (the classes of rows in pairs; ?: not in a pair),
 * truth.txt, METHOD.csv. PARAMETER must be common to all methods, such as scale. */
#include <penumbra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = { "pca", "ssdr", "bwdr", "cfld", "wbdr" };
enum { METHODS = sizeof methods / sizeof methods[0], DIM = 2 };

/* Learns from all rows and the pairs; embeds all rows into z [n x DIM]. */
static pen_status embed(const char *method, char **more, const pen_array *x, const pen_pairs *p,
                        double *z, pen_error *err)
{
    const pen_data data = { .x = *x,
                            .must_link = p->must_link,
                            .must_link_count = p->must_link_count,
                            .cannot_link = p->cannot_link,
                            .cannot_link_count = p->cannot_link_count };
    const pen_data rows = { .x = *x }; /* PCA takes no pairs */
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_status status = pen_spec_new(method, &spec, err);

    if (status == PEN_OK)
        status = pen_spec_set_number(spec, "dim", DIM, err);
    if (status == PEN_OK && more[0])
        status = pen_spec_set(spec, more[0], more[1], err);
    if (status == PEN_OK)
        status = pen_fit(spec, strcmp(method, "pca") == 0 ? &rows : &data, NULL, &model, err);
    if (status == PEN_OK)
        status = pen_transform(model, x, NULL, PEN_F64, z, DIM, err);
    pen_model_free(model);
    pen_spec_free(spec);
    return status;
}

/* paired[i]: the class of row i if it is in a pair, otherwise PEN_UNLABELLED. */
static void mark(const pen_table *table, const pen_pairs *p, int32_t *paired)
{
    for (int64_t i = 0; i < table->x.rows; i++)
        paired[i] = PEN_UNLABELLED;
    for (int64_t k = 0; k < 2 * p->must_link_count; k++)
        paired[p->must_link[k]] = table->labels[p->must_link[k]];
    for (int64_t k = 0; k < 2 * p->cannot_link_count; k++)
        paired[p->cannot_link[k]] = table->labels[p->cannot_link[k]];
}

/* The fraction of rows outside the pairs whose nearest other row has their class. */
static double accuracy(const pen_table *table, const int32_t *paired, const double *z)
{
    int64_t right = 0, asked = 0;
    for (int64_t i = 0; i < table->x.rows; i++) {
        double nearest = INFINITY;
        int32_t guess = PEN_UNLABELLED;
        if (paired[i] != PEN_UNLABELLED)
            continue;
        for (int64_t j = 0; j < table->x.rows; j++) {
            const double u = z[i * DIM] - z[j * DIM], v = z[i * DIM + 1] - z[j * DIM + 1];
            if (j != i && u * u + v * v < nearest) {
                nearest = u * u + v * v;
                guess = table->labels[j];
            }
        }
        right += guess == table->labels[i];
        asked++;
    }
    return (double)right / (double)asked;
}

static pen_status write_first(const char *folder, const char *name, const double *z, int64_t n,
                              pen_error *err)
{
    const pen_array array = pen_dense(z, PEN_F64, n, DIM, DIM);
    char path[512];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    return pen_write(path, &array, NULL, err);
}

static int write_classes(const char *folder, const char *name, const pen_table *table,
                         const int32_t *labels)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    for (int64_t i = 0; i < table->x.rows; i++)
        fprintf(file, "%s\n", labels[i] == PEN_UNLABELLED ? "?" : table->class_names[labels[i]]);
    return fclose(file) == 0;
}

static int fail(const char *message)
{
    fprintf(stderr, "few_pairs: %s\n", message);
    return 1;
}

int main(int argc, char **argv)
{
    const pen_read_options options = { .label_column = "class" };
    double first[METHODS], sum[METHODS] = { 0 };
    pen_table *table = NULL;
    pen_error err;

    if (argc != 6 && argc != 8)
        return fail(
            "usage: few_pairs DATA.csv MUST_LINKS CANNOT_LINKS DRAWS FOLDER [PARAMETER VALUE]");
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%.20s+%.20s", argv[2], argv[3]);
    const int64_t draws = atoll(argv[4]);
    if (pen_read(argv[1], &options, &table, &err))
        return fail(err.message);
    const int64_t n = table->x.rows;
    int32_t *paired = malloc((size_t)n * sizeof *paired);
    double *z = malloc((size_t)(n * DIM) * sizeof *z);
    if (!paired || !z)
        return fail("out of memory");
    for (int64_t draw = 0; draw < draws; draw++) {
        pen_pairs *p;
        if (pen_sample_pairs(table->labels, n, wanted, (uint64_t)draw, NULL, &p, &err))
            return fail(err.message);
        mark(table, p, paired);
        if (draw == 0
            && (!write_classes(argv[5], "known", table, paired)
                || !write_classes(argv[5], "truth", table, table->labels)))
            return fail("the classes cannot be written");
        for (int m = 0; m < METHODS; m++) {
            if (embed(methods[m], argv + 6, &table->x, p, z, &err))
                return fail(err.message);
            const double share = accuracy(table, paired, z);
            sum[m] += share;
            if (draw > 0)
                continue;
            first[m] = share;
            if (write_first(argv[5], methods[m], z, n, &err))
                return fail(err.message);
        }
        pen_pairs_free(p);
    }
    printf("%s: %lld rows, %lld columns", argv[1], (long long)n, (long long)table->x.cols);
    if (argc > 6)
        printf(", %s %s", argv[6], argv[7]);
    printf("; %s must-links and %s cannot-links known, two dimensions learned\n", argv[2], argv[3]);
    printf("1-NN accuracy on rows in no pair     this draw   mean of %lld draws\n",
           (long long)draws);
    for (int m = 0; m < METHODS; m++)
        printf("  %-33s  %8.3f   %8.3f\n", methods[m], first[m], sum[m] / (double)draws);
    free(paired);
    free(z);
    pen_table_free(table);
    return 0;
}
