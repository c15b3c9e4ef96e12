/* test_template.c — templates: their addresses, what is filled in, names, copies that can be
 * undone. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "template/template_pack.h"

#include <stdlib.h>
#include <sys/stat.h>

static struct arena arena;

static int end(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

/* --- filling in --- */

static void fills(const char *path, const char *text, const char *description, const char *wanted)
{
    const struct template_values values = { STR("web"), str_from(description) };

    assert_str_equal(template_fill(&arena, str_from(path), str_from(text), &values),
                     str_from(wanted));
}

static void marks_are_replaced_and_nothing_else_is(void **state)
{
    (void)state;
    fills("a.ts", "${PROJECT} $${PROJECT} ${project} ${PROJECT", "d",
          "web $web ${project} ${PROJECT");
    fills("a.ts", "${DESCRIPTION}${PROJECT}", "${PROJECT}", "${PROJECT}web");
}

static void a_binary_file_stays_as_it_is(void **state)
{
    const struct template_values values = { STR("web"), STR("d") };
    char late[9000];

    (void)state;
    assert_str_equal(template_fill(&arena, STR("a.png"), STR("\0${PROJECT}"), &values),
                     STR("\0${PROJECT}"));
    memset(late, ' ', sizeof(late));
    memcpy(late, "${PROJECT}", 10);
    late[8999] = '\0';
    str filled = template_fill(&arena, STR("a.txt"), (str){ late, sizeof(late) }, &values);
    assert_true(str_starts_with(filled, STR("web ")));
}

static void yaml_values_are_quoted_where_they_must_be(void **state)
{
    (void)state;
    fills("a.yaml", "d: ${DESCRIPTION}\n", "plain words", "d: plain words\n");
    fills("a.yaml", "d: ${DESCRIPTION} # note\n", "a: b", "d: 'a: b' # note\n");
    fills("a.yaml", "- ${DESCRIPTION}", "true", "- \"true\"");
    fills("a.yaml", "[${DESCRIPTION}, x]", "a, b", "['a, b', x]");
    fills("a.yaml", "d: ${DESCRIPTION}", "two\nlines", "d: \"two\\nlines\"");
    fills("a.txt", "d: ${DESCRIPTION}", "a: b", "d: a: b");
}

static void quotes_that_are_there_are_kept(void **state)
{
    (void)state;
    fills("a.yaml", "d: \"${DESCRIPTION}\"", "say \"a\\b\"", "d: \"say \\\"a\\\\b\\\"\"");
    fills("a.yaml", "d: '${DESCRIPTION}'", "it's", "d: 'it''s'");
    fills("a.yaml", "d: x-${PROJECT}-y", "", "d: x-web-y");
}

static void names_of_files_take_the_project(void **state)
{
    const struct template_values values = { STR("web"), STR("d") };

    (void)state;
    assert_str_equal(template_fill_path(&arena, STR("${PROJECT}/a-${PROJECT}.go"), &values),
                     STR("web/a-web.go"));
    assert_str_equal(template_fill_path(&arena, STR("a/${DESCRIPTION}"), &values),
                     STR("a/${DESCRIPTION}"));
    assert_str_equal(template_fill_path(&arena, STR("${PROJECT}"), &values), STR("web"));
}

/* Who wrote the template chooses how often the mark is there. */
static void a_name_costs_what_it_becomes(void **state)
{
    enum { MARKS = 5000 };
    CLEANUP(arena_release) struct arena spent = { 0 };
    CLEANUP(strbuf_release) struct strbuf name = { 0 };
    const struct template_values values = { STR("0123456789"), STR("d") };

    (void)state;
    for (size_t i = 0; i < MARKS; i++)
        strbuf_add(&name, STR("${PROJECT}"));
    assert_int_equal(template_fill_path(&spent, strbuf_str(&name), &values).len, MARKS * 10);
    assert_true(spent.total < 4 * MARKS * 10);
}

static void any_text_makes_a_name(void **state)
{
    (void)state;
    assert_str_equal(template_project_name(&arena, STR("My App!")), STR("My-App"));
    assert_str_equal(template_project_name(&arena, STR("a_b.c-d")), STR("a_b.c-d"));
    assert_str_equal(template_project_name(&arena, STR("  ")), STR("project"));
    assert_str_equal(template_project_name(&arena, STR("né")), STR("n"));
    str longest = arena_printf(&arena, "%0200d", 7);
    assert_int_equal(template_project_name(&arena, longest).len, 100);
}

/* --- addresses --- */

static struct template_address parsed(const char *text)
{
    struct template_address address;

    assert_ok(template_address_parse(&arena, str_from(text), &address));
    return address;
}

static void is_repository(const char *text, const char *url, const char *reference,
                          const char *folder)
{
    struct template_address address = parsed(text);

    assert_int_equal(address.place, TEMPLATE_GIT);
    assert_str_equal(address.url, str_from(url));
    assert_str_equal(address.reference, str_from(reference));
    assert_str_equal(address.folder, str_from(folder));
}

static void repositories_are_taken_apart(void **state)
{
    (void)state;
    is_repository("https://h.test/o/r", "https://h.test/o/r.git", "", "");
    is_repository("https://h.test/o/r.git", "https://h.test/o/r.git", "", "");
    is_repository("https://h.test/o/r/a/b/", "https://h.test/o/r.git", "", "a/b");
    is_repository("https://h.test/a/b/c.git/d", "https://h.test/a/b/c.git", "", "d");
    is_repository("https://h.test/o/r/tree/main", "https://h.test/o/r.git", "main", "");
    is_repository("https://h.test/o/r/tree/x/y/z", "https://h.test/o/r.git", "x/y/z", "");
    is_repository("git@h.test:o/r.git", "git@h.test:o/r.git", "", "");
    is_repository("git@h.test:o/r/sub", "git@h.test:o/r", "", "sub");
    is_repository("ssh://git@h.test/o/r", "ssh://git@h.test/o/r.git", "", "");
}

static void names_and_paths_are_no_addresses(void **state)
{
    static const char *const names[] = { "yaml", "./a/b", "../x", "a:b", "C:\\x", "o/r", "a@b" };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_int_equal(parsed(names[i]).place, TEMPLATE_NAME);
}

static void a_password_is_apart_and_never_shown(void **state)
{
    (void)state;
    struct template_address address = parsed("https://me:hush@h.test/o/r/tree/main?token=hush");
    assert_str_equal(address.url, STR("https://h.test/o/r.git"));
    assert_str_equal(address.login, STR("me:hush"));
    assert_true(str_find(address.shown, STR("hush")) == SIZE_MAX);
    address = parsed("https://me:hush@h.test/a/x.zip?sig=hush");
    assert_int_equal(address.place, TEMPLATE_ZIP);
    assert_str_equal(address.url, STR("https://h.test/a/x.zip?sig=hush"));
    assert_str_equal(address.shown, STR("https://h.test/a/x.zip"));
}

static void addresses_that_lead_nowhere_are_refused(void **state)
{
    static const char *const texts[] = {
        "https://h.test",          "https://h.test/o", "https:///o/r",   "https://-oProxy/o/r",
        "https://h.test/o/r/../x", "git@h.test:r",     "-oX@h.test:o/r", "ssh://h.test/x.zip"
    };
    struct template_address address;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_fails(template_address_parse(&arena, str_from(texts[i]), &address), ERROR_INVALID,
                     "is not the address of a template");
}

static void the_longest_branch_wins(void **state)
{
    const str names[] = { STR_INIT("x"), STR_INIT("x/y"), STR_INIT("main") };
    const struct strs list = { names, 3 };

    (void)state;
    struct template_address address = parsed("https://h.test/o/r/tree/x/y/z");
    assert_ok(template_address_resolve(&address, list));
    assert_str_equal(address.reference, STR("x/y"));
    assert_str_equal(address.folder, STR("z"));
    address = parsed("https://h.test/o/r/tree/xy");
    assert_fails(template_address_resolve(&address, list), ERROR_NOT_FOUND, "no branch or tag");
}

/* --- built in --- */

static void built_in_templates_are_whole(void **state)
{
    (void)state;
    for (enum template_kind kind = TEMPLATE_PROJECT; kind <= TEMPLATE_PACKAGE; kind++) {
        struct templates list;
        template_built_in(&arena, kind, &list);
        assert_true(list.len > 1);
        for (size_t i = 0; i < list.len; i++) {
            struct template *template = &list.items[i];
            template_inspect(&arena, template);
            assert_str_equal(template->problem, STR(""));
            assert_true(template->description.len > 0);
            assert_true(template->files.len > 0);
        }
    }
}

static void shown(const char *text, const char *wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_add_shown(&out, str_from(text), false);
    assert_str_equal(strbuf_str(&out), str_from(wanted));
}

static void text_for_a_terminal_is_only_text(void **state)
{
    (void)state;
    shown("plain \xc3\xa9 \xe2\x9c\xa8", "plain \xc3\xa9 \xe2\x9c\xa8");
    shown("a\tb\r\nc", "a b  c");
    shown("\x1b\x7f", "\xef\xbf\xbd\xef\xbf\xbd");
    shown("\xc2\x9b"
          "31m",
          "\xef\xbf\xbd"
          "31m"); /* C1: another escape */
    shown("\xe2\x80\xae"
          "x",
          "\xef\xbf\xbd"
          "x"); /* right to left */
    shown("\xff", "\xef\xbf\xbd");
}

static void texts_of_templates_do_not_reach_the_terminal(void **state)
{
    struct template template = {
        .kind = TEMPLATE_PROJECT,
        .name = STR("a\x1b[2J"),
        .manifest = STR("name: x\nruntime: yaml\ntemplate:\n  description: \"a\\nb \\e]0;x\\a c\"\n"
                        "  quickstart: \"one\\ntwo\\e[31m\"\n"),
    };

    (void)state;
    template_inspect(&arena, &template);
    assert_str_equal(template.problem, STR(""));
    assert_str_equal(template.name, STR("a\xef\xbf\xbd[2J"));
    assert_str_equal(template.description, STR("a b \xef\xbf\xbd]0;x\xef\xbf\xbd c"));
    assert_str_equal(template.quickstart, STR("one\ntwo\xef\xbf\xbd[31m"));
}

/* --- files of an archive --- */

static void a_folder_with_a_manifest_is_a_template(void **state)
{
    struct template_file files[] = {
        { STR("b/x/Pulumi.yaml"), 0644, STR(""), STR("no") },
        { STR("b/Pulumi.yaml"), 0644, STR(""), STR("of b") },
        { STR("README"), 0644, STR(""), STR("") },
        { STR("a/main.py"), 0644, STR(""), STR("") },
        { STR("none/main.py"), 0644, STR(""), STR("") },
        { STR("a/Pulumi.yaml"), 0644, STR(""), STR("of a") },
        { STR("a/Pulumi.yaml"), 0644, STR(""), STR("once more") },
    };
    const struct template_files all = { files, 7 };
    struct templates list;
    bool is_collection = false;

    (void)state;
    template_from_files(&arena, TEMPLATE_PROJECT, STR("zip"), all, &list, &is_collection);
    assert_true(is_collection);
    assert_int_equal(list.len, 2);
    assert_str_equal(list.items[0].name, STR("a"));
    assert_str_equal(list.items[0].manifest, STR("of a"));
    assert_int_equal(list.items[0].files.len, 3);
    assert_str_equal(list.items[0].files.items[0].path, STR("main.py"));
    assert_str_equal(list.items[1].name, STR("b"));
    assert_int_equal(list.items[1].files.len, 2);

    files[2].path = STR("Pulumi.yaml");
    template_from_files(&arena, TEMPLATE_PROJECT, STR("zip"), all, &list, &is_collection);
    assert_false(is_collection);
    assert_int_equal(list.len, 1);
    assert_str_equal(list.items[0].name, STR("zip"));
    assert_int_equal(list.items[0].files.len, 7);
}

static void many_templates_cost_what_they_are(void **state)
{
    enum { COUNT = 2000 };
    CLEANUP(arena_release) struct arena spent = { 0 };
    struct template_file *files = ARENA_ARRAY(&spent, struct template_file, COUNT);
    struct templates list;
    bool is_collection;

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        files[i] = (struct template_file){ .path = arena_printf(&spent, "%zu/Pulumi.yaml", i),
                                           .content = STR("name: x\n") };
    template_from_files(&spent, TEMPLATE_PROJECT, STR("zip"),
                        (struct template_files){ files, COUNT }, &list, &is_collection);
    assert_int_equal(list.len, COUNT);
    assert_true(spent.total < COUNT * 4096);
}

/* --- copies --- */

static struct template of_files(struct template_file *files, size_t len)
{
    return (struct template){ .kind = TEMPLATE_PROJECT, .files = { files, len } };
}

static str text_of(str folder, const char *name)
{
    str text;

    assert_ok(fs_read(&arena, fs_path_join(&arena, folder, str_from(name)), 0, &text));
    return text;
}

static void a_copy_that_fails_leaves_everything_as_it_was(void **state)
{
    const struct template_values values = { STR("web"), STR("d") };
    char folder_[] = "/tmp/test-template-XXXXXX";
    str folder = str_from(mkdtemp(folder_));
    struct template_file files[] = {
        { STR("Pulumi.yaml"), 0644, STR(""), STR("name: x\n") },
        { STR("deep/er/file"), 0644, STR(""), STR("new") },
        { STR("old"), 0644, STR(""), STR("new") },
        { STR("in-the-way"), 0644, STR(""), STR("new") },
    };
    struct template template = of_files(files, 4);
    struct template_copy copy;

    (void)state;
    assert_ok(fs_create(fs_path_join(&arena, folder, STR("old")), STR("former"), 0640));
    assert_ok(fs_make_directory(fs_path_join(&arena, folder, STR("in-the-way")), 0755));
    assert_ok(template_copy_plan(&arena, &template, folder, &values, &copy));
    assert_fails(template_copy_write(&copy, &values), ERROR_EXISTS, "in the way");
    assert_str_equal(text_of(folder, "old"), STR("former"));
    assert_false(fs_exists(fs_path_join(&arena, folder, STR("deep"))));
    assert_false(fs_exists(fs_path_join(&arena, folder, STR("Pulumi.yaml"))));
    assert_ok(fs_remove_tree(folder));
}

static void a_copy_can_be_undone(void **state)
{
    const struct template_values values = { STR("web"), STR("d") };
    char folder_[] = "/tmp/test-template-XXXXXX";
    str folder = str_from(mkdtemp(folder_)), target = fs_path_join(&arena, folder, STR("a/b"));
    struct template_file files[] = { { STR("Pulumi.yaml"), 0644, STR(""), STR("name: x\n") } };
    struct template template = of_files(files, 1);
    struct template_copy copy;

    (void)state;
    assert_ok(template_copy_plan(&arena, &template, target, &values, &copy));
    template_copy_set_manifest(&copy, STR("name: y\n"));
    assert_ok(template_copy_write(&copy, &values));
    assert_str_equal(text_of(target, "Pulumi.yaml"), STR("name: y\n"));
    template_copy_undo(&copy);
    assert_false(fs_exists(fs_path_join(&arena, folder, STR("a"))));
    assert_ok(fs_remove_tree(folder));
}

static void names_that_lead_out_are_refused(void **state)
{
    static const char *const names[] = { "../x", "a/../../x", "/x", ".git/hooks/x" };
    const struct template_values values = { STR("web"), STR("d") };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct template_file file = { str_from(names[i]), 0644, STR(""), STR("") };
        struct template template = of_files(&file, 1);
        struct template_copy copy;
        assert_fails(template_copy_plan(&arena, &template, STR("/tmp/x"), &values, &copy),
                     ERROR_INVALID, "the template has a file named");
    }
}

/* Making its folders must not take more stack than there is. */
static void a_name_that_is_too_deep_is_refused(void **state)
{
    CLEANUP(strbuf_release) struct strbuf name = { 0 };
    const struct template_values values = { STR("web"), STR("d") };
    struct template_copy copy;

    (void)state;
    for (int i = 0; i < 64; i++)
        strbuf_add(&name, STR("a/"));
    str most = arena_concat(&arena, strbuf_str(&name), STR("x"));
    str more = arena_concat(&arena, strbuf_str(&name), STR("a/x"));
    struct template_file file = { most, 0644, STR(""), STR("") };
    struct template template = of_files(&file, 1);
    assert_ok(template_copy_plan(&arena, &template, STR("/tmp/x"), &values, &copy));
    file.path = more;
    assert_fails(template_copy_plan(&arena, &template, STR("/tmp/x"), &values, &copy),
                 ERROR_INVALID, "nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_replaced_and_nothing_else_is),
        cmocka_unit_test(a_binary_file_stays_as_it_is),
        cmocka_unit_test(yaml_values_are_quoted_where_they_must_be),
        cmocka_unit_test(quotes_that_are_there_are_kept),
        cmocka_unit_test(names_of_files_take_the_project),
        cmocka_unit_test(a_name_costs_what_it_becomes),
        cmocka_unit_test(any_text_makes_a_name),
        cmocka_unit_test(repositories_are_taken_apart),
        cmocka_unit_test(names_and_paths_are_no_addresses),
        cmocka_unit_test(a_password_is_apart_and_never_shown),
        cmocka_unit_test(addresses_that_lead_nowhere_are_refused),
        cmocka_unit_test(the_longest_branch_wins),
        cmocka_unit_test(built_in_templates_are_whole),
        cmocka_unit_test(text_for_a_terminal_is_only_text),
        cmocka_unit_test(texts_of_templates_do_not_reach_the_terminal),
        cmocka_unit_test(a_folder_with_a_manifest_is_a_template),
        cmocka_unit_test(many_templates_cost_what_they_are),
        cmocka_unit_test(a_copy_that_fails_leaves_everything_as_it_was),
        cmocka_unit_test(a_copy_can_be_undone),
        cmocka_unit_test(names_that_lead_out_are_refused),
        cmocka_unit_test(a_name_that_is_too_deep_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
