/* fuzz_stack_config.c — a value set in a stack's file reads back, and everything else in it stays
 * as it was; so does what the history keeps of it. */
#include "fuzz/fuzz_support.h"

#include "base/strbuf.h"
#include "project/config_value.h"
#include "project/project.h"

static void require_same(const struct config *a, const struct config *b)
{
    REQUIRE(a->len == b->len);
    for (size_t i = 0; i < a->len; i++) {
        const struct value *other = config_find(b, a->items[i].key);
        REQUIRE(other && config_equal(a->items[i].value, *other));
    }
}

/* Bytes that are none stand in YAML as base64; JSON has no place for them. */
static bool is_text(struct value value)
{
    if (value.kind == VALUE_STRING)
        return str_is_utf8(value_text(value));
    for (uint32_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        if (!is_text(value.items[i]))
            return false;
    for (uint32_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        if (!is_text(value.members[i].value))
            return false;
    return true;
}

static void check_json(struct arena *arena, const struct config *config)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_writer writer = { .out = &text };
    struct config again = { 0 };

    for (size_t i = 0; i < config->len; i++)
        if (!is_text(config->items[i].value))
            return;
    config_write_json(&writer, config);
    json_reader_init(&reader, arena, strbuf_str(&text));
    REQUIRE(fuzz_accepts(config_read_json(&reader, &again)));
    require_same(config, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack, again;
    struct config_key key = { STR("p1"), STR("added") };
    str text;

    if (!fuzz_accepts(stack_config_parse(&arena, STR("/Pulumi.dev.yaml"),
                                         (str){ (const char *)data, size }, STR("p1"), &stack)))
        return 0;
    check_json(&arena, &stack.config);
    config_put(&arena, &stack.config, key, value_string(STR("a: text\nof lines")));
    REQUIRE(fuzz_accepts(stack_config_render(&arena, &stack, &text)));
    REQUIRE(fuzz_accepts(stack_config_parse(&arena, stack.path, text, STR("p1"), &again)));
    REQUIRE(str_equal(again.encryption_salt, stack.encryption_salt));
    require_same(&stack.config, &again.config);
    return 0;
}
