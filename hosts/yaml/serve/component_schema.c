/* component_schema.c — the schema of a plugin whose components are written in YAML. */
#include "yaml/serve/component.h"

#include "base/json.h"

static void component_schema_put(struct json_writer *writer, const char *key, str text)
{
    json_key(writer, str_from(key));
    json_string(writer, text);
}

static fallible put_type(struct json_writer *writer, const struct config_decl *input,
                         unsigned depth)
{
    static const char *const words[] = { "string", "integer", "boolean", "array" };
    str type = expr_string(input->type);
    bool is_known = false;

    for (size_t i = 0; i < 4; i++)
        is_known = is_known || str_equal(type, str_from(words[i]));
    if (!is_known)
        return error_new(ERROR_INVALID,
                         type.len ? "unknown type: " STR_FMT : "missing type" STR_FMT,
                         STR_ARG(type));
    component_schema_put(writer, "type", type);
    if (!str_equal(type, STR("array")))
        return NULL;
    if (!input->items || depth > 10)
        return error_new(ERROR_INVALID, "missing items");
    json_key(writer, STR("items"));
    json_begin_object(writer);
    TRY(put_type(writer, input->items, depth + 1));
    json_end_object(writer);
    return NULL;
}

static void put_default(struct json_writer *writer, const struct expr *expr)
{
    if (!expr || expr->kind != EXPR_LITERAL || expr->literal.kind == VALUE_NULL)
        return;
    json_key(writer, STR("default"));
    if (expr->literal.kind == VALUE_BOOL)
        json_bool(writer, expr->literal.boolean);
    else if (expr->literal.kind == VALUE_NUMBER)
        json_number(writer, expr->literal.number);
    else
        json_string(writer, value_text(expr->literal));
}

static fallible put_inputs(struct json_writer *writer, const struct program *body)
{
    json_key(writer, STR("inputProperties"));
    json_begin_object(writer);
    for (size_t i = 0; i < body->config_count; i++) {
        const struct config_decl *input = &body->config[i];
        json_key(writer, input->key);
        json_begin_object(writer);
        TRY(error_wrap(put_type(writer, input, 0), "input '" STR_FMT "'", STR_ARG(input->key)));
        put_default(writer, input->default_value);
        if (input->secret && input->secret->literal.boolean) {
            json_key(writer, STR("secret"));
            json_bool(writer, true);
        }
        json_end_object(writer);
    }
    json_end_object(writer);
    json_key(writer, STR("requiredInputs"));
    json_begin_array(writer);
    for (size_t i = 0; i < body->config_count; i++)
        if (!body->config[i].default_value)
            json_string(writer, body->config[i].key);
    json_end_array(writer);
    return NULL;
}

static void put_outputs(struct json_writer *writer, const struct program *body)
{
    json_key(writer, STR("properties"));
    json_begin_object(writer);
    for (size_t i = 0; i < body->outputs.len; i++) {
        json_key(writer, body->outputs.items[i].name);
        json_begin_object(writer);
        component_schema_put(writer, "$ref", STR("pulumi.json#/Any"));
        json_end_object(writer);
    }
    json_end_object(writer);
    json_key(writer, STR("required"));
    json_begin_array(writer);
    for (size_t i = 0; i < body->outputs.len; i++)
        json_string(writer, body->outputs.items[i].name);
    json_end_array(writer);
}

static fallible put_component(struct json_writer *writer, const struct component_decl *component)
{
    json_begin_object(writer);
    json_key(writer, STR("isComponent"));
    json_bool(writer, true);
    if (component->body->description)
        component_schema_put(writer, "description", expr_string(component->body->description));
    TRY(put_inputs(writer, component->body));
    put_outputs(writer, component->body);
    json_end_object(writer);
    return NULL;
}

static void put_languages(struct json_writer *writer)
{
    static const char *const names[] = { "go", "java", "nodejs", "python" };

    json_key(writer, STR("language"));
    json_begin_object(writer);
    for (size_t i = 0; i < 4; i++) {
        json_key(writer, str_from(names[i]));
        json_begin_object(writer);
        json_key(writer, STR("respectSchemaVersion"));
        json_bool(writer, true);
        json_end_object(writer);
    }
    json_end_object(writer);
}

fallible component_schema(struct arena *arena, const struct program *plugin, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    str name = expr_string(plugin->name);

    json_begin_object(&writer);
    component_schema_put(&writer, "name", name);
    component_schema_put(&writer, "version",
                         expr_string(plugin->version).len ? expr_string(plugin->version)
                                                          : STR("0.0.0"));
    if (plugin->namespace)
        component_schema_put(&writer, "namespace", expr_string(plugin->namespace));
    if (plugin->description)
        component_schema_put(&writer, "description", expr_string(plugin->description));
    put_languages(&writer);
    json_key(&writer, STR("resources"));
    json_begin_object(&writer);
    for (size_t i = 0; i < plugin->component_count; i++) {
        json_key(&writer, arena_concat(arena, name, STR(":index:"), plugin->components[i].name));
        TRY(error_wrap(put_component(&writer, &plugin->components[i]), "component '" STR_FMT "'",
                       STR_ARG(plugin->components[i].name)));
    }
    json_end_object(&writer);
    json_end_object(&writer);
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}
