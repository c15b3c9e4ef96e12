/* import_skeleton.c — turns the creations of a preview into an import file whose ids are to be
 * filled in. */
#include "cli/operate/import_file.h"

#include "base/json.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/crypter.h"
#include "model/urn.h"
#include "model/value_json.h"
#include "model/value_ops.h"

#include <ctype.h>
#include <stdio.h>

struct created {
    str urn, type, name, parent, provider, version, download_url;
    struct value inputs; /* of a provider, which has no ID that the user could fill in */
    bool is_component, is_remote, is_provider;
};

struct import_skeleton {
    struct arena *arena;
    struct map names;     /* URN → str *, unique */
    struct map taken;     /* names in use */
    struct map imported;  /* URNs that the file will bring in */
    struct map providers; /* URN → const struct resource * */
    struct {
        VEC(struct created);
    } created;
};

struct import_skeleton *import_skeleton_new(struct arena *arena)
{
    struct import_skeleton *skeleton = ARENA_NEW(arena, struct import_skeleton);

    skeleton->arena = arena;
    return skeleton;
}

void import_skeleton_release(struct import_skeleton *skeleton)
{
    map_release(&skeleton->names);
    map_release(&skeleton->taken);
    map_release(&skeleton->imported);
    map_release(&skeleton->providers);
    vec_release(&skeleton->created);
}

/* The name itself, or with the type's name behind, or with a number behind that. */
static str unique_name(struct import_skeleton *skeleton, str urn)
{
    str name = urn_name_of(urn), type = urn_type_of(urn), head, last;
    char *suffix =
        arena_cstr(skeleton->arena, str_cut_last(type, STR(":"), &head, &last) ? last : type);

    if (!map_has(&skeleton->taken, name))
        return name;
    suffix[0] = (char)toupper((unsigned char)suffix[0]);
    str base = arena_concat(skeleton->arena, name, str_from(suffix)), tried = base;
    for (unsigned i = 2; map_has(&skeleton->taken, tried); i++)
        tried = arena_printf(skeleton->arena, STR_FMT "%u", STR_ARG(base), i);
    return tried;
}

static bool is_default_provider(str urn)
{
    return type_is_provider(urn_type_of(urn)) && str_starts_with(urn_name_of(urn), STR("default"));
}

static void take_provider(struct import_skeleton *skeleton, struct created *created,
                          const struct resource *new)
{
    str urn, id;

    if (!new->provider.len)
        return;
    struct error *failure = provider_ref_parse(new->provider, &urn, &id);
    if (failure) {
        error_ignore(failure, "a skeleton can do without a provider");
        return;
    }
    const struct resource *provider = map_find(&skeleton->providers, urn);
    if (!is_default_provider(urn))
        created->provider = urn;
    if (provider) {
        created->version = value_find_text(provider->inputs, STR("version"));
        created->download_url = value_find_text(provider->inputs, STR("pluginDownloadURL"));
    }
}

/* A provider is made by the import with these inputs; those that the preview does not know are left
 * to the user. Scenario import/import-file-provider. */
static struct value known_inputs(struct arena *arena, str urn, struct value inputs)
{
    CLEANUP(strbuf_release) struct strbuf unknown = { 0 };
    struct value known = VALUE_EMPTY_OBJECT;

    for (uint32_t i = 0; i < inputs.len; i++) {
        const struct member *member = &inputs.members[i];
        if (!value_contains_unknown(member->value)) {
            known = value_with(arena, known, member->key, member->value);
            continue;
        }
        strbuf_printf(&unknown, "%s" STR_FMT, unknown.len ? ", " : "", STR_ARG(member->key));
    }
    if (unknown.len)
        fprintf(stderr,
                "warning: configuration of provider " STR_FMT
                " is not known during the preview; fill it in before importing: " STR_FMT "\n",
                STR_ARG(urn), STR_ARG(strbuf_str(&unknown)));
    return value_copy(arena, known);
}

void import_skeleton_take(struct import_skeleton *skeleton, const struct event *event)
{
    const struct event_step *step = &event->resource.step;

    if (event->kind != EVENT_RESOURCE_PRE || map_has(&skeleton->names, step->urn))
        return;
    str *name = ARENA_NEW(skeleton->arena, str);
    str urn = arena_copy(skeleton->arena, step->urn);
    *name = arena_copy(skeleton->arena, unique_name(skeleton, urn));
    map_put(&skeleton->names, urn, name);
    map_put(&skeleton->taken, *name, name);
    if (type_is_provider(step->type))
        map_put(&skeleton->providers, urn, (void *)(uintptr_t)(step->new ? step->new : step->old));
    if (step->op != OP_CREATE || !step->new || str_equal(step->type, ROOT_STACK_TYPE))
        return;
    map_put(&skeleton->imported, urn, name);
    if (is_default_provider(urn))
        return;
    struct created created = {
        .urn = urn,
        .type = arena_copy(skeleton->arena, step->type),
        .name = *name,
        .is_component = !step->new->is_custom,
        .is_provider = type_is_provider(step->type),
        .is_remote = !step->new->is_custom && step->new->provider.len,
    };
    if (step->new->parent.len
        && !str_equal(urn_qualified_type_of(step->new->parent), ROOT_STACK_TYPE))
        created.parent = arena_copy(skeleton->arena, step->new->parent);
    created.inputs = created.is_provider ? known_inputs(skeleton->arena, urn, step->new->inputs)
                                         : VALUE_EMPTY_OBJECT;
    take_provider(skeleton, &created, step->new);
    vec_add(&skeleton->created, created);
}

static void member_if(struct json_writer *writer, str key, str text)
{
    if (!text.len)
        return;
    json_key(writer, key);
    json_string(writer, text);
}

static void flag_if(struct json_writer *writer, str key, bool is_set)
{
    if (!is_set)
        return;
    json_key(writer, key);
    json_bool(writer, true);
}

/* The name of another resource; one that is not imported itself joins the table. */
static str refer(struct import_skeleton *skeleton, struct map *table, str urn)
{
    const str *name = urn.len ? map_find(&skeleton->names, urn) : NULL;

    if (!name)
        return STR("");
    if (!map_has(&skeleton->imported, urn))
        map_put(table, *name, skeleton);
    return *name;
}

static void write_created(struct json_writer *writer, const struct created *created, str parent,
                          str provider)
{
    str logical_name = urn_name_of(created->urn);

    json_begin_object(writer);
    member_if(writer, STR("type"), created->type);
    member_if(writer, STR("name"), created->name);
    member_if(writer, STR("id"),
              created->is_component || created->is_provider ? STR("") : STR("<PLACEHOLDER>"));
    member_if(writer, STR("parent"), parent);
    member_if(writer, STR("provider"), provider);
    member_if(writer, STR("version"), created->version);
    member_if(writer, STR("pluginDownloadUrl"), created->download_url);
    flag_if(writer, STR("component"), created->is_component);
    flag_if(writer, STR("remote"), created->is_remote);
    if (created->inputs.len) {
        json_key(writer, STR("inputs"));
        value_write(writer, created->inputs, SECRET_CIPHERTEXT);
    }
    member_if(writer, STR("logicalName"),
              str_equal(logical_name, created->name) ? STR("") : logical_name);
    json_end_object(writer);
}

/* The table of names for parents and providers that exist already. */
static void write_table(struct import_skeleton *skeleton, struct json_writer *writer,
                        const struct map *table)
{
    const struct map_entry *entry, *known;

    if (!table->len)
        return;
    json_key(writer, STR("nameTable"));
    json_begin_object(writer);
    for (size_t i = 0; map_next(table, &i, &entry);) {
        for (size_t j = 0; map_next(&skeleton->names, &j, &known);) {
            if (str_equal(*(const str *)known->value, entry->key))
                member_if(writer, entry->key, known->key);
        }
    }
    json_end_object(writer);
}

fallible import_skeleton_text(struct import_skeleton *skeleton, struct crypter *crypter,
                              struct arena *arena, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(map_release) struct map table = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4 };

    for (size_t i = 0; i < skeleton->created.len; i++) {
        TRY(value_seal(skeleton->created.items[i].inputs, crypter, arena));
        refer(skeleton, &table, skeleton->created.items[i].parent);
        refer(skeleton, &table, skeleton->created.items[i].provider);
    }
    json_begin_object(&writer);
    write_table(skeleton, &writer, &table);
    if (skeleton->created.len) {
        json_key(&writer, STR("resources"));
        json_begin_array(&writer);
        for (size_t i = 0; i < skeleton->created.len; i++) {
            const struct created *created = &skeleton->created.items[i];
            write_created(&writer, created, refer(skeleton, &table, created->parent),
                          refer(skeleton, &table, created->provider));
        }
        json_end_array(&writer);
    }
    json_end_object(&writer);
    strbuf_add_char(&text, '\n');
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}
