/* backend_suite_helpers.h — what the claims of the backend suite share; a part of backend_suite.h,
 * which includes it behind what it needs. */
#pragma once

static inline void suite_create(struct suite *suite, size_t resources)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, resources);
    assert_ok(backend_create_stack(suite->backend, suite->stack, &snapshot));
}

/* Of the stack as another process sees it. */
static inline size_t suite_count(struct suite *suite)
{
    struct backend *other = suite_open(suite);
    struct snapshot snapshot;
    bool has_deployment;

    assert_ok(backend_load(other, suite->stack, &suite->arena, &snapshot, &has_deployment));
    backend_close(other);
    return snapshot.resource_count;
}
