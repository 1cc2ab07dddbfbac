#include <pdcfg/pdcfg.h>
#include <pdcfg/pdcfg.hpp>
#include <pdcfg/files.h>
int header_is_cxx11();
int header_is_cxx11() { return PDCFG_ACCEPTED; }
