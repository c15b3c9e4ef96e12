/* engine_fake.c — the provider and the hooks of a world: they write down what they are asked and
 * answer by script. */
#include "unit/engine_parts.h"

#include "engine/step/step.h"
#include "fiber/fiber.h"
#include "model/urn.h"
#include "proto/message.h"

#include "pb/callback.pb-c.h"
#include "pb/resource.pb-c.h"

static struct world *world_of(struct provider *provider)
{
    return ((struct world_provider *)(void *)provider)->world;
}

static const struct script *find_script(const struct world *world, str urn)
{
    static const struct script plain;

    for (size_t i = 0; i < world->scripts.len; i++)
        if (str_equal(str_from(world->scripts.items[i].name), urn_name_of(urn)))
            return &world->scripts.items[i];
    return &plain;
}

/* --- writing down --- */

/* What the state would say was under way if all ended now. */
static str pending_now(struct world *world)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct snapshot snapshot = { 0 };

    if (!world->deployment.recorder.replay)
        return STR("");
    assert_ok(recorder_snapshot(&world->deployment.recorder, &snapshot));
    for (size_t i = 0; i < snapshot.pending_count; i++)
        strbuf_printf(&out, "%s%s " STR_FMT, i ? " " : "", pending_names[snapshot.pending[i].kind],
                      STR_ARG(urn_name_of(snapshot.pending[i].resource->urn)));
    return arena_copy(&world->arena, strbuf_str(&out));
}

static struct call *note_call(struct world *world, const char *method, str urn)
{
    struct arena *arena = &world->arena;
    str name = urn_name_of(urn);
    str what = arena_printf(arena, "%s " STR_FMT, method, STR_ARG(name));
    struct call call = { .what = what, .pending = pending_now(world) };

    vec_add(&world->calls, call);
    strbuf_printf(&world->call_text, "%s" STR_FMT, world->call_text.len ? ", " : "", STR_ARG(what));
    world_note(world, "call", method, name);
    return &world->calls.items[world->calls.len - 1];
}

static str list_text(struct world *world, struct strs list)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < list.len; i++)
        strbuf_printf(&out, "%s" STR_FMT, i ? " " : "", STR_ARG(list.items[i]));
    return arena_copy(&world->arena, strbuf_str(&out));
}

/* --- answering --- */

static bool has_ended(const struct world *world, str what)
{
    for (size_t i = 0; i < world->ended.len; i++)
        if (str_equal(world->ended.items[i], what))
            return true;
    return false;
}

static size_t count_calls(struct world *world, const struct script *script, const char *method)
{
    str what = arena_printf(&world->arena, "%s %s", method, script->name);
    size_t count = 0;

    for (size_t i = 0; i < world->calls.len; i++)
        count += str_equal(world->calls.items[i].what, what);
    return count;
}

/* Other fibers run until the call that the script names has ended, or cannot come. */
static void wait_until(struct world *world, const struct script *script, const char *method)
{
    enum { LONG_ENOUGH = 1000 };
    str what = str_from(script->until);
    const char *held = script->held ? script->held : "create update delete";

    if (!script->until || !world_list_has(held, str_from(method))
        || count_calls(world, script, method) <= script->spared)
        return;
    for (int i = 0; i < LONG_ENOUGH && !has_ended(world, what); i++)
        fiber_yield();
}

static bool fails_now(struct world *world, const struct script *script, const char *calls,
                      const char *method)
{
    if (!world_list_has(calls, str_from(method)))
        return false;
    size_t count = count_calls(world, script, method);
    return count > script->spared
           && (script->times == 0 || count <= script->spared + script->times);
}

/* As an interrupt does. */
static void signal_now(struct world *world, const struct script *script)
{
    struct course *course = &world->deployment.course;

    if (!script->signal)
        return;
    course->is_canceled = true;
    course->is_terminated = strcmp(script->signal, "twice") == 0;
    course_stop(course);
}

/* How a call ends; `out` may be NULL. */
static fallible end_call(struct world *world, const char *method, str urn,
                         struct provider_state *out)
{
    const struct script *script = find_script(world, urn);
    struct error *failure = NULL;

    wait_until(world, script, method);
    if (out)
        signal_now(world, script);
    if (fails_now(world, script, script->fails, method))
        failure = error_from_status(2, str_from("the provider refuses"), STR(""));
    if (fails_now(world, script, script->lost, method))
        failure =
            error_mark_lost(error_from_status(14, str_from("the provider is gone"), STR("")), true);
    if (out && fails_now(world, script, script->partial, method)) {
        static const str reasons[] = { STR_INIT("half made") };
        out->status = RESOURCE_PARTIAL;
        out->init_errors = (struct strs){ reasons, 1 };
        failure = error_from_status(2, str_from("half made"), STR(""));
    } else if (failure && out) {
        *out = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    }
    vec_add(&world->ended,
            arena_printf(&world->arena, "%s " STR_FMT, method, STR_ARG(urn_name_of(urn))));
    return failure;
}

static struct error *fake_check(struct provider *provider, const struct check_request *request,
                                struct arena *arena, struct check_answer *out)
{
    struct world *world = world_of(provider);
    const struct script *script = find_script(world, request->urn);
    struct call *call = note_call(world, "check", request->urn);
    struct value defaults = world_value(world, script->defaults);

    call->olds = world_value_text(world, request->olds);
    call->news = world_value_text(world, request->news);
    call->seed = arena_copy(&world->arena, request->seed);
    call->has_autonaming = request->has_autonaming;
    call->autonaming_mode = request->autonaming_mode;
    call->proposed_name = arena_copy(&world->arena, request->proposed_name);
    out->inputs = request->news;
    for (uint32_t i = 0; i < defaults.len; i++) {
        const struct member *member = &defaults.members[i];
        const struct value *old = value_find(request->olds, member->key);
        if (!value_has(out->inputs, member->key))
            out->inputs = value_with(arena, out->inputs, member->key, old ? *old : member->value);
    }
    if (script->refuses) {
        struct check_failure *failure = ARENA_NEW(arena, struct check_failure);
        *failure = (struct check_failure){ str_from(script->refuses), STR("not that") };
        out->failures = (struct check_failures){ failure, 1 };
    }
    return end_call(world, "check", request->urn, NULL);
}

static struct strs keys_that_replace(struct arena *arena, const struct script *script,
                                     struct strs changed)
{
    str *keys = ARENA_ARRAY(arena, str, changed.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < changed.len; i++)
        if (world_list_has(script->replaces, changed.items[i]))
            keys[len++] = changed.items[i];
    return (struct strs){ keys, len };
}

static struct property_diffs detailed_diff(struct world *world, const struct script *script)
{
    struct strs words = world_list(world, script->detailed);
    struct property_diff *items = ARENA_ARRAY(&world->arena, struct property_diff, words.len + 1);

    for (size_t i = 0; i < words.len; i++) {
        str kind;
        assert_true(str_cut(words.items[i], STR(":"), &items[i].path, &kind));
        while (!str_equal(str_from(diff_kind_names[items[i].kind]), kind))
            items[i].kind++;
    }
    return (struct property_diffs){ items, words.len };
}

static struct strs changed_keys(struct arena *arena, struct value old, struct value new)
{
    struct value all = value_merge(arena, old, new);
    str *keys = ARENA_ARRAY(arena, str, all.len);
    size_t len = 0;

    for (size_t i = 0; i < all.len; i++) {
        const struct value *was = value_find(old, all.members[i].key);
        const struct value *is = value_find(new, all.members[i].key);
        if (!value_equal(was ? *was : value_null(), is ? *is : value_null()))
            keys[len++] = all.members[i].key;
    }
    return (struct strs){ keys, len };
}

static void answer_diff(struct world *world, const struct script *script,
                        const struct diff_request *request, struct arena *arena,
                        struct diff_answer *out)
{
    str answer = str_from(script->diff);

    out->changed_keys = changed_keys(arena, request->old_inputs, request->news);
    out->replace_keys = keys_that_replace(arena, script, out->changed_keys);
    out->changes = out->changed_keys.len ? CHANGES_SOME : CHANGES_NONE;
    out->deletes_before_replace = script->deletes_first;
    if (script->detailed) {
        out->has_detailed_diff = true;
        out->detailed_diff = detailed_diff(world, script);
    }
    if (str_equal(answer, STR("none")))
        out->changes = CHANGES_NONE;
    else if (str_equal(answer, STR("some")))
        out->changes = CHANGES_SOME;
    else if (str_equal(answer, STR("unknown")))
        *out = (struct diff_answer){ .changes = CHANGES_UNKNOWN };
}

static struct error *fake_diff(struct provider *provider, const struct diff_request *request,
                               struct arena *arena, struct diff_answer *out)
{
    struct world *world = world_of(provider);
    const struct script *script = find_script(world, request->urn);
    struct call *call = note_call(world, "diff", request->urn);

    call->id = arena_copy(&world->arena, request->id);
    call->olds = world_value_text(world, request->old_inputs);
    call->old_outputs = world_value_text(world, request->old_outputs);
    call->news = world_value_text(world, request->news);
    call->ignore_changes = list_text(world, request->ignore_changes);
    answer_diff(world, script, request, arena, out);
    return end_call(world, "diff", request->urn, NULL);
}

static str view_name(struct world *world, const struct script *script, const struct resource *old)
{
    if (script->view)
        return str_from(script->view);
    return old ? urn_name_of(old->urn) : cloud_new_id(world, STR("view"));
}

/* What a provider says of the view of a resource while it works on it. */
static void publish_view(struct world *world, const struct script *script, str token,
                         enum step_op op, struct provider_views olds)
{
    const struct step_tools *tools = &world->deployment.tools;
    struct view_report *report = views_find(tools->views, token);
    struct resource *old = olds.len ? olds.items[0] : NULL, *new = NULL;

    if (!(script->view || script->has_view) || !report || (op == OP_DELETE && !old))
        return;
    if (op != OP_DELETE) {
        new = ARENA_NEW(&world->arena, struct resource);
        new->type = STR("pulumi:t:C");
        new->parent = new->view_of = step_urn(report->owner);
        new->urn = urn_make(&world->arena, world->project.stack, world->project.name, new->parent,
                            new->type, view_name(world, script, old));
        new->inputs = new->outputs = VALUE_EMPTY_OBJECT;
    }
    view_report_add(tools, report, step_new(&world->arena, &step_view, op, old, new, NULL));
}

static void describe_made(struct world *world, const struct script *script, struct value inputs,
                          struct arena *arena, struct provider_state *out)
{
    out->outputs =
        value_copy(arena, script->outputs ? world_value(world, script->outputs) : inputs);
    out->refreshes_before_update = script->refreshes_before_update;
}

static bool is_lost(const struct error *failure)
{
    return failure && error_is_lost(failure);
}

static struct error *fake_create(struct provider *provider, const struct create_request *request,
                                 struct arena *arena, struct provider_state *out)
{
    struct world *world = world_of(provider);
    const struct script *script = find_script(world, request->urn);
    struct call *call = note_call(world, "create", request->urn);

    bool was_dead = world->journal.is_dead;
    call->news = world_value_text(world, request->inputs);
    call->preview = request->preview;
    call->timeout = request->timeout;
    describe_made(world, script, request->inputs, arena, out);
    if (script->id && strcmp(script->id, "-") != 0)
        out->id = str_from(script->id);
    else if (!script->id && !request->preview)
        out->id = cloud_new_id(world, urn_name_of(request->urn));
    str id = out->id;
    publish_view(world, script, request->status_token, OP_CREATE, (struct provider_views){ 0 });
    struct error *failure = end_call(world, "create", request->urn, out);
    /* What is half made is lost if an error hook tries again: scenario hook/hook-on-error-init. */
    if (!request->preview && !was_dead
        && (!failure || out->status == RESOURCE_PARTIAL || is_lost(failure)))
        cloud_add(world, id, !is_lost(failure) && !(failure && world->retries > 0));
    return failure;
}

static struct error *fake_update(struct provider *provider, const struct update_request *request,
                                 struct arena *arena, struct provider_state *out)
{
    struct world *world = world_of(provider);
    const struct script *script = find_script(world, request->urn);
    struct call *call = note_call(world, "update", request->urn);

    call->id = arena_copy(&world->arena, request->id);
    call->olds = world_value_text(world, request->old_inputs);
    call->old_outputs = world_value_text(world, request->old_outputs);
    call->news = world_value_text(world, request->news);
    call->ignore_changes = list_text(world, request->ignore_changes);
    call->preview = request->preview;
    call->timeout = request->timeout;
    call->view_count = request->old_views.len;
    describe_made(world, script, request->news, arena, out);
    if (!request->preview && !world->journal.is_dead)
        cloud_update(world, request->id);
    publish_view(world, script, request->status_token, OP_UPDATE, request->old_views);
    return end_call(world, "update", request->urn, out);
}

static struct error *fake_delete(struct provider *provider, const struct delete_request *request,
                                 struct arena *arena, struct provider_state *out)
{
    struct world *world = world_of(provider);
    const struct script *script = find_script(world, request->urn);
    struct call *call = note_call(world, "delete", request->urn);

    (void)arena;
    call->id = arena_copy(&world->arena, request->id);
    call->olds = world_value_text(world, request->old_inputs);
    call->timeout = request->timeout;
    call->view_count = request->old_views.len;
    publish_view(world, script, request->status_token, OP_DELETE, request->old_views);
    bool was_dead = world->journal.is_dead;
    struct error *failure = end_call(world, "delete", request->urn, out);
    if (!failure && !was_dead)
        cloud_delete(world, request->urn, request->id);
    return failure;
}

static struct error *fake_read(struct provider *provider, const struct read_request *request,
                               struct arena *arena, struct provider_state *out)
{
    struct world *world = world_of(provider);
    const struct script *script = find_script(world, request->urn);
    struct call *call = note_call(world, "read", request->urn);

    call->id = arena_copy(&world->arena, request->id);
    call->olds = world_value_text(world, request->inputs);
    call->old_outputs = world_value_text(world, request->state);
    call->timeout = request->timeout;
    call->view_count = request->old_views.len;
    if (script->is_gone && !world->journal.is_dead)
        cloud_lose(world, request->id);
    if (!script->is_gone && cloud_has(world, request->id)) {
        struct value inputs = script->inputs ? world_value(world, script->inputs)
                              : request->inputs.kind == VALUE_NULL ? VALUE_EMPTY_OBJECT
                                                                   : request->inputs;
        struct value known = request->state.kind == VALUE_NULL ? inputs : request->state;
        *out = (struct provider_state){
            .id = arena_copy(arena, script->id ? str_from(script->id) : request->id),
            .exists = true,
            .has_inputs = true,
            .inputs = value_copy(arena, inputs),
        };
        describe_made(world, script, known, arena, out);
    }
    return end_call(world, "read", request->urn, out);
}

/* --- of provider resources; the default provider goes without saying --- */

static bool is_default(str urn)
{
    return str_equal(urn_name_of(urn), STR("default"));
}

static struct error *fake_diff_config(struct provider *provider, const struct diff_request *request,
                                      struct arena *arena, struct diff_answer *out)
{
    struct world *world = world_of(provider);

    if (!is_default(request->urn)) {
        struct call *call = note_call(world, "diff-config", request->urn);
        call->olds = world_value_text(world, request->old_inputs);
        call->news = world_value_text(world, request->news);
    }
    answer_diff(world, find_script(world, request->urn), request, arena, out);
    return NULL;
}

static struct error *fake_configure(struct provider *provider,
                                    const struct configure_request *request)
{
    struct world *world = world_of(provider);

    if (is_default(request->urn))
        return NULL;
    note_call(world, "configure", request->urn);
    return end_call(world, "configure", request->urn, NULL);
}

/* Scripts name the extension. */
static struct error *fake_parameterize(struct provider *provider, str name, str version, str value,
                                       struct arena *arena)
{
    struct world *world = world_of(provider);
    str urn = urn_make(arena, world->project.stack, world->project.name, STR(""),
                       STR("pulumi:t:Extension"), name);

    (void)version, (void)value;
    note_call(world, "parameterize", urn);
    struct error *failure = end_call(world, "parameterize", urn, NULL);
    world_note(world, failure ? "fail" : "end", "parameterize", name);
    return failure;
}

static struct error *fake_traits(struct provider *provider, struct provider_traits *out)
{
    *out =
        (struct provider_traits){ .supports_autonaming = world_of(provider)->supports_autonaming };
    return NULL;
}

void world_provider_init(struct world *world)
{
    static const struct provider_ops ops = {
        .diff_config = fake_diff_config,
        .configure = fake_configure,
        .parameterize = fake_parameterize,
        .check = fake_check,
        .diff = fake_diff,
        .create = fake_create,
        .read = fake_read,
        .update = fake_update,
        .delete = fake_delete,
        .traits = fake_traits,
    };

    world->provider.provider = (struct provider){ .ops = &ops, .package = STR_INIT("pulumi") };
    world->provider.world = world;
}

/* --- hooks --- */

struct error *world_call_hook(void *world_, const char *target, const char *token, str request,
                              struct arena *arena, str *response)
{
    struct world *world = world_;
    bool is_bad = world->bad_hook && strcmp(world->bad_hook, token) == 0;

    (void)target, (void)request;
    strbuf_printf(&world->history, "hook %s\n", token);
    if (strncmp(token, "retry", 5) == 0) {
        Pb__ErrorHookResponse answer = PB__ERROR_HOOK_RESPONSE__INIT;
        answer.retry = world->retries > 0;
        world->retries -= world->retries > 0;
        *response = MESSAGE_PACK(arena, &answer);
        return NULL;
    }
    Pb__ResourceHookResponse answer = PB__RESOURCE_HOOK_RESPONSE__INIT;
    answer.error = is_bad ? "the hook is bad" : "";
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}
