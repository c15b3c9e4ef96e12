/* schema.h — private to this folder: what a project file may contain, and messages about what it
 * should not. */
#pragma once

#include "model/value.h"

/* Fails with one line for each violation: `#/path: message`, with a near miss where a name is
 * unknown. */
fallible schema_check_project(struct value document);

/* The name among `names` that is at most two edits away, ignoring case; the first in order of the
 * alphabet if there are several. Empty if none. */
str schema_near_miss(str name, const str *names, size_t count);
