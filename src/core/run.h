/* run.h - the context of one public call: scratch memory, the first error, threads, progress. */
#ifndef PEN_RUN_H
#define PEN_RUN_H

#include <penumbra.h>

typedef struct pen_run pen_run;

/* The only two control macros of the library. */
#define PEN_TRY(call)                                                                              \
    do {                                                                                           \
        const pen_status try_ = (call);                                                            \
        if (try_ != PEN_OK)                                                                        \
            return try_;                                                                           \
    } while (0)

#define PEN_REQUIRE(run, condition, code, ...)                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return pen_fail((run), (code), __VA_ARGS__);                                           \
    } while (0)

/* The body of a public function, or its end: opens a run, evaluates `call`, closes the run and
 * returns the status. */
#define PEN_CALL(control, err, call)                                                               \
    do {                                                                                           \
        pen_run *run;                                                                              \
        PEN_TRY(pen_run_open((control), (err), &run));                                             \
        const pen_status status_ = pen_run_end(run, (call));                                       \
        return status_;                                                                            \
    } while (0)

/* The same for a call that makes an object: *out starts as NULL; if the call fails, `forget` frees
 * it and it becomes NULL again. If the call succeeds, errors recorded by optional parts are
 * cleared. */
#define PEN_MAKE(control, err, out, forget, call)                                                  \
    do {                                                                                           \
        pen_run *run;                                                                              \
        if (out)                                                                                   \
            *(out) = NULL;                                                                         \
        PEN_TRY(pen_run_open((control), (err), &run));                                             \
        const pen_status status_ = pen_run_end(run, (call));                                       \
        if (status_ != PEN_OK && (out)) {                                                          \
            forget(*(out));                                                                        \
            *(out) = NULL;                                                                         \
        }                                                                                          \
        if (status_ == PEN_OK && (err))                                                            \
            *(err) = (pen_error){ .code = PEN_OK };                                                \
        return status_;                                                                            \
    } while (0)

/* Structs that callers fill end in members for future options. */
int pen_is_zero(const int64_t *reserved, size_t count);
#define PEN_IS_ZERO(words) pen_is_zero((words), sizeof(words) / sizeof *(words))

#define PEN_NOT_ZERO "%s.reserved must be zero: it is for options that this version does not have"

/* Begins a call. `err` and `control` may be NULL; *err is cleared. On failure nothing needs
 * closing. */
pen_status pen_run_open(const pen_control *control, pen_error *err, pen_run **out);

/* Ends the call: joins its threads and frees all scratch memory. NULL is fine. */
void pen_run_close(pen_run *run);

/* The same for a public call. Returns `status`, or the failure below. */
pen_status pen_run_end(pen_run *run, pen_status status);

/* Makes calls of this process fail from now on with PEN_WRONG_BLAS and `message`, a text that stays
 * (NULL: no longer): pen_progress, pen_poll and pen_run_end do. From any thread. */
void pen_run_wrong_blas(const char *message);

/* Records an error, unless one is recorded already, and returns `code`. `run` may be NULL: then
 * nothing is recorded. */
pen_status pen_fail(pen_run *run, pen_status code, const char *format, ...);

/* Sets the number of a block's first row, initially 0: messages add it to row numbers. */
void pen_run_set_first(pen_run *run, int64_t row);
int64_t pen_run_first(const pen_run *run);

/* Appends "; why" to the recorded error message. Returns 0 if not all of it fits. */
int pen_explain(pen_run *run, const char *why);

/* Adds `hints` (pen_error.hints) to the recorded error, and returns `code`. */
pen_status pen_hint(pen_run *run, pen_status code, int hints);

/* Fails with the code, message and hints of another call. */
pen_status pen_fail_as(pen_run *run, const pen_error *err);

/* Does the failure end the whole call, rather than one attempt within it? */
int pen_ends_call(pen_status status);

/* The place where the run records its error, or NULL. An inner call may pass it on to share the
 * error. */
pen_error *pen_run_error(const pen_run *run);

/* Like pen_fail, but without a run. */
pen_status pen_error_set(pen_error *err, pen_status code, const char *format, ...);

/* The number of threads that pen_control.threads 0 stands for: the cores available to the process,
 * by affinity and by the CPU quota of its control groups, capped by PENUMBRA_THREADS and
 * OMP_NUM_THREADS if they are set; >= 1. */
int pen_default_threads(void);

/* The cache that this call shares with other calls (core/cache.h), or NULL. drop: frees it when
 * this call ends or gets another cache; NULL: another call owns it. */
struct pen_cache;
void pen_run_share(pen_run *run, struct pen_cache *cache, void (*drop)(struct pen_cache *));
struct pen_cache *pen_run_cache(const pen_run *run);

/* The set that collects matrices for the caller (core/matrix_set.h); NULL: none are collected. */
struct pen_matrix_set;
void pen_run_collect(pen_run *run, struct pen_matrix_set *set);
struct pen_matrix_set *pen_run_collected(const pen_run *run);

/* Symmetric matrices with more columns than this are sums of terms (linalg/operator.h), not stored.
 * Initially INT64_MAX: all are stored. */
void pen_run_store(pen_run *run, int64_t columns);
int64_t pen_run_stored(const pen_run *run);

/* The number of threads this call may use, >= 1: the caller's setting, or the default
 * (core/cores.c). */
int pen_threads(pen_run *run);

/* The thread pool; NULL if out of memory: then the calling thread works alone. */
struct pen_pool *pen_run_pool(pen_run *run);

/* Reports progress to the caller; PEN_CANCELLED if its callback stops the call. From the calling
 * thread only. */
pen_status pen_progress(pen_run *run, const char *phase, int64_t done, int64_t total);

/* Repeats the last report, unless it is recent, so that the caller can stop the call between steps
 * that report no progress. Cost: reading the clock. From the calling thread only. */
pen_status pen_poll(pen_run *run);

/* The loop that core/parallel.c is running; NULL: none. */
struct pen_loop;
struct pen_loop **pen_run_loop(pen_run *run);

/* Facts about how the result was computed, stored with the model. `name` is a string literal. A
 * later note of the same name replaces the earlier one. */
enum { PEN_NOTE_SIZE = 64 };
typedef struct pen_remark {
    const char *name;
    double number;
    char text[PEN_NOTE_SIZE]; /* empty: `number` is the value */
} pen_remark;
void pen_note(pen_run *run, const char *name, double number);
void pen_note_text(pen_run *run, const char *name, const char *text);
const pen_remark *pen_note_at(const pen_run *run, int index); /* NULL after the last */

/* A rank decision: only `rank` directions have a variance above rounding, which is `tolerance`
 * times the largest variance. Code that drops directions records it here, and the lowest rank is
 * kept. pen_fit tells the caller if the units of the columns are the reason. */
typedef struct pen_cut {
    int64_t rank;
    double tolerance; /* 0: no direction was dropped */
} pen_cut;
void pen_note_cut(pen_run *run, int64_t rank, double tolerance);
pen_cut pen_cut_noted(const pen_run *run);
pen_cut pen_cut_take(pen_run *run); /* and forgets it */

/* A named list that grows value by value, such as the objective of an iteration. A run holds a few
 * of them. pen_trace_restart empties one. */
typedef struct pen_trace_list {
    const char *name;
    double *values; /* [count] */
    int64_t count, room;
} pen_trace_list;
pen_status pen_trace(pen_run *run, const char *name, double value);
void pen_trace_restart(pen_run *run, const char *name);
const pen_trace_list *pen_trace_at(const pen_run *run, int index); /* NULL after the last */

/* Scratch memory: `count` elements of `size` bytes, 64-byte aligned, uninitialized, freed by
 * pen_release or pen_run_close. NULL if out of memory (the error is recorded). From the calling
 * thread only: workers use slices allocated beforehand. */
void *pen_scratch(pen_run *run, int64_t count, size_t size);

/* Sizes: a * b and a + b for nonnegative numbers, saturated to INT64_MAX (also if one is negative),
 * a size that no allocation can satisfy. Every allocation size is computed by these functions, so
 * none can overflow. */
static inline int64_t pen_times(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a > 0 && b > 0 && a <= INT64_MAX / b ? a * b : INT64_MAX;
}

static inline int64_t pen_plus(int64_t a, int64_t b)
{
    return a >= 0 && b >= 0 && a <= INT64_MAX - b ? a + b : INT64_MAX;
}

/* PEN_TRY(PEN_NEW(run, pointer, count)): scratch memory for `count` elements of the type that
 * `pointer` points to. */
#define PEN_NEW(run, pointer, count)                                                               \
    (((pointer) = pen_scratch((run), (count), sizeof *(pointer))) ? PEN_OK : PEN_NO_MEMORY)

/* The same for two, three or four arrays of equal length. */
#define PEN_NEW2(run, a, b, count)                                                                 \
    (PEN_NEW(run, a, count) == PEN_OK ? PEN_NEW(run, b, count) : PEN_NO_MEMORY)
#define PEN_NEW3(run, a, b, c, count)                                                              \
    (PEN_NEW(run, a, count) == PEN_OK ? PEN_NEW2(run, b, c, count) : PEN_NO_MEMORY)
#define PEN_NEW4(run, a, b, c, d, count)                                                           \
    (PEN_NEW(run, a, count) == PEN_OK ? PEN_NEW3(run, b, c, d, count) : PEN_NO_MEMORY)

/* The same with all bytes 0 or -1, which gives numbers 0 or integers -1. */
void *pen_scratch_filled(pen_run *run, int64_t count, size_t size, int byte);
#define PEN_FILLED(run, pointer, count, byte)                                                      \
    (((pointer) = pen_scratch_filled((run), (count), sizeof *(pointer), (byte))) ? PEN_OK          \
                                                                                 : PEN_NO_MEMORY)

/* Scratch memory is a stack: pen_release frees everything allocated since the mark. */
typedef struct pen_chunk *pen_mark_t;
pen_mark_t pen_mark(const pen_run *run);
void pen_release(pen_run *run, pen_mark_t mark);

/* Zeroed memory that outlives the call; free() it. NULL if out of memory (the error is
 * recorded). */
void *pen_keep(pen_run *run, int64_t count, size_t size);

/* PEN_TRY(PEN_KEEP(run, pointer, count)): the same for elements of the type of `pointer`. */
#define PEN_KEEP(run, pointer, count)                                                              \
    (((pointer) = pen_keep((run), (count), sizeof *(pointer))) ? PEN_OK : PEN_NO_MEMORY)

/* Copies of a text and of names [count] that outlive the call; free them with free() and
 * pen_free_names. `names` may be NULL; then *out stays NULL if count > 0. */
pen_status pen_keep_text(pen_run *run, const char *text, char **out);
pen_status pen_keep_names(pen_run *run, char *const *names, int64_t count, char ***out);
void pen_free_names(char **names, int64_t count);

static inline int64_t pen_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t pen_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
