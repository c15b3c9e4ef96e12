/* import_convert.c — what a converter answers, as an import file. */
#include "cli/codegen/import_convert.h"

#include "base/base64.h"
#include "base/json.h"
#include "cli/codegen/code_schemas.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "model/value_json.h"
#include "plugin/converter.h"
#include "plugin/schema_server.h"

enum { FILE_INDENT = 4 };

static void put_text_if(struct json_writer *writer, const char *key, str text)
{
    if (!text.len)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

static void put_flag_if(struct json_writer *writer, const char *key, bool is_set)
{
    if (!is_set)
        return;
    json_key(writer, str_from(key));
    json_bool(writer, true);
}

static void put_values_if(struct json_writer *writer, const char *key, struct value value)
{
    if (value.kind != VALUE_OBJECT)
        return;
    json_key(writer, str_from(key));
    value_write(writer, value, SECRET_PLAINTEXT);
}

static void put_parameterization(struct json_writer *writer, const struct package_ref *package)
{
    CLEANUP(strbuf_release) struct strbuf value = { 0 };

    if (!package->is_parameterized)
        return;
    base64_encode(&value, package->parameter_value);
    json_key(writer, STR("parameterization"));
    json_begin_object(writer);
    put_text_if(writer, "pluginName", package->name);
    put_text_if(writer, "pluginVersion", package->version);
    put_text_if(writer, "value", strbuf_str(&value));
    json_end_object(writer);
}

static void put_converted(struct json_writer *writer, const struct converted_resource *resource)
{
    json_begin_object(writer);
    put_text_if(writer, "type", resource->type);
    put_text_if(writer, "name", resource->name);
    put_text_if(writer, "id", resource->id);
    put_text_if(writer, "parent", resource->parent);
    put_text_if(writer, "provider", resource->provider);
    put_text_if(writer, "version", resource->version);
    put_text_if(writer, "pluginDownloadUrl", resource->download_url);
    put_text_if(writer, "logicalName", resource->logical_name);
    if (resource->properties.len) {
        json_key(writer, STR("properties"));
        json_strings(writer, resource->properties.items, resource->properties.len);
    }
    put_flag_if(writer, "component", resource->is_component);
    put_flag_if(writer, "remote", resource->is_remote);
    put_values_if(writer, "inputs", resource->inputs);
    put_values_if(writer, "outputs", resource->outputs);
    put_parameterization(writer, &resource->package);
    json_end_object(writer);
}

static str converted_text(struct arena *arena, const struct converted_state *state)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = FILE_INDENT };

    json_begin_object(&writer);
    json_key(&writer, STR("resources"));
    json_begin_array(&writer);
    for (size_t i = 0; i < state->len; i++)
        put_converted(&writer, &state->items[i]);
    json_end_array(&writer);
    json_end_object(&writer);
    strbuf_add_char(&text, '\n');
    return arena_copy(arena, strbuf_str(&text));
}

static fallible ask_by_server(struct code_schemas *schemas, str converter, struct strs words,
                              struct converted_state *out)
{
    const struct schema_source source = { schemas, code_schemas_text };
    struct schema_server *server;

    TRY(schema_server_open(&source, schemas->host, &server));
    str address = schema_server_address(server);
    const struct converter_addresses addresses = { address, address };
    struct error *failure = converter_convert_state(schemas->host, converter, words, &addresses,
                                                    schemas->cli->arena, out);
    schema_server_close(server);
    return failure;
}

fallible import_convert(struct cli *cli, str converter, struct strs words, str *out)
{
    struct code_schemas schemas = { .cli = cli };
    struct converted_state state;
    str here, kind, text;

    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &schemas.host));
    struct error *failure = ask_by_server(&schemas, converter, words, &state);
    plugin_host_close(schemas.host);
    code_schemas_release(&schemas);
    TRY(failure);
    for (size_t i = 0; i < state.complaints.len; i++)
        if (str_cut(state.complaints.items[i], STR(": "), &kind, &text))
            cli_report(cli, arena_cstr(cli->arena, kind), text);
    if (state.has_failed)
        return error_new(ERROR_OTHER, "the converter '" STR_FMT "' could not read the state",
                         STR_ARG(converter));
    *out = converted_text(cli->arena, &state);
    return NULL;
}
