/* monitor.h — the gRPC service programs register with, one for each run of a program. */
#pragma once

#include "base/map.h"
#include "base/semver.h"
#include "base/vec.h"
#include "engine/monitor/decode.h"
#include "engine/monitor/provider_inputs.h"
#include "engine/monitor/transforms.h"
#include "fiber/sync.h"
#include "model/goal.h"
#include "plugin/plugin.h"
#include "rpc/rpc.h"

#include "pb/resource.pb-c.h"

struct course;
struct deployment;
struct engine_options;
struct estate;
struct hooks;
struct package_refs;
struct registrations;
struct registry;

/* What later registrations need of an earlier one. */
struct remembered {
    str parent;
    bool is_custom;
    bool has_id;
    const struct requested_options *bequest; /* options for its children; NULL: none */
    str provider;
    struct pairs providers; /* of a component: package → reference */
    Pb__Callback **transforms;
    size_t transform_count;
};

struct monitor {
    /* the operation that it serves */
    struct deployment *deployment;
    const struct engine_options *options;
    struct arena *arena;
    const struct estate *estate;
    struct registry *registry;
    struct hooks *hooks;
    struct course *course;
    struct registrations *registrations;
    struct latch *shut_down; /* all is done: the program may end */

    struct rpc_server *server;
    struct run_info run;
    struct map remembered;         /* URN → struct remembered * */
    struct map children;           /* parent URN → struct strs_vec * */
    struct map defaults;           /* package as text → struct default_provider * */
    struct map default_versions;   /* package → struct package_ref * */
    struct map packages;           /* reference of RegisterPackage → struct package * */
    struct map callback_clients;   /* address → struct rpc_client * */
    struct map pending_transforms; /* parent::type::name → list: of a remote component that its
                                      provider is about to register */
    struct {
        VEC(Pb__Callback *);
    } stack_transforms;
    struct {
        VEC(Pb__Callback *);
    } invoke_transforms;
    struct map traces; /* handle → struct strs *: stack trace of a Construct or Call */
    struct map
        in_flight; /* parent's URN → struct work_group *: registrations that are not answered yet */
    bool has_waiter; /* SignalAndWaitForShutdown was called */
};

/* `setup` has the operation that it serves; `packages` are those of the program, or NULL. */
fallible monitor_open(const struct monitor *setup, const struct package_refs *packages,
                      struct monitor **out);
void monitor_close(struct monitor *owned);
str monitor_trouble(const struct monitor *monitor); /* as rpc_server_trouble */
const struct run_info *monitor_run_info(const struct monitor *monitor);

/* --- handlers, one file each --- */
rpc_handler monitor_register_resource, monitor_register_outputs, monitor_read_resource,
    monitor_invoke, monitor_call, monitor_register_package, monitor_stack_transform,
    monitor_stack_invoke_transform, monitor_register_hook, monitor_register_error_hook;

/* --- shared --- */

/* Fails with that gRPC code. */
fallible monitor_refuse(enum rpc_status code, const char *format, ...) PRINTF(2, 3);

/* Fails while the plugins are being ended: asked for right before each call to a provider, since
 * what was found before may be gone. */
fallible monitor_check_open(const struct monitor *monitor);

/* default_providers.c: explicit reference, or the default provider of the package, created if
 * needed. Blocks. */
fallible monitor_provider_reference(struct monitor *monitor, struct package_ref package,
                                    str explicit_reference, struct arena *arena, str *out);
/* A version that is given has to be one. */
fallible monitor_check_version(str version);
/* What a request says of the package of a type, or the registered one that `ref` names. */
fallible monitor_package(struct monitor *monitor, str name, str version, str url, str ref,
                         struct package_ref *out);

/* packages.c */
struct package {
    struct package_ref ref;
    const struct extension *extension; /* NULL: none */
};
const struct package *monitor_find_package(const struct monitor *monitor, str ref);

/* The provider a child of `parent` gets for `package`: given, from `providers`, or inherited.
 * Empty: the default one. */
str monitor_inherited_provider(const struct monitor *monitor, str given, struct pairs providers,
                               str parent, str package);
const struct remembered *monitor_recall(const struct monitor *monitor, str urn);

/* callbacks.c: calls a function in the program; `request` and `response` are packed messages.
 * Blocks. */
fallible monitor_callback(void *monitor, const char *target, const char *token, str request,
                          struct arena *arena, str *response);

/* invoke.c */
fallible monitor_find_provider(struct monitor *monitor, struct arena *arena,
                               struct package_ref package, str given, str token,
                               struct provider **out);
Pb__CheckFailure **monitor_encode_failures(struct arena *arena, struct check_failures failures);

/* registrations.c: what is under way below which parent, for invokes that depend on resources */
struct work_group *registrations_begin(struct monitor *monitor, str parent);
void registrations_end(struct work_group *under_way);
/* True if one of the resources, or for a component one of its custom descendants, has no ID yet.
 * Waits for registrations under way. Blocks. */
fallible registrations_has_unresolved(struct monitor *monitor, struct strs urns, bool *out);

/* construct.c: a component that a provider constructs. Blocks. */
fallible monitor_construct(struct monitor *monitor, struct arena *arena,
                           const struct construct_request *request, str provider, str package_ref,
                           struct construct_answer *out);
