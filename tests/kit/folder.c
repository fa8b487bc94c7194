#define _POSIX_C_SOURCE 200809L

#include "kit/folder.h"
#include "check.h"

#include <unistd.h>

char folder[128];

int folder_make(void **state)
{
    const char *const above = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%.80s/penumbra-test-XXXXXX", above ? above : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int folder_remove(void **state)
{
    char command[160];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int folder_remove_empty(void **state)
{
    return rmdir(folder);
}

char *in_folder(const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *const path = check_allocate((int64_t)size, 1);

    snprintf(path, size, "%s/%s", folder, name);
    return path;
}
