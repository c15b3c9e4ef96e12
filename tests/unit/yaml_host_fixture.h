/* yaml_host_fixture.h — runs YAML programs against a fake engine. */
#pragma once

#include "unit/check.h"
#include "unit/yaml_fake_engine.h"

#include "fiber/fiber.h"

/* One run of a text. */
struct fake_run {
    struct fake_engine *fake;
    str text;
    const struct config_value *config;
    size_t config_len;
    struct run_result result;
    struct error *failure;
};

static inline void fake_run_on_fiber(void *run_)
{
    struct fake_run *fake_run = run_;
    struct fake_engine *fake = fake_run->fake;
    struct loaded loaded;
    struct run run = {
        .arena = &fake->arena,
        .loaded = &loaded,
        .settings = { STR("proj"), STR("dev"), STR("org"), STR("/root"), STR("/tmp"),
                      fake->is_preview, fake->largest_value },
        .config = fake_run->config,
        .config_len = fake_run->config_len,
        .engine = { .context = fake, .call = fake_call },
        .loader = { fake, fake_load },
    };

    loaded_init(&loaded, &fake->arena);
    loaded.source = (struct source){ STR("Pulumi.yaml"), fake_run->text };
    load_text(&loaded);
    fake_run->failure = run_program(&run, &fake_run->result);
    loaded_release(&loaded);
}

static inline void run_text(struct fake_engine *fake, const char *text, struct fake_run *out)
{
    *out = (struct fake_run){
        .fake = fake, .text = str_from(text), .config = out->config, .config_len = out->config_len
    };
    assert_ok(scheduler_run(fake_run_on_fiber, out));
    assert_ok(out->failure);
}

/* The outputs of a program that has nothing wrong, as JSON. */
static inline str outputs_of(struct fake_engine *fake, const char *text)
{
    struct fake_run run = { 0 };

    run_text(fake, text, &run);
    if (run.result.has_failed || run.result.error.len || run.result.complaints.len)
        print_error("error: " STR_FMT "\ncomplaints: " STR_FMT "\nlogs: " STR_FMT "\n",
                    STR_ARG(run.result.error), STR_ARG(run.result.complaints),
                    STR_ARG(strbuf_str(&fake->logs)));
    assert_false(run.result.has_failed);
    assert_int_equal(run.result.error.len, 0);
    return fake_json(&fake->arena, fake->outputs);
}

#define assert_outputs(program, wanted)                                  \
    do {                                                                 \
        struct fake_engine fake_ = { 0 };                                \
        assert_str_equal(outputs_of(&fake_, program), str_from(wanted)); \
        fake_release(&fake_);                                            \
    } while (0)

/* What went wrong: the log of the engine, the complaints and the error, whichever there is. */
#define assert_complains(program, wanted)                                                      \
    do {                                                                                       \
        struct fake_engine fake_ = { 0 };                                                      \
        struct fake_run run_ = { 0 };                                                          \
        run_text(&fake_, program, &run_);                                                      \
        str all_ = arena_concat(&fake_.arena, strbuf_str(&fake_.logs), run_.result.complaints, \
                                run_.result.error);                                            \
        if (str_find(all_, str_from(wanted)) == SIZE_MAX)                                      \
            print_error("got '" STR_FMT "'\n", STR_ARG(all_));                                 \
        assert_true(str_find(all_, str_from(wanted)) != SIZE_MAX);                             \
        fake_release(&fake_);                                                                  \
    } while (0)
