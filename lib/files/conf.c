/*
 * Config objects.
 *
 * SGLang reads a model's config.json into an object of a class chosen by model_type: its own class, one of transformers, or the
 * checkpoint's own Python. What it then asks for are attributes of that object, and where the file does not mention one, the
 * class decides what comes out: another name of the same thing, a default, or an AttributeError. classes.def holds what the
 * classes say about the attributes that matter here, so that asking this object gives what asking that one would.
 */
#include "files.h"

#include <stdlib.h>
#include <string.h>

static const char *const key_names[FL_KEY_COUNT] = {
	"",
#define X(name) #name,
	FL_KEYS(X)
#undef X
};

const char *fl_key_name(enum fl_key key)
{
	return key_names[key];
}

#define DEFAULTS(...) .defaults = (const struct fl_default[]) { __VA_ARGS__, { 0, 0, 0, NULL } }
#define INT(k, v) { K_##k, FL_INT, v, NULL }
#define BOOL(k, v) { K_##k, FL_BOOL, v, NULL }
#define TEXT(k, v) { K_##k, FL_TEXT, 0, v }
#define MADE(k) { K_##k, FL_OTHER, 0, NULL }
#define NOTHING(k) { K_##k, FL_NONE, 0, NULL }
#define SAME(k, real) { K_##k, FL_ABSENT, K_##real, NULL }
#define CLASS(...) { .name = __VA_ARGS__ },
static const struct fl_class classes[] = {
#include "classes.def"
};
#undef CLASS
#undef SAME
#undef NOTHING
#undef MADE
#undef TEXT
#undef BOOL
#undef INT
#undef DEFAULTS

static int compare_class(const void *name, const void *row)
{
	return strcmp(name, ((const struct fl_class *)row)->name);
}

const struct fl_class *fl_class_by_name(const char *model_type)
{
	return bsearch(model_type, classes, sizeof classes / sizeof classes[0], sizeof classes[0], compare_class);
}

/* ---- values -------------------------------------------------------------------------------------------------------- */

static struct fl_value plain(enum fl_kind kind, int64_t i)
{
	return (struct fl_value) { .kind = kind, .i = i };
}

struct fl_value fl_json_value(struct json_object *j)
{
	struct fl_value v = { .kind = FL_NONE, .j = j };

	switch (json_object_get_type(j)) {
	case json_type_null:
		break;
	case json_type_boolean:
		v.kind = FL_BOOL;
		v.i = json_object_get_boolean(j);
		break;
	case json_type_int:
		v.i = json_object_get_int64(j);
		/* json-c gives the nearest for a number beyond 64 bits */
		v.kind = v.i == INT64_MAX || v.i == INT64_MIN ? FL_OTHER : FL_INT;
		break;
	case json_type_double:
		v.kind = FL_REAL;
		v.d = json_object_get_double(j);
		break;
	case json_type_string:
		v.kind = FL_TEXT;
		v.s = json_object_get_string(j);
		break;
	case json_type_array:
		v.kind = FL_LIST;
		break;
	case json_type_object:
		v.kind = FL_DICT;
		break;
	}
	return v;
}

struct fl_value fl_json(struct json_object *obj, const char *key)
{
	struct json_object *j;

	if (obj == NULL || !json_object_is_type(obj, json_type_object) || !json_object_object_get_ex(obj, key, &j))
		return plain(FL_ABSENT, 0);
	return fl_json_value(j);
}

bool fl_truthy(struct fl_value v)
{
	switch (v.kind) {
	case FL_BOOL:
	case FL_INT:
		return v.i != 0;
	case FL_REAL:
		return v.d < 0 || v.d > 0 || v.d != v.d;
	case FL_TEXT:
		return v.s[0] != '\0';
	case FL_LIST:
		return fl_list_length(v) > 0;
	case FL_DICT:
		return json_object_object_length(v.j) > 0;
	case FL_OTHER:
		return true;
	case FL_ABSENT:
	case FL_NONE:
		break;
	}
	return false;
}

bool fl_is_text(struct fl_value v, const char *s)
{
	return v.kind == FL_TEXT && strcmp(v.s, s) == 0;
}

bool fl_counts(struct fl_value v, int64_t *out)
{
	if (v.kind != FL_INT && v.kind != FL_BOOL)
		return false;
	*out = v.i;
	return true;
}

size_t fl_list_length(struct fl_value v)
{
	return v.kind == FL_LIST ? json_object_array_length(v.j) : 0;
}

/* ---- attributes ---------------------------------------------------------------------------------------------------- */

static const struct fl_default *find_default(const struct fl_class *cls, enum fl_key key)
{
	if (cls != NULL && cls->defaults != NULL)
		for (const struct fl_default *d = cls->defaults; d->key != 0; d++)
			if (d->key == key)
				return d;
	return NULL;
}

static const struct fl_value *find_set(const struct fl_conf *c, enum fl_key key, bool late)
{
	for (uint32_t i = c->sets; i-- > 0;)
		if (c->set[i].key == key && c->set[i].late == late)
			return &c->set[i].v;
	return NULL;
}

/* What a caller sees who asks for the attribute by either of its names. */
static struct fl_value named(struct json_object *obj, enum fl_key real, enum fl_key asked)
{
	struct fl_value v = fl_json(obj, key_names[real]);

	return v.kind == FL_ABSENT && asked != real ? fl_json(obj, key_names[asked]) : v;
}

struct fl_value fl_get(const struct fl_conf *c, enum fl_key key)
{
	const struct fl_default *d = find_default(c->cls, key);
	enum fl_key real = key;
	const struct fl_value *set;
	struct fl_value v;

	if (d != NULL && d->kind == FL_ABSENT) {
		real = (enum fl_key)d->i;
		d = find_default(c->cls, real);
	}
	if ((set = find_set(c, real, true)) != NULL)
		return *set;
	v = named(c->over, real, key);
	if (v.kind != FL_ABSENT)
		return v;
	if ((set = find_set(c, real, false)) != NULL)
		return *set;
	v = named(c->own, real, key);
	if (v.kind != FL_ABSENT && !(v.kind == FL_NONE && d != NULL && d->kind == FL_OTHER)) /* a class makes its object for a null, too */
		return v;
	if (d != NULL)
		return (struct fl_value) { .kind = (enum fl_kind)d->kind, .i = d->i, .s = d->s };
	if (c->taken != NULL) {
		v = fl_get(c->taken, key);
		if (v.kind != FL_NONE)
			return v;
	}
	return plain(FL_ABSENT, 0);
}

void fl_put(struct fl_conf *c, enum fl_key key, struct fl_value v, bool late)
{
	if (c->sets == FL_SETS)
		return;
	c->set[c->sets].key = (uint8_t)key;
	c->set[c->sets].late = late;
	c->set[c->sets++].v = v;
}

void fl_put_int(struct fl_conf *c, enum fl_key key, int64_t i, bool late)
{
	fl_put(c, key, plain(FL_INT, i), late);
}

void fl_put_none(struct fl_conf *c, enum fl_key key, bool late)
{
	fl_put(c, key, plain(FL_NONE, 0), late);
}

/* ---- what classes do to their attributes ----------------------------------------------------------------------------- */

static void copy_key(struct fl_conf *c, enum fl_key to, enum fl_key from)
{
	fl_put(c, to, fl_get(c, from), false);
}

static void default_to(struct fl_conf *c, enum fl_key to, enum fl_key from)
{
	struct fl_value v = fl_get(c, to);

	if (v.kind == FL_ABSENT || v.kind == FL_NONE)
		copy_key(c, to, from);
}

/* The layers are what the pattern says; num_hidden_layers is ignored, in the file and in the override arguments. */
static void construct_nemotron_h(struct fl_conf *c)
{
	struct fl_value list = fl_get(c, K_layers_block_type), pattern = fl_get(c, K_hybrid_override_pattern);

	if (list.kind == FL_LIST)
		fl_put_int(c, K_num_hidden_layers, (int64_t)fl_list_length(list), true);
	else if (pattern.kind == FL_TEXT)
		fl_put_int(c, K_num_hidden_layers, (int64_t)strlen(pattern.s), true);
	else
		fl_put_int(c, K_num_hidden_layers, 52, true);
	if (fl_json(c->own, "mamba_chunk_size").kind <= FL_NONE) {
		struct fl_value old = fl_json(c->own, "chunk_size");

		if (old.kind > FL_NONE)
			fl_put(c, K_mamba_chunk_size, old, false);
	}
}

static int64_t first_full_layer(struct fl_value types)
{
	for (size_t i = 0; i < fl_list_length(types); i++)
		if (fl_is_text(fl_json_value(json_object_array_get_idx(types.j, i)), "full_attention"))
			return (int64_t)i;
	return 0;
}

static void construct_laguna(struct fl_conf *c)
{
	struct fl_value heads = fl_get(c, K_num_attention_heads_per_layer), types = fl_get(c, K_layer_types);
	int64_t at = fl_truthy(types) ? first_full_layer(types) : 0;

	if (fl_list_length(heads) > (size_t)at)
		fl_put(c, K_num_attention_heads, fl_json_value(json_object_array_get_idx(heads.j, (size_t)at)), false);
	copy_key(c, K_swa_num_key_value_heads, K_num_key_value_heads);
	copy_key(c, K_swa_head_dim, K_head_dim);
	copy_key(c, K_swa_v_head_dim, K_head_dim);
	copy_key(c, K_n_routed_experts, K_num_experts);
}

static void construct_longcat(struct fl_conf *c)
{
	struct fl_value v = fl_json(c->own, "num_hidden_layers");

	if (v.kind <= FL_NONE) {
		v = fl_json(c->own, "num_layers");
		if (v.kind > FL_NONE)
			fl_put(c, K_num_hidden_layers, v, false);
		else
			fl_put_int(c, K_num_hidden_layers, 28, false);
	}
	v = fl_json(c->own, "expert_ffn_hidden_size");
	if (v.kind != FL_ABSENT)
		fl_put(c, K_moe_intermediate_size, v, false);
	else
		fl_put_int(c, K_moe_intermediate_size, 2048, false);
}

static void construct_inkling(struct fl_conf *c)
{
	struct fl_value dim = fl_get(c, K_head_dim), padded = fl_json(c->own, "padded_vocab_size");
	int64_t hidden, heads, vocab, real;

	if (dim.kind <= FL_NONE && fl_counts(fl_get(c, K_hidden_size), &hidden) && fl_counts(fl_get(c, K_num_attention_heads), &heads) &&
	    heads > 0 && hidden >= 0)
		fl_put_int(c, K_head_dim, hidden / heads, false);
	default_to(c, K_v_head_dim, K_head_dim);
	default_to(c, K_swa_num_key_value_heads, K_num_key_value_heads);
	default_to(c, K_swa_head_dim, K_head_dim);
	default_to(c, K_swa_v_head_dim, K_swa_head_dim);
	copy_key(c, K_num_experts, K_n_routed_experts);
	if (padded.kind <= FL_NONE && fl_counts(fl_json(c->own, "unpadded_vocab_size"), &real) &&
	    fl_counts(fl_get(c, K_vocab_size), &vocab) && real < vocab)
		fl_put_int(c, K_vocab_size, real, false);
}

static void construct_window(struct fl_conf *c)
{
	if (c->cls->flags & (FL_WIPES_WINDOW | FL_ZEROES_WINDOW) && !fl_truthy(fl_get(c, K_use_sliding_window))) {
		if (c->cls->flags & FL_WIPES_WINDOW)
			fl_put_none(c, K_sliding_window, false);
		else
			fl_put_int(c, K_sliding_window, 0, false);
	}
}

/* Falcon of old: all heads share one key, or each has its own. */
static void construct_falcon(struct fl_conf *c)
{
	int64_t hidden, heads;

	default_to(c, K_num_kv_heads, K_num_attention_heads);
	if (fl_counts(fl_get(c, K_hidden_size), &hidden) && fl_counts(fl_get(c, K_num_attention_heads), &heads) && heads > 0)
		fl_put_int(c, K_head_dim, hidden / heads, false);
}

static void construct_chatglm(struct fl_conf *c)
{
	struct fl_value padded = fl_json(c->own, "padded_vocab_size");

	if (padded.kind != FL_ABSENT)
		fl_put(c, K_vocab_size, padded, false);
	else
		fl_put_int(c, K_vocab_size, 65024, false);
	copy_key(c, K_max_position_embeddings, K_seq_length);
}

/* The file gives the layers of one stack, unless it also gives num_layers_per_stack. */
static void construct_hrm_text(struct fl_conf *c)
{
	struct fl_value high = fl_json(c->own, "H_cycles"), low = fl_json(c->own, "L_cycles");
	int64_t h = 2, l = 3, n = 16;

	if (fl_json(c->own, "num_layers_per_stack").kind > FL_NONE)
		return;
	fl_counts(high, &h);
	fl_counts(low, &l);
	fl_counts(fl_json(c->own, "num_hidden_layers"), &n);
	if (n >= 0 && n < 1000000 && h >= 0 && h < 1000 && l >= 0 && l < 1000)
		fl_put_int(c, K_num_hidden_layers, n * h * (l + 1), false);
}

/* Many classes compute these two, before anybody changes what they are computed from. */
static void construct_heads(struct fl_conf *c)
{
	int64_t hidden, heads;

	if (c->cls->flags & FL_OWN_KV_HEADS)
		default_to(c, K_num_key_value_heads, K_num_attention_heads);
	if (c->cls->flags & FL_OWN_HEAD_DIM && fl_get(c, K_head_dim).kind <= FL_NONE && fl_counts(fl_get(c, K_hidden_size), &hidden) &&
	    fl_counts(fl_get(c, K_num_attention_heads), &heads) && heads > 0 && hidden >= 0)
		fl_put_int(c, K_head_dim, hidden / heads, false);
}

static void construct(struct fl_conf *c)
{
	construct_window(c);
	construct_heads(c);
	switch ((enum fl_quirk)c->cls->quirk) {
	case FL_HEAD_DIM_IS_ROPE:
		copy_key(c, K_head_dim, K_qk_rope_head_dim);
		break;
	case FL_HEAD_DIM_FROM_ROPE:
		if (fl_json(c->own, "head_dim").kind <= FL_NONE)
			copy_key(c, K_head_dim, K_qk_rope_head_dim);
		break;
	case FL_KIMI_LINEAR:
		copy_key(c, K_n_routed_experts, K_num_experts);
		break;
	case FL_BAILING:
		copy_key(c, K_num_linear_key_value_heads, K_num_attention_heads);
		break;
	case FL_CHATGLM:
		construct_chatglm(c);
		break;
	case FL_NANO_VL:
		if (!fl_truthy(fl_json(c->own, "vision_config")))
			fl_put_none(c, K_vision_config, false);
		break;
	case FL_NEMOTRON_H:
	case FL_PUZZLE:
		construct_nemotron_h(c);
		break;
	case FL_LAGUNA:
		construct_laguna(c);
		break;
	case FL_LONGCAT:
		construct_longcat(c);
		break;
	case FL_INKLING:
		construct_inkling(c);
		break;
	case FL_FALCON:
		construct_falcon(c);
		break;
	case FL_HRM_TEXT:
		construct_hrm_text(c);
		break;
	case FL_PLAIN:
	case FL_KIMI_VL:
	case FL_GEMMA4:
	case FL_GPT_OSS:
	case FL_OLMO3:
	case FL_ALL_FULL:
	case FL_GRANITE:
	case FL_INTERNVL_CHAT:
		break;
	}
}

/* What happens here happens before the override arguments are looked at. */
void fl_construct(struct fl_conf *c)
{
	struct json_object *over = c->over;

	if (c->cls == NULL)
		return;
	c->over = NULL;
	construct(c);
	c->over = over;
}

/* ---- architectures ------------------------------------------------------------------------------------------------- */

#define ARCH(...) { .name = __VA_ARGS__ },
static const struct fl_arch archs[] = {
#include "arch.def"
};
#undef ARCH

static int compare_arch(const void *name, const void *row)
{
	return strcmp(name, ((const struct fl_arch *)row)->name);
}

const struct fl_arch *fl_arch_by_name(const char *name)
{
	return bsearch(name, archs, sizeof archs / sizeof archs[0], sizeof archs[0], compare_arch);
}
