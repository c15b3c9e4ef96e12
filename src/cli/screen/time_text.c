/* time_text.c — rounds times to one unit. */
#include "cli/screen/time_text.h"

#include "base/clock.h"

str time_ago(struct arena *arena, int64_t time)
{
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = {
        { 365LL * 24 * 3600, "year" },
        { 30 * 24 * 3600, "month" },
        { 7 * 24 * 3600, "week" },
        { 24 * 3600, "day" },
        { 3600, "hour" },
        { 60, "minute" },
        { 1, "second" },
    };
    int64_t seconds = (clock_now() - time) / NS_PER_S;

    if (seconds < 1)
        return STR("now");
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        int64_t count = seconds / units[i].seconds;
        if (count > 0)
            return arena_printf(arena, "%lld %s%s ago", (long long)count, units[i].name,
                                count == 1 ? "" : "s");
    }
    return STR("now");
}

str time_full(struct arena *arena, int64_t time)
{
    str text = clock_format_local(arena, time), date, clock;
    bool is_utc = str_ends_with(text, STR("Z"));

    if (!str_cut(text, STR("T"), &date, &clock))
        return text;
    if (is_utc)
        return arena_concat(arena, date, STR(" "), str_slice(clock, 0, clock.len - 1),
                            STR(" +0000 UTC"));
    str zone = str_slice(clock, clock.len - 6, clock.len); /* +hh:mm */
    str digits = arena_concat(arena, str_slice(zone, 0, 3), str_slice(zone, 4, 6));
    return arena_concat(arena, date, STR(" "), str_slice(clock, 0, clock.len - 6), STR(" "), digits,
                        STR(" "), digits);
}
