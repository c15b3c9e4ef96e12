/* provider_rules.c — finds the rule for a call and does what it says. */
#include "support/provider_rules.h"

#include "base/fs.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "proto/struct_codec.h"
#include "rpc/rpc.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/script.h"

#include "pb/engine.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource_status.pb-c.h"
#include "pb/status.pb-c.h"

#include <signal.h>
#include <unistd.h>

struct rules rules_new(struct arena *arena, struct value list)
{
    size_t len = list.kind == VALUE_ARRAY ? list.len : 0;
    struct rules rules = { ARENA_ARRAY(arena, struct rule, len + 1), len };

    for (size_t i = 0; i < len; i++)
        rules.items[i].script = list.items[i];
    return rules;
}

static bool is_wanted(struct value script, str key, str text)
{
    str wanted = object_text(script, key);

    return wanted.len == 0 || str_equal(wanted, text);
}

struct rule *rules_find(struct rules *rules, const char *rpc, str name, str type)
{
    for (size_t i = 0; i < rules->len; i++) {
        struct rule *rule = &rules->items[i];
        if (!str_equal(object_text(rule->script, STR("on")), str_from(rpc))
            || !is_wanted(rule->script, STR("name"), name)
            || !is_wanted(rule->script, STR("type"), type))
            continue;
        double nth = object_number(rule->script, STR("nth"), 0);
        rule->seen++;
        if (nth == 0 || nth == (double)rule->seen)
            return rule;
    }
    return NULL;
}

bool rule_has(const struct rule *rule, str key)
{
    return rule && object_get(rule->script, key).kind != VALUE_NULL;
}

/* --- before and after the work --- */

fallible rule_tell(const struct rule *rule, struct arena *arena, str address)
{
    Pb__LogRequest request = PB__LOG_REQUEST__INIT;
    struct rpc_client *client;
    void *answer;

    if (!rule_has(rule, STR("tells")))
        return NULL;
    request.severity = PB__LOG_SEVERITY__INFO;
    request.message = message_cstr(arena, object_text(rule->script, STR("tells")));
    TRY(rpc_client_open(address, &client));
    struct error *failure = script_call(client, "/pulumirpc.Engine/Log", &request.base,
                                        &pb__empty__descriptor, arena, &answer);
    rpc_client_close(client);
    return failure;
}

static int status_code(str name)
{
    static const char *const names[] = {
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED",
    };

    for (int i = 0; i < (int)(sizeof(names) / sizeof(*names)); i++)
        if (str_equal(name, str_from(names[i])))
            return i;
    return RPC_UNKNOWN;
}

/* A process that waits for what comes next has dealt with every signal that it was sent. */
static bool has_noticed(pid_t process)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str line, key, text;
    bool is_waiting = false, has_pending = false;
    struct error *failure =
        fs_read(&scratch, arena_printf(&scratch, "/proc/%d/status", (int)process), 1 << 16, &text);

    if (failure) {
        error_ignore(failure, "it is gone");
        return true;
    }
    while (str_cut(text, STR("\n"), &line, &text)) {
        str_cut(line, STR(":\t"), &key, &line);
        if (str_equal(key, STR("State")))
            is_waiting = !str_starts_with(line, STR("R"));
        if (str_equal(key, STR("SigPnd")) || str_equal(key, STR("ShdPnd")))
            has_pending |= !str_equal(line, STR("0000000000000000"));
    }
    return is_waiting && !has_pending;
}

/* Until the engine has heard the signal; twice, as it may have rested just before. */
static fallible await_notice(pid_t engine)
{
    for (int times = 0; times < 2 && getppid() == engine;) {
        TRY(fiber_sleep_ms(100));
        times += has_noticed(engine);
    }
    return NULL;
}

static fallible disturb(const struct rule *rule)
{
    int signal_number = (int)object_number(rule->script, STR("signal"), 0);

    if (signal_number) {
        pid_t engine = getppid();
        if (engine > 1) /* else it is gone, and init has adopted us */
            kill(engine, signal_number);
        TRY(await_notice(engine));
    }
    if (object_flag(rule->script, STR("crash")))
        _exit(7);
    return NULL;
}

fallible rule_begin(const struct rule *rule)
{
    if (!rule)
        return NULL;
    str failure = object_text(rule->script, STR("error"));
    double pause = object_number(rule->script, STR("sleepMs"), 0);
    struct value until = object_get(rule->script, STR("until"));
    struct value needs = object_get(rule->script, STR("needs"));
    if (pause > 0)
        TRY(fiber_sleep_ms((uint64_t)pause));
    if (until.kind == VALUE_OBJECT)
        TRY(script_await(object_text(until, STR("on")), object_text(until, STR("name"))));
    if (needs.kind == VALUE_OBJECT
        && !script_has_seen(object_text(needs, STR("on")), object_text(needs, STR("name"))))
        return error_from_status(RPC_UNKNOWN, STR("too early"), STR(""));
    TRY(script_mark(object_text(rule->script, STR("mark"))));
    TRY(script_await_files(object_get(rule->script, STR("appears"))));
    if (!object_flag(rule->script, STR("after")))
        TRY(disturb(rule));
    if (failure.len)
        return error_from_status(status_code(object_text(rule->script, STR("code"))), failure,
                                 STR(""));
    return NULL;
}

fallible rule_finish(const struct rule *rule, struct arena *arena, ProtobufCMessage *answer)
{
    void *over;

    if (!rule)
        return NULL;
    if (object_flag(rule->script, STR("after")))
        TRY(disturb(rule));
    if (!rule_has(rule, STR("respond")))
        return NULL;
    TRY(message_from_json(arena, object_get(rule->script, STR("respond")), answer->descriptor,
                          &over));
    return message_merge(arena, answer, over);
}

/* --- resources --- */

struct value rule_edit(const struct rule *rule, struct arena *arena, struct value outputs)
{
    if (rule_has(rule, STR("props")))
        outputs = value_merge(arena, outputs, object_get(rule->script, STR("props")));
    struct strs dropped = rule ? object_strs(arena, rule->script, STR("drop")) : (struct strs){ 0 };
    for (size_t i = 0; i < dropped.len; i++)
        outputs = value_without(arena, outputs, dropped.items[i]);
    return outputs;
}

static fallible publish(struct value steps, struct arena *arena, struct rpc_client *client,
                        str token)
{
    Pb__PublishViewStepsRequest request = PB__PUBLISH_VIEW_STEPS_REQUEST__INIT;
    void *message;

    request.token = message_cstr(arena, token);
    request.steps = ARENA_ARRAY(arena, Pb__ViewStep *, steps.len + 1);
    for (size_t i = 0; i < steps.len; i++) {
        TRY(message_from_json(arena, steps.items[i], &pb__view_step__descriptor, &message));
        request.steps[request.n_steps++] = message;
    }
    return script_call(client, "/pulumirpc.ResourceStatus/PublishViewSteps", &request.base,
                       &pb__publish_view_steps_response__descriptor, arena, &message);
}

fallible rule_publish(const struct rule *rule, struct arena *arena, str address, str token)
{
    struct value steps = rule ? object_get(rule->script, STR("publish")) : value_null();
    struct rpc_client *client;

    if (steps.kind != VALUE_ARRAY || steps.len == 0)
        return NULL;
    TRY(rpc_client_open(address, &client));
    struct error *failure = publish(steps, arena, client, token);
    rpc_client_close(client);
    return failure;
}

fallible rule_init_failure(const struct rule *rule, struct arena *arena, str id,
                           struct value outputs, str inputs)
{
    Pb__ErrorResourceInitFailed failed = PB__ERROR_RESOURCE_INIT_FAILED__INIT;
    Pb__Status status = PB__STATUS__INIT;
    Pb__Any any = PB__ANY__INIT, *details[] = { &any };
    str bytes;

    if (!rule_has(rule, STR("init")))
        return NULL;
    TRY(struct_encode(arena, outputs, &bytes));
    failed.id = message_cstr(arena, id);
    message_put_bytes(&failed, properties, bytes);
    message_put_bytes(&failed, inputs, inputs);
    message_put_strs(arena, &failed, reasons, object_strs(arena, rule->script, STR("init")));
    any.type_url =
        message_cstr(arena, STR("type.googleapis.com/pulumirpc.ErrorResourceInitFailed"));
    any.value = message_binary(MESSAGE_PACK(arena, &failed));
    status.code = RPC_UNKNOWN;
    status.message = message_cstr(arena, STR("initialisation failed"));
    status.details = details;
    status.n_details = 1;
    return error_from_status(RPC_UNKNOWN, STR("initialisation failed"),
                             MESSAGE_PACK(arena, &status));
}
