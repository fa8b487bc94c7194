/* h5ad.c - data frames in .h5ad files, as anndata writes them since 0.7: a group with a dataset for
 * each column, or a group for columns with categories or masks. At first categories were in
 * __categories of the data frame; before 0.7 a data frame was one dataset of records, which is not
 * read. https://anndata.readthedocs.io/en/latest/fileformat-prose.html */
#include "io/h5ad.h"

#ifdef PENUMBRA_HDF5

#include <string.h>

enum { LIST_SIZE = 160, CODES_AT_ONCE = 1 << 14 };

int pen_h5ad_is(const pen_h5 *h5)
{
    return pen_h5_look(h5, "obs") == PEN_H5_GROUP && pen_h5_look(h5, "var") == PEN_H5_GROUP;
}

pen_status pen_h5ad_check_age(const pen_h5 *h5)
{
    PEN_REQUIRE(h5->run,
                pen_h5_look(h5, "obs") != PEN_H5_SET || pen_h5_look(h5, "var") != PEN_H5_SET
                    || pen_h5_look(h5, "X") == PEN_H5_NOTHING,
                PEN_BAD_FORMAT,
                "%s: anndata before 0.7 wrote this h5ad file, and its names, obs and var are not "
                "read: anndata.read_h5ad(\"FILE\").write_h5ad(\"NEW.h5ad\") writes a file that is; "
                "FILE::X is its rows alone",
                h5->name);
    return PEN_OK;
}

pen_status pen_h5_no_such(const pen_h5 *h5, const char *what, const char *name, char *const *names,
                          int64_t count)
{
    char list[LIST_SIZE] = "";

    for (int64_t i = 0; i < count; i++)
        pen_list_add(list, sizeof list, pen_text_of(names[i]));
    if (!name)
        return pen_fail(h5->run, PEN_UNKNOWN_NAME,
                        "%s: which of its %s? FILE::NAME names one of %s", h5->name, what, list);
    return pen_fail(h5->run, PEN_UNKNOWN_NAME, "%s: no %s \"%s\"; there %s %s", h5->name, what,
                    name, count > 0 ? "are" : "is", count > 0 ? list : "none");
}

/* ---- columns ---- */

/* A column of one dataset. Truth values are called as pandas writes them to CSV, so that classes
 * are the same in both kinds of files. */
static pen_status open_texts(const pen_h5 *h5, const char *path, pen_h5_part *part,
                             pen_text **texts, enum pen_labels *kind)
{
    pen_h5_set set;

    PEN_TRY(pen_h5_open(h5, path, &set));
    const pen_status status = pen_h5_texts(h5, &set, part, texts);
    *kind = set.kind == PEN_H5_NUMBERS ? PEN_LABELS_NUMBERS : PEN_LABELS_TEXT;
    pen_h5_close(h5, &set);
    PEN_TRY(status);
    for (int64_t i = 0; set.is_logical && i < part->count; i++)
        (*texts)[i] = pen_text_of(pen_text_equal((*texts)[i], pen_text_of("0")) ? "False" : "True");
    return PEN_OK;
}

static pen_status place_codes(const pen_h5 *h5, const pen_h5_set *set, const pen_text *categories,
                              int64_t known, const pen_h5_part *part, pen_text *texts)
{
    int64_t *codes;

    PEN_TRY(PEN_NEW(h5->run, codes, CODES_AT_ONCE));
    for (int64_t i = 0; i < part->count; i += CODES_AT_ONCE) {
        const int64_t some = pen_min(CODES_AT_ONCE, part->count - i);
        PEN_TRY(pen_h5_load_whole(h5, set, part->first + i, some, codes));
        for (int64_t k = 0; k < some; k++) {
            PEN_REQUIRE(h5->run, codes[k] >= -1 && codes[k] < known, PEN_BAD_FORMAT,
                        "%s: %s: row %lld has category %lld of %lld", h5->name, set->path,
                        (long long)(part->first + i + k), (long long)codes[k], (long long)known);
            texts[i + k] = codes[k] < 0 ? (pen_text){ "", 0 } : categories[codes[k]];
        }
    }
    return PEN_OK;
}

/* Codes from 0 on, -1 for what is missing, and the texts they stand for. */
static pen_status read_coded(const pen_h5 *h5, const char *codes_path, const char *categories_path,
                             pen_h5_part *part, pen_text **texts, enum pen_labels *kind)
{
    pen_h5_part all = { .count = INT64_MAX };
    pen_text *categories;
    pen_h5_set set;

    PEN_TRY(open_texts(h5, categories_path, &all, &categories, kind));
    PEN_TRY(pen_h5_open(h5, codes_path, &set));
    pen_h5_part_of(part, set.dims[0]);
    pen_status status =
        set.kind == PEN_H5_NUMBERS && set.rank == 1
            ? PEN_NEW(h5->run, *texts, part->count)
            : pen_fail(h5->run, PEN_BAD_FORMAT, "%s: %s must be whole numbers of one dimension",
                       h5->name, codes_path);
    if (status == PEN_OK)
        status = place_codes(h5, &set, categories, all.rows, part, *texts);
    pen_h5_close(h5, &set);
    return status;
}

/* What is masked becomes the empty text. */
static pen_status apply_mask(const pen_h5 *h5, const pen_h5_set *mask, const pen_h5_part *part,
                             pen_text *texts)
{
    int64_t *masked;

    PEN_TRY(PEN_NEW(h5->run, masked, part->count));
    PEN_TRY(pen_h5_load_whole(h5, mask, part->first, part->count, masked));
    for (int64_t i = 0; i < part->count; i++)
        if (masked[i])
            texts[i] = (pen_text){ "", 0 };
    return PEN_OK;
}

/* Values, and a mask that is 1 where they are missing. */
static pen_status read_masked(const pen_h5 *h5, const char *group, pen_h5_part *part,
                              pen_text **texts, enum pen_labels *kind)
{
    const char *values, *path;
    pen_h5_set mask;

    PEN_TRY(pen_h5_join(h5, group, "values", &values));
    PEN_TRY(pen_h5_join(h5, group, "mask", &path));
    PEN_TRY(open_texts(h5, values, part, texts, kind));
    PEN_TRY(pen_h5_open(h5, path, &mask));
    const pen_status status =
        mask.kind == PEN_H5_NUMBERS && mask.rank == 1 && mask.dims[0] == part->rows
            ? apply_mask(h5, &mask, part, *texts)
            : pen_fail(h5->run, PEN_BAD_FORMAT, "%s: %s has %lld values and a mask of %lld",
                       h5->name, group, (long long)part->rows, (long long)mask.dims[0]);
    pen_h5_close(h5, &mask);
    return status;
}

static pen_status no_column(const pen_h5 *h5, const char *frame, const char *name)
{
    char **names;
    int64_t count, left = 0;

    PEN_TRY(pen_h5_names(h5, frame, &names, &count));
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], "__categories") != 0)
            names[left++] = names[i];
    return pen_h5_no_such(h5, "column", name, names, left);
}

pen_status pen_h5ad_part(const pen_h5 *h5, const char *frame, const char *name, pen_h5_part *part,
                         pen_text **texts, enum pen_labels *kind)
{
    const char *path, *folder, *old, *codes, *categories, *values;

    PEN_TRY(pen_h5_join(h5, frame, name, &path));
    PEN_TRY(pen_h5_join(h5, frame, "__categories", &folder));
    PEN_TRY(pen_h5_join(h5, folder, name, &old));
    const enum pen_h5_object what = pen_h5_look(h5, path);
    if (what == PEN_H5_SET)
        return pen_h5_look(h5, old) == PEN_H5_SET ? read_coded(h5, path, old, part, texts, kind)
                                                  : open_texts(h5, path, part, texts, kind);
    if (what != PEN_H5_GROUP || strcmp(name, "__categories") == 0)
        return no_column(h5, frame, name);
    PEN_TRY(pen_h5_join(h5, path, "codes", &codes));
    PEN_TRY(pen_h5_join(h5, path, "categories", &categories));
    if (pen_h5_look(h5, codes) == PEN_H5_SET)
        return read_coded(h5, codes, categories, part, texts, kind);
    PEN_TRY(pen_h5_join(h5, path, "values", &values));
    PEN_REQUIRE(h5->run, pen_h5_look(h5, values) == PEN_H5_SET, PEN_BAD_FORMAT,
                "%s: %s is neither numbers nor texts nor categories", h5->name, path);
    return read_masked(h5, path, part, texts, kind);
}

pen_status pen_h5ad_column(const pen_h5 *h5, const char *frame, const char *name, pen_text **texts,
                           int64_t *count, enum pen_labels *kind)
{
    pen_h5_part all = { .count = INT64_MAX };

    const pen_status status = pen_h5ad_part(h5, frame, name, &all, texts, kind);
    *count = all.count;
    return status;
}

pen_status pen_h5ad_index(const pen_h5 *h5, const char *frame, pen_text **texts, int64_t *count)
{
    static const char *const usual[] = { "_index", "index", NULL };
    const char *name, *path = NULL;

    *count = 0;
    PEN_TRY(pen_h5_text_attribute(h5, frame, "_index", &name));
    for (int i = 0; !name && usual[i]; i++) {
        PEN_TRY(pen_h5_join(h5, frame, usual[i], &path));
        if (pen_h5_look(h5, path) != PEN_H5_NOTHING)
            name = usual[i];
    }
    return name ? pen_h5ad_column(h5, frame, name, texts, count, &(enum pen_labels){ 0 }) : PEN_OK;
}

#endif
