/* penumbra.h - semi-supervised dimensionality reduction: all of the library. A program that learns,
 * keeps and applies models needs penumbra/model.h alone. */
#ifndef PENUMBRA_H
#define PENUMBRA_H

#include <penumbra/compare.h>
#include <penumbra/files.h>
#include <penumbra/model.h>
#include <penumbra/statistics.h>

#endif
