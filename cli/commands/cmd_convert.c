/* cmd_convert.c - penumbra convert: convert rows to another file format. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/output.h"
#include "base/lines.h"

#include <string.h>

static const cli_flag flags[] = {
    { "keep-labels", "N|P%", "keep the labels of N rows of each class, or of P percent of each" },
    { "seed", "N", "seed of --keep-labels (0)" },
    { NULL },
};

/* Prints the drawn labels, and what the output format cannot hold. */
static void report(const char *out, const pen_table *table)
{
    const int labels = output_is(out, ".npy") && table->labels,
              names = output_is(out, ".npy .libsvm .svm .svmlight")
                      && (table->column_names || table->row_names);
    line classes = { "" };

    if (args_value("keep-labels")) {
        const int64_t count =
            line_add_classes(&classes, table->labels, table->x.rows,
                             (const char *const *)table->class_names, table->class_count);
        cli_note("%s: %lld rows, %lld labelled (%s)", output_name(out), (long long)table->x.rows,
                 (long long)count, classes.text);
    }
    if (names || labels)
        cli_note("%s: %s%s%s left out", out, names ? "names of rows and columns" : "",
                 names && labels ? " and " : "", labels ? "labels are" : " are");
}

static void print_json(const char *out, const pen_table *table)
{
    cli_json_begin();
    cli_json_count("rows", table->x.rows);
    cli_json_count("columns", table->x.cols);
    cli_json_count("labelled", cli_labelled(table->labels, table->x.rows));
    cli_json_string("output", out);
    cli_json_close();
}

static int convert(void)
{
    const char *const in = args_operand(0), *const out = args_operand(1), *read = in;
    pen_table *rows, table, written;

    for (int i = 0; read; read = args_repeated("labels", i++))
        if (cli_same_file(out, read))
            return cli_refuse("%s would be overwritten", out);
    if (cli_json && strcmp(out, "-") == 0)
        return cli_refuse("--json and - both write to standard output; give one of them");
    CLI_TRY(input_sources(in));
    CLI_TRY(input_labelled(in, &rows, &table));
    written = table;
    if (output_is(out, ".npy"))
        written.labels = NULL;
    mapped_check();
    CLI_CALL(pen_write(out, NULL, &written, &cli_error));
    if (cli_json)
        print_json(out, &table);
    else
        report(out, &table);
    return CLI_OK;
}

const args_form cmd_convert = {
    "convert",
    "convert rows to another file format",
    convert,
    0,
    2,
    2,
    { { NULL, input_labels_flag }, { NULL, flags }, { "Reading IN", input_flags } },
    "Usage: penumbra convert IN OUT [flags]                        all flags: --help\n"
    "Read the rows of IN and write them as OUT: .csv .tsv .npy .npz .libsvm, or - for\n"
    "CSV on standard output. Sparse rows stay sparse in .npz and .libsvm.\n"
    "\n"
    "  penumbra convert data.csv data.npz --label-column class\n"
    "  penumbra convert data.npz - --drop 0,2\n"
    "\n"
    "  --label-column COLUMN   column of the labels, also written to OUT\n"
    "  --labels FILE           labels from a file\n"
    "  --drop COLUMNS          columns to leave out\n"
    "  --missing POLICY        empty cells: error, mean or drop (error)\n"
    "  --keep-labels N         keep the labels of N rows of each class\n"
    "  --json                  print the summary as JSON\n",
};
