/* status_line.c — counts, and the oldest thing that is not answered. */
#include "display/status_line.h"

#include "base/clock.h"
#include "display/op_text.h"
#include "model/urn.h"

#include <time.h>

static const int64_t quiet_enough = (int64_t)10 * NS_PER_S;

/* --- what is awaited --- */

/* The last part of "/pulumirpc.ResourceProvider/Create". */
static str status_method(const char *method)
{
    const char *slash = strrchr(method, '/');

    return str_from(slash ? slash + 1 : method);
}

/* "aws (resource)" is said as "aws". */
static str status_plugin(str label)
{
    return str_slice(label, 0, str_find(label, STR(" (")));
}

/* A call that lasts as long as the program runs says nothing, as long as there is another. */
static bool status_is_program(const struct awaited *call)
{
    return strstr(call->method, "LanguageRuntime/") != NULL;
}

static void status_take_calls(struct status *status, const struct awaited *calls, bool is_program)
{
    for (const struct awaited *call = calls; call; call = call->next) {
        if (status_is_program(call) != is_program)
            continue;
        if (status->wait.call.len) {
            status->others++;
            continue;
        }
        status->wait = (struct status_wait){ .plugin = status_plugin(call->plugin),
                                             .call = status_method(call->method),
                                             .urn = call->subject,
                                             .since = call->since };
    }
}

static str status_provider(const struct row *row)
{
    str urn, id;
    struct error *failure = provider_ref_parse(row->step.provider, &urn, &id);
    str type = failure ? STR("") : urn_type_of(urn);
    size_t colon = str_find_last(type, STR(":"));

    error_ignore(failure, "a provider without a name is not named");
    return colon == SIZE_MAX ? type : str_slice(type, colon + 1, type.len);
}

/* Providers that are built in are not called, but their resources are worked on. */
static void status_take_row(struct status *status, const struct row *row)
{
    int64_t since = clock_now() - (clock_monotonic() - row->started);
    bool is_oldest = !status->wait.call.len || since < status->wait.since;

    status->others += status->wait.call.len > 0;
    if (is_oldest)
        status->wait = (struct status_wait){ .plugin = status_provider(row),
                                             .call = str_from(op_texts[row->step.op].planned),
                                             .urn = row->step.urn,
                                             .since = since };
}

void status_take(struct status *status, const struct rows *rows, size_t expected,
                 const struct awaited *calls)
{
    status_take_calls(status, calls, false);
    bool has_call = status->wait.call.len > 0;
    for (size_t i = 0; i < rows->list.len; i++) {
        const struct row *row = rows->list.items[i];
        if (row_is_root(row))
            continue;
        status->total++;
        status->failed += row->is_failed;
        status->done += !row->is_failed && row_is_done(rows, row);
        if (!row_is_at_work(rows, row))
            continue;
        status->running++;
        if (!has_call)
            status_take_row(status, row);
    }
    if (!status->wait.call.len)
        status_take_calls(status, calls, true);
    if (status->total < expected)
        status->total = expected;
}

/* --- text --- */

static void status_add_time(struct strbuf *out, int64_t time)
{
    long long seconds = time / NS_PER_S;

    if (seconds >= 3600)
        strbuf_printf(out, "%lldh", seconds / 3600);
    if (seconds >= 60)
        strbuf_printf(out, "%lldm", seconds / 60 % 60);
    strbuf_printf(out, "%llds", seconds % 60);
}

str status_text(struct arena *arena, const struct status *status)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_printf(&out, "%s%zu/%zu done%s, ", TAG_BOLD, status->done, status->total, TAG_RESET);
    if (status->running)
        strbuf_printf(&out, "%zu running, ", status->running);
    if (status->failed)
        strbuf_printf(&out, "%s%zu failed%s, ", TAG_ERROR, status->failed, TAG_RESET);
    status_add_time(&out, status->elapsed);
    return arena_copy(arena, strbuf_str(&out));
}

/* "Create of NAME (TYPE)" or "Configure". */
static void status_add_call(struct strbuf *out, const struct status_wait *wait)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    strbuf_add(out, wait->call);
    if (!wait->urn.len)
        return;
    strbuf_printf(out, " of " STR_FMT " (" STR_FMT ")", STR_ARG(urn_name_of(wait->urn)),
                  STR_ARG(type_display_name(&scratch, urn_type_of(wait->urn))));
}

str status_waiting_text(struct arena *arena, const struct status *status, int64_t now)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct status_wait *wait = &status->wait;
    time_t since = (time_t)(wait->since / NS_PER_S);
    struct tm parts;
    char clock[16];

    if (status->quiet < quiet_enough || !wait->call.len)
        return STR("");
    strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&since, &parts));
    strbuf_add(&out, STR("waiting for "));
    if (wait->plugin.len)
        strbuf_printf(&out, STR_FMT ": ", STR_ARG(wait->plugin));
    status_add_call(&out, wait);
    strbuf_printf(&out, " since %s, ", clock);
    status_add_time(&out, now - wait->since);
    if (status->others)
        strbuf_printf(&out, ", and %zu more", status->others);
    return arena_copy(arena, strbuf_str(&out));
}
