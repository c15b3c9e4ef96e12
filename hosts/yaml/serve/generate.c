/* generate.c — what this language has instead of generated code: a file that says which plugin a
 * package is, at which version and with which parameters. */
#include "yaml/serve/host_internal.h"

#include "base/fs.h"
#include "base/yaml.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "schema/schema.h"

#include "pb/language.pb-c.h"

static void generate_put(struct arena *arena, struct yaml_node *mapping, str key, str text)
{
    if (text.len > 0)
        yaml_put(arena, mapping, key, yaml_new_string(arena, text));
}

static fallible put_base(struct arena *arena, struct yaml_node *root, const struct schema *schema,
                         const struct schema_base *base, str key)
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

static fallible declare(struct arena *arena, const struct schema *schema, str *out)
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
    struct schema *schema;
    void *message;
    str text;

    (void)host;
    TRY(message_request(arena, &pb__generate_package_request__descriptor, bytes, &message));
    const Pb__GeneratePackageRequest *request = message;
    if (request->n_extra_files > 0)
        return error_new(ERROR_INVALID, "overlays are not supported for YAML");
    TRY(error_wrap(schema_read(arena, message_str(request->schema), &schema),
                   "reading the schema of a package"));
    schema_release(schema); /* what it says of itself stays */
    if (schema->name.len == 0 || str_find(schema->name, STR("/")) != SIZE_MAX
        || str_find(schema->version, STR("/")) != SIZE_MAX)
        return error_new(ERROR_INVALID, "the schema has no usable name and version");
    TRY(declare(arena, schema, &text));
    TRY(fs_make_directory(message_str(request->directory), 0700));
    str file = arena_concat(arena, schema->name, schema->version.len > 0 ? STR("-") : STR(""),
                            schema->version, STR(".yaml"));
    TRY(fs_replace_quick(fs_path_join(arena, message_str(request->directory), file), text, 0600));
    *response = STR("");
    return NULL;
}

/* The declaration in a folder; an error if there is none, or more than one. */
static fallible find_declaration(struct arena *arena, str folder, str *out)
{
    str *names, found = STR("");
    size_t count;

    TRY(fs_list(arena, folder, &names, &count));
    for (size_t i = 0; i < count; i++) {
        if (!str_ends_with(names[i], STR(".yaml")))
            continue;
        if (found.len)
            return error_new(ERROR_INVALID, "'" STR_FMT "' has more than one declaration",
                             STR_ARG(folder));
        found = names[i];
    }
    *out = found;
    return found.len ? NULL
                     : error_new(ERROR_NOT_FOUND, "'" STR_FMT "' has no declaration of a package",
                                 STR_ARG(folder));
}

/* The declaration is all that there is. */
fallible handle_pack(void *host, struct rpc_call *call, str bytes, str *response)
{
    Pb__PackResponse answer = PB__PACK_RESPONSE__INIT;
    struct arena *arena = rpc_call_arena(call);
    void *message;
    str name;

    (void)host;
    TRY(message_request(arena, &pb__pack_request__descriptor, bytes, &message));
    const Pb__PackRequest *request = message;
    str folder = message_str(request->package_directory);
    TRY(find_declaration(arena, folder, &name));
    str artifact = fs_path_join(arena, message_str(request->destination_directory), name);
    TRY(fs_make_directory(message_str(request->destination_directory), 0755));
    TRY(fs_copy(fs_path_join(arena, folder, name), artifact));
    answer.artifact_path = message_cstr(arena, artifact);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* Programs find declarations by themselves, and there is nothing to import. */
fallible handle_link(void *host, struct rpc_call *call, str bytes, str *response)
{
    void *message;

    (void)host;
    TRY(message_request(rpc_call_arena(call), &pb__link_request__descriptor, bytes, &message));
    *response = STR("");
    return NULL;
}
