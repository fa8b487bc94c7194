/* selection.c - the choice as an object and in the info of a model. */
#include "eval/choose/selection.h"

#include "core/textbuf.h"
#include "eval/measures/summary.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pen_selection_free(pen_selection *selection)
{
    if (!selection)
        return;
    for (int64_t i = 0; selection->candidates && i < selection->count; i++)
        pen_spec_free(selection->candidates[i].spec);
    free(selection->candidates);
    pen_spec_free(selection->spec);
    free(selection->sample);
    free(selection);
}

static void add_number(pen_string *text, const char *name, double value)
{
    if (!isnan(value))
        pen_text_add_number(text, name, value);
}

/* With few digits, because a small file has many candidates. */
static void add_rounded(pen_string *text, const char *name, double value)
{
    pen_text_add_number(text, name, rint(value * 1e6) / 1e6);
}

static void add_candidate(pen_string *text, const pen_chosen *e)
{
    pen_text_add_plain(text, NULL, "{");
    pen_text_add_member(text, "name", e->name);
    if (*e->failure)
        pen_text_add_member(text, "failure", e->failure);
    if (!isnan(e->score)) {
        add_rounded(text, "accuracy", e->accuracy);
        add_rounded(text, "log_loss", e->log_loss);
        add_rounded(text, "brier", e->brier);
    }
    pen_text_add_flag(text, "member", e->member);
    pen_text_add_string(text, "}");
}

pen_status pen_selection_tell(pen_run *run, const pen_selection *s, pen_model *model)
{
    pen_string text = { .data = NULL };
    int64_t tried = 0, members = 0;
    char *json;

    for (int64_t i = 0; i < s->count; i++) {
        tried += !isnan(s->candidates[i].score);
        members += s->candidates[i].member;
    }
    pen_text_add(&text, model->info, strlen(model->info) - 1); /* without the brace */
    pen_text_add_plain(&text, "trials", "{");
    if (*s->reason)
        pen_text_add_member(&text, "reason", s->reason);
    if (s->count > 0)
        pen_text_add_member(&text, "best", s->candidates[s->best].name);
    pen_text_add_count(&text, "tried", tried);
    pen_text_add_count(&text, "members", members);
    pen_text_add_count(&text, "folds", s->folds);
    pen_text_add_count(&text, "runs", s->runs);
    pen_text_add_count(&text, "rows", s->rows);
    pen_text_add_count(&text, "labelled", s->labelled);
    add_number(&text, "accuracy", s->accuracy);
    add_number(&text, "error", PEN_HALF_WIDTH * s->error);
    add_number(&text, "standard_error", s->error);
    add_number(&text, "margin", s->margin);
    add_number(&text, "chance", s->chance > 0 ? s->chance : (double)NAN);
    add_number(&text, "p_value", s->p_value);
    pen_text_add_flag(&text, "predicts", s->predicts);
    pen_text_add_plain(&text, "candidates", "[");
    for (int64_t i = 0; i < s->count; i++)
        add_candidate(&text, &s->candidates[i]);
    pen_text_add_string(&text, "]}}");
    PEN_TRY(pen_text_finish(run, &text, &json));
    free(model->info);
    model->info = json;
    return PEN_OK;
}
