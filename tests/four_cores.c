/* four_cores.c - in the place of core/cores.c: tests that leave the number of threads to the
 * library get four, on any machine. */
#include <penumbra.h>

int pen_default_threads(void)
{
    return 4;
}
