#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* under valgrind, which is slow, some of it must do */
static inline bool short_of_time(void) { return getenv("PDCFG_TESTS_SHORT") != NULL; }

Suite *suite_number(void);
Suite *suite_argv(void);
Suite *suite_environ(void);
Suite *suite_config(void);
Suite *suite_report(void);
Suite *suite_engine(void);
Suite *suite_rows(void);
Suite *suite_launch(void);
Suite *suite_json(void);
Suite *suite_config_yaml(void);
Suite *suite_model(void);
Suite *suite_oom(void);
#endif
