/* model_source.h - a model file that is read, and the JSON in its metadata. */
#ifndef PEN_MODEL_SOURCE_H
#define PEN_MODEL_SOURCE_H

#include "model/json.h"
#include "model/model.h"

typedef struct pen_model_source {
    pen_run *run;
    const char *name; /* of the file, for messages */
    const char *what; /* "a penumbra model", likewise */
    const unsigned char *tensors;
    int64_t tensor_bytes;
    int needs;
    int is_member; /* of another model: it has no members itself */
} pen_model_source;

#define REFUSE_UNLESS(source, condition, ...)                                                      \
    PEN_REQUIRE((source)->run, condition, PEN_BAD_FORMAT, __VA_ARGS__)

/* Bytes of the length of the header. */
enum { LENGTH_SIZE = 8 };

/* Finds the parts of a safetensors file, checks its CRC-32, and parses its header; free() *root.
 * s->run, name and what are set. */
pen_status pen_source_open(pen_model_source *s, const unsigned char *bytes, size_t size,
                           pen_json **root);

enum { MOST_COLUMNS = INT32_MAX / 2 };

/* Little-endian. */
void pen_put_u64(uint64_t value, unsigned char bytes[8]);
uint64_t pen_get_u64(const unsigned char bytes[8]);

/* A text of the metadata that must be there. */
pen_status pen_source_text(const pen_model_source *s, const pen_json *metadata, const char *key,
                           const char **text);

/* One of JSON, parsed. free() it. */
pen_status pen_source_json(const pen_model_source *s, const pen_json *metadata, const char *key,
                           pen_json **out);

/* A JSON list of strings, itself stored as a string under `key`. With `numbers` it may be of whole
 * numbers instead, and *numbers tells. Free each of *names [*count] and the
 * list with free(), also on failure. */
pen_status pen_source_names(const pen_model_source *s, const pen_json *metadata, const char *key,
                            char ***names, int64_t *count, int *numbers);

/* The names of columns, if there are any; free each and the list. */
pen_status pen_source_features(const pen_model_source *s, const pen_json *metadata, int64_t columns,
                               char ***names);

/* A number of an object stored under `key`, in [least, most]. */
pen_status pen_source_number(const pen_model_source *s, const char *key, const pen_json *object,
                             const char *name, double least, double most, double *number);

#endif
