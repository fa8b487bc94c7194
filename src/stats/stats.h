/* stats.h - the object of statistics of rows in blocks.
 *
 * All numbers are double, of rows after row steps, before `scale` and `pca`. A row is named by
 * its block and its number there; blocks follow each other by ascending id. Symmetric matrices
 * are packed: the lower triangle, row by row. */
#ifndef PEN_STATS_H
#define PEN_STATS_H

#include "core/row_steps.h"
#include "model/safetensors.h"

/* Scatters of more columns would take over 256 MB. */
enum { PEN_STATS_MOST_COLUMNS = 8191 };

/* Sums over rows in classes or chunks. */
typedef struct pen_stats_sums {
    int64_t count;
    int64_t *rows;  /* [count] of each class or chunk */
    double *mean;   /* [count x d] */
    double *within; /* [packed] rows about the mean of their class, of all classes together */
} pen_stats_sums;

struct pen_stats {
    int parts;          /* PEN_PART_TOTAL, .. */
    int is_free;        /* 1: not merged by the canonical tree */
    int is_all;         /* 1: known to be complete, whatever the ids */
    pen_row_params row; /* the row steps taken, each of a single row */
    int64_t d;
    int64_t packed;      /* d (d + 1) / 2 */
    char **column_names; /* [d] or NULL */

    int64_t block_count;
    int64_t *blocks;       /* [block_count x 3] id, ascending; rows; labelled rows */
    int64_t *block_digest; /* [block_count] identifies the rows (row_digest.h) */
    double *low;           /* [d]; 0 if there are no rows */
    double *high;
    double *mean;    /* [d] TOTAL */
    double *scatter; /* [packed] about the mean */

    char **class_names; /* [class_count] in the order of classes in files */
    int64_t class_count;
    int is_named;           /* classes have names, not numbers */
    char class_type[24];    /* pen_data.class_type of all blocks with classes; or "" */
    pen_stats_sums classes; /* CLASSES: count is class_count */
    pen_stats_sums chunks;  /* CHUNKS */
    int64_t *chunk_id;      /* [chunks.count] ascending */

    int64_t kept;       /* ROWS: labelled rows, and rows named in `keep` */
    int64_t *row_id;    /* [kept x 2] block and row, ascending */
    double *row_value;  /* [kept x d] */
    int32_t *row_class; /* [kept] class, or -1 */

    int64_t near_rows;      /* NEAREST: labelled rows, from all blocks of the first pass */
    int64_t near;           /* distances of each labelled row */
    int64_t *near_id;       /* [near_rows x 2] block and row, ascending */
    double *near_distance2; /* [near_rows x near] ascending; infinite if there are fewer rows */
    uint32_t digest;        /* of what the distances depend on */
};

/* The names of parts, in the order of their bits, NULL-terminated. */
extern const char *const pen_stats_part_names[];
#define PEN_PARTS 5

/* An object of d columns without rows or blocks. Free with pen_stats_free. */
pen_status pen_stats_empty(pen_run *run, int64_t d, pen_stats **out);

/* Allocates zeroed memory for the parts, from the counts already set. */
pen_status pen_stats_allocate(pen_run *run, pen_stats *s);

/* The numbers of all rows and of labelled rows. */
int64_t pen_stats_count(const pen_stats *s);
int64_t pen_stats_labelled(const pen_stats *s);

/* "canonical" or "free". */
static inline const char *pen_stats_merges(const pen_stats *s)
{
    return s->is_free ? "free" : "canonical";
}

/* The position of a block, or -1. */
int64_t pen_stats_find_block(const pen_stats *s, int64_t id);

/* blocks 0: PEN_BAD_DATA if ids from `first` on have a gap. blocks > 0: PEN_BAD_DATA if there are
 * fewer, PEN_BAD_ARGUMENT if there are more. The message names missing blocks. */
pen_status pen_stats_check_blocks(pen_run *run, const pen_stats *s, int64_t first, int64_t blocks);

/* Are all names numbers? Then classes are ordered by number, otherwise by bytes. */
int pen_stats_in_number_order(char *const *names, int64_t count);
int pen_stats_compare_names(const char *a, const char *b, int by_number);

/* The distinct names [count] in that order, in scratch memory, and of [count]: the position of each
 * name among them. */
pen_status pen_stats_order_names(pen_run *run, const char *const *names, int64_t count,
                                 const char ***ordered, int64_t *different, int64_t *of);

/* The checksum of what the distances of pen_stats_nearest depend on: the sums, the labelled rows,
 * and the parameters that prepare rows. */
uint32_t pen_stats_digest(const pen_spec *spec, const pen_stats *s);

/* 1 if the method learns only from must-links, so that chunks of rows suffice. */
int pen_stats_takes_chunks(const pen_spec *spec);

/* The kinds of tensors in a file, in file order. They are named after the members above. Each
 * belongs to a part; 0: always present. */
enum { STATS_TENSORS = 18 };
extern const pen_tensor_kind pen_stats_tensors[STATS_TENSORS];

static inline int pen_stats_has(const pen_stats *s, const pen_tensor_kind *tensor)
{
    return !tensor->needs || s->parts & tensor->needs;
}

#endif
