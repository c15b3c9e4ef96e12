/* builtin_command.c — package "command": commands of this machine as resources. */
#include "builtin/builtin.h"

#include "base/hex.h"
#include "base/uuid.h"
#include "builtin/builtin_command.h"
#include "builtin/builtin_table.h"
#include "model/urn.h"

#define INPUT (PROPERTY_IN | PROPERTY_OUT)
#define RESULT (PROPERTY_OUT | PROPERTY_ALWAYS)
#define LOGGING_TYPE "#/types/command:local:Logging"
#define END \
    {       \
        0   \
    }

#define COMMON_PROPERTIES                                                                                           \
    { "addPreviousOutputInEnv", BUILTIN_BOOL, INPUT, NULL,                                                          \
      "Whether the next command finds the output of the last one in PULUMI_COMMAND_STDOUT and _STDERR; it does by " \
      "default." },                                                                                                 \
        { "archivePaths", BUILTIN_STRINGS, INPUT, NULL,                                                             \
          "Files to return as one archive; * and ** match, ! excludes." },                                          \
        { "assetPaths", BUILTIN_STRINGS, INPUT, NULL, "Files to return as assets; * and ** match, ! excludes." },   \
        { "dir", BUILTIN_STRING, INPUT, NULL, "Where the command runs; it must be there." },                        \
        { "environment", BUILTIN_TEXTS, INPUT, NULL, "More variables for the command." },                           \
        { "interpreter", BUILTIN_STRINGS, INPUT, NULL, "What runs the command; /bin/sh -c by default." },           \
        { "logging", BUILTIN_NAMED, INPUT, LOGGING_TYPE, "Which output is shown as it appears; both by default." }, \
        { "stdin", BUILTIN_STRING, INPUT, NULL, "What the command reads from its standard input." },                \
        { "archive", BUILTIN_ARCHIVE, PROPERTY_OUT, NULL, "The files of archivePaths." },                           \
        { "assets", BUILTIN_ASSETS, PROPERTY_OUT, NULL, "The files of assetPaths, by their path from dir." },       \
        { "stderr", BUILTIN_STRING, RESULT, NULL, "The standard error of the command." },                           \
    {                                                                                                               \
        "stdout", BUILTIN_STRING, RESULT, NULL, "The standard output of the command."                               \
    }

static const struct builtin_property command_properties[] = {
    COMMON_PROPERTIES,
    { "create", BUILTIN_STRING, INPUT, NULL, "The command that makes it." },
    { "update", BUILTIN_STRING, INPUT, NULL, "The command that changes it; create again by default." },
    { "delete", BUILTIN_STRING, INPUT, NULL, "The command that removes it; nothing by default." },
    { "triggers", BUILTIN_ANYS, INPUT | PROPERTY_REPLACES, NULL, "Any change of these values makes a new resource." },
    END,
};

static const struct builtin_property run_properties[] = {
    COMMON_PROPERTIES,
    { "command", BUILTIN_STRING, INPUT | PROPERTY_REQUIRED | PROPERTY_ALWAYS, NULL, "The command." },
    END,
};

static const struct builtin_token tokens[] = {
    { "command:local:Command", false, command_properties,
      "Commands that make, change and remove something on this machine." },
    { "command:local:run", true, run_properties, "Runs a command on this machine, in previews too." },
    { 0 },
};

static const struct builtin_package package = {
    .name = "command",
    .version = "1.1.0",
    .description = "Commands of this machine as resources.",
    .types = "{\"command:local:Logging\":{\"type\":\"string\",\"enum\":[{\"value\":\"stdout\"},{\"value\":\"stderr\"},"
             "{\"value\":\"stdoutAndStderr\"},{\"value\":\"none\"}]}}",
    .tokens = tokens,
};

static fallible find_token(str type, const struct builtin_token **out)
{
    *out = builtin_token_find(&package, type);
    if (*out)
        return NULL;
    if (str_starts_with(type, STR("command:remote:")))
        return error_new(ERROR_OTHER,
                         "'" STR_FMT
                         "' is not supported by the built-in package 'command', which only runs commands on this "
                         "machine; install the plugin with `pulumi plugin install resource command`",
                         STR_ARG(type));
    return error_new(ERROR_OTHER, "unrecognized resource type '" STR_FMT "'", STR_ARG(type));
}

static const struct builtin_world *world_of(struct provider *self)
{
    return ((struct command_provider *)(void *)self)->world;
}

static fallible get_schema(struct provider *self, struct arena *arena, str *out)
{
    (void)self;
    *out = builtin_schema(arena, &package);
    return NULL;
}

static void check_logging(struct arena *arena, struct value inputs, struct check_failures *failures)
{
    static const char *const words[] = { "stdout", "stderr", "stdoutAndStderr", "none" };
    str given = builtin_text(inputs, "logging", STR("none"));

    for (size_t i = 0; i < 4; i++)
        if (str_equal(given, str_from(words[i])))
            return;
    builtin_add_failure(arena, failures, "logging",
                        STR("\"logging\" must be one of stdout, stderr, stdoutAndStderr, none"));
}

static fallible check(struct provider *self, const struct check_request *request, struct arena *arena,
                      struct check_answer *out)
{
    const struct builtin_token *token;

    (void)self;
    TRY(find_token(urn_type_of(request->urn), &token));
    *out = (struct check_answer){ .inputs = request->news };
    builtin_check(arena, token, request->news, &out->failures);
    if (out->failures.len == 0)
        check_logging(arena, request->news, &out->failures);
    return NULL;
}

static fallible diff(struct provider *self, const struct diff_request *request, struct arena *arena,
                     struct diff_answer *out)
{
    const struct builtin_token *token;

    (void)self;
    TRY(find_token(urn_type_of(request->urn), &token));
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
        inputs = value_with(arena, inputs, results.members[i].key, is_secret ? value_secret(arena, result) : result);
    }
    return inputs;
}

static struct value previous_results(struct arena *arena, struct value outputs)
{
    const struct member members[] = {
        { STR("stderr"), value_string(builtin_text(outputs, "stderr", STR(""))) },
        { STR("stdout"), value_string(builtin_text(outputs, "stdout", STR(""))) },
    };
    return value_object(arena, members, 2);
}

static fallible create(struct provider *self, const struct create_request *request, struct arena *arena,
                       struct provider_state *out)
{
    struct value results = previous_results(arena, VALUE_EMPTY_OBJECT);
    str command = builtin_text(request->inputs, "create", (str){ 0 });
    char suffix[4];

    *out = (struct provider_state){ .outputs = unknown_results(arena, request->inputs) };
    if (request->preview)
        return NULL;
    random_bytes(suffix, sizeof(suffix));
    out->id = arena_concat(arena, urn_name_of(request->urn), hex_encode(arena, (str){ suffix, sizeof(suffix) }));
    if (command.ptr)
        TRY(local_command_run(world_of(self), request->urn, command, request->inputs, VALUE_EMPTY_OBJECT, arena,
                              &results));
    out->outputs = with_results(arena, request->inputs, results);
    return NULL;
}

static fallible update(struct provider *self, const struct update_request *request, struct arena *arena,
                       struct provider_state *out)
{
    struct value results = previous_results(arena, request->old_outputs);
    str command = builtin_text(request->news, "update", builtin_text(request->news, "create", (str){ 0 }));

    *out = (struct provider_state){ .id = request->id, .outputs = unknown_results(arena, request->news) };
    if (request->preview)
        return NULL;
    if (command.ptr)
        TRY(local_command_run(world_of(self), request->urn, command, request->news, request->old_outputs, arena,
                              &results));
    out->outputs = with_results(arena, request->news, results);
    return NULL;
}

static fallible delete (struct provider *self, const struct delete_request *request, struct arena *arena,
                        struct provider_state *out)
{
    struct value results;
    str command = builtin_text(request->old_outputs, "delete", (str){ 0 });

    *out = (struct provider_state){ 0 };
    if (!command.ptr)
        return NULL;
    return local_command_run(world_of(self), request->urn, command, request->old_outputs, request->old_outputs, arena,
                             &results);
}

/* There is nothing to look at: the state is what the commands said. */
static fallible read(struct provider *self, const struct read_request *request, struct arena *arena,
                     struct provider_state *out)
{
    const struct builtin_token *token;

    (void)self, (void)arena;
    TRY(find_token(urn_type_of(request->urn), &token));
    if (request->state.kind != VALUE_OBJECT || request->state.len == 0)
        return error_new(ERROR_OTHER, "resources of type '%s' cannot be imported", token->token);
    *out = (struct provider_state){
        .id = request->id, .exists = true, .has_inputs = true, .inputs = request->inputs, .outputs = request->state
    };
    return NULL;
}

static fallible invoke(struct provider *self, const struct invoke_request *request, struct arena *arena,
                       struct invoke_answer *out)
{
    const struct builtin_token *token;
    struct value results;

    *out = (struct invoke_answer){ .result = VALUE_EMPTY_OBJECT };
    TRY(find_token(request->token, &token));
    builtin_check(arena, token, request->args, &out->failures);
    check_logging(arena, request->args, &out->failures);
    if (out->failures.len)
        return NULL;
    TRY(local_command_run(world_of(self), STR(""), builtin_text(request->args, "command", STR("")), request->args,
                          VALUE_EMPTY_OBJECT, arena, &results));
    out->result = with_results(arena, request->args, results);
    return NULL;
}

static fallible traits(struct provider *self, struct provider_traits *out)
{
    (void)self;
    *out = (struct provider_traits){ .accepts_secrets = true, .accepts_resources = true, .supports_preview = true };
    return NULL;
}

static const struct provider_ops ops = {
    .get_schema = get_schema,
    .check = check,
    .diff = diff,
    .create = create,
    .read = read,
    .update = update,
    .delete = delete,
    .invoke = invoke,
    .traits = traits,
};

struct provider *builtin_command_new(struct arena *arena, const struct builtin_world *world)
{
    struct command_provider *provider = ARENA_NEW(arena, struct command_provider);

    provider->provider =
        (struct provider){ .ops = &ops, .package = STR("command"), .version = str_from(package.version) };
    provider->world = world;
    return &provider->provider;
}
