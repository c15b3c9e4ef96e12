/* syntax_text.c — strings with ${…} in them. */
#include "yaml/syntax/syntax.h"

#include "base/strbuf.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

struct steps {
    VEC(struct access_step);
};
struct parts {
    VEC(struct text_part);
};

/* What is left of the text between ${ and }, and where it is to be complained about. */
struct cursor {
    struct syntax *syntax;
    const struct yaml_node *node;
    str rest;
};

static bool cursor_complain(struct cursor *at, const char *text)
{
    diags_error(at->syntax->diags, node_range(at->syntax->source, at->node), "%s", text);
    return false;
}

/* ["name"], where \" is a quote. */
static bool read_key(struct cursor *at, struct access_step *out)
{
    CLEANUP(strbuf_release) struct strbuf name = { 0 };
    size_t i = 2;

    for (;; i++) {
        if (i >= at->rest.len)
            return cursor_complain(at, "missing closing quote in property name");
        if (at->rest.ptr[i] == '"')
            break;
        if (at->rest.ptr[i] == '\\' && i + 1 < at->rest.len && at->rest.ptr[i + 1] == '"')
            i++;
        strbuf_add_char(&name, at->rest.ptr[i]);
    }
    i++;
    if (i >= at->rest.len || at->rest.ptr[i] != ']')
        return cursor_complain(at, "missing closing bracket in property access");
    at->rest = str_slice(at->rest, i + 1, at->rest.len);
    *out = (struct access_step){ .kind = ACCESS_KEY,
                                 .name = arena_copy(at->syntax->arena, strbuf_str(&name)) };
    return true;
}

static bool cursor_parse_index(struct arena *arena, str text, long *out)
{
    const char *digits = arena_cstr(arena, text);
    char *end = NULL;
    bool has_sign = text.len && (*digits == '-' || *digits == '+');

    if (text.len == (size_t)has_sign || digits[has_sign] < '0' || digits[has_sign] > '9')
        return false;
    errno = 0;
    *out = strtol(digits, &end, 10);
    return errno == 0 && end == digits + text.len;
}

/* [0] */
static bool read_index(struct cursor *at, bool is_root, struct access_step *out)
{
    size_t end = str_find_char(at->rest, ']');

    *out = (struct access_step){ .kind = ACCESS_INDEX };
    if (end == SIZE_MAX)
        return cursor_complain(at, "missing closing bracket in list index");
    if (!cursor_parse_index(at->syntax->arena, str_slice(at->rest, 1, end), &out->index))
        return cursor_complain(at, "invalid list index");
    if (is_root)
        return cursor_complain(at, "the root property must be a string subscript or a name");
    at->rest = str_slice(at->rest, end + 1, at->rest.len);
    return true;
}

static struct access_step read_name(struct cursor *at)
{
    size_t end = 0;

    while (end < at->rest.len && !strchr(".[}", at->rest.ptr[end]))
        end++;
    str name = arena_copy(at->syntax->arena, str_slice(at->rest, 0, end));
    at->rest = str_slice(at->rest, end, at->rest.len);
    return (struct access_step){ .kind = ACCESS_NAME, .name = name };
}

static bool read_step(struct cursor *at, bool is_root, struct access_step *out)
{
    if (at->rest.ptr[0] != '[') {
        *out = read_name(at);
        return true;
    }
    if (at->rest.len > 1 && at->rest.ptr[1] == '"')
        return read_key(at, out);
    return read_index(at, is_root, out);
}

/* Up to and with the closing brace. */
static bool read_access(struct cursor *at, const struct access **out)
{
    CLEANUP(vec_drop) struct steps steps = { 0 };

    while (at->rest.len && at->rest.ptr[0] != '}') {
        struct access_step step;
        if (at->rest.ptr[0] == '.') {
            at->rest = str_slice(at->rest, 1, at->rest.len);
            continue;
        }
        if (!read_step(at, steps.len == 0, &step))
            return false;
        vec_add(&steps, step);
    }
    if (at->rest.len == 0)
        return cursor_complain(at, "unterminated interpolation");
    at->rest = str_slice(at->rest, 1, at->rest.len);
    if (steps.len == 0)
        return cursor_complain(at, "Property access expressions cannot be empty");
    struct access *access = ARENA_NEW(at->syntax->arena, struct access);
    access->steps =
        arena_copy_bytes(at->syntax->arena, steps.items, steps.len * sizeof(*steps.items));
    access->len = steps.len;
    *out = access;
    return true;
}

static bool read_parts(struct cursor *at, struct parts *parts)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    while (at->rest.len) {
        const struct access *access = NULL;
        if (str_starts_with(at->rest, STR("${"))) {
            at->rest = str_slice(at->rest, 2, at->rest.len);
            if (!read_access(at, &access))
                return false;
            vec_add(parts, ((struct text_part){ arena_copy(at->syntax->arena, strbuf_str(&text)),
                                                access }));
            strbuf_clear(&text);
            continue;
        }
        strbuf_add_char(&text, at->rest.ptr[0]);
        at->rest = str_slice(at->rest, str_starts_with(at->rest, STR("$$")) ? 2 : 1, at->rest.len);
    }
    if (text.len)
        vec_add(parts,
                ((struct text_part){ arena_copy(at->syntax->arena, strbuf_str(&text)), NULL }));
    return true;
}

struct expr *expr_read_text(struct syntax *syntax, const struct yaml_node *node, str text)
{
    CLEANUP(vec_drop) struct parts parts = { 0 };
    struct cursor at = { syntax, node, text };

    if (!read_parts(&at, &parts))
        return NULL;
    if (parts.len == 0 || (parts.len == 1 && !parts.items[0].access)) {
        struct expr *literal = expr_new(syntax, EXPR_LITERAL, node);
        literal->literal = value_string(parts.len ? parts.items[0].text : STR(""));
        return literal;
    }
    if (parts.len == 1 && parts.items[0].text.len == 0) {
        struct expr *symbol = expr_new(syntax, EXPR_SYMBOL, node);
        symbol->access = parts.items[0].access;
        return symbol;
    }
    struct expr *interpolated = expr_new(syntax, EXPR_TEXT, node);
    interpolated->parts =
        arena_copy_bytes(syntax->arena, parts.items, parts.len * sizeof(*parts.items));
    interpolated->len = parts.len;
    return interpolated;
}

str access_root(const struct access *access)
{
    return access->steps[0].name;
}

str access_format(struct arena *arena, const struct access *access)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < access->len; i++) {
        const struct access_step *step = &access->steps[i];
        if (step->kind == ACCESS_INDEX) {
            strbuf_printf(&text, "[%ld]", step->index);
            continue;
        }
        if (step->kind == ACCESS_KEY)
            strbuf_add(&text, STR("[\""));
        else if (text.len)
            strbuf_add_char(&text, '.');
        for (size_t k = 0; k < step->name.len; k++) {
            if (step->kind == ACCESS_KEY && step->name.ptr[k] == '"')
                strbuf_add_char(&text, '\\');
            strbuf_add_char(&text, step->name.ptr[k]);
        }
        if (step->kind == ACCESS_KEY)
            strbuf_add(&text, STR("\"]"));
    }
    return arena_copy(arena, strbuf_str(&text));
}
