/* plugin_environment.c — the environment of a provider's process. */
#include "plugin/process/plugin_process.h"

#include "base/json.h"
#include "base/program.h"
#include "model/value_json.h"

struct variables {
    VEC(const char *);
};

/* Most programs use the first of two equal names, so an older one is replaced in its place. */
static void plugin_environment_set(struct variables *variables, struct arena *arena, str name,
                                   str value)
{
    str entry = arena_concat(arena, name, STR("="), value);
    str prefix = str_slice(entry, 0, name.len + 1);

    for (size_t i = 0; i < variables->len; i++) {
        if (strncmp(variables->items[i], prefix.ptr, prefix.len) == 0) {
            variables->items[i] = entry.ptr;
            return;
        }
    }
    vec_add(variables, entry.ptr);
}

static str option_text(struct arena *arena, struct value value)
{
    if (value.kind == VALUE_STRING)
        return value_text(value);
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    value_write(&writer, value, SECRET_BARE);
    error_ignore(json_writer_finish(&writer), "there is no file behind it");
    return arena_copy(arena, strbuf_str(&text));
}

static str upper(struct arena *arena, str text)
{
    char *copy = arena_cstr(arena, text);
    for (char *c = copy; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return str_from(copy);
}

static void set_runtime_options(struct variables *variables, struct arena *arena,
                                struct value options)
{
    if (options.kind != VALUE_OBJECT)
        return;
    for (size_t i = 0; i < options.len; i++) {
        const struct member *member = &options.members[i];
        str name = arena_concat(arena, STR("PULUMI_RUNTIME_"), upper(arena, member->key));
        plugin_environment_set(variables, arena, name, option_text(arena, member->value));
    }
}

/* {"key": "text"} of everything under the package's namespace (empty: of all, with their
 * namespaces), secrets in clear. */
static str config_json(struct arena *arena, const struct config_facts *config, str package)
{
    struct member *members = ARENA_ARRAY(arena, struct member, config->len);
    size_t count = 0;

    for (size_t i = 0; i < config->len; i++) {
        const struct config_fact *fact = &config->items[i];
        str namespace, key = fact->key;
        if (package.len == 0
            || (str_cut(fact->key, STR(":"), &namespace, &key) && str_equal(namespace, package)))
            members[count++] = (struct member){ key, value_string(secret_reveal(fact->text)) };
    }

    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };
    value_write(&writer, value_object(arena, members, count), SECRET_BARE);
    error_ignore(json_writer_finish(&writer), "there is no file behind it");
    return arena_copy(arena, strbuf_str(&text));
}

/* As the system wants it; the list itself is released. */
static const char *const *plugin_environment_finish(struct variables *variables,
                                                    struct arena *arena)
{
    const char **copy = ARENA_ARRAY(arena, const char *, variables->len + 1);

    if (variables->len > 0)
        memcpy(copy, variables->items, variables->len * sizeof(*copy));
    vec_release(variables);
    return copy;
}

const char *const *plugin_provider_environment(const struct plugin_host *host,
                                               const struct provider_spec *spec,
                                               struct arena *arena)
{
    const struct plugin_host_options *options = &host->options;
    struct variables variables = { 0 };

    for (const char *const *entry = options->world->environment; entry && *entry; entry++)
        vec_add(&variables, *entry);
    set_runtime_options(&variables, arena, options->project->program.options);
    if (options->project->name.len > 0) {
        if (str_equal(spec->package.name, STR("pulumi-nodejs")))
            plugin_environment_set(&variables, arena, STR("PULUMI_NODEJS_PROJECT"),
                                   options->project->name);
        plugin_environment_set(&variables, arena, STR("PULUMI_PROJECT"), options->project->name);
    }
    plugin_environment_set(&variables, arena, STR("PULUMI_CONFIG"),
                           config_json(arena, options->config, spec->package.name));
    for (size_t i = 0; i < spec->env_mappings.len; i++) {
        str value = plugin_host_variable(host, spec->env_mappings.items[i].key);
        if (value.ptr)
            plugin_environment_set(&variables, arena, spec->env_mappings.items[i].value, value);
    }
    return plugin_environment_finish(&variables, arena);
}

const char *const *plugin_analyzer_environment(const struct plugin_host *host,
                                               const struct run_info *run, struct pairs added,
                                               struct arena *arena)
{
    static const char *const prefixes[] = { "PULUMI_", "PULUMI_NODEJS_" };
    const struct plugin_host_options *options = &host->options;
    struct variables variables = { 0 };

    for (const char *const *entry = options->world->environment; entry && *entry; entry++)
        vec_add(&variables, *entry);
    for (size_t i = 0; i < 2; i++) {
        str prefix = str_from(prefixes[i]);
        plugin_environment_set(&variables, arena, arena_concat(arena, prefix, STR("ORGANIZATION")),
                               run->project->organization);
        plugin_environment_set(&variables, arena, arena_concat(arena, prefix, STR("PROJECT")),
                               run->project->name);
        plugin_environment_set(&variables, arena, arena_concat(arena, prefix, STR("STACK")),
                               run->project->stack);
        plugin_environment_set(&variables, arena, arena_concat(arena, prefix, STR("DRY_RUN")),
                               run->dry_run ? STR("true") : STR("false"));
    }
    plugin_environment_set(&variables, arena, STR("PULUMI_CONFIG"),
                           config_json(arena, options->config, STR("")));
    for (size_t i = 0; i < added.len; i++)
        plugin_environment_set(&variables, arena, added.items[i].key, added.items[i].value);
    return plugin_environment_finish(&variables, arena);
}

/* The hints of a host name this program; a name that we inherited is that of another one. */
const char *const *plugin_language_environment(const struct plugin_host *host, struct arena *arena)
{
    const char *const *ours = host->options.world->environment;
    struct variables variables = { 0 };
    str name = str_from(program_name());

    if (!ours
        || (str_equal(name, STR("pulumi"))
            && !plugin_host_variable(host, STR(PROGRAM_NAME_VARIABLE)).ptr))
        return ours;
    for (const char *const *entry = ours; *entry; entry++)
        vec_add(&variables, *entry);
    plugin_environment_set(&variables, arena, STR(PROGRAM_NAME_VARIABLE), name);
    return plugin_environment_finish(&variables, arena);
}
