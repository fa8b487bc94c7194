/* replay.c - runs a fuzz target on every file of the folders named on the command line, without a
 * fuzzer. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include <dirent.h>

/* Returns 1 if the file was replayed. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct memory m = { NULL, 0, 0 };
    char part[4096];
    size_t got;

    if (!file)
        return 0;
    while ((got = fread(part, 1, sizeof part, file)) > 0)
        put_memory(&m, part, got);
    fclose(file);
    /* exactly as large as the file, so that a memory checker sees a step past the end */
    uint8_t *exact = malloc(m.size > 0 ? m.size : 1);
    PROMISE(exact);
    if (m.size > 0)
        memcpy(exact, m.data, m.size);
    free(m.data);
    LLVMFuzzerTestOneInput(exact, m.size);
    free(exact);
    return 1;
}

static int replay_folder(const char *folder)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    int count = 0;

    while (list && (entry = readdir(list))) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count += replay(path);
    }
    if (list)
        closedir(list);
    return count;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;

    for (int i = 1; i < argc; i++) {
        const int count = replay_folder(argv[i]);
        printf("%s: %d inputs\n", argv[i], count);
        failed |= count == 0;
    }
    return failed;
}
