/* yaml_host_fixture.h — runs YAML programs against a fake engine. */
#pragma once

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
        .settings = { STR("proj"), STR("dev"), STR("org"), STR("/root"), STR("/tmp"), fake->is_preview },
        .config = fake_run->config,
        .config_len = fake_run->config_len,
        .engine = { fake, fake_call },
        .loader = { fake, fake_load },
    };

    loaded_init(&loaded, &fake->arena);
    loaded.source = (struct source){ STR("Pulumi.yaml"), fake_run->text };
    load_text(&loaded);
    fake_run->failure = run_program(&run, &fake_run->result);
    loaded_release(&loaded);
}
