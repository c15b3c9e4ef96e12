/* node_manifest.c — changes of package.json. The text around what is changed stays byte by byte: it
 * is the user's. */
#include "nodejs/node_manifest.h"

#include "base/json.h"

/* An object in the text, and what is to be known to put something into it. */
struct manifest_object {
    str text;      /* from '{' to '}' */
    str found;     /* the value that the key has; empty: it has none */
    size_t before; /* where the first greater key begins; SIZE_MAX: there is none */
    size_t behind; /* where the last value ends; 0: it has none */
};

struct manifest_search {
    str wanted;
    struct manifest_object *out;
};

static fallible manifest_look_at(struct json_reader *reader, str key, void *search_)
{
    const struct manifest_search *search = search_;
    struct manifest_object *out = search->out;
    size_t begin = reader->token_at;
    str value;

    TRY(json_skip(reader, &value));
    if (str_equal(key, search->wanted))
        out->found = value;
    if (str_compare(key, search->wanted) > 0 && out->before == SIZE_MAX)
        out->before = begin;
    out->behind = (size_t)(value.ptr - out->text.ptr) + value.len;
    return NULL;
}

static fallible manifest_look(struct arena *arena, str text, str wanted,
                              struct manifest_object *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct manifest_search search = { wanted, out };

    *out = (struct manifest_object){ .text = text, .before = SIZE_MAX };
    json_reader_init(&reader, arena, text);
    return json_read_members(&reader, manifest_look_at, &search);
}

/* How the file is indented: as its first line that is. */
static str manifest_indent(str text)
{
    size_t line = str_find_char(text, '\n'), end;

    if (line == SIZE_MAX)
        return STR("  ");
    for (end = line + 1; end < text.len && (text.ptr[end] == ' ' || text.ptr[end] == '\t');)
        end++;
    return end > line + 1 ? str_slice(text, line + 1, end) : STR("  ");
}

static str manifest_line(struct arena *arena, str indent, unsigned depth)
{
    str line = STR("\n");

    for (unsigned i = 0; i < depth; i++)
        line = arena_concat(arena, line, indent);
    return line;
}

static str manifest_quoted(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    json_format_string(&out, text, false);
    return arena_copy(arena, strbuf_str(&out));
}

/* The text of the object with the key set. */
static str manifest_put(struct arena *arena, const struct manifest_object *object, str key,
                        str value, str indent, unsigned depth)
{
    str text = object->text, line = manifest_line(arena, indent, depth);
    str member = arena_concat(arena, manifest_quoted(arena, key), STR(": "), value);

    if (object->found.len) {
        size_t at = (size_t)(object->found.ptr - text.ptr);
        return arena_concat(arena, str_slice(text, 0, at), value,
                            str_slice(text, at + object->found.len, text.len));
    }
    if (!object->behind)
        return arena_concat(arena, STR("{"), line, member, manifest_line(arena, indent, depth - 1),
                            STR("}"));
    if (depth > 1 && object->before != SIZE_MAX)
        return arena_concat(arena, str_slice(text, 0, object->before), member, STR(","), line,
                            str_slice(text, object->before, text.len));
    return arena_concat(arena, str_slice(text, 0, object->behind), STR(","), line, member,
                        str_slice(text, object->behind, text.len));
}

/* The object that the file is, and what is around it. */
static fallible manifest_root(struct arena *arena, str manifest, str member, str *before,
                              struct manifest_object *root, str *after)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    enum json_kind kind;
    str text;

    json_reader_init(&reader, arena, manifest);
    TRY(json_peek(&reader, &kind));
    if (kind != JSON_OBJECT_BEGIN)
        return error_new(ERROR_INVALID, "it is no JSON object");
    TRY(json_skip(&reader, &text));
    size_t at = (size_t)(text.ptr - manifest.ptr);
    *before = str_slice(manifest, 0, at);
    *after = str_slice(manifest, at + text.len, manifest.len);
    return manifest_look(arena, text, member, root);
}

fallible node_manifest_set(struct arena *arena, str manifest, str member, str key, str value,
                           str *out)
{
    struct manifest_object root, inner;
    str before, after, indent = manifest_indent(manifest);

    TRY(manifest_root(arena, manifest, member, &before, &root, &after));
    bool is_object = root.found.len && root.found.ptr[0] == '{';
    TRY(manifest_look(arena, is_object ? root.found : STR("{}"), key, &inner));
    str changed = manifest_put(arena, &inner, key, value, indent, 2);
    *out =
        arena_concat(arena, before, manifest_put(arena, &root, member, changed, indent, 1), after);
    return NULL;
}

/* The list with one more text; as it is if it has it. */
static fallible manifest_longer_list(struct arena *arena, str list, str text, str indent, str *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    CLEANUP(strbuf_release) struct strbuf longer = { 0 };
    str item, quoted = manifest_quoted(arena, text), line = manifest_line(arena, indent, 2);
    bool more;

    json_reader_init(&reader, arena, list);
    TRY(json_array_begin(&reader));
    strbuf_add_char(&longer, '[');
    while (true) {
        TRY(json_array_next(&reader, &more));
        if (!more)
            break;
        TRY(json_skip(&reader, &item));
        if (str_equal(item, quoted)) {
            *out = list;
            return NULL;
        }
        strbuf_add(&longer, line);
        strbuf_add(&longer, item);
        strbuf_add_char(&longer, ',');
    }
    strbuf_add(&longer, line);
    strbuf_add(&longer, quoted);
    strbuf_add(&longer, manifest_line(arena, indent, 1));
    strbuf_add_char(&longer, ']');
    *out = arena_copy(arena, strbuf_str(&longer));
    return NULL;
}

fallible node_manifest_add(struct arena *arena, str manifest, str member, str text, str *out)
{
    struct manifest_object root;
    str before, after, list, indent = manifest_indent(manifest);

    TRY(manifest_root(arena, manifest, member, &before, &root, &after));
    bool is_list = root.found.len && root.found.ptr[0] == '[';
    TRY(manifest_longer_list(arena, is_list ? root.found : STR("[]"), text, indent, &list));
    *out = arena_concat(arena, before, manifest_put(arena, &root, member, list, indent, 1), after);
    return NULL;
}
