/* members.h - what the members of a selection say together. */
#ifndef PEN_MEMBERS_H
#define PEN_MEMBERS_H

#include "core/rows.h"
#include "eval/choose/selection.h"

/* members [*count], in scratch memory: candidates, the best one first. */
pen_status pen_members_list(pen_run *run, const pen_selection *s, int64_t **members,
                            int64_t *count);

/* The row steps that half of the members or more take, as the best of these does; else none. */
pen_row_params pen_members_steps(const pen_selection *s);

/* Fits the members to the data: p [rows x classes] are 1 and 0 of a row of class_of [rows] >= 0,
 * and of others, -1, the tempered mean of what the members say of rows of their fit. A class
 * without labels has p = 0. models [members], NULL at first, receives the models; NULL: they are
 * not wanted, and not fitted where each row has a class. Errors of pen_fit. */
pen_status pen_members_tell(pen_run *run, const pen_selection *s, const pen_data *data,
                            const int32_t *class_of, const pen_control *control, pen_model **models,
                            double *p);

#endif
