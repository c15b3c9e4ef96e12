/* import_program.c — the blocks of the program: packages, components, resources and their options,
 * under names that are unique. */
#include "cli/codegen/import_parts.h"

#include "base/base64.h"
#include "engine/engine.h"
#include "model/urn.h"
#include "model/value_json.h"

#include <ctype.h>

static void import_writer_release(struct import_writer *writer)
{
    strbuf_release(&writer->text);
    map_release(&writer->resources);
    map_release(&writer->variables);
    map_release(&writer->taken);
    map_release(&writer->references);
}

/* --- names --- */

static void put_variable_name(struct import_writer *writer, str urn, str name)
{
    str *kept = ARENA_NEW(writer->arena, str);

    *kept = name;
    map_put(&writer->variables, urn, kept);
    map_put(&writer->taken, name, kept);
}

/* Dots would be a traversal. */
static str without_dots(struct arena *arena, str name)
{
    char *copy = arena_cstr(arena, name);

    for (size_t i = 0; i < name.len; i++)
        copy[i] = copy[i] == '.' ? '_' : copy[i];
    return (str){ copy, name.len };
}

/* The name itself, or with the type's name behind, or with a number behind that. */
static str make_variable(struct import_writer *writer, const struct import_name *import)
{
    str name = without_dots(writer->arena, import->name), tried = name;
    char *type = arena_cstr(writer->arena, schema_member(urn_type_of(import->urn)));

    if (!map_has(&writer->taken, tried))
        return tried;
    type[0] = (char)toupper((unsigned char)type[0]);
    str base = tried = arena_concat(writer->arena, name, str_from(type));
    for (unsigned i = 2; map_has(&writer->taken, tried); i++)
        tried = arena_printf(writer->arena, STR_FMT "%u", STR_ARG(base), i);
    return tried;
}

static void index_state(struct import_writer *writer)
{
    const struct snapshot *snapshot = writer->program->snapshot;

    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (!snapshot->resources[i]->is_delete)
            map_put(&writer->resources, snapshot->resources[i]->urn, snapshot->resources[i]);
}

static void name_all(struct import_writer *writer)
{
    const struct import_program *program = writer->program;

    for (size_t i = 0; i < program->table.len; i++)
        put_variable_name(writer, program->table.items[i].value,
                          without_dots(writer->arena, program->table.items[i].key));
    for (size_t i = 0; i < program->import_count; i++)
        if (!map_has(&writer->variables, program->imports[i].urn))
            put_variable_name(writer, program->imports[i].urn,
                              make_variable(writer, &program->imports[i]));
}

/* A parent or provider that nobody has named is called as it is. */
static str import_variable_of(struct import_writer *writer, str urn)
{
    const str *known = map_find(&writer->variables, urn);

    if (!known) {
        const struct import_name unnamed = { urn_name_of(urn), urn };
        put_variable_name(writer, urn, make_variable(writer, &unnamed));
        known = map_find(&writer->variables, urn);
    }
    return *known;
}

/* --- references --- */

static void note_reference(struct import_writer *writer, str text, str urn, const char *property)
{
    struct import_reference *known = text.len ? map_find(&writer->references, text) : NULL;

    if (!text.len)
        return;
    if (known) {
        known->is_ambiguous = known->is_ambiguous || !str_equal(known->urn, urn);
        return;
    }
    known = ARENA_NEW(writer->arena, struct import_reference);
    known->urn = urn;
    known->expression = arena_printf(writer->arena, STR_FMT ".%s",
                                     STR_ARG(import_variable_of(writer, urn)), property);
    map_put(&writer->references, text, known);
}

static void note_references(struct import_writer *writer)
{
    for (size_t i = 0; i < writer->program->import_count; i++) {
        str urn = writer->program->imports[i].urn;
        const struct resource *resource = map_find(&writer->resources, urn);
        if (!resource || !pcl_is_identifier(import_variable_of(writer, urn)))
            continue;
        note_reference(writer, resource->id, urn, "id");
        note_reference(writer, value_find_text(resource->outputs, STR("name")), urn, "name");
        note_reference(writer, value_find_text(resource->outputs, STR("arn")), urn, "arn");
    }
}

/* --- packages --- */

static void put_attribute(struct import_writer *writer, const char *key, str text)
{
    if (!text.len)
        return;
    pcl_new_line(writer);
    strbuf_printf(&writer->text, "%s = ", key);
    pcl_put_string(&writer->text, text);
}

static void open_block(struct import_writer *writer)
{
    strbuf_add(&writer->text, STR(" {"));
    writer->indent++;
}

static void close_block(struct import_writer *writer)
{
    writer->indent--;
    pcl_new_line(writer);
    strbuf_add_char(&writer->text, '}');
}

static void put_package(struct import_writer *writer, const struct package_ref *package)
{
    CLEANUP(strbuf_release) struct strbuf value = { 0 };

    strbuf_add(&writer->text, STR("package "));
    pcl_put_name(&writer->text, package_ref_name(package));
    open_block(writer);
    put_attribute(writer, "baseProviderName", package->name);
    put_attribute(writer, "baseProviderVersion", package->version);
    put_attribute(writer, "baseProviderDownloadUrl", package->download_url);
    if (package->is_parameterized) {
        base64_encode(&value, package->parameter_value);
        pcl_new_line(writer);
        strbuf_add(&writer->text, STR("parameterization"));
        open_block(writer);
        put_attribute(writer, "name", package->parameter_name);
        put_attribute(writer, "version", package->parameter_version);
        put_attribute(writer, "value", strbuf_str(&value));
        close_block(writer);
    }
    close_block(writer);
    strbuf_add(&writer->text, STR("\n\n"));
}

/* Of the provider's state; a provider is its own. False: there is none, as of a local component. */
static fallible find_package(const struct import_writer *writer, const struct resource *resource,
                             struct package_ref *out, bool *is_found)
{
    const struct resource *provider = type_is_provider(resource->type) ? resource : NULL;
    str urn, id;

    *is_found = false;
    if (!provider && resource->provider.len) {
        TRY(provider_ref_parse(resource->provider, &urn, &id));
        provider = map_find(&writer->resources, urn);
    }
    if (!provider && !resource->is_custom)
        return NULL;
    *is_found = true;
    if (!provider) {
        *out = (struct package_ref){ .name = type_package(resource->type) };
        return NULL;
    }
    return engine_package_of(writer->arena, provider->type, provider->inputs, out);
}

/* --- resources --- */

/* Providers keep what is no text as JSON. */
static struct value decoded(struct arena *arena, struct value value, const struct schema_type *type)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value plain = value;

    if (value.kind == VALUE_SECRET)
        return value_secret(arena, decoded(arena, value.secret->element, type));
    if (value.kind != VALUE_STRING || type->kind == TYPE_STRING || type->kind == TYPE_ENUM
        || type->kind == TYPE_ANY || type->kind == TYPE_UNION)
        return value;
    json_reader_init(&reader, arena, value_text(value));
    struct error *failure = value_read_plain(&reader, &plain);
    if (failure) {
        error_ignore(failure, "then it is the value itself");
        return value;
    }
    return plain;
}

static void put_input(struct import_writer *writer, const struct schema_property *property,
                      const struct value *value)
{
    pcl_new_line(writer);
    pcl_put_name(&writer->text, property->name);
    strbuf_add(&writer->text, STR(" = "));
    if (value)
        pcl_put_value(writer, *value, property->type);
    else if (property->has_constant)
        pcl_put_value(writer, property->constant, NULL);
    else
        pcl_put_zero(writer, property->type);
}

static void note_left_out(struct import_writer *writer, const struct resource *resource, str name,
                          str why)
{
    const struct import_program *program = writer->program;

    if (program->note)
        program->note(program->context,
                      arena_printf(writer->arena,
                                   "the code leaves out the property '" STR_FMT "' of '" STR_FMT
                                   "': " STR_FMT,
                                   STR_ARG(name), STR_ARG(urn_name_of(resource->urn)),
                                   STR_ARG(why)));
}

/* A property that refers to a resource which the program does not have. */
static void note_absent(struct import_writer *writer, const struct resource *resource,
                        const struct schema_property *property, const struct value *value)
{
    if (value && value->kind == VALUE_REFERENCE)
        note_left_out(writer, resource, property->name,
                      arena_concat(writer->arena, STR("it refers to "), value->reference->urn,
                                   STR(", which the program does not have")));
}

/* The name of an attribute is an identifier; that of a property need not be one. */
static bool import_can_name(struct import_writer *writer, const struct resource *resource, str name)
{
    bool is_name = pcl_is_identifier(name);

    if (!is_name)
        note_left_out(writer, resource, name, STR("no program can have one of that name"));
    return is_name;
}

static void put_inputs_by_schema(struct import_writer *writer, const struct resource *resource,
                                 const struct schema_resource *schema)
{
    for (size_t i = 0; i < schema->inputs.len; i++) {
        const struct schema_property *property = &schema->inputs.items[i];
        const struct value *value = value_find(resource->inputs, property->name);
        struct value plain = value ? *value : value_null();
        if (type_is_provider(resource->type))
            plain = decoded(writer->arena, plain, property->type);
        bool is_there = value && !pcl_is_absent(writer, plain);
        if (!is_there)
            note_absent(writer, resource, property, value);
        if ((is_there || property->is_required)
            && import_can_name(writer, resource, property->name))
            put_input(writer, property, is_there ? &plain : NULL);
    }
}

static void put_inputs_as_they_are(struct import_writer *writer, const struct resource *resource)
{
    for (uint32_t i = 0; i < resource->inputs.len; i++) {
        const struct member *member = &resource->inputs.members[i];
        if (str_starts_with(member->key, STR("__")) || pcl_is_absent(writer, member->value)
            || (type_is_provider(resource->type) && str_equal(member->key, STR("version")))
            || !import_can_name(writer, resource, member->key))
            continue;
        pcl_new_line(writer);
        pcl_put_name(&writer->text, member->key);
        strbuf_add(&writer->text, STR(" = "));
        pcl_put_value(writer, member->value, NULL);
    }
}

/* --- options --- */

static void begin_option(struct import_writer *writer, bool *is_open, const char *name)
{
    if (!*is_open) {
        pcl_new_line(writer);
        strbuf_add(&writer->text, STR("options"));
        open_block(writer);
        *is_open = true;
    }
    pcl_new_line(writer);
    strbuf_printf(&writer->text, "%s = ", name);
}

static void put_option_resource(struct import_writer *writer, bool *is_open, const char *name,
                                str urn)
{
    if (!urn.len)
        return;
    begin_option(writer, is_open, name);
    pcl_put_name(&writer->text, import_variable_of(writer, urn));
    vec_add(writer->edges, urn);
}

static bool refers_to(const struct str_list *edges, str urn)
{
    for (size_t i = 0; i < edges->len; i++)
        if (str_equal(edges->items[i], urn))
            return true;
    return false;
}

/* Those that are not referred to already and that the program has. */
static void put_option_resources(struct import_writer *writer, bool *is_open, const char *name,
                                 struct strs urns)
{
    bool is_first = true;

    for (size_t i = 0; i < urns.len; i++) {
        const str *variable = map_find(&writer->variables, urns.items[i]);
        if (!variable || !pcl_is_identifier(*variable) || refers_to(writer->edges, urns.items[i]))
            continue;
        if (is_first) {
            begin_option(writer, is_open, name);
            strbuf_add_char(&writer->text, '[');
        } else {
            strbuf_add(&writer->text, STR(", "));
        }
        is_first = false;
        strbuf_add(&writer->text, *variable);
        vec_add(writer->edges, urns.items[i]);
    }
    if (!is_first)
        strbuf_add_char(&writer->text, ']');
}

static void put_option_flag(struct import_writer *writer, bool *is_open, const char *name,
                            bool is_set)
{
    if (!is_set)
        return;
    begin_option(writer, is_open, name);
    strbuf_add(&writer->text, STR("true"));
}

/* a.b[0] is a traversal of PCL as it is: names behind dots, numbers in brackets. What is no such
 * path is quoted. */
static bool is_traversal(str path)
{
    size_t at = 0;

    while (at < path.len) {
        size_t start = at;
        bool is_index = path.ptr[at] == '[';
        at += is_index || (at > 0 && path.ptr[at] == '.');
        size_t inside = at;
        while (at < path.len && !strchr(".[]", path.ptr[at]))
            at++;
        str part = str_slice(path, inside, at);
        uint64_t number;
        bool is_closed = !is_index || (at < path.len && path.ptr[at] == ']');
        bool is_right = is_index ? str_to_u64(part, &number) : pcl_is_identifier(part);
        if (!is_right || !is_closed || (start > 0 && inside == start))
            return false;
        at += is_index;
    }
    return path.len > 0;
}

static void put_ignored(struct import_writer *writer, bool *is_open, struct strs paths)
{
    if (!paths.len)
        return;
    begin_option(writer, is_open, "ignoreChanges");
    strbuf_add_char(&writer->text, '[');
    for (size_t i = 0; i < paths.len; i++) {
        strbuf_add(&writer->text, i ? STR(", ") : STR(""));
        if (is_traversal(paths.items[i]))
            strbuf_add(&writer->text, paths.items[i]);
        else
            pcl_put_string(&writer->text, paths.items[i]);
    }
    strbuf_add_char(&writer->text, ']');
}

static str explicit_provider(const struct resource *resource)
{
    str urn = STR(""), id;

    if (!resource->provider.len)
        return STR("");
    error_ignore(provider_ref_parse(resource->provider, &urn, &id), "then it has none");
    return str_starts_with(urn_name_of(urn), STR("default")) ? STR("") : urn;
}

static void put_options(struct import_writer *writer, const struct resource *resource)
{
    bool is_open = false;
    bool has_parent = resource->parent.len
                      && !str_equal(urn_qualified_type_of(resource->parent), ROOT_STACK_TYPE);

    put_option_resource(writer, &is_open, "parent", has_parent ? resource->parent : STR(""));
    put_option_resource(writer, &is_open, "provider", explicit_provider(resource));
    put_option_resources(writer, &is_open, "dependsOn", resource->dependencies);
    put_option_flag(writer, &is_open, "protect", resource->options.protect);
    put_option_flag(writer, &is_open, "retainOnDelete", resource->options.retain_on_delete);
    put_ignored(writer, &is_open, resource->options.ignore_changes);
    put_option_resource(writer, &is_open, "deletedWith", resource->options.deleted_with);
    put_option_resources(writer, &is_open, "replaceWith", resource->options.replace_with);
    if (resource->options.import_id.len) {
        begin_option(writer, &is_open, "import");
        pcl_put_string(&writer->text, resource->options.import_id);
    }
    /* That of others comes with their package. */
    str version = type_is_provider(resource->type)
                      ? value_find_text(resource->inputs, STR("version"))
                      : STR("");
    if (version.len) {
        begin_option(writer, &is_open, "version");
        pcl_put_string(&writer->text, version);
    }
    if (is_open)
        close_block(writer);
}

/* --- blocks --- */

static void put_block_head(struct import_writer *writer, const struct resource *resource,
                           bool is_component)
{
    str variable = import_variable_of(writer, resource->urn), name = urn_name_of(resource->urn);

    strbuf_add(&writer->text, is_component ? STR("component ") : STR("resource "));
    pcl_put_name(&writer->text, variable);
    if (!is_component) {
        strbuf_add_char(&writer->text, ' ');
        pcl_put_string(&writer->text, resource->type);
    }
    open_block(writer);
    if (is_component)
        put_attribute(writer, "token", resource->type);
    if (!str_equal(variable, name))
        put_attribute(writer, "__logicalName", name);
}

static fallible put_resource_block(struct import_writer *writer, const struct resource *resource,
                                   struct map *packages)
{
    const struct schema_resource *known = NULL;
    struct package_ref package;
    struct schema *schema = NULL;
    bool has_package;

    writer->urn = resource->urn;
    TRY(find_package(writer, resource, &package, &has_package));
    if (has_package) {
        str label = package_ref_name(&package);
        TRY(writer->program->find_schema(writer->program->context, &package, &schema));
        if (!map_has(packages, label))
            put_package(writer, &package);
        map_put(packages, label, writer);
    }
    put_block_head(writer, resource, !has_package);
    if (schema)
        known = schema_resource(schema, resource->type);
    if (known)
        put_inputs_by_schema(writer, resource, known);
    else if (has_package)
        put_inputs_as_they_are(writer, resource);
    put_options(writer, resource);
    close_block(writer);
    strbuf_add(&writer->text, STR("\n\n"));
    return NULL;
}

/* --- cycles --- */

/* Who comes before whom; a mark of 1 is on the way, 2 is done. */
static bool finds_cycle(const struct import_writer *writer, const struct str_list *edges,
                        char *marks, size_t index)
{
    const struct import_program *program = writer->program;

    if (marks[index])
        return marks[index] == 1;
    marks[index] = 1;
    for (size_t i = 0; i < edges[index].len; i++)
        for (size_t j = 0; j < program->import_count; j++)
            if (str_equal(program->imports[j].urn, edges[index].items[i])
                && finds_cycle(writer, edges, marks, j))
                return true;
    marks[index] = 2;
    return false;
}

static bool has_cycle(const struct import_writer *writer, const struct str_list *edges)
{
    char *marks = ARENA_ARRAY(writer->arena, char, writer->program->import_count + 1);

    for (size_t i = 0; i < writer->program->import_count; i++)
        if (finds_cycle(writer, edges, marks, i))
            return true;
    return false;
}

/* --- all --- */

static fallible put_all(struct import_writer *writer, struct str_list *edges)
{
    CLEANUP(map_release) struct map packages = { 0 };
    const struct import_program *program = writer->program;

    strbuf_clear(&writer->text);
    for (size_t i = 0; i < program->import_count; i++) {
        const struct resource *resource = map_find(&writer->resources, program->imports[i].urn);
        writer->edges = &edges[i];
        edges[i].len = 0;
        if (resource)
            TRY(put_resource_block(writer, resource, &packages));
    }
    return NULL;
}

fallible import_program_write(const struct import_program *program, str *out)
{
    CLEANUP(import_writer_release)
    struct import_writer writer = { .program = program,
                                    .arena = program->arena,
                                    .has_references = true };
    struct str_list *edges =
        ARENA_ARRAY(program->arena, struct str_list, program->import_count + 1);

    index_state(&writer);
    name_all(&writer);
    note_references(&writer);
    struct error *failure = put_all(&writer, edges);
    if (!failure && has_cycle(&writer, edges)) {
        writer.has_references = false;
        failure = put_all(&writer, edges);
    }
    for (size_t i = 0; i < program->import_count; i++)
        vec_release(&edges[i]);
    TRY(failure);
    *out = arena_copy(program->arena, str_trim(strbuf_str(&writer.text)));
    if (out->len)
        *out = arena_concat(program->arena, *out, STR("\n"));
    return NULL;
}
