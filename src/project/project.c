/* project.c — the project file: finding it, reading it, taking it apart. */
#include "project/project.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/semver_range.h"
#include "base/vec.h"
#include "project/config_value.h"
#include "project/project_config.h"
#include "project/schema.h"

enum { MAX_FILE_SIZE = 16 << 20, MAX_NAME = 100 };

fallible project_find(struct arena *arena, str directory, str *path)
{
    static const str names[] = { STR_INIT("Pulumi.json"), STR_INIT("Pulumi.yaml"),
                                 STR_INIT("Pulumi.yml") };

    for (str at = fs_path_clean(arena, directory);; at = fs_path_directory(at)) {
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            str candidate = fs_path_join(arena, at, names[i]);
            if (fs_is_file(candidate)) {
                *path = candidate;
                return NULL;
            }
        }
        if (str_equal(at, fs_path_directory(at)))
            break;
    }
    return error_new(ERROR_NOT_FOUND,
                     "no Pulumi.yaml project file found (searching upwards from " STR_FMT
                     "). If you have not created a project yet, "
                     "use `%s new` to do so: no project file found",
                     STR_ARG(directory), program_name());
}

fallible project_name_check(str name)
{
    if (name.len == 0)
        return error_new(ERROR_INVALID, "a project name may not be empty");
    if (name.len > MAX_NAME)
        return error_new(ERROR_INVALID, "a project name cannot exceed %d characters", MAX_NAME);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_fine = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
                       || c == '_' || c == '-' || c == '.';
        if (!is_fine)
            return error_new(
                ERROR_INVALID,
                "a project name may only contain alphanumeric, hyphens, underscores, and periods");
    }
    return NULL;
}

/* --- taking the document apart --- */

static fallible check_name(struct arena *arena, struct value document)
{
    const struct value *name = value_find(document, STR("name"));

    if (!name) {
        str *keys = ARENA_ARRAY(arena, str, document.len);
        for (uint32_t i = 0; i < document.len; i++)
            keys[i] = document.members[i].key;
        str near = schema_near_miss(STR("name"), keys, document.len);
        if (near.len)
            return error_new(ERROR_INVALID,
                             "project is missing a 'name' attribute; found '" STR_FMT "' instead",
                             STR_ARG(near));
        return error_new(ERROR_INVALID, "project is missing a 'name' attribute");
    }
    if (name->kind != VALUE_STRING || name->len == 0)
        return error_new(ERROR_INVALID, "project is missing a non-empty string 'name' attribute");
    return NULL;
}

static bool find_flag(struct value object, const char *key)
{
    const struct value *value = value_find(object, str_from(key));
    return value && value->kind == VALUE_BOOL && value->boolean;
}

static struct value find_object(struct value object, const char *key)
{
    const struct value *value = value_find(object, str_from(key));
    return value && value->kind == VALUE_OBJECT ? *value : VALUE_EMPTY_OBJECT;
}

static str project_find_text(struct value object, const char *key)
{
    return value_find_text(object, str_from(key));
}

static const str *find_texts(struct arena *arena, struct value object, const char *key,
                             size_t *count)
{
    const struct value *value = value_find(object, str_from(key));

    *count = value && value->kind == VALUE_ARRAY ? value->len : 0;
    str *texts = ARENA_ARRAY(arena, str, *count);
    for (size_t i = 0; i < *count; i++)
        texts[i] = value_text(value->items[i]);
    return texts;
}

static void read_runtime(struct project *project)
{
    const struct value *runtime = value_find(project->document, STR("runtime"));

    project->runtime_options = VALUE_EMPTY_OBJECT;
    if (runtime && runtime->kind == VALUE_STRING)
        project->runtime = value_text(*runtime);
    if (runtime && runtime->kind == VALUE_OBJECT) {
        project->runtime = project_find_text(*runtime, "name");
        project->runtime_options = find_object(*runtime, "options");
    }
}

static struct project_package package_of(struct arena *arena, str name, struct value value)
{
    struct project_package package = {
        .name = name, .source = STR(""), .version = STR(""), .download_url = STR("")
    };

    if (value.kind == VALUE_STRING) {
        package.source = value_text(value);
        if (!str_cut(value_text(value), STR("@"), &package.source, &package.version))
            package.version = STR("");
        return package;
    }
    package.is_full = true;
    package.source = project_find_text(value, "source");
    package.version = project_find_text(value, "version");
    package.download_url = project_find_text(value, "pluginDownloadURL");
    package.parameters = find_texts(arena, value, "parameters", &package.parameter_count);
    if (package.parameter_count == 0) {
        package.parameters = find_texts(arena, value, "extensions", &package.parameter_count);
        package.is_extension = package.parameter_count > 0;
    }
    return package;
}

static void project_read_packages(struct arena *arena, struct project *project)
{
    struct value packages = find_object(project->document, "packages");
    struct project_package *list = ARENA_ARRAY(arena, struct project_package, packages.len);

    for (uint32_t i = 0; i < packages.len; i++)
        list[i] = package_of(arena, packages.members[i].key, packages.members[i].value);
    project->packages = list;
    project->package_count = packages.len;
}

struct plugin_list {
    VEC(struct project_plugin);
};

static void add_plugins(struct plugin_list *list, struct value plugins, const char *key,
                        enum project_plugin_kind kind)
{
    const struct value *entries = value_find(plugins, str_from(key));

    for (uint32_t i = 0; entries && entries->kind == VALUE_ARRAY && i < entries->len; i++) {
        struct value entry = entries->items[i];
        struct project_plugin plugin = { kind, project_find_text(entry, "name"),
                                         project_find_text(entry, "path"),
                                         project_find_text(entry, "version") };
        vec_add(list, plugin);
    }
}

static void read_plugins(struct arena *arena, struct project *project)
{
    struct value plugins = find_object(project->document, "plugins");
    struct plugin_list list = { 0 };

    add_plugins(&list, plugins, "providers", PROJECT_PROVIDER);
    add_plugins(&list, plugins, "analyzers", PROJECT_ANALYZER);
    add_plugins(&list, plugins, "languages", PROJECT_LANGUAGE);
    project->plugins = arena_copy_bytes(arena, list.items, list.len * sizeof(list.items[0]));
    project->plugin_count = list.len;
    vec_release(&list);
}

static void read_template(struct arena *arena, struct project *project)
{
    struct value template = find_object(project->document, "template");
    struct value config = find_object(template, "config");
    struct project_template_config *entries =
        ARENA_ARRAY(arena, struct project_template_config, config.len);

    const struct value *found = value_find(project->document, STR("template"));
    project->is_template = found && found->kind == VALUE_OBJECT;
    project->template_display_name = project_find_text(template, "displayName");
    project->template_description = project_find_text(template, "description");
    project->template_quickstart = project_find_text(template, "quickstart");
    project->template_is_important = find_flag(template, "important");
    for (uint32_t i = 0; i < config.len; i++) {
        struct value entry = config.members[i].value;
        const struct value *value = value_find(entry, STR("default"));
        entries[i] = (struct project_template_config){
            .key = config.members[i].key,
            .description = project_find_text(entry, "description"),
            .default_value =
                value ? secret_reveal(config_text(arena, config_from_plain(arena, *value, true)))
                      : STR(""),
            .is_secret = find_flag(entry, "secret"),
        };
    }
    project->template_config = entries;
    project->template_config_count = config.len;
}

/* Long ago `config` named the directory of the stacks' files. */
static fallible read_old_config_dir(struct project *project)
{
    const struct value *section = value_find(project->document, STR("config"));

    if (!section || section->kind != VALUE_STRING)
        return NULL;
    if (value_has(project->document, STR("stackConfigDir")))
        return error_new(
            ERROR_INVALID,
            "Should not use both config and stackConfigDir to define the stack directory. Use "
            "only stackConfigDir instead.");
    project->stack_config_dir = value_text(*section);
    return NULL;
}

static void read_plain_members(struct project *project)
{
    struct value document = project->document;

    project->name = project_find_text(document, "name");
    project->main = project_find_text(document, "main");
    project->description = project_find_text(document, "description");
    const struct value *description = value_find(document, STR("description"));
    project->has_description = description && description->kind == VALUE_STRING;
    project->author = project_find_text(document, "author");
    project->website = project_find_text(document, "website");
    project->license = project_find_text(document, "license");
    project->stack_config_dir = project_find_text(document, "stackConfigDir");
    project->required_version = project_find_text(document, "requiredPulumiVersion");
    project->backend_url = project_find_text(find_object(document, "backend"), "url");
    project->refreshes_always =
        str_equal(project_find_text(find_object(document, "options"), "refresh"), STR("always"));
}

static const char *kind_of(struct value document)
{
    switch ((enum value_kind)document.kind) {
    case VALUE_NULL: return "<nil>";
    case VALUE_BOOL: return "bool";
    case VALUE_NUMBER: return "int";
    case VALUE_STRING: return "string";
    case VALUE_ARRAY: return "[]interface {}";
    case VALUE_OBJECT:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_SECRET:
    case VALUE_COMPUTED:
    case VALUE_OUTPUT:
    case VALUE_REFERENCE: break;
    }
    return "other";
}

static fallible validate(struct arena *arena, struct value document)
{
    if (document.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "expected project to be an object, was '%s'",
                         kind_of(document));
    TRY(check_name(arena, document));
    return schema_check_project(document);
}

fallible project_parse(struct arena *arena, str path, str text, struct project *out)
{
    struct project project = { .path = arena_copy(arena, path), .text = text };
    struct yaml_node *root;

    if (str_starts_with(text, STR("\xef\xbb\xbf")))
        project.text = str_slice(text, 3, text.len);
    TRY(error_wrap(yaml_read(arena, project.text, &root),
                   "could not unmarshal '" STR_FMT "': invalid YAML file", STR_ARG(path)));
    project.directory = fs_path_directory(project.path);
    project.document = config_value_from_yaml(arena, root);
    TRY(error_wrap(validate(arena, project.document), "could not validate '" STR_FMT "'",
                   STR_ARG(path)));
    read_plain_members(&project);
    read_runtime(&project);
    if (project.runtime.len == 0)
        return error_new(ERROR_INVALID,
                         "could not validate '" STR_FMT
                         "': project is missing a 'runtime' attribute: the language of "
                         "the program, such as nodejs, python, go or yaml",
                         STR_ARG(path));
    project_read_packages(arena, &project);
    read_plugins(arena, &project);
    read_template(arena, &project);
    TRY(read_old_config_dir(&project));
    TRY(error_wrap(project_read_config(arena, &project), "could not unmarshal '" STR_FMT "'",
                   STR_ARG(path)));
    *out = project;
    return NULL;
}

fallible project_load(struct arena *arena, str path, struct project *out)
{
    str text;

    TRY(error_wrap(fs_read(arena, path, MAX_FILE_SIZE, &text), "could not read '" STR_FMT "'",
                   STR_ARG(path)));
    return project_parse(arena, path, text, out);
}

fallible project_program(struct arena *arena, const struct project *project, str *directory,
                         str *entry_point)
{
    struct fs_status status;

    if (project->main.len == 0) {
        *directory = project->directory;
        *entry_point = STR(".");
        return NULL;
    }
    str main = fs_path_absolute(arena, project->directory, project->main);
    TRY(error_wrap(fs_stat(main, &status), "project 'main' could not be read"));
    *directory = status.is_directory ? main : fs_path_directory(main);
    *entry_point = status.is_directory ? STR(".") : fs_path_name(main);
    return NULL;
}

fallible project_check_version(const struct project *project, str version)
{
    struct semver parsed;
    bool is_inside;

    if (project->required_version.len == 0 || !semver_parse_tolerant(version, &parsed))
        return NULL;
    TRY(error_wrap(semver_in_range(&parsed, project->required_version, &is_inside),
                   "invalid requiredPulumiVersion in '" STR_FMT "'", STR_ARG(project->path)));
    if (is_inside)
        return NULL;
    return error_new(ERROR_INVALID,
                     "Pulumi CLI version " STR_FMT " does not satisfy the version range \"" STR_FMT
                     "\"",
                     STR_ARG(version), STR_ARG(project->required_version));
}
