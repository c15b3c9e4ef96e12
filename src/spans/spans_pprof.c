/* spans_pprof.c — spans as a profile for `pprof`: its message in the wire form of protobuf, behind
 * gzip. */
#include "spans/spans.h"

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <zlib.h>

/* Members of the messages of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    VALUE_TYPE_TYPE = 1,
    VALUE_TYPE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    LOCATION_ID = 1,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
};

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* A way from a root to a span, by its last step. */
struct stack {
    size_t function;
    size_t below; /* number of the stack it was called from; 0: none */
    int64_t time, samples;
};

struct profile {
    struct arena *arena;
    struct strbuf out;
    struct map texts;  /* number plus 1 in the table of strings */
    struct map stacks; /* number, by function and what is below */
    struct {
        VEC(struct stack);
    } list; /* from number 1 on */
    struct str_list strings;
};

static void profile_release(struct profile *profile)
{
    strbuf_release(&profile->out);
    map_release(&profile->texts);
    map_release(&profile->stacks);
    vec_release(&profile->list);
    str_list_release(&profile->strings);
}

/* --- the wire --- */

static void wire_varint(struct strbuf *out, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        strbuf_add_char(out, (char)(number | 128));
    strbuf_add_char(out, (char)number);
}

static void wire_number(struct strbuf *out, unsigned field, uint64_t number)
{
    wire_varint(out, field << 3 | WIRE_VARINT);
    wire_varint(out, number);
}

static void wire_bytes(struct strbuf *out, unsigned field, str bytes)
{
    wire_varint(out, field << 3 | WIRE_BYTES);
    wire_varint(out, bytes.len);
    strbuf_add(out, bytes);
}

/* --- tables --- */

static size_t profile_text(struct profile *profile, str text)
{
    size_t known = (size_t)(uintptr_t)map_find(&profile->texts, text);

    if (known)
        return known - 1;
    vec_add(&profile->strings, text);
    map_put(&profile->texts, text, (void *)(uintptr_t)profile->strings.len);
    return profile->strings.len - 1;
}

static size_t profile_stack(struct profile *profile, str label, size_t below)
{
    size_t function = profile_text(profile, label);
    str key = arena_printf(profile->arena, "%zu %zu", function, below);
    size_t known = (size_t)(uintptr_t)map_find(&profile->stacks, key);

    if (known)
        return known;
    vec_add(&profile->list, ((struct stack){ .function = function, .below = below }));
    map_put(&profile->stacks, key, (void *)(uintptr_t)profile->list.len);
    return profile->list.len;
}

/* Spans that nobody can have recorded may add up to more than there is. */
static void profile_add(int64_t *sum, int64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum))
        *sum = INT64_MAX;
}

static void profile_gather(struct profile *profile, const struct spans *spans, int64_t granularity)
{
    int64_t *own = spans_own_times(profile->arena, spans);
    size_t *stacks = ARENA_ARRAY(profile->arena, size_t, spans->len + 1); /* by number, from 1 */

    for (size_t i = 0; i < spans->len; i++) {
        const struct spans_span *span = &spans->items[i];
        stacks[i + 1] =
            profile_stack(profile, spans_label(profile->arena, span), stacks[span->parent]);
        struct stack *stack = &profile->list.items[stacks[i + 1] - 1];
        profile_add(&stack->time, own[i]);
        profile_add(&stack->samples, own[i] / granularity + (own[i] % granularity != 0));
    }
}

/* --- the message --- */

static void profile_put_type(struct profile *profile, unsigned field, str type, str unit)
{
    CLEANUP(strbuf_release) struct strbuf message = { 0 };

    wire_number(&message, VALUE_TYPE_TYPE, profile_text(profile, type));
    wire_number(&message, VALUE_TYPE_UNIT, profile_text(profile, unit));
    wire_bytes(&profile->out, field, strbuf_str(&message));
}

/* The last step comes first. */
static void profile_put_sample(struct profile *profile, const struct stack *stack)
{
    CLEANUP(strbuf_release) struct strbuf places = { 0 }, values = { 0 }, message = { 0 };

    wire_varint(&values, (uint64_t)stack->samples);
    wire_varint(&values, (uint64_t)stack->time);
    for (const struct stack *at = stack; at;
         at = at->below ? &profile->list.items[at->below - 1] : NULL)
        wire_varint(&places, at->function);
    wire_bytes(&message, SAMPLE_LOCATION, strbuf_str(&places));
    wire_bytes(&message, SAMPLE_VALUE, strbuf_str(&values));
    wire_bytes(&profile->out, PROFILE_SAMPLE, strbuf_str(&message));
}

/* A place and a function of each label; all have the number of its text, which is never 0. */
static void profile_put_function(struct profile *profile, size_t text)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 }, place = { 0 }, function = { 0 };

    wire_number(&line, LINE_FUNCTION, text);
    wire_number(&place, LOCATION_ID, text);
    wire_bytes(&place, LOCATION_LINE, strbuf_str(&line));
    wire_bytes(&profile->out, PROFILE_LOCATION, strbuf_str(&place));
    wire_number(&function, FUNCTION_ID, text);
    wire_number(&function, FUNCTION_NAME, text);
    wire_bytes(&profile->out, PROFILE_FUNCTION, strbuf_str(&function));
}

static void profile_put(struct profile *profile, const struct spans *spans, int64_t granularity)
{
    size_t labels = profile->strings.len;

    for (size_t i = 0; i < profile->list.len; i++)
        if (profile->list.items[i].samples)
            profile_put_sample(profile, &profile->list.items[i]);
    for (size_t i = 1; i < labels; i++)
        profile_put_function(profile, i);
    profile_put_type(profile, PROFILE_SAMPLE_TYPE, STR("samples"), STR("count"));
    profile_put_type(profile, PROFILE_SAMPLE_TYPE, STR("time"), STR("nanoseconds"));
    profile_put_type(profile, PROFILE_PERIOD_TYPE, STR("time"), STR("nanoseconds"));
    wire_number(&profile->out, PROFILE_PERIOD, (uint64_t)granularity);
    wire_number(&profile->out, PROFILE_TIME, (uint64_t)spans->start);
    wire_number(&profile->out, PROFILE_DURATION, (uint64_t)(spans->end - spans->start));
    for (size_t i = 0; i < profile->strings.len; i++)
        wire_bytes(&profile->out, PROFILE_STRING, profile->strings.items[i]);
}

static fallible profile_compress(struct arena *arena, str bytes, str *out)
{
    enum { WINDOW_GZIP = 15 + 16, MEMORY = 8 };
    z_stream stream = { 0 };

    if (bytes.len > UINT32_MAX / 2)
        return error_new(ERROR_INVALID, "the profile is too large");
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_GZIP, MEMORY,
                     Z_DEFAULT_STRATEGY)
        != Z_OK)
        return error_new(ERROR_OTHER, "the profile could not be compressed");
    size_t room = deflateBound(&stream, bytes.len);
    char *into = arena_alloc_raw(arena, room);
    stream.next_in = (unsigned char *)bytes.ptr;
    stream.avail_in = (unsigned)bytes.len;
    stream.next_out = (unsigned char *)into;
    stream.avail_out = (unsigned)room;
    bool is_whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *out = (str){ into, stream.total_out };
    deflateEnd(&stream);
    return is_whole ? NULL : error_new(ERROR_OTHER, "the profile could not be compressed");
}

fallible spans_to_pprof(struct arena *arena, const struct spans *spans, int64_t granularity,
                        str *out)
{
    CLEANUP(profile_release) struct profile profile = { .arena = arena };

    profile_text(&profile, STR("")); /* number 0 by definition */
    profile_gather(&profile, spans, granularity);
    profile_put(&profile, spans, granularity);
    return profile_compress(arena, strbuf_str(&profile.out), out);
}
