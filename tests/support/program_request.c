/* program_request.c — what all calls of a program have in common: options, names, the trace of the
 * answer. */
#include "support/program_request.h"

#include "proto/message.h"
#include "proto/struct_codec.h"
#include "rpc/rpc.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/script.h"

static fallible note_answer(struct arena *arena, const char *rpc, str label,
                            const ProtobufCMessage *answer, const struct error *failure)
{
    struct value record = script_record(arena, "rpc", value_string(str_from(rpc)), "label",
                                        value_string(label), NULL);
    struct value response;

    if (failure) {
        struct value code = value_string(str_from(rpc_status_name(error_status(failure))));
        struct value why = script_record(arena, "code", code, "message",
                                         value_string(error_message(failure)), NULL);
        return script_trace(TRACE_PROGRAM, value_with(arena, record, STR("error"), why));
    }
    TRY(message_to_json(arena, answer, &response));
    return script_trace(TRACE_PROGRAM, value_with(arena, record, STR("response"), response));
}

fallible program_note(struct arena *arena, const char *rpc, str label,
                      const ProtobufCMessage *answer, struct error *owned_failure)
{
    if (owned_failure
        && (error_status(owned_failure) == RPC_CANCELED
            || str_find(error_message(owned_failure), STR("resource monitor shut down"))
                   != SIZE_MAX))
        return owned_failure;
    return error_join(owned_failure, note_answer(arena, rpc, label, answer, owned_failure));
}

fallible request_put_struct(struct program *program, struct value object, ProtobufCBinaryData *out)
{
    str bytes;

    TRY(struct_encode(program->arena, object, &bytes));
    *out = message_binary(bytes);
    return NULL;
}

char *request_text(struct program *program, str text)
{
    return message_cstr(program->arena, text);
}

fallible request_from_options(struct program *program, struct value entry,
                              const ProtobufCMessageDescriptor *type, void **out)
{
    struct value options = object_get(entry, STR("opts"));

    return message_from_json(program->arena,
                             options.kind == VALUE_NULL ? VALUE_EMPTY_OBJECT : options, type, out);
}

fallible request_send(struct program *program, const char *method, str label,
                      const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                      void **answer)
{
    const char *name = strrchr(method, '/') + 1;
    struct error *failure =
        script_call(program->monitor, method, request, type, program->arena, answer);

    return program_note(program->arena, name, label, failure ? NULL : *answer, failure);
}

str request_name(struct value entry, str label)
{
    str name = object_text(entry, STR("name"));

    return name.len ? name : label;
}

fallible request_put_package(struct program *program, struct value entry, char **out)
{
    str label = object_text(entry, STR("package"));
    const struct binding *binding = program_find(program, label);

    if (label.len && !binding)
        return error_new(ERROR_INVALID, "unknown package \"" STR_FMT "\"", STR_ARG(label));
    if (label.len)
        *out = request_text(program, binding->id);
    return NULL;
}

void request_put_provider(struct program *program, struct value entry, char **out)
{
    str label = object_text(entry, STR("provider"));

    if (label.len)
        *out = request_text(program, program_provider(program, label));
}
