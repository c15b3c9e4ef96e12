/* plugin_json.c — how a package of a language says which plugin it belongs to. */
#include "common/plugin_json.h"

#include "base/base64.h"
#include "base/fs.h"
#include "proto/message.h"

enum { PLUGIN_JSON_MAX = 32 << 20 };

static fallible plugin_read_value(struct json_reader *reader, void *member)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str text;

    TRY(json_read_string(reader, &text));
    if (!base64_decode(&bytes, text))
        return json_fail(reader, "the value is not base64");
    *(str *)member = arena_copy(reader->arena, strbuf_str(&bytes));
    return NULL;
}

static fallible read_parameters(struct json_reader *reader, void *parameters_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct plugin_parameters, name, json_field_string),
        JSON_FIELD("version", struct plugin_parameters, version, json_field_string),
        JSON_FIELD("value", struct plugin_parameters, value, plugin_read_value),
        { 0 },
    };
    struct plugin_parameters *parameters = parameters_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    parameters->is_given = kind == JSON_OBJECT_BEGIN;
    return json_read_fields(reader, fields, parameters);
}

static fallible plugin_read_resource(struct json_reader *reader, void *plugin_)
{
    struct plugin_json *plugin = plugin_;

    TRY(json_read_bool(reader, &plugin->is_resource));
    plugin->says_no = !plugin->is_resource;
    return NULL;
}

fallible plugin_json_read(struct json_reader *reader, struct plugin_json *out)
{
    static const struct json_field fields[] = {
        { "resource", plugin_read_resource, 0 },
        JSON_FIELD("name", struct plugin_json, name, json_field_string),
        JSON_FIELD("version", struct plugin_json, version, json_field_string),
        JSON_FIELD("server", struct plugin_json, server, json_field_string),
        JSON_FIELD("parameterization", struct plugin_json, parameterization, read_parameters),
        JSON_FIELD("extensionParameterization", struct plugin_json, extension, read_parameters),
        { 0 },
    };

    *out = (struct plugin_json){ 0 };
    return json_read_fields(reader, fields, out);
}

fallible plugin_json_load(struct arena *arena, str path, struct plugin_json *out)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    str text;

    json_reader_init(&reader, arena, STR(""));
    TRY(fs_read(arena, path, PLUGIN_JSON_MAX, &text));
    json_reader_init(&reader, arena, text);
    return error_wrap(plugin_json_read(&reader, out), "reading '" STR_FMT "'", STR_ARG(path));
}

static Pb__Parameterization *parameters_message(struct arena *arena,
                                                const struct plugin_parameters *given)
{
    return given->is_given ? message_parameter(arena, given->name, given->version, given->value)
                           : NULL;
}

void packages_add(struct packages *list, struct arena *arena, const struct plugin_json *plugin)
{
    bool lacks_v = plugin->version.len > 0 && plugin->version.ptr[0] != 'v';
    str version = arena_concat(arena, lacks_v ? STR("v") : STR(""), plugin->version);
    Pb__PackageDependency *package = message_package(arena, plugin->name, version, plugin->server);

    package->parameterization = parameters_message(arena, &plugin->parameterization);
    package->extension = parameters_message(arena, &plugin->extension);
    vec_add(list, package);
}
