/* mask.h — takes what differs from run to run out of a text: identifiers, times, durations,
 * addresses, folders. */
#pragma once

#include "base/arena.h"

/* `directory` becomes <dir>, the sentinel of an unknown value <unknown>, other identifiers <uuid>,
 * and so on. */
str mask_text(struct arena *arena, str text, str directory);
