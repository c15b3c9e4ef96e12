/* host_packages.c — tells the engine which packages a program needs and depends on. */
#include "yaml/serve/host_internal.h"

#include "base/fs.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "yaml/serve/load.h"

#include "pb/language.pb-c.h"

/* A program, or else a plugin. */
static fallible load_any(struct loaded *loaded, const Pb__ProgramInfo *info)
{
    str directory = info ? message_str(info->program_directory) : STR("");
    str compiler;

    TRY(compiler_of(loaded->arena, info, &compiler));
    if (compiler.len)
        return load_compiled(loaded, directory, compiler, NULL);
    struct error *failure = load_program(loaded, directory);
    str plugin = fs_path_join(loaded->arena, directory, STR("PulumiPlugin.yaml"));
    if (failure && error_kind(failure) == ERROR_NOT_FOUND && fs_is_file(plugin)) {
        error_ignore(failure, "it may be a plugin");
        return load_plugin(loaded, directory);
    }
    return failure;
}

static str pack_packages(struct arena *arena, const struct package_list *list)
{
    Pb__GetRequiredPackagesResponse answer = PB__GET_REQUIRED_PACKAGES_RESPONSE__INIT;

    answer.packages = ARENA_ARRAY(arena, Pb__PackageDependency *, list->len + 1);
    for (size_t i = 0; i < list->len; i++) {
        const struct package_decl *package = &list->items[i];
        Pb__PackageDependency *message =
            message_package(arena, package->name, package->version, package->download_url);
        message->parameterization = parameter_message(arena, &package->parameterization);
        message->extension = parameter_message(arena, &package->extension);
        answer.packages[answer.n_packages++] = message;
    }
    return MESSAGE_PACK(arena, &answer);
}

/* The packages that the program of a request needs; the caller releases both. */
static fallible load_packages(struct arena *arena, const Pb__ProgramInfo *info,
                              struct loaded *loaded, struct package_list *list)
{
    TRY(load_any(loaded, info));
    if (loaded->diags.errors)
        return error_new(ERROR_INVALID, STR_FMT, STR_ARG(diags_text(arena, &loaded->diags)));
    packages_required(loaded->program, &loaded->packages, list);
    return NULL;
}

static fallible answer_packages(struct arena *arena, const Pb__ProgramInfo *info,
                                str (*pack)(struct arena *, const struct package_list *),
                                str *response)
{
    struct package_list list = { 0 };
    struct loaded loaded;

    loaded_init(&loaded, arena);
    struct error *failure = load_packages(arena, info, &loaded, &list);
    if (!failure)
        *response = pack(arena, &list);
    vec_release(&list);
    loaded_release(&loaded);
    return failure;
}

fallible handle_packages(void *host, struct rpc_call *call, str request, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__GetRequiredPackagesRequest *message = NULL;

    (void)host;
    TRY(message_request(arena, &pb__get_required_packages_request__descriptor, request,
                        (void **)&message));
    return answer_packages(arena, message->info, pack_packages, response);
}

/* A program in YAML depends on nothing but packages. One that is parameterized is known by the name
 * and version of its parameter. */
static str pack_dependencies(struct arena *arena, const struct package_list *list)
{
    Pb__GetProgramDependenciesResponse answer = PB__GET_PROGRAM_DEPENDENCIES_RESPONSE__INIT;

    answer.dependencies = ARENA_ARRAY(arena, Pb__DependencyInfo *, list->len + 1);
    for (size_t i = 0; i < list->len; i++) {
        const struct package_decl *package = &list->items[i];
        const struct parameter *parameter =
            package->parameterization.is_given ? &package->parameterization : &package->extension;
        Pb__DependencyInfo *message = ARENA_NEW(arena, Pb__DependencyInfo);
        pb__dependency_info__init(message);
        message->name = message_cstr(arena, parameter->is_given ? parameter->name : package->name);
        message->version =
            message_cstr(arena, parameter->is_given ? parameter->version : package->version);
        answer.dependencies[answer.n_dependencies++] = message;
    }
    return MESSAGE_PACK(arena, &answer);
}

fallible handle_dependencies(void *host, struct rpc_call *call, str request, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__GetProgramDependenciesRequest *message = NULL;

    (void)host;
    TRY(message_request(arena, &pb__get_program_dependencies_request__descriptor, request,
                        (void **)&message));
    return answer_packages(arena, message->info, pack_dependencies, response);
}
