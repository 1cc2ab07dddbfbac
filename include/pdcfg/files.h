/*
 * libpdcfg-files: reads the files that say what a model is.
 *
 *	pdcfg_t *cfg;
 *	char why[256];
 *
 *	if (pdcfg_new(&cfg) < 0) …
 *	pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL);
 *	pdcfg_parse_argv(cfg, argc, argv);
 *	if (pdcfg_files_read_model(cfg, "models/m/config.json", why, sizeof why) < 0)
 *		fprintf(stderr, "%s\n", why);
 *
 * Read a model after the arguments: some of them (--json-model-override-args, --is-embedding, --enable-multimodal,
 * --language-model-only, --model-impl, --dtype, --quantization) change what SGLang makes of it. The conventions of
 * <pdcfg/pdcfg.h> hold here too, its status codes included, but for one: these functions read the files that they are
 * given, and use malloc() for themselves. Since 0.1 unless a function says otherwise.
 */
#ifndef PDCFG_FILES_H
#define PDCFG_FILES_H

#ifndef PDCFG_CDEF
#include "pdcfg.h"
#ifdef __cplusplus
extern "C" {
#endif
#endif

/* further status codes */
#define PDCFG_FILES_E_READ -100   /* the file cannot be opened or read */
#define PDCFG_FILES_E_SYNTAX -101 /* it is no JSON, or not the kind that is wanted; why says what and where */
#define PDCFG_FILES_E_LIMIT -102  /* more than 64 MiB, or nested deeper than 200 levels */

/* how pdcfg_files_known_model() knows a model */
#define PDCFG_FILES_UNKNOWN_MODEL 0
#define PDCFG_FILES_KNOWN_MODEL 1 /* by its full name */
#define PDCFG_FILES_LIKELY_MODEL 2 /* by the last part of it: what is set is likely, not certain */

/* Sets the model's traits, model.…, as SGLang would derive them from this config.json, and forgets those set before. path is
 * the file or the model's directory; a params.json in Mistral's own format is read too. hf_quant_config.json and
 * quant_model_description.json count when they stand beside a file with the name config.json or params.json; if they do not,
 * the checkpoint counts as one without. A trait that cannot be told stays unknown; one that SGLang reads as None is None.
 * Where SGLang is certain to raise on this file, model.config_error is the class of the exception.
 * On failure nothing has changed (only NOMEM may come in the middle), and why, if it is not NULL, holds a sentence.
 * Errors: INVALID, NOMEM, FILES_E_READ, FILES_E_SYNTAX, FILES_E_LIMIT. */
PDCFG_API int32_t pdcfg_files_read_model(pdcfg_t *cfg, const char *path, char *why, size_t why_size);
/* The same from the text of a config.json (or params.json) alone. */
PDCFG_API int32_t pdcfg_files_read_model_bytes(pdcfg_t *cfg, const char *bytes, size_t len, char *why, size_t why_size);
/* The same for the draft model of speculative decoding, model.draft_…. SGLang gives many models another architecture when
 * they are the draft: model.draft_arch is that one, model.draft_architectures is what the file says. */
PDCFG_API int32_t pdcfg_files_read_draft_model(pdcfg_t *cfg, const char *path, char *why, size_t why_size);
PDCFG_API int32_t pdcfg_files_read_draft_model_bytes(pdcfg_t *cfg, const char *bytes, size_t len, char *why, size_t why_size);

/* Sets the traits of a well-known model by its name on the Hugging Face hub, as it would stand after --model-path; a path or
 * a name with another owner counts when its last part is that of a known model. Returns a PDCFG_FILES_…_MODEL; at
 * UNKNOWN_MODEL nothing has changed. Errors: INVALID, NOMEM. */
PDCFG_API int32_t pdcfg_files_known_model(pdcfg_t *cfg, const char *model_path);
/* The names of the catalogue in turn: "" starts, "" ends. */
PDCFG_API const char *pdcfg_files_known_model_next(const char *after);

/* For pdcfg_set_json_reader(): what stands at path in text. ctx is not used. Errors: INVALID (a NULL, a path that is none), NOMEM, LIMIT
 * (also a text that is nested deeper than 200 levels, or has an escaped NUL where names are looked for). */
PDCFG_API int32_t pdcfg_files_json_reader(void *ctx, const char *text, const char *path, char *out, size_t size);

/* As pdcfg_parse_argv(), with the file of --config merged in as SGLang does it: the file is read, relative to the current
 * directory, and its options come before those of argv, which win. Values from it have the origin PDCFG_FROM_FILE, with line and
 * column; what SGLang would refuse in the file or its name becomes a finding. Without --config, or where what stands behind it is
 * no .yaml or .yml, this is pdcfg_parse_argv() itself. Errors: those of pdcfg_parse_argv(), and FILES_E_READ, FILES_E_LIMIT (more
 * than 64 MiB, a million values, or 200 levels); then nothing has changed, and why, if it is not NULL, holds a sentence. */
PDCFG_API int32_t pdcfg_files_parse_argv(pdcfg_t *cfg, int32_t argc, const char *const *argv, char *why, size_t why_size);
/* The same with the text of the file given; no file is read. */
PDCFG_API int32_t pdcfg_files_parse_argv_bytes(pdcfg_t *cfg, int32_t argc, const char *const *argv, const char *yaml, size_t len, char *why, size_t why_size);

#ifndef PDCFG_CDEF
#ifdef __cplusplus
}
#endif
#endif
#endif
