/* test_schema_check.c — the verdicts of `schema check` on the schemas in tests/codegen: which are
 * refused, and that what is said about them is said of the same place in the same words. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "model/value_json.h"
#include "schema/schema_check.h"

#include <string.h>

#define VERDICTS "tests/codegen/schema-check.json"

/* Said in other words here, and why. */
static const char *const own_words[] = {
    "ext-ref-noloader", /* one of the complaints, not the end of the check */
};

static bool has_own_words(str name)
{
    for (size_t i = 0; i < sizeof(own_words) / sizeof(own_words[0]); i++)
        if (str_equal(name, str_from(own_words[i])))
            return true;
    return false;
}

static bool judge(struct arena *arena, str name, str schema, struct value verdict)
{
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { .allows_dangling = false };
    str text = value_find_text(verdict, STR("out"));
    bool is_refused = value_find(verdict, STR("rc"))->number != 0, is_right;

    assert_ok(schema_check_json(arena, schema, &options, &complaints));
    is_right = is_refused == (complaints.error_count > 0);
    if (!is_right)
        print_error(STR_FMT ": %zu errors\n", STR_ARG(name), complaints.error_count);
    for (size_t i = 0; i < complaints.len && !has_own_words(name); i++) {
        const struct schema_complaint *complaint = &complaints.items[i];
        str line = arena_concat(arena, complaint->place, complaint->place.len ? STR(": ") : STR(""),
                                complaint->text);
        if (str_find(text, line) != SIZE_MAX)
            continue;
        print_error(STR_FMT ": says '" STR_FMT "'\n", STR_ARG(name), STR_ARG(line));
        is_right = false;
    }
    return is_right;
}

static void every_verdict_is_the_same(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value root;
    size_t wrong = 0, count = 0;
    str text;

    (void)state;
    assert_ok(fs_read(&arena, STR(VERDICTS), 1 << 20, &text));
    json_reader_init(&reader, &arena, text);
    assert_ok(value_read_plain(&reader, &root));
    struct value cases = *value_find(root, STR("cases"));
    struct value results = *value_find(root, STR("results"));
    for (uint32_t i = 0; i < cases.len; i++) {
        CLEANUP(strbuf_release) struct strbuf json = { 0 };
        struct json_writer writer = { .out = &json };
        value_write(&writer, cases.members[i].value, SECRET_BARE);
        const struct value *verdict = value_find(results, cases.members[i].key);
        wrong += !judge(&arena, cases.members[i].key, strbuf_str(&json), *verdict);
        count++;
    }
    assert_int_equal(count, 49);
    assert_int_equal(wrong, 0);
}

static void dangling_references_may_be_allowed(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { .allows_dangling = true };

    (void)state;
    assert_ok(
        schema_check_json(&arena,
                          STR("{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"inputProperties\":"
                              "{\"a\":{\"$ref\":\"#/types/p:index:X\"}}}}}"),
                          &options, &complaints));
    assert_int_equal(complaints.len, 0);
}

static void what_is_no_object_is_refused(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { 0 };

    (void)state;
    assert_fails(schema_check_json(&arena, STR("[1]"), &options, &complaints), ERROR_INVALID,
                 "object");
    assert_fails(schema_check_json(&arena, STR(""), &options, &complaints), ERROR_INVALID, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_is_the_same),
        cmocka_unit_test(dangling_references_may_be_allowed),
        cmocka_unit_test(what_is_no_object_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
