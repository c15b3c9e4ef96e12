/* package_sdk.h — a package that an SDK is made for: its schema as languages get it. */
#pragma once

#include "cli/cli.h"

#include "model/package_ref.h"
#include "schema/schema.h"

struct package_sdk {
    str schema;                 /* JSON */
    struct schema *head;        /* what it says of itself; released already */
    str folder;                 /* the name of its folder: NAMESPACE-NAME */
    struct package_ref package; /* the plugin behind it */
};

/* What is put into the schema because the plugin does not know it of itself. */
struct package_sdk_facts {
    str version; /* of the plugin; empty: as the schema has it */
    bool forces_version;
    str download_url; /* empty: as the schema has it */
    bool forces_url;
    str namespace;      /* if the schema has none; may be empty */
    bool supports_pack; /* the SDK will be a package of its own */
};

/* Fails if there is no usable name, or on what is no schema at all. */
fallible package_sdk_read(struct cli *cli, str schema, const struct package_sdk_facts *facts,
                          struct package_sdk *out);
/* Prints everything that is wrong with the schema; fails if some of it is an error. Blocks. */
fallible package_sdk_check(struct cli *cli, const struct package_sdk *sdk);
/* As users know it: NAMESPACE/Display Name. */
str package_sdk_title(struct arena *arena, const struct package_sdk *sdk);
/* Of a git repository: "git://HOST/OWNER/…" gives OWNER in small letters; empty for others. */
str package_sdk_namespace(struct arena *arena, str url);
