/* four_cores.c - in the place of core/cores.c: tests that leave the number of threads to the library get four, on any machine. */
#include "core/cores.h"

int pen_cores(void)
{
    return 4;
}
