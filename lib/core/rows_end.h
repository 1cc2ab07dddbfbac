/* See norows.h. */
#undef REFUSE
#undef WARN
#undef PARSE
#undef ASSIGN
#undef DECLARE
#undef MATERIALIZE
#undef LEAVE
#undef LABEL
#undef RETIRED
#undef STATE
#undef KNOWN
#undef HELPER
#undef COMPUTE
