/* write.h - writes columns side by side, as text or an array. */
#ifndef PEN_WRITE_H
#define PEN_WRITE_H

#include "core/array.h"
#include "io/table/file_output.h"

/* Columns side by side, from one of these sources; or empty. */
typedef struct pen_band {
    int64_t count;            /* of columns */
    const char *const *names; /* [count] in the header; NULL: empty cells */
    const char *const *texts; /* [rows x count], quoted if they would read back differently */
    const pen_array *values;  /* [rows x count] */
    /* [rows] codes of words [word_count], count 1, other codes give empty cells; or with values:
     * the one column to write in each row; codes below 0 give empty cells */
    const int32_t *codes;
    const char *const *words;
    int64_t word_count;
    int is_rounded; /* 1: values have six digits */
    int numbered;   /* 1: row numbers from `first` on */
    int64_t first;
} pen_band;

/* The contents of a file of columns. npy has only the values of the last band. */
enum { PEN_BANDS = 6 };
typedef struct pen_sheet {
    int64_t rows;
    int has_header, is_whole;  /* is_whole: values for npy, which are doubles, become int64 */
    pen_band bands[PEN_BANDS]; /* at least one column in all */
} pen_sheet;

/* The delimiter of a text file with this name. */
char pen_delimiter_of(const char *path);

pen_status pen_write_text(pen_run *run, const pen_sheet *sheet, char delimiter, pen_put put,
                          void *context);

/* Writes text or npy, by the extension. */
pen_status pen_write_sheet(pen_run *run, const char *path, const pen_sheet *sheet);

#endif
