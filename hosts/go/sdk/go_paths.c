/* go_paths.c — where the SDK of a package is: its module, its imports, its folder. */
#include "go/sdk/go_sdk.h"

#include "base/semver.h"
#include "model/value_ops.h"

static str hint_text(struct value hints, str key)
{
    const struct value *value = value_find(hints, key);

    return value && value->kind == VALUE_STRING ? value_text(*value) : STR("");
}

static struct strs hint_texts(struct arena *arena, struct value hints, str key)
{
    const struct value *list = value_find(hints, key);
    struct strs texts = { 0 };

    if (!list || list->kind != VALUE_ARRAY)
        return texts;
    str *items = ARENA_ARRAY(arena, str, list->len + 1);
    for (size_t i = 0; i < list->len; i++)
        if (list->items[i].kind == VALUE_STRING)
            items[texts.len++] = value_text(list->items[i]);
    texts.items = items;
    return texts;
}

static fallible read_generics(const struct schema *schema, str text, enum go_generics *out)
{
    static const char *const names[] = { "none", "side-by-side", "generics-only" };

    *out = GO_GENERICS_NONE;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (str_equal(text, str_from(names[i])))
            *out = (enum go_generics)i;
    if (!text.len || *out || str_equal(text, STR("none")))
        return NULL;
    return error_new(ERROR_INVALID,
                     "package '" STR_FMT "': language.go.generics is '" STR_FMT
                     "'; use none, side-by-side or generics-only",
                     STR_ARG(schema->name), STR_ARG(text));
}

fallible go_read_settings(struct arena *arena, struct schema *schema, struct go_settings *out)
{
    struct value hints = schema_language(schema, schema->language, STR("go"));

    *out = (struct go_settings){
        .import_base = hint_text(hints, STR("importBasePath")),
        .module_path = hint_text(hints, STR("modulePath")),
        .root_package = hint_text(hints, STR("rootPackageName")),
        .internal = hint_text(hints, STR("internalModuleName")),
        .module_names = schema_language_object(hints, STR("moduleToPackage")),
        .aliases = schema_language_object(hints, STR("packageImportAliases")),
        .has_containers = schema_language_bool(hints, STR("generateResourceContainerTypes"), false),
        .lifts_results = schema_language_bool(hints, STR("liftSingleValueMethodReturns"), false),
        .has_extra_inputs = schema_language_bool(hints, STR("generateExtraInputTypes"), false),
        .keeps_version = schema_language_bool(hints, STR("respectSchemaVersion"), false),
        .no_registrations =
            schema_language_bool(hints, STR("disableInputTypeRegistrations"), false),
        .no_object_defaults = schema_language_bool(hints, STR("disableObjectDefaults"), false),
        .is_silent = hints.len == 0,
        .dependencies = hint_texts(arena, hints, STR("internalDependencies")),
    };
    if (!out->internal.len)
        out->internal = STR("internal");
    return read_generics(schema, hint_text(hints, STR("generics")), &out->generics);
}

bool go_is_module(const struct schema *schema)
{
    return schema->supports_pack || schema->parameterization.is_given || schema->extension.is_given;
}

static str last_part(str path)
{
    str head, name = path;

    str_cut_last(path, STR("/"), &head, &name);
    return name;
}

/* Who says nothing has its repository, its namespace on GitHub, or nothing that exists. */
static str default_module_path(struct arena *arena, const struct schema *schema)
{
    struct semver version = { 0 };
    str scheme, root = schema->repository;

    str_cut(root, STR("://"), &scheme, &root);
    while (root.len && root.ptr[root.len - 1] == '/')
        root.len--;
    if (!root.len && schema->namespace.len)
        root = arena_concat(arena, STR("github.com/"), schema->namespace, STR("/pulumi-"),
                            schema->name);
    if (!root.len)
        root = arena_concat(arena, STR("example.com/pulumi-"), schema->name);
    (void)semver_parse_tolerant(schema->version, &version);
    return arena_concat(arena, root, go_is_module(schema) ? STR("/sdk/go") : STR("/sdk"),
                        version.major > 1 ? arena_printf(arena, "/v%u", (unsigned)version.major)
                                          : STR(""));
}

str go_import_base(struct arena *arena, const struct schema *schema,
                   const struct go_settings *settings)
{
    if (settings->import_base.len)
        return settings->import_base;
    str module = default_module_path(arena, schema);
    if (go_is_module(schema))
        return arena_concat(arena, module, STR("/"), go_package_word(arena, schema->name));
    return arena_concat(arena, module, STR("/go/"), go_package_word(arena, schema->name));
}

str go_module_path(struct arena *arena, const struct schema *schema,
                   const struct go_settings *settings)
{
    str folder, name;

    if (settings->module_path.len)
        return settings->module_path;
    if (str_cut_last(settings->import_base, STR("/"), &folder, &name))
        return folder;
    return default_module_path(arena, schema);
}

str go_root_folder(struct arena *arena, const struct schema *schema,
                   const struct go_settings *settings)
{
    if (!go_is_module(schema) && settings->root_package.len)
        return STR("");
    return settings->import_base.len ? last_part(settings->import_base)
                                     : go_package_word(arena, schema->name);
}
