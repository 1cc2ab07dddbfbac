/* Building JSON; every text is made valid UTF-8 without control characters. */
#ifndef PDCFG_CLI_JSON_H
#define PDCFG_CLI_JSON_H
#include "cli.h"
#include <json-c/json.h>

struct json_object *json_word(const char *text);
void json_add_word(struct json_object *to, const char *name, const char *text);
void json_add_maybe(struct json_object *to, const char *name, const char *text); /* "" becomes null */
void json_add_int(struct json_object *to, const char *name, int64_t n);
void json_add_bool(struct json_object *to, const char *name, bool b);
void json_add_null(struct json_object *to, const char *name);
void json_add_id(struct json_object *to, uint32_t code);                         /* code, id, rule */
struct json_object *json_words(const struct launch_words *words);
struct json_object *json_head(void);                                             /* format_version, tool, sglang_version */
void json_add_verdict(struct json_object *to, const struct server *s);           /* valid, verdict */
struct json_object *json_server(const struct server *s);                         /* name … first_refusal */
struct json_object *json_fixes(const struct server *s, size_t finding);
void json_write(struct out *out, struct json_object *j);                         /* and let it go */

#endif
