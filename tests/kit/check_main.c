/* check_main.c - runs the tests that TEST (check.h) has added. */
#include "check.h"

enum { MOST = 256 };

static struct CMUnitTest added[MOST];
static size_t count;

/* A program may define its own fixtures, which replace these. */
__attribute__((weak)) struct check_fixture check_group, check_each;

void check_add(const char *name, CMUnitTestFunction test)
{
    if (count == MOST)
        abort();
    added[count++] =
        (struct CMUnitTest){ name, test, check_each.set_up, check_each.tear_down, NULL };
}

int main(void)
{
    return _cmocka_run_group_tests("tests", added, count, check_group.set_up,
                                   check_group.tear_down);
}
