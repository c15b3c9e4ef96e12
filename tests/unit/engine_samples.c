/* engine_samples.c — samples of resources become states and goals. */
#include "unit/engine_parts.h"

#include "model/urn.h"

/* --- texts --- */

static bool next_word(str *rest, str *word)
{
    *rest = str_trim(*rest);
    if (rest->len == 0)
        return false;
    if (!str_cut(*rest, STR(" "), word, rest)) {
        *word = *rest;
        *rest = STR("");
    }
    return true;
}

struct strs world_list(struct world *world, const char *words)
{
    str rest = str_from(words), word;
    struct {
        VEC(str);
    } list = { 0 };

    while (next_word(&rest, &word))
        vec_add(&list, arena_copy(&world->arena, word));
    str *items = arena_copy_bytes(&world->arena, list.items, list.len * sizeof(str));
    struct strs result = { items, list.len };
    vec_release(&list);
    return result;
}

bool world_list_has(const char *words, str wanted)
{
    str rest = str_from(words), word;

    while (next_word(&rest, &word))
        if (str_equal(word, wanted))
            return true;
    return false;
}

static struct value parse_scalar(struct arena *arena, str text)
{
    double number;

    if (str_equal(text, STR("?")))
        return value_computed(UNKNOWN_STRING);
    if (str_starts_with(text, STR("!")))
        return value_secret(arena, parse_scalar(arena, str_slice(text, 1, text.len)));
    if (text.len && text.ptr[0] >= '0' && text.ptr[0] <= '9' && json_parse_number(text, &number))
        return value_number(number);
    return value_string(arena_copy(arena, text));
}

static struct value put_at(struct arena *arena, struct value object, str path, struct value value)
{
    str head, tail;

    if (!str_cut(path, STR("."), &head, &tail))
        return value_with(arena, object, arena_copy(arena, path), value);
    const struct value *inner = value_find(object, head);
    struct value changed = put_at(arena, inner ? *inner : VALUE_EMPTY_OBJECT, tail, value);
    return value_with(arena, object, arena_copy(arena, head), changed);
}

struct value world_value(struct world *world, const char *pairs)
{
    struct value object = VALUE_EMPTY_OBJECT;
    str rest = str_from(pairs), word, key, text;

    while (next_word(&rest, &word)) {
        assert_true(str_cut(word, STR("="), &key, &text));
        object = put_at(&world->arena, object, key, parse_scalar(&world->arena, text));
    }
    return object;
}

static void write_scalar(struct strbuf *out, struct value value)
{
    if (value.kind == VALUE_SECRET) {
        strbuf_add_char(out, '!');
        write_scalar(out, value.secret->element);
    } else if (value.kind == VALUE_NUMBER) {
        json_format_number(out, value.number);
    } else if (value.kind == VALUE_STRING) {
        strbuf_add(out, value_text(value));
    } else {
        strbuf_add(out, value.kind == VALUE_COMPUTED ? STR("?") : STR("null"));
    }
}

static void write_pairs(struct strbuf *out, struct value object, str prefix)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    for (uint32_t i = 0; i < object.len; i++) {
        str path = arena_concat(&scratch, prefix, object.members[i].key);
        struct value value = object.members[i].value;
        if (value.kind == VALUE_OBJECT) {
            write_pairs(out, value, arena_concat(&scratch, path, STR(".")));
            continue;
        }
        strbuf_printf(out, "%s" STR_FMT "=", out->len ? " " : "", STR_ARG(path));
        write_scalar(out, value);
    }
}

str world_value_text(struct world *world, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (value.kind == VALUE_OBJECT)
        write_pairs(&out, value, STR(""));
    return arena_copy(&world->arena, strbuf_str(&out));
}

str world_names(struct world *world, struct strs urns)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < urns.len; i++)
        strbuf_printf(&out, "%s" STR_FMT, i ? " " : "", STR_ARG(urn_name_of(urns.items[i])));
    return arena_copy(&world->arena, strbuf_str(&out));
}

/* --- names --- */

static str sample_type(const struct sample *sample)
{
    if (sample->type)
        return str_from(sample->type);
    return sample->is_component || sample->view_of ? STR("pulumi:t:C") : STR("pulumi:t:R");
}

static str plain_urn(struct world *world, str parent, str type, str name)
{
    return urn_make(&world->arena, world->project.stack, world->project.name, parent, type, name);
}

/* What the program calls so, else what the state does. */
str world_urn(const struct world *world, const char *name)
{
    const str *found = map_find(&world->new_urns, str_from(name));

    if (!found)
        found = map_find(&world->old_urns, str_from(name));
    if (found)
        return *found;
    return str_starts_with(str_from(name), STR("urn:"))
               ? str_from(name)
               : plain_urn((struct world *)world, STR(""), STR("pulumi:t:R"), str_from(name));
}

static str old_urn(struct world *world, str name)
{
    const str *found = map_find(&world->old_urns, name);

    return found ? *found : world_urn(world, arena_cstr(&world->arena, name));
}

static struct strs resolve(struct world *world, const char *names, bool in_state)
{
    struct strs list = world_list(world, names);
    str *urns = ARENA_ARRAY(&world->arena, str, list.len + 1);

    for (size_t i = 0; i < list.len; i++)
        urns[i] = in_state ? old_urn(world, list.items[i]) : world_urn(world, list.items[i].ptr);
    return (struct strs){ urns, list.len };
}

struct strs world_urns(struct world *world, const char *names)
{
    return resolve(world, names, false);
}

static void name_sample(struct world *world, struct map *urns, const struct sample *sample,
                        bool in_state)
{
    const char *parent = sample->parent ? sample->parent : sample->view_of;
    str parent_urn = !parent    ? STR("")
                     : in_state ? old_urn(world, str_from(parent))
                                : world_urn(world, parent);
    str urn = plain_urn(world, parent_urn, sample_type(sample), str_from(sample->name));

    map_put(urns, str_from(sample->name), arena_copy_bytes(&world->arena, &urn, sizeof(urn)));
}

/* --- before the run --- */

void world_old(struct world *world, const struct sample *sample)
{
    if (!sample->is_delete)
        name_sample(world, &world->old_urns, sample, true);
    vec_add(&world->olds, *sample);
}

void world_goal(struct world *world, const struct sample *sample)
{
    name_sample(world, &world->new_urns, sample, false);
    vec_add(&world->actions, ((struct action){ .sample = *sample }));
}

void world_outputs(struct world *world, const char *name, const char *outputs)
{
    const struct action action = { .sample = { .name = name, .outputs = outputs },
                                   .is_outputs = true };

    vec_add(&world->actions, action);
}

void world_script(struct world *world, const struct script *script)
{
    for (size_t i = 0; i < world->scripts.len; i++) {
        if (strcmp(world->scripts.items[i].name, script->name) != 0)
            continue;
        world->scripts.items[i] = *script;
        return;
    }
    vec_add(&world->scripts, *script);
}

static struct property_dependencies parse_uses(struct world *world, const char *uses, bool in_state,
                                               struct strs *dependencies)
{
    struct strs words = world_list(world, uses);
    struct property_dependency *items =
        ARENA_ARRAY(&world->arena, struct property_dependency, words.len + 1);

    for (size_t i = 0; i < words.len; i++) {
        str key, name;
        assert_true(str_cut(words.items[i], STR(":"), &key, &name));
        items[i].key = key;
        items[i].urns = resolve(world, arena_cstr(&world->arena, name), in_state);
        *dependencies = strs_union(&world->arena, *dependencies, items[i].urns);
    }
    return (struct property_dependencies){ items, words.len };
}

static struct resource_options sample_options(struct world *world, const struct sample *sample,
                                              bool in_state)
{
    struct resource_options options = {
        .protect = sample->protect,
        .retain_on_delete = sample->retain_on_delete,
        .replace_with = resolve(world, sample->replace_with, in_state),
        .ignore_changes = world_list(world, sample->ignore_changes),
        .replace_on_changes = world_list(world, sample->replace_on_changes),
        .additional_secret_outputs = world_list(world, sample->secret_outputs),
        .custom_timeouts = sample->timeouts,
        .import_id = str_from(sample->import_id),
    };

    if (sample->deleted_with)
        options.deleted_with = resolve(world, sample->deleted_with, in_state).items[0];
    if (sample->trigger)
        options.replacement_trigger = world_value(world, sample->trigger);
    for (int kind = 0; kind < HOOK_KINDS; kind++)
        options.hooks[kind] = world_list(world, sample->hooks[kind]);
    return options;
}

bool sample_has_provider(const struct sample *sample)
{
    return !sample->is_component && !sample->view_of && !type_is_provider(sample_type(sample));
}

static str old_id(struct world *world, const struct sample *sample)
{
    if (sample->id)
        return str_from(sample->id);
    return sample->is_component || sample->view_of
               ? STR("")
               : arena_printf(&world->arena, "id-%s", sample->name);
}

str world_provider_urn(struct world *world, const char *name)
{
    return plain_urn(world, STR(""), STR("pulumi:providers:pulumi"), str_from(name));
}

static str old_provider(struct world *world, const char *name)
{
    str urn = world_provider_urn(world, name);

    return provider_ref_format(&world->arena, urn, arena_printf(&world->arena, "id-%s", name));
}

static struct resource *old_state(struct world *world, const struct sample *sample)
{
    struct resource *state = ARENA_NEW(&world->arena, struct resource);
    const char *parent = sample->parent ? sample->parent : sample->view_of;

    state->type = sample_type(sample);
    state->parent = parent ? old_urn(world, str_from(parent)) : STR("");
    state->urn = plain_urn(world, state->parent, state->type, str_from(sample->name));
    state->is_custom = !sample->is_component && !sample->view_of;
    state->id = old_id(world, sample);
    state->inputs = world_value(world, sample->inputs);
    state->outputs = sample->outputs ? world_value(world, sample->outputs) : state->inputs;
    state->dependencies = resolve(world, sample->depends_on, true);
    state->property_dependencies = parse_uses(world, sample->uses, true, &state->dependencies);
    state->options = sample_options(world, sample, true);
    state->is_delete = sample->is_delete;
    state->is_pending_replacement = sample->is_pending_replacement;
    state->is_external = sample->is_external;
    state->is_tainted = sample->is_tainted;
    state->refreshes_before_update = sample->refreshes_before_update;
    state->init_errors = world_list(world, sample->init_error);
    state->view_of = sample->view_of ? old_urn(world, str_from(sample->view_of)) : STR("");
    state->created = state->modified = STR("2020-01-01T00:00:00Z");
    if (sample_has_provider(sample))
        state->provider =
            old_provider(world, sample->provider ? sample->provider : DEFAULT_PROVIDER);
    return state;
}

void world_pending(struct world *world, enum pending_kind kind, const char *name)
{
    const struct sample sample = { .name = name };
    const struct pending_operation operation = { old_state(world, &sample), kind };

    vec_add(&world->pending, operation);
}

void world_build_base(struct world *world)
{
    const struct sample provider = { .name = DEFAULT_PROVIDER, .type = "pulumi:providers:pulumi" };
    struct snapshot *base = &world->base;

    *base = (struct snapshot){ .metadata = STR("{}"),
                               .pending = world->pending.items,
                               .pending_count = world->pending.len };
    base->resources = ARENA_ARRAY(&world->arena, struct resource *, world->olds.len + 1);
    if (world->olds.len)
        base->resources[base->resource_count++] = old_state(world, &provider);
    for (size_t i = 0; i < world->olds.len; i++)
        base->resources[base->resource_count++] = old_state(world, &world->olds.items[i]);
    snapshot_number(base);
}

/* --- goals --- */

void sample_fill_goal(struct world *world, const struct sample *sample, struct registration *reg)
{
    struct goal *goal = &reg->goal;
    struct strs urns = world_list(world, sample->aliases);
    struct alias *aliases = ARENA_ARRAY(&world->arena, struct alias, urns.len + 2);

    for (size_t i = 0; i < urns.len; i++)
        aliases[goal->alias_count++].urn = old_urn(world, urns.items[i]);
    if (sample->alias_from || sample->alias.name.len || sample->alias.type.len
        || sample->alias.has_no_parent) {
        aliases[goal->alias_count] = sample->alias;
        if (sample->alias_from)
            aliases[goal->alias_count].parent = world_urn(world, sample->alias_from);
        goal->alias_count++;
    }
    goal->aliases = aliases;
    goal->type = sample_type(sample);
    goal->name = str_from(sample->name);
    goal->parent = sample->parent ? world_urn(world, sample->parent) : STR("");
    goal->is_custom = !sample->is_component;
    goal->inputs = world_value(world, sample->inputs);
    goal->dependencies = resolve(world, sample->depends_on, false);
    goal->property_dependencies = parse_uses(world, sample->uses, false, &goal->dependencies);
    goal->options = sample_options(world, sample, false);
    goal->has_delete_before_replace = sample->delete_first != NULL;
    goal->deletes_before_replace = sample->delete_first && strcmp(sample->delete_first, "yes") == 0;
    reg->is_read = sample->read_id != NULL;
    reg->read_id = str_from(sample->read_id);
    if (sample->extension) {
        struct extension *extension = ARENA_NEW(&world->arena, struct extension);
        extension->ref = extension->name = str_from(sample->extension);
        extension->version = STR("1.0.0");
        reg->extension = extension;
    }
}

bool sample_depends_on(struct world *world, const struct sample *sample, str urn)
{
    struct strs urns = resolve(world, sample->depends_on, false);

    parse_uses(world, sample->uses, false, &urns);
    if (sample->provider && str_equal(world_urn(world, sample->provider), urn))
        return true;
    return strs_has(urns, urn) || strs_has(resolve(world, sample->replace_with, false), urn)
           || strs_has(resolve(world, sample->deleted_with, false), urn)
           || (sample->parent && str_equal(world_urn(world, sample->parent), urn));
}
