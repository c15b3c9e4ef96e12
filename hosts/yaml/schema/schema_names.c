/* schema_names.c — the names in schemas: tokens as programs write them, and types as messages call
 * them. */
#include "yaml/schema/schema.h"

#include "base/strbuf.h"
#include "model/urn.h"
#include "yaml/syntax/syntax.h"

static str definitions_find_token(const struct map *definitions, str token)
{
    const struct map_entry *entry;

    if (map_has(definitions, token))
        return token;
    for (size_t i = 0; map_next(definitions, &i, &entry);)
        if (syntax_same_letters(entry->key, token))
            return entry->key;
    return (str){ 0 };
}

static str token_resolve(struct arena *arena, const struct map *definitions, str token)
{
    str package, rest, module, name;
    str found = definitions_find_token(definitions, token);

    if (found.ptr || !str_cut(token, STR(":"), &package, &rest))
        return found;
    if (!str_cut(rest, STR(":"), &module, &name)) {
        module = STR("index");
        name = rest;
        found =
            definitions_find_token(definitions, arena_concat(arena, package, STR(":index:"), name));
        if (found.ptr)
            return found;
    }
    return definitions_find_token(definitions, arena_concat(arena, package, STR(":"), module,
                                                            STR("/"), name, STR(":"), name));
}

str schema_resolve_resource(struct schema *schema, str token)
{
    if (type_is_provider(token))
        return token;
    return token_resolve(schema->arena, &schema->resources, token);
}

str schema_resolve_function(struct schema *schema, str token)
{
    return token_resolve(schema->arena, &schema->functions, token);
}

/* --- types --- */

static str join_types(struct arena *arena, const struct schema_type *type)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add(&text, STR("Union<"));
    for (size_t i = 0; i < type->len; i++) {
        if (i)
            strbuf_add(&text, STR(", "));
        strbuf_add(&text, schema_type_text(arena, type->members[i]));
    }
    strbuf_add_char(&text, '>');
    return arena_copy(arena, strbuf_str(&text));
}

/* An object of the program itself has no name but its properties. */
static str list_properties(struct arena *arena, const struct schema_properties *properties)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add_char(&text, '{');
    for (size_t i = 0; i < properties->len; i++) {
        if (i)
            strbuf_add(&text, STR(", "));
        strbuf_add(&text, properties->items[i].name);
        strbuf_add(&text, STR(": "));
        strbuf_add(&text, schema_type_text(arena, properties->items[i].type));
    }
    strbuf_add_char(&text, '}');
    return arena_copy(arena, strbuf_str(&text));
}

str schema_type_text(struct arena *arena, const struct schema_type *type)
{
    switch (type->kind) {
    case TYPE_ANY: return STR("any");
    case TYPE_BOOL: return STR("boolean");
    case TYPE_INTEGER: return STR("integer");
    case TYPE_NUMBER: return STR("number");
    case TYPE_STRING: return STR("string");
    case TYPE_ASSET: return STR("asset");
    case TYPE_ARCHIVE: return STR("archive");
    case TYPE_ARRAY:
        return arena_concat(arena, STR("List<"), schema_type_text(arena, type->element), STR(">"));
    case TYPE_MAP:
        return arena_concat(arena, STR("Map<"), schema_type_text(arena, type->element), STR(">"));
    case TYPE_UNION: return join_types(arena, type);
    case TYPE_OBJECT:
        if (type->token.len == 0 && type->properties)
            return list_properties(arena, type->properties);
        return type->token;
    case TYPE_ENUM:
    case TYPE_RESOURCE: return type->token;
    }
    return STR("any");
}
