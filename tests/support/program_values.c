/* program_values.c — what a program knows, and what the strings of a script refer to. */
#include "support/program.h"

#include "model/signatures.h"
#include "support/json_value.h"

/* --- bindings --- */

void program_bind(struct program *program, str label, struct binding binding)
{
    struct binding *kept = ARENA_NEW(program->arena, struct binding);

    *kept = binding;
    map_put(&program->bindings, arena_copy(program->arena, label), kept);
}

const struct binding *program_find(const struct program *program, str label)
{
    return map_find(&program->bindings, label);
}

str program_urn(const struct program *program, str label)
{
    const struct binding *binding = program_find(program, label);

    return binding ? binding->urn : label;
}

str program_provider(const struct program *program, str label)
{
    const struct binding *binding = program_find(program, label);

    if (!binding)
        return label;
    return arena_concat(program->arena, binding->urn, STR("::"),
                        binding->id.len ? binding->id : UNKNOWN_STRING_TEXT);
}

/* --- dependencies --- */

void urns_release(struct urns *urns)
{
    map_release(&urns->set);
}

void urns_add(struct urns *urns, str urn)
{
    if (urns && urn.len)
        map_put(&urns->set, urn, urns);
}

struct strs urns_sorted(struct arena *arena, const struct urns *urns)
{
    str *items = ARENA_ARRAY(arena, str, urns->set.len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(&urns->set, &i, &entry);)
        items[len++] = entry->key;
    return strs_sorted(arena, (struct strs){ items, len });
}

/* --- references: "${label}", "${label.path}" --- */

static bool is_label(str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'
              || c == '-'))
            return false;
    }
    return text.len > 0;
}

static bool parse_reference(str text, str *label, str *path)
{
    if (!str_starts_with(text, STR("${")) || !str_ends_with(text, STR("}")))
        return false;
    str inside = str_slice(text, 2, text.len - 1);
    *path = STR("");
    if (str_find_char(inside, '}') != SIZE_MAX)
        return false;
    if (str_cut(inside, STR("."), label, path) && path->len == 0)
        return false;
    if (path->len == 0)
        *label = inside;
    return is_label(*label);
}

static struct value unknown(void)
{
    return value_string(UNKNOWN_STRING_TEXT);
}

/* What a binding has under a path; secrets on the way are looked into. */
static struct value binding_get(const struct binding *binding, str path, bool is_preview)
{
    struct value absent = is_preview || !binding->is_known ? unknown() : value_null();
    struct value current = binding->outputs;
    str part;

    if (str_equal(path, STR("urn")))
        return value_string(binding->urn);
    if (path.len == 0 || str_equal(path, STR("id"))) {
        bool is_to_come = is_preview || (!binding->is_known && binding->urn.len);
        return binding->id.len == 0 && is_to_come ? unknown() : value_string(binding->id);
    }
    while (path.len) {
        if (!str_cut(path, STR("."), &part, &path)) {
            part = path;
            path = STR("");
        }
        if (str_equal(object_text(current, SIGNATURE_KEY), SIGNATURE_SECRET))
            current = object_get(current, STR("value"));
        const struct value *found = current.kind == VALUE_OBJECT ? value_find(current, part) : NULL;
        if (!found)
            return absent;
        current = *found;
    }
    return current;
}

static fallible find_label(const struct program *program, str label, const struct binding **out)
{
    *out = program_find(program, label);
    return *out ? NULL : error_new(ERROR_INVALID, "unknown label \"" STR_FMT "\"", STR_ARG(label));
}

static fallible resolve_text(const struct program *program, struct value text,
                             struct urns *dependencies, struct value *out)
{
    const struct binding *binding;
    str label, path;

    *out = text;
    if (!parse_reference(value_text(text), &label, &path))
        return NULL;
    TRY(find_label(program, label, &binding));
    urns_add(dependencies, binding->urn);
    for (size_t i = 0; i < binding->dependencies.len; i++)
        urns_add(dependencies, binding->dependencies.items[i]);
    *out = binding_get(binding, path, program->is_preview);
    return NULL;
}

/* --- the $-forms --- */

static struct value signed_object(const struct program *program, str signature)
{
    return value_with(program->arena, VALUE_EMPTY_OBJECT, SIGNATURE_KEY, value_string(signature));
}

static fallible resolve_secret(const struct program *program, struct value element,
                               struct urns *dependencies, struct value *out)
{
    struct value resolved;

    TRY(program_resolve(program, element, dependencies, &resolved));
    *out = value_with(program->arena, signed_object(program, SIGNATURE_SECRET), STR("value"),
                      resolved);
    return NULL;
}

static fallible resolve_unknown(const struct program *program, struct value element,
                                struct urns *dependencies, struct value *out)
{
    (void)program, (void)element, (void)dependencies;
    *out = unknown();
    return NULL;
}

static fallible resolve_asset(const struct program *program, struct value text,
                              struct urns *dependencies, struct value *out)
{
    (void)dependencies;
    *out = value_with(program->arena, signed_object(program, SIGNATURE_ASSET), STR("text"), text);
    return NULL;
}

static fallible resolve_resource(const struct program *program, struct value label,
                                 struct urns *dependencies, struct value *out)
{
    const struct binding *binding;

    TRY(find_label(program, value_as_text(program->arena, label), &binding));
    urns_add(dependencies, binding->urn);
    *out = value_with(program->arena, signed_object(program, SIGNATURE_REFERENCE), STR("urn"),
                      value_string(binding->urn));
    *out = value_with(program->arena, *out, STR("id"), value_string(binding->id));
    return NULL;
}

static fallible resolve_output(const struct program *program, struct value form,
                               struct urns *dependencies, struct value *out)
{
    struct arena *arena = program->arena;
    struct value result = signed_object(program, SIGNATURE_OUTPUT), element;

    if (value_has(form, STR("value"))) {
        TRY(program_resolve(program, object_get(form, STR("value")), dependencies, &element));
        result = value_with(arena, result, STR("value"), element);
    }
    if (value_has(form, STR("secret")))
        result = value_with(arena, result, STR("secret"), object_get(form, STR("secret")));
    if (value_has(form, STR("dependencies"))) {
        CLEANUP(values_release) struct values urns = { 0 };
        struct strs labels = object_strs(arena, form, STR("dependencies"));
        for (size_t i = 0; i < labels.len; i++) {
            const struct binding *binding = program_find(program, labels.items[i]);
            if (binding)
                vec_add(&urns, value_string(binding->urn));
        }
        result = value_with(arena, result, STR("dependencies"), values_array(arena, &urns));
    }
    *out = result;
    return NULL;
}

typedef struct error *resolve_form(const struct program *program, struct value element,
                                   struct urns *dependencies, struct value *out);

static const struct {
    const char *key;
    resolve_form *resolve;
} forms[] = {
    { "$secret", resolve_secret }, { "$unknown", resolve_unknown }, { "$asset", resolve_asset },
    { "$ref", resolve_resource },  { "$output", resolve_output },
};

static resolve_form *find_form(struct value object)
{
    for (size_t i = 0; object.len == 1 && i < sizeof(forms) / sizeof(*forms); i++)
        if (str_equal(object.members[0].key, str_from(forms[i].key)))
            return forms[i].resolve;
    return NULL;
}

fallible program_resolve(const struct program *program, struct value value,
                         struct urns *dependencies, struct value *out)
{
    struct arena *arena = program->arena;

    if (value.kind == VALUE_STRING)
        return resolve_text(program, value, dependencies, out);
    if (value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);
        for (size_t i = 0; i < value.len; i++)
            TRY(program_resolve(program, value.items[i], dependencies, &items[i]));
        *out = value_array(arena, items, value.len);
        return NULL;
    }
    *out = value;
    if (value.kind != VALUE_OBJECT)
        return NULL;
    resolve_form *form = find_form(value);
    if (form)
        return form(program, value.members[0].value, dependencies, out);
    struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
    for (size_t i = 0; i < value.len; i++) {
        members[i].key = value.members[i].key;
        TRY(program_resolve(program, value.members[i].value, dependencies, &members[i].value));
    }
    *out = value_object(arena, members, value.len);
    return NULL;
}

fallible program_resolve_object(const struct program *program, struct value object,
                                struct urns *dependencies, struct value *out)
{
    struct value resolved;

    TRY(program_resolve(program, object.kind == VALUE_NULL ? VALUE_EMPTY_OBJECT : object,
                        dependencies, &resolved));
    if (resolved.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "an object is wanted");
    *out = resolved;
    return NULL;
}
