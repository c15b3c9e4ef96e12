/* template_fill.c — puts the answers into the texts of a template. */
#include "template/template.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "base/yaml.h"

#define PROJECT_MARK STR("${PROJECT}")
#define DESCRIPTION_MARK STR("${DESCRIPTION}")

/* Whoever wrote the file decides: a NUL byte near its beginning makes it binary. */
static bool is_binary(str content)
{
    enum { LOOKED_AT = 8000 };

    return str_find_char(str_slice(content, 0, LOOKED_AT), '\0') != SIZE_MAX;
}

/* --- values in YAML --- */

static char byte_before(str text, size_t at)
{
    while (at > 0 && (text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\t'))
        at--;
    return at > 0 ? text.ptr[at - 1] : '\n';
}

static char byte_behind(str text, size_t at)
{
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t' || text.ptr[at] == '\r'))
        at++;
    return at < text.len ? text.ptr[at] : '\n';
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* As a scalar on one line; between brackets and braces commas and brackets need quotes, too. */
static str yaml_quoted(struct arena *arena, str value, bool is_in_flow)
{
    struct yaml_node *node = yaml_new_string(arena, value);

    if (str_find_char(value, '\n') != SIZE_MAX)
        node->style = YAML_QUOTED_DOUBLE;
    for (size_t i = 0; i < value.len && is_in_flow && node->style == YAML_PLAIN; i++)
        if (is_one_of(value.ptr[i], ",[]{}"))
            node->style = YAML_QUOTED_SINGLE;
    return str_trim(yaml_write(arena, node));
}

/* What is inside the quotes that are there already. */
static str yaml_inside_quotes(struct arena *arena, str value, char quote)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (quote == '\'' && c == '\'')
            strbuf_add(&out, STR("''"));
        else if (quote == '"' && c == '\n')
            strbuf_add(&out, STR("\\n"));
        else if (quote == '"' && (c == '"' || c == '\\'))
            strbuf_printf(&out, "\\%c", c);
        else
            strbuf_add_char(&out, c);
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* The value for the mark from `start` to `end` of a YAML text. A part of a longer scalar is taken
 * as it is: quotes would not be quotes there. */
static str yaml_value(struct arena *arena, str text, size_t start, size_t end, str value)
{
    char before = start > 0 ? text.ptr[start - 1] : '\n';
    char behind = end < text.len ? text.ptr[end] : '\n';

    if ((before == '"' || before == '\'') && behind == before)
        return yaml_inside_quotes(arena, value, before);
    char opened = byte_before(text, start), closed = byte_behind(text, end);
    bool is_whole = is_one_of(opened, ":-[{,\n") && is_one_of(closed, "\n#,]}");
    bool is_in_flow = is_one_of(opened, "[{,") || is_one_of(closed, ",]}");
    return is_whole ? yaml_quoted(arena, value, is_in_flow) : value;
}

/* --- texts --- */

struct next_mark {
    size_t start;
    size_t end;
    bool is_project;
};

static bool find_mark(str text, size_t from, struct next_mark *out)
{
    str rest = str_slice(text, from, text.len);
    size_t project = str_find(rest, PROJECT_MARK), description = str_find(rest, DESCRIPTION_MARK);

    if (project == SIZE_MAX && description == SIZE_MAX)
        return false;
    out->is_project = project < description;
    out->start = from + (out->is_project ? project : description);
    out->end = out->start + (out->is_project ? PROJECT_MARK.len : DESCRIPTION_MARK.len);
    return true;
}

str template_fill(struct arena *arena, str path, str content, const struct template_values *values)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_yaml = str_equal(fs_path_extension(path), STR(".yaml"));
    struct next_mark mark;
    size_t done = 0;

    if (is_binary(content) || !find_mark(content, 0, &mark))
        return content;
    while (find_mark(content, done, &mark)) {
        str value = mark.is_project ? values->project : values->description;
        strbuf_add(&out, str_slice(content, done, mark.start));
        strbuf_add(&out, is_yaml ? yaml_value(arena, content, mark.start, mark.end, value) : value);
        done = mark.end;
    }
    strbuf_add(&out, str_slice(content, done, content.len));
    return arena_copy(arena, strbuf_str(&out));
}

str template_fill_path(struct arena *arena, str path, const struct template_values *values)
{
    CLEANUP(strbuf_release) struct strbuf filled = { 0 };
    str head, tail = path;

    while (str_cut(tail, PROJECT_MARK, &head, &tail)) {
        strbuf_add(&filled, head);
        strbuf_add(&filled, values->project);
    }
    strbuf_add(&filled, tail);
    return arena_copy(arena, strbuf_str(&filled));
}

/* --- names --- */

str template_project_name(struct arena *arena, str text)
{
    enum { LONGEST = 100 };
    CLEANUP(strbuf_release) struct strbuf name = { 0 };

    for (size_t i = 0; i < text.len && name.len < LONGEST; i++) {
        char c = text.ptr[i];
        bool is_fine = char_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
                       || c == '_' || c == '-' || c == '.';
        if (is_fine)
            strbuf_add_char(&name, c);
        else if (name.len > 0 && name.ptr[name.len - 1] != '-')
            strbuf_add_char(&name, '-');
    }
    while (name.len > 0 && name.ptr[name.len - 1] == '-')
        name.len--;
    return name.len ? arena_copy(arena, strbuf_str(&name)) : STR("project");
}
