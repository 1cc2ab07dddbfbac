/*
 * From a config to the traits of the model: what SGLang's ModelConfig makes of it, in its order. Where it reads an attribute
 * that is not there it raises; that is noted in config_error when the class of the config is one we know, for then nobody else
 * can have put the attribute there. A value of a kind that was not expected leaves its trait unknown.
 */
#include "files.h"

#include <string.h>

enum fl_swa fl_swa_rule(const struct fl_model *m)
{
	enum fl_swa best = FL_NO_SWA;

	for (size_t i = 0; i < m->name_count; i++) {
		const struct fl_arch *a = fl_arch_by_name(m->names[i]);

		if (a != NULL && a->swa != FL_NO_SWA && (best == FL_NO_SWA || a->swa < best))
			best = (enum fl_swa)a->swa;
	}
	return best;
}

static bool is_hybrid_swa(const struct fl_model *m, bool *by_name)
{
	enum fl_swa rule = fl_swa_rule(m);

	*by_name = rule != FL_NO_SWA;
	if (*by_name && fl_names_have(m, "LagunaForCausalLM") && !fl_truthy(fl_get(m->text, K_sliding_window)))
		return false;
	return *by_name || fl_truthy(fl_get(m->text, K_is_hybrid_swa));
}

static bool has_mamba_layer(const struct fl_conf *c)
{
	struct fl_value types = fl_get(c, K_layer_types);

	if (types.kind <= FL_NONE)
		return true;
	for (size_t i = 0; i < fl_list_length(types); i++)
		if (fl_is_text(fl_json_value(json_object_array_get_idx(types.j, i)), "mamba"))
			return true;
	return false;
}

static bool has_letter_m(struct fl_value pattern, struct fl_value list)
{
	if (list.kind == FL_LIST)
		for (size_t i = 0; i < fl_list_length(list); i++)
			if (fl_is_text(fl_json_value(json_object_array_get_idx(list.j, i)), "mamba"))
				return true;
	return pattern.kind == FL_TEXT && strchr(pattern.s, 'M') != NULL;
}

/* The config class decides, and so model_type, not the architecture. */
static const char *mamba_kind(const struct fl_model *m)
{
	static const char *const names[] = { "none", "mamba2", "gdn", "kda", "lightning", "short_conv", "sconv", "cca_conv" };
	const struct fl_class *outer = m->outer.cls, *sub = NULL;
	enum fl_mamba kind = outer != NULL ? (enum fl_mamba)outer->mamba : FL_NO_MAMBA;
	struct fl_conf text;
	bool present;

	if (fl_sub_conf(&m->outer, K_text_config, &text, &present))
		sub = text.cls;
	if (outer != NULL && outer->quirk == FL_NEMOTRON_H && m->settings.draft &&
	    !has_letter_m(fl_get(&m->outer, K_mtp_hybrid_override_pattern), fl_get(&m->outer, K_mtp_layers_block_type)))
		kind = FL_NO_MAMBA;
	if (outer != NULL && outer->quirk == FL_PUZZLE && m->settings.draft &&
	    !has_letter_m(fl_get(&m->outer, K_mtp_hybrid_override_pattern), fl_get(&m->outer, K_mtp_layers_block_type)))
		kind = FL_NO_MAMBA;
	if (outer != NULL && outer->quirk == FL_GRANITE && !has_mamba_layer(&m->outer))
		kind = FL_NO_MAMBA;
	if (kind == FL_GDN && sub != NULL)
		kind = FL_NO_MAMBA;
	if (kind == FL_NO_MAMBA && sub != NULL && (sub->mamba == FL_GDN || sub->mamba == FL_KDA))
		kind = (enum fl_mamba)sub->mamba;
	return names[kind];
}

static bool has_attribute(const struct fl_conf *c, enum fl_key key)
{
	return fl_get(c, key).kind != FL_ABSENT;
}

static void derive_multimodal(struct fl_model *m, struct fl_traits *t)
{
	uint32_t first = fl_first_flags(m), any = fl_any_flag(m);
	bool on = m->settings.enable_multimodal != 0, vision = has_attribute(&m->outer, K_vision_config),
	     audio = has_attribute(&m->outer, K_audio_config), lm_only = fl_truthy(fl_get(&m->outer, K_language_model_only));
	bool named = (any & FL_A_MULTIMODAL) != 0;

	if (m->settings.enable_multimodal < 0) {
		if (first & FL_A_MM_OFF && !m->settings.implementation_is_transformers)
			on = false;
		else if (m->name_count > 0 && strcmp(m->names[0], "MiMoV2ForCausalLM") == 0 && !(vision && audio))
			on = false;
		else
			on = true;
	}
	t->is_multimodal = fl_number(on && !lm_only && (named || m->text != &m->outer ||
		(m->settings.implementation_is_transformers && (vision || audio))));
	t->is_audio = fl_number(on && any & FL_A_AUDIO);
	t->has_vision_config = fl_number(fl_get(&m->outer, K_vision_config).kind > FL_NONE);
	t->has_audio_config = fl_number(audio);
	t->is_encoder_decoder = fl_number((any & FL_A_ENCODER_DECODER) != 0);
}

static void derive_generation(struct fl_model *m, struct fl_traits *t)
{
	uint32_t any = fl_any_flag(m);
	bool gemma = fl_is_text(fl_model_type(m->text), "gemma3_text") && fl_truthy(fl_get(m->text, K_use_bidirectional_attention));

	t->is_embedding_gemma = fl_number(gemma);
	t->is_generation = fl_number(!gemma && !(any & FL_A_NO_GENERATION) && !m->settings.is_embedding);
	t->auto_enable_embedding = fl_number(gemma || (any & FL_A_AUTO_EMBEDDING && !(any & FL_A_CLASSIFIES)));
}

/* Models with windows list the kinds of their layers; a class may leave the list None. */
static void check_layer_types(struct fl_model *m)
{
	enum fl_swa rule = fl_swa_rule(m);

	if ((rule == FL_SWA_STEP || rule == FL_SWA_TYPES) && m->text->cls != NULL && m->text->cls->quirk == FL_PLAIN &&
	    fl_get(m->text, K_layer_types).kind == FL_NONE)
		fl_raises(m, "TypeError");
}

static void derive_window(struct fl_model *m, struct fl_traits *t)
{
	static const enum fl_key order[] = { K_sliding_window_size, K_sliding_window, K_window_size };
	struct fl_value v = { .kind = FL_ABSENT };
	bool by_name;

	for (size_t i = 0; i < sizeof order / sizeof order[0] && v.kind <= FL_NONE; i++)
		v = fl_get(m->text, order[i]);
	t->sliding_window = fl_whole(v);
	t->sliding_window_pattern = fl_whole(fl_get(&m->outer, K_sliding_window_pattern));
	t->is_hybrid_swa = fl_number(is_hybrid_swa(m, &by_name));
	check_layer_types(m);
	t->is_hybrid_swa_compress = fl_number((fl_first_flags(m) & FL_A_COMPRESS) != 0);
	t->has_attention_sinks = fl_number(fl_any_flag(m) & FL_A_SINKS ||
		(fl_any_flag(m) & FL_A_SINKS_IF && (fl_truthy(fl_get(m->text, K_add_swa_attention_sink_bias)) ||
						 fl_truthy(fl_get(m->text, K_add_full_attention_sink_bias)))));
}

/* The pattern of layers that share the indexer's choice: a text, or a list of letters. */
static void derive_topk_pattern(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value v = fl_get(&m->outer, K_index_topk_pattern);
	size_t n = fl_list_length(v), at = 0;

	if (v.kind != FL_LIST) {
		t->index_topk_pattern = fl_words(v);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct fl_value letter = fl_json_value(json_object_array_get_idx(v.j, i));

		if (letter.kind != FL_TEXT || at + strlen(letter.s) + 1 > sizeof m->pattern)
			return;
		memcpy(m->pattern + at, letter.s, strlen(letter.s));
		at += strlen(letter.s);
	}
	m->pattern[at] = '\0';
	t->index_topk_pattern = fl_text(m->pattern);
}

static void derive_dsa(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value freq = fl_get(&m->outer, K_index_topk_freq);

	t->is_dsa = fl_number(fl_first_flags(m) & FL_A_DSA && fl_get(&m->outer, K_index_topk).kind > FL_NONE);
	t->is_dsv4 = fl_number((fl_first_flags(m) & FL_A_DSV4) != 0);
	t->index_topk = fl_whole(fl_get(&m->outer, K_index_topk));
	t->index_topk_freq = fl_truthy(freq) ? fl_whole(freq) : fl_number(1);
	derive_topk_pattern(m, t);
}

static struct fl_value sparse_config(const struct fl_model *m)
{
	struct fl_value v = { .kind = FL_ABSENT };
	struct fl_conf sub;
	bool present;

	if (fl_sub_conf(&m->outer, K_text_config, &sub, &present))
		v = fl_get(&sub, K_sparse_attention_config);
	return v.kind > FL_NONE ? v : fl_get(&m->outer, K_sparse_attention_config);
}

/* MiniMax M3: does any sparse layer keep its index values? Those have no place in the PD transfer. */
static void derive_sparse(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value config, freq, off;

	t->is_minimax_sparse = fl_number((fl_first_flags(m) & FL_A_MINIMAX_SPARSE) != 0);
	t->has_minimax_index_value = fl_none();
	if (t->is_minimax_sparse.i == 0)
		return;
	t->has_minimax_index_value = fl_unknown();
	config = sparse_config(m);
	freq = fl_json(config.kind == FL_DICT ? config.j : NULL, "sparse_attention_freq");
	off = fl_json(config.kind == FL_DICT ? config.j : NULL, "sparse_disable_index_value");
	if (freq.kind != FL_LIST || (off.kind > FL_NONE && off.kind != FL_LIST))
		return;
	t->has_minimax_index_value = fl_number(0);
	for (size_t i = 0; i < fl_list_length(freq); i++) {
		if (!fl_truthy(fl_json_value(json_object_array_get_idx(freq.j, i))))
			continue;
		if (i >= fl_list_length(off) || !fl_truthy(fl_json_value(json_object_array_get_idx(off.j, i))))
			t->has_minimax_index_value = fl_number(1);
	}
}

/* The tower that looks at images; SGLang reads its size to leave memory for it. */
static void derive_vision(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value own = fl_get(&m->outer, K_vision_config), type;
	struct fl_conf v = { .own = own.kind == FL_DICT ? own.j : NULL };
	const struct fl_class *cls = m->outer.cls;

	t->vision_num_hidden_layers = t->vision_hidden_size = fl_none();
	if (fl_names_have(m, "Phi4MMForCausalLM")) { /* SGLang puts one in */
		t->has_vision_config = fl_number(1);
		t->vision_num_hidden_layers = fl_number(26);
		t->vision_hidden_size = fl_number(1152);
		return;
	}
	if (own.kind <= FL_NONE || (cls != NULL && cls->vision == NULL)) /* none, or a dict, which has no attributes */
		return;
	type = fl_json(v.own, "model_type");
	if (cls != NULL && cls->flags & FL_VISION_BY_TYPE && type.kind == FL_TEXT)
		v.cls = fl_class_by_name(type.s);
	else if (cls != NULL && (v.own != NULL || !(cls->flags & FL_VISION_BY_TYPE)))
		v.cls = fl_class_by_name(cls->vision);
	if (v.cls == NULL) {
		t->vision_num_hidden_layers = t->vision_hidden_size = fl_unknown();
		return;
	}
	t->vision_num_hidden_layers = fl_whole(fl_get(&v, K_num_hidden_layers));
	t->vision_hidden_size = fl_whole(fl_get(&v, K_hidden_size));
}

/* The heads of the linear-attention layers. */
static struct fl_trait mamba_heads(const struct fl_conf *c)
{
	static const enum fl_key names[] = { K_mamba_num_heads, K_mamba_n_heads, K_linear_num_value_heads, K_num_linear_key_value_heads };
	struct fl_value v = fl_get(c, K_linear_attn_config);

	if (v.kind == FL_DICT)
		return fl_whole(fl_json(v.j, "num_heads"));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		v = fl_get(c, names[i]);
		if (v.kind > FL_NONE)
			return fl_whole(v);
	}
	v = fl_get(c, K_efficient_attention_config);
	v = fl_json(v.kind == FL_DICT ? v.j : NULL, "jet");
	v = fl_json(v.kind == FL_DICT ? v.j : NULL, "num_heads");
	return v.kind > FL_NONE ? fl_whole(v) : fl_unknown();
}

static void derive_mamba(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value chunk = fl_get(&m->outer, K_mamba_chunk_size), dtype = { .kind = FL_ABSENT };
	struct fl_conf sub;
	bool present;
	const struct fl_class *cls = m->outer.cls;

	t->mamba_kind = fl_text(mamba_kind(m));
	/* LFM2 and Zaya compute theirs; 64 is what SGLang takes where a config has none */
	if (cls != NULL && (cls->mamba == FL_SHORT_CONV || cls->mamba == FL_CCA_CONV))
		t->mamba_chunk_size = fl_number(1);
	else
		t->mamba_chunk_size = chunk.kind == FL_ABSENT || (cls != NULL && cls->mamba == FL_SCONV) ? fl_number(64) : fl_whole(chunk);
	if (fl_sub_conf(&m->outer, K_text_config, &sub, &present))
		dtype = fl_get(&sub, K_mamba_ssm_dtype);
	if (dtype.kind == FL_ABSENT)
		dtype = fl_get(&m->outer, K_mamba_ssm_dtype);
	t->mamba_ssm_dtype = fl_words(dtype);
	t->mamba_num_heads = fl_none();
	if (strcmp(t->mamba_kind.s, "none") != 0 && strcmp(t->mamba_kind.s, "short_conv") != 0 && strcmp(t->mamba_kind.s, "sconv") != 0)
		t->mamba_num_heads = mamba_heads(m->text);
}

static void derive_small(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value type = fl_get(&m->outer, K_model_type), prefix = fl_get(&m->outer, K_prefix_lm), kv;
	const struct fl_arch *a = fl_first_arch(m);
	struct fl_conf sub;
	bool present;

	t->moe_intermediate_size = fl_whole(fl_get(m->text, K_moe_intermediate_size));
	t->n_routed_experts = fl_whole(fl_get(m->text, K_n_routed_experts));
	t->num_experts = fl_whole(fl_get(m->text, K_num_experts));
	t->attention_projection_layout = fl_words(fl_get(&m->outer, K_attention_projection_layout));
	t->mlp_hidden_act = fl_words(fl_get(&m->outer, K_mlp_hidden_act));
	t->has_dual_chunk_attention = fl_number(fl_get(&m->outer, K_dual_chunk_attention_config).kind > FL_NONE);
	t->is_prefix_lm = fl_number((fl_is_text(type, "hrm_text") || fl_names_have(m, "HrmTextForCausalLM")) &&
		(prefix.kind == FL_ABSENT || fl_truthy(prefix)));
	t->dllm_block_size = a != NULL && a->dllm_block != 0 ? fl_number(a->dllm_block) : fl_none();
	t->bundles_dspark_draft = fl_number(fl_bundles_dspark(&m->outer));
	t->dspark_block_size = fl_whole(fl_get(&m->outer, K_dspark_block_size));
	if (a != NULL && !(a->flags & (FL_A_UNKNOWN | FL_A_PP_UNSURE)) && !m->settings.implementation_is_transformers)
		t->supports_pp = fl_number(!(a->flags & FL_A_NO_PP));
	if (a != NULL && !(a->flags & FL_A_UNKNOWN))
		t->supports_cuda_vmm = fl_number((a->flags & FL_A_CUDA_VMM) != 0);
	kv = fl_get(&m->outer, K_num_key_value_heads);
	if (kv.kind <= FL_NONE && fl_sub_conf(&m->outer, K_text_config, &sub, &present))
		kv = fl_get(&sub, K_num_key_value_heads);
	t->num_key_value_heads = fl_whole(kv);
}

static void derive_names(struct fl_model *m, struct fl_traits *t)
{
	t->arch = fl_text(m->names[0]);
	t->architectures = fl_list(m->names, m->name_count);
	t->model_type = fl_words(fl_model_type(&m->outer));
}

/* A draft's own facts, which are read from its config before the draft's name is changed. */
static void derive_draft(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value flash = fl_get(&m->outer, K_dflash_config), spark = fl_get(&m->outer, K_dspark_config), size, types, layers;
	size_t sliding = 0, n;

	t->draft_is_causal = fl_number(fl_get(m->text, K_is_causal).kind == FL_BOOL && fl_get(m->text, K_is_causal).i != 0);
	types = fl_get(m->text, K_layer_types);
	layers = fl_get(m->text, K_num_hidden_layers);
	n = fl_list_length(types);
	for (size_t i = 0; i < n; i++)
		sliding += fl_is_text(fl_json_value(json_object_array_get_idx(types.j, i)), "sliding_attention");
	t->draft_all_sliding = fl_number(n > 0 && sliding == n && layers.kind == FL_INT && (size_t)layers.i == n);
	size = fl_get(&m->outer, K_dspark_block_size);
	if (size.kind <= FL_NONE)
		size = fl_json(spark.kind == FL_DICT ? spark.j : NULL, "block_size");
	if (size.kind <= FL_NONE)
		size = fl_json(flash.kind == FL_DICT ? flash.j : NULL, "block_size");
	if (size.kind <= FL_NONE)
		size = fl_get(&m->outer, K_block_size);
	t->draft_block_size = fl_whole(size);
}

static void copy_to_draft(struct fl_model *m, struct fl_traits *t)
{
	t->draft_arch = t->arch;
	t->draft_architectures = fl_list(m->raw_names, m->raw_count);
	t->draft_model_type = t->model_type;
	t->draft_num_hidden_layers = t->num_hidden_layers;
	t->draft_num_attention_heads = t->num_attention_heads;
	t->draft_hidden_size = t->hidden_size;
	t->draft_vocab_size = t->vocab_size;
	t->draft_is_mla = t->is_mla;
	t->draft_is_hybrid_swa = t->is_hybrid_swa;
	t->draft_is_dsa = t->is_dsa;
	t->draft_is_dsv4 = t->is_dsv4;
	t->draft_mamba_kind = t->mamba_kind;
	t->draft_quant_method = t->quant_method;
	t->draft_context_len = t->context_len;
	t->draft_num_nextn_predict_layers = t->num_nextn_predict_layers;
}

void fl_derive(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value archs;

	memset(t, 0, sizeof *t);
	m->error = m->load_error;
	if (m->settings.unsure || !fl_build(m))
		return;
	archs = fl_json(m->over, "architectures");
	if (archs.kind == FL_ABSENT)
		archs = fl_json(m->root, "architectures");
	if (m->name_count == 0) {
		/* SGLang looks at the first one without asking whether there is any */
		if (archs.kind <= FL_NONE || (archs.kind == FL_LIST && fl_list_length(archs) == 0)) {
			fl_raises(m, archs.kind <= FL_NONE ? "TypeError" : "IndexError");
			t->config_error = fl_text(m->error);
		}
		return;
	}
	if (m->settings.draft) {
		memcpy(m->raw_names, m->names, sizeof m->raw_names);
		m->raw_count = m->name_count;
		derive_draft(m, t);
		fl_remap_draft(m);
	}
	derive_names(m, t);
	derive_multimodal(m, t);
	derive_generation(m, t);
	fl_derive_dtype(m, t);
	fl_derive_context(m, t);
	fl_derive_shapes(m, t);
	derive_window(m, t);
	derive_dsa(m, t);
	derive_sparse(m, t);
	derive_mamba(m, t);
	derive_vision(m, t);
	derive_small(m, t);
	fl_derive_quant(m, t);
	t->config_error = m->error != NULL ? fl_text(m->error) : fl_none();
	if (m->settings.draft)
		copy_to_draft(m, t);
}
