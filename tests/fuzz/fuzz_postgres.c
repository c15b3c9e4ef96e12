/* fuzz_postgres.c — the URL of a database and the rows of its table. What is shown of a URL has no
 * password, and means the same otherwise; what a row holds is written back as the same bytes. */
#include "backend/store_postgres_row.h"
#include "pq/pq_url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_secret(const struct pair *parameter)
{
    return str_equal(parameter->key, STR("password"))
           || str_equal(parameter->key, STR("sslpassword"));
}

/* Each parameter of the one that is not secret, in order. */
static void compare(const struct pq_url *whole, const struct pq_url *shown)
{
    size_t at = 0;

    for (size_t i = 0; i < whole->parameters.len; i++) {
        const struct pair *parameter = &whole->parameters.items[i];
        if (is_secret(parameter))
            continue;
        if (at == shown->parameters.len
            || !str_equal(parameter->key, shown->parameters.items[at].key)
            || !str_equal(parameter->value, shown->parameters.items[at].value))
            abort();
        at++;
    }
    if (at != shown->parameters.len || !str_equal(whole->table, shown->table)
        || !str_equal(whole->path, shown->path))
        abort();
}

static void try_url(struct arena *arena, str url)
{
    struct pq_url whole, shown;
    struct error *failure = pq_url_parse(arena, url, &whole);

    str public = pq_url_without_password(arena, url);
    if (!failure) {
        failure = pq_url_parse(arena, public, &shown);
        if (failure)
            abort();
        compare(&whole, &shown);
    }
    error_free(failure);
    if (!str_equal(pq_url_without_password(arena, public), public))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = arena_copy(&arena, (str){ (const char *)data, size }), bytes, again;

    try_url(&arena, text);
    try_url(&arena, arena_concat(&arena, STR("postgres://"), text));

    struct error *failure = postgres_row_parse(&arena, text, &bytes);
    if (!failure) {
        failure = postgres_row_parse(&arena, postgres_row_format(&arena, bytes), &again);
        if (failure || !str_equal(bytes, again))
            abort();
    }
    error_free(failure);
    return 0;
}
