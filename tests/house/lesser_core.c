/* lesser_core.c - preloaded with OpenBLAS, simulates one that does not know this CPU: it reports
 * its oldest kernels unless a setting selects others. */
#include <stdlib.h>

const char *openblas_get_corename(void);

const char *openblas_get_corename(void)
{
    const char *const told = getenv("OPENBLAS_CORETYPE");
    return told ? told : "Prescott";
}
