/* h5.h - HDF5 files through libhdf5, which is an optional part. Only h5*.c include this header.
 *
 * libhdf5 crashes on some damaged files. So files that were not made here are opened in a child
 * process (h5_child.h), and such a crash is PEN_BAD_FORMAT. The functions below ask it; what is
 * read, tables and errors are of the caller's process.
 *
 * libhdf5 is not safe to call from two threads: a lock is held while this process does. Its own
 * messages are silenced meanwhile. Links to other files, datasets stored in other files and virtual
 * ones are not followed. */
#ifndef PEN_H5_H
#define PEN_H5_H

#include "io/csr_table.h"

/* An open file. Objects may be left open: they are closed with it. */
typedef struct pen_h5 {
    pen_run *run;
    const char *name;           /* for messages */
    uint64_t size;              /* of the file, in bytes */
    int64_t file, link;         /* identifiers: the file, how links are followed */
    struct pen_h5_child *child; /* which has the file open; NULL: this process has */
} pen_h5;

/* Opens the file, or the bytes of `input` if it has no path, calls `work`, and closes it.
 * PEN_BAD_FORMAT: damaged. PEN_NO_MEMORY: the system gives no process. */
typedef pen_status (*pen_h5_work)(const pen_h5 *h5, void *context);
pen_status pen_h5_read(pen_run *run, const pen_input *input, pen_h5_work work, void *context);

/* Likewise for writing: `work` runs in the child, with a run of its own, and what it leaves in
 * memory is lost with it. */
pen_status pen_h5_change(pen_run *run, const pen_input *input, pen_h5_work work, void *context);

/* Creates an empty file in place of the one at `path`, and calls `work`, in this process. */
pen_status pen_h5_create(pen_run *run, const char *name, const char *path, pen_h5_work work,
                         void *context);

/* ---- what is there ---- */

enum pen_h5_object { PEN_H5_NOTHING, PEN_H5_SET, PEN_H5_GROUP, PEN_H5_UNREADABLE };
enum pen_h5_object pen_h5_look(const pen_h5 *h5, const char *path);

/* Fails: what is at that path cannot be read. */
pen_status pen_h5_damaged(const pen_h5 *h5, const char *path);

/* The identifier of an object, not by the child; negative: there is none. Close it with
 * H5Oclose. */
int64_t pen_h5_object(const pen_h5 *h5, const char *path);

/* Can the file hold that number of values, compressed? */
int pen_h5_is_plausible(const pen_h5 *h5, int64_t values);

/* FOLDER/NAME in scratch memory; PATH without a folder. */
pen_status pen_h5_join(const pen_h5 *h5, const char *folder, const char *name, const char **out);

/* The names of the links in a group, in order, in scratch memory. */
pen_status pen_h5_names(const pen_h5 *h5, const char *group, char ***names, int64_t *count);

/* Reads a text attribute into scratch memory; NULL: there is none. */
pen_status pen_h5_text_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                 const char **out);

/* Reads an attribute of at most `most` whole numbers; *count is 0 if there is none. */
pen_status pen_h5_whole_attribute(const pen_h5 *h5, const char *path, const char *attribute,
                                  int64_t most, int64_t *values, int64_t *count);

/* ---- datasets ---- */

enum pen_h5_kind { PEN_H5_NUMBERS, PEN_H5_TEXTS, PEN_H5_OTHER };

/* A dataset that is open. One of rank 0 has the shape 1 x 1, of rank 1 n x 1. */
typedef struct pen_h5_set {
    int64_t id;
    const char *path;
    int rank; /* above 2: dims hold the first two */
    int64_t dims[2];
    enum pen_h5_kind kind;
    pen_dtype dtype; /* of numbers in a table */
    int whole;       /* whole numbers */
    int is_signed;   /* .. which may be negative */
    int is_logical;  /* .. 0 and 1 that are called FALSE and TRUE, as h5py writes bool */
} pen_h5_set;

/* PEN_BAD_FORMAT: damaged, stored elsewhere, or more values than such a file can hold. */
pen_status pen_h5_open(const pen_h5 *h5, const char *path, pen_h5_set *out);
void pen_h5_close(const pen_h5 *h5, const pen_h5_set *set);

/* Loads values of a dataset of numbers: count0 x count1 from (first0, first1) on, for rank 1
 * count1 is 1. */
pen_status pen_h5_load(const pen_h5 *h5, const pen_h5_set *set, int64_t first0, int64_t count0,
                       int64_t first1, int64_t count1, pen_dtype dtype, void *values);

/* Likewise whole numbers of a dataset of rank 1. Numbers that are not whole, or too large, are
 * PEN_BAD_FORMAT. */
pen_status pen_h5_load_whole(const pen_h5 *h5, const pen_h5_set *set, int64_t first, int64_t count,
                             int64_t *values);

/* Some of a column. */
typedef struct pen_h5_part {
    int64_t first, count; /* those wanted; the count becomes that of those there are */
    int64_t rows;         /* of the whole column, which is set */
} pen_h5_part;

/* Values of a dataset of n x 1 or 1 x n as texts in scratch memory: texts as they are, numbers in
 * shortest form, whole ones with all their digits, NaN as the empty text. */
pen_status pen_h5_texts(const pen_h5 *h5, const pen_h5_set *set, pen_h5_part *part,
                        pen_text **texts);

/* Sets part->rows and lowers part->count. */
void pen_h5_part_of(pen_h5_part *part, int64_t rows);

#endif
