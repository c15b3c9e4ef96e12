/* backend_fixture.h — a state folder of its own for each test, and small snapshots to put into
 * it. */
#pragma once

#include "unit/check.h"

#include "backend/history.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "model/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fixture {
    struct arena arena;
    str folder;
    struct backend_options options;
    struct backend *backend;
    struct stack_ref stack;
};

static inline void fixture_open(struct fixture *fixture)
{
    assert_ok(backend_open(&fixture->options, &fixture->backend));
}

static inline void fixture_reopen(struct fixture *fixture)
{
    backend_close(fixture->backend);
    fixture_open(fixture);
}

static inline int fixture_setup(void **state)
{
    static const char template[] = "/tmp/culumi-test-XXXXXX";
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    char name[sizeof(template)];

    memcpy(name, template, sizeof(template));
    assert_non_null(mkdtemp(name));
    fixture->folder = arena_copy(&fixture->arena, str_from(name));
    fixture->options = (struct backend_options){
        .url = arena_concat(&fixture->arena, STR("file://"), fixture->folder),
        .home = fixture->folder,
        .user = STR("bob"),
        .host = STR("h1"),
    };
    fixture->stack = (struct stack_ref){ .project = STR("p1"), .name = STR("dev") };
    fixture_open(fixture);
    *state = fixture;
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;

    backend_close(fixture->backend);
    assert_ok(fs_remove_tree(fixture->folder));
    arena_release(&fixture->arena);
    free(fixture);
    return 0;
}

/* A path below .pulumi. */
static inline str fixture_path(struct fixture *fixture, const char *name)
{
    return arena_concat(&fixture->arena, fixture->folder, STR("/.pulumi/"), str_from(name));
}

static inline str fixture_read(struct fixture *fixture, const char *name)
{
    str text;
    assert_ok(fs_read(&fixture->arena, fixture_path(fixture, name), FS_ANY_SIZE, &text));
    return text;
}

static inline void fixture_write(struct fixture *fixture, const char *name, str text)
{
    str path = fixture_path(fixture, name);
    assert_ok(fs_make_directory(fs_path_directory(path), 0777));
    assert_ok(fs_replace(path, text, 0666));
}

static inline bool fixture_has(struct fixture *fixture, const char *name)
{
    return fs_exists(fixture_path(fixture, name));
}

static inline struct resource *sample_resource(struct arena *arena, const char *name)
{
    struct resource *resource = ARENA_NEW(arena, struct resource);

    resource->urn = arena_printf(arena, "urn:pulumi:dev::p1::my:mod:Comp::%s", name);
    resource->type = STR("my:mod:Comp");
    return resource;
}

/* `count` components r0, r1, … */
static inline struct snapshot sample_snapshot(struct arena *arena, size_t count)
{
    struct snapshot snapshot = { .time = STR("2026-11-16T01:43:49.428Z"), .metadata = STR("{}") };

    snapshot.resources = ARENA_ARRAY(arena, struct resource *, count);
    snapshot.resource_count = count;
    for (size_t i = 0; i < count; i++)
        snapshot.resources[i] = sample_resource(arena, arena_printf(arena, "r%zu", i).ptr);
    return snapshot;
}

static inline void fixture_create(struct fixture *fixture, size_t resources)
{
    struct snapshot snapshot = sample_snapshot(&fixture->arena, resources);
    assert_ok(backend_create_stack(fixture->backend, fixture->stack, &snapshot));
}

static inline size_t count_loaded(struct fixture *fixture)
{
    struct snapshot snapshot;
    bool has_deployment;
    assert_ok(backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot,
                           &has_deployment));
    return snapshot.resource_count;
}

/* The text of an entry that says that operation `number` has made the component `new<number>`. */
static inline str sample_record(struct arena *arena, int number)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    entry.kind = JOURNAL_SUCCESS;
    entry.sequence_id = number;
    entry.operation_id = number;
    entry.state = sample_resource(arena, arena_printf(arena, "new%d", number).ptr);
    journal_entry_write(&writer, &entry);
    str result = arena_copy(arena, strbuf_str(&text));
    strbuf_release(&text);
    return result;
}
