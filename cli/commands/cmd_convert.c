/* cmd_convert.c - penumbra convert: rows from one kind of file into another. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/mapped.h"
#include "flags/output.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "labels", "FILE", "a file of labels, one for each row, written with the rows", 0 },
    { "keep-labels", "N|P%", "only the labels of N rows of each class, or of P percent", 0 },
    { "seed", "N", "of --keep-labels (0)", 0 },
    { "quiet", NULL, "no report", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* Labels of a file take the place of those of the rows. */
typedef struct work {
    pen_table *rows, *labels;
    int32_t *kept;   /* --keep-labels; or NULL */
    pen_table table; /* what is written: borrowed from both */
} work;

static int has_ending(const char *path, const char *const *endings)
{
    for (int i = 0; endings[i]; i++)
        if (strcmp(cli_extension(path), endings[i]) == 0)
            return 1;
    return 0;
}

static int check_outputs(const cli_args *args)
{
    const char *const in = args_operand(args, 0), *const out = args_operand(args, 1),
                      *const labels = args_value(args, "labels");

    if (cli_same_file(out, in) || (labels && cli_same_file(out, labels)))
        return cli_say(args->command, CLI_USAGE, "%s would be overwritten", out);
    int status = args_refuse_h5ad(args, out);
    if (status == CLI_OK)
        status = output_safe(args, in);
    return status == CLI_OK ? output_ready(args) : status;
}

static int read_all(const cli_args *args, const pen_read_options *options, work *w)
{
    const char *const in = args_operand(args, 0);

    int status = args_not_both(args, "labels", "label-column");
    if (status == CLI_OK)
        status = input_rows(args, in, options, &w->rows);
    if (status == CLI_OK)
        status = input_known_labels(args, in, w->rows, &w->labels);
    if (status != CLI_OK)
        return status;
    w->table = *w->rows;
    if (w->labels) {
        w->table.labels = w->labels->labels;
        w->table.class_names = w->labels->class_names;
        w->table.class_count = w->labels->class_count;
        w->table.label_name = NULL;
    }
    status = input_keep_labels(args, w->table.labels, w->table.x.rows, &w->kept);
    if (w->kept)
        w->table.labels = w->kept;
    return status;
}

/* A class that is read back as unlabelled, or NULL. */
static const char *marked_class(const pen_table *table)
{
    for (int64_t c = 0; table->labels && c < table->class_count; c++)
        if (pen_label_is_mark(table->class_names[c]))
            return table->class_names[c];
    return NULL;
}

/* What the output cannot hold. */
static void report_losses(const cli_args *args, const work *w)
{
    static const char *const bare[] = { ".npy", ".npz", ".libsvm", ".svm", ".svmlight", NULL };
    static const char *const texts[] = { "", ".csv", ".tsv", NULL };

    if (args_value(args, "quiet"))
        return;
    if (w->kept) {
        output_report(args, args_operand(args, 1));
        fprintf(stderr, "%lld rows, ", (long long)w->table.x.rows);
        input_print_classes("labelled", w->kept, w->table.x.rows,
                            (const char *const *)w->table.class_names, w->table.class_count);
        fputc('\n', stderr);
    }
    const int labels = has_ending(args_operand(args, 1), bare) && w->table.labels
                       && !has_ending(args_operand(args, 1), bare + 2);
    const int names =
        has_ending(args_operand(args, 1), bare) && (w->table.column_names || w->table.row_names);
    if (names || labels)
        cli_say(args->command, 0, "%s: %s%s%s left out", args_operand(args, 1),
                names ? "names of rows and columns" : "", names && labels ? " and " : "",
                labels ? "labels are" : " are");
    if (has_ending(args_operand(args, 1), texts) && marked_class(&w->table))
        cli_say(args->command, 0,
                "%s: the class %s means unlabelled where this is read, unless --unlabelled ''",
                args_operand(args, 1), marked_class(&w->table));
}

static int write_all(const cli_args *args, const work *w)
{
    static const char *const arrays[] = { ".npy", ".npz", NULL };
    const char *const out = args_operand(args, 1);
    pen_table table = w->table;
    pen_error err;

    if (has_ending(out, arrays))
        table.labels = NULL;
    mapped_check();
    if (pen_write(out, NULL, &table, &err) != PEN_OK)
        return input_failed(args, &err);
    report_losses(args, w);
    return CLI_OK;
}

static int convert(const cli_args *args)
{
    pen_read_options options;
    work w = { .rows = NULL };

    int status = check_outputs(args);
    if (status == CLI_OK)
        status = input_options(args, &options);
    if (status == CLI_OK)
        status = read_all(args, &options, &w);
    if (status == CLI_OK)
        status = write_all(args, &w);
    pen_table_free(w.rows);
    pen_table_free(w.labels);
    free(w.kept);
    return status;
}

static const args_form form = {
    "penumbra convert IN OUT [flags]",
    "Read the rows of IN, any file that is read, and write them as OUT: .csv, .tsv, .npy, "
    ".npz, .libsvm (.svm), or - for CSV on standard output. Sparse rows stay sparse in .npz "
    "and .libsvm. Labels, carried columns and names go along where OUT holds them.",
    2,
    2,
    { { NULL, flags }, { "Reading IN", input_flags } },
    "Usage: penumbra convert IN OUT [flags]                        all flags: --help\n"
    "Read the rows of IN and write them as OUT: .csv .tsv .npy .npz .libsvm, or - for\n"
    "CSV on standard output. Sparse rows stay sparse in .npz and .libsvm.\n"
    "\n"
    "  penumbra convert data.csv data.npz --label-column class\n"
    "  penumbra convert data.npz - --drop 0,2\n"
    "\n"
    "  --label-column COLUMN   column of the labels, which OUT holds, too\n"
    "  --labels FILE           labels from a file\n"
    "  --drop COLUMNS          columns to leave out\n"
    "  --missing POLICY        empty cells: error, mean or drop (error)\n"
    "  --keep-labels N         keep the labels of N rows of each class\n",
};

int cmd_convert(int argc, char **argv)
{
    return args_run(&form, argc, argv, convert);
}
