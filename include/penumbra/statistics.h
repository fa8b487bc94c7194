/* statistics.h - fits to rows that lie in many files or on many machines. Conventions: model.h. */
#ifndef PENUMBRA_STATISTICS_H
#define PENUMBRA_STATISTICS_H

#include <penumbra/model.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* what is declared here is visible in the shared library, and nothing else */
#pragma GCC visibility push(default)
#endif

/* Rows that lie in many files or on many machines, or that arrive over time, are divided into
 * blocks. What a method needs of a block is put into an object, the objects are merged, and a fit
 * from them gives the model that all rows together give, up to rounding: the same bits for any
 * number of workers, in any order, if the merges follow the canonical tree (docs/statistics.md). */

enum {
    PEN_PART_TOTAL = 1,   /* number, mean and scatter of all rows, minimum and maximum of columns */
    PEN_PART_CLASSES = 2, /* means of classes, and the scatter within them */
    PEN_PART_CHUNKS = 4,  /* the same of chunks of rows that must-links join */
    PEN_PART_ROWS = 8,    /* the labelled rows themselves, and rows that are in pairs */
    /* from a second pass: from each labelled row to the nearest of all rows */
    PEN_PART_NEAREST = 16
};

/* The parts that a fit of this spec from statistics needs, or-ed: with PEN_PART_NEAREST it takes
 * two passes over the rows, else one. 0: these parameters need every row (also NULL), so that the
 * method is fitted to coordinates of all rows, as pen_fit_blocks does. */
int pen_spec_passes(const pen_spec *spec);

/* ---- rows that one process reads ------------------------------------------------------------ */

/* Sets x, labels, class_names, class_count, class_type and column_names of block 0, 1, 2, .. in
 * turn, and of all of them again for a further pass. They may be without rows, and live until the
 * next call. No columns, as *rows is before the call: there are no more. Otherwise than with PEN_OK
 * the fit ends so, with the message in *err. */
typedef pen_status (*pen_block_fn)(void *user, int64_t block, pen_data *rows, pen_error *err);

/* pen_fit of rows that come in blocks, which are merged by the canonical tree: one pass, or two
 * (pen_spec_passes). Where a method needs every row and pca is set, a second pass gathers the
 * principal components of all rows, q numbers a row, and the method is fitted to these, as
 * pen_spec_split and pen_model_compose do it. pairs: as in pen_stats_fit; their rows are kept.
 * PEN_BAD_ARGUMENT: every row is needed and pca is off; a kernel; row steps that are learned from
 * all rows; PEN_BAD_PAIR; PEN_BAD_DATA: the second pass has other rows; errors of `next`,
 * pen_stats_new and pen_fit. Progress: the rows so far, of 0 while their number is not known.
 * Memory: what statistics take, for each level of the tree (docs/statistics.md). */
pen_status pen_fit_blocks(const pen_spec *spec, pen_block_fn next, void *user,
                          const pen_data *pairs, const pen_control *control, pen_model **out,
                          pen_error *err);

/* ---- statistics of blocks ------------------------------------------------------------------- */

typedef struct pen_stats pen_stats;

/* A block. All zero but `id` is usual. */
typedef struct pen_stats_block {
    int64_t id;          /* >= 0: rows of a lower id come first, and no two blocks have the same */
    const int64_t *keep; /* [keep_count] rows of this block that pairs name; or NULL */
    int64_t keep_count;
    /* [rows] the chunk of each row, >= 0, or -1 for none; or NULL. All blocks have chunks, or none
     * has */
    const int64_t *chunks;
    int parts; /* PEN_PART_TOTAL with CLASSES or ROWS or both; 0: what the method may need */
    int64_t reserved[8]; /* zero: options to come */
} pen_stats_block;

/* The statistics of a block: of the parameters of `spec` row_steps count, and what says which parts
 * are needed (the method, and whether classifier is none). Rows may be none. data: x, labels,
 * class_names and column_names. Free with pen_stats_free (NULL is fine).
 * PEN_BAD_ARGUMENT: id, keep, chunks or parts, a kernel, row steps that are learned from all rows;
 * PEN_BAD_DATA: more than 8191 columns, values that row steps do not take; PEN_NOT_FINITE; messages
 * name the block. Cost: four passes, n d^2 flops; memory: 2 d^2 doubles and the rows kept. */
pen_status pen_stats_new(const pen_spec *spec, const pen_data *data, const pen_stats_block *block,
                         const pen_control *control, pen_stats **out, pen_error *err);

/* The second pass, where pen_spec_passes has PEN_PART_NEAREST: from each labelled row of `all`, the
 * merged statistics, the distances to the `neighbors` nearest rows of this block. The spec is that
 * of the fit: neighbors, scale, pca. Merge these objects of all blocks with `all`.
 * PEN_BAD_ARGUMENT: the method needs no such pass, or the block is not in `all`;
 * PEN_BAD_DATA: it had other rows, which a checksum of their values tells. Cost: l n d flops. */
pen_status pen_stats_nearest(const pen_spec *spec, const pen_stats *all, const pen_data *data,
                             int64_t block, const pen_control *control, pen_stats **out,
                             pen_error *err);

/* The statistics of all blocks of `count` >= 1 objects, in whatever order they are listed. Where
 * these are subtrees of the canonical tree over all blocks, such as single blocks, the tree is
 * followed. Objects of the second pass are merged with each other, and then belong to those of the
 * first, which must be of the same blocks. blocks: the number of all blocks, whatever their ids; or
 * 0: blocks with the ids between are all there, though others may come before and after. Where it
 * was given, pen_stats_fit does not ask again.
 * PEN_BAD_ARGUMENT: a block in two of them; other row steps, other parts, another number of
 * nearest rows, or distances in other units. PEN_BAD_DATA: other columns, other names of these, or
 * class names in some objects and numbers in others; blocks are missing, which the message names.
 * Cost: d^2 for each. */
pen_status pen_stats_merge(const pen_stats *const *list, int64_t count, int64_t blocks,
                           const pen_control *control, pen_stats **out, pen_error *err);

/* pen_fit from statistics. pairs: NULL, or must_link, cannot_link and what belongs to them, by the
 * numbers of rows among all, and drop_missing; nothing else of it is read. The info of the model
 * has `merges`.
 * PEN_BAD_ARGUMENT: the method needs a part that is absent, or every row; PEN_BAD_PAIR: a row that
 * was not kept; PEN_BAD_DATA: blocks are missing, of those from 0 on; errors of pen_fit. */
pen_status pen_stats_fit(const pen_spec *spec, const pen_stats *stats, const pen_data *pairs,
                         const pen_control *control, pen_model **out, pen_error *err);
void pen_stats_free(pen_stats *stats);

/* Writes what they are as a JSON object, at most `size` bytes, and returns the length of the whole
 * text, or 0 when out of memory; text may be NULL. Numbers: columns, rows, labelled, kept (rows
 * that are kept), near (the nearest rows of each labelled one, or 0); texts: kind, row_steps,
 * merges (canonical or free); lists: parts (total, classes, chunks, rows, nearest), blocks ({id,
 * rows, labelled}), class_names, column_names (null: none). */
size_t pen_stats_info(const pen_stats *stats, char *text, size_t size);

/* Statistics as a safetensors file, written completely or not at all, or as its bytes, freed with
 * pen_free; the same object gives the same bytes. Errors as for models, which are refused, as
 * pen_model_load refuses statistics. */
pen_status pen_stats_save(const pen_stats *stats, const char *path, pen_error *err);
pen_status pen_stats_load(const char *path, pen_stats **out, pen_error *err);
pen_status pen_stats_to_bytes(const pen_stats *stats, void **bytes, size_t *size, pen_error *err);
pen_status pen_stats_from_bytes(const void *bytes, size_t size, pen_stats **out, pen_error *err);

/* ---- methods that need every row ------------------------------------------------------------
 * Fit `components` from statistics of all rows, transform the rows where they are, fit `rest` to
 * these coordinates in one place, and compose both. */

/* components: pca with what prepares rows (row_steps, scale, pca, pca_scale, and pca rank where it
 * is off), without a classifier; rest: the spec without these. Free both with pen_spec_free.
 * PEN_BAD_ARGUMENT: a kernel, row steps that are learned from all rows. */
pen_status pen_spec_split(const pen_spec *spec, pen_spec **components, pen_spec **rest,
                          pen_error *err);

/* The model of rows that embeds them by `first`, and the embedding by `second`, which was fitted to
 * embeddings by `first`: such as components of many rows in blocks, and a method fitted to these.
 * The method is FIRST:SECOND, and classes are told by the classifier of `second`. The signs of
 * columns are those of pen_fit: they go by the projection of both, unless the columns score
 * classes.
 * PEN_BAD_ARGUMENT: `second` has other columns, a kernel or row_steps, or is composed of such a
 * model already; a model has members. */
pen_status pen_model_compose(const pen_model *first, const pen_model *second, pen_model **out,
                             pen_error *err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
