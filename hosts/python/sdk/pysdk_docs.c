/* pysdk_docs.c — documentation of a schema as docstrings. */
#include "python/sdk/pysdk.h"

/* --- examples --- */

struct doc_filter {
    struct strbuf out;
    bool is_in_code;
    bool keeps_code;
    bool has_code;  /* since the example began */
    size_t example; /* where it began in `out` */
    bool is_in_example;
};

/* Examples are there once for each language. What is labelled otherwise is part of the text. */
static bool doc_is_other_language(str label)
{
    static const char *const others[] = { "typescript", "ts",   "javascript",  "js",   "go",
                                          "csharp",     "java", "pulumi-yaml", "yaml", NULL };
    return name_is_one_of(others, label);
}

static bool doc_is_mark(str line, const char *name)
{
    str inside;

    if (!str_starts_with(line, STR("{{%")) || !str_ends_with(line, STR("%}}")))
        return false;
    inside = str_trim(str_slice(line, 3, line.len - 3));
    return str_equal(inside, str_from(name));
}

/* True if the line was one of those that are not shown. */
static bool doc_take_mark(struct doc_filter *filter, str line)
{
    if (doc_is_mark(line, "examples") || doc_is_mark(line, "/examples")
        || str_starts_with(line, STR("<!--Start PulumiCodeChooser"))
        || str_starts_with(line, STR("<!--End PulumiCodeChooser")))
        return true;
    if (doc_is_mark(line, "example")) {
        filter->is_in_example = true;
        filter->has_code = false;
        filter->example = filter->out.len;
        return true;
    }
    if (!doc_is_mark(line, "/example"))
        return false;
    if (filter->is_in_example && !filter->has_code)
        filter->out.len = filter->example;
    filter->is_in_example = false;
    return true;
}

static void doc_add_line(struct doc_filter *filter, str line)
{
    str bare = str_trim(line);
    bool is_fence = str_starts_with(bare, STR("```"));

    if (!filter->is_in_code && doc_take_mark(filter, bare))
        return;
    if (is_fence && !filter->is_in_code) {
        filter->is_in_code = true;
        filter->keeps_code = !doc_is_other_language(str_trim(str_slice(bare, 3, bare.len)));
        filter->has_code |= filter->keeps_code;
    } else if (is_fence) {
        filter->is_in_code = false;
        if (!filter->keeps_code)
            return;
    }
    if (filter->is_in_code && !filter->keeps_code)
        return;
    strbuf_add(&filter->out, line);
    strbuf_add_char(&filter->out, '\n');
}

static str doc_without_examples(struct arena *arena, str text)
{
    struct doc_filter filter = { 0 };
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        doc_add_line(&filter, line);
    }
    str kept = arena_copy(arena, strbuf_str(&filter.out));
    strbuf_release(&filter.out);
    return kept;
}

/* --- references --- */

/* "#/resources/a:b%2Fc:D/properties/e": the kind, the token, and what follows it. */
static bool doc_split_reference(struct arena *arena, str reference, str *kind, str *token,
                                str *below)
{
    str package, path, first, rest;

    if (!str_cut(reference, STR("#/"), &package, &path) || !str_cut(path, STR("/"), kind, &rest))
        return false;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    *token = rest;
    *below = STR("");
    size_t colon = str_find_last(rest, STR(":"));
    size_t end =
        colon == SIZE_MAX ? SIZE_MAX : str_find_char(str_slice(rest, colon, rest.len), '/');
    if (end != SIZE_MAX) {
        *token = str_slice(rest, 0, colon + end);
        *below = str_slice(rest, colon + end + 1, rest.len);
    }
    for (first = *token; first.len;) {
        bool is_slash = str_starts_with(first, STR("%2F")) || str_starts_with(first, STR("%2f"));
        strbuf_add_char(&text, is_slash ? '/' : first.ptr[0]);
        first = str_slice(first, is_slash ? 3 : 1, first.len);
    }
    *token = arena_copy(arena, strbuf_str(&text));
    return true;
}

/* What a reference says in Python; empty if it cannot be told. */
static str doc_reference_name(struct arena *arena, str reference)
{
    str kind, token, below, property = STR(""), head;

    if (!doc_split_reference(arena, reference, &kind, &token, &below))
        return STR("");
    bool is_function = str_equal(kind, STR("functions"));
    str name = is_function ? python_name(arena, schema_member(token))
                           : python_class_name(arena, schema_member(token));
    if (str_starts_with(below, STR("inputProperties/")))
        name = arena_concat(arena, name, STR("Args"));
    if (below.len && !str_cut_last(below, STR("/"), &head, &property))
        property = below;
    return below.len ? arena_concat(arena, name, STR("."), python_name(arena, property)) : name;
}

static str doc_with_names(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str before, mark, inside, rest;

    while (str_cut(text, STR("{{%"), &before, &mark) && str_cut(mark, STR("%}}"), &inside, &rest)) {
        str words = str_trim(inside);
        str name = str_starts_with(words, STR("ref"))
                       ? doc_reference_name(arena, str_trim(str_slice(words, 3, words.len)))
                       : STR("");
        strbuf_add(&out, before);
        strbuf_add(&out, name.len ? name : words);
        text = rest;
    }
    strbuf_add(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

str pysdk_doc(struct pysdk *sdk, struct arena *arena, str text)
{
    (void)sdk;
    if (str_find(text, STR("{{%")) != SIZE_MAX || str_find(text, STR("```")) != SIZE_MAX)
        text = doc_with_names(arena, doc_without_examples(arena, text));
    return str_trim(text);
}

/* --- docstrings --- */

static void doc_put_escaped(struct pysdk_file *file, str line)
{
    for (size_t i = 0; i < line.len; i++) {
        bool ends = line.ptr[i] == '"' && (i + 1 == line.len || line.ptr[i + 1] == '"');
        if (line.ptr[i] == '\\' || ends)
            strbuf_add_char(&file->body, '\\');
        if (line.ptr[i] != '\r')
            strbuf_add_char(&file->body, line.ptr[i]);
    }
}

static str doc_without_blanks_behind(str line)
{
    while (line.len && strchr(" \t\r", line.ptr[line.len - 1]))
        line.len--;
    return line;
}

void pysdk_put_doc(struct pysdk_file *file, unsigned indent, str text)
{
    bool is_first = true, was_empty = false;
    bool has_lines = str_find_char(text, '\n') != SIZE_MAX;
    str line;

    if (!text.len)
        return;
    pysdk_put(file, "%*s\"\"\"", (int)indent, "");
    while (str_next(&text, STR("\n"), &line)) {
        line = doc_without_blanks_behind(line);
        if (line.len || !was_empty) {
            if (!is_first)
                pysdk_put(file, "\n%*s", line.len ? (int)indent : 0, "");
            doc_put_escaped(file, line);
        }
        was_empty = !line.len;
        is_first = false;
    }
    if (has_lines)
        pysdk_put(file, "\n%*s", (int)indent, "");
    pysdk_put(file, "\"\"\"\n");
}

void pysdk_add_param(struct pysdk *sdk, struct strbuf *doc, str name, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_first = true;
    str line;

    text = pysdk_doc(sdk, &scratch, text);
    if (!text.len)
        return;
    if (doc->len)
        strbuf_add(doc,
                   str_find(strbuf_str(doc), STR(":param ")) == SIZE_MAX ? STR("\n\n") : STR("\n"));
    strbuf_printf(doc, ":param " STR_FMT ": ", STR_ARG(name));
    while (str_next(&text, STR("\n"), &line)) {
        if (!is_first)
            strbuf_add(doc, line.len ? STR("\n    ") : STR("\n"));
        strbuf_add(doc, line);
        is_first = false;
    }
}
