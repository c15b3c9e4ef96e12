/* schemas.c — the schemas of the packages of one run, loaded when they are first needed. */
#include "yaml/schema/schemas.h"

#include "base/str_distance.h"
#include "model/urn.h"
#include "rpc/rpc.h"

/* The engine's own package has no plugin to ask. */
static const char own_schema[] =
    "{\"name\":\"pulumi\",\"version\":\"1.0.0\",\"resources\":{"
    "\"pulumi:index:Stash\":{"
    "\"inputProperties\":{\"input\":{\"$ref\":\"pulumi.json#/"
    "Any\"}},\"requiredInputs\":[\"input\"],"
    "\"properties\":{\"input\":{\"$ref\":\"pulumi.json#/Any\"},\"output\":{\"$ref\":\"pulumi.json#/"
    "Any\"}}},"
    "\"pulumi:pulumi:StackReference\":{"
    "\"inputProperties\":{\"name\":{\"type\":\"string\"}},"
    "\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"outputs\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"pulumi.json#/Any\"}},"
    "\"secretOutputNames\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}}}";

/* Several fibers may want the same one: the first loads it, the others wait. */
struct loaded_schema {
    struct latch done;
    struct schema *schema; /* NULL: there is none */
    str failure;           /* why the package cannot be loaded; empty: it can, or it is unknown */
};

void schemas_init(struct schemas *schemas, struct arena *arena, struct schema_loader loader,
                  const struct packages *packages)
{
    *schemas = (struct schemas){ .arena = arena, .loader = loader, .packages = packages };
}

void schemas_release(struct schemas *schemas)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&schemas->loaded, &i, &entry);) {
        struct loaded_schema *loaded = entry->value;
        if (loaded->schema)
            schema_release(loaded->schema);
    }
    map_release(&schemas->loaded);
}

str package_of_token(str token)
{
    str package = token, rest;

    if (type_is_provider(token))
        return type_provider_package(token);
    str_cut(token, STR(":"), &package, &rest);
    return package;
}

/* A package without a schema, or an engine that serves none, leaves everything as the program
 * writes it. A plugin that is missing or broken is an error of the program. */
static bool is_about_the_plugin(const struct error *failure)
{
    return error_kind(failure) == ERROR_STATUS && error_status(failure) != RPC_UNIMPLEMENTED;
}

static struct schema *schemas_load(struct schemas *schemas, const struct package_decl *wanted,
                                   str *reason)
{
    struct schema *schema = NULL;
    str json = str_from(own_schema);

    struct error *failure = NULL;
    if (!str_equal(wanted->name, STR("pulumi")))
        failure = schemas->loader.load(schemas->loader.context, wanted, schemas->arena, &json);
    if (failure && is_about_the_plugin(failure))
        *reason = arena_copy(schemas->arena, error_message(failure));
    if (!failure)
        failure = schema_read(schemas->arena, json, &schema);
    error_ignore(failure, "everything is then as the program writes it");
    return schema;
}

static fallible find_schema(struct schemas *schemas, str package, const struct package_decl *wanted,
                            struct schema **out)
{
    str key = arena_concat(schemas->arena, wanted->name, STR("\n"), wanted->version, STR("\n"),
                           wanted->download_url, STR("\n"), wanted->parameterization.name,
                           STR("\n"), wanted->extension.name);
    struct loaded_schema *loaded = map_find(&schemas->loaded, key);

    if (loaded) {
        latch_wait_uncancelable(&loaded->done);
    } else {
        loaded = ARENA_NEW(schemas->arena, struct loaded_schema);
        map_put(&schemas->loaded, key, loaded);
        loaded->schema = schemas_load(schemas, wanted, &loaded->failure);
        latch_open(&loaded->done);
    }
    *out = loaded->schema;
    if (loaded->failure.len == 0)
        return NULL;
    return error_new(ERROR_NOT_FOUND, "internal error loading package \"" STR_FMT "\": " STR_FMT,
                     STR_ARG(package), STR_ARG(loaded->failure));
}

/* --- which package has it --- */

struct search {
    str token, version, url;
    str (*resolve)(struct schema *schema, str token);
    struct schema *schema; /* that has the token, or the first of all; NULL: there is none */
    str found;             /* the full token; no pointer: no schema has it */
    str package_ref;
    bool may_be_elsewhere; /* a package without a schema may have it */
};

static fallible search_package(struct schemas *schemas, struct search *search,
                               struct package_decl wanted)
{
    struct schema *schema;

    if (search->version.len)
        wanted.version = search->version;
    if (search->url.len)
        wanted.download_url = search->url;
    TRY(find_schema(schemas, package_of_token(search->token), &wanted, &schema));
    str found = schema ? search->resolve(schema, search->token) : (str){ 0 };
    if (found.ptr || (!schema && !search->may_be_elsewhere))
        search->package_ref = wanted.ref;
    if (found.ptr || !search->schema)
        search->schema = schema;
    search->may_be_elsewhere = search->may_be_elsewhere || !schema;
    search->found = found;
    return NULL;
}

static fallible search_packages(struct schemas *schemas, struct search *search)
{
    struct package_list list = { 0 };
    struct error *failure = NULL;

    packages_serving(schemas->packages, package_of_token(search->token), &list);
    for (size_t i = 0; !failure && !search->found.ptr && i < list.len; i++)
        failure = search_package(schemas, search, list.items[i]);
    vec_release(&list);
    return failure;
}

static fallible check_form(str token)
{
    size_t colons = 0;

    for (size_t i = 0; i < token.len; i++)
        colons += token.ptr[i] == ':';
    if (colons == 1 || colons == 2)
        return NULL;
    return error_new(ERROR_INVALID, "invalid type token \"" STR_FMT "\"", STR_ARG(token));
}

/* Types that only make sense in a language with functions. */
static fallible check_supported(str token, const struct schema *schema)
{
    static const char *const unsupported[] = {
        "kubernetes:apiextensions.k8s.io:CustomResource",
        "kubernetes:kustomize:Directory",
        "kubernetes:yaml:ConfigFile",
        "kubernetes:yaml:ConfigGroup",
    };

    for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++)
        if (str_equal(token, str_from(unsupported[i])))
            return error_new(ERROR_INVALID,
                             "The resource type [" STR_FMT
                             "] is not supported in YAML at this time",
                             STR_ARG(token));
    if (str_equal(token, STR("kubernetes:helm.sh/v2:Chart"))
        || str_equal(token, STR("kubernetes:helm.sh/v3:Chart")))
        return error_new(ERROR_INVALID, "Helm Chart resources are not supported in YAML, consider "
                                        "using the Helm Release resource instead");
    bool is_image =
        str_equal(token, STR("docker:Image")) || str_equal(token, STR("docker:image:Image"));
    if (is_image && schema && schema->version.len > 1 && schema->version.ptr[0] <= '3'
        && schema->version.ptr[1] == '.')
        return error_new(
            ERROR_INVALID,
            "Docker Image resources are not supported in YAML without major version >= 4");
    return NULL;
}

/* "pkg:Type" is "pkg:index:Type" if no schema says otherwise. */
static str token_complete(struct arena *arena, str token)
{
    str package, rest;

    if (!str_cut(token, STR(":"), &package, &rest) || str_find_char(rest, ':') != SIZE_MAX)
        return token;
    return arena_concat(arena, package, STR(":index:"), rest);
}

/* As programs may write it: without the type repeated in the module, and without the module
 * `index`. */
static str shorten(struct arena *arena, str token)
{
    str package, rest, module, name, folder, repeated;

    if (!str_cut(token, STR(":"), &package, &rest) || !str_cut(rest, STR(":"), &module, &name))
        return token;
    if (str_cut(module, STR("/"), &folder, &repeated) && str_same_letters(repeated, name))
        module = folder;
    if (str_equal(module, STR("index")))
        return arena_concat(arena, package, STR(":"), name);
    return arena_concat(arena, package, STR(":"), module, STR(":"), name);
}

/* The nearest name that the schema has, for a word that it does not. */
static str near_misses(struct arena *arena, const struct map *definitions, str token)
{
    const struct map_entry *entry;
    str wanted = shorten(arena, token), best = { 0 };
    size_t distance = 2 + wanted.len / 4;

    for (size_t i = 0; map_next(definitions, &i, &entry);) {
        str name = shorten(arena, entry->key);
        size_t far = str_distance(name, wanted, STR_LETTERS_EXACT, distance);
        if (far < distance) {
            distance = far;
            best = name;
        }
    }
    return best.ptr ? arena_printf(arena, "; did you mean \"" STR_FMT "\"?", STR_ARG(best))
                    : STR("");
}

/* The error says that none of the packages has it. */
static fallible settle(struct schemas *schemas, const struct search *search, const char *what,
                       const struct map *definitions, struct found_token *out)
{
    *out = (struct found_token){ search->found.ptr ? search->found
                                                   : token_complete(schemas->arena, search->token),
                                 search->package_ref };
    if (search->found.ptr || search->may_be_elsewhere)
        return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "unable to find %s \"" STR_FMT "\" in resource provider \"" STR_FMT
                     "\"" STR_FMT,
                     what, STR_ARG(search->token), STR_ARG(package_of_token(search->token)),
                     STR_ARG(near_misses(schemas->arena, definitions, search->token)));
}

fallible schemas_resource(struct schemas *schemas, str token, str version, str url,
                          struct found_token *found, const struct schema_resource **out)
{
    struct search search = { token, version, url, .resolve = schema_resolve_resource };

    *out = NULL;
    TRY(check_form(token));
    TRY(search_packages(schemas, &search));
    TRY(check_supported(token, search.schema));
    TRY(settle(schemas, &search, "resource type", search.schema ? &search.schema->resources : NULL,
               found));
    if (search.found.ptr)
        *out = schema_resource(search.schema, search.found);
    return NULL;
}

fallible schemas_function(struct schemas *schemas, str token, str version, str url,
                          struct found_token *found, const struct schema_function **out)
{
    struct search search = { token, version, url, .resolve = schema_resolve_function };

    *out = NULL;
    TRY(check_form(token));
    TRY(search_packages(schemas, &search));
    if (str_equal(package_of_token(token), STR("pulumi")))
        search.may_be_elsewhere = true; /* the engine has functions that its schema does not say */
    TRY(settle(schemas, &search, "function", search.schema ? &search.schema->functions : NULL,
               found));
    if (search.found.ptr)
        *out = schema_function(search.schema, search.found);
    return NULL;
}
