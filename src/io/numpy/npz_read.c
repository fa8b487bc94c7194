/* npz_read.c - reads rows from .npz archives: sparse rows from scipy.sparse.save_npz; or one array
 * from numpy.savez, which is the only one or ARCHIVE::NAME; with labels and names from the same
 * archive. */
#include "io/numpy/npy.h"
#include "io/numpy/npz.h"
#include "io/numpy/zip.h"
#include "io/table/csr_table.h"
#include "io/table/row_table.h"

#include <string.h>

enum { LIST_SIZE = 160 };

static int ends_in_npy(pen_text name)
{
    return name.length > 4 && memcmp(name.start + name.length - 4, ".npy", 4) == 0;
}

/* ---- members ---- */

/* An array that describes the rows, unless it is the only array. NULL: absent, or the caller names
 * another array. */
static const pen_packed *part_named(const pen_archive *all, const char *name)
{
    return all->count > 1 && !all->input->member ? pen_unzip_find(all, name) : NULL;
}

static int is_part(const pen_archive *all, const pen_packed *file)
{
    return file == part_named(all, PEN_NPZ_LABELS) || file == part_named(all, PEN_NPZ_ROW_NAMES)
           || file == part_named(all, PEN_NPZ_COLUMN_NAMES);
}

/* The names without .npy, separated by commas, as many as fit. */
static const char *list_names(const pen_archive *all, char list[LIST_SIZE])
{
    list[0] = '\0';
    for (int64_t i = 0; i < all->count; i++) {
        const pen_text name = all->files[i].name;
        if (ends_in_npy(name))
            pen_list_add(list, LIST_SIZE, (pen_text){ name.start, name.length - 4 });
    }
    return list;
}

/* Chooses the array to read. */
static pen_status choose(pen_run *run, const pen_archive *all, const pen_packed **out)
{
    const pen_input *const input = all->input;
    const pen_text wanted = pen_text_of(input->member ? input->member : "");
    int64_t arrays = 0;
    char list[LIST_SIZE];

    for (int64_t i = 0; i < all->count; i++) {
        const pen_packed *const file = &all->files[i];
        const pen_text name = file->name, bare = { name.start, name.length - 4 };
        if (!ends_in_npy(name) || is_part(all, file)
            || (input->member && !pen_text_equal(name, wanted) && !pen_text_equal(bare, wanted)))
            continue;
        *out = file;
        arrays++;
        if (input->member)
            return PEN_OK;
    }
    PEN_REQUIRE(run, !input->member, PEN_UNKNOWN_NAME, "%s: no array \"%s\"; the arrays are %s",
                input->name, input->member, list_names(all, list));
    PEN_REQUIRE(run, arrays == 1, PEN_UNKNOWN_NAME,
                "%s: has several arrays; FILE::NAME selects one: %s", input->name,
                list_names(all, list));
    return PEN_OK;
}

/* Reads a file of the archive; its input names the columns. */
static pen_status read_file(pen_run *run, const pen_archive *all, const pen_packed *file,
                            const pen_read_options *options, pen_reader reader, pen_table *table)
{
    pen_bytes expanded = { NULL, 0, 0 };
    pen_input array;

    pen_status status = pen_unzip(run, all, file, &expanded, &array);
    if (status == PEN_OK) {
        array.header = all->input->header;
        array.header_count = all->input->header_count;
        status = reader(run, &array, options, table);
    }
    pen_bytes_free(&expanded);
    return status;
}

/* Reads the texts of an array of names. */
static pen_status read_names(pen_run *run, const pen_archive *all, const pen_packed *file,
                             pen_text **names, int64_t *count)
{
    pen_input array;
    pen_npy npy;

    PEN_TRY(pen_unzip(run, all, file, NULL, &array));
    PEN_TRY(pen_npy_open_any(run, &array, &npy));
    PEN_TRY(pen_npy_fits(run, &array, &npy));
    PEN_REQUIRE(run, npy.cols == 1, PEN_BAD_FORMAT,
                "%s: names must have one dimension, got the shape %lld x %lld", array.name,
                (long long)npy.rows, (long long)npy.cols);
    *count = npy.rows;
    return pen_npy_texts(run, &array, &npy, "name", names);
}

/* ---- sparse ---- */

/* The parts of a sparse matrix. */
struct matrix {
    const char *name; /* of the archive */
    int by_columns;   /* csc form */
    int lists;        /* coo form */
    int64_t rows, cols, count;
    const int64_t *starts; /* [rows + 1], or [cols + 1], from 0 to count; NULL: lists */
    pen_npy indices, values;
    pen_npy majors; /* lists: the row of each value; `indices` has its column */
};

static pen_status find_part(pen_run *run, const pen_archive *all, const char *part,
                            const pen_packed **out)
{
    *out = pen_unzip_find(all, part);
    PEN_REQUIRE(run, *out, PEN_BAD_FORMAT,
                "%s: not a sparse matrix from scipy.sparse.save_npz: %s is missing",
                all->input->name, part);
    return PEN_OK;
}

/* Opens an array of one dimension, of whole numbers or any numbers. */
static pen_status open_part(pen_run *run, const pen_archive *all, const char *part, int whole,
                            pen_npy *out)
{
    const pen_packed *file;
    pen_input array;

    PEN_TRY(find_part(run, all, part, &file));
    PEN_TRY(pen_unzip(run, all, file, NULL, &array));
    PEN_TRY(pen_npy_open(run, &array, out));
    PEN_TRY(pen_npy_fits(run, &array, out));
    PEN_REQUIRE(run, out->dims == 1 && (!whole || out->kind == 'i' || out->kind == 'u'),
                PEN_BAD_FORMAT, "%s: must be %s with one dimension", array.name,
                whole ? "whole numbers" : "an array");
    return PEN_OK;
}

static pen_status read_form(pen_run *run, const pen_archive *all, struct matrix *m)
{
    char quoted[PEN_QUOTE_SIZE];
    const pen_packed *file;
    pen_text *texts;
    int64_t count;

    PEN_TRY(find_part(run, all, "format.npy", &file));
    PEN_TRY(read_names(run, all, file, &texts, &count));
    const pen_text form = count > 0 ? *texts : pen_text_of("");
    m->by_columns = pen_text_equal(form, pen_text_of("csc"));
    m->lists = pen_text_equal(form, pen_text_of("coo"));
    PEN_REQUIRE(run, m->by_columns || m->lists || pen_text_equal(form, pen_text_of("csr")),
                PEN_BAD_FORMAT,
                "%s: the sparse matrix must be in the form csr, csc or coo, got %s; save "
                "matrix.tocsr()",
                m->name, pen_quote(form, quoted));
    return PEN_OK;
}

static pen_status read_starts(pen_run *run, struct matrix *m)
{
    const pen_npy *const from = &m->majors;
    int64_t *starts, last = 0;
    int is_good = 1;

    PEN_TRY(PEN_NEW(run, starts, from->rows));
    for (int64_t i = 0; i < from->rows && is_good; i++) {
        is_good = pen_npy_whole(from, (size_t)i, &starts[i]) == PEN_WHOLE
                  && (i == 0 ? starts[0] == 0 : starts[i] >= last);
        last = starts[i];
    }
    PEN_REQUIRE(run, is_good && last == m->count, PEN_BAD_FORMAT,
                "%s: the starts of its %s (indptr) must ascend from 0 to %lld, the number of "
                "values",
                m->name, m->by_columns ? "columns" : "rows", (long long)m->count);
    m->starts = starts;
    return PEN_OK;
}

static pen_status open_matrix(pen_run *run, const pen_archive *all, struct matrix *m)
{
    pen_npy shape;

    *m = (struct matrix){ .name = all->input->name };
    PEN_TRY(read_form(run, all, m));
    PEN_TRY(open_part(run, all, "shape.npy", 1, &shape));
    PEN_TRY(open_part(run, all, m->lists ? "row.npy" : "indptr.npy", 1, &m->majors));
    PEN_TRY(open_part(run, all, m->lists ? "col.npy" : "indices.npy", 1, &m->indices));
    PEN_TRY(open_part(run, all, "data.npy", 0, &m->values));
    PEN_REQUIRE(run,
                shape.rows == 2 && pen_npy_whole(&shape, 0, &m->rows) == PEN_WHOLE
                    && pen_npy_whole(&shape, 1, &m->cols) == PEN_WHOLE && m->rows >= 0
                    && m->cols >= 0,
                PEN_BAD_FORMAT, "%s: shape.npy: must be two numbers, 0 or more", m->name);
    m->count = m->values.rows;
    const int64_t starts = pen_plus(m->by_columns ? m->cols : m->rows, 1),
                  majors = m->lists ? m->count : starts;
    PEN_REQUIRE(run, m->majors.rows == majors && m->indices.rows == m->count, PEN_BAD_FORMAT,
                "%s: %s.npy must hold %lld numbers, got %lld; and %s.npy one for each of %lld "
                "values, got %lld",
                m->name, m->lists ? "row" : "indptr", (long long)majors, (long long)m->majors.rows,
                m->lists ? "col" : "indices", (long long)m->count, (long long)m->indices.rows);
    return m->lists ? PEN_OK : read_starts(run, m);
}

static pen_status walk(pen_run *run, void *context, pen_entry_table *to)
{
    const struct matrix *const m = context;
    int64_t major = 0, minor;

    for (int64_t e = 0; e < m->count; e++) {
        while (m->starts && m->starts[major + 1] <= e)
            major++;
        PEN_REQUIRE(run,
                    pen_npy_whole(&m->indices, (size_t)e, &minor) == PEN_WHOLE
                        && (m->starts || pen_npy_whole(&m->majors, (size_t)e, &major) == PEN_WHOLE),
                    PEN_BAD_FORMAT, "%s: the index of value %lld is too large", m->name,
                    (long long)e);
        PEN_TRY(pen_take_entry(to, m->by_columns ? minor : major, m->by_columns ? major : minor,
                               pen_is_counting(to) ? 0 : pen_npy_value(&m->values, (size_t)e)));
    }
    return PEN_OK;
}

static pen_status read_matrix(pen_run *run, const pen_archive *all, const pen_read_options *options,
                              pen_table *table, int64_t *count)
{
    struct matrix m;

    PEN_TRY(open_matrix(run, all, &m));
    *count = m.count;
    const pen_entries entries = { .rows = m.rows,
                                  .cols = m.cols,
                                  .dtype = pen_npy_dtype(&m.values),
                                  .walk = walk,
                                  .context = &m };
    return pen_table_entries(run, all->input, options, &entries, table);
}

pen_status pen_npz_read_sparse(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_table *table, int64_t *count)
{
    pen_archive all;

    PEN_TRY(pen_unzip_open(run, input, &all));
    return read_matrix(run, &all, options, table, count);
}

/* ---- labels and names ---- */

static pen_status check_count(pen_run *run, const pen_archive *all, const pen_table *table,
                              int64_t count, const char *what)
{
    const int64_t rows = table->x.rows + table->dropped_rows;

    PEN_REQUIRE(run, count == rows, PEN_BAD_DATA, "%s: %lld %s for %lld rows", all->input->name,
                (long long)count, what, (long long)rows);
    return PEN_OK;
}

static pen_status add_labels(pen_run *run, const pen_archive *all, const pen_read_options *options,
                             pen_table *table)
{
    const pen_packed *const file = part_named(all, PEN_NPZ_LABELS);
    const pen_table rows = *table;
    pen_read_options how = *options;

    if (!file)
        return PEN_OK;
    how.rows = &rows;
    table->dropped_rows = 0;
    PEN_TRY(read_file(run, all, file, &how, pen_read_npy_labels, table));
    const int64_t count = table->x.rows + table->dropped_rows;
    table->x = rows.x;
    return check_count(run, all, &rows, count, "labels");
}

/* The input gets the column names before its values are read. */
static pen_status add_column_names(pen_run *run, const pen_archive *all, pen_input *input)
{
    const pen_packed *const file = part_named(all, PEN_NPZ_COLUMN_NAMES);
    pen_text *names;

    if (!file)
        return PEN_OK;
    PEN_TRY(read_names(run, all, file, &names, &input->header_count));
    if (input->header_count > 0 && names[0].length == 0)
        names[0] = pen_text_of("column0"); /* in text an empty first name means row names */
    input->header = names;
    return PEN_OK;
}

/* In row order, names of dropped rows last. */
static pen_status add_row_names(pen_run *run, const pen_archive *all, pen_table *table)
{
    const pen_packed *const file = part_named(all, PEN_NPZ_ROW_NAMES);
    pen_text *names, *ordered;
    int64_t count = 0;

    if (!file)
        return PEN_OK;
    PEN_TRY(read_names(run, all, file, &names, &count));
    PEN_TRY(check_count(run, all, table, count, "row names"));
    PEN_TRY(PEN_NEW(run, ordered, count));
    for (int64_t i = 0; i < count; i++)
        ordered[i] = names[table->row_numbers ? table->row_numbers[i] : i];
    return pen_table_keep_texts(run, table, ordered, count, &table->row_names);
}

/* ---- the format ---- */

/* All sparse forms have a format and a shape; forms that cannot be read may lack the other
 * parts. */
static int is_sparse(const pen_archive *all)
{
    return !all->input->member && pen_unzip_find(all, "format.npy")
           && pen_unzip_find(all, "shape.npy");
}

pen_status pen_read_npz(pen_run *run, const pen_input *input, const pen_read_options *options,
                        pen_table *table)
{
    pen_input named = *input;
    const pen_packed *file;
    pen_archive all;
    int64_t count;

    PEN_TRY(pen_unzip_open(run, input, &all));
    PEN_TRY(add_column_names(run, &all, &named));
    all.input = &named;
    if (is_sparse(&all)) {
        PEN_TRY(read_matrix(run, &all, options, table, &count));
    } else {
        PEN_TRY(choose(run, &all, &file));
        PEN_TRY(read_file(run, &all, file, options, pen_read_npy, table));
    }
    PEN_TRY(add_row_names(run, &all, table));
    return add_labels(run, &all, options, table);
}

pen_status pen_read_npz_labels(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_table *table)
{
    const pen_packed *file;
    pen_archive all;

    PEN_TRY(pen_unzip_open(run, input, &all));
    file = part_named(&all, PEN_NPZ_LABELS);
    if (!file)
        PEN_TRY(choose(run, &all, &file));
    return read_file(run, &all, file, options, pen_read_npy_labels, table);
}
