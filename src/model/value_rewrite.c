/* value_rewrite.c — values made from other values: without secrets or outputs, or copied. */
#include "model/value_ops.h"

struct rewriting {
    struct arena *arena;
    value_rule *rule;
    void *context;
};

static void rewrite(const struct rewriting *rewriting, struct value *value);

/* Did a rule leave it as it was? Scalars are only ever replaced by values of another kind. */
static bool is_untouched(struct value old, struct value new)
{
    return old.kind == new.kind &&old.len == new.len
           && (old.kind < VALUE_STRING || old.kind == VALUE_COMPUTED || old.text == new.text);
}

static void rewrite_array(const struct rewriting *rewriting, struct value *array)
{
    struct value *items = NULL;

    for (size_t i = 0; i < array->len; i++) {
        struct value item = array->items[i];
        rewrite(rewriting, &item);
        if (!items && !is_untouched(array->items[i], item))
            items = arena_copy_bytes(rewriting->arena, array->items, array->len * sizeof(*items));
        if (items)
            items[i] = item;
    }
    if (items)
        array->items = items;
}

static void rewrite_object(const struct rewriting *rewriting, struct value *object)
{
    struct member *members = NULL;

    for (size_t i = 0; i < object->len; i++) {
        struct value item = object->members[i].value;
        rewrite(rewriting, &item);
        if (!members && !is_untouched(object->members[i].value, item))
            members =
                arena_copy_bytes(rewriting->arena, object->members, object->len * sizeof(*members));
        if (members)
            members[i].value = item;
    }
    if (members)
        object->members = members;
}

/* A secret whose element changes is another secret: the ciphertext does not fit any more. */
static void rewrite_secret(const struct rewriting *rewriting, struct value *value)
{
    if (value->secret->is_opaque)
        return;
    struct value element = value->secret->element;
    rewrite(rewriting, &element);
    if (!is_untouched(value->secret->element, element))
        *value = value_secret(rewriting->arena, element);
}

static void rewrite_output(const struct rewriting *rewriting, struct value *value)
{
    if (!value->output->is_known)
        return;
    struct value element = value->output->element;
    rewrite(rewriting, &element);
    if (!is_untouched(value->output->element, element)) {
        struct output *output = arena_copy_bytes(rewriting->arena, value->output, sizeof(*output));
        output->element = element;
        value->output = output;
    }
}

static void rewrite(const struct rewriting *rewriting, struct value *value)
{
    enum rule_verdict verdict;

    do
        verdict = rewriting->rule(rewriting->context, rewriting->arena, value);
    while (verdict == RULE_REPLACED);
    if (verdict == RULE_LEFT)
        return;
    switch ((enum value_kind)value->kind) {
    case VALUE_ARRAY: rewrite_array(rewriting, value); break;
    case VALUE_OBJECT: rewrite_object(rewriting, value); break;
    case VALUE_SECRET: rewrite_secret(rewriting, value); break;
    case VALUE_OUTPUT: rewrite_output(rewriting, value); break;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_COMPUTED:
    case VALUE_REFERENCE: break;
    }
}

struct value value_rewrite(struct arena *arena, value_rule *rule, void *context, struct value value)
{
    rewrite(&(struct rewriting){ arena, rule, context }, &value);
    return value;
}

static struct value unknown_of(const struct output *output)
{
    return output->element.kind == VALUE_COMPUTED ? output->element
                                                  : value_computed(UNKNOWN_STRING);
}

static enum rule_verdict unwrap_secret(void *context, struct arena *arena, struct value *value)
{
    (void)context;
    (void)arena;
    if (value->kind == VALUE_SECRET) {
        BUG_IF(value->secret->is_opaque);
        *value = value->secret->element;
        return RULE_REPLACED;
    }
    if (value->kind == VALUE_OUTPUT) {
        *value = value->output->is_known ? value->output->element : unknown_of(value->output);
        return RULE_REPLACED;
    }
    return RULE_KEPT;
}

struct value value_without_secrets(struct arena *arena, struct value value)
{
    return value_rewrite(arena, unwrap_secret, NULL, value);
}

static struct value output_element(struct value value)
{
    return value.output->is_known ? value.output->element : unknown_of(value.output);
}

/* What is inside secrets and outputs that are nothing but that. */
static struct value value_innermost(struct value value)
{
    while (value.kind == VALUE_OUTPUT || (value.kind == VALUE_SECRET && !value.secret->is_opaque))
        value = value.kind == VALUE_OUTPUT ? output_element(value) : value.secret->element;
    return value;
}

static enum rule_verdict lower_output(void *context, struct arena *arena, struct value *value)
{
    (void)context;
    if (value->kind == VALUE_OUTPUT) {
        *value = value->output->is_secret ? value_secret(arena, output_element(*value))
                                          : output_element(*value);
        return RULE_REPLACED;
    }
    if (value->kind != VALUE_SECRET || value->secret->is_opaque
        || (value->secret->element.kind != VALUE_OUTPUT
            && value->secret->element.kind != VALUE_SECRET))
        return RULE_KEPT;
    *value = value_secret(arena, value_innermost(*value));
    return RULE_REPLACED;
}

struct value value_without_outputs(struct arena *arena, struct value value)
{
    return value_rewrite(arena, lower_output, NULL, value);
}

/* --- copying --- */

static str copy_string(struct arena *arena, str text)
{
    return text.len ? arena_copy(arena, text) : (str){ "", 0 };
}

static const struct value *copy_items(struct arena *arena, struct value array)
{
    struct value *items = ARENA_ARRAY(arena, struct value, array.len);

    for (size_t i = 0; i < array.len; i++)
        items[i] = value_copy(arena, array.items[i]);
    return items;
}

static const struct member *copy_members(struct arena *arena, struct value object)
{
    struct member *members = ARENA_ARRAY(arena, struct member, object.len);

    for (size_t i = 0; i < object.len; i++) {
        members[i].key = copy_string(arena, object.members[i].key);
        members[i].value = value_copy(arena, object.members[i].value);
    }
    return members;
}

static const struct asset *copy_asset(struct arena *arena, const struct asset *asset)
{
    struct asset *copy = arena_copy_bytes(arena, asset, sizeof(*copy));

    copy->hash = copy_string(arena, asset->hash);
    copy->text = copy_string(arena, asset->text);
    copy->path = copy_string(arena, asset->path);
    copy->uri = copy_string(arena, asset->uri);
    copy->members = value_copy(arena, asset->members);
    return copy;
}

static struct secret_value *copy_secret(struct arena *arena, const struct secret_value *secret)
{
    struct secret_value *copy = ARENA_NEW(arena, struct secret_value);

    copy->ciphertext = copy_string(arena, secret->ciphertext);
    copy->is_opaque = secret->is_opaque;
    if (!secret->is_opaque)
        copy->element = value_copy(arena, secret->element);
    return copy;
}

static const struct output *copy_output(struct arena *arena, const struct output *output)
{
    struct output *copy = arena_copy_bytes(arena, output, sizeof(*copy));
    str *dependencies = ARENA_ARRAY(arena, str, output->dependency_count);

    for (size_t i = 0; i < output->dependency_count; i++)
        dependencies[i] = copy_string(arena, output->dependencies[i]);
    copy->dependencies = dependencies;
    copy->element = value_copy(arena, output->element);
    return copy;
}

static const struct reference *copy_reference(struct arena *arena,
                                              const struct reference *reference)
{
    struct reference *copy = arena_copy_bytes(arena, reference, sizeof(*copy));

    copy->urn = copy_string(arena, reference->urn);
    copy->id = value_copy(arena, reference->id);
    copy->name = copy_string(arena, reference->name);
    copy->type = copy_string(arena, reference->type);
    copy->package_version = copy_string(arena, reference->package_version);
    return copy;
}

struct value value_copy(struct arena *arena, struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_COMPUTED: break;
    case VALUE_STRING: value.text = copy_string(arena, value_text(value)).ptr; break;
    case VALUE_ARRAY: value.items = value.len ? copy_items(arena, value) : NULL; break;
    case VALUE_OBJECT: value.members = value.len ? copy_members(arena, value) : NULL; break;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: value.asset = copy_asset(arena, value.asset); break;
    case VALUE_SECRET: value.secret = copy_secret(arena, value.secret); break;
    case VALUE_OUTPUT: value.output = copy_output(arena, value.output); break;
    case VALUE_REFERENCE: value.reference = copy_reference(arena, value.reference); break;
    }
    return value;
}

static const struct member *find_like(struct value like, str key)
{
    const struct value *found = value_find(like, key);

    return found ? (const struct member *)((const char *)found - offsetof(struct member, value))
                 : NULL;
}

struct value value_copy_like(struct arena *arena, struct value value, struct value like)
{
    if (value_identical(value, like))
        return like;
    if (value.kind != VALUE_OBJECT || like.kind != VALUE_OBJECT || value.len == 0)
        return value_copy(arena, value);
    struct member *members = ARENA_ARRAY(arena, struct member, value.len);
    for (size_t i = 0; i < value.len; i++) {
        const struct member *member = &value.members[i], *other = find_like(like, member->key);
        members[i].key = other ? other->key : copy_string(arena, member->key);
        members[i].value = other ? value_copy_like(arena, member->value, other->value)
                                 : value_copy(arena, member->value);
    }
    value.members = members;
    return value;
}
