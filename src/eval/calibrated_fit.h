/* calibrated_fit.h - fits a method with calibrated probabilities. */
#ifndef PEN_CALIBRATED_FIT_H
#define PEN_CALIBRATED_FIT_H

#include "model/model.h"

/* pen_fit of a method, named or chosen. If `temperature` is auto, uses the temperature that fits
 * the predictions of trials best. */
pen_status pen_calibrated_fit(pen_run *run, const pen_spec *spec, const pen_data *data,
                              const pen_control *control, pen_model **out);

#endif
