/*
 * Prints what the reader makes of each config.json given, one JSON object a line, with SGLang's names.
 *
 *	traits [--draft] [--more] FILE…
 *
 * --draft: as the draft model of speculative decoding; --more: all rows of model.def as well, under "x".
 */
#include "files.h"

#include <stdio.h>
#include <string.h>

static int print_file(const char *path, bool draft, bool more)
{
	struct fl_model m = { .root = NULL };
	struct json_object *out = json_object_new_object(), *expect;
	struct fl_traits t;
	char why[512] = "";
	int32_t r;

	fl_settings_init(&m.settings);
	m.settings.draft = draft;
	m.settings.path = path;
	json_object_object_add(out, "file", json_object_new_string(path));
	r = fl_model_read(&m, path, &t, why, sizeof why);
	if (r < 0) {
		json_object_object_add(out, "status", json_object_new_int(r));
		json_object_object_add(out, "why", json_object_new_string(why));
	} else {
		expect = fl_model_json(&m, &t);
		if (more)
			json_object_object_add(expect, "x", fl_traits_json(&t, NULL));
		json_object_object_add(out, "expect", expect);
	}
	puts(json_object_to_json_string_ext(out, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(out);
	fl_model_end(&m);
	return r < 0;
}

int main(int argc, char **argv)
{
	bool draft = false, more = false;
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--draft") == 0)
			draft = true;
		else if (strcmp(argv[i], "--more") == 0)
			more = true;
		else
			bad |= print_file(argv[i], draft, more);
	}
	return bad;
}
