/* pcl_read.c — text to blocks and expressions. */
#include "pcl/pcl.h"

#include "base/hcl_text.h"
#include "base/json.h"
#include "base/vec.h"

struct pcl_reader {
    struct arena *arena;
    struct hcl_text in;
};

struct pcl_exprs {
    VEC(struct pcl_expr *);
};
struct pcl_members {
    VEC(struct pcl_member);
};
struct pcl_blocks {
    VEC(struct pcl_block);
};
struct pcl_labels {
    VEC(str);
};

static void pcl_exprs_release(struct pcl_exprs *list)
{
    vec_release(list);
}
static void pcl_members_release(struct pcl_members *list)
{
    vec_release(list);
}
static void pcl_blocks_release(struct pcl_blocks *list)
{
    vec_release(list);
}
/* --- strings --- */

static void put_character(struct strbuf *out, uint32_t code)
{
    if (code < 0x80) {
        strbuf_add_char(out, (char)code);
    } else if (code < 0x800) {
        strbuf_add_char(out, (char)(0xc0 | (code >> 6)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        strbuf_add_char(out, (char)(0xe0 | (code >> 12)));
        strbuf_add_char(out, (char)(0x80 | ((code >> 6) & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        strbuf_add_char(out, (char)(0xf0 | (code >> 18)));
        strbuf_add_char(out, (char)(0x80 | ((code >> 12) & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | ((code >> 6) & 0x3f)));
        strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

static int pcl_hex_digit(char c)
{
    if (char_is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static fallible read_code(struct pcl_reader *reader, size_t digits, struct strbuf *out)
{
    uint32_t code = 0;

    for (size_t i = 0; i < digits; i++) {
        int digit = pcl_hex_digit(hcl_peek(&reader->in, 0));
        if (digit < 0)
            return hcl_fail(&reader->in, "an escape needs %zu hexadecimal digits", digits);
        code = code << 4 | (uint32_t)digit;
        reader->in.at++;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return hcl_fail(&reader->in, "there is no character %x", code);
    put_character(out, code);
    return NULL;
}

static fallible read_escape(struct pcl_reader *reader, struct strbuf *out)
{
    char c = hcl_peek(&reader->in, 0);

    reader->in.at++;
    switch (c) {
    case 'n': strbuf_add_char(out, '\n'); return NULL;
    case 'r': strbuf_add_char(out, '\r'); return NULL;
    case 't': strbuf_add_char(out, '\t'); return NULL;
    case '"':
    case '\\': strbuf_add_char(out, c); return NULL;
    case 'u': return read_code(reader, 4, out);
    case 'U': return read_code(reader, 8, out);
    default: return hcl_fail(&reader->in, "there is no escape of that kind in strings");
    }
}

/* Behind the quote that opens it. */
static fallible read_string(struct pcl_reader *reader, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    while (!hcl_accept(&reader->in, STR("\""))) {
        char c = hcl_peek(&reader->in, 0);
        if (hcl_ends(&reader->in) || c == '\n')
            return hcl_fail(&reader->in, "a string does not end");
        if (hcl_starts(&reader->in, STR("$${")) || hcl_starts(&reader->in, STR("%%{"))) {
            strbuf_add(&text, str_slice(reader->in.text, reader->in.at + 1, reader->in.at + 3));
            reader->in.at += 3;
        } else if (hcl_starts(&reader->in, STR("${")) || hcl_starts(&reader->in, STR("%{"))) {
            return hcl_fail(&reader->in, "templates are not supported here");
        } else if (c == '\\') {
            reader->in.at++;
            TRY(read_escape(reader, &text));
        } else {
            strbuf_add_char(&text, c);
            reader->in.at++;
        }
    }
    *out = arena_copy(reader->arena, strbuf_str(&text));
    return NULL;
}

/* --- expressions --- */

static fallible read_expr(struct pcl_reader *reader, struct pcl_expr **out);

static struct pcl_expr *new_expr(struct pcl_reader *reader, enum pcl_kind kind)
{
    struct pcl_expr *expr = ARENA_NEW(reader->arena, struct pcl_expr);

    expr->kind = kind;
    expr->line = reader->in.line;
    return expr;
}

static void keep_items(struct pcl_reader *reader, struct pcl_expr *expr,
                       const struct pcl_exprs *list)
{
    expr->items = arena_copy_bytes(reader->arena, list->items, list->len * sizeof(*list->items));
    expr->len = list->len;
}

/* Items up to the closing bracket; line ends do not matter. */
static fallible read_items(struct pcl_reader *reader, str end, struct pcl_expr *expr)
{
    CLEANUP(pcl_exprs_release) struct pcl_exprs list = { 0 };

    for (;;) {
        struct pcl_expr *item;
        hcl_skip(&reader->in, true);
        if (hcl_accept(&reader->in, end))
            break;
        TRY(read_expr(reader, &item));
        vec_add(&list, item);
        hcl_skip(&reader->in, true);
        if (!hcl_accept(&reader->in, STR(",")) && !hcl_starts(&reader->in, end))
            return hcl_expect(&reader->in, end);
    }
    keep_items(reader, expr, &list);
    return NULL;
}

static fallible pcl_read_key(struct pcl_reader *reader, str *out)
{
    if (hcl_accept(&reader->in, STR("\"")))
        return read_string(reader, out);
    *out = hcl_name(&reader->in);
    return out->len ? NULL : hcl_fail(&reader->in, "a key is expected");
}

static fallible read_members(struct pcl_reader *reader, struct pcl_expr *expr)
{
    CLEANUP(pcl_members_release) struct pcl_members list = { 0 };

    for (;;) {
        struct pcl_member member;
        hcl_skip(&reader->in, true);
        if (hcl_accept(&reader->in, STR("}")))
            break;
        TRY(pcl_read_key(reader, &member.key));
        hcl_skip(&reader->in, false);
        if (!hcl_accept(&reader->in, STR(":")))
            TRY(hcl_expect(&reader->in, STR("=")));
        hcl_skip(&reader->in, true);
        TRY(read_expr(reader, &member.value));
        vec_add(&list, member);
        hcl_skip(&reader->in, false);
        if (!hcl_accept(&reader->in, STR(",")) && !hcl_accept(&reader->in, STR("\n"))
            && hcl_peek(&reader->in, 0) != '}')
            return hcl_expect(&reader->in, STR("}"));
    }
    expr->members = arena_copy_bytes(reader->arena, list.items, list.len * sizeof(*list.items));
    expr->len = list.len;
    return NULL;
}

static fallible pcl_read_number(struct pcl_reader *reader, struct pcl_expr **out)
{
    size_t start = reader->in.at;

    *out = new_expr(reader, PCL_NUMBER);
    hcl_accept(&reader->in, STR("-"));
    if (!hcl_number(&reader->in).len)
        return hcl_fail(&reader->in, "a number is expected");
    if (!json_parse_number(str_slice(reader->in.text, start, reader->in.at), &(*out)->number))
        return hcl_fail(&reader->in, "this number is too large");
    return NULL;
}

/* .name, ["key"] and [0] behind a name. */
static fallible pcl_read_steps(struct pcl_reader *reader, struct pcl_expr *expr)
{
    CLEANUP(pcl_exprs_release) struct pcl_exprs list = { 0 };

    for (;;) {
        struct pcl_expr *step = new_expr(reader, PCL_STRING);
        if (hcl_accept(&reader->in, STR("."))) {
            step->text = hcl_name(&reader->in);
            if (!step->text.len)
                return hcl_fail(&reader->in, "a name is expected behind '.'");
        } else if (hcl_accept(&reader->in, STR("["))) {
            TRY(read_expr(reader, &step));
            if (step->kind != PCL_STRING && step->kind != PCL_NUMBER)
                return hcl_fail(&reader->in, "an index is a string or a number here");
            TRY(hcl_expect(&reader->in, STR("]")));
        } else {
            break;
        }
        vec_add(&list, step);
    }
    keep_items(reader, expr, &list);
    return NULL;
}

static fallible read_word(struct pcl_reader *reader, struct pcl_expr **out)
{
    str name = hcl_name(&reader->in);

    if (!name.len && hcl_ends(&reader->in))
        return hcl_fail(&reader->in, "the text ends where a value is expected");
    if (!name.len)
        return hcl_fail(&reader->in, "a value is expected, not '%c'", hcl_peek(&reader->in, 0));
    *out = new_expr(reader, PCL_REFERENCE);
    (*out)->text = name;
    if (str_equal(name, STR("null"))) {
        (*out)->kind = PCL_NULL;
    } else if (str_equal(name, STR("true")) || str_equal(name, STR("false"))) {
        (*out)->kind = PCL_BOOL;
        (*out)->boolean = name.len == 4;
    } else if (hcl_accept(&reader->in, STR("("))) {
        (*out)->kind = PCL_CALL;
        return read_items(reader, STR(")"), *out);
    } else {
        return pcl_read_steps(reader, *out);
    }
    return NULL;
}

static fallible read_one(struct pcl_reader *reader, struct pcl_expr **out)
{
    if (hcl_accept(&reader->in, STR("\""))) {
        *out = new_expr(reader, PCL_STRING);
        return read_string(reader, &(*out)->text);
    }
    if (hcl_accept(&reader->in, STR("["))) {
        *out = new_expr(reader, PCL_LIST);
        return read_items(reader, STR("]"), *out);
    }
    if (hcl_accept(&reader->in, STR("{"))) {
        *out = new_expr(reader, PCL_OBJECT);
        return read_members(reader, *out);
    }
    if (char_is_digit(hcl_peek(&reader->in, 0)) || hcl_peek(&reader->in, 0) == '-')
        return pcl_read_number(reader, out);
    return read_word(reader, out);
}

static fallible read_expr(struct pcl_reader *reader, struct pcl_expr **out)
{
    TRY(hcl_enter(&reader->in));
    TRY(read_one(reader, out));
    reader->in.depth--;
    return NULL;
}

/* --- blocks --- */

static fallible read_body(struct pcl_reader *reader, bool is_inside, struct pcl_body *out);

static fallible read_attribute(struct pcl_reader *reader, str name, struct pcl_members *list)
{
    struct pcl_member member = { .key = name };

    hcl_skip(&reader->in, false);
    TRY(read_expr(reader, &member.value));
    vec_add(list, member);
    hcl_skip(&reader->in, false);
    if (!hcl_ends(&reader->in) && hcl_peek(&reader->in, 0) != '\n'
        && hcl_peek(&reader->in, 0) != '}')
        return hcl_fail(&reader->in, "operators are not supported here: '%c'",
                        hcl_peek(&reader->in, 0));
    return NULL;
}

static fallible read_block(struct pcl_reader *reader, str kind, struct pcl_block *out)
{
    CLEANUP(vec_drop) struct pcl_labels labels = { 0 };

    *out = (struct pcl_block){ .kind = kind, .line = reader->in.line };
    while (!hcl_accept(&reader->in, STR("{"))) {
        str label;
        TRY(pcl_read_key(reader, &label));
        vec_add(&labels, label);
        hcl_skip(&reader->in, false);
    }
    out->labels = arena_copy_bytes(reader->arena, labels.items, labels.len * sizeof(*labels.items));
    out->label_count = labels.len;
    TRY(hcl_enter(&reader->in));
    TRY(read_body(reader, true, &out->body));
    reader->in.depth--;
    return NULL;
}

static fallible read_definition(struct pcl_reader *reader, struct pcl_members *attributes,
                                struct pcl_blocks *blocks)
{
    str name = hcl_name(&reader->in);

    if (!name.len)
        return hcl_fail(&reader->in, "a block or an attribute is expected, not '%c'",
                        hcl_peek(&reader->in, 0));
    hcl_skip(&reader->in, false);
    if (hcl_peek(&reader->in, 0) == '=' && !hcl_starts(&reader->in, STR("=="))) {
        reader->in.at++;
        return read_attribute(reader, name, attributes);
    }
    struct pcl_block block;
    TRY(read_block(reader, name, &block));
    vec_add(blocks, block);
    return NULL;
}

static fallible read_body(struct pcl_reader *reader, bool is_inside, struct pcl_body *out)
{
    CLEANUP(pcl_members_release) struct pcl_members attributes = { 0 };
    CLEANUP(pcl_blocks_release) struct pcl_blocks blocks = { 0 };

    for (;;) {
        hcl_skip(&reader->in, true);
        if (is_inside ? hcl_accept(&reader->in, STR("}")) : hcl_ends(&reader->in))
            break;
        if (hcl_ends(&reader->in))
            return hcl_fail(&reader->in, "a block does not end");
        TRY(read_definition(reader, &attributes, &blocks));
    }
    out->attributes = arena_copy_bytes(reader->arena, attributes.items,
                                       attributes.len * sizeof(*attributes.items));
    out->attribute_count = attributes.len;
    out->blocks = arena_copy_bytes(reader->arena, blocks.items, blocks.len * sizeof(*blocks.items));
    out->block_count = blocks.len;
    return NULL;
}

fallible pcl_read(struct arena *arena, str text, struct pcl_body *out)
{
    struct pcl_reader reader = { arena, hcl_begin(text) };

    return read_body(&reader, false, out);
}
