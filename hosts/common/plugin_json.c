/* plugin_json.c — how a package of a language says which plugin it belongs to. */
#include "common/plugin_json.h"

#include "base/base64.h"
#include "base/fs.h"
#include "proto/message.h"

enum { PLUGIN_JSON_MAX = 32 << 20 };

static struct error *read_value(struct json_reader *reader, str *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str text;

    TRY(json_read_string(reader, &text));
    if (!base64_decode(&bytes, text))
        return json_fail(reader, "the value is not base64");
    *out = arena_copy(reader->arena, strbuf_str(&bytes));
    return NULL;
}

static struct error *read_parameters(struct json_reader *reader, struct plugin_parameters *out)
{
    enum json_kind kind;
    str key;
    bool more;

    TRY(json_peek(reader, &kind));
    out->is_given = kind == JSON_OBJECT_BEGIN;
    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        if (str_equal(key, STR("name")))
            TRY(json_read_string(reader, &out->name));
        else if (str_equal(key, STR("version")))
            TRY(json_read_string(reader, &out->version));
        else if (str_equal(key, STR("value")))
            TRY(read_value(reader, &out->value));
        else
            TRY(json_skip(reader, NULL));
    }
}

static struct error *read_member(struct json_reader *reader, str key, struct plugin_json *out)
{
    if (str_equal(key, STR("resource"))) {
        TRY(json_read_bool(reader, &out->is_resource));
        out->says_no = !out->is_resource;
        return NULL;
    }
    if (str_equal(key, STR("name")))
        return json_read_string(reader, &out->name);
    if (str_equal(key, STR("version")))
        return json_read_string(reader, &out->version);
    if (str_equal(key, STR("server")))
        return json_read_string(reader, &out->server);
    if (str_equal(key, STR("parameterization")))
        return read_parameters(reader, &out->parameterization);
    if (str_equal(key, STR("extensionParameterization")))
        return read_parameters(reader, &out->extension);
    return json_skip(reader, NULL);
}

fallible plugin_json_read(struct json_reader *reader, struct plugin_json *out)
{
    str key;
    bool more;

    *out = (struct plugin_json){ 0 };
    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        TRY(read_member(reader, key, out));
    }
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
                                                const struct plugin_parameters *parameters)
{
    if (!parameters->is_given)
        return NULL;
    Pb__Parameterization *message = ARENA_NEW(arena, Pb__Parameterization);
    pb__parameterization__init(message);
    message->name = message_cstr(arena, parameters->name);
    message->version = message_cstr(arena, parameters->version);
    message->value = message_binary(parameters->value);
    return message;
}

void packages_add(struct packages *list, struct arena *arena, const struct plugin_json *plugin)
{
    Pb__PackageDependency *package = ARENA_NEW(arena, Pb__PackageDependency);
    bool lacks_v = plugin->version.len > 0 && plugin->version.ptr[0] != 'v';

    pb__package_dependency__init(package);
    package->name = message_cstr(arena, plugin->name);
    package->kind = message_cstr(arena, STR("resource"));
    package->version =
        message_cstr(arena, arena_concat(arena, lacks_v ? STR("v") : STR(""), plugin->version));
    package->server = message_cstr(arena, plugin->server);
    package->parameterization = parameters_message(arena, &plugin->parameterization);
    package->extension = parameters_message(arena, &plugin->extension);
    vec_add(list, package);
}
