/* property_decode.c — texts that hold an object or a list, as JSON or as YAML. */
#include "display/property_pieces.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "model/value_json.h"

static bool decode_json(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token token;

    if (!text.len || (text.ptr[0] != '{' && text.ptr[0] != '['))
        return false;
    json_reader_init(&reader, arena, text);
    struct error *failure = value_read_plain(&reader, out);
    if (!failure)
        failure = json_next(&reader, &token);
    bool is_whole = !failure && token.kind == JSON_END;
    error_ignore(failure, "what is no JSON may be YAML, or just text");
    return is_whole;
}

/* A second document would be left out: such a text is shown as it is. */
static bool has_documents(str text)
{
    str line, rest = text;

    for (bool is_first = true; str_next(&rest, STR("\n"), &line); is_first = false) {
        if (!is_first && (str_starts_with(line, STR("---")) || str_starts_with(line, STR("..."))))
            return true;
    }
    return false;
}

/* Keys are texts and numbers. */
static bool decode_key(struct arena *arena, const struct yaml_node *node, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (node->kind != YAML_SCALAR)
        return false;
    struct yaml_scalar scalar = yaml_resolve(node);
    if (scalar.type == YAML_STRING) {
        *out = scalar.text;
        return true;
    }
    if (scalar.type == YAML_INT && scalar.is_unsigned)
        strbuf_printf(&text, "%.0f", scalar.number);
    else if (scalar.type == YAML_INT)
        strbuf_printf(&text, "%lld", (long long)scalar.integer);
    else if (scalar.type == YAML_FLOAT)
        json_format_number(&text, scalar.number);
    *out = arena_copy(arena, strbuf_str(&text));
    return scalar.type == YAML_INT || scalar.type == YAML_FLOAT;
}

static bool decode_scalar(const struct yaml_node *node, struct value *out)
{
    struct yaml_scalar scalar = yaml_resolve(node);

    switch (scalar.type) {
    case YAML_NULL: *out = value_null(); return true;
    case YAML_BOOL: *out = value_bool(scalar.boolean); return true;
    case YAML_INT:
    case YAML_FLOAT: *out = value_number(scalar.number); return true;
    case YAML_STRING: *out = value_string(scalar.text); return true;
    case YAML_TIMESTAMP: return false;
    }
    return false;
}

static bool decode_node(struct arena *arena, const struct yaml_node *node, struct value *out)
{
    if (node->kind == YAML_SCALAR)
        return decode_scalar(node, out);
    if (node->kind == YAML_SEQUENCE) {
        struct value *items = ARENA_ARRAY(arena, struct value, node->len + 1);
        for (size_t i = 0; i < node->len; i++)
            if (!decode_node(arena, node->items[i], &items[i]))
                return false;
        *out = value_array(arena, items, node->len);
        return true;
    }
    struct member *members = ARENA_ARRAY(arena, struct member, node->len + 1);
    for (size_t i = 0; i < node->len; i++)
        if (!decode_key(arena, node->pairs[i].key, &members[i].key)
            || !decode_node(arena, node->pairs[i].value, &members[i].value))
            return false;
    *out = value_object(arena, members, node->len);
    return true;
}

/* "key: value" in a sentence is no YAML: it has several lines. */
static bool decode_yaml(struct arena *arena, str text, struct value *out)
{
    struct yaml_node *root;

    if (str_find_char(text, '\n') == SIZE_MAX || has_documents(text))
        return false;
    struct error *failure = yaml_read(arena, text, &root);
    if (failure) {
        error_ignore(failure, "what is no YAML is just text");
        return false;
    }
    return root->kind != YAML_SCALAR && decode_node(arena, root, out);
}

const char *piece_decode(struct arena *arena, str text, struct value *out)
{
    text = str_trim(text);
    if (decode_json(arena, text, out))
        return "json";
    return decode_yaml(arena, text, out) ? "yaml" : NULL;
}
