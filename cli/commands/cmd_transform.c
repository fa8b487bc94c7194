/* cmd_transform.c - penumbra transform: compute the coordinates of rows in a model. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/output.h"
#include "base/lines.h"
#include "common/model_rows.h"
#include "common/progress.h"

#include <string.h>

static struct {
    const char *output;
} given;

static const cli_flag flags[] = {
    { "output", "FILE",
      "the file of coordinates, .csv, .tsv or .npy; - writes CSV to standard output", 'o',
      FLAG_TEXT, &given.output, .required = 1 },
    { NULL },
};

/* The input and the results of the command. */
typedef struct embedding {
    model_rows of;
    pen_array z;
    void *values; /* of z */
} embedding;

static pen_status embed(void *context, const pen_control *control)
{
    const embedding *const e = context;
    return pen_transform(e->of.model, &e->of.rows->x, control, e->z.dtype, e->values, e->z.stride,
                         &cli_error);
}

static void report(const embedding *e)
{
    if (cli_json) {
        cli_json_begin();
        cli_json_count("rows", e->z.rows);
        cli_json_count("dim", e->z.cols);
        cli_json_string("output", given.output);
        cli_json_close();
    } else if (!output_streamed(given.output)) {
        line_print("wrote", "%s (%lld rows of %lld dimensions)", given.output, (long long)e->z.rows,
                   (long long)e->z.cols);
    }
}

/* Writes only after all coordinates are known. */
static int transform(void)
{
    static embedding e;
    const int is_npy = output_is(given.output, ".npy"); /* cannot hold texts */

    CLI_TRY(output_ending(given.output, "output", ".csv, .tsv or .npy"));
    if (args_value("carry") && is_npy)
        return cli_refuse("--carry requires -o with a .csv or .tsv file, or - for standard output, "
                          "got %s",
                          given.output);
    CLI_TRY(model_rows_open(0, 0, &e.of));
    if (is_npy) /* columns that the model carries */
        e.of.rows->carried = NULL;
    const int64_t n = e.of.rows->x.rows, k = pen_model_dim(e.of.model);
    const pen_dtype dtype = e.of.rows->x.dtype == PEN_F32 ? PEN_F32 : PEN_F64;
    e.values = cli_alloc(n, (size_t)k * sizeof(double));
    e.z = pen_dense(e.values, dtype, n, k, k);
    CLI_TRY(cli_work(args_operand(1), embed, &e));
    if (output_streamed(given.output))
        progress_release();
    CLI_CALL(pen_write(given.output, &e.z, e.of.rows, &cli_error));
    report(&e);
    return CLI_OK;
}

const args_form cmd_transform = {
    "transform",
    "write the coordinates of each row",
    transform,
    0,
    2,
    2,
    { { NULL, flags }, { "Reading DATA (the label column is left out)", input_flags } },
    "Usage: penumbra transform MODEL DATA -o FILE [flags]          all flags: --help\n"
    "Write the coordinates of each row of DATA in the dimensions of MODEL.\n"
    "\n"
    "  penumbra transform data.pen new.csv -o z.csv\n"
    "  penumbra transform data.pen new.npz -o z.npy\n"
    "\n"
    "  -o, --output FILE       .csv .tsv .npy; - is standard output (required)\n"
    "  --carry COLUMNS         copy these columns of DATA to the output\n",
};
