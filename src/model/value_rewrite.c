/* value_rewrite.c — values made from other values: stripped of secrets, outputs, unknowns or
 * contents, or copied. */
#include "model/value_ops.h"

/* What a rule makes of one value. */
enum verdict {
    ENTER, /* keep it, go on with what is inside */
    TAKE,  /* the rule has put something in its place; nothing inside is looked at */
    AGAIN, /* the rule has put something in its place, which has to be judged too */
    DROP,  /* leave it out of its array or object */
};
typedef enum verdict judge(struct arena *arena, struct value *value);

static bool rewrite(struct arena *arena, judge *rule, struct value *value);

/* Did a rule leave it as it was? Scalars are only ever replaced by values of another kind. */
static bool is_untouched(struct value old, struct value new)
{
    return old.kind == new.kind &&old.len == new.len
           && (old.kind < VALUE_STRING || old.kind == VALUE_COMPUTED || old.text == new.text);
}

static void rewrite_array(struct arena *arena, judge *rule, struct value *array)
{
    struct value *items = NULL;
    size_t kept = 0;

    for (size_t i = 0; i < array->len; i++) {
        struct value item = array->items[i];
        bool stays = rewrite(arena, rule, &item);
        if (!items && !(stays && is_untouched(array->items[i], item))) {
            items = ARENA_ARRAY(arena, struct value, array->len);
            memcpy(items, array->items, i * sizeof(*items));
        }
        if (stays && items)
            items[kept] = item;
        kept += stays;
    }
    if (items)
        *array = (struct value){ .kind = VALUE_ARRAY, .len = (uint32_t)kept, .items = items };
}

static void rewrite_object(struct arena *arena, judge *rule, struct value *object)
{
    struct member *members = NULL;
    size_t kept = 0;

    for (size_t i = 0; i < object->len; i++) {
        struct value item = object->members[i].value;
        bool stays = rewrite(arena, rule, &item);
        if (!members && !(stays && is_untouched(object->members[i].value, item))) {
            members = ARENA_ARRAY(arena, struct member, object->len);
            memcpy(members, object->members, i * sizeof(*members));
        }
        if (stays && members)
            members[kept] = (struct member){ object->members[i].key, item };
        kept += stays;
    }
    if (members)
        *object = (struct value){ .kind = VALUE_OBJECT, .len = (uint32_t)kept, .members = members };
}

/* A secret whose element changes is another secret: the ciphertext does not fit any more. */
static bool rewrite_secret(struct arena *arena, judge *rule, struct value *value)
{
    if (value->secret->is_opaque)
        return true;
    struct value element = value->secret->element;
    if (!rewrite(arena, rule, &element))
        return false;
    if (!is_untouched(value->secret->element, element))
        *value = value_secret(arena, element);
    return true;
}

static bool rewrite_output(struct arena *arena, judge *rule, struct value *value)
{
    if (!value->output->is_known)
        return true;
    struct value element = value->output->element;
    if (!rewrite(arena, rule, &element))
        return false;
    if (!is_untouched(value->output->element, element)) {
        struct output *output = arena_copy_bytes(arena, value->output, sizeof(*output));
        output->element = element;
        value->output = output;
    }
    return true;
}

/* False if the value has to be left out. */
static bool rewrite(struct arena *arena, judge *rule, struct value *value)
{
    enum verdict verdict;

    do {
        verdict = rule(arena, value);
    } while (verdict == AGAIN);
    if (verdict != ENTER)
        return verdict == TAKE;
    switch ((enum value_kind)value->kind) {
    case VALUE_ARRAY: rewrite_array(arena, rule, value); return true;
    case VALUE_OBJECT: rewrite_object(arena, rule, value); return true;
    case VALUE_SECRET: return rewrite_secret(arena, rule, value);
    case VALUE_OUTPUT: return rewrite_output(arena, rule, value);
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_COMPUTED:
    case VALUE_REFERENCE: return true;
    }
    return true;
}

static struct value unknown_of(const struct output *output)
{
    return output->element.kind == VALUE_COMPUTED ? output->element
                                                  : value_computed(UNKNOWN_STRING);
}

static enum verdict verdict_unwrap(struct arena *arena, struct value *value)
{
    (void)arena;
    if (value->kind == VALUE_SECRET) {
        BUG_IF(value->secret->is_opaque);
        *value = value->secret->element;
        return AGAIN;
    }
    if (value->kind == VALUE_OUTPUT) {
        *value = value->output->is_known ? value->output->element : unknown_of(value->output);
        return AGAIN;
    }
    return ENTER;
}

struct value value_without_secrets(struct arena *arena, struct value value)
{
    rewrite(arena, verdict_unwrap, &value);
    return value;
}

static enum verdict lower_output(struct arena *arena, struct value *value)
{
    if (value->kind != VALUE_OUTPUT)
        return ENTER;
    const struct output *output = value->output;
    *value = output->is_known ? output->element : unknown_of(output);
    if (output->is_secret)
        *value = value_secret(arena, *value);
    return AGAIN;
}

struct value value_without_outputs(struct arena *arena, struct value value)
{
    rewrite(arena, lower_output, &value);
    return value;
}

static enum verdict drop_unknown(struct arena *arena, struct value *value)
{
    (void)arena;
    bool is_unknown =
        value->kind == VALUE_COMPUTED || (value->kind == VALUE_OUTPUT && !value->output->is_known);
    return is_unknown ? DROP : ENTER;
}

struct value value_without_unknowns(struct arena *arena, struct value value)
{
    return rewrite(arena, drop_unknown, &value) ? value : value_null();
}

static enum verdict reduce_to_hash(struct arena *arena, struct value *value)
{
    if (value->kind != VALUE_ASSET && value->kind != VALUE_ARCHIVE)
        return ENTER;
    const struct asset *asset = value->asset;
    if (asset->has_text || asset->has_members || asset->text.len || asset->path.len
        || asset->uri.len) {
        struct asset *reduced = ARENA_NEW(arena, struct asset);
        reduced->hash = asset->hash;
        value->asset = reduced;
    }
    return TAKE;
}

struct value value_without_contents(struct arena *arena, struct value value)
{
    rewrite(arena, reduce_to_hash, &value);
    return value;
}

/* --- copying --- */

static str rewrite_copy_text(struct arena *arena, str text)
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
        members[i].key = rewrite_copy_text(arena, object.members[i].key);
        members[i].value = value_copy(arena, object.members[i].value);
    }
    return members;
}

static const struct asset *copy_asset(struct arena *arena, const struct asset *asset)
{
    struct asset *copy = arena_copy_bytes(arena, asset, sizeof(*copy));

    copy->hash = rewrite_copy_text(arena, asset->hash);
    copy->text = rewrite_copy_text(arena, asset->text);
    copy->path = rewrite_copy_text(arena, asset->path);
    copy->uri = rewrite_copy_text(arena, asset->uri);
    copy->members = value_copy(arena, asset->members);
    return copy;
}

static struct secret *copy_secret(struct arena *arena, const struct secret *secret)
{
    struct secret *copy = ARENA_NEW(arena, struct secret);

    copy->ciphertext = rewrite_copy_text(arena, secret->ciphertext);
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
        dependencies[i] = rewrite_copy_text(arena, output->dependencies[i]);
    copy->dependencies = dependencies;
    copy->element = value_copy(arena, output->element);
    return copy;
}

static const struct reference *copy_reference(struct arena *arena,
                                              const struct reference *reference)
{
    struct reference *copy = arena_copy_bytes(arena, reference, sizeof(*copy));

    copy->urn = rewrite_copy_text(arena, reference->urn);
    copy->id = value_copy(arena, reference->id);
    copy->name = rewrite_copy_text(arena, reference->name);
    copy->type = rewrite_copy_text(arena, reference->type);
    copy->package_version = rewrite_copy_text(arena, reference->package_version);
    return copy;
}

struct value value_copy(struct arena *arena, struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_COMPUTED: break;
    case VALUE_STRING: value.text = rewrite_copy_text(arena, value_text(value)).ptr; break;
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
