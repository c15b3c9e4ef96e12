/* diy_lock.c — who holds the lock of a stack, as text. */
#include "backend/diy_lock.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/program.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static fallible read_pid(struct json_reader *reader, void *member)
{
    double pid;

    TRY(json_read_number(reader, &pid));
    *(int64_t *)member = pid > 0 && pid < 1e9 ? (int64_t)pid : 0;
    return NULL;
}

static const struct json_field owner_fields[] = {
    JSON_FIELD("pid", struct lock_owner, pid, read_pid),
    JSON_FIELD("username", struct lock_owner, user, json_field_string),
    JSON_FIELD("hostname", struct lock_owner, host, json_field_string),
    JSON_FIELD("timestamp", struct lock_owner, time, json_field_string),
    JSON_FIELD("session", struct lock_owner, has_session, json_field_bool),
    { 0 },
};

void lock_owner_parse(struct arena *arena, str text, struct lock_owner *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    *out = (struct lock_owner){ .user = STR("?"), .host = STR("?"), .time = STR("?") };
    json_reader_init(&reader, arena, text);
    error_ignore(json_read_fields(&reader, owner_fields, out),
                 "the message does without the owner");
}

void lock_owner_format(struct strbuf *out, struct arena *scratch,
                       const struct backend_options *options, bool has_session)
{
    struct json_writer writer = { .out = out };

    json_begin_object(&writer);
    json_key(&writer, STR("pid"));
    json_integer(&writer, getpid());
    json_key(&writer, STR("username"));
    json_string(&writer, options->user);
    json_key(&writer, STR("hostname"));
    json_string(&writer, options->host);
    json_key(&writer, STR("timestamp"));
    json_string(&writer, clock_format(scratch, clock_now()));
    if (has_session) {
        json_key(&writer, STR("session"));
        json_bool(&writer, true);
    }
    json_end_object(&writer);
}

bool lock_owner_is_gone(const struct lock_owner *owner, const struct backend_options *options)
{
    return owner->pid > 0 && options->host.len > 0 && str_equal(owner->host, options->host)
           && kill((pid_t)owner->pid, 0) < 0 && errno == ESRCH;
}

/* Fractions of a second are left out, the zone is kept: 2026-01-02T03:04:05Z. */
static str without_fraction(struct arena *arena, str time)
{
    size_t dot = str_find_char(time, '.');
    if (dot == SIZE_MAX)
        return time;
    size_t end = dot + 1;
    while (end < time.len && time.ptr[end] >= '0' && time.ptr[end] <= '9')
        end++;
    return arena_concat(arena, str_slice(time, 0, dot), str_slice(time, end, time.len));
}

void lock_owner_describe(struct strbuf *out, struct arena *scratch, str url,
                         const struct lock_owner *owner, const struct backend_options *options)
{
    str time = without_fraction(scratch, owner->time);

    strbuf_printf(out, "\n  " STR_FMT ": created by " STR_FMT "@" STR_FMT " (pid %lld) at " STR_FMT,
                  STR_ARG(url), STR_ARG(owner->user), STR_ARG(owner->host), (long long)owner->pid,
                  STR_ARG(time));
    if (lock_owner_is_gone(owner, options))
        strbuf_printf(out, " (that process is gone; run `%s cancel` to remove the lock)",
                      program_name());
}

/* "5 minutes": the largest unit that it fills. */
static str age_text(struct arena *arena, int64_t seconds)
{
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" } };
    size_t i = 0;

    while (units[i].seconds > 1 && seconds < units[i].seconds)
        i++;
    int64_t count = seconds / units[i].seconds;
    return arena_printf(arena, "%lld %s%s", (long long)count, units[i].name, count == 1 ? "" : "s");
}

str lock_owner_text(struct arena *arena, const struct lock_owner *owner)
{
    str since = without_fraction(arena, owner->time);
    str text =
        arena_printf(arena, STR_FMT "@" STR_FMT " (pid %lld), since " STR_FMT, STR_ARG(owner->user),
                     STR_ARG(owner->host), (long long)owner->pid, STR_ARG(since));
    int64_t taken, age;

    if (owner->pid == 0 && str_equal(owner->user, STR("?")))
        return STR("somebody unknown");
    if (!clock_parse(owner->time, &taken))
        return text;
    age = (clock_now() - taken) / NS_PER_S;
    return arena_concat(arena, text, STR(", "), age_text(arena, age > 0 ? age : 0), STR(" ago"));
}

fallible lock_refused(size_t count, str owners)
{
    if (count == 0)
        return NULL;
    return error_new(ERROR_OTHER,
                     "the stack is currently locked by %zu lock(s). Either wait for the other "
                     "process(es) to end or "
                     "delete the lock file with `%s cancel`." STR_FMT,
                     count, program_name(), STR_ARG(owners));
}
