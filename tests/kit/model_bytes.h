/* model_bytes.h - changed model files in memory: refused with a message, or usable models.
 *
 * In header texts ' stands for " and ` for \", a quote within a string of the header. */
#ifndef MODEL_BYTES_H
#define MODEL_BYTES_H

#include "kit/embedded.h"

typedef struct model_file {
    unsigned char *bytes;
    size_t size;
} model_file;

/* A file without a checksum, from `header` and 8-byte numbers for its tensors. */
model_file model_file_of(const char *header, size_t count, const double *numbers);

/* The file of a fit. */
model_file model_file_fitted(const char *text, const sample *s);
pen_model *model_file_read(const model_file *f);

/* The length of the header. */
size_t model_file_header(const model_file *f);

/* The file with the first `from` in its header replaced by `to`, and a correct checksum. */
model_file model_file_changed(const model_file *f, const char *from, const char *to);

/* The file with number `at` of its tensors, all of 8 bytes, replaced, and a correct checksum. */
model_file model_file_with(const model_file *f, size_t at, double value);

/* The file is refused with this code and phrase, or (PEN_OK) is a usable model. Frees it. */
void check_file_refused(model_file f, pen_status code, const char *phrase);

/* Replaces `from` in the header by each text of `to`, separated by '|': reading must fail with
 * `code`, or succeed (PEN_OK). */
enum { FINE = PEN_OK, BAD = PEN_BAD_FORMAT, NEWER = PEN_NEWER_FORMAT };
typedef struct file_change {
    int file;
    const char *from, *to;
    int code;
    const char *phrase;
} file_change;
void check_file_changes(const model_file *files, int64_t count, const file_change *changes);

/* The same for number `at` of the tensors. */
typedef struct number_change {
    int file;
    size_t at;
    double value;
    const char *phrase; /* with PEN_BAD_FORMAT */
} number_change;
void check_number_changes(const model_file *files, int64_t count, const number_change *changes);

/* Replaces each tensor number by 0, very large, very small numbers and NaN: an error or a usable
 * model. */
void check_odd_numbers(const model_file *f);

/* Parses the bytes. Returns 1 for a model that embeds a row and predicts, or reports what is wrong
 * with the row; 0 for an error of a damaged file. */
int check_file_parses(const unsigned char *bytes, size_t size);

/* Every truncation is refused, and so is every changed byte outside the name of the checksum. With
 * a corrected checksum, a changed byte gives an error or a usable model. */
void check_file_damaged(const model_file *f);

#endif
