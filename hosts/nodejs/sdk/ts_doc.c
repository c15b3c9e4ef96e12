/* ts_doc.c — descriptions of a schema as documentation comments.
 *
 * A description is Markdown. "{{% examples %}}" and "{{% example %}}" stand around examples in many
 * languages; "{{% ref #/resources/… %}}" is replaced by the name of what it means. */
#include "nodejs/sdk/ts_file.h"

#include "common/names.h"
#include "schema/schema_reader.h"

/* --- examples --- */

struct ts_examples {
    struct strbuf kept;
    struct strbuf example; /* the one that is open */
    bool is_open;
    bool has_code; /* of the open one */
    bool is_fenced;
    bool is_hidden; /* the fence is of another language */
    str fence;
};

static bool ts_is_mark(str line, str mark)
{
    str inner = str_trim(line);

    if (!str_starts_with(inner, STR("{{%")) || !str_ends_with(inner, STR("%}}")))
        return false;
    return str_equal(str_trim(str_slice(inner, 3, inner.len - 3)), mark);
}

/* Blank lines that would follow each other where something was left out are one. */
static void ts_examples_keep(struct ts_examples *examples, str line)
{
    struct strbuf *out = examples->is_open ? &examples->example : &examples->kept;
    bool is_blank = !str_trim(line).len && !examples->is_fenced;

    if (is_blank && (!out->len || str_ends_with(strbuf_str(out), STR("\n\n"))))
        return;
    strbuf_add(out, line);
    strbuf_add_char(out, '\n');
}

static void ts_examples_close(struct ts_examples *examples)
{
    examples->is_open = false;
    if (examples->has_code) {
        str text = strbuf_str(&examples->example);
        strbuf_add(&examples->kept, text);
    }
    strbuf_clear(&examples->example);
}

static void ts_examples_fence(struct ts_examples *examples, str line)
{
    str inner = str_trim(line);
    size_t ticks = 0;

    while (ticks < inner.len && inner.ptr[ticks] == '`')
        ticks++;
    if (!examples->is_fenced) {
        str language = str_trim(str_slice(inner, ticks, inner.len));
        examples->fence = str_slice(inner, 0, ticks);
        examples->is_hidden =
            !str_equal(language, STR("typescript")) && !str_equal(language, STR("sh"));
        if (!examples->is_hidden)
            examples->has_code = true;
        if (!examples->is_hidden)
            ts_examples_keep(examples, line);
        examples->is_fenced = true;
        return;
    }
    if (!examples->is_hidden)
        ts_examples_keep(examples, line);
    if (str_equal(inner, examples->fence)) {
        examples->is_fenced = false;
        examples->is_hidden = false;
    }
}

static void ts_examples_line(struct ts_examples *examples, str line)
{
    bool is_fence = str_starts_with(str_trim(line), STR("```"));

    if (is_fence || examples->is_fenced) {
        if (is_fence)
            ts_examples_fence(examples, line);
        else if (!examples->is_hidden)
            ts_examples_keep(examples, line);
        return;
    }
    if (ts_is_mark(line, STR("examples")) || ts_is_mark(line, STR("/examples")))
        return;
    if (ts_is_mark(line, STR("example"))) {
        examples->is_open = true;
        examples->has_code = false;
    } else if (ts_is_mark(line, STR("/example"))) {
        ts_examples_close(examples);
    } else {
        ts_examples_keep(examples, line);
    }
}

str ts_doc_examples(struct arena *arena, str text)
{
    struct ts_examples examples = { 0 };
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        ts_examples_line(&examples, line);
    }
    if (examples.is_open)
        ts_examples_close(&examples);
    str kept = arena_copy(arena, str_trim(strbuf_str(&examples.kept)));
    strbuf_release(&examples.kept);
    strbuf_release(&examples.example);
    return kept;
}

/* --- references --- */

/* What the things are called that a reference begins with, by where they are. */
static str ts_reference_owner(struct arena *arena, str kind, str token, str place)
{
    str name = ts_type_name(arena, token);
    bool is_function = str_equal(kind, STR("functions"));

    if (is_function && !place.len)
        return ts_function_name(arena, token);
    if (str_equal(place, STR("inputProperties")) || str_equal(place, STR("inputs")))
        return arena_concat(arena, name, STR("Args"));
    if (str_equal(place, STR("outputs")))
        return arena_concat(arena, name, STR("Result"));
    return name;
}

/* Empty if it is no reference. */
static str ts_reference_name(struct arena *arena, str path)
{
    str package, kind, part, place = STR(""), name = STR(""), more;

    if (!str_cut(path, STR("#/"), &package, &path) || !str_next(&path, STR("/"), &kind)
        || !str_next(&path, STR("/"), &part))
        return STR("");
    if (str_next(&path, STR("/"), &place))
        while (str_next(&path, STR("/"), &more))
            name = more;
    str owner = ts_reference_owner(arena, kind, schema_decode_token(arena, part), place);
    if (!place.len)
        return owner;
    return arena_concat(arena, owner, STR("."), name_camel(arena, name));
}

/* The text with the names of what it refers to. */
static str ts_doc_references(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str before, rest, inner, after;

    while (str_cut(text, STR("{{% ref "), &before, &rest)
           && str_cut(rest, STR("%}}"), &inner, &after)) {
        str name = ts_reference_name(arena, str_trim(inner));
        strbuf_add(&out, before);
        if (name.len) {
            strbuf_add(&out, name);
        } else {
            strbuf_add(&out, STR("{{% ref "));
            strbuf_add(&out, inner);
            strbuf_add(&out, STR("%}}"));
        }
        text = after;
    }
    strbuf_add(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

/* --- comments --- */

/* A description must not end the comment that it is in. */
static void ts_doc_line(struct ts_file *file, str line)
{
    str before, after;

    while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    ts_begin(file);
    strbuf_add(&file->body, line.len ? STR(" * ") : STR(" *"));
    while (str_cut(line, STR("*/"), &before, &after)) {
        strbuf_add(&file->body, before);
        strbuf_add(&file->body, STR("*&#47;"));
        line = after;
    }
    strbuf_add(&file->body, line);
    strbuf_add_char(&file->body, '\n');
}

static void ts_doc_lines(struct ts_file *file, str text)
{
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        ts_doc_line(file, line);
    }
}

void ts_doc(struct ts_file *file, str text, str deprecation)
{
    text = str_trim(text);
    if (!text.len && !deprecation.len)
        return;
    if (str_find(text, STR("{{%")) != SIZE_MAX)
        text = ts_doc_references(&file->arena, text);
    ts_line(file, "/**");
    ts_doc_lines(file, text);
    if (deprecation.len) {
        if (text.len)
            ts_doc_line(file, STR(""));
        ts_doc_lines(file, arena_concat(&file->arena, STR("@deprecated "), str_trim(deprecation)));
    }
    ts_line(file, " */");
}

void ts_doc_with_examples(struct ts_file *file, str text, str deprecation)
{
    ts_doc(file, ts_doc_examples(&file->arena, text), deprecation);
}
