/* Versions, and the names of numbers. */
#include "private.h"

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_(x)

uint32_t pdcfg_version(void) { return PDCFG_VERSION_MAJOR << 16 | PDCFG_VERSION_MINOR << 8 | PDCFG_VERSION_PATCH; }
const char *pdcfg_version_text(void)
{
	return TEXT_OF(PDCFG_VERSION_MAJOR) "." TEXT_OF(PDCFG_VERSION_MINOR) "." TEXT_OF(PDCFG_VERSION_PATCH);
}
const char *pdcfg_sglang_version(void) { return "main-2026-08-20"; }

static const char *name(const char *const *names, size_t count, uint32_t n) { return n < count && names[n] ? names[n] : ""; }
#define NAME(n, ...) static const char *const names[] = { __VA_ARGS__ }; return name(names, sizeof names / sizeof *names, n)

const char *pdcfg_phase_name(uint32_t phase) { NAME(phase, "", "parse", "resolve", "load", "connect", "serve"); }
const char *pdcfg_severity_name(uint32_t severity) { NAME(severity, "", "error", "warning"); }
const char *pdcfg_confidence_name(uint32_t confidence) { NAME(confidence, "", "certain", "likely", "depends"); }
const char *pdcfg_origin_name(uint32_t origin)
{
	NAME(origin, "unknown", "default", "argument", "environment", "file", "caller", "rule", "assumption", "platform");
}
const char *pdcfg_parse_class_name(uint32_t parse_class)
{
	NAME(parse_class, "", "unrecognized", "invalid-choice", "invalid-value", "type-error", "expected-one-argument", "expected-arguments",
	     "ambiguous", "explicit-argument", "required", "other");
}

const char *pdcfg_strerror(int32_t status)
{
	switch (status) {
	case PDCFG_ACCEPTED:     return "accepted";
	case PDCFG_REFUSED:      return "refused";
	case PDCFG_UNDETERMINED: return "undetermined: a fact is missing";
	case PDCFG_E_INVALID:    return "invalid argument";
	case PDCFG_E_NOMEM:      return "out of memory";
	case PDCFG_E_KEY:        return "no such field";
	case PDCFG_E_TYPE:       return "the field holds another type";
	case PDCFG_E_LIMIT:      return "a text, list or argument vector is too long";
	default:                 return "unknown status";
	}
}
