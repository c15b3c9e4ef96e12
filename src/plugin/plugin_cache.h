/* plugin_cache.h — the directory of installed plugins, PULUMI_HOME/plugins: KIND-NAME-vVERSION
 * each, with files beside that describe it: .lock (held while it is installed), .partial (it is not
 * complete: nobody may use it), .lastused. */
#pragma once

#include "base/semver.h"
#include "base/error.h"

struct plugin_entry {
    str kind;
    str name;
    struct semver version;
    str folder;      /* absolute */
    bool is_outside; /* of the cache: `folder` is its executable, its version is not known */
};
struct plugin_entries {
    struct plugin_entry *items;
    size_t len;
};

bool plugin_is_kind(str text);
/* What the name of a directory may contain. */
bool plugin_is_cache_name(str name);
/* Comes with us: not to be installed. */
bool plugin_is_bundled(str kind, str name);

/* Takes the name of a directory apart; false if no plugin is called so. The parts are slices of
 * it. */
bool plugin_cache_parse(str entry, str *kind, str *name, struct semver *version);
/* Releases before pre-releases, then the higher. */
bool plugin_version_is_better(const struct semver *candidate, const struct semver *best);

/* Complete ones, sorted by name, kind, then the newest first. An absent directory is an empty list.
 * Blocks the thread. */
fallible plugin_cache_list(struct arena *arena, str home, struct plugin_entries *out);
/* Where a plugin is once it is installed. */
str plugin_cache_folder(struct arena *arena, str home, str kind, str name,
                        const struct semver *version);
/* It is there and complete. */
bool plugin_cache_is_complete(str folder);
/* "aws-1.2.3" */
str plugin_entry_text(struct arena *arena, const struct plugin_entry *entry);

struct plugin_usage {
    uint64_t size;
    int64_t installed; /* nanoseconds since 1970; 0: unknown */
    int64_t last_used;
};
fallible plugin_cache_usage(const struct plugin_entry *entry, struct plugin_usage *out);

/* Notes that it is used now. */
void plugin_cache_mark_used(str folder);

/* Waits until nobody else installs or removes it. Give the descriptor to fs_unlock. Blocks. */
fallible plugin_cache_lock(str folder, int *out);
/* With all files beside it. Call it under its lock. Blocks the thread. */
fallible plugin_cache_remove(str folder);
