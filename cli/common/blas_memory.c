/* blas_memory.c - allocates the work buffers of the BLAS before the work.
 *
 * OpenBLAS maps a buffer for each calling thread, the first ones at load time, and keeps them. If
 * memory is exhausted, it retries forever (0.3.21 and other versions). So the command allocates all
 * buffers while a timer runs, and the BLAS needs none later. */
#define _GNU_SOURCE /* RTLD_DEFAULT, setitimer */

#include "common/blas_memory.h"

#include "flags/args.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    /* OpenBLAS supports at least 50 buffers and ends the process beyond its limit */
    MOST_TAKEN = 32,
    WATCHED_SECONDS = 3 /* of processor time; milliseconds are needed, more in an emulator */
};

/* ---- the timer ---- */

/* Ends the process, because the BLAS does not return. */
static void give_up(int signal_number)
{
    static const char text[] =
        "penumbra: not enough memory for the work buffers of the BLAS, up to 128 MB for each "
        "thread; a higher limit (ulimit -v) or fewer threads (PENUMBRA_THREADS) may help\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(CLI_FAILED);
}

void blas_memory_watch(int on)
{
    const struct itimerval limit = { .it_value = { .tv_sec = on ? WATCHED_SECONDS : 0 } };

    if (on)
        signal(SIGPROF, give_up);
    setitimer(ITIMER_PROF, &limit, NULL);
    if (!on)
        signal(SIGPROF, SIG_DFL);
}

/* ---- while the BLAS is loaded ----
 *
 * The BLAS allocates its first buffers before main, so the timer runs during the initialization of
 * libraries. Sanitizers must be initialized first and run without a memory limit. */

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
static void watch(void)
{
    blas_memory_watch(1);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(void) = watch;

__attribute__((constructor)) static void after_libraries(void)
{
    blas_memory_watch(0);
}
#endif

/* ---- before the work ---- */

void blas_memory_take(void)
{
    static int taken;
    const int wanted =
        args_threads > 0 ? (int)args_threads : (int)strtol(cli_system("threads"), NULL, 10);
    void *buffers[MOST_TAKEN], *const found[] = { dlsym(RTLD_DEFAULT, "blas_memory_alloc"),
                                                  dlsym(RTLD_DEFAULT, "blas_memory_free") };
    void *(*allocate)(int unused);
    void (*release)(void *buffer);

    if (taken > 0 || !found[0]
        || !found[1]) /* only an OpenBLAS that is a shared library has them */
        return;
    memcpy(&allocate, &found[0], sizeof allocate);
    memcpy(&release, &found[1], sizeof release);
    blas_memory_watch(1);
    while (taken < wanted && taken < MOST_TAKEN)
        buffers[taken++] = allocate(0);
    for (int i = 0; i < taken; i++) /* the BLAS keeps the memory for its calls */
        release(buffers[i]);
    blas_memory_watch(0);
}
