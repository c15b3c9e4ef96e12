/* go_names.c — names of Go for names of a schema. */
#include "go/sdk/go_sdk.h"

#include "base/strbuf.h"
#include "common/names.h"
#include "model/value.h"
#include "pcl/pcl_print.h"

#include <ctype.h>

static const char *const go_words[] = {
    "any",    "append",      "bool",   "break",     "byte",       "cap",       "case",
    "chan",   "clear",       "close",  "complex",   "complex128", "complex64", "comparable",
    "const",  "continue",    "copy",   "default",   "defer",      "delete",    "else",
    "error",  "fallthrough", "false",  "float32",   "float64",    "for",       "func",
    "go",     "goto",        "if",     "imag",      "import",     "int",       "int16",
    "int32",  "int64",       "int8",   "interface", "iota",       "len",       "make",
    "map",    "max",         "min",    "new",       "nil",        "package",   "panic",
    "print",  "println",     "range",  "real",      "recover",    "return",    "rune",
    "select", "string",      "struct", "switch",    "true",       "type",      "uint",
    "uint16", "uint32",      "uint64", "uint8",     "uintptr",    "var",       NULL,
};

/* Letters beyond ASCII are taken as they are. */
static bool may_start_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

str go_title(struct arena *arena, str name)
{
    while (name.len && name.ptr[0] == '$')
        name = str_slice(name, 1, name.len);
    str title = name_title(arena, name_join_hyphens(arena, name));
    return title.len && !may_start_name(title.ptr[0]) ? arena_concat(arena, STR("_"), title)
                                                      : title;
}

str go_member_name(struct arena *arena, str token)
{
    str resource, method, name = schema_member(token);

    if (str_cut(name, STR("/"), &resource, &method))
        return arena_concat(arena, go_title(arena, resource), go_title(arena, method));
    return go_title(arena, name);
}

/* Methods that every resource or output has. */
static bool is_taken_field(str name, str resource, struct arena *arena)
{
    if (str_equal(name, STR("ID")) || str_equal(name, STR("URN"))
        || str_equal(name, STR("GetProvider")) || str_equal(name, STR("ElementType")))
        return true;
    if (!resource.len || !str_starts_with(name, STR("To")))
        return false;
    str method = arena_concat(arena, STR("To"), resource, STR("Output"));
    return str_equal(name, method)
           || str_equal(name, arena_concat(arena, method, STR("WithContext")));
}

str go_field_name(struct arena *arena, str property, str resource)
{
    str name = go_title(arena, property);

    return is_taken_field(name, resource, arena) ? arena_concat(arena, name, STR("_")) : name;
}

str go_getter_name(struct arena *arena, str property, str resource, bool is_pointer)
{
    bool is_method = str_same_letters(property, STR("elementType"))
                     || str_same_letters(property, STR("isSecret"));

    if (is_pointer) {
        str name = go_title(arena, property);
        bool is_taken = str_equal(name, STR("IsSecret")) || str_equal(name, STR("ElementType"));
        return is_taken ? arena_concat(arena, name, STR("Prop")) : name;
    }
    str name = go_field_name(arena, property, resource);
    return is_method ? arena_concat(arena, STR("Get"), name) : name;
}

static str go_identifier(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_letter = may_start_name(c) || char_is_digit(c);
        if (i == 0 && char_is_digit(c))
            strbuf_add_char(&out, '_');
        strbuf_add_char(&out, is_letter ? c : '_');
    }
    return arena_copy(arena, strbuf_str(&out));
}

str go_parameter_name(struct arena *arena, str property)
{
    static const char *const own[] = { "ctx", "args", "opts", NULL };

    if (name_is_one_of(own, property))
        return arena_concat(arena, property, STR("Arg"));
    str name = go_identifier(arena, property);
    return name_is_one_of(go_words, name) ? arena_concat(arena, STR("_"), name) : name;
}

/* Values of one character that have a name. */
static str short_value_name(str value)
{
    static const char *const digits[] = { "Zero", "One", "Two",   "Three", "Four",
                                          "Five", "Six", "Seven", "Eight", "Nine" };

    if (value.len != 1)
        return value;
    if (value.ptr[0] == '*')
        return STR("Asterisk");
    return char_is_digit(value.ptr[0]) ? str_from(digits[value.ptr[0] - '0']) : value;
}

static void add_underscore(struct strbuf *out)
{
    if (!out->len || out->ptr[out->len - 1] != '_')
        strbuf_add_char(out, '_');
}

/* The first letter is a capital, and what follows a dash; underscores come one at a time. */
static void add_constant_words(struct strbuf *out, str text)
{
    bool is_upper = true;

    while (text.len && text.ptr[0] == '$')
        text = str_slice(text, 1, text.len);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool is_letter = may_start_name(c) || char_is_digit(c);
        if ((i == 0 && char_is_digit(c)) || !is_letter)
            add_underscore(out);
        if (is_letter && c != '_')
            strbuf_add_char(out, is_upper ? (char)toupper((unsigned char)c) : c);
        else if (c == '_')
            add_underscore(out);
        is_upper = c == '-';
    }
}

static str enum_value_text(struct arena *arena, const struct value *value)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (value->kind == VALUE_STRING)
        return value_text(*value);
    if (value->kind == VALUE_BOOL)
        return value->boolean ? STR("true") : STR("false");
    pcl_put_number(&out, value->number);
    return arena_copy(arena, strbuf_str(&out));
}

fallible go_constant_name(struct arena *arena, const struct schema_type *type, size_t index,
                          str type_name, str *out)
{
    CLEANUP(strbuf_release) struct strbuf name = { 0 };
    str given =
        type->names[index].len ? type->names[index] : enum_value_text(arena, &type->values[index]);
    str text = short_value_name(given);

    if (text.len == 1 && !may_start_name(text.ptr[0]))
        return error_new(ERROR_INVALID,
                         "enum '" STR_FMT "' has a value '" STR_FMT
                         "' that no name can be made of; give it one in the schema",
                         STR_ARG(type->token), STR_ARG(given));
    add_constant_words(&name, text);
    bool has_mark = str_find_char(strbuf_str(&name), '_') != SIZE_MAX && name.ptr[0] != '_';
    *out = arena_concat(arena, type_name, has_mark ? STR("_") : STR(""), strbuf_str(&name));
    return NULL;
}

str go_package_clause(struct arena *arena, str name)
{
    static const char *const keywords[] = {
        "break",  "case",   "chan",   "const",       "continue", "default", "defer",
        "else",   "func",   "go",     "fallthrough", "for",      "goto",    "if",
        "import", "map",    "select", "interface",   "package",  "range",   "return",
        "struct", "switch", "type",   "var",         NULL,
    };
    str word = go_package_word(arena, name);

    return name_is_one_of(keywords, word) ? arena_concat(arena, word, STR("_")) : word;
}

str go_package_word(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] != '-')
            strbuf_add_char(&out, name.ptr[i]);
    return arena_copy(arena, strbuf_str(&out));
}
