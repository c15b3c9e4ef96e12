/* store_postgres.c — objects as rows of a table of PostgreSQL: the same table, keys and rows as
 * the reference has. */
#include "backend/store_postgres.h"

#include "backend/object_lock_ops.h"
#include "backend/store_postgres_row.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "fiber/fiber.h"

#include <stdlib.h>

/* The version of a row is the number of the transaction that wrote it (xmin): every write of
 * anybody changes it. */

#define DEFAULT_TABLE "pulumi_state"

/* --- names --- */

static bool postgres_is_identifier(str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (i == 0 || (!char_is_digit(c) && c != '$')))
            return false;
    }
    return name.len > 0 && name.len <= 63;
}

/* In quotes, so that it may be a word of SQL; lower-case, because the reference writes it without
 * quotes. */
static fallible postgres_quote(struct arena *arena, str name, str *out)
{
    if (!postgres_is_identifier(name))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' is no name for a table: letters, digits and _ are allowed, "
                         "and one dot behind the name of a schema",
                         STR_ARG(name));
    char *lower = arena_cstr(arena, name);
    for (size_t i = 0; i < name.len; i++)
        if (lower[i] >= 'A' && lower[i] <= 'Z')
            lower[i] = (char)(lower[i] | 0x20);
    *out = arena_printf(arena, "\"%s\"", lower);
    return NULL;
}

static fallible postgres_name_table(struct postgres_store *postgres)
{
    struct arena *arena = &postgres->store.arena;
    str schema, name, given = postgres->url.table;

    if (given.len == 0)
        given = STR(DEFAULT_TABLE);
    postgres->named = given;
    if (!str_cut(given, STR("."), &schema, &name))
        return postgres_quote(arena, given, &postgres->table);
    TRY(postgres_quote(arena, schema, &schema));
    TRY(postgres_quote(arena, name, &name));
    postgres->table = arena_concat(arena, schema, STR("."), name);
    return NULL;
}

str postgres_key(const struct postgres_store *postgres, struct arena *arena, str key)
{
    return arena_concat(arena, postgres->prefix, key);
}

const char *postgres_sql(const struct postgres_store *postgres, struct arena *arena,
                         const char *statement)
{
    str before, after, text = str_from(statement), sql = STR("");

    while (str_cut(text, STR("TABLE"), &before, &after)) {
        sql = arena_concat(arena, sql, before, postgres->table);
        text = after;
    }
    return arena_concat(arena, sql, text).ptr;
}

/* --- open and close --- */

static void postgres_store_close(struct object_store *owned)
{
    struct postgres_store *postgres = (struct postgres_store *)owned;

    postgres_disconnect(postgres);
    arena_release(&owned->arena);
    free(postgres);
}

static fallible postgres_store_fill(struct postgres_store *postgres, str url)
{
    struct arena *arena = &postgres->store.arena;

    postgres->store.shown = pq_url_without_password(arena, url);
    TRY(error_wrap(pq_url_parse(arena, arena_copy(arena, url), &postgres->url), "'" STR_FMT "'",
                   STR_ARG(postgres->store.shown)));
    postgres->prefix = postgres->url.path.len == 0 || str_ends_with(postgres->url.path, STR("/"))
                           ? postgres->url.path
                           : arena_concat(arena, postgres->url.path, STR("/"));
    TRY(postgres_name_table(postgres));
    return postgres_connect(postgres);
}

static struct error *postgres_store_open(const struct object_store_options *options,
                                         struct object_store **out)
{
    struct postgres_store *postgres = memory_zalloc(sizeof(*postgres));

    postgres->store.ops = &object_store_postgres;
    postgres->store.conditions = CONDITIONS_OBEYED;
    postgres->connecting.available = 1;
    postgres->settling.available = 1;
    struct error *failure = postgres_store_fill(postgres, options->url);
    if (failure) {
        postgres_store_close(&postgres->store);
        return failure;
    }
    *out = &postgres->store;
    return NULL;
}

/* --- reading --- */

static fallible postgres_decode(const struct postgres_store *postgres, struct arena *arena, str key,
                                str text, str *out)
{
    return error_wrap(postgres_row_parse(arena, text, out),
                      "row '" STR_FMT "' of table '" STR_FMT "' in '" STR_FMT "' is damaged",
                      STR_ARG(key), STR_ARG(postgres->named), STR_ARG(postgres->store.shown));
}

static struct error *postgres_get(struct object_store *store, struct arena *arena, str key,
                                  struct object *out)
{
    struct postgres_store *postgres = (struct postgres_store *)store;
    str whole = postgres_key(postgres, arena, key);
    bool is_first = str_equal(key, STR(POSTGRES_FIRST));
    struct pq_rows rows;

    if (is_first)
        TRY(postgres_settle(postgres));
    if (is_first && postgres->has_first)
        rows = postgres->first;
    else
        TRY(postgres_read(postgres, arena, postgres_sql(postgres, arena, POSTGRES_SELECT), &whole,
                          1, &rows));
    *out = (struct object){ .exists = rows.count > 0, .bytes = STR(""), .version = STR("") };
    if (!out->exists)
        return NULL;
    out->version = pq_cell(&rows, 0, 1);
    return postgres_decode(postgres, arena, whole, pq_cell(&rows, 0, 0), &out->bytes);
}

/* What LIKE takes for the beginning of a key, and nothing else. */
static str postgres_pattern(struct arena *arena, str prefix)
{
    CLEANUP(strbuf_release) struct strbuf pattern = { 0 };

    for (size_t i = 0; i < prefix.len; i++) {
        if (strchr("\\%_", prefix.ptr[i]))
            strbuf_add_char(&pattern, '\\');
        strbuf_add_char(&pattern, prefix.ptr[i]);
    }
    strbuf_add_char(&pattern, '%');
    return arena_copy(arena, strbuf_str(&pattern));
}

enum { COLUMN_KEY, COLUMN_MICROSECONDS, COLUMN_SIZE, COLUMN_VERSION, COLUMN_DATA };

#define LIST_COLUMNS \
    "key, (extract(epoch FROM updated_at) * 1000000)::bigint, pg_column_size(data), xmin::text"
#define LIST_END " FROM TABLE WHERE key LIKE $1"
#define LIST_FLAT " AND strpos(substr(key, length($2) + 1), '/') = 0"
#define LIST_ORDER " ORDER BY key COLLATE \"C\""

static fallible postgres_entry(const struct postgres_store *postgres, const struct pq_rows *rows,
                               size_t row, struct object_entry *out)
{
    str key = pq_cell(rows, row, COLUMN_KEY);
    uint64_t microseconds;

    *out = (struct object_entry){
        .key = str_slice(key, postgres->prefix.len, key.len),
        .version = pq_cell(rows, row, COLUMN_VERSION),
    };
    if (!str_to_u64(pq_cell(rows, row, COLUMN_MICROSECONDS), &microseconds)
        || microseconds > INT64_MAX / 1000
        || !str_to_u64(pq_cell(rows, row, COLUMN_SIZE), &out->size))
        return error_new(ERROR_INVALID,
                         "row '" STR_FMT "' of table '" STR_FMT "' in '" STR_FMT
                         "' is damaged: its time is not of this age",
                         STR_ARG(key), STR_ARG(postgres->named), STR_ARG(postgres->store.shown));
    out->modified = (int64_t)microseconds * 1000;
    return NULL;
}

static fallible postgres_list_rows(struct postgres_store *postgres, struct arena *arena,
                                   const char *sql, str prefix, size_t value_count,
                                   struct pq_rows *rows, struct object_list *out)
{
    str whole = postgres_key(postgres, arena, prefix);
    const str values[] = { postgres_pattern(arena, whole), whole };

    TRY(postgres_read(postgres, arena, sql, values, value_count, rows));
    out->items = ARENA_ARRAY(arena, struct object_entry, rows->count);
    out->len = rows->count;
    for (size_t i = 0; i < rows->count; i++)
        TRY(postgres_entry(postgres, rows, i, &out->items[i]));
    return NULL;
}

static struct error *postgres_list(struct object_store *store, struct arena *arena, str prefix,
                                   bool is_flat, struct object_list *out)
{
    struct postgres_store *postgres = (struct postgres_store *)store;
    const char *sql = postgres_sql(postgres, arena,
                                   is_flat ? "SELECT " LIST_COLUMNS LIST_END LIST_FLAT LIST_ORDER
                                           : "SELECT " LIST_COLUMNS LIST_END LIST_ORDER);
    struct pq_rows rows;

    return postgres_list_rows(postgres, arena, sql, prefix, is_flat ? 2 : 1, &rows, out);
}

static struct error *postgres_get_all(struct object_store *store, struct arena *arena, str prefix,
                                      struct object_list *out, struct object **contents)
{
    struct postgres_store *postgres = (struct postgres_store *)store;
    const char *sql =
        postgres_sql(postgres, arena, "SELECT " LIST_COLUMNS ", data" LIST_END LIST_ORDER);
    struct pq_rows rows;

    TRY(postgres_list_rows(postgres, arena, sql, prefix, 1, &rows, out));
    *contents = ARENA_ARRAY(arena, struct object, out->len);
    for (size_t i = 0; i < out->len; i++) {
        struct object *object = &(*contents)[i];
        *object = (struct object){ .exists = true, .version = out->items[i].version };
        TRY(postgres_decode(postgres, arena, out->items[i].key, pq_cell(&rows, i, COLUMN_DATA),
                            &object->bytes));
        out->items[i].size = object->bytes.len;
    }
    return NULL;
}

/* --- writing --- */

/* The row that must be there is locked until the write is done: who removes it waits for us, or has
 * removed it before, and then nothing is written. */
#define GUARD "WITH guard AS MATERIALIZED (SELECT 1 FROM TABLE WHERE key = $3 FOR KEY SHARE) "
#define INSERT "INSERT INTO TABLE (key, data) VALUES ($1, $2)"
#define GUARDED_INSERT GUARD "INSERT INTO TABLE (key, data) SELECT $1, $2::json FROM guard"
#define KEEP " ON CONFLICT (key) DO NOTHING RETURNING xmin::text"
#define REPLACE                                                                            \
    " ON CONFLICT (key) DO UPDATE SET data = EXCLUDED.data, updated_at = now() RETURNING " \
    "xmin::text"
#define UPDATE "UPDATE TABLE AS t SET data = $2, updated_at = now()"
#define OF_VERSION " RETURNING t.xmin::text"

/* $1 key, $2 data; then, if there are such, $3 the guard, and the version. */
static const char *postgres_put_sql(struct object_condition condition)
{
    bool has_guard = condition.guard.len > 0;

    if (condition.is_absent)
        return has_guard ? GUARDED_INSERT KEEP : INSERT KEEP;
    if (condition.version.len == 0)
        return has_guard ? GUARDED_INSERT REPLACE : INSERT REPLACE;
    return has_guard ? GUARD UPDATE " FROM guard WHERE t.key = $1 AND t.xmin::text = $4" OF_VERSION
                     : UPDATE " WHERE t.key = $1 AND t.xmin::text = $3" OF_VERSION;
}

/* The answer to the first attempt was lost, and the second met what the first had written. */
static fallible postgres_was_ours(struct object_store *store, struct arena *arena, str key,
                                  str bytes, struct object_put_result *out)
{
    struct object object;

    TRY(postgres_get(store, arena, key, &object));
    out->is_met = object.exists && str_equal(object.bytes, bytes);
    out->version = object.version;
    return NULL;
}

static struct error *postgres_put(struct object_store *store, struct arena *arena, str key,
                                  str bytes, struct object_condition condition,
                                  struct object_put_result *out)
{
    struct postgres_store *postgres = (struct postgres_store *)store;
    str values[4] = { postgres_key(postgres, arena, key), postgres_row_format(arena, bytes) };
    size_t count = 2;
    bool is_repeated;
    struct pq_rows rows;

    if (condition.guard.len > 0)
        values[count++] = postgres_key(postgres, arena, condition.guard);
    if (!condition.is_absent && condition.version.len > 0)
        values[count++] = arena_copy(arena, condition.version);
    TRY(postgres_query(postgres, arena, postgres_sql(postgres, arena, postgres_put_sql(condition)),
                       values, count, &rows, &is_repeated));
    *out = (struct object_put_result){ .is_met = rows.count > 0, .version = STR("") };
    if (out->is_met)
        out->version = pq_cell(&rows, 0, 0);
    else if (is_repeated)
        return postgres_was_ours(store, arena, key, bytes, out);
    return NULL;
}

static struct error *postgres_remove(struct object_store *store, str key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct postgres_store *postgres = (struct postgres_store *)store;
    str whole = postgres_key(postgres, &scratch, key);
    struct pq_rows rows;

    return postgres_query(postgres, &scratch,
                          postgres_sql(postgres, &scratch, "DELETE FROM TABLE WHERE key = $1"),
                          &whole, 1, &rows, NULL);
}

/* {"a","b"} */
static str postgres_array(const struct postgres_store *postgres, struct arena *arena,
                          struct strs keys)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < keys.len; i++) {
        str key = postgres_key(postgres, arena, keys.items[i]);
        strbuf_add(&text, i ? STR("\",\"") : STR("{\""));
        for (size_t j = 0; j < key.len; j++) {
            if (strchr("\\\"", key.ptr[j]))
                strbuf_add_char(&text, '\\');
            strbuf_add_char(&text, key.ptr[j]);
        }
    }
    strbuf_add(&text, keys.len ? STR("\"}") : STR("{}"));
    return arena_copy(arena, strbuf_str(&text));
}

static struct error *postgres_remove_all(struct object_store *store, struct strs keys)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct postgres_store *postgres = (struct postgres_store *)store;
    str array = postgres_array(postgres, &scratch, keys);
    struct pq_rows rows;

    return postgres_query(
        postgres, &scratch,
        postgres_sql(postgres, &scratch, "DELETE FROM TABLE WHERE key = ANY ($1::text[])"), &array,
        1, &rows, NULL);
}

static struct error *postgres_copy_guarded(struct object_store *store, str from, str to, str guard,
                                           bool *is_found)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct postgres_store *postgres = (struct postgres_store *)store;
    const str values[] = { postgres_key(postgres, &scratch, from),
                           postgres_key(postgres, &scratch, to),
                           postgres_key(postgres, &scratch, guard) };
    const char *sql = guard.len > 0 ? GUARD
                          "INSERT INTO TABLE (key, data) "
                          "SELECT $2, t.data FROM TABLE AS t, guard WHERE t.key = $1" REPLACE
                                    : "INSERT INTO TABLE (key, data) "
                                      "SELECT $2, data FROM TABLE WHERE key = $1" REPLACE;
    struct pq_rows rows;

    TRY(postgres_query(postgres, &scratch, postgres_sql(postgres, &scratch, sql), values,
                       guard.len > 0 ? 3 : 2, &rows, NULL));
    *is_found = rows.count > 0;
    return NULL;
}

static struct error *postgres_copy(struct object_store *store, str from, str to, bool *is_found)
{
    return postgres_copy_guarded(store, from, to, STR(""), is_found);
}

/* --- locks of the session --- */

#define SESSION_LOCK "SELECT pg_try_advisory_lock(hashtextextended($1, 0))"

/* Of this table only: other stores of the database may have the same keys. */
static str postgres_lock_name(const struct postgres_store *postgres, struct arena *arena, str key)
{
    return arena_concat(arena, STR("pulumi:"), postgres->named, STR(":"), postgres->prefix, key);
}

static void postgres_hold(struct postgres_store *postgres, str name)
{
    struct arena *arena = &postgres->store.arena;
    str kept = arena_copy(arena, name);

    postgres->held = strs_join(arena, postgres->held, (struct strs){ &kept, 1 });
}

static void postgres_let(struct postgres_store *postgres, str name)
{
    str *kept = ARENA_ARRAY(&postgres->store.arena, str, postgres->held.len);
    size_t len = 0;

    for (size_t i = 0; i < postgres->held.len; i++)
        if (!str_equal(postgres->held.items[i], name))
            kept[len++] = postgres->held.items[i];
    postgres->held = (struct strs){ kept, len };
}

/* First the session has it, then others can see it. A connection that is made anew before we have
 * the answer takes it, too. */
static struct error *postgres_put_lock(struct object_store *store, str key, str bytes,
                                       bool *is_late)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct postgres_store *postgres = (struct postgres_store *)store;
    str name = postgres_lock_name(postgres, &scratch, key);
    const str values[] = { postgres_key(postgres, &scratch, key),
                           postgres_row_format(&scratch, bytes) };
    struct pq_statement statements[] = {
        { .text = SESSION_LOCK, .values = &name, .value_count = 1 },
        { .text = postgres_sql(postgres, &scratch, INSERT REPLACE),
          .values = values,
          .value_count = 2 },
    };

    postgres_hold(postgres, name);
    struct error *failure = postgres_run(postgres, &scratch, statements, 2, is_late);
    if (failure)
        postgres_let(postgres, name);
    return failure;
}

static struct error *postgres_remove_lock(struct object_store *store, str key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct postgres_store *postgres = (struct postgres_store *)store;
    str name = postgres_lock_name(postgres, &scratch, key);
    str whole = postgres_key(postgres, &scratch, key);
    struct pq_statement statements[] = {
        { .text = postgres_sql(postgres, &scratch, "DELETE FROM TABLE WHERE key = $1"),
          .values = &whole,
          .value_count = 1 },
        { .text = "SELECT pg_advisory_unlock(hashtextextended($1, 0))",
          .values = &name,
          .value_count = 1 },
    };

    postgres_let(postgres, name);
    return postgres_run(postgres, &scratch, statements, 2, NULL);
}

/* Looks whether a session has it, and does not try to have it: an owner that took it at that moment
 * would not get it. One statement, so that nothing comes between the look and the removal. */
#define REMOVE_LEFT                                                                        \
    "DELETE FROM TABLE WHERE key = $1 AND data::jsonb = $2::jsonb AND NOT EXISTS "         \
    "(SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND database = " \
    "(SELECT oid FROM pg_database WHERE datname = current_database()) AND "                \
    "(classid::bigint << 32 | objid::bigint) = hashtextextended($3, 0)) RETURNING key"

static struct error *postgres_remove_left(struct object_store *store, str key, str bytes,
                                          bool *was_left)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct postgres_store *postgres = (struct postgres_store *)store;
    const str values[] = { postgres_key(postgres, &scratch, key),
                           postgres_row_format(&scratch, bytes),
                           postgres_lock_name(postgres, &scratch, key) };
    struct pq_rows rows;

    TRY(postgres_query(postgres, &scratch, postgres_sql(postgres, &scratch, REMOVE_LEFT), values, 3,
                       &rows, NULL));
    *was_left = rows.count > 0;
    return NULL;
}

static const struct object_lock_ops postgres_locks = {
    .put = postgres_put_lock,
    .remove = postgres_remove_lock,
    .remove_left = postgres_remove_left,
    .copy_guarded = postgres_copy_guarded,
};

const struct object_store_ops object_store_postgres = {
    .scheme = "postgres",
    .open = postgres_store_open,
    .close = postgres_store_close,
    .get = postgres_get,
    .put = postgres_put,
    .list = postgres_list,
    .remove = postgres_remove,
    .copy = postgres_copy,
    .remove_all = postgres_remove_all,
    .get_all = postgres_get_all,
    .locks = &postgres_locks,
};
