/* student.h - Student's t. */
#ifndef PEN_STUDENT_H
#define PEN_STUDENT_H

/* The chance of |T| >= |t| for so many degrees of freedom, > 0. */
double pen_student_two_sided(double t, double freedom);

#endif
