/* test_yaml_host_packages.c — which of the packages that serve a name has a type or a function. */
#include "unit/check.h"

#include "yaml/schema/schemas.h"

#define SCHEMA(name, module)                                                          \
    "{\"name\":\"" name "\",\"version\":\"2.0.0\",\"resources\":{\"" module "\":{}}," \
    "\"functions\":{\"" module "Get\":{}}}"

/* Of the plugin `base`, and of two that extend it: one under its own name, one under that of the
 * plugin. */
static fallible load_made_up(void *loads, const struct package_decl *package, struct arena *arena,
                             str *json)
{
    (void)arena;
    ++*(unsigned *)loads;
    if (!package->extension.is_given)
        *json = STR(SCHEMA("base", "base:index:Plain"));
    else if (str_equal(package->extension.name, STR("own")))
        *json = STR(SCHEMA("own", "own:index:Thing"));
    else
        *json = STR(SCHEMA("crds", "base:crds:Thing"));
    return NULL;
}

static const struct package_decl plain = { .name = STR_INIT("base"),
                                           .version = STR_INIT("2.0.0"),
                                           .ref = STR_INIT("ref-base") };
static const struct package_decl own = { .name = STR_INIT("base"),
                                         .version = STR_INIT("2.0.0"),
                                         .extension = { true, STR_INIT("own"), STR_INIT("1.0.0"),
                                                        STR_INIT("x") },
                                         .ref = STR_INIT("ref-own") };
static const struct package_decl crds = { .name = STR_INIT("base"),
                                          .version = STR_INIT("2.0.0"),
                                          .extension = { true, STR_INIT("crds"), STR_INIT("1.0.0"),
                                                         STR_INIT("y") },
                                          .ref = STR_INIT("ref-crds") };

struct world {
    struct arena arena;
    struct packages packages;
    struct schemas schemas;
    unsigned loads;
};

static void world_open(struct world *world, bool declares_base)
{
    *world = (struct world){ 0 };
    world->packages.arena = &world->arena;
    vec_add(&world->packages, crds);
    vec_add(&world->packages, own);
    if (declares_base)
        vec_add(&world->packages, plain);
    schemas_init(&world->schemas, &world->arena,
                 (struct schema_loader){ &world->loads, load_made_up }, &world->packages);
}

static void world_close(struct world *world)
{
    schemas_release(&world->schemas);
    packages_release(&world->packages);
    arena_release(&world->arena);
}

static void check_resource(struct world *world, const char *token, const char *full,
                           const char *ref)
{
    const struct schema_resource *resource;
    struct found_token found;

    assert_ok(
        schemas_resource(&world->schemas, str_from(token), STR(""), STR(""), &found, &resource));
    assert_non_null(resource);
    assert_str_equal(found.full, str_from(full));
    assert_str_equal(found.package_ref, str_from(ref));
}

static void a_type_is_of_the_package_that_has_it(void **state)
{
    const struct schema_function *function;
    struct found_token found;
    struct world world;

    (void)state;
    world_open(&world, true);
    check_resource(&world, "base:Plain", "base:index:Plain", "ref-base");
    check_resource(&world, "base:crds:Thing", "base:crds:Thing", "ref-crds");
    check_resource(&world, "own:Thing", "own:index:Thing", "ref-own");
    assert_ok(
        schemas_function(&world.schemas, STR("own:ThingGet"), STR(""), STR(""), &found, &function));
    assert_str_equal(found.package_ref, STR("ref-own"));
    assert_int_equal(world.loads, 3); /* each once */
    world_close(&world);
}

/* The extensions say which version of the plugin it is. */
static void a_plugin_with_extensions_needs_no_declaration(void **state)
{
    struct world world;

    (void)state;
    world_open(&world, false);
    check_resource(&world, "base:Plain", "base:index:Plain", "");
    check_resource(&world, "base:crds:Thing", "base:crds:Thing", "ref-crds");
    world_close(&world);
}

static void what_none_of_them_has_is_an_error(void **state)
{
    const struct schema_resource *resource;
    struct found_token found;
    struct world world;

    (void)state;
    world_open(&world, true);
    assert_fails(
        schemas_resource(&world.schemas, STR("base:Plane"), STR(""), STR(""), &found, &resource),
        ERROR_NOT_FOUND,
        "unable to find resource type \"base:Plane\" in resource provider \"base\"; did you mean "
        "\"base:Plain\"?");
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_type_is_of_the_package_that_has_it),
        cmocka_unit_test(a_plugin_with_extensions_needs_no_declaration),
        cmocka_unit_test(what_none_of_them_has_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
