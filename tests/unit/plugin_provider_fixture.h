/* plugin_provider_fixture.h — a loaded provider whose other end is a scripted peer in the same
 * process. */
#pragma once

#include "unit/on_loop.h"
#include "unit/plugin_peer.h"

#include "model/signatures.h"
#include "plugin/host/plugin_host.h"
#include "proto/marshal.h"

#include "pb/errors.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"
#include "pb/status.pb-c.h"

/* Not every test needs every helper. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"

#define URN STR("urn:pulumi:dev::proj::pkg:index:Res::name")
#define PROVIDER_URN STR("urn:pulumi:dev::proj::pulumi:providers:pkg::prov")

static struct fixture fixture;
static struct peer peer;
static struct plugin_host *host;
static struct provider *provider;

/* --- values --- */

static struct value text(const char *content)
{
    return value_string(str_from(content));
}

static struct value secret(struct value element)
{
    return value_secret(&fixture.arena, element);
}

/* object("a", value, "b", value, NULL) */
static struct value object(const char *first, ...)
{
    struct member members[16];
    size_t len = 0;
    va_list list;
    va_start(list, first);
    for (const char *key = first; key; key = va_arg(list, const char *))
        members[len++] = (struct member){ str_from(key), va_arg(list, struct value) };
    va_end(list);
    return value_object(&fixture.arena, members, len);
}

static struct value reference(void)
{
    struct reference *target = ARENA_NEW(&fixture.arena, struct reference);
    *target = (struct reference){ .urn = URN,
                                  .has_id = true,
                                  .id = text("the-id"),
                                  .name = STR("name"),
                                  .type = STR("pkg:index:Res") };
    return (struct value){ .kind = VALUE_REFERENCE, .reference = target };
}

static struct value text_asset(const char *content, const char *hash)
{
    struct asset *asset = ARENA_NEW(&fixture.arena, struct asset);
    *asset =
        (struct asset){ .hash = str_from(hash), .text = str_from(content), .has_text = *content };
    return (struct value){ .kind = VALUE_ASSET, .asset = asset };
}

/* Everything as it is on the wire, unknowns and secrets included. */
static str wire(struct value value)
{
    struct marshal_options options = { .keep_unknowns = true,
                                       .keep_secrets = true,
                                       .keep_resources = true,
                                       .keep_output_values = true,
                                       .accepts_byte_strings = true };
    str bytes;
    assert_ok(properties_marshal(&peer.arena, value, &options, &bytes));
    return bytes;
}

static void assert_wire(str bytes, struct value wanted)
{
    struct unmarshal_options options = { .keep_unknowns = true,
                                         .keep_secrets = true,
                                         .keep_resources = true,
                                         .keep_output_values = true };
    struct value got;
    assert_non_null(bytes.ptr);
    assert_ok(properties_unmarshal(&fixture.arena, bytes, &options, &got));
    assert_true(value_equal(got, wanted));
}

/* --- a provider to talk to --- */

struct abilities {
    bool is_old; /* no Handshake */
    bool secrets, resources, outputs, preview, autonaming, byte_strings;
};

static void announce(const struct abilities *abilities)
{
    Pb__ConfigureResponse configured = PB__CONFIGURE_RESPONSE__INIT;
    Pb__ProviderHandshakeResponse handshake = PB__PROVIDER_HANDSHAKE_RESPONSE__INIT;
    Pb__PluginInfo info = PB__PLUGIN_INFO__INIT;

    configured.accept_secrets = handshake.accept_secrets = abilities->secrets;
    configured.accept_resources = handshake.accept_resources = abilities->resources;
    configured.accept_outputs = handshake.accept_outputs = abilities->outputs;
    configured.supports_autonaming_configuration = handshake.supports_autonaming_configuration =
        abilities->autonaming;
    configured.supports_preview = abilities->preview;
    handshake.accepts_byte_string = abilities->byte_strings;
    info.version = (char *)"v1.2.3";
    peer_answers(&peer, "GetPluginInfo", &info.base);
    if (abilities->is_old) {
        peer_fails(&peer, "Handshake", RPC_UNIMPLEMENTED, "what?");
        peer_answers(&peer, "Configure", &configured.base);
    } else {
        peer_answers(&peer, "Handshake", &handshake.base);
    }
}

static void open_provider(const struct abilities *abilities)
{
    fixture_open(&fixture);
    peer_open(&peer);
    announce(abilities);
    fixture.world.debug_providers =
        arena_printf(&fixture.arena, "pkg:%u", rpc_server_port(peer.server));
    assert_ok(plugin_host_open(&fixture.options, &host));
    struct provider_spec spec = { .package.name = STR("pkg") };
    assert_ok(plugin_load_provider(host, &spec, &provider));
}

static void configure(struct value inputs)
{
    struct configure_request request = { .urn = PROVIDER_URN,
                                         .id = STR("some-id"),
                                         .name = STR("prov"),
                                         .type = STR("pulumi:providers:pkg"),
                                         .inputs = inputs };
    assert_ok(provider->ops->configure(provider, &request));
}

static void open_configured(const struct abilities *abilities)
{
    open_provider(abilities);
    configure(VALUE_EMPTY_OBJECT);
}

static void close_provider(void)
{
    plugin_host_close(host);
    peer_close(&peer);
    fixture_close(&fixture);
}

static const struct abilities modern = {
    .secrets = true, .resources = true, .outputs = true, .autonaming = true
};
static const struct abilities plain = { 0 };
static const struct abilities old = { .is_old = true };

/* A status with one detail of that type. */
static str detail(const char *type, const ProtobufCMessage *message)
{
    Pb__Any any = PB__ANY__INIT, *anys[] = { &any };
    Pb__Status status = PB__STATUS__INIT;
    any.type_url =
        message_cstr(&peer.arena, arena_concat(&peer.arena, STR("type.googleapis.com/pulumirpc."),
                                               str_from(type)));
    any.value = message_binary(message_pack(&peer.arena, message));
    status.code = RPC_UNKNOWN;
    status.message = (char *)"outer";
    status.details = anys;
    status.n_details = 1;
    return MESSAGE_PACK(&peer.arena, &status);
}

static void peer_fails_with(const char *method, int code, const char *type,
                            const ProtobufCMessage *message)
{
    struct reply reply = {
        .method = method, .code = code, .message = STR("outer"), .details = detail(type, message)
    };
    vec_add(&peer.replies, reply);
}

#define CALL(op, request, answer) provider->ops->op(provider, request, &fixture.arena, answer)
