/*
 * Sizes: the attention family and its head sizes, heads, layers, context length and dtype.
 */
#include "files.h"

#include <string.h>

/* The attention family: the first of the groups that any of the names is in. */
static enum fl_mla mla_group(const struct fl_model *m)
{
	enum fl_mla best = FL_NO_MLA;

	for (size_t i = 0; i < m->name_count; i++) {
		const struct fl_arch *a = fl_arch_by_name(m->names[i]);
		enum fl_mla g = a == NULL ? FL_NO_MLA : (enum fl_mla)a->mla;

		if (g == FL_MLA_PIXTRAL)
			g = fl_get(m->text, K_kv_lora_rank).kind > FL_NONE ? FL_MLA_DEEPSEEK : FL_NO_MLA;
		if (g == FL_MLA_VL2) {
			struct fl_value use = fl_get(m->text, K_use_mla);

			g = use.kind == FL_ABSENT || fl_truthy(use) ? g : FL_NO_MLA;
		}
		if (g != FL_NO_MLA && (best == FL_NO_MLA || g < best))
			best = g;
	}
	return best;
}

/* ---- sizes --------------------------------------------------------------------------------------------------------- */

/* hidden_size // num_attention_heads where head_dim is not given. */
static void put_head_dim(struct fl_model *m)
{
	struct fl_value hidden, heads;

	if (fl_get(m->text, K_head_dim).kind > FL_NONE)
		return;
	hidden = fl_need(m, m->text, K_hidden_size);
	heads = fl_need(m, m->text, K_num_attention_heads);
	if (hidden.kind != FL_INT || heads.kind != FL_INT) {
		fl_put(m->text, K_head_dim, (struct fl_value) { .kind = FL_OTHER }, true);
		return;
	}
	if (heads.i == 0)
		fl_raises(m, "ZeroDivisionError");
	if (heads.i <= 0 || hidden.i < 0)
		fl_put(m->text, K_head_dim, (struct fl_value) { .kind = FL_OTHER }, true);
	else
		fl_put_int(m->text, K_head_dim, hidden.i / heads.i, true);
}

static void put_default(struct fl_conf *c, enum fl_key to, enum fl_key from)
{
	if (fl_get(c, to).kind <= FL_NONE)
		fl_put(c, to, fl_get(c, from), true);
}

static void derive_head_sizes(struct fl_model *m, struct fl_traits *t)
{
	put_head_dim(m);
	put_default(m->text, K_v_head_dim, K_head_dim);
	put_default(m->text, K_swa_head_dim, K_head_dim);
	put_default(m->text, K_swa_v_head_dim, K_swa_head_dim);
	t->head_dim = fl_whole(fl_get(m->text, K_head_dim));
	t->v_head_dim = fl_whole(fl_get(m->text, K_v_head_dim));
	t->swa_head_dim = fl_whole(fl_get(m->text, K_swa_head_dim));
	t->swa_v_head_dim = fl_whole(fl_get(m->text, K_swa_v_head_dim));
}

static void derive_mla_sizes(struct fl_model *m, struct fl_traits *t, const struct fl_conf *c, bool nope, bool v)
{
	t->kv_lora_rank = fl_whole(fl_need(m, c, K_kv_lora_rank));
	t->qk_rope_head_dim = fl_whole(fl_need(m, c, K_qk_rope_head_dim));
	if (nope)
		t->qk_nope_head_dim = fl_whole(fl_need(m, c, K_qk_nope_head_dim));
	if (v)
		t->v_head_dim = fl_whole(fl_need(m, c, K_v_head_dim));
}

/* index_topk_… of the text part decides whether the pool keeps the indexer's keys. */
static bool text_is_dsa(struct fl_model *m)
{
	struct fl_value archs = m->text == &m->outer ? (struct fl_value) { .kind = FL_ABSENT } : fl_get(m->text, K_architectures), name;
	const struct fl_arch *a = fl_first_arch(m);

	if (m->text != &m->outer) {
		if (fl_list_length(archs) == 0)
			return false;
		name = fl_json_value(json_object_array_get_idx(archs.j, 0));
		a = name.kind == FL_TEXT ? fl_arch_by_name(name.s) : NULL;
	}
	return a != NULL && a->flags & FL_A_DSA && fl_get(m->text, K_index_topk).kind > FL_NONE;
}

static void derive_dsv4_sizes(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value rope = fl_need(m, &m->outer, K_qk_rope_head_dim), dim = fl_need(m, &m->outer, K_head_dim);

	fl_need(m, &m->outer, K_sliding_window);
	fl_need(m, &m->outer, K_compress_ratios);
	t->qk_rope_head_dim = fl_whole(rope);
	t->index_head_dim = fl_whole(fl_need(m, &m->outer, K_index_head_dim));
	t->head_dim = fl_whole(dim);
	t->v_head_dim = t->head_dim;
	t->qk_nope_head_dim = fl_unknown();
	if (rope.kind == FL_INT && dim.kind == FL_INT && rope.i >= 0 && dim.i >= 0)
		t->qk_nope_head_dim = fl_number(dim.i - rope.i);
}

/* The scale is computed from these two; None has no sum. */
static void check_scale(struct fl_model *m, const struct fl_traits *t, const struct fl_conf *c)
{
	if (c->cls != NULL && (t->qk_nope_head_dim.state == FL_T_NONE || t->qk_rope_head_dim.state == FL_T_NONE))
		fl_raises(m, "TypeError");
}

static void derive_attention(struct fl_model *m, struct fl_traits *t)
{
	enum fl_mla group = mla_group(m);

	t->is_mla = fl_number(group != FL_NO_MLA && group != FL_MHA_DSV4 && group != FL_MHA_GLM_NEXTN);
	t->kv_lora_rank = t->qk_nope_head_dim = t->qk_rope_head_dim = t->index_head_dim = fl_none();
	derive_head_sizes(m, t);
	switch (group) {
	case FL_MLA_DEEPSEEK:
		t->head_dim = fl_number(256);
		derive_mla_sizes(m, t, m->text, true, true);
		if (text_is_dsa(m))
			t->index_head_dim = fl_whole(fl_need(m, m->text, K_index_head_dim));
		check_scale(m, t, m->text);
		break;
	case FL_MHA_DSV4:
		derive_dsv4_sizes(m, t);
		break;
	case FL_MHA_GLM_NEXTN:
		t->v_head_dim = t->head_dim;
		t->swa_v_head_dim = t->swa_head_dim;
		break;
	case FL_MLA_MINICPM3:
		t->head_dim = fl_number(128);
		derive_mla_sizes(m, t, &m->outer, false, false);
		break;
	case FL_MLA_VL2:
		t->head_dim = fl_number(256);
		derive_mla_sizes(m, t, m->text, true, false);
		break;
	case FL_MLA_KIMI_VL:
		t->head_dim = fl_number(256);
		derive_mla_sizes(m, t, m->text, true, true);
		break;
	case FL_MLA_KIMI_LINEAR:
		t->head_dim = fl_number(72);
		derive_mla_sizes(m, t, m->text, true, true);
		check_scale(m, t, m->text);
		break;
	case FL_MLA_BAILING:
		derive_mla_sizes(m, t, m->text, true, false);
		t->v_head_dim = fl_whole(fl_need(m, &m->outer, K_v_head_dim));
		break;
	case FL_MLA_SARVAM:
		derive_mla_sizes(m, t, &m->outer, true, true);
		t->head_dim = fl_unknown();
		if (t->qk_nope_head_dim.state == FL_T_INT && t->qk_rope_head_dim.state == FL_T_INT &&
		    t->qk_nope_head_dim.i < INT32_MAX && t->qk_rope_head_dim.i < INT32_MAX)
			t->head_dim = fl_number(t->qk_nope_head_dim.i + t->qk_rope_head_dim.i);
		break;
	case FL_NO_MLA:
	case FL_MLA_PIXTRAL:
		break;
	}
}

static bool multiply(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

static void derive_layers_count(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value layers = fl_need(m, m->text, K_num_hidden_layers);
	int64_t n, factor = 1, encoder = 0, decoder;

	t->num_hidden_layers = fl_whole(layers);
	t->num_attention_layers = t->num_hidden_layers;
	if (layers.kind != FL_INT)
		return;
	n = layers.i;
	if (fl_names_have(m, "LongcatFlashForCausalLM"))
		factor = 2;
	if (fl_names_have(m, "IQuestLoopCoderForCausalLM")) {
		struct fl_value loop = fl_get(m->text, K_loop_num);

		if (loop.kind != FL_ABSENT && !fl_counts(loop, &factor))
			factor = -1;
	}
	if (fl_names_have(m, "WhisperForConditionalGeneration")) {
		decoder = n;
		fl_counts(fl_get(m->text, K_encoder_layers), &encoder);
		fl_counts(fl_get(m->text, K_decoder_layers), &decoder);
		if (encoder >= 0 && encoder < INT32_MAX && decoder >= 0 && decoder < INT32_MAX)
			t->num_attention_layers = fl_number(encoder + 2 * decoder);
		return;
	}
	t->num_attention_layers = fl_unknown();
	if (factor >= 0 && multiply(n, factor, &n))
		t->num_attention_layers = fl_number(n);
}

static void derive_spec_hidden_size(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value hc = fl_get(m->text, K_hc_mult);
	int64_t n = 1, product;

	t->spec_hidden_size = t->hidden_size;
	if (hc.kind == FL_ABSENT || t->hidden_size.state != FL_T_INT)
		return;
	if (!fl_counts(hc, &n) || !multiply(t->hidden_size.i, n, &product))
		t->spec_hidden_size = fl_unknown();
	else if (n > 1)
		t->spec_hidden_size = fl_number(product);
}

/* The old DeciLM: each layer's block says how many heads share a key. All must agree. */
static struct fl_trait nas_kv_heads(const struct fl_model *m)
{
	struct fl_value blocks = fl_get(&m->outer, K_block_configs);
	int64_t heads, group, found = -1;

	if (!fl_counts(fl_get(&m->outer, K_num_attention_heads), &heads))
		return fl_unknown();
	for (size_t i = 0; i < fl_list_length(blocks); i++) {
		struct fl_value attention = fl_json(json_object_array_get_idx(blocks.j, i), "attention");

		if (attention.kind != FL_DICT)
			return fl_unknown();
		if (fl_truthy(fl_json(attention.j, "no_op")))
			continue;
		if (!fl_counts(fl_json(attention.j, "n_heads_in_group"), &group) || group <= 0 || (found >= 0 && found != heads / group))
			return fl_unknown();
		found = heads / group;
	}
	return found < 0 ? fl_unknown() : fl_number(found);
}

static struct fl_trait total_kv_heads(struct fl_model *m)
{
	static const enum fl_key order[] = { K_n_head_kv, K_num_kv_heads, K_num_key_value_heads, K_multi_query_group_num,
		K_num_attention_groups };
	struct fl_value type = fl_get(&m->outer, K_model_type), attn = fl_get(&m->outer, K_attn_config);
	bool falcon = fl_is_text(type, "falcon") || fl_is_text(type, "RefinedWeb") || fl_is_text(type, "RefinedWebModel");

	if (!(falcon && fl_truthy(fl_get(&m->outer, K_new_decoder_architecture))) && fl_truthy(fl_get(m->text, K_multi_query)))
		return fl_number(1);
	if (fl_is_text(type, "mpt") || fl_is_text(type, "dbrx")) {
		struct fl_value kv = fl_json(attn.kind == FL_DICT ? attn.j : NULL, "kv_n_heads");

		if (kv.kind > FL_NONE)
			return fl_whole(kv);
		return fl_is_text(type, "dbrx") && m->outer.cls != NULL ? fl_number(1) : fl_whole(fl_get(&m->outer, K_num_attention_heads));
	}
	if (fl_is_text(type, "nemotron-nas"))
		return nas_kv_heads(m);
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		struct fl_value v = fl_get(m->text, order[i]);

		if (v.kind > FL_NONE)
			return fl_whole(v);
	}
	return fl_whole(fl_get(m->text, K_num_attention_heads));
}

static struct fl_trait at_least_one(struct fl_trait t)
{
	if (t.state == FL_T_INT && t.i < 1)
		t.i = 1;
	return t.state == FL_T_NONE ? fl_unknown() : t;
}

static void derive_kv_heads(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value swa = fl_get(m->text, K_swa_num_key_value_heads), other = fl_get(m->text, K_attention_other_setting);

	t->total_num_kv_heads = total_kv_heads(m);
	if (swa.kind != FL_ABSENT)
		t->swa_num_kv_heads = at_least_one(fl_whole(swa));
	else if (other.kind != FL_ABSENT)
		t->swa_num_kv_heads = at_least_one(fl_whole(other.kind == FL_DICT ? fl_json(other.j, "num_attention_groups") : other));
	else
		t->swa_num_kv_heads = at_least_one(t->total_num_kv_heads);
}

void fl_derive_shapes(struct fl_model *m, struct fl_traits *t)
{
	derive_attention(m, t);
	t->num_attention_heads = fl_whole(fl_need(m, m->text, K_num_attention_heads));
	t->hidden_size = fl_whole(fl_need(m, m->text, K_hidden_size));
	derive_spec_hidden_size(m, t);
	derive_layers_count(m, t);
	t->num_nextn_predict_layers = fl_whole(fl_get(m->text, K_num_nextn_predict_layers));
	t->vocab_size = fl_whole(fl_need(m, m->text, K_vocab_size));
	if (m->name_count > 0 && strcmp(m->names[0], "GlmImageForConditionalGeneration") == 0)
		t->vocab_size = fl_whole(fl_need(m, m->text, K_vision_vocab_size));
	derive_kv_heads(m, t);
}

/* ---- context length, dtype ------------------------------------------------------------------------------------------- */

static bool rope_is_by_layer(struct fl_value rope)
{
	json_object_object_foreach(rope.j, key, value) {
		(void)key;
		if (!json_object_is_type(value, json_type_object))
			return false;
	}
	return json_object_object_length(rope.j) > 0;
}

/* What the positions are stretched by. transformers moves the old rope_scaling into rope_parameters and, for the kinds that
 * need it, adds original_max_position_embeddings; once that is there, SGLang does not multiply. */
static double rope_factor(const struct fl_conf *c, bool *known)
{
	struct fl_value rope = fl_get(c, K_rope_scaling), kind, factor;
	bool plain_object, overridden = fl_json(c->over, "rope_scaling").kind != FL_ABSENT || fl_json(c->over, "rope_parameters").kind != FL_ABSENT;

	*known = true;
	if (!fl_truthy(rope) || (!overridden && c->cls != NULL && c->cls->flags & FL_RAW_ROPE && fl_truthy(fl_get(c, K_rope_parameters))))
		rope = fl_get(c, K_rope_parameters);
	if (rope.kind != FL_DICT) {
		*known = !fl_truthy(rope) || rope.kind == FL_OTHER;
		return 1;
	}
	if ((!overridden && c->cls != NULL && c->cls->flags & FL_NESTED_ROPE) || rope_is_by_layer(rope) ||
	    fl_json(rope.j, "original_max_position_embeddings").kind != FL_ABSENT)
		return 1;
	kind = fl_json(rope.j, "rope_type");
	if (kind.kind == FL_ABSENT)
		kind = fl_json(rope.j, "type");
	plain_object = c->cls == NULL ? fl_get(c, K_rope_theta).kind <= FL_NONE : (c->cls->flags & FL_RAW_ROPE) != 0;
	if (fl_is_text(kind, "llama3") || (!overridden && !plain_object && (fl_is_text(kind, "yarn") || fl_is_text(kind, "longrope"))))
		return 1;
	factor = fl_json(rope.j, "factor");
	if (factor.kind == FL_ABSENT)
		return 1;
	*known = factor.kind == FL_INT || factor.kind == FL_REAL;
	return factor.kind == FL_REAL ? factor.d : (double)factor.i;
}

void fl_derive_context(struct fl_model *m, struct fl_traits *t)
{
	static const enum fl_key order[] = { K_max_sequence_length, K_seq_length, K_max_seq_len, K_model_max_length,
		K_max_position_embeddings };
	struct fl_value v = { .kind = FL_ABSENT };
	bool known;
	double factor = rope_factor(m->text, &known), n;

	for (size_t i = 0; i < sizeof order / sizeof order[0] && v.kind <= FL_NONE; i++)
		v = fl_get(m->text, order[i]);
	if (v.kind <= FL_NONE)
		t->context_len = fl_number(2048);
	if (!known || (v.kind != FL_INT && v.kind != FL_REAL))
		return;
	n = factor * (v.kind == FL_REAL ? v.d : (double)v.i);
	if (n > -9e15 && n < 9e15)
		t->context_len = fl_number((int64_t)n);
}

static const char *torch_dtype(const char *s)
{
	static const char *const names[][2] = { { "half", "float16" }, { "float16", "float16" }, { "float", "float32" },
		{ "float32", "float32" }, { "bfloat16", "bfloat16" } };

	if (strncmp(s, "torch.", 6) == 0)
		s += 6;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(s, names[i][0]) == 0)
			return names[i][1];
	return NULL;
}

void fl_derive_dtype(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value v = fl_get(m->text, K_dtype), type = fl_model_type(m->text);
	const char *own = "float32", *asked = m->settings.dtype;

	if (v.kind <= FL_NONE)
		v = fl_get(m->text, K_torch_dtype);
	if (asked[0] != '\0' && strcmp(asked, "auto") != 0) {
		if (torch_dtype(asked) != NULL)
			t->dtype = fl_text(torch_dtype(asked));
		return;
	}
	if (v.kind > FL_NONE)
		own = v.kind == FL_TEXT ? torch_dtype(v.s) : NULL;
	if (own == NULL)
		return;
	if (strcmp(own, "float32") == 0)
		own = type.kind == FL_TEXT && strncmp(type.s, "gemma", 5) == 0 ? "bfloat16" : "float16";
	t->dtype = fl_text(own);
}
