/* h5_words.h - what is said between a process and its child that runs libhdf5. A request is
 * followed by its two texts with their zeros, a reply by its list: the lengths, then the texts with
 * their zeros. */
#ifndef PEN_H5_WORDS_H
#define PEN_H5_WORDS_H

#include "io/h5.h"

enum pen_h5_call {
    PEN_H5_ASK_END,
    PEN_H5_ASK_LOOK,
    PEN_H5_ASK_NAMES,
    PEN_H5_ASK_TEXT_ATTRIBUTE,
    PEN_H5_ASK_WHOLE_ATTRIBUTE,
    PEN_H5_ASK_OPEN,
    PEN_H5_ASK_CLOSE,
    PEN_H5_ASK_LOAD, /* values come in the memory that both have */
    PEN_H5_ASK_LOAD_WHOLE,
    PEN_H5_ASK_TEXTS
};

enum { PEN_H5_NUMBERS_AT_MOST = 8, PEN_H5_SOME = 4096 };

typedef struct pen_h5_request {
    enum pen_h5_call call;
    pen_dtype dtype;
    int64_t numbers[4];
    pen_h5_set set;   /* its path is the first text */
    int64_t sizes[2]; /* of the texts, with their zeros; 0: none */
} pen_h5_request;

typedef struct pen_h5_reply {
    pen_error error; /* its code is the status */
    pen_h5_set set;
    uint64_t size; /* of the file */
    int64_t count;
    int64_t numbers[PEN_H5_NUMBERS_AT_MOST];
    int64_t bytes; /* of the texts [count], with their zeros */
} pen_h5_reply;

/* In the child: answers requests until there are no more. `context` is a pen_h5_ends. */
typedef struct pen_h5_ends {
    int socket;
    void *room;
    pen_error *error; /* of h5->run */
} pen_h5_ends;
pen_status pen_h5_serve(const pen_h5 *h5, void *context);

#endif
