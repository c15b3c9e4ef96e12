/* builtin_random.c — package "random": names, numbers and secrets that are made once and kept in
 * the state. */
#include "builtin/builtin.h"

#include "builtin/builtin_random.h"
#include "builtin/builtin_table.h"
#include "builtin/seeded.h"
#include "model/urn.h"

#define INPUT (PROPERTY_IN | PROPERTY_OUT | PROPERTY_REPLACES)
#define NEEDED (INPUT | PROPERTY_REQUIRED | PROPERTY_ALWAYS)
#define KNOWN (INPUT | PROPERTY_ALWAYS)
#define RESULT (PROPERTY_OUT | PROPERTY_ALWAYS)
#define HIDDEN (RESULT | PROPERTY_SECRET)
#define KEEPERS                                                                                   \
    {                                                                                             \
        "keepers", BUILTIN_TEXTS, INPUT, NULL, "Any change of these values makes a new resource." \
    }
#define END \
    {       \
        0   \
    }

static const struct builtin_property id_properties[] = {
    { "byteLength", BUILTIN_INTEGER, NEEDED, NULL, "How many random bytes; at least 1." },
    KEEPERS,
    { "prefix", BUILTIN_STRING, INPUT, NULL, "Text before every form of the result." },
    { "b64Std", BUILTIN_STRING, RESULT, NULL, "As base64." },
    { "b64Url", BUILTIN_STRING, RESULT, NULL, "As base64 for URLs, without padding." },
    { "dec", BUILTIN_STRING, RESULT, NULL, "As a decimal number." },
    { "hex", BUILTIN_STRING, RESULT, NULL, "As hexadecimal digits." },
    END,
};

#define TEXT_PROPERTIES(result_flags)                                                           \
    { "length", BUILTIN_INTEGER, NEEDED, NULL,                                                  \
      "How many characters; at least 1 and all the minimums." },                                \
        KEEPERS,                                                                                \
        { "lower", BUILTIN_BOOL, KNOWN, NULL,                                                   \
          "Whether there are lower-case letters; they are by default." },                       \
        { "upper", BUILTIN_BOOL, KNOWN, NULL,                                                   \
          "Whether there are upper-case letters; they are by default." },                       \
        { "numeric", BUILTIN_BOOL, KNOWN, NULL,                                                 \
          "Whether there are digits; they are by default." },                                   \
        { "number", BUILTIN_BOOL, KNOWN, NULL, "The old name of numeric." },                    \
        { "special", BUILTIN_BOOL, KNOWN, NULL,                                                 \
          "Whether there are special characters; they are by default." },                       \
        { "minLower", BUILTIN_INTEGER, KNOWN, NULL, "At least so many lower-case letters." },   \
        { "minUpper", BUILTIN_INTEGER, KNOWN, NULL, "At least so many upper-case letters." },   \
        { "minNumeric", BUILTIN_INTEGER, KNOWN, NULL, "At least so many digits." },             \
        { "minSpecial", BUILTIN_INTEGER, KNOWN, NULL, "At least so many special characters." }, \
        { "overrideSpecial", BUILTIN_STRING, INPUT, NULL,                                       \
          "The special characters to choose from." },                                           \
    {                                                                                           \
        "result", BUILTIN_STRING, result_flags, NULL, "The random text."                        \
    }

static const struct builtin_property string_properties[] = { TEXT_PROPERTIES(RESULT), END };
static const struct builtin_property password_properties[] = {
    TEXT_PROPERTIES(HIDDEN),
    { "bcryptHash", BUILTIN_STRING, HIDDEN, NULL, "The bcrypt hash of the first 72 bytes." },
    END,
};

static const struct builtin_property pet_properties[] = {
    KEEPERS,
    { "length", BUILTIN_INTEGER, KNOWN, NULL, "How many words; 2 by default." },
    { "prefix", BUILTIN_STRING, INPUT, NULL, "A word before the others." },
    { "separator", BUILTIN_STRING, KNOWN, NULL, "Between words; '-' by default." },
    END,
};

static const struct builtin_property integer_properties[] = {
    KEEPERS,
    { "max", BUILTIN_INTEGER, NEEDED, NULL, "The largest that may come out." },
    { "min", BUILTIN_INTEGER, NEEDED, NULL, "The smallest that may come out." },
    { "seed", BUILTIN_STRING, INPUT, NULL, "The same seed gives the same number." },
    { "result", BUILTIN_INTEGER, RESULT, NULL, "The random number." },
    END,
};

static const struct builtin_property shuffle_properties[] = {
    { "inputs", BUILTIN_STRINGS, NEEDED, NULL, "What is shuffled." },
    KEEPERS,
    { "resultCount", BUILTIN_INTEGER, INPUT, NULL,
      "How many of them; all by default, again from the start if more." },
    { "seed", BUILTIN_STRING, INPUT, NULL, "The same seed gives the same order." },
    { "results", BUILTIN_STRINGS, RESULT, NULL, "The random order." },
    END,
};

static const struct builtin_property uuid_properties[] = {
    KEEPERS,
    { "result", BUILTIN_STRING, RESULT, NULL, "The identifier." },
    END,
};

static const struct builtin_property bytes_properties[] = {
    KEEPERS,
    { "length", BUILTIN_INTEGER, NEEDED, NULL, "How many bytes; at least 1." },
    { "base64", BUILTIN_STRING, HIDDEN, NULL, "As base64." },
    { "hex", BUILTIN_STRING, HIDDEN, NULL, "As hexadecimal digits." },
    END,
};

static const struct builtin_token tokens[] = {
    { "random:index/randomBytes:RandomBytes", false, bytes_properties,
      "Random bytes that are secret." },
    { "random:index/randomId:RandomId", false, id_properties, "Random bytes as an identifier." },
    { "random:index/randomInteger:RandomInteger", false, integer_properties,
      "A random number in a range." },
    { "random:index/randomPassword:RandomPassword", false, password_properties,
      "Random text that is secret." },
    { "random:index/randomPet:RandomPet", false, pet_properties,
      "A random name for a pet, or for a server." },
    { "random:index/randomShuffle:RandomShuffle", false, shuffle_properties,
      "A list in random order." },
    { "random:index/randomString:RandomString", false, string_properties, "Random text." },
    { "random:index/randomUuid:RandomUuid", false, uuid_properties, "A random UUID." },
    { "random:index/randomUuid4:RandomUuid4", false, uuid_properties,
      "A random UUID of version 4." },
    { "random:index/randomUuid7:RandomUuid7", false, uuid_properties,
      "A random UUID of version 7, ordered by time." },
    { 0 },
};

/* In the order of the tokens. */
static random_maker *const makers[] = {
    random_make_bytes, random_make_id,      random_make_integer, random_make_password,
    random_make_pet,   random_make_shuffle, random_make_string,  random_make_uuid4,
    random_make_uuid4, random_make_uuid7,
};

static const struct builtin_package package = {
    .name = "random",
    .version = "4.21.1",
    .description = "Names, numbers and secrets that are made once and kept.",
    .module_format = "(.*)(?:/[^/]*)",
    .has_state_inputs = true,
    .tokens = tokens,
};

struct random_provider {
    struct builtin_provider builtin; /* first: the operations get this */
    struct seed_table seeds;
};

static fallible random_provider_check(struct provider *self, const struct check_request *request,
                                      struct arena *arena, struct check_answer *out)
{
    const struct builtin_token *token;

    (void)self;
    TRY(builtin_find_token(&package, urn_type_of(request->urn), &token));
    *out = (struct check_answer){ .inputs = request->news };
    struct value inputs = random_texts(arena, token, request->news);
    builtin_check(arena, token, inputs, &out->failures);
    if (out->failures.len == 0)
        random_check(arena, token->properties == integer_properties, inputs, &out->failures);
    return NULL;
}

static struct value with_defaults(struct arena *arena, const struct builtin_token *token,
                                  struct value inputs)
{
    return random_defaults(
        arena, token->properties == string_properties || token->properties == password_properties,
        token->properties == pet_properties, random_texts(arena, token, inputs));
}

/* With the old inputs and the new ones come the defaults, so that writing one down changes
 * nothing. */
static fallible random_provider_diff(struct provider *self, const struct diff_request *request,
                                     struct arena *arena, struct diff_answer *out)
{
    const struct builtin_token *token;

    (void)self;
    TRY(builtin_find_token(&package, urn_type_of(request->urn), &token));
    random_diff(arena, token, with_defaults(arena, token, request->old_outputs),
                with_defaults(arena, token, request->news), out);
    return NULL;
}

/* What the inputs leave open is filled in; what is made is not known before it is made. */
static struct value fill_in(struct arena *arena, const struct builtin_token *token,
                            struct value inputs)
{
    struct value outputs = with_defaults(arena, token, inputs);

    for (const struct builtin_property *property = token->properties; property->name; property++)
        if (!(property->flags & PROPERTY_IN))
            outputs = value_with(arena, outputs, str_from(property->name),
                                 value_computed(UNKNOWN_STRING));
    return outputs;
}

static struct value add_results(struct arena *arena, const struct builtin_token *token,
                                struct value outputs, struct value results)
{
    for (const struct builtin_property *property = token->properties; property->name; property++) {
        const struct value *result = value_find(results, str_from(property->name));
        if (!result)
            continue;
        bool is_secret = (property->flags & PROPERTY_SECRET) != 0;
        outputs = value_with(arena, outputs, str_from(property->name),
                             is_secret ? value_secret(arena, *result) : *result);
    }
    return outputs;
}

/* The published provider keeps the identifier in the outputs, too, and the version of what else is
 * there; it reads states that it did not write by them. */
static struct value sign(struct arena *arena, const struct builtin_token *token, str id,
                         struct value outputs)
{
    bool is_text = token->properties == string_properties,
         is_password = token->properties == password_properties;

    if (token->properties != bytes_properties)
        outputs = value_with(arena, outputs, STR("id"), value_string(id));
    if (is_text || is_password)
        outputs = value_with(arena, outputs, STR("__meta"),
                             value_string(is_text ? STR("{\"schema_version\":\"2\"}")
                                                  : STR("{\"schema_version\":\"3\"}")));
    return outputs;
}

static fallible random_provider_create(struct provider *self, const struct create_request *request,
                                       struct arena *arena, struct provider_state *out)
{
    const struct builtin_token *token;
    struct random_result result = { 0 };
    struct random_call call = { .arena = arena,
                                .seeds = &((struct random_provider *)(void *)self)->seeds };

    *out = (struct provider_state){ 0 };
    TRY(builtin_find_token(&package, urn_type_of(request->urn), &token));
    out->outputs = fill_in(arena, token, request->inputs);
    if (request->preview)
        return NULL;
    call.inputs = random_texts(arena, token, request->inputs);
    TRY(makers[token - tokens](&call, &result));
    out->id = result.id;
    out->outputs =
        sign(arena, token, result.id, add_results(arena, token, out->outputs, result.outputs));
    return NULL;
}

/* Only what does not matter to the result can have changed; what is not given any more is gone. */
static fallible random_provider_update(struct provider *self, const struct update_request *request,
                                       struct arena *arena, struct provider_state *out)
{
    const struct builtin_token *token;

    (void)self;
    *out = (struct provider_state){ .id = request->id };
    TRY(builtin_find_token(&package, urn_type_of(request->urn), &token));
    out->outputs = with_defaults(arena, token, request->news);
    for (const struct builtin_property *property = token->properties; property->name; property++) {
        const struct value *made = value_find(request->old_outputs, str_from(property->name));
        if (made && !(property->flags & PROPERTY_IN))
            out->outputs = value_with(arena, out->outputs, str_from(property->name), *made);
    }
    out->outputs = sign(arena, token, request->id, out->outputs);
    return NULL;
}

static fallible random_provider_delete(struct provider *self, const struct delete_request *request,
                                       struct arena *arena, struct provider_state *out)
{
    (void)self, (void)request, (void)arena;
    *out = (struct provider_state){ 0 };
    return NULL;
}

/* The state is all there is. To import, the identifier is the value. */
static fallible random_provider_read(struct provider *self, const struct read_request *request,
                                     struct arena *arena, struct provider_state *out)
{
    const struct builtin_token *token;
    struct random_result result = { 0 };

    (void)self;
    TRY(builtin_find_token(&package, urn_type_of(request->urn), &token));
    *out = (struct provider_state){ .id = request->id, .exists = true, .has_inputs = true };
    if (request->state.kind == VALUE_OBJECT && request->state.len) {
        out->outputs = request->state;
        out->inputs = request->inputs;
        return NULL;
    }
    TRY(random_import(arena, str_from(token->token), request->id, &out->inputs, &result));
    out->id = result.id;
    out->outputs = add_results(arena, token, fill_in(arena, token, out->inputs), result.outputs);
    out->outputs = sign(arena, token, result.id, out->outputs);
    return NULL;
}

static const struct provider_ops ops = {
    .parameterize = builtin_parameterize,
    .get_schema = builtin_get_schema,
    .check = random_provider_check,
    .diff = random_provider_diff,
    .create = random_provider_create,
    .read = random_provider_read,
    .update = random_provider_update,
    .delete = random_provider_delete,
    .invoke = builtin_invoke,
    .call = builtin_call,
    .construct = builtin_construct,
    .traits = builtin_traits,
};

struct provider *builtin_random_new(struct arena *arena, const struct builtin_world *world)
{
    struct random_provider *random = ARENA_NEW(arena, struct random_provider);

    builtin_provider_init(&random->builtin, &ops, &package, world);
    return &random->builtin.provider;
}
