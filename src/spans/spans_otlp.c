/* spans_otlp.c — traces as OTLP has them in JSON: read, and written. */
#include "spans/spans_parts.h"

#include "base/map.h"
#include "base/otlp.h"
#include "model/value_json.h"

/* --- reading --- */

struct otlp_read {
    struct arena *arena;
    struct spans_draft *draft;
    struct map numbers; /* by trace and span: the number of a span plus 1 */
    struct str_list parents;
};

static const struct value *otlp_list(struct value object, str key, size_t *len)
{
    const struct value *list = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;
    bool is_list = list && list->kind == VALUE_ARRAY;

    *len = is_list ? list->len : 0;
    return is_list ? list->items : NULL;
}

static str otlp_text(struct value object, const char *key)
{
    return object.kind == VALUE_OBJECT ? value_find_text(object, str_from(key)) : STR("");
}

/* A string of digits, or, from careless writers, a number. */
static int64_t otlp_time(struct value span, const char *key)
{
    const struct value *time = value_find(span, str_from(key));
    uint64_t number;

    if (time && time->kind == VALUE_NUMBER && time->number > 0 && time->number < 9e18)
        return (int64_t)time->number;
    bool is_time = time && time->kind == VALUE_STRING && str_to_u64(value_text(*time), &number)
                   && number > 0 && number <= INT64_MAX;
    return is_time ? (int64_t)number : SPANS_NO_TIME;
}

/* {"stringValue": "x"} is x; of other kinds the JSON. */
static str otlp_attribute(struct arena *arena, struct value any)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    if (any.kind != VALUE_OBJECT || any.len == 0)
        return STR("");
    if (any.members[0].value.kind == VALUE_STRING)
        return value_text(any.members[0].value);
    value_write(&writer, any.members[0].value, SECRET_BARE);
    return arena_copy(arena, strbuf_str(&text));
}

static struct pairs otlp_attributes(struct arena *arena, struct value of)
{
    size_t len;
    const struct value *list = otlp_list(of, STR("attributes"), &len);
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, len + 1);
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        const struct value *any =
            list[i].kind == VALUE_OBJECT ? value_find(list[i], STR("value")) : NULL;
        if (any)
            pairs[count++] =
                (struct pair){ otlp_text(list[i], "key"), otlp_attribute(arena, *any) };
    }
    return (struct pairs){ pairs, count };
}

static bool otlp_has_failed(struct value span)
{
    const struct value *status = value_find(span, STR("status"));
    const struct value *code =
        status && status->kind == VALUE_OBJECT ? value_find(*status, STR("code")) : NULL;

    if (!code)
        return false;
    return (code->kind == VALUE_NUMBER && code->number == OTLP_STATUS_ERROR)
           || (code->kind == VALUE_STRING
               && str_equal(value_text(*code), STR("STATUS_CODE_ERROR")));
}

static str otlp_id(struct arena *arena, str trace, str span)
{
    return span.len ? arena_concat(arena, trace, STR("/"), span) : STR("");
}

static void otlp_read_span(struct otlp_read *read, struct value span, struct pairs service)
{
    str trace = otlp_text(span, "traceId"), name = otlp_text(span, "name");
    str id = otlp_id(read->arena, trace, otlp_text(span, "spanId"));

    vec_add(read->draft,
            ((struct spans_span){
                .name = name.len ? name : STR("span"),
                .start = otlp_time(span, "startTimeUnixNano"),
                .end = otlp_time(span, "endTimeUnixNano"),
                .has_failed = otlp_has_failed(span),
                .attributes = pairs_join(read->arena, otlp_attributes(read->arena, span), service),
            }));
    vec_add(&read->parents, otlp_id(read->arena, trace, otlp_text(span, "parentSpanId")));
    if (id.len)
        map_put(&read->numbers, id, (void *)(uintptr_t)read->draft->len);
}

/* Which process the spans are from. */
static struct pairs otlp_service(struct arena *arena, struct value group)
{
    const struct value *resource = value_find(group, STR("resource"));
    struct pairs all = otlp_attributes(arena, resource ? *resource : value_null());
    const str *name = pairs_find(all, STR("service.name"));
    struct pair *pair = ARENA_NEW(arena, struct pair);

    if (!name)
        return (struct pairs){ 0 };
    *pair = (struct pair){ STR("service.name"), *name };
    return (struct pairs){ pair, 1 };
}

static fallible otlp_read_message(struct otlp_read *read, struct value message)
{
    size_t groups, scopes, spans;

    if (message.kind != VALUE_OBJECT || !value_has(message, STR("resourceSpans")))
        return error_new(ERROR_INVALID, "it has no 'resourceSpans'");
    const struct value *group = otlp_list(message, STR("resourceSpans"), &groups);
    for (size_t i = 0; i < groups; i++) {
        const struct value *scope = otlp_list(group[i], STR("scopeSpans"), &scopes);
        if (!scopes)
            continue;
        struct pairs service = otlp_service(read->arena, group[i]);
        for (size_t j = 0; j < scopes; j++) {
            const struct value *span = otlp_list(scope[j], STR("spans"), &spans);
            for (size_t k = 0; k < spans; k++)
                if (span[k].kind == VALUE_OBJECT)
                    otlp_read_span(read, span[k], service);
        }
    }
    return NULL;
}

static fallible otlp_read_line(struct otlp_read *read, str line)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_token token;
    struct value message;

    json_reader_init(&reader, read->arena, line);
    TRY(value_read_plain(&reader, &message));
    TRY(json_next(&reader, &token));
    if (token.kind != JSON_END)
        return json_fail(&reader, "something follows the message");
    return otlp_read_message(read, message);
}

static fallible otlp_read_lines(struct otlp_read *read, str text)
{
    for (size_t number = 1; text.len; number++) {
        str line = text;
        bool is_whole = str_cut(text, STR("\n"), &line, &text);
        if (!is_whole)
            text = STR("");
        if (!str_trim(line).len)
            continue;
        struct error *failure = otlp_read_line(read, line);
        if (failure && !is_whole && read->draft->len) {
            /* The writer was stopped in the middle of it. */
            error_ignore(failure, "what came before is what there is");
            break;
        }
        TRY(error_wrap(failure, "line %zu", number));
    }
    return NULL;
}

fallible spans_read_otlp(struct arena *arena, str text, struct spans_draft *draft)
{
    struct otlp_read read = { .arena = arena, .draft = draft };
    struct error *failure = otlp_read_lines(&read, text);

    for (size_t i = 0; i < read.parents.len; i++)
        draft->items[i].parent = (size_t)(uintptr_t)map_find(&read.numbers, read.parents.items[i]);
    map_release(&read.numbers);
    str_list_release(&read.parents);
    return failure;
}

/* --- writing --- */

static void spans_add_to_otlp(struct json_writer *writer, const struct spans *spans, size_t index,
                              str trace)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct spans_span *span = &spans->items[index];
    const struct otlp_span written = {
        .trace = trace,
        .id = arena_printf(&scratch, "%016zx", index + 1),
        .parent = span->parent ? arena_printf(&scratch, "%016zx", span->parent) : STR(""),
        .name = spans_label(&scratch, span),
        .start = span->start,
        .end = span->end,
        .attributes = span->attributes,
        .has_failed = span->has_failed,
    };

    otlp_add(writer, &written);
}

void spans_to_otlp(struct json_writer *writer, const struct spans *spans, size_t first,
                   size_t count, str trace)
{
    otlp_begin(writer);
    for (size_t i = first; i < spans->len && i - first < count; i++)
        spans_add_to_otlp(writer, spans, i, trace);
    otlp_end(writer);
}
