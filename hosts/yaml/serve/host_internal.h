/* host_internal.h — what the files of the host share. */
#pragma once

#include "yaml/eval/eval.h"
#include "yaml/schema/schemas.h"

struct rpc_call;
struct rpc_client;
struct Pb__ProgramInfo;
struct Pb__RunRequest;

struct host {
    struct arena arena;
    struct rpc_server *server;
    str engine_address;
    struct {
        VEC(struct cancel *);
    } running; /* scopes of programs under way */
};

/* The connections of one run. */
struct link {
    struct rpc_client *monitor;
    struct rpc_client *engine;
    struct rpc_client *loader; /* NULL: no schemas are served */
};

fallible link_open(struct link *link, str monitor, str engine, str loader);
void link_close(struct link *link);
/* For struct engine_link and struct schema_loader. */
fallible link_call(void *link, const char *path, const ProtobufCMessage *request,
                   const ProtobufCMessageDescriptor *answer_type, struct arena *arena,
                   void **answer);
fallible link_schema(void *link, const struct package_decl *package, struct arena *arena,
                     str *json);

/* The calling fiber runs in a scope of its own, which Cancel fires; returns the former one, for
 * host_leave. */
struct cancel *host_enter(struct host *host);
void host_leave(struct host *host, struct cancel *former);

/* RunPlugin: serves the components of a folder as a provider until the call is canceled. */
fallible handle_run_plugin(void *host, struct rpc_call *call);

/* GeneratePackage: a file that declares the package. */
fallible handle_generate_package(void *host, struct rpc_call *call, str request, str *response);
/* Pack: the declaration is copied. */
fallible handle_pack(void *host, struct rpc_call *call, str request, str *response);
/* Link: nothing to do. */
fallible handle_link(void *host, struct rpc_call *call, str request, str *response);

/* GetRequiredPackages: the plugins of the packages that the program uses. */
fallible handle_packages(void *host, struct rpc_call *call, str request, str *response);

/* GetProgramDependencies: the packages that the program uses, each with its version. */
fallible handle_dependencies(void *host, struct rpc_call *call, str request, str *response);

/* The command that prints the program, by the options of the runtime; empty if there is none. */
fallible compiler_of(struct arena *arena, const struct Pb__ProgramInfo *info, str *out);

/* What a compiler of programs is told about the run; NULL-terminated. */
const char *const *compiler_variables(struct arena *arena, const struct Pb__RunRequest *request);

void write_complaints(str text);
