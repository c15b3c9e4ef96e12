/* test_checkpoint.c — snapshots as stack files and exported deployments. */
#include "unit/check.h"

#include "model/checkpoint.h"

#define MANIFEST \
    "\"manifest\":{\"time\":\"2026-11-16T01:43:49.42800133Z\",\"magic\":\"m\",\"version\":\"v1\"}"
#define SIG "\"4dabf18193072939515e22adb298388d\":"

static str checkpoint_text(struct arena *arena, const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    checkpoint_write(&writer, STR("organization/p/dev"), snapshot);
    assert_ok(json_writer_finish(&writer));
    return arena_copy(arena, strbuf_str(&out));
}

/* Reads and writes again; the text must be the same. */
static void assert_kept(str text)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot;
    bool has_deployment;
    assert_ok(checkpoint_read(&arena, text, &snapshot, &has_deployment));
    assert_true(has_deployment);
    assert_str_equal(checkpoint_text(&arena, &snapshot), text);
}

static struct snapshot must_read(struct arena *arena, str text)
{
    struct snapshot snapshot = { 0 };
    bool has_deployment = false;
    assert_ok(checkpoint_read(arena, text, &snapshot, &has_deployment));
    assert_true(has_deployment);
    return snapshot;
}

#define V3(body)                                                                                \
    STR("{\"version\":3,\"checkpoint\":{\"stack\":\"organization/p/dev\",\"latest\":{" MANIFEST \
        "," body "}}}")
#define V4(features, body)                       \
    STR("{\"version\":4,\"features\":[" features \
        "],\"checkpoint\":{\"stack\":\"organization/p/dev\",\"latest\":{" MANIFEST "," body "}}}")
#define RESOURCE(fields) \
    "{\"urn\":\"urn:pulumi:dev::p::a:b:C::n\",\"custom\":true,\"type\":\"a:b:C\"" fields "}"

/* A resource with every field that a checkpoint keeps. */
#define EVERYTHING                                                                          \
    "{\"urn\":\"urn:pulumi:dev::p::a:b:C::n\",\"custom\":true,\"delete\":"                  \
    "true,\"id\":\"i\",\"type\":"                                                           \
    "\"a:b:C\","                                                                            \
    "\"inputs\":{\"x\":1},\"outputs\":{\"y\":{" SIG                                         \
    "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"c\"}},"                          \
    "\"parent\":\"p\",\"protect\":true,\"taint\":true,\"external\":true,\"dependencies\":[" \
    "\"d1\",\"d2\"],"                                                                       \
    "\"initErrors\":[\"e\"],\"provider\":\"pr\",\"propertyDependencies\":{\"x\":[\"d1\"],"  \
    "\"z\":[]},"                                                                            \
    "\"pendingReplacement\":true,\"additionalSecretOutputs\":[\"s\"],"                      \
    "\"customTimeouts\":{\"create\":300,\"update\":1.5,\"delete\":30,\"read\":2},"          \
    "\"importID\":\"im\","                                                                  \
    "\"retainOnDelete\":true,\"deletedWith\":\"dw\",\"replaceWith\":[\"rw\"],"              \
    "\"created\":\"2026-11-16T01:43:47.1043195Z\",\"modified\":\"2026-11-16T01:43:48Z\","   \
    "\"sourcePosition\":\"project:///"                                                      \
    "index.js#14,35\",\"stackTrace\":[{\"sourcePosition\":\"sp\"},{}],"                     \
    "\"ignoreChanges\":[\"ic\"],\"hideDiff\":[\"hd\"],\"replaceOnChanges\":[\"rc\"],"       \
    "\"replacementTrigger\":[1],"                                                           \
    "\"refreshBeforeUpdate\":true,\"viewOf\":\"vo\","                                       \
    "\"resourceHooks\":{\"AfterCreate\":[\"h1\"],\"BeforeDelete\":[\"h2\",\"h3\"],"         \
    "\"OnError\":[\"h4\"]},"                                                                \
    "\"extensionRef\":\"er\",\"snippetID\":\"si\"}"

static void every_field_keeps_its_place_and_value(void **state)
{
    (void)state;
    assert_kept(
        V4("\"extensionParameterization\",\"hooks\",\"refreshBeforeUpdate\",\"replaceWith\","
           "\"snippets-prototype\","
           "\"taint\",\"views\"",
           "\"secrets_providers\":{\"type\":\"passphrase\",\"state\":{\"salt\":\"v1:x\"}},"
           "\"resources\":[" EVERYTHING "],"
           "\"pending_operations\":[{\"resource\":" RESOURCE(
               "") ",\"type\":\"creating\"}],"
                   "\"metadata\":{\"integrity_error\":{\"version\":\"3\"}},"
                   "\"snippets\":[{\"uuid\":\"u\"}],"
                   "\"extensions\":{\"er\":{\"name\":\"n\",\"version\":\"1.0.0\",\"value\":\"AA=="
                   "\"}}"));
}

/* The bytes that the reference writes: what a key service's URL has is escaped, properties are
 * not. */
static void the_state_of_a_secrets_manager_is_escaped_for_html(void **state)
{
    (void)state;
    assert_kept(
        V3("\"secrets_providers\":{\"type\":\"cloud\",\"state\":{\"url\":\"awskms://k?a=b"
           "\\u0026c=\\u003cd\\u003e\",\"encryptedkey\":\"AA==\"}},\"resources\":[" RESOURCE(
               ",\"inputs\":{\"p\":\"<&>\"}") "],\"metadata\":{}"));
}

static void an_empty_deployment_has_just_manifest_and_metadata(void **state)
{
    (void)state;
    assert_kept(V3("\"metadata\":{}"));
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot = must_read(
        &arena,
        STR("{\"version\":3,\"checkpoint\":{\"latest\":{\"resources\":null,\"metadata\":null}}}"));
    assert_int_equal(snapshot.resource_count, 0);
    assert_str_equal(snapshot.metadata, STR("{}"));
    assert_true(
        str_find(checkpoint_text(&arena, &snapshot), STR("\"time\":\"0001-01-01T00:00:00Z\""))
        != SIZE_MAX);
}

static void empty_fields_are_left_out(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot = must_read(
        &arena,
        V3("\"resources\":[" RESOURCE(
            ",\"id\":\"\",\"inputs\":{},\"outputs\":null,\"dependencies\":[],\"initErrors\":"
            "null,\"propertyDependencies\":{},"
            "\"customTimeouts\":{},\"created\":null,\"replacementTrigger\":null,"
            "\"resourceHooks\":{},\"unknownField\":[{\"x\":1}]") "],\"metadata\":{}"));
    assert_str_equal(checkpoint_text(&arena, &snapshot),
                     V3("\"resources\":[" RESOURCE("") "],\"metadata\":{}"));
}

static void aliases_are_read_but_never_written(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot = must_read(
        &arena, V3("\"resources\":[" RESOURCE(",\"aliases\":[\"old\"]") "],\"metadata\":{}"));
    assert_str_equal(snapshot.resources[0]->aliases.items[0], STR("old"));
    assert_str_equal(checkpoint_text(&arena, &snapshot),
                     V3("\"resources\":[" RESOURCE("") "],\"metadata\":{}"));
}

static void keys_in_any_order_are_understood(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot = must_read(
        &arena,
        STR("{\"checkpoint\":{\"latest\":{\"resources\":[{\"type\":\"t\",\"propertyDependencies\":"
            "{\"b\":[\"1\"],\"a\":[\"2\"],\"b\":[\"3\"]},\"custom\":true,\"urn\":\"u\"}]},"
            "\"stack\":"
            "\"s\"},\"version\":3}"));
    const struct resource *resource = snapshot.resources[0];
    assert_str_equal(resource->urn, STR("u"));
    assert_int_equal(resource->base_index_plus_one, 1);
    assert_int_equal(resource->property_dependencies.len, 2);
    assert_str_equal(
        property_dependencies_find(resource->property_dependencies, STR("b"))->items[0], STR("3"));
}

static void a_stack_without_deployment_says_so(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot;
    bool has_deployment = true;
    str text = STR("{\"version\":0,\"checkpoint\":{\"stack\":\"organization/p/dev\"}}");
    assert_ok(checkpoint_read(&arena, text, &snapshot, &has_deployment));
    assert_false(has_deployment);
    assert_str_equal(checkpoint_text(&arena, NULL), text);
    assert_ok(checkpoint_read(&arena, STR("{\"version\":3,\"checkpoint\":{\"latest\":null}}"),
                              &snapshot, &has_deployment));
    assert_false(has_deployment);
    assert_ok(checkpoint_read(&arena, STR("{\"version\":3,\"checkpoint\":null}"), &snapshot,
                              &has_deployment));
    assert_false(has_deployment);
}

static void old_versions_are_brought_up_to_date(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
#define OLD_RESOURCE                                                                            \
    "{\"urn\":\"u\",\"custom\":true,\"type\":\"t\",\"inputs\":{\"a\":1,\"b\":2},\"defaults\":{" \
    "\"c\":3},\"external\":"                                                                    \
    "true,"                                                                                     \
    "\"provider\":\"p\",\"dependencies\":[\"d\"],\"taint\":true}"
    struct snapshot v0 = must_read(&arena, STR("{\"stack\":\"dev\",\"latest\":{" MANIFEST
                                               ",\"resources\":[" OLD_RESOURCE "]}}"));
    struct snapshot v1 =
        must_read(&arena, STR("{\"version\":1,\"checkpoint\":{\"latest\":{" MANIFEST
                              ",\"resources\":[" OLD_RESOURCE "]}}}"));
    struct snapshot v2 =
        must_read(&arena, STR("{\"version\":2,\"checkpoint\":{\"latest\":{" MANIFEST
                              ",\"resources\":[" OLD_RESOURCE "],"
                              "\"pending_operations\":[{\"resource\":" OLD_RESOURCE
                              ",\"type\":\"deleting\"}]}}}"));
    const struct snapshot *old[] = { &v0, &v1, &v2 };
    for (int i = 0; i < 3; i++) {
        const struct resource *resource = old[i]->resources[0];
        assert_int_equal(resource->is_external, i == 2);
        assert_int_equal(resource->provider.len, i == 2 ? 1 : 0);
        assert_false(resource->is_tainted);
        assert_int_equal(resource->property_dependencies.len, 2);
        assert_str_equal(
            property_dependencies_find(resource->property_dependencies, STR("b"))->items[0],
            STR("d"));
    }
    assert_int_equal(v2.pending_count, 1);
    assert_int_equal(v2.pending[0].resource->property_dependencies.len, 2);
}

static void unknown_versions_and_features_are_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot;
    bool has_deployment;
    assert_fails(checkpoint_read(&arena, STR("{\"version\":7,\"checkpoint\":{}}"), &snapshot,
                                 &has_deployment),
                 ERROR_INVALID, "unsupported checkpoint version 7");
    assert_fails(
        checkpoint_read(
            &arena,
            STR("{\"version\":4,\"features\":[\"zzz\",\"taint\",\"yyy\"],\"checkpoint\":{}}"),
            &snapshot, &has_deployment),
        ERROR_INVALID,
        "this stack's deployment needs support for the following features: zzz, yyy");
    assert_ok(checkpoint_read(&arena,
                              STR("{\"version\":3,\"features\":[\"zzz\"],\"checkpoint\":{}}"),
                              &snapshot, &has_deployment));
    assert_fails(checkpoint_read(&arena, STR("{\"version\":3}"), &snapshot, &has_deployment),
                 ERROR_INVALID, "no 'checkpoint'");
}

static void an_import_learns_what_is_wrong_with_the_version(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot;
    struct strs unknown;
    bool has_deployment;
    int version;
    assert_ok(deployment_read(&arena, STR("{\"version\":5,\"deployment\":{\"resources\":7}}"),
                              &snapshot, &has_deployment, &version, &unknown));
    assert_int_equal(version, 5);
    assert_false(has_deployment);
    assert_ok(deployment_read(&arena, STR("{\"deployment\":{}}"), &snapshot, &has_deployment,
                              &version, &unknown));
    assert_int_equal(version, 0);
    assert_ok(deployment_read(&arena,
                              STR("{\"version\":4,\"deployment\":{},\"features\":[\"zzz\"]}"),
                              &snapshot, &has_deployment, &version, &unknown));
    assert_int_equal(unknown.len, 1);
    assert_ok(deployment_read(&arena, STR("{\"deployment\":{},\"version\":3}"), &snapshot,
                              &has_deployment, &version, &unknown));
    assert_true(has_deployment);
    assert_fails(deployment_read(&arena, STR("{\"version\":3}"), &snapshot, &has_deployment,
                                 &version, &unknown),
                 ERROR_INVALID, "unexpected end of JSON input");
}

static void an_export_is_indented_throughout(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out, .indent = 4 };
    struct snapshot snapshot = must_read(
        &arena,
        V3("\"secrets_providers\":{\"type\":\"t\",\"state\":{\"a\":[1,2.50]}},\"metadata\":{}"));
    deployment_write(&writer, &snapshot, SECRET_PLAINTEXT);
    str text = strbuf_str(&out);
    assert_true(str_find(text, STR("\n            \"state\": {\n                \"a\": [\n         "
                                   "           1,\n     "
                                   "               2.50\n"))
                != SIZE_MAX);
    struct snapshot again;
    struct strs unknown;
    bool has_deployment;
    int version;
    assert_ok(deployment_read(&arena, text, &again, &has_deployment, &version, &unknown));
    assert_str_equal(again.secrets_state, STR("{\"a\":[1,2.50]}"));
    strbuf_clear(&out);
    writer = (struct json_writer){ .out = &out };
    deployment_write(&writer, NULL, SECRET_PLAINTEXT);
    assert_str_equal(strbuf_str(&out), STR("{\"version\":3,\"deployment\":null}"));
}

static void byte_strings_are_a_feature_even_while_sealed(void **state)
{
    (void)state;
    assert_kept(
        V4("\"byteString\"",
           "\"resources\":[" RESOURCE(
               ",\"inputs\":{\"b\":{" SIG
               "\"803fd3297a5875dc03ca845dda5d2a98\",\"value\":\"/w==\"}}") "],\"metadata\":{}"));
    assert_kept(
        V4("\"byteString\"",
           "\"resources\":[" RESOURCE(
               ",\"inputs\":{\"b\":{" SIG
               "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"c\"}}") "],\"metadata\":{}"));
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot =
        must_read(&arena, V4("\"byteString\"", "\"resources\":[" RESOURCE("") "],\"metadata\":{}"));
    assert_str_equal(checkpoint_text(&arena, &snapshot),
                     V3("\"resources\":[" RESOURCE("") "],\"metadata\":{}"));
}

static void damage_is_told_with_place_and_resource(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot;
    bool has_deployment;
    assert_fails(checkpoint_read(&arena, V3("\"resources\":[" RESOURCE(",\"parent\":5") "]"),
                                 &snapshot, &has_deployment),
                 ERROR_INVALID,
                 "resource 'urn:pulumi:dev::p::a:b:C::n': 'parent': line 1 column 234: expected a "
                 "string, found a number");
    assert_fails(checkpoint_read(&arena, V3("\"resources\":[" RESOURCE(",\"inputs\":[]") "]"),
                                 &snapshot, &has_deployment),
                 ERROR_INVALID, "expected an object of properties");
    assert_fails(checkpoint_read(&arena, V3("\"resources\":[{\"custom\":true}]"), &snapshot,
                                 &has_deployment),
                 ERROR_INVALID, "resource missing required 'urn' field");
    assert_fails(
        checkpoint_read(&arena, V3("\"resources\":[{\"urn\":\"u\"}]"), &snapshot, &has_deployment),
        ERROR_INVALID, "resource 'u' missing required 'type' field");
    assert_fails(checkpoint_read(&arena,
                                 V3("\"resources\":[{\"urn\":\"u\",\"type\":\"t\",\"id\":\"i\"}]"),
                                 &snapshot, &has_deployment),
                 ERROR_INVALID, "resource 'u' has 'custom' false but non-empty ID");
    assert_fails(checkpoint_read(&arena,
                                 V3("\"pending_operations\":[{\"resource\":" RESOURCE(
                                     "") ",\"type\":\"dancing\"}]"),
                                 &snapshot, &has_deployment),
                 ERROR_INVALID, "unknown type 'dancing' of a pending operation");
    assert_fails(checkpoint_read(&arena, V3("\"pending_operations\":[{\"type\":\"creating\"}]"),
                                 &snapshot, &has_deployment),
                 ERROR_INVALID, "needs a resource and a type");
    assert_fails(
        checkpoint_read(&arena, V3("\"metadata\":{\"x\":1e999}"), &snapshot, &has_deployment),
        ERROR_INVALID, "out of range");
    assert_fails(checkpoint_read(&arena, STR("{\"version\":\"3\"}"), &snapshot, &has_deployment),
                 ERROR_INVALID, "expected a number, found a string");
    assert_fails(checkpoint_read(&arena, STR("{\"version\":2.5}"), &snapshot, &has_deployment),
                 ERROR_INVALID, "expected a version number");
    assert_fails(checkpoint_read(&arena, STR("{} x"), &snapshot, &has_deployment), ERROR_INVALID,
                 "line 1 column 4");
    assert_fails(checkpoint_read(&arena, STR(""), &snapshot, &has_deployment), ERROR_INVALID,
                 "unexpected end of JSON input");
}

static void every_truncation_is_an_error(void **state)
{
    (void)state;
    str text = V3("\"resources\":[" RESOURCE(
        ",\"inputs\":{\"a\":[1,{\"b\":\"\\u00e9\"}]},\"stackTrace\":[{}]") "],\"metadata\":{}");
    for (size_t len = 0; len < text.len; len++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        struct snapshot snapshot;
        bool has_deployment;
        assert_fails(checkpoint_read(&arena, str_slice(text, 0, len), &snapshot, &has_deployment),
                     ERROR_INVALID, "");
    }
}

/* Under the address sanitizer a member that was not copied is found. */
static void a_copy_outlives_what_it_was_made_of(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct arena short_lived = { 0 };
    str text = arena_copy(&short_lived, V3("\"resources\":[" EVERYTHING "]"));
    struct snapshot snapshot = must_read(&short_lived, text);
    str before = arena_copy(&arena, checkpoint_text(&short_lived, &snapshot));
    struct resource *copies[] = { resource_copy_like(&arena, snapshot.resources[0], NULL) };
    struct snapshot copied = { .resources = copies, .resource_count = 1 };
    copied.time = arena_copy(&arena, snapshot.time);
    copied.magic = arena_copy(&arena, snapshot.magic);
    copied.version = arena_copy(&arena, snapshot.version);
    copied.metadata = arena_copy(&arena, snapshot.metadata);
    arena_release(&short_lived);
    assert_str_equal(checkpoint_text(&arena, &copied), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_keeps_its_place_and_value),
        cmocka_unit_test(the_state_of_a_secrets_manager_is_escaped_for_html),
        cmocka_unit_test(an_empty_deployment_has_just_manifest_and_metadata),
        cmocka_unit_test(empty_fields_are_left_out),
        cmocka_unit_test(aliases_are_read_but_never_written),
        cmocka_unit_test(keys_in_any_order_are_understood),
        cmocka_unit_test(a_stack_without_deployment_says_so),
        cmocka_unit_test(old_versions_are_brought_up_to_date),
        cmocka_unit_test(unknown_versions_and_features_are_refused),
        cmocka_unit_test(an_import_learns_what_is_wrong_with_the_version),
        cmocka_unit_test(an_export_is_indented_throughout),
        cmocka_unit_test(byte_strings_are_a_feature_even_while_sealed),
        cmocka_unit_test(damage_is_told_with_place_and_resource),
        cmocka_unit_test(every_truncation_is_an_error),
        cmocka_unit_test(a_copy_outlives_what_it_was_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
