/* version.c - the version. */
#include <penumbra.h>

const char *pen_version(void)
{
    return PEN_VERSION;
}
