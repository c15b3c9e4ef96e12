/* options_settle.c — from the options that were requested to those that are kept, and back. */
#include "proto/options_codec.h"

#include "model/path.h"
#include "model/urn.h"
#include "base/duration.h"
#include "proto/marshal.h"

#include <ctype.h>
#include <stdint.h>

/* --- checks --- */

/* The name of an option begins with a capital letter here: DeletedWith. */
static fallible settle_urn(const struct resource_option *option, str urn)
{
    const char *name = option->key ? option->key : option->member;
    struct urn parsed;

    if (urn.len == 0)
        return NULL;
    return error_wrap(urn_parse(urn, &parsed), "invalid %c%s URN", toupper((unsigned char)name[0]),
                      name + 1);
}

static fallible settle_timeout(str text, double *seconds)
{
    if (text.len && !duration_parse(text, seconds))
        return error_new(ERROR_OTHER, "unable to parse customTimeout Value " STR_FMT,
                         STR_ARG(text));
    return NULL;
}

static fallible settle_timeouts(struct requested_timeouts *timeouts)
{
    TRY(settle_timeout(timeouts->create, &timeouts->seconds.create));
    TRY(settle_timeout(timeouts->update, &timeouts->seconds.update));
    TRY(settle_timeout(timeouts->delete, &timeouts->seconds.delete));
    return settle_timeout(timeouts->read, &timeouts->seconds.read);
}

/* Paths whose differences are not shown are kept in their plain form, a.b for a["b"]. */
static fallible settle_hidden(struct arena *arena, struct strs *paths)
{
    str *plain = ARENA_ARRAY(arena, str, paths->len + 1);

    for (size_t i = 0; i < paths->len; i++) {
        struct path path;
        struct error *bad = path_parse(arena, paths->items[i], &path);
        if (bad) {
            struct error *refused =
                error_new(ERROR_OTHER, "%zu: " STR_FMT, i, STR_ARG(error_message(bad)));
            error_free(bad);
            return refused;
        }
        plain[i] = path_format(arena, path);
    }
    paths->items = plain;
    return NULL;
}

static fallible settle_value(struct arena *arena, const struct resource_option *option,
                             struct requested_value *value)
{
    const struct unmarshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .keep_output_values = true,
        .name = option->key,
    };

    if (!value->encoded.ptr)
        return NULL;
    TRY(error_as(error_wrap(property_unmarshal(arena, value->encoded, &options, &value->value),
                            "unmarshaling replacement trigger"),
                 ERROR_OTHER));
    if (value->value.kind == VALUE_NULL)
        value->encoded = (str){ 0 };
    return NULL;
}

static fallible settle_kind(struct arena *arena, struct requested_options *options,
                            enum field_kind kind)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct resource_option *option = &option_rows[i];
        void *place = (char *)options + option->place;
        if (option->kind != kind)
            continue;
        if (kind == KIND_URN)
            TRY(settle_urn(option, *(const str *)place));
        else if (kind == KIND_TIMEOUTS)
            TRY(settle_timeouts(place));
        else
            TRY(settle_value(arena, option, place));
    }
    return NULL;
}

fallible options_settle_values(struct arena *arena, struct requested_options *options)
{
    return settle_kind(arena, options, KIND_VALUE);
}

/* --- what is kept --- */

/* The part of a requested option that is what is kept of it. */
static void *kept_part(const struct resource_option *option, struct requested_options *options,
                       size_t *size)
{
    void *place = (char *)options + option->place;

    *size = option->size;
    if (option->kind == KIND_TIMEOUTS) {
        *size = sizeof(struct timeouts);
        return &((struct requested_timeouts *)place)->seconds;
    }
    if (option->kind == KIND_VALUE) {
        *size = sizeof(struct value);
        return &((struct requested_value *)place)->value;
    }
    return place;
}

fallible options_settle(struct arena *arena, struct requested_options *options,
                        struct resource_options *out)
{
    TRY(settle_hidden(arena, &options->hide_diff));
    TRY(settle_kind(arena, options, KIND_URN));
    TRY(settle_kind(arena, options, KIND_TIMEOUTS));
    TRY(settle_kind(arena, options, KIND_VALUE));
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct resource_option *option = &option_rows[i];
        size_t size;
        const void *part = kept_part(option, options, &size);
        if (option->kept_place != SIZE_MAX)
            memcpy((char *)out + option->kept_place, part, size);
    }
    return NULL;
}

void options_of_state(struct arena *arena, const struct resource *state,
                      struct requested_options *out)
{
    struct alias *aliases = ARENA_ARRAY(arena, struct alias, state->aliases.len);

    *out = (struct requested_options){ 0 };
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct resource_option *option = &option_rows[i];
        size_t size;
        void *part = kept_part(option, out, &size);
        if (option->kept_place == SIZE_MAX)
            continue;
        const void *kept = (const char *)&state->options + option->kept_place;
        memcpy(part, kept, size);
        *((bool *)out + option->mark) =
            option->kind == KIND_BOOL || !field_ops[option->kind].is_empty(kept);
    }
    for (size_t i = 0; i < state->aliases.len; i++)
        aliases[i].urn = state->aliases.items[i];
    out->aliases = (struct aliases){ aliases, state->aliases.len };
    out->depends_on = state->dependencies;
    out->provider = state->provider;
}
