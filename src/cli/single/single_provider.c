/* single_provider.c — finds the provider that a line of `do` names in the stack, and puts what the
 * line says about its configuration on top. */
#include "cli/single/single_provider.h"

#include "cli/stack/stack_secrets.h"
#include "model/urn.h"
#include "model/value_json.h"
#include "model/value_ops.h"

#define PROVIDER_TYPE STR("pulumi:providers:")

static fallible find_provider(const struct snapshot *snapshot, str urn, str package,
                              const struct resource **out)
{
    const struct resource *found = single_find(snapshot, urn);
    str tail;

    if (!found)
        return error_new(ERROR_NOT_FOUND, "--provider: the stack has no '" STR_FMT "'",
                         STR_ARG(urn));
    if (!str_starts_with(found->type, PROVIDER_TYPE))
        return error_new(ERROR_INVALID,
                         "--provider: '" STR_FMT "' is not a provider but a " STR_FMT, STR_ARG(urn),
                         STR_ARG(found->type));
    tail = str_slice(found->type, PROVIDER_TYPE.len, found->type.len);
    if (!str_equal(tail, package))
        return error_new(ERROR_INVALID,
                         "--provider: '" STR_FMT "' is a provider of '" STR_FMT
                         "', not of '" STR_FMT "'",
                         STR_ARG(urn), STR_ARG(tail), STR_ARG(package));
    *out = found;
    return NULL;
}

static str take_text(struct arena *arena, struct value *inputs, str key)
{
    const struct value *found = value_find(*inputs, key);
    str text = found && found->kind == VALUE_STRING ? value_text(*found) : STR("");

    *inputs = value_without(arena, *inputs, key);
    return text;
}

/* What the state has of it, as a program writes that. */
static fallible take_base(struct cli *cli, const struct resource *found,
                          struct single_provider *provider)
{
    struct value inputs = value_without(cli->arena, found->inputs, STR("__internal"));

    provider->version = take_text(cli->arena, &inputs, STR("version"));
    provider->download_url = take_text(cli->arena, &inputs, STR("pluginDownloadURL"));
    return error_wrap(single_literal(cli->arena, inputs, &provider->inputs),
                      "the configuration of '" STR_FMT "'", STR_ARG(found->urn));
}

static void add_overrides(struct cli *cli, const struct single_line *line,
                          struct single_provider *provider)
{
    for (size_t i = 0; i < line->provider.len; i++)
        provider->inputs = value_with(cli->arena, provider->inputs, line->provider.members[i].key,
                                      line->provider.members[i].value);
}

static fallible single_provider_find(struct cli *cli, const struct single_line *line,
                                     const struct single_wishes *wishes,
                                     const struct snapshot *snapshot, str base,
                                     struct single_provider *out)
{
    const struct resource *found;

    *out = (struct single_provider){ .is_wanted = base.len || line->has_provider,
                                     .is_in_state = base.len && !line->has_provider,
                                     .urn = base,
                                     .name = SINGLE_PROVIDER,
                                     .inputs = VALUE_EMPTY_OBJECT,
                                     .version = wishes->package.version };
    if (base.len) {
        TRY(find_provider(snapshot, base, wishes->package.name, &found));
        TRY(take_base(cli, found, out));
    }
    add_overrides(cli, line, out);
    return NULL;
}

fallible single_provider_ask(struct cli *cli, const struct single_line *line,
                             const struct single_wishes *wishes, struct single_provider *out)
{
    struct snapshot snapshot = { 0 };

    if (wishes->provider.len)
        TRY(single_load(cli, &snapshot));
    return single_provider_find(cli, line, wishes, &snapshot, wishes->provider, out);
}

fallible single_provider_change(struct cli *cli, const struct single_line *line,
                                const struct single_wishes *wishes, const struct snapshot *snapshot,
                                str base, str urn, struct single_provider *out)
{
    str type = arena_concat(cli->arena, PROVIDER_TYPE, wishes->package.name);

    TRY(single_provider_find(cli, line, wishes, snapshot, base, out));
    if (!out->is_wanted)
        return NULL;
    out->name = out->is_in_state ? urn_name_of(base)
                                 : arena_concat(cli->arena, urn_name_of(urn), STR("-provider"));
    out->urn = single_urn(cli, snapshot, type, out->name);
    if (out->is_in_state && !str_equal(out->urn, base))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' has a parent: only the program that declares it can use it",
                         STR_ARG(base));
    return NULL;
}

void single_provider_put(struct json_writer *writer, const struct single_provider *provider,
                         str package)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    json_key(writer, SINGLE_PROVIDER);
    json_begin_object(writer);
    json_key(writer, STR("type"));
    json_string(writer, arena_concat(&scratch, PROVIDER_TYPE, package));
    json_key(writer, STR("name"));
    json_string(writer, provider->name);
    json_key(writer, STR("properties"));
    value_write(writer, provider->inputs, SECRET_BARE);
    json_key(writer, STR("options"));
    json_begin_object(writer);
    if (provider->version.len) {
        json_key(writer, STR("version"));
        json_string(writer, provider->version);
    }
    if (provider->download_url.len) {
        json_key(writer, STR("pluginDownloadURL"));
        json_string(writer, provider->download_url);
    }
    json_end_object(writer);
    json_end_object(writer);
}
