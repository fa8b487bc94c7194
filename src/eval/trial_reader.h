/* trial_reader.h - the classes of rows in a trial, by a reader. */
#ifndef PEN_TRIAL_READER_H
#define PEN_TRIAL_READER_H

#include "eval/embedding.h"
#include "eval/trials.h"
#include "model/spec.h"
#include "readers/answer.h"

/* The kind of a name, as the parameter `reader` reads it. PEN_UNKNOWN_NAME. */
pen_status pen_trial_reader_named(pen_run *run, const char *name, enum pen_reader_kind *kind);

/* Can trials be read by these readers [count], with the parameters of readers that the spec has?
 * PEN_BAD_ARGUMENT: none; scores, and the method has none; a parameter that no reader has. */
pen_status pen_trial_readers_check(pen_run *run, const pen_spec *spec, int64_t count,
                                   const pen_reader_params *readers);

/* A reader of an embedding in a trial. */
typedef struct pen_trial_reader {
    const pen_trial *trial;
    const pen_embedding *embedding;
    int64_t r; /* dimensions that it reads */
    enum pen_reader_kind kind;
    pen_reader reader;    /* unless scores */
    const int64_t *place; /* [classes] scores: of a class in the fit, or -1 */
} pen_trial_reader;

/* 1: the reader looks at all rows, and not at those with labels alone. */
int pen_trial_reader_needs_all(const pen_trial *c, const pen_reader_params *params);

/* Fits the reader to the first r dimensions of the embedding: with the labels that the trial knows,
 * on the rows that its fit has. PEN_BAD_ARGUMENT: scores, and there are none; or r is not all
 * dimensions. Errors of pen_reader_fit. */
pen_status pen_trial_reader_open(pen_run *run, const pen_trial *c, const pen_embedding *e,
                                 int64_t r, const pen_reader_params *params, pen_trial_reader *out);

/* p [count x classes of the data] and classes [count] of these rows of the data; not tempered. A
 * class without labels in the trial has p = 0. */
pen_status pen_trial_reader_apply(pen_run *run, const pen_trial_reader *reader, int64_t count,
                                  const int64_t *rows, double *p, int32_t *classes);

/* Adds the held-out rows of a trial, of which p [hidden x classes] and their classes are told;
 * told NULL: those of the largest p. */
pen_status pen_trial_answer(pen_run *run, const pen_trial *c, const double *p, const int32_t *told,
                            pen_answer *to);

#endif
