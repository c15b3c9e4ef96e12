/* language.c — language hosts: loaded once for each runtime, asked what a program needs, asked to
 * run it. */
#include "plugin/language/language_parts.h"

#include "base/hex.h"
#include "base/semver.h"
#include "plugin/install.h"
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/status.pb-c.h"

#include <stdlib.h>

#define LANGUAGE_METHOD(name) "/pulumirpc.LanguageRuntime/" name

struct language {
    struct plugin *plugin;
    str runtime;
    bool is_inline; /* --client: the program lives in the process that started us, and that is not
                       ours to stop */
};

struct plugin *language_plugin(struct language *language)
{
    return language->plugin;
}

fallible language_call(struct language *language, const char *method,
                       const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                       struct arena *arena, void **answer)
{
    struct plugin_call call = { .method = method, .request = request, .answer = type };
    return plugin_call(language->plugin, &call, arena, answer);
}

/* --- loading --- */

/* One that was there before us must know the call: it learns from it where the engine is. */
static fallible language_shake_hands(struct plugin *plugin, struct arena *arena)
{
    Pb__LanguageHandshakeRequest request;
    pb__language_handshake_request__init(&request);
    struct plugin_call call = {
        .method = LANGUAGE_METHOD("Handshake"),
        .request = &request.base,
        .answer = &pb__language_handshake_response__descriptor,
    };
    void *answer;

    request.engine_address = message_cstr(arena, plugin->host->options.engine_address);
    struct error *failure = plugin_first_call(plugin, &call, arena, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "said in other words");
        return error_new(ERROR_OTHER,
                         "language '" STR_FMT
                         "' does not answer Handshake; it cannot be attached to",
                         STR_ARG(plugin->name));
    }
    return error_wrap(provider_raw_error(failure),
                      STR_FMT " plugin [" STR_FMT "] did not come alive", STR_ARG(plugin->label),
                      STR_ARG(plugin->path));
}

/* GetPluginInfo is the first call to one that we started: it shows that the host is alive. */
static fallible language_learn_version(struct plugin *plugin, struct arena *arena)
{
    Pb__Empty request = PB__EMPTY__INIT;
    struct plugin_call call = {
        .method = LANGUAGE_METHOD("GetPluginInfo"),
        .request = &request.base,
        .answer = &pb__plugin_info__descriptor,
        .timeout_ms = plugin->host->patience.start,
    };
    str version;
    return provider_error(plugin_version(plugin, &call, true, arena, &version));
}

static str with_underscores(struct arena *arena, str text)
{
    char *copy = arena_cstr(arena, text);
    for (char *c = copy; *c; c++)
        if (*c == '/')
            *c = '_';
    return str_from(copy);
}

static bool is_inline_runtime(const struct plugin_host *host, str runtime)
{
    return str_equal(runtime, STR("client")) && host->options.world->client_address.len > 0;
}

static fallible language_start(struct plugin_host *host, str runtime, struct plugin **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct plugin_host_options *options = &host->options;
    struct plugin_launch launch = { .kind = STR("language"), .name = runtime, .label = runtime };
    uint16_t attach_port;

    if (is_inline_runtime(host, runtime)) {
        launch.path = options->world->client_address;
        return plugin_attach(host, &launch, options->world->client_address, out);
    }
    TRY(plugin_attach_port(options->world->debug_languages, runtime, "PULUMI_DEBUG_LANGUAGES",
                           &attach_port));
    if (attach_port > 0) {
        launch.label = arena_concat(&scratch, runtime, STR(" (Language Plugin)"));
        launch.path = arena_printf(&scratch, "127.0.0.1:%u", attach_port);
        TRY(plugin_attach(host, &launch, launch.path, out));
        struct error *failure = language_shake_hands(*out, &scratch);
        if (failure)
            plugin_close(*out);
        return failure;
    }
    const struct package_ref wanted = { .kind = launch.kind,
                                        .name = with_underscores(&scratch, runtime) };
    TRY(plugin_find(host, &wanted, false, &scratch, &launch.path));
    launch.environment = plugin_language_environment(host, &scratch);
    return plugin_start(host, &launch, out);
}

static struct language *find_loaded(const struct plugin_host *host, str runtime)
{
    for (size_t i = 0; i < host->languages.len; i++)
        if (str_equal(host->languages.items[i]->runtime, runtime))
            return host->languages.items[i];
    return NULL;
}

static fallible language_load(struct plugin_host *host, str runtime, struct language **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct plugin *plugin;

    *out = find_loaded(host, runtime);
    if (*out)
        return NULL;
    TRY(language_start(host, runtime, &plugin));
    bool is_inline = is_inline_runtime(host, runtime);
    struct error *failure = is_inline ? NULL : language_learn_version(plugin, &scratch);
    if (failure) {
        plugin_close(plugin);
        return failure;
    }
    struct language *language = memory_zalloc(sizeof(*language));
    *language =
        (struct language){ .plugin = plugin, .runtime = plugin->name, .is_inline = is_inline };
    vec_add(&host->languages, language);
    *out = language;
    return NULL;
}

fallible plugin_load_language(struct plugin_host *host, str runtime, struct language **out)
{
    TRY(plugin_host_begin_load(host));
    struct error *failure = semaphore_wait(&host->language_turn);
    if (!failure) {
        failure = language_load(host, runtime, out);
        semaphore_post(&host->language_turn);
    }
    plugin_host_end_load(host);
    return failure;
}

/* --- asking --- */

fallible language_program_info(struct arena *arena, const struct program_info *program,
                               Pb__ProgramInfo *out)
{
    struct value options_value =
        program->options.kind == VALUE_OBJECT ? program->options : VALUE_EMPTY_OBJECT;
    str options;

    TRY(error_wrap(provider_marshal(arena, options_value, 0, &options),
                   "failed to marshal options"));
    pb__program_info__init(out);
    out->root_directory = message_cstr(arena, program->root_directory);
    out->program_directory = message_cstr(arena, program->program_directory);
    out->entry_point = message_cstr(arena, program->entry_point);
    message_put_bytes(out, options, options);
    return NULL;
}

static bool is_kind(str text)
{
    static const str kinds[] = { STR_INIT("resource"), STR_INIT("language"), STR_INIT("analyzer"),
                                 STR_INIT("converter"), STR_INIT("tool") };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (str_equal(text, kinds[i]))
            return true;
    return false;
}

static fallible check_version(struct arena *arena, str name, str text, str *out)
{
    struct semver version;

    *out = STR("");
    if (text.len == 0)
        return NULL;
    if (!semver_parse_tolerant(text, &version))
        return error_new(ERROR_INVALID,
                         "illegal semver returned by language host: " STR_FMT "@" STR_FMT,
                         STR_ARG(name), STR_ARG(text));
    *out = semver_format(arena, &version);
    return NULL;
}

static fallible read_common(struct arena *arena, str name, str kind, str version,
                            struct package_ref *out)
{
    out->name = name;
    out->kind = kind;
    TRY(check_version(arena, name, version, &out->version));
    if (!is_kind(kind))
        return error_new(ERROR_INVALID, "unrecognized plugin kind: " STR_FMT, STR_ARG(kind));
    return NULL;
}

static fallible read_package(struct arena *arena, const Pb__PackageDependency *package,
                             struct package_ref *out)
{
    const Pb__Parameterization *parameters =
        package->parameterization ? package->parameterization : package->extension;

    TRY(read_common(arena, message_str(package->name), message_str(package->kind),
                    message_str(package->version), out));
    out->download_url = message_str(package->server);
    out->checksums = checksums_decode(arena, package->checksums, package->n_checksums);
    if (!parameters)
        return NULL;
    out->is_parameterized = true;
    out->is_extension = !package->parameterization;
    out->parameter_name = message_str(parameters->name);
    out->parameter_value = message_bytes(parameters->value);
    if (parameters->version[0] == '\0')
        return error_new(ERROR_INVALID, "illegal semver returned by language host: " STR_FMT "@",
                         STR_ARG(out->name));
    return check_version(arena, out->name, message_str(parameters->version),
                         &out->parameter_version);
}

/* The older question, for hosts that do not know the newer; one that knows neither needs
 * nothing. */
static fallible required_plugins(struct language *language, const struct program_info *program,
                                 Pb__ProgramInfo *info, struct arena *arena,
                                 struct package_refs *out)
{
    Pb__GetRequiredPluginsRequest request = PB__GET_REQUIRED_PLUGINS_REQUEST__INIT;
    void *answer;

    request.project = message_cstr(arena, STR("deprecated"));
    request.pwd = message_cstr(arena, program->program_directory);
    request.program = message_cstr(arena, program->entry_point);
    request.info = info;
    struct error *failure =
        language_call(language, LANGUAGE_METHOD("GetRequiredPlugins"), &request.base,
                      &pb__get_required_plugins_response__descriptor, arena, &answer);
    *out = (struct package_refs){ 0 };
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "an old host");
        return NULL;
    }
    TRY(provider_error(failure));

    const Pb__GetRequiredPluginsResponse *response = answer;
    out->items = ARENA_ARRAY(arena, struct package_ref, response->n_plugins);
    for (size_t i = 0; i < response->n_plugins; i++) {
        const Pb__PluginDependency *plugin = response->plugins[i];
        TRY(read_common(arena, message_str(plugin->name), message_str(plugin->kind),
                        message_str(plugin->version), &out->items[i]));
        out->items[i].download_url = message_str(plugin->server);
    }
    out->len = response->n_plugins;
    return NULL;
}

fallible language_required_packages(struct language *language, const struct program_info *program,
                                    struct arena *arena, struct package_refs *out)
{
    Pb__GetRequiredPackagesRequest request = PB__GET_REQUIRED_PACKAGES_REQUEST__INIT;
    Pb__ProgramInfo info;
    void *answer;

    TRY(language_program_info(arena, program, &info));
    request.info = &info;
    struct error *failure =
        language_call(language, LANGUAGE_METHOD("GetRequiredPackages"), &request.base,
                      &pb__get_required_packages_response__descriptor, arena, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "an old host");
        return required_plugins(language, program, &info, arena, out);
    }
    TRY(provider_error(failure));

    const Pb__GetRequiredPackagesResponse *response = answer;
    out->items = ARENA_ARRAY(arena, struct package_ref, response->n_packages);
    for (size_t i = 0; i < response->n_packages; i++)
        TRY(read_package(arena, response->packages[i], &out->items[i]));
    out->len = response->n_packages;
    return NULL;
}

fallible language_about(struct language *language, const struct program_info *program,
                        struct arena *arena, struct about_answer *out)
{
    Pb__AboutRequest request = PB__ABOUT_REQUEST__INIT;
    Pb__ProgramInfo info;
    void *answer;

    TRY(language_program_info(arena, program, &info));
    request.info = &info;
    TRY(provider_error(language_call(language, LANGUAGE_METHOD("About"), &request.base,
                                     &pb__about_response__descriptor, arena, &answer)));
    const Pb__AboutResponse *response = answer;
    *out = (struct about_answer){ message_str(response->executable), message_str(response->version),
                                  message_get_pairs(arena, response, metadata) };
    return NULL;
}

fallible language_dependencies(struct language *language, const struct program_info *program,
                               bool is_transitive, struct arena *arena, struct pairs *out)
{
    Pb__GetProgramDependenciesRequest request = PB__GET_PROGRAM_DEPENDENCIES_REQUEST__INIT;
    Pb__ProgramInfo info;
    void *answer;

    TRY(language_program_info(arena, program, &info));
    request.info = &info;
    request.transitive_dependencies = is_transitive;
    TRY(provider_error(
        language_call(language, LANGUAGE_METHOD("GetProgramDependencies"), &request.base,
                      &pb__get_program_dependencies_response__descriptor, arena, &answer)));
    const Pb__GetProgramDependenciesResponse *response = answer;
    struct pair *items = ARENA_ARRAY(arena, struct pair, response->n_dependencies);
    for (size_t i = 0; i < response->n_dependencies; i++)
        items[i] = (struct pair){ message_str(response->dependencies[i]->name),
                                  message_str(response->dependencies[i]->version) };
    *out = (struct pairs){ items, response->n_dependencies };
    return NULL;
}

/* One file in practice; the last wins. */
static void read_program_answer(const Pb__GenerateProgramResponse *response, struct arena *arena,
                                struct program_answer *out)
{
    CLEANUP(strbuf_release) struct strbuf complaints = { 0 };

    for (size_t i = 0; i < response->n_source; i++)
        out->text = message_bytes(response->source[i]->value);
    for (size_t i = 0; i < response->n_diagnostics; i++)
        if (response->diagnostics[i]->severity == PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR)
            strbuf_printf(&complaints, "%s%s", complaints.len ? "\n" : "",
                          response->diagnostics[i]->summary);
    out->complaints = arena_copy(arena, strbuf_str(&complaints));
}

fallible language_generate_program(struct language *language, str pcl, str loader_address,
                                   struct arena *arena, struct program_answer *out)
{
    Pb__GenerateProgramRequest request = PB__GENERATE_PROGRAM_REQUEST__INIT;
    Pb__StringEntry source = PB__STRING_ENTRY__INIT, *sources[] = { &source };
    void *answer;

    source.key = message_cstr(arena, STR("anonymous.pp"));
    source.value = message_cstr(arena, pcl);
    request.source = sources;
    request.n_source = 1;
    request.loader_target = message_cstr(arena, loader_address);
    *out = (struct program_answer){ 0 };
    struct error *failure =
        language_call(language, LANGUAGE_METHOD("GenerateProgram"), &request.base,
                      &pb__generate_program_response__descriptor, arena, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "said in other words");
        return error_new(ERROR_NOT_FOUND, "the language host of '" STR_FMT "' prints no programs",
                         STR_ARG(language->runtime));
    }
    TRY(provider_error(failure));
    read_program_answer(answer, arena, out);
    return NULL;
}

/* --- running --- */

static void language_put_run(struct arena *arena, const struct run_info *run,
                             Pb__RunRequest *message)
{
    message_put_run(arena, message, run);
    message->parallel = run->parallel;
    message->monitor_address = message_cstr(arena, run->monitor_address);
}

static bool language_is_debugged(const struct plugin_host *host)
{
    struct strs wanted = host->options.world->debugged;

    return strs_has(wanted, STR("program")) || strs_has(wanted, STR("all"));
}

fallible language_run(struct language *language, const struct run_request *request,
                      struct arena *arena, struct run_answer *out)
{
    Pb__RunRequest message;
    pb__run_request__init(&message);
    Pb__ProgramInfo info;
    str engine_address = language->plugin->host->options.engine_address;
    void *answer;

    TRY(language_program_info(arena, request->program, &info));
    language_put_run(arena, request->run, &message);
    message.pwd = message_cstr(arena, request->program->program_directory);
    message.program = message_cstr(arena, request->program->entry_point);
    if (language->is_inline)
        message_put_strs(arena, &message, args, ((struct strs){ &engine_address, 1 }));
    message.info = &info;
    message.attach_debugger = language_is_debugged(language->plugin->host);
    message.loader_target = message_cstr(arena, request->loader_address);
    message.mapper_target = message_cstr(arena, request->mapper_address);
    struct error *failure = language_call(language, LANGUAGE_METHOD("Run"), &message.base,
                                          &pb__run_response__descriptor, arena, &answer);
    TRY(provider_error(failure));
    const Pb__RunResponse *response = answer;
    *out = (struct run_answer){ .error = message_str(response->error), .bail = response->bail };
    return NULL;
}

void language_settle(struct language *language)
{
    plugin_settle(language->plugin);
}

/* --- ending --- */

void language_cancel_ms(struct language *language, uint64_t timeout_ms)
{
    if (!language->is_inline)
        plugin_cancel(language->plugin, LANGUAGE_METHOD("Cancel"), timeout_ms);
}

void language_cancel(struct language *language)
{
    language_cancel_ms(language, language->plugin->host->patience.interrupt);
}

void language_free(struct language *language)
{
    plugin_close(language->plugin);
    free(language);
}
