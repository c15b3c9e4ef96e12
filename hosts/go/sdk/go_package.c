/* go_package.c — GeneratePackage: writes an SDK, one file after the other. */
#include "common/sdk.h"
#include "go/sdk/go_parts.h"
#include "go/golang.h"

#include "base/json.h"
#include "common/names.h"

/* Types in one file: compilers and editors do not like files of many megabytes. */
enum { OBJECTS_IN_FILE = 500 };

#define GO_SDK_VERSION "v3.256.0" /* of the runtime: the oldest with all that is called here */
#define GO_LANGUAGE_VERSION "1.25"

struct go_writer {
    const struct go_sdk *sdk;
    struct sdk_files *files;
    bool is_generic; /* the form of what is written */
    struct strbuf text;
};

static void go_writer_release(struct go_writer *writer)
{
    strbuf_release(&writer->text);
}

static str file_path(const struct go_writer *writer, const struct go_module *module, str name)
{
    struct arena *arena = writer->files->arena;
    str path = module->path.len ? arena_concat(arena, module->path, STR("/"), name) : name;

    if (writer->is_generic && writer->sdk->settings.generics == GO_GENERICS_BESIDE)
        path = arena_concat(arena, STR("x/"), path);
    return writer->sdk->root.len ? arena_concat(arena, writer->sdk->root, STR("/"), path)
                                 : arena_copy(arena, path);
}

/* Names that the texts of all files use as they are. */
static void reserve_imports(struct go_file *file)
{
    static const char *const paths[] = { "context",
                                         "errors",
                                         "fmt",
                                         "reflect",
                                         "github.com/blang/semver",
                                         "github.com/pulumi/pulumi/sdk/v3/go/pulumi",
                                         "github.com/pulumi/pulumi/sdk/v3/go/pulumix" };

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        str head, name = str_from(paths[i]), *path = ARENA_NEW(file->arena, str);
        *path = name;
        str_cut_last(name, STR("/"), &head, &name);
        map_put(&file->packages, name, path);
    }
}

typedef fallible go_fill(struct go_file *file, const void *what);

/* One file: `fill` puts what is below its imports. Nothing put, no file. */
static fallible write_go_file(struct go_writer *writer, const struct go_module *module, str name,
                              go_fill *fill, const void *what)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(go_file_release)
    struct go_file file = {
        .sdk = writer->sdk, .module = module, .is_generic = writer->is_generic, .arena = &scratch
    };

    reserve_imports(&file);
    TRY(fill(&file, what));
    if (!file.out.len)
        return NULL;
    strbuf_clear(&writer->text);
    go_file_finish(&file, &writer->text);
    return sdk_put(writer->files, file_path(writer, module, name), strbuf_str(&writer->text));
}

static void use_pulumi(struct go_file *file)
{
    go_import(file, "github.com/pulumi/pulumi/sdk/v3/go/pulumi");
}

static fallible fill_resource(struct go_file *file, const void *resource)
{
    use_pulumi(file);
    return go_put_resource_file(file, resource);
}

static fallible fill_function(struct go_file *file, const void *function)
{
    use_pulumi(file);
    return go_put_function_file(file, function);
}

static fallible fill_enums(struct go_file *file, const void *unused)
{
    (void)unused;
    return go_put_enums(file);
}

static fallible fill_objects(struct go_file *file, const void *first_)
{
    size_t first = *(const size_t *)first_, len = file->module->objects.len;
    size_t end = first + OBJECTS_IN_FILE < len ? first + OBJECTS_IN_FILE : len;

    return go_put_objects(file, first, end);
}

static fallible fill_config(struct go_file *file, const void *unused)
{
    (void)unused;
    use_pulumi(file);
    return go_put_config(file);
}

static fallible fill_init(struct go_file *file, const void *unused)
{
    (void)unused;
    use_pulumi(file);
    go_put_module_init(file);
    return NULL;
}

static fallible fill_utilities(struct go_file *file, const void *unused)
{
    (void)unused;
    go_put_utilities(file);
    if (file->sdk->settings.generics)
        go_put_generic_utilities(file);
    return NULL;
}

static fallible fill_version(struct go_file *file, const void *unused)
{
    (void)unused;
    go_put_version(file);
    return NULL;
}

/* --- modules --- */

static str source_name(struct arena *arena, str name)
{
    return arena_concat(arena, name_camel(arena, name), STR(".go"));
}

static fallible write_go_resources(struct go_writer *writer, const struct go_module *module)
{
    bool has_own = false;

    for (size_t i = 0; i < module->resources.len; i++) {
        const struct go_resource *resource = module->resources.items[i];
        if (resource->resource->is_overlay)
            continue;
        has_own = true;
        TRY(write_go_file(writer, module, source_name(writer->files->arena, resource->raw_name),
                          fill_resource, resource));
    }
    return has_own ? write_go_file(writer, module, STR("init.go"), fill_init, NULL) : NULL;
}

static fallible write_functions(struct go_writer *writer, const struct go_module *module)
{
    for (size_t i = 0; i < module->functions.len; i++) {
        const struct go_function *function = module->functions.items[i];
        if (!function->function->is_overlay)
            TRY(write_go_file(writer, module, source_name(writer->files->arena, function->raw_name),
                              fill_function, function));
    }
    return NULL;
}

static fallible write_objects(struct go_writer *writer, const struct go_module *module)
{
    size_t first = 0, part = 0;

    do {
        str name = part ? arena_printf(writer->files->arena, "pulumiTypes%zu.go", part)
                        : STR("pulumiTypes.go");
        TRY(write_go_file(writer, module, name, fill_objects, &first));
        first += OBJECTS_IN_FILE;
        part++;
    } while (first < module->objects.len);
    return NULL;
}

static fallible write_module(struct go_writer *writer, const struct go_module *module)
{
    TRY(write_go_resources(writer, module));
    TRY(write_functions(writer, module));
    TRY(write_go_file(writer, module, STR("pulumiEnums.go"), fill_enums, NULL));
    TRY(write_objects(writer, module));
    if (str_equal(module->path, STR("config")))
        TRY(write_go_file(writer, module, STR("config.go"), fill_config, NULL));
    return NULL;
}

/* --- the package --- */

static fallible write_doc(struct go_writer *writer)
{
    const struct go_module *root = map_find(&writer->sdk->modules, STR(""));
    str description = writer->sdk->schema->description;

    strbuf_clear(&writer->text);
    if (!description.len)
        description = arena_concat(writer->files->arena, STR("Package "), root->package,
                                   STR(" has the resources and functions of "),
                                   writer->sdk->schema->name, STR("."));
    go_put_docs(&writer->text, description, STR(""), "", NULL);
    go_put_list(&writer->text, "package $1\n", &root->package, 1);
    return sdk_put(writer->files, file_path(writer, root, STR("doc.go")),
                   strbuf_str(&writer->text));
}

/* All modules in one of the forms that types have. */
static fallible write_form(struct go_writer *writer, bool is_generic)
{
    struct go_module **modules = go_sorted_modules(writer->sdk);

    writer->is_generic = is_generic;
    for (size_t i = 0; i < writer->sdk->modules.len; i++)
        TRY(write_module(writer, modules[i]));
    return write_doc(writer);
}

static fallible write_internal(struct go_writer *writer)
{
    struct arena *arena = writer->files->arena;
    str name = writer->sdk->settings.internal;
    struct go_module internal = {
        .path = name,
        .package = go_package_word(arena, name),
        .import =
            arena_concat(arena, go_import_base(arena, writer->sdk->schema, &writer->sdk->settings),
                         STR("/"), name),
    };

    TRY(write_go_file(writer, &internal, STR("pulumiUtilities.go"), fill_utilities, NULL));
    return write_go_file(writer, &internal, STR("pulumiVersion.go"), fill_version, NULL);
}

static void json_text(struct json_writer *writer, str key, str text)
{
    if (!text.len)
        return;
    json_key(writer, key);
    json_string(writer, text);
}

/* Says which plugin the SDK belongs to. */
static fallible write_plugin_json(struct go_writer *writer)
{
    const struct schema *schema = writer->sdk->schema;
    bool is_extension = schema->extension.is_given;
    const struct schema_base *base = is_extension ? &schema->extension : &schema->parameterization;
    bool has_version = go_is_module(schema) || writer->sdk->settings.keeps_version;
    str version = has_version ? schema->version : STR("");
    const struct go_module *root = map_find(&writer->sdk->modules, STR(""));

    strbuf_clear(&writer->text);
    struct json_writer json = { .out = &writer->text, .indent = 2 };
    json_begin_object(&json);
    json_key(&json, STR("resource"));
    json_bool(&json, true);
    json_text(&json, STR("name"), base->is_given ? base->name : schema->name);
    json_text(&json, STR("version"), base->is_given ? base->version : version);
    json_text(&json, STR("server"), schema->download_url);
    if (base->is_given) {
        json_key(&json, is_extension ? STR("extensionParameterization") : STR("parameterization"));
        json_begin_object(&json);
        json_text(&json, STR("name"), schema->name);
        json_text(&json, STR("version"), schema->version);
        json_text(&json, STR("value"), base->value);
        json_end_object(&json);
    }
    json_end_object(&json);
    TRY(json_writer_finish(&json));
    strbuf_add_char(&writer->text, '\n');
    return sdk_put(writer->files, file_path(writer, root, STR("pulumi-plugin.json")),
                   strbuf_str(&writer->text));
}

static fallible write_go_mod(struct go_writer *writer, struct pairs local_dependencies)
{
    const str *runtime = pairs_find(local_dependencies, STR("pulumi"));

    if (!go_is_module(writer->sdk->schema))
        return NULL;
    strbuf_clear(&writer->text);
    go_put_list(&writer->text,
                "module $1\n\ngo " GO_LANGUAGE_VERSION
                "\n\nrequire github.com/pulumi/pulumi/sdk/v3 " GO_SDK_VERSION "\n",
                &writer->sdk->module_path, 1);
    if (runtime)
        go_put_list(&writer->text, "\nreplace github.com/pulumi/pulumi/sdk/v3 => $1\n", runtime, 1);
    return sdk_put(writer->files, STR("go.mod"), strbuf_str(&writer->text));
}

static fallible check_go_version(const struct schema *schema)
{
    if (!go_is_module(schema) || schema->version.len)
        return NULL;
    return error_new(ERROR_INVALID,
                     "package '" STR_FMT "' has no version, which an SDK in Go needs; "
                     "put one into its schema",
                     STR_ARG(schema->name));
}

/* A field of underscores alone is none that can be set. */
static str go_property_name(struct arena *arena, str property)
{
    str name = go_field_name(arena, property, STR(""));
    size_t dashes = 0;

    while (dashes < name.len && name.ptr[dashes] == '_')
        dashes++;
    return dashes < name.len ? name : STR("");
}

fallible go_generate_package(struct host *host, struct arena *arena,
                             const struct sdk_request *request, struct sdk_files *out)
{
    static const struct sdk_naming naming = { "Go", go_property_name, go_member_name, NULL };
    CLEANUP(go_sdk_release) struct go_sdk sdk = { 0 };
    CLEANUP(go_writer_release) struct go_writer writer = { .sdk = &sdk, .files = out };

    (void)host;
    if (request->extra_files.len)
        return error_new(ERROR_INVALID,
                         "overlays cannot be put into an SDK in Go; leave out --overlays");
    TRY(check_go_version(request->schema));
    TRY(sdk_check_names(request->schema, &naming));
    TRY(go_sdk_plan(arena, request->schema, &sdk));
    if (sdk.settings.generics != GO_GENERICS_ONLY)
        TRY(write_form(&writer, false));
    if (sdk.settings.generics != GO_GENERICS_NONE)
        TRY(write_form(&writer, true));
    writer.is_generic = false;
    TRY(write_internal(&writer));
    TRY(write_plugin_json(&writer));
    TRY(write_go_mod(&writer, request->local_dependencies));
    return sdk_put(out, STR(".gitattributes"), STR("* linguist-generated\n"));
}
