#include <pdcfg/pdcfg.h>
#include <pdcfg/files.h>
int header_is_c99(void);
int header_is_c99(void) { return PDCFG_ACCEPTED; }
