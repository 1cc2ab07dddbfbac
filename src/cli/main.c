/* pdcfg: the command. It reads the command line and the files, asks the library, and prints what it says. */
#include "cli.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
	{ "check", "check [OPTION]... -- COMMAND [ARGUMENT]...", "say what SGLang would refuse or change in this launch",
	  "Reads the command that stands behind --, with the environment of this process and the variables that the command sets, and says "
	  "what SGLang would refuse or silently change. Nothing is run. The traits of the model are read when --model-path names a directory.",
	  OPT_COMMON | OPT_CHECK | OPT_VERDICT, run_check },
	{ "exec", "exec [OPTION]... -- COMMAND [ARGUMENT]...", "check a launch, and run it unless SGLang would refuse",
	  "Checks like 'pdcfg check' and then becomes the command. A launch that would be refused is not run (status 1), nor one that could not "
	  "be checked (status 2), unless --fail-level is never. The report goes to standard error. --env and --env-file also reach the command. "
	  "When the command itself cannot be run, the status is 126 or 127 as from a shell.",
	  OPT_COMMON | OPT_CHECK | OPT_VERDICT, run_exec },
	{ "resolve", "resolve [OPTION]... -- COMMAND [ARGUMENT]...", "list what SGLang would really run with",
	  "Lists the settings that SGLang would run with and which are not what was given, or not the default: each with its value, and the rule "
	  "that sets it. What SGLang overrides comes first.",
	  OPT_COMMON | OPT_CHECK | OPT_RESOLVE, run_resolve },
	{ "explain", "explain [OPTION]... CODE", "explain a rule, by its code or name",
	  "Says what a rule is about: when it applies, why, a launch that it refuses, one that it accepts, and what to do. CODE is PD2417, 2417 or "
	  "the rule's name.",
	  OPT_COMMON | OPT_LISTING, run_explain },
	{ "rules", "rules [OPTION]...", "list all rules", "Lists every rule in the order in which SGLang comes to it.",
	  OPT_COMMON | OPT_LISTING, run_rules },
	{ "help", "help [COMMAND|traits]", "explain a command", "Explains a command and its options, or lists the facts that --trait takes.", OPT_COMMON, run_help },
	{ "version", "version", "print the versions", "Prints the versions.", OPT_COMMON, run_version },
	{ 0 }
};

const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c->name; c++) {
		if (!strcmp(c->name, name))
			return c;
	}
	return NULL;
}

static int no_command(const char *name)
{
	struct nearest near = { .word = name };

	for (const struct command *c = commands; c->name; c++)
		nearest_try(&near, c->name);
	if (!strcmp(name, "record") || !strcmp(name, "fix"))
		return complain("'%s' is not built yet", name);
	if (near.best)
		return complain("there is no command '%s'; did you mean '%s'?", name, near.best);
	return complain("there is no command '%s'; 'pdcfg help' lists them", name);
}

static void put_general_help(struct out *out)
{
	put(out, "usage: pdcfg COMMAND [OPTION]... [-- LAUNCH]\n\n");
	put_wrapped(out, "Says what SGLang would say about a prefill/decode configuration, before it is launched.", 0, 0);
	put(out, "\ncommands:\n");
	for (const struct command *c = commands; c->name; c++) {
		put_f(out, "  %-9s ", c->name);
		put_wrapped(out, c->summary, 12, 12);
	}
	put(out, "\nexit status:\n"
		 "  0  checked, and nothing at or above the fail level; an undetermined launch\n"
		 "     too: --require makes missing facts an error\n"
		 "  1  checked, and something\n"
		 "  2  could not check: usage, unreadable input, out of memory\n\n"
		 "example:\n"
		 "  pdcfg check --platform h100 -- python3 -m sglang.launch_server \\\n"
		 "      --model-path M --disaggregation-mode prefill\n\n"
		 "'pdcfg help COMMAND' has the options, 'pdcfg help traits' the facts that\n"
		 "--trait takes; the manual page is pdcfg(1).\n");
}

static void put_help(struct out *out, const struct command *c)
{
	struct out names = { 0 };

	put_f(out, "usage: pdcfg %s\n\n", c->usage);
	put_wrapped(out, c->about, 0, 0);
	put(out, "\noptions:\n");
	print_options(out, c);
	if (!(c->options & OPT_CHECK))
		return;
	put(out, "\nplatforms:\n  ");
	for (const char *p = pdcfg_platform_next(""); *p; p = pdcfg_platform_next(p))
		put_f(&names, "%s%s", names.n ? " " : "", p);
	put_wrapped(out, names.s ? names.s : "", 2, 2);
	put(out, "\ntraits:\n  'pdcfg help traits' lists them; a list has commas, as in\n  --trait platform.ib_devices=mlx5_0,mlx5_1\n");
	out->failed |= names.failed;
	end_out(&names);
}

static int print_help(const struct command *c)
{
	struct out out = { .width = terminal_width(1) };

	if (c)
		put_help(&out, c);
	else
		put_general_help(&out);
	return write_out(&out, 1) ? STATUS_CLEAN : STATUS_UNABLE;
}

static int print_traits(void)
{
	struct out out = { .width = terminal_width(1) };

	put_facts(&out);
	return write_out(&out, 1) ? STATUS_CLEAN : STATUS_UNABLE;
}

int run_help(struct options *o)
{
	const struct command *c;

	if (!o->operands.n)
		return print_help(NULL);
	if (!strcmp(o->operands.v[0], "traits"))
		return print_traits();
	c = find_command(o->operands.v[0]);
	return c ? print_help(c) : no_command(o->operands.v[0]);
}

int run_version(struct options *o)
{
	struct out out = { .width = 80 };
	uint32_t v = pdcfg_version();

	(void)o;
	put_f(&out, "pdcfg %d.%d.%d, libpdcfg %s, %u rules of SGLang %s\n", PDCFG_VERSION_MAJOR, PDCFG_VERSION_MINOR, PDCFG_VERSION_PATCH,
	      pdcfg_version_text(), (unsigned)rule_count(), pdcfg_sglang_version());
	if (v >> 16 != PDCFG_VERSION_MAJOR)
		put(&out, "the library is of another major version than the command\n");
	return write_out(&out, 1) ? STATUS_CLEAN : STATUS_UNABLE;
}

static int run(const struct command *c, int argc, const char *const *argv)
{
	struct options o = { 0 };
	int status = read_options(c, argc, argv, &o);

	if (!status) {
		if (o.help)
			status = print_help(c);
		else if (o.version)
			status = run_version(&o);
		else
			status = c->run(&o);
	}
	end_options(&o);
	return status;
}

static int run_command(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct command *c;

	if (!name)
		return complain("no command is given; 'pdcfg help' lists them");
	if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		name = "help";
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		name = "version";
	if (!strcmp(name, "--explain"))
		name = "explain";
	if (*name == '-')
		return complain("there is no option %s before the command; 'pdcfg help' lists the commands", name);
	c = find_command(name);
	return c ? run(c, argc - 2, (const char *const *)argv + 2) : no_command(name);
}

/* The options may be what is wrong: so they are not asked. */
static bool wants_json(int argc, char **argv)
{
	bool json = false;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strncmp(argv[i], "--format=", 9))
			json = !strcmp(argv[i] + 9, "json");
		else if (!strcmp(argv[i], "--format") && i + 1 < argc)
			json = !strcmp(argv[i + 1], "json");
	}
	return json;
}

/* What reads JSON gets some whatever happens; the standard output of exec is its command's. */
int main(int argc, char **argv)
{
	struct out out = { 0 };
	int status = run_command(argc, argv);

	if (status == STATUS_UNABLE && wants_json(argc, argv) && strcmp(argv[1], "exec") != 0 && !has_written(1)) {
		failure_json(&out, first_complaint());
		write_out(&out, 1);
	}
	return status;
}
