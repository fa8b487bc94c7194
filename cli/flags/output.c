/* output.c - checks and writes the output files of a command. */
#define _XOPEN_SOURCE 700 /* lstat, realpath */

#include "flags/output.h"

#include "core/file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART_SUFFIX = 16 }; /* suffix of an unfinished file: ".4194304-99.part" */

int output_safe(const char *in)
{
    for (int i = 0; in && args_outputs[i]; i++) {
        const char *const out = args_value(args_outputs[i]);
        if (out && cli_same_file(out, in))
            return cli_refuse("the %s %s would overwrite an input file", args_outputs[i], out);
    }
    return CLI_OK;
}

/* ---- before the work ---- */

/* Finds the file that is written, which for a link is its target, even if that does not exist.
 * Returns an errno or 0. */
static int place_of(const char *path, char place[PATH_MAX])
{
    const char *const name = cli_last_part(path);
    char folder[PATH_MAX], link[PATH_MAX];

    if (realpath(path, place))
        return 0;
    if (errno != ENOENT)
        return errno;
    const ssize_t length = readlink(path, link, sizeof link - 1);
    link[length > 0 ? length : 0] = '\0';
    if (snprintf(folder, sizeof folder, "%.*s%s", *link == '/' ? 0 : (int)(name - path), path,
                 *link ? link : "./")
        >= PATH_MAX)
        return ENAMETOOLONG;
    if (*link)
        return place_of(folder, place);
    if (!realpath(folder, place))
        return errno;
    const size_t used = strlen(place), room = PATH_MAX - used;
    return snprintf(place + used, room, "/%s", name) < (int)room ? 0 : ENAMETOOLONG;
}

/* The errno that prevents writing to `path`, or 0. */
static int obstacle(const char *path)
{
    char place[PATH_MAX];
    struct stat info;

    if (strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return EISDIR;
    if (output_streamed(path))
        return access(path, W_OK) == 0 ? 0 : errno;
    const int reason = place_of(path, place);
    if (reason)
        return reason;
    const size_t length = strlen(cli_last_part(place));
    place[strlen(place) - length] = '\0'; /* the folder */
    const long longest = pathconf(place, _PC_NAME_MAX);
    if (longest > 0 && length + PART_SUFFIX > (size_t)longest)
        return ENAMETOOLONG;
    return access(place, W_OK | X_OK) == 0 ? 0 : errno;
}

static int same_place(const char *a, const char *b)
{
    char at_a[PATH_MAX], at_b[PATH_MAX];

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    return place_of(a, at_a) == 0 && place_of(b, at_b) == 0 && strcmp(at_a, at_b) == 0;
}

int output_ready(void)
{
    for (int i = 0; args_outputs[i]; i++) {
        const char *const out = args_value(args_outputs[i]);
        const int reason = out ? obstacle(out) : 0;
        if (reason)
            return cli_fail("%s: cannot be written: %s", out, strerror(reason));
    }
    for (int i = 0; args_outputs[i]; i++) {
        for (int j = i + 1; args_outputs[j]; j++) {
            const char *const a = args_value(args_outputs[i]), *const b =
                                                                   args_value(args_outputs[j]);
            if (!a || !b || !same_place(a, b))
                continue;
            if (strcmp(a, "-") == 0)
                return cli_refuse("the %s and the %s cannot both be standard output",
                                  args_outputs[i], args_outputs[j]);
            return cli_refuse("the %s and the %s are the same file, %s", args_outputs[i],
                              args_outputs[j], a);
        }
    }
    return CLI_OK;
}

/* ---- one output ---- */

const char *output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

int output_is(const char *path, const char *list)
{
    const char *const dot = cli_extension(path), *const ending = !*dot || strcmp(dot, ".txt") == 0
                                                                     ? ".csv"
                                                                     : dot;
    const char *const at = strstr(list, ending);

    return at && !isalpha((unsigned char)at[strlen(ending)]);
}

int output_ending(const char *path, const char *what, const char *list)
{
    return output_is(path, list)
               ? CLI_OK
               : cli_refuse("%s: the name of the %s must end in %s", path, what, list);
}

int output_streamed(const char *path)
{
    struct stat info;
    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

static pen_status write_file(const char *path, const void *bytes, size_t size)
{
    PEN_CALL(NULL, &cli_error, pen_file_write(run, path, bytes, size));
}

int output_bytes(const char *path, const void *bytes, size_t size)
{
    return write_file(path, bytes, size) == PEN_OK ? CLI_OK : cli_fail("%s", cli_error.message);
}
