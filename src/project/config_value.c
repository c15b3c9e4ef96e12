/* config_value.c — configuration values between YAML, JSON and memory. */
#include "project/config_value.h"

#include "base/base64.h"
#include "base/vec.h"
#include "model/value_json.h"
#include "model/value_ops.h"

#include <math.h>

struct value config_sealed(struct arena *arena, str ciphertext)
{
    struct secret_value *secret = ARENA_NEW(arena, struct secret_value);

    secret->ciphertext = ciphertext;
    secret->is_opaque = true;
    return (struct value){ .kind = VALUE_SECRET, .secret = secret };
}

static bool value_is_sealed_object(struct value value)
{
    return value.kind == VALUE_SECRET && value.secret->is_opaque;
}

static bool config_is_array(struct value value)
{
    return value.kind == VALUE_ARRAY;
}

bool config_equal(struct value a, struct value b)
{
    if (value_is_sealed_object(a) || value_is_sealed_object(b))
        return value_is_sealed_object(a) && value_is_sealed_object(b)
               && str_equal(a.secret->ciphertext, b.secret->ciphertext);
    if (a.kind != b.kind || (a.kind != VALUE_ARRAY && a.kind != VALUE_OBJECT))
        return value_equal(a, b);
    if (a.len != b.len)
        return false;
    for (uint32_t i = 0; i < a.len; i++) {
        if (!config_is_array(a) && !str_equal(a.members[i].key, b.members[i].key))
            return false;
        if (!config_equal(config_is_array(a) ? a.items[i] : a.members[i].value,
                          config_is_array(b) ? b.items[i] : b.members[i].value))
            return false;
    }
    return true;
}

bool config_read_integer(str text, struct value *out)
{
    bool is_negative = str_starts_with(text, STR("-"));
    bool is_signed = is_negative || str_starts_with(text, STR("+"));
    uint64_t size;

    if (!str_to_u64(str_slice(text, is_signed, text.len), &size)
        || size > (uint64_t)INT64_MAX + is_negative)
        return false;
    *out = value_integer((int64_t)(is_negative ? -size : size));
    return true;
}

/* A base-10 integer with an optional sign; one that begins with 0 is a text. */
static bool looks_like_integer(str text, struct value *out)
{
    uint64_t size;

    if (text.len > 1 && text.ptr[0] == '0')
        return false;
    if (config_read_integer(text, out))
        return true;
    if (!str_to_u64(text, &size))
        return false;
    *out = value_number((double)size);
    return true;
}

struct value config_coerce(struct value value)
{
    struct value number;

    if (value.kind != VALUE_STRING)
        return value;
    str text = value_text(value);
    if (str_equal(text, STR("true")) || str_equal(text, STR("false")))
        return value_bool(text.len == 4);
    return looks_like_integer(text, &number) ? number : value;
}

/* --- from JSON --- */

static bool is_secure_form(struct value value)
{
    return value.kind == VALUE_OBJECT && value.len == 1
           && str_equal(value.members[0].key, STR("secure"))
           && value.members[0].value.kind == VALUE_STRING;
}

static str scalar_text(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    if (value.kind != VALUE_BOOL && value.kind != VALUE_NUMBER)
        return STR("");
    value_write(&writer, value, SECRET_BARE);
    return arena_copy(arena, strbuf_str(&text));
}

static enum rule_verdict seal_secure_form(void *context, struct arena *arena, struct value *value)
{
    (void)context;
    if (!is_secure_form(*value))
        return RULE_KEPT;
    *value = config_sealed(arena, value_text(value->members[0].value));
    return RULE_LEFT;
}

struct value config_from_plain(struct arena *arena, struct value plain, bool is_top)
{
    bool is_scalar =
        plain.kind == VALUE_NULL || plain.kind == VALUE_BOOL || plain.kind == VALUE_NUMBER;

    if (is_top && is_scalar)
        return value_string(scalar_text(arena, plain));
    return value_rewrite(arena, seal_secure_form, NULL, plain);
}

/* --- from YAML --- */

#define BINARY_TAG STR("tag:yaml.org,2002:binary")

/* Bytes that are no text stand in the file as base64. What is no base64 stays as it is. */
static struct value value_from_binary(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    bool is_read = base64_decode(&bytes, text);

    return value_string(is_read ? arena_copy(arena, strbuf_str(&bytes)) : text);
}

static struct value value_from_scalar(struct arena *arena, const struct yaml_node *node)
{
    struct yaml_scalar scalar = yaml_resolve(node);

    if (str_equal(node->tag, BINARY_TAG))
        return value_from_binary(arena, node->text);
    switch (scalar.type) {
    case YAML_NULL: return value_null();
    case YAML_BOOL: return value_bool(scalar.boolean);
    case YAML_INT:
        return scalar.is_unsigned ? value_number(scalar.number) : value_integer(scalar.integer);
    /* JSON cannot express the others. */
    case YAML_FLOAT:
        return isfinite(scalar.number) ? value_number(scalar.number) : value_string(node->text);
    case YAML_STRING: return value_string(node->text);
    case YAML_TIMESTAMP: return value_string(yaml_timestamp_text(arena, node));
    }
    return value_null();
}

struct value config_value_from_yaml(struct arena *arena, const struct yaml_node *node)
{
    if (node->kind == YAML_SCALAR)
        return value_from_scalar(arena, node);
    if (node->kind == YAML_SEQUENCE) {
        struct value *items = ARENA_ARRAY(arena, struct value, node->len);
        for (size_t i = 0; i < node->len; i++)
            items[i] = config_value_from_yaml(arena, node->items[i]);
        return value_array(arena, items, node->len);
    }
    struct member *members = ARENA_ARRAY(arena, struct member, node->len);
    for (size_t i = 0; i < node->len; i++)
        members[i] = (struct member){ node->pairs[i].key->text,
                                      config_value_from_yaml(arena, node->pairs[i].value) };
    return value_object(arena, members, node->len);
}

struct value config_from_yaml(struct arena *arena, const struct yaml_node *node, bool is_top)
{
    if (is_top && node->kind == YAML_SCALAR) {
        /* An integer keeps all its digits at the top, where it is a text. */
        struct yaml_scalar scalar = yaml_resolve(node);
        if (scalar.type == YAML_INT && scalar.is_unsigned)
            return value_string(arena_printf(arena, "%llu", (unsigned long long)scalar.integer));
        if (scalar.type == YAML_INT)
            return value_string(arena_printf(arena, "%lld", (long long)scalar.integer));
    }
    return config_from_plain(arena, config_value_from_yaml(arena, node), is_top);
}

/* --- to YAML and JSON --- */

/* Of a number beyond 2^53 the last digits are made up. Written in full it would be read as the
 * integer of those digits. */
str config_scalar_text(struct arena *arena, struct value value)
{
    str text = scalar_text(arena, value);
    size_t sign = str_starts_with(text, STR("-"));
    str digits = str_slice(text, sign, text.len);
    size_t last = digits.len;
    int64_t integer;

    if (value.kind != VALUE_NUMBER || value_is_integer(value, &integer)
        || fabs(value.number) < 0x1p53 || str_find_char(text, 'e') != SIZE_MAX)
        return text;
    while (last > 1 && digits.ptr[last - 1] == '0')
        last--;
    return arena_printf(arena, STR_FMT "%s" STR_FMT "e+%zu", STR_ARG(str_slice(text, 0, sign + 1)),
                        last > 1 ? "." : "", STR_ARG(str_slice(digits, 1, last)), digits.len - 1);
}

static int compare_members(const void *a, const void *b)
{
    return yaml_compare_keys(((const struct member *)a)->key, ((const struct member *)b)->key);
}

static struct yaml_node *object_to_yaml(struct arena *arena, struct value value)
{
    struct yaml_node *mapping = yaml_new_mapping(arena);
    struct member *members =
        arena_copy_bytes(arena, value.members, value.len * sizeof(*value.members));

    if (value.len)
        qsort(members, value.len, sizeof(*members), compare_members);
    for (uint32_t i = 0; i < value.len; i++)
        yaml_append_pair(arena, mapping, yaml_new_string(arena, members[i].key),
                         config_to_yaml(arena, members[i].value));
    return mapping;
}

static struct yaml_node *string_to_yaml(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf encoded = { 0 };

    if (str_is_utf8(text))
        return yaml_new_string(arena, text);
    base64_encode(&encoded, text);
    struct yaml_node *node = yaml_new_string(arena, arena_copy(arena, strbuf_str(&encoded)));
    node->tag = BINARY_TAG;
    return node;
}

struct yaml_node *config_to_yaml(struct arena *arena, struct value value)
{
    if (value.kind == VALUE_STRING)
        return string_to_yaml(arena, value_text(value));
    if (value_is_sealed_object(value)) {
        struct yaml_node *secure = yaml_new_mapping(arena);
        yaml_put(arena, secure, STR("secure"), yaml_new_string(arena, value.secret->ciphertext));
        return secure;
    }
    if (value.kind == VALUE_OBJECT)
        return object_to_yaml(arena, value);
    if (value.kind == VALUE_ARRAY) {
        struct yaml_node *sequence = yaml_new_sequence(arena);
        for (uint32_t i = 0; i < value.len; i++)
            yaml_add(arena, sequence, config_to_yaml(arena, value.items[i]));
        return sequence;
    }
    return yaml_new_plain(arena, value.kind == VALUE_NULL ? STR("null")
                                                          : config_scalar_text(arena, value));
}

static void write_json(struct json_writer *writer, const struct yaml_node *node)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (node->kind == YAML_SCALAR) {
        struct value value = value_from_scalar(&scratch, node);
        if (value.kind == VALUE_STRING)
            json_string(writer, value_text(value));
        else
            json_raw(writer,
                     value.kind == VALUE_NULL ? STR("null") : config_scalar_text(&scratch, value));
        return;
    }
    bool is_mapping = node->kind == YAML_MAPPING;
    is_mapping ? json_begin_object(writer) : json_begin_array(writer);
    for (size_t i = 0; i < node->len; i++) {
        if (is_mapping)
            json_key(writer, node->pairs[i].key->text);
        write_json(writer, is_mapping ? node->pairs[i].value : node->items[i]);
    }
    is_mapping ? json_end_object(writer) : json_end_array(writer);
}

str yaml_to_json(struct arena *arena, const struct yaml_node *root)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4 };

    write_json(&writer, root);
    strbuf_add_char(&text, '\n');
    return arena_copy(arena, strbuf_str(&text));
}
