/* generate.c — what this language has instead of generated code: a file that says which plugin a
 * package is, at which version and with which parameters. */
#include "yaml/serve/host_internal.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/yaml.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/language.pb-c.h"

/* --- what the schema says --- */

/* The plugin that is parameterized, and how. */
struct base {
    bool is_given;
    str name;
    str version;
    str value; /* base64 */
};

struct package_schema {
    str name;
    str version;
    str download_url;
    struct base parameterization;
    struct base extension;
};

/* Other values are passed over. */
static fallible generate_read_text(struct json_reader *reader, void *member)
{
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    return kind == JSON_STRING ? json_read_string(reader, member) : json_skip(reader, NULL);
}

static fallible read_provider(struct json_reader *reader, void *member)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct base, name, generate_read_text),
        JSON_FIELD("version", struct base, version, generate_read_text),
        { 0 },
    };
    return json_read_fields(reader, fields, member);
}

static fallible generate_read_base(struct json_reader *reader, void *member)
{
    static const struct json_field fields[] = {
        { "baseProvider", read_provider, 0 },
        JSON_FIELD("parameter", struct base, value, generate_read_text),
        { 0 },
    };
    struct base *base = member;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    if (kind != JSON_OBJECT_BEGIN)
        return json_skip(reader, NULL);
    base->is_given = true;
    return json_read_fields(reader, fields, base);
}

static fallible read_schema(struct arena *arena, str text, struct package_schema *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct package_schema, name, generate_read_text),
        JSON_FIELD("version", struct package_schema, version, generate_read_text),
        JSON_FIELD("pluginDownloadURL", struct package_schema, download_url, generate_read_text),
        JSON_FIELD("parameterization", struct package_schema, parameterization, generate_read_base),
        JSON_FIELD("extensionParameterization", struct package_schema, extension,
                   generate_read_base),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;

    *out = (struct package_schema){ 0 };
    json_reader_init(&reader, arena, text);
    return json_read_fields(&reader, fields, out);
}

/* --- the file --- */

static void generate_put(struct arena *arena, struct yaml_node *mapping, str key, str text)
{
    if (text.len > 0)
        yaml_put(arena, mapping, key, yaml_new_string(arena, text));
}

static fallible put_base(struct arena *arena, struct yaml_node *root,
                         const struct package_schema *schema, const struct base *base, str key)
{
    struct yaml_node *parameter = yaml_new_mapping(arena);

    if (schema->version.len == 0 || base->name.len == 0)
        return error_new(ERROR_INVALID, "parameterized package must have a version and a plugin");
    generate_put(arena, root, STR("name"), base->name);
    generate_put(arena, root, STR("version"), base->version);
    generate_put(arena, root, STR("downloadUrl"), schema->download_url);
    generate_put(arena, parameter, STR("name"), schema->name);
    generate_put(arena, parameter, STR("version"), schema->version);
    generate_put(arena, parameter, STR("value"), base->value);
    yaml_put(arena, root, key, parameter);
    return NULL;
}

static fallible declare(struct arena *arena, const struct package_schema *schema, str *out)
{
    struct yaml_node *root = yaml_new_mapping(arena);

    yaml_put(arena, root, STR("packageDeclarationVersion"), yaml_new_plain(arena, STR("1")));
    if (schema->extension.is_given)
        TRY(put_base(arena, root, schema, &schema->extension, STR("extension")));
    else if (schema->parameterization.is_given)
        TRY(put_base(arena, root, schema, &schema->parameterization, STR("parameterization")));
    else {
        generate_put(arena, root, STR("name"), schema->name);
        generate_put(arena, root, STR("version"), schema->version);
        generate_put(arena, root, STR("downloadUrl"), schema->download_url);
    }
    *out = yaml_write(arena, root);
    return NULL;
}

fallible handle_generate_package(void *host, struct rpc_call *call, str bytes, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    struct package_schema schema;
    void *message;
    str text;

    (void)host;
    TRY(message_request(arena, &pb__generate_package_request__descriptor, bytes, &message));
    const Pb__GeneratePackageRequest *request = message;
    if (request->n_extra_files > 0)
        return error_new(ERROR_INVALID, "overlays are not supported for YAML");
    TRY(error_wrap(read_schema(arena, message_str(request->schema), &schema),
                   "reading the schema of a package"));
    if (schema.name.len == 0 || str_find(schema.name, STR("/")) != SIZE_MAX
        || str_find(schema.version, STR("/")) != SIZE_MAX)
        return error_new(ERROR_INVALID, "the schema has no usable name and version");
    TRY(declare(arena, &schema, &text));
    TRY(fs_make_directory(message_str(request->directory), 0700));
    str file = arena_concat(arena, schema.name, schema.version.len > 0 ? STR("-") : STR(""),
                            schema.version, STR(".yaml"));
    TRY(fs_replace_quick(fs_path_join(arena, message_str(request->directory), file), text, 0600));
    *response = STR("");
    return NULL;
}
