/* urn.c — the stable name of a resource, and what is built from it. */
#include "model/urn.h"

#include "model/signatures.h"

#define PREFIX STR("urn:pulumi:")
#define SEPARATOR STR("::")
#define PROVIDERS_MODULE STR("pulumi:providers")

static bool urn_split(str text, struct urn *out)
{
    struct urn urn;
    str rest;

    if (!str_starts_with(text, PREFIX))
        return false;
    rest = str_slice(text, PREFIX.len, text.len);
    if (!str_cut(rest, SEPARATOR, &urn.stack, &rest)
        || !str_cut(rest, SEPARATOR, &urn.project, &rest)
        || !str_cut(rest, SEPARATOR, &urn.qualified_type, &urn.name))
        return false;
    *out = urn;
    return true;
}

fallible urn_parse(str text, struct urn *out)
{
    if (text.len == 0)
        return error_new(ERROR_INVALID, "missing required URN");
    if (!urn_split(text, out))
        return error_new(ERROR_INVALID, "invalid URN \"" STR_FMT "\"", STR_ARG(text));
    return NULL;
}

/* What follows the last '$'. */
static str own_type(str qualified_type)
{
    str parents, own;

    return str_cut_last(qualified_type, STR("$"), &parents, &own) ? own : qualified_type;
}

str urn_type(const struct urn *urn)
{
    return own_type(urn->qualified_type);
}

str urn_format(struct arena *arena, const struct urn *urn)
{
    return arena_concat(arena, PREFIX, urn->stack, SEPARATOR, urn->project, SEPARATOR,
                        urn->qualified_type, SEPARATOR, urn->name);
}

str urn_make(struct arena *arena, str stack, str project, str parent, str type, str name)
{
    str parents = urn_qualified_type_of(parent);
    bool is_top = parents.len == 0 || str_equal(parents, ROOT_STACK_TYPE);

    return arena_concat(arena, PREFIX, stack, SEPARATOR, project, SEPARATOR,
                        is_top ? STR("") : parents, is_top ? STR("") : STR("$"), type, SEPARATOR,
                        name);
}

static struct urn parts_of(str text)
{
    struct urn urn;

    if (!urn_split(text, &urn))
        urn = (struct urn){ STR(""), STR(""), STR(""), STR("") };
    return urn;
}

str urn_type_of(str urn)
{
    return own_type(parts_of(urn).qualified_type);
}

str urn_qualified_type_of(str urn)
{
    return parts_of(urn).qualified_type;
}

str urn_name_of(str urn)
{
    return parts_of(urn).name;
}

str urn_stack_of(str urn)
{
    return parts_of(urn).stack;
}

str urn_project_of(str urn)
{
    return parts_of(urn).project;
}

/* --- types --- */

/* "a:b:c" → "a:b" and "c"; a text without two colons has no member. */
static bool split_member(str type, str *module, str *name)
{
    return str_cut_last(type, STR(":"), module, name) && str_find_char(*module, ':') != SIZE_MAX;
}

bool type_is_provider(str type)
{
    return type_provider_package(type).len > 0;
}

str type_provider_package(str type)
{
    str module, name;

    if (!split_member(type, &module, &name) || !str_equal(module, PROVIDERS_MODULE))
        return STR("");
    return name;
}

str type_package(str type)
{
    return str_slice(type, 0, str_find_char(type, ':') == SIZE_MAX ? 0 : str_find_char(type, ':'));
}

bool type_token_is_valid(str type)
{
    str package, module, name;

    return str_cut(type, STR(":"), &package, &module) && str_cut(module, STR(":"), &module, &name)
           && package.len > 0 && name.len > 0;
}

/* --- provider references --- */

static fallible check_provider_urn(str text)
{
    struct urn urn;
    str module = STR(""), name = STR("");

    if (!urn_split(text, &urn))
        return error_new(ERROR_INVALID, STR_FMT " is not a valid URN", STR_ARG(text));
    bool has_member = split_member(urn_type(&urn), &module, &name);
    if (!has_member || !str_equal(module, PROVIDERS_MODULE))
        return error_new(ERROR_INVALID,
                         "invalid module in type: expected 'pulumi:providers', got '" STR_FMT "'",
                         STR_ARG(module));
    if (name.len == 0)
        return error_new(ERROR_INVALID, "provider URNs must specify a type name");
    return NULL;
}

fallible provider_ref_parse(str text, str *urn, str *id)
{
    str head, tail;

    if (!str_cut_last(text, SEPARATOR, &head, &tail))
        return error_new(ERROR_INVALID, "expected '::' in provider reference '" STR_FMT "'",
                         STR_ARG(text));
    TRY(check_provider_urn(head));
    *urn = head;
    *id = tail;
    return NULL;
}

str provider_ref_format(struct arena *arena, str urn, str id)
{
    return arena_concat(arena, urn, SEPARATOR, id.len ? id : UNKNOWN_STRING_TEXT);
}
