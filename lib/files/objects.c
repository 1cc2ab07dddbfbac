/*
 * The objects that SGLang makes of a config: the whole, the part that describes the language model, and the architectures, which
 * loading may change before anybody looks at them.
 */
#include "files.h"

#include <string.h>

bool fl_names_have(const struct fl_model *m, const char *name)
{
	for (size_t i = 0; i < m->name_count; i++)
		if (strcmp(m->names[i], name) == 0)
			return true;
	return false;
}

/* The architectures of a config; false when they are no list of texts. */
static bool list_names(struct fl_model *m, struct fl_value v)
{
	size_t n = fl_list_length(v);

	m->name_count = 0;
	if (v.kind != FL_LIST || n > sizeof m->names / sizeof m->names[0])
		return false;
	for (size_t i = 0; i < n; i++) {
		struct fl_value name = fl_json_value(json_object_array_get_idx(v.j, i));

		if (name.kind != FL_TEXT)
			return false;
		m->names[m->name_count++] = name.s;
	}
	return true;
}

static bool is_ocr(const struct fl_conf *c, const char *module)
{
	struct fl_value map = fl_get(c, K_auto_map);

	return map.kind == FL_DICT && fl_is_text(fl_json(map.j, "AutoModel"), module);
}

static const struct fl_class *outer_class(struct fl_model *m)
{
	struct fl_conf bare = { .own = m->root };
	struct fl_value type = fl_json(m->root, "model_type");

	if (list_names(m, fl_json(m->root, "architectures")) &&
	    (fl_names_have(m, "LongcatCausalLM") || fl_names_have(m, "LongcatFlashForCausalLM") || fl_names_have(m, "LongcatFlashNgramForCausalLM")))
		return fl_class_by_name("longcat_flash");
	if (is_ocr(&bare, "modeling_deepseekocr2.DeepseekOCR2ForCausalLM") ||
	    (is_ocr(&bare, "modeling_deepseekocr.DeepseekOCRForCausalLM") && fl_is_text(type, "deepseek_vl_v2")))
		return fl_class_by_name("deepseek-ocr");
	return type.kind == FL_TEXT ? fl_class_by_name(type.s) : NULL;
}

/* InternVL's wrapper goes by the language model's architecture. */
static const struct fl_class *internvl_class(struct json_object *own)
{
	static const char *const by_arch[][2] = { { "LlamaForCausalLM", "llama" }, { "InternLM2ForCausalLM", "internlm2/internvl_chat" },
		{ "Qwen2ForCausalLM", "qwen2" }, { "Qwen3MoeForCausalLM", "qwen3_moe" }, { "Qwen3ForCausalLM", "qwen3" },
		{ "GptOssForCausalLM", "gpt_oss" } };
	struct fl_value archs = fl_json(own, "architectures");

	if (own == NULL)
		return fl_class_by_name("internlm2/internvl_chat");
	if (fl_list_length(archs) == 0)
		return NULL;
	for (size_t i = 0; i < sizeof by_arch / sizeof by_arch[0]; i++)
		if (fl_is_text(fl_json_value(json_object_array_get_idx(archs.j, 0)), by_arch[i][0]))
			return fl_class_by_name(by_arch[i][1]);
	return NULL;
}

static const struct fl_class *sub_class(const struct fl_class *outer, struct json_object *own)
{
	struct fl_value type = fl_json(own, "model_type");
	size_t n = strcspn(outer->sub, "+");

	if (outer->quirk == FL_INTERNVL_CHAT)
		return internvl_class(own);
	if (own == NULL && outer->sub_none != NULL)
		return fl_class_by_name(outer->sub_none);
	if (outer->flags & FL_SUB_BY_TYPE && type.kind == FL_TEXT && (strlen(type.s) != n || strncmp(type.s, outer->sub, n) != 0))
		return fl_class_by_name(type.s);
	return fl_class_by_name(outer->sub);
}

/* The text config under this attribute of c; false when there is none, or what stands there is no config. *made is cleared
 * when it is a plain dict that only gets its class from SGLang. */
bool fl_sub_conf(const struct fl_conf *c, enum fl_key attr, struct fl_conf *out, bool *present)
{
	bool made = c->cls != NULL && c->cls->sub_key == attr;
	struct fl_value own = fl_json(c->own, fl_key_name(attr)), over = fl_json(c->over, fl_key_name(attr));

	*out = (struct fl_conf) { .own = NULL };
	*present = made || own.kind != FL_ABSENT || over.kind != FL_ABSENT;
	if (!*present)
		return false;
	if (own.kind == FL_DICT)
		out->own = own.j;
	else if (!made || own.kind > FL_NONE)
		return false;
	else if (c->cls->flags & FL_SUB_FLAT)
		out->own = c->own;
	if (over.kind == FL_DICT)
		out->over = over.j;
	else if (over.kind != FL_ABSENT)
		return false;
	if (made)
		out->cls = sub_class(c->cls, own.kind == FL_DICT ? own.j : NULL);
	else if (c->typed && fl_json(out->own, "model_type").kind == FL_TEXT)
		out->cls = fl_class_by_name(fl_json(out->own, "model_type").s);
	fl_construct(out);
	return true;
}

/* A sub-config without a dtype of its own has its parent's. */
static void inherit_dtype(const struct fl_conf *parent, struct fl_conf *c)
{
	if (fl_get(c, K_dtype).kind <= FL_NONE && fl_get(c, K_torch_dtype).kind <= FL_NONE) {
		struct fl_value v = fl_get(parent, K_dtype);

		if (v.kind <= FL_NONE)
			v = fl_get(parent, K_torch_dtype);
		if (v.kind > FL_NONE)
			fl_put(c, K_dtype, v, false);
	}
}

static bool is_llava(const struct fl_model *m)
{
	static const char end[] = "ForCausalLM";
	size_t n;

	if (m->name_count == 0 || strncmp(m->names[0], "Llava", 5) != 0)
		return false;
	n = strlen(m->names[0]);
	return n >= sizeof end - 1 && strcmp(m->names[0] + n - (sizeof end - 1), end) == 0;
}

static void use_outer(struct fl_model *m)
{
	m->text = &m->outer;
	fl_put(&m->outer, K_dtype, (struct fl_value) { .kind = FL_TEXT, .s = "float16" }, true);
}

/* Finds the part that describes the language model. false: that cannot be told. */
static bool find_text(struct fl_model *m)
{
	static const enum fl_key order[] = { K_llm_config, K_language_config, K_text_config };
	bool present;

	m->text = &m->outer;
	if (is_llava(m)) {
		use_outer(m);
		return true;
	}
	if (fl_sub_conf(&m->outer, K_thinker_config, &m->mid, &present)) {
		inherit_dtype(&m->outer, &m->mid);
		m->text = &m->mid;
		if (fl_sub_conf(&m->mid, K_text_config, &m->text_conf, &present)) {
			inherit_dtype(&m->mid, &m->text_conf);
			m->text = &m->text_conf;
		}
		return !(present && m->text == &m->mid);
	}
	if (present)
		return false;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		if (fl_sub_conf(&m->outer, order[i], &m->text_conf, &present)) {
			inherit_dtype(&m->outer, &m->text_conf);
			m->text = &m->text_conf;
			return true;
		}
		if (present)
			return false;
	}
	return true;
}

/* Gemma 4 gives the sizes of the layers with a window, and those of the others as global_…; SGLang wants it the other way. */
static void swap_gemma4(struct fl_model *m)
{
	struct fl_value type = fl_json(m->root, "model_type"), v;
	struct fl_conf *t = m->text;

	if (!fl_is_text(type, "gemma4") && !fl_is_text(type, "gemma4_assistant") && !fl_is_text(type, "gemma4_unified") &&
	    !fl_is_text(type, "gemma4_unified_assistant"))
		return;
	fl_put(t, K_swa_head_dim, fl_get(t, K_head_dim), false);
	fl_put(t, K_swa_v_head_dim, fl_get(t, K_head_dim), false);
	fl_put(t, K_swa_num_key_value_heads, fl_get(t, K_num_key_value_heads), false);
	v = fl_get(t, K_global_head_dim);
	if (v.kind > FL_NONE)
		fl_put(t, K_head_dim, v, false);
	v = fl_get(t, K_num_global_key_value_heads);
	if (v.kind > FL_NONE)
		fl_put(t, K_num_key_value_heads, v, false);
	if (fl_get(t, K_v_head_dim).kind == FL_ABSENT)
		fl_put(t, K_v_head_dim, fl_get(t, K_head_dim), false);
}

static void force_arch(struct fl_model *m, const char *name)
{
	m->names[0] = name;
	m->name_count = 1;
}

/* DeepSeek-OCR comes as deepseek_vl_v2; only its auto_map tells. A v_head_dim of 0 means the usual one. */
static bool apply_ocr(struct fl_model *m)
{
	if (!is_ocr(&m->outer, "modeling_deepseekocr.DeepseekOCRForCausalLM") &&
	    !is_ocr(&m->outer, "modeling_deepseekocr2.DeepseekOCR2ForCausalLM"))
		return false;
	if (m->outer.cls == NULL || !(m->outer.cls->flags & FL_RELOADED))
		return false;
	if (m->text != &m->outer && fl_get(m->text, K_v_head_dim).kind == FL_INT && fl_get(m->text, K_v_head_dim).i == 0)
		fl_put_int(m->text, K_v_head_dim, 128, false);
	return true;
}

/* LongCat's class renames the architecture only when the file names no other model_type. */
static bool keeps_names(const struct fl_model *m)
{
	struct fl_value type = fl_json(m->root, "model_type");

	return strcmp(m->outer.cls->name, "longcat_flash") == 0 && type.kind != FL_ABSENT && !fl_is_text(type, "longcat_flash");
}

static void rename_olmo3(struct fl_model *m)
{
	size_t at = 0;

	if (m->outer.cls == NULL || m->outer.cls->quirk != FL_OLMO3)
		return;
	if (fl_json(m->root, "architectures").kind == FL_ABSENT)
		force_arch(m, "Olmo2ForCausalLM");
	if (!fl_names_have(m, "Olmo3ForCausalLM"))
		return;
	while (strcmp(m->names[at], "Olmo3ForCausalLM") != 0)
		at++;
	for (; at + 1 < m->name_count; at++)
		m->names[at] = m->names[at + 1];
	m->names[at] = "Olmo2ForCausalLM";
}

/* transformers' objects get the attributes of the text config that they lack; SGLang's own classes, loaded afterwards, do not. */
static void take_over(struct fl_model *m)
{
	const struct fl_class *cls = m->outer.cls;
	struct fl_value q;

	if (m->text == &m->outer)
		return;
	if (cls == NULL || !(cls->flags & FL_RELOADED) || cls->quirk == FL_INTERNVL_CHAT) {
		m->loaded = *m->text;
		m->loaded.over = NULL;
		m->outer.taken = &m->loaded;
	} else if (cls->quirk == FL_KIMI_VL) {
		q = fl_get(m->text, K_quantization_config);
		if (q.kind > FL_NONE)
			fl_put(&m->outer, K_quantization_config, q, false);
	}
}

/* Sets up the objects and the architectures; false when the file does not say enough to go on. */
bool fl_build(struct fl_model *m)
{
	struct fl_value over = fl_json(m->over, "architectures");

	m->outer = (struct fl_conf) { .own = m->root, .over = m->over, .cls = outer_class(m), .typed = m->native };
	fl_construct(&m->outer);
	if (!list_names(m, fl_json(m->root, "architectures")))
		m->name_count = 0;
	if (m->outer.cls != NULL && m->outer.cls->arch != NULL && !keeps_names(m))
		force_arch(m, m->outer.cls->arch);
	rename_olmo3(m);
	if (!find_text(m))
		return false;
	take_over(m);
	swap_gemma4(m);
	if (apply_ocr(m))
		force_arch(m, "DeepseekOCRForCausalLM");
	if (over.kind == FL_ABSENT)
		return true;
	if (!list_names(m, over))
		return false;
	if (is_llava(m)) /* its text part counts no more */
		use_outer(m);
	return true;
}

/* ---- a draft model ------------------------------------------------------------------------------------------------- */

bool fl_bundles_dspark(const struct fl_conf *c)
{
	static const enum fl_key keys[] = { K_dspark_block_size, K_dspark_markov_rank, K_dspark_noise_token_id, K_dspark_target_layer_ids };

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (fl_get(c, keys[i]).kind > FL_NONE)
			return true;
	return false;
}

void fl_remap_draft(struct fl_model *m)
{
	const struct fl_arch *a = m->name_count > 0 ? fl_arch_by_name(m->names[0]) : NULL;
	const char *algorithm = m->settings.speculative_algorithm;

	if (a == NULL || a->draft == NULL)
		return;
	if (a->mla == FL_MHA_DSV4 && fl_bundles_dspark(&m->outer) && (algorithm[0] == '\0' || strcmp(algorithm, "DSPARK") == 0)) {
		m->names[0] = "DeepseekV4ForCausalLMDSpark";
		return;
	}
	if (strcmp(m->names[0], "LongcatFlashForCausalLM") == 0)
		fl_put(&m->outer, K_num_hidden_layers, fl_get(&m->outer, K_num_nextn_predict_layers), true);
	if (strcmp(m->names[0], "Step3p7ForConditionalGeneration") == 0 && m->text != &m->outer) {
		m->outer = m->text_conf;
		m->text = &m->outer;
	}
	if (a->flags & FL_A_NEXTN_ONE) {
		fl_put_int(&m->outer, K_num_nextn_predict_layers, 1, true);
		if (m->text != &m->outer && strncmp(a->draft, "Qwen3_5", 7) == 0)
			fl_put_int(m->text, K_num_nextn_predict_layers, 1, true);
	}
	if (strcmp(m->names[0], "InternS2MobiusForConditionalGeneration") == 0)
		fl_put(m->text, K_num_experts, fl_get(m->text, K_mtp_num_experts), true);
	m->names[0] = a->draft;
}
