/* page.h - self-contained HTML: style, and text with its markup escaped. It is XML, too. */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

/* Text with the markup of HTML escaped; bytes that are not UTF-8 become U+FFFD. */
void page_text(FILE *page, const char *text);

/* Everything up to the first heading, and what closes it. */
void page_begin(FILE *page, const char *title);
void page_end(FILE *page);

/* The bytes of a file, as they are; an error of writing is seen when the page is closed. Returns 0
 * if it cannot be read. */
int page_copy(FILE *page, FILE *from);

/* The same as a link that contains them, of a type as "image/png". */
int page_data(FILE *page, FILE *from, const char *type);

/* A share as a bar from 0 to 1 with its deviation, and a dashed line at chance. */
void page_bar(FILE *page, double share, double deviation, double chance);

/* A name, a value or a path as a shell reads it, in quotes if necessary, escaped for the page. */
void page_shell_word(FILE *page, const char *word);

#endif
