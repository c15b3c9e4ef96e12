/* sdk_maker.h — the language host that makes SDKs, with the schemas that it asks for, and folders
 * that are replaced as a whole. */
#pragma once

#include "cli/codegen/code_schemas.h"
#include "cli/package/package_sdk.h"

#include "plugin/language_sdk.h"
#include "plugin/schema_server.h"

struct sdk_maker {
    struct cli *cli;
    struct language *language;
    struct code_schemas schemas;
    struct schema_source source;
    struct schema_server *server;
};

/* `host` must outlive it. Close it with sdk_maker_close, also where opening failed. Blocks. */
fallible sdk_maker_open(struct cli *cli, struct plugin_host *host, str runtime,
                        struct sdk_maker *out);
void sdk_maker_close(struct sdk_maker *maker);

/* Who asks for the schema of this package gets it as it is here. */
void sdk_maker_know(struct sdk_maker *maker, const struct package_sdk *sdk);

/* A folder that was replaced: until it is kept, what was there can come back. */
struct sdk_swap {
    str folder;
    str stage;       /* a folder beside it, with what was there before; empty: nothing was done */
    bool made_above; /* the folder that it is in was not there */
    bool had_old;
    bool has_new;
};
void sdk_swap_keep(struct sdk_swap *swap);
void sdk_swap_undo(struct sdk_swap *swap);

/* Has the host make the SDK, and puts it in the place of `folder`. Refuses where something else is
 * than an SDK that was made. On failure, and where the host makes none, everything is as it was.
 * Blocks. */
fallible sdk_maker_make(struct sdk_maker *maker, const struct package_sdk *sdk, str folder,
                        struct pairs extra_files, bool is_local, struct sdk_swap *swap,
                        bool *is_implemented);
