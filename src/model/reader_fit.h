/* reader_fit.h - the reader of a fit: how its model tells the classes of rows. */
#ifndef PEN_READER_FIT_H
#define PEN_READER_FIT_H

#include "model/model.h"
#include "model/spec.h"

/* The reader of the spec; auto: scores where the method predicts by them, else lda. */
enum pen_reader_kind pen_reader_of(const pen_spec *spec);

/* Predictions, and the shares of the rows of the fit, are tempered from now on. Not twice. */
void pen_model_temper(int64_t classes, double temperature, pen_model *model);

/* Is each parameter of readers that is not its default one that one of readers [count] has?
 * PEN_BAD_ARGUMENT. */
pen_status pen_reader_params_check(pen_run *run, const pen_spec *spec, int64_t count,
                                   const pen_reader_params *readers);

/* PEN_BAD_ARGUMENT: scores, and the method does not score classes. */
pen_status pen_reader_scores_check(pen_run *run, const pen_spec *spec, enum pen_reader_kind kind);

/* Are its parameters those of a reader there can be? `reader auto` is none where fewer than two
 * classes are labelled, and the method does not score classes.
 * PEN_BAD_ARGUMENT: parameters that the reader does not have; PEN_NO_LABELS, PEN_ONE_CLASS: a
 * reader is named, and there is nothing to learn it from. */
pen_status pen_reader_fit_check(pen_run *run, const pen_spec *spec, const pen_rows *x);

/* Fits the reader to the rows of the fit as the model embeds them, and keeps it in the model. What
 * was propagated is tempered as predictions are. PEN_BAD_ARGUMENT: scores, and the model has none.
 * Errors of pen_reader_fit. Cost: the embedding of the labelled rows, or of all rows if the reader
 * needs them, and that of the reader. */
pen_status pen_reader_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                               const pen_rows *x, pen_model *model);

/* A copy of a reader of the embedding, which the model takes; it has none before. */
pen_status pen_reader_keep(pen_run *run, const pen_reader *reader, pen_model *model);

#endif
