/* message_names.c — what fields and enums are called in the protocol's JSON form.
 *
 * Our files name every field in snake_case. The protocol's own are older and mix two styles; this
 * is the list of the exceptions. */
#include "support/message_json.h"

#include "base/strbuf.h"

#include <ctype.h>

/* In camelCase wherever they occur … */
static const char *const camel_case[] = {
    "accept_outputs",
    "accept_resources",
    "accept_secrets",
    "additional_secret_outputs",
    "alias_specs",
    "arg_dependencies",
    "config_secret_keys",
    "custom_timeouts",
    "delete_before_replace",
    "delete_before_replace_defined",
    "deleted_with",
    "depends_on",
    "detailed_diff",
    "dry_run",
    "env_var_mappings",
    "has_detailed_diff",
    "has_support",
    "hide_diffs",
    "ignore_changes",
    "import_id",
    "input_dependencies",
    "input_diff",
    "missing_keys",
    "monitor_endpoint",
    "no_parent",
    "package_ref",
    "parent_stack_trace_handle",
    "parent_urn",
    "plugin_checksums",
    "property_dependencies",
    "random_seed",
    "replace_on_changes",
    "retain_on_delete",
    "return_dependencies",
    "snippet_id",
    "source_position",
    "stack_trace",
    "state_dependencies",
    "stream_id",
    "supported_features",
    "supports_partial_values",
    "supports_preview",
    "supports_result_reporting",
    NULL,
};

/* … but not in these, which are younger. */
static const char *const snake_case_types[] = {
    "ProviderHandshakeResponse",
    "TransformResourceOptions",
    "ResourceOptions",
    "TransformInvokeOptions",
    "ViewStep",
    NULL,
};

static const struct {
    const char *name;
    const char *json;
} renamed[] = {
    { "return_value", "return" },
    { "alias_urns", "aliasURNs" },
    { "plugin_download_url", "pluginDownloadURL" },
    { NULL, NULL },
};

/* Enums whose values carry the name of the type. */
static const struct {
    const char *type;
    const char *prefix;
} prefixed_enums[] = {
    { "ResourceMonitorFeature", "RESOURCE_MONITOR_FEATURE_" },
    { NULL, NULL },
};

/* Values that the SDKs have no name for; they show the number. */
static const struct {
    const char *type;
    int number;
} nameless_values[] = {
    { "Result", 2 },
    { NULL, 0 },
};

static bool is_listed(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

static str in_camel_case(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '_' && i + 1 < name.len)
            strbuf_add_char(&text, (char)toupper((unsigned char)name.ptr[++i]));
        else
            strbuf_add_char(&text, name.ptr[i]);
    }
    return arena_copy(arena, strbuf_str(&text));
}

str message_field_name(struct arena *arena, const ProtobufCMessageDescriptor *type,
                       const ProtobufCFieldDescriptor *field)
{
    if (is_listed(snake_case_types, type->short_name))
        return str_from(field->name);
    for (size_t i = 0; renamed[i].name; i++)
        if (strcmp(renamed[i].name, field->name) == 0)
            return str_from(renamed[i].json);
    str name = str_from(field->name);
    return is_listed(camel_case, field->name) ? in_camel_case(arena, name) : name;
}

static str enum_prefix(const ProtobufCEnumDescriptor *type)
{
    for (size_t i = 0; prefixed_enums[i].type; i++)
        if (strcmp(prefixed_enums[i].type, type->short_name) == 0)
            return str_from(prefixed_enums[i].prefix);
    return STR("");
}

static bool is_nameless(const ProtobufCEnumDescriptor *type, int number)
{
    for (size_t i = 0; nameless_values[i].type; i++)
        if (nameless_values[i].number == number
            && strcmp(nameless_values[i].type, type->short_name) == 0)
            return true;
    return !protobuf_c_enum_descriptor_get_value(type, number);
}

struct value message_enum_json(struct arena *arena, const ProtobufCEnumDescriptor *type, int number)
{
    if (is_nameless(type, number))
        return value_number(number);
    const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value(type, number);
    return value_string(arena_concat(arena, enum_prefix(type), str_from(value->name)));
}

bool message_enum_value(const ProtobufCEnumDescriptor *type, str name, int *out)
{
    str prefix = enum_prefix(type);

    if (str_starts_with(name, prefix))
        name = str_slice(name, prefix.len, name.len);
    for (unsigned i = 0; i < type->n_values; i++) {
        if (!str_equal(str_from(type->values[i].name), name))
            continue;
        *out = type->values[i].value;
        return true;
    }
    return false;
}
