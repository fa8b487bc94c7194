/* four_cores.c - replaces core/cores.c, so that tests of the default number of threads get four on
 * any machine. */
#include "core/run.h"

int pen_default_threads(void)
{
    return 4;
}
