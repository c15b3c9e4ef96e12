/* schema.c — the shape of a project file as tables, and a walk that reports every place where a
 * file differs from it. */
#include "project/schema.h"

#include "base/str_distance.h"
#include "base/strbuf.h"
#include "base/strs.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

enum {
    TYPE_NULL = 1,
    TYPE_STRING = 2,
    TYPE_BOOL = 4,
    TYPE_INTEGER = 8,
    TYPE_ARRAY = 16,
    TYPE_OBJECT = 32,
    TYPE_ANY = 63
};

struct schema;

struct property {
    const char *name;
    const struct schema *schema;
    bool is_required;
};

struct schema {
    unsigned types;                     /* 0: see `one_of` */
    const struct schema *const *one_of; /* ends in NULL: exactly one must fit */
    const struct property *properties;  /* ends in a name of NULL */
    const struct schema *others;        /* of members that are not listed; NULL: none is allowed */
    const struct schema *items;
    bool is_non_empty;        /* a string of at least one byte */
    const char *const *words; /* ends in NULL: the strings that are allowed */
    bool is_type;             /* the type of items: an array must say of what */
};

/* --- the tables --- */

static const struct schema any = { .types = TYPE_ANY };
static const struct schema text = { .types = TYPE_STRING };
static const struct schema text_or_null = { .types = TYPE_STRING | TYPE_NULL };
static const struct schema name = { .types = TYPE_STRING, .is_non_empty = true };
static const struct schema flag = { .types = TYPE_BOOL };
static const struct schema flag_or_null = { .types = TYPE_BOOL | TYPE_NULL };
static const struct schema integer = { .types = TYPE_INTEGER };
static const struct schema list = { .types = TYPE_ARRAY, .items = &any };
static const struct schema texts = { .types = TYPE_ARRAY, .items = &text };
static const struct schema open_map = { .types = TYPE_OBJECT, .others = &any };
static const struct schema text_map = { .types = TYPE_OBJECT, .others = &text };
static const struct schema text_map_or_null = { .types = TYPE_OBJECT | TYPE_NULL, .others = &text };

static const struct property runtime_properties[] = { { "name", &name, false },
                                                      { "options", &open_map, false },
                                                      { 0 } };
static const struct schema runtime_object = { .types = TYPE_OBJECT,
                                              .properties = runtime_properties };
static const struct schema *const runtime_forms[] = { &name, &runtime_object, NULL };
static const struct schema runtime = { .one_of = runtime_forms };

static const char *const type_names[] = { "string", "integer", "boolean", "array", "object", NULL };
static const struct schema type_name = { .types = TYPE_STRING, .words = type_names };
static const struct schema items_type;
static const struct property items_properties[] = { { "type", &type_name, true },
                                                    { "items", &items_type, false },
                                                    { 0 } };
static const struct schema items_type = {
    .types = TYPE_OBJECT, .properties = items_properties, .others = &any, .is_type = true
};

static const struct property declaration_properties[] = {
    { "type", &type_name, false },
    { "items", &items_type, false },
    { "description", &text, false },
    { "secret", &flag, false },
    { "default", &any, false },
    { "value", &any, false },
    { 0 },
};
static const struct schema declaration = { .types = TYPE_OBJECT,
                                           .properties = declaration_properties };
static const struct schema *const config_forms[] = { &text, &integer,     &flag,
                                                     &list, &declaration, NULL };
static const struct schema config_entry = { .one_of = config_forms };
static const struct schema config = { .types = TYPE_OBJECT | TYPE_STRING | TYPE_NULL,
                                      .others = &config_entry };

static const struct property backend_properties[] = { { "url", &text, false }, { 0 } };
static const struct schema backend = { .types = TYPE_OBJECT | TYPE_NULL,
                                       .properties = backend_properties };

static const char *const refresh_words[] = { "always", NULL };
static const struct schema refresh = { .types = TYPE_STRING, .words = refresh_words };
static const struct property options_properties[] = { { "refresh", &refresh, false }, { 0 } };
static const struct schema options = { .types = TYPE_OBJECT | TYPE_NULL,
                                       .properties = options_properties };

static const struct property template_value_properties[] = { { "description", &text_or_null,
                                                               false },
                                                             { "default", &any, false },
                                                             { "secret", &flag_or_null, false },
                                                             { 0 } };
static const struct schema template_value = { .types = TYPE_ANY,
                                              .properties = template_value_properties,
                                              .others = &any };
static const struct schema template_config = { .types = TYPE_OBJECT | TYPE_NULL,
                                               .others = &template_value };
static const struct property template_properties[] = {
    { "displayName", &text_or_null, false },
    { "description", &text_or_null, false },
    { "quickstart", &text_or_null, false },
    { "important", &flag_or_null, false },
    { "metadata", &text_map_or_null, false },
    { "config", &template_config, false },
    { 0 },
};
static const struct schema template = { .types = TYPE_OBJECT | TYPE_NULL,
                                        .properties = template_properties };

static const struct property package_properties[] = {
    { "source", &text, true },
    { "version", &text, false },
    { "parameters", &texts, false },
    { "pluginDownloadURL", &text, false },
    { "checksums", &text_map, false },
    { "extensions", &texts, false },
    { 0 },
};
static const struct schema package_object = { .types = TYPE_OBJECT,
                                              .properties = package_properties };
static const struct schema *const package_forms[] = { &text, &package_object, NULL };
static const struct schema package = { .one_of = package_forms };
static const struct schema packages = { .types = TYPE_OBJECT, .others = &package };

static const struct property plugin_properties[] = {
    { "name", &text, true }, { "path", &text, true }, { "version", &text, false }, { 0 }
};
static const struct schema plugin = { .types = TYPE_OBJECT, .properties = plugin_properties };
static const struct schema plugin_list = { .types = TYPE_ARRAY, .items = &plugin };
static const struct property plugins_properties[] = { { "providers", &plugin_list, false },
                                                      { "analyzers", &plugin_list, false },
                                                      { "languages", &plugin_list, false },
                                                      { 0 } };
static const struct schema plugins = { .types = TYPE_OBJECT,
                                       .properties = plugins_properties,
                                       .others = &any };

static const struct property project_properties[] = {
    { "name", &name, true },
    { "description", &text_or_null, false },
    { "author", &text_or_null, false },
    { "website", &text_or_null, false },
    { "license", &text_or_null, false },
    { "runtime", &runtime, false },
    { "main", &text_or_null, false },
    { "config", &config, false },
    { "stackConfigDir", &text_or_null, false },
    { "backend", &backend, false },
    { "options", &options, false },
    { "template", &template, false },
    { "packages", &packages, false },
    { "plugins", &plugins, false },
    { 0 },
};
static const struct schema project = { .types = TYPE_OBJECT,
                                       .properties = project_properties,
                                       .others = &any };

/* --- near misses --- */

enum { LARGEST_DISTANCE = 2 };

str schema_near_miss(str wanted, const str *names, size_t count)
{
    str best = { 0 };
    size_t closest = LARGEST_DISTANCE + 1;

    for (size_t i = 0; i < count; i++) {
        size_t away = str_distance(wanted, names[i], STR_LETTERS_ANY_CASE, LARGEST_DISTANCE);
        bool is_better =
            away < closest
            || (away == closest && away <= LARGEST_DISTANCE && str_compare(names[i], best) < 0);
        if (is_better) {
            closest = away;
            best = names[i];
        }
    }
    return best;
}

/* --- the walk --- */

struct report {
    struct arena *arena;
    struct str_list lines;
};

static void report_complain(struct report *report, str path, str message)
{
    vec_add(&report->lines, arena_concat(report->arena, STR("#"), path, STR(": "), message));
}

static unsigned schema_type_of(struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_NULL: return TYPE_NULL;
    case VALUE_BOOL: return TYPE_BOOL;
    case VALUE_NUMBER: return value.number == trunc(value.number) ? TYPE_INTEGER : 0;
    case VALUE_STRING: return TYPE_STRING;
    case VALUE_ARRAY: return TYPE_ARRAY;
    case VALUE_OBJECT: return TYPE_OBJECT;
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_SECRET:
    case VALUE_COMPUTED:
    case VALUE_OUTPUT:
    case VALUE_REFERENCE: break;
    }
    return 0;
}

static const char *word_for(unsigned type)
{
    switch (type) {
    case TYPE_NULL: return "null";
    case TYPE_BOOL: return "boolean";
    case TYPE_STRING: return "string";
    case TYPE_ARRAY: return "array";
    case TYPE_OBJECT: return "object";
    default: return "number";
    }
}

static void complain_of_type(struct report *report, str path, unsigned wanted, struct value found)
{
    static const unsigned order[] = { TYPE_OBJECT, TYPE_STRING, TYPE_INTEGER,
                                      TYPE_BOOL,   TYPE_ARRAY,  TYPE_NULL };
    CLEANUP(strbuf_release) struct strbuf message = { 0 };

    strbuf_add(&message, STR("expected"));
    const char *separator = " ";
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        if (wanted & order[i]) {
            strbuf_printf(&message, "%s%s", separator,
                          order[i] == TYPE_INTEGER ? "integer" : word_for(order[i]));
            separator = " or ";
        }
    strbuf_printf(&message, ", but got %s", word_for(schema_type_of(found)));
    report_complain(report, path, strbuf_str(&message));
}

static size_t schema_names_of(const struct schema *schema, str *names, size_t room)
{
    size_t count = 0;

    for (const struct property *property = schema->properties;
         property && property->name && count < room; property++)
        names[count++] = str_from(property->name);
    return count;
}

static int schema_compare_names(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

/* The closest name, or all that are allowed. */
static void add_hint(struct strbuf *message, const struct schema *schema, str unknown)
{
    str names[16];
    size_t count = schema_names_of(schema, names, sizeof(names) / sizeof(names[0]));
    str near = schema_near_miss(unknown, names, count);

    if (near.len) {
        strbuf_printf(message, "; did you mean '" STR_FMT "'?", STR_ARG(near));
        return;
    }
    qsort(names, count, sizeof(names[0]), schema_compare_names);
    strbuf_add(message, count == 1 ? STR("; the only allowed attribute is ")
                                   : STR("; the allowed attributes are "));
    for (size_t i = 0; i < count; i++)
        strbuf_printf(message, "%s'" STR_FMT "'",
                      i == 0           ? ""
                      : i + 1 == count ? " and "
                                       : ", ",
                      STR_ARG(names[i]));
}

static bool schema_check(struct report *report, str path, const struct schema *schema,
                         struct value value);

static const struct schema *schema_of(const struct schema *schema, str key)
{
    for (const struct property *property = schema->properties; property && property->name;
         property++)
        if (str_equal(str_from(property->name), key))
            return property->schema;
    return schema->others;
}

static bool check_unknown(struct report *report, str path, const struct schema *schema,
                          struct value value)
{
    CLEANUP(strbuf_release) struct strbuf message = { 0 };
    str last = { 0 };

    for (uint32_t i = 0; i < value.len; i++)
        if (!schema_of(schema, value.members[i].key)) {
            strbuf_add(&message, message.len ? STR(", '") : STR("additionalProperties '"));
            strbuf_add(&message, value.members[i].key);
            strbuf_add_char(&message, '\'');
            last = value.members[i].key;
        }
    if (message.len == 0)
        return true;
    strbuf_add(&message, STR(" not allowed"));
    add_hint(&message, schema, last);
    report_complain(report, path, strbuf_str(&message));
    return false;
}

static bool schema_check_required(struct report *report, str path, const struct schema *schema,
                                  struct value value)
{
    bool is_fine = true;

    for (const struct property *property = schema->properties; property && property->name;
         property++)
        if (property->is_required && !value_has(value, str_from(property->name))) {
            report_complain(
                report, path,
                arena_printf(report->arena, "missing properties: '%s'", property->name));
            is_fine = false;
        }
    bool is_array = schema->is_type && str_equal(value_find_text(value, STR("type")), STR("array"));
    if (is_array && !value_has(value, STR("items"))) {
        report_complain(report, path, STR("missing properties: 'items'"));
        is_fine = false;
    }
    return is_fine;
}

static bool check_object(struct report *report, str path, const struct schema *schema,
                         struct value value)
{
    bool is_fine = schema_check_required(report, path, schema, value);

    is_fine = check_unknown(report, path, schema, value) && is_fine;
    for (uint32_t i = 0; i < value.len; i++) {
        const struct schema *member = schema_of(schema, value.members[i].key);
        str below = arena_concat(report->arena, path, STR("/"), value.members[i].key);
        if (member && !schema_check(report, below, member, value.members[i].value))
            is_fine = false;
    }
    return is_fine;
}

static bool schema_check_text(struct report *report, str path, const struct schema *schema,
                              struct value value)
{
    CLEANUP(strbuf_release) struct strbuf message = { 0 };

    if (schema->is_non_empty && value.len == 0) {
        report_complain(report, path, STR("length must be >= 1, but got 0"));
        return false;
    }
    for (const char *const *word = schema->words; word && *word; word++)
        if (str_equal(value_text(value), str_from(*word)))
            return true;
    if (!schema->words)
        return true;
    strbuf_add(&message, schema->words[1] ? STR("value must be one of ") : STR("value must be "));
    for (const char *const *word = schema->words; *word; word++)
        strbuf_printf(&message, "%s\"%s\"", word == schema->words ? "" : ", ", *word);
    report_complain(report, path, strbuf_str(&message));
    return false;
}

/* Complaints of the forms are kept only if none fits. */
static bool check_forms(struct report *report, str path, const struct schema *schema,
                        struct value value)
{
    size_t start = report->lines.len;

    report_complain(report, path, STR("oneOf failed"));
    for (const struct schema *const *form = schema->one_of; *form; form++)
        if (schema_check(report, path, *form, value)) {
            report->lines.len = start;
            return true;
        }
    return false;
}

static bool schema_check(struct report *report, str path, const struct schema *schema,
                         struct value value)
{
    if (schema->one_of)
        return check_forms(report, path, schema, value);
    bool is_any = schema->types == TYPE_ANY;
    if (!is_any && !(schema->types & schema_type_of(value))) {
        complain_of_type(report, path, schema->types, value);
        return false;
    }
    if (value.kind == VALUE_OBJECT && (schema->properties || !is_any))
        return check_object(report, path, schema, value);
    if (value.kind == VALUE_STRING)
        return schema_check_text(report, path, schema, value);
    bool is_fine = true;
    for (uint32_t i = 0; value.kind == VALUE_ARRAY && schema->items && i < value.len; i++) {
        str below = arena_concat(report->arena, path, arena_printf(report->arena, "/%u", i));
        is_fine = schema_check(report, below, schema->items, value.items[i]) && is_fine;
    }
    return is_fine;
}

fallible schema_check_project(struct value document)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text_of_all = { 0 };
    struct report report = { .arena = &scratch };

    bool is_fine = schema_check(&report, STR(""), &project, document);
    size_t count = report.lines.len;
    strbuf_printf(&text_of_all, "%zu error%s occurred:\n", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        strbuf_printf(&text_of_all, "\t* " STR_FMT "\n", STR_ARG(report.lines.items[i]));
    vec_release(&report.lines);
    return is_fine ? NULL : error_new(ERROR_INVALID, "%s\n", text_of_all.ptr);
}
