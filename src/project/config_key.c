/* config_key.c — the names of configuration values: namespace and name. */
#include "project/config.h"

static size_t count_char(str text, char c)
{
    size_t found = 0;
    for (size_t i = 0; i < text.len; i++)
        found += text.ptr[i] == c;
    return found;
}

/* ns:name, or ns:config:name as it was written long ago. */
static fallible parse_namespaced(struct arena *arena, str text, struct config_key *out)
{
    str namespace = { 0 }, rest = { 0 }, middle, name;
    size_t colons = count_char(text, ':');

    if (colons == 1 && str_cut(text, STR(":"), &namespace, &rest)) {
        *out = (struct config_key){ arena_copy(arena, namespace), arena_copy(arena, rest) };
        return NULL;
    }
    bool is_old = colons == 2 && str_cut(text, STR(":"), &namespace, &rest)
                  && str_cut(rest, STR(":"), &middle, &name) && str_equal(middle, STR("config"));
    if (is_old) {
        *out = (struct config_key){ arena_copy(arena, namespace), arena_copy(arena, name) };
        return NULL;
    }
    return error_new(ERROR_INVALID,
                     "could not parse " STR_FMT
                     " as a configuration key (configuration keys should be of the form "
                     "`<namespace>:<name>`)",
                     STR_ARG(text));
}

/* Where the first segment of a path ends. */
static size_t first_segment(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '[' || text.ptr[i] == '.')
            return i;
    return text.len;
}

fallible config_key_parse(struct arena *arena, str text, str project_name, bool is_path,
                          struct config_key *out)
{
    size_t end = is_path ? first_segment(text) : text.len;
    str top = end > 0 ? str_slice(text, 0, end) : text;
    str rest = str_slice(text, top.len, text.len);
    struct config_key key;

    if (str_find_char(top, ':') == SIZE_MAX)
        top = arena_concat(arena, project_name, STR(":"), top);
    TRY(parse_namespaced(arena, top, &key));
    if (rest.len)
        key.name = arena_concat(arena, key.name, rest);
    *out = key;
    return NULL;
}

str config_key_format(struct arena *arena, struct config_key key)
{
    return arena_concat(arena, key.namespace, STR(":"), key.name);
}

int config_key_compare(struct config_key a, struct config_key b)
{
    int order = str_compare(a.namespace, b.namespace);
    return order ? order : str_compare(a.name, b.name);
}

fallible config_type_parse(str text, enum config_type *out)
{
    static const struct {
        str name;
        enum config_type type;
    } types[] = {
        { STR_INIT(""), CONFIG_UNTYPED },    { STR_INIT("string"), CONFIG_STRING },
        { STR_INIT("bool"), CONFIG_BOOL },   { STR_INIT("int"), CONFIG_INT },
        { STR_INIT("float"), CONFIG_FLOAT },
    };

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (str_equal(text, types[i].name)) {
            *out = types[i].type;
            return NULL;
        }
    return error_new(ERROR_INVALID,
                     "unknown type '" STR_FMT
                     "', supported are 'string', 'bool', 'int' and 'float'",
                     STR_ARG(text));
}
