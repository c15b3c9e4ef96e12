/* builtin_random_inputs.c — the inputs of package "random": what they may be, what they are by
 * default, when a change of them replaces, and what they were for something that was made
 * elsewhere. */
#include "builtin/builtin_random.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "builtin/builtin_table.h"

#include <ctype.h>

/* --- checking --- */

/* One kind of characters has to be left; what is not known may be one. */
static void check_letters(struct arena *arena, struct value inputs, struct check_failures *failures)
{
    static const char *const kinds[] = { "special", "upper", "lower" };
    bool has_any = builtin_bool(inputs, "numeric", builtin_bool(inputs, "number", true));

    for (size_t i = 0; i < 3; i++)
        has_any = has_any || builtin_bool(inputs, kinds[i], true);
    if (!has_any)
        builtin_add_failure(arena, failures, STR("numeric"),
                            STR("at least one of special, upper, lower and numeric must be true"));
}

void random_check(struct arena *arena, bool is_range, struct value inputs,
                  struct check_failures *failures)
{
    static const char *const minimums[] = { "minLower", "minUpper", "minNumeric", "minSpecial" };
    double sum = 0;

    for (size_t i = 0; i < 4; i++)
        sum += builtin_number(inputs, minimums[i], 0);
    if (builtin_number(inputs, "length", 1) < 1)
        builtin_add_failure(arena, failures, STR("length"), STR("\"length\" must be at least 1"));
    else if (value_has(inputs, STR("length")) && !builtin_is_unknown(inputs, "length")
             && sum > builtin_number(inputs, "length", 0))
        builtin_add_failure(arena, failures, STR("length"),
                            STR("\"length\" must be at least the sum of minLower, minUpper, "
                                "minNumeric and minSpecial"));
    if (builtin_number(inputs, "byteLength", 1) < 1)
        builtin_add_failure(arena, failures, STR("byteLength"),
                            STR("\"byteLength\" must be at least 1"));
    check_letters(arena, inputs, failures);
    if (value_has(inputs, STR("number")) && value_has(inputs, STR("numeric"))
        && !builtin_is_unknown(inputs, "number") && !builtin_is_unknown(inputs, "numeric")
        && builtin_bool(inputs, "number", true) != builtin_bool(inputs, "numeric", true))
        builtin_add_failure(arena, failures, STR("number"),
                            STR("\"number\" and \"numeric\" differ; \"number\" is deprecated, use "
                                "\"numeric\" instead"));
    if (is_range && !builtin_is_unknown(inputs, "min") && !builtin_is_unknown(inputs, "max")
        && builtin_number(inputs, "min", 0) > builtin_number(inputs, "max", 0))
        builtin_add_failure(arena, failures, STR("min"),
                            STR("The minimum (min) value needs to be smaller than or equal to "
                                "maximum (max) value."));
}

static struct value with_default(struct arena *arena, struct value object, const char *name,
                                 struct value value)
{
    return value_has(object, str_from(name)) ? object
                                             : value_with(arena, object, str_from(name), value);
}

struct value random_defaults(struct arena *arena, bool is_text, bool is_pet, struct value inputs)
{
    static const char *const flags[] = { "lower", "upper", "special" };
    static const char *const minimums[] = { "minLower", "minUpper", "minNumeric", "minSpecial" };
    bool numeric = builtin_bool(inputs, "numeric", builtin_bool(inputs, "number", true));

    for (size_t i = 0; is_text && i < 3; i++)
        inputs = with_default(arena, inputs, flags[i], value_bool(true));
    for (size_t i = 0; is_text && i < 4; i++)
        inputs = with_default(arena, inputs, minimums[i], value_number(0));
    if (is_text) {
        inputs = with_default(arena, inputs, "numeric", value_bool(numeric));
        inputs = with_default(arena, inputs, "number", value_bool(numeric));
    }
    if (is_pet) {
        inputs = with_default(arena, inputs, "length", value_number(2));
        inputs = with_default(arena, inputs, "separator", value_string(STR("-")));
    }
    return inputs;
}

/* --- text --- */

static struct value as_text(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (value.kind == VALUE_SECRET)
        return value_secret(arena, as_text(arena, value.secret->element));
    if (value.kind == VALUE_BOOL)
        return value_string(value.boolean ? STR("true") : STR("false"));
    if (value.kind != VALUE_NUMBER)
        return value;
    json_format_number(&text, value.number);
    return value_string(arena_copy(arena, strbuf_str(&text)));
}

static struct value as_texts(struct arena *arena, struct value value)
{
    if (value.kind == VALUE_SECRET)
        return value_secret(arena, as_texts(arena, value.secret->element));
    if (value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);
        for (uint32_t i = 0; i < value.len; i++)
            items[i] = as_text(arena, value.items[i]);
        return value_array(arena, items, value.len);
    }
    if (value.kind != VALUE_OBJECT)
        return value;
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
    for (uint32_t i = 0; i < value.len; i++)
        members[i] =
            (struct member){ value.members[i].key, as_text(arena, value.members[i].value) };
    return value_object(arena, members, value.len);
}

struct value random_texts(struct arena *arena, const struct builtin_token *token,
                          struct value inputs)
{
    for (const struct builtin_property *property = token->properties; property->name; property++) {
        const struct value *found = value_find(inputs, str_from(property->name));
        if (found && property->type == BUILTIN_STRING)
            inputs = value_with(arena, inputs, str_from(property->name), as_text(arena, *found));
        else if (found && (property->type == BUILTIN_STRINGS || property->type == BUILTIN_TEXTS))
            inputs = value_with(arena, inputs, str_from(property->name), as_texts(arena, *found));
    }
    return inputs;
}

/* --- differences --- */

/* Without secrets at any depth. */
static struct value random_bare(struct arena *arena, struct value value)
{
    if (value.kind != VALUE_OBJECT)
        return value;
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
    for (uint32_t i = 0; i < value.len; i++)
        members[i] = (struct member){ value.members[i].key, builtin_open(value.members[i].value) };
    return value_object(arena, members, value.len);
}

/* Members without a value are as good as absent, and so is a map that has no others. */
static struct value without_nulls(struct arena *arena, struct value value)
{
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
    size_t len = 0;

    if (value.kind != VALUE_OBJECT)
        return value;
    for (uint32_t i = 0; i < value.len; i++)
        if (value.members[i].value.kind != VALUE_NULL)
            members[len++] = value.members[i];
    return len ? value_object(arena, members, len) : value_null();
}

/* Once, an empty text was the default of overrideSpecial; states that have it are not worth a new
 * password. */
static bool replaces(struct arena *arena, str name, struct value was, struct value is)
{
    if (str_equal(name, STR("overrideSpecial")) && is.kind == VALUE_NULL && was.kind == VALUE_STRING
        && was.len == 0)
        return false;
    return value_contains_unknown(is)
           || !value_equal(without_nulls(arena, was), without_nulls(arena, is));
}

static enum builtin_change random_compare(struct arena *arena,
                                          const struct builtin_property *property, struct value was,
                                          struct value is)
{
    was = random_bare(arena, was);
    is = random_bare(arena, is);
    if (!value_contains_unknown(is) && value_equal(was, is))
        return BUILTIN_SAME;
    return replaces(arena, str_from(property->name), was, is) ? BUILTIN_REPLACES : BUILTIN_CHANGES;
}

void random_diff(struct arena *arena, const struct builtin_token *token, struct value before,
                 struct value after, struct diff_answer *out)
{
    builtin_diff_by(arena, token, before, after, random_compare, out);
}

/* --- what was made elsewhere --- */

static struct value one_input(struct arena *arena, str name, struct value value)
{
    const struct member member = { name, value };
    return value_object(arena, &member, 1);
}

/* [prefix,]base64 for URLs. */
static fallible import_id(struct arena *arena, str id, struct value *inputs,
                          struct random_result *out)
{
    CLEANUP(strbuf_release) struct strbuf base64 = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    size_t comma = id.len;

    while (comma > 0 && id.ptr[comma - 1] != ',')
        comma--;
    str prefix = str_slice(id, 0, comma ? comma - 1 : 0), text = str_slice(id, comma, id.len);
    for (size_t i = 0; i < text.len; i++)
        strbuf_add_char(&base64, text.ptr[i] == '-' ? '+' : text.ptr[i] == '_' ? '/' : text.ptr[i]);
    while (base64.len % 4)
        strbuf_add_char(&base64, '=');
    if (!base64_decode(&bytes, strbuf_str(&base64)) || bytes.len == 0)
        return error_new(ERROR_INVALID, "'" STR_FMT "' is not base64 for URLs", STR_ARG(text));
    *inputs = one_input(arena, STR("byteLength"), value_number((double)bytes.len));
    if (prefix.len)
        *inputs = value_with(arena, *inputs, STR("prefix"), value_string(prefix));
    random_describe_id(arena, arena_copy(arena, strbuf_str(&bytes)), prefix, out);
    return NULL;
}

static fallible import_bytes(struct arena *arena, str id, struct value *inputs,
                             struct random_result *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!base64_decode(&bytes, id))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is not base64", STR_ARG(id));
    const struct member members[] = {
        { STR("base64"), value_string(id) },
        { STR("hex"), value_string(hex_encode(arena, strbuf_str(&bytes))) },
    };
    *inputs = one_input(arena, STR("length"), value_number((double)bytes.len));
    out->id = id;
    out->outputs = value_object(arena, members, 2);
    return NULL;
}

static bool uuid_is_valid(str text)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    for (size_t i = 0; i < text.len && i < sizeof(form) - 1; i++)
        if (form[i] == '-' ? text.ptr[i] != '-' : !isxdigit((unsigned char)text.ptr[i]))
            return false;
    return text.len == sizeof(form) - 1;
}

/* Which characters were allowed is unknown: assume all of them. */
static struct value text_inputs(struct arena *arena, str text)
{
    const struct member members[] = {
        { STR("length"), value_number((double)text.len) },
        { STR("lower"), value_bool(true) },
        { STR("number"), value_bool(true) },
        { STR("numeric"), value_bool(true) },
        { STR("special"), value_bool(true) },
        { STR("upper"), value_bool(true) },
    };
    return value_object(arena, members, sizeof(members) / sizeof(members[0]));
}

static bool random_read_integer(str text, double *out)
{
    bool is_negative = str_starts_with(text, STR("-"));
    str digits = str_slice(text, is_negative ? 1 : 0, text.len);

    *out = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9')
            return false;
        *out = *out * 10 + (digits.ptr[i] - '0');
    }
    *out = is_negative ? -*out : *out;
    return digits.len > 0;
}

/* result,min,max[,seed]. */
static fallible import_integer(struct arena *arena, str id, struct value *inputs,
                               struct random_result *out)
{
    str parts[4] = { { 0 } };
    double result, min, max;
    size_t len = 0;

    for (bool has_more = true; has_more && len < 4; len++) {
        parts[len] = id;
        has_more = len < 3 && str_cut(id, STR(","), &parts[len], &id);
    }
    if (len < 3 || !random_read_integer(parts[0], &result) || !random_read_integer(parts[1], &min)
        || !random_read_integer(parts[2], &max))
        return error_new(
            ERROR_INVALID,
            "invalid import usage: expecting {result},{min},{max} or {result},{min},{max},{seed}");
    const struct member members[] = {
        { STR("max"), value_number(max) },
        { STR("min"), value_number(min) },
        { STR("seed"), value_string(parts[3]) },
    };
    *inputs = value_object(arena, members, len == 4 ? 3 : 2);
    random_describe_integer(arena, result, out);
    return NULL;
}

fallible random_import(struct arena *arena, str token, str id, struct value *inputs,
                       struct random_result *out)
{
    const struct member result = { STR("result"), value_string(id) };

    *inputs = VALUE_EMPTY_OBJECT;
    if (str_ends_with(token, STR(":RandomId")))
        return import_id(arena, id, inputs, out);
    if (str_ends_with(token, STR(":RandomInteger")))
        return import_integer(arena, id, inputs, out);
    if (str_ends_with(token, STR(":RandomBytes")))
        return import_bytes(arena, id, inputs, out);
    if (str_find(token, STR(":RandomUuid")) != SIZE_MAX)
        return uuid_is_valid(id)
                   ? random_describe_uuid(arena, id, out)
                   : error_new(ERROR_INVALID, "'" STR_FMT "' is not a UUID", STR_ARG(id));
    *inputs = text_inputs(arena, id);
    if (str_ends_with(token, STR(":RandomPassword")))
        return random_describe_password(arena, id, out);
    if (!str_ends_with(token, STR(":RandomString")))
        return error_new(ERROR_OTHER, "resources of type '" STR_FMT "' cannot be imported",
                         STR_ARG(token));
    out->id = id;
    out->outputs = value_object(arena, &result, 1);
    return NULL;
}
