/* resource.h — what is known of one resource: the state that a checkpoint keeps. */
#pragma once

#include "base/strs.h"
#include "model/value.h"

struct property_dependency {
    str key;
    struct strs urns;
};
/* Sorted by key. */
struct property_dependencies {
    const struct property_dependency *items;
    size_t len;
};
const struct strs *property_dependencies_find(struct property_dependencies list,
                                              str key); /* NULL if absent */

struct timeouts {
    double create, update, delete, read; /* seconds; 0: none */
};

enum hook_kind {
    HOOK_BEFORE_CREATE,
    HOOK_AFTER_CREATE,
    HOOK_BEFORE_UPDATE,
    HOOK_AFTER_UPDATE,
    HOOK_BEFORE_DELETE,
    HOOK_AFTER_DELETE,
    HOOK_ON_ERROR,
    HOOK_KINDS,
};
extern const char *const hook_names[HOOK_KINDS]; /* "BeforeCreate", … as in the state */

typedef struct strs hook_lists[HOOK_KINDS]; /* names of hooks, by kind */

/* The type of a member by its kind in resource_fields.def. A list of frames has source positions;
 * an empty one is a frame without. A null value is none. */
#define MEMBER_BOOL bool
#define MEMBER_TEXT str
#define MEMBER_URN str
#define MEMBER_TEXTS struct strs
#define MEMBER_URNS struct strs
#define MEMBER_FRAMES struct strs
#define MEMBER_TIMEOUTS struct timeouts
#define MEMBER_VALUE struct value
#define MEMBER_HOOKS hook_lists

/* Options a registration carries and a checkpoint remembers: one member for each OPTION of
 * resource_fields.def. */
struct resource_options {
#define OPTION(member, kind, ...) MEMBER_##kind member;
#include "model/resource_fields.def"
};

/* Immutable once published to the snapshot, but for the two marks of a replacement under way. */
struct resource {
    str urn;
    str type;
    bool is_custom;
    bool is_delete;              /* old half of a replacement, to be deleted */
    bool is_pending_replacement; /* deleted first, not created again yet */
    bool is_external;            /* read, not managed */
    bool is_tainted;
    bool refreshes_before_update;
    str id;
    struct value inputs;  /* VALUE_OBJECT */
    struct value outputs; /* VALUE_OBJECT */
    str parent;
    str provider; /* reference */
    struct strs dependencies;
    struct property_dependencies property_dependencies;
    struct strs init_errors;
    struct strs aliases; /* URNs; never written to a checkpoint */
    str created;         /* RFC 3339 or empty */
    str modified;
    str view_of;
    struct resource_options options;

    /* Where the journal finds it again: its place in the base list + 1, or the operation that made
     * it; 0: neither. */
    size_t base_index_plus_one;
    int64_t operation_id;
    struct resource *refreshed; /* what a refresh during a program's run made of it */
};

/* A resource of its own that shares what the members point to. */
struct resource *resource_clone_shallow(struct arena *arena, const struct resource *resource);
/* Copies what the members point to, too, but for `refreshed`. What is the same in `like`, which
 * lasts as long, is shared with it; NULL: nothing is. */
struct resource *resource_copy_like(struct arena *arena, const struct resource *resource,
                                    const struct resource *like);
/* The key of a state in a map: its address, because several states may share a URN. For map_put the
 * pointer at `slot` has to last as long as the map. */
static inline str resource_key(struct resource *const *slot)
{
    return (str){ (const char *)slot, sizeof(*slot) };
}
/* Would the journal write the same of both? */
bool resource_identical(const struct resource *a, const struct resource *b);

/* The property values that a resource has, one after the other: inputs, outputs and the options
 * that are values. NULL behind the last. The cursor starts at 0. */
const struct value *resource_next_value(const struct resource *resource, size_t *cursor);
/* Does one of them pass the test (value_contains_secret and the like)? */
bool resource_contains(const struct resource *resource, bool (*test)(struct value value));
