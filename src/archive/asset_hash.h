/* asset_hash.h — SHA-256 of the contents of assets and archives. Reads files, so it blocks the
 * thread: offload it. */
#pragma once

#include "base/map.h"
#include "model/value.h"

/* Where contents are. The zero value: paths begin in the current directory, nothing was fetched. */
struct asset_places {
    str base_directory;        /* of relative paths */
    const struct map *fetched; /* URI → struct str *, the path of a copy */
};

/* The asset or archive with its hash filled in; one that has a hash is returned as it is. Members
 * of an archive keep the hashes they have. Failures name the file or the member. */
fallible asset_hash(struct arena *arena, const struct asset_places *places, struct value asset,
                    struct value *out);

bool value_needs_hashes(struct value value);

bool asset_is_remote(str uri); /* of HTTP or HTTPS */
/* Every such URI that needs to be fetched before the hashes can be computed. */
typedef fallible asset_visit(void *context, str uri);
fallible value_visit_remote(struct value value, asset_visit *visit, void *context);

/* The hash of every asset and archive in a value, members of archives included, innermost
 * first. */
fallible value_compute_hashes(struct arena *arena, const struct asset_places *places,
                              struct value value, struct value *out);
