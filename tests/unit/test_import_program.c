/* test_import_program.c — the programs that `import` prints for the cases in tests/codegen/import:
 * in PCL, and of it in YAML, TypeScript, Python and Go.
 *
 * usage: test_import_program [CASE EXTENSION]   with a case it prints its program instead of
 * testing */
#include "unit/check.h"

#include "base/fs.h"
#include "base/json.h"
#include "cli/codegen/import_program.h"
#include "go/golang.h"
#include "model/urn.h"
#include "model/value_json.h"
#include "nodejs/nodejs.h"
#include "python/python.h"
#include "yaml/serve/yaml_program.h"

#include <stdio.h>

#define CASES "tests/codegen/import"

/* --- reading --- */

static struct value read_json(struct arena *arena, str path,
                              fallible (*read)(struct json_reader *reader, struct value *out))
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value value;
    str text;

    assert_ok(fs_read(arena, path, 1 << 20, &text));
    json_reader_init(&reader, arena, text);
    assert_ok(read(&reader, &value));
    return value;
}

static str case_path(struct arena *arena, str name, str file)
{
    return fs_path_join(arena, fs_path_join(arena, STR(CASES), name), file);
}

static struct value member_or(struct value object, str key, struct value otherwise)
{
    const struct value *found = value_find(object, key);
    return found ? *found : otherwise;
}

static struct resource *read_resource(struct arena *arena, struct value state)
{
    struct resource *resource = ARENA_NEW(arena, struct resource);

    *resource = (struct resource){
        .urn = value_find_text(state, STR("urn")),
        .type = value_find_text(state, STR("type")),
        .id = value_find_text(state, STR("id")),
        .parent = value_find_text(state, STR("parent")),
        .provider = value_find_text(state, STR("provider")),
        .is_custom = member_or(state, STR("custom"), value_bool(false)).boolean,
        .inputs = member_or(state, STR("inputs"), VALUE_EMPTY_OBJECT),
        .outputs = member_or(state, STR("outputs"), VALUE_EMPTY_OBJECT),
        .options.protect = member_or(state, STR("protect"), value_bool(false)).boolean,
    };
    return resource;
}

/* The states do not have the inputs of default providers: the version is in the list. */
static struct snapshot read_state(struct arena *arena, struct value states, str version)
{
    struct snapshot snapshot = { .resource_count = states.len };

    snapshot.resources = ARENA_ARRAY(arena, struct resource *, states.len);
    for (uint32_t i = 0; i < states.len; i++) {
        struct resource *resource = read_resource(arena, states.items[i]);
        if (type_is_provider(resource->type) && version.len)
            resource->inputs =
                value_with(arena, resource->inputs, STR("version"), value_string(version));
        snapshot.resources[i] = resource;
    }
    return snapshot;
}

/* --- the schema --- */

static fallible find_acme(void *schema, const struct package_ref *package, struct schema **out)
{
    assert_str_equal(package->name, STR("acme"));
    *out = schema;
    return NULL;
}

static fallible load_acme(void *json, const struct pcl_package *package, struct arena *arena,
                          str *out)
{
    (void)arena;
    assert_str_equal(package->name, STR("acme"));
    *out = *(const str *)json;
    return NULL;
}

/* --- are two programs the same? --- */

static bool pcl_equal(const struct pcl_expr *a, const struct pcl_expr *b);
static bool pcl_body_equal(const struct pcl_body *a, const struct pcl_body *b);

static bool pcl_members_equal(const struct pcl_member *a, const struct pcl_member *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!str_equal(a[i].key, b[i].key) || !pcl_equal(a[i].value, b[i].value))
            return false;
    return true;
}

static bool pcl_equal(const struct pcl_expr *a, const struct pcl_expr *b)
{
    if (a->kind != b->kind || a->len != b->len || a->boolean != b->boolean || a->number < b->number
        || a->number > b->number || !str_equal(a->text, b->text))
        return false;
    for (size_t i = 0; a->kind != PCL_OBJECT && i < a->len; i++)
        if (!pcl_equal(a->items[i], b->items[i]))
            return false;
    return a->kind != PCL_OBJECT || pcl_members_equal(a->members, b->members, a->len);
}

static bool pcl_blocks_equal(const struct pcl_block *a, const struct pcl_block *b)
{
    if (!str_equal(a->kind, b->kind) || a->label_count != b->label_count)
        return false;
    for (size_t i = 0; i < a->label_count; i++)
        if (!str_equal(a->labels[i], b->labels[i]))
            return false;
    return pcl_body_equal(&a->body, &b->body);
}

static bool pcl_body_equal(const struct pcl_body *a, const struct pcl_body *b)
{
    if (a->attribute_count != b->attribute_count || a->block_count != b->block_count)
        return false;
    for (size_t i = 0; i < a->block_count; i++)
        if (!pcl_blocks_equal(&a->blocks[i], &b->blocks[i]))
            return false;
    return pcl_members_equal(a->attributes, b->attributes, a->attribute_count);
}

/* --- one case --- */

static const struct {
    const char *extension;
    pcl_print *print;
} printers[] = {
    { "ts", node_print_program },
    { "py", python_print_program },
    { "go", go_print_program },
    { "yaml", yaml_print_program },
};

static str urn_of_entry(struct arena *arena, struct value entries, uint32_t index)
{
    struct value entry = entries.items[index];
    str parent = value_find_text(entry, STR("parent")), parent_urn = STR("");
    str name = value_find_text(entry, STR("logicalName"));

    for (uint32_t i = 0; parent.len && i < entries.len; i++)
        if (str_equal(value_find_text(entries.items[i], STR("name")), parent))
            parent_urn = urn_of_entry(arena, entries, i);
    return urn_make(arena, STR("dev"), STR("imp"), parent_urn, value_find_text(entry, STR("type")),
                    name.len ? name : value_find_text(entry, STR("name")));
}

/* What `import --file` made of the list. */
static void imports_of_list(struct arena *arena, struct value list, struct import_program *out)
{
    struct import_name *imports = ARENA_ARRAY(arena, struct import_name, list.len);

    for (uint32_t i = 0; i < list.len; i++)
        imports[i] = (struct import_name){ value_find_text(list.items[i], STR("name")),
                                           urn_of_entry(arena, list, i) };
    out->imports = imports;
    out->import_count = list.len;
}

/* `import TYPE NAME ID --parent myparent=URN --provider myprov=URN`. */
static void imports_of_line(struct arena *arena, struct import_program *out)
{
    static const struct import_name imports[] = {
        { STR_INIT("b2"),
          STR_INIT("urn:pulumi:dev::imp::my:comp:Comp$acme:store/bucket:Bucket::b2") }
    };
    static const struct pair table[] = {
        { STR_INIT("myparent"), STR_INIT("urn:pulumi:dev::imp::my:comp:Comp::comp") },
        { STR_INIT("myprov"), STR_INIT("urn:pulumi:dev::imp::pulumi:providers:acme::prov") },
    };

    (void)arena;
    out->imports = imports;
    out->import_count = 1;
    out->table = (struct pairs){ table, 2 };
}

static str program_of_case(struct arena *arena, str name, struct schema *schema)
{
    struct value described =
        read_json(arena, case_path(arena, name, STR("case.json")), value_read_plain);
    struct value states = read_json(arena, case_path(arena, name, STR("state.json")), value_read);
    const struct value *list = value_find(described, STR("resources"));
    str version = list ? value_find_text(list->items[0], STR("version")) : STR("1.2.3"), text;
    struct snapshot snapshot = read_state(arena, states, version);
    struct import_program program = {
        .arena = arena, .snapshot = &snapshot, .context = schema, .find_schema = find_acme
    };

    if (list)
        imports_of_list(arena, *list, &program);
    else
        imports_of_line(arena, &program);
    assert_ok(import_program_write(&program, &text));
    return text;
}

/* What is better here than where the case was recorded has a file of its own. */
static bool wanted_program(struct arena *arena, str name, str extension, str *out)
{
    str own = case_path(arena, name, arena_concat(arena, STR("own."), extension));
    str recorded = case_path(arena, name, arena_concat(arena, STR("out."), extension));

    if (!fs_exists(own) && !fs_exists(recorded))
        return false;
    assert_ok(fs_read(arena, fs_exists(own) ? own : recorded, 1 << 20, out));
    return true;
}

static bool same_pcl(struct arena *arena, str name, str text)
{
    struct pcl_body got, wanted;
    str recorded;

    assert_ok(pcl_read(arena, text, &got));
    if (!wanted_program(arena, name, STR("pp"), &recorded))
        return false;
    assert_ok(pcl_read(arena, recorded, &wanted));
    return pcl_body_equal(&got, &wanted);
}

static void print_difference(str name, const char *extension, str got, str wanted)
{
    size_t same = 0, start = 0;

    while (same < got.len && same < wanted.len && got.ptr[same] == wanted.ptr[same])
        start = got.ptr[same++] == '\n' ? same : start;
    print_error(STR_FMT " %s: got %.*s\n", STR_ARG(name), extension,
                (int)(got.len - start > 90 ? 90 : got.len - start), got.ptr + start);
    print_error("    wanted %.*s\n", (int)(wanted.len - start > 90 ? 90 : wanted.len - start),
                wanted.ptr + start);
}

static size_t judge_case(struct arena *arena, str name, str json)
{
    struct schema *schema;
    size_t wrong = 0;

    assert_ok(schema_read(arena, json, &schema));
    str text = program_of_case(arena, name, schema);
    if (!same_pcl(arena, name, text)) {
        print_error(STR_FMT ": another PCL:\n" STR_FMT, STR_ARG(name), STR_ARG(text));
        wrong++;
    }
    schema_release(schema);
    for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
        const struct pcl_loader loader = { &json, load_acme };
        struct pcl_program program;
        str got, wanted = STR("");
        assert_ok(pcl_program_read(arena, text, &loader, &program));
        assert_ok(printers[i].print(&program, &got));
        pcl_program_release(&program);
        bool is_known = wanted_program(arena, name, str_from(printers[i].extension), &wanted);
        if (is_known && str_equal(got, wanted))
            continue;
        print_difference(name, printers[i].extension, got, wanted);
        wrong++;
    }
    return wrong;
}

static void every_case_prints_what_was_recorded(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    size_t len, count = 0, wrong = 0;
    str *names, json;

    (void)state;
    assert_ok(fs_read(&arena, STR(CASES "/schema.json"), 1 << 20, &json));
    assert_ok(fs_list(&arena, STR(CASES), &names, &len));
    for (size_t i = 0; i < len; i++) {
        if (!fs_is_directory(fs_path_join(&arena, STR(CASES), names[i])))
            continue;
        wrong += judge_case(&arena, names[i], json);
        count++;
    }
    assert_int_equal(count, 66);
    assert_int_equal(wrong, 0);
}

/* --- what the cases do not have --- */

static fallible find_none(void *context, const struct package_ref *package, struct schema **out)
{
    (void)context, (void)package;
    *out = NULL;
    return NULL;
}

/* Options of the state, names that are no identifiers, and a package without a schema. */
static void options_and_odd_names_are_printed(void **state)
{
    static const str ignored[] = { STR_INIT("a.b[0]"), STR_INIT("list[*].c"),
                                   STR_INIT("x[\"y\"]") };
    static const str needed[] = { STR_INIT("urn:pulumi:dev::imp::p:m:T::one"),
                                  STR_INIT("urn:pulumi:dev::imp::p:m:T::two words") };
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct member input = { STR("n"), value_number(1) };
    struct value inputs = value_object(&arena, &input, 1);
    struct resource one = { .urn = needed[0],
                            .type = STR("p:m:T"),
                            .is_custom = true,
                            .id = STR("1"),
                            .inputs = inputs,
                            .options.retain_on_delete = true };
    struct resource two = { .urn = needed[1],
                            .type = STR("p:m:T"),
                            .is_custom = true,
                            .id = STR("2"),
                            .inputs = VALUE_EMPTY_OBJECT,
                            .dependencies = { needed, 1 },
                            .options.ignore_changes = { ignored, 3 } };
    struct resource *resources[] = { &one, &two };
    const struct snapshot snapshot = { .resources = resources, .resource_count = 2 };
    const struct import_name imports[] = { { STR("two words"), needed[1] },
                                           { STR("one"), needed[0] } };
    const struct import_program program = { .arena = &arena,
                                            .snapshot = &snapshot,
                                            .imports = imports,
                                            .import_count = 2,
                                            .find_schema = find_none };
    struct pcl_body body;
    str text;

    (void)state;
    assert_ok(import_program_write(&program, &text));
    assert_str_equal(text, STR("package p {\n    baseProviderName = \"p\"\n}\n\n"
                               "resource \"two words\" \"p:m:T\" {\n    options {\n"
                               "        dependsOn = [one]\n"
                               "        ignoreChanges = [a.b[0], \"list[*].c\", \"x[\\\"y\\\"]\"]\n"
                               "    }\n}\n\n"
                               "resource one \"p:m:T\" {\n    n = 1\n    options {\n"
                               "        retainOnDelete = true\n    }\n}\n"));
    assert_ok(pcl_read(&arena, text, &body));
}

static void keep_note(void *note, str text)
{
    *(str *)note = text;
}

/* The name of an attribute is an identifier. */
static void a_property_that_no_program_can_name_is_left_out(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct member inputs[] = { { STR("$n"), value_number(1) },
                                     { STR("n"), value_number(2) } };
    struct resource one = { .urn = STR("urn:pulumi:dev::imp::p:m:T::one"),
                            .type = STR("p:m:T"),
                            .is_custom = true,
                            .id = STR("1"),
                            .inputs = value_object(&arena, inputs, 2) };
    struct resource *resources[] = { &one };
    const struct snapshot snapshot = { .resources = resources, .resource_count = 1 };
    const struct import_name imports[] = { { STR("one"), one.urn } };
    str text, note = STR("");
    const struct import_program program = { .arena = &arena,
                                            .snapshot = &snapshot,
                                            .imports = imports,
                                            .import_count = 1,
                                            .context = &note,
                                            .find_schema = find_none,
                                            .note = keep_note };

    (void)state;
    assert_ok(import_program_write(&program, &text));
    assert_str_equal(text, STR("package p {\n    baseProviderName = \"p\"\n}\n\n"
                               "resource one \"p:m:T\" {\n    n = 2\n}\n"));
    assert_str_equal(note, STR("the code leaves out the property '$n' of 'one': no program can "
                               "have one of that name"));
}

/* --- printing one --- */

static int print_case(str name, str extension)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pcl_program program;
    struct schema *schema;
    str json, text, got = STR("");

    assert_ok(fs_read(&arena, STR(CASES "/schema.json"), 1 << 20, &json));
    assert_ok(schema_read(&arena, json, &schema));
    text = got = program_of_case(&arena, name, schema);
    for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
        const struct pcl_loader loader = { &json, load_acme };
        if (!str_equal(extension, str_from(printers[i].extension)))
            continue;
        assert_ok(pcl_program_read(&arena, text, &loader, &program));
        assert_ok(printers[i].print(&program, &got));
        pcl_program_release(&program);
    }
    printf(STR_FMT, STR_ARG(got));
    schema_release(schema);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_prints_what_was_recorded),
        cmocka_unit_test(options_and_odd_names_are_printed),
        cmocka_unit_test(a_property_that_no_program_can_name_is_left_out),
    };

    if (argc == 3)
        return print_case(str_from(argv[1]), str_from(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
