/* goal.h — what a program asks for when it registers a resource. */
#pragma once

#include "base/pairs.h"
#include "model/resource.h"

/* Another name the resource may be known by: a whole URN, or the parts that differ. */
struct alias {
    bool is_spec; /* parts; else `urn`, whose pointer is NULL if that was not given either */
    str urn;
    str name;
    str type;
    str stack;
    str project;
    str parent;           /* URN; a NULL pointer: not given */
    bool gives_no_parent; /* has_no_parent was given, though it may be false */
    bool has_no_parent;
};
struct aliases {
    const struct alias *items;
    size_t len;
};

/* Durations as the program wrote them. A pointer is NULL where none was given. */
struct requested_timeouts {
    str create, update, delete, read;
    struct timeouts seconds; /* the same, once they are checked */
};

/* Bytes of a Value; a NULL pointer: not given. */
struct requested_value {
    str encoded;
    struct value value; /* the same, once it is checked */
};

/* The type of a requested option by its kind in resource_fields.def. */
#define REQUESTED_BOOL bool
#define REQUESTED_TEXT str
#define REQUESTED_URN str
#define REQUESTED_TEXTS struct strs
#define REQUESTED_URNS struct strs
#define REQUESTED_FRAMES struct strs
#define REQUESTED_PAIRS struct pairs
#define REQUESTED_BYTE_PAIRS struct pairs /* the values are bytes */
#define REQUESTED_HOOKS hook_lists
#define REQUESTED_TIMEOUTS struct requested_timeouts
#define REQUESTED_VALUE struct requested_value
#define REQUESTED_ALIASES struct aliases

/* Which options were given where an option that is absent differs from an empty one: booleans,
 * timeouts and hooks. */
struct option_marks {
#define OPTION(member, ...) bool member;
#define REQUEST(member, ...) bool member;
#include "model/resource_fields.def"
};

/* Every option as a program requests it and transforms change it. Nothing is checked before the
 * last transform has run, and what is passed on to others is passed on as it came; options_settle()
 * makes resource_options of it. */
struct requested_options {
#define OPTION(member, kind, ...) REQUESTED_##kind member;
#define REQUEST(member, kind, ...) REQUESTED_##kind member;
#include "model/resource_fields.def"
    struct option_marks given;
};

struct goal {
    str type;
    str name;
    str parent; /* URN or empty */
    bool is_custom;
    struct value inputs;
    struct strs dependencies;
    struct property_dependencies property_dependencies;
    str provider; /* reference */
    const struct alias *aliases;
    size_t alias_count;
    bool has_delete_before_replace;
    bool deletes_before_replace;
    struct resource_options options;
};
