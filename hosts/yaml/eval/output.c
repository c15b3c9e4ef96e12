/* output.c — values that come from resources: known or not, secret or not, and which resources they
 * depend on. */
#include "yaml/eval/output.h"

#include "base/strbuf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void taint_add(struct arena *arena, struct taint *taint, str urn)
{
    taint->is_output = true;
    for (size_t i = 0; i < taint->len; i++)
        if (str_equal(taint->dependencies[i], urn))
            return;
    if (taint->len == taint->capacity) {
        size_t capacity = taint->capacity ? taint->capacity * 2 : 4;
        str *larger = ARENA_ARRAY(arena, str, capacity);
        if (taint->len)
            memcpy(larger, taint->dependencies, taint->len * sizeof(*larger));
        taint->dependencies = larger;
        taint->capacity = capacity;
    }
    taint->dependencies[taint->len++] = urn;
}

void taint_merge(struct arena *arena, struct taint *taint, const struct taint *other)
{
    taint->is_output = taint->is_output || other->is_output;
    taint->is_unknown = taint->is_unknown || other->is_unknown;
    taint->is_secret = taint->is_secret || other->is_secret;
    for (size_t i = 0; i < other->len; i++)
        taint_add(arena, taint, other->dependencies[i]);
}

/* --- stripping --- */

static struct value strip_array(struct arena *arena, struct value value, struct taint *taint)
{
    struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);

    for (uint32_t i = 0; i < value.len; i++)
        items[i] = output_strip(arena, value.items[i], taint);
    return value_array(arena, items, value.len);
}

static struct value strip_object(struct arena *arena, struct value value, struct taint *taint)
{
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);

    for (uint32_t i = 0; i < value.len; i++)
        members[i] = (struct member){ value.members[i].key,
                                      output_strip(arena, value.members[i].value, taint) };
    return value_object(arena, members, value.len);
}

static struct value strip_archive(struct arena *arena, struct value value, struct taint *taint)
{
    struct asset *asset = arena_copy_bytes(arena, value.asset, sizeof(*value.asset));

    asset->members = strip_object(arena, value.asset->members, taint);
    value.asset = asset;
    return value;
}

static struct value strip_output(struct arena *arena, struct value value, struct taint *taint)
{
    const struct output *output = value.output;
    struct value element = value_null();

    taint->is_output = true;
    taint->is_unknown = taint->is_unknown || !output->is_known;
    taint->is_secret = taint->is_secret || output->is_secret;
    for (size_t i = 0; i < output->dependency_count; i++)
        taint_add(arena, taint, output->dependencies[i]);
    taint->outputs_around++;
    if (output->is_known)
        element = output_strip(arena, output->element, taint);
    taint->outputs_around--;
    return element;
}

struct value output_strip(struct arena *arena, struct value value, struct taint *taint)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_ARRAY: return strip_array(arena, value, taint);
    case VALUE_OBJECT: return strip_object(arena, value, taint);
    case VALUE_OUTPUT: return strip_output(arena, value, taint);
    case VALUE_ARCHIVE:
        return value.asset->has_members ? strip_archive(arena, value, taint) : value;
    case VALUE_SECRET:
        taint->is_output = true;
        taint->is_secret = true;
        return output_strip(arena, value.secret->element, taint);
    case VALUE_COMPUTED:
        taint->is_output = true;
        taint->is_unknown = true;
        return value_null();
    case VALUE_REFERENCE:
        if (taint->outputs_around == 0)
            taint_add(arena, taint, value.reference->urn);
        return value;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_ASSET: return value;
    }
    return value;
}

static struct value make_output(struct arena *arena, struct value element,
                                const struct taint *taint, bool is_known)
{
    struct output *output = ARENA_NEW(arena, struct output);

    *output = (struct output){
        .element = element,
        .is_known = is_known,
        .is_secret = taint->is_secret,
        .dependencies = taint->dependencies,
        .dependency_count = taint->len,
    };
    return (struct value){ .kind = VALUE_OUTPUT, .output = output };
}

struct value output_wrap(struct arena *arena, struct value plain, const struct taint *taint)
{
    if (!taint->is_output)
        return plain;
    return make_output(arena, plain, taint, !taint->is_unknown);
}

struct value output_unknown(struct arena *arena, const struct taint *taint)
{
    return make_output(arena, value_null(), taint, false);
}

void output_dependencies(struct arena *arena, struct value value, struct taint *taint)
{
    output_strip(arena, value, taint);
}

bool output_has(struct value value)
{
    bool found =
        value.kind == VALUE_OUTPUT || value.kind == VALUE_SECRET || value.kind == VALUE_COMPUTED;

    for (uint32_t i = 0; value.kind == VALUE_ARRAY && !found && i < value.len; i++)
        found = output_has(value.items[i]);
    for (uint32_t i = 0; value.kind == VALUE_OBJECT && !found && i < value.len; i++)
        found = output_has(value.members[i].value);
    return found;
}

/* --- for the wire --- */

static struct value prune_object(struct arena *arena, struct value value)
{
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
    size_t len = 0;

    for (uint32_t i = 0; i < value.len; i++)
        if (value.members[i].value.kind != VALUE_NULL)
            members[len++] = (struct member){ value.members[i].key,
                                              output_prune(arena, value.members[i].value) };
    return value_object(arena, members, len);
}

static struct value prune_array(struct arena *arena, struct value value)
{
    struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);

    for (uint32_t i = 0; i < value.len; i++)
        items[i] = output_prune(arena, value.items[i]);
    return value_array(arena, items, value.len);
}

struct value output_prune(struct arena *arena, struct value value)
{
    if (value.kind == VALUE_OBJECT)
        return prune_object(arena, value);
    if (value.kind == VALUE_ARRAY)
        return prune_array(arena, value);
    if (value.kind != VALUE_OUTPUT || !value.output->is_known)
        return value;
    struct output *output = arena_copy_bytes(arena, value.output, sizeof(*value.output));
    output->element = output_prune(arena, output->element);
    value.output = output;
    return value;
}

/* --- text --- */

const char *value_kind_text(struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: return "nil";
    case VALUE_BOOL: return "a boolean";
    case VALUE_NUMBER: return "a number";
    case VALUE_STRING: return "a string";
    case VALUE_ARRAY: return "a list";
    case VALUE_OBJECT: return "an object";
    case VALUE_ASSET: return "an asset";
    case VALUE_ARCHIVE: return "an archive";
    case VALUE_REFERENCE: return "a resource";
    case VALUE_SECRET: return "a secret";
    case VALUE_COMPUTED:
    case VALUE_OUTPUT: return "an output";
    }
    return "a value";
}

/* The fewest digits that read back as the same number; an exponent below -4 and from 6 on. */
static void add_number(struct strbuf *out, double number)
{
    char digits[40];
    int precision = 0;

    if (isnan(number) || isinf(number)) {
        strbuf_add(out, isnan(number) ? STR("NaN") : number > 0 ? STR("+Inf") : STR("-Inf"));
        return;
    }
    do
        snprintf(digits, sizeof(digits), "%.*e", precision, number);
    while (strtod(digits, NULL) != number && ++precision < 17);
    int exponent = (int)strtol(strchr(digits, 'e') + 1, NULL, 10);
    if (exponent < -4 || exponent >= 6)
        strbuf_add(out, str_from(digits));
    else
        strbuf_printf(out, "%.*f", precision > exponent ? precision - exponent : 0, number);
}

static void add_list(struct strbuf *out, struct value value)
{
    strbuf_add_char(out, '[');
    for (uint32_t i = 0; i < value.len; i++) {
        if (i)
            strbuf_add_char(out, ' ');
        value_add_text(out, value.items[i]);
    }
    strbuf_add_char(out, ']');
}

static void add_map(struct strbuf *out, struct value value)
{
    strbuf_add(out, STR("map["));
    for (uint32_t i = 0; i < value.len; i++) {
        if (i)
            strbuf_add_char(out, ' ');
        strbuf_add(out, value.members[i].key);
        strbuf_add_char(out, ':');
        value_add_text(out, value.members[i].value);
    }
    strbuf_add_char(out, ']');
}

static void add_reference(struct strbuf *out, const struct reference *reference)
{
    strbuf_add(out, reference->has_id && reference->id.kind == VALUE_STRING
                        ? value_text(reference->id)
                        : reference->urn);
}

void value_add_text(struct strbuf *out, struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: strbuf_add(out, STR("<nil>")); break;
    case VALUE_BOOL: strbuf_add(out, value.boolean ? STR("true") : STR("false")); break;
    case VALUE_NUMBER: add_number(out, value.number); break;
    case VALUE_STRING: strbuf_add(out, value_text(value)); break;
    case VALUE_ARRAY: add_list(out, value); break;
    case VALUE_OBJECT: add_map(out, value); break;
    case VALUE_REFERENCE: add_reference(out, value.reference); break;
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_SECRET:
    case VALUE_COMPUTED:
    case VALUE_OUTPUT: strbuf_printf(out, "<%s>", value_kind_text(value)); break;
    }
}
