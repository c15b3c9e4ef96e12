/* compiler.c — programs that a command prints. */
#include "yaml/serve/load.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/settings.h"
#include "base/yaml.h"
#include "fiber/process.h"
#include "fiber/process_output.h"
#include "proto/message.h"
#include "proto/struct_codec.h"
#include "yaml/serve/host_internal.h"

#include "pb/language.pb-c.h"

#include <sys/wait.h>
#include <unistd.h>

const char *const *compiler_variables(struct arena *arena, const Pb__RunRequest *request)
{
    CLEANUP(strbuf_release) struct strbuf config = { 0 };
    struct json_writer writer = { .out = &config };
    const char **variables = ARENA_ARRAY(arena, const char *, 6);

    json_begin_object(&writer);
    for (size_t i = 0; i < request->n_config; i++) {
        json_key(&writer, message_str(request->config[i]->key));
        json_string(&writer, message_str(request->config[i]->value));
    }
    json_end_object(&writer);
    variables[0] = arena_printf(arena, "PULUMI_STACK=%s", request->stack).ptr;
    variables[1] = arena_printf(arena, "PULUMI_ORGANIZATION=%s", request->organization).ptr;
    variables[2] = arena_printf(arena, "PULUMI_PROJECT=%s", request->project).ptr;
    variables[3] = arena_printf(arena, "PULUMI_CONFIG=" STR_FMT, STR_ARG(strbuf_str(&config))).ptr;
    variables[4] = arena_printf(arena, "PULUMI_ROOT_DIRECTORY=%s",
                                request->info ? request->info->root_directory : "")
                       .ptr;
    return variables;
}

enum { COMPLAINTS_MAX = 1 << 20 };

struct words {
    VEC(char *);
};

/* As a shell splits a line: blanks between words, quotes and backslashes to keep them. */
static fallible split_words(struct arena *arena, str line, struct words *out)
{
    CLEANUP(strbuf_release) struct strbuf word = { 0 };
    bool is_word = false;
    char quote = 0;

    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        bool is_escape = c == '\\' && quote != '\'' && i + 1 < line.len;
        if (is_escape) {
            strbuf_add_char(&word, line.ptr[++i]);
            is_word = true;
        } else if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : c;
            is_word = true;
        } else if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
            if (is_word)
                vec_add(out, arena_cstr(arena, strbuf_str(&word)));
            strbuf_clear(&word);
            is_word = false;
        } else {
            strbuf_add_char(&word, c);
            is_word = true;
        }
    }
    if (quote)
        return error_new(ERROR_INVALID, "error parsing compiler argument: a quote is not closed");
    if (is_word)
        vec_add(out, arena_cstr(arena, strbuf_str(&word)));
    return NULL;
}

/* A name without a slash is looked for in PATH. */
static fallible compiler_find_command(struct arena *arena, str directory, str name,
                                      const char **out)
{
    bool is_path = str_find_char(name, '/') != SIZE_MAX;
    str path = is_path ? fs_path_absolute(arena, directory, name)
                       : fs_find_program(arena, settings_text("PATH"), name);

    *out = path.ptr;
    if (is_path || path.len)
        return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "error running compiler " STR_FMT ": executable file not found in $PATH",
                     STR_ARG(name));
}

static const char *const *with_environment(struct arena *arena, const char *const *variables)
{
    size_t given = 0, existing = 0;

    while (variables && variables[given])
        given++;
    while (environ[existing])
        existing++;
    const char **all = ARENA_ARRAY(arena, const char *, given + existing + 1);
    for (size_t i = 0; i < given; i++)
        all[i] = variables[i];
    for (size_t i = 0; i < existing; i++)
        all[given + i] = environ[i];
    return all;
}

static fallible compiler_failed(const char *name, int status, str complaints)
{
    return error_new(ERROR_OTHER,
                     "error running compiler %s: exit status %d, stderr follows: " STR_FMT, name,
                     WIFEXITED(status) ? WEXITSTATUS(status) : -1, STR_ARG(complaints));
}

static fallible run_command(struct arena *arena, str directory, struct words *words,
                            const char *const *variables, struct strbuf *program)
{
    CLEANUP(process_output_release) struct process_output out = { .limit = YAML_MAX_SIZE };
    CLEANUP(process_output_release) struct process_output err = { .limit = COMPLAINTS_MAX };
    struct process *process = NULL;
    int status = 0;

    vec_add(words, NULL);
    struct process_options options = {
        .argv = (const char *const *)words->items,
        .environment = with_environment(arena, variables),
        .directory = arena_cstr(arena, directory),
        .has_no_terminal = true,
    };
    TRY(compiler_find_command(arena, directory, str_from(words->items[0]), &options.path));
    TRY(process_open(&options, &process));
    TRY(process_collect(process, 0, &out, &err, &status));
    if (status != 0)
        return compiler_failed(words->items[0], status, strbuf_str(&err.text));
    if (out.is_cut)
        return error_new(ERROR_INVALID, "the compiler prints too much");
    strbuf_add(program, strbuf_str(&out.text));
    return NULL;
}

fallible load_compiled(struct loaded *loaded, str directory, str command,
                       const char *const *variables)
{
    CLEANUP(vec_drop) struct words words = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    TRY(split_words(loaded->arena, command, &words));
    if (words.len == 0)
        return error_new(ERROR_INVALID, "error parsing compiler argument: it is empty");
    str name = str_from(words.items[0]);
    TRY(run_command(loaded->arena, directory, &words, variables, &text));
    loaded->source.name =
        arena_printf(loaded->arena, "<stdout from compiler " STR_FMT ">", STR_ARG(name));
    loaded->source.text = arena_copy(loaded->arena, strbuf_str(&text));
    load_text(loaded);
    if (loaded->diags.errors)
        return NULL;
    return packages_search(&loaded->packages, directory);
}

fallible compiler_of(struct arena *arena, const Pb__ProgramInfo *info, str *out)
{
    struct value options = VALUE_EMPTY_OBJECT;

    *out = (str){ 0 };
    if (info)
        TRY(struct_decode(arena, message_get_bytes(info, options), TEXT_BORROWED, &options));
    const struct value *compiler = value_find(options, STR("compiler"));
    if (!compiler || compiler->kind == VALUE_NULL)
        return NULL;
    if (compiler->kind != VALUE_STRING)
        return error_new(ERROR_INVALID, "the runtime option 'compiler' must be a string");
    *out = value_text(*compiler);
    return NULL;
}
