/* package_words.h — a package as it is named on the line: source, parameters, server; and its
 * schema as SDKs are made from it. */
#pragma once

#include "cli/package/package_schema.h"
#include "cli/package/package_sdk.h"

struct package_words {
    struct strs words; /* parameters */
    bool is_extension; /* they extend the plugin's package */
};

/* From the operands behind the source, or from the text of --extension. */
fallible package_words_read(struct cli *cli, str extension, struct package_words *out);

/* What the plugin needs to run; of a repository the newest version is installed, and noted in
 * *source. `server`: where plugins are downloaded from; empty: where they usually are. Blocks. */
fallible package_words_prepare(struct cli *cli, struct package_source *source, str server);

/* Gets the plugin if it is not there and asks it for the schema, as it gives it. *source gets the
 * version that was chosen. Blocks. */
fallible package_words_text(struct cli *cli, struct package_source *source, str server,
                            const struct package_words *words, str *out);

/* The same with the facts that an SDK needs, and checked. `supports_pack`: the SDK will be a
 * package of its own. Blocks. */
fallible package_words_schema(struct cli *cli, struct package_source *source, str server,
                              const struct package_words *words, bool supports_pack,
                              struct package_sdk *out);
