/* pool.h - the threads of one call: started when work is first shared out, asleep between loops,
 * joined when the call ends. Nothing of them is left for a fork, or for the program around us. */
#ifndef PEN_POOL_H
#define PEN_POOL_H

typedef struct pen_pool pen_pool;

typedef void (*pen_worker_fn)(void *context, int worker);

/* NULL: out of memory. No thread is started yet. Free with pen_pool_free (NULL is fine), which
 * joins. */
pen_pool *pen_pool_new(void);
void pen_pool_free(pen_pool *pool);

/* Call fn(context, 0) on the calling thread and fn(context, w) on others, 0 < w < workers. Returns
 * when all that began have ended. A thread that wakes after worker 0 is through does not begin, and
 * where the system gives no more threads there are fewer: fn takes its share of the work from a
 * counter. */
void pen_pool_run(pen_pool *pool, int workers, pen_worker_fn fn, void *context);

#endif
