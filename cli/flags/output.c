/* output.c - the flags that say where results are written. */
#define _XOPEN_SOURCE 700 /* lstat, readlink */

#include "flags/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of all commands. */
static const char *const outputs[] = { "output", "classes", "report" };
enum {
    OUTPUTS = sizeof outputs / sizeof *outputs,
    FOLDER_SIZE = 4096,
    MOST_LINKS = 40,
    PART_SUFFIX = 16 /* of a file that is being written: ".4194304-99.part" */
};

/* A flag as users usually type it. */
static const char *typed(const char *flag, char text[24])
{
    snprintf(text, 24, "--%s", flag);
    return strcmp(flag, "output") == 0 ? "-o" : text;
}

int output_safe(const char *in)
{
    char flag[24];

    for (int i = 0; in && i < OUTPUTS; i++) {
        const char *const out = args_file(outputs[i]);
        if (out && cli_same_file(out, in))
            return cli_refuse("%s %s would overwrite an input file", typed(outputs[i], flag), out);
    }
    return CLI_OK;
}

/* ---- before the work ---- */

/* Returns 0 if it is too long. */
static int folder_of(const char *path, char folder[FOLDER_SIZE])
{
    const char *const slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) : 1;

    if (length + 2 > FOLDER_SIZE)
        return 0;
    snprintf(folder, FOLDER_SIZE, "%.*s/", length, slash ? path : ".");
    return 1;
}

/* The folder of a file that may not exist. Returns 0 on failure. */
static int stat_folder(const char *path, struct stat *out)
{
    char folder[FOLDER_SIZE];
    return folder_of(path, folder) && stat(folder, out) == 0;
}

static const char *last_part(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int same_place(const char *a, const char *b)
{
    struct stat at_a, at_b;

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    const int a_there = stat(a, &at_a) == 0, b_there = stat(b, &at_b) == 0;
    if (a_there || b_there)
        return cli_same_file(a, b);
    return strcmp(last_part(a), last_part(b)) == 0 && stat_folder(a, &at_a) && stat_folder(b, &at_b)
           && at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
}

/* The path that a link names, free() it; NULL: `path` is no link, or there is no memory. */
static char *linked(const char *path)
{
    char to[FOLDER_SIZE];
    const ssize_t length = readlink(path, to, sizeof to);

    if (length < 0 || length == sizeof to)
        return NULL;
    const int kept = to[0] == '/' ? 0 : (int)(last_part(path) - path);
    const size_t size = (size_t)kept + (size_t)length + 1;
    char *const out = malloc(size);
    if (out)
        snprintf(out, size, "%.*s%.*s", kept, path, (int)length, to);
    return out;
}

/* Where the bytes go: the target of a link is written, whether it exists or not. free() it; NULL,
 * with errno: it leads nowhere. */
static char *target_of(const char *path)
{
    char *target = strdup(path), *next;

    for (int i = 0; target && (next = linked(target)); i++) {
        free(target);
        target = next;
        if (i < MOST_LINKS)
            continue;
        free(target);
        errno = ELOOP;
        return NULL;
    }
    return target;
}

/* Why nothing can be written there, as an errno; 0: it can. */
static int obstacle(const char *path)
{
    char folder[FOLDER_SIZE];
    struct stat there;

    if (strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return EISDIR;
    if (output_streamed(path))
        return access(path, W_OK) == 0 ? 0 : errno;
    char *const target = target_of(path);
    if (!target)
        return errno;
    const int known = folder_of(target, folder);
    const long longest = known ? pathconf(folder, _PC_NAME_MAX) : 0;
    int reason = 0;
    if (!known || (longest > 0 && strlen(last_part(target)) + PART_SUFFIX > (size_t)longest))
        reason = ENAMETOOLONG;
    else if (access(folder, W_OK | X_OK) != 0)
        reason = errno;
    free(target);
    return reason;
}

int output_ready(void)
{
    char first[24], second[24];

    for (int i = 0; i < OUTPUTS; i++) {
        const char *const out = args_file(outputs[i]);
        const int reason = out ? obstacle(out) : 0;
        if (reason)
            return cli_fail("%s: cannot be written: %s", out, strerror(reason));
    }
    for (int i = 0; i < OUTPUTS; i++) {
        for (int j = i + 1; j < OUTPUTS; j++) {
            const char *const a = args_file(outputs[i]), *const b = args_file(outputs[j]);
            if (!a || !b || !same_place(a, b))
                continue;
            if (strcmp(a, "-") == 0)
                return cli_refuse("%s and %s cannot both be standard output",
                                  typed(outputs[i], first), typed(outputs[j], second));
            return cli_refuse("%s and %s are the same file, %s", typed(outputs[i], first),
                              typed(outputs[j], second), a);
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
    struct stat there;
    return strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode));
}

int output_new(const char *path)
{
    struct stat there;
    return strcmp(path, "-") != 0 && lstat(path, &there) != 0;
}

/* A new file next to the target, whose place it will take, with the mode that the target has, or
 * would have. */
static FILE *open_draft(const char *target, char draft[FOLDER_SIZE + PART_SUFFIX])
{
    const mode_t mask = umask(0);
    struct stat there;

    umask(mask);
    snprintf(draft, FOLDER_SIZE + PART_SUFFIX, "%s.XXXXXX", target);
    const int fd = mkstemp(draft);
    if (fd < 0)
        return NULL;
    (void)!fchmod(fd, stat(target, &there) == 0 ? there.st_mode & 0777 : 0666 & ~mask);
    return fdopen(fd, "w");
}

int output_bytes(const char *path, const void *bytes, size_t size)
{
    char draft[FOLDER_SIZE + PART_SUFFIX];
    char *const target = output_streamed(path) ? NULL : cli_own(target_of(path), free);
    FILE *const file = target                   ? open_draft(target, draft)
                       : strcmp(path, "-") == 0 ? stdout
                                                : fopen(path, "w");
    int whole = file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0
                && (!target || fsync(fileno(file)) == 0);

    if (whole && target)
        whole = rename(draft, target) == 0;
    const int reason = errno;
    if (file && target && !whole)
        unlink(draft);
    if (file && file != stdout)
        fclose(file);
    return whole ? CLI_OK
                 : cli_fail("%s: cannot be written: %s", output_name(path), strerror(reason));
}
