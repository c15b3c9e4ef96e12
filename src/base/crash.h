/* crash.h — what is left when the process ends on the spot: a line on standard error, an exit code,
 * and no memory on the disk. */
#pragma once

#include "base/str.h"

/* Once, at the start of a program. The memory holds secrets in the clear, so neither a core file
 * nor a debugger of the same user gets it, unless CULUMI_ALLOW_CORE_DUMPS is true. An abort of a
 * library, which does not report why, says what the system refused last. */
void crash_prepare(void);

/* Ends the process; the reason was printed already. */
_Noreturn void crash_end(void);
