/*
 * How the checkpoint is quantized, as SGLang reads it: quantization_config in config.json, else compression_config, else
 * hf_quant_config.json beside it. ModelOpt writes its kind of quantization into quant_algo; SGLang turns that into one of its
 * own method names, and puts the name back into the config that later steps look at.
 */
#include "files.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* whatever the case; s is in lower case */
static bool same(struct fl_value v, const char *s)
{
	return v.kind == FL_TEXT && same_lower(v.s, s);
}

/* Any layer of a mixed checkpoint in one of the NVFP4 forms. */
static bool has_nvfp4_layers(struct fl_value layers)
{
	if (layers.kind != FL_DICT)
		return false;
	json_object_object_foreach(layers.j, name, info) {
		struct fl_value algo = fl_json(info, "quant_algo");

		(void)name;
		if (same(algo, "nvfp4") || same(algo, "w4a16_nvfp4"))
			return true;
	}
	return false;
}

static bool has_w4a16_experts(struct fl_value layers)
{
	if (layers.kind != FL_DICT)
		return false;
	json_object_object_foreach(layers.j, name, info)
		if (fl_is_text(fl_json(info, "quant_algo"), "W4A16_NVFP4") && strstr(name, ".experts.") != NULL)
			return true;
	return false;
}

/* The method that a ModelOpt config stands for; NULL when SGLang leaves it as it is. */
static const char *modelopt_method(struct json_object *q)
{
	struct fl_value algo = fl_json(q, "quant_algo");

	if (algo.kind != FL_TEXT)
		return NULL;
	if (strcmp(algo.s, "MIXED_PRECISION") == 0)
		return has_nvfp4_layers(fl_json(q, "quantized_layers")) ? "modelopt_mixed" : "w4afp8";
	if (strstr(algo.s, "FP4") != NULL)
		return "modelopt_fp4";
	if (strcmp(algo.s, "FP8") == 0)
		return "modelopt_fp8";
	return strcmp(algo.s, "MXFP8") == 0 ? "mxfp8" : NULL;
}

/* "FP8" or the like when the KV cache is to be stored so; the forms are a name, or a scheme with type and bits. */
static struct fl_trait kv_cache_algo(struct json_object *q)
{
	struct fl_value scheme = fl_json(q, "kv_cache_scheme"), algo = fl_json(q, "kv_cache_quant_algo");
	int64_t bits = 0;

	if (scheme.kind == FL_DICT) {
		fl_counts(fl_json(scheme.j, "num_bits"), &bits);
		if (!fl_is_text(fl_json(scheme.j, "type"), "float") || (bits != 8 && bits != 4))
			return fl_none();
		return fl_text(bits == 8 ? "FP8" : "NVFP4");
	}
	if (algo.kind <= FL_NONE && scheme.kind == FL_TEXT)
		algo = scheme;
	if (same(algo, "fp8") || same(algo, "float8"))
		return fl_text("FP8");
	return same(algo, "auto") || same(algo, "") ? fl_none() : fl_words(algo);
}

static struct fl_trait block_size(struct fl_model *m, struct fl_value v)
{
	size_t n = fl_list_length(v);
	struct fl_trait t = { .state = v.kind <= FL_NONE ? FL_T_NONE : FL_T_UNKNOWN };

	if (v.kind != FL_LIST || n > sizeof m->blocks / sizeof m->blocks[0])
		return t;
	for (size_t i = 0; i < n; i++) {
		struct fl_value e = fl_json_value(json_object_array_get_idx(v.j, i));

		if (e.kind != FL_INT)
			return t;
		snprintf(m->block_text[i], sizeof m->block_text[i], "%lld", (long long)e.i);
		m->blocks[i] = m->block_text[i];
	}
	return fl_list(m->blocks, n);
}

/* SGLang writes it into the config: one row of a group. */
static struct fl_trait mxfp8_block_size(struct fl_model *m, struct json_object *q)
{
	struct fl_value group = fl_json(q, "group_size");
	int64_t n = 32;

	if (group.kind != FL_ABSENT && !fl_counts(group, &n))
		return fl_unknown();
	m->blocks[0] = "1";
	m->blocks[1] = m->block_text[1];
	snprintf(m->block_text[1], sizeof m->block_text[1], "%lld", (long long)n);
	return fl_list(m->blocks, 2);
}

static bool is_hybrid_nvfp4(struct json_object *q)
{
	return same(fl_json(q, "quant_algo"), "mixed_precision") && same(fl_json(q, "moe_quant_algo"), "nvfp4") &&
	       fl_json(q, "group_size").kind > FL_NONE;
}

static bool has_mxfp4_groups(struct fl_model *m)
{
	struct fl_conf *c = &m->outer;
	struct fl_value q, groups;

	/* the text part, where there is one of that name */
	if (fl_get(&m->outer, K_text_config).kind != FL_ABSENT ||
	    (m->outer.cls != NULL && m->outer.cls->sub_key == K_text_config))
		c = m->text;
	q = fl_get(c, K_quantization_config);
	groups = fl_json(q.kind == FL_DICT ? q.j : NULL, "config_groups");
	if (groups.kind != FL_DICT)
		return false;
	json_object_object_foreach(groups.j, name, group) {
		struct fl_value format = fl_json(group, "format");

		(void)name;
		if (format.kind == FL_TEXT && strstr(format.s, "mxfp4") != NULL)
			return true;
	}
	return false;
}

/* Whole numbers of four bits in groups of 32, as Kimi K2 Thinking has them. */
static bool is_int4_group(struct json_object *q)
{
	struct fl_value groups = fl_json(q, "config_groups"), first, weights;
	int64_t bits = 0, size = 0;

	first = fl_json(groups.kind == FL_DICT ? groups.j : NULL, "group_0");
	weights = fl_json(first.kind == FL_DICT ? first.j : NULL, "weights");
	if (weights.kind != FL_DICT || !fl_is_text(fl_json(q, "quant_method"), "compressed-tensors"))
		return false;
	fl_counts(fl_json(weights.j, "num_bits"), &bits);
	fl_counts(fl_json(weights.j, "group_size"), &size);
	return bits == 4 && size == 32 && fl_is_text(fl_json(weights.j, "strategy"), "group") &&
	       fl_is_text(fl_json(weights.j, "type"), "int");
}

/* The names of methods are compared in lower case. */
static struct fl_trait method_name(struct fl_model *m, struct fl_value v)
{
	size_t i;

	if (v.kind != FL_TEXT || strlen(v.s) >= sizeof m->method)
		return fl_unknown();
	for (i = 0; v.s[i] != '\0'; i++)
		m->method[i] = lower(v.s[i]);
	m->method[i] = '\0';
	return fl_text(m->method);
}

static bool parsed_as_modelopt(struct json_object *q)
{
	struct fl_value method = fl_json(q, "quant_method");

	return method.kind == FL_ABSENT || fl_is_text(method, "modelopt");
}

/* SGLang asks every method whether it wants this config; ModelOpt's looks at quant_algo without minding that it may be null. */
static bool raises_on_algo(const struct fl_model *m, struct json_object *q)
{
	const char *asked = m->settings.quantization;

	return fl_json(q, "quant_algo").kind == FL_NONE && strcmp(asked, "nvfp4_online") != 0 && strcmp(asked, "quark_mxfp4") != 0;
}

static void derive_from_config(struct fl_model *m, struct fl_traits *t, struct json_object *q, bool in_config)
{
	const char *method = in_config && parsed_as_modelopt(q) ? modelopt_method(q) : NULL;
	struct fl_value given = fl_json(q, "quant_method");

	if (method != NULL)
		t->quant_method = fl_text(method);
	else if (given.kind == FL_ABSENT)
		t->quant_method = fl_text(m->settings.quantization);
	else
		t->quant_method = method_name(m, given);
	t->kv_cache_quant_algo = kv_cache_algo(q);
	if (in_config) {
		t->hf_quant_method = method != NULL ? t->quant_method : fl_words(given);
		t->hf_quant_algo = fl_words(fl_json(q, "quant_algo"));
		t->quant_scale_fmt = method != NULL && strcmp(method, "mxfp8") == 0 ? fl_text("ue8m0") : fl_words(fl_json(q, "scale_fmt"));
		t->weight_block_size = method != NULL && strcmp(method, "mxfp8") == 0 ? mxfp8_block_size(m, q) :
			block_size(m, fl_json(q, "weight_block_size"));
		t->has_nvfp4_moe = fl_number(is_hybrid_nvfp4(q));
		t->has_w4a16_experts = fl_number(has_w4a16_experts(fl_json(q, "quantized_layers")));
		t->is_int4_group_quantized = fl_number(is_int4_group(q));
	}
	if (raises_on_algo(m, q))
		fl_raises(m, "AttributeError");
}

static void derive_from_file(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value q = fl_json(m->quant, "quantization");
	const char *method;

	if (q.kind == FL_ABSENT) {
		fl_raises(m, "KeyError");
		return;
	}
	method = q.kind == FL_DICT ? modelopt_method(q.j) : NULL;
	if (method == NULL)
		return;
	t->quant_method = fl_text(method);
	t->kv_cache_quant_algo = kv_cache_algo(q.j);
}

void fl_derive_quant(struct fl_model *m, struct fl_traits *t)
{
	struct fl_value q = fl_get(&m->outer, K_quantization_config);

	t->quant_method = t->hf_quant_method = t->hf_quant_algo = t->kv_cache_quant_algo = t->weight_block_size = t->quant_scale_fmt =
		fl_none();
	t->has_nvfp4_moe = t->has_w4a16_experts = t->is_int4_group_quantized = fl_number(false);
	t->is_mxfp4_pack_quantized = fl_number(has_mxfp4_groups(m));
	if (q.kind == FL_DICT) {
		derive_from_config(m, t, q.j, true);
		/* a mixed checkpoint keeps what it does with the KV cache in the file beside */
		if (t->kv_cache_quant_algo.state == FL_T_NONE && m->quant != NULL && t->quant_method.state == FL_T_TEXT &&
		    strcmp(t->quant_method.s, "modelopt_mixed") == 0)
			t->kv_cache_quant_algo = kv_cache_algo(fl_json(m->quant, "quantization").j);
	} else if (q.kind > FL_NONE) {
		t->quant_method = t->hf_quant_method = t->hf_quant_algo = t->kv_cache_quant_algo = fl_unknown();
	} else if ((q = fl_get(&m->outer, K_compression_config)).kind == FL_DICT) {
		derive_from_config(m, t, q.j, false);
	} else if (m->quant != NULL) {
		derive_from_file(m, t);
	}
	if (m->modelslim && !m->settings.draft)
		t->quant_method = fl_text("modelslim");
}
