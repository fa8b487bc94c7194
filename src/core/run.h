/* run.h - what one public call carries: scratch memory, the first error, threads, progress. */
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

/* Begin a call. `err` and `control` may be NULL; *err is cleared. On failure nothing needs
 * closing. */
pen_status pen_run_open(const pen_control *control, pen_error *err, pen_run **out);

/* End it: all scratch memory is freed. NULL is fine. */
void pen_run_close(pen_run *run);

/* Note the cause of a failure, if none is noted yet, and return `code`. `run` may be NULL: then
 * nothing is noted. */
pen_status pen_fail(pen_run *run, pen_status code, const char *format, ...);

/* Add "; why" to the failure noted, if there is room for all of it. */
void pen_explain(pen_run *run, const char *why);

/* The same as pen_fail without a run. */
pen_status pen_error_set(pen_error *err, pen_status code, const char *format, ...);

/* The cache this call shares with others (core/cache.h), or NULL. */
struct pen_cache;
void pen_run_share(pen_run *run, struct pen_cache *cache);
struct pen_cache *pen_run_cache(const pen_run *run);

/* Threads this call may use, >= 1: as the caller said, or the cores there are. */
int pen_threads(pen_run *run);

/* The threads themselves; NULL: out of memory, the calling thread is alone. */
struct pen_pool *pen_run_pool(pen_run *run);

/* Tell the caller how far `phase` is; PEN_CANCELLED if he says stop. From the calling thread
 * only. */
pen_status pen_progress(pen_run *run, const char *phase, int64_t done, int64_t total);

/* What is worth knowing about how the answer came about: kept with the model. `name` is a literal.
 * A later note of the same name takes the place of an earlier one. */
enum { PEN_NOTE_SIZE = 64 };
typedef struct pen_remark {
    const char *name;
    double number;
    char text[PEN_NOTE_SIZE]; /* empty: the number counts */
} pen_remark;
void pen_note(pen_run *run, const char *name, double number);
void pen_note_text(pen_run *run, const char *name, const char *text);
const pen_remark *pen_note_at(const pen_run *run, int index); /* NULL behind the last */

/* A decision on a rank: of the directions in which rows differ only `rank` are above rounding,
 * which is `tolerance` of the largest variance. Who leaves directions out says so; the lowest rank
 * is kept.
 * pen_fit tells the caller if the units of the columns are the reason. */
typedef struct pen_cut {
    int64_t rank;
    double tolerance; /* 0: nothing was left out */
} pen_cut;
void pen_note_cut(pen_run *run, int64_t rank, double tolerance);
pen_cut pen_cut_noted(const pen_run *run);

/* The same for a list that grows value by value, as the objective of an iteration; there may be a
 * few of them. pen_trace_restart empties one. */
typedef struct pen_trace_list {
    const char *name;
    double *values; /* [count] */
    int64_t count, room;
} pen_trace_list;
pen_status pen_trace(pen_run *run, const char *name, double value);
void pen_trace_restart(pen_run *run, const char *name);
const pen_trace_list *pen_trace_at(const pen_run *run, int index); /* NULL behind the last */

/* Scratch memory: `count` elements of `size` bytes, 64-byte aligned, not cleared, freed by
 * pen_release or pen_run_close. NULL when there is none (the error is noted). From the calling
 * thread only: workers get slices cut beforehand. */
void *pen_scratch(pen_run *run, int64_t count, size_t size);

/* Sizes: a * b and a + b of numbers that are not negative, or INT64_MAX where that is more (or one
 * is negative), for which no memory is ever found. Every product of sizes that memory is asked for
 * is made here, so none can wrap around. */
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

/* PEN_TRY(PEN_NEW(run, pointer, count)): scratch memory for `count` of what `pointer` points to. */
#define PEN_NEW(run, pointer, count)                                                               \
    (((pointer) = pen_scratch((run), (count), sizeof *(pointer))) ? PEN_OK : PEN_NO_MEMORY)

/* Scratch memory is a stack: everything taken since the mark goes back at once. */
typedef struct pen_chunk *pen_mark_t;
pen_mark_t pen_mark(const pen_run *run);
void pen_release(pen_run *run, pen_mark_t mark);

/* Memory that outlives the call; free() it. NULL when there is none (the error is noted). */
void *pen_keep(pen_run *run, int64_t count, size_t size);

static inline int64_t pen_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t pen_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
