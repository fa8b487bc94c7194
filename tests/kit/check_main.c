/* check_main.c - runs what TEST (check.h) has added. */
#include "check.h"

enum { MOST = 256 };

static struct CMUnitTest added[MOST];
static size_t count;

void check_add(const char *name, CMUnitTestFunction test)
{
    if (count == MOST)
        abort();
    added[count++] = (struct CMUnitTest){ .name = name, .test_func = test };
}

int main(void)
{
    return _cmocka_run_group_tests("tests", added, count, NULL, NULL);
}
