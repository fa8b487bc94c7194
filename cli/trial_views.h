/* trial_views.h - the rows as the first trial embeds them, drawn for the report of compare. */
#ifndef TRIAL_VIEWS_H
#define TRIAL_VIEWS_H

#include "choice.h"

enum { TRIAL_VIEWS = 4, TRIAL_VIEW_ROWS = 3000 /* drawn at most */ };

/* The rows in the first two dimensions of a method. */
typedef struct trial_view {
    const pen_compared *candidate;
    pen_trial_embedding *rows; /* NULL: the fit failed */
    char failure[160];
} trial_view;

typedef struct trial_views {
    int count;
    trial_view list[TRIAL_VIEWS];
} trial_views;

/* Fit the best methods in the first trial. A signal ends it early: progress_signal tells. */
void trial_views_fit(const cli_args *args, const choice_rules *rules, const learning *in,
                     const pen_comparison *found, trial_views *out);
void trial_views_free(trial_views *views);

/* Draw them as the panels of one picture: *drawn as picture_figure hands it over, NULL where no fit
 * worked. Returns as picture_figure; `path` is the page. */
int trial_views_draw(const cli_args *args, const learning *in, const trial_views *views,
                     const char *path, FILE **drawn);

#endif
