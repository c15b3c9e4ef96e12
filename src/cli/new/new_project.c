/* new_project.c — a new project: its template, its files, its stack.
 *
 * What must hold:
 * 1. Nothing is written before all questions are answered. 2. Until the stack has its
 * configuration, a failure leaves the folder and the backend as they were. 3. What a package
 * manager has done is never undone. */
#include "cli/new/new_project.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "cli/new/template_guide.h"
#include "cli/open.h"
#include "cli/package/dependencies.h"
#include "cli/stack/config_edit.h"
#include "cli/stack/stack_new.h"
#include "cli/stack/stack_secrets.h"
#include "plugin/plugin.h"

#include <stdio.h>

fallible new_project_open(struct cli *cli, struct new_args *args, struct new_project *out,
                          str *here)
{
    args->yes = args->yes || settings_bool("PULUMI_SKIP_CONFIRMATIONS");
    TRY(cli_current_directory(cli, here));
    *out = (struct new_project){
        .cli = cli,
        .args = args,
        .asks = cli->terminal.is_interactive && !args->yes,
        .target = args->dir.len ? fs_path_absolute(cli->arena, *here, args->dir) : *here,
    };
    return NULL;
}

void new_project_release(struct new_project *new)
{
    if (new->host)
        plugin_host_close(new->host);
    new->host = NULL;
    new->language = NULL;
    template_finding_release(&new->finding);
    vec_release(&new->options);
}

/* --- before anything --- */

/* "org/project/stack" says how the project is called. */
static fallible take_stack_option(struct new_project *new)
{
    str stack = new->args->stack, organization, rest, project, name;

    new->stack = stack;
    if (!str_cut(stack, STR("/"), &organization, &rest)
        || !str_cut(rest, STR("/"), &project, &name))
        return NULL;
    if (new->name.len && !str_equal(new->name, project))
        return error_new(ERROR_INVALID,
                         "project name (--name " STR_FMT ") and stack reference project name "
                         "(--stack " STR_FMT ") must be the same",
                         STR_ARG(new->name), STR_ARG(project));
    new->name = project;
    return new_project_name_check(project);
}

fallible new_project_check(struct new_project *new)
{
    const struct new_args *args = new->args;

    if (cli_was_given(new->cli, "name"))
        TRY(new_project_name_check(args->name));
    new->name = args->name;
    TRY(take_stack_option(new));
    if (args->secrets_provider.len)
        TRY(secrets_check_provider(args->secrets_provider));
    if (!new->cli->terminal.is_interactive && !args->yes)
        return error_new(ERROR_INVALID, "non-interactive mode requires --yes flag");
    return NULL;
}

static fallible describe_obstacles(const struct new_project *new, struct strs names)
{
    enum { SHOWN = 5 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < names.len && i < SHOWN; i++)
        strbuf_printf(&text, "%s" STR_FMT, i ? ", " : "", STR_ARG(names.items[i]));
    if (names.len > SHOWN)
        strbuf_printf(&text, " and %zu more", names.len - SHOWN);
    return error_new(ERROR_EXISTS,
                     STR_FMT " is not empty; use --force to continue and overwrite existing files, "
                             "or use --dir to specify an empty directory.\nIt has " STR_FMT,
                     STR_ARG(new->target), STR_ARG(strbuf_str(&text)));
}

fallible new_project_check_target(const struct new_project *new)
{
    struct strs names;

    TRY(template_obstacles(new->cli->arena, new->target, &names));
    return names.len == 0 || new->args->force ? NULL : describe_obstacles(new, names);
}

/* --- the template --- */

/* Where nobody can choose one: a program that can be run, and does nothing. */
static struct template *empty_program(struct arena *arena)
{
    static const str manifest = STR_INIT("name: ${PROJECT}\nruntime: yaml\n");
    struct template *template = ARENA_NEW(arena, struct template);
    struct template_file *file = ARENA_NEW(arena, struct template_file);

    *file =
        (struct template_file){ template_manifest_name(TEMPLATE_PROJECT), 0644, STR(""), manifest };
    *template =
        (struct template){ .kind = TEMPLATE_PROJECT, .manifest = manifest, .files = { file, 1 } };
    return template;
}

static fallible take_template(struct new_project *new, struct template *template)
{
    struct arena *arena = new->cli->arena;

    TRY(template_source_check(template));
    new->template = template;
    return project_parse(arena, fs_path_join(arena, new->target, STR("Pulumi.yaml")),
                         template->manifest, &new->model);
}

static fallible choose_from_collection(struct new_project *new, bool is_named)
{
    struct templates *list = &new->finding.list;
    size_t chosen;

    if (!new->asks &&new->is_brief)
        return error_new(ERROR_INVALID, "there are %zu templates: name one of them", list->len);
    if (!new->asks)
        return take_template(new, empty_program(new->cli->arena));
    if (is_named)
        TRY(template_guide_list(new->cli, list, &chosen));
    else
        TRY(template_guide(new->cli, list, &chosen));
    new->is_guided = !is_named;
    new->template_name = list->items[chosen].name;
    return take_template(new, &list->items[chosen]);
}

fallible new_project_choose(struct new_project *new, str operand)
{
    const struct template_wish wish = { TEMPLATE_PROJECT, operand, new->args->offline };
    struct template_finding *finding = &new->finding;

    if (!operand.len && !new->asks)
        return take_template(new, empty_program(new->cli->arena));
    TRY(template_source_find(new->cli, &wish, finding));
    if (finding->is_collection && finding->list.len == 0)
        return error_new(ERROR_NOT_FOUND, "no templates in '" STR_FMT "'", STR_ARG(operand));
    if (finding->is_collection)
        return choose_from_collection(new, operand.len > 0);
    new->template_name = finding->shown.len ? finding->shown : finding->list.items[0].name;
    return take_template(new, &finding->list.items[0]);
}

/* --- files --- */

static fallible plan_files(struct new_project *new)
{
    struct arena *arena = new->cli->arena;
    const struct template_values values = { new->name, new->description };
    const struct project_instance instance = {
        .name = new->name,
        .description = new->description,
        .template_name = new->template_name,
        .options = new->options.items,
        .option_count = new->options.len,
    };
    str path = fs_path_join(arena, new->target, STR("Pulumi.yaml")), text;
    struct project *project = ARENA_NEW(arena, struct project);

    TRY(template_copy_plan(arena, new->template, new->target, &values, &new->copy));
    TRY(project_instantiate(arena, path, template_copy_manifest(&new->copy), &instance, &text));
    template_copy_set_manifest(&new->copy, text);
    TRY(project_parse(arena, path, text, project));
    new->cli->project = project;
    return NULL;
}

/* Values that cannot be stored are refused before there is anything to store them for. */
static fallible check_config(struct new_project *new)
{
    struct config scratch = { 0 };

    return config_edit_set_plain(new->cli, &scratch, new->args->config, new->args->config_path);
}

/* --- stack and configuration --- */

static fallible make_stack(struct new_project *new)
{
    struct cli *cli = new->cli;
    const struct new_stack wanted = { .name = new->stack,
                                      .secrets_provider = new->args->secrets_provider };

    if (new->uses_existing_stack)
        return backend_stack_ref(cli->backend, cli->arena, new->stack, new->name, &cli->stack);
    fflush(stdout); /* before what is said on standard error */
    TRY(stack_new(cli, &wanted));
    new->has_made_stack = true;
    return NULL;
}

static fallible store_answer(struct new_project *new, const struct new_answer *answer,
                             struct stack_config *config)
{
    struct cli *cli = new->cli;
    struct config_key key;
    struct secrets *secrets;

    TRY(config_edit_new_key(cli, answer->key, false, &key));
    if (!answer->is_secret)
        return config_set(cli->arena, &config->config, key, answer->value, CONFIG_UNTYPED, false);
    TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    return config_set_secret(cli->arena, &config->config, key, answer->hidden,
                             secrets_crypter(secrets), false);
}

/* The file of the stack's configuration, which others change, too, if the stack was there before.
 */
struct config_text {
    bool exists;
    str text;
};

struct config_change {
    str name; /* of the stack */
    str path; /* empty: there is no stack */
    struct config_text former, left;
    bool has_left; /* all that this command stores is in it */
};

static fallible read_config(struct new_project *new, str path, struct config_text *out)
{
    *out = (struct config_text){ .exists = fs_exists(path) };
    return out->exists ? fs_read(new->cli->arena, path, FS_ANY_SIZE, &out->text) : NULL;
}

static bool is_same_config(const struct config_text *a, const struct config_text *b)
{
    return a->exists == b->exists && str_equal(a->text, b->text);
}

/* Of a stack that is made here, nobody else has a configuration before it is there. */
static fallible remember_config(struct new_project *new, struct config_change *out)
{
    struct cli *cli = new->cli;
    str organization;

    *out = (struct config_change){ .name = new->stack };
    if (!cli->backend)
        return NULL;
    str_cut_last(new->stack, STR("/"), &organization, &out->name);
    out->path = stack_config_path(cli->arena, cli->project, out->name);
    return read_config(new, out->path, &out->former);
}

/* Under the lock of the configuration: what is put back later, and where. */
static fallible save_config(struct new_project *new, struct config_change *change)
{
    struct cli *cli = new->cli;
    struct stack_config config;
    size_t stored = new->args->config.len;

    TRY(cli_edit_config(cli, cli->stack, STR(""), &config));
    if (new->uses_existing_stack)
        TRY(read_config(new, change->path, &change->former));
    for (size_t i = 0; i < new->answer_count; i++) {
        const struct new_answer *answer = &new->answers[i];
        if (!answer->value.len && !secret_reveal(answer->hidden).len)
            continue;
        TRY(store_answer(new, answer, &config));
        stored++;
    }
    TRY(config_edit_set_plain(cli, &config.config, new->args->config, new->args->config_path));
    if (stored > 0)
        TRY(stack_config_save(&config));
    TRY(read_config(new, change->path, &change->left));
    change->has_left = true;
    cli_unlock_config(cli); /* `up TEMPLATE` goes on from here */
    if (stored == 0)
        return NULL;
    if (!new->is_brief)
        printf("Saved config\n\n");
    return NULL;
}

/* --- all of it --- */

/* What another command has set since then is kept. Nothing was stored for a stack that was there
 * before, unless all was. */
static fallible put_config_back(struct new_project *new, const struct config_change *change)
{
    struct config_text now;

    if (!change->path.len || (new->uses_existing_stack && !change->has_left))
        return NULL;
    TRY(read_config(new, change->path, &now));
    if (change->has_left && !is_same_config(&now, &change->left)) {
        cli_report(new->cli, "warning",
                   arena_concat(new->cli->arena, fs_path_name(change->path),
                                STR(" stays: another command has changed it")));
        return NULL;
    }
    return change->former.exists ? fs_replace(change->path, change->former.text, 0600)
                                 : fs_remove_if_present(change->path);
}

static void new_project_undo(struct new_project *new, const struct config_change *change)
{
    struct cli *cli = new->cli;
    const char *why = "the failure that led here is reported";
    struct error *unlocked = NULL;

    if (change->path.len) /* before that of the stack */
        unlocked = cli_lock_config(cli, (struct stack_ref){ .name = change->name });
    if (new->has_made_stack)
        error_ignore(backend_remove_stack(cli->backend, cli->stack, true, true), why);
    if (!unlocked)
        error_ignore(put_config_back(new, change), why);
    error_ignore(unlocked, why);
    cli_unlock_config(cli);
    template_copy_undo(&new->copy);
    cli->project = NULL;
    fflush(stdout);
    fprintf(stderr, "Nothing of the project was kept\n");
}

static fallible fill_project(struct new_project *new, struct config_change *change)
{
    struct cli *cli = new->cli;

    if (!new->is_brief)
        printf("Created project '" STR_FMT "'\n\n", STR_ARG(new->name));
    if (cli->backend) {
        TRY(make_stack(new));
        if (!new->is_brief)
            printf("\n");
        TRY(save_config(new, change));
    }
    TRY(new_runtime_finish(new)); /* last: what it makes is not undone */
    TRY(project_load(cli->arena, cli->project->path, cli->project));
    return cli->backend && !new->is_brief ? cli_select_stack(cli, cli->stack) : NULL;
}

fallible new_project_make(struct new_project *new)
{
    const struct template_values values = { new->name, new->description };
    struct config_change change;
    struct error *failure = plan_files(new);

    if (!failure)
        failure = check_config(new);
    if (!failure)
        failure = remember_config(new, &change);
    if (!failure)
        failure = template_copy_write(&new->copy, &values);
    if (failure) {
        new->cli->project = NULL;
        return failure;
    }
    failure = fill_project(new, &change);
    if (failure)
        new_project_undo(new, &change);
    return failure;
}

/* The host that was asked about options has served. */
void new_project_begin_install(struct new_project *new)
{
    if (new->host)
        plugin_host_close(new->host);
    new->host = NULL;
    new->language = NULL;
    fflush(stdout); /* before what package managers print */
}

fallible new_project_end_install(struct new_project *new, struct error *owned)
{
    if (!owned || error_kind(owned) == ERROR_CANCELED)
        return owned;
    str reason = arena_copy(new->cli->arena, error_message(owned));
    error_free(owned);
    return error_new(ERROR_OTHER,
                     "installing dependencies failed: " STR_FMT
                     "\nRun `%s install` to complete the installation.",
                     STR_ARG(reason), program_name());
}

fallible new_project_install(struct new_project *new)
{
    const struct install_wishes wishes = { .parallel = 4 };

    new_project_begin_install(new);
    return new_project_end_install(new, dependencies_install_project(new->cli, &wishes));
}
