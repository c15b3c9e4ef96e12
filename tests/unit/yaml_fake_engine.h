/* yaml_fake_engine.h — an engine for YAML programs that only takes notes and makes up answers. */
#pragma once

#include "base/strbuf.h"
#include "model/urn.h"
#include "model/value_json.h"
#include "proto/marshal.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "yaml/serve/run.h"

#include "pb/engine.pb-c.h"
#include "pb/resource.pb-c.h"

#include <stdlib.h>

/* What is asked of the engine is written down, one line a call. */
struct fake_engine {
    struct arena arena;
    struct strbuf notes;
    struct strbuf logs;
    bool is_preview;
    bool takes_byte_strings;
    size_t largest_value; /* 0: as the engine takes it */
    const char *schema;   /* of package "pkg"; NULL: none */
    struct value outputs;
    unsigned times_told_outputs;
};

static inline void fake_note(struct fake_engine *fake, str text)
{
    strbuf_add(&fake->notes, text);
    strbuf_add_char(&fake->notes, '\n');
}

static inline str fake_json(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    value_write(&writer, value, SECRET_PLAINTEXT);
    return arena_copy(arena, strbuf_str(&text));
}

#define FAKE_CHILD "urn:pulumi:dev::proj::pkg:index:Comp$pkg:index:Custom::child"

/* What outputs hold besides the inputs: `made`, which is not known in a preview; for a component a
 * reference to its child; and text that is not UTF-8 for those who ask for it. */
static inline struct value fake_outputs(struct fake_engine *fake,
                                        const Pb__RegisterResourceRequest *request,
                                        struct arena *arena, struct value inputs)
{
    struct value made =
        fake->is_preview ? value_computed(UNKNOWN_STRING) : value_string(STR("new"));
    struct value outputs = value_with(arena, inputs, STR("made"), made);
    static const struct reference child = {
        .urn = STR_INIT(FAKE_CHILD),
        .has_id = true,
        .id = { .kind = VALUE_STRING, .len = 8, .text = "id-child" },
    };

    if (request->remote)
        outputs = value_with(arena, outputs, STR("ref"),
                             (struct value){ .kind = VALUE_REFERENCE, .reference = &child });
    if (request->accepts_byte_string && strcmp(request->name, "bytes") == 0)
        outputs = value_with(arena, outputs, STR("raw"), value_string(STR("\xff\xfe")));
    return outputs;
}

/* What is called `broken` fails; the call for what is called `refused` does. */
static inline struct error *fake_register(struct fake_engine *fake,
                                          const Pb__RegisterResourceRequest *request,
                                          struct arena *arena, void **out)
{
    static const struct unmarshal_options in = { .keep_unknowns = true,
                                                 .keep_secrets = true,
                                                 .keep_resources = true };
    static const struct marshal_options back = { .keep_unknowns = true,
                                                 .keep_secrets = true,
                                                 .keep_resources = true,
                                                 .accepts_byte_strings = true };
    Pb__RegisterResourceResponse *answer = ARENA_NEW(arena, Pb__RegisterResourceResponse);
    struct value inputs;
    str bytes;

    pb__register_resource_response__init(answer);
    TRY(properties_unmarshal(arena, message_get_bytes(request, object), &in, &inputs));
    if (request->custom) {
        struct value shown = value_contains_unknown(inputs) ? value_string(STR("unknown")) : inputs;
        fake_note(fake, arena_printf(arena, "%s %s " STR_FMT " deps=%zu%s%s", request->type,
                                     request->name, STR_ARG(fake_json(arena, shown)),
                                     request->n_dependencies,
                                     request->n_additional_secret_outputs ? " hides " : "",
                                     request->n_additional_secret_outputs
                                         ? request->additional_secret_outputs[0]
                                         : ""));
    }
    if (strcmp(request->name, "refused") == 0)
        return error_from_status(RPC_UNKNOWN, STR("the engine is ending"), STR(""));
    if (strcmp(request->name, "broken") == 0) {
        answer->result = PB__RESULT__FAIL;
        answer->urn = message_cstr(arena, STR("urn:pulumi:dev::proj::pkg:index:A::broken"));
        *out = answer;
        return NULL;
    }
    TRY(properties_marshal(arena, fake_outputs(fake, request, arena, inputs), &back, &bytes));
    answer->urn =
        message_cstr(arena, urn_make(arena, STR("dev"), STR("proj"), message_str(request->parent),
                                     message_str(request->type), message_str(request->name)));
    if (request->custom && !fake->is_preview)
        answer->id = message_cstr(arena, arena_printf(arena, "id-%s", request->name));
    message_put_bytes(answer, object, bytes);
    *out = answer;
    return NULL;
}

static inline struct error *fake_read(struct fake_engine *fake,
                                      const Pb__ReadResourceRequest *request, struct arena *arena,
                                      void **out)
{
    Pb__ReadResourceResponse *answer = ARENA_NEW(arena, Pb__ReadResourceResponse);
    const struct member secret = { STR("token"), value_secret(arena, value_string(STR("t"))) };
    const struct member members[] = {
        { STR("name"), value_string(message_str(request->id)) },
        { STR("outputs"), value_object(arena, &secret, 1) },
    };
    static const struct marshal_options back = { .keep_secrets = true };
    str bytes;

    pb__read_resource_response__init(answer);
    fake_note(fake,
              arena_printf(arena, "read %s %s %s", request->type, request->name, request->id));
    TRY(properties_marshal(arena, value_object(arena, members, 2), &back, &bytes));
    answer->urn =
        message_cstr(arena, urn_make(arena, STR("dev"), STR("proj"), STR(""),
                                     message_str(request->type), message_str(request->name)));
    message_put_bytes(answer, properties, bytes);
    *out = answer;
    return NULL;
}

/* The child of every component. */
static inline struct error *fake_get_resource(struct arena *arena,
                                              Pb__ResourceInvokeResponse *answer)
{
    static const struct marshal_options plain = { 0 };
    const struct member state = { STR("value"), value_string(STR("deep")) };
    const struct member members[] = {
        { STR("urn"), value_string(STR(FAKE_CHILD)) },
        { STR("id"), value_string(STR("id-child")) },
        { STR("state"), value_object(arena, &state, 1) },
    };
    str bytes;

    TRY(properties_marshal(arena, value_object(arena, members, 3), &plain, &bytes));
    message_put_bytes(answer, return_value, bytes);
    return NULL;
}

/* A function gives back its arguments. In a preview nothing is known of one that has to come after
 * a resource, none of which is there yet. */
static inline struct error *fake_invoke(struct fake_engine *fake,
                                        const Pb__ResourceInvokeRequest *request,
                                        struct arena *arena, void **out)
{
    Pb__ResourceInvokeResponse *answer = ARENA_NEW(arena, Pb__ResourceInvokeResponse);

    pb__resource_invoke_response__init(answer);
    fake_note(fake, arena_printf(arena, "invoke %s", request->tok));
    *out = answer;
    if (strcmp(request->tok, "pulumi:pulumi:getResource") == 0)
        return fake_get_resource(arena, answer);
    for (size_t i = 0; i < request->n_depends_on; i++)
        fake_note(fake, arena_printf(arena, "after %s", request->depends_on[i]));
    answer->unknown = fake->is_preview && request->n_depends_on;
    message_put_bytes(answer, return_value, message_get_bytes(request, args));
    return NULL;
}

static inline void *fake_info(struct fake_engine *fake, struct arena *arena)
{
    Pb__DeploymentInfo *answer = ARENA_NEW(arena, Pb__DeploymentInfo);
    Pb__ResourceMonitorFeature *features = ARENA_NEW(arena, Pb__ResourceMonitorFeature);

    pb__deployment_info__init(answer);
    *features = PB__RESOURCE_MONITOR_FEATURE__BYTE_STRING;
    answer->supported_features = features;
    answer->n_supported_features = fake->takes_byte_strings;
    fake_note(fake, STR("features"));
    return answer;
}

static inline struct error *fake_call(void *fake_, const char *path,
                                      const ProtobufCMessage *request,
                                      const ProtobufCMessageDescriptor *answer_type,
                                      struct arena *arena, void **answer)
{
    static const struct unmarshal_options in = { .keep_unknowns = true,
                                                 .keep_secrets = true,
                                                 .keep_resources = true };
    struct fake_engine *fake = fake_;

    if (strstr(path, "/RegisterResourceOutputs")) {
        fake->times_told_outputs++;
        TRY(properties_unmarshal(
            &fake->arena,
            arena_copy(
                &fake->arena,
                message_get_bytes((const Pb__RegisterResourceOutputsRequest *)request, outputs)),
            &in, &fake->outputs));
    } else if (strstr(path, "/RegisterResource"))
        return fake_register(fake, (const Pb__RegisterResourceRequest *)request, arena, answer);
    else if (strstr(path, "/ReadResource"))
        return fake_read(fake, (const Pb__ReadResourceRequest *)request, arena, answer);
    else if (strstr(path, "/Invoke"))
        return fake_invoke(fake, (const Pb__ResourceInvokeRequest *)request, arena, answer);
    else if (strstr(path, "/GetDeploymentInfo")) {
        *answer = fake_info(fake, arena);
        return NULL;
    } else if (strstr(path, "/Log"))
        strbuf_printf(&fake->logs, "%s\n", ((const Pb__LogRequest *)request)->message);
    return message_unpack(arena, answer_type, STR(""), answer);
}

static inline struct error *fake_load(void *fake_, const struct package_decl *package,
                                      struct arena *arena, str *json)
{
    struct fake_engine *fake = fake_;

    (void)arena;
    if (str_equal(package->name, STR("gone")))
        return error_from_status(RPC_UNKNOWN, STR("no plugin gone"), STR(""));
    if (str_equal(package->name, STR("mute")))
        return error_from_status(RPC_UNIMPLEMENTED, STR("no schema"), STR(""));
    if (!fake->schema || !str_equal(package->name, STR("pkg")))
        return error_new(ERROR_NOT_FOUND, "no schema");
    *json = str_from(fake->schema);
    return NULL;
}

static inline void fake_release(struct fake_engine *fake)
{
    strbuf_release(&fake->notes);
    strbuf_release(&fake->logs);
    arena_release(&fake->arena);
}
