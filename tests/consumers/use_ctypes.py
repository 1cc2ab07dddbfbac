"""The documented cases through ctypes: python3 use_ctypes.py LIBRARY"""
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
P = ctypes.c_void_p
# argtypes and restype on every function: the default int would cut a pointer
lib.pdcfg_new.argtypes = [ctypes.POINTER(P)]
lib.pdcfg_free.argtypes = [P]
lib.pdcfg_free.restype = None
lib.pdcfg_validate.argtypes = [P, ctypes.POINTER(P)]
lib.pdcfg_report_free.argtypes = [P]
lib.pdcfg_report_free.restype = None
lib.pdcfg_report_first_refusal.argtypes = [P]
lib.pdcfg_report_first_refusal.restype = ctypes.c_int64
lib.pdcfg_finding_code.argtypes = [P, ctypes.c_size_t]
lib.pdcfg_finding_code.restype = ctypes.c_uint32
for f in (lib.pdcfg_finding_exception, lib.pdcfg_finding_message):
    f.argtypes = [P, ctypes.c_size_t]
    f.restype = ctypes.c_char_p


def text(name):
    f = getattr(lib, "pdcfg_set_" + name)
    f.argtypes = [P, ctypes.c_char_p]
    return f


def flag(name):
    f = getattr(lib, "pdcfg_set_" + name)
    f.argtypes = [P, ctypes.c_int32]
    return f


MODE, BACKEND = text("disaggregation_mode"), text("attention_backend")
CASES = [
    ("replayssm-spec-on-prefill", [(MODE, b"prefill"), (flag("enable_linear_replayssm_spec"), 1)]),
    ("mode-null", [(MODE, b"null"), (flag("pd_required"), 1)]),
    ("mode-none", [(MODE, None), (flag("pd_required"), 1)]),
    ("offload-on-prefill", [(MODE, b"prefill"), (flag("disaggregation_decode_enable_offload_kvcache"), 1)]),
    ("unified-memory-swa", [(MODE, b"prefill"), (flag("enable_unified_memory"), 1), (BACKEND, b"triton"), (flag("model_is_hybrid_swa"), 1)]),
    ("staging-decode", [(MODE, b"decode"), (flag("env_disagg_staging_buffer"), 1), (flag("model_is_mla"), 1)]),
    ("staging-prefill", [(MODE, b"prefill"), (flag("env_disagg_staging_buffer"), 1), (flag("model_is_mla"), 1)]),
]

for name, settings in CASES:
    cfg, rep = P(), P()
    assert lib.pdcfg_new(ctypes.byref(cfg)) == 0
    for setter, value in settings:
        assert setter(cfg, value) == 0, name
    assert lib.pdcfg_validate(cfg, ctypes.byref(rep)) == 1, name
    lib.pdcfg_free(cfg)  # the report outlives it
    i = lib.pdcfg_report_first_refusal(rep)
    print(name, "PD%d" % lib.pdcfg_finding_code(rep, i), lib.pdcfg_finding_exception(rep, i).decode(), lib.pdcfg_finding_message(rep, i).decode(), sep="\t")
    lib.pdcfg_report_free(rep)
