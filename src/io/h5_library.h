/* h5_library.h - libhdf5 itself, for h5_file.c and h5_set.c alone. */
#ifndef PEN_H5_LIBRARY_H
#define PEN_H5_LIBRARY_H

#ifdef PENUMBRA_HDF5

#define H5_USE_110_API /* newer versions have other forms of some functions */
#include <hdf5.h>

#endif

#endif
