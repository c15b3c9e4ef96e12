/* test_yaml_host_options.c — what the options of a resource in YAML say to the engine. */
#include "unit/check.h"
#include "unit/yaml_host_fixture.h"

#include "yaml/serve/component.h"

#include "pb/provider.pb-c.h"

#include <stdio.h>

/* The engine of the other tests, and notes of the options of every registration. */
struct option_notes {
    struct fake_engine fake;
    struct strbuf text;
};

static void note_text(struct option_notes *notes, const char *name, const char *text)
{
    if (text && *text)
        strbuf_printf(&notes->text, " %s=%s", name, text);
}

static void note_list(struct option_notes *notes, const char *name, char **items, size_t len)
{
    for (size_t i = 0; i < len; i++)
        strbuf_printf(&notes->text, "%s%s",
                      i ? "," : arena_printf(&notes->fake.arena, " %s=", name).ptr, items[i]);
}

static void note_alias(struct option_notes *notes, const Pb__Alias *alias)
{
    const Pb__Alias__Spec *spec = alias->alias_case == PB__ALIAS__ALIAS_SPEC ? alias->spec : NULL;

    if (!spec) {
        note_text(notes, "alias", alias->urn);
        return;
    }
    strbuf_add(&notes->text, STR(" alias={"));
    note_text(notes, "name", spec->name);
    note_text(notes, "type", spec->type);
    note_text(notes, "stack", spec->stack);
    note_text(notes, "project", spec->project);
    if (spec->parent_case == PB__ALIAS__SPEC__PARENT_PARENT_URN)
        note_text(notes, "parent", spec->parent_urn);
    if (spec->parent_case == PB__ALIAS__SPEC__PARENT_NO_PARENT)
        note_text(notes, "noParent", "yes");
    strbuf_add(&notes->text, STR(" }"));
}

static void note_request(struct option_notes *notes, const Pb__RegisterResourceRequest *request)
{
    const Pb__CustomTimeouts *timeouts = request->custom_timeouts;

    strbuf_printf(&notes->text, "%s", request->name);
    if (strstr(request->parent, "::pkg:"))
        note_text(notes, "parent", strrchr(request->parent, ':') + 1);
    note_text(notes, "provider", *request->provider ? strstr(request->provider, "providers:") : "");
    note_text(notes, "version", request->version);
    note_text(notes, "url", request->plugin_download_url);
    note_text(notes, "import", request->import_id);
    note_text(notes, "package", request->package_ref);
    note_text(notes, "deletedWith",
              *request->deleted_with ? strrchr(request->deleted_with, ':') + 1 : "");
    note_text(notes, "protect",
              message_has(request, protect) ? (request->protect ? "yes" : "no") : "");
    note_text(notes, "retain",
              message_has(request, retain_on_delete) && request->retain_on_delete ? "yes" : "");
    note_text(notes, "deleteFirst", request->delete_before_replace_defined ? "said" : "");
    note_list(notes, "ignores", request->ignore_changes, request->n_ignore_changes);
    note_list(notes, "replaces", request->replace_on_changes, request->n_replace_on_changes);
    note_list(notes, "hides", request->hide_diffs, request->n_hide_diffs);
    note_list(notes, "secret", request->additional_secret_outputs,
              request->n_additional_secret_outputs);
    note_text(notes, "replacedWith",
              request->n_replace_with ? strrchr(request->replace_with[0], ':') + 1 : "");
    for (size_t i = 0; i < request->n_dependencies; i++)
        note_text(notes, "dep", strrchr(request->dependencies[i], ':') + 1);
    for (size_t i = 0; i < request->n_aliases; i++)
        note_alias(notes, request->aliases[i]);
    for (size_t i = 0; i < request->n_env_var_mappings; i++)
        strbuf_printf(&notes->text, " env=%s:%s", request->env_var_mappings[i]->key,
                      request->env_var_mappings[i]->value);
    if (timeouts)
        strbuf_printf(&notes->text, " timeouts=%s/%s/%s/%s", timeouts->create, timeouts->update,
                      timeouts->delete_, timeouts->read);
    note_text(notes, "trigger", message_get_bytes(request, replacement_trigger).len ? "yes" : "");
    strbuf_add_char(&notes->text, '\n');
}

static struct error *note_call(void *notes_, const char *path, const ProtobufCMessage *request,
                               const ProtobufCMessageDescriptor *answer_type, struct arena *arena,
                               void **answer)
{
    struct option_notes *notes = notes_;

    if (strstr(path, "/RegisterResource") && !strstr(path, "Outputs")
        && ((const Pb__RegisterResourceRequest *)request)->custom)
        note_request(notes, (const Pb__RegisterResourceRequest *)request);
    if (!strstr(path, "/RegisterPackage"))
        return fake_call(&notes->fake, path, request, answer_type, arena, answer);
    const Pb__RegisterPackageRequest *package = (const Pb__RegisterPackageRequest *)request;
    Pb__RegisterPackageResponse *made = ARENA_NEW(arena, Pb__RegisterPackageResponse);
    pb__register_package_response__init(made);
    made->ref =
        message_cstr(arena, arena_printf(arena, "ref-%s-%s", package->name, package->version));
    *answer = made;
    return NULL;
}

struct option_run {
    struct option_notes notes;
    const char *text;
    struct run_result result;
    struct error *failure;
};

static void run_on_fiber(void *run_)
{
    struct option_run *test = run_;
    struct arena *arena = &test->notes.fake.arena;
    struct loaded loaded;
    struct run run = {
        .arena = arena,
        .loaded = &loaded,
        .settings = { STR("proj"), STR("dev"), STR("org"), STR("/root"), STR("/tmp"), false, 0 },
        .engine = { .context = &test->notes, .call = note_call },
        .loader = { &test->notes.fake, fake_load },
    };

    loaded_init(&loaded, arena);
    loaded.source = (struct source){ STR("Pulumi.yaml"), str_from(test->text) };
    load_text(&loaded);
    vec_add(&loaded.packages,
            ((struct package_decl){ .name = STR("locked"), .version = STR("1.2.3") }));
    test->failure = run_program(&run, &test->result);
    loaded_release(&loaded);
}

/* Of the resource a in a program that has b and the provider p, too. The schema may be NULL. */
static void assert_options_with(const char *schema, const char *options, const char *wanted)
{
    struct option_run test = { .notes.fake.schema = schema };
    char text[1024];

    snprintf(text, sizeof(text),
             "resources: {b: {type: 'pkg:B'}, p: {type: 'pulumi:providers:pkg'}, a: {type: "
             "'pkg:A', options: %s}}",
             options);
    test.text = text;
    assert_ok(scheduler_run(run_on_fiber, &test));
    assert_ok(test.failure);
    assert_int_equal(test.result.complaints.len, 0);
    str all = strbuf_str(&test.notes.text);
    size_t at = str_find(all, STR("\na"));
    assert_true(at != SIZE_MAX);
    assert_str_equal(str_slice(all, at + 2, all.len),
                     arena_concat(&test.notes.fake.arena, str_from(wanted), STR("\n")));
    strbuf_release(&test.notes.text);
    fake_release(&test.notes.fake);
}

static void assert_options(const char *options, const char *wanted)
{
    assert_options_with(NULL, options, wanted);
}

static void each_option_reaches_the_engine(void **state)
{
    (void)state;
    assert_options("{}", "");
    assert_options("{parent: '${b}'}", " parent=b");
    assert_options("{dependsOn: ['${p}', '${b}']}", " dep=b dep=p");
    assert_options("{provider: '${p}'}", " provider=providers:pkg::p::id-p");
    assert_options("{providers: ['${p}']}", " provider=providers:pkg::p::id-p");
    assert_options("{protect: false}", " protect=no");
    assert_options("{protect: true, retainOnDelete: true, deleteBeforeReplace: false}",
                   " protect=yes retain=yes deleteFirst=said");
    assert_options("{ignoreChanges: [x, 'y[0].z'], hideDiffs: [h], replaceOnChanges: [r], "
                   "additionalSecretOutputs: [s]}",
                   " ignores=x,y[0].z replaces=r hides=h secret=s");
    assert_options("{import: some-id, version: 1.2.3, pluginDownloadURL: 'https://example.com'}",
                   " version=1.2.3 url=https://example.com import=some-id");
    assert_options("{version: v1.2.3-rc.1}", " version=1.2.3-rc.1");
    assert_options("{version: ' 1.2'}", " version=1.2.0");
    assert_options("{version: banana}", " version=banana");
    assert_options("{customTimeouts: {create: 5m, read: 1s}}", " timeouts=5m///1s");
    assert_options("{deletedWith: '${b}', replaceWith: ['${b}']}", " deletedWith=b replacedWith=b");
    assert_options("{replacementTrigger: {a: [1]}}", " trigger=yes");
    assert_options("{replacementTrigger: 'on ${b.id}', dependsOn: ['${p}']}",
                   " dep=b dep=p trigger=yes");
    assert_options("{envVarMappings: {NEW: OLD}}", " env=NEW:OLD");
}

/* The state keeps these lists as they are sent, so a property that both name is there twice. */
static void lists_of_the_schema_follow_those_of_the_options(void **state)
{
    static const char schema[] =
        "{\"name\":\"pkg\",\"version\":\"1.0.0\",\"resources\":{\"pkg:index:B\":{},"
        "\"pkg:index:A\":{\"properties\":{"
        "\"y\":{\"type\":\"string\"},"
        "\"z\":{\"type\":\"string\",\"replaceOnChanges\":true,\"secret\":true}}}}}";

    (void)state;
    assert_options_with(schema, "{}", " replaces=z secret=z");
    assert_options_with(schema, "{replaceOnChanges: [z, y], additionalSecretOutputs: [z, y]}",
                        " replaces=z,y,z secret=z,y,z");
}

static void aliases_are_names_or_descriptions(void **state)
{
    (void)state;
    assert_options("{aliases: ['urn:old', {urn: 'urn:older'}, {name: n, stack: s, project: q}, "
                   "{type: 't:t:T', noParent: true}]}",
                   " alias=urn:old alias=urn:older alias={ name=n stack=s project=q } alias={ "
                   "type=t:t:T noParent=yes }");
    assert_options(
        "{aliases: [{parent: '${b}'}, {parent: 'urn:other'}]}",
        " alias={ parent=urn:pulumi:dev::proj::pkg:index:B::b } alias={ parent=urn:other }");
}

static void assert_all(const char *text, const char *wanted)
{
    struct option_run test = { .text = text };

    assert_ok(scheduler_run(run_on_fiber, &test));
    assert_ok(test.failure);
    assert_str_equal(strbuf_str(&test.notes.text), str_from(wanted));
    strbuf_release(&test.notes.text);
    fake_release(&test.notes.fake);
}

static void a_default_provider_is_for_what_names_none(void **state)
{
    (void)state;
    assert_all("resources: {a: {type: 'pkg:A'}, q: {type: 'pulumi:providers:pkg', defaultProvider: "
               "true, options: {version: "
               "2.0.0}},\n"
               "  p: {type: 'pulumi:providers:pkg'}, b: {type: 'pkg:B', options: {provider: "
               "'${p}'}}, c: {type: 'other:C'}}",
               "q version=2.0.0\na provider=providers:pkg::q::id-q version=2.0.0\np\nb "
               "provider=providers:pkg::p::id-p\nc\n");
}

static void a_package_that_is_declared_is_meant_unless_a_version_is_given(void **state)
{
    (void)state;
    assert_all("resources: {a: {type: 'locked:A'}, b: {type: 'locked:B', options: {version: "
               "2.0.0}}, c: {type: 'other:C'}}",
               "a package=ref-locked-1.2.3\nb version=2.0.0\nc\n");
}

static void assert_refused(const char *text, const char *wanted)
{
    struct option_run test = { .text = text };

    assert_ok(scheduler_run(run_on_fiber, &test));
    assert_ok(test.failure);
    str all = arena_concat(&test.notes.fake.arena, strbuf_str(&test.notes.fake.logs),
                           test.result.complaints, test.result.error);
    if (str_find(all, str_from(wanted)) == SIZE_MAX)
        print_error("got '" STR_FMT "'\n", STR_ARG(all));
    assert_true(str_find(all, str_from(wanted)) != SIZE_MAX);
    strbuf_release(&test.notes.text);
    fake_release(&test.notes.fake);
}

static void options_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_refused(
        "resources: {a: {type: 'pkg:A', options: {dependsOn: '${b}'}}, b: {type: 'pkg:B'}}",
        "resource option dependsOn value must be a list of resources");
    assert_refused(
        "resources: {a: {type: 'pkg:A', options: {dependsOn: ['${b.id}']}}, b: {type: 'pkg:B'}}",
        "resource option dependsOn value must be a list of resource, not an output");
    assert_refused(
        "resources: {a: {type: 'pkg:A', options: {parent: '${b.id}'}}, b: {type: 'pkg:B'}}",
        "resource cannot be an output");
    assert_refused("resources: {a: {type: 'pkg:A', options: {parent: x}}}",
                   "expected resource, got a string");
    assert_refused(
        "resources: {a: {type: 'pkg:A', options: {provider: '${b}'}}, b: {type: 'pkg:B'}}",
        "resource passed as Provider was not a provider resource 'b'");
    assert_refused("resources: {b: {type: 'pkg:B'}, a: {type: 'pkg:A', options: {aliases: "
                   "[{noParent: true, parent: '${b}'}]}}}",
                   "alias can specify Parent, ParentURN or NoParent but not more then one");
    assert_refused("resources: {a: {type: 'pkg:A', options: {protect: x}}}",
                   "protect must be a boolean value");
    assert_refused(
        "resources: {a: {type: 'pkg:A', options: {protect: '${b.made}'}}, b: {type: 'pkg:B'}}",
        "protect must be not be an output");
    assert_refused("resources: {a: {type: 'pkg:A', options: {ignoreChanges: x}}}",
                   "ignoreChanges must be a list");
    assert_refused("resources: {a: {type: 'pkg:A', options: {ignoreChanges: [1]}}}",
                   "ignoreChanges[0] must be a string");
    assert_refused("resources: {a: {type: 'pkg:A', options: {deleteBeforeReplace: x}}}",
                   "deleteBeforeReplace must be a boolean value");
    assert_refused("resources: {a: {type: 'pkg:A', options: {customTimeouts: {create: 5}}}}",
                   "customTimeouts.create must be a string, got a number");
    assert_refused("resources: {a: {type: 'pkg:A', options: {customTimeouts: {creat: 5m}}}}",
                   "Field 'creat' does not exist on Object 'customTimeouts'");
    assert_refused("resources: {a: {type: 'pkg:A', options: x}}", "options must be an object");
    assert_refused(
        "resources: {a: {type: 'pkg:A', options: {version: 4.1.0}},\n"
        "  p: {type: 'pulumi:providers:pkg', defaultProvider: true, options: {version: 4.2.0}}}",
        "Version conflicts with the default provider version");
    assert_refused("resources: {a: {type: 'kubernetes:yaml:ConfigFile'}}",
                   "is not supported in YAML at this time");
    assert_refused("resources: {a: {type: 'kubernetes:helm.sh/v3:Chart'}}",
                   "Helm Chart resources are not supported in YAML");
    assert_refused("namespace: x", "namespace is only supported in component plugins");
}

static struct error *note_component(void *notes_, const char *path, const ProtobufCMessage *request,
                                    const ProtobufCMessageDescriptor *answer_type,
                                    struct arena *arena, void **answer)
{
    struct option_notes *notes = notes_;

    if (strstr(path, "/RegisterResource") && !strstr(path, "Outputs"))
        note_request(notes, (const Pb__RegisterResourceRequest *)request);
    return fake_call(&notes->fake, path, request, answer_type, arena, answer);
}

static void construct_on_fiber(void *run_)
{
    struct option_run *test = run_;
    struct arena *arena = &test->notes.fake.arena;
    struct loaded loaded;
    struct component_run run = {
        .arena = arena,
        .loaded = &loaded,
        .directory = STR("/tmp"),
        .engine = { .context = &test->notes, .call = note_component },
        .loader = { &test->notes.fake, fake_load },
    };
    Pb__ConstructRequest request = PB__CONSTRUCT_REQUEST__INIT;
    char *names[] = { (char *)"n" };
    str response;

    request.type = (char *)"plug:index:Comp", request.name = (char *)"c";
    request.project = (char *)"proj", request.stack = (char *)"dev";
    request.ignore_changes = names, request.n_ignore_changes = 1;
    message_put(&request, protect, false);
    message_put(&request, delete_before_replace, true);
    loaded_init(&loaded, arena);
    loaded.source = (struct source){ STR("PulumiPlugin.yaml"), str_from(test->text) };
    load_text(&loaded);
    test->failure = component_construct(&run, &request, &response);
    loaded_release(&loaded);
}

static void a_component_is_registered_with_the_options_it_is_constructed_with(void **state)
{
    (void)state;
    struct option_run test = { .text = "name: plug\nruntime: yaml\ncomponents: {Comp: {}}\n" };

    assert_ok(scheduler_run(construct_on_fiber, &test));
    assert_ok(test.failure);
    assert_str_equal(strbuf_str(&test.notes.text),
                     STR("c protect=no deleteFirst=said ignores=n\n"));
    strbuf_release(&test.notes.text);
    fake_release(&test.notes.fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_option_reaches_the_engine),
        cmocka_unit_test(lists_of_the_schema_follow_those_of_the_options),
        cmocka_unit_test(aliases_are_names_or_descriptions),
        cmocka_unit_test(a_default_provider_is_for_what_names_none),
        cmocka_unit_test(a_package_that_is_declared_is_meant_unless_a_version_is_given),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(a_component_is_registered_with_the_options_it_is_constructed_with),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
