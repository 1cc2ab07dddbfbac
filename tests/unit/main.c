/* All unit tests in one program; the last line is Check's own summary. Every test runs in one process, so that a sanitizer sees all of it,
 * unless CK_FORK says otherwise. */
#include <stdlib.h>
#include "suites.h"

int main(int argc, char **argv)
{
	SRunner *sr = srunner_create(suite_number());
	srunner_add_suite(sr, suite_argv());
	srunner_add_suite(sr, suite_environ());
	srunner_add_suite(sr, suite_config());
	srunner_add_suite(sr, suite_report());
	srunner_add_suite(sr, suite_engine());
	srunner_add_suite(sr, suite_rows());
	srunner_add_suite(sr, suite_launch());
	srunner_add_suite(sr, suite_json());
	srunner_add_suite(sr, suite_config_yaml());
	srunner_add_suite(sr, suite_model());
	srunner_add_suite(sr, suite_oom());
	if (!getenv("CK_FORK")) srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run(sr, argc > 1 ? argv[1] : NULL, NULL, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
