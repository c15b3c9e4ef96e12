/* hosted.c — commands that only the hosted service can serve: with any other backend each answers
 * in one line. Scripts that call them know these words and exit codes. */
#include "cli/hosted.h"

#include "base/exit_codes.h"
#include "base/json.h"
#include "base/program.h"
#include "cli/open.h"

#include <stdio.h>

/* How a command answers. */
enum answer {
    SERVICE, /* its words, and that it requires the service */
    LOGIN,
    POLICY,
    ESC,
    API,
    NEO,
    REGISTRY,
    DEPLOYMENT,
    MENU,      /* shows its help */
    BARE_MENU, /* shows its help, and that something is missing */
};

#define HOSTED(id, ...) extern const struct command cmd_##id;
#include "cli/hosted.def"
#undef HOSTED

static const struct hosted {
    const struct command *command;
    enum answer answer;
    const char *words;
} hosted[] = {
#define HOSTED(id, path_words, other_names, answer, words) { &cmd_##id, answer, words },
#include "cli/hosted.def"
#undef HOSTED
};

static const struct hosted *hosted_find(const struct command *command)
{
    const struct hosted *row = hosted;

    while (row->command != command)
        row++;
    return row;
}

static fallible hosted_needs_service(const char *words)
{
    return error_new(ERROR_OTHER, "%s the Pulumi Cloud backend; run `%s login`", words,
                     program_name());
}

/* Who reads the answers of `api` reads JSON. */
static fallible hosted_answer_api(void)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct json_writer writer = { .out = &text };
    str message =
        arena_printf(&scratch, "`%s api` requires the Pulumi Cloud backend; run `%s login`",
                     program_name(), program_name());
    str suggestion = arena_printf(&scratch, "run `%s login`", program_name());

    json_begin_object(&writer);
    json_key(&writer, STR("error"));
    json_begin_object(&writer);
    json_key(&writer, STR("code"));
    json_string(&writer, STR("internal_error"));
    json_key(&writer, STR("severity"));
    json_string(&writer, STR("error"));
    json_key(&writer, STR("message"));
    json_string(&writer, message);
    json_key(&writer, STR("suggestions"));
    json_strings(&writer, &suggestion, 1);
    json_key(&writer, STR("schemaVersion"));
    json_integer(&writer, 1);
    json_end_object(&writer);
    json_end_object(&writer);
    fprintf(stderr, "%s\n", text.ptr);
    return error_reported("api");
}

fallible hosted_no_environments(str host)
{
    return error_new(ERROR_OTHER,
                     "backend " STR_FMT " does not support environments; Pulumi ESC environments "
                     "require the Pulumi Cloud backend, use `%s login` without arguments to log "
                     "into the Pulumi Cloud backend",
                     STR_ARG(host), program_name());
}

static fallible hosted_answer_deployment(const struct cli *cli, const char *words)
{
    static const char *const known[] = { "update", "preview", "refresh", "destroy" };
    str operation = cli_operand(cli, 0);

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (!operation.len || str_equal(operation, str_from(known[i])))
            return hosted_needs_service(words);
    return error_new(ERROR_INVALID, "invalid pulumi operation; \"" STR_FMT "\"",
                     STR_ARG(operation));
}

static struct error *hosted_run(struct cli *cli, const void *args)
{
    const struct hosted *row = hosted_find(cli->command);

    (void)args;
    if (row->answer == MENU || row->answer == BARE_MENU) {
        help_print(cli->command);
        return row->answer == MENU ? NULL : error_reported("a command is missing");
    }
    if (cli->session)
        return error_new(ERROR_OTHER, "`%s %s` is not supported yet", program_name(),
                         cli->command->path);
    switch (row->answer) {
    case SERVICE: return hosted_needs_service(row->words);
    case LOGIN:
        return error_new(ERROR_OTHER, "not logged in to Pulumi Cloud; run `%s login` first",
                         program_name());
    case POLICY: return error_new(ERROR_OTHER, "DIY backend does not support resource policy");
    case ESC:
        return error_with_exit_code(
            error_new(ERROR_OTHER, "could not determine current cloud: PULUMI_ACCESS_TOKEN must be "
                                   "set for login during non-interactive CLI sessions"),
            EXIT_AUTHENTICATION);
    case API: return hosted_answer_api();
    case NEO:
        return error_new(ERROR_OTHER, "`%s neo` requires the Pulumi Cloud backend", program_name());
    case REGISTRY:
        return error_new(ERROR_OTHER, "%s the registry of the hosted service; run `%s login`",
                         row->words, program_name());
    case DEPLOYMENT: return hosted_answer_deployment(cli, row->words);
    case MENU:
    case BARE_MENU: break;
    }
    return NULL;
}

#define HOSTED(id, words_of_path, other_names, answer, words)                                      \
    const struct command cmd_##id = {                                                              \
        .path = words_of_path,                                                                     \
        .aliases = other_names,                                                                    \
        .operands = (answer) == MENU || (answer) == BARE_MENU ? NULL : "[WORD...]",                \
        .summary = "Works with the hosted service only",                                           \
        .is_hidden = true,                                                                         \
        .needs = (answer) == MENU || (answer) == BARE_MENU ? 0 : NEEDS_BACKEND | TAKES_ANY_OPTION, \
        .run = hosted_run,                                                                         \
    };
#include "cli/hosted.def"
#undef HOSTED
