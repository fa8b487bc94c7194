/* stats.h - statistics of rows in blocks: what is kept of them, and where it is.
 *
 * All in double, of rows after row steps and `normalize`, before `scale` and `pca`. A row is named
 * by its block and its number there; blocks are laid end to end by ascending id. Symmetric matrices
 * are packed: the lower triangle, row by row. */
#ifndef PEN_STATS_H
#define PEN_STATS_H

#include "core/run.h"

/* Squares of more columns would be over 256 MB. */
enum { PEN_STATS_MOST_COLUMNS = 8191 };

/* Sums over rows in classes or groups. */
typedef struct pen_stats_sums {
    int64_t count;
    int64_t *rows;  /* [count] of each */
    double *mean;   /* [count x d] */
    double *within; /* [packed] rows about the mean of their class, of all classes together */
} pen_stats_sums;

struct pen_stats {
    int parts;   /* PEN_PART_TOTAL, .. */
    int unit;    /* rows were normalized */
    int log1p;   /* and took these row steps before; 0: not */
    int is_free; /* not merged by the canonical tree */
    double row_total;
    int64_t d;
    int64_t packed;       /* d (d + 1) / 2 */
    char **feature_names; /* [d] or NULL */

    int64_t block_count;
    int64_t *blocks;       /* [block_count x 3] id, ascending; rows; labelled rows */
    int64_t *block_digest; /* [block_count] which rows these are (row_digest.h) */
    double *low;           /* [d]; 0 if there are no rows */
    double *high;
    double *mean;    /* [d] TOTAL */
    double *scatter; /* [packed] about the mean */

    char **class_names; /* [class_count] ordered as readers of files order them */
    int64_t class_count;
    int is_named;           /* classes have names, not numbers */
    pen_stats_sums classes; /* CLASSES: count is class_count */
    pen_stats_sums groups;  /* GROUPS */
    int64_t *group_id;      /* [groups.count] ascending */

    int64_t kept;       /* ROWS: labelled rows, and others that were named */
    int64_t *row_id;    /* [kept x 2] block and row, ascending */
    double *row_value;  /* [kept x d] */
    int32_t *row_class; /* [kept] class, or -1 */

    int64_t near_rows;      /* NEAREST: labelled rows of all blocks, whatever blocks these are */
    int64_t near;           /* distances of each */
    int64_t *near_id;       /* [near_rows x 2] block and row, ascending */
    double *near_distance2; /* [near_rows x near] ascending; infinite where there are fewer rows */
    uint32_t digest;        /* of what the distances depend on */

    int64_t list_tasks; /* LISTS: nearest rows of the rows of some blocks */
    int64_t *list_task; /* [list_tasks x 2] ids a <= b of the blocks compared, ascending */
    int64_t list_blocks;
    int64_t *list_block; /* [list_blocks] ids of the blocks with lists, ascending */
    double *list_length; /* [list_blocks] the sum of the lengths of their rows, after task a, a */
    int64_t listed;      /* rows of these blocks */
    int64_t list_width;
    int64_t *list_row;      /* [listed x list_width] numbers among all rows, -1 after the last */
    double *list_distance2; /* [listed x list_width] */
    uint32_t units;         /* digest of what the distances depend on; of GRAPH, too */

    int64_t terms;  /* GRAPH: graphs of all rows */
    int64_t firsts; /* rows + 1 */
    int64_t all_rows;
    int64_t edges;        /* of all graphs */
    int64_t dense;        /* 1: affinities of all pairs of rows are wanted, too; else 0 */
    int64_t *graph_first; /* [terms x firsts] of edges of a row with later ones */
    int64_t *graph_other; /* [edges] */
    double *graph_weight; /* [edges] */
    double *graph_rest;   /* [terms x all_rows] of rows by themselves (linalg/graph_terms.h) */
    double *graph_sigma;  /* [dense x all_rows] */

    int64_t soft_classes; /* SHARES, SOFT: classes to which rows belong in part */
    double *share;        /* SHARES [all_rows x soft_classes] */
    double *soft_check;   /* [3] of the shares (pen_terms_soft) */
    int64_t soft_tasks;   /* SOFT: blocks, or pairs of them, which have no sums */
    int64_t *soft_task;   /* [soft_tasks x 2] as list_task */
    double *soft_mass;    /* [soft_classes] */
    double *soft_mean;    /* [soft_classes x d] less the mean of all rows; 0 without mass */
    double *soft_within;  /* [packed] */

    int64_t residual_tasks;   /* RESIDUALS: blocks */
    int64_t *residual_task;   /* [residual_tasks x 2] each block twice */
    double *residual_check;   /* [3] neighbors, lle_ridge, digest of what the lists depend on */
    double *residual_noise;   /* [1] by how much rounding errors of rows grow (scatter.h) */
    double *residual_scatter; /* [packed] */

    int64_t results;      /* GRAPH, EDGES: terms + 2 dense */
    double *edge_check;   /* [results x 3] of the graph (pen_term_check) */
    int64_t edge_tasks;   /* EDGES: pairs of blocks */
    int64_t *edge_task;   /* [edge_tasks x 2] as list_task */
    double *edge_scatter; /* [results x packed] */
    double *edge_vector;  /* [results x d] */
    double *edge_squares; /* [results x d] */
    double *edge_mass;    /* [results] */
};

/* The names of parts, in the order of their bits, NULL-terminated. */
extern const char *const pen_stats_part_names[];
#define PEN_PARTS 11

/* An object of d columns without rows or blocks. Free with pen_stats_free. */
pen_status pen_stats_empty(pen_run *run, int64_t d, pen_stats **out);

/* The memory of the parts named, zeroed, for the counts that are set. */
pen_status pen_stats_allocate(pen_run *run, pen_stats *s);

/* The number of all rows, and of the labelled ones. */
int64_t pen_stats_count(const pen_stats *s);
int64_t pen_stats_labelled(const pen_stats *s);

/* The position of a block, or -1. */
int64_t pen_stats_find_block(const pen_stats *s, int64_t id);

/* Copies of names [count]. */
pen_status pen_stats_names(pen_run *run, const char *const *names, int64_t count, char ***out);

/* The position of a class among names: numbers if all are, else bytes. */
int pen_stats_in_number_order(char *const *names, int64_t count);
int pen_stats_compare_names(const char *a, const char *b, int by_number);

/* The different ones of names [count] in that order, in scratch memory, and of [count]: the
 * position of each name among them. */
pen_status pen_stats_order_names(pen_run *run, const char *const *names, int64_t count,
                                 const char ***ordered, int64_t *different, int64_t *of);

/* The checksum of what the distances of pen_stats_nearest depend on: the sums, the labelled rows,
 * and the parameters that prepare rows. */
pen_status pen_stats_digest(pen_run *run, const pen_spec *spec, const pen_stats *s,
                            uint32_t *digest);

/* 1 if the method learns from must-links alone, so that groups of rows are enough. */
int pen_stats_takes_groups(const pen_spec *spec);

/* The kinds of tensors in a file: their order is that of the file. Names are those of the members
 * above. */
typedef enum pen_stats_type { STATS_F64, STATS_I64, STATS_I32, STATS_TYPES } pen_stats_type;
typedef struct pen_stats_tensor {
    const char *name;
    int part; /* 0: always there; several bits: with any of these */
    pen_stats_type type;
    size_t at;       /* offset of the pointer in pen_stats */
    int64_t rows[2]; /* the shape: the number itself, or - the offset of the member it is in */
} pen_stats_tensor;
extern const pen_stats_tensor pen_stats_tensors[];
enum { STATS_TENSORS = 44 };

/* The dimension `index` of a tensor; 1 where it has one dimension only. */
int64_t pen_stats_shape(const pen_stats *s, const pen_stats_tensor *tensor, int index);
static inline void **pen_stats_at(const pen_stats *s, const pen_stats_tensor *tensor)
{
    return (void **)((char *)(uintptr_t)s + tensor->at);
}
size_t pen_stats_size(pen_stats_type type);

#endif
