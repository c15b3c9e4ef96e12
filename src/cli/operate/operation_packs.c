/* operation_packs.c — policy packs that the organisation of a stack requires: their settings and
 * environments, for the engine, which installs and runs them. */
#include "cli/operate/operation_setup.h"

#include "backend/update.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "model/value_json.h"

/* Files of the environments that one pack runs in. */
struct pack_world {
    struct stack_environment environment;
    struct pack_world *next;
};

/* --- settings --- */

/* What both have is taken from `over`, member by member where both are objects. */
static struct value settings_merge(struct arena *arena, struct value under, struct value over)
{
    if (under.kind != VALUE_OBJECT || over.kind != VALUE_OBJECT)
        return over;
    struct value merged = under;
    for (size_t i = 0; i < over.len; i++) {
        const struct member *member = &over.members[i];
        const struct value *own = value_find(under, member->key);
        merged = value_with(arena, merged, member->key,
                            own ? settings_merge(arena, *own, member->value) : member->value);
    }
    return merged;
}

/* Those of environments may name the pack that they are for: "pack:policy". */
static struct value settings_of_pack(struct arena *arena, struct value policies, str pack)
{
    struct value own = VALUE_EMPTY_OBJECT;

    for (size_t i = 0; i < policies.len; i++) {
        str prefix, policy = policies.members[i].key;
        if (str_cut(policies.members[i].key, STR(":"), &prefix, &policy)
            && !str_equal(prefix, pack))
            continue;
        own = value_with(arena, own, policy, policies.members[i].value);
    }
    return own;
}

static fallible settings_read(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    enum json_kind end; /* what follows is refused by looking at it */

    *out = VALUE_EMPTY_OBJECT;
    if (!text.len)
        return NULL;
    json_reader_init(&reader, arena, text);
    TRY(value_read_plain(&reader, out));
    TRY(json_peek(&reader, &end));
    return out->kind == VALUE_OBJECT ? NULL : error_new(ERROR_INVALID, "expected an object");
}

/* Null says nothing about a policy. What the organisation says goes over its environments. */
static fallible settings_write(struct arena *arena, const struct required_pack *pack,
                               struct value policies, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct value given, said = VALUE_EMPTY_OBJECT;

    TRY(settings_read(arena, pack->config, &given));
    for (size_t i = 0; i < given.len; i++)
        if (given.members[i].value.kind != VALUE_NULL)
            said = value_with(arena, said, given.members[i].key, given.members[i].value);
    value_write(&writer, settings_merge(arena, settings_of_pack(arena, policies, pack->name), said),
                SECRET_BARE);
    TRY(json_writer_finish(&writer));
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

/* --- environments --- */

static void packs_hide(struct operation *operation, struct secret_list texts)
{
    struct secret_list known = operation->secret_texts;
    struct secret *all =
        ARENA_ARRAY(operation->cli->arena, struct secret, known.len + texts.len + 1);

    for (size_t i = 0; i < known.len + texts.len; i++)
        all[i] = i < known.len ? known.items[i] : texts.items[i - known.len];
    operation->secret_texts = (struct secret_list){ all, known.len + texts.len };
}

static fallible packs_open_environment(struct operation *operation,
                                       const struct required_pack *pack, struct value *policies,
                                       struct pairs *variables)
{
    struct cli *cli = operation->cli;

    *policies = VALUE_EMPTY_OBJECT;
    if (!pack->environments.len)
        return NULL;
    struct pack_world *world = ARENA_NEW(cli->arena, struct pack_world);
    *world = (struct pack_world){ .next = operation->packs };
    TRY(environment_open(cli, pack->environments, policies, &world->environment));
    operation->packs = world;
    TRY(environment_write_files(cli, &world->environment));
    packs_hide(operation, world->environment.secrets);
    *variables = world->environment.variables;
    return NULL;
}

void operation_close_packs(struct operation *operation)
{
    for (struct pack_world *world = operation->packs; world; world = world->next)
        environment_remove_files(&world->environment);
}

/* --- all of them --- */

static fallible packs_take_one(struct operation *operation, const struct required_pack *pack,
                               struct required_policy *out)
{
    struct arena *arena = operation->cli->arena;
    struct value policies;

    *out = (struct required_policy){
        .pack = { arena_copy(arena, pack->organization), arena_copy(arena, pack->name),
                  arena_copy(arena, pack->version), arena_copy(arena, pack->location) }
    };
    TRY(error_wrap(packs_open_environment(operation, pack, &policies, &out->variables),
                   "opening ESC environments for policy pack '" STR_FMT "'", STR_ARG(pack->name)));
    return error_wrap(settings_write(arena, pack, policies, &out->config),
                      "the configuration of policy pack '" STR_FMT "'", STR_ARG(pack->name));
}

/* A pack looks at what a program registers; without one there is nothing that it could forbid. */
static bool packs_have_a_say(const struct engine_options *options)
{
    return options->kind == OPERATION_UPDATE || options->plan.run_program;
}

fallible operation_take_packs(struct operation *operation, struct engine_options *options)
{
    const struct update *update = operation->update;

    options->policies.required_count = 0;
    if (!update || update->pack_count == 0 || !packs_have_a_say(options))
        return NULL;
    struct required_policy *required =
        ARENA_ARRAY(operation->cli->arena, struct required_policy, update->pack_count);
    for (size_t i = 0; i < update->pack_count; i++)
        TRY(packs_take_one(operation, &update->packs[i], &required[i]));
    options->policies.required = required;
    options->policies.required_count = update->pack_count;
    return NULL;
}
