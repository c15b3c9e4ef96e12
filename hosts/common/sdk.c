/* sdk.c — GeneratePackage, Pack and Link. */
#include "common/sdk.h"

#include "base/fs.h"
#include "common/code.h"
#include "common/host.h"
#include "common/language_ops.h"
#include "common/loader.h"
#include "proto/message.h"
#include "schema/schema_check.h"

static struct pairs sdk_extra_files(struct arena *arena, const Pb__GeneratePackageRequest *request)
{
    struct pair *files = ARENA_ARRAY(arena, struct pair, request->n_extra_files);

    for (size_t i = 0; i < request->n_extra_files; i++)
        files[i] = (struct pair){ message_str(request->extra_files[i]->key),
                                  message_bytes(request->extra_files[i]->value) };
    return (struct pairs){ files, request->n_extra_files };
}

/* What the schema says that nobody understands would be missing from the SDK. */
static fallible sdk_check_trouble(const struct schema *schema)
{
    if (schema->trouble.len)
        return error_new(ERROR_INVALID, "the schema has errors: " STR_FMT,
                         STR_ARG(schema->trouble));
    return NULL;
}

static fallible sdk_write_all(struct host *host, struct arena *arena,
                              const struct sdk_request *request, str directory)
{
    struct sdk_files files;

    TRY(sdk_files_open(arena, directory, &files));
    struct error *failure = host->ops->generate_package(host, arena, request, &files);
    for (size_t i = 0; !failure && i < request->extra_files.len; i++)
        failure = sdk_put_extra(
            &files, fs_path_join(arena, files.overlays, request->extra_files.items[i].key),
            request->extra_files.items[i].value);
    if (!failure)
        failure = sdk_check_trouble(request->schema);
    if (!failure)
        return sdk_files_keep(&files);
    sdk_files_drop(&files);
    return failure;
}

/* --- diagnostics: what is wrong with the package is part of the answer --- */

struct sdk_diagnostics {
    VEC(Pb__Diagnostic *);
};

static void sdk_diagnostics_release(struct sdk_diagnostics *list)
{
    vec_release(list);
}

static void sdk_diagnose(struct sdk_diagnostics *list, struct arena *arena, bool is_warning,
                         str text)
{
    Pb__Diagnostic *diagnostic = ARENA_NEW(arena, Pb__Diagnostic);

    pb__diagnostic__init(diagnostic);
    diagnostic->severity =
        is_warning ? PB__DIAGNOSTIC_SEVERITY__DIAG_WARNING : PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR;
    diagnostic->summary = message_cstr(arena, text);
    vec_add(list, diagnostic);
}

/* The whole schema as values takes more memory than making the SDK: it is gone before that. */
static fallible sdk_check_schema(struct arena *arena, str json, const struct schema_others *others,
                                 struct sdk_diagnostics *out, bool *is_sound)
{
    const struct schema_check_options options = { .dangling = DANGLING_IS_WARNING,
                                                  .others = others };
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    TRY(error_wrap(schema_check_json(&scratch, json, &options, &complaints),
                   "reading the schema of the package"));
    for (size_t i = 0; i < complaints.len; i++) {
        const struct schema_complaint *complaint = &complaints.items[i];
        sdk_diagnose(out, arena, complaint->is_warning,
                     arena_concat(&scratch, complaint->place,
                                  complaint->place.len ? STR(": ") : STR(""), complaint->text));
    }
    *is_sound = complaints.error_count == 0;
    return NULL;
}

static fallible sdk_read_and_write(struct host *host, struct arena *arena,
                                   const Pb__GeneratePackageRequest *request,
                                   const struct schema_others *others)
{
    struct sdk_request wanted = {
        .is_local = request->local,
        .extra_files = sdk_extra_files(arena, request),
        .local_dependencies = message_get_pairs(arena, request, local_dependencies),
    };

    TRY(error_wrap(schema_read(arena, message_str(request->schema), &wanted.schema),
                   "reading the schema of the package"));
    wanted.schema->others = others;
    struct error *failure = sdk_write_all(host, arena, &wanted, message_str(request->directory));
    schema_release(wanted.schema);
    return failure;
}

static fallible sdk_check_and_write(struct host *host, struct arena *arena,
                                    const Pb__GeneratePackageRequest *request,
                                    struct sdk_diagnostics *out)
{
    struct loader loader = { .address = message_str(request->loader_target) };
    const struct schema_others others = { &loader, loader_load };
    bool is_sound = false;

    struct error *failure =
        sdk_check_schema(arena, message_str(request->schema), &others, out, &is_sound);
    if (is_sound)
        failure = sdk_read_and_write(host, arena, request, &others);
    loader_release(&loader);
    return failure;
}

fallible sdk_generate(struct host *host, struct arena *arena, str request, str *response)
{
    CLEANUP(sdk_diagnostics_release) struct sdk_diagnostics diagnostics = { 0 };
    Pb__GeneratePackageResponse answer = PB__GENERATE_PACKAGE_RESPONSE__INIT;
    void *message;

    TRY(message_request(arena, &pb__generate_package_request__descriptor, request, &message));
    struct error *failure = sdk_check_and_write(host, arena, message, &diagnostics);
    if (failure)
        vec_add(&diagnostics, *code_complaint(arena, failure));
    answer.diagnostics = diagnostics.items;
    answer.n_diagnostics = diagnostics.len;
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

fallible sdk_pack(struct host *host, struct arena *arena, str request_, str *response)
{
    Pb__PackResponse answer = PB__PACK_RESPONSE__INIT;
    str artifact = STR("");
    void *message;

    TRY(message_request(arena, &pb__pack_request__descriptor, request_, &message));
    const Pb__PackRequest *request = message;
    TRY(host->ops->pack(host, arena, message_str(request->package_directory),
                        message_str(request->destination_directory), &artifact));
    answer.artifact_path = message_cstr(arena, artifact);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* --- linking --- */

static fallible sdk_read_link(struct loader *loader, struct arena *arena,
                              const Pb__LinkRequest__LinkDependency *dependency,
                              struct sdk_link *out)
{
    static const Pb__PackageDependency none = PB__PACKAGE_DEPENDENCY__INIT;
    const Pb__PackageDependency *package = dependency->package ? dependency->package : &none;
    struct schema_dependency wanted = loader_wanted(arena, package);
    str json;

    out->package = package;
    out->path = message_str(dependency->path);
    if (str_equal(wanted.name, STR("pulumi")))
        return NULL;
    TRY(error_wrap(loader_load(loader, &wanted, arena, &json), "getting the schema of package '%s'",
                   package->name));
    TRY(error_wrap(schema_read(arena, json, &out->schema), "reading the schema of package '%s'",
                   package->name));
    return NULL;
}

fallible sdk_link(struct host *host, struct arena *arena, str request_, str *response)
{
    static const Pb__ProgramInfo none = PB__PROGRAM_INFO__INIT;
    Pb__LinkResponse answer = PB__LINK_RESPONSE__INIT;
    struct program program;
    str instructions = STR("");
    void *message;

    TRY(message_request(arena, &pb__link_request__descriptor, request_, &message));
    const Pb__LinkRequest *request = message;
    TRY(program_open(arena, request->info ? request->info : &none, &program));
    struct loader loader = { .address = message_str(request->loader_target) };
    struct sdk_link *links = ARENA_ARRAY(arena, struct sdk_link, request->n_packages);
    struct error *failure = NULL;
    for (size_t i = 0; !failure && i < request->n_packages; i++)
        failure = sdk_read_link(&loader, arena, request->packages[i], &links[i]);
    if (!failure)
        failure = host->ops->link(host, arena, &program,
                                  (struct sdk_links){ links, request->n_packages }, &instructions);
    for (size_t i = 0; i < request->n_packages; i++)
        if (links[i].schema)
            schema_release(links[i].schema);
    loader_release(&loader);
    TRY(failure);
    answer.import_instructions = message_cstr(arena, instructions);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}
