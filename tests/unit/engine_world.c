/* engine_world.c — runs an operation in a world and keeps what is seen of it. */
#include "unit/engine_parts.h"

#include "engine/plan/update_plan.h"
#include "engine/run/run_parts.h"
#include "engine/run/source.h"
#include "fiber/fiber.h"
#include "model/urn.h"

/* --- what is seen of it --- */

void world_note(struct world *world, const char *what, const char *op, str name)
{
    strbuf_printf(&world->history, "%s %s " STR_FMT "\n", what, op, STR_ARG(name));
}

static void list_step(struct strbuf *out, const struct event_step *step)
{
    strbuf_printf(out, "%s%s " STR_FMT, out->len ? ", " : "", step_op_names[step->op],
                  STR_ARG(urn_name_of(step->urn)));
    for (size_t i = 0; i < step->keys.len; i++)
        strbuf_printf(out, "%s" STR_FMT, i ? " " : "(", STR_ARG(step->keys.items[i]));
    if (step->keys.len)
        strbuf_add_char(out, ')');
}

static void note_step(struct world *world, const struct event *event, const char *what)
{
    const struct event_step *step = &event->resource.step;

    if (event->is_internal)
        return;
    world_note(world, what, step_op_names[step->op], urn_name_of(step->urn));
    if (event->kind == EVENT_RESOURCE_PRE)
        list_step(&world->steps, step);
    if (event->kind == EVENT_RESOURCE_OUTPUTS)
        list_step(&world->outcomes, step);
}

static void note_event(void *world_, const struct event *event)
{
    static const char *const severities[] = { "debug", "info", "info-error", "warning", "error" };
    struct world *world = world_;

    if (event->kind == EVENT_RESOURCE_PRE)
        note_step(world, event, "begin");
    else if (event->kind == EVENT_RESOURCE_OUTPUTS)
        note_step(world, event, "end");
    else if (event->kind == EVENT_RESOURCE_FAILED)
        note_step(world, event, "fail");
    else if (event->kind == EVENT_DIAGNOSTIC)
        strbuf_printf(
            &world->diagnostics, "%s " STR_FMT ": " STR_FMT, severities[event->diagnostic.severity],
            STR_ARG(urn_name_of(event->diagnostic.urn)), STR_ARG(event->diagnostic.message));
}

/* --- the run --- */

static void clear_results(struct world *world)
{
    vec_release(&world->calls);
    vec_release(&world->replies);
    vec_release(&world->ended);
    vec_release(&world->records);
    strbuf_clear(&world->call_text);
    strbuf_clear(&world->steps);
    strbuf_clear(&world->outcomes);
    strbuf_clear(&world->diagnostics);
    strbuf_clear(&world->history);
    world->plan = STR("");
    world->has_failed = false;
    world->has_default_provider = false;
}

static void add_hooks(struct world *world)
{
    struct strs names = world_list(world, world->hooks);

    for (size_t i = 0; i < names.len; i++) {
        struct hook *hook = ARENA_NEW(&world->arena, struct hook);
        str name = names.items[i];
        hook->ignores_errors = str_ends_with(name, STR("!"));
        hook->runs_in_preview = str_ends_with(name, STR("?"));
        hook->is_error_hook = str_starts_with(name, STR("retry"));
        if (hook->ignores_errors || hook->runs_in_preview)
            name = str_slice(name, 0, name.len - 1);
        hook->name = arena_copy(&world->arena, name);
        hook->target = "program";
        hook->token = hook->name.ptr;
        assert_ok(hooks_add(&world->deployment.hooks, hook));
    }
    world->deployment.hooks.call = world_call_hook;
    world->deployment.hooks.call_context = world;
}

static fallible run_phases(struct world *world)
{
    struct deployment *deployment = &world->deployment;

    world_journal_open(world);
    TRY(deployment_open(deployment));
    world_journal_begin(world);
    deployment->registry.builtin = &world->provider.provider;
    add_hooks(world);
    struct error *failure = phases_run(deployment, &world_source);
    world->ended_in_time = world->ended.len;
    return failure;
}

/* As the engine ends an operation. */
static void finish_run(struct world *world, struct error *failure)
{
    struct deployment *deployment = &world->deployment;
    struct course *course = &deployment->course;

    if (failure)
        course_fail(course, STR(""), failure);
    failure = deployment_finish_stack(deployment, deployment_has_failed(deployment));
    if (failure)
        course_fail(course, STR(""), failure);
    failure =
        deployment_has_failed(deployment) ? NULL : update_plan_check_complete(&deployment->gen);
    if (failure)
        course_fail(course, STR(""), failure);
    world->has_failed = deployment_has_failed(deployment) || course->is_canceled;
    memcpy(world->changes, deployment->report.changes, sizeof(world->changes));
}

static fallible collect_results(struct world *world)
{
    struct deployment *deployment = &world->deployment;

    world->result = world->base;
    if (deployment->recorder.replay && world->journal.has_begun) {
        TRY(recorder_snapshot(&deployment->recorder, &world->result));
        TRY(world_journal_check(world));
        TRY(error_wrap(snapshot_verify(&world->result), "the state that is left"));
    }
    if (!deployment->gen.new_plan)
        return NULL;
    return update_plan_write(deployment->gen.new_plan, STR(""), &world->crypter, &world->arena,
                             &world->plan);
}

struct outcome {
    struct world *world;
    struct error *failure;
};

/* As a command loads it: what an earlier run has noted in its resources is not there. */
static struct snapshot *load_base(struct world *world)
{
    struct snapshot *loaded = arena_copy_bytes(&world->arena, &world->base, sizeof(world->base));
    size_t count = loaded->resource_count;

    loaded->resources = ARENA_ARRAY(&world->arena, struct resource *, count + 1);
    for (size_t i = 0; i < count; i++) {
        loaded->resources[i] = resource_clone_shallow(&world->arena, world->base.resources[i]);
        loaded->resources[i]->refreshed = NULL;
    }
    return loaded;
}

static void run_world(void *outcome_)
{
    struct outcome *outcome = outcome_;
    struct world *world = outcome->world;
    struct deployment *deployment = &world->deployment;
    struct engine_options options = world->options;

    options.state.snapshot = load_base(world);
    options.state.journal = &world->journal.journal;
    deployment_init(deployment, &options, &world->arena);
    struct error *refusal = precheck(deployment);
    if (refusal || precheck_leaves_nothing(&options, &world->arena)) {
        world->has_failed = refusal != NULL;
        if (refusal)
            strbuf_add(&world->diagnostics, error_message(refusal));
        error_ignore(refusal, "said");
        world->result = world->base;
        return;
    }
    world->program_scope = cancel_open(cancel_current());
    finish_run(world, run_phases(world));
    outcome->failure = collect_results(world);
    cancel_fire(world->program_scope);
    work_group_wait_uncancelable(&world->main_program); /* which may begin more until it ends */
    work_group_wait_uncancelable(&world->program);
    cancel_close(world->program_scope);
    world_journal_close(world);
    error_free(deployment->course.refusal);
    deployment_release(deployment);
}

void world_run(struct world *world)
{
    struct outcome outcome = { .world = world };

    clear_results(world);
    if (!world->is_continued)
        world_build_base(world);
    assert_ok(scheduler_run(run_world, &outcome));
    assert_ok(outcome.failure);
}

void world_continue(struct world *world)
{
    world->base = world->result;
    world->is_continued = true;
    world->actions.len = 0;
    world->scripts.len = 0;
}

/* --- after it --- */

const struct call *world_call(struct world *world, const char *what, size_t number)
{
    for (size_t i = 0; i < world->calls.len; i++)
        if (str_equal(world->calls.items[i].what, str_from(what)) && number-- == 0)
            return &world->calls.items[i];
    print_error("no call '%s' in: " STR_FMT "\n", what, STR_ARG(strbuf_str(&world->call_text)));
    fail();
    return NULL;
}

static const struct reply *find_reply(const struct world *world, const char *name)
{
    for (size_t i = 0; i < world->replies.len; i++)
        if (str_equal(world->replies.items[i].name, str_from(name)))
            return &world->replies.items[i];
    return NULL;
}

bool world_was_answered(const struct world *world, const char *name)
{
    return find_reply(world, name) != NULL;
}

const struct reply *world_reply(struct world *world, const char *name)
{
    assert_non_null(find_reply(world, name));
    return find_reply(world, name);
}

bool world_has_state(const struct world *world, const char *name)
{
    return snapshot_find(&world->result, world_urn(world, name)) != NULL;
}

const struct resource *world_state(struct world *world, const char *name)
{
    const struct resource *state = snapshot_find(&world->result, world_urn(world, name));

    assert_non_null(state);
    return state;
}

str world_snapshot_text(struct world *world, const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        str name = urn_name_of(resource->urn);
        if (str_equal(name, STR(DEFAULT_PROVIDER)))
            continue;
        strbuf_printf(&out, "%s" STR_FMT "%s%s", out.len ? " " : "", STR_ARG(name),
                      resource->is_delete ? "!D" : "",
                      resource->is_pending_replacement ? "!PR" : "");
    }
    for (size_t i = 0; i < snapshot->pending_count; i++) {
        str name = urn_name_of(snapshot->pending[i].resource->urn);
        if (!str_equal(name, STR(DEFAULT_PROVIDER)))
            strbuf_printf(&out, "%s[%s " STR_FMT "]", out.len ? " " : "",
                          pending_names[snapshot->pending[i].kind], STR_ARG(name));
    }
    return arena_copy(&world->arena, strbuf_str(&out));
}

str world_state_text(struct world *world)
{
    return world_snapshot_text(world, &world->result);
}

void world_assert_order(struct world *world, const char *const *texts, size_t count)
{
    str rest = strbuf_str(&world->history);

    for (size_t i = 0; i < count; i++) {
        str line = arena_printf(&world->arena, "%s\n", texts[i]);
        size_t at = str_find(rest, line);
        if (at == SIZE_MAX) {
            print_error("'%s' is not where it should be in:\n" STR_FMT, texts[i],
                        STR_ARG(strbuf_str(&world->history)));
            fail();
        }
        rest = str_slice(rest, at + line.len, rest.len);
    }
}

/* --- opening and closing --- */

static struct error *seal_text(struct crypter *crypter, str plaintext, struct arena *arena,
                               str *ciphertext)
{
    (void)crypter;
    *ciphertext = arena_concat(arena, STR("sealed:"), plaintext);
    return NULL;
}

static struct error *unseal_text(struct crypter *crypter, str ciphertext, struct arena *arena,
                                 str *plaintext)
{
    (void)crypter;
    *plaintext = arena_copy(arena, str_slice(ciphertext, 7, ciphertext.len));
    return NULL;
}

static struct error *verify_key(void *world)
{
    return ((struct world *)world)->has_wrong_key ? error_new(ERROR_OTHER, "the wrong key") : NULL;
}

int world_setup(void **state)
{
    struct world *world = memory_zalloc(sizeof(*world));

    world->crypter = (struct crypter){ .seal = seal_text, .unseal = unseal_text };
    world->project = (struct project_facts){ .name = STR("p"), .stack = STR("dev") };
    world->options = (struct engine_options){
        .project = &world->project,
        .config = &world->config,
        .world = &world->plugins,
        .sink = note_event,
        .sink_context = world,
        .state = { .old_crypter = &world->crypter,
                   .crypter = &world->crypter,
                   .secrets_type = STR("passphrase"),
                   .secrets_state = STR("{}") },
        .key = { verify_key, world },
    };
    world_provider_init(world);
    *state = world;
    return 0;
}

int world_teardown(void **state)
{
    struct world *world = *state;

    clear_results(world);
    vec_release(&world->olds);
    vec_release(&world->actions);
    vec_release(&world->scripts);
    vec_release(&world->pending);
    map_release(&world->old_urns);
    map_release(&world->new_urns);
    strbuf_release(&world->call_text);
    strbuf_release(&world->steps);
    strbuf_release(&world->outcomes);
    strbuf_release(&world->diagnostics);
    strbuf_release(&world->history);
    arena_release(&world->arena);
    free(world);
    return 0;
}
