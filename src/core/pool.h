/* pool.h - the threads of one call: started with the first parallel loop, asleep between loops,
 * joined at the end of the call. No thread survives the call, so none disturbs a fork or the
 * surrounding program. */
#ifndef PEN_POOL_H
#define PEN_POOL_H

typedef struct pen_pool pen_pool;

typedef void (*pen_worker_fn)(void *context, int worker);

/* Returns NULL if out of memory. Starts no thread yet. Free with pen_pool_free (NULL is fine),
 * which joins all threads. */
pen_pool *pen_pool_new(void);
void pen_pool_free(pen_pool *pool);

/* Calls fn(context, 0) on the calling thread and fn(context, w), 0 < w < workers, on others.
 * Returns when all calls that started have ended. A thread that wakes after worker 0 has finished
 * does not start, and the system may grant fewer threads, so fn must take its tasks from a shared
 * counter. */
void pen_pool_run(pen_pool *pool, int workers, pen_worker_fn fn, void *context);

#endif
