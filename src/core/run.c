/* run.c - the context of one public call. Scratch memory is a stack of separately allocated chunks,
 * newest first, so that a large temporary returns to the system as soon as it is released. */
#define _DEFAULT_SOURCE /* madvise, which POSIX lacks */
#include "core/run.h"

#include "core/isa.h"
#include "core/pool.h"
#include "core/utf8.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* pen_poll repeats a report that is older than this. */
static const double POLL_SECONDS = 0.02;

enum { ALIGNMENT = 64, MAX_THREADS = 1024, MAX_NOTES = 24, MAX_TRACES = 4 };

struct pen_chunk {
    struct pen_chunk *below;
};

/* The last report of progress; an empty phase: no report yet. */
struct report {
    char phase[64];
    int64_t done, total;
    double time; /* seconds */
};

/* Of the process, as the BLAS is; NULL: the BLAS is right, or was not used. */
static _Atomic(const char *) wrong_blas;

struct pen_run {
    pen_error *error;
    pen_control control;
    struct pen_chunk *top;
    pen_pool *pool; /* NULL until the first parallel loop */
    struct pen_cache *cache;
    void (*drop_cache)(struct pen_cache *);
    struct pen_matrix_set *collected;
    int64_t stored; /* symmetric matrices with more columns are not stored */
    int64_t first;  /* number of the first row, for messages */
    struct pen_loop *loop;
    struct report reported;
    pen_remark notes[MAX_NOTES];
    pen_cut cut;
    pen_trace_list traces[MAX_TRACES];
};

/* Removes a UTF-8 character that truncation has cut at the end of a message. */
static void trim_partial_character(char *message)
{
    const size_t length = strlen(message);
    size_t start = length;

    while (start > 0 && length - start < 4 && ((unsigned char)message[--start] & 0xC0) == 0x80)
        ;
    if ((unsigned char)message[start] >= 0xC0
        && pen_text_character(message + start, length - start) == 0)
        message[start] = '\0';
}

/* Makes a message one printable line: names from files may contain any bytes. */
static void replace_unprintable(char *message)
{
    char *to = message;

    for (const char *from = message; *from;) {
        const size_t length = pen_text_character(from, strlen(from));
        if (pen_text_is_shown(from, length)) {
            memmove(to, from, length);
            to += length;
        } else {
            *to++ = '?';
        }
        from += length ? length : 1;
    }
    *to = '\0';
}

static void set_error(pen_error *err, pen_status code, const char *format, va_list values)
{
    if (!err || err->code != PEN_OK)
        return;
    err->code = code;
    if (vsnprintf(err->message, sizeof err->message, format, values) >= (int)sizeof err->message)
        trim_partial_character(err->message);
    replace_unprintable(err->message);
}

pen_status pen_error_set(pen_error *err, pen_status code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    set_error(err, code, format, values);
    va_end(values);
    return code;
}

pen_status pen_fail(pen_run *run, pen_status code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    set_error(run ? run->error : NULL, code, format, values);
    va_end(values);
    return code;
}

pen_status pen_hint(pen_run *run, pen_status code, int hints)
{
    if (run && run->error && run->error->code == code)
        run->error->hints |= hints;
    return code;
}

pen_status pen_fail_as(pen_run *run, const pen_error *err)
{
    return pen_hint(run, pen_fail(run, err->code, "%s", err->message), err->hints);
}

int pen_ends_call(pen_status status)
{
    return status == PEN_NO_MEMORY || status == PEN_CANCELLED || status == PEN_INTERNAL
           || status == PEN_WRONG_BLAS;
}

pen_error *pen_run_error(const pen_run *run)
{
    return run->error;
}

void pen_run_set_first(pen_run *run, int64_t row)
{
    run->first = row;
}

int64_t pen_run_first(const pen_run *run)
{
    return run->first;
}

int pen_explain(pen_run *run, const char *why)
{
    pen_error *const err = run->error;

    if (!err || err->code == PEN_OK)
        return 1;
    const size_t used = strlen(err->message), room = sizeof err->message - used;
    if (strlen(why) + 2 >= room)
        return 0;
    snprintf(err->message + used, room, "; %s", why);
    replace_unprintable(err->message);
    return 1;
}

/* PENUMBRA_ISA is for tests and measurements, so a typing error must fail. */
static pen_status refuse_isa(pen_error *err)
{
    char names[128] = "";

    for (int isa = 0; isa < PEN_ISA_COUNT; isa++)
        if (pen_isa_has((pen_isa)isa)) {
            const size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     pen_isa_name((pen_isa)isa));
        }
    return pen_error_set(err, PEN_BAD_ARGUMENT,
                         "PENUMBRA_ISA must be an instruction set of this CPU (%s), got \"%s\"",
                         names, pen_isa_refused());
}

int pen_is_zero(const int64_t *reserved, size_t count)
{
    while (count > 0 && reserved[count - 1] == 0)
        count--;
    return count == 0;
}

pen_status pen_run_open(const pen_control *control, pen_error *err, pen_run **out)
{
    *out = NULL;
    if (err)
        *err = (pen_error){ .code = PEN_OK };
    if (control && !(control->threads >= 0 && control->threads <= MAX_THREADS))
        return pen_error_set(err, PEN_BAD_ARGUMENT, "threads must be in [0, %d], got %d",
                             MAX_THREADS, control->threads);
    if (control && !PEN_IS_ZERO(control->reserved))
        return pen_error_set(err, PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "control");
    if (pen_isa_refused())
        return refuse_isa(err);
    pen_run *run = malloc(sizeof *run);
    if (!run)
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    *run = (pen_run){ .error = err, .stored = INT64_MAX };
    if (control)
        run->control = *control;
    *out = run;
    return PEN_OK;
}

void pen_run_close(pen_run *run)
{
    if (!run)
        return;
    pen_pool_free(run->pool);
    if (run->drop_cache)
        run->drop_cache(run->cache);
    pen_release(run, NULL);
    for (int i = 0; i < MAX_TRACES; i++)
        free(run->traces[i].values);
    free(run);
}

void pen_run_wrong_blas(const char *message)
{
    atomic_store(&wrong_blas, message);
}

/* Other errors may be its consequences. */
static pen_status check_blas(pen_run *run)
{
    const char *const message = atomic_load(&wrong_blas);

    if (!message)
        return PEN_OK;
    if (run->error)
        *run->error = (pen_error){ .code = PEN_OK };
    return pen_fail(run, PEN_WRONG_BLAS, "%s", message);
}

pen_status pen_run_end(pen_run *run, pen_status status)
{
    const pen_status wrong = check_blas(run);

    pen_run_close(run);
    return wrong ? wrong : status;
}

void pen_run_share(pen_run *run, struct pen_cache *cache, void (*drop)(struct pen_cache *))
{
    if (run->drop_cache)
        run->drop_cache(run->cache);
    run->cache = cache;
    run->drop_cache = drop;
}

struct pen_cache *pen_run_cache(const pen_run *run)
{
    return run->cache;
}

void pen_run_store(pen_run *run, int64_t columns)
{
    run->stored = columns;
}

int64_t pen_run_stored(const pen_run *run)
{
    return run->stored;
}

void pen_run_collect(pen_run *run, struct pen_matrix_set *set)
{
    run->collected = set;
}

struct pen_matrix_set *pen_run_collected(const pen_run *run)
{
    return run->collected;
}

int pen_threads(pen_run *run)
{
    if (run->control.threads == 0)
        run->control.threads = (int)pen_min(pen_default_threads(), MAX_THREADS);
    return run->control.threads;
}

pen_pool *pen_run_pool(pen_run *run)
{
    if (!run->pool)
        run->pool = pen_pool_new();
    return run->pool;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

pen_status pen_progress(pen_run *run, const char *phase, int64_t done, int64_t total)
{
    struct report *const r = &run->reported;

    PEN_TRY(check_blas(run));
    if (!run->control.progress)
        return PEN_OK;
    if (phase != r->phase)
        snprintf(r->phase, sizeof r->phase, "%s", phase);
    r->done = done;
    r->total = total;
    if (run->control.progress(run->control.user, r->phase, done, total))
        return pen_fail(run, PEN_CANCELLED, "cancelled");
    r->time = seconds();
    return PEN_OK;
}

pen_status pen_poll(pen_run *run)
{
    const struct report *const r = &run->reported;

    PEN_TRY(check_blas(run));
    if (!run->control.progress || !r->phase[0] || seconds() - r->time < POLL_SECONDS)
        return PEN_OK;
    return pen_progress(run, r->phase, r->done, r->total);
}

struct pen_loop **pen_run_loop(pen_run *run)
{
    return &run->loop;
}

static pen_remark *note_named(pen_run *run, const char *name)
{
    int i = 0;
    while (i < MAX_NOTES - 1 && run->notes[i].name && strcmp(run->notes[i].name, name) != 0)
        i++;
    run->notes[i] = (pen_remark){ .name = name };
    return &run->notes[i];
}

void pen_note(pen_run *run, const char *name, double number)
{
    note_named(run, name)->number = number;
}

void pen_note_text(pen_run *run, const char *name, const char *text)
{
    pen_remark *const remark = note_named(run, name);
    snprintf(remark->text, sizeof remark->text, "%s", text);
}

const pen_remark *pen_note_at(const pen_run *run, int index)
{
    return index >= 0 && index < MAX_NOTES && run->notes[index].name ? &run->notes[index] : NULL;
}

void pen_note_cut(pen_run *run, int64_t rank, double tolerance)
{
    if (tolerance > 0 && (run->cut.tolerance == 0 || rank < run->cut.rank))
        run->cut = (pen_cut){ rank, tolerance };
}

pen_cut pen_cut_noted(const pen_run *run)
{
    return run->cut;
}

pen_cut pen_cut_take(pen_run *run)
{
    const pen_cut cut = run->cut;
    run->cut = (pen_cut){ .tolerance = 0 };
    return cut;
}

/* The trace with this name, a new trace, or the last one if no slot is free. */
static pen_trace_list *trace_named(pen_run *run, const char *name)
{
    int i = 0;
    while (i < MAX_TRACES - 1 && run->traces[i].name && strcmp(run->traces[i].name, name) != 0)
        i++;
    run->traces[i].name = name;
    return &run->traces[i];
}

pen_status pen_trace(pen_run *run, const char *name, double value)
{
    pen_trace_list *const list = trace_named(run, name);

    if (list->count == list->room) {
        const int64_t room = list->room > 0 ? 2 * list->room : 32;
        double *const values = realloc(list->values, (size_t)room * sizeof *values);
        PEN_REQUIRE(run, values, PEN_NO_MEMORY, "out of memory for the trace of %s", name);
        list->values = values;
        list->room = room;
    }
    list->values[list->count++] = value;
    return PEN_OK;
}

void pen_trace_restart(pen_run *run, const char *name)
{
    trace_named(run, name)->count = 0;
}

const pen_trace_list *pen_trace_at(const pen_run *run, int index)
{
    return index >= 0 && index < MAX_TRACES && run->traces[index].name ? &run->traces[index] : NULL;
}

/* count * size + extra, or 0 on overflow. */
static size_t bytes_for(int64_t count, size_t size, size_t extra)
{
    if (count < 0 || (uint64_t)count > (SIZE_MAX / 2 - extra) / (size ? size : 1))
        return 0;
    return (size_t)count * size + extra;
}

static void *no_memory(pen_run *run, int64_t count, size_t size)
{
    pen_fail(run, PEN_NO_MEMORY, "out of memory: %.3g MB more needed",
             (double)count * (double)size / 1e6);
    return NULL;
}

/* Asks the system to back memory with large pages before it is filled. The first touch of a page
 * costs about as much as filling it, and one large page replaces 512 usual ones. Has no effect
 * below 4 MB or without system support. */
static void use_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t large = 1 << 21, least = 1 << 22;

    if (bytes < least)
        return;
    /* only whole large pages inside: no neighboring memory changes */
    char *const first = (char *)(((uintptr_t)memory + large - 1) & ~(uintptr_t)(large - 1)),
                *const last = (char *)(((uintptr_t)memory + bytes) & ~(uintptr_t)(large - 1));
    if (first < last)
        (void)madvise(first, (size_t)(last - first), MADV_HUGEPAGE); /* the system may refuse */
#else
    (void)memory;
    (void)bytes;
#endif
}

void *pen_scratch(pen_run *run, int64_t count, size_t size)
{
    const size_t bytes = bytes_for(count, size, 2 * ALIGNMENT - 1);
    struct pen_chunk *chunk = bytes ? aligned_alloc(ALIGNMENT, bytes - bytes % ALIGNMENT) : NULL;

    if (!chunk)
        return no_memory(run, count, size);
    use_large_pages(chunk, bytes);
    chunk->below = run->top;
    run->top = chunk;
    return (char *)chunk + ALIGNMENT;
}

void *pen_scratch_filled(pen_run *run, int64_t count, size_t size, int byte)
{
    void *const memory = pen_scratch(run, count, size);
    return memory ? memset(memory, byte, (size_t)count * size) : NULL;
}

pen_mark_t pen_mark(const pen_run *run)
{
    return run->top;
}

void pen_release(pen_run *run, pen_mark_t mark)
{
    while (run->top != mark) {
        struct pen_chunk *chunk = run->top;
        run->top = chunk->below;
        free(chunk);
    }
}

void *pen_keep(pen_run *run, int64_t count, size_t size)
{
    const size_t bytes = bytes_for(count, size, 1);
    void *memory = bytes ? calloc(1, bytes) : NULL;

    if (!memory)
        return no_memory(run, count, size);
    use_large_pages(memory, bytes);
    return memory;
}

pen_status pen_keep_text(pen_run *run, const char *text, char **out)
{
    const size_t size = strlen(text) + 1;

    PEN_TRY(PEN_KEEP(run, *out, (int64_t)size));
    memcpy(*out, text, size);
    return PEN_OK;
}

pen_status pen_keep_names(pen_run *run, char *const *names, int64_t count, char ***out)
{
    if (!names && count > 0)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, *out, pen_max(1, count)));
    for (int64_t i = 0; i < count; i++)
        PEN_TRY(pen_keep_text(run, names[i], &(*out)[i]));
    return PEN_OK;
}

void pen_free_names(char **names, int64_t count)
{
    for (int64_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}
