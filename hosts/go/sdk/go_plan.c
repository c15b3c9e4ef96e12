/* go_plan.c — decides what is in an SDK: modules, names, and which forms of types there are.
 *
 * 1. A form exists if some property needs it: of an argument those for inputs, of a result those
 *    for outputs; a pointer where it may be left out, an array or map where it is in one.
 * 2. What is in an object that may be left out may be left out too: getters of its pointer give it.
 * 3. Names: resources come first, then types, then functions. Who finds its name taken gets
 *    another ending; that is decided in the order of tokens, so it stays from version to version.
 */
#include "go/sdk/go_sdk.h"

#include "common/names.h"
#include "go/sdk/go_type.h"
#include "model/value_ops.h"

#include <ctype.h>

void go_sdk_release(struct go_sdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct go_module *module = entry->value;
        map_release(&module->names);
        vec_release(&module->objects);
        vec_release(&module->enums);
        vec_release(&module->resources);
        vec_release(&module->functions);
        vec_release(&module->nested);
    }
    for (size_t i = 0; map_next(&sdk->others, &i, &entry);)
        go_sdk_release(entry->value);
    map_release(&sdk->modules);
    map_release(&sdk->named);
    map_release(&sdk->resources);
    map_release(&sdk->others);
}

/* --- modules --- */

static str go_lower_case(struct arena *arena, str text)
{
    char *copy = arena_cstr(arena, text);

    for (size_t i = 0; i < text.len; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (str){ copy, text.len };
}

static str module_package(struct go_sdk *sdk, str path)
{
    str head, name = path;

    if (!path.len)
        name = sdk->settings.root_package.len ? sdk->settings.root_package
               : sdk->root.len                ? sdk->root
                                              : sdk->schema->name;
    else
        str_cut_last(path, STR("/"), &head, &name);
    return go_package_clause(sdk->arena, name);
}

static struct go_module *sdk_module(struct go_sdk *sdk, str path)
{
    struct go_module *module = map_find(&sdk->modules, path);

    if (module)
        return module;
    module = ARENA_NEW(sdk->arena, struct go_module);
    module->path = path;
    module->package = module_package(sdk, path);
    str base = go_import_base(sdk->arena, sdk->schema, &sdk->settings);
    str tail = path.len ? arena_concat(sdk->arena, STR("/"), path) : STR("");
    bool is_beside = sdk->settings.generics == GO_GENERICS_BESIDE;
    module->import = arena_concat(sdk->arena, base, tail);
    if (sdk->settings.generics)
        module->generic_import =
            arena_concat(sdk->arena, base, is_beside ? STR("/x") : STR(""), tail);
    map_put(&sdk->modules, path, module);
    return module;
}

static struct go_module *module_of_token(struct go_sdk *sdk, str token)
{
    str name = schema_module(sdk->schema, token);
    const struct value *given = value_find(sdk->settings.module_names, name);

    if (given && given->kind == VALUE_STRING)
        name = value_text(*given);
    return sdk_module(sdk, go_lower_case(sdk->arena, name));
}

static int compare_modules(const void *a, const void *b)
{
    return str_compare((*(struct go_module *const *)a)->path,
                       (*(struct go_module *const *)b)->path);
}

struct go_module **go_sorted_modules(const struct go_sdk *sdk)
{
    struct go_module **modules = ARENA_ARRAY(sdk->arena, struct go_module *, sdk->modules.len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);)
        modules[len++] = entry->value;
    qsort(modules, len, sizeof(*modules), compare_modules);
    return modules;
}

/* --- finding --- */

static const struct go_sdk *sdk_of(const struct go_sdk *sdk, const struct schema *schema)
{
    if (!schema || schema == sdk->schema)
        return sdk;
    str key = arena_concat(sdk->arena, schema->name, STR("@"), schema->version);
    return map_find(&sdk->others, key);
}

const struct go_named *go_find_named(const struct go_sdk *sdk, const struct schema_type *type)
{
    const struct go_sdk *owner = sdk_of(sdk, type->schema);

    return owner ? map_find(&owner->named, type->token) : NULL;
}

const struct go_resource *go_find_resource(const struct go_sdk *sdk, const struct schema_type *type)
{
    const struct go_sdk *owner = sdk_of(sdk, type->schema);

    return owner ? map_find(&owner->resources, type->token) : NULL;
}

/* --- forms --- */

/* What a type is needed for. */
struct go_need {
    bool is_optional;
    bool is_input;
    bool is_output;
};

struct go_waiting {
    struct schema_properties properties;
    struct go_need need;
};

/* Objects are walked one after the other: they may be in each other as deep as a schema likes. */
struct go_walk {
    struct go_sdk *sdk;
    bool is_argument; /* everything that is not plain is an input */
    struct {
        VEC(struct go_waiting);
    } waiting;
};

static void need_form(unsigned *uses, unsigned form, struct go_need need)
{
    unsigned forms = GO_INPUT | form;

    if (need.is_input)
        *uses |= forms | forms << GO_OUTPUT_SHIFT;
    else if (need.is_output)
        *uses |= forms << GO_OUTPUT_SHIFT;
}

static struct go_named *own_named(const struct go_sdk *sdk, const struct schema_type *type)
{
    return type->schema == sdk->schema ? map_find(&sdk->named, type->token) : NULL;
}

static void walk_type(struct go_walk *walk, struct schema_type *type, struct go_need need);

static void walk_properties(struct go_walk *walk, struct schema_properties properties,
                            struct go_need need)
{
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = &properties.items[i];
        struct go_need own = need;
        if (property->type->kind == TYPE_OBJECT && property->type->is_plain) {
            struct go_named *named = own_named(walk->sdk, property->type);
            /* It stays an input for those that follow; SDKs have always been so. */
            own.is_input = need.is_input = true;
            if (named)
                need_form(&named->uses, property->is_required ? GO_INPUT : GO_INPUT_PTR, own);
        }
        own.is_optional = need.is_optional || !property->is_required;
        walk_type(walk, property->type, own);
    }
}

static void walk_named(struct go_walk *walk, struct schema_type *type, struct go_need need)
{
    struct go_named *named = own_named(walk->sdk, type);
    unsigned seen = 1u << (need.is_optional + 2u * need.is_input + 4u * need.is_output);

    if (!named || (named->seen & seen))
        return;
    named->seen |= seen;
    struct go_need forms = need;
    forms.is_input = need.is_input || walk->sdk->settings.has_extra_inputs;
    need_form(&named->uses, need.is_optional ? GO_INPUT_PTR : GO_INPUT, forms);
    const struct schema_properties *properties =
        type->kind == TYPE_OBJECT ? schema_type_properties(type) : NULL;
    if (properties)
        vec_add(&walk->waiting, ((struct go_waiting){ *properties, need }));
}

static void finish_walk(struct go_walk *walk)
{
    while (walk->waiting.len) {
        struct go_waiting next = walk->waiting.items[--walk->waiting.len];
        walk_properties(walk, next.properties, next.need);
    }
    vec_release(&walk->waiting);
}

/* The module of what lists and maps are made of in the end; NULL: of something that has them
 * already, or that is of another package. */
static struct go_module *innermost_module(const struct go_sdk *sdk, const struct schema_type *type)
{
    while (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        type = type->element;
    if (type->schema != sdk->schema)
        return NULL;
    if (type->kind == TYPE_RESOURCE) {
        const struct go_resource *resource = go_find_resource(sdk, type);
        return resource ? resource->module : NULL;
    }
    if (type->kind != TYPE_OBJECT && type->kind != TYPE_ENUM)
        return NULL;
    const struct go_named *named = go_find_named(sdk, type);
    return named ? named->module : NULL;
}

static unsigned *nested_uses(struct go_sdk *sdk, struct go_module *module,
                             const struct schema_type *type)
{
    struct go_file file = { .sdk = sdk, .module = module, .arena = sdk->arena };
    str base = go_base_text(&file, type);

    for (size_t i = 0; i < module->nested.len; i++)
        if (str_equal(module->nested.items[i]->base, base))
            return &module->nested.items[i]->uses;
    struct go_nested *nested = ARENA_NEW(sdk->arena, struct go_nested);
    nested->base = base;
    nested->element = go_plain_text(&file, type, false);
    vec_add(&module->nested, nested);
    return &nested->uses;
}

static void walk_collection(struct go_walk *walk, struct schema_type *type, struct go_need need)
{
    struct go_sdk *sdk = walk->sdk;
    struct schema_type *element = type->element;
    struct go_module *module = innermost_module(sdk, element);
    struct go_need forms = need;
    unsigned *uses = NULL;

    forms.is_input = need.is_input || sdk->settings.has_extra_inputs;
    if (!module)
        uses = NULL;
    else if (element->kind == TYPE_ARRAY || element->kind == TYPE_MAP)
        uses = nested_uses(sdk, module, element);
    else if (element->kind == TYPE_RESOURCE)
        uses = &((struct go_resource *)map_find(&sdk->resources, element->token))->uses;
    else
        uses = &own_named(sdk, element)->uses;
    if (uses)
        need_form(uses, type->kind == TYPE_ARRAY ? GO_INPUT_ARRAY : GO_INPUT_MAP, forms);
    need.is_optional = false;
    walk_type(walk, element, need);
}

static void walk_type(struct go_walk *walk, struct schema_type *type, struct go_need need)
{
    if (walk->is_argument && !type->is_plain) {
        need.is_input = true;
        need.is_output = false;
    }
    if (type->kind == TYPE_OBJECT || type->kind == TYPE_ENUM)
        walk_named(walk, type, need);
    else if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        walk_collection(walk, type, need);
    for (size_t i = 0; type->kind == TYPE_UNION && i < type->len; i++)
        walk_type(walk, type->members[i], need);
}

static void plan_resource_forms(struct go_sdk *sdk, const struct schema_resource *resource)
{
    struct go_walk in = { .sdk = sdk, .is_argument = true }, out = { .sdk = sdk };
    struct go_need need = { .is_optional = resource->is_provider };

    walk_properties(&in, resource->inputs, need);
    walk_properties(&in, resource->state, need);
    need.is_output = true;
    walk_properties(&out, resource->outputs, need);
    finish_walk(&in);
    finish_walk(&out);
}

static void plan_function_forms(struct go_sdk *sdk, const struct schema_function *function)
{
    struct go_walk in = { .sdk = sdk, .is_argument = true }, out = { .sdk = sdk };
    struct schema_type map = { .kind = TYPE_MAP,
                               .element = function->result,
                               .schema = sdk->schema };
    struct go_need need = { 0 };

    if (!function->has_outputs)
        return;
    walk_properties(&in, function->inputs, need);
    need.is_output = true;
    if (function->object)
        walk_type(&out, function->object, need);
    else if (!function->result)
        walk_properties(&out, function->outputs, need);
    /* A method has no form that takes such a result out of a map; others mark it all the same. */
    bool is_method = schema_function_is_method(sdk->schema, function->token);
    if (function->result && !(is_method && function->result->kind == TYPE_RESOURCE))
        walk_type(&out, &map, need);
    finish_walk(&in);
    finish_walk(&out);
}

static void plan_forms(struct go_sdk *sdk)
{
    struct strs resources = schema_resource_tokens(sdk->schema);
    struct strs functions = schema_function_tokens(sdk->schema);
    struct go_walk plain = { .sdk = sdk };
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->named, &i, &entry);)
        walk_named(&plain, ((struct go_named *)entry->value)->type, (struct go_need){ 0 });
    finish_walk(&plain);
    if (!sdk->schema->extension.is_given)
        plan_resource_forms(sdk, schema_provider(sdk->schema));
    for (size_t i = 0; i < resources.len; i++) {
        const struct schema_resource *resource = schema_resource(sdk->schema, resources.items[i]);
        if (resource)
            plan_resource_forms(sdk, resource);
    }
    for (size_t i = 0; i < functions.len; i++) {
        const struct schema_function *function = schema_function(sdk->schema, functions.items[i]);
        if (function)
            plan_function_forms(sdk, function);
    }
}

/* --- defaults of objects --- */

static bool gets_defaults(struct go_sdk *sdk, const struct go_named *object)
{
    const struct schema_properties *properties = schema_type_properties(object->type);

    for (size_t i = 0; properties && i < properties->len; i++) {
        const struct schema_property *property = &properties->items[i];
        const struct go_named *inner =
            property->type->kind == TYPE_OBJECT ? own_named(sdk, property->type) : NULL;
        if (property->has_default || property->environment.len || (inner && inner->has_defaults))
            return true;
    }
    return false;
}

/* One pass over all objects of a package; true: it has found some. */
static bool find_defaults(struct go_sdk *sdk, bool is_backwards)
{
    struct go_module **modules = go_sorted_modules(sdk);
    bool is_found = false;

    for (size_t i = 0; i < sdk->modules.len; i++) {
        size_t len = modules[i]->objects.len;
        for (size_t k = 0; k < len; k++) {
            struct go_named *object = modules[i]->objects.items[is_backwards ? len - 1 - k : k];
            if (object->has_defaults || !gets_defaults(sdk, object))
                continue;
            object->has_defaults = is_found = true;
        }
    }
    return is_found;
}

/* What has an object with defaults has some itself. Both directions in turn: most chains of objects
 * are in one of them. */
static void plan_defaults(struct go_sdk *sdk)
{
    bool is_backwards = true;

    while (find_defaults(sdk, is_backwards))
        is_backwards = !is_backwards;
}

/* --- names --- */

/* The names that something has; $ is its own. */
static str fill_name(struct arena *arena, const char *form, str name)
{
    if (form[0] == '!')
        return arena_concat(arena, name_camel(arena, name), str_from(form + 1));
    if (form[0] == '<')
        return arena_concat(arena, str_from(form + 1), name);
    return arena_concat(arena, name, str_from(form));
}

static bool is_free(struct go_sdk *sdk, struct go_module *module, str name,
                    const char *const *forms)
{
    for (size_t i = 0; forms[i]; i++)
        if (map_has(&module->names, fill_name(sdk->arena, forms[i], name)))
            return false;
    return true;
}

static fallible claim_name(struct go_sdk *sdk, struct go_module *module, str raw,
                           const char *const *endings, const char *const *forms, str *out)
{
    for (size_t i = 0; endings[i]; i++) {
        str name = arena_concat(sdk->arena, raw, str_from(endings[i]));
        if (!is_free(sdk, module, name, forms))
            continue;
        for (size_t k = 0; forms[k]; k++)
            map_put(&module->names, fill_name(sdk->arena, forms[k], name), module);
        *out = name;
        return NULL;
    }
    return error_new(ERROR_INVALID,
                     "package '" STR_FMT "': '" STR_FMT
                     "' cannot be named in Go, since its names are those of something else; "
                     "rename one of them in the schema",
                     STR_ARG(sdk->schema->name), STR_ARG(raw));
}

static void claim_method_names(struct go_sdk *sdk, struct go_resource *planned)
{
    struct pairs methods = planned->resource->methods;
    struct arena *arena = sdk->arena;

    for (size_t i = 0; i < methods.len; i++) {
        const struct schema_function *function =
            schema_function(sdk->schema, methods.items[i].value);
        str name = arena_concat(arena, planned->raw_name, go_title(arena, methods.items[i].key));
        if (function && function->has_inputs)
            map_put(&planned->module->names, arena_concat(arena, name, STR("Args")), planned);
        if (function && function->has_outputs && !function->result)
            map_put(&planned->module->names, arena_concat(arena, name, STR("Result")), planned);
    }
}

/* Forms: "X" is behind the name, "<X" before it, "!X" behind it with a small letter. */
static const char *const *resource_forms(const struct go_sdk *sdk,
                                         const struct schema_resource *resource)
{
    static const char *const plain[] = { "", "Input", "Output", "Args", "!Args", "<New", NULL };
    static const char *const custom[] = { "",     "Input", "Output", "Args", "!Args",
                                          "<New", "State", "!State", "<Get", NULL };
    static const char *const listed[] = { "",     "Input", "Output", "Args", "!Args",
                                          "<New", "Array", "Map",    NULL };
    static const char *const all[] = { "",      "Input",  "Output", "Args",  "!Args", "<New",
                                       "State", "!State", "<Get",   "Array", "Map",   NULL };
    bool has_lists = sdk->settings.has_containers && !resource->is_provider;

    if (resource->is_provider || resource->is_component)
        return has_lists ? listed : plain;
    return has_lists ? all : custom;
}

static fallible plan_resource(struct go_sdk *sdk, const struct schema_resource *resource)
{
    static const char *const endings[] = { "", "Resource", "Res", NULL };
    struct go_resource *planned = ARENA_NEW(sdk->arena, struct go_resource);

    planned->resource = resource;
    planned->module =
        resource->is_provider ? sdk_module(sdk, STR("")) : module_of_token(sdk, resource->token);
    planned->raw_name =
        resource->is_provider ? STR("Provider") : go_member_name(sdk->arena, resource->token);
    TRY(claim_name(sdk, planned->module, planned->raw_name, endings, resource_forms(sdk, resource),
                   &planned->name));
    claim_method_names(sdk, planned);
    if (sdk->settings.has_containers && !resource->is_provider)
        planned->uses = GO_INPUT_ARRAY | GO_INPUT_MAP | GO_OUTPUT_ARRAY | GO_OUTPUT_MAP;
    vec_add(&planned->module->resources, planned);
    map_put(&sdk->resources, resource->token, planned);
    return NULL;
}

static fallible plan_resources(struct go_sdk *sdk)
{
    struct strs tokens = schema_resource_tokens(sdk->schema);
    struct map seen = { 0 };
    struct error *failure = NULL;

    if (!sdk->schema->extension.is_given)
        failure = plan_resource(sdk, schema_provider(sdk->schema));
    for (size_t i = 0; i < tokens.len && !failure; i++) {
        const struct schema_resource *resource = schema_resource(sdk->schema, tokens.items[i]);
        str key = go_lower_case(sdk->arena, tokens.items[i]);
        if (!resource || map_has(&seen, key))
            continue;
        map_put(&seen, key, sdk);
        failure = plan_resource(sdk, resource);
    }
    map_release(&seen);
    return failure;
}

static bool has_resource_like(const struct go_sdk *sdk, str token)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->resources, &i, &entry);)
        if (str_same_letters(entry->key, token))
            return true;
    return false;
}

static fallible plan_named(struct go_sdk *sdk, struct schema_type *type)
{
    static const char *const object_endings[] = { "", "Type", "Typ", NULL };
    static const char *const enum_endings[] = { "", "Enum", NULL };
    static const char *const forms[] = { "", "Input", "Output", NULL };
    struct go_named *planned = ARENA_NEW(sdk->arena, struct go_named);
    str raw = go_member_name(sdk->arena, type->token);
    bool is_object = type->kind == TYPE_OBJECT;

    planned->type = type;
    planned->module = module_of_token(sdk, type->token);
    if (is_object && map_has(&planned->module->names, raw) && has_resource_like(sdk, type->token))
        raw = arena_concat(sdk->arena, raw, STR("Type"));
    TRY(claim_name(sdk, planned->module, raw, is_object ? object_endings : enum_endings, forms,
                   &planned->name));
    if (is_object)
        vec_add(&planned->module->objects, planned);
    else if (!type->is_overlay)
        vec_add(&planned->module->enums, planned);
    map_put(&sdk->named, type->token, planned);
    return NULL;
}

static fallible plan_types(struct go_sdk *sdk)
{
    struct strs tokens = schema_type_tokens(sdk->schema);

    for (size_t i = 0; i < tokens.len; i++) {
        struct schema_type *type = schema_named_type(sdk->schema, tokens.items[i]);
        if (type && (type->kind == TYPE_OBJECT || type->kind == TYPE_ENUM))
            TRY(plan_named(sdk, type));
    }
    return NULL;
}

static bool is_function_name_taken(struct go_sdk *sdk, struct go_module *module, str name)
{
    static const char *const forms[] = { "", "Args", "Result", NULL };

    return !is_free(sdk, module, name, forms);
}

static void plan_function(struct go_sdk *sdk, const struct schema_function *function)
{
    struct arena *arena = sdk->arena;
    struct go_function *planned = ARENA_NEW(arena, struct go_function);
    str name = go_member_name(arena, function->token);

    planned->function = function;
    planned->raw_name = name;
    planned->module = module_of_token(sdk, function->token);
    if (is_function_name_taken(sdk, planned->module, name)) {
        if (str_starts_with(name, STR("New")))
            name = arena_concat(arena, STR("Create"), str_slice(name, 3, name.len));
        else if (str_starts_with(name, STR("Get")))
            name = arena_concat(arena, STR("Lookup"), str_slice(name, 3, name.len));
    }
    planned->name = name;
    map_put(&planned->module->names, name, planned);
    if (function->has_inputs && !function->arguments.len)
        map_put(&planned->module->names, arena_concat(arena, name, STR("Args")), planned);
    if (function->has_outputs && !function->result)
        map_put(&planned->module->names, arena_concat(arena, name, STR("Result")), planned);
    vec_add(&planned->module->functions, planned);
}

static void plan_functions(struct go_sdk *sdk)
{
    struct strs tokens = schema_function_tokens(sdk->schema);

    for (size_t i = 0; i < tokens.len; i++) {
        const struct schema_function *function = schema_function(sdk->schema, tokens.items[i]);
        if (function && !schema_function_is_method(sdk->schema, tokens.items[i]))
            plan_function(sdk, function);
    }
}

/* --- the whole --- */

static int compare_nested(const void *a, const void *b)
{
    return str_compare((*(struct go_nested *const *)a)->base,
                       (*(struct go_nested *const *)b)->base);
}

static void finish_modules(struct go_sdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct go_module *module = entry->value;
        if (module->nested.len)
            qsort(module->nested.items, module->nested.len, sizeof(*module->nested.items),
                  compare_nested);
    }
}

static fallible plan_package(struct arena *arena, struct schema *schema, struct go_sdk *out)
{
    *out = (struct go_sdk){ .arena = arena, .schema = schema };
    TRY(go_read_settings(arena, schema, &out->settings));
    out->root = go_root_folder(arena, schema, &out->settings);
    out->module_path = go_module_path(arena, schema, &out->settings);
    out->is_parameterized = schema->parameterization.is_given || schema->extension.is_given;
    sdk_module(out, STR(""));
    if (schema_config(schema).len)
        sdk_module(out, STR("config"));
    TRY(plan_resources(out));
    TRY(plan_types(out));
    plan_functions(out);
    plan_forms(out);
    TRY(go_plan_constants(out));
    plan_defaults(out);
    finish_modules(out);
    return NULL;
}

/* Packages that types come from. What those take from others again has no part in our names. */
static fallible plan_others(struct go_sdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->schema->read_others, &i, &entry);) {
        struct schema *schema = entry->value;
        struct go_sdk *other = ARENA_NEW(sdk->arena, struct go_sdk);
        str key = arena_concat(sdk->arena, schema->name, STR("@"), schema->version);
        map_put(&sdk->others, key, other);
        TRY(plan_package(sdk->arena, schema, other));
    }
    return NULL;
}

/* A second form of all types has a folder of its own. */
static fallible check_generic_folder(const struct go_sdk *sdk)
{
    const struct map_entry *entry;

    if (sdk->settings.generics != GO_GENERICS_BESIDE)
        return NULL;
    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        str path = ((const struct go_module *)entry->value)->path;
        if (str_equal(path, STR("x")) || str_starts_with(path, STR("x/")))
            return error_new(ERROR_INVALID,
                             "package '" STR_FMT "' has a module '" STR_FMT
                             "' where the form with generics belongs; let language.go.generics "
                             "be generics-only, or move the module with moduleToPackage",
                             STR_ARG(sdk->schema->name), STR_ARG(path));
    }
    return NULL;
}

/* What all packages import imports none of them. */
static fallible check_internal_folder(const struct go_sdk *sdk)
{
    if (!map_has(&sdk->modules, sdk->settings.internal))
        return NULL;
    return error_new(ERROR_INVALID,
                     "package '" STR_FMT "' has a module '" STR_FMT
                     "', where an SDK in Go has what all its packages share; name another folder "
                     "with internalModuleName of language.go in the schema",
                     STR_ARG(sdk->schema->name), STR_ARG(sdk->settings.internal));
}

fallible go_sdk_plan(struct arena *arena, struct schema *schema, struct go_sdk *out)
{
    TRY(plan_package(arena, schema, out));
    TRY(check_internal_folder(out));
    TRY(check_generic_folder(out));
    return plan_others(out);
}
