/* pool.c - worker threads that sleep on a condition variable until there is a loop to join. */
#define _POSIX_C_SOURCE 200809L

#include "core/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* not the system's default, which may be 128 kB, too little for LAPACK */
enum { STACK_BYTES = 1 << 22 };

struct member {
    pen_pool *pool;
    int worker;
    pthread_t thread;
    struct member *next;
};

struct pen_pool {
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t begin; /* there is a loop to join, or the pool shuts down */
    pthread_cond_t ended; /* no member is left in the loop */
    struct member *members;
    int started; /* number of members */
    pen_worker_fn fn;
    void *context;
    int workers;         /* of the loop; 0: no loop to join */
    unsigned long round; /* counts loops, so that a member joins each loop at most once */
    int inside;          /* members inside the loop */
    int shutdown;
};

/* Waits for a loop that this member has not joined yet; returns 0 when the pool shuts down. Call
 * with the lock held. */
static int wait_for_loop(const struct member *m, unsigned long seen)
{
    pen_pool *const pool = m->pool;

    while (!pool->shutdown && (pool->round == seen || m->worker >= pool->workers))
        pthread_cond_wait(&pool->begin, &pool->lock);
    return !pool->shutdown;
}

static void *run_member(void *argument)
{
    const struct member *const m = argument;
    pen_pool *const pool = m->pool;
    unsigned long seen = 0;

    pthread_mutex_lock(&pool->lock);
    while (wait_for_loop(m, seen)) {
        const pen_worker_fn fn = pool->fn;
        void *const context = pool->context;
        seen = pool->round;
        pool->inside++;
        pthread_mutex_unlock(&pool->lock);
        fn(context, m->worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->inside == 0)
            pthread_cond_signal(&pool->ended);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Blocks signals sent to the process, which are for the program's own threads. Signals that a
 * thread raises itself stay unblocked. */
static void block_signals(sigset_t *set)
{
    static const int synchronous[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF };

    sigfillset(set);
    for (unsigned i = 0; i < sizeof synchronous / sizeof *synchronous; i++)
        sigdelset(set, synchronous[i]);
}

/* Starts one more member; returns 0 if the system has no resources for it. */
static int start_member(pen_pool *pool)
{
    struct member *const m = malloc(sizeof *m);
    pthread_attr_t attributes;
    sigset_t blocked, previous;

    if (!m)
        return 0;
    *m = (struct member){ .pool = pool, .worker = pool->started + 1, .next = pool->members };
    block_signals(&blocked);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &blocked, &previous);
    const int failed = pthread_create(&m->thread, &attributes, run_member, m);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    pthread_attr_destroy(&attributes);
    if (failed) {
        free(m);
        return 0;
    }
    pool->members = m;
    pool->started++;
    return 1;
}

pen_pool *pen_pool_new(void)
{
    pen_pool *const pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->ended, NULL);
    return pool;
}

void pen_pool_free(pen_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->shutdown = 1;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    while (pool->members) {
        struct member *const m = pool->members;
        pool->members = m->next;
        pthread_join(m->thread, NULL);
        free(m);
    }
    pthread_cond_destroy(&pool->ended);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pen_pool_run(pen_pool *pool, int workers, pen_worker_fn fn, void *context)
{
    while (pool->started < workers - 1 && start_member(pool))
        continue;
    pthread_mutex_lock(&pool->lock);
    pool->fn = fn;
    pool->context = context;
    pool->workers = workers;
    pool->round++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);

    fn(context, 0);

    pthread_mutex_lock(&pool->lock);
    pool->workers = 0;
    while (pool->inside > 0)
        pthread_cond_wait(&pool->ended, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
