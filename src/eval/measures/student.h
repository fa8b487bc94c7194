/* student.h - Student's t distribution. */
#ifndef PEN_STUDENT_H
#define PEN_STUDENT_H

/* P(|T| >= |t|) for an integer number of degrees of freedom > 0. Cost: freedom. */
double pen_student_two_sided(double t, double freedom);

#endif
