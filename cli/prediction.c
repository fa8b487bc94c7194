/* prediction.c - the rows of a file as a model embeds them and predicts their classes. */
#define _POSIX_C_SOURCE 200809L

#include "prediction.h"

#include "input.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { START_SIZE = 9, LENGTH_HIGH = 4 };

/* A model begins with the length of its header in 8 bytes, the lowest first, and "{". A pipe is not
 * read: that could not be undone. */
int prediction_is_model(const char *path)
{
    static const char zeros[LENGTH_HIGH] = { 0 };
    char start[START_SIZE];
    struct stat about;

    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    FILE *const file = fopen(path, "rb");
    const size_t got = file ? fread(start, 1, START_SIZE, file) : 0;
    if (file)
        fclose(file);
    return got == START_SIZE && start[START_SIZE - 1] == '{'
           && memcmp(start + LENGTH_HIGH, zeros, LENGTH_HIGH) == 0;
}

static int make_room(const cli_args *args, const pen_model *model, int64_t n, prediction *out)
{
    const int64_t k = pen_model_output_dim(model), classes = pen_model_class_count(model);
    const int predicts = pen_model_reader(model) != NULL;

    out->z = calloc((size_t)n, (size_t)k * sizeof *out->z);
    if (predicts) {
        out->classes = calloc((size_t)n, sizeof *out->classes);
        out->scores = calloc((size_t)n, (size_t)classes * sizeof *out->scores);
    }
    if (!out->z || (predicts && (!out->classes || !out->scores)))
        return cli_say(args->command, CLI_FAILED, "out of memory for %lld rows of %lld dimensions",
                       (long long)n, (long long)k);
    return CLI_OK;
}

int prediction_make(const cli_args *args, const pen_model *model, const pen_array *x,
                    const char *path, prediction *out)
{
    pen_error err;
    progress bar;

    *out = (prediction){ 0 };
    const int room = make_room(args, model, x->rows, out);
    if (room != CLI_OK)
        return room;
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { 0, progress_show, &bar };
    pen_status status =
        pen_transform(model, x, PEN_F64, out->z, pen_model_output_dim(model), &control, &err);
    if (status == PEN_OK && out->classes)
        status = pen_predict(model, x, out->classes, out->scores, &control, &err);
    progress_end(&bar);
    if (progress_signal())
        return CLI_FAILED;
    return status == PEN_OK
               ? CLI_OK
               : cli_say(args->command, CLI_FAILED, "%s: %s", input_name(path), err.message);
}

void prediction_free(prediction *of)
{
    free(of->z);
    free(of->classes);
    free(of->scores);
}
