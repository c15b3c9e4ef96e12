/* single_run.c — a program of one resource, in a folder that is there only for that long, run in
 * place of the project's. */
#include "cli/single/single_run.h"
#include "cli/single/single_provider.h"

#include "base/exit_codes.h"
#include "base/fs.h"
#include "cli/operate/operation_evaluate.h"
#include "cli/screen/json_print.h"
#include "cli/new/template_source.h"
#include "cli/stack/stack_outputs.h"
#include "cli/stack/stack_secrets.h"
#include "model/urn.h"
#include "model/resource_links.h"
#include "model/value_json.h"
#include "model/value_ops.h"

/* --- the program --- */

static void put_text(struct json_writer *writer, const char *key, str text)
{
    json_key(writer, str_from(key));
    json_string(writer, text);
}

static void put_value(struct json_writer *writer, const char *key, struct value value)
{
    json_key(writer, str_from(key));
    value_write(writer, value, SECRET_BARE);
}

/* What a program of ours is about. */
struct single_text {
    const struct single_line *line;
    const struct single_wishes *wishes;
    struct single_provider provider;
    bool is_protected;
};

static void put_options(struct json_writer *writer, const struct single_text *text)
{
    json_key(writer, STR("options"));
    json_begin_object(writer);
    if (text->provider.is_wanted)
        put_text(writer, "provider", STR("${provider}"));
    else if (text->wishes->package.version.len)
        put_text(writer, "version", text->wishes->package.version);
    if (text->is_protected) {
        json_key(writer, STR("protect"));
        json_bool(writer, true);
    }
    json_end_object(writer);
}

static void put_call(struct json_writer *writer, const struct single_text *text)
{
    json_key(writer, STR("variables"));
    json_begin_object(writer);
    json_key(writer, SINGLE_KEY);
    json_begin_object(writer);
    json_key(writer, STR("fn::invoke"));
    json_begin_object(writer);
    put_text(writer, "function", text->line->token);
    put_value(writer, "arguments", text->line->properties);
    put_options(writer, text);
    json_end_object(writer);
    json_end_object(writer);
    json_end_object(writer);
}

static void put_subject(struct json_writer *writer, const struct single_text *text)
{
    const struct single_line *line = text->line;

    json_key(writer, SINGLE_KEY);
    json_begin_object(writer);
    put_text(writer, "type", line->token);
    if (line->verb == SINGLE_READ) {
        json_key(writer, STR("get"));
        json_begin_object(writer);
        put_text(writer, "id", line->subject);
        json_end_object(writer);
    } else {
        put_text(writer, "name", line->subject);
        put_value(writer, "properties", line->properties);
    }
    put_options(writer, text);
    json_end_object(writer);
}

static void put_resources(struct json_writer *writer, const struct single_text *text)
{
    json_key(writer, STR("resources"));
    json_begin_object(writer);
    if (text->provider.is_wanted)
        single_provider_put(writer, &text->provider, text->wishes->package.name);
    if (text->line->resource)
        put_subject(writer, text);
    json_end_object(writer);
}

fallible single_with_program(struct cli *cli, const struct single_wishes *wishes, str text,
                             fallible (*task)(struct cli *cli, void *context), void *context)
{
    struct project *own = cli->project, changed = *own;
    struct project_plugin *plugins =
        ARENA_ARRAY(cli->arena, struct project_plugin, own->plugin_count + 1);
    str folder;

    TRY(fs_make_temporary(cli->arena, "template-", &folder));
    if (own->plugin_count)
        memcpy(plugins, own->plugins, own->plugin_count * sizeof(*plugins));
    plugins[own->plugin_count] = wishes->plugin;
    changed.plugins = plugins;
    changed.plugin_count = own->plugin_count + (wishes->plugin.path.len > 0);
    changed.runtime = STR("yaml");
    changed.runtime_options = VALUE_EMPTY_OBJECT;
    changed.main = folder;
    cli->project = &changed;
    struct error *failure =
        fs_replace_quick(fs_path_join(cli->arena, folder, STR("Main.yaml")), text, 0600);
    if (!failure)
        failure = task(cli, context);
    cli->project = own;
    return error_join(failure, fs_remove_tree(folder));
}

/* --- asking --- */

struct error *single_evaluate(struct cli *cli, void *question_)
{
    struct single_question *question = question_;
    struct evaluated found;

    TRY(operation_evaluate(cli, question->args, &found));
    const struct value *answer = value_find(found.exports, SINGLE_KEY);
    question->answer = answer ? *answer : found.read;
    if (value_contains_unknown(question->answer))
        return error_new(ERROR_OTHER, "the answer cannot be known without an update");
    return NULL;
}

static str question_text(struct cli *cli, const struct single_text *question)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 1 };

    json_begin_object(&writer);
    put_resources(&writer, question);
    if (question->line->function) {
        put_call(&writer, question);
        json_key(&writer, STR("outputs"));
        json_begin_object(&writer);
        put_text(&writer, "it", STR("${it}"));
        json_end_object(&writer);
    }
    json_end_object(&writer);
    return arena_copy(cli->arena, strbuf_str(&text));
}

fallible single_ask(struct cli *cli, const struct single_line *line,
                    const struct single_wishes *wishes)
{
    struct single_question question = { .args = wishes->operation };
    enum secret_form form = wishes->operation->show_secrets ? SECRET_BARE : SECRET_MASKED;
    struct single_text text = { .line = line, .wishes = wishes };
    struct json_print print;

    TRY(single_provider_ask(cli, line, wishes, &text.provider));
    TRY(single_with_program(cli, wishes, question_text(cli, &text), single_evaluate, &question));
    value_write(json_print_begin(&print, 2), value_without_internal(cli->arena, question.answer),
                form);
    json_print_end(&print);
    return NULL;
}

/* --- changing --- */

struct single_order {
    const struct operation_args *args;
    struct operation_plan plan;
};

static struct error *single_update(struct cli *cli, void *order_)
{
    const struct single_order *order = order_;
    struct operation_outcome outcome;

    return operation_run(cli, order->args, &order->plan, &outcome);
}

fallible single_load(struct cli *cli, struct snapshot *out)
{
    struct secrets *secrets;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, out, &has_deployment));
    TRY(cli_state_secrets(cli, out, &secrets));
    return snapshot_unseal(out, secrets_crypter(secrets), cli->arena);
}

const struct resource *single_find(const struct snapshot *snapshot, str urn)
{
    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (str_equal(snapshot->resources[i]->urn, urn) && !snapshot->resources[i]->is_delete)
            return snapshot->resources[i];
    return NULL;
}

str single_urn(struct cli *cli, const struct snapshot *snapshot, str type, str name)
{
    str root = STR("");

    for (size_t i = 0; i < snapshot->resource_count && !root.len; i++)
        if (str_equal(snapshot->resources[i]->type, STR("pulumi:pulumi:Stack")))
            root = snapshot->resources[i]->urn;
    return urn_make(cli->arena, cli->stack.name, cli->stack.project, root, type, name);
}

/* The name of a resource below the stack, or any URN. */
static str subject_urn(struct cli *cli, const struct snapshot *snapshot,
                       const struct single_line *line)
{
    return str_starts_with(line->subject, STR("urn:"))
               ? line->subject
               : single_urn(cli, snapshot, line->token, line->subject);
}

/* One that a program could not declare alone is changed where it is declared. */
static fallible check_alone(const struct snapshot *snapshot, const struct resource *resource)
{
    const struct resource *parent = single_find(snapshot, resource->parent);

    if ((parent && !str_equal(parent->type, STR("pulumi:pulumi:Stack")))
        || resource->dependencies.len)
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' has a parent or depends on others: "
                         "change the program that declares it",
                         STR_ARG(resource->urn));
    return NULL;
}

/* Of a resource that has one of its own; it keeps it. */
static str own_provider(const struct resource *resource)
{
    str provider = resource ? resource_provider_urn(resource) : STR("");

    return str_find(provider, STR("::default")) == SIZE_MAX ? provider : STR("");
}

/* Old inputs stay where the line says nothing else. */
static fallible merge_old(struct cli *cli, const struct resource *old, struct single_line *line)
{
    struct value given = line->properties;

    TRY(error_wrap(single_literal(cli->arena, old->inputs, &line->properties),
                   "'" STR_FMT "' cannot be changed here", STR_ARG(old->urn)));
    line->properties = value_without(cli->arena, line->properties, STR("__defaults"));
    for (size_t i = 0; i < given.len; i++)
        line->properties =
            value_with(cli->arena, line->properties, given.members[i].key, given.members[i].value);
    return NULL;
}

static fallible change_text(struct cli *cli, const struct single_text *change,
                            const struct snapshot *snapshot, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 1 };
    struct value outputs;

    /* What the stack exports stays as it is. */
    TRY(error_wrap(single_literal(cli->arena, stack_outputs_find(snapshot), &outputs),
                   "the outputs of the stack"));
    json_begin_object(&writer);
    put_resources(&writer, change);
    put_value(&writer, "outputs", outputs);
    json_end_object(&writer);
    *out = arena_copy(cli->arena, strbuf_str(&text));
    return NULL;
}

static fallible check_presence(const struct single_line *line, const struct resource *old)
{
    if (old && line->verb == SINGLE_CREATE)
        return error_new(ERROR_EXISTS, "the stack has '" STR_FMT "' already; `patch` changes it",
                         STR_ARG(line->subject));
    if (!old && (line->verb == SINGLE_PATCH || line->verb == SINGLE_DELETE))
        return error_new(ERROR_NOT_FOUND, "the stack has no " STR_FMT " '" STR_FMT "'",
                         STR_ARG(line->token), STR_ARG(line->subject));
    return NULL;
}

/* What is changed, as a program; *targets are all that it may touch. */
static fallible prepare_change(struct cli *cli, const struct single_line *line,
                               const struct single_wishes *wishes, const struct snapshot *snapshot,
                               struct strs *targets, str *text)
{
    const struct resource *old = single_find(snapshot, targets->items[0]);
    struct single_line whole = *line;
    struct single_text change = { .line = &whole,
                                  .wishes = wishes,
                                  .is_protected = old && old->options.protect };
    str base = wishes->provider.len ? wishes->provider : own_provider(old);

    if (old) {
        TRY(check_alone(snapshot, old));
        TRY(merge_old(cli, old, &whole));
        whole.subject = urn_name_of(old->urn);
    }
    TRY(single_provider_change(cli, line, wishes, snapshot, base, targets->items[0],
                               &change.provider));
    str *two_targets = ARENA_ARRAY(cli->arena, str, 2);
    two_targets[0] = targets->items[0];
    two_targets[1] = change.provider.urn;
    if (change.provider.is_wanted && !change.provider.is_in_state)
        *targets = (struct strs){ two_targets, 2 };
    return change_text(cli, &change, snapshot, text);
}

fallible single_change(struct cli *cli, const struct single_line *line,
                       const struct single_wishes *wishes)
{
    struct operation_args args = *wishes->operation;
    bool deletes = line->verb == SINGLE_DELETE;
    struct snapshot snapshot;
    str text;

    TRY(single_load(cli, &snapshot));
    str urn = subject_urn(cli, &snapshot, line);
    TRY(check_presence(line, single_find(&snapshot, urn)));
    args.targets = (struct strs){ &urn, 1 };
    struct single_order order = { &args,
                                  { .kind = deletes ? OPERATION_DESTROY : OPERATION_UPDATE,
                                    .only_previews = wishes->is_dry_run } };
    if (!wishes->is_dry_run)
        TRY(operation_check_approval(cli, &args, EXIT_CONFIGURATION));
    if (deletes)
        return single_update(cli, &order);
    TRY(prepare_change(cli, line, wishes, &snapshot, &args.targets, &text));
    return single_with_program(cli, wishes, text, single_update, &order);
}
