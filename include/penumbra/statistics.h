/* statistics.h - fits to rows in many files or on many machines. Conventions: model.h. */
#ifndef PENUMBRA_STATISTICS_H
#define PENUMBRA_STATISTICS_H

#include <penumbra/model.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* the shared library exports only these declarations */
#pragma GCC visibility push(default)
#endif

/* Divide rows that are in many files, on many machines, or arrive over time into blocks. Compute an
 * object of statistics for each block, merge the objects, and fit from the result. The model is the
 * one of all rows together, up to rounding. The bits are the same for any number of workers, in any
 * order, if the merges follow the canonical tree (docs/statistics.md). */

enum {
    PEN_PART_TOTAL = 1,   /* number, mean and scatter of all rows, minimum and maximum of columns */
    PEN_PART_CLASSES = 2, /* means of classes, and the scatter within them */
    PEN_PART_CHUNKS = 4,  /* the same for chunks of rows that must-links join */
    PEN_PART_ROWS = 8,    /* the labelled rows themselves, and the rows in pairs */
    /* a second pass: distances from each labelled row to its nearest rows */
    PEN_PART_NEAREST = 16
};

/* The parts that a fit of this spec from statistics needs, or-ed: two passes over the rows with
 * PEN_PART_NEAREST, otherwise one. 0: the method needs every row with these parameters (also NULL);
 * pen_fit_blocks then fits it to coordinates of all rows. */
int pen_spec_passes(const pen_spec *spec);

/* ---- rows that one process reads ------------------------------------------------------------ */

/* Sets x, labels, class_names, class_count, class_type and column_names of block 0, 1, 2, .. in
 * turn, and again for each further pass. They live until the next call. A block may have no rows.
 * No columns, as in *rows before the call: there are no more blocks. A status other than PEN_OK
 * ends the fit, with the message in *err. */
typedef pen_status (*pen_block_fn)(void *user, int64_t block, pen_data *rows, pen_error *err);

/* pen_fit of rows in blocks, merged by the canonical tree, in one pass or two (pen_spec_passes). If
 * the method needs every row and pca is set, a second pass collects the principal components of all
 * rows, q numbers a row, and the method is fitted to these (see pen_spec_split and
 * pen_model_compose). pairs: as in pen_stats_fit; their rows are kept.
 * PEN_BAD_ARGUMENT: the method needs every row and pca is off; a kernel; row steps that are learned
 * from all rows. PEN_BAD_PAIR. PEN_BAD_DATA: the second pass has other rows. Other errors: of
 * `next`, pen_stats_new and pen_fit. Progress: the rows so far, with total 0 while their number is
 * unknown. Memory: the statistics, once for each level of the tree (docs/statistics.md). */
pen_status pen_fit_blocks(const pen_spec *spec, pen_block_fn next, void *user,
                          const pen_data *pairs, const pen_control *control, pen_model **out,
                          pen_error *err);

/* ---- statistics of blocks ------------------------------------------------------------------- */

typedef struct pen_stats pen_stats;

/* A block. Usually only `id` is not zero. */
typedef struct pen_stats_block {
    int64_t id;          /* >= 0 and unique; rows of a lower id come first */
    const int64_t *keep; /* [keep_count] rows of this block that pairs name; or NULL */
    int64_t keep_count;
    /* [rows] the chunk of each row, >= 0, or -1: no chunk; or NULL, then for all blocks */
    const int64_t *chunks;
    int parts; /* PEN_PART_TOTAL, maybe with CLASSES, ROWS or both; 0: all the method may need */
    int64_t reserved[8]; /* zero: options to come */
} pen_stats_block;

/* The statistics of a block. Only two things of `spec` matter: row_steps, and the parameters that
 * decide about the parts (the method, and whether classifier is none). A block may have no rows.
 * data: x, labels, class_names and column_names. Free with pen_stats_free (NULL is fine).
 * PEN_BAD_ARGUMENT: id, keep, chunks or parts, a kernel, row steps that are learned from all rows;
 * PEN_BAD_DATA: more than 8191 columns, values that row steps do not take; PEN_NOT_FINITE; messages
 * name the block. Cost: four passes, n d^2 flops; memory: 2 d^2 doubles and the rows kept. */
pen_status pen_stats_new(const pen_spec *spec, const pen_data *data, const pen_stats_block *block,
                         const pen_control *control, pen_stats **out, pen_error *err);

/* The second pass, if pen_spec_passes has PEN_PART_NEAREST: the distances from each labelled row of
 * the merged statistics `all` to the `neighbors` nearest rows of this block. The spec is that of
 * the fit: neighbors, scale, pca. Merge these objects of all blocks with `all`.
 * PEN_BAD_ARGUMENT: the method needs no such pass, or `all` lacks the block. PEN_BAD_DATA: the
 * block had other rows, by a checksum of their values. Cost: l n d flops. */
pen_status pen_stats_nearest(const pen_spec *spec, const pen_stats *all, const pen_data *data,
                             int64_t block, const pen_control *control, pen_stats **out,
                             pen_error *err);

/* Merge `count` >= 1 objects, listed in any order. The merge follows the canonical tree if the
 * objects are its subtrees, such as single blocks. Objects of the second pass are merged with each
 * other, then with the objects of the first pass, which must have the same blocks. blocks: the
 * number of all blocks, whatever their ids; pen_stats_fit then does not check it again. 0: every id
 * between the given ones is present, though blocks may come before and after.
 * PEN_BAD_ARGUMENT: a block occurs twice; `blocks` is too small; row steps, parts, numbers of
 * nearest rows or units of distances differ. PEN_BAD_DATA: columns or their names differ; some have
 * class names, others numbers; blocks are missing (the message names them). Cost: d^2 for each. */
pen_status pen_stats_merge(const pen_stats *const *list, int64_t count, int64_t blocks,
                           const pen_control *control, pen_stats **out, pen_error *err);

/* pen_fit from statistics. pairs: NULL, or must_link and cannot_link with their counts and weights,
 * by row numbers among all rows, and drop_missing; nothing else in it is read. The info of the
 * model has `merges`.
 * PEN_BAD_ARGUMENT: the method needs a part that is absent, or every row. PEN_BAD_PAIR: a row was
 * not kept. PEN_BAD_DATA: blocks from 0 on are missing. Other errors: of pen_fit. */
pen_status pen_stats_fit(const pen_spec *spec, const pen_stats *stats, const pen_data *pairs,
                         const pen_control *control, pen_model **out, pen_error *err);
void pen_stats_free(pen_stats *stats);

/* Describes statistics as a JSON object: writes at most `size` bytes and returns the length of the
 * whole text, or 0 when out of memory; text may be NULL. Numbers: columns, rows, labelled, kept
 * (rows kept), near (nearest rows of each labelled row, or 0); texts: kind, row_steps, merges
 * (canonical or free); lists: parts (total, classes, chunks, rows, nearest), blocks ({id, rows,
 * labelled}), class_names, column_names (null: none). */
size_t pen_stats_info(const pen_stats *stats, char *text, size_t size);

/* Save statistics as a safetensors file, completely or not at all, or as its bytes, freed with
 * pen_free. The same object gives the same bytes. Errors as for models. Loading refuses a model,
 * and pen_model_load refuses statistics. */
pen_status pen_stats_save(const pen_stats *stats, const char *path, pen_error *err);
pen_status pen_stats_load(const char *path, pen_stats **out, pen_error *err);
pen_status pen_stats_to_bytes(const pen_stats *stats, void **bytes, size_t *size, pen_error *err);
pen_status pen_stats_from_bytes(const void *bytes, size_t size, pen_stats **out, pen_error *err);

/* ---- methods that need every row ------------------------------------------------------------
 * Fit `components` from statistics of all rows, transform the rows where they lie, fit `rest` to
 * the coordinates in one process, and compose both models. */

/* components: pca with the parameters that prepare rows (row_steps, scale, pca, pca_scale; pca rank
 * if it is off), without a classifier. rest: the spec without these. Free both with pen_spec_free.
 * PEN_BAD_ARGUMENT: a kernel, row steps that are learned from all rows. */
pen_status pen_spec_split(const pen_spec *spec, pen_spec **components, pen_spec **rest,
                          pen_error *err);

/* Chain two models: `first` embeds the rows, and `second`, fitted to such embeddings, embeds the
 * result: components of many rows in blocks, and a method fitted to them. The method is
 * FIRST:SECOND, and the classifier is that of `second`. The signs of columns are those of pen_fit:
 * they follow from the product of both projections, unless the columns score classes.
 * PEN_BAD_ARGUMENT: `second` has other columns, a kernel or row_steps, or is itself composed; a
 * model is an ensemble. */
pen_status pen_model_compose(const pen_model *first, const pen_model *second, pen_model **out,
                             pen_error *err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
