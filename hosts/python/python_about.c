/* python_about.c — what `about` and `new` ask of the Python host. */
#include "python/python.h"

#include "common/prompt.h"
#include "proto/message.h"

static fallible python_ask(struct host *host, struct arena *arena, const struct python *python,
                           str script, str *out)
{
    CLEANUP(command_release) struct command command = { 0 };

    TRY(python_command(host, arena, python, &command));
    words_add(&command.args, arena, STR("-c"));
    words_add(&command.args, arena, script);
    return command_read(host, arena, &command, out);
}

/* "uv 0.5.1 (…)" and "Poetry (version 1.8.3)": the first word that begins with a digit. */
static str python_version_in(str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            continue;
        size_t end = i;
        while (end < text.len && text.ptr[end] != ' ' && text.ptr[end] != ')'
               && text.ptr[end] != '\n')
            end++;
        return str_slice(text, i, end);
    }
    return STR("");
}

static str toolchain_version(struct host *host, struct arena *arena, const struct python *python)
{
    CLEANUP(command_release) struct command command = { .path = python->tool };
    str text = STR("");
    struct error *failure;

    words_add(&command.args, arena, STR("--version"));
    failure =
        python->tool.len > 0
            ? command_read(host, arena, &command, &text)
            : python_ask(host, arena, python,
                         STR("import importlib.metadata as m; print(m.version('pip'))"), &text);
    error_ignore(failure, "a fact that is nice to have");
    return python_version_in(text);
}

fallible python_about(struct host *host, struct arena *arena, const struct program *program,
                      struct about *out)
{
    static const char *const toolchains[] = { "Auto", "Pip", "Poetry", "Uv" };
    static const char *const checkers[] = { "None", "Mypy", "Pyright" };
    struct python python;
    str text;

    TRY(python_open(host, arena, program, false, &python));
    TRY(python_ask(
        host, arena, &python,
        STR("import platform, sys; print(sys.executable, platform.python_version(), sep='\\n')"),
        &text));
    if (!str_cut(text, STR("\n"), &out->executable, &out->version))
        out->executable = text;
    about_add(out, STR("toolchain"), str_from(toolchains[python.asked]));
    about_add(out, STR("toolchainVersion"), toolchain_version(host, arena, &python));
    about_add(out, STR("typechecker"), str_from(checkers[python.checker]));
    return NULL;
}

/* --- dependencies --- */

/* Names that some installed package asks for. */
#define REQUIRED                           \
    "import importlib.metadata as m, re\n" \
    "for d in m.distributions():\n"        \
    "    for r in d.requires or []:\n"     \
    "        if 'extra ==' not in r:\n"    \
    "            print(re.sub('[-_.]+', '-', re.match('[A-Za-z0-9._-]+', r).group(0)).lower())\n"

static bool is_line_of(str text, str line)
{
    str first;
    while (str_next(&text, STR("\n"), &first)) {
        if (str_equal(first, line))
            return true;
    }
    return false;
}

fallible python_dependencies(struct host *host, struct arena *arena, const struct program *program,
                             bool with_transitive, struct dependencies *out)
{
    struct distributions distributions = { 0 };
    struct python python;
    str required = STR("");

    TRY(python_open(host, arena, program, false, &python));
    TRY(error_wrap(python_check_virtualenv(arena, &python), "failed to get python dependencies"));
    if (!with_transitive)
        TRY(error_wrap(python_ask(host, arena, &python, STR(REQUIRED), &required),
                       "failed to get python dependencies"));
    struct error *failure = python_distributions(host, arena, &python, &distributions);
    for (size_t i = 0; !failure && i < distributions.len; i++) {
        const struct distribution *distribution = &distributions.items[i];
        if (!is_line_of(required, distribution->name))
            dependencies_add(out, arena, distribution->name, distribution->version);
    }
    vec_release(&distributions);
    return failure;
}

/* --- new --- */

fallible python_prompts(struct host *host, struct arena *arena, const struct program *program,
                        Pb__RuntimeOptionsResponse *out)
{
    static const char *const toolchains[] = { "pip", "poetry", "uv", NULL };
    static const char *const environments[] = { "venv", NULL };
    str toolchain = value_find_text(program->options, STR("toolchain"));

    if (!value_has(program->options, STR("toolchain")))
        prompt_add(host, arena, out, "toolchain",
                   "The toolchain to use for installing dependencies and running the program",
                   toolchains);
    else if (str_equal(toolchain, STR("pip")) && !value_has(program->options, STR("virtualenv")))
        prompt_add(host, arena, out, "virtualenv", "The virtualenv to use", environments);
    return NULL;
}
