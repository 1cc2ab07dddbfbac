/* Recognition of launches: commands, what is found in them, and what is not. */
#include <check.h>
#include <pdcfg/pdcfg.h>
#include <stdlib.h>
#include <string.h>
#include "launch.h"
#include "suites.h"

/* A command is written with | between its words, and so is what is expected. */
struct expected {
	const char *command;
	enum launch_kind kind;
	const char *entry, *args, *settings, *wrappers;
};

#define SGLANG "sglang.launch_server"
static const struct expected cases[] = {
	{ "python|-m|sglang.launch_server|--tp|8", LAUNCH_SERVER, SGLANG, "--tp|8", "", "" },
	{ "python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "" },
	{ "python3.12|-u|-m|sglang.launch_server|--tp|8", LAUNCH_SERVER, SGLANG, "--tp|8", "", "" },
	{ "/usr/bin/python3|-um|sglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "", "" },
	{ "python3|-msglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "", "" },
	{ "python3|-X|dev|-W|ignore|-Wdefault|-m|sglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "", "" },
	{ "python3|/sgl/python/sglang/launch_server.py|--tp|8", LAUNCH_SERVER, SGLANG, "--tp|8", "", "" },
	{ "./launch_server.py|--tp|8", LAUNCH_SERVER, SGLANG, "--tp|8", "", "" },
	{ "python3|-m|sglang.launch_server|--encoder-only", LAUNCH_ENCODER, SGLANG, "--encoder-only", "", "" },
	{ "sglang|serve|m|--encoder-o", LAUNCH_ENCODER, "sglang serve", "--model-path|m|--encoder-o", "", "" },
	{ "python3|-m|sglang.launch_server|--encoder-urls|u", LAUNCH_SERVER, SGLANG, "--encoder-urls|u", "", "" },
	/* sglang serve */
	{ "sglang|serve|/m|--tp|8", LAUNCH_SERVER, "sglang serve", "--model-path|/m|--tp|8", "", "" },
	{ "sglang|serve|--model-path|/m|--tp|8", LAUNCH_SERVER, "sglang serve", "--model-path|/m|--tp|8", "", "" },
	{ "sglang|serve|--model-type|llm|/m|--tp|8", LAUNCH_SERVER, "sglang serve", "--model-path|/m|--tp|8", "", "" },
	{ "sglang|serve|/m|--model-type=llm|--tp|8", LAUNCH_SERVER, "sglang serve", "--model-path|/m|--tp|8", "", "" },
	{ "/opt/venv/bin/sglang|serve|/m", LAUNCH_SERVER, "sglang serve", "--model-path|/m", "", "" },
	{ "python3|/opt/venv/bin/sglang|serve|/m", LAUNCH_SERVER, "sglang serve", "--model-path|/m", "", "" },
	{ "sglang|serve|--help", LAUNCH_SERVER, "sglang serve", "--help", "", "" },
	{ "sglang|serve|m|--model-type|diffusion", LAUNCH_NOTHING, "sglang serve", "", "", "" },
	{ "sglang|generate|m", LAUNCH_NOTHING, "", "", "", "" },
	{ "sglang", LAUNCH_NOTHING, "", "", "", "" },
	/* other programs around SGLang */
	{ "python3|-m|dynamo.sglang|--tp|8|--dyn-x|1", LAUNCH_SERVER, "dynamo.sglang", "--tp|8|--dyn-x|1", "", "" },
	{ "python3|-m|sglang_router.launch_router|--mini-lb", LAUNCH_ROUTER, "sglang_router.launch_router", "--mini-lb", "", "" },
	{ "python3|-m|sglang_router.launch_server|--dp|2", LAUNCH_ROUTER, "sglang_router.launch_server", "--dp|2", "", "" },
	{ "python3|-m|sglang_router|launch|--x", LAUNCH_ROUTER, "sglang_router", "--x", "", "" },
	{ "python3|-m|sglang.srt.disaggregation.launch_lb|--x", LAUNCH_ROUTER, "sglang.srt.disaggregation.launch_lb", "--x", "", "" },
	{ "python3|-m|sglang.srt.disaggregation.mini_lb|--x", LAUNCH_ROUTER, "sglang.srt.disaggregation.mini_lb", "--x", "", "" },
	{ "sgl-model-gateway|--x", LAUNCH_ROUTER, "sgl-model-gateway", "--x", "", "" },
	{ "smg|launch|--x", LAUNCH_ROUTER, "sgl-model-gateway", "--x", "", "" },
	{ "python3|sglang_router/launch_server.py|--x", LAUNCH_ROUTER, "sglang_router.launch_server", "--x", "", "" },
	/* what stands in front */
	{ "A=1|B_2=x y|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "+A=1|+B_2=x y", "" },
	{ "A=1|exec|-a|name|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "+A=1", "" },
	{ "env|A=1|python3|-m|sglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "A=1", "env" },
	{ "env|-u|A|--unset=B|--unset|C|-i|D=|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "!A|!B|!C|*|D=", "env" },
	{ "env|-|A=1|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "*|A=1", "env" },
	{ "env|-uA|-C|/tmp|--|A=1|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "!A|A=1", "env" },
	{ "env|-S|A=1 'B=x y' python3 -m\\_sglang.launch_server|--tp|2", LAUNCH_NOTHING, "", "", "A=1|B=x y", "env" },
	{ "env|-S|-i A=1 \"B=x y\" python3 -m sglang.launch_server --dp 1|--tp|2", LAUNCH_SERVER, SGLANG, "--dp|1|--tp|2", "*|A=1|B=x y", "env" },
	{ "env|-SA=1 python3 -m sglang.launch_server # no|x", LAUNCH_SERVER, SGLANG, "x", "A=1", "env" },
	{ "nohup|setsid|-w|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "nohup|setsid" },
	{ "numactl|--cpunodebind=0|--membind|0|-C|0-3|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "numactl" },
	{ "taskset|-c|0-31|sglang|serve|m", LAUNCH_SERVER, "sglang serve", "--model-path|m", "", "taskset" },
	{ "taskset|0xff|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "taskset" },
	{ "timeout|-k|5|--signal=TERM|1h|nice|-n|5|nice|-10|stdbuf|-oL|-e|L|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "",
	  "timeout|nice|nice|stdbuf" },
	{ "time|-p|-f|%e|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "time" },
	{ "sudo|-E|-u|root|A=1|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "A=1", "sudo" },
	{ "srun|-N|2|--ntasks-per-node=1|--overlap|--container-image|i:1|--export=ALL,A=1,B=2|python3|-m|sglang.launch_server|x", LAUNCH_SERVER, SGLANG,
	  "x", "A=1|B=2", "srun" },
	{ "srun|--export|NONE|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "*", "srun" },
	{ "mpirun|-np|2|--mca|btl|tcp|-x|A=1|-x|B|-genv|C|3|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "A=1|C=3", "mpirun" },
	{ "torchrun|--nproc_per_node=8|--nnodes|2|-m|sglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "", "torchrun" },
	{ "torchrun|/x/launch_server.py|x", LAUNCH_SERVER, SGLANG, "x", "", "torchrun" },
	{ "python3|-m|torch.distributed.run|--nnodes|2|-m|sglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "", "torch.distributed.run" },
	{ "nsys|profile|-o|f|-t|cuda,nvtx|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "nsys" },
	{ "py-spy|record|-o|f|--|python3|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "py-spy" },
	{ "uv|run|--with|x|sglang|serve|m", LAUNCH_SERVER, "sglang serve", "--model-path|m", "", "uv" },
	{ "conda|run|-n|env1|python|-m|sglang.launch_server", LAUNCH_SERVER, SGLANG, "", "", "conda" },
	{ "/opt/entry.sh|--flag|python3|-m|sglang.launch_server|x", LAUNCH_SERVER, SGLANG, "x", "", "/opt/entry.sh" },
	{ "/opt/entry.sh|sglang|serve|m", LAUNCH_SERVER, "sglang serve", "--model-path|m", "", "/opt/entry.sh" },
	/* what is not followed */
	{ "ssh|host|python3|-m|sglang.launch_server", LAUNCH_NOTHING, "", "", "", "" },
	{ "docker|run|image|python3|-m|sglang.launch_server", LAUNCH_NOTHING, "", "", "", "" },
	{ "bash|-c|python3 -m sglang.launch_server", LAUNCH_NOTHING, "", "", "", "" },
	{ "echo|python3|-m|sglang.launch_server", LAUNCH_NOTHING, "", "", "", "" },
	{ "python3|-c|import sglang", LAUNCH_NOTHING, "", "", "", "" },
	{ "python3|-m|http.server", LAUNCH_NOTHING, "", "", "", "" },
	{ "python3|-m", LAUNCH_NOTHING, "", "", "", "" },
	{ "python3|-X", LAUNCH_NOTHING, "", "", "", "" },
	{ "python3|app.py|--x", LAUNCH_NOTHING, "", "", "", "" },
	{ "python3", LAUNCH_NOTHING, "", "", "", "" },
	{ "ls", LAUNCH_NOTHING, "", "", "", "" },
	{ "A=1", LAUNCH_NOTHING, "", "", "+A=1", "" },
	{ "env", LAUNCH_NOTHING, "", "", "", "env" },
	{ "env|-u", LAUNCH_NOTHING, "", "", "", "env" },
	{ "env|-S", LAUNCH_NOTHING, "", "", "", "env" },
	{ "timeout", LAUNCH_NOTHING, "", "", "", "timeout" },
	{ "torchrun|-m", LAUNCH_NOTHING, "", "", "", "torchrun" },
	{ "mpirun|-genv|A", LAUNCH_NOTHING, "", "", "", "mpirun" },
};

static size_t split(char *text, const char **v)
{
	size_t n = 0;

	for (char *p = text; p; n++) {
		v[n] = p;
		p = strchr(p, '|');
		if (p)
			*p++ = 0;
	}
	return n;
}

static void read_words(const char *command, struct pdcfg_launch *l, char buffer[1024])
{
	const char *v[64];

	strcpy(buffer, command);
	ck_assert_int_eq(pdcfg_launch_read((int32_t)split(buffer, v), v, l), PDCFG_OK);
}

static void join(char *to, const char *prefix, const char *word)
{
	if (*to)
		strcat(to, "|");
	strcat(to, prefix);
	strcat(to, word);
}

START_TEST(recognises)
{
	const struct expected *e = &cases[_i];
	struct pdcfg_launch l;
	char buffer[1024], args[1024] = "", settings[1024] = "", over[1024] = "";

	read_words(e->command, &l, buffer);
	for (size_t i = 0; i < l.args.n; i++)
		join(args, "", l.args.v[i]);
	for (size_t i = 0; i < l.wrappers.n; i++)
		join(over, "", l.wrappers.v[i]);
	for (size_t i = 0; i < l.setting_count; i++) {
		const struct launch_setting *s = &l.settings[i];

		join(settings, s->change == LAUNCH_CLEAR ? "*" : s->change == LAUNCH_UNSET ? "!" : s->in_front ? "+" : "", s->text);
	}
	ck_assert_msg(l.kind == e->kind, "%s: kind %d (%s)", e->command, (int)l.kind, l.why ? l.why : "");
	ck_assert_int_eq(l.why != NULL, e->kind == LAUNCH_NOTHING);
	ck_assert_str_eq(settings, e->settings);
	ck_assert_str_eq(over, e->wrappers);
	if (e->kind != LAUNCH_NOTHING) {
		ck_assert_str_eq(l.entry, e->entry);
		ck_assert_str_eq(args, e->args);
		ck_assert_int_ge(l.program, 0);
		ck_assert_ptr_null(l.args.v[l.args.n]);
	}
	pdcfg_launch_end(&l);
}
END_TEST

START_TEST(keeps_places)
{
	struct pdcfg_launch l;
	char buffer[1024];

	read_words("A=1|exec|env|B=2|sglang|serve|--model-type|llm|m|--tp|8", &l, buffer);
	ck_assert_int_eq(l.run, 2);
	ck_assert_int_eq(l.program, 4);
	ck_assert_int_eq(l.first, 6);
	ck_assert_uint_eq(l.args.n, 4);
	ck_assert_str_eq(l.args.v[0], "--model-path");
	ck_assert_int_eq(l.args.from[0], 8);
	ck_assert_int_eq(l.args.from[1], 8);
	ck_assert_int_eq(l.args.from[2], 9);
	ck_assert_int_eq(l.args.from[3], 10);
	ck_assert_int_eq(l.settings[0].from, 0);
	ck_assert_int_eq(l.settings[1].from, 3);
	pdcfg_launch_end(&l);
}
END_TEST

START_TEST(serve_refuses)
{
	static const struct {
		const char *command, *rule;
	} all[] = {
		{ "sglang|serve|--model-type", "cli-serve-model-type-needs-value" },
		{ "sglang|serve|m|--model-type", "cli-serve-model-type-needs-value" },
		{ "sglang|serve|m|--model-type=", "cli-serve-model-type-empty" },
		{ "sglang|serve|m|--model-type|", "cli-serve-model-type-empty" },
		{ "sglang|serve", "cli-serve-model-path-must-be-on-command-line" },
		{ "sglang|serve|--config|f.yaml", "cli-serve-model-path-must-be-on-command-line" },
		{ "sglang|serve|--model-p|m", "cli-serve-model-path-must-be-on-command-line" },
		{ "sglang|serve|--tp|8|--model-path", "cli-serve-model-path-must-be-on-command-line" },
		{ "sglang|serve|--model=m", NULL },
		{ "sglang|serve|--tp|8|--model|m", NULL },
		{ "sglang|serve|m|--model-type=auto", NULL },
		{ "sglang|serve|-h", NULL },
		{ "python3|-m|sglang.launch_server|--model-type", NULL },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct pdcfg_launch l;
		char buffer[1024];

		read_words(all[i].command, &l, buffer);
		ck_assert_msg(all[i].rule ? l.refusal.rule && !strcmp(l.refusal.rule, all[i].rule) : !l.refusal.rule, "%s: %s", all[i].command,
			      l.refusal.rule ? l.refusal.rule : "no refusal");
		pdcfg_launch_end(&l);
	}
}
END_TEST

START_TEST(notes_what_it_passes_over)
{
	struct pdcfg_launch l;
	char buffer[1024];

	read_words("sudo|/opt/entry.sh|python3|-m|sglang.launch_server", &l, buffer);
	ck_assert_uint_eq(l.notes.n, 2);
	ck_assert_ptr_nonnull(strstr(l.notes.v[0], "sudo"));
	ck_assert_ptr_nonnull(strstr(l.notes.v[1], "/opt/entry.sh"));
	pdcfg_launch_end(&l);
	read_words("python3|-m|dynamo.sglang|--x", &l, buffer);
	ck_assert(l.mixed);
	pdcfg_launch_end(&l);
}
END_TEST

START_TEST(refuses_bad_vectors)
{
	struct pdcfg_launch l;
	const char *const hole[] = { "python3", NULL, "x" };

	ck_assert_int_eq(pdcfg_launch_read(-1, hole, &l), PDCFG_E_INVALID);
	pdcfg_launch_end(&l);
	ck_assert_int_eq(pdcfg_launch_read(1, NULL, &l), PDCFG_E_INVALID);
	pdcfg_launch_end(&l);
	ck_assert_int_eq(pdcfg_launch_read(3, hole, &l), PDCFG_E_INVALID);
	pdcfg_launch_end(&l);
	ck_assert_int_eq(pdcfg_launch_read(PDCFG_ARGS_MAX + 1, hole, &l), PDCFG_E_LIMIT);
	pdcfg_launch_end(&l);
	ck_assert_int_eq(pdcfg_launch_read(0, NULL, &l), PDCFG_OK);
	ck_assert_int_eq(l.kind, LAUNCH_NOTHING);
	pdcfg_launch_end(&l);
}
END_TEST

/* Each pair makes the reader start anew: neither the stack nor the time it takes may grow with the square of them. */
START_TEST(any_number_of_programs_may_stand_in_front)
{
	static const char *const pairs[][2] = { { "python3", "x" }, { "env", "-S" }, { "wrapper", "python3" } };
	enum { PAIRS = PDCFG_ARGS_MAX / 2 - 2 };
	static const char *argv[2 * PAIRS + 3];
	for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
		struct pdcfg_launch l;
		int32_t n = 2 * (short_of_time() ? 100 : PAIRS);
		for (int32_t i = 0; i < n; i++) argv[i] = pairs[p][i % 2];
		argv[n] = "python3";
		argv[n + 1] = "-m";
		argv[n + 2] = "sglang.launch_server";
		ck_assert_int_eq(pdcfg_launch_read(n + 3, argv, &l), PDCFG_OK);
		ck_assert_int_eq(l.kind, LAUNCH_SERVER);
		ck_assert_int_eq(l.program, n);
		pdcfg_launch_end(&l);
	}
}
END_TEST

START_TEST(assignment_names)
{
	ck_assert_uint_eq(pdcfg_launch_assignment("A=1"), 1);
	ck_assert_uint_eq(pdcfg_launch_assignment("_a9="), 3);
	ck_assert_uint_eq(pdcfg_launch_assignment("9a=1"), 0);
	ck_assert_uint_eq(pdcfg_launch_assignment("--a=1"), 0);
	ck_assert_uint_eq(pdcfg_launch_assignment("=1"), 0);
	ck_assert_uint_eq(pdcfg_launch_assignment("a.b=1"), 0);
	ck_assert_uint_eq(pdcfg_launch_assignment("a"), 0);
}
END_TEST

Suite *suite_launch(void)
{
	Suite *suite = suite_create("launch");
	TCase *t = tcase_create("launch");

	tcase_add_loop_test(t, recognises, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(t, keeps_places);
	tcase_add_test(t, serve_refuses);
	tcase_add_test(t, notes_what_it_passes_over);
	tcase_add_test(t, refuses_bad_vectors);
	tcase_add_test(t, any_number_of_programs_may_stand_in_front);
	tcase_add_test(t, assignment_names);
	suite_add_tcase(suite, t);
	return suite;
}
