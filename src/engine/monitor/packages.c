/* packages.c — RegisterPackage: a program names the package it means once and refers to it
 * afterwards. */
#include "engine/monitor/monitor.h"

#include "base/base64.h"
#include "base/hash.h"
#include "base/uuid.h"
#include "model/snapshot.h"
#include "proto/message.h"

const struct package *monitor_find_package(const struct monitor *monitor, str ref)
{
    return ref.len ? map_find(&monitor->packages, ref) : NULL;
}

static str find_same(const struct monitor *monitor, const struct package_ref *ref)
{
    const struct map_entry *entry;

    for (size_t cursor = 0; map_next(&monitor->packages, &cursor, &entry);) {
        const struct package *package = entry->value;
        if (!package->extension && package_ref_equal(&package->ref, ref))
            return entry->key;
    }
    return STR("");
}

static struct package_ref decode(struct arena *arena, const Pb__RegisterPackageRequest *message)
{
    const Pb__Parameterization *parameter = message->parameterization;
    struct package_ref ref = {
        .name = arena_copy(arena, message_str(message->name)),
        .version = arena_copy(arena, message_str(message->version)),
        .download_url = arena_copy(arena, message_str(message->download_url)),
        .checksums = checksums_decode(arena, message->checksums, message->n_checksums),
    };

    if (str_ends_with(ref.download_url, STR("/")))
        ref.download_url.len--;
    if (parameter) {
        ref.is_parameterized = true;
        ref.parameter_name = arena_copy(arena, message_str(parameter->name));
        ref.parameter_version = arena_copy(arena, message_str(parameter->version));
        ref.parameter_value = arena_copy(arena, message_bytes(parameter->value));
    }
    return ref;
}

/* An extension is known by its content, in every run. */
static const struct extension *decode_extension(struct arena *arena,
                                                const Pb__Parameterization *message)
{
    CLEANUP(strbuf_release) struct strbuf encoded = { 0 };
    struct extension *extension = ARENA_NEW(arena, struct extension);
    str value = message_bytes(message->value);

    extension->name = arena_copy(arena, message_str(message->name));
    extension->version = arena_copy(arena, message_str(message->version));
    base64_encode(&encoded, value);
    extension->value = arena_copy(arena, strbuf_str(&encoded));
    extension->ref =
        hash_sha256_hex(arena, arena_concat(arena, extension->name, (str){ "", 1 },
                                            extension->version, (str){ "", 1 }, value));
    return extension;
}

static fallible check_parameter_version(str version)
{
    struct error *bad = version.len ? monitor_check_version(version)
                                    : error_new(ERROR_OTHER, "Version string empty");
    return error_wrap(bad, "parse parameter version " STR_FMT, STR_ARG(version));
}

fallible monitor_register_package(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = monitor->arena;
    Pb__RegisterPackageRequest *message = NULL;
    Pb__RegisterPackageResponse answer = PB__REGISTER_PACKAGE_RESPONSE__INIT;

    TRY(message_request(rpc_call_arena(call), &pb__register_package_request__descriptor, bytes,
                        (void **)&message));
    if (message->name[0] == '\0')
        return error_new(ERROR_OTHER, "package name is empty");
    TRY(error_wrap(monitor_check_version(message_str(message->version)), "parse package version %s",
                   message->version));
    if (message->parameterization)
        TRY(check_parameter_version(message_str(message->parameterization->version)));
    struct package *package = ARENA_NEW(arena, struct package);
    package->ref = decode(arena, message);
    if (message->extension)
        package->extension = decode_extension(arena, message->extension);
    str ref = package->extension ? package->extension->ref : find_same(monitor, &package->ref);
    if (ref.len == 0)
        ref = uuid_new(arena);
    if (!map_has(&monitor->packages, ref))
        map_put(&monitor->packages, ref, package);
    answer.ref = message_cstr(rpc_call_arena(call), ref);
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}
