/* ts_defaults.c — what properties are if nobody sets them: constants, the environment, and
 * functions that fill in objects. */
#include "nodejs/sdk/ts_types.h"

#include "common/names.h"
#include "pcl/pcl_print.h"

str ts_constant(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (value.kind == VALUE_STRING)
        return ts_quoted(arena, value_text(value));
    if (value.kind == VALUE_BOOL)
        return value.boolean ? STR("true") : STR("false");
    if (value.kind != VALUE_NUMBER)
        return STR("undefined");
    pcl_put_number(&out, value.number);
    return arena_copy(arena, strbuf_str(&out));
}

/* utilities.getEnvNumber("A", "B") */
static str ts_environment(struct ts_file *file, const struct schema_property *property)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    enum type_kind kind = property->type->kind;
    bool is_number = kind == TYPE_INTEGER || kind == TYPE_NUMBER;

    file->uses_utilities = true;
    strbuf_add(&out, STR("utilities.getEnv"));
    if (kind == TYPE_BOOL || is_number)
        strbuf_add(&out, is_number ? STR("Number") : STR("Boolean"));
    strbuf_add_char(&out, '(');
    for (size_t i = 0; i < property->environment.len; i++) {
        if (i)
            strbuf_add(&out, STR(", "));
        strbuf_add(&out, ts_quoted(&file->arena, property->environment.items[i]));
    }
    strbuf_add_char(&out, ')');
    if (kind == TYPE_STRING || kind == TYPE_BOOL || is_number)
        return arena_copy(&file->arena, strbuf_str(&out));
    return arena_concat(&file->arena, STR("("), strbuf_str(&out), STR(" as any)"));
}

str ts_default(struct ts_file *file, const struct schema_property *property)
{
    bool asks = property->environment.len > 0;

    if (!property->has_default)
        return asks ? ts_environment(file, property) : STR("");
    str preset = ts_constant(&file->arena, property->preset);
    if (!asks)
        return preset;
    return arena_concat(&file->arena, ts_environment(file, property), STR(" ?? "), preset);
}

/* --- objects --- */

static bool ts_gets_defaults(const struct ts_sdk *sdk, struct schema_type *type)
{
    const struct schema_properties *list = schema_type_properties(type);

    for (size_t i = 0; list && i < list->len; i++)
        if (list->items[i].has_default || list->items[i].environment.len
            || ts_has_defaults(sdk, list->items[i].type))
            return true;
    return false;
}

/* What has an object with defaults has some itself, until nothing is found any more. Both
 * directions in turn: most chains of objects are in one of them. */
void ts_find_defaults(struct ts_sdk *sdk)
{
    struct strs tokens = schema_type_tokens(sdk->schema);
    bool is_found = true;

    for (size_t pass = 1; is_found; pass++) {
        is_found = false;
        for (size_t i = 0; i < tokens.len; i++) {
            str token = tokens.items[pass % 2 ? tokens.len - 1 - i : i];
            struct schema_type *type = schema_named_type(sdk->schema, token);
            if (!type || type->kind != TYPE_OBJECT || map_has(&sdk->presets, token)
                || !ts_gets_defaults(sdk, type))
                continue;
            map_put(&sdk->presets, token, sdk);
            is_found = true;
        }
    }
}

struct ts_search {
    struct map seen;
    VEC(struct schema_type *);
};

static void ts_search_add(struct ts_search *search, struct schema_type *type)
{
    if (type->kind != TYPE_OBJECT || map_has(&search->seen, type->token))
        return;
    map_put(&search->seen, type->token, type);
    vec_add(search, type);
}

/* Looks into an object of another package, and into objects in it. */
static bool ts_search_defaults(struct schema_type *type)
{
    struct ts_search search = { 0 };
    bool is_found = false;

    ts_search_add(&search, type);
    while (search.len && !is_found) {
        const struct schema_properties *list = schema_type_properties(search.items[--search.len]);
        for (size_t i = 0; list && i < list->len && !is_found; i++) {
            is_found = list->items[i].has_default || list->items[i].environment.len;
            ts_search_add(&search, list->items[i].type);
        }
    }
    map_release(&search.seen);
    vec_release(&search);
    return is_found;
}

bool ts_has_defaults(const struct ts_sdk *sdk, struct schema_type *type)
{
    if (type->kind != TYPE_OBJECT)
        return false;
    return type->schema == sdk->schema ? map_has(&sdk->presets, type->token)
                                       : ts_search_defaults(type);
}

str ts_defaults_function(struct ts_file *file, const struct schema_type *type, enum ts_place place)
{
    str whole = ts_type(file, type, place == TS_ARGS ? TS_PLAIN : place, false);
    str name = ts_object_name(file->sdk, &file->arena, type, place);
    str plain_name = ts_object_name(file->sdk, &file->arena, type, TS_PLAIN);
    str before = str_slice(whole, 0, whole.len - plain_name.len);

    return arena_concat(&file->arena, before, name_camel(&file->arena, name),
                        STR("ProvideDefaults"));
}

str ts_defaults_call(struct ts_file *file, const struct schema_property *property,
                     enum ts_place place, str argument, bool is_there)
{
    str function = ts_defaults_function(file, property->type, place);
    bool is_promised = place == TS_ARGS && !property->type->is_plain;

    file->uses_pulumi = file->uses_pulumi || is_promised;
    if (is_promised && is_there)
        return arena_concat(&file->arena, STR("pulumi.output("), argument, STR(").apply("),
                            function, STR(")"));
    if (is_promised)
        return arena_concat(&file->arena, STR("pulumi.output("), argument,
                            STR(").apply(v => v === undefined ? undefined : "), function,
                            STR("(v))"));
    if (is_there)
        return arena_concat(&file->arena, function, STR("("), argument, STR(")"));
    return arena_concat(&file->arena, argument, STR(" ? "), function, STR("("), argument,
                        STR(") : undefined"));
}
