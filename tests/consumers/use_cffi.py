"""The documented cases through cffi: python3 use_cffi.py LIBRARY PREPROCESSED-HEADER. The header is its own cdef."""
import sys

from cffi import FFI

ffi = FFI()
ffi.cdef(open(sys.argv[2]).read())
lib = ffi.dlopen(sys.argv[1])

CASES = [
    ("replayssm-spec-on-prefill", dict(disaggregation_mode=b"prefill", enable_linear_replayssm_spec=1)),
    ("mode-null", dict(disaggregation_mode=b"null", pd_required=1)),
    ("mode-none", dict(disaggregation_mode=ffi.NULL, pd_required=1)),
    ("offload-on-prefill", dict(disaggregation_mode=b"prefill", disaggregation_decode_enable_offload_kvcache=1)),
    ("unified-memory-swa", dict(disaggregation_mode=b"prefill", enable_unified_memory=1, attention_backend=b"triton", model_is_hybrid_swa=1)),
    ("staging-decode", dict(disaggregation_mode=b"decode", env_disagg_staging_buffer=1, model_is_mla=1)),
    ("staging-prefill", dict(disaggregation_mode=b"prefill", env_disagg_staging_buffer=1, model_is_mla=1)),
]

for name, settings in CASES:
    cfg, rep = ffi.new("pdcfg_t **"), ffi.new("pdcfg_report **")
    assert lib.pdcfg_new(cfg) == lib.PDCFG_OK
    for field, value in settings.items():
        assert getattr(lib, "pdcfg_set_" + field)(cfg[0], value) == 0, (name, field)
    assert lib.pdcfg_validate(cfg[0], rep) == lib.PDCFG_REFUSED, name
    i = lib.pdcfg_report_first_refusal(rep[0])
    text = lambda p: ffi.string(p).decode()
    print(name, "PD%d" % lib.pdcfg_finding_code(rep[0], i), text(lib.pdcfg_finding_exception(rep[0], i)), text(lib.pdcfg_finding_message(rep[0], i)), sep="\t")
    lib.pdcfg_report_free(rep[0])
    lib.pdcfg_free(cfg[0])
