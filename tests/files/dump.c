/*
 * What the reader makes of a config.json, as a JSON object with the names that expect.jsonl has. The layers with a sliding window are no
 * traits of the library; they are worked out here, from the same config objects, because expect.jsonl lists them.
 */
#include "dump.h"

#include <stdlib.h>
#include <string.h>

struct layers { /* which layers have a sliding window; known only for hybrid models */
	int32_t *swa, *full;
	size_t swa_count, full_count;
	bool known;
};

static bool add_layer(int32_t **list, size_t *count, size_t i)
{
	int32_t *grown = realloc(*list, (*count + 1) * sizeof **list);

	if (grown == NULL)
		return false;
	*list = grown;
	grown[(*count)++] = (int32_t)i;
	return true;
}

static void put_layer(struct layers *out, size_t i, bool swa)
{
	if (swa)
		add_layer(&out->swa, &out->swa_count, i);
	else
		add_layer(&out->full, &out->full_count, i);
}

static void layers_by_types(const struct fl_conf *c, struct layers *out, size_t below)
{
	struct fl_value types = fl_get(c, K_layer_types);

	for (size_t i = 0; i < fl_list_length(types) && i < below; i++) {
		struct fl_value type = fl_json_value(json_object_array_get_idx(types.j, i));

		if (fl_is_text(type, "sliding_attention") || fl_is_text(type, "full_attention"))
			put_layer(out, i, fl_is_text(type, "sliding_attention"));
	}
}

/* Classes that make up the kinds of layers when the file does not list them. */
static bool layers_by_class(const struct fl_conf *c, struct layers *out, size_t n)
{
	enum fl_quirk quirk = c->cls != NULL ? (enum fl_quirk)c->cls->quirk : FL_PLAIN;

	if (fl_truthy(fl_get(c, K_layer_types)) || (quirk != FL_GPT_OSS && quirk != FL_GEMMA4 && quirk != FL_LAGUNA &&
	    quirk != FL_ALL_FULL))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (quirk == FL_GPT_OSS)
			put_layer(out, i, i % 2 == 0);
		else if (quirk == FL_GEMMA4)
			put_layer(out, i, (i + 1) % 6 != 0 && i + 1 != n);
		else
			put_layer(out, i, false);
	}
	return true;
}

static bool listed(struct fl_value list, size_t n)
{
	for (size_t i = 0; i < fl_list_length(list); i++) {
		struct fl_value v = fl_json_value(json_object_array_get_idx(list.j, i));

		if (v.kind == FL_INT && v.i == (int64_t)n)
			return true;
	}
	return false;
}

static void layers_by_pattern(const struct fl_conf *c, struct layers *out, size_t n)
{
	struct fl_value pattern = fl_get(c, K_hybrid_layer_pattern);

	for (size_t i = 0; i < n && i < fl_list_length(pattern); i++) {
		struct fl_value v = fl_json_value(json_object_array_get_idx(pattern.j, i));

		if (v.kind == FL_INT && (v.i == 0 || v.i == 1))
			put_layer(out, i, v.i == 1);
	}
}

static void derive_layers(struct fl_model *m, const struct fl_traits *t, struct layers *out)
{
	size_t n = t->num_hidden_layers.state == FL_T_INT && t->num_hidden_layers.i > 0 && t->num_hidden_layers.i < 100000 ?
		(size_t)t->num_hidden_layers.i : 0;
	enum fl_swa rule = fl_swa_rule(m);

	memset(out, 0, sizeof *out);
	if (t->is_hybrid_swa.state != FL_T_INT || t->is_hybrid_swa.i == 0 || rule == FL_SWA_DSV4 ||
	    (rule == FL_NO_SWA && fl_get(m->text, K_hybrid_layer_pattern).kind <= FL_NONE))
		return;
	out->known = true;
	switch (rule) {
	case FL_SWA_EVERY_FOURTH:
		for (size_t i = 0; i < n; i++)
			put_layer(out, i, (i + 1) % 4 != 0);
		break;
	case FL_SWA_TYPES:
	case FL_SWA_LAGUNA:
		if (!layers_by_class(m->text, out, n))
			layers_by_types(m->text, out, SIZE_MAX);
		break;
	case FL_SWA_STEP:
		layers_by_types(m->text, out, n);
		break;
	case FL_SWA_FIRST:
		put_layer(out, 0, true);
		break;
	case FL_SWA_ALL:
		for (size_t i = 0; i < n; i++)
			put_layer(out, i, true);
		break;
	case FL_SWA_INKLING:
		for (size_t i = 0; i < n; i++)
			put_layer(out, i, listed(fl_get(m->text, K_local_layer_ids), i));
		break;
	case FL_SWA_INKLING_MTP:
		put_layer(out, 0, false);
		break;
	case FL_SWA_PATTERN:
	case FL_NO_SWA:
		layers_by_pattern(m->text, out, n);
		break;
	case FL_SWA_DSV4:
		break;
	}
}

static struct json_object *value(const struct fl_trait *t, bool flag)
{
	struct json_object *list;

	switch (t->state) {
	case FL_T_UNKNOWN:
		return json_object_new_string("?");
	case FL_T_NONE:
		return NULL;
	case FL_T_INT:
		return flag ? json_object_new_boolean(t->i != 0) : json_object_new_int64(t->i);
	case FL_T_TEXT:
		return json_object_new_string(t->s);
	case FL_T_LIST:
		list = json_object_new_array();
		for (size_t i = 0; i < t->count; i++)
			json_object_array_add(list, json_object_new_string(t->list[i]));
		return list;
	}
	return NULL;
}

static void add(struct json_object *out, const char *name, const struct fl_trait *t, bool flag)
{
	json_object_object_add(out, name, value(t, flag));
}

#define SAME(name) add(out, #name, &t->name, false)
#define FLAG(name) add(out, #name, &t->name, true)

static struct json_object *layer_list(const int32_t *list, size_t n, bool known)
{
	struct json_object *out, *first;

	if (!known)
		return NULL;
	out = json_object_new_object();
	first = json_object_new_array();
	for (size_t i = 0; i < n && i < 6; i++)
		json_object_array_add(first, json_object_new_int(list[i]));
	json_object_object_add(out, "n", json_object_new_int64((int64_t)n));
	json_object_object_add(out, "first", first);
	return out;
}

static void add_layers(struct json_object *out, struct fl_model *m, const struct fl_traits *t)
{
	struct layers l;

	derive_layers(m, t, &l);
	json_object_object_add(out, "swa_layer_ids", layer_list(l.swa, l.swa_count, l.known));
	json_object_object_add(out, "full_layer_ids", layer_list(l.full, l.full_count, l.known));
	free(l.swa);
	free(l.full);
}

static void add_sizes(struct json_object *out, const struct fl_traits *t)
{
	struct json_object *swa = json_object_new_array();

	SAME(num_hidden_layers);
	SAME(num_attention_layers);
	SAME(num_attention_heads);
	SAME(total_num_kv_heads);
	SAME(swa_num_kv_heads);
	SAME(head_dim);
	SAME(v_head_dim);
	json_object_array_add(swa, value(&t->swa_head_dim, false));
	json_object_array_add(swa, value(&t->swa_v_head_dim, false));
	json_object_object_add(out, "swa_head_dims", swa);
	SAME(kv_lora_rank);
	SAME(qk_nope_head_dim);
	SAME(qk_rope_head_dim);
	SAME(index_head_dim);
}

/* What the file itself calls the quantization; the trait is what SGLang turns that into. */
static struct json_object *raw_quant_method(const struct fl_model *m)
{
	struct fl_value q = fl_get(&m->outer, K_quantization_config), v;

	v = fl_json(q.kind == FL_DICT ? q.j : NULL, "quant_method");
	if (v.kind <= FL_NONE)
		v = fl_json(q.kind == FL_DICT ? q.j : NULL, "quant_algo");
	return v.kind == FL_TEXT ? json_object_new_string(v.s) : NULL;
}

static bool has_mamba(const struct fl_traits *t)
{
	return t->mamba_kind.state == FL_T_TEXT && strcmp(t->mamba_kind.s, "none") != 0;
}

struct json_object *dump_model(struct fl_model *m, const struct fl_traits *t)
{
	struct json_object *out = json_object_new_object();

	SAME(architectures);
	SAME(model_type);
	json_object_object_add(out, "attention_arch",
		json_object_new_string(t->is_mla.state != FL_T_INT ? "?" : t->is_mla.i != 0 ? "MLA" : "MHA"));
	add_sizes(out, t);
	FLAG(is_hybrid_swa);
	add_layers(out, m, t);
	FLAG(is_hybrid_swa_compress);
	SAME(sliding_window);
	FLAG(has_attention_sinks);
	json_object_object_add(out, "mamba_kind", has_mamba(t) ? json_object_new_string(t->mamba_kind.s) : NULL);
	FLAG(is_dsa);
	FLAG(is_dsv4);
	FLAG(is_minimax_sparse);
	FLAG(is_multimodal);
	FLAG(is_generation);
	FLAG(is_encoder_decoder);
	SAME(context_len);
	SAME(vocab_size);
	SAME(dtype);
	SAME(num_nextn_predict_layers);
	SAME(spec_hidden_size);
	SAME(hidden_size);
	json_object_object_add(out, "quant_method", raw_quant_method(m));
	json_object_object_add(out, "is_pd_mla", json_object_new_boolean(t->is_dsv4.i != 0 || (t->is_mla.i != 0 && !has_mamba(t))));
	return out;
}

struct json_object *dump_traits(const struct fl_traits *t)
{
	struct json_object *out = json_object_new_object();

#define IS_FLAG_FLAG true
#define IS_FLAG_INT false
#define IS_FLAG_FLOAT false
#define IS_FLAG_TEXT false
#define IS_FLAG_TEXTS false
#define IS_FLAG_INTS false
#define TRAIT(key, ...) ROW(__VA_ARGS__, 0)
#define ROW(name, type, ...) add(out, #name, &t->name, IS_FLAG_##type);
#include "../../lib/core/fields/model.def"
#undef ROW
#undef TRAIT
	return out;
}
