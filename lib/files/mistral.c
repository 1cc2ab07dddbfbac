/*
 * params.json: Mistral's own description of a model. SGLang renames its keys to those of a config.json and decides the
 * architecture by what is there: experts, a shared one among them, a vision or an audio encoder, "eagle" in the path.
 */
#include "files.h"
#include "text.h"

#include <string.h>

static void rename_key(struct json_object *c, const char *from, const char *to)
{
	struct json_object *v;

	if (!json_object_object_get_ex(c, from, &v))
		return;
	json_object_object_add(c, to, json_object_get(v));
	json_object_object_del(c, from);
}

static void put_text(struct json_object *c, const char *key, const char *s)
{
	json_object_object_add(c, key, json_object_new_string(s));
}

static void put_int(struct json_object *c, const char *key, int64_t i)
{
	json_object_object_add(c, key, json_object_new_int64(i));
}

static void put_arch(struct json_object *c, const char *name)
{
	struct json_object *list = json_object_new_array();

	json_object_array_add(list, json_object_new_string(name));
	json_object_object_add(c, "architectures", list);
}

static void rename_all(struct json_object *c)
{
	static const char *const names[][2] = { { "dim", "hidden_size" }, { "norm_eps", "rms_norm_eps" },
		{ "n_kv_heads", "num_key_value_heads" }, { "n_layers", "num_hidden_layers" }, { "n_heads", "num_attention_heads" },
		{ "hidden_dim", "intermediate_size" } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		rename_key(c, names[i][0], names[i][1]);
	if (fl_json(c, "model_type").kind == FL_ABSENT)
		put_text(c, "model_type", "transformer");
	if (fl_json(c, "max_seq_len").kind == FL_ABSENT)
		put_int(c, "max_seq_len", 128000);
	if (fl_json(c, "max_position_embeddings").kind <= FL_NONE)
		put_int(c, "max_position_embeddings", 128000);
}

static void convert_quantization(struct json_object *c, const char **error)
{
	struct fl_value q = fl_json(c, "quantization");
	struct json_object *out;

	if (!fl_truthy(q))
		return;
	if (q.kind != FL_DICT || !fl_is_text(fl_json(q.j, "qformat_weight"), "fp8_e4m3")) {
		*error = "ValueError";
		return;
	}
	out = json_object_new_object();
	put_text(out, "quant_method", "fp8");
	json_object_object_add(c, "quantization_config", out);
	json_object_object_del(c, "quantization");
}

static void convert_experts(struct json_object *c, struct json_object *moe)
{
	static const char *const names[][2] = { { "num_experts", "n_routed_experts" }, { "expert_hidden_dim", "moe_intermediate_size" },
		{ "first_k_dense_replace", "first_k_dense_replace" }, { "num_expert_groups", "n_group" } };
	struct json_object *v;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (json_object_object_get_ex(moe, names[i][0], &v))
			json_object_object_add(c, names[i][1], json_object_get(v));
}

static void drop_empty_mla(struct json_object *c)
{
	static const char *const names[] = { "q_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "kv_lora_rank", "v_head_dim" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (fl_json(c, names[i]).kind == FL_NONE)
			json_object_object_del(c, names[i]);
}

static void check_llama4_scaling(struct json_object *c, const char **error)
{
	struct fl_value v = fl_json(c, "llama_4_scaling");

	if (v.kind != FL_DICT || fl_json(v.j, "original_max_position_embeddings").kind == FL_ABSENT || fl_json(v.j, "beta").kind == FL_ABSENT)
		*error = "AssertionError";
}

static bool has_eagle(const char *path)
{
	for (; *path != '\0'; path++)
		if (starts_lower(path, "eagle"))
			return true;
	return false;
}

static void choose_arch(struct json_object *c, bool eagle, const char **error)
{
	struct fl_value moe = fl_json(c, "moe");
	int64_t shared = 0;

	if (fl_truthy(moe) && moe.kind == FL_DICT) {
		fl_counts(fl_json(moe.j, "num_shared_experts"), &shared);
		if (shared <= 0) {
			put_arch(c, "MixtralForCausalLM");
			return;
		}
		convert_experts(c, moe.j);
		put_text(c, "model_type", "deepseek_v3");
		put_arch(c, eagle ? "MistralLarge3ForCausalLMEagle" : "MistralLarge3ForCausalLM");
		check_llama4_scaling(c, error);
	} else if (eagle && (fl_json(c, "kv_lora_rank").kind > FL_NONE || fl_json(c, "q_lora_rank").kind > FL_NONE ||
			     fl_json(c, "v_head_dim").kind > FL_NONE)) {
		put_text(c, "model_type", "deepseek_v3");
		put_arch(c, "MistralLarge3ForCausalLMEagle");
		put_int(c, "n_routed_experts", 1);
		put_int(c, "moe_intermediate_size", 1);
	} else {
		put_text(c, "model_type", "mistral");
		put_arch(c, eagle ? "MistralForCausalLMEagle" : "MistralForCausalLM");
		drop_empty_mla(c);
	}
}

static void convert_yarn(struct json_object *c)
{
	struct fl_value yarn = fl_json(c, "yarn");
	struct json_object *out, *v;

	if (yarn.kind != FL_DICT || !fl_truthy(yarn))
		return;
	out = json_object_new_object();
	put_text(out, "rope_type", "deepseek_yarn");
	if (json_object_object_get_ex(yarn.j, "factor", &v))
		json_object_object_add(out, "factor", json_object_get(v));
	if (json_object_object_get_ex(yarn.j, "original_max_position_embeddings", &v))
		json_object_object_add(out, "original_max_position_embeddings", json_object_get(v));
	json_object_object_add(c, "rope_scaling", out);
}

/* With an encoder, what was built so far describes the language model inside. */
static struct json_object *wrap_encoder(struct json_object *c)
{
	struct fl_value multi = fl_json(c, "multimodal"), vision = fl_json(c, "vision_encoder"), whisper, q;
	struct json_object *in = multi.kind == FL_DICT ? multi.j : NULL, *out;
	bool sees = fl_truthy(fl_json(in, "vision_encoder_args")) || fl_truthy(vision);

	whisper = fl_json(in, "whisper_model_args");
	if (!sees && !fl_truthy(fl_json(whisper.kind == FL_DICT ? whisper.j : NULL, "encoder_args")))
		return c;
	out = json_object_new_object();
	put_text(out, "model_type", sees ? "pixtral" : "whixtral");
	put_arch(out, sees ? "PixtralForConditionalGeneration" : "VoxtralForConditionalGeneration");
	if (sees && (fl_truthy(multi) || vision.kind == FL_DICT))
		json_object_object_add(out, "vision_config", json_object_get(fl_truthy(multi) ? multi.j : vision.j));
	if (!sees)
		json_object_object_add(out, "audio_config", json_object_new_object());
	q = fl_json(c, "quantization_config");
	if (fl_truthy(q))
		json_object_object_add(out, "quantization_config", json_object_get(q.j));
	json_object_object_add(out, "text_config", c);
	return out;
}

struct json_object *fl_from_mistral(struct json_object *params, const char *path, const char **error)
{
	struct json_object *c = NULL;

	if (json_object_deep_copy(params, &c, NULL) != 0 || c == NULL)
		return NULL;
	rename_all(c);
	convert_quantization(c, error);
	choose_arch(c, has_eagle(path), error);
	convert_yarn(c);
	return wrap_encoder(c);
}
