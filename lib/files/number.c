/* Numbers as Python reads and prints them: the core's own source under other names, since the core does not export it. */
#define pdcfg_read_int fl_read_int
#define pdcfg_read_float fl_read_float
#define pdcfg_read_human_int fl_read_human_int
#define pdcfg_is_negative_number fl_is_negative_number
#define pdcfg_print_float fl_print_float
#define real_cell fl_real_cell
#define cell_real fl_cell_real
#include "../core/number.c"
