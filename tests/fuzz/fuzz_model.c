/*
 * Any bytes as a config.json, of the model and of the draft model. The bits of the first byte choose settings that change what SGLang makes of it;
 * with the last of them the first line is the text of --json-model-override-args.
 */
#include "fuzz.h"

static void settings(pdcfg_t *cfg, unsigned bits)
{
	static const char *const paths[] = { "meta/llama", "mistralai/Mistral-Large-3-eagle" };
	pdcfg_set_model_path(cfg, paths[bits & 1]);
	pdcfg_set_speculative_draft_model_path(cfg, paths[bits & 1]);
	if (bits & 2) pdcfg_set_is_embedding(cfg, 1);
	if (bits & 4) pdcfg_set_enable_multimodal(cfg, bits & 2);
	if (bits & 8) pdcfg_set_quantization(cfg, bits & 1 ? "unquant" : "fp8");
	if (bits & 16) pdcfg_set_dtype(cfg, bits & 1 ? "half" : "bfloat16");
	if (bits & 32) pdcfg_set_speculative_algorithm(cfg, bits & 1 ? "EAGLE3" : "DFLASH");
	if (bits & 64) pdcfg_set_model_impl(cfg, "transformers");
	if (bits & 8) pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL);
}

/* which traits are given, and the numbers among them */
static uint64_t digest(const pdcfg_t *cfg)
{
	static struct numbers traits;
	const struct numbers *all = all_keys();
	uint64_t sum = 0;
	for (size_t n = traits.count ? all->count : 0; n < all->count; n++)
		if (pdcfg_key_kind(all->v[n]) == PDCFG_KIND_MODEL) traits.v[traits.count++] = all->v[n];
	for (size_t n = 0; n < traits.count; n++) {
		int64_t v = -7;
		pdcfg_get_i64(cfg, traits.v[n], &v);
		sum = sum * 31 + (uint64_t)v * 2 + (uint64_t)pdcfg_is_set(cfg, traits.v[n]);
	}
	return sum;
}

typedef int32_t (*read_fn)(pdcfg_t *, const char *, size_t, char *, size_t);

/* Whatever json-c is given has been found good before, so memory is never short. */
static int32_t read_it(pdcfg_t *cfg, read_fn reader, const char *bytes, size_t size)
{
	char why[64] = "untouched";
	uint64_t before = digest(cfg);
	int32_t status = reader(cfg, bytes, size, why, sizeof why);
	require(status == 0 || status == PDCFG_FILES_E_SYNTAX || status == PDCFG_FILES_E_LIMIT);
	if (status < 0) require(digest(cfg) == before && memchr(why, 0, sizeof why) && strcmp(why, "untouched"));
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	pdcfg_t *cfg;
	if (!size || size > 65536 || pdcfg_new(&cfg) < 0) return 0;
	unsigned bits = *data++;
	size--;
	settings(cfg, bits);
	const uint8_t *end = bits & 128 ? memchr(data, '\n', size) : NULL;
	if (end) {
		char *over = text_of(data, (size_t)(end - data));
		require(pdcfg_set_json_model_override_args(cfg, over) == 0);
		free(over);
		size -= (size_t)(end + 1 - data);
		data = end + 1;
	}
	char *bytes = block_of(data, size);
	int32_t status = read_it(cfg, pdcfg_files_read_model_bytes, bytes, size);
	check_report(cfg);
	require(read_it(cfg, pdcfg_files_read_draft_model_bytes, bytes, size) == status);
	check_report(cfg);
	uint64_t once = digest(cfg);
	require(read_it(cfg, pdcfg_files_read_model_bytes, bytes, size) == status && digest(cfg) == once);
	free(bytes);
	pdcfg_free(cfg);
	return 0;
}
