/* cores.h - how many threads a call takes when its caller does not say. */
#ifndef PEN_CORES_H
#define PEN_CORES_H

/* The cores this process may use, >= 1: those of its affinity, at most the CPUs its control groups
 * grant, at most PENUMBRA_THREADS and OMP_NUM_THREADS where they are set. */
int pen_cores(void);

#endif
