/* test_yaml_host_functions.c — the functions of the language. */
#include "unit/yaml_host_fixture.h"

#include "base/fs.h"

static void functions_of_text(void **state)
{
    (void)state;
    assert_outputs(
        "outputs:\n"
        "  join: {fn::join: ['-', [a, b]]}\n"
        "  bare: {fn::join: [null, [a, b]]}\n"
        "  split: {fn::split: [',', 'a,b']}\n"
        "  pick: {fn::select: [1, [a, b]]}\n"
        "  to: {fn::toBase64: hello}\n"
        "  from: {fn::fromBase64: aGVsbG8=}\n"
        "  sha: {fn::sha1: abc}\n"
        "  one: {fn::singleOrNone: [x]}\n"
        "  n: {fn::length: [1, 2, 3]}\n"
        "  shout: {FN::TOBASE64: hello}\n",
        "{\"bare\":\"ab\",\"from\":\"hello\",\"join\":\"a-b\",\"n\":3,\"one\":\"x\",\"pick\":\"b\","
        "\"sha\":\"a9993e364706816aba3e25717850c26c9cd0d89d\",\"shout\":\"aGVsbG8=\",\"split\":["
        "\"a\",\"b\"],"
        "\"to\":\"aGVsbG8=\"}");
}

static void json_is_compact_sorted_and_escaped(void **state)
{
    (void)state;
    assert_outputs("outputs: {x: {fn::toJSON: {b: '<&>', a: [1.5, 1e21, true, null]}}}",
                   "{\"x\":\"{\\\"a\\\":[1.5,1e+21,true,null],\\\"b\\\":"
                   "\\\"\\\\u003c\\\\u0026\\\\u003e\\\"}\"}");
}

static void length_counts_what_a_reader_sees(void **state)
{
    (void)state;
    assert_outputs(
        "outputs: {a: {fn::length: \"e\\u0301a\"}, b: {fn::length: \"\\U0001F1E9\\U0001F1EA\"}, c: "
        "{fn::length: {k: v}}}",
        "{\"a\":2,\"b\":1,\"c\":1}");
}

static void files_are_read_from_the_folder_of_the_program(void **state)
{
    str path = STR("/tmp/yaml-host-file.txt");

    (void)state;
    assert_ok(fs_replace(path, STR("hello\n"), 0600));
    assert_outputs("outputs: {a: {fn::readFile: yaml-host-file.txt}, b: {fn::filebase64: "
                   "./yaml-host-file.txt},\n"
                   "          c: {fn::filebase64sha256: /tmp/yaml-host-file.txt}}",
                   "{\"a\":\"hello\\n\",\"b\":\"aGVsbG8K\",\"c\":\"WJG1tSLV3whtD/CxEPvZ0hu0/"
                   "HFjrzTQgoai6Eb2vgM=\"}");
    assert_ok(fs_remove(path));
}

static void assets_and_archives_are_made(void **state)
{
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake,
             "outputs:\n  s: {fn::stringAsset: 'x ${pulumi.stack}'}\n  f: {fn::fileAsset: ./a}\n  "
             "r: {fn::remoteAsset: "
             "'http://x'}\n"
             "  d: {fn::fileArchive: ./d}\n  u: {fn::remoteArchive: 'http://y'}\n"
             "  a: {fn::assetArchive: {one: {fn::stringAsset: q}, two: {fn::fileArchive: d}}}\n",
             &run);
    assert_false(run.result.has_failed);
    const struct value *text = value_find(fake.outputs, STR("s")),
                       *archive = value_find(fake.outputs, STR("a"));
    assert_int_equal(text->kind, VALUE_ASSET);
    assert_str_equal(text->asset->text, STR("x dev"));
    assert_str_equal(value_find(fake.outputs, STR("f"))->asset->path, STR("./a"));
    assert_str_equal(value_find(fake.outputs, STR("r"))->asset->uri, STR("http://x"));
    assert_int_equal(value_find(fake.outputs, STR("d"))->kind, VALUE_ARCHIVE);
    assert_str_equal(value_find(fake.outputs, STR("u"))->asset->uri, STR("http://y"));
    assert_int_equal(archive->asset->members.len, 2);
    fake_release(&fake);
}

static void a_resource_has_a_name_and_a_type(void **state)
{
    (void)state;
    assert_outputs("resources: {a: {type: pkg:A, name: other}}\n"
                   "outputs: {n: {fn::pulumiResourceName: '${a}'}, t: {fn::pulumiResourceType: "
                   "'${a}'}, i: '${a.id}', "
                   "u: '${a.urn}'}",
                   "{\"i\":\"id-other\",\"n\":\"other\",\"t\":\"pkg:index:A\",\"u\":\"urn:pulumi:"
                   "dev::proj::pkg:index:"
                   "A::other\"}");
}

static void wrong_arguments_are_complained_about(void **state)
{
    (void)state;
    assert_complains("variables: {v: {fn::select: [x, [1]]}}",
                     "integer is not assignable from string");
    assert_complains("variables: {v: {fn::select: [0, x]}}",
                     "List<any> is not assignable from string");
    assert_complains("variables: {v: {fn::select: [1.5, [1]]}}",
                     "index must be a positive integral");
    assert_complains("variables: {v: {fn::join: [[a], [b]]}}",
                     "string is not assignable from List<string>");
    assert_complains("variables: {v: {fn::join: ['-', x]}}",
                     "the second argument to fn::join must be a list");
    assert_complains("variables: {v: {fn::split: [',', {a: 1}]}}",
                     "string is not assignable from {a: number}");
    assert_complains("variables: {v: {fn::toBase64: [1]}}",
                     "expected argument to fn::toBase64 to be a string, got a list");
    assert_complains("variables: {v: {fn::fromBase64: '/w=='}}",
                     "fn::fromBase64 output is not a valid UTF-8 string");
    assert_complains("variables: {v: {fn::sha1: [1]}}", "fn::sha1 requires a string, got a list");
    assert_complains("variables: {v: {fn::length: 5}}",
                     "fn::length requires a list, map, or string, got a number");
    assert_complains("variables: {v: {fn::singleOrNone: [1, 2]}}",
                     "expected a list of 0 or 1 elements, got 2");
    assert_complains("variables: {v: {fn::stringAsset: [1]}}", "must be a string, got a list");
    assert_complains("variables: {v: {fn::stringAsset: x, b: 1}}",
                     "fn::stringAsset must have it's own object");
    assert_complains("variables: {v: {fn::pulumiResourceName: x}}",
                     "requires a resource, got a string");
    assert_complains(
        "variables: {v: {fn::readFile: no-such-file}}",
        "Error reading file at path no-such-file: open no-such-file: no such file or directory");
    assert_complains("variables: {v: {fn::filebase64: no-such-file}}",
                     "fn::filebase64 error reading file no-such-file");
    assert_complains("variables: {v: {fn::nope: 1}}", "'fn::' is a reserved prefix");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_text),
        cmocka_unit_test(json_is_compact_sorted_and_escaped),
        cmocka_unit_test(length_counts_what_a_reader_sees),
        cmocka_unit_test(files_are_read_from_the_folder_of_the_program),
        cmocka_unit_test(assets_and_archives_are_made),
        cmocka_unit_test(a_resource_has_a_name_and_a_type),
        cmocka_unit_test(wrong_arguments_are_complained_about),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
