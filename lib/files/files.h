/*
 * Internal to libpdcfg-files: the pieces behind <pdcfg/files.h> that read config.json.
 *
 * json.c    what Python's JSON parsers accept, and a tree of it (json-c)
 * conf.c    config objects: the keys of the file over the defaults of the class that transformers or SGLang would make of it
 * mistral.c params.json
 * objects.c which objects a model has, and what they are called
 * derive.c  the traits, as SGLang's ModelConfig derives them; shapes.c the sizes, quant.c the quantization, traits.c what they share
 * model.c   the public functions; catalogue.c models known by name; model_json.c the traits as JSON, for the command and the tests
 */
#ifndef PDCFG_FILES_INTERNAL_H
#define PDCFG_FILES_INTERNAL_H
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pdcfg/pdcfg.h>

#include <pdcfg/files.h>

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

enum fl_dialect {
	FL_PYTHON, /* json.loads: NaN and Infinity are numbers, a lone surrogate is a character, a whole number has at most 4300 digits */
	FL_ORJSON  /* orjson.loads: none of these, and a number must fit a double */
};

enum fl_scan { FL_BAD = 0, FL_GOOD = 1, FL_UNSURE = 2 }; /* UNSURE: deeper than FL_DEPTH, or a number at the very edge */

#define FL_DEPTH 200
#define FL_FILE_MAX (64u << 20)

struct fl_fault { /* what is wrong with a text, and where */
	const char *what;
	uint32_t line, column; /* from 1, the column in bytes */
};

enum fl_scan fl_scan(const char *s, size_t len, enum fl_dialect dialect, struct fl_fault *fault);
/* The tree of a text that fl_scan() found good; NULL when memory is short. */
struct json_object *fl_tree(const char *s, size_t len);
/* The same for a config; some lists that nobody asks for are left out. */
struct json_object *fl_config_tree(const char *s, size_t len);

/* ---- config objects ----------------------------------------------------------------------------------------------- */

/* Every attribute of a config object that is read by name. */
#define FL_KEYS(X) \
	X(architectures) X(model_type) X(dtype) X(torch_dtype) X(hidden_size) X(num_hidden_layers) X(num_attention_heads) \
	X(num_key_value_heads) X(head_dim) X(v_head_dim) X(swa_head_dim) X(swa_v_head_dim) X(swa_num_key_value_heads) \
	X(attention_other_setting) X(vocab_size) X(vision_vocab_size) X(max_sequence_length) X(seq_length) X(max_seq_len) \
	X(model_max_length) X(max_position_embeddings) X(original_max_position_embeddings) X(rope_scaling) X(rope_parameters) \
	X(rope_theta) X(sliding_window_size) X(sliding_window) X(window_size) X(use_sliding_window) X(sliding_window_pattern) \
	X(attention_chunk_size) X(layer_types) X(hybrid_layer_pattern) X(is_hybrid_swa) X(local_layer_ids) X(mtp_local_layer_ids) \
	X(kv_lora_rank) X(qk_nope_head_dim) X(qk_rope_head_dim) X(use_mla) X(index_head_dim) X(index_topk) X(index_topk_freq) \
	X(index_topk_pattern) X(compress_ratios) X(hc_mult) X(multi_query) X(new_decoder_architecture) X(n_head_kv) \
	X(num_kv_heads) X(multi_query_group_num) X(num_attention_groups) X(num_attention_heads_per_layer) X(kv_n_heads) \
	X(attn_config) X(block_configs) X(loop_num) X(encoder_layers) X(decoder_layers) X(num_nextn_predict_layers) \
	X(mtp_num_experts) X(add_swa_attention_sink_bias) X(add_full_attention_sink_bias) X(moe_intermediate_size) \
	X(n_routed_experts) X(num_experts) X(num_local_experts) X(mamba_chunk_size) X(chunk_size) X(mamba_ssm_dtype) \
	X(mlp_hidden_act) X(hybrid_override_pattern) X(layers_block_type) X(mtp_hybrid_override_pattern) X(mtp_layers_block_type) \
	X(attention_projection_layout) X(dual_chunk_attention_config) X(sparse_attention_config) X(use_bidirectional_attention) \
	X(prefix_lm) X(language_model_only) X(global_head_dim) X(num_global_key_value_heads) X(full_attention_interval) \
	X(quantization_config) X(compression_config) X(vision_config) X(audio_config) X(text_config) X(llm_config) \
	X(language_config) X(thinker_config) X(mtp_config) X(auto_map) X(num_layers) X(expert_ffn_hidden_size) \
	X(unpadded_vocab_size) X(padded_vocab_size) X(dspark_block_size) X(dspark_markov_rank) X(dspark_noise_token_id) \
	X(dspark_target_layer_ids) X(dspark_config) X(dflash_config) X(block_size) X(is_causal) X(n_embd) X(n_layer) X(n_head) \
	X(n_positions) X(d_model) X(n_layers) X(n_heads) X(encoder_attention_heads) X(moe_num_experts) X(kv_channels) \
	X(mamba_num_heads) X(mamba_n_heads) X(linear_num_value_heads) X(num_linear_key_value_heads) X(linear_attn_config) \
	X(efficient_attention_config)

enum fl_key {
	FL_NO_KEY,
#define X(name) K_##name,
	FL_KEYS(X)
#undef X
	FL_KEY_COUNT
};
const char *fl_key_name(enum fl_key key);

enum fl_kind { FL_ABSENT, FL_NONE, FL_BOOL, FL_INT, FL_REAL, FL_TEXT, FL_LIST, FL_DICT, FL_OTHER };
/* FL_OTHER: there, but not what can be held here (a whole number beyond 64 bits, a config object made by the class) */

struct fl_value {
	enum fl_kind kind;
	int64_t i;             /* BOOL, INT */
	double d;              /* REAL */
	const char *s;         /* TEXT */
	struct json_object *j; /* LIST, DICT */
};

enum fl_mamba { FL_NO_MAMBA, FL_MAMBA2, FL_GDN, FL_KDA, FL_LIGHTNING, FL_SHORT_CONV, FL_SCONV, FL_CCA_CONV };

/* What a config class does beside filling in defaults. */
enum fl_quirk {
	FL_PLAIN,
	FL_HEAD_DIM_IS_ROPE,   /* head_dim is qk_rope_head_dim whatever the file says (DeepSeek) */
	FL_HEAD_DIM_FROM_ROPE, /* the same, unless the file says something */
	FL_NEMOTRON_H,       /* the layers are counted in the pattern, the chunk has an older name */
	FL_LAGUNA,           /* heads per layer; sliding-window heads like the others */
	FL_LONGCAT,          /* older names of keys */
	FL_INKLING,          /* head sizes follow one another; the padded vocabulary */
	FL_GEMMA4,           /* layer types by default */
	FL_GPT_OSS,
	FL_OLMO3,            /* goes by the name of its predecessor */
	FL_ALL_FULL,         /* no layer has a window by default */
	FL_GRANITE,          /* every layer is a mamba layer by default */
	FL_INTERNVL_CHAT,    /* the language model's class follows its architecture */
	FL_HRM_TEXT,         /* layers times cycles */
	FL_PUZZLE,
	FL_KIMI_LINEAR,      /* two names for the number of experts */
	FL_KIMI_VL,          /* the text config's quantization is the model's */
	FL_CHATGLM,          /* older names of keys */
	FL_BAILING,          /* linear layers have as many heads as the others */
	FL_NANO_VL,          /* an empty vision config is none */
	FL_FALCON
};

#define FL_RELOADED 1u     /* SGLang's own class replaces what transformers loaded: no attributes are taken over from the text config */
#define FL_WIPES_WINDOW 2u /* sliding_window becomes None unless use_sliding_window */
#define FL_ZEROES_WINDOW 4u
#define FL_RAW_ROPE 8u     /* rope_scaling stays as the file has it */
#define FL_NESTED_ROPE 16u /* they are one dict for each kind of layer */
#define FL_SUB_BY_TYPE 32u /* the class of the text config follows its model_type */
#define FL_SUB_FLAT 64u    /* without a text config, its keys stand in the outer object */
#define FL_OWN_HEAD_DIM 256u /* the class computes head_dim */
#define FL_OWN_KV_HEADS 512u /* and has as many KV heads as heads */
#define FL_VISION_BY_TYPE 128u /* the class of the vision config follows its model_type */

struct fl_default {
	uint8_t key;     /* 0 ends */
	uint8_t kind;    /* an fl_kind; FL_ABSENT: another name, i is the key of the real one */
	int32_t i;
	const char *s;
};

struct fl_class {
	const char *name; /* model_type */
	uint16_t flags;
	uint8_t quirk, mamba, sub_key;
	const char *sub, *sub_none; /* class of the text config, given and not given; NULL: the same */
	const char *vision; /* class of the vision config, NULL for none */
	const char *arch; /* the architecture that the class forces, NULL for none */
	const struct fl_default *defaults;
};

#define FL_SETS 16
struct fl_conf {
	struct json_object *own;     /* NULL: nothing was given */
	struct json_object *over;    /* --json-model-override-args */
	const struct fl_class *cls;  /* NULL: a class that nobody here knows, such as the checkpoint's own Python */
	const struct fl_conf *taken; /* whose attributes were taken over where this object lacks them */
	bool typed;                  /* its parts get the classes of their model_type (Mistral's own format) */
	struct { uint8_t key; bool late; struct fl_value v; } set[FL_SETS];
	uint32_t sets;
};

const struct fl_class *fl_class_by_name(const char *model_type);
struct fl_value fl_get(const struct fl_conf *c, enum fl_key key);
/* late: after the override arguments, as code that runs on the loaded object does. */
void fl_put_int(struct fl_conf *c, enum fl_key key, int64_t i, bool late);
void fl_put_none(struct fl_conf *c, enum fl_key key, bool late);
void fl_put(struct fl_conf *c, enum fl_key key, struct fl_value v, bool late);
void fl_construct(struct fl_conf *c); /* what the class does to its own attributes */
struct fl_value fl_json(struct json_object *obj, const char *key); /* a member of a dict */
struct fl_value fl_json_value(struct json_object *j);
bool fl_truthy(struct fl_value v);
bool fl_is_text(struct fl_value v, const char *s);
bool fl_counts(struct fl_value v, int64_t *out); /* a BOOL or INT: its value */
size_t fl_list_length(struct fl_value v);

/* ---- architectures ------------------------------------------------------------------------------------------------ */

enum fl_mla { FL_NO_MLA = 0, FL_MLA_DEEPSEEK, FL_MLA_PIXTRAL, FL_MHA_DSV4, FL_MHA_GLM_NEXTN, FL_MLA_MINICPM3, FL_MLA_VL2,
	FL_MLA_KIMI_VL, FL_MLA_KIMI_LINEAR, FL_MLA_BAILING, FL_MLA_SARVAM };

enum fl_swa { FL_NO_SWA, FL_SWA_EVERY_FOURTH, FL_SWA_TYPES, FL_SWA_LAGUNA, FL_SWA_PATTERN, FL_SWA_FIRST, FL_SWA_STEP,
	FL_SWA_INKLING, FL_SWA_INKLING_MTP, FL_SWA_ALL, FL_SWA_DSV4 };

#define FL_A_DSA 1u           /* DSA when index_topk is there */
#define FL_A_DSV4 2u
#define FL_A_COMPRESS 4u
#define FL_A_MINIMAX_SPARSE 8u
#define FL_A_MULTIMODAL 16u
#define FL_A_MM_OFF 32u       /* multimodal only when asked for */
#define FL_A_AUDIO 64u
#define FL_A_ENCODER_DECODER 128u
#define FL_A_NO_GENERATION 256u
#define FL_A_AUTO_EMBEDDING 512u
#define FL_A_SINKS 1024u
#define FL_A_SINKS_IF 2048u   /* when the config has a sink bias */
#define FL_A_NEXTN_ONE 4096u  /* as a draft: one next-token layer */
#define FL_A_UNKNOWN 8192u    /* SGLang has no class of this name */
#define FL_A_CLASSIFIES 16384u
#define FL_A_NO_PP 32768u     /* the model class takes no part in pipeline parallelism */
#define FL_A_PP_UNSURE 65536u /* whether it does was not found */
#define FL_A_CUDA_VMM 131072u

struct fl_arch {
	const char *name;
	uint32_t flags;
	uint8_t mla, swa, dllm_block;
	const char *draft; /* its name as a draft model, NULL for the same */
};
const struct fl_arch *fl_arch_by_name(const char *name);

/* ---- traits ------------------------------------------------------------------------------------------------------- */

enum fl_state { FL_T_UNKNOWN, FL_T_NONE, FL_T_INT, FL_T_TEXT, FL_T_LIST };

struct fl_trait {
	enum fl_state state;
	int64_t i;
	const char *s;
	const char *const *list;
	size_t count;
};

/* One member for each row of model.def; the draft's are named draft_…. */
struct fl_traits {
#define TRAIT(key, ...) FL_TRAIT_NAME(__VA_ARGS__, 0)
#define FL_TRAIT_NAME(name, ...) struct fl_trait name;
#include "../core/fields/model.def"
#undef TRAIT
#undef FL_TRAIT_NAME
};

/* The settings that change what SGLang makes of a config, as they are on the handle. */
struct fl_settings {
	bool is_embedding, language_model_only, implementation_is_transformers, draft;
	bool unsure;           /* the override arguments are there, but nobody knows what they say */
	int enable_multimodal; /* -1: not said */
	const char *dtype, *quantization, *speculative_algorithm;
	const char *path;      /* of the model, for what SGLang reads from its name; "" when unknown */
	const char *parser, *override_args;
};

struct fl_model {
	struct json_object *root;      /* config.json */
	struct json_object *over;      /* the override arguments, NULL for none */
	struct json_object *quant;     /* hf_quant_config.json, NULL for none */
	bool modelslim;                /* quant_model_description.json is there */
	bool native;                   /* root was made from a params.json */
	struct fl_settings settings;
	struct fl_conf outer, mid, text_conf;
	struct fl_conf loaded;         /* text_conf as it was when its attributes were taken over */
	struct fl_conf *text;          /* &outer when there is no text config */
	const char *names[64];         /* architectures */
	size_t name_count;
	const char *raw_names[64];     /* a draft's, as the file has them */
	size_t raw_count;
	const char *blocks[8];         /* weight_block_size, as text */
	char block_text[8][24];
	char pattern[512];             /* index_topk_pattern given as a list */
	char method[64];               /* quant_method in lower case */
	const char *error;             /* the class of the exception that SGLang is certain to raise, NULL for none */
	const char *load_error;        /* the same, found while loading */
};

/* Fills t; everything it cannot tell stays unknown. */
void fl_derive(struct fl_model *m, struct fl_traits *t);
void fl_model_end(struct fl_model *m);

struct fl_trait fl_unknown(void);
struct fl_trait fl_none(void);
struct fl_trait fl_number(int64_t i);
struct fl_trait fl_text(const char *s);
struct fl_trait fl_list(const char *const *list, size_t count);
struct fl_trait fl_whole(struct fl_value v); /* a whole number or None */
struct fl_trait fl_words(struct fl_value v); /* a text or None */
struct fl_value fl_model_type(const struct fl_conf *c);
void fl_raises(struct fl_model *m, const char *exception);
struct fl_value fl_need(struct fl_model *m, const struct fl_conf *c, enum fl_key key); /* an attribute that SGLang reads without a default */
bool fl_names_have(const struct fl_model *m, const char *name);
uint32_t fl_any_flag(const struct fl_model *m);
const struct fl_arch *fl_first_arch(const struct fl_model *m);
uint32_t fl_first_flags(const struct fl_model *m);
enum fl_swa fl_swa_rule(const struct fl_model *m);

bool fl_build(struct fl_model *m); /* sets up the objects and the architectures; false when the file does not say enough to go on */
bool fl_sub_conf(const struct fl_conf *c, enum fl_key attr, struct fl_conf *out, bool *present);
bool fl_bundles_dspark(const struct fl_conf *c);
void fl_remap_draft(struct fl_model *m);
void fl_derive_shapes(struct fl_model *m, struct fl_traits *t);
void fl_derive_context(struct fl_model *m, struct fl_traits *t);
void fl_derive_dtype(struct fl_model *m, struct fl_traits *t);
void fl_derive_quant(struct fl_model *m, struct fl_traits *t);

/* params.json of Mistral's own format, turned into what SGLang makes a config of. NULL when that cannot be told. */
struct json_object *fl_from_mistral(struct json_object *params, const char *path, const char **error);

void fl_settings_init(struct fl_settings *s);
void fl_settings_of(const pdcfg_t *cfg, struct fl_settings *s, bool draft);
int32_t fl_set_model(pdcfg_t *cfg, struct json_object *root);
/* Reads and derives without touching a handle: model.c, and the dump of the tests. The texts of *t live as long as *m. */
int32_t fl_model_read(struct fl_model *m, const char *path, struct fl_traits *t, char *why, size_t why_size);

/* The model as JSON, by the names of SGLang's ModelConfig; what is unknown is left out. NULL without memory. m may be NULL: which layers have
 * a window, and what the file itself calls the quantization, are then unknown as well. */
struct json_object *fl_model_json(const struct fl_model *m, const struct fl_traits *t);
/* All known rows of model.def by their own names, but for what model says by the same name and with the same value; model may be NULL. */
struct json_object *fl_traits_json(const struct fl_traits *t, struct json_object *model);
/* Both of the traits on a handle, with the file they were read from (NULL for none). rep is a report of cfg. */
int32_t fl_handle_json(const pdcfg_t *cfg, const pdcfg_report *rep, const char *path, struct json_object **model, struct json_object **traits);

#endif
