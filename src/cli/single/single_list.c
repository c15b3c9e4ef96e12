/* single_list.c — `do … list`: asks a provider, page by page, what there is of a type. */
#include "cli/single/single_provider.h"

#include "base/map.h"
#include "base/vec.h"
#include "cli/operate/operation_evaluate.h"
#include "cli/screen/json_print.h"
#include "model/value_json.h"
#include "model/value_ops.h"

#include <stdio.h>

struct single_listing {
    struct cli *cli;
    const struct single_line *line;
    const struct single_wishes *wishes;
    struct value query;
    struct single_provider provider;
    struct {
        VEC(struct listed);
    } found;
    struct map asked; /* tokens of pages */
    bool has_more;    /* than the page that was asked for */
};

/* --- asking --- */

static fallible list_next_page(struct single_listing *listing, struct provider *provider,
                               str *continuation)
{
    uint64_t count = listing->line->list_count;
    const struct list_request request = {
        .token = listing->line->token,
        .query = listing->query,
        .limit = count ? (int64_t)(count - listing->found.len) : 0,
        .continuation = *continuation,
    };
    struct list_answer answer;

    TRY(provider->ops->list(provider, &request, listing->cli->arena, &answer));
    for (size_t i = 0; i < answer.len; i++)
        if (!count || listing->found.len < count)
            vec_add(&listing->found, answer.items[i]);
    if (answer.continuation.len && map_has(&listing->asked, answer.continuation))
        return error_new(ERROR_OTHER,
                         "provider '" STR_FMT "' answers with the same page again and again",
                         STR_ARG(provider->package));
    map_put(&listing->asked, answer.continuation, listing);
    *continuation = answer.continuation;
    return NULL;
}

static struct error *single_list_ask(void *listing_, struct provider *provider)
{
    struct single_listing *listing = listing_;
    const struct single_line *line = listing->line;
    str continuation = STR("");
    bool is_done;

    do {
        TRY(list_next_page(listing, provider, &continuation));
        is_done = line->list_count ? listing->found.len >= line->list_count : !line->lists_all;
    } while (continuation.len && !is_done);
    listing->has_more = continuation.len > 0;
    return NULL;
}

/* What it is listed by, and its provider is configured with, may be expressions: a program says
 * what they are. */
static str list_query_text(struct cli *cli, const struct single_line *line,
                           const struct single_provider *provider)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 1 };

    json_begin_object(&writer);
    json_key(&writer, STR("outputs"));
    json_begin_object(&writer);
    json_key(&writer, SINGLE_KEY);
    json_begin_object(&writer);
    json_key(&writer, STR("query"));
    value_write(&writer, line->properties, SECRET_BARE);
    json_key(&writer, SINGLE_PROVIDER);
    value_write(&writer, provider->inputs, SECRET_BARE);
    json_end_object(&writer);
    json_end_object(&writer);
    json_end_object(&writer);
    return arena_copy(cli->arena, strbuf_str(&text));
}

static struct error *single_list_task(struct cli *cli, void *listing_)
{
    struct single_listing *listing = listing_;
    const struct single_wishes *wishes = listing->wishes;
    struct single_question question = { .args = wishes->operation };
    struct package_ref package = wishes->package;

    const struct value *query = NULL, *inputs = NULL;

    if (listing->line->properties.len || listing->provider.is_wanted) {
        TRY(single_evaluate(cli, &question));
        query = value_find(question.answer, STR("query"));
        inputs = value_find(question.answer, SINGLE_PROVIDER);
    }
    listing->query = query ? *query : VALUE_EMPTY_OBJECT;
    if (listing->provider.is_wanted)
        package.version = listing->provider.version;
    const struct provider_question asked = {
        .package = &package,
        .is_explicit = listing->provider.is_wanted,
        .inputs = inputs ? *inputs : VALUE_EMPTY_OBJECT,
        .ask = single_list_ask,
        .context = listing,
    };
    return operation_ask_provider(cli, wishes->operation, &asked);
}

/* --- showing --- */

static void list_print(const struct single_listing *listing)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_array(writer);
    for (size_t i = 0; i < listing->found.len; i++) {
        json_begin_object(writer);
        json_key(writer, STR("id"));
        json_string(writer, listing->found.items[i].id);
        json_key(writer, STR("name"));
        json_string(writer, listing->found.items[i].name);
        json_end_object(writer);
    }
    json_end_array(writer);
    json_print_end(&print);
    if (listing->has_more && !listing->line->list_count)
        fputs("There are more: --all lists them, --count N so many.\n", stderr);
}

fallible single_list(struct cli *cli, const struct single_line *line,
                     const struct single_wishes *wishes)
{
    struct single_listing listing = { .cli = cli, .line = line, .wishes = wishes };

    TRY(single_provider_ask(cli, line, wishes, &listing.provider));
    struct error *failure = single_with_program(
        cli, wishes, list_query_text(cli, line, &listing.provider), single_list_task, &listing);
    if (!failure)
        list_print(&listing);
    vec_release(&listing.found);
    map_release(&listing.asked);
    return failure;
}
