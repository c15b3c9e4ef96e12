/* sdk.h — SDKs that hosts make for packages: what a language is given to make one from, where it
 * puts the files, and the calls that ask for it. */
#pragma once

#include "base/map.h"
#include "base/pairs.h"
#include "schema/schema_package.h"

#include "pb/plugin.pb-c.h"

struct host;

/* What an SDK is made from. */
struct sdk_request {
    struct schema *schema;
    bool is_local;            /* for one project, not to be published */
    struct pairs extra_files; /* overlays: path → content; they are written after all others */
    struct pairs local_dependencies; /* package → path of what Pack made of it */
};

/* Files of an SDK. They are in a folder of their own until all are there, so that what fails leaves
 * nothing. */
struct sdk_files {
    struct arena *arena;
    str directory; /* where they belong */
    str stage;     /* where they are */
    struct map paths;
    str overlays; /* the folder in it that overlays belong to, which the generator says; empty: the
                     root */
};

/* `path` is below the folder of the SDK, without "..". Two files at one path are an error that
 * names it: names of the package collide. */
fallible sdk_put(struct sdk_files *files, str path, str content);
/* The same for what may stand in place of another file. */
fallible sdk_put_extra(struct sdk_files *files, str path, str content);

/* The paths so far that end so, sorted; for those that have to list them. */
struct strs sdk_paths(struct arena *arena, const struct sdk_files *files, str ending);

/* Opens the folder beside `directory`; then either keeps what was put, or drops it. */
fallible sdk_files_open(struct arena *arena, str directory, struct sdk_files *out);
fallible sdk_files_keep(struct sdk_files *files);
void sdk_files_drop(struct sdk_files *files);

/* How a language calls properties, the last parts of tokens, and values of enums; NULL: whatever it
 * is, that is a name, or the language looks itself. */
struct sdk_naming {
    const char *language;
    str (*property)(struct arena *arena, str name);
    str (*member)(struct arena *arena, str token);
    str (*constant)(struct arena *arena, const struct schema_type *type, size_t index);
};

/* Fails on names that are none in the language, and on properties and values that it cannot tell
 * apart. */
fallible sdk_check_names(struct schema *schema, const struct sdk_naming *naming);

/* A package that is to be known to a program. */
struct sdk_link {
    const Pb__PackageDependency *package;
    str path; /* of its SDK: as it was given, which may be relative to the program's root */
    struct schema *schema; /* NULL: the core SDK, which is no package and has none */
};

struct sdk_links {
    const struct sdk_link *items;
    size_t len;
};

/* GeneratePackage, Pack and Link: messages in, the language's own way, messages out. Block. */
fallible sdk_generate(struct host *host, struct arena *arena, str request, str *response);
fallible sdk_pack(struct host *host, struct arena *arena, str request, str *response);
fallible sdk_link(struct host *host, struct arena *arena, str request, str *response);
