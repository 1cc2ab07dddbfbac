/* Every kind of row that the including file has not given a meaning means nothing to it. rows_end.h takes the meanings back. */
#ifndef REFUSE
#define REFUSE(...)
#endif
#ifndef WARN
#define WARN(...)
#endif
#ifndef PARSE
#define PARSE(...)
#endif
#ifndef ASSIGN
#define ASSIGN(...)
#endif
#ifndef DECLARE
#define DECLARE(...)
#endif
#ifndef MATERIALIZE
#define MATERIALIZE(...)
#endif
#ifndef LEAVE
#define LEAVE(...)
#endif
#ifndef LABEL
#define LABEL(...)
#endif
#ifndef RETIRED
#define RETIRED(...)
#endif
#ifndef STATE
#define STATE(...)
#endif
#ifndef KNOWN
#define KNOWN(...)
#endif
#ifndef HELPER
#define HELPER(...)
#endif
#ifndef COMPUTE
#define COMPUTE(...)
#endif
