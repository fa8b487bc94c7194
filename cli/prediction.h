/* prediction.h - the rows of a file as a model embeds them and predicts their classes. */
#ifndef PREDICTION_H
#define PREDICTION_H

#include "args.h"

typedef struct prediction {
    double *z;        /* [rows x pen_model_output_dim] */
    int32_t *classes; /* [rows] of the model; NULL: it predicts none */
    double *scores;   /* [rows x pen_model_class_count], likewise */
} prediction;

/* Whether the file is a model: its content tells. */
int prediction_is_model(const char *path);

/* Embed the rows x, read from `path`, and predict their classes if the model does. Returns CLI_OK
 * or the exit status, with the error printed; after a signal there is no message: ask
 * progress_signal. Free with prediction_free in any case. */
int prediction_make(const cli_args *args, const pen_model *model, const pen_array *x,
                    const char *path, prediction *out);
void prediction_free(prediction *of);

#endif
