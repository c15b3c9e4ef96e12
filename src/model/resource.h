/* resource.h — what is known of one resource: the state that a checkpoint keeps. */
#pragma once

#include "model/value.h"

/* An immutable list of texts in some arena. */
struct strs {
    const str *items;
    size_t len;
};
bool strs_equal(struct strs a, struct strs b);     /* same order */
bool strs_equal_set(struct strs a, struct strs b); /* any order */
bool strs_has(struct strs list, str text);
struct strs strs_copy(struct arena *arena, struct strs list);
/* Without duplicates, first occurrence kept. */
struct strs strs_union(struct arena *arena, struct strs a, struct strs b);
struct strs strs_sorted(struct arena *arena, struct strs list);

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
bool property_dependencies_equal(struct property_dependencies a, struct property_dependencies b);

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

/* Options a registration carries and a checkpoint remembers. Goal and state embed the same struct;
 * one table (resource_fields.c) describes it to the checkpoint reader and writer and to
 * comparison. */
struct resource_options {
    bool protect;
    bool retain_on_delete;
    str deleted_with;
    struct strs replace_with;
    struct strs ignore_changes;
    struct strs replace_on_changes;
    struct strs hide_diff;
    struct strs additional_secret_outputs;
    struct timeouts custom_timeouts;
    struct value replacement_trigger; /* VALUE_NULL: none */
    struct strs hooks[HOOK_KINDS];
    str import_id;
    str extension_ref;
    str snippet_id;
    str source_position;
    struct strs stack_trace; /* source positions; an empty one is a frame without */
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

/* Do two states of a resource agree in all that makes a new one worth writing at once? Times,
 * positions, marks and the options that only matter to the next run do not count; the last write of
 * a run saves them. */
bool resource_same_persisted(const struct resource *a, const struct resource *b);
struct resource *resource_copy(struct arena *arena, const struct resource *resource); /* shallow */
