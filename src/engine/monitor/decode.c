/* decode.c — pieces that requests of programs have in common. */
#include "engine/monitor/monitor.h"

#include "base/fs.h"
#include "base/uuid.h"
#include "engine/engine.h"
#include "base/strbuf.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"

#include <ctype.h>
#include <stdlib.h>

fallible decode_check_urn(str text, const char *what)
{
    struct urn parsed;
    struct error *bad = urn_parse(text, &parsed);

    if (!bad)
        return NULL;
    struct error *refused = monitor_refuse(RPC_INVALID_ARGUMENT, "invalid %s: " STR_FMT, what,
                                           STR_ARG(error_message(bad)));
    error_free(bad);
    return refused;
}

fallible decode_urns(struct arena *arena, struct strs texts, const char *what, struct strs *out)
{
    for (size_t i = 0; i < texts.len; i++)
        TRY(decode_check_urn(texts.items[i], what));
    *out = strs_union(arena, (struct strs){ 0 }, texts);
    return NULL;
}

fallible decode_check_aliases(struct aliases aliases)
{
    for (size_t i = 0; i < aliases.len; i++) {
        const struct alias *alias = &aliases.items[i];
        if (!alias->is_spec)
            TRY(decode_check_urn(alias->urn, "alias URN"));
        else if (alias->parent.len)
            TRY(decode_check_urn(alias->parent, "parent alias URN"));
    }
    return NULL;
}

/* %20 and the like; false if that is none. */
static bool unescape(struct arena *arena, str text, str *out)
{
    CLEANUP(strbuf_release) struct strbuf plain = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '%') {
            char digits[3] = { 0 }, *end;
            if (i + 2 >= text.len || !isxdigit((unsigned char)text.ptr[i + 1]))
                return false;
            memcpy(digits, &text.ptr[i + 1], 2);
            c = (char)strtoul(digits, &end, 16);
            if (end != digits + 2)
                return false;
            i += 2;
        }
        strbuf_add_char(&plain, c);
    }
    *out = arena_copy(arena, strbuf_str(&plain));
    return true;
}

static void add_escaped(struct strbuf *out, str path)
{
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if (isalnum(c) || (c && strchr("-_.~$&+,/:;=@", c)))
            strbuf_add_char(out, (char)c);
        else
            strbuf_printf(out, "%%%02X", c);
    }
}

/* The way from one directory to a file, both absolute and clean. */
static void add_way(struct strbuf *out, str from, str to)
{
    size_t common = 0, ups = 0;

    from = str_equal(from, STR("/")) ? STR("") : from;
    for (size_t i = 0; i <= from.len && i <= to.len; i++) {
        bool ends_from = i == from.len || from.ptr[i] == '/',
             ends_to = i == to.len || to.ptr[i] == '/';
        if (ends_from && ends_to)
            common = i;
        if (i == from.len || i == to.len || from.ptr[i] != to.ptr[i])
            break;
    }
    for (size_t i = common; i < from.len; i++)
        ups += from.ptr[i] == '/';
    for (size_t i = 0; i < ups; i++)
        strbuf_add(out, STR("../"));
    add_escaped(out, common < to.len ? str_slice(to, common + 1, to.len) : STR("."));
}

/* A file becomes project:///path#line,column, with its path seen from the project's folder;
 * anything else is not worth keeping. */
str decode_position(struct monitor *monitor, struct arena *arena,
                    const Pb__SourcePosition *position)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str uri = position ? message_str(position->uri) : STR(""), path;

    if (!str_starts_with(uri, STR("file:///")) || position->line < 0 || position->column < 0
        || !unescape(arena, str_slice(uri, 7, uri.len), &path))
        return STR("");
    strbuf_add(&out, STR("project:///"));
    add_way(&out, fs_path_clean(arena, monitor->options->project->program.root_directory),
            fs_path_clean(arena, path));
    strbuf_printf(&out, "#%d", position->line);
    if (position->column)
        strbuf_printf(&out, ",%d", position->column);
    return arena_copy(arena, strbuf_str(&out));
}

struct strs decode_trace(struct monitor *monitor, struct arena *arena, const Pb__StackTrace *trace,
                         const char *parent_handle)
{
    const struct strs *parent = map_find(&monitor->traces, message_str(parent_handle));
    size_t own = trace ? trace->n_frames : 0;
    str *frames = ARENA_ARRAY(arena, str, own + (parent ? parent->len : 0) + 1);
    size_t len = 0;

    for (size_t i = 0; i < own; i++)
        frames[len++] = decode_position(monitor, arena, trace->frames[i]->pc);
    for (size_t i = 0; parent && i < parent->len; i++)
        frames[len++] = parent->items[i];
    return (struct strs){ frames, len };
}

str trace_keep(struct monitor *monitor, struct arena *arena, const Pb__SourcePosition *position,
               const Pb__StackTrace *trace, const char *parent_handle)
{
    struct arena *lasting = monitor->arena;
    struct strs frames = decode_trace(monitor, arena, trace, parent_handle);
    str own = decode_position(monitor, arena, position);

    if (frames.len == 0 && own.len == 0)
        return STR("");
    if (frames.len == 0)
        frames = (struct strs){ arena_copy_bytes(arena, &own, sizeof(own)), 1 };
    struct strs kept = strs_copy(lasting, frames);
    str handle = uuid_new(lasting);
    map_put(&monitor->traces, handle, arena_copy_bytes(lasting, &kept, sizeof(kept)));
    return handle;
}

void trace_drop(struct monitor *monitor, str handle)
{
    if (handle.len)
        map_remove(&monitor->traces, handle);
}

bool collect_output_dependencies(struct str_list *found, struct value value)
{
    const struct value *child;
    bool has_output = value.kind == VALUE_OUTPUT;

    for (size_t i = 0; has_output && i < value.output->dependency_count; i++)
        vec_add(found, value.output->dependencies[i]);
    for (size_t i = 0; (child = value_child(&value, i)); i++)
        has_output |= collect_output_dependencies(found, *child);
    return has_output;
}

void add_output_dependencies(struct arena *arena, struct strs *urns, struct value value)
{
    CLEANUP(str_list_release) struct str_list found = { 0 };

    if (collect_output_dependencies(&found, value))
        *urns = strs_union(arena, *urns, (struct strs){ found.items, found.len });
}

fallible decode_properties(struct arena *arena, str bytes, const struct unmarshal_options *options,
                           struct value *out)
{
    return error_as(properties_unmarshal(arena, bytes, options, out), ERROR_OTHER);
}

fallible decode_inputs(struct monitor *monitor, struct arena *arena, str bytes,
                       enum input_form form, struct value *out)
{
    const struct unmarshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .keep_output_values = form != INPUTS_PLAIN,
        .upgrade_to_output_values = form != INPUTS_PLAIN,
    };

    TRY(decode_properties(arena, bytes, &options, out));
    return error_as(decode_assets(monitor, arena, out), ERROR_OTHER);
}
