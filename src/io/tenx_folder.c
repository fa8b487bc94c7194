/* tenx_folder.c - the folder filtered_feature_bc_matrix of Cell Ranger, and its older form with
 * genes.tsv. The matrix is genes x cells, so its columns become the rows. */
#include "io/matrix_market.h"
#include "io/tenx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENDINGS = 3, PARTS = 3, MATRIX = 0, BARCODES, FEATURES };

/* ---- unique names ---- */

struct named {
    pen_text name;
    int64_t at;
};

static int by_name(const void *left, const void *right)
{
    const struct named *const a = left, *const b = right;
    const size_t least = a->name.length < b->name.length ? a->name.length : b->name.length;
    const int order = least > 0 ? memcmp(a->name.start, b->name.start, least) : 0;

    if (order)
        return order;
    return a->name.length != b->name.length ? (a->name.length > b->name.length ? 1 : -1)
                                            : (a->at > b->at) - (a->at < b->at);
}

static int is_there(const struct named *sorted, int64_t count, pen_text name)
{
    int64_t low = 0, high = count;
    const struct named wanted = { name, -1 };

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (by_name(&sorted[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && pen_text_equal(sorted[low].name, name);
}

/* NAME-k for the least k from *k on that is no other name. */
static pen_status rename_one(pen_run *run, const struct named *sorted, int64_t count, pen_text name,
                             int64_t *k, pen_text *out)
{
    enum { SUFFIX = 24 };
    char *text;

    PEN_TRY(PEN_NEW(run, text, (int64_t)name.length + SUFFIX));
    if (name.length > 0)
        memcpy(text, name.start, name.length);
    do {
        const int used = snprintf(text + name.length, SUFFIX, "-%lld", (long long)++*k);
        *out = (pen_text){ text, name.length + (size_t)used };
    } while (is_there(sorted, count, *out));
    return PEN_OK;
}

pen_status pen_names_unique(pen_run *run, pen_text *names, int64_t count)
{
    struct named *sorted;
    int64_t k = 0;

    PEN_TRY(PEN_NEW(run, sorted, count));
    for (int64_t i = 0; i < count; i++)
        sorted[i] = (struct named){ names[i], i };
    if (count > 0)
        qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    for (int64_t i = 1; i < count; i++) {
        if (pen_text_equal(sorted[i].name, sorted[i - 1].name))
            PEN_TRY(rename_one(run, sorted, count, sorted[i].name, &k, &names[sorted[i].at]));
        else
            k = 0;
    }
    return PEN_OK;
}

/* ---- the files ---- */

/* A file of the folder, and its bytes. */
struct part {
    pen_bytes bytes;
    pen_input input;
};

/* The first of FOLDER/NAME, .gz and .zst that is there. Returns NULL if none is. */
static const char *find(const char *folder, const char *name, char *path, size_t size)
{
    static const char *const endings[ENDINGS] = { "", ".gz", ".zst" };

    for (int i = 0; i < ENDINGS; i++) {
        const int length = snprintf(path, size, "%s/%s%s", folder, name, endings[i]);
        if (length > 0 && (size_t)length < size && pen_file_kind_of(path) == PEN_REGULAR_FILE)
            return path;
    }
    return NULL;
}

static pen_status read_part(pen_run *run, const char *folder, const char *name, const char *other,
                            int map, struct part *out)
{
    const size_t size = strlen(folder) + strlen(name) + 16;
    char *path;

    PEN_TRY(PEN_NEW(run, path, (int64_t)size));
    if (!find(folder, name, path, size) && !(other && find(folder, other, path, size)))
        return pen_fail(run, PEN_FILE_ERROR,
                        "%s: cannot be read: it is a directory, and not one of Cell Ranger: it has "
                        "no %s",
                        folder, name);
    return pen_input_read(run, path, map, &out->bytes, &out->input);
}

/* The cell `column` of each line, separated by tabs; the last one if there are fewer. */
static pen_status read_names(pen_run *run, const pen_input *input, int64_t column, pen_text **out,
                             int64_t *count)
{
    pen_cursor at = pen_text_open(input, 0);

    at.delimiter = '\t';
    PEN_TRY(PEN_NEW(run, *out, pen_most_rows(&at, 1)));
    *count = 0;
    while (pen_next_line(&at)) {
        enum pen_follows then = PEN_CELL;
        for (int64_t j = 0; then == PEN_CELL; j++) {
            pen_cell cell;
            then = pen_next_cell(&at, &cell);
            if (then == PEN_MALFORMED)
                return pen_malformed(run, input->name, &at);
            if (j <= column)
                (*out)[*count] = cell.text;
        }
        ++*count;
    }
    return PEN_OK;
}

static pen_status read_table(pen_run *run, const struct part *parts, const char *folder,
                             const pen_read_options *options, pen_table *table)
{
    pen_row_texts texts = { .names = NULL };
    pen_input matrix = parts[MATRIX].input;
    pen_text *cells, *genes;
    int64_t cell_count, gene_count;
    pen_market market;

    PEN_TRY(pen_market_open(run, &matrix, &market));
    PEN_TRY(read_names(run, &parts[BARCODES].input, 0, &cells, &cell_count));
    PEN_TRY(read_names(run, &parts[FEATURES].input, 1, &genes, &gene_count));
    PEN_REQUIRE(run, market.cols == cell_count && market.rows == gene_count, PEN_BAD_DATA,
                "%s: the matrix is %lld genes x %lld cells, but there are %lld genes and %lld "
                "barcodes",
                folder, (long long)market.rows, (long long)market.cols, (long long)gene_count,
                (long long)cell_count);
    PEN_TRY(pen_names_unique(run, genes, gene_count));
    texts.names = cells;
    return pen_market_table(run, &matrix, options, &market, 1, &texts, genes, table);
}

pen_status pen_tenx_folder(pen_run *run, const char *folder, const pen_read_options *options,
                           pen_table *table)
{
    static const char *const names[PARTS][2] = { { "matrix.mtx", NULL },
                                                 { "barcodes.tsv", NULL },
                                                 { "features.tsv", "genes.tsv" } };
    struct part parts[PARTS] = { 0 };
    pen_status status = PEN_OK;

    PEN_REQUIRE(run,
                !options->label_column && !options->row_name_column && options->keep_count == 0,
                PEN_UNKNOWN_NAME,
                "%s: a directory of Cell Ranger has no such columns; --labels "
                "takes the labels from a file",
                folder);
    for (int i = 0; i < PARTS && status == PEN_OK; i++)
        status = read_part(run, folder, names[i][0], names[i][1], i == MATRIX && options->map,
                           &parts[i]);
    if (status == PEN_OK)
        status = read_table(run, parts, folder, options, table);
    for (int i = 0; i < PARTS; i++)
        pen_bytes_free(&parts[i].bytes);
    return status;
}
