/* cmd_explore.c - penumbra explore: label rows in a browser, served by the Python package. */
#define _XOPEN_SOURCE 700 /* mkdtemp, realpath */

#include "flags/input.h"
#include "flags/output.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PYTHON "PENUMBRA_PYTHON" /* environment variable: the interpreter */
static const char find_package[] =
    "exec \"$" PYTHON "\" -c 'from importlib.util import find_spec as f; exit(not (f(\"penumbra\")"
    " and f(\"penumbra._explore\") and f(\"starlette\") and f(\"uvicorn\")))' > /dev/null 2>&1";

/* Joins three texts; the result is owned. */
static char *joined(const char *a, const char *b, const char *c)
{
    char *const all = cli_alloc((int64_t)(strlen(a) + strlen(b) + strlen(c)) + 1, 1);
    return strcat(strcat(strcpy(all, a), b), c);
}

/* Removes the folder if Python did not take it over. */
static void remove_folder(void *folder)
{
    remove(joined(folder, "/rows.npz", ""));
    remove(joined(folder, "/shown.csv", ""));
    remove(folder);
}

/* Writes rows with their labels, and carried columns as text before an empty numeric column. */
static int write_rows(const char *folder, pen_table table)
{
    static char empty[] = "empty";
    char *name = empty;
    double *const cells = cli_alloc(table.x.rows, sizeof *cells);
    const pen_table shown = { .x = pen_dense(cells, PEN_F64, table.x.rows, 1, 1),
                              .column_names = &name,
                              .carried = table.carried,
                              .carried_names = table.carried_names,
                              .carried_count = table.carried_count };

    for (int64_t i = 0; i < table.x.rows; i++)
        cells[i] = (double)NAN;
    table.carried = NULL;
    CLI_CALL(pen_write(joined(folder, "/rows.npz", ""), NULL, &table, &cli_error));
    if (shown.carried)
        CLI_CALL(pen_write(joined(folder, "/shown.csv", ""), NULL, &shown, &cli_error));
    return CLI_OK;
}

/* Adds the arguments with which exported commands read DATA again. They drop the label column (all
 * labels are exported) and carried columns. Adds nothing if no flag can drop the labels. */
static void add_source(const pen_table *rows, char **list)
{
    if (rows->labels && (!args_value("label-column") || strchr(args_value("label-column"), ',')))
        return;
    *list++ = joined(args_operand(0), "", "");
    for (int i = 0; i < args_all.count; i++) {
        const cli_arg *const arg = &args_all.list[i];
        const cli_flag *const flag = arg->name ? args_in(input_flags, arg->name) : NULL;
        if (!flag)
            continue;
        const int stays = strcmp(flag->name, "label-column") && strcmp(flag->name, "carry");
        *list++ = joined(joined("--", stays ? flag->name : "drop", flag->value ? "=" : ""),
                         arg->value, "");
    }
}

/* Finds the path of this program. */
static int own_path(char path[PATH_MAX])
{
#ifdef __APPLE__
    extern int _NSGetExecutablePath(char *path, uint32_t *size);
    uint32_t size = PATH_MAX;
    return _NSGetExecutablePath(path, &size) == 0;
#else
    return realpath("/proc/self/exe", path) != NULL;
#endif
}

static int explore(void)
{
    static char program[PATH_MAX], module[] = "-m", own[] = "penumbra._explore";
    const char *const data = args_operand(0), *const place = getenv("TMPDIR");
    char *const folder = joined(place ? place : "/tmp", "/penumbra-", "XXXXXX");
    char **const list = cli_alloc(args_all.count + 6, sizeof *list);
    pen_table *rows, table;

    if (output_streamed(data))
        return cli_refuse("DATA must be a file: its rows are read again when labels are exported");
    if (args_value("missing") && strcmp(args_value("missing"), "drop") == 0)
        return cli_refuse("--missing drop would renumber the rows; --missing mean keeps them all");
    setenv(PYTHON, "python3", 0);
    if (system(find_package) != 0)
        return cli_fail("the Python package is needed: pip install \"penumbra-learn[explore]\"");
    CLI_TRY(input_labelled(data, &rows, &table));
    mapped_check();
    if (!own_path(program) || !mkdtemp(folder))
        return cli_fail("%s: cannot be created: %s", folder, strerror(errno));
    cli_own(folder, remove_folder);
    CLI_TRY(write_rows(folder, table));
    if (args_value("threads"))
        setenv("OMP_NUM_THREADS", args_value("threads"), 1);
    char *const python[] = { getenv(PYTHON), module, own, folder, program };
    memcpy(list, python, sizeof python);
    add_source(rows, list + sizeof python / sizeof *python);
    execvp(list[0], list);
    return cli_fail("%s: cannot be started: %s", list[0], strerror(errno));
}

const args_form cmd_explore = {
    "explore",
    "label rows in a browser and watch the model follow",
    explore,
    0,
    1,
    1,
    { { NULL, input_labels_flag }, { "Reading DATA", input_flags } },
    "Usage: penumbra explore DATA [flags]                          all flags: --help\n"
    "Show all rows of DATA in a browser and label them there. The projection and the\n"
    "classes follow each label, and the rows to label next are suggested. Labels are\n"
    "kept in the folder explore-XXXXXXXX; the next call continues with them. You need\n"
    "the Python package: pip install \"penumbra-learn[explore]\"\n"
    "\n"
    "  penumbra explore data.csv --label-column class\n"
    "  penumbra explore new.csv --carry 0\n"
    "\n"
    "  --label-column COLUMN   column of known labels\n"
    "  --labels FILE           known labels from a file\n"
    "  --name-column COLUMN    column of the names of rows\n"
    "  --carry COLUMNS         columns to show and not to learn from\n"
    "  --drop COLUMNS          columns to leave out\n",
};
