/* The commands check and exec. */
#include "cli.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int need_command(const struct options *o, const char *name)
{
	if (o->operands.n && !strcmp(name, "check"))
		complain("check reads no files ('%s'): put -- before the command:", o->operands.v[0]);
	else if (o->operands.n)
		complain("what is '%s'? Put -- before the command:", o->operands.v[0]);
	else if (!o->command)
		complain("there is no launch; it stands behind --:");
	else if (!o->command_count)
		complain("there is no command behind --:");
	else
		return 0;
	return show_usage(name);
}

static bool write_report(const struct options *o, struct server *s, int fd)
{
	struct out out = { .width = terminal_width(fd), .color = want_color(o, fd) };

	if (o->format == FORMAT_JSON)
		report_json(&out, o, s);
	else
		report_text(&out, o, s);
	return write_out(&out, fd);
}

int run_check(struct options *o)
{
	struct server s;
	int status = need_command(o, "check");

	if (status)
		return status;
	status = check_server(o, &s);
	if (!status) {
		status = status_of(o, &s);
		if (!write_report(o, &s, 1))
			status = STATUS_UNABLE;
	}
	end_server(&s);
	return status;
}

static int put_in_environment(const char *text)
{
	size_t n = strcspn(text, "=");
	char *name = strndup(text, n);
	int status = name && !setenv(name, text + n + 1, 1) ? 0 : complain("cannot set %s: %s", name ? name : text, strerror(errno));

	free(name);
	return status;
}

/* What the checked environment has that this process has not: --env, --env-file, and assignments in front of the command. */
static int enter_environment(const struct server *s)
{
	int status = 0;

	for (size_t i = 0; i < s->env_count && !status; i++) {
		if (s->env[i].word < 0 && strcmp(s->env[i].how, "environment") != 0)
			status = put_in_environment(s->env[i].text);
	}
	for (size_t i = 0; i < s->launch.setting_count && !status; i++) {
		if (s->launch.settings[i].in_front)
			status = put_in_environment(s->launch.settings[i].text);
	}
	return status;
}

static int become(const struct options *o, const struct server *s)
{
	const char *const *command = o->command + s->launch.run;
	int status = enter_environment(s), error;

	if (status)
		return status;
	if (!*command) {
		complain("there is no program to run");
		return 127;
	}
	execvp(command[0], (char *const *)command);
	error = errno;
	complain("cannot run %s: %s", command[0], strerror(error));
	return error == ENOENT ? 127 : 126;
}

static bool worth_a_report(const struct server *s)
{
	for (size_t i = 0; i < s->shown_count; i++) {
		if (!is_minor(s, s->shown[i]))
			return true;
	}
	return false;
}

/* Says what SGLang would say and the report does not, since the launch is about to run. */
static void say_hidden(const struct server *s)
{
	struct out b = { 0 };

	for (size_t i = 0; i < pdcfg_report_count(s->rep); i++) {
		if (is_shown(s, i) || severity_of(s, i) == NOTE)
			continue;
		put_f(&b, "%s%s PD%u %s", b.n ? ", " : "", pdcfg_severity_name(severity_of(s, i)), (unsigned)pdcfg_finding_code(s->rep, i),
		      pdcfg_finding_rule(s->rep, i));
	}
	if (b.n)
		complain("not shown, and run all the same (--only, --ignore): %s", b.s);
	end_out(&b);
}

int run_exec(struct options *o)
{
	struct options brief = *o;
	struct server s;
	int status = need_command(o, "exec"), checked;

	if (status)
		return status;
	checked = check_server(o, &s);
	status = checked ? checked : status_of(o, &s);
	brief.quiet = o->quiet || !worth_a_report(&s); /* a line in the log is enough */
	brief.in_log = brief.quiet;
	if (!checked && (status || !o->quiet || s.errors) && !write_report(&brief, &s, 2))
		status = STATUS_UNABLE;
	if (!checked && (!status || o->fail_level == FAIL_NEVER))
		say_hidden(&s);
	if (!status || o->fail_level == FAIL_NEVER)
		status = become(o, &s);
	else
		complain("not run: %s", status == STATUS_UNABLE ? "it could not be checked" : s.errors ? "SGLang would refuse it"
			 : "as --fail-level or --require asks");
	end_server(&s);
	return status;
}
