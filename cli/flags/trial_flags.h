/* trial_flags.h - the flags of evaluate, tune and compare that define their trials. */
#ifndef TRIAL_FLAGS_H
#define TRIAL_FLAGS_H

#include "flags/args.h"

extern const cli_flag trials_flags[];

/* The flags as a protocol. Returns CLI_OK or the exit status, with the error printed. */
int trials_options(const cli_args *args, pen_protocol *out);

/* Use the folds of a file (NULL: there is none), which must outlive the protocol. */
void trials_use_folds(const pen_folds *given, pen_protocol *out);

/* Report the classes with fewer labelled rows than folds. */
void trials_remark(const cli_args *args, const pen_data *data, const pen_protocol *protocol);

/* The protocol in words: "3 runs of 5 folds". Returns `text`. */
const char *trials_words(const pen_data *data, const pen_protocol *protocol, int64_t usual_runs,
                         char *text, size_t size);

/* "0.9831 +- 0.0117", or without the deviation where there is none. Returns `text`. */
const char *trials_score(double mean, double deviation, char *text, size_t size);

/* Members of a JSON object: rows, columns, labelled, classes, folds, runs, seed and the other
 * members of the protocol; each followed by a comma. */
void trials_json(FILE *out, const pen_data *data, const pen_protocol *protocol, int64_t usual_runs);

#endif
