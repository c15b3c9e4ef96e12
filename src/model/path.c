/* path.c — property paths: their text, and how they find, change and reset what they lead to. */
#include "model/path.h"

#include "base/strbuf.h"
#include "base/vec.h"

struct elements {
    VEC(struct path_element);
};

/* --- text --- */

static struct path_element element_of_key(str key)
{
    return (struct path_element){ .is_wildcard = str_equal(key, STR("*")), .key = key };
}

/* A name in quotes; `text` starts behind the opening quote and ends up behind the closing
 * bracket. */
static fallible parse_quoted(struct arena *arena, str *text, struct path_element *out)
{
    CLEANUP(strbuf_release) struct strbuf key = { 0 };
    size_t i = 0;

    for (;; i++) {
        if (i >= text->len)
            return error_new(ERROR_INVALID, "missing closing quote in property name");
        if (text->ptr[i] == '"')
            break;
        if (text->ptr[i] == '\\' && i + 1 < text->len && text->ptr[i + 1] == '"')
            i++;
        strbuf_add_char(&key, text->ptr[i]);
    }
    *text = str_slice(*text, i + 1, text->len);
    if (text->len == 0 || text->ptr[0] != ']')
        return error_new(ERROR_INVALID, "missing closing bracket in property access");
    *text = str_slice(*text, 1, text->len);
    *out = element_of_key(arena_copy(arena, strbuf_str(&key)));
    return NULL;
}

/* An index or a star; `text` starts behind the opening bracket and ends up behind the closing
 * one. */
static fallible path_parse_index(str *text, struct path_element *out)
{
    size_t end = str_find_char(*text, ']');
    uint64_t index;

    if (end == SIZE_MAX)
        return error_new(ERROR_INVALID, "missing closing bracket in array index");
    str inside = str_slice(*text, 0, end);
    if (str_equal(inside, STR("*")))
        *out = element_of_key(STR("*"));
    else if (str_to_u64(inside, &index) && index <= INT64_MAX)
        *out = (struct path_element){ .is_index = true, .index = (size_t)index, .key = STR("") };
    else
        return error_new(ERROR_INVALID, "invalid array index: '" STR_FMT "'", STR_ARG(inside));
    *text = str_slice(*text, end + 1, text->len);
    return NULL;
}

static fallible parse_bracket(struct arena *arena, str *text, struct path_element *out)
{
    str inside = str_slice(*text, 1, text->len);

    if (inside.len && inside.ptr[0] == '"') {
        inside = str_slice(inside, 1, inside.len);
        TRY(parse_quoted(arena, &inside, out));
    } else {
        TRY(path_parse_index(&inside, out));
    }
    *text = inside;
    return NULL;
}

static struct path_element parse_name(struct arena *arena, str *text)
{
    size_t end = 0;

    while (end < text->len && text->ptr[end] != '.' && text->ptr[end] != '[')
        end++;
    str name = arena_copy(arena, str_slice(*text, 0, end));
    *text = str_slice(*text, end, text->len);
    return element_of_key(name);
}

static fallible parse_elements(struct arena *arena, str text, struct elements *elements)
{
    if (text.len && text.ptr[0] == '.')
        return error_new(ERROR_INVALID, "expected property path to start with a name or index");
    while (text.len) {
        struct path_element element;
        if (text.ptr[0] == '.') {
            text = str_slice(text, 1, text.len);
            if (text.len == 0)
                return error_new(ERROR_INVALID,
                                 "expected property path to end with a name or index");
            continue;
        }
        if (text.ptr[0] == '[')
            TRY(parse_bracket(arena, &text, &element));
        else
            element = parse_name(arena, &text);
        vec_add(elements, element);
    }
    return NULL;
}

fallible path_parse(struct arena *arena, str text, struct path *out)
{
    struct elements elements = { 0 };
    struct error *error = parse_elements(arena, text, &elements);

    if (!error && elements.len)
        *out = (struct path){ arena_copy_bytes(arena, elements.items,
                                               elements.len * sizeof(*elements.items)),
                              elements.len };
    else if (!error)
        *out = (struct path){ 0 };
    vec_release(&elements);
    return error;
}

static bool key_is_plain(str key)
{
    for (size_t i = 0; i < key.len; i++) {
        char c = key.ptr[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
              || c == '_'))
            return false;
    }
    return key.len > 0;
}

static void format_key(struct strbuf *out, str key)
{
    if (key_is_plain(key)) {
        if (out->len)
            strbuf_add_char(out, '.');
        strbuf_add(out, key);
        return;
    }
    strbuf_add(out, STR("[\""));
    for (size_t i = 0; i < key.len; i++) {
        if (key.ptr[i] == '"')
            strbuf_add_char(out, '\\');
        strbuf_add_char(out, key.ptr[i]);
    }
    strbuf_add(out, STR("\"]"));
}

void path_format_element(struct strbuf *out, const struct path_element *element)
{
    if (element->is_index)
        strbuf_printf(out, "[%zu]", element->index);
    else
        format_key(out, element->key);
}

str path_format(struct arena *arena, struct path path)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < path.len; i++)
        path_format_element(&out, &path.items[i]);
    return arena_copy(arena, strbuf_str(&out));
}

/* --- finding --- */

/* NULL if there is nothing inside. */
static const struct value *look_through(const struct value *value)
{
    while (value) {
        if (value->kind == VALUE_SECRET)
            value = value->secret->is_opaque ? NULL : &value->secret->element;
        else if (value->kind == VALUE_OUTPUT)
            value = value->output->is_known ? &value->output->element : NULL;
        else
            break;
    }
    return value;
}

static const struct value *child_of(const struct value *value, const struct path_element *element)
{
    if (value->kind == VALUE_ARRAY && element->is_index)
        return element->index < value->len ? &value->items[element->index] : NULL;
    if (value->kind == VALUE_OBJECT && !element->is_index)
        return value_find(*value, element->key);
    return NULL;
}

const struct value *path_find(struct path path, struct value root)
{
    const struct value *at = &root;

    for (size_t i = 0; i < path.len; i++) {
        at = look_through(at);
        at = at ? child_of(at, &path.items[i]) : NULL;
        if (!at)
            return NULL;
    }
    return path.len ? at : NULL;
}
