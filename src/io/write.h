/* write.h - columns side by side, as a file of text or an array. */
#ifndef PEN_WRITE_H
#define PEN_WRITE_H

#include "core/array.h"
#include "io/table/file_output.h"

/* Columns side by side, of one of these; or empty. */
typedef struct pen_band {
    int64_t count;            /* of columns */
    const char *const *names; /* [count] in the header; NULL: empty cells */
    const char *const *texts; /* [rows x count], quoted where they would read back differently */
    const pen_array *values;  /* [rows x count] */
    /* [rows] of words [word_count], count 1, other codes are empty cells; or with values: which of
     * them is the only column; rows of a code below 0 are empty cells */
    const int32_t *codes;
    const char *const *words;
    int64_t word_count;
    int is_rounded; /* 1: values have six digits */
    int numbered;   /* 1: the numbers of the rows from `first` */
    int64_t first;
} pen_band;

/* What a file of columns holds. The values of the last band alone are written as npy. */
enum { PEN_BANDS = 6 };
typedef struct pen_sheet {
    int64_t rows;
    int has_header, is_whole;  /* is_whole: values for npy, which are doubles, become int64 */
    pen_band bands[PEN_BANDS]; /* at least one column in all */
} pen_sheet;

/* The delimiter of a text file of that name. */
char pen_delimiter_of(const char *path);

pen_status pen_write_text(pen_run *run, const pen_sheet *sheet, char delimiter, pen_put put,
                          void *context);

/* As text or npy, as the extension says. */
pen_status pen_write_sheet(pen_run *run, const char *path, const pen_sheet *sheet);

#endif
