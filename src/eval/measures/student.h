/* student.h - Student's t distribution. */
#ifndef PEN_STUDENT_H
#define PEN_STUDENT_H

/* P(|T| >= |t|) for a whole number freedom > 0 of degrees of freedom. Cost: freedom. */
double pen_student_two_sided(double t, double freedom);

#endif
