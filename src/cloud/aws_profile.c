/* aws_profile.c — sections, names and values. */
#include "cloud/aws_profile.h"

#include "base/fs.h"
#include "base/settings.h"
#include "base/vec.h"

enum { PROFILE_FILE_MAX = 4 << 20 };

struct aws_section_list {
    VEC(struct aws_section);
};
struct aws_values {
    VEC(struct pair);
};

/* --- parsing --- */

static bool aws_is_comment(str line)
{
    return line.len == 0 || line.ptr[0] == '#' || line.ptr[0] == ';';
}

/* A comment behind a value begins with a blank. */
static str aws_without_comment(str value)
{
    for (size_t i = 1; i < value.len; i++)
        if ((value.ptr[i] == '#' || value.ptr[i] == ';')
            && (value.ptr[i - 1] == ' ' || value.ptr[i - 1] == '\t'))
            return str_trim(str_slice(value, 0, i));
    return value;
}

static void aws_section_end(struct arena *arena, struct aws_section_list *sections,
                            struct aws_values *values)
{
    if (sections->len > 0) {
        struct aws_section *last = &sections->items[sections->len - 1];
        last->values = (struct pairs){ arena_copy_bytes(arena, values->items,
                                                        values->len * sizeof(*values->items)),
                                       values->len };
    }
    values->len = 0;
}

static void aws_line(struct arena *arena, str line, struct aws_section_list *sections,
                     struct aws_values *values)
{
    bool is_indented = line.len > 0 && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
    str key, value, rest;

    line = str_trim(line);
    if (aws_is_comment(line) || is_indented)
        return;
    if (line.ptr[0] == '[') {
        aws_section_end(arena, sections, values);
        key = str_slice(line, 1, line.len);
        str_cut(key, STR("]"), &key, &rest);
        vec_add(sections, ((struct aws_section){ .name = str_trim(key) }));
        return;
    }
    if (sections->len > 0 && str_cut(line, STR("="), &key, &value))
        vec_add(values, ((struct pair){ str_trim(key), aws_without_comment(str_trim(value)) }));
}

void aws_sections_parse(struct arena *arena, str text, struct aws_sections *out)
{
    struct aws_section_list sections = { 0 };
    struct aws_values values = { 0 };
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        aws_line(arena, line, &sections, &values);
    }
    aws_section_end(arena, &sections, &values);
    out->items = arena_copy_bytes(arena, sections.items, sections.len * sizeof(*sections.items));
    out->len = sections.len;
    vec_release(&sections);
    vec_release(&values);
}

/* --- a profile --- */

static fallible aws_read_file(struct arena *arena, const char *variable, str home, const char *name,
                              struct aws_sections *out)
{
    str path = settings_text(variable), text;

    *out = (struct aws_sections){ 0 };
    if (path.len == 0 && home.len == 0)
        return NULL;
    if (path.len == 0)
        path = arena_concat(arena, home, STR("/.aws/"), str_from(name));
    struct error *failure = fs_read(arena, arena_copy(arena, path), PROFILE_FILE_MAX, &text);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "most have none");
        return NULL;
    }
    TRY(error_wrap(failure, "the AWS file of profiles"));
    aws_sections_parse(arena, text, out);
    return NULL;
}

/* "[profile x]" in the one file, "[x]" in the other; "[default]" in both. */
static bool aws_is_section(str section, str name, bool is_config)
{
    str word, rest;

    if (is_config && str_cut(section, STR(" "), &word, &rest) && str_equal(word, STR("profile")))
        return str_equal(str_trim(rest), name);
    return str_equal(section, name) && (!is_config || str_equal(name, STR("default")));
}

static void aws_add_sections(struct arena *arena, const struct aws_sections *sections,
                             bool is_config, struct aws_profile *out)
{
    for (size_t i = sections->len; i > 0; i--) {
        const struct aws_section *section = &sections->items[i - 1];
        if (!aws_is_section(section->name, out->name, is_config))
            continue;
        out->exists = true;
        out->values = pairs_union(arena, out->values, section->values);
    }
}

fallible aws_profile_load(struct arena *arena, str home, str name, struct aws_profile *out)
{
    struct aws_sections config, credentials;

    *out = (struct aws_profile){ .name = name };
    TRY(aws_read_file(arena, "AWS_CONFIG_FILE", home, "config", &config));
    TRY(aws_read_file(arena, "AWS_SHARED_CREDENTIALS_FILE", home, "credentials", &credentials));
    aws_add_sections(arena, &credentials, false, out);
    aws_add_sections(arena, &config, true, out);
    return NULL;
}

fallible aws_session_load(struct arena *arena, str home, str name, struct aws_profile *out)
{
    struct aws_sections config;
    str word, rest;

    *out = (struct aws_profile){ .name = name };
    TRY(aws_read_file(arena, "AWS_CONFIG_FILE", home, "config", &config));
    for (size_t i = config.len; i > 0; i--) {
        const struct aws_section *section = &config.items[i - 1];
        if (!str_cut(section->name, STR(" "), &word, &rest) || !str_equal(word, STR("sso-session"))
            || !str_equal(str_trim(rest), name))
            continue;
        out->exists = true;
        out->values = pairs_union(arena, out->values, section->values);
    }
    return NULL;
}

str aws_profile_value(const struct aws_profile *profile, const char *name)
{
    const str *value = pairs_find(profile->values, str_from(name));

    return value ? *value : STR("");
}
