/* marshal.c — property values to the wire: each special value is turned into the plain one that
 * stands for it. */
#include "proto/marshal.h"

#include "base/base64.h"
#include "model/signatures.h"
#include "proto/struct_rules.h"

struct marshal {
    struct arena *scratch; /* for the objects that stand for special values */
    const struct marshal_options *options;
};

#define QUOTED "\"" STR_FMT "\""

enum { MOST_MEMBERS = 6 };

/* An object with a signature, filled in the order of the keys. The signature's own key sorts before
 * every name. */
struct form {
    struct member members[MOST_MEMBERS];
    size_t len;
};

static void form_add(struct form *form, str key, struct value value)
{
    BUG_IF(form->len == MOST_MEMBERS);
    form->members[form->len++] = (struct member){ key, value };
}

static void form_add_text(struct form *form, str key, str text)
{
    if (text.len > 0)
        form_add(form, key, value_string(text));
}

static struct form form_with(str signature)
{
    struct form form = { .len = 0 };

    form_add(&form, SIGNATURE_KEY, value_string(signature));
    return form;
}

static struct value form_object(const struct marshal *marshal, const struct form *form)
{
    return (struct value){
        .kind = VALUE_OBJECT,
        .len = (uint32_t)form->len,
        .members =
            arena_copy_bytes(marshal->scratch, form->members, form->len * sizeof(*form->members)),
    };
}

static bool upgrades(const struct marshal_options *options)
{
    return options->keep_output_values && options->upgrade_to_output_values;
}

static fallible expand_text(const struct marshal *marshal, str key, struct value *inout)
{
    if (!marshal->options->accepts_byte_strings)
        return error_new(ERROR_INVALID,
                         "the value of property " QUOTED
                         " is not valid UTF-8, and the receiver does not accept byte strings",
                         STR_ARG(key));
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    base64_encode(&text, value_text(*inout));

    struct form form = form_with(SIGNATURE_BYTE_STRING);
    form_add(&form, STR("value"), value_string(arena_copy(marshal->scratch, strbuf_str(&text))));
    *inout = form_object(marshal, &form);
    return NULL;
}

static fallible expand_unknown(const struct marshal *marshal, str key, struct value *inout)
{
    if (marshal->options->reject_unknowns)
        return error_new(ERROR_INVALID, "unexpected unknown property value for " QUOTED,
                         STR_ARG(key));
    if (!marshal->options->keep_unknowns) {
        *inout = value_dropped();
    } else if (upgrades(marshal->options)) {
        struct form form = form_with(SIGNATURE_OUTPUT);
        *inout = form_object(marshal, &form);
    } else {
        *inout = value_string(unknown_text((enum unknown_type)inout->unknown));
    }
    return NULL;
}

static struct value dependency_list(const struct marshal *marshal, const struct output *output)
{
    struct value *items = ARENA_ARRAY(marshal->scratch, struct value, output->dependency_count);

    for (size_t i = 0; i < output->dependency_count; i++)
        items[i] = value_string(output->dependencies[i]);
    return (struct value){ .kind = VALUE_ARRAY,
                           .len = (uint32_t)output->dependency_count,
                           .items = items };
}

static void expand_output(const struct marshal *marshal, struct value *inout)
{
    const struct output *output = inout->output;

    if (!marshal->options->keep_output_values) {
        struct value element = output->is_known ? output->element : value_computed(UNKNOWN_STRING);
        *inout = output->is_secret ? value_secret(marshal->scratch, element) : element;
        return;
    }
    struct form form = form_with(SIGNATURE_OUTPUT);
    if (output->dependency_count > 0)
        form_add(&form, STR("dependencies"), dependency_list(marshal, output));
    if (output->is_secret)
        form_add(&form, STR("secret"), value_bool(true));
    if (output->is_known)
        form_add(&form, STR("value"), output->element);
    *inout = form_object(marshal, &form);
}

static fallible expand_secret(const struct marshal *marshal, str key, struct value *inout)
{
    if (inout->secret->is_opaque)
        return error_new(ERROR_OTHER, "the secret in property " QUOTED " is still encrypted",
                         STR_ARG(key));
    struct value element = inout->secret->element;
    if (!marshal->options->keep_secrets) {
        *inout = element;
        return NULL;
    }
    bool is_output = upgrades(marshal->options);
    struct form form = form_with(is_output ? SIGNATURE_OUTPUT : SIGNATURE_SECRET);
    if (is_output)
        form_add(&form, STR("secret"), value_bool(true));
    form_add(&form, STR("value"), element);
    *inout = form_object(marshal, &form);
    return NULL;
}

static void expand_reference(const struct marshal *marshal, struct value *inout)
{
    const struct reference *reference = inout->reference;

    if (!marshal->options->keep_resources) {
        *inout = reference->has_id ? reference->id : value_string(reference->urn);
        return;
    }
    struct form form = form_with(SIGNATURE_REFERENCE);
    if (reference->has_id)
        form_add(&form, STR("id"),
                 reference->id.kind == VALUE_STRING ? reference->id : value_string(STR("")));
    form_add_text(&form, STR("name"), reference->name);
    form_add_text(&form, STR("packageVersion"), reference->package_version);
    form_add_text(&form, STR("type"), reference->type);
    form_add(&form, STR("urn"), value_string(reference->urn));
    *inout = form_object(marshal, &form);
}

static fallible expand_asset(const struct marshal *marshal, str key, struct value *inout)
{
    const struct asset *asset = inout->asset;
    bool is_archive = inout->kind == VALUE_ARCHIVE;

    if (marshal->options->reject_assets)
        return error_new(ERROR_INVALID, "unexpected %s property value for " QUOTED,
                         is_archive ? "archive" : "asset", STR_ARG(key));
    struct form form = form_with(is_archive ? SIGNATURE_ARCHIVE : SIGNATURE_ASSET);
    bool has_contents = !marshal->options->elide_asset_contents;
    if (has_contents && is_archive && asset->has_members)
        form_add(&form, STR("assets"),
                 asset->members.kind == VALUE_OBJECT ? asset->members : VALUE_EMPTY_OBJECT);
    form_add_text(&form, STR("hash"), asset->hash);
    if (has_contents) {
        form_add_text(&form, STR("path"), asset->path);
        if (!is_archive)
            form_add_text(&form, STR("text"), asset->text);
        form_add_text(&form, STR("uri"), asset->uri);
    }
    *inout = form_object(marshal, &form);
    return NULL;
}

static fallible marshal_expand(void *marshal_, str key, struct value *inout)
{
    const struct marshal *marshal = marshal_;

    switch ((enum value_kind)inout->kind) {
    case VALUE_STRING: return expand_text(marshal, key, inout);
    case VALUE_COMPUTED: return expand_unknown(marshal, key, inout);
    case VALUE_SECRET: return expand_secret(marshal, key, inout);
    case VALUE_OUTPUT: expand_output(marshal, inout); return NULL;
    case VALUE_REFERENCE: expand_reference(marshal, inout); return NULL;
    case VALUE_ASSET:
    case VALUE_ARCHIVE: return expand_asset(marshal, key, inout);
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_ARRAY:
    case VALUE_OBJECT: break;
    }
    BUG_IF(true);
}

static struct struct_rules marshal_make_rules(struct marshal *marshal)
{
    return (struct struct_rules){
        .context = marshal,
        .expand = marshal_expand,
        .skips_nulls = marshal->options->skip_nulls,
        .skips_internal_keys = marshal->options->skip_internal_keys,
        .label = marshal->options->label,
    };
}

fallible properties_marshal(struct arena *arena, struct value properties,
                            const struct marshal_options *options, str *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct marshal marshal = { &scratch, options };
    struct struct_rules rules = marshal_make_rules(&marshal);

    if (properties.kind == VALUE_NULL) {
        *out = options->propagate_nil ? (str){ 0 } : STR("");
        return NULL;
    }
    return struct_encode_with(arena, properties, &rules, out);
}

fallible property_marshal(struct arena *arena, struct value value,
                          const struct marshal_options *options, str *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct marshal marshal = { &scratch, options };
    struct struct_rules rules = marshal_make_rules(&marshal);

    return struct_encode_value_with(arena, value, &rules, out);
}
