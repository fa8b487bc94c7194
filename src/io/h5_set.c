/* h5_set.c - datasets and attributes of HDF5 files as numbers and texts. */
#include "io/h5_direct.h"

#include "io/h5_library.h"

#ifdef PENUMBRA_HDF5

#include "core/memory.h"
#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXTS_AT_ONCE = 4096, MOST_TEXT = 1 << 20, MOST_ATTRIBUTE = 4096, VALUES_AT_ONCE = 4096 };

pen_status pen_h5_damaged(const pen_h5 *h5, const char *path)
{
    return pen_fail(
        h5->run, PEN_BAD_FORMAT,
        "%s: %s cannot be read: it is damaged, in another file, of a newer version of HDF5 "
        "or compressed by a filter that libhdf5 lacks",
        h5->name, path);
}

/* ---- opening ---- */

static int is_logical(hid_t type)
{
    signed char no = -1, yes = -1;

    return H5Tget_class(type) == H5T_ENUM && H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2
           && H5Tenum_valueof(type, "FALSE", &no) >= 0 && H5Tenum_valueof(type, "TRUE", &yes) >= 0
           && no == 0 && yes == 1;
}

static void find_kind(hid_t type, pen_h5_set *out)
{
    const H5T_class_t class = H5Tget_class(type);
    const size_t size = H5Tget_size(type);

    out->kind = PEN_H5_OTHER;
    out->dtype = PEN_F64;
    if (class == H5T_STRING)
        out->kind = PEN_H5_TEXTS;
    if (class != H5T_INTEGER && class != H5T_FLOAT && class != H5T_ENUM)
        return;
    out->kind = PEN_H5_NUMBERS;
    out->whole = class != H5T_FLOAT;
    out->is_signed = out->whole && H5Tget_sign(type) != H5T_SGN_NONE;
    out->is_logical = is_logical(type);
    if (class == H5T_FLOAT && size <= 4)
        out->dtype = PEN_F32;
    else if (class == H5T_INTEGER && size == 1 && H5Tget_sign(type) == H5T_SGN_NONE)
        out->dtype = PEN_U8;
}

/* The shape; 0 on failure. */
static int find_shape(hid_t id, pen_h5_set *out)
{
    hsize_t dims[H5S_MAX_RANK] = { 1, 1 };
    const hid_t space = H5Dget_space(id);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const int known =
        rank >= 0 && rank <= H5S_MAX_RANK && H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    const int null = space >= 0 && H5Sget_simple_extent_type(space) == H5S_NULL;

    if (space >= 0)
        H5Sclose(space);
    if (!known)
        return 0;
    out->rank = rank;
    for (int i = 0; i < 2; i++)
        out->dims[i] = null                           ? 0
                       : i >= rank                    ? 1
                       : dims[i] > (hsize_t)INT64_MAX ? INT64_MAX
                                                      : (int64_t)dims[i];
    return 1;
}

/* Is the data in this file? */
static int is_here(hid_t id)
{
    const hid_t list = H5Dget_create_plist(id);
    const int here = list >= 0 && H5Pget_external_count(list) == 0
                     && H5Pget_layout(list) != H5D_VIRTUAL && H5Pget_layout(list) >= 0;

    if (list >= 0)
        H5Pclose(list);
    return here;
}

pen_status pen_h5_direct_open(const pen_h5 *h5, const char *path, pen_h5_set *out)
{
    const hid_t id = pen_h5_object(h5, path);

    *out = (pen_h5_set){ .id = id, .path = path };
    if (id < 0 || H5Iget_type(id) != H5I_DATASET || !find_shape(id, out)) {
        if (id >= 0)
            H5Oclose(id);
        return pen_h5_damaged(h5, path);
    }
    const hid_t type = H5Dget_type(id);
    if (type >= 0) {
        find_kind(type, out);
        H5Tclose(type);
    }
    const int here = is_here(id),
              plausible = pen_h5_is_plausible(h5, pen_times(out->dims[0], out->dims[1]));
    if (type >= 0 && here && plausible)
        return PEN_OK;
    H5Oclose(id);
    PEN_REQUIRE(h5->run, here, PEN_BAD_FORMAT, "%s: %s is stored in other files", h5->name, path);
    PEN_REQUIRE(h5->run, plausible, PEN_BAD_FORMAT,
                "%s: %s claims the shape %lld x %lld, the file has %llu bytes", h5->name, path,
                (long long)out->dims[0], (long long)out->dims[1], (unsigned long long)h5->size);
    return pen_h5_damaged(h5, path);
}

void pen_h5_direct_close(const pen_h5_set *set)
{
    H5Oclose(set->id);
}

/* ---- numbers ---- */

/* A part of a dataset in memory of that type. */
static herr_t read_part(const pen_h5_set *set, const hsize_t first[2], const hsize_t count[2],
                        hid_t type, void *to)
{
    const hid_t space = H5Dget_space(set->id), memory = H5Screate_simple(2, count, NULL);
    herr_t failed = -1;

    if (space >= 0 && memory >= 0
        && (set->rank == 0
            || H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0))
        failed = H5Dread(set->id, type, memory, space, H5P_DEFAULT, to);
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
    return failed;
}

pen_status pen_h5_direct_load(const pen_h5 *h5, const pen_h5_set *set, int64_t first0,
                              int64_t count0, int64_t first1, int64_t count1, pen_dtype dtype,
                              void *values)
{
    const hsize_t first[2] = { (hsize_t)first0, (hsize_t)first1 },
                  count[2] = { (hsize_t)count0, (hsize_t)count1 };
    const hid_t type = dtype == PEN_F64   ? H5T_NATIVE_DOUBLE
                       : dtype == PEN_F32 ? H5T_NATIVE_FLOAT
                                          : H5T_NATIVE_UCHAR;

    if (count0 == 0 || count1 == 0)
        return PEN_OK;
    return read_part(set, first, count, type, values) < 0 ? pen_h5_damaged(h5, set->path) : PEN_OK;
}

pen_status pen_h5_direct_load_whole(const pen_h5 *h5, const pen_h5_set *set, int64_t first,
                                    int64_t count, int64_t *values)
{
    const hsize_t from[2] = { (hsize_t)first, 0 }, part[2] = { (hsize_t)count, 1 };
    double *some;

    if (count == 0)
        return PEN_OK;
    if (set->whole)
        return read_part(set, from, part, H5T_NATIVE_INT64, values) < 0
                   ? pen_h5_damaged(h5, set->path)
                   : PEN_OK;
    const pen_mark_t mark = pen_mark(h5->run);
    PEN_TRY(PEN_NEW(h5->run, some, count));
    if (read_part(set, from, part, H5T_NATIVE_DOUBLE, some) < 0)
        return pen_h5_damaged(h5, set->path);
    for (int64_t i = 0; i < count; i++)
        PEN_REQUIRE(h5->run, pen_whole_of(some[i], &values[i]) == PEN_WHOLE, PEN_BAD_FORMAT,
                    "%s: %s: number %lld (counted from 0) must be whole", h5->name, set->path,
                    (long long)(first + i));
    pen_release(h5->run, mark);
    return PEN_OK;
}

/* ---- texts ---- */

static pen_status copy_text(pen_run *run, const char *start, size_t length, pen_text *out)
{
    char *copy;

    PEN_TRY(PEN_NEW(run, copy, (int64_t)length + 1));
    if (length > 0)
        memcpy(copy, start, length);
    copy[length] = '\0';
    *out = (pen_text){ copy, length };
    return PEN_OK;
}

/* The type in memory of the texts of such a type in a file; negative: failure. */
static hid_t text_type(hid_t type, int *variable, size_t *size)
{
    const hid_t memory = H5Tcopy(H5T_C_S1);
    const H5T_cset_t set = H5Tget_cset(type);

    *variable = H5Tis_variable_str(type) > 0;
    *size = H5Tget_size(type);
    if (memory >= 0 && *size > 0 && (*variable || *size < MOST_TEXT)
        && H5Tset_size(memory, *variable ? H5T_VARIABLE : *size) >= 0
        && H5Tset_cset(memory, set == H5T_CSET_UTF8 ? set : H5T_CSET_ASCII) >= 0
        && H5Tset_strpad(memory, *variable ? H5T_STR_NULLTERM : H5Tget_strpad(type)) >= 0)
        return memory;
    if (memory >= 0)
        H5Tclose(memory);
    return -1;
}

static size_t trimmed(const char *start, size_t size)
{
    const char *const zero = memchr(start, '\0', size);
    size_t length = zero ? (size_t)(zero - start) : size;

    while (length > 0 && start[length - 1] == ' ')
        length--;
    return length;
}

/* Texts that were read: pointers to them, or `size` bytes each. */
static pen_status take_texts(pen_run *run, const void *buffer, int variable, size_t size,
                             int64_t count, pen_text *texts)
{
    for (int64_t i = 0; i < count; i++) {
        const char *const start =
            variable ? ((const char *const *)buffer)[i] : (const char *)buffer + (size_t)i * size;
        const size_t length = !start ? 0 : variable ? strlen(start) : trimmed(start, size);
        PEN_TRY(copy_text(run, start, length, &texts[i]));
    }
    return PEN_OK;
}

static void reclaim(hid_t memory, int64_t count, void *buffer)
{
    const hsize_t size = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &size, NULL);

    if (space >= 0) {
        H5Dvlen_reclaim(memory, space, H5P_DEFAULT, buffer);
        H5Sclose(space);
    }
}

/* `by_column`: the texts are those of one row. */
static pen_status read_texts(const pen_h5 *h5, const pen_h5_set *set, hid_t type, int64_t from,
                             int64_t count, pen_text *texts)
{
    const int by_column = set->rank == 2 && set->dims[0] == 1;
    int variable;
    size_t size;
    void *buffer = NULL;
    const hid_t memory = text_type(type, &variable, &size);
    pen_status status = memory < 0 ? pen_h5_damaged(h5, set->path) : PEN_OK;
    const int64_t block = pen_min(TEXTS_AT_ONCE, count);

    if (status == PEN_OK
        && !(buffer = pen_scratch(h5->run, block, variable ? sizeof(char *) : size)))
        status = PEN_NO_MEMORY;
    for (int64_t i = 0; i < count && status == PEN_OK; i += block) {
        const int64_t some = pen_min(block, count - i);
        const hsize_t at = (hsize_t)(from + i),
                      first[2] = { by_column ? 0 : at, by_column ? at : 0 },
                      part[2] = { by_column ? 1 : (hsize_t)some, by_column ? (hsize_t)some : 1 };
        memset(buffer, 0, (size_t)block * (variable ? sizeof(char *) : size));
        if (read_part(set, first, part, memory, buffer) < 0)
            status = pen_h5_damaged(h5, set->path);
        else
            status = take_texts(h5->run, buffer, variable, size, some, texts + i);
        if (variable)
            reclaim(memory, some, buffer);
    }
    if (memory >= 0)
        H5Tclose(memory);
    return status;
}

/* A number as it was read. */
union number {
    uint64_t bits; /* of a whole one: no double holds all of 64 bits, such as those of ids */
    double value;
};

static size_t number_text(const pen_h5_set *set, union number number, char *text)
{
    if (set->whole)
        return pen_number_write_whole(number.bits, set->is_signed, text);
    if (isnan(number.value))
        return 0;
    return set->dtype == PEN_F32 ? pen_number_write_float((float)number.value, text)
                                 : pen_number_write(number.value, text);
}

static pen_status number_texts(const pen_h5 *h5, const pen_h5_set *set, int64_t from, int64_t count,
                               pen_text *texts)
{
    const int by_column = set->rank == 2 && set->dims[0] == 1;
    const hid_t type = !set->whole      ? H5T_NATIVE_DOUBLE
                       : set->is_signed ? H5T_NATIVE_INT64
                                        : H5T_NATIVE_UINT64;
    char(*written)[PEN_NUMBER_SIZE];
    union number *numbers;

    PEN_TRY(PEN_NEW(h5->run, written, count));
    PEN_TRY(PEN_NEW(h5->run, numbers, pen_min(count, VALUES_AT_ONCE)));
    for (int64_t i = 0; i < count; i += VALUES_AT_ONCE) {
        const int64_t some = pen_min(VALUES_AT_ONCE, count - i);
        const hsize_t at = (hsize_t)(from + i),
                      first[2] = { by_column ? 0 : at, by_column ? at : 0 },
                      part[2] = { by_column ? 1 : (hsize_t)some, by_column ? (hsize_t)some : 1 };
        if (read_part(set, first, part, type, numbers) < 0)
            return pen_h5_damaged(h5, set->path);
        for (int64_t k = 0; k < some; k++)
            texts[i + k] =
                (pen_text){ written[i + k], number_text(set, numbers[k], written[i + k]) };
    }
    return PEN_OK;
}

pen_status pen_h5_direct_texts(const pen_h5 *h5, const pen_h5_set *set, pen_h5_part *part,
                               pen_text **texts)
{
    PEN_REQUIRE(
        h5->run,
        set->kind != PEN_H5_OTHER && set->rank <= 2 && (set->dims[0] == 1 || set->dims[1] == 1),
        PEN_BAD_FORMAT, "%s: %s must be one column of numbers or texts", h5->name, set->path);
    pen_h5_part_of(part, set->dims[0] == 1 ? set->dims[1] : set->dims[0]);
    PEN_TRY(PEN_NEW(h5->run, *texts, part->count));
    if (set->kind == PEN_H5_NUMBERS)
        return number_texts(h5, set, part->first, part->count, *texts);
    const hid_t type = H5Dget_type(set->id);
    if (type < 0)
        return pen_h5_damaged(h5, set->path);
    const pen_status status = read_texts(h5, set, type, part->first, part->count, *texts);
    H5Tclose(type);
    return status;
}

/* ---- attributes ---- */

/* Opens an attribute of an object; negative: there is none. */
static hid_t open_attribute(const pen_h5 *h5, const char *path, const char *attribute)
{
    const hid_t object = pen_h5_object(h5, path);
    const hid_t id = object >= 0 && H5Aexists(object, attribute) > 0
                         ? H5Aopen(object, attribute, H5P_DEFAULT)
                         : -1;

    if (object >= 0)
        H5Oclose(object);
    return id;
}

static hssize_t attribute_size(hid_t id)
{
    const hid_t space = H5Aget_space(id);
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;

    if (space >= 0)
        H5Sclose(space);
    return count;
}

/* A single text; *out stays NULL if it is anything else. */
static pen_status read_text(const pen_h5 *h5, hid_t id, hid_t type, const char **out)
{
    int variable;
    size_t size;
    char fixed[MOST_ATTRIBUTE] = "", *text = NULL;
    pen_text copy;
    const hid_t memory = text_type(type, &variable, &size);
    pen_status status = PEN_OK;

    if (memory >= 0 && variable && H5Aread(id, memory, &text) >= 0 && text) {
        status = copy_text(h5->run, text, strlen(text), &copy);
        *out = status == PEN_OK ? copy.start : NULL;
        reclaim(memory, 1, &text);
    } else if (memory >= 0 && !variable && size < sizeof fixed && H5Aread(id, memory, fixed) >= 0) {
        status = copy_text(h5->run, fixed, trimmed(fixed, size), &copy);
        *out = status == PEN_OK ? copy.start : NULL;
    }
    if (memory >= 0)
        H5Tclose(memory);
    return status;
}

pen_status pen_h5_direct_text_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                        const char **out)
{
    const hid_t id = open_attribute(h5, path, attribute);
    const hid_t type = id >= 0 ? H5Aget_type(id) : -1;
    pen_status status = PEN_OK;

    *out = NULL;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && attribute_size(id) == 1)
        status = read_text(h5, id, type, out);
    if (type >= 0)
        H5Tclose(type);
    if (id >= 0)
        H5Aclose(id);
    return status;
}

pen_status pen_h5_direct_whole_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                         int64_t most, int64_t *values, int64_t *count)
{
    const hid_t id = open_attribute(h5, path, attribute);
    const hid_t type = id >= 0 ? H5Aget_type(id) : -1;
    const hssize_t size = id >= 0 ? attribute_size(id) : -1;

    *count = 0;
    if (type >= 0 && H5Tget_class(type) == H5T_INTEGER && size > 0 && size <= most
        && H5Aread(id, H5T_NATIVE_INT64, values) >= 0)
        *count = size;
    if (type >= 0)
        H5Tclose(type);
    if (id >= 0)
        H5Aclose(id);
    return PEN_OK;
}

#endif
