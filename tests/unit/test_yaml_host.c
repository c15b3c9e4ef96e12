/* test_yaml_host.c — how programs in YAML are evaluated. */
#include "unit/check.h"
#include "unit/yaml_host_fixture.h"

#include <stdio.h>

static void literals_keep_their_types(void **state)
{
    (void)state;
    assert_outputs(
        "outputs: {a: 1, b: text, c: true, d: [1, x], e: {f: 2020-01-01}}",
        "{\"a\":1,\"b\":\"text\",\"c\":true,\"d\":[1,\"x\"],\"e\":{\"f\":\"2020-01-01\"}}");
}

static void scalars_are_what_the_core_rules_say(void **state)
{
    (void)state;
    assert_outputs(
        "outputs: {a: [0x1F, 0o17, 0b11, 1_000, 08, 1e3, .5, +1], b: [yes, no, on, 'true', True, "
        "~], c: "
        "!!str 5, d: !!float 5, e: !own x}",
        "{\"a\":[31,15,3,1000,8,1000,0.5,1],\"b\":[\"yes\",\"no\",\"on\",\"true\",true,null],"
        "\"c\":\"5\",\"d\":5,\"e\":\"x\"}");
}

static void two_dollars_are_one(void **state)
{
    (void)state;
    assert_outputs("outputs: {a: costs $$5, b: '$${x}', c: $x}",
                   "{\"a\":\"costs $5\",\"b\":\"${x}\",\"c\":\"$x\"}");
}

static void a_whole_reference_keeps_its_type_and_a_part_is_text(void **state)
{
    (void)state;
    assert_outputs("variables: {n: 5, l: [1, a], m: {k: v, j: [true]}}\n"
                   "outputs: {a: '${n}', b: 'n=${n}', c: '${l}', d: '${l} ${m}', e: "
                   "'${m.k}${l[1]}', f: '${m[\"j\"][0]}'}",
                   "{\"a\":5,\"b\":\"n=5\",\"c\":[1,\"a\"],\"d\":\"[1 a] map[j:[true] "
                   "k:v]\",\"e\":\"va\",\"f\":true}");
}

static void numbers_in_text_are_written_as_the_reference_does(void **state)
{
    (void)state;
    assert_outputs("variables: {a: 999999, b: 1000000, c: 1500000, d: 0.0001, e: 0.00001, f: -2.5, "
                   "g: 1.5e300, h: -0, i: -0.0}\n"
                   "outputs: {x: '${a} ${b} ${c} ${d} ${e} ${f} ${g} ${h} ${i}'}",
                   "{\"x\":\"999999 1e+06 1.5e+06 0.0001 1e-05 -2.5 1.5e+300 0 -0\"}");
}

static void null_in_text_is_nil_and_is_left_out_of_objects(void **state)
{
    (void)state;
    assert_outputs(
        "variables: {n: null}\noutputs: {x: 'a${n}b', y: {z: '${n}', w: 1}, l: ['${n}']}",
        "{\"l\":[null],\"x\":\"a<nil>b\",\"y\":{\"w\":1}}");
}

static void the_run_is_known_as_pulumi(void **state)
{
    (void)state;
    assert_outputs(
        "outputs: {x: '${pulumi.project}/${pulumi.stack}/${pulumi.organization} ${pulumi.cwd} "
        "${pulumi.rootDirectory}'}",
        "{\"x\":\"proj/dev/org /tmp /root\"}");
}

static void a_resource_that_is_managed_elsewhere_is_read(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    assert_str_equal(outputs_of(&fake, "resources: {a: {type: pkg:A, get: {id: some-id, state: {x: "
                                       "1}}}}\noutputs: {n: '${a.name}'}"),
                     STR("{\"n\":\"some-id\"}"));
    assert_str_equal(strbuf_str(&fake.notes), STR("read pkg:index:A a some-id\n"));
    fake_release(&fake);
}

static void a_secret_taints_what_is_made_of_it(void **state)
{
    (void)state;
    assert_outputs("variables: {s: {fn::secret: hush}}\n"
                   "outputs: {a: '${s}', b: 'so ${s}', c: {fn::toJSON: [\"${s}\"]}, d: "
                   "{fn::unsecret: '${s}'}}",
                   "{\"a\":{\"4dabf18193072939515e22adb298388d\":"
                   "\"1b47061264138c4ac30d75fd1eb44270\",\"plaintext\":"
                   "\"\\\"hush\\\"\"},"
                   "\"b\":{\"4dabf18193072939515e22adb298388d\":"
                   "\"1b47061264138c4ac30d75fd1eb44270\",\"plaintext\":"
                   "\"\\\"so hush\\\"\"},"
                   "\"c\":{\"4dabf18193072939515e22adb298388d\":"
                   "\"1b47061264138c4ac30d75fd1eb44270\",\"plaintext\":"
                   "\"\\\"[\\\\\\\"hush\\\\\\\"]\\\"\"},"
                   "\"d\":\"hush\"}");
}

/* --- resources --- */

static void resources_are_registered_after_what_they_need(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    outputs_of(&fake, "resources:\n"
                      "  b: {type: pkg:index:B, properties: {x: '${a.made}', y: 1}}\n"
                      "  a: {type: pkg:A, properties: {z: '${v}'}}\n"
                      "  c: {type: pkg:mod:C, options: {dependsOn: ['${b}']}}\n"
                      "variables: {v: text}\n");
    assert_str_equal(strbuf_str(&fake.notes), STR("pkg:index:A a {\"z\":\"text\"} deps=0\n"
                                                  "pkg:index:B b {\"x\":\"new\",\"y\":1} deps=1\n"
                                                  "pkg:mod:C c {} deps=1\n"));
    fake_release(&fake);
}

static void what_is_not_made_yet_is_unknown_in_a_preview(void **state)
{
    struct fake_engine fake = { .is_preview = true };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake,
             "resources:\n"
             "  a: {type: pkg:A, properties: {known: 1}}\n"
             "  b: {type: pkg:B, properties: {x: 'id ${a.id}'}}\n"
             "outputs: {k: '${a.known}', m: '${a.made}', o: '${a.other}', u: '${a.urn}'}\n",
             &run);
    assert_str_equal(strbuf_str(&fake.notes),
                     STR("pkg:index:A a {\"known\":1} deps=0\npkg:index:B b \"unknown\" deps=1\n"));
    assert_int_equal(value_find(fake.outputs, STR("k"))->kind, VALUE_NUMBER);
    assert_int_equal(value_find(fake.outputs, STR("m"))->kind, VALUE_COMPUTED);
    assert_int_equal(value_find(fake.outputs, STR("o"))->kind, VALUE_COMPUTED);
    assert_str_equal(value_find_text(fake.outputs, STR("u")),
                     STR("urn:pulumi:dev::proj::pkg:index:A::a"));
    fake_release(&fake);
}

static void in_an_update_a_property_that_is_not_there_is_null(void **state)
{
    (void)state;
    assert_outputs("resources: {a: {type: pkg:A}}\noutputs: {x: 'v=${a.other.below}'}",
                   "{\"x\":\"v=<nil>\"}");
}

static void what_comes_out_as_null_stays_and_what_is_written_as_null_does_not(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    assert_str_equal(outputs_of(&fake, "resources: {a: {type: pkg:A}, b: {type: pkg:B, properties: "
                                       "{x: {y: '${a.no}', z: null}}}}\n"
                                       "outputs: {o: '${a.no}', p: null, q: {fn::secret: null}}"),
                     STR("{\"o\":null}"));
    assert_str_equal(strbuf_str(&fake.notes),
                     STR("pkg:index:A a {} deps=0\npkg:index:B b {\"x\":{\"y\":null}} deps=1\n"));
    fake_release(&fake);
}

static void a_stack_reference_is_read_and_its_secrets_stay_secret(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    outputs_of(
        &fake,
        "resources: {ref: {type: pulumi:pulumi:StackReference, properties: {name: org/p/s}}}\n"
        "outputs: {t: '${ref.outputs[\"token\"]}'}");
    assert_str_equal(strbuf_str(&fake.notes),
                     STR("read pulumi:pulumi:StackReference ref org/p/s\n"));
    assert_int_equal(value_find(fake.outputs, STR("t"))->kind, VALUE_SECRET);
    fake_release(&fake);
}

static void functions_of_providers_are_called_in_both_forms(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    str outputs = outputs_of(
        &fake, "outputs:\n"
               "  a: {fn::invoke: {function: pkg:mod:get, arguments: {x: 1, y: 2}, return: y}}\n"
               "  b: {fn::pkg:get: {z: 3}}\n");
    assert_str_equal(outputs, STR("{\"a\":2,\"b\":{\"z\":3}}"));
    assert_str_equal(strbuf_str(&fake.notes), STR("invoke pkg:mod:get\ninvoke pkg:index:get\n"));
    fake_release(&fake);
}

static void a_default_provider_is_registered_first(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    outputs_of(&fake, "resources:\n"
                      "  a: {type: pkg:A}\n"
                      "  p: {type: pulumi:providers:pkg, defaultProvider: true}\n");
    assert_str_equal(strbuf_str(&fake.notes),
                     STR("pulumi:providers:pkg p {} deps=0\npkg:index:A a {} deps=0\n"));
    fake_release(&fake);
}

/* --- configuration --- */

static void given_values_are_typed_by_what_they_look_like(void **state)
{
    struct fake_engine fake = { 0 };
    const char *const texts[] = {
        "7", "007", "t", "1.5", "[1]", "x", "0", "-0", "-3", "1e3", "99999999999999999999"
    };
    const char *const wanted[] = { "7",
                                   "\"007\"",
                                   "true",
                                   "1.5",
                                   "[1]",
                                   "\"x\"",
                                   "0",
                                   "0",
                                   "-3",
                                   "1000",
                                   "100000000000000000000" };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_str_equal(fake_json(&fake.arena, config_retype(&fake.arena, str_from(texts[i]))),
                         str_from(wanted[i]));
    fake_release(&fake);
}

static void a_given_value_wins_over_the_default_and_is_known_by_two_names(void **state)
{
    struct fake_engine fake = { 0 };
    const struct config_value given[] = { { STR("proj:k"), value_number(2) },
                                          { STR("other:r"), value_string(STR("eu")) } };
    struct fake_run run = { .config = given, .config_len = 2 };

    (void)state;
    run_text(&fake,
             "config: {k: {type: integer, default: 1}, d: {default: dflt}}\n"
             "outputs: {a: '${k}', b: '${[\"proj:k\"]}', c: '${[\"other:r\"]}', d: '${d}'}",
             &run);
    assert_str_equal(fake_json(&fake.arena, fake.outputs),
                     STR("{\"a\":2,\"b\":2,\"c\":\"eu\",\"d\":\"dflt\"}"));
    fake_release(&fake);
}

/* --- what is wrong --- */

static void declarations_of_config_are_checked(void **state)
{
    (void)state;
    assert_outputs("config: {a: {default: 3}, b: {type: Integer, default: 2}, c: {type: "
                   "'list<String>', default: [x]}}\n"
                   "outputs: {a: '${a}', b: '${b}', c: '${c}'}",
                   "{\"a\":3,\"b\":2,\"c\":[\"x\"]}");
    assert_complains("config: {k: {}}",
                     "unable to infer type: either 'default' or 'type' is required");
    assert_complains("config: {k: 5}",
                     "unable to infer type: either 'default' or 'type' is required");
    assert_complains("config: {k: {type: nope}}",
                     "unexpected configuration type 'nope': valid types are");
    assert_complains("config: {k: {type: string}}",
                     "missing required configuration variable 'k'; run `pulumi config` to set");
    assert_complains("config: {k: {type: string, default: 5}}",
                     "type mismatch: default value of type number but type string was specified");
    assert_complains("config: {k: {type: int, default: 1.5}}",
                     "type mismatch: default value of type number but type integer was specified");
    assert_complains(
        "config: {k: {type: object, default: [a]}}",
        "type mismatch: default value of type List<string> but type Map<any> was specified");
    assert_complains("config: {k: {default: [1, a]}}",
                     "heterogeneous typed lists are not allowed: found types number and string");
    assert_complains("config: {k: {default: []}}", "empty list");
    assert_complains("config: {k: {default: null}}", "unknown type");
    assert_complains("config: {k: {default: 1}}\nresources: {k: {type: pkg:A}}",
                     "resource k cannot have the same name as config k");
    assert_complains("resources: {'': {type: pkg:A}}",
                     "resource name argument (for URN creation) cannot be empty");
    assert_complains("configuration: {k: {default: 1}}",
                     "root-level `configuration` field is deprecated");
}

static void cycles_are_named(void **state)
{
    (void)state;
    assert_complains("variables:\n  a: ${b}\n  b: ${c}\n  c: ${a}\n",
                     "Pulumi.yaml:4,6-10: circular dependency of variable 'a' transitively on "
                     "itself; a -> b -> c -> a");
}

static void names_that_mean_nothing_are_told_before_anything_is_registered(void **state)
{
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake, "resources: {a: {type: pkg:A}, b: {type: pkg:B, properties: {x: '${nope}'}}}",
             &run);
    assert_true(run.result.has_failed);
    assert_true(str_find(strbuf_str(&fake.logs),
                         STR("resource, variable, or config value \"nope\" not found"))
                != SIZE_MAX);
    assert_int_equal(fake.notes.len, 0);
    fake_release(&fake);
}

static void what_depends_on_a_failure_and_what_is_behind_it_is_not_registered(void **state)
{
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake,
             "variables:\n  bad: {fn::join: ['-', [1]]}\n  worse: ${bad}\n"
             "resources: {b: {type: pkg:B}, a: {type: pkg:A, properties: {x: '${worse}'}}, c: "
             "{type: pkg:C}}\n"
             "outputs: {o: '${a.made}', p: '${b.made}', q: '${c.made}'}\n",
             &run);
    assert_true(run.result.has_failed);
    assert_str_equal(strbuf_str(&fake.notes), STR("pkg:index:B b {} deps=0\n"));
    assert_true(
        str_starts_with(strbuf_str(&fake.logs), STR("the second argument to fn::join must be a "
                                                    "list of strings, found a number at index 0\n\n"
                                                    "  on Pulumi.yaml line 2:\n"
                                                    "   2:   bad: {fn::join: ['-', [1]]}\n\n")));
    assert_true(str_ends_with(strbuf_str(&fake.logs),
                              STR("Error registering variable [bad]: no diagnostics\n"
                                  "Error registering resource [c]: no diagnostics\n")));
    assert_str_equal(fake_json(&fake.arena, fake.outputs), STR("{\"p\":\"new\"}"));
    fake_release(&fake);
}

static void outputs_that_need_a_resource_that_failed_have_no_value(void **state)
{
    (void)state;
    assert_outputs("resources: {broken: {type: pkg:A}, good: {type: pkg:A}}\n"
                   "outputs: {a: '${broken.made}', b: ['${broken.id}', 1], c: {d: {fn::secret: 'x "
                   "${broken.made}'}},\n"
                   "          e: '${good.made}', f: '${broken.urn}'}",
                   "{\"e\":\"new\",\"f\":\"urn:pulumi:dev::proj::pkg:index:A::broken\"}");
}

static void wrong_programs_are_complained_about(void **state)
{
    (void)state;
    assert_complains("a: *x", "unknown anchor 'x' referenced");
    assert_complains("variables: {a: &x 1, b: *x}", "alias nodes are not supported");
    assert_complains("variables: {1: a}", "mapping keys must be strings");
    assert_complains("variables: {a: !!int x}", "yaml: cannot decode !!str `x` as a !!int");
    assert_complains("variables: {a: !!bool maybe}",
                     "yaml: cannot decode !!str `maybe` as a !!bool");
    assert_complains("- a", "Top level of 'Pulumi.yaml' must be an object");
    assert_complains("variables: {a: '${b'}", "unterminated interpolation");
    assert_complains("variables: {a: '${}'}", "Property access expressions cannot be empty");
    assert_complains("variables: {a: '${[0]}'}",
                     "the root property must be a string subscript or a name");
    assert_complains("variables: {a: '${b[x]}'}", "invalid list index");
    assert_complains("variables: {a: '${b[\"x}'}", "missing closing quote in property name");
    assert_complains("variables: {a: '${b[1}'}", "missing closing bracket in list index");
    assert_complains("variables: {a: {fn::join: x}}",
                     "the argument to fn::join must be a two-valued list");
    assert_complains("variables: {a: {fn::invoke: {}}}", "missing function name ('function')");
    assert_complains("variables: {a: {fn::invoke: {function: '${x}'}}}",
                     "function name must be a string literal");
    assert_complains("variables: {a: {fn::assetArchive: {x: 1}}}",
                     "value must be an asset or an archive");
    assert_complains("resources: {a: {properties: {}}}",
                     "Required field 'type' is missing on resource \"a\"");
    assert_complains("resources: {a: {type: x}}", "invalid type token \"x\"");
    assert_complains("resources: {a: {type: p:A, Properties: {}}}",
                     "'Properties' looks like a miscapitalization of 'properties'");
    assert_complains("resources: {a: {type: p:A, proprties: {}}}",
                     "Did you mean 'properties' under 'a'?");
    assert_complains("resources: {a: {type: p:A, dependsOn: []}}",
                     "'dependsOn' exists under options");
    assert_complains("resources: {a: {type: p:A, options: {protekt: 1}}}",
                     "protekt does not exist on resource options");
    assert_complains("resources: {a: {type: p:A, get: {id: x}, properties: {a: 1}}}",
                     "Resource fields properties and get are mutually exclusive");
    assert_complains("resources: {a: {type: p:A, defaultProvider: true}}",
                     "cannot set defaultProvider on non-provider resource");
    assert_complains("resources: {a: {type: p:A}}\nvariables: {a: 1}",
                     "variable a cannot have the same name as resource a");
    assert_complains("variables: {pulumi: 1}", "variable pulumi uses the reserved name pulumi");
    assert_complains("components: {X: {}}",
                     "components are only supported in plugins, not in programs");
    assert_complains("outputs: {x: '${nope}'}",
                     "resource or variable named \"nope\" could not be found");
    assert_complains("variables: {l: [1]}\noutputs: {x: '${l[3]}'}",
                     "list index 3 out-of-bounds for list of length 1");
    assert_complains("variables: {s: {fn::secret: t}}\noutputs: {x: '${s.y}'}", "(type string)");
    assert_complains("resources: {a: {type: p:A, options: {aliases: x}}}",
                     "is not assignable from string");
    assert_complains("resources: {a: {type: p:A, options: {aliases: [{nam: x}]}}}",
                     "Existing properties are: name,");
    assert_complains("resources: {a: {type: p:A, options: {envVarMappings: {A: [1]}}}}",
                     "A: Cannot assign 'List<number>' to 'string'");
    assert_complains("resources: {a: {type: p:A, get: {id: [1]}}}",
                     "string is not assignable from List<number>");
}

static void another_version_that_is_asked_for_stops_the_program(void **state)
{
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake,
             "pulumi: {requiredVersion: [1]}\nresources: {a: {type: pkg:A}}\noutputs: {o: 1}",
             &run);
    assert_true(run.result.has_failed);
    assert_int_equal(fake.notes.len, 0);
    assert_true(
        str_starts_with(strbuf_str(&fake.logs), STR("version range must evaluate to a string")));
    assert_int_equal(str_find(strbuf_str(&fake.logs), STR("Error registering")), SIZE_MAX);
    fake_release(&fake);
}

/* --- with a schema --- */

static const char schema[] =
    "{\"name\":\"pkg\",\"version\":\"1.2.3\",\"resources\":{"
    "\"pkg:mod/"
    "thing:Thing\":{\"inputProperties\":{\"size\":{\"type\":\"integer\"},\"key\":{\"type\":"
    "\"string\",\"secret\":true},"
    "\"tags\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},\"deep\":{\"$"
    "ref\":\"#/types/"
    "pkg:mod:Deep\"}},"
    "\"requiredInputs\":[\"size\"],\"properties\":{\"size\":{\"type\":\"integer\"},\"made\":{"
    "\"type\":\"string\","
    "\"secret\":true},"
    "\"kind\":{\"type\":\"string\",\"const\":\"thing\"}}}},"
    "\"types\":{\"pkg:mod:Deep\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\","
    "\"items\":{\"type\":"
    "\"number\"}}},"
    "\"required\":[\"a\"]}},"
    "\"functions\":{\"pkg:mod/get:get\":{\"inputs\":{\"properties\":{\"x\":{\"type\":\"string\"}}},"
    "\"outputs\":{\"properties\":{\"y\":{\"type\":\"string\"}}}}}}";

static void a_schema_completes_tokens_secrets_and_constants(void **state)
{
    struct fake_engine fake = { .schema = schema };

    (void)state;
    outputs_of(&fake, "resources: {t: {type: pkg:mod:thing, properties: {size: 1, key: k}}}");
    assert_str_equal(
        strbuf_str(&fake.notes),
        STR("pkg:mod/thing:Thing t "
            "{\"key\":{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\","
            "\"plaintext\":\"\\\"k\\\"\"},\"kind\":\"thing\",\"size\":1} deps=0 hides made\n"));
    fake_release(&fake);
}

static void check_with_schema(const char *properties, const char *wanted)
{
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { 0 };
    char text[512];

    snprintf(text, sizeof(text), "resources: {t: {type: 'pkg:mod:Thing', properties: %s}}",
             properties);
    run_text(&fake, text, &run);
    if (str_find(run.result.complaints, str_from(wanted)) == SIZE_MAX)
        print_error("got '" STR_FMT "'\n", STR_ARG(run.result.complaints));
    assert_true(str_find(run.result.complaints, str_from(wanted)) != SIZE_MAX);
    assert_true(run.result.has_failed);
    assert_int_equal(fake.notes.len, 0);
    fake_release(&fake);
}

static void a_schema_finds_what_does_not_fit(void **state)
{
    (void)state;
    check_with_schema("{}", "Missing required property 'size'");
    check_with_schema("{size: [1]}", "Cannot assign 'List<number>' to 'integer'");
    check_with_schema("{size: 1, sise: 2}",
                      "Property sise does not exist on 'pkg:mod/thing:Thing'");
    check_with_schema("{size: 1, sise: 2}", "Existing properties are: size, deep, key, tags");
    check_with_schema("{size: 1, tags: {a: [b]}}", "a: Cannot assign 'List<string>' to 'string'");
    check_with_schema("{size: 1, deep: {}}", "a: Missing required property 'a'");
    check_with_schema("{size: 1, deep: {a: [x]}}", "Cannot assign type 'string' to type 'number'");
    check_with_schema("{size: 1, deep: {fn::invoke: {function: 'pkg:mod:gett'}}}",
                      "did you mean \"pkg:mod:get\"?");
}

static void a_schema_finds_what_does_not_fit_in_a_variable(void **state)
{
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { 0 };

    (void)state;
    run_text(
        &fake,
        "resources: {t: {type: 'pkg:mod:Thing', properties: '${v}'}}\nvariables: {v: {sise: 1}}",
        &run);
    assert_true(str_find(run.result.complaints, STR("size: Missing required property 'size'"))
                != SIZE_MAX);
    assert_true(str_find(run.result.complaints,
                         STR("Property sise does not exist on 'pkg:mod/thing:Thing'"))
                != SIZE_MAX);
    assert_int_equal(fake.notes.len, 0);
    fake_release(&fake);
}

static void a_schema_knows_what_a_reference_may_reach(void **state)
{
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake,
             "resources: {t: {type: 'pkg:mod:Thing', properties: {size: 1}}}\noutputs: {x: "
             "'${t.siz}', y: '${t.made.z}'}",
             &run);
    assert_true(str_find(run.result.complaints, STR("siz does not exist on t")) != SIZE_MAX);
    assert_true(
        str_find(run.result.complaints, STR("cannot access a property on 't.made' (type string)"))
        != SIZE_MAX);
    fake_release(&fake);
}

static void what_pulumi_does_not_know_is_told(void **state)
{
    (void)state;
    assert_complains("outputs: {x: '${pulumi.projekt}'}", "projekt does not exist on pulumi");
    assert_complains("outputs: {x: '${pulumi[0]}'}", "Cannot index into 'pulumi'");
    assert_outputs("outputs: {x: '${pulumi.project} ${pulumi[\"stack\"]}'}",
                   "{\"x\":\"proj dev\"}");
    assert_outputs("variables: {v: '${pulumi}'}\noutputs: {x: '${v.organization}'}",
                   "{\"x\":\"org\"}");
}

static unsigned times_told(const char *program, const char *wanted)
{
    struct fake_engine fake = { .outputs = VALUE_EMPTY_OBJECT };
    struct fake_run run = { 0 };

    run_text(&fake, program, &run);
    assert_true(run.result.has_failed || run.result.error.len);
    assert_str_equal(fake_json(&fake.arena, fake.outputs), str_from(wanted));
    unsigned times = fake.times_told_outputs;
    fake_release(&fake);
    return times;
}

static void a_stack_gets_its_outputs_when_the_program_fails(void **state)
{
    (void)state;
    /* a resource could not be registered: those that do not need it, but all or none */
    assert_int_equal(times_told("resources: {refused: {type: pkg:A}, good: {type: pkg:A}}\n"
                                "outputs: {a: '${good.made}', b: 1}",
                                "{\"a\":\"new\",\"b\":1}"),
                     1);
    assert_int_equal(times_told("resources: {refused: {type: pkg:A}}\n"
                                "outputs: {a: '${refused.made}', b: 1}",
                                "{}"),
                     0);
    /* something is wrong with the program */
    assert_int_equal(times_told("variables: {v: {fn::fromBase64: '%'}}\noutputs: {a: '${v}', b: 1}",
                                "{\"b\":1}"),
                     1);
    assert_int_equal(times_told("variables: {v: '${nothing}'}\noutputs: {b: 1}", "{}"), 1);
    assert_int_equal(times_told("variables: {v: '${w}', w: '${v}'}\noutputs: {b: 1}", "{}"), 1);
    assert_int_equal(times_told("resources: {r: {type: gone:A}}\noutputs: {b: 1}", "{}"), 1);
    assert_int_equal(times_told("components: {C: {}}\noutputs: {b: 1}", "{}"), 1);
}

static void a_plugin_that_cannot_be_loaded_is_told_where_it_is_needed(void **state)
{
    (void)state;
    assert_complains("resources:\n  r:\n    type: gone:A\n",
                     "error resolving type of resource r: internal error loading package \"gone\": "
                     "no plugin gone\n\n  on Pulumi.yaml line 3:\n");
    assert_complains("resources:\n  r:\n    type: pulumi:providers:gone\n",
                     "error resolving type of resource r: internal error loading package \"gone\"");
    assert_complains("variables:\n  v: {fn::invoke: {function: 'gone:get'}}\n",
                     "internal error loading package \"gone\": no plugin gone\n\n"
                     "  on Pulumi.yaml line 2:\n");
}

static void a_package_without_a_schema_is_used_as_the_program_writes_it(void **state)
{
    (void)state;
    assert_outputs("resources: {r: {type: mute:A, properties: {x: 1}}}\noutputs: {o: '${r.x}'}",
                   "{\"o\":1}");
}

/* Tags, which the engine turns into what the user wants; never escapes. */
static void complaints_are_coloured_by_the_engine(void **state)
{
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake, "resources:\n  r:\n    type: gone:A\n", &run);
    assert_true(str_starts_with(run.result.complaints, STR("<{%fg 1%}>Error<{%reset%}>: error ")));
    assert_true(str_find(run.result.complaints,
                         STR("\n   3:     type: <{%bold%}><{%underline%}>gone:A<{%reset%}>\n"))
                != SIZE_MAX);
    assert_true(str_find(run.result.complaints, STR("\x1b")) == SIZE_MAX);
    fake_release(&fake);
}

/* What is required may have a default of its own. */
static void a_resource_without_properties_is_left_to_its_provider(void **state)
{
    struct fake_engine fake = { .schema = schema };

    (void)state;
    outputs_of(&fake, "resources: {t: {type: 'pkg:mod:Thing'}}");
    assert_true(str_starts_with(strbuf_str(&fake.notes), STR("pkg:mod/thing:Thing t {")));
    fake_release(&fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_keep_their_types),
        cmocka_unit_test(scalars_are_what_the_core_rules_say),
        cmocka_unit_test(two_dollars_are_one),
        cmocka_unit_test(a_whole_reference_keeps_its_type_and_a_part_is_text),
        cmocka_unit_test(numbers_in_text_are_written_as_the_reference_does),
        cmocka_unit_test(null_in_text_is_nil_and_is_left_out_of_objects),
        cmocka_unit_test(the_run_is_known_as_pulumi),
        cmocka_unit_test(a_resource_that_is_managed_elsewhere_is_read),
        cmocka_unit_test(a_secret_taints_what_is_made_of_it),
        cmocka_unit_test(resources_are_registered_after_what_they_need),
        cmocka_unit_test(what_is_not_made_yet_is_unknown_in_a_preview),
        cmocka_unit_test(in_an_update_a_property_that_is_not_there_is_null),
        cmocka_unit_test(what_comes_out_as_null_stays_and_what_is_written_as_null_does_not),
        cmocka_unit_test(a_stack_reference_is_read_and_its_secrets_stay_secret),
        cmocka_unit_test(functions_of_providers_are_called_in_both_forms),
        cmocka_unit_test(a_default_provider_is_registered_first),
        cmocka_unit_test(given_values_are_typed_by_what_they_look_like),
        cmocka_unit_test(a_given_value_wins_over_the_default_and_is_known_by_two_names),
        cmocka_unit_test(declarations_of_config_are_checked),
        cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(names_that_mean_nothing_are_told_before_anything_is_registered),
        cmocka_unit_test(what_depends_on_a_failure_and_what_is_behind_it_is_not_registered),
        cmocka_unit_test(outputs_that_need_a_resource_that_failed_have_no_value),
        cmocka_unit_test(wrong_programs_are_complained_about),
        cmocka_unit_test(another_version_that_is_asked_for_stops_the_program),
        cmocka_unit_test(a_schema_completes_tokens_secrets_and_constants),
        cmocka_unit_test(a_schema_finds_what_does_not_fit),
        cmocka_unit_test(a_schema_finds_what_does_not_fit_in_a_variable),
        cmocka_unit_test(a_schema_knows_what_a_reference_may_reach),
        cmocka_unit_test(what_pulumi_does_not_know_is_told),
        cmocka_unit_test(a_stack_gets_its_outputs_when_the_program_fails),
        cmocka_unit_test(a_plugin_that_cannot_be_loaded_is_told_where_it_is_needed),
        cmocka_unit_test(a_package_without_a_schema_is_used_as_the_program_writes_it),
        cmocka_unit_test(complaints_are_coloured_by_the_engine),
        cmocka_unit_test(a_resource_without_properties_is_left_to_its_provider),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
