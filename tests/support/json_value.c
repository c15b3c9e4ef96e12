/* json_value.c — JSON text to plain values and back. */
#include "support/json_value.h"

#include "base/fs.h"
#include "model/value_json.h"

void values_release(struct values *values)
{
    vec_release(values);
}

struct value values_array(struct arena *arena, const struct values *values)
{
    return value_array(arena, values->items, values->len);
}

fallible json_value_parse(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct json_token end;

    json_reader_init(&reader, arena, text);
    TRY(value_read_plain(&reader, out));
    TRY(json_next(&reader, &end));
    return end.kind == JSON_END ? NULL : json_fail(&reader, "something follows the value");
}

fallible json_value_load(struct arena *arena, str path, struct value *out)
{
    str text;

    TRY(fs_read(arena, path, FS_ANY_SIZE, &text));
    return error_wrap(json_value_parse(arena, text, out), "'" STR_FMT "'", STR_ARG(path));
}

static void write(struct strbuf *out, struct value value, unsigned indent)
{
    struct json_writer writer = { .out = out, .indent = indent };

    value_write(&writer, value, SECRET_BARE);
}

str json_value_text(struct arena *arena, struct value value, unsigned indent)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    write(&text, value, indent);
    return arena_copy(arena, strbuf_str(&text));
}

bool json_value_equal(struct value a, struct value b)
{
    CLEANUP(strbuf_release) struct strbuf left = { 0 };
    CLEANUP(strbuf_release) struct strbuf right = { 0 };

    write(&left, a, 0);
    write(&right, b, 0);
    return str_equal(strbuf_str(&left), strbuf_str(&right));
}

struct value object_get(struct value object, str key)
{
    const struct value *found = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;

    return found ? *found : value_null();
}

str object_text(struct value object, str key)
{
    struct value value = object_get(object, key);

    return value.kind == VALUE_STRING ? value_text(value) : STR("");
}

bool object_flag(struct value object, str key)
{
    struct value value = object_get(object, key);

    return value.kind == VALUE_BOOL && value.boolean;
}

double object_number(struct value object, str key, double otherwise)
{
    struct value value = object_get(object, key);

    return value.kind == VALUE_NUMBER ? value.number : otherwise;
}

struct strs object_strs(struct arena *arena, struct value object, str key)
{
    return value_as_strs(arena, object_get(object, key));
}

str value_as_text(struct arena *arena, struct value scalar)
{
    return scalar.kind == VALUE_STRING ? value_text(scalar) : json_value_text(arena, scalar, 0);
}

struct strs value_as_strs(struct arena *arena, struct value array)
{
    if (array.kind != VALUE_ARRAY || array.len == 0)
        return (struct strs){ 0 };
    str *items = ARENA_ARRAY(arena, str, array.len);

    for (size_t i = 0; i < array.len; i++)
        items[i] = value_as_text(arena, array.items[i]);
    return (struct strs){ items, array.len };
}

struct value value_from_strs(struct arena *arena, struct strs list)
{
    CLEANUP(values_release) struct values items = { 0 };

    for (size_t i = 0; i < list.len; i++)
        vec_add(&items, value_string(list.items[i]));
    return values_array(arena, &items);
}
