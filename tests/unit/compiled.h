#ifndef TESTS_COMPILED_H
#define TESTS_COMPILED_H
#include "../../lib/core/private.h"
bool compiled_has(unsigned row);
tri compiled_when(unsigned row, const struct facts *k);
#endif
