/* builtin_table.c — built-in packages as tables: from one list of properties come checks,
 * differences and the schema. */
#include "builtin/builtin_table.h"

#include "base/json.h"

#include <math.h>

void builtin_provider_init(struct builtin_provider *provider, const struct provider_ops *ops,
                           const struct builtin_package *package, const struct builtin_world *world)
{
    *provider = (struct builtin_provider){
        { .ops = ops, .package = str_from(package->name), .version = str_from(package->version) },
        package,
        world
    };
}

const struct builtin_world *builtin_world_of(const struct provider *self)
{
    return ((const struct builtin_provider *)(const void *)self)->world;
}

fallible builtin_find_token(const struct builtin_package *package, str token,
                            const struct builtin_token **out)
{
    for (*out = package->tokens; (*out)->token; (*out)++)
        if (str_equal(str_from((*out)->token), token))
            return NULL;
    return error_new(ERROR_OTHER, "unrecognized resource type '" STR_FMT "'", STR_ARG(token));
}

/* --- values --- */

struct value builtin_open(struct value value)
{
    while (value.kind == VALUE_SECRET || (value.kind == VALUE_OUTPUT && value.output->is_known))
        value = value.kind == VALUE_SECRET ? value.secret->element : value.output->element;
    return value;
}

static struct value input_member(struct value inputs, const char *name)
{
    const struct value *found = value_find(inputs, str_from(name));
    return found ? builtin_open(*found) : value_null();
}

str builtin_text(struct value inputs, const char *name, str otherwise)
{
    struct value value = input_member(inputs, name);
    return value.kind == VALUE_STRING ? value_text(value) : otherwise;
}

double builtin_number(struct value inputs, const char *name, double otherwise)
{
    struct value value = input_member(inputs, name);
    return value.kind == VALUE_NUMBER ? value.number : otherwise;
}

bool builtin_bool(struct value inputs, const char *name, bool otherwise)
{
    struct value value = input_member(inputs, name);
    return value.kind == VALUE_BOOL ? value.boolean : otherwise;
}

bool builtin_is_unknown(struct value inputs, const char *name)
{
    const struct value *found = value_find(inputs, str_from(name));
    return found && value_contains_unknown(*found);
}

/* --- checking --- */

void builtin_add_failure(struct arena *arena, struct check_failures *failures, str property,
                         str reason)
{
    struct check_failure *items =
        arena_grow(arena, failures->items, failures->len, sizeof(*failures->items));

    items[failures->len++] = (struct check_failure){ arena_copy(arena, property), reason };
    failures->items = items;
}

static const struct builtin_property *find_input(const struct builtin_token *token, str name)
{
    for (const struct builtin_property *property = token->properties; property->name; property++)
        if ((property->flags & PROPERTY_IN) && str_equal(str_from(property->name), name))
            return property;
    return NULL;
}

static bool all_are(struct value value, enum value_kind kind)
{
    size_t len = value.len;

    for (size_t i = 0; i < len; i++) {
        struct value item =
            builtin_open(value.kind == VALUE_ARRAY ? value.items[i] : value.members[i].value);
        if (item.kind != kind && item.kind != VALUE_COMPUTED && item.kind != VALUE_NULL)
            return false;
    }
    return true;
}

static bool type_fits(enum builtin_type type, struct value value)
{
    switch (type) {
    case BUILTIN_STRING:
    case BUILTIN_NAMED: return value.kind == VALUE_STRING;
    case BUILTIN_INTEGER: return value.kind == VALUE_NUMBER && floor(value.number) == value.number;
    case BUILTIN_BOOL: return value.kind == VALUE_BOOL;
    case BUILTIN_STRINGS: return value.kind == VALUE_ARRAY && all_are(value, VALUE_STRING);
    case BUILTIN_TEXTS: return value.kind == VALUE_OBJECT && all_are(value, VALUE_STRING);
    case BUILTIN_ANYS: return value.kind == VALUE_ARRAY;
    case BUILTIN_ANYMAP: return value.kind == VALUE_OBJECT;
    case BUILTIN_ANY:
    case BUILTIN_ASSET:
    case BUILTIN_ASSETS:
    case BUILTIN_ARCHIVE: return true;
    }
    return false;
}

static const char *type_words(enum builtin_type type)
{
    static const char *const words[] = {
        [BUILTIN_STRING] = "a string",        [BUILTIN_INTEGER] = "an integer",
        [BUILTIN_BOOL] = "a boolean",         [BUILTIN_STRINGS] = "a list of strings",
        [BUILTIN_TEXTS] = "a map of strings", [BUILTIN_ANYS] = "a list",
        [BUILTIN_ANYMAP] = "a map",           [BUILTIN_ANY] = "a value",
        [BUILTIN_ASSET] = "an asset",         [BUILTIN_ASSETS] = "assets",
        [BUILTIN_ARCHIVE] = "an archive",     [BUILTIN_NAMED] = "a string",
    };
    return words[type];
}

void builtin_check(struct arena *arena, const struct builtin_token *token, struct value inputs,
                   struct check_failures *out)
{
    for (uint32_t i = 0; i < inputs.len; i++) {
        const struct builtin_property *property = find_input(token, inputs.members[i].key);
        struct value value = builtin_open(inputs.members[i].value);
        str name = inputs.members[i].key;
        bool is_internal = str_starts_with(name, STR("__"));
        if (!property && !is_internal)
            builtin_add_failure(
                arena, out, name,
                arena_printf(arena, "unknown property \"" STR_FMT "\"", STR_ARG(name)));
        else if (property && value.kind != VALUE_COMPUTED && value.kind != VALUE_NULL
                 && value.kind != VALUE_OUTPUT && !type_fits(property->type, value))
            builtin_add_failure(arena, out, name,
                                arena_printf(arena, "\"" STR_FMT "\" must be %s", STR_ARG(name),
                                             type_words(property->type)));
    }
    for (const struct builtin_property *property = token->properties; property->name; property++)
        if ((property->flags & PROPERTY_REQUIRED) && !value_has(inputs, str_from(property->name)))
            builtin_add_failure(
                arena, out, str_from(property->name),
                arena_printf(arena, "missing required property '%s'", property->name));
}

/* --- differences --- */

void builtin_diff_by(struct arena *arena, const struct builtin_token *token, struct value before,
                     struct value after, builtin_compare *compare, struct diff_answer *out)
{
    size_t count = 0;

    for (const struct builtin_property *property = token->properties; property->name; property++)
        count++;
    str *changed = ARENA_ARRAY(arena, str, count + 1),
        *replaced = ARENA_ARRAY(arena, str, count + 1);
    *out = (struct diff_answer){ .changes = CHANGES_NONE,
                                 .changed_keys = { changed, 0 },
                                 .replace_keys = { replaced, 0 } };
    for (const struct builtin_property *property = token->properties; property->name; property++) {
        enum builtin_change change =
            property->flags & PROPERTY_IN
                ? compare(arena, property, input_member(before, property->name),
                          input_member(after, property->name))
                : BUILTIN_SAME;
        if (change == BUILTIN_SAME)
            continue;
        out->changes = CHANGES_SOME;
        changed[out->changed_keys.len++] = str_from(property->name);
        if (change == BUILTIN_REPLACES)
            replaced[out->replace_keys.len++] = str_from(property->name);
    }
}

static enum builtin_change property_compare(struct arena *arena,
                                            const struct builtin_property *property,
                                            struct value was, struct value is)
{
    (void)arena;
    if (!value_contains_unknown(is) && value_equal(was, is))
        return BUILTIN_SAME;
    return property->flags & PROPERTY_REPLACES ? BUILTIN_REPLACES : BUILTIN_CHANGES;
}

void builtin_diff(struct arena *arena, const struct builtin_token *token,
                  const struct diff_request *request, struct diff_answer *out)
{
    builtin_diff_by(arena, token, request->old_inputs, request->news, property_compare, out);
}

fallible builtin_traits(struct provider *self, struct provider_traits *out)
{
    (void)self;
    *out = (struct provider_traits){ .accepts_secrets = true,
                                     .accepts_resources = true,
                                     .supports_preview = true };
    return NULL;
}

/* --- the schema --- */

static void schema_put_text(struct json_writer *writer, const char *key, const char *text)
{
    json_key(writer, str_from(key));
    json_string(writer, str_from(text));
}

static void put_true(struct json_writer *writer, const char *key)
{
    json_key(writer, str_from(key));
    json_bool(writer, true);
}

static void put_ref(struct json_writer *writer, const char *key, const char *ref)
{
    json_key(writer, str_from(key));
    json_begin_object(writer);
    schema_put_text(writer, "$ref", ref);
    json_end_object(writer);
}

static void put_element(struct json_writer *writer, const char *key, const char *type)
{
    json_key(writer, str_from(key));
    json_begin_object(writer);
    schema_put_text(writer, "type", type);
    json_end_object(writer);
}

static void schema_put_type(struct json_writer *writer, const struct builtin_property *property)
{
    switch (property->type) {
    case BUILTIN_STRING: schema_put_text(writer, "type", "string"); break;
    case BUILTIN_INTEGER: schema_put_text(writer, "type", "integer"); break;
    case BUILTIN_BOOL: schema_put_text(writer, "type", "boolean"); break;
    case BUILTIN_STRINGS:
        schema_put_text(writer, "type", "array");
        put_element(writer, "items", "string");
        break;
    case BUILTIN_TEXTS:
        schema_put_text(writer, "type", "object");
        put_element(writer, "additionalProperties", "string");
        break;
    case BUILTIN_ANYS:
        schema_put_text(writer, "type", "array");
        put_ref(writer, "items", "pulumi.json#/Any");
        break;
    case BUILTIN_ANYMAP:
        schema_put_text(writer, "type", "object");
        put_ref(writer, "additionalProperties", "pulumi.json#/Any");
        break;
    case BUILTIN_ANY: schema_put_text(writer, "$ref", "pulumi.json#/Any"); break;
    case BUILTIN_ASSET: schema_put_text(writer, "$ref", "pulumi.json#/Asset"); break;
    case BUILTIN_ASSETS:
        schema_put_text(writer, "type", "object");
        put_ref(writer, "additionalProperties", "pulumi.json#/Asset");
        break;
    case BUILTIN_ARCHIVE: schema_put_text(writer, "$ref", "pulumi.json#/Archive"); break;
    case BUILTIN_NAMED: schema_put_text(writer, "$ref", property->type_name); break;
    }
}

static void put_properties(struct json_writer *writer, const char *key,
                           const struct builtin_token *token, unsigned flag)
{
    json_key(writer, str_from(key));
    json_begin_object(writer);
    for (const struct builtin_property *property = token->properties; property->name; property++) {
        if (!(property->flags & flag))
            continue;
        json_key(writer, str_from(property->name));
        json_begin_object(writer);
        schema_put_type(writer, property);
        if (property->description)
            schema_put_text(writer, "description", property->description);
        if (property->flags & (flag == PROPERTY_OUT ? PROPERTY_SECRET : PROPERTY_SECRET_IN))
            put_true(writer, "secret");
        if (property->flags & PROPERTY_TOLD)
            put_true(writer, "replaceOnChanges");
        json_end_object(writer);
    }
    json_end_object(writer);
}

static void put_names(struct json_writer *writer, const char *key,
                      const struct builtin_token *token, unsigned flag)
{
    bool has_any = false;

    for (const struct builtin_property *property = token->properties; property->name; property++) {
        if (!(property->flags & flag))
            continue;
        if (!has_any) {
            json_key(writer, str_from(key));
            json_begin_array(writer);
        }
        has_any = true;
        json_string(writer, str_from(property->name));
    }
    if (has_any)
        json_end_array(writer);
}

/* `required` 0: nothing is. */
static void put_object(struct json_writer *writer, const char *key,
                       const struct builtin_token *token, unsigned flag, unsigned required)
{
    json_key(writer, str_from(key));
    json_begin_object(writer);
    schema_put_text(writer, "type", "object");
    put_properties(writer, "properties", token, flag);
    put_names(writer, "required", token, required);
    json_end_object(writer);
}

static void put_resource(struct json_writer *writer, const struct builtin_token *token,
                         bool has_state_inputs)
{
    put_properties(writer, "inputProperties", token, PROPERTY_IN);
    put_names(writer, "requiredInputs", token, PROPERTY_REQUIRED);
    put_properties(writer, "properties", token, PROPERTY_OUT);
    put_names(writer, "required", token, PROPERTY_ALWAYS);
    if (has_state_inputs)
        put_object(writer, "stateInputs", token, PROPERTY_OUT, 0);
}

static void put_function(struct json_writer *writer, const struct builtin_token *token)
{
    put_object(writer, "inputs", token, PROPERTY_IN, PROPERTY_REQUIRED);
    put_object(writer, "outputs", token, PROPERTY_OUT, PROPERTY_ALWAYS);
}

static void put_tokens(struct json_writer *writer, const struct builtin_package *package,
                       bool functions)
{
    json_key(writer, functions ? STR("functions") : STR("resources"));
    json_begin_object(writer);
    for (const struct builtin_token *token = package->tokens; token->token; token++) {
        if (token->is_function != functions)
            continue;
        json_key(writer, str_from(token->token));
        json_begin_object(writer);
        schema_put_text(writer, "description", token->description);
        if (functions)
            put_function(writer, token);
        else
            put_resource(writer, token, package->has_state_inputs);
        json_end_object(writer);
    }
    json_end_object(writer);
}

/* Programs use the SDK that is published for the package; its imports in Go follow from this. */
static void schema_put_repository(struct json_writer *writer, const char *name)
{
    CLEANUP(strbuf_release) struct strbuf url = { 0 };

    strbuf_printf(&url, "https://github.com/pulumi/pulumi-%s", name);
    json_key(writer, STR("repository"));
    json_string(writer, strbuf_str(&url));
}

fallible builtin_get_schema(struct provider *self, struct arena *arena, str *out)
{
    const struct builtin_package *package = ((struct builtin_provider *)(void *)self)->package;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_object(&writer);
    schema_put_text(&writer, "name", package->name);
    schema_put_text(&writer, "version", package->version);
    schema_put_repository(&writer, package->name);
    schema_put_text(&writer, "description", package->description);
    if (package->module_format) {
        json_key(&writer, STR("meta"));
        json_begin_object(&writer);
        schema_put_text(&writer, "moduleFormat", package->module_format);
        json_end_object(&writer);
    }
    if (package->types) {
        json_key(&writer, STR("types"));
        json_raw(&writer, str_from(package->types));
    }
    json_key(&writer, STR("provider"));
    json_begin_object(&writer);
    json_end_object(&writer);
    put_tokens(&writer, package, false);
    put_tokens(&writer, package, true);
    json_end_object(&writer);
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

/* --- what no built-in package has --- */

fallible builtin_parameterize(struct provider *self, str name, str version, str value,
                              struct arena *arena)
{
    (void)name, (void)version, (void)value, (void)arena;
    return error_new(ERROR_OTHER, "the built-in package '" STR_FMT "' takes no parameters",
                     STR_ARG(self->package));
}

fallible builtin_invoke(struct provider *self, const struct invoke_request *request,
                        struct arena *arena, struct invoke_answer *out)
{
    (void)self, (void)arena, (void)out;
    return error_new(ERROR_OTHER, "unrecognized function name: '" STR_FMT "'",
                     STR_ARG(request->token));
}

fallible builtin_call(struct provider *self, const struct call_request *request,
                      struct arena *arena, struct call_answer *out)
{
    (void)self, (void)request, (void)arena, (void)out;
    return error_new(ERROR_OTHER, "the builtin provider does not implement call");
}

fallible builtin_construct(struct provider *self, const struct construct_request *request,
                           struct arena *arena, struct construct_answer *out)
{
    (void)self, (void)request, (void)arena, (void)out;
    return error_new(ERROR_OTHER, "builtin resources may not be constructed");
}
