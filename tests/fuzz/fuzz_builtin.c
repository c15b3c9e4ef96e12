/* fuzz_builtin.c — what programs and users give to the packages that need no plugin: inputs are
 * accepted or each fault is named; what was made of them does not differ from them; what an import
 * finds is accepted as it is. The first bytes choose the type; then an identifier, a NUL byte, and
 * inputs in JSON. */
#include "fuzz/fuzz_support.h"

#include "builtin/builtin.h"
#include "model/value_json.h"

enum { LARGEST = 2000, PASSWORD = 0 };

/* Hashes of passwords are made to be slow: none is made here. */
static const char *const urns[] = {
    "urn:pulumi:d::p::random:index/randomPassword:RandomPassword::x",
    "urn:pulumi:d::p::random:index/randomString:RandomString::x",
    "urn:pulumi:d::p::random:index/randomId:RandomId::x",
    "urn:pulumi:d::p::random:index/randomInteger:RandomInteger::x",
    "urn:pulumi:d::p::random:index/randomPet:RandomPet::x",
    "urn:pulumi:d::p::random:index/randomShuffle:RandomShuffle::x",
    "urn:pulumi:d::p::random:index/randomUuid:RandomUuid::x",
    "urn:pulumi:d::p::random:index/randomBytes:RandomBytes::x",
    "urn:pulumi:d::p::command:local:Command::x",
};
enum { KINDS = sizeof(urns) / sizeof(urns[0]), COMMAND = KINDS - 1 };

struct attempt {
    struct arena *arena;
    struct provider *provider;
    str urn;
    unsigned kind;
};

static bool read_inputs(struct arena *arena, str text, struct value *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    json_reader_init(&reader, arena, text);
    return fuzz_accepts(value_read(&reader, out)) && out->kind == VALUE_OBJECT
           && !value_contains_sealed(*out);
}

static bool is_small(struct value inputs)
{
    for (uint32_t i = 0; i < inputs.len; i++) {
        struct value value = inputs.members[i].value;
        while (value.kind == VALUE_SECRET)
            value = value.secret->element;
        if (value.kind == VALUE_NUMBER && !(value.number < LARGEST && value.number > -1e15))
            return false;
    }
    return true;
}

static bool check(const struct attempt *attempt, struct value inputs)
{
    const struct check_request request = {
        .urn = attempt->urn, .olds = VALUE_EMPTY_OBJECT, .news = inputs, .allows_unknowns = true
    };
    struct check_answer answer;

    REQUIRE(fuzz_accepts(
        attempt->provider->ops->check(attempt->provider, &request, attempt->arena, &answer)));
    for (size_t i = 0; i < answer.failures.len; i++)
        REQUIRE(answer.failures.items[i].reason.len > 0);
    return answer.failures.len == 0;
}

static void require_same(const struct attempt *attempt, const struct provider_state *state,
                         struct value inputs)
{
    const struct diff_request request = { .urn = attempt->urn,
                                          .id = state->id,
                                          .old_inputs = inputs,
                                          .old_outputs = state->outputs,
                                          .news = inputs };
    struct diff_answer answer = { 0 };

    REQUIRE(fuzz_accepts(
        attempt->provider->ops->diff(attempt->provider, &request, attempt->arena, &answer)));
    REQUIRE(answer.changes == CHANGES_NONE && answer.replace_keys.len == 0);
}

static void try_create(const struct attempt *attempt, struct value inputs)
{
    const struct create_request request = { .urn = attempt->urn, .inputs = inputs };
    struct provider_state state;

    if (attempt->kind == COMMAND || attempt->kind == PASSWORD || value_contains_unknown(inputs)
        || !is_small(inputs))
        return;
    if (!fuzz_accepts(
            attempt->provider->ops->create(attempt->provider, &request, attempt->arena, &state)))
        return;
    REQUIRE(state.id.len > 0);
    require_same(attempt, &state, inputs);
}

static void try_import(const struct attempt *attempt, str id)
{
    const struct read_request request = { .urn = attempt->urn, .id = id };
    struct provider_state state;

    if (attempt->kind == COMMAND || attempt->kind == PASSWORD || !id.len || id.len > LARGEST)
        return;
    if (!fuzz_accepts(
            attempt->provider->ops->read(attempt->provider, &request, attempt->arena, &state)))
        return;
    REQUIRE(state.exists && state.id.len > 0);
    require_same(attempt, &state, state.inputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct builtin_world world = { 0 };
    str input = { (const char *)data, size };
    struct attempt attempt = { .arena = &arena, .kind = fuzz_choice(&input, KINDS) };
    struct value inputs;

    attempt.urn = str_from(urns[attempt.kind]);
    attempt.provider = attempt.kind == COMMAND ? builtin_command_new(&arena, &world)
                                               : builtin_random_new(&arena, &world);
    try_import(&attempt, fuzz_part(&input));
    if (read_inputs(&arena, input, &inputs) && check(&attempt, inputs))
        try_create(&attempt, inputs);
    return 0;
}
