/* engine_program.c — the program of a world: it registers what it is given, on fibers. */
#include "unit/engine_parts.h"

#include "engine/report/operation.h"
#include "engine/run/source.h"
#include "fiber/fiber.h"
#include "model/urn.h"

static bool is_recorded(struct world *world, const struct resource *state)
{
    struct snapshot snapshot = { 0 };

    if (!world->deployment.recorder.replay)
        return false;
    assert_ok(recorder_snapshot(&world->deployment.recorder, &snapshot));
    const struct resource *found = snapshot_find(&snapshot, state->urn);
    for (size_t i = 0; i < snapshot.pending_count; i++)
        if (str_equal(snapshot.pending[i].resource->urn, state->urn))
            return false;
    return found && str_equal(found->id, state->id);
}

static void note_reply(struct world *world, const char *name, const struct registration *reg)
{
    struct reply reply = { .name = str_from(name),
                           .result = reg->result,
                           .is_unknown = reg->is_unknown };

    if (reg->state) {
        reply.id = arena_copy(&world->arena, reg->state->id);
        reply.outputs = world_value_text(world, reg->state->outputs);
        reply.is_recorded = is_recorded(world, reg->state);
    }
    if (reg->state && world->cloud) /* the program calls it what it was answered */
        map_put(&world->new_urns, str_from(name),
                arena_copy_bytes(&world->arena, &reg->state->urn, sizeof(str)));
    if (strcmp(name, DEFAULT_PROVIDER) == 0)
        return;
    vec_add(&world->replies, reply);
    strbuf_printf(&world->history, "answer %s\n", name);
}

/* The reference of a provider that the program has registered. */
static str current_provider(struct world *world, const char *name)
{
    str urn = strcmp(name, DEFAULT_PROVIDER) == 0 || !map_has(&world->new_urns, str_from(name))
                  ? world_provider_urn(world, name)
                  : world_urn(world, name);
    const struct resource *state = estate_new(&world->deployment.estate, urn);

    return provider_ref_format(&world->arena, urn, state ? state->id : STR("none"));
}

/* A request lives as long as its registration, and what lasts longer has to be copied. */
static void own_goal(struct registration *reg)
{
    struct goal *goal = &reg->goal;

    goal->inputs = value_copy(reg->arena, goal->inputs);
    goal->type = arena_copy(reg->arena, goal->type);
    goal->name = arena_copy(reg->arena, goal->name);
    goal->parent = arena_copy(reg->arena, goal->parent);
    goal->provider = arena_copy(reg->arena, goal->provider);
    goal->dependencies = strs_copy(reg->arena, goal->dependencies);
    goal->options.ignore_changes = strs_copy(reg->arena, goal->options.ignore_changes);
}

static fallible register_sample(struct world *world, const struct sample *sample)
{
    struct deployment *deployment = &world->deployment;
    struct registration *reg = registration_open(&deployment->intake.registrations);

    sample_fill_goal(world, sample, reg);
    if (sample_has_provider(sample))
        reg->goal.provider =
            current_provider(world, sample->provider ? sample->provider : DEFAULT_PROVIDER);
    own_goal(reg);
    TRY(deployment_register(deployment, reg)); /* without an answer its steps may still run */
    note_reply(world, sample->name, reg);
    registration_close(&deployment->intake.registrations, reg);
    return NULL;
}

/* The default provider is registered when something needs it. */
static fallible ensure_default(struct world *world, const struct sample *sample)
{
    const struct sample provider = { .name = DEFAULT_PROVIDER,
                                     .type = "pulumi:providers:pulumi",
                                     .inputs = world->default_inputs };

    if (!sample_has_provider(sample) || sample->provider || world->has_default_provider)
        return NULL;
    world->has_default_provider = true;
    return register_sample(world, &provider);
}

/* An ID cannot be made up. */
static bool is_provider_of(const struct sample *sample, const struct sample *earlier)
{
    return sample->provider && strcmp(sample->provider, earlier->name) == 0;
}

/* A program knows what it depends on only from the answers that it got. */
static fallible await_dependencies(struct world *world, const struct action *action)
{
    for (size_t i = 0; &world->actions.items[i] < action; i++) {
        const struct sample *earlier = &world->actions.items[i].sample;
        str urn = world_urn(world, earlier->name);
        bool is_awaited = !action->sample.is_hasty || is_provider_of(&action->sample, earlier);
        if (!is_awaited || !earlier->is_parallel || !sample_depends_on(world, &action->sample, urn))
            continue;
        while (!world_was_answered(world, earlier->name)) {
            TRY(fiber_canceled());
            fiber_yield();
        }
    }
    return NULL;
}

static fallible run_action(struct world *world, const struct action *action)
{
    if (action->is_outputs)
        return deployment_register_outputs(&world->deployment,
                                           world_urn(world, action->sample.name),
                                           world_value(world, action->sample.outputs));
    TRY(ensure_default(world, &action->sample));
    TRY(await_dependencies(world, action));
    return register_sample(world, &action->sample);
}

struct job {
    struct world *world;
    const struct action *action;
};

static void run_job(void *job_)
{
    struct job *job = job_;

    error_ignore(run_action(job->world, job->action), "canceled: the run has ended");
    work_group_done(&job->world->program);
}

static fallible run_actions(struct world *world, struct work_group *parallel)
{
    for (size_t i = 0; i < world->actions.len; i++) {
        const struct action *action = &world->actions.items[i];
        if (!action->sample.is_parallel) {
            TRY(run_action(world, action));
            continue;
        }
        TRY(ensure_default(world, &action->sample));
        struct job *job = ARENA_NEW(&world->arena, struct job);
        *job = (struct job){ world, action };
        work_group_add(parallel, 1);
        fiber_spawn(run_job, job);
    }
    return work_group_wait(parallel);
}

static void run_program(void *world_)
{
    struct world *world = world_;
    struct course *course = &world->deployment.course;
    struct error *failure = run_actions(world, &world->program);

    if (!failure && world->program_fails)
        course_fail(course, STR(""), error_new(ERROR_OTHER, "the program has failed"));
    error_ignore(failure, "canceled: the run has ended");
    latch_open(&course->stopped);
    work_group_done(&world->main_program);
}

/* The world is the context of the sink. */
static fallible start_program(struct deployment *deployment)
{
    struct world *world = deployment->options->sink_context;

    if (operation_of(deployment->options)->source != SOURCE_PROGRAM) {
        latch_open(&deployment->course.stopped);
    } else {
        work_group_add(&world->main_program, 1);
        fiber_spawn_in(world->program_scope, run_program, world);
    }
    return NULL;
}

const struct source world_source = { start_program };
