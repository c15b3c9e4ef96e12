/* package_ref.h — which package: a plugin, or what a plugin becomes by a parameter. */
#pragma once

#include "model/value.h"

struct package_ref {
    str kind;         /* of the plugin: "resource", "language" …; empty: a resource */
    str name;         /* of the plugin */
    str version;      /* of the plugin; empty: newest */
    str download_url; /* empty: the usual places */
    struct value
        checksums; /* platform → SHA-256 of the archive in hexadecimal; null: any will do */
    bool is_parameterized; /* the package is made of the plugin by a parameter */
    bool is_extension;     /* of the provider that the plugin is */
    str parameter_name;    /* of the package that it makes */
    str parameter_version;
    str parameter_value;
};
struct package_refs {
    struct package_ref *items;
    size_t len;
};

/* Of the package itself. */
static inline str package_ref_name(const struct package_ref *ref)
{
    return ref->is_parameterized ? ref->parameter_name : ref->name;
}
static inline str package_ref_version(const struct package_ref *ref)
{
    return ref->is_parameterized ? ref->parameter_version : ref->version;
}

/* Of the archive for a platform; empty: any will do. */
str package_ref_checksum(const struct package_ref *ref, str platform);
/* The same plugin from the same place. */
bool package_ref_same_plugin(const struct package_ref *a, const struct package_ref *b);
/* The same in all but kind and checksums. */
bool package_ref_equal(const struct package_ref *a, const struct package_ref *b);
struct package_ref package_ref_copy(struct arena *arena, const struct package_ref *ref);
