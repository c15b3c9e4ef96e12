/* go_init.c — init.go of a module: the runtime makes resources of it that arrive as references. */
#include "go/sdk/go_parts.h"

/* Raw modules of tokens: several can be one module in Go. */
static struct strs token_modules(struct go_file *file)
{
    const struct go_module *module = file->module;
    str *names = ARENA_ARRAY(file->arena, str, module->resources.len + 1);
    struct strs found = { names, 0 };

    for (size_t i = 0; i < module->resources.len; i++) {
        const struct schema_resource *resource = module->resources.items[i]->resource;
        str package, rest, name, member;
        if (resource->is_provider || resource->is_overlay
            || !str_cut(resource->token, STR(":"), &package, &rest)
            || !str_cut(rest, STR(":"), &name, &member) || strs_has(found, name))
            continue;
        names[found.len++] = name;
    }
    return strs_sorted(file->arena, found);
}

static void put_module(struct go_file *file)
{
    const struct go_module *module = file->module;

    go_put(file,
           "type module struct {\n"
           "\tversion semver.Version\n"
           "}\n\n"
           "func (m *module) Version() semver.Version {\n"
           "\treturn m.version\n"
           "}\n\n"
           "func (m *module) Construct(ctx *pulumi.Context, name, typ, urn string) "
           "(r pulumi.Resource, err error) {\n"
           "\tswitch typ {\n",
           STR(""));
    for (size_t i = 0; i < module->resources.len; i++) {
        const struct go_resource *planned = module->resources.items[i];
        if (!planned->resource->is_provider && !planned->resource->is_overlay)
            go_put(file, "\tcase $1:\n\t\tr = &$2{}\n",
                   go_quoted(file->arena, planned->resource->token), planned->name);
    }
    go_put(file,
           "\tdefault:\n"
           "\t\treturn nil, fmt.Errorf(\"unknown resource type: %s\", typ)\n"
           "\t}\n"
           "\terr = ctx.RegisterResource(typ, name, nil, r, pulumi.URN_(urn))\n"
           "\treturn\n"
           "}\n\n",
           STR(""));
}

static void put_go_package(struct go_file *file)
{
    go_put(file,
           "type pkg struct {\n"
           "\tversion semver.Version\n"
           "}\n\n"
           "func (p *pkg) Version() semver.Version {\n"
           "\treturn p.version\n"
           "}\n\n"
           "func (p *pkg) ConstructProvider(ctx *pulumi.Context, name, typ, urn string) "
           "(pulumi.ProviderResource, error) {\n"
           "\tif typ != $1 {\n"
           "\t\treturn nil, fmt.Errorf(\"unknown provider type: %s\", typ)\n"
           "\t}\n"
           "\tr := &Provider{}\n"
           "\terr := ctx.RegisterResource(typ, name, nil, r, pulumi.URN_(urn))\n"
           "\treturn r, err\n"
           "}\n\n",
           go_quoted(file->arena, schema_provider_token(file->sdk->schema)));
}

static bool has_provider(const struct go_module *module)
{
    for (size_t i = 0; i < module->resources.len; i++)
        if (module->resources.items[i]->resource->is_provider)
            return true;
    return false;
}

/* The runtime takes one registration of a module: that of the usual form if a program has both. */
static void put_first_only(struct go_file *file, const char *text, str module)
{
    bool has_both = file->sdk->settings.generics == GO_GENERICS_BESIDE;
    str name = go_quoted(file->arena, file->sdk->schema->name);

    if (has_both)
        go_put(file, "\tif $1.IsFirst($2) {\n\t", go_internal(file), module);
    go_put(file, text, name, module);
    if (has_both)
        go_put(file, "\t}\n", STR(""));
}

void go_put_module_init(struct go_file *file)
{
    struct strs modules = token_modules(file);
    bool is_package = has_provider(file->module);

    go_import(file, "fmt");
    go_import(file, "github.com/blang/semver");
    for (size_t i = 0; i < file->sdk->settings.dependencies.len; i++) {
        str *blank = ARENA_NEW(file->arena, str);
        *blank = STR("_");
        map_put(&file->imports, file->sdk->settings.dependencies.items[i], blank);
    }
    if (modules.len)
        put_module(file);
    if (is_package)
        put_go_package(file);
    go_put(file,
           "func init() {\n"
           "\tversion, err := $1.PkgVersion()\n"
           "\tif err != nil {\n"
           "\t\tversion = semver.Version{Major: 1}\n"
           "\t}\n",
           go_internal(file));
    for (size_t i = 0; i < modules.len; i++)
        put_first_only(file, "\tpulumi.RegisterResourceModule($1, $2, &module{version})\n",
                       go_quoted(file->arena, modules.items[i]));
    if (is_package)
        put_first_only(file, "\tpulumi.RegisterResourcePackage($1, &pkg{version})\n", STR("\"\""));
    go_put(file, "}\n", STR(""));
}
