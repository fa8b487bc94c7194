/* trial_views.c - the rows as the first trial embeds them, drawn for the report of compare. */
#include "trial_views.h"

#include "picture_page.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1000, PANEL_HEIGHT = 430 };

/* ---- fits ---- */

void trial_views_free(trial_views *views)
{
    for (int i = 0; i < views->count; i++)
        pen_trial_embedding_free(views->list[i].rows);
    views->count = 0;
}

static void fit_view(const choice_rules *rules, const learning *in, const pen_control *control,
                     trial_view *out)
{
    pen_error err;

    if (pen_embed_trial(out->candidate->spec, &in->data, &rules->protocol, 0, 2, control,
                        &out->rows, &err)
        != PEN_OK)
        snprintf(out->failure, sizeof out->failure, "%.*s", (int)sizeof out->failure - 1,
                 err.message);
}

/* Candidates of the same method would show almost the same. */
static int is_shown(const trial_views *views, const pen_compared *candidate)
{
    int shown = 0;

    for (int i = 0; i < views->count; i++)
        shown |= choice_same_fit(views->list[i].candidate, candidate);
    return shown;
}

void trial_views_fit(const cli_args *args, const choice_rules *rules, const learning *in,
                     const pen_comparison *found, trial_views *out)
{
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    for (int64_t m = 0; m < found->count && out->count < TRIAL_VIEWS && !progress_signal(); m++) {
        if (*found->candidates[m].failure || is_shown(out, &found->candidates[m]))
            continue;
        trial_view *const view = &out->list[out->count++];
        view->candidate = &found->candidates[m];
        fit_view(rules, in, &control, view);
    }
    if (progress_signal() && out->count > 0) /* the last one may have been stopped */
        pen_trial_embedding_free(out->list[--out->count].rows);
    progress_end(&bar);
}

/* ---- panels ---- */

/* A number in [0, 1) for each row, the same every time. */
static double scattered(int64_t i)
{
    const double x = (double)i * 0.6180339887498949;
    return x - floor(x);
}

/* Rows evenly from the first to the last. */
static int is_drawn(int64_t i, int64_t n)
{
    return n <= TRIAL_VIEW_ROWS || i == 0
           || i * TRIAL_VIEW_ROWS / n != (i - 1) * TRIAL_VIEW_ROWS / n;
}

static void add_row(const pen_data *data, const pen_trial_embedding *rows, int64_t i,
                    picture_panel *panel)
{
    const int class_index =
        data->labels[i] == PEN_UNLABELLED ? PICTURE_NO_CLASS : (int)data->labels[i];
    const double band =
        class_index == PICTURE_NO_CLASS ? -1 : (double)(data->class_count - 1 - class_index);
    double *const point = panel->points + 2 * panel->count;

    point[0] = rows->z[i * rows->dim];
    point[1] = rows->dim > 1 ? rows->z[i * rows->dim + 1] : band + 0.6 * scattered(i);
    panel->classes[panel->count] = class_index;
    panel->known[panel->count++] = rows->roles[i] == PEN_ROW_KNOWN;
}

static int make_panel(const pen_data *data, const trial_view *view, picture_panel *panel)
{
    const int64_t n = view->rows->rows;
    const size_t most = (size_t)(n < TRIAL_VIEW_ROWS ? n : TRIAL_VIEW_ROWS) + 1;

    panel->title = view->candidate->name;
    panel->dims = 2;
    panel->axis_names[0] = "first dimension";
    panel->axis_names[1] = view->rows->dim > 1 ? "second dimension" : "classes";
    panel->points = malloc(2 * most * sizeof *panel->points);
    panel->classes = malloc(most * sizeof *panel->classes);
    panel->known = malloc(most);
    if (!panel->points || !panel->classes || !panel->known)
        return 0;
    for (int64_t i = 0; i < n; i++)
        if (is_drawn(i, n))
            add_row(data, view->rows, i, panel);
    return 1;
}

int trial_views_draw(const cli_args *args, const learning *in, const trial_views *views,
                     const char *path, FILE **drawn)
{
    picture_panel panels[TRIAL_VIEWS] = { { .title = NULL } };
    picture pic = { .width = WIDTH,
                    .height = PANEL_HEIGHT,
                    .panels = panels,
                    .class_count = (int)in->data.class_count,
                    .class_names = in->data.class_names,
                    .filled_name = "known",
                    .hollow_name = "held out" };
    int status = CLI_OK;

    *drawn = NULL;
    for (int i = 0; i < views->count && status == CLI_OK; i++)
        if (views->list[i].rows
            && !make_panel(&in->data, &views->list[i], &panels[pic.panel_count++]))
            status = cli_say(args->command, CLI_FAILED, "out of memory for the pictures");
    if (pic.panel_count > 2)
        pic.height = 2 * PANEL_HEIGHT;
    if (status == CLI_OK && pic.panel_count > 0)
        status = picture_figure(&pic, args, "rows in two dimensions, by class", path, drawn);
    for (int i = 0; i < TRIAL_VIEWS; i++) {
        free(panels[i].points);
        free(panels[i].classes);
        free(panels[i].known);
    }
    return status;
}
