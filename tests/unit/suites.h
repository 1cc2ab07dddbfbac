#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H
#include <check.h>
#include <stdbool.h>
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
#endif
