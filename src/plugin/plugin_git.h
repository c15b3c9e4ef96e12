/* plugin_git.h — plugins that are git repositories: their addresses and what they are called once
 * installed. */
#pragma once

#include "base/strs.h"
#include "base/error.h"

struct plugin_host;

struct plugin_git {
    str clone_url;  /* "https://github.com/owner/repository.git" */
    str cache_name; /* part of the name of the directory: without scheme and password, '/' as '_' */
    str subfolder;  /* where the plugin is in the repository; empty: at its top */
};

/* "git://HOST/OWNER/REPOSITORY[/FOLDER]" or "git://HOST/PATH.git[/FOLDER]" */
bool plugin_is_git(str url);
fallible plugin_git_parse(struct arena *arena, str url, struct plugin_git *out);

/* The name in the cache of a plugin that comes from `url`, which may be empty. */
str plugin_cache_name(struct arena *arena, str name, str url);

/* "github.com/owner/repository@1.2.3" instead of a name: the address goes to `url`, the version (or
 * commit, as 0.0.0-xHASH) to `version`. Other names are left alone. */
fallible plugin_git_name(struct arena *arena, str *name, str *version, str *url);

/* --- any repository --- */

struct git_remote {
    str url;   /* without a password */
    str login; /* "USER:PASSWORD" for a server of HTTPS; only git sees it; empty: none */
};

/* Names of its branches and tags. Blocks. */
fallible plugin_git_references(struct plugin_host *host, const struct git_remote *remote,
                               struct arena *arena, struct strs *out);
/* The newest commit of a branch or tag (empty: of what it shows first) goes to `folder`, which is
 * not there yet. Blocks. */
fallible plugin_git_clone(struct plugin_host *host, const struct git_remote *remote, str reference,
                          str folder);
/* Brings a clone up to date. Blocks. */
fallible plugin_git_pull(struct plugin_host *host, str folder);
