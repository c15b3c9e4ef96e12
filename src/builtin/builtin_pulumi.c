/* builtin_pulumi.c — the engine's own package: references to other stacks, Stash, and what is known
 * of resources of this run. */
#include "builtin/builtin.h"

#include "base/uuid.h"
#include "builtin/builtin_table.h"
#include "model/urn.h"

#define STACK_REFERENCE STR("pulumi:pulumi:StackReference")
#define STASH STR("pulumi:index:Stash")

static struct error *unknown_type(str type)
{
    return error_new(ERROR_OTHER, "unrecognized resource type '" STR_FMT "'", STR_ARG(type));
}

/* --- other stacks --- */

static fallible load_stack(const struct builtin_world *world, struct arena *arena, str name,
                           struct snapshot *out)
{
    struct crypter *crypter = NULL;
    struct stack_ref stack;
    bool has_deployment = false;

    if (!world->backend)
        return error_new(ERROR_OTHER, "no backend is available to read stack '" STR_FMT "'",
                         STR_ARG(name));
    TRY(backend_stack_ref(world->backend, arena, name, world->project, &stack));
    struct error *failure = backend_load(world->backend, stack, arena, out, &has_deployment);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_free(failure);
        return error_new(ERROR_NOT_FOUND, "unknown stack \"" STR_FMT "\"", STR_ARG(name));
    }
    TRY(failure);
    if (!snapshot_has_secrets(out))
        return NULL;
    TRY(world->open_crypter(world->context, out->secrets_type, out->secrets_state, &crypter));
    TRY(snapshot_unseal(out, crypter, arena));
    snapshot_forget_seals(out); /* they are sealed with the other stack's key */
    return NULL;
}

static struct value stack_outputs(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (str_equal(resource->type, ROOT_STACK_TYPE) && !resource->is_delete)
            return resource->outputs;
    }
    return VALUE_EMPTY_OBJECT;
}

/* An argument that is text, secret or not, as it was given; `text` is what it says. */
static struct value text_argument(struct value args, const char *name, str *text)
{
    const struct value *given = value_find(args, str_from(name));
    struct value plain = given ? *given : value_string(STR(""));

    if (plain.kind == VALUE_SECRET && !plain.secret->is_opaque)
        plain = plain.secret->element;
    *text = plain.kind == VALUE_STRING ? value_text(plain) : STR("");
    return given ? *given : plain;
}

/* {name, outputs, secretOutputNames}: the names of outputs that hold a secret anywhere, sorted as
 * objects are. */
static fallible read_stack_outputs(const struct builtin_world *world, struct arena *arena,
                                   struct value args, struct value *out)
{
    struct snapshot snapshot = { 0 };
    str text;
    struct value name = text_argument(args, "name", &text);

    TRY(load_stack(world, arena, text, &snapshot));
    struct value outputs = stack_outputs(&snapshot);
    struct value *names = ARENA_ARRAY(arena, struct value, outputs.len + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < outputs.len; i++)
        if (value_contains_secret(outputs.members[i].value))
            names[count++] = value_string(outputs.members[i].key);
    const struct member members[] = {
        { STR("name"), name },
        { STR("outputs"), outputs },
        { STR("secretOutputNames"), value_array(arena, names, count) },
    };
    *out = value_object(arena, members, 3);
    return NULL;
}

static fallible read_stack_resource_outputs(const struct builtin_world *world, struct arena *arena,
                                            struct value args, struct value *out)
{
    struct snapshot snapshot = { 0 };
    struct value all = VALUE_EMPTY_OBJECT;
    str text;
    struct value name = text_argument(args, "stackName", &text);

    TRY(load_stack(world, arena, text, &snapshot));
    struct member *entries = ARENA_ARRAY(arena, struct member, snapshot.resource_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < snapshot.resource_count; i++) {
        const struct resource *resource = snapshot.resources[i];
        const struct member members[] = { { STR("type"), value_string(resource->type) },
                                          { STR("outputs"), resource->outputs } };
        if (!resource->is_delete)
            entries[count++] = (struct member){ resource->urn, value_object(arena, members, 2) };
    }
    all = value_object(arena, entries, count);
    const struct member members[] = { { STR("name"), name }, { STR("outputs"), all } };
    *out = value_object(arena, members, 2);
    return NULL;
}

/* --- resources --- */

static void check_properties(struct arena *arena, struct value news, str wanted,
                             struct check_answer *out)
{
    for (uint32_t i = 0; i < news.len; i++) {
        str key = news.members[i].key;
        if (!str_equal(key, wanted))
            builtin_add_failure(
                arena, &out->failures, key,
                arena_printf(arena, "unknown property \"" STR_FMT "\"", STR_ARG(key)));
    }
    if (!value_has(news, wanted))
        builtin_add_failure(
            arena, &out->failures, wanted,
            arena_printf(arena, "missing required property '" STR_FMT "'", STR_ARG(wanted)));
}

static fallible pulumi_provider_check(struct provider *self, const struct check_request *request,
                                      struct arena *arena, struct check_answer *out)
{
    str type = urn_type_of(request->urn);

    *out = (struct check_answer){ .inputs = request->news };
    if (str_equal(type, STASH)) {
        check_properties(arena, request->news, STR("input"), out);
        return NULL;
    }
    if (!str_equal(type, STACK_REFERENCE))
        return unknown_type(type);
    const struct builtin_world *world = builtin_world_of(self);
    world->warn(world->context, request->urn,
                "The \"pulumi:pulumi:StackReference\" resource type is "
                "deprecated. Update your SDK or if already up to date "
                "raise an issue with the language SDK.");
    check_properties(arena, request->news, STR("name"), out);
    const struct value *name = value_find(request->news, STR("name"));
    if (name && name->kind != VALUE_STRING && name->kind != VALUE_COMPUTED)
        builtin_add_failure(arena, &out->failures, STR("name"),
                            STR("property 'name' must be a string"));
    return NULL;
}

static fallible pulumi_provider_diff(struct provider *self, const struct diff_request *request,
                                     struct arena *arena, struct diff_answer *out)
{
    str type = urn_type_of(request->urn);
    bool is_reference = str_equal(type, STACK_REFERENCE);

    (void)self;
    if (!is_reference && !str_equal(type, STASH))
        return unknown_type(type);
    str key = is_reference ? STR("name") : STR("input");
    const struct value *old = value_find(request->old_inputs, key);
    const struct value *new = value_find(request->news, key);
    *out = (struct diff_answer){ .changes = CHANGES_NONE };
    if (old && new &&value_equal(*old, *new))
        return NULL;
    out->changes = CHANGES_SOME;
    struct strs keys = { arena_copy_bytes(arena, &key, sizeof(key)), 1 };
    if (is_reference)
        out->replace_keys = keys;
    else
        out->changed_keys = keys;
    return NULL;
}

static struct value stash_outputs(struct arena *arena, struct value input, struct value output)
{
    const struct member members[] = { { STR("input"), input }, { STR("output"), output } };
    return value_object(arena, members, 2);
}

static fallible pulumi_provider_create(struct provider *self, const struct create_request *request,
                                       struct arena *arena, struct provider_state *out)
{
    str type = urn_type_of(request->urn);

    *out = (struct provider_state){ .id = request->preview ? STR("") : uuid_new(arena) };
    if (str_equal(type, STASH)) {
        const struct value *input = value_find(request->inputs, STR("input"));
        out->outputs =
            stash_outputs(arena, input ? *input : value_null(), input ? *input : value_null());
        return NULL;
    }
    if (!str_equal(type, STACK_REFERENCE))
        return unknown_type(type);
    return read_stack_outputs(builtin_world_of(self), arena, request->inputs, &out->outputs);
}

/* The output stays what the first input was. */
static fallible pulumi_provider_update(struct provider *self, const struct update_request *request,
                                       struct arena *arena, struct provider_state *out)
{
    str type = urn_type_of(request->urn);
    const struct value *input = value_find(request->news, STR("input"));
    const struct value *output = value_find(request->old_outputs, STR("output"));

    (void)self;
    if (!str_equal(type, STASH))
        return unknown_type(type);
    *out = (struct provider_state){ .id = request->id };
    out->outputs =
        stash_outputs(arena, input ? *input : value_null(), output ? *output : value_null());
    return NULL;
}

static fallible pulumi_provider_delete(struct provider *self, const struct delete_request *request,
                                       struct arena *arena, struct provider_state *out)
{
    (void)self;
    (void)request;
    (void)arena;
    *out = (struct provider_state){ 0 };
    return NULL;
}

static fallible pulumi_provider_read(struct provider *self, const struct read_request *request,
                                     struct arena *arena, struct provider_state *out)
{
    str type = urn_type_of(request->urn);

    *out = (struct provider_state){ .id = request->id,
                                    .exists = true,
                                    .has_inputs = true,
                                    .inputs = request->inputs,
                                    .outputs = request->state };
    if (str_equal(type, STASH))
        return request->inputs.len ? NULL : error_new(ERROR_OTHER, "stash can not be imported");
    if (!str_equal(type, STACK_REFERENCE))
        return unknown_type(type);
    for (size_t i = 0; i < request->inputs.len; i++)
        if (!str_equal(request->inputs.members[i].key, STR("name")))
            return error_new(ERROR_OTHER, "unknown property \"" STR_FMT "\"",
                             STR_ARG(request->inputs.members[i].key));
    if (request->inputs.len == 0)
        return error_new(ERROR_OTHER, "stack reference can not be imported");
    struct error *failure =
        read_stack_outputs(builtin_world_of(self), arena, request->inputs, &out->outputs);
    out->status = failure ? RESOURCE_UNKNOWN : RESOURCE_OK;
    return failure;
}

/* --- functions --- */

static fallible get_resource(const struct builtin_world *world, struct arena *arena,
                             struct value args, struct value *out)
{
    str urn;
    struct value asked = text_argument(args, "urn", &urn);
    const struct resource *resource = world->find_resource(world->context, urn);

    if (!resource)
        return error_new(ERROR_OTHER, "unknown resource " STR_FMT, STR_ARG(urn));
    const struct member members[] = {
        { STR("urn"), asked },
        { STR("id"), value_string(resource->id) },
        { STR("provider"), value_string(resource->provider) },
        { STR("state"), resource->outputs },
    };
    *out = value_object(arena, members, 4);
    return NULL;
}

static fallible pulumi_provider_invoke(struct provider *self, const struct invoke_request *request,
                                       struct arena *arena, struct invoke_answer *out)
{
    const struct builtin_world *world = builtin_world_of(self);

    *out = (struct invoke_answer){ .result = VALUE_EMPTY_OBJECT };
    if (str_equal(request->token, STR("pulumi:pulumi:getResource")))
        return get_resource(world, arena, request->args, &out->result);
    if (str_equal(request->token, STR("pulumi:pulumi:readStackOutputs")))
        return read_stack_outputs(world, arena, request->args, &out->result);
    if (str_equal(request->token, STR("pulumi:pulumi:readStackResourceOutputs")))
        return read_stack_resource_outputs(world, arena, request->args, &out->result);
    return error_new(ERROR_OTHER, "unrecognized function name: '" STR_FMT "'",
                     STR_ARG(request->token));
}

/* --- what programs are checked with --- */

#define BOTH (PROPERTY_IN | PROPERTY_OUT | PROPERTY_REQUIRED | PROPERTY_ALWAYS)

static const struct builtin_property stash_properties[] = {
    { "input", BUILTIN_ANY, BOTH, NULL, "The value to keep." },
    { "output", BUILTIN_ANY, PROPERTY_OUT | PROPERTY_ALWAYS, NULL, "The value that is kept." },
    { 0 },
};
static const struct builtin_property reference_properties[] = {
    { "name", BUILTIN_STRING, BOTH, NULL, "The stack: organization/project/stack, or less." },
    { "outputs", BUILTIN_ANYMAP, PROPERTY_OUT | PROPERTY_ALWAYS, NULL, "Its outputs." },
    { "secretOutputNames", BUILTIN_STRINGS, PROPERTY_OUT | PROPERTY_ALWAYS, NULL,
      "Those that are secret." },
    { 0 },
};
static const struct builtin_token tokens[] = {
    { "pulumi:index:Stash", false, stash_properties, "Keeps a value in the state." },
    { "pulumi:pulumi:StackReference", false, reference_properties,
      "The outputs of another stack." },
    { 0 },
};

static const struct builtin_package package = {
    .name = "pulumi",
    .version = "1.0.0",
    .description = "What the engine has itself.",
    .tokens = tokens,
};

/* It is called without a wire between: everything is understood. */
static fallible pulumi_provider_traits(struct provider *self, struct provider_traits *out)
{
    (void)self;
    *out = (struct provider_traits){ .accepts_secrets = true,
                                     .accepts_resources = true,
                                     .accepts_outputs = true,
                                     .accepts_byte_strings = true,
                                     .supports_preview = true };
    return NULL;
}

static const struct provider_ops ops = {
    .parameterize = builtin_parameterize,
    .get_schema = builtin_get_schema,
    .check = pulumi_provider_check,
    .diff = pulumi_provider_diff,
    .create = pulumi_provider_create,
    .read = pulumi_provider_read,
    .update = pulumi_provider_update,
    .delete = pulumi_provider_delete,
    .invoke = pulumi_provider_invoke,
    .call = builtin_call,
    .construct = builtin_construct,
    .traits = pulumi_provider_traits,
};

struct provider *builtin_pulumi_new(struct arena *arena, const struct builtin_world *world)
{
    struct builtin_provider *provider = ARENA_NEW(arena, struct builtin_provider);

    builtin_provider_init(provider, &ops, &package, world);
    provider->provider.version = (str){ 0 }; /* it has the engine's */
    return &provider->provider;
}
