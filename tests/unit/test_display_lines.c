/* test_display_lines.c — what the plain display prints. */
#include "unit/check.h"

#include "base/awaited.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "display/view.h"
#include "fiber/fiber.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STACK_URN STR("urn:pulumi:dev::demo::pulumi:pulumi:Stack::demo-dev")
#define A_URN STR("urn:pulumi:dev::demo::aws:s3/bucket:Bucket::a")

struct scene {
    struct display_options options;
    void (*play)(struct display *display, struct arena *arena);
    struct arena arena;
    char *text;
};

static void run(void *scene_)
{
    struct scene *scene = scene_;
    size_t len;
    struct display *display;

    scene->options.out = open_memstream(&scene->text, &len);
    scene->options.label = "Updating";
    scene->options.stack = STR("dev");
    scene->options.stack_name = STR("dev");
    scene->options.project = STR("demo");
    assert_ok(display_open(&scene->options, &display));
    scene->play(display, &scene->arena);
    display_event(display, &(struct event){ .kind = EVENT_CANCEL });
    assert_ok(display_close(display));
    fclose(scene->options.out);
}

static void scene_run(struct scene *scene)
{
    assert_ok(scheduler_run(run, scene));
}

static void scene_release(struct scene *scene)
{
    free(scene->text);
    arena_release(&scene->arena);
}

static struct event step_event(enum event_kind kind, enum step_op op, const struct resource *old,
                               const struct resource *new)
{
    static const str forcing[] = { STR_INIT("gone") };
    struct event event = { .kind = kind };
    const struct resource *shown = new ? new : old;

    event.resource.step = (struct event_step){
        .op = op, .urn = shown->urn, .type = shown->type, .old = old, .new = new, .is_logical = true
    };
    if (step_op_has(op, TRAIT_REPLACES))
        event.resource.step.keys = (struct strs){ forcing, 1 };
    return event;
}

static void step(struct display *display, enum event_kind kind, enum step_op op,
                 const struct resource *old, const struct resource *new)
{
    struct event event = step_event(kind, op, old, new);

    display_event(display, &event);
}

/* A step from its beginning to its end. */
static void step_whole(struct display *display, enum step_op op, const struct resource *old,
                       const struct resource *new)
{
    step(display, EVENT_RESOURCE_PRE, op, old, new);
    step(display, EVENT_RESOURCE_OUTPUTS, op, old, new);
}

static struct event said(str urn, enum severity severity, str message)
{
    struct event event = { .kind = EVENT_DIAGNOSTIC };

    event.diagnostic.urn = urn;
    event.diagnostic.severity = severity;
    event.diagnostic.message = message;
    return event;
}

static void say(struct display *display, str urn, enum severity severity, str message)
{
    struct event event = said(urn, severity, message);

    display_event(display, &event);
}

static void summarize(struct display *display, const int64_t *changes, bool is_preview)
{
    struct event event = { .kind = EVENT_SUMMARY };

    event.summary.changes = changes;
    event.summary.is_preview = is_preview;
    event.summary.duration_seconds = 63;
    event.summary.result = "succeeded";
    display_event(display, &event);
}

static struct resource *resource(struct arena *arena, str urn, str type, struct value inputs,
                                 struct value outputs)
{
    struct resource *made = ARENA_NEW(arena, struct resource);

    *made = (struct resource){ .urn = urn,
                               .type = type,
                               .inputs = inputs,
                               .outputs = outputs,
                               .is_custom = !str_equal(type, STR("pulumi:pulumi:Stack")) };
    return made;
}

static void play_create(struct display *display, struct arena *arena)
{
    const struct member outputs[] = {
        { STR_INIT("id"), value_string(STR("id-1")) },
        { STR_INIT("list"), value_array(arena, (struct value[]){ value_number(1) }, 1) },
        { STR_INIT("s"), value_secret(arena, value_string(STR("x"))) },
    };
    int64_t changes[STEP_OP_COUNT] = { [OP_CREATE] = 2 };
    struct resource *stack = resource(arena, STACK_URN, STR("pulumi:pulumi:Stack"),
                                      VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);
    struct resource *done = resource(arena, STACK_URN, STR("pulumi:pulumi:Stack"),
                                     VALUE_EMPTY_OBJECT, value_object(arena, outputs, 3));
    struct resource *a =
        resource(arena, A_URN, STR("aws:s3/bucket:Bucket"), VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);

    display_event(display, &(struct event){ .kind = EVENT_PRELUDE });
    step(display, EVENT_RESOURCE_PRE, OP_CREATE, NULL, stack);
    step(display, EVENT_RESOURCE_PRE, OP_CREATE, NULL, a);
    step(display, EVENT_RESOURCE_OUTPUTS, OP_CREATE, NULL, a);
    say(display, STR(""), SEVERITY_WARNING, STR("careful\nreally\n"));
    say(display, STR(""), SEVERITY_DEBUG, STR("nobody sees this\n"));
    step(display, EVENT_RESOURCE_OUTPUTS, OP_CREATE, NULL, done);
    summarize(display, changes, false);
}

static void what_is_created_gets_a_line_when_it_is_finished(void **state)
{
    (void)state;
    struct scene scene = { .play = play_create };

    clock_fake(1000 * (int64_t)NS_PER_S);
    scene_run(&scene);
    clock_fake(0);
    assert_string_equal(scene.text, "Updating (dev):\n"
                                    "\n"
                                    " +  aws:s3:Bucket a created (0.00s)\n"
                                    " +  pulumi:pulumi:Stack demo-dev created (0.00s) 1 warning\n"
                                    "Diagnostics:\n"
                                    "  pulumi:pulumi:Stack (demo-dev):\n"
                                    "    warning: careful\n"
                                    "    really\n"
                                    "\n"
                                    "Outputs:\n"
                                    "    id  : \"id-1\"\n"
                                    "    list: [\n"
                                    "        [0]: 1\n"
                                    "    ]\n"
                                    "    s   : [secret]\n"
                                    "\n"
                                    "Resources:\n"
                                    "    + 2 created\n"
                                    "\n"
                                    "Duration: 1m3s\n"
                                    "\n");
    scene_release(&scene);
}

struct pair_of_states {
    struct resource *stack, *old, *new;
};

static struct pair_of_states states_of(struct arena *arena)
{
    const struct member olds[] = { { STR_INIT("gone"), value_number(1) },
                                   { STR_INIT("same"), value_bool(true) } };
    const struct member news[] = { { STR_INIT("come"), value_number(1) },
                                   { STR_INIT("same"), value_bool(true) } };

    return (struct pair_of_states){
        .stack = resource(arena, STACK_URN, STR("pulumi:pulumi:Stack"), VALUE_EMPTY_OBJECT,
                          VALUE_EMPTY_OBJECT),
        .old = resource(arena, A_URN, STR("aws:s3/bucket:Bucket"), value_object(arena, olds, 2),
                        VALUE_EMPTY_OBJECT),
        .new = resource(arena, A_URN, STR("aws:s3/bucket:Bucket"), value_object(arena, news, 2),
                        VALUE_EMPTY_OBJECT),
    };
}

static void play_replace(struct display *display, struct arena *arena)
{
    struct pair_of_states states = states_of(arena);

    display_event(display, &(struct event){ .kind = EVENT_PRELUDE });
    step(display, EVENT_RESOURCE_PRE, OP_SAME, states.stack, states.stack);
    step_whole(display, OP_CREATE_REPLACEMENT, states.old, states.new);
    step_whole(display, OP_REPLACE, states.old, states.new);
    step_whole(display, OP_DELETE_REPLACED, states.old, NULL);
}

static void play_replace_planned(struct display *display, struct arena *arena)
{
    int64_t changes[STEP_OP_COUNT] = { [OP_CREATE] = 1, [OP_REPLACE] = 1, [OP_SAME] = 1 };

    play_replace(display, arena);
    say(display, STR("urn:pulumi:dev::demo::x:y:Z::b"), SEVERITY_ERROR, STR("boom\n"));
    summarize(display, changes, true);
}

static void a_planned_replacement_is_one_line_and_names_what_forces_it(void **state)
{
    (void)state;
    struct scene scene = { .play = play_replace_planned, .options = { .is_preview = true } };

    scene_run(&scene);
    assert_string_equal(scene.text,
                        "Updating (dev):\n"
                        "\n"
                        " +- aws:s3:Bucket a replace [diff: +come-gone]; gone forces replacement\n"
                        "    x:y:Z b **failed** error: boom\n"
                        "Diagnostics:\n"
                        "  x:y:Z (b):\n"
                        "    error: boom\n"
                        "\n"
                        "Resources:\n"
                        "    + 1 to create\n"
                        "    +-1 to replace\n"
                        "    2 changes. 1 unchanged\n"
                        "    1 errored\n"
                        "\n");
    scene_release(&scene);
}

static void the_steps_of_a_planned_replacement_are_shown_on_request(void **state)
{
    (void)state;
    struct scene scene = { .play = play_replace,
                           .options = { .is_preview = true, .shows_replacement_steps = true } };

    scene_run(&scene);
    assert_string_equal(
        scene.text,
        "Updating (dev):\n"
        "\n"
        " ++ aws:s3:Bucket a create replacement [diff: +come-gone]; gone forces replacement\n"
        " +- aws:s3:Bucket a replace [diff: +come-gone]; gone forces replacement\n"
        " -- aws:s3:Bucket a delete original [diff: +come-gone]; gone forces replacement\n");
    scene_release(&scene);
}

static void the_new_and_the_old_of_a_replacement_are_told_when_each_is_finished(void **state)
{
    (void)state;
    struct scene scene = { .play = play_replace };

    clock_fake(1000 * (int64_t)NS_PER_S);
    scene_run(&scene);
    clock_fake(0);
    assert_string_equal(scene.text,
                        "Updating (dev):\n"
                        "\n"
                        " ++ aws:s3:Bucket a created replacement (0.00s) [diff: +come-gone]; "
                        "gone forces replacement\n"
                        " -- aws:s3:Bucket a deleted original (0.00s) [diff: +come-gone]; "
                        "gone forces replacement\n");
    scene_release(&scene);
}

static void play_refresh(struct display *display, struct arena *arena)
{
    struct pair_of_states states = states_of(arena);

    step(display, EVENT_RESOURCE_PRE, OP_REFRESH, states.old, states.old);
    step(display, EVENT_RESOURCE_OUTPUTS, OP_SAME, states.old, states.old);
    states.old->urn = states.new->urn = STR("urn:pulumi:dev::demo::aws:s3/bucket:Bucket::drifted");
    step(display, EVENT_RESOURCE_PRE, OP_REFRESH, states.old, states.old);
    step(display, EVENT_RESOURCE_OUTPUTS, OP_UPDATE, states.old, states.new);
}

static void a_refresh_tells_what_has_drifted(void **state)
{
    (void)state;
    struct scene scene = { .play = play_refresh, .options = { .is_refresh = true } };

    clock_fake(1000 * (int64_t)NS_PER_S);
    scene_run(&scene);
    assert_string_equal(scene.text, "Updating (dev):\n"
                                    " ~  aws:s3:Bucket drifted updated (0.00s) [diff: +come-gone]\n"
                                    "    pulumi:pulumi:Stack demo-dev\n");
    scene_release(&scene);
    scene.options.shows_sames = true;
    scene.arena = (struct arena){ 0 };
    scene_run(&scene);
    clock_fake(0);
    assert_string_equal(scene.text, "Updating (dev):\n"
                                    "    aws:s3:Bucket a\n"
                                    " ~  aws:s3:Bucket drifted updated (0.00s) [diff: +come-gone]\n"
                                    "    pulumi:pulumi:Stack demo-dev\n");
    scene_release(&scene);
}

static void play_talk(struct display *display, struct arena *arena)
{
    struct event part = { .kind = EVENT_DIAGNOSTIC,
                          .diagnostic = { .severity = SEVERITY_INFO, .stream_id = 7 } };

    (void)arena;
    say(display, STR(""), SEVERITY_INFO, STR("\n"));
    part.diagnostic.message = STR("one,\n");
    display_event(display, &part);
    part.diagnostic.message = STR(" two\n\n");
    display_event(display, &part);
    part.diagnostic.message = STR("three\n");
    display_event(display, &part);
    part.diagnostic.stream_id = 8;
    part.diagnostic.severity = SEVERITY_ERROR;
    part.diagnostic.message = STR("four\n");
    display_event(display, &part);
}

static void a_message_is_what_was_said_and_a_newline(void **state)
{
    (void)state;
    struct scene scene = { .play = play_talk };

    scene_run(&scene);
    assert_string_equal(scene.text,
                        "Updating (dev):\n"
                        "    pulumi:pulumi:Stack demo-dev **failed** 1 error; 4 messages\n"
                        "Diagnostics:\n"
                        "  pulumi:pulumi:Stack (demo-dev):\n"
                        "    one, two\n"
                        "    three\n"
                        "\n"
                        "    error: four\n"
                        "\n");
    scene_release(&scene);
}

static void play_failure(struct display *display, struct arena *arena)
{
    int64_t changes[STEP_OP_COUNT] = { [OP_SAME] = 1 };
    struct resource *a =
        resource(arena, A_URN, STR("aws:s3/bucket:Bucket"), VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);
    struct resource *b = resource(arena, STR("urn:pulumi:dev::demo::x:y:Z::b"), STR("x:y:Z"),
                                  VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);

    say(display, STR(""), SEVERITY_INFO, STR("before the stack is known\n"));
    step(display, EVENT_RESOURCE_PRE, OP_CREATE, NULL, a);
    say(display, A_URN, SEVERITY_ERROR, STR("1 error occurred:\n\t* boom\n\t* bang\n"));
    step(display, EVENT_RESOURCE_FAILED, OP_CREATE, NULL, a);
    step(display, EVENT_RESOURCE_PRE, OP_CREATE, NULL, b);
    summarize(display, changes, false);
}

static void failed_and_interrupted_steps_are_marked(void **state)
{
    (void)state;
    struct scene scene = { .play = play_failure };

    clock_fake(1000 * (int64_t)NS_PER_S);
    scene_run(&scene);
    clock_fake(0);
    assert_string_equal(scene.text, "Updating (dev):\n"
                                    " +  aws:s3:Bucket a **creating failed** (0.00s) error: "
                                    "1 error occurred: boom\n"
                                    " +  x:y:Z b creating (interrupted)\n"
                                    "    pulumi:pulumi:Stack demo-dev 1 message\n"
                                    "Diagnostics:\n"
                                    "  pulumi:pulumi:Stack (demo-dev):\n"
                                    "    before the stack is known\n"
                                    "\n"
                                    "  aws:s3:Bucket (a):\n"
                                    "    error: 1 error occurred:\n"
                                    "    \t* boom\n"
                                    "    \t* bang\n"
                                    "\n"
                                    "Resources:\n"
                                    "    1 unchanged\n"
                                    "    1 errored\n"
                                    "\n"
                                    "Duration: 1m3s\n"
                                    "\n");
    scene_release(&scene);
}

/* --- what time does: a view by itself, at a clock that is set --- */

struct watched {
    struct arena arena;
    struct display_options options;
    struct view *view;
    char *text;
    size_t len;
};

static void watched_open(struct watched *watched)
{
    watched->options.out = open_memstream(&watched->text, &watched->len);
    watched->options.label = "Updating";
    watched->options.stack_name = STR("dev");
    watched->options.project = STR("demo");
    watched->view = view_lines_new(&watched->arena);
    watched->view->options = &watched->options;
    watched->view->arena = &watched->arena;
    watched->view->ops->start(watched->view);
}

static void watched_event(struct watched *watched, struct event event)
{
    watched->view->ops->event(watched->view, &event, 0, 0);
}

/* What is printed from one second to another, as the clock goes on. */
static void assert_printed(struct watched *watched, int64_t from, int64_t to, const char *wanted)
{
    fflush(watched->options.out);
    size_t before = watched->len;

    for (int64_t second = from; second <= to; second++) {
        clock_fake(second * (int64_t)NS_PER_S);
        watched->view->ops->tick(watched->view);
    }
    fflush(watched->options.out);
    assert_string_equal(watched->text + before, wanted);
}

static void watched_close(struct watched *watched)
{
    watched->view->ops->finish(watched->view);
    fclose(watched->options.out);
    free(watched->text);
    arena_release(&watched->arena);
    clock_fake(0);
}

static void when_nothing_moves_it_is_said_what_is_awaited_soon_and_then_rarely(void **state)
{
    (void)state;
    struct watched watched = { 0 };
    struct awaited call = { .method = "/pulumirpc.ResourceProvider/Create",
                            .plugin = STR("aws (resource)"),
                            .subject = A_URN,
                            .since = 100 * (int64_t)NS_PER_S };

    setenv("TZ", "UTC", 1);
    tzset();
    clock_fake(100 * (int64_t)NS_PER_S);
    watched_open(&watched);
    struct resource *a = resource(&watched.arena, A_URN, STR("aws:s3/bucket:Bucket"),
                                  VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);
    awaited_begin(&call);
    watched_event(&watched, step_event(EVENT_RESOURCE_PRE, OP_CREATE, NULL, a));
    assert_printed(&watched, 101, 109, "");
    assert_printed(&watched, 110, 169,
                   "@ updating: 0/1 done, 1 running, 10s; waiting for aws: Create of a "
                   "(aws:s3:Bucket) since 00:01:40, 10s\n");
    watched_event(&watched, said(A_URN, SEVERITY_INFO, STR("pulling\nlayers\n")));
    assert_printed(&watched, 170, 178, "@ updating: 0/1 done, 1 running, 1m10s\n");
    assert_printed(&watched, 179, 230,
                   "@ updating: 0/1 done, 1 running, 2m10s; waiting for aws: Create of a "
                   "(aws:s3:Bucket) since 00:01:40, 2m10s; last message: pulling\n");
    awaited_end(&call);
    watched_close(&watched);
}

static void who_wants_no_progress_is_not_told_what_is_awaited(void **state)
{
    (void)state;
    struct watched watched = { .options = { .suppresses_progress = true } };

    clock_fake(100 * (int64_t)NS_PER_S);
    watched_open(&watched);
    assert_printed(&watched, 101, 300, "");
    watched_close(&watched);
}

static void errors_of_what_goes_on_are_told_before_its_end(void **state)
{
    (void)state;
    struct watched watched = { .options = { .suppresses_progress = true } };

    clock_fake(100 * (int64_t)NS_PER_S);
    watched_open(&watched);
    struct resource *a = resource(&watched.arena, A_URN, STR("aws:s3/bucket:Bucket"),
                                  VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);
    watched_event(&watched, step_event(EVENT_RESOURCE_PRE, OP_CREATE, NULL, a));
    watched_event(&watched, said(A_URN, SEVERITY_WARNING, STR("that waits\n")));
    watched_event(&watched, said(A_URN, SEVERITY_ERROR, STR("no room\n")));
    watched_event(&watched, said(STR(""), SEVERITY_ERROR, STR("the program ended\n")));
    assert_printed(&watched, 101, 101, "");
    assert_printed(&watched, 102, 110,
                   " +  aws:s3:Bucket a creating (2s) error: no room\n"
                   "    pulumi:pulumi:Stack demo-dev error: the program ended\n");
    watched_event(&watched, step_event(EVENT_RESOURCE_FAILED, OP_CREATE, NULL, a));
    assert_printed(&watched, 111, 111, "");
    assert_non_null(
        strstr(watched.text, " +  aws:s3:Bucket a **creating failed** (10s) error: no room\n"));
    watched_close(&watched);
}

static void a_machine_gets_one_document(void **state)
{
    (void)state;
    struct scene scene = { .play = play_replace_planned,
                           .options = { .view = VIEW_JSON_PREVIEW, .is_preview = true } };

    scene_run(&scene);
    assert_non_null(strstr(scene.text, "\"op\": \"same\""));
    assert_non_null(strstr(scene.text, "\"diagnostics\": ["));
    assert_non_null(strstr(scene.text, "\"message\": \"error: boom\\n\""));
    assert_non_null(strstr(scene.text, "\"changeSummary\": {"));
    assert_null(strstr(scene.text, "Updating"));
    scene_release(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_created_gets_a_line_when_it_is_finished),
        cmocka_unit_test(a_planned_replacement_is_one_line_and_names_what_forces_it),
        cmocka_unit_test(the_steps_of_a_planned_replacement_are_shown_on_request),
        cmocka_unit_test(the_new_and_the_old_of_a_replacement_are_told_when_each_is_finished),
        cmocka_unit_test(a_refresh_tells_what_has_drifted),
        cmocka_unit_test(a_message_is_what_was_said_and_a_newline),
        cmocka_unit_test(failed_and_interrupted_steps_are_marked),
        cmocka_unit_test(when_nothing_moves_it_is_said_what_is_awaited_soon_and_then_rarely),
        cmocka_unit_test(who_wants_no_progress_is_not_told_what_is_awaited),
        cmocka_unit_test(errors_of_what_goes_on_are_told_before_its_end),
        cmocka_unit_test(a_machine_gets_one_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
