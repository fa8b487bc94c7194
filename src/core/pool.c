/* pool.c - threads that sleep on a condition until there is a loop to join. */
#define _POSIX_C_SOURCE 200809L

#include "core/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* whatever the system's default is: some give 128 kB, LAPACK wants more */
enum { STACK_BYTES = 1 << 22 };

struct member {
    pen_pool *pool;
    int worker;
    pthread_t thread;
    struct member *next;
};

struct pen_pool {
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t begin; /* there is a loop to join, or the pool ends */
    pthread_cond_t ended; /* nobody is inside the loop any more */
    struct member *members;
    int started; /* how many members there are */
    pen_worker_fn fn;
    void *context;
    int workers;         /* of the loop; 0: there is none to join */
    unsigned long round; /* number of the loop, so that nobody joins it twice */
    int inside;          /* members that are in the loop */
    int over;
};

/* Waits for a loop that this member has not been in; 0: the pool ends. With the lock held. */
static int wait_for_loop(const struct member *m, unsigned long seen)
{
    pen_pool *const pool = m->pool;

    while (!pool->over && (pool->round == seen || m->worker >= pool->workers))
        pthread_cond_wait(&pool->begin, &pool->lock);
    return !pool->over;
}

static void *serve(void *argument)
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

/* The signals that are sent to a process are for the program's own threads; those that a thread
 * causes itself it must take. */
static void signals_for_members(sigset_t *set)
{
    static const int own[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF };

    sigfillset(set);
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(set, own[i]);
}

/* One more member; 0: the system has no room for it. */
static int start_member(pen_pool *pool)
{
    struct member *const m = malloc(sizeof *m);
    pthread_attr_t attributes;
    sigset_t theirs, ours;

    if (!m)
        return 0;
    *m = (struct member){ .pool = pool, .worker = pool->started + 1, .next = pool->members };
    signals_for_members(&theirs);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &theirs, &ours);
    const int failed = pthread_create(&m->thread, &attributes, serve, m);
    pthread_sigmask(SIG_SETMASK, &ours, NULL);
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
    pool->over = 1;
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
