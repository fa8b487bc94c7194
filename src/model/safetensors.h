/* safetensors.h - the files of models and statistics: tensors, and metadata as texts, some of which
 * are JSON. */
#ifndef PEN_SAFETENSORS_H
#define PEN_SAFETENSORS_H

#include "core/textbuf.h"
#include "core/json.h"

/* The types of numbers in a file. */
enum pen_number_type { NUMBER_F64, NUMBER_F32, NUMBER_U8, NUMBER_I64, NUMBER_I32, NUMBER_TYPES };

size_t pen_number_size(enum pen_number_type type);

/* Little-endian. */
void pen_put_u64(uint64_t value, unsigned char bytes[8]);
uint64_t pen_get_u64(const unsigned char bytes[8]);

/* ---- tensors that an object may have ---- */

typedef struct pen_tensor_kind {
    const char *name;
    int needs;                 /* bits of the object that say whether it has the tensor */
    enum pen_number_type type; /* in the file; NUMBER_TYPES: the narrowest of F64, F32 and U8 */
    size_t at;                 /* offset of the pointer to its numbers; 0: no such pointer */
    /* the size itself, or minus the offset of the member that holds it; second 0: one dimension */
    int64_t shape[2];
    /* a file may lack it; `also` is one more allowed value: NaN, infinity, or 0 */
    int optional;
    double also;
} pen_tensor_kind;

#define PEN_TENSOR(object, name, needs, type, member, rows, cols, optional)                        \
    {                                                                                              \
        name, needs, NUMBER_##type, offsetof(object, member), { rows, cols }, optional, 0          \
    }

static inline void **pen_tensor_at(const void *object, const pen_tensor_kind *kind)
{
    return (void **)((char *)(uintptr_t)object + kind->at);
}

/* The dimension `index`; 1 if there is only one dimension. */
int64_t pen_tensor_shape(const void *object, const pen_tensor_kind *kind, int index);

/* ---- reading a file ---- */

typedef struct pen_model_source {
    pen_run *run;
    const char *name; /* name of the file, for messages */
    const char *what; /* "a penumbra model", also for messages */
    const unsigned char *tensors;
    int64_t tensor_bytes;
    int needs;
    int is_member; /* part of an ensemble: it cannot be one itself */
} pen_model_source;

#define REFUSE_UNLESS(source, condition, ...)                                                      \
    PEN_REQUIRE((source)->run, condition, PEN_BAD_FORMAT, __VA_ARGS__)

/* The number of bytes that hold the length of the header. */
enum { LENGTH_SIZE = 8 };

/* Reads an object from the header of a file. out is where its pointer goes; the caller frees it,
 * also after a failure. */
typedef pen_status pen_source_fn(pen_model_source *s, pen_json *root, void *out);

/* Finds the parts of a safetensors file, checks its CRC-32, and parses its header. The caller has
 * set the other fields of *s. */
pen_status pen_source_parse(pen_model_source *s, const void *bytes, size_t size,
                            pen_source_fn *read, void *out);

/* Does the same with bytes in memory called `name`, and with a file; both are arguments of the
 * caller, as is `out`. */
pen_status pen_source_from_bytes(pen_run *run, const char *what, const char *name,
                                 const void *bytes, size_t size, pen_source_fn *read, void *out);
pen_status pen_source_load(pen_run *run, const char *what, const char *path, pen_source_fn *read,
                           void *out);

/* A required text of the metadata. */
pen_status pen_source_text(const pen_model_source *s, const pen_json *metadata, const char *key,
                           const char **text);

/* A required JSON text, parsed. */
pen_status pen_source_json(const pen_model_source *s, const pen_json *metadata, const char *key,
                           pen_json **out);

/* A required JSON list of strings. */
pen_status pen_source_list(const pen_model_source *s, const pen_json *metadata, const char *key,
                           pen_json **out);

/* A JSON list of strings, itself stored as a string under `key`. With `numbers` it may hold whole
 * numbers instead, and *numbers says so. Free *names [*count] with pen_free_names, also after a
 * failure. */
pen_status pen_source_names(const pen_model_source *s, const pen_json *metadata, const char *key,
                            char ***names, int64_t *count, int *numbers);

/* The names of columns, if any. Free them with pen_free_names. */
pen_status pen_source_features(const pen_model_source *s, const pen_json *metadata, int64_t columns,
                               char ***names);

/* A number of an object stored under `key`, in [least, most]. */
pen_status pen_source_number(const pen_model_source *s, const char *key, const pen_json *object,
                             const char *name, double least, double most, double *number);

typedef struct pen_tensor {
    int64_t shape[2]; /* 0: absent from the file */
    int64_t begin, end;
    enum pen_number_type type;
} pen_tensor;

/* The place of a tensor in the file, checked against the size of the file. A dimension may be 0. */
pen_status pen_tensor_find(const pen_model_source *s, const pen_json *root,
                           const pen_tensor_kind *kind, pen_tensor *t);

/* Checks that the tensors of `there` kinds end at `used`, without other tensors and without gaps.
 * `others`: the message for other tensors. */
pen_status pen_tensors_end(const pen_model_source *s, const pen_json *root, int there, int64_t used,
                           const char *others);

/* Files written by version 0.1.0 have a checksum of only their tensors, or none. */
pen_status pen_tensors_check(const pen_model_source *s, const pen_json *metadata);

/* The items of a tensor, of 4 or 8 bytes each, in that type. Doubles must be finite, or a value
 * that the kind allows. */
pen_status pen_tensor_items(const pen_model_source *s, const pen_tensor *t,
                            const pen_tensor_kind *kind, void *items);

/* The numbers of a tensor, which must be finite, or a value that the kind allows. */
pen_status pen_tensor_numbers(const pen_model_source *s, const pen_tensor *t,
                              const pen_tensor_kind *kind, double *values);

/* ---- writing a file ---- */

/* A tensor to write; values and items are NULL if there is none. */
typedef struct pen_part {
    const double *values;
    int64_t rows, cols; /* cols 0: one dimension */
    enum pen_number_type type;
    const void *items; /* of that type, instead of values */
    const char *name;  /* NULL: left out of the file */
} pen_part;

/* The tensor of an object whose numbers are doubles. */
pen_part pen_part_of(const void *object, const pen_tensor_kind *kind);

int64_t pen_part_count(const pen_part *part); /* number of numbers */

/* The file to write. It gets those of its parts [count] that have a name. */
typedef struct pen_written {
    const pen_part *parts;
    int count;
    pen_string header; /* the header up to its metadata; the caller adds the members */
} pen_written;

pen_written pen_written_open(const pen_part *parts, int count);

/* Adds a list of strings, or of numbers if they are not quoted. */
void pen_written_names(pen_written *file, const char *key, char *const *names, int64_t count,
                       int quoted);

/* Writes the file to `path`, or if that is NULL to *bytes [*size], which free() frees; and frees
 * the header. Uses memory of the size of the file. PEN_FILE_ERROR: with the reason reported by the
 * system. */
pen_status pen_written_finish(pen_run *run, pen_written *file, const char *path, void **bytes,
                              size_t *size);

/* Writes an object in this way. */
typedef pen_status pen_write_fn(pen_run *run, const void *object, const char *path, void **bytes,
                                size_t *size);

/* The bodies of public functions; `name` is the name of the argument. */
pen_status pen_write_file(pen_write_fn *write, const void *object, const char *name,
                          const char *path, pen_error *err);
pen_status pen_write_bytes(pen_write_fn *write, const void *object, const char *name, void **bytes,
                           size_t *size, pen_error *err);

#endif
