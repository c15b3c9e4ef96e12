/* goal.h — what a program asks for when it registers a resource. */
#pragma once

#include "model/resource.h"

/* Another name the resource may be known by: a whole URN, or the parts that differ. */
struct alias {
    str urn;
    str name;
    str type;
    str stack;
    str project;
    str parent; /* URN */
    bool has_no_parent;
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
    bool has_protect; /* given here, not inherited */
    bool has_retain_on_delete;
    bool has_delete_before_replace;
    bool deletes_before_replace;
    struct resource_options options;
};
