/* schema_names.c — the names in schemas: tokens as programs write them, and types as messages call
 * them. */
#include "schema/schema_reader.h"

#include "base/regex_cost.h"
#include "base/strbuf.h"
#include "model/urn.h"

#include <regex.h>

static str definitions_find_token(const struct map *definitions, str token)
{
    const struct map_entry *entry;

    if (map_has(definitions, token))
        return token;
    for (size_t i = 0; map_next(definitions, &i, &entry);)
        if (str_same_letters(entry->key, token))
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

/* --- modules --- */

/* Schemas write "(?:" for groups that do not count, which POSIX does not know: they become groups
 * that do, and the first of those that counted before comes so much later. */
static str posix_pattern(struct arena *arena, str format, size_t *group)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_found = false;

    *group = 1;
    for (size_t i = 0; i < format.len; i++) {
        bool is_open = format.ptr[i] == '(' && (i == 0 || format.ptr[i - 1] != '\\');
        bool is_mute = is_open && str_starts_with(str_slice(format, i, format.len), STR("(?:"));
        strbuf_add_char(&out, format.ptr[i]);
        if (is_mute)
            i += 2;
        *group += is_mute && !is_found;
        is_found = is_found || (is_open && !is_mute);
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* Without a match there is no module. */
static str match_module(const struct schema *schema, str module)
{
    enum { MOST_GROUPS = 10 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    regmatch_t groups[MOST_GROUPS];
    size_t group;
    regex_t regex;
    str pattern = posix_pattern(&scratch, schema->module_format, &group);

    if (group >= MOST_GROUPS || !regex_is_affordable(pattern)
        || regcomp(&regex, arena_cstr(&scratch, pattern), REG_EXTENDED) != 0)
        return module;
    bool is_match = regexec(&regex, arena_cstr(&scratch, module), MOST_GROUPS, groups, 0) == 0
                    && groups[group].rm_so >= 0;
    regfree(&regex);
    return is_match ? str_slice(module, (size_t)groups[group].rm_so, (size_t)groups[group].rm_eo)
                    : STR("");
}

str schema_module(const struct schema *schema, str token)
{
    str package, rest, module, name;

    if (!str_cut(token, STR(":"), &package, &rest) || !str_cut(rest, STR(":"), &module, &name)
        || str_equal(package, STR("pulumi")))
        return STR("");
    if (schema->module_format.len)
        module = match_module(schema, module);
    return str_equal(module, STR("index")) ? STR("") : module;
}

str schema_member(str token)
{
    str head, name = token;

    str_cut_last(token, STR(":"), &head, &name);
    return name;
}

/* --- what languages need to know --- */

str schema_raw_member(struct arena *arena, str object, str wanted)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct pairs members = { 0 };
    str found = STR("");

    json_reader_init(&reader, arena, object);
    struct error *failure =
        object.len ? json_field_raw_pairs(&reader, &members) : error_new(ERROR_INVALID, "none");
    for (size_t i = 0; i < members.len; i++)
        if (str_equal(members.items[i].key, wanted))
            found = members.items[i].value;
    error_ignore(failure, "what is not understood says nothing");
    return found;
}

static bool raw_is_text(struct arena *arena, str raw, str *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token token;

    json_reader_init(&reader, arena, raw);
    struct error *failure = json_next(&reader, &token);
    bool is_text = !failure && token.kind == JSON_STRING;
    error_ignore(failure, "what is not understood says nothing");
    if (is_text)
        *out = token.text;
    return is_text;
}

static str raw_text(struct arena *arena, str raw)
{
    str text = STR("");

    raw_is_text(arena, raw, &text);
    return text;
}

str schema_language_text(const struct schema *schema, str language, str key)
{
    struct arena *arena = schema->arena;

    return raw_text(
        arena, schema_raw_member(arena, schema_raw_member(arena, schema->language, language), key));
}

static str language_raw_entry(const struct schema *schema, str language, str key, str inner)
{
    struct arena *arena = schema->arena;
    str map = schema_raw_member(arena, schema_raw_member(arena, schema->language, language), key);

    return schema_raw_member(arena, map, inner);
}

str schema_language_entry(const struct schema *schema, str language, str key, str inner)
{
    return raw_text(schema->arena, language_raw_entry(schema, language, key, inner));
}

bool schema_language_rename(const struct schema *schema, str language, str key, str module,
                            str *name)
{
    return raw_is_text(schema->arena, language_raw_entry(schema, language, key, module), name);
}

/* --- types --- */

/* The types of a program can hold each other twice and be as large as a value: what is behind this
 * many bytes, or below that many others, is not shown. */
enum { LONGEST_TYPE = 16 * 1024, DEEPEST_TYPE = 100 };

static void add_type(struct strbuf *out, const struct schema_type *type, unsigned depth);

static void add_element(struct strbuf *out, str before, const struct schema_type *type,
                        unsigned depth)
{
    strbuf_add(out, before);
    add_type(out, type->element, depth);
    strbuf_add_char(out, '>');
}

static void add_union(struct strbuf *out, const struct schema_type *type, unsigned depth)
{
    strbuf_add(out, STR("Union<"));
    for (size_t i = 0; i < type->len && out->len <= LONGEST_TYPE; i++) {
        if (i)
            strbuf_add(out, STR(", "));
        add_type(out, type->members[i], depth);
    }
    strbuf_add_char(out, '>');
}

/* An object of the program itself has no name but its properties. */
static void add_properties(struct strbuf *out, const struct schema_properties *properties,
                           unsigned depth)
{
    strbuf_add_char(out, '{');
    for (size_t i = 0; i < properties->len && out->len <= LONGEST_TYPE; i++) {
        if (i)
            strbuf_add(out, STR(", "));
        strbuf_add(out, properties->items[i].name);
        strbuf_add(out, STR(": "));
        add_type(out, properties->items[i].type, depth);
    }
    strbuf_add_char(out, '}');
}

static void add_type(struct strbuf *out, const struct schema_type *type, unsigned depth)
{
    if (out->len > LONGEST_TYPE)
        return;
    if (depth == DEEPEST_TYPE) {
        strbuf_add(out, STR("..."));
        return;
    }
    switch (type->kind) {
    case TYPE_ANY: strbuf_add(out, STR("any")); return;
    case TYPE_BOOL: strbuf_add(out, STR("boolean")); return;
    case TYPE_INTEGER: strbuf_add(out, STR("integer")); return;
    case TYPE_NUMBER: strbuf_add(out, STR("number")); return;
    case TYPE_STRING: strbuf_add(out, STR("string")); return;
    case TYPE_ASSET: strbuf_add(out, STR("asset")); return;
    case TYPE_ARCHIVE: strbuf_add(out, STR("archive")); return;
    case TYPE_ARRAY: add_element(out, STR("List<"), type, depth + 1); return;
    case TYPE_MAP: add_element(out, STR("Map<"), type, depth + 1); return;
    case TYPE_UNION: add_union(out, type, depth + 1); return;
    case TYPE_OBJECT:
        if (type->token.len == 0 && type->properties)
            add_properties(out, type->properties, depth + 1);
        else
            strbuf_add(out, type->token);
        return;
    case TYPE_ENUM:
    case TYPE_RESOURCE: strbuf_add(out, type->token); return;
    }
}

str schema_type_text(struct arena *arena, const struct schema_type *type)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    add_type(&text, type, 0);
    return arena_copy(arena, strbuf_str(&text));
}
