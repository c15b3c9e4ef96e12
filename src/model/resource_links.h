/* resource_links.h — every reference a resource holds to others, one after the other, and how to
 * change them all. */
#pragma once

#include "model/resource.h"

enum link_kind {
    LINK_PARENT,
    LINK_DEPENDENCY,
    LINK_PROPERTY, /* a property dependency; `key` is the property */
    LINK_DELETED_WITH,
    LINK_REPLACE_WITH,
    LINK_PROVIDER, /* the URN of the reference */
    LINK_VIEW_OF,  /* not a dependency: only met when rewriting */
};

struct link {
    enum link_kind kind;
    str urn; /* never empty */
    str key;
};

/* struct link_cursor cursor = { 0 }; while (resource_link_next(resource, &cursor, &link)) …
 * Parent first, then the order of the enum. Views are left out. */
struct link_cursor {
    unsigned stage;
    size_t at;
    size_t inner;
};
bool resource_link_next(const struct resource *resource, struct link_cursor *cursor,
                        struct link *out);

/* What to put in the place of a URN: the same, another, or an empty text to drop it (a provider
 * cannot be dropped). */
typedef str rewrite_link(void *context, struct link link);

/* The resource itself if every link stays, else a copy with the changes. With `drops_empty`,
 * properties that are left without dependencies (or never had any) are forgotten. The own URN is
 * not touched. */
struct resource *resource_rewrite_links(struct arena *arena, struct resource *resource,
                                        rewrite_link *rewrite, void *context, bool drops_empty);

/* Every URN a state refers to but its provider's: parent, dependencies, property dependencies,
 * deletedWith, replaceWith. */
struct strs resource_references(struct arena *arena, const struct resource *resource);
/* URN part of its provider reference; empty if it has none. */
str resource_provider_urn(const struct resource *resource);
