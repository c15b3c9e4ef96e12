/* test_pcl.c — what is read of PCL, what is refused, and names and numbers as programs have them.
 */
#include "unit/check.h"

#include "pcl/pcl_print.h"

static struct pcl_body read_body(struct arena *arena, str text)
{
    struct pcl_body body;

    assert_ok(pcl_read(arena, text, &body));
    return body;
}

static void values_of_all_kinds_are_read(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pcl_body body = read_body(&arena, STR("a = null\nb = true # yes\nc = -1.5e3\n"
                                                 "d = \"x\\n$${y}%%{z}\\u00e9\\U0001f389\"\n"
                                                 "e = [1, [], ]\nf = {k = 1, \"l m\" : 2\n n = 3}\n"
                                                 "g = f(1, \"2\")\nh = a.b[0][\"c d\"].e\n"));

    (void)state;
    assert_int_equal(body.attribute_count, 8);
    assert_int_equal(pcl_attribute(&body, STR("a"))->kind, PCL_NULL);
    assert_true(pcl_attribute(&body, STR("b"))->boolean);
    assert_true(pcl_attribute(&body, STR("c"))->number == -1500);
    assert_str_equal(pcl_attribute(&body, STR("d"))->text, STR("x\n${y}%{z}é🎉"));
    assert_int_equal(pcl_attribute(&body, STR("e"))->len, 2);
    assert_int_equal(pcl_attribute(&body, STR("f"))->len, 3);
    assert_true(pcl_find(pcl_attribute(&body, STR("f")), STR("l m"))->number == 2);
    assert_int_equal(pcl_attribute(&body, STR("g"))->kind, PCL_CALL);
    assert_int_equal(pcl_attribute(&body, STR("g"))->len, 2);
    assert_int_equal(pcl_attribute(&body, STR("h"))->len, 4);
}

static void blocks_have_labels_and_blocks(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pcl_body body = read_body(
        &arena,
        STR("/*/ a\n b */ resource \"a b\" \"p:m:T\" {\n  x = 1\n  options {\n y = 2 }\n}\n"));

    (void)state;
    assert_int_equal(body.block_count, 1);
    assert_str_equal(body.blocks[0].labels[0], STR("a b"));
    assert_str_equal(body.blocks[0].labels[1], STR("p:m:T"));
    assert_int_equal(body.blocks[0].line, 2);
    assert_non_null(pcl_block(&body.blocks[0].body, STR("options")));
}

static void what_is_not_supported_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text;
        const char *complaint;
    } cases[] = {
        { "a = 1 + 2", "line 1: operators" },
        { "\na = \"${b}\"", "line 2: templates" },
        { "a = [1", "line 1: " },
        { "a {\n", "line 2: a block does not end" },
        { "a = \"x", "does not end" },
        { "a = \"\\q\"", "escape" },
        { "a = \"\\ud800\"", "no character" },
        { "= 1", "a block or an attribute" },
        { "a = ", "the text ends" },
        { "a = -", "a number" },
        { "a = 1.", "operators" },
        { "a = 1e", "operators" },
        { "a = 1e-", "operators" },
        { "a = 1.2.3", "operators" },
        { "a = 1e999", "too large" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pcl_body body;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error *failure = pcl_read(&arena, str_from(cases[i].text), &body);
        assert_non_null(failure);
        if (str_find(error_message(failure), str_from(cases[i].complaint)) == SIZE_MAX)
            fail_msg("%s: " STR_FMT, cases[i].text, STR_ARG(error_message(failure)));
        error_free(failure);
    }
}

static void deep_nesting_is_refused(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct pcl_body body;

    (void)state;
    strbuf_add(&text, STR("a = "));
    strbuf_add_repeated(&text, '[', 100000);
    assert_fails(pcl_read(&arena, strbuf_str(&text), &body), ERROR_INVALID, "too deeply");
}

static fallible load_nothing(void *context, const struct pcl_package *package, struct arena *arena,
                             str *json)
{
    (void)context, (void)package, (void)arena, (void)json;
    return error_new(ERROR_NOT_FOUND, "none");
}

static void resources_come_behind_what_they_refer_to(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct pcl_loader loader = { NULL, load_nothing };
    struct pcl_program program;

    (void)state;
    assert_ok(pcl_program_read(&arena,
                               STR("resource a \"p:m:T\" {\n x = [b.id]\n}\n"
                                   "resource b \"p:m:T\" {\n options {\n parent = c\n}\n}\n"
                                   "component c {\n token = \"x:y:Z\"\n}\n"),
                               &loader, &program));
    assert_int_equal(program.len, 3);
    assert_str_equal(program.resources[program.order[0]].variable, STR("c"));
    assert_str_equal(program.resources[program.order[1]].variable, STR("b"));
    assert_true(program.resources[1].is_used);
    assert_false(program.resources[0].is_used);
    assert_int_equal(program.package_count, 1);
    pcl_program_release(&program);
    assert_fails(pcl_program_read(&arena, STR("config x string {\n}\n"), &loader, &program),
                 ERROR_INVALID, "'config' is not supported");
    assert_fails(pcl_program_read(&arena, STR("x = 1\n"), &loader, &program), ERROR_INVALID,
                 "local variables");
    assert_fails(pcl_program_read(&arena, STR("resource a {\n}\n"), &loader, &program),
                 ERROR_INVALID, "line 1");
}

static void names_are_turned_as_languages_have_them(void **state)
{
    static const struct {
        const char *name, *snake;
    } cases[] = {
        { "bucketName", "bucket_name" }, { "myHTTPUrl", "my_http_url" },
        { "sha256Hash", "sha256_hash" }, { "SHA256Hash", "sha256_hash" },
        { "publicIPs", "public_ips" },   { "snake_case_name", "snake_case_name" },
        { "xItem", "x_item" },           { "ID", "id" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_str_equal(name_snake(&arena, str_from(cases[i].name)), str_from(cases[i].snake));
    assert_str_equal(name_identifier(&arena, STR("1 ü-b")), STR("_1___b"));
    assert_str_equal(name_title(&arena, STR("abc")), STR("Abc"));
}

static void numbers_have_their_shortest_form(void **state)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        { 0, "0" },           { -3, "-3" },      { 123456789012, "123456789012" },
        { 0.5, "0.5" },       { 1e21, "1e+21" }, { 1e-07, "1e-07" },
        { -0.25, "-0.25" },   { 0.1, "0.1" },    { 1.5e300, "1.5e+300" },
        { 1234.5, "1234.5" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        pcl_put_number(&text, cases[i].number);
        assert_str_equal(strbuf_str(&text), str_from(cases[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds_are_read),
        cmocka_unit_test(blocks_have_labels_and_blocks),
        cmocka_unit_test(what_is_not_supported_is_refused_with_its_line),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(resources_come_behind_what_they_refer_to),
        cmocka_unit_test(names_are_turned_as_languages_have_them),
        cmocka_unit_test(numbers_have_their_shortest_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
