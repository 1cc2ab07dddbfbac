/*
 * libpdcfg: what SGLang would say about a prefill/decode configuration, before it is launched.
 *
 *	pdcfg_t *cfg;
 *	pdcfg_report *rep;
 *	const char *const argv[] = { "--model-path", "m", "--disaggregation-mode", "prefill" };
 *
 *	if (pdcfg_new(&cfg) < 0) …
 *	pdcfg_parse_argv(cfg, 4, argv);
 *	pdcfg_set_model_is_mla(cfg, 1);
 *	if (pdcfg_validate(cfg, &rep) == PDCFG_REFUSED)
 *		puts(pdcfg_finding_message(rep, (size_t)pdcfg_report_first_refusal(rep)));
 *	pdcfg_report_free(rep);
 *	pdcfg_free(cfg);
 *
 * What holds everywhere
 *   Status     A function that returns int32_t returns 0 or more when the call worked and one of the negative PDCFG_E_…
 *              when it did not; then nothing has changed, and an out pointer has been set to NULL. What a configuration
 *              got wrong is never a status: it is a finding in a report.
 *   Setters    check the type, never the meaning: a port of 70000 is taken, and a rule speaks of it.
 *   Memory     Texts given are copied; they are UTF-8, and bytes that are not are taken and shown as \xNN or U+FFFD. Texts
 *              returned are borrowed from their object and live as long as it does (those of
 *              a pdcfg_t until its next change); they are never NULL, "" stands for nothing. Every _free takes NULL.
 *              A report owns all it shows and outlives the configuration it came from.
 *   Index      An index or key that does not exist yields 0, -1 or "", never a crash.
 *   Threads    Functions that take const pointers may run at the same time on the same object. Functions that take
 *              non-const pointers need that object to themselves; different objects are independent. The library has no
 *              global state, looks at no file, environment, locale or clock, and prints nothing. A caller's own allocator
 *              must be thread-safe if one configuration is validated from several threads.
 *   Limits     A text has at most PDCFG_TEXT_MAX bytes, and so have the elements of a list together, each with its NUL; an
 *              argument vector or list has at most PDCFG_ARGS_MAX elements.
 *   Since      0.1 (the first release) unless a function says otherwise.
 */
#ifndef PDCFG_H
#define PDCFG_H

#ifndef PDCFG_CDEF /* cffi reads this file, preprocessed with PDCFG_CDEF, as its own cdef */
#include <stddef.h>
#include <stdint.h>
#if defined(PDCFG_STATIC)
#define PDCFG_API __attribute__((visibility("hidden")))
#elif defined(__GNUC__)
#define PDCFG_API __attribute__((visibility("default")))
#else
#define PDCFG_API
#endif
#ifdef __cplusplus
extern "C" {
#endif
#else
#define PDCFG_API
#endif

#define PDCFG_VERSION_MAJOR 0
#define PDCFG_VERSION_MINOR 1
#define PDCFG_VERSION_PATCH 0

/* status of a call */
#define PDCFG_OK 0
#define PDCFG_E_INVALID -1 /* a NULL handle or pointer, a negative count, or what else a function says */
#define PDCFG_E_NOMEM -2   /* the allocator returned NULL */
#define PDCFG_E_KEY -3     /* no such key or name, or one that callers cannot set */
#define PDCFG_E_TYPE -4    /* the field holds another type */
#define PDCFG_E_LIMIT -5   /* a text, list or argument vector is over its limit */

/* verdicts: what pdcfg_validate() returns when it worked */
#define PDCFG_ACCEPTED 0
#define PDCFG_REFUSED 1      /* at least one certain error */
#define PDCFG_UNDETERMINED 2 /* no certain error, but an error rule lacks a fact about the model or a value */

#define PDCFG_TEXT_MAX 1048576
#define PDCFG_ARGS_MAX 65536

/* severity of a finding */
#define PDCFG_ERROR 1
#define PDCFG_WARNING 2

/* phase: when SGLang itself would say it */
#define PDCFG_PHASE_PARSE 1   /* while reading the command line */
#define PDCFG_PHASE_RESOLVE 2 /* while resolving the arguments, 10 to 25 s after the start */
#define PDCFG_PHASE_LOAD 3    /* after the weights, minutes after the start */
#define PDCFG_PHASE_CONNECT 4 /* when the PD connection is built: bootstrap and handshake */
#define PDCFG_PHASE_SERVE 5   /* at the first request or transfer */

/* confidence: only certain errors make a configuration refused */
#define PDCFG_CERTAIN 1
#define PDCFG_LIKELY 2  /* seen in reports, or a fact was guessed */
#define PDCFG_DEPENDS 3 /* on fabric, driver or the like */

/* where a value comes from */
#define PDCFG_FROM_NOTHING 0     /* unknown: a fact that nobody gave */
#define PDCFG_FROM_DEFAULT 1
#define PDCFG_FROM_ARGUMENT 2    /* index = position in the argument vector */
#define PDCFG_FROM_ENVIRONMENT 3
#define PDCFG_FROM_FILE 4        /* text = name of the file, with line and column */
#define PDCFG_FROM_CALLER 5      /* a setter */
#define PDCFG_FROM_RULE 6        /* derived: a row of the table set it */
#define PDCFG_FROM_ASSUMPTION 7  /* another trait was given, this one was not: see pdcfg_set_unknown() */
#define PDCFG_FROM_PLATFORM 8    /* pdcfg_use_platform() */

/* type of a field */
#define PDCFG_TYPE_BOOL 1
#define PDCFG_TYPE_INT 2
#define PDCFG_TYPE_FLOAT 3
#define PDCFG_TYPE_TEXT 4
#define PDCFG_TYPE_TEXTS 5  /* lists: pdcfg_set_list() takes the elements as text */
#define PDCFG_TYPE_INTS 6
#define PDCFG_TYPE_FLOATS 7

/* kind of a field */
#define PDCFG_KIND_ARGUMENT 1    /* a field of ServerArgs, set by options */
#define PDCFG_KIND_ENVIRONMENT 2
#define PDCFG_KIND_MODEL 3       /* a trait of the model; unknown unless given */
#define PDCFG_KIND_PLATFORM 4    /* a fact about the machine; unknown unless given */
#define PDCFG_KIND_CALLER 5      /* what the caller intends */
#define PDCFG_KIND_STATE 6       /* SGLang's own working state; rows set it, callers cannot */
#define PDCFG_KIND_JSON 7        /* what the JSON text of another field holds; it changes with that text, callers cannot set it */

/* operation of an edit of a fix */
#define PDCFG_EDIT_SET 1   /* to the edit's value */
#define PDCFG_EDIT_UNSET 2 /* its value is "" */

/* class of a parse finding: which error argparse would exit with */
#define PDCFG_PARSE_NONE 0
#define PDCFG_PARSE_UNRECOGNIZED 1
#define PDCFG_PARSE_INVALID_CHOICE 2
#define PDCFG_PARSE_INVALID_VALUE 3
#define PDCFG_PARSE_TYPE_ERROR 4
#define PDCFG_PARSE_ONE_ARGUMENT 5
#define PDCFG_PARSE_ARGUMENTS 6
#define PDCFG_PARSE_AMBIGUOUS 7
#define PDCFG_PARSE_EXPLICIT_ARGUMENT 8
#define PDCFG_PARSE_REQUIRED 9
#define PDCFG_PARSE_OTHER 10

/* which text of a rule */
#define PDCFG_TEXT_RULE 1      /* its name, as in "offload-kvcache-decode-only" */
#define PDCFG_TEXT_SUMMARY 2
#define PDCFG_TEXT_MESSAGE 3   /* the template: {field} stands for a value */
#define PDCFG_TEXT_WHY 4
#define PDCFG_TEXT_CONDITION 5 /* in the words of the table */
#define PDCFG_TEXT_UPSTREAM 6  /* file and function of SGLang */
#define PDCFG_TEXT_BAD 7       /* a launch that it speaks of: arguments, NAME=VALUE, trait=VALUE */
#define PDCFG_TEXT_GOOD 8      /* one that it does not */
#define PDCFG_TEXT_EXCEPTION 9 /* the class that SGLang raises, "" where it raises nothing */
#define PDCFG_TEXT_FIX 10      /* what to do where no edit of a finding's fixes says it, or "" */
#define PDCFG_TEXT_KIND 11     /* "refuse", "warn", "assign", "declare", "materialize", "leave", "parse", "choice" or "retired" */
#define PDCFG_TEXT_SAME_AS 12  /* another name of the same upstream line, or "" */

typedef struct pdcfg_config pdcfg_t;
typedef struct pdcfg_report pdcfg_report;

/* One function does all memory work. new_size 0 frees old and returns NULL; old NULL allocates; otherwise it resizes.
 * Memory must be aligned for any type. ctx is what was given with the function; both must outlive the configuration
 * and its reports. */
typedef void *(*pdcfg_alloc_fn)(void *ctx, void *old, size_t old_size, size_t new_size);

/* What a reader of JSON finds at a path of a text. */
#define PDCFG_JSON_INVALID 0 /* the text is no JSON, whatever the path */
#define PDCFG_JSON_ABSENT 1  /* nothing stands there */
#define PDCFG_JSON_NULL 2
#define PDCFG_JSON_FALSE 3
#define PDCFG_JSON_TRUE 4
#define PDCFG_JSON_INT 5     /* a number without fraction and exponent */
#define PDCFG_JSON_FLOAT 6   /* any other number; NaN, Infinity and -Infinity too */
#define PDCFG_JSON_STRING 7
#define PDCFG_JSON_LIST 8
#define PDCFG_JSON_OBJECT 9

/* Reads JSON for the few settings that hold it; the core knows none. It is called where a setting is given, never by
 * pdcfg_validate(). Returns a PDCFG_JSON_… for what stands at path in text, or a negative status when it cannot tell
 * (NOMEM makes the call fail that asks; every other status only leaves the answer unknown). Of a string or number the
 * text is written to out, with its final NUL, size bytes at most; where they do not suffice, or the string has a NUL
 * in it, the status is LIMIT. text counts as JSON when Python's json.loads takes it; of two members with one name the
 * last counts.
 *
 * path      what it means
 * ""        the whole
 * "a.b"     the member b of the member a
 * "a.#2"    the third element of the list a, or the value of the third member of the object a
 * "a:count" how many elements or members a has, or bytes if it is a string: an INT; ABSENT for anything else
 * "a.#2:key" the name of the third member of a: a STRING; ABSENT if a is no object or has no third member
 * "!a.b"    the same in JSON as orjson reads it: no NaN or Infinity, no number that overflows a double, no half of a surrogate pair,
 *           and whole numbers of any length
 *
 * Names in a path have no point, colon or number sign in them. Without such a function what such texts hold is
 * unknown. */
typedef int32_t (*pdcfg_json_fn)(void *ctx, const char *text, const char *path, char *out, size_t size);

/* ---- the configuration -------------------------------------------------------------------------------------------- */

/* A new configuration: nothing given, every argument at SGLang's default, every model trait and platform fact unknown.
 * The caller owns *out and ends it with pdcfg_free(). Errors: INVALID, NOMEM. */
PDCFG_API int32_t pdcfg_new(pdcfg_t **out);
/* The same with the caller's allocator, which also serves the reports made from this configuration; NULL is realloc()
 * and free(). */
PDCFG_API int32_t pdcfg_new_with(pdcfg_alloc_fn alloc, void *ctx, pdcfg_t **out);
/* A copy with the same allocator and reader of JSON; the two are independent. Errors: INVALID, NOMEM. */
PDCFG_API int32_t pdcfg_clone(const pdcfg_t *cfg, pdcfg_t **out);
/* Back to the state after pdcfg_new(), with the allocator and the reader of JSON that it has. Never fails on a handle. */
PDCFG_API int32_t pdcfg_reset(pdcfg_t *cfg);
PDCFG_API void pdcfg_free(pdcfg_t *cfg);

/* The typed setters, one for each field: pdcfg_set_disaggregation_mode(cfg, "prefill"), pdcfg_set_env_…,
 * pdcfg_set_model_…, pdcfg_set_platform_… A bool takes an int32_t (0 or not 0), a whole number int64_t, a float
 * double, a text a const char * (NULL is Python's None), a list the elements and their count. They are declared in
 * <pdcfg/setters.h>. Errors: INVALID, NOMEM, LIMIT; TYPE for an element that is no number in a list of numbers. */

/* The same by key (PDCFG_KEY_… of <pdcfg/keys.h>). pdcfg_set_i64 takes bools as well. Errors: INVALID, KEY, TYPE,
 * NOMEM, LIMIT; KEY also for a field of kind STATE or JSON. What a setter says holds instead of whatever was said of
 * the field before, and takes back what was found wrong with it then; only what pdcfg_parse_argv() found stays, since
 * SGLang would not come past it. The two lowest int64_t count as the one above them. */
PDCFG_API int32_t pdcfg_set_i64(pdcfg_t *cfg, uint32_t key, int64_t value);
PDCFG_API int32_t pdcfg_set_f64(pdcfg_t *cfg, uint32_t key, double value);
PDCFG_API int32_t pdcfg_set_text(pdcfg_t *cfg, uint32_t key, const char *utf8);
PDCFG_API int32_t pdcfg_set_list(pdcfg_t *cfg, uint32_t key, const char *const *items, size_t count);
/* Python's None, for a field of any type. Errors: INVALID, KEY. */
PDCFG_API int32_t pdcfg_set_none(pdcfg_t *cfg, uint32_t key);
/* The value is there but nobody knows it (text says how it was written, as in "${MODEL}"; NULL is ""). Rules that need
 * it are listed as not evaluated. Also the way to say that a model trait is not known although others are: once one of
 * the traits is_mla, is_dsa, is_dsv4, is_hybrid_swa, is_minimax_sparse, mamba_kind is given, the others of these that
 * nobody mentioned count as absent, the architecture as none of the special ones, and the model as a plain text
 * generator. Errors: INVALID, KEY, NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_set_unknown(pdcfg_t *cfg, uint32_t key, const char *text);
/* As if no setter had ever set it. Errors: INVALID, KEY. */
PDCFG_API int32_t pdcfg_unset(pdcfg_t *cfg, uint32_t key);
/* By name, with the value as text and read the way SGLang would: an option ("--tp", with "" or "true" for a flag), an
 * environment variable, or a field's name ("tp_size", "model.is_mla", "platform.sm"). A list has blanks between its
 * elements if it is named by an option, else commas. What SGLang would refuse to parse is not a status: it becomes a
 * finding. Errors: INVALID, KEY (with the nearest name in pdcfg_nearest_name()), NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_set_arg(pdcfg_t *cfg, const char *name, const char *text);
/* Where a value that is already set stands, for the report: kind is a PDCFG_FROM_…, where a file, an option or the like,
 * line and column from 1 (0 unknown). Errors: INVALID (nobody has set it, or no such kind), KEY, NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_set_origin(pdcfg_t *cfg, uint32_t key, uint32_t kind, const char *where, uint32_t line, uint32_t column);

/* SGLang's arguments, without the program ("--tp 8 …"), read as argparse reads them: abbreviations, "--opt=value",
 * last one wins. What argparse would refuse becomes a finding of phase parse, and reading goes on. Each value
 * remembers its position. Returns 0, or 1 when the arguments ask for --help, so that SGLang would print that and exit:
 * then nothing has been set. Errors: INVALID, NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_parse_argv(pdcfg_t *cfg, int32_t argc, const char *const *argv);
/* An environment: "NAME=value" strings, ended by NULL, such as environ. Of two with one name the first counts, as in
 * Python. Unknown names are passed over. Errors: INVALID, NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_parse_environ(pdcfg_t *cfg, const char *const *envp);
/* This server is going to build a PD connection, whatever its mode says. Errors: INVALID. */
PDCFG_API int32_t pdcfg_set_pd_required(pdcfg_t *cfg, int32_t on);
/* What a reader of files or command lines found before SGLang's own parser would: code is that of a rule of kind
 * "parse", token the word that is wrong (the finding is about its option, when it is one) and value what the rule's
 * message calls {value} (both may be NULL), index its position in the argument vector or -1. It stands before whatever
 * pdcfg_parse_argv() finds later. Errors: INVALID, KEY, NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_add_parse_finding(pdcfg_t *cfg, uint32_t code, int32_t index, const char *token, const char *value);
/* As pdcfg_parse_argv(), for a vector that a reader put together. Token i stands at indexes[i] in what the user wrote
 * or, where that is -1, in the file, at lines[i] and columns[i]; findings and origins speak of that place. A --config
 * in the vector is an option like any other: its file has been read. Errors: INVALID, NOMEM, LIMIT. */
PDCFG_API int32_t pdcfg_parse_merged(pdcfg_t *cfg, int32_t argc, const char *const *argv, const int32_t *indexes,
                                     const char *file, const uint32_t *lines, const uint32_t *columns);
/* cfg becomes what by is, and by is freed: to try several calls on a pdcfg_clone(), and keep it when all have worked.
 * Errors: INVALID, also when the two have different allocators. */
PDCFG_API int32_t pdcfg_replace(pdcfg_t *cfg, pdcfg_t *by);
/* What the GPU of a well-known machine says of its platform: "h100", "h200", "b200", "a100", "mi300x", … The CUDA
 * version is the oldest with which SGLang runs on it: it decides what wants a version "at least", and the major
 * version stays unknown, so that nothing is refused for want of a newer one. Errors: INVALID, KEY, NOMEM. */
PDCFG_API int32_t pdcfg_use_platform(pdcfg_t *cfg, const char *name);
/* The platform names in turn: "" starts, "" ends. */
PDCFG_API const char *pdcfg_platform_next(const char *after);
/* Who reads JSON for this configuration, until it is freed; NULL for nobody. Set it before pdcfg_parse_argv(); texts
 * of JSON that are there already are asked about again. A copy made by pdcfg_clone() has the same reader. Errors:
 * INVALID, NOMEM. */
PDCFG_API int32_t pdcfg_set_json_reader(pdcfg_t *cfg, pdcfg_json_fn reader, void *ctx);

/* 1 when somebody gave the field, if only as unknown; 0 when nobody did. Errors: INVALID, KEY. */
PDCFG_API int32_t pdcfg_is_set(const pdcfg_t *cfg, uint32_t key);
/* The value of a bool or whole number, with *value untouched on error. Errors: KEY, TYPE; INVALID for None and
 * unknown. */
PDCFG_API int32_t pdcfg_get_i64(const pdcfg_t *cfg, uint32_t key, int64_t *value);
/* The value of a text field as it is now; "" for None, unknown and every other type. */
PDCFG_API const char *pdcfg_get_text(const pdcfg_t *cfg, uint32_t key);

/* ---- validation --------------------------------------------------------------------------------------------------- */

/* What SGLang would say of this configuration: PDCFG_ACCEPTED, PDCFG_REFUSED or PDCFG_UNDETERMINED; negative when the
 * call failed, and then there is no report. out may be NULL: the verdict alone, and no allocation at all. Otherwise
 * the caller owns *out, made by exactly one allocation. Errors: INVALID, NOMEM, LIMIT (a report of more than 4 GiB). */
PDCFG_API int32_t pdcfg_validate(const pdcfg_t *cfg, pdcfg_report **out);
PDCFG_API void pdcfg_report_free(pdcfg_report *rep);

PDCFG_API int32_t pdcfg_report_verdict(const pdcfg_report *rep);
/* Findings, in the order in which SGLang would come to them. */
PDCFG_API size_t pdcfg_report_count(const pdcfg_report *rep);
PDCFG_API size_t pdcfg_report_errors(const pdcfg_report *rep);
PDCFG_API size_t pdcfg_report_warnings(const pdcfg_report *rep);
/* Index of the finding that SGLang would stop at; -1 when there is none. */
PDCFG_API int64_t pdcfg_report_first_refusal(const pdcfg_report *rep);
/* 1 when an error rule that stands before the first refusal could not be evaluated, so that SGLang may stop earlier. */
PDCFG_API int32_t pdcfg_report_maybe_earlier(const pdcfg_report *rep);

/* One finding. rule is the name of the rule; message has the values in it; summary has not, and is the same for every
 * finding of a code; exception is the class that SGLang raises, "" where it raises nothing; upstream is file and
 * function of SGLang. */
PDCFG_API uint32_t pdcfg_finding_code(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_rule(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_message(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_summary(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_why(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_exception(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_upstream(const pdcfg_report *rep, size_t i);
PDCFG_API uint32_t pdcfg_finding_severity(const pdcfg_report *rep, size_t i);
PDCFG_API uint32_t pdcfg_finding_phase(const pdcfg_report *rep, size_t i);
PDCFG_API uint32_t pdcfg_finding_confidence(const pdcfg_report *rep, size_t i);

/* The settings a finding is about, the first one foremost: key, value as Python prints it, and where the value comes
 * from. origin_text is the option as the user wrote it, the variable or the file; index the position in the argument
 * vector, -1 without one; origin_code the row that derived the value, 0 without one. */
PDCFG_API size_t pdcfg_finding_subjects(const pdcfg_report *rep, size_t i);
PDCFG_API uint32_t pdcfg_subject_key(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API const char *pdcfg_subject_value(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API uint32_t pdcfg_subject_origin(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API const char *pdcfg_subject_origin_text(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API int64_t pdcfg_subject_index(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API uint32_t pdcfg_subject_line(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API uint32_t pdcfg_subject_column(const pdcfg_report *rep, size_t i, size_t n);
PDCFG_API uint32_t pdcfg_subject_origin_code(const pdcfg_report *rep, size_t i, size_t n);

/* The fixes of a finding: any one of them helps. The edits of one fix are applied together or not at all. */
PDCFG_API size_t pdcfg_finding_fixes(const pdcfg_report *rep, size_t i);
PDCFG_API size_t pdcfg_fix_edits(const pdcfg_report *rep, size_t i, size_t fix);
PDCFG_API uint32_t pdcfg_edit_op(const pdcfg_report *rep, size_t i, size_t fix, size_t edit);
PDCFG_API uint32_t pdcfg_edit_key(const pdcfg_report *rep, size_t i, size_t fix, size_t edit);
PDCFG_API const char *pdcfg_edit_value(const pdcfg_report *rep, size_t i, size_t fix, size_t edit);

/* The row that set a value without which this finding would not be there: its code, 0 for none. */
PDCFG_API uint32_t pdcfg_finding_caused_by(const pdcfg_report *rep, size_t i);

/* For a finding of phase parse: PDCFG_PARSE_… (0 for every other), the option's first name, the position in the argument
 * vector (-1 without one), the token as it was written, and the nearest option or choice ("" without one). */
PDCFG_API uint32_t pdcfg_finding_parse_class(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_parse_option(const pdcfg_report *rep, size_t i);
PDCFG_API int64_t pdcfg_finding_parse_index(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_parse_token(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_finding_parse_nearest(const pdcfg_report *rep, size_t i);
PDCFG_API const char *pdcfg_parse_class_name(uint32_t parse_class); /* "invalid-choice" */

/* Rules that could not be evaluated, and the facts that each needs. */
PDCFG_API size_t pdcfg_report_unevaluated(const pdcfg_report *rep);
PDCFG_API uint32_t pdcfg_unevaluated_code(const pdcfg_report *rep, size_t i);
PDCFG_API size_t pdcfg_unevaluated_needs(const pdcfg_report *rep, size_t i);
PDCFG_API uint32_t pdcfg_unevaluated_need(const pdcfg_report *rep, size_t i, size_t n);

/* What SGLang would run with: the value of a field after all steps, as Python prints it (when it is unknown, "?" or
 * how pdcfg_set_unknown() says that it was written), and where it comes from: a PDCFG_FROM_…, and the row that set it,
 * 0 without one. */
PDCFG_API const char *pdcfg_resolved_text(const pdcfg_report *rep, uint32_t key);
PDCFG_API uint32_t pdcfg_resolved_origin(const pdcfg_report *rep, uint32_t key);
PDCFG_API uint32_t pdcfg_resolved_by(const pdcfg_report *rep, uint32_t key);
/* What was given, where SGLang runs with something else: "" when nothing was given or when it is what runs. */
PDCFG_API const char *pdcfg_overridden_text(const pdcfg_report *rep, uint32_t key);

/* ---- what there is ------------------------------------------------------------------------------------------------ */

/* Fields. name is "tp_size", "env.SGLANG_DISAGG_STAGING_BUFFER", "model.is_mla", "platform.sm". By name also finds
 * options and bare variable names; 0 when there is none. key_next: 0 starts and ends. */
PDCFG_API uint32_t pdcfg_key_by_name(const char *name);
PDCFG_API uint32_t pdcfg_key_next(uint32_t after);
PDCFG_API const char *pdcfg_key_name(uint32_t key);
PDCFG_API uint32_t pdcfg_key_type(uint32_t key);
PDCFG_API uint32_t pdcfg_key_kind(uint32_t key);
PDCFG_API const char *pdcfg_key_default(uint32_t key);             /* as Python prints it; "?" for a fact */
PDCFG_API const char *pdcfg_key_option(uint32_t key);              /* "--tp-size", the variable's name, or "" */
PDCFG_API int32_t pdcfg_key_is_secret(uint32_t key);               /* its value is never shown */
PDCFG_API size_t pdcfg_key_choices(uint32_t key);
PDCFG_API const char *pdcfg_key_choice(uint32_t key, size_t n);    /* borrowed for ever */
/* The known name of an option, variable or field that is nearest to this one, "" when none is near. */
PDCFG_API const char *pdcfg_nearest_name(const char *name);

/* Rules. code_next: 0 starts and ends: the rows in the order of the table, then the options with choices, then retired
 * codes. */
PDCFG_API uint32_t pdcfg_code_next(uint32_t after);
PDCFG_API uint32_t pdcfg_code_by_rule(const char *rule);           /* "offload-kvcache-decode-only", "PD2417" or "2417" */
PDCFG_API const char *pdcfg_rule_text(uint32_t code, uint32_t which);
PDCFG_API uint32_t pdcfg_rule_severity(uint32_t code);
PDCFG_API uint32_t pdcfg_rule_phase(uint32_t code);
PDCFG_API uint32_t pdcfg_rule_confidence(uint32_t code);
PDCFG_API size_t pdcfg_rule_reads(uint32_t code);                  /* the fields its condition looks at */
PDCFG_API uint32_t pdcfg_rule_read(uint32_t code, size_t n);

PDCFG_API uint32_t pdcfg_version(void);                            /* major << 16 | minor << 8 | patch, of the library */
PDCFG_API const char *pdcfg_version_text(void);
PDCFG_API const char *pdcfg_sglang_version(void);                  /* the SGLang that the rules describe */
PDCFG_API const char *pdcfg_strerror(int32_t status);
PDCFG_API const char *pdcfg_phase_name(uint32_t phase);            /* "resolve" */
PDCFG_API const char *pdcfg_severity_name(uint32_t severity);      /* "error" */
PDCFG_API const char *pdcfg_confidence_name(uint32_t confidence);  /* "certain" */
PDCFG_API const char *pdcfg_origin_name(uint32_t origin);          /* "argument" */

#ifndef PDCFG_CDEF
#include "keys.h"
#endif
#include "setters.h"

#ifndef PDCFG_CDEF
#ifdef __cplusplus
}
#endif
#endif
#endif
