/* go_file.c — a file of Go: its head, text with words filled in, and structs as gofmt has them. */
#include "go/sdk/go_type.h"
#include "go/go_program.h"

#include <stdlib.h>

void go_file_release(struct go_file *file)
{
    strbuf_release(&file->out);
    map_release(&file->imports);
    map_release(&file->packages);
}

void go_put_list(struct strbuf *out, const char *text, const str *words, size_t len)
{
    const char *from = text;

    for (const char *at = strchr(text, '$'); at; at = strchr(from, '$')) {
        size_t index = (size_t)(at[1] - '1');
        bool is_word = at[1] >= '1' && at[1] <= '9' && index < len;
        strbuf_add(out, (str){ from, (size_t)(at - from) + !is_word });
        if (is_word)
            strbuf_add(out, words[index]);
        from = at + 1 + is_word;
    }
    strbuf_add(out, str_from(from));
}

str go_quoted(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    go_put_string(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

/* --- comments --- */

/* #/resources/TOKEN/inputProperties/NAME: the name in Go of what it leads to. */
static str resolve_doc_name(void *file_, str reference)
{
    struct go_file *file = file_;
    str head, path, kind, token, name, rest = STR("");

    if (!str_cut(reference, STR("#/"), &head, &path) || !str_cut(path, STR("/"), &kind, &token))
        return STR("");
    bool is_property =
        str_cut(token, STR("/"), &token, &rest) && str_cut_last(rest, STR("/"), &head, &name);
    if (is_property)
        return go_title(file->arena, name);
    return go_member_name(file->arena, token);
}

void go_put_comment(struct go_file *file, str description, str deprecation, const char *indent)
{
    struct go_doc_names names = { file, resolve_doc_name };

    go_put_docs(&file->out, description, deprecation, indent, &names);
}

/* --- fields --- */

static size_t text_width(str text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
    return count;
}

static void put_padded(struct strbuf *out, str text, size_t width)
{
    strbuf_add(out, text);
    strbuf_add_repeated(out, ' ', width - text_width(text) + 1);
}

/* Fields share columns up to the next that has a comment. */
static size_t field_run(const struct go_struct_field *fields, size_t len, size_t *names,
                        size_t *types)
{
    size_t count = 0;

    *names = *types = 0;
    while (count < len
           && (!count || (!fields[count].description.len && !fields[count].deprecation.len))) {
        size_t name = text_width(fields[count].name), type = text_width(fields[count].type);
        *names = name > *names ? name : *names;
        *types = type > *types ? type : *types;
        count++;
    }
    return count;
}

void go_put_struct_fields(struct go_file *file, const struct go_struct_field *fields, size_t len)
{
    struct strbuf *out = &file->out;

    for (size_t i = 0; i < len;) {
        size_t names, types, run = field_run(fields + i, len - i, &names, &types);
        go_put_comment(file, fields[i].description, fields[i].deprecation, "\t");
        for (size_t end = i + run; i < end; i++) {
            strbuf_add_char(out, '\t');
            put_padded(out, fields[i].name, names);
            if (!fields[i].tag.len) {
                strbuf_add(out, fields[i].type);
                strbuf_add_char(out, '\n');
                continue;
            }
            put_padded(out, fields[i].type, types);
            go_put(file, "`pulumi:\"$1\"`\n", fields[i].tag);
        }
    }
}

/* --- the whole --- */

static int compare_imports(const void *a, const void *b)
{
    return str_compare(((const struct pair *)a)->key, ((const struct pair *)b)->key);
}

/* Packages of Go itself have no dot in what their path begins with. */
static bool is_standard(str path)
{
    str first = path, rest;

    str_cut(path, STR("/"), &first, &rest);
    return str_find_char(first, '.') == SIZE_MAX;
}

static size_t put_imports(struct strbuf *out, const struct pair *imports, size_t len,
                          bool want_standard, bool has_before)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        str head, name = imports[i].key;
        if (is_standard(imports[i].key) != want_standard)
            continue;
        if (!count && has_before)
            strbuf_add_char(out, '\n');
        str_cut_last(imports[i].key, STR("/"), &head, &name);
        bool is_plain = str_equal(name, imports[i].value) || !imports[i].value.len;
        go_put_list(out, is_plain ? "\t\"$1\"\n" : "\t$2 \"$1\"\n",
                    (const str[]){ imports[i].key, imports[i].value }, 2);
        count++;
    }
    return count;
}

static void put_import_block(const struct go_file *file, struct strbuf *out)
{
    struct pair *imports = ARENA_ARRAY(file->arena, struct pair, file->imports.len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(&file->imports, &i, &entry);)
        imports[len++] = (struct pair){ entry->key, *(const str *)entry->value };
    if (!len)
        return;
    qsort(imports, len, sizeof(*imports), compare_imports);
    strbuf_add(out, STR("import (\n"));
    size_t count = put_imports(out, imports, len, true, false);
    put_imports(out, imports, len, false, count > 0);
    strbuf_add(out, STR(")\n\n"));
}

void go_file_finish(struct go_file *file, struct strbuf *out)
{
    str body = strbuf_str(&file->out);

    strbuf_add(out,
               STR("// Code generated by culumi from the schema of the package. DO NOT EDIT.\n\n"));
    go_put_list(out, "package $1\n\n", &file->module->package, 1);
    put_import_block(file, out);
    while (body.len && body.ptr[body.len - 1] == '\n')
        body.len--;
    strbuf_add(out, body);
    strbuf_add_char(out, '\n');
}
