/* Prints docs/rules.md or the manual page pdcfg-rules(7) from what the library itself says of its rules. Usage: docs rules.md|man */
#include <pdcfg/pdcfg.h>
#include <stdio.h>
#include <string.h>

static const char *text(uint32_t code, uint32_t which) { return pdcfg_rule_text(code, which); }
static int is_kind(uint32_t code, const char *kind) { return !strcmp(text(code, PDCFG_TEXT_KIND), kind); }

static const char *effect(uint32_t code)
{
	if (is_kind(code, "assign")) return "SGLang sets a value";
	if (is_kind(code, "declare")) return "SGLang declares a value";
	if (is_kind(code, "leave") || is_kind(code, "materialize")) return "step of SGLang";
	return pdcfg_rule_severity(code) == PDCFG_ERROR ? "error" : "warning";
}

/* conditions are written over several lines in the table */
static void print_squeezed(const char *s)
{
	int blank = 0;
	for (; *s; s++) {
		if (*s == ' ' || *s == '\t' || *s == '\n') {
			blank = 1;
			continue;
		}
		if (blank) putchar(' ');
		blank = 0;
		putchar(*s);
	}
}

static void item(const char *name, const char *value, const char *before, const char *after)
{
	if (!*value) return;
	printf("- %s: %s", name, before);
	print_squeezed(value);
	printf("%s\n", after);
}

static void markdown(uint32_t code)
{
	printf("\n### PD%u %s\n\n**%s**, phase %s", code, text(code, PDCFG_TEXT_RULE), effect(code), pdcfg_phase_name(pdcfg_rule_phase(code)));
	if (*text(code, PDCFG_TEXT_EXCEPTION)) printf(", `%s`", text(code, PDCFG_TEXT_EXCEPTION));
	if (pdcfg_rule_confidence(code) != PDCFG_CERTAIN) printf(", %s", pdcfg_confidence_name(pdcfg_rule_confidence(code)));
	printf(": %s.", text(code, PDCFG_TEXT_SUMMARY));
	if (*text(code, PDCFG_TEXT_WHY)) printf(" %s", text(code, PDCFG_TEXT_WHY));
	puts("\n");
	item("when", text(code, PDCFG_TEXT_CONDITION), "`", "`");
	item("what to do", text(code, PDCFG_TEXT_FIX), "", "");
	item("refused or reported", text(code, PDCFG_TEXT_BAD), "`", "`");
	item("fine", text(code, PDCFG_TEXT_GOOD), "`", "`");
	item("upstream", text(code, PDCFG_TEXT_UPSTREAM), "`", "`");
}

static void print_roff(const char *s)
{
	if (*s == '.' || *s == '\'') fputs("\\&", stdout);
	for (; *s; s++) {
		if (*s == '\\') fputs("\\e", stdout);
		else if (*s == '-') fputs("\\-", stdout);
		else putchar(*s);
	}
}

static void roff(uint32_t code)
{
	printf(".TP\n.B PD%u ", code);
	print_roff(text(code, PDCFG_TEXT_RULE));
	printf("\n(%s, %s", effect(code), pdcfg_phase_name(pdcfg_rule_phase(code)));
	if (*text(code, PDCFG_TEXT_EXCEPTION)) printf(", %s", text(code, PDCFG_TEXT_EXCEPTION));
	puts(")");
	print_roff(text(code, PDCFG_TEXT_SUMMARY));
	puts(".");
}

int main(int argc, char **argv)
{
	int man = argc > 1 && !strcmp(argv[1], "man");
	unsigned n = 0, errors = 0;
	for (uint32_t code = pdcfg_code_next(0); code; code = pdcfg_code_next(code)) {
		n++;
		errors += pdcfg_rule_severity(code) == PDCFG_ERROR;
	}
	if (man) {
		printf(".TH PDCFG-RULES 7 \"\" \"libpdcfg %s\"\n.SH NAME\npdcfg\\-rules \\- the rules of libpdcfg\n.SH DESCRIPTION\n", pdcfg_version_text());
		printf("The %u rules of libpdcfg, %u of them errors, in the order in which SGLang comes to them.\n.B pdcfg explain\nprints everything about one of them.\n", n, errors);
	} else {
		printf("# The rules\n\nGenerated from the table by `make regen`; do not edit. %u rules, %u of them errors, in the order in which SGLang (%s)\ncomes to them. `pdcfg explain CODE` prints one.\n", n,
		       errors, pdcfg_sglang_version());
	}
	for (uint32_t code = pdcfg_code_next(0); code; code = pdcfg_code_next(code)) {
		if (is_kind(code, "label")) continue;
		if (man) roff(code); else markdown(code);
	}
	if (man) puts(".SH SEE ALSO\n.BR pdcfg (1),\n.BR libpdcfg (3)");
	return ferror(stdout) ? 1 : 0;
}
