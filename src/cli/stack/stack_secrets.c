/* stack_secrets.c — which manager keeps the secrets of a stack, and where that is written down. */
#include "cli/stack/stack_secrets.h"

#include "cli/hosted.h"
#include "base/fs.h"
#include "base/json.h"
#include "backend/history.h"
#include "cli/folder_lock.h"
#include "cli/open.h"
#include "cli/service/service_secrets.h"
#include "base/program.h"
#include "model/snapshot.h"

bool cli_has_config_here(const struct cli *cli, struct stack_ref stack)
{
    return cli->project && (!stack.project.len || str_equal(stack.project, cli->project->name));
}

fallible cli_check_project(const struct cli *cli, struct stack_ref stack)
{
    if (!cli->project || cli_has_config_here(cli, stack))
        return NULL;
    return error_new(ERROR_INVALID,
                     "provided project name \"" STR_FMT "\" doesn't match Pulumi.yaml",
                     STR_ARG(stack.project));
}

/* A stack whose configuration the service keeps: an environment, and nothing of its own. */
static fallible load_kept_config(struct cli *cli, const struct config_location *location,
                                 struct stack_config *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str name = arena_concat(cli->arena, STR("the environment "), location->environment);

    strbuf_add(&text, STR("environment:\n  - "));
    json_format_string(&text, location->environment, false);
    strbuf_add_char(&text, '\n');
    TRY(stack_config_parse(cli->arena, name, arena_copy(cli->arena, strbuf_str(&text)),
                           cli_project_name(cli), out));
    out->secrets_provider = location->secrets_provider;
    out->encrypted_key = location->encrypted_key;
    out->encryption_salt = location->encryption_salt;
    out->is_elsewhere = true;
    return NULL;
}

static fallible find_config(struct cli *cli, struct stack_ref stack, str config_file,
                            struct config_location *location, str *path)
{
    *path = config_file;
    if (!path->len && cli->backend)
        TRY(backend_config_location(cli->backend, stack, cli->arena, location));
    if (path->len || location->environment.len)
        return NULL;
    if (!cli->project)
        return error_new(
            ERROR_NOT_FOUND,
            "no Pulumi.yaml project file found; the configuration of a stack lies beside it");
    *path = stack_config_path(cli->arena, cli->project, stack.name);
    return NULL;
}

static fallible load_config_file(struct cli *cli, str path, struct stack_config *out)
{
    TRY(stack_config_load(cli->arena, path, cli_project_name(cli), out));
    for (size_t i = 0; i < out->warning_count; i++)
        cli_report(cli, "warning", out->warnings[i]);
    return NULL;
}

fallible cli_load_config(struct cli *cli, struct stack_ref stack, str config_file,
                         struct stack_config *out)
{
    struct config_location location = { 0 };
    str path;

    TRY(find_config(cli, stack, config_file, &location, &path));
    return location.environment.len ? load_kept_config(cli, &location, out)
                                    : load_config_file(cli, path, out);
}

static fallible lock_config(struct cli *cli, str path)
{
    cli_unlock_config(cli);
    TRY(cli_lock_folder(fs_path_directory(path), &cli->config_lock));
    cli->edits_config = true;
    return NULL;
}

static fallible edit_config(struct cli *cli, struct stack_ref stack, str config_file,
                            struct stack_config *out)
{
    struct config_location location = { 0 };
    str path;

    TRY(find_config(cli, stack, config_file, &location, &path));
    if (location.environment.len)
        return load_kept_config(cli, &location, out);
    if (!config_file.len)
        TRY(cli_check_project(cli, stack));
    TRY(lock_config(cli, path));
    return load_config_file(cli, path, out);
}

fallible cli_edit_config(struct cli *cli, struct stack_ref stack, str config_file,
                         struct stack_config *out)
{
    TRY(edit_config(cli, stack, config_file, out));
    /* Who had the lock may have renamed or removed the stack. */
    return out->existed || config_file.len || !cli->backend ? NULL : cli_require_stack(cli, stack);
}

fallible cli_edit_new_config(struct cli *cli, struct stack_ref stack, struct stack_config *out)
{
    return edit_config(cli, stack, STR(""), out);
}

fallible cli_lock_config(struct cli *cli, struct stack_ref stack)
{
    return cli->project ? lock_config(cli, stack_config_path(cli->arena, cli->project, stack.name))
                        : NULL;
}

void cli_unlock_config(struct cli *cli)
{
    if (cli->edits_config)
        fs_unlock(cli->config_lock);
    cli->edits_config = false;
}

fallible cli_refuse_environments(const struct cli *cli, const struct stack_config *config)
{
    if (!config->has_environment)
        return NULL;
    return hosted_no_environments(cli_host_name(cli));
}

/* Keeps a manager until the command ends. */
static struct secrets *stack_secrets_keep(struct cli *cli, struct secrets *owned)
{
    vec_add(&cli->secrets, owned);
    return owned;
}

bool cli_secrets_by_service(const struct cli *cli, str provider)
{
    bool is_default = !provider.len || str_equal(provider, STR("default"));

    return cli->session && (is_default || str_equal(provider, STR("service")));
}

static fallible create_by_service(struct cli *cli, struct stack_ref stack,
                                  struct stack_config *config, struct secrets **out)
{
    struct secrets *made;

    TRY(service_secrets_new(cli, stack, &made));
    *out = stack_secrets_keep(cli, made);
    config->secrets_provider = STR("");
    config->encrypted_key = STR("");
    config->encryption_salt = STR("");
    return NULL;
}

void cli_note_secrets(struct cli *cli, struct stack_config *config, const struct secrets *secrets)
{
    struct secrets_names names = secrets_names(secrets);

    config->secrets_provider = arena_copy(cli->arena, names.provider);
    config->encrypted_key = arena_copy(cli->arena, names.encrypted_key);
    config->encryption_salt = arena_copy(cli->arena, names.salt);
}

static bool names_a_provider(const struct stack_config *config)
{
    return config->secrets_provider.len && !str_equal(config->secrets_provider, STR("default"))
           && !str_equal(config->secrets_provider, STR("passphrase"));
}

/* Whether the file has all that opens its manager. */
static bool names_a_key(const struct stack_config *config)
{
    return names_a_provider(config) ? config->encrypted_key.len > 0
                                    : config->encryption_salt.len > 0;
}

static fallible open_named(struct cli *cli, const struct stack_config *config, struct secrets **out)
{
    const struct secrets_names names = { .provider = config->secrets_provider,
                                         .encrypted_key = config->encrypted_key,
                                         .salt = config->encryption_salt };
    struct secrets *opened;

    TRY(secrets_open_config(cli->keyring, &names, &opened));
    *out = stack_secrets_keep(cli, opened);
    return NULL;
}

static fallible create_and_note(struct cli *cli, struct stack_config *config, str provider,
                                struct secrets **out)
{
    struct secrets *made;

    TRY(secrets_create(cli->keyring, provider, &made));
    *out = stack_secrets_keep(cli, made);
    cli_note_secrets(cli, config, made);
    return NULL;
}

/* Whether the file's own manager is of the kind that is asked for. */
static bool is_own_provider(const struct stack_config *config, str provider)
{
    if (secrets_is_key_service(provider))
        return str_equal(provider, config->secrets_provider);
    return !names_a_provider(config);
}

fallible cli_create_secrets(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                            str provider, struct secrets **out)
{
    if (cli_secrets_by_service(cli, provider) && !names_a_key(config))
        return create_by_service(cli, stack, config, out);
    if (str_equal(provider, STR("default")) && names_a_provider(config))
        provider = config->secrets_provider;
    TRY(secrets_check_provider(provider));
    if (is_own_provider(config, provider) && names_a_key(config)) {
        TRY(open_named(cli, config, out));
        cli_note_secrets(cli, config, *out);
        return secrets_verify(*out);
    }
    if (names_a_key(config) && config_has_secret(&config->config))
        return error_new(ERROR_EXISTS,
                         "'" STR_FMT "' has secrets that another secrets provider has encrypted; "
                         "create the stack with that one, and change it with `%s stack "
                         "change-secrets-provider` then",
                         STR_ARG(config->path), program_name());
    return create_and_note(cli, config, provider, out);
}

/* What the state uses: a file that has lost its salt must not give the state another one. A state
 * without secrets that the passphrase does not open has nothing to lose: it gets a new salt. */
static fallible fall_back(struct cli *cli, struct stack_ref stack,
                          const struct stack_config *config, struct secrets **out)
{
    struct snapshot snapshot;
    bool has_deployment;

    *out = NULL;
    TRY(backend_load(cli->backend, stack, cli->arena, &snapshot, &has_deployment));
    struct error *failure = cli_state_secrets(cli, &snapshot, out);
    if (!failure && *out && names_a_provider(config)
        && !str_equal(secrets_names(*out).provider, config->secrets_provider))
        *out = NULL; /* the file asks for another key than the state has */
    if (snapshot_has_secrets(&snapshot) && !names_a_provider(config))
        return failure;
    bool is_by_passphrase = !failure && *out && !secrets_names(*out).provider.len;
    if (is_by_passphrase)
        failure = secrets_verify(*out);
    if (failure) {
        error_ignore(failure, "a state without secrets can change its manager");
        *out = NULL;
    }
    return NULL;
}

/* The state remembers it too, so a file that cannot be written is no reason to stop. */
static void write_back(struct cli *cli, struct stack_config *config, const struct secrets *secrets)
{
    cli_note_secrets(cli, config, secrets);
    struct error *failure = stack_config_save(config);
    if (failure)
        cli_report(cli, "warning", error_message(failure));
    error_free(failure);
}

/* For a file that names no key. */
static fallible first_key(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                          struct secrets **out)
{
    TRY(fall_back(cli, stack, config, out));
    if (*out) {
        write_back(cli, config, *out);
        return NULL;
    }
    TRY(create_and_note(cli, config, config->secrets_provider, out));
    return stack_config_save(config);
}

/* Others may have changed the file since it was read, and given it a key. */
static fallible first_key_alone(struct cli *cli, struct stack_ref stack,
                                struct stack_config *config, struct secrets **out)
{
    TRY(lock_config(cli, config->path));
    struct error *failure =
        stack_config_load(cli->arena, config->path, cli_project_name(cli), config);
    if (!failure)
        failure =
            names_a_key(config) ? open_named(cli, config, out) : first_key(cli, stack, config, out);
    cli_unlock_config(cli);
    return failure;
}

fallible cli_stack_secrets(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                           struct secrets **out)
{
    TRY(secrets_check_provider(config->secrets_provider));
    if (names_a_key(config))
        return open_named(cli, config, out);
    if (cli->session && !names_a_provider(config))
        return create_by_service(cli, stack, config, out);
    return cli->edits_config || config->is_elsewhere ? first_key(cli, stack, config, out)
                                                     : first_key_alone(cli, stack, config, out);
}

fallible cli_state_secrets(struct cli *cli, const struct snapshot *snapshot, struct secrets **out)
{
    struct secrets *opened;

    *out = NULL;
    if (!snapshot->secrets_type.len)
        return NULL;
    if (str_equal(snapshot->secrets_type, STR("service")))
        TRY(service_secrets_open(cli, snapshot->secrets_state, &opened));
    else
        TRY(secrets_open(cli->keyring, snapshot->secrets_type, snapshot->secrets_state, &opened));
    *out = stack_secrets_keep(cli, opened);
    return NULL;
}
