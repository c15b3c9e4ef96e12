/* converter.c — asks a converter plugin for the resources of another tool's state. */
#include "plugin/converter.h"

#include "plugin/process/plugin_process.h"
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

#include "pb/converter.pb-c.h"

static fallible converter_start(struct plugin_host *host, str name, struct plugin **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct plugin_launch launch = { .kind = STR("converter"), .name = name };
    const struct package_ref wanted = { .kind = launch.kind, .name = name };

    launch.label = arena_concat(&scratch, name, STR(" (converter)"));
    TRY(plugin_find(host, &wanted, false, &scratch, &launch.path));
    launch.environment = plugin_language_environment(host, &scratch);
    return plugin_start(host, &launch, out);
}

/* Without values there is a null. */
static fallible converter_read_values(struct arena *arena, bool is_given, str bytes,
                                      struct value *out)
{
    *out = value_null();
    return is_given ? provider_unmarshal(arena, bytes, KEEP_RICH, out) : NULL;
}

static fallible read_converted(struct arena *arena, const Pb__ResourceImport *message,
                               struct converted_resource *out)
{
    const Pb__ResourceParameterization *parameter = message->parameterization;

    *out = (struct converted_resource){
        .type = message_str(message->type),
        .name = message_str(message->name),
        .id = message_str(message->id),
        .logical_name = message_str(message->logical_name),
        .version = message_str(message->version),
        .download_url = message_str(message->plugin_download_url),
        .parent = message_str(message->parent),
        .provider = message_str(message->provider),
        .properties = message_get_strs(arena, message, properties),
        .is_component = message->is_component,
        .is_remote = message->is_remote,
    };
    if (parameter) {
        out->package = (struct package_ref){
            .name = message_str(parameter->plugin_name),
            .version = message_str(parameter->plugin_version),
            .is_parameterized = true,
            .parameter_value = message_bytes(parameter->value),
        };
    }
    TRY(converter_read_values(arena, message_has(message, inputs),
                              message_get_bytes(message, inputs), &out->inputs));
    return converter_read_values(arena, message_has(message, outputs),
                                 message_get_bytes(message, outputs), &out->outputs);
}

static struct converter_complaints read_complaints(struct arena *arena,
                                                   Pb__Diagnostic *const *diagnostics, size_t count)
{
    str *complaints = ARENA_ARRAY(arena, str, count + 1);
    struct converter_complaints out = { { complaints, count }, false };

    for (size_t i = 0; i < count; i++) {
        const Pb__Diagnostic *said = diagnostics[i];
        bool is_error = said->severity == PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR;
        str detail = message_str(said->detail);
        complaints[i] =
            arena_concat(arena, is_error ? STR("error: ") : STR("warning: "),
                         message_str(said->summary), detail.len ? STR("; ") : STR(""), detail);
        out.has_failed = out.has_failed || is_error;
    }
    return out;
}

static fallible ask_converter(struct plugin *plugin, struct strs words,
                              const struct converter_addresses *addresses, struct arena *arena,
                              struct converted_state *out)
{
    Pb__ConvertStateRequest request = PB__CONVERT_STATE_REQUEST__INIT;
    const struct plugin_call call = {
        .method = "/pulumirpc.Converter/ConvertState",
        .request = &request.base,
        .answer = &pb__convert_state_response__descriptor,
    };
    void *message;

    request.loader_target = message_cstr(arena, addresses->loader);
    request.mapper_target = message_cstr(arena, addresses->mapper);
    message_put_strs(arena, &request, args, words);
    TRY(provider_error(plugin_first_call(plugin, &call, arena, &message)));
    const Pb__ConvertStateResponse *answer = message;
    struct converted_resource *items =
        ARENA_ARRAY(arena, struct converted_resource, answer->n_resources + 1);
    for (size_t i = 0; i < answer->n_resources; i++)
        TRY(read_converted(arena, answer->resources[i], &items[i]));
    struct converter_complaints said =
        read_complaints(arena, answer->diagnostics, answer->n_diagnostics);
    *out = (struct converted_state){ .items = items,
                                     .len = answer->n_resources,
                                     .complaints = said.items,
                                     .has_failed = said.has_failed };
    return NULL;
}

fallible converter_convert_state(struct plugin_host *host, str name, struct strs words,
                                 const struct converter_addresses *addresses, struct arena *arena,
                                 struct converted_state *out)
{
    struct plugin *plugin;

    TRY(plugin_host_begin_load(host));
    struct error *failure = converter_start(host, name, &plugin);
    if (!failure) {
        failure = ask_converter(plugin, words, addresses, arena, out);
        plugin_close(plugin);
    }
    plugin_host_end_load(host);
    return error_wrap(failure, "converter '" STR_FMT "'", STR_ARG(name));
}

static fallible ask_for_program(struct plugin *plugin, const struct converter_program *program,
                                const struct converter_addresses *addresses, struct arena *arena,
                                struct converter_complaints *out)
{
    Pb__ConvertProgramRequest request = PB__CONVERT_PROGRAM_REQUEST__INIT;
    const struct plugin_call call = {
        .method = "/pulumirpc.Converter/ConvertProgram",
        .request = &request.base,
        .answer = &pb__convert_program_response__descriptor,
    };
    void *message;

    request.source_directory = message_cstr(arena, program->source);
    request.target_directory = message_cstr(arena, program->target);
    request.generated_project_directory = message_cstr(arena, program->destination);
    request.loader_target = message_cstr(arena, addresses->loader);
    request.mapper_target = message_cstr(arena, addresses->mapper);
    message_put_strs(arena, &request, args, program->words);
    TRY(provider_error(plugin_first_call(plugin, &call, arena, &message)));
    const Pb__ConvertProgramResponse *answer = message;
    *out = read_complaints(arena, answer->diagnostics, answer->n_diagnostics);
    return NULL;
}

fallible converter_convert_program(struct plugin_host *host, str name,
                                   const struct converter_program *program,
                                   const struct converter_addresses *addresses, struct arena *arena,
                                   struct converter_complaints *out)
{
    struct plugin *plugin;

    TRY(plugin_host_begin_load(host));
    struct error *failure =
        error_wrap(converter_start(host, name, &plugin),
                   "load converter plugin: load \"" STR_FMT "\"", STR_ARG(name));
    if (!failure) {
        failure = ask_for_program(plugin, program, addresses, arena, out);
        plugin_close(plugin);
    }
    plugin_host_end_load(host);
    return failure;
}
