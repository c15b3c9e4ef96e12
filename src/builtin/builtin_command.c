/* builtin_command.c — package "command": commands of this machine as resources. */
#include "builtin/builtin.h"

#include "base/hex.h"
#include "base/program.h"
#include "base/uuid.h"
#include "builtin/builtin_command.h"
#include "model/urn.h"

static fallible command_find_token(str type, const struct builtin_token **out)
{
    if (str_starts_with(type, STR("command:remote:")))
        return error_new(ERROR_OTHER,
                         "'" STR_FMT
                         "' is not supported by the built-in package 'command', which only runs "
                         "commands on this "
                         "machine; install the plugin with `%s plugin install resource command`",
                         STR_ARG(type), program_name());
    return builtin_find_token(&command_package, type, out);
}

static void check_logging(struct arena *arena, struct value inputs, struct check_failures *failures)
{
    static const char *const words[] = { "stdout", "stderr", "stdoutAndStderr", "none" };
    str given = builtin_text(inputs, "logging", STR("none"));

    for (size_t i = 0; i < 4; i++)
        if (str_equal(given, str_from(words[i])))
            return;
    builtin_add_failure(arena, failures, STR("logging"),
                        STR("\"logging\" must be one of stdout, stderr, stdoutAndStderr, none"));
}

static fallible command_provider_check(struct provider *self, const struct check_request *request,
                                       struct arena *arena, struct check_answer *out)
{
    const struct builtin_token *token;

    (void)self;
    TRY(command_find_token(urn_type_of(request->urn), &token));
    *out = (struct check_answer){ .inputs = request->news };
    builtin_check(arena, token, request->news, &out->failures);
    if (out->failures.len == 0)
        check_logging(arena, request->news, &out->failures);
    return NULL;
}

static fallible command_provider_diff(struct provider *self, const struct diff_request *request,
                                      struct arena *arena, struct diff_answer *out)
{
    const struct builtin_token *token;

    (void)self;
    TRY(command_find_token(urn_type_of(request->urn), &token));
    builtin_diff(arena, token, request, out);
    return NULL;
}

/* What a command will print is not known before it has run; what came out of secrets is secret. */
static struct value unknown_results(struct arena *arena, struct value inputs)
{
    struct value outputs = value_with(arena, inputs, STR("stdout"), value_computed(UNKNOWN_STRING));

    outputs = value_with(arena, outputs, STR("stderr"), value_computed(UNKNOWN_STRING));
    if (value_has(inputs, STR("assetPaths")))
        outputs = value_with(arena, outputs, STR("assets"), value_computed(UNKNOWN_OBJECT));
    if (value_has(inputs, STR("archivePaths")))
        outputs = value_with(arena, outputs, STR("archive"), value_computed(UNKNOWN_ARCHIVE));
    return outputs;
}

static struct value with_results(struct arena *arena, struct value inputs, struct value results)
{
    bool is_secret = value_contains_secret(inputs);

    for (uint32_t i = 0; i < results.len; i++) {
        struct value result = results.members[i].value;
        inputs = value_with(arena, inputs, results.members[i].key,
                            is_secret ? value_secret(arena, result) : result);
    }
    return inputs;
}

/* What the last command left, until another one has run. */
static struct value previous_results(struct arena *arena, struct value outputs)
{
    static const char *const files[] = { "archive", "assets" };
    const struct member members[] = {
        { STR("stderr"), value_string(builtin_text(outputs, "stderr", STR(""))) },
        { STR("stdout"), value_string(builtin_text(outputs, "stdout", STR(""))) },
    };
    struct value results = value_object(arena, members, 2);

    for (size_t i = 0; i < 2; i++) {
        const struct value *found = value_find(outputs, str_from(files[i]));
        if (found)
            results = value_with(arena, results, str_from(files[i]), builtin_open(*found));
    }
    return results;
}

static fallible command_provider_run(struct provider *self, const struct command_request *request,
                                     struct arena *arena, struct value *results)
{
    struct value found;

    if (!request->command.ptr)
        return NULL;
    TRY(local_command_run(builtin_world_of(self), request, arena, &found));
    *results = value_merge(arena, *results, found);
    return NULL;
}

static fallible command_provider_create(struct provider *self, const struct create_request *request,
                                        struct arena *arena, struct provider_state *out)
{
    struct value results = previous_results(arena, VALUE_EMPTY_OBJECT);
    const struct command_request command = {
        .urn = request->urn,
        .command = builtin_text(request->inputs, "create", (str){ 0 }),
        .inputs = request->inputs,
        .previous = VALUE_EMPTY_OBJECT,
        .timeout = request->timeout,
    };
    char suffix[4];

    *out = (struct provider_state){ .outputs = unknown_results(arena, request->inputs) };
    if (request->preview)
        return NULL;
    random_bytes(suffix, sizeof(suffix));
    out->id = arena_concat(arena, urn_name_of(request->urn),
                           hex_encode(arena, (str){ suffix, sizeof(suffix) }));
    TRY(command_provider_run(self, &command, arena, &results));
    out->outputs = with_results(arena, request->inputs, results);
    return NULL;
}

static fallible command_provider_update(struct provider *self, const struct update_request *request,
                                        struct arena *arena, struct provider_state *out)
{
    struct value results = previous_results(arena, request->old_outputs);
    const struct command_request command = {
        .urn = request->urn,
        .command = builtin_text(request->news, "update",
                                builtin_text(request->news, "create", (str){ 0 })),
        .inputs = request->news,
        .previous = request->old_outputs,
        .timeout = request->timeout,
    };

    *out = (struct provider_state){ .id = request->id,
                                    .outputs = unknown_results(arena, request->news) };
    if (request->preview)
        return NULL;
    TRY(command_provider_run(self, &command, arena, &results));
    out->outputs = with_results(arena, request->news, results);
    return NULL;
}

static fallible command_provider_delete(struct provider *self, const struct delete_request *request,
                                        struct arena *arena, struct provider_state *out)
{
    struct value results = VALUE_EMPTY_OBJECT;
    const struct command_request command = {
        .urn = request->urn,
        .command = builtin_text(request->old_outputs, "delete", (str){ 0 }),
        .inputs = request->old_outputs,
        .previous = request->old_outputs,
        .timeout = request->timeout,
    };

    *out = (struct provider_state){ 0 };
    return command_provider_run(self, &command, arena, &results);
}

/* There is nothing to read back: the state is what the commands printed. */
static fallible command_provider_read(struct provider *self, const struct read_request *request,
                                      struct arena *arena, struct provider_state *out)
{
    const struct builtin_token *token;

    (void)self, (void)arena;
    TRY(command_find_token(urn_type_of(request->urn), &token));
    if (request->state.kind != VALUE_OBJECT || request->state.len == 0)
        return error_new(ERROR_OTHER, "resources of type '%s' cannot be imported", token->token);
    *out = (struct provider_state){ .id = request->id,
                                    .exists = true,
                                    .has_inputs = true,
                                    .inputs = request->inputs,
                                    .outputs = request->state };
    return NULL;
}

static fallible command_provider_invoke(struct provider *self, const struct invoke_request *request,
                                        struct arena *arena, struct invoke_answer *out)
{
    const struct builtin_token *token;
    struct value results;

    *out = (struct invoke_answer){ .result = VALUE_EMPTY_OBJECT };
    TRY(command_find_token(request->token, &token));
    builtin_check(arena, token, request->args, &out->failures);
    check_logging(arena, request->args, &out->failures);
    if (out->failures.len)
        return NULL;
    const struct command_request command = {
        .command = builtin_text(request->args, "command", STR("")),
        .inputs = request->args,
        .previous = VALUE_EMPTY_OBJECT,
    };
    TRY(local_command_run(builtin_world_of(self), &command, arena, &results));
    out->result = with_results(arena, request->args, results);
    return NULL;
}

static const struct provider_ops ops = {
    .parameterize = builtin_parameterize,
    .get_schema = builtin_get_schema,
    .check = command_provider_check,
    .diff = command_provider_diff,
    .create = command_provider_create,
    .read = command_provider_read,
    .update = command_provider_update,
    .delete = command_provider_delete,
    .invoke = command_provider_invoke,
    .call = builtin_call,
    .construct = builtin_construct,
    .traits = builtin_traits,
};

struct provider *builtin_command_new(struct arena *arena, const struct builtin_world *world)
{
    struct builtin_provider *provider = ARENA_NEW(arena, struct builtin_provider);

    builtin_provider_init(provider, &ops, &command_package, world);
    return &provider->provider;
}
