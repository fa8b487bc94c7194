/* compare_json.c - what penumbra compare found, as JSON. */
#define _POSIX_C_SOURCE 200809L

#include "compare_json.h"

#include "flags/method_text.h"
#include "flags/trial_flags.h"

#include <math.h>
#include <stdlib.h>

static void json_number(FILE *out, const char *name, double value)
{
    fprintf(out, ", \"%s\": ", name);
    cli_json_number(out, value);
}

static void json_confusion(FILE *out, const pen_comparison *found)
{
    const int64_t classes = found->class_count;

    for (int64_t i = 0; i < classes * classes; i++)
        fprintf(out, "%s%lld",
                i == 0        ? "[["
                : i % classes ? ", "
                              : "], [",
                (long long)found->confusion[i]);
    fputs("]]", out);
}

static void json_calibration(FILE *out, const pen_comparison *found)
{
    for (int b = 0; b < PEN_CALIBRATION_BINS; b++) {
        const pen_calibration_bin *const bin = &found->calibration[b];
        fprintf(out, "%s{\"rows\": %lld", b ? ", " : "[", (long long)bin->rows);
        json_number(out, "predicted", bin->predicted);
        json_number(out, "right", bin->right);
        fputc('}', out);
    }
    fputc(']', out);
}

/* How the predictions of the recommended candidate went. */
static void json_outcome(FILE *out, const learning *in, const pen_comparison *found)
{
    fputs(", \"class_names\": [", out);
    for (int64_t c = 0; c < found->class_count; c++) {
        fputs(c ? ", " : "", out);
        cli_json_text(out, in->data.class_names[found->classes[c]]);
    }
    fputs("], \"confusion\": ", out);
    json_confusion(out, found);
    fputs(", \"calibration\": ", out);
    if (found->calibration)
        json_calibration(out, found);
    else
        fputs("null", out);
}

static void json_candidate(FILE *out, const compare_result *result, int64_t m)
{
    const pen_comparison *const found = result->found;
    const pen_compared *const e = &found->candidates[m];

    fputs("{\"method\": ", out);
    cli_json_text(out, e->method->name);
    fputs(", \"name\": ", out);
    cli_json_text(out, e->name);
    fputs(", \"title\": ", out);
    cli_json_text(out, choice_title(e));
    fprintf(out, ", \"classifier\": \"%s\", \"baseline\": %s, \"rank\": %lld, \"experimental\": %s",
            e->classifier, e->baseline ? "true" : "false", (long long)m + 1,
            method_is_experimental(e->method) ? "true" : "false");
    fputs(", \"failure\": ", out);
    cli_json_text(out, *e->failure ? e->failure : NULL);
    json_number(out, "score", e->score);
    json_number(out, "deviation", *e->failure ? (double)NAN : e->deviation);
    json_number(out, "untuned", e->untuned);
    json_number(out, "log_loss", e->log_loss);
    json_number(out, "brier", e->brier);
    json_number(out, "p", e->p);
    json_number(out, "stability", e->stability);
    fprintf(out, ", \"taken\": %s", m == found->chosen ? "true" : "false");
    fprintf(out, ", \"dims\": %lld, \"tried\": %s, \"grid\": %lld, \"combinations\": %lld",
            (long long)e->dim, e->tried == PEN_TRIED ? "true" : "false", (long long)e->grid,
            (long long)e->combinations);
    json_number(out, "cost", e->cost);
    fputs(", \"same_as\": ", out);
    cli_json_text(out, e->same_as);
    json_number(out, "seconds", e->seconds);
    json_number(out, "chance", found->chance);
    json_number(out, "p_value", found->p_value);
    fprintf(out, ", \"predicts\": %s", found->predicts ? "true" : "false");
    fputs(", \"parameters\": ", out);
    if (e->spec)
        params_json(out, e->spec);
    else
        fputs("null", out);
    fputs(", \"changed\": ", out);
    if (e->spec)
        params_changed_json(out, e->spec);
    else
        fputs("null", out);
    fputs(", \"trials\": ", out);
    cli_json_numbers(out, e->trials, *e->failure ? 0 : found->trials);
    fputs(", \"curve\": ", out);
    cli_json_numbers(out, e->curve, found->dim_count);
    fputs(", ", out);
    trials_json(out, &result->in->data, &result->rules->protocol, PEN_COMPARE_RUNS);
    fprintf(out,
            "\"held_out\": %lld, \"inner_folds\": %lld, \"margin\": ", (long long)found->held_out,
            (long long)found->inner_folds);
    cli_json_number(out, found->margin);
    fprintf(out, ", \"interrupted\": %s, \"compared\": %lld, \"tuned\": %lld",
            result->interrupted ? "true" : "false", (long long)found->count,
            (long long)found->tuned);
    if (m == found->chosen)
        json_outcome(out, result->in, found);
    fputs("}\n", out);
}

static void json_shuffled(FILE *out, const compare_result *result)
{
    fputs("{\"method\": ", out);
    cli_json_text(out, choice_taken(result->found)->name);
    fputs(", \"shuffle\": true", out);
    json_number(out, "score", result->shuffled);
    json_number(out, "deviation", result->shuffled_deviation);
    fputs("}\n", out);
}

char *compare_json(const compare_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    for (int64_t m = 0; m < result->found->count; m++)
        json_candidate(out, result, m);
    if (!isnan(result->shuffled))
        json_shuffled(out, result);
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
