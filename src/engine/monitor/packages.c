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

static bool same_wish(const struct provider_wish *a, const struct provider_wish *b)
{
    return str_equal(a->package, b->package) && str_equal(a->version, b->version)
           && str_equal(a->download_url, b->download_url)
           && a->is_parameterized == b->is_parameterized && str_equal(a->plugin, b->plugin)
           && str_equal(a->plugin_version, b->plugin_version)
           && str_equal(a->parameter_value, b->parameter_value);
}

static str find_same(const struct monitor *monitor, const struct provider_wish *wish)
{
    const struct map_entry *entry;

    for (size_t cursor = 0; map_next(&monitor->packages, &cursor, &entry);) {
        const struct package *package = entry->value;
        if (!package->extension && same_wish(&package->wish, wish))
            return entry->key;
    }
    return STR("");
}

static struct provider_wish decode(struct arena *arena, const Pb__RegisterPackageRequest *message)
{
    struct provider_wish wish = {
        .package = arena_copy(arena, message_str(message->name)),
        .version = arena_copy(arena, message_str(message->version)),
        .download_url = arena_copy(arena, message_str(message->download_url)),
        .checksums = checksums_decode(arena, message->checksums, message->n_checksums),
    };

    if (str_ends_with(wish.download_url, STR("/")))
        wish.download_url.len--;
    wish.plugin = wish.package;
    if (message->parameterization) {
        wish.is_parameterized = true;
        wish.plugin_version = wish.version;
        wish.package = arena_copy(arena, message_str(message->parameterization->name));
        wish.version = arena_copy(arena, message_str(message->parameterization->version));
        wish.parameter_value = arena_copy(arena, message_bytes(message->parameterization->value));
    }
    return wish;
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

struct error *monitor_register_package(void *monitor_, struct rpc_call *call, str bytes,
                                       str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = monitor->arena;
    Pb__RegisterPackageRequest *message = NULL;
    Pb__RegisterPackageResponse answer = PB__REGISTER_PACKAGE_RESPONSE__INIT;
    struct semver version;

    TRY(message_request(rpc_call_arena(call), &pb__register_package_request__descriptor, bytes,
                        (void **)&message));
    if (message->name[0] == '\0')
        return error_new(ERROR_OTHER, "package name is empty");
    if (message->version[0] && !semver_parse(message_str(message->version), &version))
        return error_new(ERROR_OTHER, "parse package version %s: not a semantic version",
                         message->version);
    struct package *package = ARENA_NEW(arena, struct package);
    package->wish = decode(arena, message);
    if (message->extension)
        package->extension = decode_extension(arena, message->extension);
    str ref = package->extension ? package->extension->ref : find_same(monitor, &package->wish);
    if (ref.len == 0)
        ref = uuid_new(arena);
    if (!map_has(&monitor->packages, ref))
        map_put(&monitor->packages, ref, package);
    answer.ref = message_cstr(rpc_call_arena(call), ref);
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}
