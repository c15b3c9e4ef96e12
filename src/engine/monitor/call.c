/* call.c — Call: a program calls a method of a resource. */
#include "engine/monitor/monitor.h"

#include "engine/report/course.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"

/* The resource a method is called on, as far as the arguments say: a reference, or an object with
 * its members. */
struct self {
    bool is_given;
    const str *urn; /* NULL: not given */
    const str *id;
};

static const str *find_member(struct arena *arena, struct value object, const char *name)
{
    const struct value *member = value_find(object, str_from(name));
    str *text = ARENA_NEW(arena, str);

    *text = member && member->kind == VALUE_STRING ? value_text(*member) : STR("");
    return member ? text : NULL;
}

static fallible find_self(struct arena *arena, struct value args, const char *method,
                          struct self *out)
{
    const struct value *self = value_find(args, STR("__self__"));

    *out = (struct self){ .is_given = self != NULL };
    if (!self)
        return NULL;
    if (self->kind == VALUE_OUTPUT && self->output->is_known)
        self = &self->output->element;
    if (self->kind == VALUE_OBJECT) {
        out->urn = find_member(arena, *self, "urn");
        out->id = find_member(arena, *self, "id");
    } else if (self->kind == VALUE_REFERENCE) {
        const struct reference *reference = self->reference;
        str *id = ARENA_NEW(arena, str);
        *id = reference->id.kind == VALUE_STRING ? value_text(reference->id) : STR("");
        out->urn = &reference->urn;
        out->id = reference->has_id ? id : NULL;
    } else {
        return error_new(ERROR_OTHER, "missing __self__ argument properties for %s call", method);
    }
    return out->urn ? NULL : error_new(ERROR_OTHER, "missing __self__.urn for %s call", method);
}

/* The methods of a provider are its own. */
static fallible provider_of_method(struct arena *arena, str token, struct value args, str *out)
{
    struct self self;
    str package, method;

    if (!str_cut(token, STR("/"), &package, &method) || str_find_char(method, '/') != SIZE_MAX)
        return error_new(ERROR_OTHER, "invalid provider method token " STR_FMT, STR_ARG(token));
    TRY(find_self(arena, args, "provider method", &self));
    if (!self.is_given)
        return error_new(ERROR_OTHER, "missing __self__ argument for provider method call");
    if (!self.id)
        return error_new(ERROR_OTHER, "missing __self__.id for provider method call");
    *out = provider_ref_format(arena, *self.urn, *self.id);
    return NULL;
}

static fallible provider_of_self(struct monitor *monitor, struct arena *arena, struct value args,
                                 str *out)
{
    struct self self;

    TRY(find_self(arena, args, "method", &self));
    if (!self.is_given)
        return NULL;
    const struct remembered *resource = monitor_recall(monitor, *self.urn);
    if (!resource)
        return error_new(ERROR_OTHER, "unknown resource " STR_FMT, STR_ARG(*self.urn));
    *out = resource->provider;
    return NULL;
}

static fallible call_choose_provider(struct monitor *monitor, struct arena *arena,
                                     const Pb__ResourceCallRequest *message, struct value args,
                                     struct provider **out)
{
    str token = message_str(message->tok), given = message_str(message->provider);
    struct package_ref package;

    if (type_is_provider(token))
        TRY(provider_of_method(arena, token, args, &given));
    else if (given.len == 0)
        TRY(provider_of_self(monitor, arena, args, &given));
    /* Where the provider is given the version says nothing, not even if it is none. */
    TRY(monitor_package(
        monitor, type_package(token), given.len ? STR("") : message_str(message->version),
        message_str(message->plugin_download_url), message_str(message->package_ref), &package));
    if (message->n_plugin_checksums)
        package.checksums =
            checksums_decode(arena, message->plugin_checksums, message->n_plugin_checksums);
    return monitor_find_provider(monitor, arena, package, given, token, out);
}

/* Each argument has an entry; outputs among them bring their dependencies. */
static struct property_dependencies extend(struct arena *arena, struct value values,
                                           struct property_dependencies given)
{
    struct property_dependency *items =
        ARENA_ARRAY(arena, struct property_dependency, values.len + given.len + 1);
    size_t len = 0;

    for (uint32_t i = 0; i < values.len; i++) {
        const struct strs *urns = property_dependencies_find(given, values.members[i].key);
        items[len] = (struct property_dependency){ values.members[i].key,
                                                   urns ? *urns : (struct strs){ 0 } };
        add_output_dependencies(arena, &items[len++].urns, values.members[i].value);
    }
    for (size_t i = 0; i < given.len; i++)
        if (!value_has(values, given.items[i].key))
            items[len++] = given.items[i];
    return (struct property_dependencies){ items, len };
}

static fallible monitor_call_answer(const Pb__ResourceCallRequest *message, struct arena *arena,
                                    const struct call_answer *made, str *response)
{
    Pb__CallResponse answer = PB__CALL_RESPONSE__INIT;
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .accepts_byte_strings = message->accepts_byte_string,
        .label = "Call",
    };
    struct property_dependencies dependencies =
        extend(arena, made->result, made->return_dependencies);
    str bytes;

    TRY(properties_marshal(arena, made->result, &options, &bytes));
    message_put_bytes(&answer, return_value, bytes);
    answer.n_return_dependencies = dependencies.len;
    answer.return_dependencies = message_urns_entries(arena, dependencies);
    answer.n_failures = made->failures.len;
    answer.failures = monitor_encode_failures(arena, made->failures);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

fallible monitor_call(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = rpc_call_arena(call);
    const struct unmarshal_options in = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .keep_output_values = true,
        .joins_secrets = true,
    };
    Pb__ResourceCallRequest *message = NULL;
    struct provider *provider = NULL;
    struct call_answer made = { 0 };
    struct value args;

    TRY(message_request(arena, &pb__resource_call_request__descriptor, bytes, (void **)&message));
    TRY(error_wrap(decode_properties(arena, message_get_bytes(message, args), &in, &args),
                   "failed to unmarshal %s args", message->tok));
    TRY(call_choose_provider(monitor, arena, message, args, &provider));
    TRY(monitor_check_open(monitor));
    str handle = trace_keep(monitor, arena, message->source_position, message->stack_trace,
                            message->parent_stack_trace_handle);
    const struct call_request request = {
        .token = message_str(message->tok),
        .args = args,
        .arg_dependencies = extend(
            arena, args,
            message_dependencies(arena, message->arg_dependencies, message->n_arg_dependencies)),
        .run = &monitor->run,
        .stack_trace_handle = handle,
    };
    struct error *failure = provider->ops->call(provider, &request, arena, &made);
    trace_drop(monitor, handle);
    if (!failure)
        return monitor_call_answer(message, arena, &made, response);
    course_fail(monitor->course, STR(""),
                error_new(ERROR_OTHER, "call to function '%s' failed: " STR_FMT, message->tok,
                          STR_ARG(error_message(failure))));
    error_free(failure);
    struct latch never = { 0 };
    return latch_wait(&never);
}
