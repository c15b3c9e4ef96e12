/* wire.c — values on their way to the engine and back. */
#include "yaml/eval/wire.h"

#include "proto/message.h"

#include "pb/resource.pb-c.h"

const struct unmarshal_options answer_options = { .keep_unknowns = true,
                                                  .keep_secrets = true,
                                                  .keep_resources = true };

/* An engine that does not know the question does not know byte strings either. */
static fallible ask_for_byte_strings(struct engine_link *engine, struct arena *arena)
{
    Pb__Empty request = PB__EMPTY__INIT;
    Pb__DeploymentInfo *answer = NULL;

    if (engine->knows_features)
        return NULL;
    struct error *failure =
        engine->call(engine->context, MONITOR_METHOD("GetDeploymentInfo"), &request.base,
                     &pb__deployment_info__descriptor, arena, (void **)&answer);
    if (failure && error_kind(failure) == ERROR_CANCELED)
        return failure;
    error_ignore(failure, "an older engine");
    for (size_t i = 0; answer && i < answer->n_supported_features; i++)
        if (answer->supported_features[i] == PB__RESOURCE_MONITOR_FEATURE__BYTE_STRING)
            engine->accepts_byte_strings = true;
    engine->knows_features = true;
    return NULL;
}

static fallible obey_engine(struct engine_link *engine, struct arena *arena, struct value value,
                            struct marshal_options *options)
{
    if (!value_contains_byte_string(value))
        return NULL;
    TRY(ask_for_byte_strings(engine, arena));
    options->accepts_byte_strings = engine->accepts_byte_strings;
    return NULL;
}

fallible engine_marshal(struct engine_link *engine, struct arena *arena, struct value properties,
                        struct marshal_options options, str *bytes)
{
    TRY(obey_engine(engine, arena, properties, &options));
    return properties_marshal(arena, properties, &options, bytes);
}

fallible engine_marshal_value(struct engine_link *engine, struct arena *arena, struct value value,
                              struct marshal_options options, str *bytes)
{
    TRY(obey_engine(engine, arena, value, &options));
    return property_marshal(arena, value, &options, bytes);
}
