/* unmarshal.c — property values from the wire. Signatures and unknowns are recognised while the
 * bytes are walked. */
#include "proto/marshal.h"

#include "base/base64.h"
#include "model/signatures.h"
#include "model/urn.h"
#include "proto/struct_rules.h"

struct unmarshal {
    struct arena *arena;
    const struct unmarshal_options *options;
};

#define QUOTED "\"" STR_FMT "\""

static fallible unmarshal_malformed(const char *what, str key, const char *problem)
{
    return error_new(ERROR_INVALID, "malformed %s for " QUOTED ": %s", what, STR_ARG(key), problem);
}

static struct value new_output(struct arena *arena, struct output output)
{
    struct output *copy = ARENA_NEW(arena, struct output);

    *copy = output;
    return (struct value){ .kind = VALUE_OUTPUT, .output = copy };
}

static fallible make_unknown(const struct unmarshal *unmarshal, str key, enum unknown_type type,
                             struct value *out)
{
    const struct unmarshal_options *options = unmarshal->options;

    if (options->reject_unknowns)
        return error_new(ERROR_INVALID, "unexpected unknown property value for " QUOTED,
                         STR_ARG(key));
    if (!options->keep_unknowns)
        *out = value_dropped();
    else if (options->keep_output_values && options->upgrade_to_output_values)
        *out = new_output(unmarshal->arena, (struct output){ 0 });
    else
        *out = value_computed(type);
    return NULL;
}

static struct value make_secret(const struct unmarshal *unmarshal, struct value element)
{
    const struct unmarshal_options *options = unmarshal->options;

    if (!options->keep_secrets || (options->joins_secrets && element.kind == VALUE_SECRET))
        return element;
    if (options->joins_secrets && element.kind == VALUE_OUTPUT) {
        struct output output = *element.output;
        output.is_secret = true;
        return new_output(unmarshal->arena, output);
    }
    if (options->keep_output_values && options->upgrade_to_output_values)
        return new_output(
            unmarshal->arena,
            (struct output){ .element = element, .is_known = true, .is_secret = true });
    return value_secret(unmarshal->arena, element);
}

static fallible on_text(void *unmarshal, str key, struct value *inout)
{
    enum unknown_type type;

    if (!unknown_from_text(value_text(*inout), &type))
        return NULL;
    return make_unknown(unmarshal, key, type, inout);
}

/* A member that has to be a string if it is there; else `out` stays. */
static fallible find_text(struct value object, str name, const char *what, str key, str *out)
{
    const struct value *found = value_find(object, name);

    if (!found)
        return NULL;
    if (found->kind != VALUE_STRING)
        return error_new(ERROR_INVALID, "malformed %s for " QUOTED ": " STR_FMT " not a string",
                         what, STR_ARG(key), STR_ARG(name));
    *out = value_text(*found);
    return NULL;
}

static fallible read_secret(struct unmarshal *unmarshal, str key, struct value *inout)
{
    const struct value *element = value_find(*inout, STR("value"));

    if (!element)
        return error_new(ERROR_INVALID, "malformed RPC secret: missing value for " QUOTED,
                         STR_ARG(key));
    *inout = make_secret(unmarshal, *element);
    return NULL;
}

static fallible read_byte_string(struct unmarshal *unmarshal, str key, struct value *inout)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str text = { 0 };

    const struct value *found = value_find(*inout, STR("value"));
    if (found && found->kind != VALUE_STRING)
        return unmarshal_malformed("byte string", key, "value is not a string");
    if (found)
        text = value_text(*found);
    if (!text.ptr)
        return unmarshal_malformed("byte string", key, "missing value");
    if (!base64_decode(&bytes, text))
        return unmarshal_malformed("byte string", key, "value is not valid base64");
    *inout = value_string(arena_copy(unmarshal->arena, strbuf_str(&bytes)));
    return NULL;
}

/* The id is a string, empty if unknown; a peer may also have sent an unknown, or an output of
 * either. */
static fallible read_reference_id(struct value object, str key, bool *has_id, str *id)
{
    const struct value *found = value_find(object, STR("id"));

    *has_id = found != NULL;
    *id = STR("");
    if (!found || found->kind == VALUE_COMPUTED
        || (found->kind == VALUE_OUTPUT && !found->output->is_known))
        return NULL;
    if (found->kind == VALUE_OUTPUT)
        found = &found->output->element;
    if (found->kind != VALUE_STRING)
        return unmarshal_malformed("resource reference", key, "id not a string");
    *id = value_text(*found);
    return NULL;
}

static void fill_from_urn(struct reference *reference)
{
    struct urn urn;
    struct error *failure = urn_parse(reference->urn, &urn);

    if (failure) {
        error_ignore(failure, "a reference with a strange URN keeps what it came with");
        return;
    }
    if (reference->name.len == 0)
        reference->name = urn.name;
    if (reference->type.len == 0)
        reference->type = urn_type(&urn);
}

static fallible read_reference(struct unmarshal *unmarshal, str key, struct value *inout)
{
    static const char what[] = "resource reference";
    struct reference reference = { 0 };
    str id;

    TRY(find_text(*inout, STR("urn"), what, key, &reference.urn));
    if (!reference.urn.ptr)
        return unmarshal_malformed(what, key, "missing urn");
    TRY(find_text(*inout, STR("name"), what, key, &reference.name));
    TRY(find_text(*inout, STR("type"), what, key, &reference.type));
    TRY(read_reference_id(*inout, key, &reference.has_id, &id));
    TRY(find_text(*inout, STR("packageVersion"), what, key, &reference.package_version));

    if (!unmarshal->options->keep_resources) {
        if (reference.has_id && id.len == 0 && unmarshal->options->keep_unknowns)
            return make_unknown(unmarshal, key, UNKNOWN_STRING, inout);
        *inout = value_string(reference.has_id ? id : reference.urn);
        return NULL;
    }
    fill_from_urn(&reference);
    if (reference.has_id)
        reference.id = id.len ? value_string(id) : value_computed(UNKNOWN_STRING);
    *inout = (struct value){
        .kind = VALUE_REFERENCE,
        .reference = arena_copy_bytes(unmarshal->arena, &reference, sizeof(reference)),
    };
    return NULL;
}

static fallible read_dependencies(struct unmarshal *unmarshal, struct value object, str key,
                                  struct output *output)
{
    const struct value *list = value_find(object, STR("dependencies"));

    if (!list)
        return NULL;
    if (list->kind != VALUE_ARRAY)
        return unmarshal_malformed("output value", key, "dependencies not an array");
    str *urns = ARENA_ARRAY(unmarshal->arena, str, list->len);
    for (size_t i = 0; i < list->len; i++) {
        if (list->items[i].kind != VALUE_STRING)
            return unmarshal_malformed("output value", key, "element in dependencies not a string");
        urns[i] = value_text(list->items[i]);
    }
    output->dependencies = urns;
    output->dependency_count = list->len;
    return NULL;
}

static fallible unmarshal_read_output(struct unmarshal *unmarshal, str key, struct value *inout)
{
    const struct value *element = value_find(*inout, STR("value"));
    const struct value *secret = value_find(*inout, STR("secret"));
    struct output output = { .is_known = element != NULL };

    if (secret && secret->kind != VALUE_BOOL)
        return unmarshal_malformed("output value", key, "secret not a bool");
    output.is_secret = secret && secret->boolean;
    if (element)
        output.element = *element;

    if (unmarshal->options->keep_output_values) {
        TRY(read_dependencies(unmarshal, *inout, key, &output));
        *inout = new_output(unmarshal->arena, output);
        return NULL;
    }
    struct value result = output.element;
    if (!output.is_known)
        TRY(make_unknown(unmarshal, key, UNKNOWN_STRING, &result));
    if (output.is_secret && result.kind != VALUE_DROPPED)
        result = make_secret(unmarshal, result);
    *inout = result;
    return NULL;
}

static struct value unmarshal_make_asset(struct arena *arena, enum value_kind kind,
                                         const struct asset *asset)
{
    return (struct value){
        .kind = (uint8_t)kind,
        .asset = arena_copy_bytes(arena, asset, sizeof(*asset)),
    };
}

/* The type of a value, as programs that parse messages know it. */
static const char *type_name(const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL: return "<nil>";
    case VALUE_BOOL: return "bool";
    case VALUE_NUMBER: return "float64";
    case VALUE_ARRAY: return "[]interface {}";
    default: return "map[string]interface {}";
    }
}

/* A member of an asset or archive that has to be a string if it is there; else `out` stays. */
static fallible find_asset_text(struct value object, str name, const char *what, str *out)
{
    const struct value *found = value_find(object, name);

    if (!found)
        return NULL;
    if (found->kind != VALUE_STRING)
        return error_new(ERROR_INVALID, "unexpected %s of type %s", what, type_name(found));
    *out = value_text(*found);
    return NULL;
}

static fallible read_asset(struct unmarshal *unmarshal, str key, struct value *inout)
{
    struct asset asset = { 0 };

    if (unmarshal->options->reject_assets)
        return error_new(ERROR_INVALID, "unexpected asset property value for " QUOTED,
                         STR_ARG(key));
    TRY(find_asset_text(*inout, STR("hash"), "asset hash", &asset.hash));
    TRY(find_asset_text(*inout, STR("text"), "asset text", &asset.text));
    TRY(find_asset_text(*inout, STR("path"), "asset path", &asset.path));
    TRY(find_asset_text(*inout, STR("uri"), "asset URI", &asset.uri));
    bool is_elided = asset.hash.len > 0 && !str_equal(asset.hash, ASSET_EMPTY_HASH);
    asset.has_text =
        asset.text.len > 0 || (asset.path.len == 0 && asset.uri.len == 0 && !is_elided);
    *inout = unmarshal_make_asset(unmarshal->arena, VALUE_ASSET, &asset);
    return NULL;
}

static fallible read_archive_members(struct value object, struct asset *archive)
{
    const struct value *members = value_find(object, STR("assets"));

    archive->has_members = true;
    archive->members = VALUE_EMPTY_OBJECT;
    if (!members)
        return NULL;
    if (members->kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "unexpected archive contents of type %s",
                         type_name(members));
    for (size_t i = 0; i < members->len; i++) {
        uint8_t kind = members->members[i].value.kind;
        if (kind != VALUE_ASSET && kind != VALUE_ARCHIVE)
            return error_new(ERROR_INVALID,
                             "archive member '" STR_FMT "' is not an asset or archive",
                             STR_ARG(members->members[i].key));
    }
    archive->members = *members;
    return NULL;
}

/* A path wins over a URI, and both over members. */
static fallible read_archive(struct unmarshal *unmarshal, str key, struct value *inout)
{
    struct asset archive = { 0 };

    if (unmarshal->options->reject_assets)
        return error_new(ERROR_INVALID, "unexpected archive property value for " QUOTED,
                         STR_ARG(key));
    TRY(find_asset_text(*inout, STR("hash"), "archive hash", &archive.hash));
    TRY(find_asset_text(*inout, STR("path"), "archive path", &archive.path));
    if (archive.path.len == 0)
        TRY(find_asset_text(*inout, STR("uri"), "archive URI", &archive.uri));
    if (archive.path.len == 0 && archive.uri.len == 0)
        TRY(read_archive_members(*inout, &archive));
    *inout = unmarshal_make_asset(unmarshal->arena, VALUE_ARCHIVE, &archive);
    return NULL;
}

static str signature_text(struct arena *arena, struct value object)
{
    const struct value *signature = value_find(object, SIGNATURE_KEY);

    if (signature->kind == VALUE_NUMBER)
        return arena_printf(arena, "%g", signature->number);
    return value_find_text(object, SIGNATURE_KEY);
}

static fallible on_signature(void *unmarshal_, str key, struct value *inout)
{
    struct unmarshal *unmarshal = unmarshal_;
    const struct {
        str signature;
        fallible (*read)(struct unmarshal *unmarshal, str key, struct value *inout);
    } readers[] = {
        { SIGNATURE_SECRET, read_secret },           { SIGNATURE_OUTPUT, unmarshal_read_output },
        { SIGNATURE_REFERENCE, read_reference },     { SIGNATURE_ASSET, read_asset },
        { SIGNATURE_BYTE_STRING, read_byte_string }, { SIGNATURE_ARCHIVE, read_archive },
    };
    str signature = signature_text(unmarshal->arena, *inout);

    if (!key.len && unmarshal->options->name)
        key = str_from(unmarshal->options->name);
    for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
        if (str_equal(signature, readers[i].signature))
            return readers[i].read(unmarshal, key, inout);
    return error_new(ERROR_INVALID,
                     "unrecognized signature '" STR_FMT "' in property map for " QUOTED,
                     STR_ARG(signature), STR_ARG(key));
}

static struct struct_rules unmarshal_make_rules(struct unmarshal *unmarshal)
{
    return (struct struct_rules){
        .context = unmarshal,
        .on_text = on_text,
        .on_signature = on_signature,
        .skips_nulls = unmarshal->options->skip_nulls,
        .skips_internal_keys = unmarshal->options->skip_internal_keys,
        .label = unmarshal->options->label,
    };
}

fallible properties_unmarshal(struct arena *arena, str bytes,
                              const struct unmarshal_options *options, struct value *out)
{
    struct unmarshal unmarshal = { arena, options };
    struct struct_rules rules = unmarshal_make_rules(&unmarshal);

    if (!bytes.ptr && options->propagate_nil) {
        *out = value_null();
        return NULL;
    }
    if (options->copy_text)
        bytes = arena_copy(arena, bytes);
    return struct_decode_with(arena, bytes, &rules, out);
}

fallible property_unmarshal(struct arena *arena, str bytes, const struct unmarshal_options *options,
                            struct value *out)
{
    struct unmarshal unmarshal = { arena, options };
    struct struct_rules rules = unmarshal_make_rules(&unmarshal);
    struct value value;

    if (options->copy_text)
        bytes = arena_copy(arena, bytes);
    TRY(struct_decode_value_with(arena, bytes, &rules, &value));
    *out = value.kind == VALUE_DROPPED ? value_null() : value;
    return NULL;
}
