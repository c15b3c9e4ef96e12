/* asset_hash.h — SHA-256 of what assets and archives stand for. Reads files, so it blocks the
 * thread: offload it. */
#pragma once

#include "model/value.h"

/* The asset or archive with its hash filled in; one that has a hash is returned as it is. Relative
 * paths begin at `base_directory` (empty: the current one). Members of an archive keep the hashes
 * they have. Failures name the file or the member. */
fallible asset_hash(struct arena *arena, str base_directory, struct value asset, struct value *out);

/* Decoding property values computes hashes on request, which blocks. From a fiber rather decode
 * without, ask the first of these, and have a helper thread call the second. */
bool value_needs_hashes(struct value value);

/* The same for every asset and archive in a value, members of archives included, innermost
 * first. */
fallible value_compute_hashes(struct arena *arena, str base_directory, struct value value,
                              struct value *out);
