/* package_info.c — lists modules, their members, and inputs and outputs with their types. */
#include "cli/package/package_info.h"

#include "base/program.h"
#include "base/vec.h"

struct info {
    struct arena *arena;
    struct schema *schema;
    const struct package_info_query *query;
    struct strbuf *out;
};

/* --- text --- */

/* Examples are for documents. */
static str without_examples(str text)
{
    str head = text, rest;

    str_cut(text, STR("{{% examples %}}"), &head, &rest);
    return str_trim(head);
}

static str first_line(str text)
{
    str line = without_examples(text), rest;

    str_cut(line, STR("\n"), &line, &rest);
    return str_trim(line);
}

static str info_type(struct arena *arena, const struct schema_type *type, bool is_input);

/* Inside another type. */
static str inner_type(struct arena *arena, const struct schema_type *type, bool is_input)
{
    str text = info_type(arena, type, is_input);

    return is_input ? arena_concat(arena, STR("Input<"), text, STR(">")) : text;
}

static str union_type(struct arena *arena, const struct schema_type *type, bool is_input)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add(&text, STR("Union<"));
    for (size_t i = 0; i < type->len; i++) {
        strbuf_add(&text, i ? STR(", ") : STR(""));
        strbuf_add(&text, inner_type(arena, type->members[i], is_input));
    }
    strbuf_add_char(&text, '>');
    return arena_copy(arena, strbuf_str(&text));
}

static str info_type(struct arena *arena, const struct schema_type *type, bool is_input)
{
    switch (type->kind) {
    case TYPE_ANY: return type->is_json ? STR("pulumi:pulumi:Json") : STR("pulumi:pulumi:Any");
    case TYPE_ASSET: return STR("pulumi:pulumi:AssetOrArchive");
    case TYPE_ARCHIVE: return STR("pulumi:pulumi:Archive");
    case TYPE_ARRAY:
        return arena_concat(arena, STR("Array<"), inner_type(arena, type->element, is_input),
                            STR(">"));
    case TYPE_MAP:
        return arena_concat(arena, STR("Map<"), inner_type(arena, type->element, is_input),
                            STR(">"));
    case TYPE_UNION: return union_type(arena, type, is_input);
    case TYPE_OBJECT:
        return is_input ? arena_concat(arena, type->token, STR("\u2022Input")) : type->token;
    case TYPE_BOOL:
    case TYPE_INTEGER:
    case TYPE_NUMBER:
    case TYPE_STRING:
    case TYPE_ENUM:
    case TYPE_RESOURCE: return schema_type_text(arena, type);
    }
    return STR("");
}

/* --- members --- */

static void put_info_properties(struct info *info, const char *title, struct schema_properties list,
                                bool is_input)
{
    strbuf_printf(info->out, "\n%s:\n", title);
    for (size_t i = 0; i < list.len; i++) {
        const struct schema_property *property = &list.items[i];
        str about = first_line(property->description);
        strbuf_printf(info->out, " - " STR_FMT " (" STR_FMT "%s)%s" STR_FMT "\n",
                      STR_ARG(property->name),
                      STR_ARG(info_type(info->arena, property->type, is_input)),
                      property->is_required ? "*" : "", about.len ? ": " : "", STR_ARG(about));
    }
    strbuf_printf(info->out, "%s marked with '*' are %s\n", title,
                  is_input ? "required" : "always present");
}

static void put_resource_info(struct info *info, str token)
{
    const struct schema_resource *resource = schema_resource(info->schema, token);

    strbuf_printf(info->out, "Resource: " STR_FMT "\n", STR_ARG(token));
    if (!resource)
        return;
    strbuf_printf(info->out, "Description: " STR_FMT "\n",
                  STR_ARG(without_examples(resource->description)));
    put_info_properties(info, "Inputs", resource->inputs, true);
    put_info_properties(info, "Outputs", resource->outputs, false);
    if (info->query->shows_list && resource->list.len)
        put_info_properties(info, "List inputs", resource->list, true);
}

static void put_function_info(struct info *info, str token)
{
    const struct schema_function *function = schema_function(info->schema, token);

    strbuf_printf(info->out, "Function: " STR_FMT "\n", STR_ARG(token));
    if (!function)
        return;
    strbuf_printf(info->out, "Description: " STR_FMT "\n",
                  STR_ARG(without_examples(function->description)));
    put_info_properties(info, "Inputs", function->inputs, true);
    if (function->result)
        strbuf_printf(info->out, "\nOutput: " STR_FMT "\n",
                      STR_ARG(info_type(info->arena, function->result, false)));
    else
        put_info_properties(info, "Outputs", function->outputs, false);
}

/* --- modules --- */

static str module_name(const struct info *info, str token)
{
    str module = schema_module(info->schema, token);

    return module.len ? module : STR("index");
}

/* "index", "store", or as the token has it: "store/bucket". */
static bool is_in_module(const struct info *info, str token, str module)
{
    str package, rest, whole, name;

    if (str_equal(module_name(info, token), module))
        return true;
    return str_cut(token, STR(":"), &package, &rest) && str_cut(rest, STR(":"), &whole, &name)
           && str_equal(whole, module);
}

static int compare_tokens(const void *a, const void *b)
{
    return str_compare(schema_member(*(const str *)a), schema_member(*(const str *)b));
}

/* Those of a module (empty: all) with a name (empty: any), sorted. */
static void find_tokens(const struct info *info, const struct map *definitions, str module,
                        str name, struct str_list *out)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(definitions, &i, &entry);)
        if ((!module.len || is_in_module(info, entry->key, module))
            && (!name.len || str_equal(schema_member(entry->key), name)))
            vec_add(out, entry->key);
    if (out->len)
        qsort(out->items, out->len, sizeof(*out->items), compare_tokens);
}

static fallible find_one(const struct info *info, const struct map *definitions, const char *what,
                         str name, str *out)
{
    CLEANUP(str_list_release) struct str_list found = { 0 };

    find_tokens(info, definitions, info->query->module, name, &found);
    if (!found.len)
        return error_new(ERROR_NOT_FOUND, "%s \"" STR_FMT "\" not found", what, STR_ARG(name));
    if (found.len > 1)
        return error_new(ERROR_INVALID,
                         "ambiguous %s name \"" STR_FMT
                         "\", please use --module <module> to disambiguate",
                         what, STR_ARG(name));
    *out = found.items[0];
    return NULL;
}

static void put_info_head(struct info *info)
{
    const struct schema *schema = info->schema;

    strbuf_printf(info->out, "Name: " STR_FMT "\n", STR_ARG(schema->name));
    if (info->query->module.len)
        strbuf_printf(info->out, "Module: " STR_FMT "\n", STR_ARG(info->query->module));
    strbuf_printf(info->out, "Version: " STR_FMT "\nDescription: " STR_FMT "\n",
                  STR_ARG(schema->version), STR_ARG(first_line(schema->description)));
}

static void put_info_members(struct info *info, const char *title, const struct map *definitions,
                             bool are_functions)
{
    CLEANUP(str_list_release) struct str_list found = { 0 };

    find_tokens(info, definitions, info->query->module, STR(""), &found);
    strbuf_printf(info->out, "%s: %zu\n\n", title, found.len);
    for (size_t i = 0; i < found.len; i++) {
        const struct schema_resource *resource =
            are_functions ? NULL : schema_resource(info->schema, found.items[i]);
        const struct schema_function *function =
            are_functions ? schema_function(info->schema, found.items[i]) : NULL;
        str about = first_line(resource   ? resource->description
                               : function ? function->description
                                          : STR(""));
        strbuf_printf(info->out, " - " STR_FMT "%s" STR_FMT "\n",
                      STR_ARG(schema_member(found.items[i])), about.len ? ": " : "",
                      STR_ARG(about));
    }
    strbuf_add(info->out, are_functions ? STR("") : STR("\n"));
}

static void put_module_info(struct info *info)
{
    put_info_head(info);
    put_info_members(info, "Resources", &info->schema->resources, false);
    put_info_members(info, "Functions", &info->schema->functions, true);
}

/* --- the package --- */

static struct strs find_modules(const struct info *info)
{
    const struct map *const both[] = { &info->schema->resources, &info->schema->functions };
    str *names = ARENA_ARRAY(info->arena, str, both[0]->len + both[1]->len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; map_next(both[i], &j, &entry);) {
            str module = module_name(info, entry->key);
            if (!strs_has((struct strs){ names, len }, module))
                names[len++] = module;
        }
    return strs_sorted(info->arena, (struct strs){ names, len });
}

static void put_package_info(struct info *info, struct strs modules)
{
    put_info_head(info);
    strbuf_printf(info->out, "Total resources %zu\nTotal functions %zu\nTotal modules: %zu\n\n",
                  info->schema->resources.len, info->schema->functions.len, modules.len);
    strbuf_add(info->out, STR("Modules: "));
    for (size_t i = 0; i < modules.len; i++)
        strbuf_printf(info->out, "%s" STR_FMT, i ? ", " : "", STR_ARG(modules.items[i]));
    strbuf_printf(info->out,
                  "\n\nUse '%s package info " STR_FMT
                  " --module <module>' to list the resources of a module\n"
                  "Use '%s package info " STR_FMT
                  " --module <module> --resource <resource>' to see one of them\n",
                  program_name(), STR_ARG(info->query->source), program_name(),
                  STR_ARG(info->query->source));
}

static fallible put_wanted(struct info *info)
{
    str token;

    if (info->query->function.len) {
        TRY(find_one(info, &info->schema->functions, "function", info->query->function, &token));
        put_function_info(info, token);
        return NULL;
    }
    TRY(find_one(info, &info->schema->resources, "resource", info->query->resource, &token));
    put_resource_info(info, token);
    return NULL;
}

static bool has_module(const struct info *info, str module)
{
    const struct map *const both[] = { &info->schema->resources, &info->schema->functions };
    const struct map_entry *entry;

    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; map_next(both[i], &j, &entry);)
            if (is_in_module(info, entry->key, module))
                return true;
    return false;
}

/* The only function or resource that a package has, or its only module. */
static bool put_only_member(struct info *info, struct strs modules)
{
    const struct map_entry *entry;
    const struct map *functions = &info->schema->functions, *resources = &info->schema->resources;
    bool is_one = !info->query->shows_all || functions->len + resources->len == 1;
    size_t i = 0;

    if (is_one && functions->len == 1 && map_next(functions, &i, &entry))
        put_function_info(info, entry->key);
    else if (is_one && resources->len == 1 && map_next(resources, &i, &entry))
        put_resource_info(info, entry->key);
    else if (modules.len == 1) {
        const struct package_info_query *asked = info->query,
                                        whole = { .source = info->query->source,
                                                  .module = modules.items[0] };
        info->query = &whole;
        put_module_info(info);
        info->query = asked;
    } else
        return false;
    return true;
}

fallible package_info_write(struct schema *schema, const struct package_info_query *query,
                            struct strbuf *out)
{
    struct info info = { .arena = schema->arena, .schema = schema, .query = query, .out = out };
    struct strs modules = find_modules(&info);

    if (query->module.len && !has_module(&info, query->module))
        return error_new(ERROR_NOT_FOUND, "module \"" STR_FMT "\" not found",
                         STR_ARG(query->module));
    if (query->resource.len || query->function.len)
        return put_wanted(&info);
    if (query->module.len)
        put_module_info(&info);
    else if (!put_only_member(&info, modules))
        put_package_info(&info, modules);
    return NULL;
}
