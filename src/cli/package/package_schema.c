/* package_schema.c — asks plugins for their schemas, and reads files that are schemas. */
#include "cli/package/package_schema.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/yaml.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/input.h"
#include "engine/engine.h"
#include "plugin/plugin_git.h"
#include "plugin/plugin_project.h"

/* --- plugins --- */

static fallible ask_for_schema(struct provider *provider, const struct package_ref *package,
                               struct arena *arena, str *out)
{
    const struct provider_ops *ops = provider->ops;

    if (package->is_parameterized)
        TRY(error_wrap(ops->parameterize(provider, package->parameter_name,
                                         package->parameter_version, package->parameter_value,
                                         arena),
                       "parameterize"));
    return ops->get_schema(provider, arena, out);
}

static fallible schema_by_plugin(struct plugin_host *host, const struct package_ref *package,
                                 struct arena *arena, str *out)
{
    const struct provider_spec spec = { .package = *package,
                                        .never_installs = engine_has_package(package->name) };
    struct provider *provider;

    TRY(plugin_load_provider(host, &spec, &provider));
    struct error *failure = ask_for_schema(provider, package, arena, out);
    provider->ops->close(provider);
    return failure;
}

fallible package_schema_load(struct cli *cli, struct plugin_host *host,
                             const struct package_ref *package, struct arena *arena, str *out)
{
    (void)cli;
    if (str_equal(package->name, STR("pulumi")))
        return engine_package_schema(arena, package->name, out);
    struct error *failure = schema_by_plugin(host, package, arena, out);
    if (!failure || error_kind(failure) != ERROR_NOT_FOUND || !engine_has_package(package->name))
        return failure;
    error_ignore(failure, "a plugin would win, but there is none");
    return engine_package_schema(arena, package->name, out);
}

/* --- what users name --- */

static bool is_schema_file(str text)
{
    return str_ends_with(text, STR(".json")) || str_ends_with(text, STR(".yaml"))
           || str_ends_with(text, STR(".yml"));
}

/* pulumi-resource-NAME, or the folder NAME. */
static str plugin_name_of(struct arena *arena, str path)
{
    str directory, name = path, prefix;

    str_cut_last(path, STR("/"), &directory, &name);
    str_cut(name, STR("pulumi-resource-"), &prefix, &name);
    return arena_copy(arena, name);
}

static fallible parse_place(struct cli *cli, str path, struct package_source *out)
{
    bool is_folder = fs_is_directory(path);
    str here;

    out->is_folder = is_folder;
    TRY(cli_current_directory(cli, &here));
    str whole = fs_path_absolute(cli->arena, here, path);
    out->package.name = plugin_name_of(cli->arena, whole);
    out->folder = (struct plugin_folder){
        .kind = STR("resource"),
        .name = out->package.name,
        .path = is_folder ? whole : arena_copy(cli->arena, fs_path_directory(whole)),
    };
    return NULL;
}

/* Nothing, if it is none of a repository. */
static fallible parse_address(struct cli *cli, str text, struct package_source *out)
{
    struct package_ref git = { .name = text, .version = STR(""), .download_url = STR("") };
    str address = text, head, tail;

    if (plugin_source_is_folder(text))
        return NULL;
    TRY(plugin_git_name(cli->arena, &git.name, &git.version, &git.download_url));
    if (!plugin_is_git(git.download_url))
        return NULL;
    if (str_cut_last(text, STR("@"), &head, &tail) && str_find_char(tail, '/') == SIZE_MAX)
        address = head;
    out->address = address;
    out->package = git;
    return NULL;
}

fallible package_source_parse(struct cli *cli, str text, struct package_source *out)
{
    str name, version;

    *out = (struct package_source){ 0 };
    if (is_schema_file(text)) {
        out->file = text;
        return NULL;
    }
    bool is_there = fs_exists(text);
    if (!is_there)
        TRY(parse_address(cli, text, out));
    if (out->address.len)
        return NULL;
    if (str_find_char(text, '/') != SIZE_MAX && !is_there)
        return error_new(ERROR_NOT_FOUND, "there is no plugin at '" STR_FMT "'", STR_ARG(text));
    if (str_find_char(text, '/') != SIZE_MAX)
        return parse_place(cli, text, out);
    out->package.name = text;
    if (str_cut(text, STR("@"), &name, &version)) {
        out->package.name = name;
        out->package.version = version;
    }
    return NULL;
}

fallible package_source_open(struct cli *cli, const struct package_source *source,
                             struct plugin_host **out)
{
    str here;

    TRY(cli_current_directory(cli, &here));
    if (!source->folder.path.len)
        return cli_open_plugins(cli, here, out);
    return cli_open_plugins_with(cli, here, &source->folder, out);
}

/* --- files --- */

static void write_node(struct json_writer *writer, const struct yaml_node *node);

static void write_scalar(struct json_writer *writer, const struct yaml_node *node)
{
    struct yaml_scalar scalar = yaml_resolve(node);

    switch (scalar.type) {
    case YAML_NULL: json_null(writer); break;
    case YAML_BOOL: json_bool(writer, scalar.boolean); break;
    case YAML_INT:
    case YAML_FLOAT: json_number(writer, scalar.number); break;
    case YAML_STRING:
    case YAML_TIMESTAMP: json_string(writer, node->text); break;
    }
}

static void write_node(struct json_writer *writer, const struct yaml_node *node)
{
    if (node->kind == YAML_SCALAR) {
        write_scalar(writer, node);
        return;
    }
    bool is_list = node->kind == YAML_SEQUENCE;
    (is_list ? json_begin_array : json_begin_object)(writer);
    for (size_t i = 0; i < node->len; i++) {
        if (!is_list)
            json_key(writer, node->pairs[i].key->text);
        write_node(writer, is_list ? node->items[i] : node->pairs[i].value);
    }
    (is_list ? json_end_array : json_end_object)(writer);
}

/* YAML becomes JSON. "-" is standard input. */
static fallible read_schema_file(struct cli *cli, str file, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct yaml_node *root;

    TRY(input_read(cli->arena, str_equal(file, STR("-")) ? STR("") : file, INPUT_STATE_LIMIT, out));
    if (!str_ends_with(file, STR(".yaml")) && !str_ends_with(file, STR(".yml")))
        return NULL;
    TRY(error_wrap(yaml_read(cli->arena, *out, &root), STR_FMT, STR_ARG(file)));
    write_node(&writer, root);
    *out = arena_copy(cli->arena, strbuf_str(&text));
    return NULL;
}

static fallible schema_with_words(struct cli *cli, struct plugin_host *host,
                                  const struct package_ref *package, struct strs words, str *out)
{
    const struct provider_spec spec = { .package = *package };
    struct provider *provider;
    str name, version;

    if (!words.len)
        return package_schema_load(cli, host, package, cli->arena, out);
    TRY(plugin_load_provider(host, &spec, &provider));
    const struct provider_ops *ops = provider->ops;
    struct error *failure = error_wrap(
        ops->parameterize_by_words(provider, words, cli->arena, &name, &version), "parameterize");
    if (!failure)
        failure = ops->get_schema(provider, cli->arena, out);
    ops->close(provider);
    return failure;
}

fallible package_source_schema(struct cli *cli, const struct package_source *source,
                               struct strs words, str *out)
{
    struct plugin_host *host;

    if (source->file.len && words.len)
        return error_new(ERROR_INVALID, "a schema file takes no parameters");
    if (source->file.len)
        return read_schema_file(cli, source->file, out);
    TRY(package_source_open(cli, source, &host));
    struct error *failure = schema_with_words(cli, host, &source->package, words, out);
    plugin_host_close(host);
    return failure;
}
