/* trial_flags.h - the flags of evaluate, tune and compare that say how methods are tried. */
#ifndef TRIAL_FLAGS_H
#define TRIAL_FLAGS_H

#include "args.h"

extern const cli_flag trials_flags[];

/* The flags as a protocol. Returns CLI_OK or the exit status, the error said. */
int trials_options(const cli_args *args, pen_protocol *out);

/* Say which classes have fewer labelled rows than there are folds. */
void trials_remark(const cli_args *args, const pen_data *data, const pen_protocol *protocol);

/* The protocol in words: "3 runs of 5 folds". Returns `text`. */
const char *trials_words(const pen_protocol *protocol, int64_t usual_runs, char *text, size_t size);

/* Members of a JSON object: rows, columns, labelled, classes, folds, runs, seed and what else was
 * asked for; each with a comma behind. */
void trials_json(const pen_data *data, const pen_protocol *protocol, int64_t usual_runs);

int64_t trials_labelled(const pen_data *data);

#endif
