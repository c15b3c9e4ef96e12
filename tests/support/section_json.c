/* section_json.c — what --json printed as a section. */
#include "support/event_check.h"
#include "support/mask.h"
#include "support/section.h"

/* Cuts the next value off: a document from a line `{` to a line `}`, else a line. */
static str next_text(str *rest)
{
    str line, end = STR("\n}\n");
    size_t at = str_starts_with(*rest, STR("{\n")) ? str_find(*rest, end) : SIZE_MAX;

    if (at != SIZE_MAX) {
        line = str_slice(*rest, 0, at + end.len);
        *rest = str_slice(*rest, at + end.len, rest->len);
        return line;
    }
    if (!str_cut(*rest, STR("\n"), &line, rest)) {
        line = *rest;
        *rest = STR("");
    }
    return line;
}

/* A document lists messages; those that events have are left out there too. */
static struct value without_noise(struct arena *arena, struct value document)
{
    CLEANUP(values_release) struct values kept = { 0 };
    struct value list = object_get(document, STR("diagnostics"));

    if (list.kind != VALUE_ARRAY)
        return document;
    for (size_t i = 0; i < list.len; i++)
        if (!section_is_noise(object_text(list.items[i], STR("message"))))
            vec_add(&kept, list.items[i]);
    return value_with(arena, document, STR("diagnostics"), values_array(arena, &kept));
}

static bool is_noise(struct value value)
{
    const struct member *body = value.kind == VALUE_OBJECT ? event_body(value) : NULL;

    return body && section_is_noise(object_text(body->value, STR("message")));
}

static struct value without_times(struct arena *arena, struct value value)
{
    if (value_has(value, STR("duration")))
        value = value_with(arena, value, STR("duration"), value_string(STR("<dur>")));
    return section_event(arena, without_noise(arena, value));
}

fallible section_json(struct workdir *workdir, str output, struct value *out)
{
    CLEANUP(values_release) struct values values = { 0 };
    struct arena *arena = workdir->arena;

    while (output.len) {
        str text = mask_text(arena, next_text(&output), workdir->path);
        struct value value;
        struct error *failure = json_value_parse(arena, text, &value);
        if (failure)
            value = value_string(text);
        else if (value.kind == VALUE_OBJECT)
            value = without_times(arena, value);
        error_ignore(failure, "the section has the text");
        if (!is_noise(value))
            vec_add(&values, value);
    }
    *out = values_array(arena, &values);
    return NULL;
}
