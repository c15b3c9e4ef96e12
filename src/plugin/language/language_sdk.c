/* language_sdk.c — GeneratePackage, Pack and Link of language hosts. */
#include "plugin/language_sdk.h"

#include "plugin/language/language_parts.h"
#include "plugin/provider/provider_errors.h"

#include "pb/codegen.pb-c.h"
#include "pb/language.pb-c.h"
#include "pb/plugin.pb-c.h"

#define SDK_METHOD(name) "/pulumirpc.LanguageRuntime/" name

/* What the host does not know is no failure; who asked says what that means. */
static fallible sdk_answered(struct error *failure, bool *is_implemented)
{
    *is_implemented = !failure || !provider_is_unimplemented(failure);
    if (*is_implemented)
        return provider_error(failure);
    error_ignore(failure, "reported by the caller");
    return NULL;
}

static fallible sdk_complaints(const Pb__GeneratePackageResponse *response, struct arena *arena,
                               struct strs *warnings)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str *texts = ARENA_ARRAY(arena, str, response->n_diagnostics);

    *warnings = (struct strs){ texts, 0 };
    for (size_t i = 0; i < response->n_diagnostics; i++) {
        const Pb__Diagnostic *diagnostic = response->diagnostics[i];
        if (diagnostic->severity == PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR)
            strbuf_printf(&text, "%s%s", text.len ? "\n" : "", diagnostic->summary);
        else
            texts[warnings->len++] = arena_copy(arena, message_str(diagnostic->summary));
    }
    return text.len ? error_new(ERROR_INVALID, STR_FMT, STR_ARG(strbuf_str(&text))) : NULL;
}

static void sdk_put_files(struct arena *arena, struct pairs files,
                          Pb__GeneratePackageRequest *request)
{
    request->n_extra_files = files.len;
    request->extra_files = ARENA_ARRAY(arena, Pb__BytesEntry *, files.len);
    for (size_t i = 0; i < files.len; i++) {
        Pb__BytesEntry *entry = ARENA_NEW(arena, Pb__BytesEntry);
        pb__bytes_entry__init(entry);
        entry->key = message_cstr(arena, files.items[i].key);
        entry->value = message_binary(files.items[i].value);
        request->extra_files[i] = entry;
    }
}

fallible language_generate_package(struct language *language, const struct sdk_order *order,
                                   struct arena *arena, struct sdk_outcome *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__GeneratePackageRequest request = PB__GENERATE_PACKAGE_REQUEST__INIT;
    void *answer;

    *out = (struct sdk_outcome){ 0 };
    request.directory = message_cstr(&scratch, order->folder);
    request.schema = message_cstr(&scratch, order->schema);
    request.loader_target = message_cstr(&scratch, order->loader_address);
    request.local = order->is_local;
    sdk_put_files(&scratch, order->extra_files, &request);
    TRY(sdk_answered(language_call(language, SDK_METHOD("GeneratePackage"), &request.base,
                                   &pb__generate_package_response__descriptor, &scratch, &answer),
                     &out->is_implemented));
    return out->is_implemented ? sdk_complaints(answer, arena, &out->warnings) : NULL;
}

fallible language_pack(struct language *language, str folder, str destination, struct arena *arena,
                       str *artifact)
{
    Pb__PackRequest request = PB__PACK_REQUEST__INIT;
    void *answer;

    request.package_directory = message_cstr(arena, folder);
    request.destination_directory = message_cstr(arena, destination);
    TRY(provider_error(language_call(language, SDK_METHOD("Pack"), &request.base,
                                     &pb__pack_response__descriptor, arena, &answer)));
    *artifact = message_str(((const Pb__PackResponse *)answer)->artifact_path);
    return NULL;
}

/* --- linking --- */

static Pb__PackageDependency *sdk_package(struct arena *arena, const struct package_ref *package)
{
    Pb__PackageDependency *message =
        message_package(arena, package->name, package->version, package->download_url);

    if (package->is_parameterized)
        message->parameterization = message_parameter(
            arena, package->parameter_name, package->parameter_version, package->parameter_value);
    return message;
}

fallible language_link(struct language *language, const struct program_info *program,
                       const struct linked_sdk *sdks, size_t count, str loader_address,
                       struct arena *arena, str *instructions, bool *is_implemented)
{
    Pb__LinkRequest request = PB__LINK_REQUEST__INIT;
    Pb__ProgramInfo info;
    void *answer;

    *instructions = STR("");
    TRY(language_program_info(arena, program, &info));
    request.info = &info;
    request.loader_target = message_cstr(arena, loader_address);
    request.n_packages = count;
    request.packages = ARENA_ARRAY(arena, Pb__LinkRequest__LinkDependency *, count);
    for (size_t i = 0; i < count; i++) {
        Pb__LinkRequest__LinkDependency *message =
            ARENA_NEW(arena, Pb__LinkRequest__LinkDependency);
        pb__link_request__link_dependency__init(message);
        message->package = sdk_package(arena, sdks[i].package);
        message->path = message_cstr(arena, sdks[i].path);
        request.packages[i] = message;
    }
    TRY(sdk_answered(language_call(language, SDK_METHOD("Link"), &request.base,
                                   &pb__link_response__descriptor, arena, &answer),
                     is_implemented));
    if (*is_implemented)
        *instructions = message_str(((const Pb__LinkResponse *)answer)->import_instructions);
    return NULL;
}
