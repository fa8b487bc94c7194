/* calibrated_fit.h - the fit of a method. */
#ifndef PEN_CALIBRATED_FIT_H
#define PEN_CALIBRATED_FIT_H

#include "model/model.h"

/* pen_fit of a method that is named, or chosen: whose parameter `temperature` is auto, with that
 * which suits the answers of trials best. */
pen_status pen_calibrated_fit(pen_run *run, const pen_spec *spec, const pen_data *data,
                              const pen_control *control, pen_model **out);

#endif
