/* import_file.c — reads lists of resources to import and resolves the names in them. */
#include "cli/operate/import_file.h"

#include "base/base64.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/urn.h"
#include "model/value_json.h"

/* One resource as the file has it. */
struct entry {
    str version;             /* of the package, whether plugin or parameterized */
    struct import_spec spec; /* parent and provider by name until they are resolved */
    str name;                /* by which others refer to it */
    str logical_name;
    bool is_done;
};

struct import_file {
    struct arena *arena;
    struct stack_ref stack;
    struct map urns;      /* name → str *; an empty text while it is not known */
    struct map names;     /* of the entries, as a set */
    struct map ambiguous; /* names that several resources have */
    struct map taken;     /* URNs that are known, as a set */
    struct pairs table;   /* as it is in the file */
    struct {
        VEC(struct entry);
    } entries;
    struct value provider_inputs; /* name → object */
    struct strbuf problems;
    size_t problem_count;
};

static void import_file_release(struct import_file *file)
{
    map_release(&file->urns);
    map_release(&file->names);
    map_release(&file->ambiguous);
    map_release(&file->taken);
    vec_release(&file->entries);
    strbuf_release(&file->problems);
}

/* --- reading --- */

static fallible import_file_read_value(struct json_reader *reader, void *member)
{
    return value_read(reader, member);
}

static fallible read_base64(struct json_reader *reader, void *member)
{
    CLEANUP(strbuf_release) struct strbuf decoded = { 0 };
    str text;

    TRY(json_read_string(reader, &text));
    if (!base64_decode(&decoded, text))
        return error_new(ERROR_INVALID, "the value of a parameterization is not base64");
    *(str *)member = arena_copy(reader->arena, strbuf_str(&decoded));
    return NULL;
}

/* Which plugin becomes the package of the resource's type, and by what. */
static fallible read_parameterization(struct json_reader *reader, void *package_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("pluginName", struct package_ref, name, json_field_string),
        JSON_FIELD("pluginVersion", struct package_ref, version, json_field_string),
        JSON_FIELD("value", struct package_ref, parameter_value, read_base64),
        { 0 },
    };
    struct package_ref *package = package_;

    package->is_parameterized = true;
    return json_read_fields(reader, fields, package);
}

static const struct json_field entry_fields[] = {
    JSON_FIELD("type", struct entry, spec.type, json_field_string),
    JSON_FIELD("name", struct entry, name, json_field_string),
    JSON_FIELD("logicalName", struct entry, logical_name, json_field_string),
    JSON_FIELD("id", struct entry, spec.id, json_field_string),
    JSON_FIELD("parent", struct entry, spec.parent, json_field_string),
    JSON_FIELD("provider", struct entry, spec.provider, json_field_string),
    JSON_FIELD("version", struct entry, version, json_field_string),
    JSON_FIELD("pluginDownloadUrl", struct entry, spec.package.download_url, json_field_string),
    JSON_FIELD("component", struct entry, spec.is_component, json_field_bool),
    JSON_FIELD("remote", struct entry, spec.is_remote, json_field_bool),
    JSON_FIELD("properties", struct entry, spec.properties, json_field_strs),
    JSON_FIELD("inputs", struct entry, spec.inputs, import_file_read_value),
    JSON_FIELD("outputs", struct entry, spec.outputs, import_file_read_value),
    JSON_FIELD("parameterization", struct entry, spec.package, read_parameterization),
    { 0 },
};

static void put_urn(struct import_file *file, str name, str urn)
{
    str *kept = ARENA_NEW(file->arena, str);

    *kept = urn;
    map_put(&file->urns, name, kept);
}

static fallible read_table(struct json_reader *reader, void *file_)
{
    struct import_file *file = file_;

    TRY(json_field_pairs(reader, &file->table));
    for (size_t i = 0; i < file->table.len; i++)
        put_urn(file, file->table.items[i].key, file->table.items[i].value);
    return NULL;
}

static fallible read_entries(struct json_reader *reader, void *file_)
{
    struct import_file *file = file_;
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        struct entry entry = { 0 };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, entry_fields, &entry));
        entry.name = entry.name.len ? entry.name : entry.logical_name;
        entry.logical_name = entry.logical_name.len ? entry.logical_name : entry.name;
        vec_add(&file->entries, entry);
    }
}

static fallible read_file(struct import_file *file, str text)
{
    static const struct json_field fields[] = {
        { "nameTable", read_table, 0 },
        { "resources", read_entries, 0 },
        JSON_FIELD("providerInputs", struct import_file, provider_inputs, import_file_read_value),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    json_reader_init(&reader, file->arena, text);
    return json_read_fields(&reader, fields, file);
}

/* --- checking --- */

static str import_file_describe(const struct import_file *file, size_t index)
{
    const struct entry *entry = &file->entries.items[index];
    str name = entry->name.len ? entry->name : entry->spec.id;
    str who = name.len ? arena_concat(file->arena, STR("resource '"), name, STR("'"))
                       : arena_printf(file->arena, "resource %zu", index);

    return entry->spec.type.len
               ? arena_concat(file->arena, who, STR(" of type '"), entry->spec.type, STR("'"))
               : who;
}

static void import_file_complain(struct import_file *file, str text)
{
    file->problem_count++;
    strbuf_printf(&file->problems, "\n    %zu) ", file->problem_count);
    strbuf_add(&file->problems, text);
}

static void complain_about(struct import_file *file, size_t index, str what)
{
    import_file_complain(file, arena_concat(file->arena, import_file_describe(file, index), what));
}

static fallible problems(const struct import_file *file)
{
    if (!file->problem_count)
        return NULL;
    return error_new(ERROR_INVALID, "%zu error%s occurred:%s", file->problem_count,
                     file->problem_count == 1 ? "" : "s", file->problems.ptr);
}

static void check_entry(struct import_file *file, size_t index)
{
    const struct entry *entry = &file->entries.items[index];
    const struct import_spec *spec = &entry->spec;
    bool is_provider = type_is_provider(spec->type);

    if (!spec->type.len)
        complain_about(file, index, STR(" has no type"));
    if (!entry->name.len)
        complain_about(file, index, STR(" has no name"));
    if (is_provider && spec->id.len)
        complain_about(file, index,
                       STR(" has an ID, but is a provider, which is created rather than read"));
    if (is_provider && spec->is_component)
        complain_about(file, index, STR(" is a provider and may not be marked as a component"));
    if (is_provider && spec->outputs.len)
        complain_about(file, index, STR(" is a provider and may not have outputs"));
    if (!is_provider && !spec->is_component && !spec->id.len)
        complain_about(file, index, STR(" has no ID"));
    if (!is_provider && spec->is_component && spec->id.len)
        complain_about(file, index, STR(" has an ID, but is marked as a component"));
    if (spec->is_remote && !spec->is_component)
        complain_about(file, index, STR(" is marked as remote, but not as a component"));
    if (map_has(&file->names, entry->name))
        map_put(&file->ambiguous, entry->name, file);
    map_put(&file->names, entry->name, file);
}

/* --- resolving --- */

/* False while the parent is not resolved itself. */
static bool resolve_parent(struct import_file *file, size_t index, str *parent)
{
    struct entry *entry = &file->entries.items[index];
    const str *urn = map_find(&file->urns, entry->spec.parent);

    *parent = STR("");
    if (!entry->spec.parent.len)
        return true;
    if (map_has(&file->ambiguous, entry->spec.parent))
        complain_about(file, index, STR(" has an ambiguous parent"));
    if (!urn)
        import_file_complain(file,
                             arena_concat(file->arena, STR("the parent '"), entry->spec.parent,
                                          STR("' for "), import_file_describe(file, index),
                                          STR(" has no entry in 'nameTable'")));
    else
        *parent = *urn;
    return !urn || urn->len;
}

/* What names of the table that no entry has stand for. */
static void take_named(struct import_file *file)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&file->urns, &i, &entry);)
        map_put(&file->taken, *(const str *)entry->value, file);
}

/* One round over those that are left; false if nothing moved. */
static bool resolve_round(struct import_file *file)
{
    bool has_moved = false;

    for (size_t i = 0; i < file->entries.len; i++) {
        struct entry *entry = &file->entries.items[i];
        str parent;
        if (entry->is_done || !resolve_parent(file, i, &parent))
            continue;
        str urn = urn_make(file->arena, file->stack.name, file->stack.project, parent,
                           entry->spec.type, entry->logical_name);
        if (map_has(&file->taken, urn))
            complain_about(file, i,
                           STR(" has an ambiguous URN, set name (or logical name) to be unique"));
        put_urn(file, entry->name, urn);
        map_put(&file->taken, urn, file);
        entry->spec.parent = parent;
        entry->is_done = has_moved = true;
    }
    return has_moved;
}

static void resolve_provider(struct import_file *file, size_t index)
{
    struct import_spec *spec = &file->entries.items[index].spec;
    const str *urn = map_find(&file->urns, spec->provider);
    str quoted = arena_concat(file->arena, STR("the provider '"), spec->provider, STR("' for "),
                              import_file_describe(file, index));

    if (!spec->provider.len)
        return;
    if (map_has(&file->ambiguous, spec->provider))
        complain_about(file, index, STR(" has an ambiguous provider"));
    if (!urn)
        import_file_complain(
            file,
            arena_concat(file->arena, quoted, STR(" has no entry in 'nameTable' or 'resources'")));
    else if (!type_is_provider(urn_type_of(*urn)))
        import_file_complain(file, arena_concat(file->arena, quoted, STR(" is not a provider")));
    else
        spec->provider = *urn;
}

/* The file's list of configurations speaks for providers that do not speak for themselves. */
static void find_configuration(const struct import_file *file, struct entry *entry)
{
    struct import_spec *spec = &entry->spec;
    struct value list = file->provider_inputs;

    if (list.kind != VALUE_OBJECT)
        return;
    const struct value *own = value_find(list, entry->name);
    const struct value *its = value_find(list, spec->provider);
    if (type_is_provider(spec->type) && spec->inputs.kind == VALUE_NULL && own)
        spec->inputs = *own;
    if (spec->provider.len && its)
        spec->provider_inputs = *its;
}

static fallible import_file_resolve(struct import_file *file)
{
    for (size_t i = 0; i < file->entries.len; i++)
        check_entry(file, i);
    TRY(problems(file));
    for (size_t i = 0; i < file->entries.len; i++)
        put_urn(file, file->entries.items[i].name, STR(""));
    take_named(file);
    while (!file->problem_count && resolve_round(file))
        ;
    for (size_t i = 0; i < file->entries.len; i++) {
        if (!file->entries.items[i].is_done && !file->problem_count)
            complain_about(file, i, STR(" is its own ancestor"));
        find_configuration(file, &file->entries.items[i]);
        resolve_provider(file, i);
    }
    return problems(file);
}

fallible import_file_read(struct arena *arena, str text, struct stack_ref stack, bool protect,
                          struct import_list *out)
{
    CLEANUP(import_file_release) struct import_file file = { .arena = arena, .stack = stack };

    TRY(error_wrap(read_file(&file, text), "could not read import file"));
    TRY(import_file_resolve(&file));
    struct import_spec *specs = ARENA_ARRAY(arena, struct import_spec, file.entries.len);
    str *names = ARENA_ARRAY(arena, str, file.entries.len);
    for (size_t i = 0; i < file.entries.len; i++) {
        specs[i] = file.entries.items[i].spec;
        specs[i].name = file.entries.items[i].logical_name;
        names[i] = file.entries.items[i].name;
        specs[i].protect = protect;
        struct package_ref *package = &specs[i].package;
        *(package->is_parameterized ? &package->parameter_version : &package->version) =
            file.entries.items[i].version;
    }
    *out = (struct import_list){
        .specs = { specs, file.entries.len },
        .names = names,
        .table = pairs_copy(arena, (struct pairs){ file.table.items, file.table.len }),
    };
    return NULL;
}

fallible import_spec_urn(str text, const char *what, struct pair *out)
{
    struct urn parts;
    str id, urn;

    *out = (struct pair){ str_from(what), text };
    if (!str_starts_with(text, STR("urn:")))
        str_cut(text, STR("="), &out->key, &out->value);
    struct error *failure = urn_parse(out->value, &parts);
    if (failure) {
        error_free(failure);
        return error_new(ERROR_INVALID, "invalid %s URN: '" STR_FMT "'", what, STR_ARG(out->value));
    }
    bool is_reference =
        str_find(parts.name, STR("::")) != SIZE_MAX && type_is_provider(urn_type_of(out->value));
    if (!is_reference)
        return NULL;
    TRY(provider_ref_parse(out->value, &urn, &id));
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' is a provider reference: give the URN, '" STR_FMT "'",
                     STR_ARG(out->value), STR_ARG(urn));
}
