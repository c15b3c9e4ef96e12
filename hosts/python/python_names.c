/* python_names.c — what things of a schema are called in Python. */
#include "python/python_names.h"

#include "base/json.h"
#include "base/semver.h"
#include "common/names.h"

#include <ctype.h>

static const char *const python_keywords[] = {
    "False",  "None",    "True",     "and",  "as",     "assert", "async",  "await",
    "break",  "class",   "continue", "def",  "del",    "elif",   "else",   "except",
    "exec",   "finally", "for",      "from", "global", "if",     "import", "in",
    "is",     "lambda",  "nonlocal", "not",  "or",     "pass",   "print",  "raise",
    "return", "try",     "while",    "with", "yield",  NULL,
};

/* Names that were published before the s behind an abbreviation belonged to it. */
static const char *const names_of_old[] = { "openXJsonSerDe", "GetPublicIPs", "GetUptimeCheckIPs",
                                            NULL };

static str name_no_keyword(struct arena *arena, str name)
{
    return name_is_one_of(python_keywords, name) ? arena_concat(arena, name, STR("_")) : name;
}

/* --- snake case --- */

/* A word begins at a capital behind what is none. Where capitals end, the last of them begins one
 * too: HTTPUrl has two words. Digits, and the s of IPs, belong to the abbreviation before them. */
static void name_add_character(struct strbuf *out, char c, size_t *capitals, bool keeps_plural)
{
    if (isupper((unsigned char)c)) {
        if (*capitals == 0 && out->len)
            strbuf_add_char(out, '_');
        strbuf_add_char(out, (char)tolower((unsigned char)c));
        (*capitals)++;
        return;
    }
    if (*capitals > 1 && !char_is_digit(c) && !(c == 's' && keeps_plural)) {
        char last = out->ptr[out->len - 1];
        out->ptr[out->len - 1] = '_';
        strbuf_add_char(out, last);
    }
    strbuf_add_char(out, c);
    *capitals = 0;
}

static str name_in_snake_case(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool keeps_plural = !name_is_one_of(names_of_old, name);
    size_t capitals = 0;

    if (name.len && char_is_digit(name.ptr[0]))
        strbuf_add_char(&out, '_');
    for (size_t i = 0; i < name.len; i++) {
        bool is_inside = ((unsigned char)name.ptr[i] & 0xc0) == 0x80; /* of a character */
        char c = name_is_part(name.ptr[i]) ? name.ptr[i] : '_';
        if (!is_inside)
            name_add_character(&out, c, &capitals, keeps_plural);
    }
    return arena_copy(arena, strbuf_str(&out));
}

str python_name(struct arena *arena, str name)
{
    return name_no_keyword(arena, name_in_snake_case(arena, name));
}

str python_member(struct arena *arena, str token)
{
    return python_name(arena, name_title(arena, schema_member(token)));
}

/* --- classes --- */

str python_class_name(struct arena *arena, str member)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_first = true;

    for (size_t i = 0; i < member.len; i++) {
        char c = member.ptr[i];
        if (c == '-') {
            is_first = true;
        } else {
            char part = name_is_part(c) ? c : '_';
            strbuf_add_char(&out, is_first ? (char)toupper((unsigned char)part) : part);
            is_first = false;
        }
    }
    return name_no_keyword(arena, arena_copy(arena, strbuf_str(&out)));
}

/* --- enums --- */

/* Digits and an asterisk alone have words for names. */
static str name_of_single(str name)
{
    static const char *const digits[] = { "Zero", "One", "Two",   "Three", "Four",
                                          "Five", "Six", "Seven", "Eight", "Nine" };

    if (str_equal(name, STR("*")))
        return STR("Asterisk");
    if (name.len == 1 && char_is_digit(name.ptr[0]))
        return str_from(digits[name.ptr[0] - '0']);
    return name;
}

static str name_of_value(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf number = { 0 };

    if (value.kind == VALUE_STRING)
        return value_text(value);
    if (value.kind == VALUE_BOOL)
        return value.boolean ? STR("true") : STR("false");
    json_format_number(&number, value.number);
    return arena_copy(arena, strbuf_str(&number));
}

/* In capitals, and never two underscores in a row. */
static void name_add_constant(struct strbuf *out, str name)
{
    for (size_t i = 0; i < name.len; i++) {
        bool repeats = name.ptr[i] == '_' && out->len && out->ptr[out->len - 1] == '_';
        if (!repeats)
            strbuf_add_char(out, (char)toupper((unsigned char)name.ptr[i]));
    }
}

str python_enum_member(struct arena *arena, const struct schema_type *type, size_t index)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str name = type->names[index];

    if (!name.len)
        name = name_of_value(arena, type->values[index]);
    name = python_name(arena, name_of_single(name));
    if (!name.len || name.ptr[0] == '_')
        name_add_constant(&out, python_member(arena, type->token));
    name_add_constant(&out, name);
    return arena_copy(arena, strbuf_str(&out));
}

/* --- modules and packages --- */

str python_module(struct arena *arena, const struct schema *schema, str token)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str module = schema_module(schema, token), rest = module;
    bool is_chosen =
        schema_language_rename(schema, STR("python"), STR("moduleNameOverrides"), module, &rest);

    while (rest.len) {
        str part = rest, next = STR("");
        str_cut(rest, STR("/"), &part, &next);
        char *lower = arena_cstr(arena, part);
        for (size_t i = 0; i < part.len && !is_chosen; i++)
            lower[i] = (char)tolower((unsigned char)lower[i]);
        if (out.len)
            strbuf_add_char(&out, '.');
        strbuf_add(&out, is_chosen ? part : python_name(arena, (str){ lower, part.len }));
        rest = next;
    }
    return arena_copy(arena, strbuf_str(&out));
}

static str name_without_hyphens(struct arena *arena, str name)
{
    char *copy = arena_cstr(arena, name);

    for (size_t i = 0; i < name.len; i++)
        if (copy[i] == '-')
            copy[i] = '_';
    return (str){ copy, name.len };
}

str python_package(struct arena *arena, const struct schema *schema)
{
    str chosen = schema_language_text(schema, STR("python"), STR("packageName"));

    if (chosen.len)
        return chosen;
    return name_without_hyphens(
        arena, arena_concat(arena, schema->namespace.len ? schema->namespace : STR("pulumi"),
                            STR("_"), schema->name));
}

/* --- versions --- */

/* "alpha.1" or "alpha1" at the start of a pre-release: its number, and what is behind it. */
static bool version_take(str *rest, str word, str *number)
{
    str text = *rest;
    size_t end = word.len;

    if (!str_starts_with(text, word))
        return false;
    if (end < text.len && text.ptr[end] == '.')
        end++;
    size_t first = end;
    while (end < text.len && char_is_digit(text.ptr[end]))
        end++;
    if (end == first || (end < text.len && text.ptr[end] != '.'))
        return false;
    *number = str_slice(text, first, end);
    *rest = str_slice(text, end < text.len ? end + 1 : end, text.len);
    return true;
}

/* What has no place in such a version is behind a plus sign, with dots only. */
static void version_add_local(struct strbuf *out, str part, bool *has_local)
{
    if (!part.len)
        return;
    strbuf_add_char(out, *has_local ? '.' : '+');
    *has_local = true;
    for (size_t i = 0; i < part.len; i++)
        strbuf_add_char(out, part.ptr[i] == '-' ? '.' : part.ptr[i]);
}

str python_index_version(struct arena *arena, str text)
{
    static const struct {
        const char *word, *short_word;
        int group; /* one of each */
    } marks[] = { { "alpha", "a", 0 }, { "beta", "b", 0 },   { "rc", "rc", 0 },     { "a", "a", 0 },
                  { "b", "b", 0 },     { "dev", ".dev", 1 }, { "post", ".post", 2 } };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct semver version;
    bool has_local = false;
    int group = -1;
    str number;

    if (!semver_parse_tolerant(text, &version))
        return STR("");
    strbuf_printf(&out, "%llu.%llu.%llu", (unsigned long long)version.major,
                  (unsigned long long)version.minor, (unsigned long long)version.patch);
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (marks[i].group > group
            && version_take(&version.pre, str_from(marks[i].word), &number)) {
            strbuf_printf(&out, "%s" STR_FMT, marks[i].short_word, STR_ARG(number));
            group = marks[i].group;
        }
    version_add_local(&out, version.pre, &has_local);
    version_add_local(&out, version.build, &has_local);
    return arena_copy(arena, strbuf_str(&out));
}
