/* h5_child.h - a child process in which libhdf5 runs: on some damaged files it crashes, and that
 * must not end the caller's process.
 *
 * The two ends talk through a socket; large values go through memory that both have. The child is
 * forked from one thread of the caller's and has no other, so it calls nothing but libhdf5, the
 * allocator and system calls, and ends by _exit. Signals do to it what they do by default, but
 * that Ctrl-C is left to the caller; when its parent ends, so does it. */
#ifndef PEN_H5_CHILD_H
#define PEN_H5_CHILD_H

#include "core/run.h"

#include <sys/types.h>

enum { PEN_H5_ROOM = 1 << 22 }; /* bytes of the memory that both have */

typedef struct pen_h5_child {
    pen_run *run;
    const char *name; /* of the file, for messages */
    int socket;
    pid_t process;     /* 0: it was waited for */
    int ended;         /* what it had sent may still be on the way */
    void *room;        /* [PEN_H5_ROOM] */
    pen_status failed; /* what every later call returns */
} pen_h5_child;

/* What the child does. */
typedef void (*pen_h5_body)(int socket, void *room, void *context);

/* PEN_NO_MEMORY: the system gives no process or memory. No thread may be inside libhdf5. */
pen_status pen_h5_child_start(pen_run *run, const char *name, pen_h5_body body, void *context,
                              pen_h5_child *out);

/* Waits until it has ended, which it must be about to do; a child that failed is killed. Returns
 * what failed first. */
pen_status pen_h5_child_end(pen_h5_child *child);

/* All bytes, or what failed: PEN_BAD_FORMAT for a crash, PEN_CANCELLED. */
pen_status pen_h5_child_send(pen_h5_child *child, const void *bytes, size_t size);
pen_status pen_h5_child_receive(pen_h5_child *child, void *bytes, size_t size);

/* The same for the child: 1, or 0 if nobody listens. */
int pen_h5_put(int socket, const void *bytes, size_t size);
int pen_h5_get(int socket, void *bytes, size_t size);

#endif
