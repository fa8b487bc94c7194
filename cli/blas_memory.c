/* blas_memory.c - the work buffers of the BLAS, allocated before the work.
 *
 * OpenBLAS maps a buffer for each thread that calls it, the first ones when it is loaded, and
 * keeps them. Where there is no room for one it retries forever (0.3.21, and others). So the
 * buffers are allocated while a timer runs, and none is needed later. */
#define _XOPEN_SOURCE   700 /* setitimer */
#define _DEFAULT_SOURCE     /* MAP_ANONYMOUS */

#include "blas_memory.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    /* OpenBLAS has room for at least 50, and ends the process beyond that */
    MOST_TAKEN = 32,
    WATCHED_SECONDS = 1,    /* of processor time: allocation takes some milliseconds */
    BUFFER_BYTES = 1 << 27, /* of OpenBLAS on x86-64; others are smaller */
    SPARE_BYTES = 1 << 26,  /* for the work itself */
    STACK_BYTES = 1 << 24   /* for each further thread */
};

/* OpenBLAS has these two, another BLAS does not. */
extern void *blas_memory_alloc(int unused) __attribute__((weak));
extern void blas_memory_free(void *buffer) __attribute__((weak));

/* ---- the timer ---- */

/* The BLAS does not return, so the process ends here. */
static void give_up(int signal_number)
{
    static const char text[] =
        "penumbra: not enough memory for the work buffers of the BLAS, up to 128 MB for each "
        "thread; a higher limit (ulimit -v) or fewer threads (PENUMBRA_THREADS) may help\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(CLI_FAILED);
}

static void watch(void)
{
    const struct itimerval limit = { .it_value = { .tv_sec = WATCHED_SECONDS } };
    struct sigaction action = { .sa_handler = give_up };

    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void unwatch(void)
{
    const struct itimerval none = { .it_interval = { .tv_sec = 0 } };

    setitimer(ITIMER_PROF, &none, NULL);
    signal(SIGPROF, SIG_DFL);
}

/* ---- while the BLAS is loaded ----
 *
 * It allocates its first buffers before main: the timer starts before libraries are initialized,
 * and stops afterwards. Sanitizers must be initialized first, and run without a memory limit. */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)                            \
    || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined(__ELF__) && !defined(SANITIZED)
__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(void) = watch;

__attribute__((constructor)) static void after_libraries(void)
{
    unwatch();
}
#endif

/* ---- before the work ---- */

static int is_room(size_t bytes)
{
    void *const found =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED)
        return 0;
    munmap(found, bytes);
    return 1;
}

/* Allocate buffers for up to `wanted` threads and return them: the BLAS keeps them for its calls.
 * Beyond MOST_TAKEN threads only the room is checked. Returns the number of threads for which
 * there is memory. */
static int take_buffers(int wanted)
{
    void *buffers[MOST_TAKEN];
    size_t taken = 0, count = 0;

    watch();
    while (count < (size_t)wanted
           && is_room((count - taken + 1) * BUFFER_BYTES + SPARE_BYTES + count * STACK_BYTES)) {
        if (taken < MOST_TAKEN)
            buffers[taken++] = blas_memory_alloc(0);
        count++;
    }
    for (size_t i = 0; i < taken; i++)
        blas_memory_free(buffers[i]);
    unwatch();
    return (int)count;
}

int memory_threads(void)
{
    static int taken; /* threads, by an earlier call */

    if (taken > 0 || !blas_memory_alloc || !blas_memory_free)
        return CLI_OK;
    const int wanted = args_threads > 0 ? (int)args_threads : pen_default_threads();
    taken = take_buffers(wanted);
    if (taken == wanted)
        return CLI_OK;
    if (taken == 0)
        return cli_fail("not enough memory: %d MB are required for each thread, and %d MB in "
                        "addition; a higher limit (ulimit -v) may help",
                        (BUFFER_BYTES + STACK_BYTES) >> 20, SPARE_BYTES >> 20);
    args_threads = taken;
    cli_note("there is enough memory for %d of %d threads", taken, wanted);
    return CLI_OK;
}
