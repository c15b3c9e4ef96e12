/* yaml_read.c — libyaml's events as a tree, without recursion and with a bound on everything an
 * author can grow. */
#include "base/yaml.h"

#include "base/json.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <yaml.h>

/* A collection that is not complete yet. */
struct open_node {
    struct yaml_node *node;
    struct yaml_node *key; /* of a mapping: waits for its value */
    struct map keys;       /* of a mapping: text to node */
};

struct reader {
    struct arena *arena;
    str text;       /* as libyaml gets it */
    size_t skipped; /* bytes before it */
    yaml_parser_t parser;
    struct {
        VEC(struct open_node);
    } stack;
    struct map anchors; /* name to struct yaml_node */
    struct {
        VEC(size_t);
    } offsets; /* byte offset of every STRIDE-th character, if the text is not ASCII */
    size_t nodes;
    struct yaml_node *root;
};

enum { STRIDE = 64, MAX_MERGED = 10000 };

static void reader_release(struct reader *reader)
{
    yaml_parser_delete(&reader->parser);
    for (size_t i = 0; i < reader->stack.len; i++)
        map_release(&reader->stack.items[i].keys);
    vec_release(&reader->stack);
    vec_release(&reader->offsets);
    map_release(&reader->anchors);
}

/* --- places: libyaml counts characters --- */

static size_t width_at(str text, size_t at)
{
    size_t width = str_utf8_width(text, at);
    return width ? width : 1;
}

static void index_characters(struct reader *reader)
{
    bool is_ascii = true;
    for (size_t i = 0; i < reader->text.len && is_ascii; i++)
        is_ascii = (unsigned char)reader->text.ptr[i] < 0x80;
    if (is_ascii)
        return;
    size_t character = 0;
    for (size_t at = 0; at < reader->text.len; at += width_at(reader->text, at))
        if (character++ % STRIDE == 0)
            vec_add(&reader->offsets, at);
}

static size_t offset_in_text(const struct reader *reader, size_t character)
{
    if (reader->offsets.len == 0)
        return character < reader->text.len ? character : reader->text.len;
    size_t slot = character / STRIDE;
    if (slot >= reader->offsets.len)
        return reader->text.len;
    size_t at = reader->offsets.items[slot];
    for (size_t i = character % STRIDE; i > 0 && at < reader->text.len; i--)
        at += width_at(reader->text, at);
    return at;
}

static size_t offset_of(const struct reader *reader, size_t character)
{
    return reader->skipped + offset_in_text(reader, character);
}

/* --- documents that are JSON --- */

/* `text[at]` is a backslash in a string: takes the escape over, a pair as its character. Returns
 * what it took. */
static size_t join_escape(str text, size_t at, struct strbuf *out)
{
    enum { PAIR_LEN = 12 };
    char character[4];
    size_t len = 0;

    if (at + 1 < text.len && text.ptr[at + 1] == 'u'
        && json_decode_unicode(text, at, character, &len) == PAIR_LEN) {
        strbuf_add(out, (str){ character, len });
        return PAIR_LEN;
    }
    len = at + 1 < text.len ? 2 : 1;
    strbuf_add(out, str_slice(text, at, at + len));
    return len;
}

/* JSON writes characters above U+FFFF as a pair of escapes, which YAML does not know. The places of
 * nodes are those in the text without pairs; it is written anew as a whole if it changes. */
static void join_pairs(struct reader *reader)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str text = reader->text, head = str_trim(text);
    bool is_in_string = false;

    if (!str_starts_with(head, STR("{")) || str_find(text, STR("\\u")) == SIZE_MAX)
        return;
    for (size_t at = 0; at < text.len;) {
        is_in_string ^= text.ptr[at] == '"';
        if (is_in_string && text.ptr[at] == '\\')
            at += join_escape(text, at, &out);
        else
            strbuf_add_char(&out, text.ptr[at++]);
    }
    reader->text = arena_copy(reader->arena, strbuf_str(&out));
}

/* --- what is wrong --- */

static fallible yaml_fail_at(size_t line, size_t column, const char *what)
{
    return error_new(ERROR_INVALID, "line %zu column %zu: %s", line, column, what);
}

static fallible fail_parse(const struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem ? parser->problem : "cannot be parsed";

    if (parser->error == YAML_READER_ERROR) {
        size_t line = 1, start = 0, at = parser->problem_offset;
        for (size_t i = 0; i < at && i < reader->text.len; i++)
            if (reader->text.ptr[i] == '\n') {
                line++;
                start = i + 1;
            }
        return yaml_fail_at(line, at - start + 1, problem);
    }
    size_t line = parser->problem_mark.line + 1, column = parser->problem_mark.column + 1;
    size_t at = offset_in_text(reader, parser->problem_mark.index);
    if (at < reader->text.len && reader->text.ptr[at] == '\t'
        && strcmp(problem, "found character that cannot start any token") == 0)
        return yaml_fail_at(line, column,
                            "found character that cannot start any token: a tab; indent by spaces");
    if (parser->context)
        return error_new(ERROR_INVALID, "line %zu column %zu: %s (%s)", line, column, problem,
                         parser->context);
    return yaml_fail_at(line, column, problem);
}

/* --- nodes --- */

static str yaml_copy_text(struct reader *reader, const yaml_char_t *text)
{
    return text ? arena_copy(reader->arena, str_from((const char *)text)) : STR("");
}

static fallible reader_new_node(struct reader *reader, const yaml_event_t *event,
                                enum yaml_kind kind, struct yaml_node **out)
{
    struct yaml_node *node = ARENA_NEW(reader->arena, struct yaml_node);

    if (++reader->nodes > YAML_MAX_NODES)
        return yaml_fail_at(event->start_mark.line + 1, event->start_mark.column + 1,
                            "the document is too large");
    node->kind = kind;
    node->weight = 1;
    node->line = event->start_mark.line + 1;
    node->column = event->start_mark.column + 1;
    node->start = offset_of(reader, event->start_mark.index);
    node->end = offset_of(reader, event->end_mark.index);
    *out = node;
    return NULL;
}

static enum yaml_style scalar_style(yaml_scalar_style_t style)
{
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return YAML_QUOTED_SINGLE;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return YAML_QUOTED_DOUBLE;
    case YAML_LITERAL_SCALAR_STYLE: return YAML_LITERAL;
    case YAML_FOLDED_SCALAR_STYLE: return YAML_FOLDED;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE: break;
    }
    return YAML_PLAIN;
}

/* Adds the pairs of a merged mapping that the mapping does not have itself. */
static fallible merge_pairs(struct reader *reader, struct yaml_node *mapping,
                            const struct yaml_node *source)
{
    if (source->kind != YAML_MAPPING)
        return yaml_fail_at(source->line, source->column,
                            "map merge requires map or sequence of maps as the value");
    if ((mapping->len + source->len) > MAX_MERGED)
        return yaml_fail_at(source->line, source->column, "the document is too large");
    for (size_t i = 0; i < source->len; i++) {
        if (yaml_find(mapping, source->pairs[i].key->text))
            continue;
        yaml_put(reader->arena, mapping, source->pairs[i].key->text, source->pairs[i].value);
        mapping->pairs[mapping->len - 1].is_merged = true;
    }
    return NULL;
}

static bool is_merge_key(const struct yaml_node *key)
{
    return key->style == YAML_PLAIN && str_equal(key->text, STR("<<"));
}

/* The merge key of a complete mapping is replaced by the pairs it refers to; the mapping's own come
 * first and win. */
static fallible resolve_merge(struct reader *reader, struct yaml_node *mapping)
{
    struct yaml_node *value = NULL;

    for (size_t i = 0; i < mapping->len && !value; i++)
        if (is_merge_key(mapping->pairs[i].key))
            value = mapping->pairs[i].value;
    if (!value)
        return NULL;
    yaml_drop(mapping, STR("<<"));
    if (value->kind != YAML_SEQUENCE)
        return merge_pairs(reader, mapping, value);
    for (size_t i = 0; i < value->len; i++)
        TRY(merge_pairs(reader, mapping, value->items[i]));
    return NULL;
}

/* --- the tree --- */

static fallible take_key(struct open_node *top, struct yaml_node *key)
{
    if (key->kind != YAML_SCALAR)
        return yaml_fail_at(key->line, key->column, "a mapping key must be a scalar");
    const struct yaml_node *other = map_find(&top->keys, key->text);
    if (other)
        return error_new(ERROR_INVALID,
                         "line %zu column %zu: mapping key \"" STR_FMT
                         "\" already defined at line %zu",
                         key->line, key->column, STR_ARG(key->text), other->line);
    map_put(&top->keys, key->text, key);
    top->key = key;
    return NULL;
}

/* A node is complete: it becomes the root, an item, a key or a value. */
static fallible reader_place_node(struct reader *reader, struct yaml_node *node)
{
    if (reader->stack.len == 0) {
        reader->root = node;
        return NULL;
    }
    struct open_node *top = &reader->stack.items[reader->stack.len - 1];
    struct yaml_node *parent = top->node;
    if (parent->kind == YAML_MAPPING && !top->key)
        return take_key(top, node);

    parent->weight += node->weight;
    if (parent->weight > YAML_MAX_NODES)
        return yaml_fail_at(node->line, node->column, "document contains excessive aliasing");
    if (node->end > parent->end)
        parent->end = node->end;
    if (parent->kind == YAML_SEQUENCE) {
        yaml_add(reader->arena, parent, node);
        return NULL;
    }
    yaml_append_pair(reader->arena, parent, top->key, node);
    top->key = NULL;
    return NULL;
}

static void name_anchor(struct reader *reader, str anchor, struct yaml_node *node)
{
    if (anchor.len)
        map_put(&reader->anchors, anchor, node);
}

static fallible take_scalar(struct reader *reader, const yaml_event_t *event)
{
    struct yaml_node *node;

    TRY(reader_new_node(reader, event, YAML_SCALAR, &node));
    str text = { (const char *)event->data.scalar.value, event->data.scalar.length };
    node->text = arena_copy(reader->arena, text);
    node->style = scalar_style(event->data.scalar.style);
    node->tag = yaml_copy_text(reader, event->data.scalar.tag);
    name_anchor(reader, yaml_copy_text(reader, event->data.scalar.anchor), node);
    return reader_place_node(reader, node);
}

static fallible take_alias(struct reader *reader, const yaml_event_t *event)
{
    str name = str_from((const char *)event->data.alias.anchor);
    const struct yaml_node *target = map_find(&reader->anchors, name);
    struct yaml_node *node;

    TRY(reader_new_node(reader, event, YAML_SCALAR, &node));
    if (!target)
        return error_new(ERROR_INVALID,
                         "line %zu column %zu: unknown anchor '" STR_FMT "' referenced", node->line,
                         node->column, STR_ARG(name));
    if (target->is_open)
        return error_new(ERROR_INVALID,
                         "line %zu column %zu: anchor '" STR_FMT "' value contains itself",
                         node->line, node->column, STR_ARG(name));
    struct yaml_node copy = *target;
    copy.line = node->line;
    copy.column = node->column;
    copy.start = node->start;
    copy.end = node->end;
    copy.is_alias = true;
    *node = copy;
    return reader_place_node(reader, node);
}

static fallible begin_collection(struct reader *reader, const yaml_event_t *event,
                                 enum yaml_kind kind)
{
    bool is_mapping = kind == YAML_MAPPING;
    struct yaml_node *node;

    TRY(reader_new_node(reader, event, kind, &node));
    if (reader->stack.len >= YAML_MAX_DEPTH)
        return yaml_fail_at(node->line, node->column, "nested too deeply");
    bool is_flow = is_mapping ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                              : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    node->style = is_flow ? YAML_FLOW : YAML_BLOCK;
    node->tag = yaml_copy_text(reader, is_mapping ? event->data.mapping_start.tag
                                                  : event->data.sequence_start.tag);
    node->is_open = true;
    str anchor = yaml_copy_text(reader, is_mapping ? event->data.mapping_start.anchor
                                                   : event->data.sequence_start.anchor);
    name_anchor(reader, anchor, node);
    vec_add(&reader->stack, ((struct open_node){ .node = node }));
    return NULL;
}

static fallible end_collection(struct reader *reader, const yaml_event_t *event)
{
    struct open_node top = reader->stack.items[--reader->stack.len];

    map_release(&top.keys);
    top.node->is_open = false;
    /* A block collection has no end of its own: the mark is that of the token behind it. */
    if (top.node->style == YAML_FLOW)
        top.node->end = offset_of(reader, event->end_mark.index);
    if (top.node->kind == YAML_MAPPING)
        TRY(resolve_merge(reader, top.node));
    return reader_place_node(reader, top.node);
}

static fallible reader_take_event(struct reader *reader, const yaml_event_t *event, bool *is_over)
{
    switch (event->type) {
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_START_EVENT: return NULL;
    case YAML_DOCUMENT_END_EVENT:
    case YAML_STREAM_END_EVENT: *is_over = true; return NULL;
    case YAML_ALIAS_EVENT: return take_alias(reader, event);
    case YAML_SCALAR_EVENT: return take_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT: return begin_collection(reader, event, YAML_SEQUENCE);
    case YAML_MAPPING_START_EVENT: return begin_collection(reader, event, YAML_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return end_collection(reader, event);
    }
    return NULL;
}

static fallible read_events(struct reader *reader)
{
    bool is_over = false;

    while (!is_over) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event))
            return fail_parse(reader);
        struct error *failure = reader_take_event(reader, &event, &is_over);
        yaml_event_delete(&event);
        TRY(failure);
    }
    return NULL;
}

/* libyaml would count it as a column, and what stands below it would be indented less. */
static size_t marks_of_byte_order(str text)
{
    size_t len = 0;

    while (str_starts_with(str_slice(text, len, text.len), STR("\xef\xbb\xbf")))
        len += 3;
    return len;
}

fallible yaml_read(struct arena *arena, str text, struct yaml_node **out)
{
    size_t skipped = marks_of_byte_order(text);
    CLEANUP(reader_release) struct reader reader = { .arena = arena, .skipped = skipped };

    text = str_slice(text, skipped, text.len);
    reader.text = text;

    if (!yaml_parser_initialize(&reader.parser))
        memory_exhausted(sizeof(reader.parser));
    if (text.len > YAML_MAX_SIZE)
        return error_new(ERROR_INVALID, "the document is larger than %d bytes", YAML_MAX_SIZE);
    join_pairs(&reader);
    text = reader.text;
    index_characters(&reader);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)(text.len ? text.ptr : ""),
                                 text.len);
    TRY(read_events(&reader));
    *out = reader.root ? reader.root : yaml_new_plain(arena, STR(""));
    return NULL;
}
