/* resource_links.c — every reference a resource holds to others. */
#include "model/resource_links.h"

#include "model/urn.h"

/* The URN of a provider reference, whether it is well formed or not. */
static str provider_urn(str reference)
{
    str urn, id;

    return str_cut_last(reference, STR("::"), &urn, &id) ? urn : STR("");
}

/* --- walking --- */

static bool give(struct link_cursor *cursor, enum link_kind kind, str urn, struct link *out)
{
    cursor->stage = kind + 1;
    *out = (struct link){ kind, urn, STR("") };
    return urn.len > 0;
}

/* The next text of a list that is not empty; steps to the next stage at the end. */
static bool give_item(struct link_cursor *cursor, enum link_kind kind, struct strs list,
                      struct link *out)
{
    while (cursor->at < list.len) {
        str urn = list.items[cursor->at++];
        if (urn.len) {
            *out = (struct link){ kind, urn, STR("") };
            return true;
        }
    }
    cursor->at = 0;
    cursor->stage = kind + 1;
    return false;
}

static bool give_property(struct link_cursor *cursor, struct property_dependencies list,
                          struct link *out)
{
    for (; cursor->at < list.len; cursor->at++, cursor->inner = 0) {
        const struct property_dependency *property = &list.items[cursor->at];
        while (cursor->inner < property->urns.len) {
            str urn = property->urns.items[cursor->inner++];
            if (urn.len) {
                *out = (struct link){ LINK_PROPERTY, urn, property->key };
                return true;
            }
        }
    }
    *cursor = (struct link_cursor){ .stage = LINK_PROPERTY + 1 };
    return false;
}

bool resource_link_next(const struct resource *resource, struct link_cursor *cursor,
                        struct link *out)
{
    bool found = false;

    while (!found && cursor->stage < LINK_VIEW_OF) {
        switch ((enum link_kind)cursor->stage) {
        case LINK_PARENT: found = give(cursor, LINK_PARENT, resource->parent, out); break;
        case LINK_DEPENDENCY:
            found = give_item(cursor, LINK_DEPENDENCY, resource->dependencies, out);
            break;
        case LINK_PROPERTY:
            found = give_property(cursor, resource->property_dependencies, out);
            break;
        case LINK_DELETED_WITH:
            found = give(cursor, LINK_DELETED_WITH, resource->options.deleted_with, out);
            break;
        case LINK_REPLACE_WITH:
            found = give_item(cursor, LINK_REPLACE_WITH, resource->options.replace_with, out);
            break;
        case LINK_PROVIDER:
            found = give(cursor, LINK_PROVIDER, provider_urn(resource->provider), out);
            break;
        case LINK_VIEW_OF: break;
        }
    }
    return found;
}

/* --- rewriting --- */

struct rewriting {
    struct arena *arena;
    rewrite_link *rewrite;
    void *context;
    bool drops_empty;
    bool has_changed;
};

static str rewrite_one(struct rewriting *rewriting, enum link_kind kind, str urn, str key)
{
    if (urn.len == 0)
        return urn;
    str result = rewriting->rewrite(rewriting->context, (struct link){ kind, urn, key });
    if (str_equal(result, urn))
        return urn;
    rewriting->has_changed = true;
    return result;
}

/* The list itself if nothing in it changes. Empty texts mean nothing and stay. */
static struct strs rewrite_list(struct rewriting *rewriting, enum link_kind kind, struct strs list,
                                str key)
{
    str *items = NULL;
    size_t kept = 0;

    for (size_t i = 0; i < list.len; i++) {
        str item = rewrite_one(rewriting, kind, list.items[i], key);
        if (!items && !str_equal(item, list.items[i])) {
            items = ARENA_ARRAY(rewriting->arena, str, list.len);
            memcpy(items, list.items, i * sizeof(*items));
        }
        bool is_dropped = item.len == 0 && list.items[i].len > 0;
        if (items && !is_dropped)
            items[kept] = item;
        kept += !is_dropped;
    }
    return items ? (struct strs){ items, kept } : list;
}

static struct property_dependencies rewrite_properties(struct rewriting *rewriting,
                                                       struct property_dependencies list)
{
    struct property_dependency *items =
        ARENA_ARRAY(rewriting->arena, struct property_dependency, list.len);
    size_t kept = 0;

    for (size_t i = 0; i < list.len; i++) {
        struct strs urns =
            rewrite_list(rewriting, LINK_PROPERTY, list.items[i].urns, list.items[i].key);
        if (rewriting->drops_empty && urns.len == 0)
            rewriting->has_changed = true;
        else
            items[kept++] = (struct property_dependency){ list.items[i].key, urns };
    }
    return (struct property_dependencies){ items, kept };
}

static str rewrite_provider(struct rewriting *rewriting, str reference)
{
    str urn, id;

    if (!str_cut_last(reference, STR("::"), &urn, &id))
        return reference;
    str result = rewrite_one(rewriting, LINK_PROVIDER, urn, STR(""));
    BUG_IF(result.len == 0 && urn.len > 0);
    return str_equal(result, urn) ? reference : provider_ref_format(rewriting->arena, result, id);
}

struct resource *resource_rewrite_links(struct arena *arena, struct resource *resource,
                                        rewrite_link *rewrite, void *context, bool drops_empty)
{
    struct rewriting rewriting = { arena, rewrite, context, drops_empty, false };
    struct resource copy = *resource;

    copy.parent = rewrite_one(&rewriting, LINK_PARENT, copy.parent, STR(""));
    copy.dependencies = rewrite_list(&rewriting, LINK_DEPENDENCY, copy.dependencies, STR(""));
    if (copy.property_dependencies.len)
        copy.property_dependencies = rewrite_properties(&rewriting, copy.property_dependencies);
    copy.options.deleted_with =
        rewrite_one(&rewriting, LINK_DELETED_WITH, copy.options.deleted_with, STR(""));
    copy.options.replace_with =
        rewrite_list(&rewriting, LINK_REPLACE_WITH, copy.options.replace_with, STR(""));
    copy.provider = rewrite_provider(&rewriting, copy.provider);
    copy.view_of = rewrite_one(&rewriting, LINK_VIEW_OF, copy.view_of, STR(""));
    return rewriting.has_changed ? resource_clone_shallow(arena, &copy) : resource;
}

struct strs resource_references(struct arena *arena, const struct resource *resource)
{
    size_t room = 2 + resource->dependencies.len + resource->options.replace_with.len;
    for (size_t i = 0; i < resource->property_dependencies.len; i++)
        room += resource->property_dependencies.items[i].urns.len;

    str *urns = ARENA_ARRAY(arena, str, room);
    size_t len = 0;
    if (resource->parent.len)
        urns[len++] = resource->parent;
    for (size_t i = 0; i < resource->dependencies.len; i++)
        urns[len++] = resource->dependencies.items[i];
    for (size_t i = 0; i < resource->property_dependencies.len; i++) {
        struct strs list = resource->property_dependencies.items[i].urns;
        for (size_t j = 0; j < list.len; j++)
            urns[len++] = list.items[j];
    }
    if (resource->options.deleted_with.len)
        urns[len++] = resource->options.deleted_with;
    for (size_t i = 0; i < resource->options.replace_with.len; i++)
        urns[len++] = resource->options.replace_with.items[i];
    return (struct strs){ urns, len };
}

str resource_provider_urn(const struct resource *resource)
{
    str urn, id;
    return str_cut_last(resource->provider, STR("::"), &urn, &id) ? urn : STR("");
}
