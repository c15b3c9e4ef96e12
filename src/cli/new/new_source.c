/* new_source.c — makes a policy pack or a package from a template. */
#include "cli/new/new_source.h"

#include "base/fs.h"
#include "base/program.h"
#include "cli/new/template_guide.h"
#include "cli/package/dependencies.h"
#include "cli/screen/interrupt.h"
#include "cli/screen/prompt.h"
#include "plugin/plugin.h"

#include <stdio.h>

struct source_work {
    const struct new_source *source;
    struct new_project *new;
};

/* --- the template --- */

static fallible choose_source(struct cli *cli, const void *work_)
{
    const struct source_work *work = work_;
    struct new_project *new = work->new;
    struct template_finding *finding = &new->finding;
    const struct template_wish wish = { work->source->kind, cli_operand(cli, 0),
                                        new->args->offline };
    size_t chosen = 0;

    TRY(template_source_find(cli, &wish, finding));
    if (finding->list.len == 0)
        return error_new(ERROR_NOT_FOUND, "no templates");
    if (finding->is_collection && !new->asks)
        return error_new(
            ERROR_INVALID,
            "no template selected; please use `%s %s TEMPLATE`; there are " STR_FMT " and others",
            program_name(), work->source->command, STR_ARG(finding->list.items[0].name));
    if (finding->is_collection)
        TRY(template_guide_list(cli, &finding->list, &chosen));
    new->template = &finding->list.items[chosen];
    TRY(template_source_check(new->template));
    return project_read_runtime(cli->arena, template_manifest_name(work->source->kind),
                                new->template->manifest, &new->model.runtime,
                                &new->model.runtime_options);
}

/* --- names --- */

static fallible package_name_check(str name)
{
    bool is_fine = name.len > 0 && name.ptr[0] >= 'a' && name.ptr[0] <= 'z';

    for (size_t i = 0; i < name.len && is_fine; i++)
        is_fine = (name.ptr[i] >= 'a' && name.ptr[i] <= 'z') || char_is_digit(name.ptr[i])
                  || name.ptr[i] == '-' || name.ptr[i] == '_';
    return is_fine ? NULL
                   : error_new(ERROR_INVALID,
                               "'" STR_FMT
                               "' is not a valid package name: package names begin with a lower "
                               "case letter and contain only lower case letters, digits, hyphens "
                               "and underscores",
                               STR_ARG(name));
}

/* From the folder's: in lower case, and with a letter at its beginning. */
static str default_package_name(struct new_project *new)
{
    struct arena *arena = new->cli->arena;
    char *name = arena_cstr(arena, template_project_name(arena, fs_path_name(new->target)));

    for (char *c = name; *c; c++) {
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
        if (*c == '.')
            *c = '-';
    }
    while (*name && !(*name >= 'a' && *name <= 'z'))
        name++;
    return *name ? str_from(name) : STR("package");
}

static fallible ask_package_name(struct new_project *new)
{
    struct error *failure;

    do {
        TRY(prompt_value(new->cli, "Package name", default_package_name(new), &new->name));
        failure = package_name_check(new->name);
        if (failure)
            printf("Sorry, " STR_FMT "\n", STR_ARG(error_message(failure)));
        error_free(failure);
    } while (failure);
    return NULL;
}

static fallible decide_names(struct new_project *new)
{
    bool has_description = cli_was_given(new->cli, "description");

    new->name = new->args->name;
    new->description = has_description ? new->args->description : new->template->description;
    if (new->asks && (!new->name.len || !has_description))
        new_report_welcome(new->cli, "Pulumi package");
    if (!new->name.len &&new->asks)
        TRY(ask_package_name(new));
    if (!new->name.len)
        new->name = default_package_name(new);
    TRY(package_name_check(new->name));
    return new->asks && !has_description
               ? prompt_value(new->cli, "Package description", new->description, &new->description)
               : NULL;
}

/* --- making it --- */

static fallible make_source(struct cli *cli, const void *work_)
{
    const struct source_work *work = work_;
    struct new_project *new = work->new;
    const struct template_values values = { new->name, new->description };
    const struct install_wishes wishes = { .parallel = 4 };
    str text;

    TRY(template_copy_plan(cli->arena, new->template, new->target, &values, &new->copy));
    TRY(project_instantiate_source(cli->arena, template_manifest_name(work->source->kind),
                                   template_copy_manifest(&new->copy), new->options.items,
                                   new->options.len, &text));
    template_copy_set_manifest(&new->copy, text);
    TRY(template_copy_write(&new->copy, &values));
    struct error *failure = new_runtime_finish(new);
    if (failure)
        template_copy_undo(&new->copy);
    TRY(failure);
    work->source->report_made(new);
    if (new->args->generate_only)
        return NULL;
    new_project_begin_install(new);
    return new_project_end_install(
        new, dependencies_install_source(cli, str_from(work->source->plugin_kind), new->target,
                                         &wishes));
}

static fallible run_source(const struct source_work *work, str start_directory)
{
    struct new_project *new = work->new;
    struct cli *cli = new->cli;

    if (cli_was_given(cli, "name"))
        TRY(package_name_check(new->args->name));
    if (work->source->is_named && !cli->terminal.is_interactive && !new->args->yes)
        return error_new(ERROR_INVALID, "non-interactive mode requires --yes flag");
    TRY(new_project_check_target(new));
    TRY(cli_interruptible(cli, work, choose_source));
    if (work->source->is_named)
        TRY(decide_names(new));
    TRY(new_runtime_ask(new));
    TRY(cli_interruptible(cli, work, make_source));
    work->source->report_end(new, start_directory);
    return NULL;
}

fallible new_source_run(struct cli *cli, const struct new_args *args_,
                        const struct new_source *source)
{
    struct new_args args = *args_;
    struct new_project new;
    str here;

    TRY(new_project_open(cli, &args, &new, &here));
    const struct source_work work = { source, &new };
    struct error *failure = run_source(&work, here);
    new_project_release(&new);
    return failure;
}
