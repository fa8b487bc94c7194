/* model_bytes.h - model files in memory, changed: refused with a reason, or models that work. */
#ifndef MODEL_BYTES_H
#define MODEL_BYTES_H

#include "kit/embedded.h"

typedef struct model_file {
    unsigned char *bytes; /* free() them */
    size_t size;
} model_file;

/* The length of the header. */
size_t model_file_header(const model_file *f);

/* The file with the first `from` in its header replaced by `to`, and its checksum. */
model_file model_file_changed(const model_file *f, const char *from, const char *to);

/* The file with number `at` of its tensors, all of 8 bytes, replaced, and its checksum. */
model_file model_file_with(const model_file *f, size_t at, double value);

/* The file is refused with this code and phrase; frees it. */
void check_file_refused(model_file f, pen_status code, const char *phrase);

/* Parses the bytes: a model that embeds a row and predicts its class, or says what is wrong with
 * the row; or an error of a damaged file. Returns 1 for a model. */
int check_file_parses(const unsigned char *bytes, size_t size);

/* Every shorter file is refused, and so is every changed byte but those that name the checksum;
 * with the checksum that belongs to it a changed byte gives an error or a model that works. Frees
 * the file. */
void check_file_damaged(model_file f);

#endif
