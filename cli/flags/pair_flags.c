/* pair_flags.c - flags for files of pairs. */
#include "flags/pair_flags.h"

#include "base/lines.h"
#include "flags/input.h"
#include "flags/method_text.h"

#include <string.h>

enum { PAIRS_FILES = 3, MOST_METHODS = 100 };

const cli_flag pairs_flags[] = {
    { "must-link", "FILE",
      "file of must-links, one pair of row numbers (from 0) on each line: i,j or i,j,weight" },
    { "cannot-link", "FILE", "file of cannot-links in the same format" },
    { "pairs", "FILE",
      "file of both: i,j,1 is a must-link, i,j,-1 a cannot-link; a weight may follow: "
      "i,j,1,weight" },
    { NULL },
};

static const struct {
    const char *flag, *what;
    pen_link link;
} lists[PAIRS_FILES] = {
    { "must-link", "must-links", PEN_MUST_LINK },
    { "cannot-link", "cannot-links", PEN_CANNOT_LINK },
    { "pairs", "pairs", PEN_ANY_LINK },
};

int pairs_no_use(const char *flag, const pen_method *method)
{
    const char *names[MOST_METHODS];
    int count = 0;
    line known = { "" };

    for (int64_t i = 0; pen_method_at(i) && count < MOST_METHODS; i++)
        if (method_learns_from_pairs(pen_method_at(i)))
            names[count++] = pen_method_at(i)->name;
    for (int i = 0; i < count; i++)
        line_add(&known, i == 0 ? "%s" : i == count - 1 ? " and %s" : ", %s", names[i]);
    return cli_refuse("--%s does not apply to %s, which does not learn from pairs; %s do", flag,
                      method->name, known.text);
}

int pairs_check(const pen_method *method)
{
    for (const cli_flag *flag = pairs_flags; flag->name && method; flag++)
        if (args_value(flag->name) && !method_learns_from_pairs(method))
            return pairs_no_use(flag->name, method);
    return CLI_OK;
}

/* ---- files ---- */

/* Prints the error of a file of pairs and the flag that reads such a file. */
static int unread(void)
{
    const char *remark = "";

    if (cli_error.hints & PEN_HINT_LABEL_FILE)
        remark = " --labels reads those";
    else if (cli_error.hints & PEN_HINT_ANY_LINK)
        remark = "; --pairs reads those";
    else if (cli_error.hints & PEN_HINT_ONE_LINK)
        remark = "; --must-link and --cannot-link read pairs of one kind";
    return cli_fail("%s%s", cli_error.message, remark);
}

typedef struct link_list {
    const int64_t *links;  /* [count x 2] */
    const double *weights; /* [count], or NULL: 1 */
    int64_t count;
} link_list;

static link_list must_of(const pen_pairs *from)
{
    return (link_list){ from->must_link, from->must_link_weights, from->must_link_count };
}

static link_list cannot_of(const pen_pairs *from)
{
    return (link_list){ from->cannot_link, from->cannot_link_weights, from->cannot_link_count };
}

static link_list joined(link_list a, link_list b)
{
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    const int64_t count = a.count + b.count;
    int64_t *const links = cli_alloc(count, 2 * sizeof *links);
    memcpy(links, a.links, (size_t)a.count * 2 * sizeof *links);
    memcpy(links + 2 * a.count, b.links, (size_t)b.count * 2 * sizeof *links);
    if (!a.weights && !b.weights)
        return (link_list){ links, NULL, count };
    double *const weights = cli_alloc(count, sizeof *weights);
    for (int64_t k = 0; k < count; k++) {
        const link_list *const from = k < a.count ? &a : &b;
        weights[k] = from->weights ? from->weights[k < a.count ? k : k - a.count] : 1;
    }
    return (link_list){ links, weights, count };
}

int pairs_read(const char *data_path, const pen_table *rows, pen_data *data)
{
    static const pen_pairs none = { 0 };
    const pen_pairs *files[PAIRS_FILES] = { &none, &none, &none };

    for (int i = 0; i < PAIRS_FILES; i++) {
        const char *const path = args_value(lists[i].flag);
        pen_pairs *read;
        if (!path)
            continue;
        CLI_TRY(input_all_rows(lists[i].what, path, data_path, rows));
        if (pen_read_pairs(path, lists[i].link, rows->x.rows, &read, &cli_error) != PEN_OK)
            return unread();
        files[i] = cli_own(read, cli_free_pairs);
    }
    const link_list must = joined(must_of(files[0]), must_of(files[2])),
                    cannot = joined(cannot_of(files[1]), cannot_of(files[2]));
    data->must_link = must.links;
    data->must_link_weights = must.weights;
    data->must_link_count = must.count;
    data->cannot_link = cannot.links;
    data->cannot_link_weights = cannot.weights;
    data->cannot_link_count = cannot.count;
    return CLI_OK;
}

int pairs_failed(void)
{
    const char *remark = "";

    if (cli_error.code == PEN_NO_PAIRS)
        remark = "; --must-link, --cannot-link and --pairs give pairs, and labels count as pairs";
    else if (cli_error.code == PEN_CONTRADICTION && !args_value("contradictions"))
        remark = "; --contradictions drop leaves them out";
    else
        return input_failed();
    return cli_fail("%s%s", cli_error.message, remark);
}
