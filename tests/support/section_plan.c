/* section_plan.c — an update plan as a section. */
#include "support/json_value.h"
#include "support/mask.h"
#include "support/section.h"

#include "base/fs.h"

/* A seed is drawn anew each time. */
static struct value without_seed(struct arena *arena, struct value plan)
{
    bool has_seed = object_text(plan, STR("seed")).len > 0;

    return has_seed ? value_with(arena, plan, STR("seed"), value_string(STR("<seed>"))) : plan;
}

static struct value without_seeds(struct arena *arena, struct value plans)
{
    struct member *members = ARENA_ARRAY(arena, struct member, plans.len + 1);

    for (size_t i = 0; i < plans.len; i++)
        members[i] =
            (struct member){ plans.members[i].key, without_seed(arena, plans.members[i].value) };
    return value_object(arena, members, plans.len);
}

/* Sealed texts are drawn anew too. */
static struct value without_ciphertexts(struct arena *arena, struct value value)
{
    if (value.kind == VALUE_STRING && str_starts_with(value_text(value), STR("v1:")))
        return value_string(STR("<sealed>"));
    if (value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);
        for (size_t i = 0; i < value.len; i++)
            items[i] = without_ciphertexts(arena, value.items[i]);
        return value_array(arena, items, value.len);
    }
    if (value.kind != VALUE_OBJECT)
        return value;
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
    for (size_t i = 0; i < value.len; i++)
        members[i] = (struct member){ value.members[i].key,
                                      without_ciphertexts(arena, value.members[i].value) };
    return value_object(arena, members, value.len);
}

fallible section_plan(struct workdir *workdir, struct value *out)
{
    struct arena *arena = workdir->arena;
    struct value file;
    str text;
    struct error *failure =
        fs_read(arena, workdir_file(workdir, "run/plan.json"), FS_ANY_SIZE, &text);

    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "a preview that fails leaves none");
        *out = value_null();
        return NULL;
    }
    TRY(failure);
    TRY(error_wrap(json_value_parse(arena, mask_text(arena, text, workdir->path), &file),
                   "the plan is not JSON"));
    *out = without_ciphertexts(arena, value_without(arena, file, STR("manifest")));
    struct value plans = object_get(*out, STR("resourcePlans"));
    if (plans.kind == VALUE_OBJECT)
        *out = value_with(arena, *out, STR("resourcePlans"), without_seeds(arena, plans));
    return NULL;
}
