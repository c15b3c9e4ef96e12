/* go_type.c — the types of a schema as text of Go. */
#include "go/sdk/go_type.h"

#include "model/value_ops.h"

struct simple_name {
    const char *value;
    const char *form;
};

static struct simple_name simple_name(enum type_kind kind)
{
    static const struct simple_name names[] = {
        [TYPE_BOOL] = { "bool", "pulumi.Bool" },
        [TYPE_INTEGER] = { "int", "pulumi.Int" },
        [TYPE_NUMBER] = { "float64", "pulumi.Float64" },
        [TYPE_STRING] = { "string", "pulumi.String" },
        [TYPE_ASSET] = { "pulumi.AssetOrArchive", "pulumi.AssetOrArchive" },
        [TYPE_ARCHIVE] = { "pulumi.Archive", "pulumi.Archive" },
    };
    static const struct simple_name any = { "interface{}", "pulumi." };

    return kind <= TYPE_ARCHIVE && names[kind].value ? names[kind] : any;
}

/* Of a union with an enum the type of its values, of any other anything. */
static enum type_kind union_kind(const struct schema_type *type)
{
    for (size_t i = 0; i < type->len; i++)
        if (type->members[i]->kind == TYPE_ENUM)
            return type->members[i]->base;
    return TYPE_ANY;
}

enum type_kind go_simple_kind(const struct schema_type *type)
{
    if (type->kind == TYPE_UNION)
        return union_kind(type);
    return type->kind;
}

bool go_is_any(const struct schema_type *type)
{
    return go_simple_kind(type) == TYPE_ANY;
}

bool go_is_nil_type(const struct schema_type *type)
{
    static const bool has_nil[] = {
        [TYPE_ANY] = true,   [TYPE_ASSET] = true, [TYPE_ARCHIVE] = true,
        [TYPE_ARRAY] = true, [TYPE_MAP] = true,   [TYPE_RESOURCE] = true,
    };

    return has_nil[type->kind];
}

/* --- names of packages --- */

/* The last parts of the path, one more each time the name is taken: v1, appsv1. */
static str import_name(struct go_file *file, str path, str package)
{
    str rest, part, name = package;

    if (!str_cut_last(path, STR("/"), &rest, &part))
        return name;
    for (const str *known = map_find(&file->packages, name); known && !str_equal(*known, path);
         known = map_find(&file->packages, name)) {
        if (!str_cut_last(rest, STR("/"), &rest, &part))
            part = STR("x");
        name = arena_concat(file->arena, go_package_word(file->arena, part), name);
    }
    return name;
}

static str *import_path(struct go_file *file, str path, str package, str alias)
{
    str *used = map_find(&file->imports, path);

    if (used)
        return used;
    str *kept = ARENA_NEW(file->arena, str);
    used = ARENA_NEW(file->arena, str);
    *kept = arena_copy(file->arena, path);
    *used = alias.len ? alias : import_name(file, path, package);
    map_put(&file->imports, *kept, used);
    map_put(&file->packages, *used, kept);
    return used;
}

void go_import(struct go_file *file, const char *path)
{
    str head, package = str_from(path);

    str_cut_last(package, STR("/"), &head, &package);
    import_path(file, str_from(path), package, STR(""));
}

static str alias_of(const struct go_sdk *sdk, str path)
{
    const struct value *alias = value_find(sdk->settings.aliases, path);

    return alias && alias->kind == VALUE_STRING ? value_text(*alias) : STR("");
}

str go_internal(struct go_file *file)
{
    const struct go_sdk *sdk = file->sdk;
    str path = arena_concat(file->arena, go_import_base(file->arena, sdk->schema, &sdk->settings),
                            STR("/"), sdk->settings.internal);

    return *import_path(file, path, sdk->settings.internal, STR(""));
}

static str qualified(struct go_file *file, const struct go_module *module, str name)
{
    if (module == file->module)
        return name;
    bool is_generic = file->is_generic && module->generic_import.len;
    str path = is_generic ? module->generic_import : module->import;
    return arena_concat(file->arena,
                        *import_path(file, path, module->package, alias_of(file->sdk, path)),
                        STR("."), name);
}

static str named_text(struct go_file *file, const struct schema_type *type)
{
    const struct go_named *named = go_find_named(file->sdk, type);

    return named ? qualified(file, named->module, named->name) : STR("pulumi.");
}

static str resource_text(struct go_file *file, const struct schema_type *type)
{
    const struct go_resource *resource = go_find_resource(file->sdk, type);

    return resource ? qualified(file, resource->module, resource->name) : STR("pulumi.Resource");
}

/* --- types --- */

str go_base_text(struct go_file *file, const struct schema_type *type)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        return arena_concat(file->arena, go_base_text(file, type->element),
                            type->kind == TYPE_ARRAY ? STR("Array") : STR("Map"));
    if (type->kind == TYPE_OBJECT || type->kind == TYPE_ENUM)
        return named_text(file, type);
    if (type->kind == TYPE_RESOURCE)
        return resource_text(file, type);
    return str_from(simple_name(go_simple_kind(type)).form);
}

/* The value in a list or map of arguments differs from that in one of results. */
static str value_text_of(struct go_file *file, const struct schema_type *type, bool is_optional,
                         bool is_argument)
{
    struct arena *arena = file->arena;
    str star = is_optional && !go_is_nil_type(type) && !go_is_any(type) ? STR("*") : STR("");

    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        return arena_concat(arena, type->kind == TYPE_ARRAY ? STR("[]") : STR("map[string]"),
                            is_argument ? go_argument_text(file, type->element, false)
                                        : go_plain_text(file, type->element, false));
    if (type->kind == TYPE_RESOURCE)
        return arena_concat(arena, STR("*"), resource_text(file, type));
    if (type->kind != TYPE_OBJECT && type->kind != TYPE_ENUM)
        return arena_concat(arena, star, str_from(simple_name(go_simple_kind(type)).value));
    if (!go_find_named(file->sdk, type))
        return STR("interface{}");
    return arena_concat(arena, star, named_text(file, type),
                        is_argument && type->kind == TYPE_OBJECT ? STR("Args") : STR(""));
}

str go_plain_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    return value_text_of(file, type, is_optional, false);
}

/* A pointer form that another package does not have is a pointer to its plain form. */
static bool lacks_pointer(struct go_file *file, const struct schema_type *type, unsigned forms)
{
    const struct go_named *named = type->kind == TYPE_OBJECT || type->kind == TYPE_ENUM
                                       ? go_find_named(file->sdk, type)
                                       : NULL;

    if (!named || type->schema == file->sdk->schema)
        return false;
    /* An enum has its pointer with any other form. */
    unsigned needed = type->kind == TYPE_ENUM ? forms | forms >> 1 : forms;
    return !(named->uses & needed);
}

static str form_text(struct go_file *file, const struct schema_type *type, bool is_optional,
                     const char *form, unsigned pointer)
{
    struct arena *arena = file->arena;
    str base = go_base_text(file, type);

    if (!is_optional || go_is_nil_type(type) || go_is_any(type))
        return arena_concat(arena, base, str_from(form));
    if (lacks_pointer(file, type, pointer))
        return arena_concat(arena, STR("*"), base, str_from(form));
    return arena_concat(arena, base, STR("Ptr"), str_from(form));
}

str go_argument_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    if (file->is_generic && type->is_plain)
        return go_boxed_text(file, type, is_optional);
    if (file->is_generic)
        return arena_concat(file->arena, go_pulumix(file), STR(".Input["),
                            go_boxed_text(file, type, is_optional), STR("]"));
    if (type->is_plain)
        return value_text_of(file, type, is_optional, true);
    if (go_is_any(type))
        return STR("pulumi.Input");
    return form_text(file, type, is_optional, "Input", GO_INPUT_PTR);
}

str go_output_text(struct go_file *file, const struct schema_type *type, bool is_optional)
{
    if (file->is_generic)
        return go_generic_output_text(file, type, is_optional);
    if (go_is_any(type))
        return STR("pulumi.AnyOutput");
    return form_text(file, type, is_optional, "Output", GO_OUTPUT_PTR);
}
