/* script.c — the folder of one running operation. */
#include "support/script.h"

#include "base/fs.h"
#include "base/settings.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "support/json_value.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

str script_path(struct arena *arena, str name)
{
    return fs_path_join(arena, settings_text("SCENARIO_DIR"), name);
}

fallible script_load(struct arena *arena, str name, struct value *out)
{
    struct value loaded;
    struct error *failure = json_value_load(arena, script_path(arena, name), &loaded);

    if (failure && error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    *out = failure ? value_null() : loaded;
    error_ignore(failure, "a script need not have every part");
    return NULL;
}

static fallible append(str path, str line)
{
    int fd = open(path.ptr, O_APPEND | O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0)
        return error_os("open '%s'", path.ptr);
    ssize_t written = write(fd, line.ptr, line.len);
    struct error *failure = written == (ssize_t)line.len ? NULL : error_os("write '%s'", path.ptr);
    close(fd);
    return failure;
}

fallible script_trace(enum trace_part part, struct value record)
{
    static const char *const names[] = { "provider", "program", "callback", "plugin" };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (settings_text("SCENARIO_NOTRACE").len)
        return NULL;
    struct value from = value_string(str_from(names[part]));
    str line = json_value_text(&scratch, value_with(&scratch, record, STR("from"), from), 0);
    return append(script_path(&scratch, STR("trace.jsonl")),
                  arena_concat(&scratch, line, STR("\n")));
}

/* The last line may still be on its way. */
static bool trace_has_call(struct arena *arena, str text, str rpc, str name)
{
    str line;

    while (str_cut(text, STR("\n"), &line, &text)) {
        struct value record;
        struct error *cut_off = json_value_parse(arena, line, &record);
        if (!cut_off && str_equal(object_text(record, STR("rpc")), rpc)
            && str_equal(object_text(object_get(record, STR("request")), STR("name")), name))
            return true;
        error_ignore(cut_off, "it is not the record that is waited for");
    }
    return false;
}

bool script_has_seen(str rpc, str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str path = script_path(&scratch, STR("trace.jsonl")), text = { 0 };
    struct error *absent = fs_read(&scratch, path, FS_ANY_SIZE, &text);
    bool has_seen = !absent && trace_has_call(&scratch, text, rpc, name);

    error_ignore(absent, "nothing was seen yet");
    return has_seen;
}

fallible script_await(str rpc, str name)
{
    enum { PAUSE_MS = 5, PATIENCE_MS = 60000 };

    for (int waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
        if (script_has_seen(rpc, name))
            return NULL;
        TRY(fiber_sleep_ms(PAUSE_MS));
    }
    return error_new(ERROR_OTHER, STR_FMT " of " STR_FMT " was not seen", STR_ARG(rpc),
                     STR_ARG(name));
}

void script_trace_start(str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (settings_text("SCENARIO_DIR").len)
        error_ignore(
            script_trace(TRACE_PLUGIN, script_record(&scratch, "start", value_string(name), NULL)),
            "a section will miss it");
}

/* --- waiting --- */

static bool is_fact(struct arena *scratch, str name, struct value texts)
{
    str content = STR("");
    struct error *failure = fs_read(scratch, script_path(scratch, name), FS_ANY_SIZE, &content);
    bool is_so = !failure;

    error_ignore(failure, "it is not there yet");
    if (texts.kind == VALUE_STRING)
        return is_so && str_find(content, value_text(texts)) != SIZE_MAX;
    for (size_t i = 0; is_so && texts.kind == VALUE_ARRAY && i < texts.len; i++)
        is_so = str_find(content, value_text(texts.items[i])) != SIZE_MAX;
    return is_so;
}

static bool are_facts(struct value facts)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    for (size_t i = 0; i < facts.len; i++)
        if (!is_fact(&scratch, facts.members[i].key, facts.members[i].value))
            return false;
    return true;
}

fallible script_await_files(struct value facts)
{
    enum { ROUND_MS = 10, PATIENCE_MS = 120 * 1000 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (facts.kind != VALUE_OBJECT)
        return NULL;
    for (int i = 0; i < PATIENCE_MS / ROUND_MS; i++) {
        if (are_facts(facts))
            return NULL;
        TRY(fiber_sleep_ms(ROUND_MS));
    }
    return error_new(ERROR_TIMEOUT, "this never came to be: " STR_FMT,
                     STR_ARG(json_value_text(&scratch, facts, 0)));
}

fallible script_mark(str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    return name.len ? append(script_path(&scratch, name), STR("")) : NULL;
}

/* --- messages --- */

struct value script_record(struct arena *arena, const char *first, ...)
{
    struct value record = VALUE_EMPTY_OBJECT;
    va_list list;

    va_start(list, first);
    for (const char *key = first; key; key = va_arg(list, const char *))
        record = value_with(arena, record, str_from(key), va_arg(list, struct value));
    va_end(list);
    return record;
}

fallible script_call(struct rpc_client *client, const char *method, const ProtobufCMessage *request,
                     const ProtobufCMessageDescriptor *type, struct arena *arena, void **answer)
{
    str bytes;

    TRY(rpc_call_unary(client, method, message_pack(arena, request), NULL, arena, &bytes));
    return message_unpack(arena, type, bytes, answer);
}
