/* model_bytes.h - model files in memory, changed: refused with a reason, or models that work.
 *
 * In texts of headers ' stands for " and ` for \", the quote within a string of the header. */
#ifndef MODEL_BYTES_H
#define MODEL_BYTES_H

#include "kit/embedded.h"

typedef struct model_file {
    unsigned char *bytes;
    size_t size;
} model_file;

/* Made by hand, without a checksum: `header`, and numbers of 8 bytes for its tensors. */
model_file model_file_of(const char *header, size_t count, const double *numbers);

/* That of a fit. */
model_file model_file_fitted(const char *text, const sample *s);
pen_model *model_file_read(const model_file *f);

/* The length of the header. */
size_t model_file_header(const model_file *f);

/* The file with the first `from` in its header replaced by `to`, and its checksum. */
model_file model_file_changed(const model_file *f, const char *from, const char *to);

/* The file with number `at` of its tensors, all of 8 bytes, replaced, and its checksum. */
model_file model_file_with(const model_file *f, size_t at, double value);

/* The file is refused with this code and phrase, or (PEN_OK) is a model that works. Frees it. */
void check_file_refused(model_file f, pen_status code, const char *phrase);

/* Each of the texts in `to`, which '|' separates, in the place of `from` in the header of a file
 * makes it fail with `code`, or not. */
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
    const char *phrase; /* of PEN_BAD_FORMAT */
} number_change;
void check_number_changes(const model_file *files, int64_t count, const number_change *changes);

/* Each number of the tensors 0, very large, very small, or none: an error or a model that works. */
void check_odd_numbers(const model_file *f);

/* Parses the bytes: a model that embeds a row and predicts its class, or says what is wrong with
 * the row; or an error of a damaged file. Returns 1 for a model. */
int check_file_parses(const unsigned char *bytes, size_t size);

/* Every shorter file is refused, and so is every changed byte but those that name the checksum;
 * with the checksum that belongs to it a changed byte gives an error or a model that works. */
void check_file_damaged(const model_file *f);

#endif
