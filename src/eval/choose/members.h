/* members.h - the combined predictions of a selection's members. */
#ifndef PEN_MEMBERS_H
#define PEN_MEMBERS_H

#include "eval/choose/selection.h"

/* members [*count], in scratch memory: numbers of candidates, the best first. */
pen_status pen_members_list(pen_run *run, const pen_selection *s, int64_t **members,
                            int64_t *count);

/* The row steps of the best member with steps, if at least half of the members have steps;
 * otherwise none. */
pen_row_params pen_members_steps(const pen_selection *s);

/* Fits the members to the data. p [rows x classes] is 1 or 0 in a row with class_of [rows] >= 0; in
 * a row with -1 it is the tempered mean of the members' probabilities. A class without labels has p
 * = 0. models [members], initially NULL, receives the models. With models NULL, members are not
 * fitted if all rows have classes. Errors of pen_fit. */
pen_status pen_members_tell(pen_run *run, const pen_selection *s, const pen_data *data,
                            const int32_t *class_of, const pen_control *control, pen_model **models,
                            double *p);

#endif
