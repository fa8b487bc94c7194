/* lesser_core.c - loaded before an OpenBLAS, makes it look like one that does not know this CPU: it
 * says that it took its oldest kernels, unless it was told which to take. */
#include <stdlib.h>

const char *openblas_get_corename(void);

const char *openblas_get_corename(void)
{
    const char *const told = getenv("OPENBLAS_CORETYPE");
    return told ? told : "Prescott";
}
