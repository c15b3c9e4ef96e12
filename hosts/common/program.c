/* program.c — a program as the engine describes it, and what every language passes to its program.
 */
#include "common/language_ops.h"

#include "base/json.h"
#include "proto/message.h"
#include "proto/struct_codec.h"

fallible program_open(struct arena *arena, const Pb__ProgramInfo *info, struct program *out)
{
    str options = message_get_bytes(info, options);

    *out = (struct program){
        .root = message_str(info->root_directory),
        .directory = message_str(info->program_directory),
        .entry_point = message_str(info->entry_point),
        .options = VALUE_EMPTY_OBJECT,
    };
    if (out->entry_point.len == 0)
        out->entry_point = STR(".");
    if (out->root.len == 0)
        out->root = out->directory;
    if (options.len == 0)
        return NULL;
    return error_wrap(struct_decode(arena, options, TEXT_COPIED, &out->options),
                      "reading the runtime options");
}

fallible program_option_text(const struct program *program, const char *name, str *out)
{
    const struct value *value = value_find(program->options, str_from(name));

    *out = STR("");
    if (!value || value->kind == VALUE_NULL)
        return NULL;
    if (value->kind != VALUE_STRING)
        return error_new(ERROR_INVALID, "%s option must be a string", name);
    *out = value_text(*value);
    return NULL;
}

fallible program_option_bool(const struct program *program, const char *name, bool otherwise,
                             bool *out)
{
    const struct value *value = value_find(program->options, str_from(name));

    *out = otherwise;
    if (!value || value->kind == VALUE_NULL)
        return NULL;
    if (value->kind != VALUE_BOOL)
        return error_new(ERROR_INVALID, "%s option must be a boolean", name);
    *out = value->boolean;
    return NULL;
}

void dependencies_add(struct dependencies *list, struct arena *arena, str name, str version)
{
    Pb__DependencyInfo *dependency = ARENA_NEW(arena, Pb__DependencyInfo);
    pb__dependency_info__init(dependency);
    dependency->name = message_cstr(arena, name);
    dependency->version = message_cstr(arena, version);
    vec_add(list, dependency);
}

void about_add(struct about *about, str key, str value)
{
    vec_add(about, ((struct pair){ key, value }));
}

/* --- what a program is given --- */

static str finished(struct json_writer *writer, struct arena *arena)
{
    error_ignore(json_writer_finish(writer), "there is no file behind it");
    return arena_copy(arena, strbuf_str(writer->out));
}

/* The Node.js SDKs of old look for "ns:config:key". */
static str marked_key(struct arena *arena, str key)
{
    str space, name;
    if (!str_cut(key, STR(":"), &space, &name) || str_starts_with(name, STR("config:")))
        return key;
    return arena_concat(arena, space, STR(":config:"), name);
}

str run_config_json(struct arena *arena, Pb__StringEntry *const *config, size_t len,
                    bool marks_config)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_object(&writer);
    for (size_t i = 0; i < len; i++) {
        str key = message_str(config[i]->key);
        json_key(&writer, marks_config ? marked_key(arena, key) : key);
        json_string(&writer, message_str(config[i]->value));
    }
    json_end_object(&writer);
    return finished(&writer, arena);
}

str run_secret_keys_json(struct arena *arena, const Pb__RunRequest *request)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_array(&writer);
    for (size_t i = 0; i < request->n_config_secret_keys; i++)
        json_string(&writer, message_str(request->config_secret_keys[i]));
    json_end_array(&writer);
    return finished(&writer, arena);
}

void run_answer(struct arena *arena, int exit_code, str words_before_code, Pb__RunResponse *out)
{
    enum { EXIT_ALREADY_TOLD = 32 };

    if (exit_code == EXIT_ALREADY_TOLD)
        out->bail = true;
    else if (exit_code != 0)
        out->error = message_cstr(
            arena, arena_printf(arena, STR_FMT ": %d", STR_ARG(words_before_code), exit_code));
}
