/* packages.c — the packages a program uses, and the files beside it that say which version of
 * them. */
#include "yaml/schema/packages.h"

#include "base/base64.h"
#include "base/fs.h"
#include "base/yaml.h"
#include "proto/message.h"
#include "yaml/syntax/graph.h"
#include "yaml/schema/schemas.h"

#include <stdlib.h>

enum { MAX_DEPTH = 32, LARGEST_DECLARATION = 16 << 20 };

struct Pb__Parameterization *parameter_message(struct arena *arena,
                                               const struct parameter *parameter)
{
    return parameter->is_given
               ? message_parameter(arena, parameter->name, parameter->version, parameter->value)
               : NULL;
}

void packages_release(struct packages *packages)
{
    vec_release(packages);
}

/* --- who serves a name --- */

static bool is_served_by(const struct package_decl *package, str name)
{
    if (package->parameterization.is_given)
        return str_equal(package->parameterization.name, name);
    return str_equal(package->name, name)
           || (package->extension.is_given && str_equal(package->extension.name, name));
}

static void add_serving(const struct packages *packages, str name, bool is_extension,
                        struct package_list *out)
{
    for (size_t i = 0; packages && i < packages->len; i++)
        if (packages->items[i].extension.is_given == is_extension
            && is_served_by(&packages->items[i], name))
            vec_add(out, packages->items[i]);
}

/* The plugin that the first of its extensions names. */
static void add_undeclared_base(const struct packages *packages, str name, struct package_list *out)
{
    for (size_t i = 0; packages && i < packages->len; i++) {
        const struct package_decl *package = &packages->items[i];
        if (!package->extension.is_given || !str_equal(package->name, name))
            continue;
        vec_add(out, ((struct package_decl){ .name = name,
                                             .version = package->version,
                                             .download_url = package->download_url }));
        return;
    }
}

void packages_serving(const struct packages *packages, str name, struct package_list *out)
{
    add_serving(packages, name, false, out);
    if (out->len == 0)
        add_undeclared_base(packages, name, out);
    add_serving(packages, name, true, out);
    if (out->len == 0)
        vec_add(out, (struct package_decl){ .name = name });
}

/* --- declarations --- */

static str node_text_of(const struct yaml_node *node, str key)
{
    const struct yaml_node *found = yaml_find(node, key);
    return found && found->kind == YAML_SCALAR ? found->text : STR("");
}

static fallible read_parameter(struct arena *arena, const struct yaml_node *node, const char *what,
                               struct parameter *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!node)
        return NULL;
    *out = (struct parameter){ true, node_text_of(node, STR("name")),
                               node_text_of(node, STR("version")), STR("") };
    if (out->name.len == 0 || out->version.len == 0)
        return error_new(ERROR_INVALID, "%s name and version are required", what);
    if (!base64_decode(&bytes, node_text_of(node, STR("value"))))
        return error_new(ERROR_INVALID, "the value of the %s is not base64", what);
    out->value = arena_copy(arena, strbuf_str(&bytes));
    return NULL;
}

static fallible read_declaration(struct packages *packages, const struct yaml_node *root)
{
    struct package_decl package = {
        .name = node_text_of(root, STR("name")),
        .version = node_text_of(root, STR("version")),
        .download_url = node_text_of(root, STR("downloadUrl")),
    };

    if (package.name.len == 0)
        return error_new(ERROR_INVALID, "package name is required");
    TRY(read_parameter(packages->arena, yaml_find(root, STR("parameterization")),
                       "parameterization", &package.parameterization));
    TRY(read_parameter(packages->arena, yaml_find(root, STR("extension")), "extension",
                       &package.extension));
    if (package.parameterization.is_given && package.extension.is_given)
        return error_new(ERROR_INVALID,
                         "package cannot declare both parameterization and extension");
    vec_add(packages, package);
    return NULL;
}

/* Any other file of that kind is ignored, readable or not. */
static fallible packages_read_file(struct packages *packages, str path)
{
    struct yaml_node *root = NULL;
    str text;

    struct error *failure = fs_read(packages->arena, path, LARGEST_DECLARATION, &text);
    if (!failure && str_find(text, STR("packageDeclarationVersion")) == SIZE_MAX)
        return NULL;
    if (!failure)
        failure = yaml_read(packages->arena, text, &root);
    if (failure) {
        error_ignore(failure, "not a declaration");
        return NULL;
    }
    if (!str_equal(node_text_of(root, STR("packageDeclarationVersion")), STR("1")))
        return NULL;
    return error_wrap(read_declaration(packages, root), "validating " STR_FMT, STR_ARG(path));
}

static fallible packages_search_below(struct packages *packages, str directory, unsigned depth)
{
    str *names;
    size_t len;

    if (depth > MAX_DEPTH)
        return NULL;
    struct error *failure = fs_list(packages->arena, directory, &names, &len);
    if (failure && depth == 0)
        return failure;
    if (failure) {
        error_ignore(failure, "a folder that cannot be read has nothing for us");
        return NULL;
    }
    for (size_t i = 0; i < len; i++) {
        str path = fs_path_join(packages->arena, directory, names[i]);
        bool is_yaml = str_ends_with(names[i], STR(".yaml"));
        if (str_equal(names[i], STR("node_modules")) || str_equal(names[i], STR(".git")))
            continue;
        if (fs_is_directory(path))
            TRY(packages_search_below(packages, path, depth + 1));
        else if (is_yaml)
            TRY(packages_read_file(packages, path));
    }
    return NULL;
}

fallible packages_search(struct packages *packages, str directory)
{
    return error_wrap(packages_search_below(packages, directory, 0),
                      "searching " STR_FMT " for package declarations", STR_ARG(directory));
}

/* --- what is required --- */

struct collector {
    const struct packages *declared;
    struct package_list *out;
    struct map seen;
};

static void accept(struct collector *collector, str token, str version, str url)
{
    str package = package_of_token(token);
    size_t before = collector->out->len;

    if (map_has(&collector->seen, package) || str_equal(package, STR("pulumi")) || package.len == 0)
        return;
    map_put(&collector->seen, package, collector);
    add_serving(collector->declared, package, false, collector->out);
    add_serving(collector->declared, package, true, collector->out);
    if (collector->out->len == before)
        vec_add(collector->out, ((struct package_decl){
                                    .name = package, .version = version, .download_url = url }));
}

static void accept_invoke(void *collector, struct expr *expr)
{
    if (expr->kind == EXPR_INVOKE)
        accept(collector, expr_string(expr->invoke->token), expr_string(expr->invoke->version),
               expr_string(expr->invoke->plugin_download_url));
}

static void packages_collect(struct collector *collector, const struct program *program)
{
    for (size_t i = 0; i < program->resource_count; i++) {
        const struct resource_decl *decl = &program->resources[i];
        accept(collector, expr_string(decl->type), expr_string(decl->options.version),
               expr_string(decl->options.plugin_download_url));
    }
    program_walk(program, accept_invoke, collector);
}

static int compare_packages(const void *a_, const void *b_)
{
    const struct package_decl *a = a_, *b = b_;
    int order = str_compare(a->name, b->name);

    if (order == 0)
        order = str_compare(a->version, b->version);
    if (order == 0)
        order = str_compare(a->parameterization.name, b->parameterization.name);
    if (order == 0)
        order = str_compare(a->extension.name, b->extension.name);
    return order;
}

void packages_required(const struct program *program, const struct packages *declared,
                       struct package_list *out)
{
    struct collector collector = { .declared = declared, .out = out };

    packages_collect(&collector, program);
    for (size_t i = 0; i < program->component_count; i++)
        packages_collect(&collector, program->components[i].body);
    map_release(&collector.seen);
    if (out->len == 0)
        return;
    qsort(out->items, out->len, sizeof(*out->items), compare_packages);
    size_t kept = 1;
    for (size_t i = 1; i < out->len; i++)
        if (compare_packages(&out->items[kept - 1], &out->items[i]) != 0)
            out->items[kept++] = out->items[i];
    out->len = kept;
}
