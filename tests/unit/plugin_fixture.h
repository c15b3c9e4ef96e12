/* plugin_fixture.h — what the tests of plugins share: a folder, files in it, a host that collects
 * reports. */
#pragma once

#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "plugin/plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report {
    enum plugin_severity severity;
    str message;
    int32_t stream_id;
};

struct fixture {
    struct arena arena;
    str folder;
    struct plugin_world world;
    struct project_facts project;
    struct config_facts config;
    struct plugin_host_options options;
    struct {
        VEC(struct report);
    } reports;
};

static void fixture_report(void *fixture_, enum plugin_severity severity, str message,
                           int32_t stream_id)
{
    struct fixture *fixture = fixture_;
    struct report report = { severity, arena_copy(&fixture->arena, message), stream_id };
    vec_add(&fixture->reports, report);
}

static str fixture_path(struct fixture *fixture, const char *name)
{
    return fs_path_join(&fixture->arena, fixture->folder, str_from(name));
}

static void fixture_open(struct fixture *fixture)
{
    static const char *const environment[] = { "PATH=/usr/bin:/bin", "HOME=/nowhere", NULL };
    char pattern[] = "/tmp/plugin-test-XXXXXX";

    *fixture = (struct fixture){ 0 };
    assert_non_null(mkdtemp(pattern));
    fixture->folder = arena_copy(&fixture->arena, str_from(pattern));
    fixture->world = (struct plugin_world){
        .home = fixture_path(fixture, "home"),
        .search_path = fixture_path(fixture, "path"),
        .bundled_directory = fixture_path(fixture, "bundled"),
        .environment = environment,
    };
    fixture->project.name = STR("proj");
    fixture->project.program.program_directory = fixture->folder;
    fixture->options = (struct plugin_host_options){
        .world = &fixture->world,
        .project = &fixture->project,
        .config = &fixture->config,
        .engine_address = STR("127.0.0.1:9"),
        .report = fixture_report,
        .report_context = fixture,
    };
}

static void fixture_close(struct fixture *fixture)
{
    assert_ok(fs_remove_tree(fixture->folder));
    vec_release(&fixture->reports);
    arena_release(&fixture->arena);
}

/* A file with its folders; scripts get their mark. */
static str fixture_file(struct fixture *fixture, const char *name, const char *content,
                        unsigned mode)
{
    str path = fixture_path(fixture, name);
    assert_ok(fs_make_directory(fs_path_directory(path), 0755));
    assert_ok(fs_create(path, str_from(content), mode));
    return path;
}

static __attribute__((unused)) str fixture_script(struct fixture *fixture, const char *name,
                                                  const char *body)
{
    str script = arena_concat(&fixture->arena, STR("#!/bin/sh\n"), str_from(body), STR("\n"));
    return fixture_file(fixture, name, script.ptr, 0755);
}

/* Whether something of that severity was reported that contains the text. */
static __attribute__((unused)) bool fixture_reported(const struct fixture *fixture,
                                                     enum plugin_severity severity,
                                                     const char *text)
{
    for (size_t i = 0; i < fixture->reports.len; i++)
        if (fixture->reports.items[i].severity == severity
            && str_find(fixture->reports.items[i].message, str_from(text)) != SIZE_MAX)
            return true;
    return false;
}
