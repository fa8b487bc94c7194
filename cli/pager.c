/* pager.c - long texts by pages, on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *pager;
static int terminal; /* what standard output was before */

void cli_page(void)
{
    const char *const wanted = getenv("PAGER");

    if (pager || !isatty(STDOUT_FILENO) || (terminal = dup(STDOUT_FILENO)) < 0)
        return;
    signal(SIGPIPE, SIG_IGN); /* the reader may have seen enough */
    fflush(stdout);
    pager = popen(wanted && *wanted ? wanted : "less -FRX 2>/dev/null || cat", "w");
    if (pager)
        dup2(fileno(pager), STDOUT_FILENO);
}

void cli_page_end(void)
{
    if (!pager)
        return;
    fflush(stdout);
    clearerr(stdout);
    dup2(terminal, STDOUT_FILENO);
    pclose(pager);
    pager = NULL;
}
