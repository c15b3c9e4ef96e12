/* package_ref.c — which package: a plugin, or what a plugin becomes by a parameter. */
#include "model/package_ref.h"

#include "model/value_ops.h"

str package_ref_checksum(const struct package_ref *ref, str platform)
{
    return ref->checksums.kind == VALUE_OBJECT ? value_find_text(ref->checksums, platform)
                                               : STR("");
}

bool package_ref_same_plugin(const struct package_ref *a, const struct package_ref *b)
{
    return str_equal(a->name, b->name) && str_equal(a->version, b->version)
           && str_equal(a->download_url, b->download_url);
}

bool package_ref_equal(const struct package_ref *a, const struct package_ref *b)
{
    return package_ref_same_plugin(a, b) && a->is_parameterized == b->is_parameterized
           && a->is_extension == b->is_extension && str_equal(a->parameter_name, b->parameter_name)
           && str_equal(a->parameter_version, b->parameter_version)
           && str_equal(a->parameter_value, b->parameter_value);
}

struct package_ref package_ref_copy(struct arena *arena, const struct package_ref *ref)
{
    struct package_ref copy = *ref;

    copy.kind = arena_copy(arena, ref->kind);
    copy.name = arena_copy(arena, ref->name);
    copy.version = arena_copy(arena, ref->version);
    copy.download_url = arena_copy(arena, ref->download_url);
    copy.checksums = value_copy(arena, ref->checksums);
    copy.parameter_name = arena_copy(arena, ref->parameter_name);
    copy.parameter_version = arena_copy(arena, ref->parameter_version);
    copy.parameter_value = arena_copy(arena, ref->parameter_value);
    return copy;
}
