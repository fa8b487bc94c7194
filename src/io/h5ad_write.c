/* h5ad_write.c - as anndata reads it since 0.8: every object says its kind in encoding-type, and
 * the version of that in encoding-version. */
#include "io/h5ad_write.h"

#include "io/h5.h"
#include "io/h5_library.h"
#include "io/h5ad.h"

#include <string.h>

struct job {
    const pen_table *table;
    const char *label_name;
    const char *key;
    const pen_array *z;
};

#ifdef PENUMBRA_HDF5

#include "core/array.h"

#include <stdio.h>

enum { NUMBER_NAME = 24, BLOCK_BYTES = 1 << 20 };

static pen_status failed(const pen_h5 *h5, const char *path)
{
    return pen_fail(h5->run, PEN_FILE_ERROR, "%s: %s cannot be written", h5->name, path);
}

/* ---- attributes ---- */

/* Texts have no fixed length and are UTF-8, as h5py writes them. */
static hid_t text_type(void)
{
    const hid_t type = H5Tcopy(H5T_C_S1);

    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0)
        H5Tclose(type);
    return -1;
}

/* count 0: a single text. Returns 0 on failure. */
static int add_texts(hid_t object, const char *name, const char *const *texts, int64_t count)
{
    const hsize_t size = (hsize_t)count;
    const hid_t type = text_type(),
                space = count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t id = type >= 0 && space >= 0
                         ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)
                         : -1;
    const int done = id >= 0 && H5Awrite(id, type, texts) >= 0;

    if (id >= 0)
        H5Aclose(id);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return done;
}

static int add_empty_list(hid_t object, const char *name)
{
    const hsize_t none = 0;
    const hid_t space = H5Screate_simple(1, &none, NULL);
    const hid_t id =
        space >= 0 ? H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT)
                   : -1;

    if (id >= 0)
        H5Aclose(id);
    if (space >= 0)
        H5Sclose(space);
    return id >= 0;
}

static int add_numbers(hid_t object, const char *name, const int64_t *numbers, int64_t count)
{
    const hsize_t size = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t id =
        space >= 0 ? H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const int done = id >= 0 && H5Awrite(id, H5T_NATIVE_INT64, numbers) >= 0;

    if (id >= 0)
        H5Aclose(id);
    if (space >= 0)
        H5Sclose(space);
    return done;
}

static int add_false(hid_t object, const char *name)
{
    const signed char no = 0;
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t type = H5Tenum_create(H5T_STD_I8LE); /* as h5py writes a bool */
    int done = type >= 0 && space >= 0 && H5Tenum_insert(type, "FALSE", &no) >= 0
               && H5Tenum_insert(type, "TRUE", &(signed char){ 1 }) >= 0;
    const hid_t id = done ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;

    done = id >= 0 && H5Awrite(id, type, &no) >= 0;
    if (id >= 0)
        H5Aclose(id);
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return done;
}

static int encode(hid_t object, const char *kind, const char *version)
{
    return add_texts(object, "encoding-type", &kind, 0)
           && add_texts(object, "encoding-version", &version, 0);
}

/* ---- objects ---- */

static pen_status add_group(const pen_h5 *h5, const char *path, const char *kind,
                            const char *version, hid_t *out)
{
    *out = H5Gcreate2(h5->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (*out < 0 || !encode(*out, kind, version))
        return failed(h5, path);
    return PEN_OK;
}

static pen_status add_dictionary(const pen_h5 *h5, const char *path)
{
    hid_t group;

    PEN_TRY(add_group(h5, path, "dict", "0.1.0", &group));
    H5Gclose(group);
    return PEN_OK;
}

/* A dataset of one or two dimensions that is not written yet; cols 0: one. */
static hid_t add_set(const pen_h5 *h5, const char *path, hid_t type, int64_t rows, int64_t cols)
{
    const hsize_t dims[2] = { (hsize_t)rows, (hsize_t)cols };
    const hid_t space = H5Screate_simple(cols > 0 ? 2 : 1, dims, NULL);
    const hid_t id =
        space >= 0 ? H5Dcreate2(h5->file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                   : -1;

    if (space >= 0)
        H5Sclose(space);
    return id;
}

/* All values of one dimension. */
static pen_status add_vector(const pen_h5 *h5, const char *path, hid_t type, hid_t memory,
                             const void *values, int64_t count, const char *kind)
{
    const hid_t id = add_set(h5, path, type, count, 0);
    const int done =
        id >= 0 && (count == 0 || H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0)
        && (!kind || encode(id, kind, "0.2.0"));

    if (id >= 0)
        H5Dclose(id);
    return done ? PEN_OK : failed(h5, path);
}

static pen_status add_text_vector(const pen_h5 *h5, const char *path, const char *const *texts,
                                  int64_t count)
{
    const hid_t type = text_type();
    const pen_status status = type < 0
                                  ? failed(h5, path)
                                  : add_vector(h5, path, type, type, texts, count, "string-array");

    if (type >= 0)
        H5Tclose(type);
    return status;
}

static hid_t memory_type(pen_dtype dtype)
{
    return dtype == PEN_F64   ? H5T_NATIVE_DOUBLE
           : dtype == PEN_F32 ? H5T_NATIVE_FLOAT
                              : H5T_NATIVE_UCHAR;
}

static hid_t file_type(pen_dtype dtype)
{
    return dtype == PEN_F64 ? H5T_IEEE_F64LE : dtype == PEN_F32 ? H5T_IEEE_F32LE : H5T_STD_U8LE;
}

/* Rows first .. first + count - 1. */
static int write_rows(hid_t id, const pen_array *x, int64_t first, int64_t count,
                      const void *values)
{
    const hsize_t from[2] = { (hsize_t)first, 0 }, part[2] = { (hsize_t)count, (hsize_t)x->cols };
    const hid_t space = H5Dget_space(id), memory = H5Screate_simple(2, part, NULL);
    const int done =
        space >= 0 && memory >= 0
        && H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, part, NULL) >= 0
        && H5Dwrite(id, memory_type(x->dtype), memory, space, H5P_DEFAULT, values) >= 0;

    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
    return done;
}

/* Blocks of rows, gathered, because columns may be apart. */
static pen_status add_dense(const pen_h5 *h5, const char *path, const pen_array *x)
{
    const int64_t row = pen_times(x->cols, (int64_t)pen_size(x->dtype)),
                  block = pen_max(1, BLOCK_BYTES / row);
    const hid_t id = add_set(h5, path, file_type(x->dtype), x->rows, x->cols);
    char *values;

    if (id < 0 || !encode(id, "array", "0.2.0"))
        return failed(h5, path);
    PEN_TRY(PEN_NEW(h5->run, values, pen_times(pen_min(block, x->rows), row)));
    for (int64_t i = 0; i < x->rows; i += block) {
        const int64_t count = pen_min(block, x->rows - i);
        pen_array_gather(x, NULL, i, count, 0, x->cols, x->dtype, values);
        if (!write_rows(id, x, i, count, values))
            return failed(h5, path);
    }
    H5Dclose(id);
    return PEN_OK;
}

static pen_status add_sparse(const pen_h5 *h5, const char *path, const pen_array *x)
{
    const int64_t sides[2] = { x->rows, x->cols }, count = x->starts[x->rows];
    const char *data, *indices, *starts;
    hid_t group;

    PEN_TRY(pen_h5_join(h5, path, "data", &data));
    PEN_TRY(pen_h5_join(h5, path, "indices", &indices));
    PEN_TRY(pen_h5_join(h5, path, "indptr", &starts));
    PEN_TRY(add_group(h5, path, "csr_matrix", "0.1.0", &group));
    if (!add_numbers(group, "shape", sides, 2))
        return failed(h5, path);
    H5Gclose(group);
    PEN_TRY(
        add_vector(h5, data, file_type(x->dtype), memory_type(x->dtype), x->values, count, NULL));
    PEN_TRY(add_vector(h5, indices, H5T_STD_I32LE, H5T_NATIVE_INT32, x->columns, count, NULL));
    return add_vector(h5, starts, H5T_STD_I64LE, H5T_NATIVE_INT64, x->starts, x->rows + 1, NULL);
}

/* ---- data frames ---- */

/* Texts [count]; NULL: 0, 1, 2, .. */
static pen_status add_index(const pen_h5 *h5, const char *path, char *const *texts, int64_t count)
{
    const char **list = (const char **)(uintptr_t)texts;
    char(*numbers)[NUMBER_NAME];

    if (!texts) {
        PEN_TRY(PEN_NEW(h5->run, list, count));
        PEN_TRY(PEN_NEW(h5->run, numbers, count));
        for (int64_t i = 0; i < count; i++) {
            snprintf(numbers[i], NUMBER_NAME, "%lld", (long long)i);
            list[i] = numbers[i];
        }
    }
    return add_text_vector(h5, path, list, count);
}

static pen_status add_frame(const pen_h5 *h5, const char *path, char *const *names, int64_t count,
                            const char *const *columns, int64_t column_count)
{
    static const char *const index_name = "_index";
    const char *index;
    hid_t group;

    PEN_TRY(add_group(h5, path, "dataframe", "0.2.0", &group));
    if (!add_texts(group, "_index", &index_name, 0)
        || !(column_count > 0 ? add_texts(group, "column-order", columns, column_count)
                              : add_empty_list(group, "column-order")))
        return failed(h5, path);
    H5Gclose(group);
    PEN_TRY(pen_h5_join(h5, path, "_index", &index));
    return add_index(h5, index, names, count);
}

static pen_status add_labels(const pen_h5 *h5, const pen_table *table, const char *name)
{
    const char *path, *codes, *categories;
    hid_t group;

    PEN_TRY(pen_h5_join(h5, "obs", name, &path));
    PEN_TRY(pen_h5_join(h5, path, "codes", &codes));
    PEN_TRY(pen_h5_join(h5, path, "categories", &categories));
    PEN_TRY(add_group(h5, path, "categorical", "0.2.0", &group));
    if (!add_false(group, "ordered"))
        return failed(h5, path);
    H5Gclose(group);
    PEN_TRY(add_vector(h5, codes, H5T_STD_I32LE, H5T_NATIVE_INT32, table->labels, table->x.rows,
                       "array"));
    return add_text_vector(h5, categories, (const char *const *)table->class_names,
                           table->class_count);
}

static pen_status add_kept(const pen_h5 *h5, const pen_table *table, int64_t column)
{
    const char *path, **texts;

    PEN_TRY(pen_h5_join(h5, "obs", table->kept_names[column], &path));
    PEN_TRY(PEN_NEW(h5->run, texts, table->x.rows));
    for (int64_t i = 0; i < table->x.rows; i++)
        texts[i] = table->kept[i * table->kept_count + column];
    return add_text_vector(h5, path, texts, table->x.rows);
}

/* The names of the columns of obs; they must be unique and without slashes. */
static pen_status list_columns(const pen_h5 *h5, const struct job *job, const char ***out,
                               int64_t *count)
{
    const pen_table *const table = job->table;

    *count = table->kept_count + (table->labels != NULL);
    PEN_TRY(PEN_NEW(h5->run, *out, *count));
    for (int64_t k = 0; k < table->kept_count; k++)
        (*out)[k] = table->kept_names[k];
    if (table->labels)
        (*out)[table->kept_count] = job->label_name;
    for (int64_t i = 0; i < *count; i++) {
        const char *const name = (*out)[i];
        int clash = strcmp(name, "_index") == 0;
        for (int64_t k = 0; k < i; k++)
            clash |= strcmp(name, (*out)[k]) == 0;
        PEN_REQUIRE(h5->run, !clash && *name && !strchr(name, '/'), PEN_BAD_ARGUMENT,
                    "%s: a column of obs cannot be named \"%s\"", h5->name, name);
    }
    return PEN_OK;
}

static pen_status write_table(const pen_h5 *h5, void *context)
{
    static const char *const others[] = { "layers", "obsm", "obsp", "varm", "varp", "uns", NULL };
    const struct job *const job = context;
    const pen_table *const table = job->table;
    const char **columns;
    int64_t count;
    const hid_t root = H5Gopen2(h5->file, "/", H5P_DEFAULT);

    if (root < 0 || !encode(root, "anndata", "0.1.0"))
        return failed(h5, "/");
    H5Gclose(root);
    PEN_TRY(list_columns(h5, job, &columns, &count));
    PEN_TRY(table->x.starts ? add_sparse(h5, "X", &table->x) : add_dense(h5, "X", &table->x));
    PEN_TRY(add_frame(h5, "obs", table->row_names, table->x.rows, columns, count));
    PEN_TRY(add_frame(h5, "var", table->column_names, table->x.cols, NULL, 0));
    for (int64_t k = 0; k < table->kept_count; k++)
        PEN_TRY(add_kept(h5, table, k));
    if (table->labels)
        PEN_TRY(add_labels(h5, table, job->label_name));
    for (int i = 0; others[i]; i++)
        PEN_TRY(add_dictionary(h5, others[i]));
    return PEN_OK;
}

/* ---- obsm ---- */

static pen_status check_rows(const pen_h5 *h5, const pen_array *z)
{
    pen_text *names;
    int64_t count;

    PEN_REQUIRE(h5->run, pen_h5ad_is(h5), PEN_BAD_FORMAT,
                "%s: not an h5ad file: it has no obs and var", h5->name);
    PEN_TRY(pen_h5ad_index(h5, "obs", &names, &count));
    PEN_REQUIRE(h5->run, count == z->rows, PEN_BAD_DATA,
                "%s: it has %lld rows in obs, the embedding has %lld", h5->name, (long long)count,
                (long long)z->rows);
    return PEN_OK;
}

static pen_status add_obsm(const pen_h5 *h5, void *context)
{
    const struct job *const job = context;
    const char *path;

    PEN_TRY(check_rows(h5, job->z));
    PEN_TRY(pen_h5_join(h5, "obsm", job->key, &path));
    if (pen_h5_look(h5, "obsm") == PEN_H5_NOTHING)
        PEN_TRY(add_dictionary(h5, "obsm"));
    if (pen_h5_look(h5, path) != PEN_H5_NOTHING && H5Ldelete(h5->file, path, H5P_DEFAULT) < 0)
        return failed(h5, path);
    return add_dense(h5, path, job->z);
}

#else
#define write_table NULL
#define add_obsm    NULL
#endif

pen_status pen_h5ad_write(pen_run *run, const char *name, const char *path, const pen_table *table,
                          const char *label_name)
{
    struct job job = { .table = table, .label_name = label_name };
    return pen_h5_create(run, name, path, write_table, &job);
}

pen_status pen_h5ad_add_obsm(pen_run *run, const char *name, const char *path, const char *key,
                             const pen_array *z)
{
    const pen_input file = { .name = name, .path = path };
    struct job job = { .key = key, .z = z };
    return pen_h5_change(run, &file, add_obsm, &job);
}
