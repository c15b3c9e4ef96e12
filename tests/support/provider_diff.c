/* provider_diff.c — how the scripted provider compares: input by input. A property named force* can
 * only be changed by a replacement, one named dbr* by a replacement that deletes first. */
#include "support/provider.h"

#include "model/signatures.h"
#include "proto/message.h"
#include "support/json_value.h"
#include "support/message_json.h"

#include "pb/provider.pb-c.h"

static bool contains_unknown(struct value value)
{
    if (value.kind == VALUE_STRING)
        return str_equal(value_text(value), UNKNOWN_STRING_TEXT);
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        if (contains_unknown(value.items[i]))
            return true;
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        if (contains_unknown(value.members[i].value))
            return true;
    return false;
}

struct comparison {
    struct arena *arena;
    struct value olds;
    struct value news;
    struct Pb__DiffResponse *answer;
};

static void compare_property(struct comparison *comparison, str key)
{
    struct arena *arena = comparison->arena;
    Pb__DiffResponse *answer = comparison->answer;
    const struct value *old = value_find(comparison->olds, key),
                       *new = value_find(comparison->news, key);
    bool deletes_first = str_starts_with(key, STR("dbr"));
    bool replaces = deletes_first || str_starts_with(key, STR("force"));

    if (old && new &&json_value_equal(*old, *new) && !contains_unknown(*new))
        return;
    Pb__PropertyDiffEntry *entry = ARENA_NEW(arena, Pb__PropertyDiffEntry);
    *entry = (Pb__PropertyDiffEntry)PB__PROPERTY_DIFF_ENTRY__INIT;
    entry->key = message_cstr(arena, key);
    entry->value = ARENA_NEW(arena, Pb__PropertyDiff);
    *entry->value = (Pb__PropertyDiff)PB__PROPERTY_DIFF__INIT;
    entry->value->input_diff = true;
    if (!old)
        entry->value->kind =
            replaces ? PB__PROPERTY_DIFF__KIND__ADD_REPLACE : PB__PROPERTY_DIFF__KIND__ADD;
    else if (!new)
        entry->value->kind =
            replaces ? PB__PROPERTY_DIFF__KIND__DELETE_REPLACE : PB__PROPERTY_DIFF__KIND__DELETE;
    else
        entry->value->kind =
            replaces ? PB__PROPERTY_DIFF__KIND__UPDATE_REPLACE : PB__PROPERTY_DIFF__KIND__UPDATE;
    answer->detailed_diff[answer->n_detailed_diff++] = entry;
    answer->diffs[answer->n_diffs++] = entry->key;
    if (replaces)
        answer->replaces[answer->n_replaces++] = entry->key;
    answer->delete_before_replace = answer->delete_before_replace || deletes_first;
    answer->changes = PB__DIFF_RESPONSE__DIFF_CHANGES__DIFF_SOME;
}

static fallible compare(struct arena *arena, str old_bytes, str new_bytes, Pb__DiffResponse *answer)
{
    struct comparison comparison = { .arena = arena, .answer = answer };

    TRY(message_struct(arena, old_bytes, &comparison.olds));
    TRY(message_struct(arena, new_bytes, &comparison.news));
    struct value both = value_merge(arena, comparison.olds, comparison.news);
    answer->diffs = ARENA_ARRAY(arena, char *, both.len + 1);
    answer->replaces = ARENA_ARRAY(arena, char *, both.len + 1);
    answer->detailed_diff = ARENA_ARRAY(arena, Pb__PropertyDiffEntry *, both.len + 1);
    answer->changes = PB__DIFF_RESPONSE__DIFF_CHANGES__DIFF_NONE;
    answer->has_detailed_diff = true;
    message_put_strs(arena, answer, stables, ((struct strs){ &STR("stable"), 1 }));
    for (size_t i = 0; i < both.len; i++)
        compare_property(&comparison, both.members[i].key);
    return NULL;
}

static fallible diff(struct provider_call *call, str bytes, bool may_use_outputs, str *response)
{
    Pb__DiffResponse answer = PB__DIFF_RESPONSE__INIT;
    void *message;

    TRY(provider_begin(call, bytes, &pb__diff_request__descriptor, &message));
    const Pb__DiffRequest *request = message;
    str olds = message_get_bytes(request, old_inputs);
    if (!olds.ptr && may_use_outputs)
        olds = message_get_bytes(request, olds);
    TRY(compare(call->arena, olds, message_get_bytes(request, news), &answer));
    return provider_finish_whole(call, &answer.base, response);
}

struct error *provider_diff(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Diff");

    return diff(&call, bytes, true, response);
}

struct error *provider_diff_config(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("DiffConfig");

    return diff(&call, bytes, false, response);
}
