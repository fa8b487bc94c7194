/* penumbra.h - semi-supervised dimensionality reduction: the whole library. Programs that only fit,
 * save and apply models need just penumbra/model.h. */
#ifndef PENUMBRA_H
#define PENUMBRA_H

#include <penumbra/compare.h>
#include <penumbra/files.h>
#include <penumbra/model.h>
#include <penumbra/statistics.h>

#endif
