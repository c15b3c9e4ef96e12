/* eval_builtins.c — the functions of the language itself. */
#include "yaml/eval/eval.h"

#include "base/base64.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "fiber/offload.h"
#include "model/value_json.h"
#include "yaml/eval/graphemes.h"

#include <math.h>

/* One call: its arguments, stripped; none is unknown. */
struct call {
    struct task *task;
    struct arena *arena;
    const struct expr *expr;
    struct value args[2];
    struct value result;
};

static struct range argument_range(const struct call *call, size_t index)
{
    return call->expr->items[index]->range;
}

static bool fail_size(struct call *call)
{
    return task_too_large(call->task, call->expr->range, "the value takes");
}

static bool give_text(struct call *call, const struct strbuf *text)
{
    if (text->len > evaluator_limit(call->task->evaluator))
        return fail_size(call);
    call->result = value_string(arena_copy(call->arena, strbuf_str(text)));
    return true;
}

/* --- text --- */

static bool builtin_join(struct call *call)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct value delimiter = call->args[0], list = call->args[1];
    bool is_good = true;

    if (delimiter.kind != VALUE_STRING && delimiter.kind != VALUE_NULL)
        is_good = task_fail(call->task, argument_range(call, 0),
                            "delimiter must be a string, not %s", value_kind_text(delimiter));
    if (list.kind != VALUE_ARRAY)
        return task_fail(call->task, argument_range(call, 1),
                         "the second argument to fn::join must be a list, found %s",
                         value_kind_text(list));
    for (uint32_t i = 0; is_good && i < list.len; i++) {
        if (list.items[i].kind != VALUE_STRING)
            return task_fail(
                call->task, argument_range(call, 1),
                "the second argument to fn::join must be a list of strings, found %s at index %u",
                value_kind_text(list.items[i]), i);
        if (text.len + value_text(list.items[i]).len
                + (delimiter.kind == VALUE_STRING ? delimiter.len : 0)
            > evaluator_limit(call->task->evaluator))
            return fail_size(call);
        if (i && delimiter.kind == VALUE_STRING)
            strbuf_add(&text, value_text(delimiter));
        strbuf_add(&text, value_text(list.items[i]));
    }
    return is_good && give_text(call, &text);
}

struct values {
    VEC(struct value);
};

/* An empty delimiter splits into characters. */
static bool split(struct call *call)
{
    CLEANUP(vec_drop) struct values parts = { 0 };
    size_t most = evaluator_limit(call->task->evaluator) / sizeof(*parts.items);
    str delimiter = value_text(call->args[0]), rest = value_text(call->args[1]), head;

    for (size_t i = 0; i < 2; i++)
        if (call->args[i].kind != VALUE_STRING)
            return task_fail(call->task, argument_range(call, i), "Must be a string, not %s",
                             value_kind_text(call->args[i]));
    for (; delimiter.len == 0 && rest.len && parts.len <= most;) {
        size_t width = str_utf8_width(rest, 0);
        width = width ? width : 1;
        vec_add(&parts, value_string(str_slice(rest, 0, width)));
        rest = str_slice(rest, width, rest.len);
    }
    while (delimiter.len && parts.len <= most && str_cut(rest, delimiter, &head, &rest))
        vec_add(&parts, value_string(head));
    if (delimiter.len)
        vec_add(&parts, value_string(rest));
    if (parts.len > most)
        return fail_size(call);
    call->result = value_array(call->arena, parts.items, parts.len);
    return true;
}

static bool select_item(struct call *call)
{
    struct value index = call->args[0];
    struct access_step step = { .kind = ACCESS_INDEX };

    if (index.kind != VALUE_NUMBER)
        return task_fail(call->task, argument_range(call, 0), "index must be a number, not %s",
                         value_kind_text(index));
    if (index.number < 0 || index.number > UINT32_MAX || floor(index.number) != index.number)
        return task_fail(call->task, argument_range(call, 0),
                         "index must be a positive integral, not %.17g", index.number);
    step.index = (long)index.number;
    return eval_steps(call->task, argument_range(call, 1), call->args[1], &step, 1, &call->result);
}

static bool to_json(struct call *call)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };

    value_write(&writer, call->args[0], SECRET_BARE);
    return give_text(call, &text);
}

static bool to_base64(struct call *call)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (call->args[0].kind != VALUE_STRING)
        return task_fail(call->task, argument_range(call, 0),
                         "expected argument to fn::toBase64 to be a string, got %s",
                         value_kind_text(call->args[0]));
    base64_encode(&text, value_text(call->args[0]));
    return give_text(call, &text);
}

static bool from_base64(struct call *call)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (call->args[0].kind != VALUE_STRING)
        return task_fail(call->task, argument_range(call, 0),
                         "expected argument to fn::fromBase64 to be a string, got %s",
                         value_kind_text(call->args[0]));
    if (!base64_decode(&text, value_text(call->args[0])))
        return task_fail(call->task, argument_range(call, 0),
                         "fn::fromBase64 unable to decode " STR_FMT ", error: illegal base64 data",
                         STR_ARG(value_text(call->args[0])));
    if (!str_is_utf8(strbuf_str(&text)))
        return task_fail(call->task, argument_range(call, 0),
                         "fn::fromBase64 output is not a valid UTF-8 string");
    return give_text(call, &text);
}

static bool sha1(struct call *call)
{
    if (call->args[0].kind != VALUE_STRING)
        return task_fail(call->task, argument_range(call, 0), "fn::sha1 requires a string, got %s",
                         value_kind_text(call->args[0]));
    call->result = value_string(hash_sha1_hex(call->arena, value_text(call->args[0])));
    return true;
}

static bool length(struct call *call)
{
    struct value value = call->args[0];

    if (value.kind == VALUE_ARRAY || value.kind == VALUE_OBJECT)
        call->result = value_number(value.len);
    else if (value.kind == VALUE_STRING)
        call->result = value_number((double)graphemes_count(value_text(value)));
    else
        return task_fail(call->task, argument_range(call, 0),
                         "fn::length requires a list, map, or string, got %s",
                         value_kind_text(value));
    return true;
}

static bool single_or_none(struct call *call)
{
    struct value list = call->args[0];

    if (list.kind != VALUE_ARRAY)
        return task_fail(call->task, argument_range(call, 0),
                         "fn::singleOrNone requires a list, got %s", value_kind_text(list));
    if (list.len > 1)
        return task_fail(call->task, argument_range(call, 0),
                         "fn::singleOrNone expected a list of 0 or 1 elements, got %u", list.len);
    call->result = list.len ? list.items[0] : value_null();
    return true;
}

/* --- files --- */

enum { LARGEST_FILE = 1 << 30 };

/* On a helper thread: it touches nothing else. */
struct file_work {
    struct arena arena;
    str path;
    size_t limit;
    str content;
    struct error *failure;
};

static void read_on_thread(void *work_)
{
    struct file_work *work = work_;
    work->failure = fs_read(&work->arena, work->path, work->limit, &work->content);
}

/* What is only hashed may be larger than a value. */
static fallible read_path(struct call *call, str path, str *out)
{
    bool is_hashed = call->expr->builtin == BUILTIN_FILE_BASE64_SHA256;
    struct file_work work = { 0 };

    work.limit = is_hashed ? LARGEST_FILE : evaluator_limit(call->task->evaluator);
    work.path =
        fs_path_absolute(call->arena, call->task->evaluator->settings->program_directory, path);
    offload(read_on_thread, &work);
    arena_adopt(call->arena, &work.arena);
    *out = work.content;
    return work.failure;
}

/* What the system says of a path, without our own words around it. */
static str reason_of(struct call *call, struct error *owned, str path)
{
    str reason = error_kind(owned) == ERROR_NOT_FOUND
                     ? arena_printf(call->arena, "open " STR_FMT ": no such file or directory",
                                    STR_ARG(path))
                     : arena_copy(call->arena, error_message(owned));
    error_free(owned);
    return reason;
}

static bool builtin_read_file(struct call *call)
{
    str path = value_text(call->args[0]), content;

    if (call->args[0].kind != VALUE_STRING)
        return task_fail(call->task, argument_range(call, 0),
                         "Argument to fn::readFile must be a string, got %s",
                         value_kind_text(call->args[0]));
    struct error *failure = read_path(call, path, &content);
    if (failure) {
        str reason = reason_of(call, failure, path);
        return task_fail(call->task, argument_range(call, 0),
                         "Error reading file at path " STR_FMT ": " STR_FMT, STR_ARG(path),
                         STR_ARG(reason));
    }
    call->result = value_string(content);
    return true;
}

static bool file_base64(struct call *call)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    bool is_hashed = call->expr->builtin == BUILTIN_FILE_BASE64_SHA256;
    const char *name = is_hashed ? "fn::filebase64sha256" : "fn::filebase64";
    str path = value_text(call->args[0]), content;
    unsigned char digest[SHA256_SIZE];

    if (call->args[0].kind != VALUE_STRING)
        return task_fail(call->task, argument_range(call, 0), "%s requires a string path, got %s",
                         name, value_kind_text(call->args[0]));
    struct error *failure = read_path(call, path, &content);
    if (failure) {
        str reason = reason_of(call, failure, path);
        return task_fail(call->task, argument_range(call, 0),
                         "%s error reading file " STR_FMT ": " STR_FMT, name, STR_ARG(path),
                         STR_ARG(reason));
    }
    if (is_hashed) {
        hash_sha256(content, digest);
        content = (str){ (const char *)digest, sizeof(digest) };
    }
    base64_encode(&text, content);
    return give_text(call, &text);
}

static bool builtin_make_asset(struct call *call)
{
    enum builtin builtin = call->expr->builtin;
    struct asset *asset = ARENA_NEW(call->arena, struct asset);
    str text = value_text(call->args[0]);

    if (call->args[0].kind != VALUE_STRING)
        return task_fail(call->task, argument_range(call, 0),
                         "Argument to fn::* must be a string, got %s",
                         value_kind_text(call->args[0]));
    if (builtin == BUILTIN_STRING_ASSET)
        asset->text = text, asset->has_text = true;
    else if (builtin == BUILTIN_FILE_ASSET || builtin == BUILTIN_FILE_ARCHIVE)
        asset->path = text;
    else
        asset->uri = text;
    bool is_archive = builtin == BUILTIN_FILE_ARCHIVE || builtin == BUILTIN_REMOTE_ARCHIVE;
    call->result =
        (struct value){ .kind = is_archive ? VALUE_ARCHIVE : VALUE_ASSET, .asset = asset };
    return true;
}

/* --- those that do not look at plain values --- */

static bool make_archive(struct task *task, const struct expr *expr, struct value *out)
{
    struct arena *arena = task->evaluator->arena;
    struct asset *archive = ARENA_NEW(arena, struct asset);
    struct member *members = ARENA_ARRAY(arena, struct member, expr->len + 1);
    struct taint taint = { 0 };

    for (size_t i = 0; i < expr->len; i++) {
        members[i].key = expr_string(expr->pairs[i].key);
        if (!eval_plain(task, expr->pairs[i].value, &members[i].value, &taint))
            return false;
    }
    archive->has_members = true;
    archive->members = value_object(arena, members, expr->len);
    *out = output_wrap(arena, (struct value){ .kind = VALUE_ARCHIVE, .asset = archive }, &taint);
    return true;
}

static bool mark_secret(struct task *task, const struct expr *expr, struct value *out)
{
    struct taint taint = { 0 };
    struct value value;

    if (!eval_plain(task, expr->items[0], &value, &taint))
        return false;
    if (value.kind == VALUE_NULL && !taint.is_output) {
        *out = value;
        return true;
    }
    taint.is_output = true;
    taint.is_secret = expr->builtin == BUILTIN_SECRET;
    *out = output_wrap(task->evaluator->arena, value, &taint);
    return true;
}

static bool describe_resource(struct task *task, const struct expr *expr, struct value *out)
{
    bool is_name = expr->builtin == BUILTIN_RESOURCE_NAME;
    struct value value;

    if (!eval_expr(task, expr->items[0], &value))
        return false;
    struct registered *resource = value.kind == VALUE_REFERENCE
                                      ? map_find(&task->evaluator->by_urn, value.reference->urn)
                                      : NULL;
    if (!resource)
        return task_fail(task, expr->items[0]->range,
                         "fn::pulumiResource%s requires a resource, got %s",
                         is_name ? "Name" : "Type", value_kind_text(value));
    *out = value_string(is_name ? resource->name : resource->type);
    return true;
}

static bool stack_reference(struct task *task, const struct expr *expr, struct value *out)
{
    struct arena *arena = task->evaluator->arena;
    struct registered *stack;
    struct value property;
    struct taint taint = { 0 };

    if (!eval_read_stack(task, expr->items[0]->range, expr_string(expr->items[0]), &stack)
        || !eval_plain(task, expr->items[1], &property, &taint))
        return false;
    if (taint.is_unknown) {
        *out = output_unknown(arena, &taint);
        return true;
    }
    if (property.kind != VALUE_STRING)
        return task_fail(
            task, expr->items[1]->range,
            "expected property name argument to fn::stackReference to be a string, got %s",
            value_kind_text(property));
    const struct access_step steps[] = {
        { .kind = ACCESS_NAME, .name = STR("outputs") },
        { .kind = ACCESS_KEY, .name = value_text(property) },
    };
    return eval_steps(task, expr->range, registered_reference(arena, stack), steps, 2, out);
}

/* --- calling --- */

static bool (*const functions[])(struct call *) = {
    [BUILTIN_JOIN] = builtin_join,
    [BUILTIN_SPLIT] = split,
    [BUILTIN_SELECT] = select_item,
    [BUILTIN_TO_JSON] = to_json,
    [BUILTIN_TO_BASE64] = to_base64,
    [BUILTIN_FROM_BASE64] = from_base64,
    [BUILTIN_READ_FILE] = builtin_read_file,
    [BUILTIN_FILE_BASE64] = file_base64,
    [BUILTIN_FILE_BASE64_SHA256] = file_base64,
    [BUILTIN_SHA1] = sha1,
    [BUILTIN_LENGTH] = length,
    [BUILTIN_SINGLE_OR_NONE] = single_or_none,
    [BUILTIN_STRING_ASSET] = builtin_make_asset,
    [BUILTIN_FILE_ASSET] = builtin_make_asset,
    [BUILTIN_REMOTE_ASSET] = builtin_make_asset,
    [BUILTIN_FILE_ARCHIVE] = builtin_make_asset,
    [BUILTIN_REMOTE_ARCHIVE] = builtin_make_asset,
};

/* The result is an output again if an argument was one, and unknown if one was unknown. */
static bool call_plain(struct task *task, const struct expr *expr, struct value *out)
{
    struct arena *arena = task->evaluator->arena;
    struct call call = { .task = task, .arena = arena, .expr = expr };
    struct taint taint = { 0 };

    for (size_t i = 0; i < expr->len; i++)
        if (!eval_plain(task, expr->items[i], &call.args[i], &taint))
            return false;
    if (taint.is_unknown) {
        *out = output_unknown(arena, &taint);
        return true;
    }
    if (!functions[expr->builtin](&call))
        return false;
    *out = output_wrap(arena, output_strip(arena, call.result, &taint), &taint);
    return true;
}

bool eval_call(struct task *task, const struct expr *expr, struct value *out)
{
    switch ((int)expr->builtin) {
    case BUILTIN_SECRET:
    case BUILTIN_UNSECRET: return mark_secret(task, expr, out);
    case BUILTIN_ASSET_ARCHIVE: return make_archive(task, expr, out);
    case BUILTIN_RESOURCE_NAME:
    case BUILTIN_RESOURCE_TYPE: return describe_resource(task, expr, out);
    case BUILTIN_STACK_REFERENCE: return stack_reference(task, expr, out);
    default: return call_plain(task, expr, out);
    }
}
