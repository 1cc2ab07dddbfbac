/* Internal to libpdcfg-files: the core's numbers under the names of number.c. */
#ifndef PDCFG_YAML_NUMBER_H
#define PDCFG_YAML_NUMBER_H
#include <stdbool.h>
#include <stddef.h>
bool fl_read_float(const char *s, size_t n, double *out); /* Python's float(); false where it raises */
size_t fl_print_float(double d, char out[40]);            /* repr(d); returns the length */
#endif
