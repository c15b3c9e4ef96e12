/* yaml_write.c — trees as text: block style, quotes only where a plain text would mean something
 * else. */
#include "base/yaml_text.h"

#include <ctype.h>
#include <strings.h>

enum { STEP = 2, LONGEST_SIMPLE_KEY = 1000 };

/* --- which style a text allows --- */

struct looks {
    bool is_plain_in_block;
    bool is_plain_in_flow;
    bool is_single_quotable;
    bool is_literal; /* has lines, and may be written as a block */
};

/* Printable where the reference writes it as it is; anything else is escaped in double quotes. */
static bool yaml_is_printable(str c)
{
    unsigned char lead = (unsigned char)c.ptr[0];

    if (c.len == 1)
        return lead >= 0x20 && lead < 0x7f;
    if (c.len == 2)
        return lead != 0xc2 || (unsigned char)c.ptr[1] >= 0xa0;
    bool is_bom = str_equal(c, STR("\xef\xbb\xbf"));
    bool is_separator = str_equal(c, STR("\xe2\x80\xa8")) || str_equal(c, STR("\xe2\x80\xa9"));
    bool is_last = str_starts_with(c, STR("\xef\xbf")) && (unsigned char)c.ptr[2] >= 0xbe;
    return c.len == 3 && !is_bom && !is_separator && !is_last;
}

static bool has_unprintable(str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t width = str_utf8_width(text, at);
        if (width == 0)
            return true;
        if (text.ptr[at] != '\n' && text.ptr[at] != '\t'
            && !yaml_is_printable(str_slice(text, at, at + width)))
            return true;
        at += width;
    }
    return false;
}

static bool is_blank_at(str text, size_t at)
{
    return at >= text.len || text.ptr[at] == ' ' || text.ptr[at] == '\n';
}

/* Sets what a character forbids, by its place. */
static void look_at(str text, size_t at, struct looks *out)
{
    char c = text.ptr[at];
    bool is_followed_by_blank = is_blank_at(text, at + 1);
    bool is_bad_in_block, is_bad_in_flow;

    if (at == 0) {
        bool is_indicator = strchr("#,[]{}&*!|>'\"%@`", c) != NULL;
        bool is_mark = (c == '?' || c == ':' || c == '-') && is_followed_by_blank;
        is_bad_in_block = is_indicator || is_mark;
        is_bad_in_flow = is_bad_in_block || c == '?' || c == ':';
    } else {
        bool is_comment = c == '#' && is_blank_at(text, at - 1);
        is_bad_in_block = (c == ':' && is_followed_by_blank) || is_comment;
        is_bad_in_flow = is_bad_in_block || strchr(",?[]{}:", c) != NULL;
    }
    out->is_plain_in_block = out->is_plain_in_block && !is_bad_in_block;
    out->is_plain_in_flow = out->is_plain_in_flow && !is_bad_in_flow;
}

static struct looks looks_of(str text)
{
    struct looks looks = { true, true, true, false };

    if (text.len == 0)
        return (struct looks){ .is_single_quotable = true };
    if (has_unprintable(text))
        return (struct looks){ 0 };
    bool has_lines = str_find_char(text, '\n') != SIZE_MAX,
         has_tab = str_find_char(text, '\t') != SIZE_MAX;
    bool begins_blank = is_blank_at(text, 0), ends_blank = is_blank_at(text, text.len - 1);
    for (size_t i = 0; i < text.len; i++)
        look_at(text, i, &looks);
    bool is_marker = str_starts_with(text, STR("---")) || str_starts_with(text, STR("..."));
    if (is_marker || begins_blank || ends_blank || has_lines || has_tab)
        looks.is_plain_in_block = looks.is_plain_in_flow = false;
    looks.is_single_quotable = !has_lines && !has_tab;
    /* Blanks at the end of a line are hard to see, and a first line that is empty or begins with a
     * tab is hard to read. */
    bool ends_in_space = text.ptr[text.len - 1] == ' ' || str_find(text, STR(" \n")) != SIZE_MAX;
    looks.is_literal = has_lines && text.ptr[0] != '\n' && text.ptr[0] != '\t' && !ends_in_space;
    return looks;
}

static bool is_digit_at(str text, size_t at)
{
    return at < text.len && isdigit((unsigned char)text.ptr[at]);
}

/* A number to the base of sixty, as older readers know it: 12:30:45.5 */
static bool is_base_60(str text)
{
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+') ? 1 : 0;
    size_t groups = 0;

    if (!is_digit_at(text, at))
        return false;
    while (is_digit_at(text, at) || (at < text.len && text.ptr[at] == '_'))
        at++;
    for (; at < text.len && text.ptr[at] == ':'; groups++) {
        bool has_two =
            is_digit_at(text, at + 1) && text.ptr[at + 1] < '6' && is_digit_at(text, at + 2);
        if (!is_digit_at(text, at + 1))
            return false;
        at += has_two ? 3 : 2;
    }
    if (at < text.len && text.ptr[at] == '.') {
        at++;
        while (is_digit_at(text, at) || (at < text.len && text.ptr[at] == '_'))
            at++;
    }
    return groups > 0 && at == text.len;
}

/* Words that older readers take for booleans, and what they take for numbers. */
static bool reads_differently_elsewhere(str text)
{
    static const char *const words[] = { "y", "n", "yes", "no", "on", "off" };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (text.len == strlen(words[i]) && strncasecmp(text.ptr, words[i], text.len) == 0)
            return true;
    return str_equal(text, STR("<<")) || is_base_60(text);
}

static bool reads_as_string(str text)
{
    struct yaml_node plain = { .kind = YAML_SCALAR, .style = YAML_PLAIN, .text = text };
    return yaml_resolve(&plain).type == YAML_STRING && !reads_differently_elsewhere(text);
}

static bool is_string_tag(str tag)
{
    return tag.len == 0 || str_equal(tag, STR("!")) || str_equal(tag, STR("tag:yaml.org,2002:str"));
}

/* The style for a scalar: the one it was read in where that still works. */
static enum yaml_style choose_style(const struct yaml_node *node, bool is_in_flow, bool is_one_line)
{
    struct looks looks = looks_of(node->text);
    bool is_plain = is_in_flow ? looks.is_plain_in_flow : looks.is_plain_in_block;
    enum yaml_style style = node->style;

    if (is_string_tag(node->tag) && yaml_resolve(node).type != YAML_STRING)
        return YAML_PLAIN;
    if (looks.is_literal && !is_one_line
        && (style == YAML_PLAIN || style == YAML_LITERAL || style == YAML_FOLDED))
        return YAML_LITERAL;
    if (style == YAML_QUOTED_SINGLE && looks.is_single_quotable)
        return YAML_QUOTED_SINGLE;
    if (style != YAML_PLAIN || !looks.is_single_quotable)
        return YAML_QUOTED_DOUBLE;
    bool was_plain =
        node->line != 0 && node->tag.len == 0; /* and read as a string, so it will again */
    if (is_string_tag(node->tag) && !was_plain && !reads_as_string(node->text))
        return YAML_QUOTED_DOUBLE;
    return is_plain ? YAML_PLAIN : YAML_QUOTED_SINGLE;
}

/* --- scalars --- */

static void add_single_quoted(struct strbuf *out, str text)
{
    strbuf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'')
            strbuf_add_char(out, '\'');
        strbuf_add_char(out, text.ptr[i]);
    }
    strbuf_add_char(out, '\'');
}

static uint32_t code_point(str c)
{
    const unsigned char *p = (const unsigned char *)c.ptr;

    switch (c.len) {
    case 1: return p[0];
    case 2: return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
    case 3: return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    default:
        return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
    }
}

static void yaml_add_escaped(struct strbuf *out, uint32_t c)
{
    static const struct {
        uint32_t c;
        char name;
    } named[] = { { '\0', '0' },  { '\a', 'a' }, { '\b', 'b' },   { '\t', 't' },  { '\n', 'n' },
                  { '\v', 'v' },  { '\f', 'f' }, { '\r', 'r' },   { 0x1b, 'e' },  { '"', '"' },
                  { '\\', '\\' }, { 0x85, 'N' }, { 0x2028, 'L' }, { 0x2029, 'P' } };

    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (named[i].c == c) {
            strbuf_printf(out, "\\%c", named[i].name);
            return;
        }
    if (c < 0x100)
        strbuf_printf(out, "\\x%02X", c);
    else if (c < 0x10000)
        strbuf_printf(out, "\\u%04X", c);
    else
        strbuf_printf(out, "\\U%08X", c);
}

static void add_double_quoted(struct strbuf *out, str text)
{
    strbuf_add_char(out, '"');
    for (size_t at = 0; at < text.len;) {
        size_t width = str_utf8_width(text, at);
        str c = str_slice(text, at, at + width);
        if (width == 0)
            strbuf_add(out, STR("\\uFFFD"));
        else if (!yaml_is_printable(c) || c.ptr[0] == '"' || c.ptr[0] == '\\')
            yaml_add_escaped(out, code_point(c));
        else
            strbuf_add(out, c);
        at += width ? width : 1;
    }
    strbuf_add_char(out, '"');
}

/* A local or a global tag in the verbatim form, which needs no directive; the one for bytes as
 * people write it. */
static void add_tag(struct strbuf *out, const struct yaml_node *node)
{
    if (is_string_tag(node->tag))
        return;
    if (str_equal(node->tag, STR("tag:yaml.org,2002:binary"))) {
        strbuf_add(out, STR("!!binary "));
        return;
    }
    strbuf_add(out, STR("!<"));
    for (size_t i = 0; i < node->tag.len; i++) {
        unsigned char c = (unsigned char)node->tag.ptr[i];
        if (isalnum(c) || strchr("-;/?:@&=+$,_.!~*'()[]", c))
            strbuf_add_char(out, (char)c);
        else
            strbuf_printf(out, "%%%02X", c);
    }
    strbuf_add(out, STR("> "));
}

static void add_scalar(struct strbuf *out, const struct yaml_node *node, bool is_in_flow)
{
    add_tag(out, node);
    switch (choose_style(node, is_in_flow, true)) {
    case YAML_QUOTED_SINGLE: add_single_quoted(out, node->text); break;
    case YAML_QUOTED_DOUBLE: add_double_quoted(out, node->text); break;
    case YAML_PLAIN:
    case YAML_LITERAL:
    case YAML_FOLDED:
    case YAML_BLOCK:
    case YAML_FLOW:
        /* A null without a text would swallow what follows it in flow. */
        strbuf_add(out, node->text.len || !is_string_tag(node->tag) ? node->text : STR("null"));
        break;
    }
}

/* Keys are known by their text; one without a text cannot be plain. */
static void yaml_add_key_text(struct strbuf *out, const struct yaml_node *key, bool is_in_flow)
{
    if (key->text.len)
        add_scalar(out, key, is_in_flow);
    else
        strbuf_add(out, STR("\"\""));
}

/* --- one line --- */

static void add_flow(struct strbuf *out, const struct yaml_node *node)
{
    bool is_mapping = node->kind == YAML_MAPPING;

    if (node->kind == YAML_SCALAR) {
        add_scalar(out, node, true);
        return;
    }
    strbuf_add_char(out, is_mapping ? '{' : '[');
    for (size_t i = 0; i < node->len; i++) {
        if (i)
            strbuf_add(out, STR(", "));
        if (is_mapping) {
            size_t start = out->len;
            yaml_add_key_text(out, node->pairs[i].key, true);
            if (out->len - start > LONGEST_SIMPLE_KEY) {
                out->len = start;
                strbuf_add(out, STR("? "));
                yaml_add_key_text(out, node->pairs[i].key, true);
            }
            strbuf_add(out, STR(": "));
        }
        add_flow(out, is_mapping ? node->pairs[i].value : node->items[i]);
    }
    strbuf_add_char(out, is_mapping ? '}' : ']');
}

bool yaml_is_inline(const struct yaml_node *node)
{
    if (node->kind == YAML_SCALAR)
        return choose_style(node, false, false) != YAML_LITERAL;
    return node->len == 0 || node->style == YAML_FLOW;
}

void yaml_add_inline(struct strbuf *out, const struct yaml_node *node)
{
    if (node->kind == YAML_SCALAR)
        add_scalar(out, node, false);
    else
        add_flow(out, node);
}

void yaml_add_key(struct strbuf *out, const struct yaml_node *key, size_t indent)
{
    size_t start = out->len;

    yaml_add_key_text(out, key, false);
    if (out->len - start > LONGEST_SIMPLE_KEY) {
        out->len = start;
        strbuf_add(out, STR("? "));
        yaml_add_key_text(out, key, false);
        strbuf_add_char(out, '\n');
        strbuf_add_repeated(out, ' ', indent);
    }
    strbuf_add_char(out, ':');
}

/* --- blocks --- */

str yaml_block_header(const struct yaml_node *node)
{
    if (node->kind != YAML_SCALAR)
        return STR("");
    /* The header has to give the indent if the first line begins with a blank. */
    bool is_indented = str_starts_with(node->text, STR(" "));
    if (!str_ends_with(node->text, STR("\n")))
        return is_indented ? STR("|2-") : STR("|-");
    if (str_ends_with(node->text, STR("\n\n")))
        return is_indented ? STR("|2+") : STR("|+");
    return is_indented ? STR("|2") : STR("|");
}

static void add_literal(struct strbuf *out, str text, size_t indent)
{
    /* The last newline is the one that every block is followed by. */
    if (str_ends_with(text, STR("\n")))
        text.len--;
    for (size_t at = 0; at <= text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        if (at)
            strbuf_add_char(out, '\n');
        if (end > at)
            strbuf_add_repeated(out, ' ', indent);
        strbuf_add(out, str_slice(text, at, end));
        at = end + 1;
    }
}

/* Pairs or items, one a line; the first line is indented only if `is_first_indented`. */
static void yaml_add_lines(struct strbuf *out, const struct yaml_node *node, size_t indent,
                           bool is_first_indented)
{
    for (size_t i = 0; i < node->len; i++) {
        if (i)
            strbuf_add_char(out, '\n');
        if (i || is_first_indented)
            strbuf_add_repeated(out, ' ', indent);
        if (node->kind == YAML_MAPPING) {
            yaml_add_key(out, node->pairs[i].key, indent);
            yaml_add_value(out, node->pairs[i].value, indent + STEP);
        } else {
            strbuf_add(out, STR("- "));
            yaml_add_item(out, node->items[i], indent + STEP);
        }
    }
}

void yaml_add_block(struct strbuf *out, const struct yaml_node *node, size_t indent)
{
    if (node->kind == YAML_SCALAR)
        add_literal(out, node->text, indent);
    else
        yaml_add_lines(out, node, indent, true);
}

void yaml_add_value(struct strbuf *out, const struct yaml_node *value, size_t indent)
{
    if (yaml_is_inline(value)) {
        strbuf_add_char(out, ' ');
        yaml_add_inline(out, value);
        return;
    }
    str header = yaml_block_header(value);
    if (header.len) {
        strbuf_add_char(out, ' ');
        add_tag(out, value);
        strbuf_add(out, header);
    }
    strbuf_add_char(out, '\n');
    yaml_add_block(out, value, indent);
}

void yaml_add_item(struct strbuf *out, const struct yaml_node *item, size_t indent)
{
    if (yaml_is_inline(item)) {
        yaml_add_inline(out, item);
    } else if (item->kind == YAML_SCALAR) {
        add_tag(out, item);
        strbuf_add(out, yaml_block_header(item));
        strbuf_add_char(out, '\n');
        add_literal(out, item->text, indent);
    } else {
        yaml_add_lines(out, item, indent, false);
    }
}

str yaml_write(struct arena *arena, const struct yaml_node *root)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (root->kind == YAML_SCALAR || yaml_is_inline(root))
        yaml_add_item(&out, root, STEP);
    else
        yaml_add_block(&out, root, 0);
    strbuf_add_char(&out, '\n');
    return arena_copy(arena, strbuf_str(&out));
}
