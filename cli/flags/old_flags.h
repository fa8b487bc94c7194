/* old_flags.h - names of earlier versions, which are refused with what to type instead. */
#ifndef OLD_FLAGS_H
#define OLD_FLAGS_H

/* What to say of the flag of an earlier version, such as "is now --classes"; NULL: there was none
 * of that name. */
const char *old_flag(const char *name);

/* The same for a sub-command. */
const char *old_command(const char *name);

#endif
