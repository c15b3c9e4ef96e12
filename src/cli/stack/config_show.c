/* config_show.c — the whole configuration of a stack. */
#include "cli/stack/config_show.h"

#include "cli/screen/json_print.h"
#include "cli/screen/table.h"
#include "cli/service/environment.h"
#include "cli/stack/config_edit.h"

fallible config_merge(struct cli *cli, struct stack_config *config, bool opens,
                      struct config *merged)
{
    struct stack_environment environment;
    struct secrets *secrets = NULL;

    *merged = (struct config){ ARENA_ARRAY(cli->arena, struct config_entry, config->config.len),
                               config->config.len };
    if (merged->len)
        memcpy(merged->items, config->config.items, merged->len * sizeof(*merged->items));
    if (config->has_environment && cli->session && opens)
        TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    TRY(environment_apply(cli, config, opens ? ENVIRONMENT_OPENED : ENVIRONMENT_CHECKED,
                          secrets_crypter(secrets), merged, &environment));
    return project_apply_config(cli->arena, cli->project, merged, NULL);
}

fallible config_unseal_all(struct cli *cli, struct stack_config *config,
                           const struct config *merged, struct value *out)
{
    struct secrets *secrets = NULL;

    if (config_has_secret(merged))
        TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    TRY(error_wrap(config_unseal_ahead(merged, secrets_crypter(secrets)),
                   "could not decrypt configuration values"));
    for (size_t i = 0; i < merged->len; i++)
        TRY(error_wrap(
            config_unseal(cli->arena, merged->items[i].value, secrets_crypter(secrets), &out[i]),
            "could not decrypt configuration values"));
    return NULL;
}

static void config_show_json(struct cli *cli, const struct config *config,
                             const struct value *shown, bool shows_secrets)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    for (size_t i = 0; i < config->len; i++) {
        bool is_hidden = config_is_secret(config->items[i].value) && !shows_secrets;
        json_key(writer, config_key_format(cli->arena, config->items[i].key));
        config_edit_write_json(writer, cli->arena, config->items[i].value,
                               is_hidden ? NULL : &shown[i]);
    }
    json_end_object(writer);
    json_print_end(&print);
}

static void config_show_table(struct cli *cli, const struct config *config,
                              const struct value *shown)
{
    struct table table = { .columns = 2 };

    TABLE_ADD(&table, STR("KEY"), STR("VALUE"));
    for (size_t i = 0; i < config->len; i++)
        TABLE_ADD(&table, config_edit_pretty_key(cli, config->items[i].key),
                  secret_reveal(config_text(cli->arena, shown[i])));
    table_print(&table, cli->terminal.color);
    table_release(&table);
}

fallible config_show(struct cli *cli, struct stack_config *config, const struct config *merged,
                     bool shows_secrets, bool is_json)
{
    struct value *shown = ARENA_ARRAY(cli->arena, struct value, merged->len);

    if (shows_secrets)
        TRY(config_unseal_all(cli, config, merged, shown));
    for (size_t i = 0; i < merged->len && !shows_secrets; i++)
        shown[i] = config_blind(cli->arena, merged->items[i].value);
    if (is_json)
        config_show_json(cli, merged, shown, shows_secrets);
    else
        config_show_table(cli, merged, shown);
    return NULL;
}
