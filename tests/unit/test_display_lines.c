/* test_display_lines.c — what the plain display prints. */
#include "unit/check.h"

#include "base/clock.h"
#include "base/strbuf.h"
#include "display/display.h"
#include "fiber/fiber.h"

#include <stdio.h>
#include <stdlib.h>

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

static void step(struct display *display, enum event_kind kind, enum step_op op,
                 const struct resource *old, const struct resource *new)
{
    struct event event = { .kind = kind };
    const struct resource *shown = new ? new : old;

    event.resource.step = (struct event_step){
        .op = op, .urn = shown->urn, .type = shown->type, .old = old, .new = new, .is_logical = true
    };
    display_event(display, &event);
}

static void say(struct display *display, str urn, enum severity severity, str message)
{
    struct event event = { .kind = EVENT_DIAGNOSTIC };

    event.diagnostic.urn = urn;
    event.diagnostic.severity = severity;
    event.diagnostic.message = message;
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

static void a_creation_is_told_line_by_line(void **state)
{
    (void)state;
    struct scene scene = { .play = play_create };

    clock_fake(1000 * (int64_t)NS_PER_S);
    scene_run(&scene);
    clock_fake(0);
    assert_string_equal(scene.text,
                        "Updating (dev):\n"
                        "\n"
                        " +  pulumi:pulumi:Stack demo-dev creating (0s) \n"
                        " +  aws:s3:Bucket a creating (0s) \n"
                        " +  aws:s3:Bucket a created (0.00s) \n"
                        " +  pulumi:pulumi:Stack demo-dev creating (0s) warning: careful\n"
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

static void play_replace(struct display *display, struct arena *arena)
{
    const struct member olds[] = { { STR_INIT("gone"), value_number(1) },
                                   { STR_INIT("same"), value_bool(true) } };
    const struct member news[] = { { STR_INIT("come"), value_number(1) },
                                   { STR_INIT("same"), value_bool(true) } };
    int64_t changes[STEP_OP_COUNT] = { [OP_CREATE] = 1, [OP_REPLACE] = 1, [OP_SAME] = 1 };
    struct resource *stack = resource(arena, STACK_URN, STR("pulumi:pulumi:Stack"),
                                      VALUE_EMPTY_OBJECT, VALUE_EMPTY_OBJECT);
    struct resource *old = resource(arena, A_URN, STR("aws:s3/bucket:Bucket"),
                                    value_object(arena, olds, 2), VALUE_EMPTY_OBJECT);
    struct resource *new = resource(arena, A_URN, STR("aws:s3/bucket:Bucket"),
                                    value_object(arena, news, 2), VALUE_EMPTY_OBJECT);

    display_event(display, &(struct event){ .kind = EVENT_PRELUDE });
    step(display, EVENT_RESOURCE_PRE, OP_SAME, stack, stack);
    step(display, EVENT_RESOURCE_PRE, OP_CREATE_REPLACEMENT, old, new);
    step(display, EVENT_RESOURCE_OUTPUTS, OP_CREATE_REPLACEMENT, old, new);
    say(display, A_URN, SEVERITY_ERROR, STR("boom\n"));
    summarize(display, changes, true);
}

static void a_preview_names_what_changes(void **state)
{
    (void)state;
    struct scene scene = { .play = play_replace, .options = { .is_preview = true } };

    scene_run(&scene);
    assert_string_equal(scene.text, "Updating (dev):\n"
                                    "\n"
                                    " ++ aws:s3:Bucket a create replacement [diff: +come-gone]\n"
                                    " ++ aws:s3:Bucket a replace [diff: +come-gone]; error: boom\n"
                                    "Diagnostics:\n"
                                    "  aws:s3:Bucket (a):\n"
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
                        "    pulumi:pulumi:Stack demo-dev  \n"
                        "    pulumi:pulumi:Stack demo-dev  one,\n"
                        "    pulumi:pulumi:Stack demo-dev   two\n"
                        "    pulumi:pulumi:Stack demo-dev  three\n"
                        "    pulumi:pulumi:Stack demo-dev  error: four\n"
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
    say(display, A_URN, SEVERITY_ERROR, STR("create failed: boom\n"));
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
    assert_string_equal(scene.text,
                        "Updating (dev):\n"
                        "    pulumi:pulumi:Stack demo-dev  before the stack is known\n"
                        " +  aws:s3:Bucket a creating (0s) \n"
                        " +  aws:s3:Bucket a creating (0s) error: create failed: boom\n"
                        " +  aws:s3:Bucket a **creating failed** error: create failed: boom\n"
                        " +  x:y:Z b creating (0s) \n"
                        "    pulumi:pulumi:Stack demo-dev  1 message\n"
                        " +  x:y:Z b creating (interrupted) \n"
                        "Diagnostics:\n"
                        "  pulumi:pulumi:Stack (demo-dev):\n"
                        "    before the stack is known\n"
                        "\n"
                        "  aws:s3:Bucket (a):\n"
                        "    error: create failed: boom\n"
                        "\n"
                        "Resources:\n"
                        "    1 unchanged\n"
                        "    1 errored\n"
                        "\n"
                        "Duration: 1m3s\n"
                        "\n");
    scene_release(&scene);
}

static void a_machine_gets_one_document(void **state)
{
    (void)state;
    struct scene scene = { .play = play_replace,
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
        cmocka_unit_test(a_creation_is_told_line_by_line),
        cmocka_unit_test(a_preview_names_what_changes),
        cmocka_unit_test(a_message_is_what_was_said_and_a_newline),
        cmocka_unit_test(failed_and_interrupted_steps_are_marked),
        cmocka_unit_test(a_machine_gets_one_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
