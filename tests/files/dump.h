#ifndef DUMP_H
#define DUMP_H
#include "files.h"

struct json_object *dump_model(struct fl_model *m, const struct fl_traits *t); /* with the names of expect.jsonl */
struct json_object *dump_traits(const struct fl_traits *t);                    /* all rows of model.def, as the handle gets them */
#endif
