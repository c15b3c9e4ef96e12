/* provider_errors.c — what a provider's failures say, in the wording that users know. */
#include "plugin/provider/provider_errors.h"

#include "base/json.h"
#include "base/program.h"
#include "base/strbuf.h"
#include "model/path.h"
#include "rpc/rpc.h"

#include "pb/errors.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/status.pb-c.h"

bool provider_is_unimplemented(const struct error *error)
{
    return error_kind(error) == ERROR_STATUS && error_status(error) == RPC_UNIMPLEMENTED;
}

/* The detail of a status that has this type; NULL if there is none. A detail that cannot be decoded
 * is treated as absent: the failure itself is what matters. */
static const void *find_detail(const struct error *error, const char *type_name,
                               const ProtobufCMessageDescriptor *type, struct arena *arena)
{
    str bytes = error_status_details(error);
    void *message;

    if (error_kind(error) != ERROR_STATUS || bytes.len == 0)
        return NULL;
    struct error *failure = message_unpack(arena, &pb__status__descriptor, bytes, &message);
    if (failure) {
        error_ignore(failure, "a status without details");
        return NULL;
    }
    const Pb__Status *status = message;
    for (size_t i = 0; i < status->n_details; i++) {
        str url = message_str(status->details[i]->type_url);
        str name = url;
        size_t slash = str_find_last(url, STR("/"));
        if (slash != SIZE_MAX)
            name = str_slice(url, slash + 1, url.len);
        if (!str_equal(name, str_from(type_name)))
            continue;
        failure = message_unpack(arena, type, message_bytes(status->details[i]->value), &message);
        if (!failure)
            return message;
        error_ignore(failure, "a status without details");
    }
    return NULL;
}

/* The same failure with another message. */
static fallible reworded(struct error *owned, str message)
{
    struct error *other = error_mark_lost(
        error_from_status(error_status(owned), message, error_status_details(owned)),
        error_is_lost(owned));
    error_ignore(owned, "said in other words");
    return other;
}

static str with_cause(const struct error *error, struct arena *arena)
{
    const Pb__ErrorCause *cause =
        find_detail(error, "pulumirpc.ErrorCause", &pb__error_cause__descriptor, arena);
    if (!cause)
        return error_message(error);
    return arena_concat(arena, error_message(error), STR(": "), message_str(cause->message));
}

fallible provider_error(struct error *owned)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    if (!owned || error_kind(owned) != ERROR_STATUS || error_status_details(owned).len == 0)
        return owned;
    return reworded(owned, with_cause(owned, &scratch));
}

fallible provider_raw_error(struct error *owned)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    if (!owned || error_kind(owned) != ERROR_STATUS)
        return owned;
    return reworded(owned, arena_concat(&scratch, STR("rpc error: code = "),
                                        str_from(rpc_status_name(error_status(owned))),
                                        STR(" desc = "), error_message(owned)));
}

/* --- lists --- */

/* "2 errors occurred:" and a line for each, as users of the reference know it. */
static str bullet_list(struct arena *arena, const str *items, size_t len)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (len == 1)
        strbuf_add(&text, STR("1 error occurred:"));
    else
        strbuf_printf(&text, "%zu errors occurred:", len);
    for (size_t i = 0; i < len; i++) {
        strbuf_add(&text, STR("\n\t* "));
        strbuf_add(&text, items[i]);
    }
    strbuf_add(&text, STR("\n\n"));
    return arena_copy(arena, strbuf_str(&text));
}

fallible provider_configure_error(struct error *owned)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    if (!owned)
        return NULL;
    const Pb__ConfigureErrorMissingKeys *missing =
        find_detail(owned, "pulumirpc.ConfigureErrorMissingKeys",
                    &pb__configure_error_missing_keys__descriptor, &scratch);
    if (!missing || missing->n_missing_keys == 0)
        return provider_error(owned);

    str *items = ARENA_ARRAY(&scratch, str, missing->n_missing_keys);
    for (size_t i = 0; i < missing->n_missing_keys; i++) {
        str name = message_str(missing->missing_keys[i]->name);
        items[i] = arena_concat(&scratch, STR("missing required configuration key \""), name,
                                STR("\": "), message_str(missing->missing_keys[i]->description),
                                STR("\nSet a value using the command `"), str_from(program_name()),
                                STR(" config set "), name, STR(" <value>`."));
    }
    return reworded(owned, bullet_list(&scratch, items, missing->n_missing_keys));
}

/* --- resources --- */

/* A provider that failed inside may have done anything; other codes say that it did nothing. A call
 * that was given up may be going on. */
static enum resource_status status_of(const struct error *error)
{
    if (error_kind(error) == ERROR_CANCELED || error_is_lost(error))
        return RESOURCE_UNKNOWN;
    if (error_kind(error) != ERROR_STATUS)
        return RESOURCE_OK;
    switch (error_status(error)) {
    case RPC_INTERNAL:
    case RPC_DATA_LOSS:
    case RPC_UNKNOWN: return RESOURCE_UNKNOWN;
    default: return RESOURCE_OK;
    }
}

fallible provider_resource_error(struct error *owned, struct arena *arena,
                                 struct provider_failure *out)
{
    *out = (struct provider_failure){ .status = status_of(owned), .id = STR("") };
    const Pb__ErrorResourceInitFailed *detail =
        find_detail(owned, "pulumirpc.ErrorResourceInitFailed",
                    &pb__error_resource_init_failed__descriptor, arena);
    if (!detail)
        return provider_error(owned);

    *out = (struct provider_failure){
        .status = RESOURCE_PARTIAL,
        .id = message_str(detail->id),
        .properties = message_get_bytes(detail, properties),
        .inputs = message_get_bytes(detail, inputs),
        .reasons = message_get_strs(arena, detail, reasons),
        .refreshes_before_update = detail->refresh_before_update,
    };
    if (out->reasons.len == 0)
        return reworded(owned, STR("resource init failed"));
    return reworded(owned, bullet_list(arena, out->reasons.items, out->reasons.len));
}

/* --- properties that were refused --- */

static void print_value(struct strbuf *out, struct value value);

static void print_object(struct strbuf *out, struct value object)
{
    strbuf_add(out, STR("map["));
    for (size_t i = 0; i < object.len; i++) {
        if (i > 0)
            strbuf_add_char(out, ' ');
        strbuf_add(out, object.members[i].key);
        strbuf_add_char(out, ':');
        print_value(out, object.members[i].value);
    }
    strbuf_add_char(out, ']');
}

static void print_array(struct strbuf *out, struct value array)
{
    strbuf_add_char(out, '[');
    for (size_t i = 0; i < array.len; i++) {
        if (i > 0)
            strbuf_add_char(out, ' ');
        print_value(out, array.items[i]);
    }
    strbuf_add_char(out, ']');
}

/* As the reference shows values in messages: braces around each. Secrets stay secret. */
static void print_value(struct strbuf *out, struct value value)
{
    if (value.kind == VALUE_COMPUTED || (value.kind == VALUE_OUTPUT && !value.output->is_known)) {
        strbuf_add(out, STR("output<string>{}"));
        return;
    }
    if (value.kind == VALUE_OUTPUT && !value.output->is_secret) {
        print_value(out, value.output->element);
        return;
    }
    strbuf_add_char(out, '{');
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: strbuf_add(out, STR("<nil>")); break;
    case VALUE_BOOL: strbuf_add(out, value.boolean ? STR("true") : STR("false")); break;
    case VALUE_NUMBER: json_format_number(out, value.number); break;
    case VALUE_STRING: strbuf_add(out, value_text(value)); break;
    case VALUE_ARRAY: print_array(out, value); break;
    case VALUE_OBJECT: print_object(out, value); break;
    case VALUE_REFERENCE: strbuf_add(out, value.reference->urn); break;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: strbuf_add(out, value.asset->hash); break;
    case VALUE_SECRET:
    case VALUE_OUTPUT:
    case VALUE_COMPUTED: strbuf_add(out, STR("[secret]")); break;
    }
    strbuf_add_char(out, '}');
}

static const struct value *find_property(struct arena *arena, str path_text, struct value inputs)
{
    struct path path;
    struct error *failure = path_parse(arena, path_text, &path);
    if (failure) {
        error_ignore(failure, "shown without its value then");
        return NULL;
    }
    const struct value *whole =
        path.len > 0 && !path.items[0].is_index ? value_find(inputs, path.items[0].key) : NULL;
    if (whole && value_contains_secret(*whole) && path.len > 1)
        return NULL; /* the path may lead into the secret */
    return path_find(path, inputs);
}

fallible provider_inputs_error(struct error *owned, struct value inputs)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (!owned || error_kind(owned) != ERROR_STATUS)
        return owned;
    strbuf_add(&text, with_cause(owned, &scratch));
    const Pb__InputPropertiesError *detail = find_detail(
        owned, "pulumirpc.InputPropertiesError", &pb__input_properties_error__descriptor, &scratch);
    for (size_t i = 0; detail && i < detail->n_errors; i++) {
        str path = message_str(detail->errors[i]->property_path);
        const struct value *value = find_property(&scratch, path, inputs);
        strbuf_add(&text, STR("\n\t\t- property "));
        strbuf_add(&text, path);
        if (value) {
            strbuf_add(&text, STR(" with value '"));
            print_value(&text, *value);
            strbuf_add_char(&text, '\'');
        }
        strbuf_add(&text, STR(" has a problem: "));
        strbuf_add(&text, message_str(detail->errors[i]->reason));
    }
    return reworded(owned, strbuf_str(&text));
}
