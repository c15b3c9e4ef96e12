/* single_line.c — reads a line of `do` by the schema of the package. */
#include "cli/single/single_line.h"

#include "base/exit_codes.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "cli/screen/input.h"
#include "model/value_ops.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* --- literals --- */

/* "${" begins an expression; "$${" does not. */
static str escape_text(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '$' && i + 1 < text.len && text.ptr[i + 1] == '{')
            strbuf_add_char(&out, '$');
        strbuf_add_char(&out, text.ptr[i]);
    }
    return arena_copy(arena, strbuf_str(&out));
}

static fallible literal_members(struct arena *arena, struct value value, struct value *out)
{
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);

    for (size_t i = 0; i < value.len; i++) {
        members[i].key = value.members[i].key;
        if (str_starts_with(members[i].key, STR("fn::")))
            return error_new(ERROR_INVALID, "a property cannot be called '" STR_FMT "' here",
                             STR_ARG(members[i].key));
        TRY(single_literal(arena, value.members[i].value, &members[i].value));
    }
    *out = value_object(arena, members, value.len);
    return NULL;
}

static fallible literal_items(struct arena *arena, struct value value, struct value *out)
{
    struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);

    for (size_t i = 0; i < value.len; i++)
        TRY(single_literal(arena, value.items[i], &items[i]));
    *out = value_array(arena, items, value.len);
    return NULL;
}

fallible single_literal(struct arena *arena, struct value value, struct value *out)
{
    struct member secret = { STR("fn::secret"), { 0 } };

    *out = value;
    if (value.kind == VALUE_NULL || value.kind == VALUE_BOOL || value.kind == VALUE_NUMBER)
        return NULL;
    if (value.kind == VALUE_ARRAY)
        return literal_items(arena, value, out);
    if (value.kind == VALUE_OBJECT)
        return literal_members(arena, value, out);
    if (value.kind == VALUE_STRING) {
        *out = value_string(escape_text(arena, value_text(value)));
        return NULL;
    }
    if (value.kind != VALUE_SECRET)
        return error_new(ERROR_INVALID, "assets, archives and references to resources can only be "
                                        "written in a program");
    TRY(single_literal(arena, value.secret->element, &secret.value));
    *out = value_object(arena, &secret, 1);
    return NULL;
}

/* --- properties --- */

static fallible read_expression(struct cli *cli, str text, struct value *out)
{
    struct yaml_node *root;

    TRY(yaml_read(cli->arena, text, &root));
    *out = config_value_from_yaml(cli->arena, root);
    return NULL;
}

static enum type_kind scalar_kind(const struct schema_type *type)
{
    return type->kind == TYPE_ENUM ? type->base : type->kind;
}

static fallible read_bool(str text, struct value *out)
{
    if (!str_equal(text, STR("true")) && !str_equal(text, STR("false")))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is neither true nor false", STR_ARG(text));
    *out = value_bool(str_equal(text, STR("true")));
    return NULL;
}

static fallible read_number(struct cli *cli, enum type_kind kind, str text, struct value *out)
{
    char *end;
    double number = strtod(arena_cstr(cli->arena, text), &end);
    bool is_integer = fabs(number) < 0x1p63 && number == (double)(int64_t)number;

    if (!text.len || *end || !isfinite(number) || (kind == TYPE_INTEGER && !is_integer))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is no %s", STR_ARG(text),
                         kind == TYPE_INTEGER ? "integer" : "number");
    *out = value_number(number);
    return NULL;
}

/* A text that stands for a value of that type. Lists and maps are written as YAML. */
static fallible read_literal(struct cli *cli, const struct schema_property *property, str text,
                             struct value *out)
{
    enum type_kind kind = scalar_kind(property->type);
    struct value read = value_string(text);

    if (kind == TYPE_BOOL)
        return read_bool(text, out);
    if (kind == TYPE_INTEGER || kind == TYPE_NUMBER)
        return read_number(cli, kind, text, out);
    if (kind == TYPE_ARRAY || kind == TYPE_MAP || kind == TYPE_OBJECT)
        TRY(read_expression(cli, text, &read));
    return single_literal(cli->arena, read, out);
}

/* instanceType is --instance-type, too. */
static str option_name(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i], before = i ? name.ptr[i - 1] : '-';
        bool ends_lower = islower((unsigned char)before) || char_is_digit(before);
        bool is_next_lower = i + 1 < name.len && islower((unsigned char)name.ptr[i + 1]);
        if (isupper((unsigned char)c)
            && (ends_lower || (isupper((unsigned char)before) && is_next_lower)))
            strbuf_add_char(&out, '-');
        strbuf_add_char(&out, c == '_' ? '-' : (char)tolower((unsigned char)c));
    }
    return arena_copy(arena, strbuf_str(&out));
}

static const struct schema_property *find_property(struct arena *arena,
                                                   struct schema_properties known, str name)
{
    const struct schema_property *found = schema_property(known, name);

    for (size_t i = 0; i < known.len && !found; i++)
        if (str_equal(option_name(arena, known.items[i].name), name))
            found = &known.items[i];
    return found;
}

/* Which properties an option is about. */
struct single_scope {
    struct schema_properties known;
    struct value *into; /* a member of the line */
    str token;          /* that has them */
};

static fallible no_such_property(struct cli *cli, const struct single_line *line,
                                 const struct single_scope *scope, str name)
{
    CLEANUP(strbuf_release) struct strbuf names = { 0 };
    struct schema_properties known = scope->known;

    for (size_t i = 0; i < known.len; i++)
        strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(known.items[i].name));
    if (line->verb == SINGLE_LIST && scope->into == &line->properties)
        return error_new(ERROR_INVALID,
                         STR_FMT " cannot be listed by '" STR_FMT "'; it can by: %s" STR_FMT,
                         STR_ARG(line->token), STR_ARG(name), known.len ? "" : "nothing",
                         STR_ARG(arena_copy(cli->arena, strbuf_str(&names))));
    return error_new(ERROR_INVALID, STR_FMT " has no property '" STR_FMT "'; it has: " STR_FMT,
                     STR_ARG(scope->token), STR_ARG(name),
                     STR_ARG(known.len ? arena_copy(cli->arena, strbuf_str(&names)) : STR("none")));
}

static struct schema_properties line_inputs(const struct single_line *line)
{
    if (line->function)
        return line->function->inputs;
    return line->verb == SINGLE_LIST ? line->resource->list : line->resource->inputs;
}

/* Options of `list` itself. Properties of that name are --input:all and --input:count. */
static fallible read_list_option(struct single_line *line, str name, bool has_value, str text,
                                 struct strs words, size_t *at, bool *is_taken)
{
    *is_taken = true;
    if (str_equal(name, STR("all"))) {
        line->lists_all = true;
        if (has_value && !str_to_bool(text, &line->lists_all))
            return error_new(ERROR_INVALID, "--all: '" STR_FMT "' is neither true nor false",
                             STR_ARG(text));
        return NULL;
    }
    if (!str_equal(name, STR("count"))) {
        *is_taken = false;
        return NULL;
    }
    if (!has_value && *at + 1 == words.len)
        return error_new(ERROR_INVALID, "--count needs a value");
    if (!has_value)
        text = words.items[++*at];
    if (!str_to_u64(text, &line->list_count) || line->list_count > INT32_MAX)
        return error_new(ERROR_INVALID, "--count: '" STR_FMT "' is no number of resources",
                         STR_ARG(text));
    return NULL;
}

/* --NAME and --input:NAME are of the resource or function, --PACKAGE:NAME of the provider. */
static struct single_scope find_scope(struct cli *cli, struct schema *schema,
                                      struct single_line *line, str *name)
{
    struct single_scope scope = { line_inputs(line), &line->properties, line->token };
    str space, rest;

    if (!str_cut(*name, STR(":"), &space, &rest))
        return scope;
    if (str_equal(space, STR("input"))) {
        *name = rest;
    } else if (str_equal(space, schema->name)) {
        *name = rest;
        scope.token = arena_concat(cli->arena, STR("pulumi:providers:"), schema->name);
        const struct schema_resource *provider = schema_resource(schema, scope.token);
        scope.known = provider ? provider->inputs : (struct schema_properties){ 0 };
        scope.into = &line->provider;
        line->has_provider = true;
    }
    return scope;
}

/* One option: where it takes the next word, *at moves on. */
static fallible read_property(struct cli *cli, struct schema *schema, struct single_line *line,
                              struct strs words, size_t *at)
{
    str name = str_slice(words.items[*at], 2, words.items[*at].len), text = STR(""), rest;
    bool has_value = str_cut(name, STR("="), &name, &text);
    struct value value;
    bool is_taken = false;

    if (line->verb == SINGLE_LIST)
        TRY(read_list_option(line, name, has_value, text, words, at, &is_taken));
    if (is_taken)
        return NULL;
    struct single_scope scope = find_scope(cli, schema, line, &name);
    bool is_expression = str_cut(name, STR("+"), &name, &rest) && !rest.len;
    const struct schema_property *property = find_property(cli->arena, scope.known, name);
    if (!property)
        return no_such_property(cli, line, &scope, name);
    bool is_switch = scalar_kind(property->type) == TYPE_BOOL && !is_expression;
    if (!has_value && is_switch)
        text = STR("true");
    else if (!has_value && *at + 1 == words.len)
        return error_new(ERROR_INVALID, "--" STR_FMT " needs a value", STR_ARG(name));
    else if (!has_value)
        text = words.items[++*at];
    struct error *failure = is_expression ? read_expression(cli, text, &value)
                                          : read_literal(cli, property, text, &value);
    TRY(error_wrap(failure, "--" STR_FMT, STR_ARG(name)));
    *scope.into = value_with(cli->arena, *scope.into, property->name, value);
    return NULL;
}

static fallible read_properties_file(struct cli *cli, str file, struct value *out)
{
    str text;

    if (!file.len)
        return NULL;
    TRY(input_read(cli->arena, file, INPUT_STATE_LIMIT, &text));
    TRY(error_wrap(read_expression(cli, text, out), STR_FMT, STR_ARG(file)));
    if (out->kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, STR_FMT ": there are no properties in it", STR_ARG(file));
    return NULL;
}

/* --- token and verb --- */

static fallible find_token(struct schema *schema, str token, struct single_line *line)
{
    str found = schema_resolve_resource(schema, token);

    if (str_find_char(token, ':') == SIZE_MAX)
        return NULL; /* the package as a whole */
    if (found.ptr) {
        line->resource = schema_resource(schema, found);
    } else {
        found = schema_resolve_function(schema, token);
        line->function = found.ptr ? schema_function(schema, found) : NULL;
    }
    if (!line->resource && !line->function)
        return error_with_exit_code(error_new(ERROR_NOT_FOUND,
                                              "package '" STR_FMT
                                              "' has no resource or function '" STR_FMT "'",
                                              STR_ARG(schema->name), STR_ARG(token)),
                                    EXIT_CONFIGURATION);
    line->token = found;
    return NULL;
}

static fallible find_verb(str word, enum single_verb *out)
{
    static const struct {
        const char *word;
        enum single_verb verb;
    } verbs[] = {
        { "list", SINGLE_LIST },   { "read", SINGLE_READ },     { "create", SINGLE_CREATE },
        { "patch", SINGLE_PATCH }, { "upsert", SINGLE_UPSERT }, { "delete", SINGLE_DELETE },
    };

    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (str_equal(word, str_from(verbs[i].word))) {
            *out = verbs[i].verb;
            return NULL;
        }
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' is nothing to do with a resource; there are list, read, "
                     "create, patch, upsert and delete",
                     STR_ARG(word));
}

static fallible take_verb(struct single_line *line, str word)
{
    TRY(find_verb(word, &line->verb));
    if (line->verb == SINGLE_LIST && !line->resource->is_listed)
        return error_new(ERROR_INVALID, STR_FMT " cannot be listed: its provider does not offer it",
                         STR_ARG(line->token));
    return NULL;
}

static fallible take_operand(struct single_line *line, size_t index, str word)
{
    if (line->resource && index == 1)
        return take_verb(line, word);
    if (line->resource && index == 2 && line->verb != SINGLE_LIST) {
        line->subject = word;
        return NULL;
    }
    return error_new(ERROR_INVALID, "'" STR_FMT "' is one word too many", STR_ARG(word));
}

/* No program is there that would know these properties. */
static fallible check_list(struct cli *cli, struct single_line *line)
{
    struct schema_properties known = line->resource->list;
    const struct single_scope scope = { known, &line->properties, line->token };

    if (line->lists_all && line->list_count)
        return error_new(ERROR_INVALID, "--all and --count are mutually exclusive");
    for (size_t i = 0; i < line->properties.len; i++)
        if (!schema_property(known, line->properties.members[i].key))
            return no_such_property(cli, line, &scope, line->properties.members[i].key);
    for (size_t i = 0; i < known.len; i++)
        if (known.items[i].is_required && !value_has(line->properties, known.items[i].name))
            return error_new(ERROR_INVALID, STR_FMT " can only be listed with --" STR_FMT,
                             STR_ARG(line->token), STR_ARG(known.items[i].name));
    return NULL;
}

static fallible check_line(struct cli *cli, struct single_line *line)
{
    bool takes_properties =
        line->verb != SINGLE_READ && line->verb != SINGLE_DELETE && line->verb != SINGLE_SHOW;

    if (line->verb == SINGLE_LIST)
        return check_list(cli, line);
    if (line->resource && line->verb != SINGLE_SHOW && !line->subject.len)
        return error_new(ERROR_INVALID, "say which one: the %s of the resource is missing",
                         line->verb == SINGLE_READ ? "id" : "name");
    if (line->properties.len && !takes_properties)
        return error_new(ERROR_INVALID, "properties cannot be given here");
    if (line->resource && line->resource->is_component && line->verb != SINGLE_SHOW
        && line->verb != SINGLE_DELETE)
        return error_new(ERROR_INVALID, STR_FMT " is a component: only a program can make one",
                         STR_ARG(line->token));
    return NULL;
}

static bool is_option(str word)
{
    return str_starts_with(word, STR("--"));
}

str single_line_token(struct strs words)
{
    for (size_t i = 0; i < words.len; i++) {
        if (!is_option(words.items[i]))
            return words.items[i];
        bool has_value = str_find_char(words.items[i], '=') < words.items[i].len;
        i += !has_value && i + 1 < words.len && !str_starts_with(words.items[i + 1], STR("-"));
    }
    return STR("");
}

fallible single_line_parse(struct cli *cli, struct schema *schema, struct strs words,
                           struct single_files files, struct single_line *out)
{
    str token = single_line_token(words);
    size_t operands = 0;

    *out = (struct single_line){ .properties = VALUE_EMPTY_OBJECT,
                                 .provider = VALUE_EMPTY_OBJECT,
                                 .has_provider = files.provider.len > 0 };
    if (token.len)
        TRY(find_token(schema, token, out));
    out->verb = out->function ? SINGLE_CALL : SINGLE_SHOW;
    TRY(read_properties_file(cli, files.properties, &out->properties));
    TRY(read_properties_file(cli, files.provider, &out->provider));
    for (size_t i = 0; i < words.len; i++) {
        if (is_option(words.items[i]) && !out->token.len)
            return error_new(ERROR_INVALID, "unknown flag: " STR_FMT, STR_ARG(words.items[i]));
        if (is_option(words.items[i]))
            TRY(read_property(cli, schema, out, words, &i));
        else if (operands++)
            TRY(take_operand(out, operands - 1, words.items[i]));
    }
    return check_line(cli, out);
}
