/* cmd_state_get.c — `state get`: what the state knows of one resource. */
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/stack/resource_names.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state_find.h"

#include "base/program.h"
#include "display/property_text.h"
#include "model/urn.h"
#include "model/value_json.h"

#include <stdio.h>

struct state_get_args {
    str stack;
    str output;
    bool json;
    bool show_secrets;
};

static const struct option options[] = {
    TEXT(struct state_get_args, stack, 's', "stack",
         "The stack to look at; the selected one by default"),
    TEXT_PRESET(struct state_get_args, output, 0, "output", "default",
                "How to print: default or json"),
    FLAG(struct state_get_args, json, 'j', "json", NULL),
    FLAG(struct state_get_args, show_secrets, 0, "show-secrets", "Show secrets in plaintext"),
    { 0 },
};

/* Of copies of one URN the one that is not about to be deleted. */
static fallible state_get_by_urn(struct cli *cli, const struct snapshot *snapshot, str urn,
                                 const struct resource **out)
{
    size_t copies = 0;
    bool has_live = false;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (!str_equal(resource->urn, urn))
            continue;
        copies++;
        if (!has_live)
            *out = resource;
        has_live = has_live || !resource->is_delete;
    }
    if (!copies)
        return state_not_found(snapshot, urn, false);
    if (copies > 1 && has_live)
        cli_report(cli, "warning",
                   arena_printf(cli->arena,
                                "%zu copy(ies) of this resource are pending deletion; showing the "
                                "live resource (`%s stack export` lists all copies)",
                                copies - 1, program_name()));
    return NULL;
}

static fallible state_get_by_name(struct cli *cli, const struct snapshot *snapshot, str name,
                                  const struct resource **out)
{
    CLEANUP(strbuf_release) struct strbuf urns = { 0 };
    str last = STR("");
    size_t count = 0;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        str urn = snapshot->resources[i]->urn;
        if (!str_equal(urn_name_of(urn), name) || str_equal(urn, last))
            continue;
        last = urn;
        count++;
        strbuf_printf(&urns, "    " STR_FMT "\n", STR_ARG(urn));
    }
    struct pairs names = resource_names(cli->arena, snapshot);
    const str *known = pairs_find(names, name);
    if (known && count && (count > 1 || !str_equal(*known, last)))
        return error_new(ERROR_INVALID,
                         "\"" STR_FMT "\" is ambiguous: it is the reference identifier for\n"
                         "    " STR_FMT "\nbut also the name of\n" STR_FMT
                         "specify the resource by URN instead",
                         STR_ARG(name), STR_ARG(*known), STR_ARG(strbuf_str(&urns)));
    if (known)
        return state_get_by_urn(cli, snapshot, *known, out);
    if (count == 0)
        return error_new(ERROR_NOT_FOUND,
                         "no resource identified by \"" STR_FMT
                         "\" found in the stack; run `%s do show-resources` to list resource "
                         "reference identifiers",
                         STR_ARG(name), program_name());
    if (count > 1)
        return error_new(ERROR_INVALID,
                         "%zu resources in the stack are named \"" STR_FMT "\":\n" STR_FMT
                         "specify one by URN",
                         count, STR_ARG(name), STR_ARG(strbuf_str(&urns)));
    return state_get_by_urn(cli, snapshot, last, out);
}

static fallible state_get_find(struct cli *cli, const struct snapshot *snapshot,
                               const struct resource **out)
{
    str operand = cli_operand(cli, 0);
    struct urn parts;

    if (!str_starts_with(operand, STR("urn:")))
        return state_get_by_name(cli, snapshot, operand, out);
    struct error *failure = urn_parse(operand, &parts);
    if (failure) {
        error_free(failure);
        return error_new(ERROR_INVALID, "\"" STR_FMT "\" is not a valid resource URN",
                         STR_ARG(operand));
    }
    return state_get_by_urn(cli, snapshot, operand, out);
}

static void state_get_write_properties(struct json_writer *writer, str key, struct value object,
                                       bool shows_secrets)
{
    json_key(writer, key);
    json_begin_object(writer);
    for (size_t i = 0; object.kind == VALUE_OBJECT && i < object.len; i++) {
        if (property_key_is_internal(object.members[i].key))
            continue;
        json_key(writer, object.members[i].key);
        value_write(writer, object.members[i].value, shows_secrets ? SECRET_BARE : SECRET_MASKED);
    }
    json_end_object(writer);
}

static void state_get_print_json(const struct resource *resource, bool shows_secrets)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    json_key(writer, STR("id"));
    json_string(writer, resource->id);
    state_get_write_properties(writer, STR("inputs"), resource->inputs, shows_secrets);
    state_get_write_properties(writer, STR("outputs"), resource->outputs, shows_secrets);
    if (resource->is_delete) {
        json_key(writer, STR("pendingDeletion"));
        json_bool(writer, true);
    }
    json_key(writer, STR("type"));
    json_string(writer, resource->type);
    json_key(writer, STR("urn"));
    json_string(writer, resource->urn);
    json_end_object(writer);
    json_print_end(&print);
}

static void state_get_print_properties(struct cli *cli, const char *title, struct value object,
                                       bool shows_secrets)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct property_printer printer = {
        .out = &text, .op = OP_SAME, .indent = 1, .shows_secrets = shows_secrets
    };

    if (object.kind != VALUE_OBJECT || object.len == 0)
        return;
    property_print_object(&printer, object);
    printf("%s:\n", title);
    cli_print(cli, strbuf_str(&text));
}

static void state_get_print(struct cli *cli, const struct resource *resource, bool shows_secrets)
{
    printf("Type: " STR_FMT "\nURN:  " STR_FMT "\n", STR_ARG(resource->type),
           STR_ARG(resource->urn));
    if (resource->id.len)
        printf("ID:   " STR_FMT "\n", STR_ARG(resource->id));
    if (resource->is_delete)
        puts("Pending deletion: yes");
    state_get_print_properties(cli, "Inputs", resource->inputs, shows_secrets);
    state_get_print_properties(cli, "Outputs", resource->outputs, shows_secrets);
}

static struct error *cmd_state_get_run(struct cli *cli, const void *args_)
{
    const struct state_get_args *args = args_;
    const struct resource *resource;
    struct snapshot snapshot;
    struct secrets *secrets;
    bool has_deployment, is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (!cli->operands.len && !cli->terminal.is_interactive)
        return error_new(ERROR_INVALID,
                         "Must supply <resource> unless pulumi is run interactively");
    TRY(state_choose(cli, "Select the resource to show"));
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    TRY(state_get_find(cli, &snapshot, &resource));
    if (args->show_secrets) {
        TRY(cli_state_secrets(cli, &snapshot, &secrets));
        TRY(value_unseal(resource->inputs, secrets_crypter(secrets), cli->arena));
        TRY(value_unseal(resource->outputs, secrets_crypter(secrets), cli->arena));
    }
    if (is_json)
        state_get_print_json(resource, args->show_secrets);
    else
        state_get_print(cli, resource, args->show_secrets);
    return NULL;
}

const struct command cmd_state_get = {
    .path = "state get",
    .operands = "[RESOURCE]",
    .summary = "Show what the state knows of a resource",
    .details =
        "RESOURCE is a URN, a name that only one resource of the stack has, or a short name\n"
        "of `do show-resources`.",
    .example = "state get my-bucket\n"
               "state get 'urn:pulumi:dev::proj::aws:s3/bucket:Bucket::my-bucket' --output json",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct state_get_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_state_get_run,
};
