/*
 * The model as JSON, for the command and the tests: by the names that SGLang's ModelConfig has for it, and all traits by their own names. The
 * layers with a sliding window are no traits of the library; they are worked out here from the config objects.
 */
#include "files.h"

#include <stdlib.h>
#include <string.h>

/* ---- the layers with a sliding window ------------------------------------------------------------------------------- */

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

static void derive_layers(const struct fl_model *m, const struct fl_traits *t, struct layers *out)
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

/* ---- values --------------------------------------------------------------------------------------------------------- */

/* Values of a list are texts, whatever it holds. */
static struct json_object *list_value(const struct fl_trait *t, bool numbers)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < t->count; i++)
		json_object_array_add(list, numbers ? json_object_new_int64(strtoll(t->list[i], NULL, 10)) : json_object_new_string(t->list[i]));
	return list;
}

static struct json_object *value(const struct fl_trait *t, uint32_t type)
{
	switch (t->state) {
	case FL_T_UNKNOWN:
	case FL_T_NONE:
		return NULL;
	case FL_T_INT:
		return type == PDCFG_TYPE_BOOL ? json_object_new_boolean(t->i != 0) : json_object_new_int64(t->i);
	case FL_T_TEXT:
		return json_object_new_string(t->s);
	case FL_T_LIST:
		return list_value(t, type == PDCFG_TYPE_INTS);
	}
	return NULL;
}

static void add(struct json_object *out, const char *name, const struct fl_trait *t, uint32_t type)
{
	if (t->state != FL_T_UNKNOWN)
		json_object_object_add(out, name, value(t, type));
}

static bool is_known(const struct fl_trait *t) { return t->state != FL_T_UNKNOWN; }
static bool is_on(const struct fl_trait *t) { return t->state == FL_T_INT && t->i != 0; }

#define SAME(name) add(out, #name, &t->name, PDCFG_TYPE_INT)
#define FLAG(name) add(out, #name, &t->name, PDCFG_TYPE_BOOL)

/* ---- by SGLang's names ---------------------------------------------------------------------------------------------- */

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

static void add_layers(struct json_object *out, const struct fl_model *m, const struct fl_traits *t)
{
	struct layers l;

	if (m == NULL || !is_known(&t->is_hybrid_swa))
		return;
	derive_layers(m, t, &l);
	json_object_object_add(out, "swa_layer_ids", layer_list(l.swa, l.swa_count, l.known));
	json_object_object_add(out, "full_layer_ids", layer_list(l.full, l.full_count, l.known));
	free(l.swa);
	free(l.full);
}

static void add_sizes(struct json_object *out, const struct fl_traits *t)
{
	struct json_object *swa;

	SAME(num_hidden_layers);
	SAME(num_attention_layers);
	SAME(num_attention_heads);
	SAME(total_num_kv_heads);
	SAME(swa_num_kv_heads);
	SAME(head_dim);
	SAME(v_head_dim);
	if (is_known(&t->swa_head_dim) && is_known(&t->swa_v_head_dim)) {
		swa = json_object_new_array();
		json_object_array_add(swa, value(&t->swa_head_dim, PDCFG_TYPE_INT));
		json_object_array_add(swa, value(&t->swa_v_head_dim, PDCFG_TYPE_INT));
		json_object_object_add(out, "swa_head_dims", swa);
	}
	SAME(kv_lora_rank);
	SAME(qk_nope_head_dim);
	SAME(qk_rope_head_dim);
	SAME(index_head_dim);
}

/* What the file itself calls the quantization; the trait is what SGLang turns that into. */
static void add_raw_quant_method(struct json_object *out, const struct fl_model *m)
{
	struct fl_value q, v;

	if (m == NULL)
		return;
	q = fl_get(&m->outer, K_quantization_config);
	v = fl_json(q.kind == FL_DICT ? q.j : NULL, "quant_method");
	if (v.kind <= FL_NONE)
		v = fl_json(q.kind == FL_DICT ? q.j : NULL, "quant_algo");
	json_object_object_add(out, "quant_method", v.kind == FL_TEXT ? json_object_new_string(v.s) : NULL);
}

static bool has_mamba(const struct fl_traits *t)
{
	return t->mamba_kind.state == FL_T_TEXT && strcmp(t->mamba_kind.s, "none") != 0;
}

static void add_mamba_kind(struct json_object *out, const struct fl_traits *t)
{
	if (is_known(&t->mamba_kind))
		json_object_object_add(out, "mamba_kind", has_mamba(t) ? json_object_new_string(t->mamba_kind.s) : NULL);
}

/* PD means the pool: that of DeepSeek-V4, or of MLA without Mamba layers. */
static void add_pd_mla(struct json_object *out, const struct fl_traits *t)
{
	bool mla = is_on(&t->is_mla) && is_known(&t->mamba_kind) && !has_mamba(t);
	bool no_mla = (is_known(&t->is_mla) && !is_on(&t->is_mla)) || has_mamba(t);

	if (is_on(&t->is_dsv4) || mla)
		json_object_object_add(out, "is_pd_mla", json_object_new_boolean(true));
	else if (is_known(&t->is_dsv4) && no_mla)
		json_object_object_add(out, "is_pd_mla", json_object_new_boolean(false));
}

static void add_kinds(struct json_object *out, const struct fl_model *m, const struct fl_traits *t)
{
	FLAG(is_hybrid_swa);
	add_layers(out, m, t);
	FLAG(is_hybrid_swa_compress);
	SAME(sliding_window);
	FLAG(has_attention_sinks);
	add_mamba_kind(out, t);
	FLAG(is_dsa);
	FLAG(is_dsv4);
	FLAG(is_minimax_sparse);
	FLAG(is_multimodal);
	FLAG(is_generation);
	FLAG(is_encoder_decoder);
}

struct json_object *fl_model_json(const struct fl_model *m, const struct fl_traits *t)
{
	struct json_object *out = json_object_new_object();

	if (out == NULL)
		return NULL;
	SAME(architectures);
	SAME(model_type);
	if (t->is_mla.state == FL_T_INT)
		json_object_object_add(out, "attention_arch", json_object_new_string(is_on(&t->is_mla) ? "MLA" : "MHA"));
	add_sizes(out, t);
	add_kinds(out, m, t);
	SAME(context_len);
	SAME(vocab_size);
	SAME(dtype);
	SAME(num_nextn_predict_layers);
	SAME(spec_hidden_size);
	SAME(hidden_size);
	add_raw_quant_method(out, m);
	add_pd_mla(out, t);
	return out;
}

/* ---- all traits ----------------------------------------------------------------------------------------------------- */

struct row {
	uint32_t key;
	const char *name;
	size_t at; /* in struct fl_traits */
};

static const struct row rows[] = {
#define TRAIT(key, ...) ROW(key, __VA_ARGS__, 0)
#define ROW(key, name, ...) { key, #name, offsetof(struct fl_traits, name) },
#include "../core/fields/model.def"
#undef ROW
#undef TRAIT
};
#define ROWS (sizeof rows / sizeof rows[0])

static const struct fl_trait *trait_of(const struct fl_traits *t, const struct row *row)
{
	return (const struct fl_trait *)(const void *)((const char *)t + row->at);
}

struct json_object *fl_traits_json(const struct fl_traits *t, struct json_object *model)
{
	struct json_object *out = json_object_new_object(), *said, *v;

	for (size_t i = 0; i < ROWS && out != NULL; i++) {
		const struct fl_trait *trait = trait_of(t, &rows[i]);

		if (!is_known(trait))
			continue;
		v = value(trait, pdcfg_key_type(rows[i].key));
		if (json_object_object_get_ex(model, rows[i].name, &said) && json_object_equal(said, v))
			json_object_put(v);
		else
			json_object_object_add(out, rows[i].name, v);
	}
	return out;
}

/* ---- of a handle ---------------------------------------------------------------------------------------------------- */

struct lists { /* what the lists of a handle are kept in */
	const char **items[ROWS];
	char *text[ROWS];
};

/* Python's ['a', 'b'] or [1, 2]: the elements, cut out in place. Returns how many. */
static size_t cut_list(char *s, const char **items)
{
	size_t n = 0;

	for (s += *s == '['; *s != '\0' && *s != ']'; s += strspn(s, ", ")) {
		char quote = *s == '\'' || *s == '"' ? *s++ : '\0', *to = s;

		items[n++] = s;
		while (*s != '\0' && (quote != '\0' ? *s != quote : *s != ',' && *s != ']')) {
			s += *s == '\\' && s[1] != '\0';
			*to++ = *s++;
		}
		if (*s != '\0')
			s++;
		*to = '\0';
	}
	return n;
}

static bool read_list(struct fl_trait *out, const char *text, const char ***items, char **copy)
{
	size_t room = strlen(text) + 1;

	*copy = malloc(room);
	*items = calloc(room, sizeof **items); /* an element takes a character at least */
	if (*copy == NULL || *items == NULL)
		return false;
	memcpy(*copy, text, room);
	*out = fl_list(*items, cut_list(*copy, *items));
	return true;
}

/* One trait as it is on the handle; false without memory. */
static bool read_trait(const pdcfg_t *cfg, const pdcfg_report *rep, size_t row, struct fl_trait *out, struct lists *lists)
{
	uint32_t key = rows[row].key, type = pdcfg_key_type(key);
	const char *text = pdcfg_get_text(cfg, key), *shown = pdcfg_resolved_text(rep, key);
	int64_t i;

	*out = fl_unknown();
	if (pdcfg_is_set(cfg, key) != 1)
		return true;
	if (pdcfg_get_i64(cfg, key, &i) >= 0)
		*out = fl_number(i);
	else if (*text != '\0' || (type == PDCFG_TYPE_TEXT && *shown == '\0'))
		*out = fl_text(text);
	else if (strcmp(shown, "None") == 0)
		*out = fl_none();
	else if (type >= PDCFG_TYPE_TEXTS && *shown == '[')
		return read_list(out, shown, &lists->items[row], &lists->text[row]);
	return true;
}

static int32_t read_handle(const pdcfg_t *cfg, const pdcfg_report *rep, struct fl_traits *t, struct lists *lists)
{
	memset(lists, 0, sizeof *lists);
	for (size_t i = 0; i < ROWS; i++) {
		struct fl_trait trait;

		if (!read_trait(cfg, rep, i, &trait, lists))
			return PDCFG_E_NOMEM;
		memcpy((char *)t + rows[i].at, &trait, sizeof trait);
	}
	return 0;
}

static void end_lists(struct lists *lists)
{
	for (size_t i = 0; i < ROWS; i++) {
		free(lists->items[i]);
		free(lists->text[i]);
	}
}

int32_t fl_handle_json(const pdcfg_t *cfg, const pdcfg_report *rep, const char *path, struct json_object **model, struct json_object **traits)
{
	struct fl_model *m = path != NULL ? calloc(1, sizeof *m) : NULL;
	struct fl_traits from_file, t;
	struct lists lists;
	int32_t r = read_handle(cfg, rep, &t, &lists);

	*model = *traits = NULL;
	if (path != NULL && m == NULL)
		r = PDCFG_E_NOMEM;
	if (r >= 0 && m != NULL) {
		fl_settings_of(cfg, &m->settings, false);
		r = fl_model_read(m, path, &from_file, NULL, 0);
	}
	if (r >= 0) {
		*model = fl_model_json(m, &t);
		*traits = fl_traits_json(&t, *model);
	}
	if (m != NULL)
		fl_model_end(m);
	free(m);
	end_lists(&lists);
	return r < 0 ? r : *model != NULL && *traits != NULL ? 0 : PDCFG_E_NOMEM;
}
