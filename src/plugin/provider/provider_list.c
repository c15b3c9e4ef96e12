/* provider_list.c — what there is of a type, as a provider finds it. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

#include "base/vec.h"

struct listing {
    struct provider_grpc *provider;
    struct arena *arena;
    struct {
        VEC(struct listed);
    } found;
    str continuation;
};

static struct error *listing_take(void *listing_, const void *answer)
{
    struct listing *listing = listing_;
    const Pb__ListResponse *response = answer;

    switch (response->response_case) {
    case PB__LIST_RESPONSE__RESPONSE_RESULT: {
        const struct listed listed = {
            arena_copy(listing->arena, message_str(response->result->id)),
            arena_copy(listing->arena, message_str(response->result->name)),
        };
        vec_add(&listing->found, listed);
        return NULL;
    }
    case PB__LIST_RESPONSE__RESPONSE_CONTINUATION:
        listing->continuation =
            arena_copy(listing->arena, message_str(response->continuation->continuation_token));
        return NULL;
    case PB__LIST_RESPONSE__RESPONSE_COMPUTED:
        return error_new(ERROR_OTHER, "provider '" STR_FMT "' cannot know yet what there is",
                         STR_ARG(listing->provider->base.package));
    case PB__LIST_RESPONSE__RESPONSE__NOT_SET:
    case _PB__LIST_RESPONSE__RESPONSE__CASE_IS_INT_SIZE: break; /* of a version to come */
    }
    return NULL;
}

static fallible list_page(struct listing *listing, const struct list_request *request)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ListRequest message;
    pb__list_request__init(&message);
    const struct plugin_call call = { .method = PROVIDER_METHOD("List"),
                                      .request = &message.base,
                                      .answer = &pb__list_response__descriptor };
    str query;

    TRY(provider_marshal(&scratch, request->query, provider_keeps(&listing->provider->traits),
                         &query));
    message_put_bytes(&message, query, query);
    message.token = message_cstr(&scratch, request->token);
    message.limit = request->limit;
    message.continuation_token = message_cstr(&scratch, request->continuation);
    return plugin_call_stream(listing->provider->plugin, &call, listing_take, listing);
}

fallible provider_op_list(struct provider *provider, const struct list_request *request,
                          struct arena *arena, struct list_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    struct listing listing = { .provider = self, .arena = arena };
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    struct error *failure = list_page(&listing, request);
    *out = (struct list_answer){
        .items = arena_copy_bytes(arena, listing.found.items,
                                  listing.found.len * sizeof(*listing.found.items)),
        .len = listing.found.len,
        .continuation = listing.continuation,
    };
    vec_release(&listing.found);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "said in plain words");
        return error_new(ERROR_INVALID, "provider '" STR_FMT "' cannot list resources",
                         STR_ARG(self->base.package));
    }
    return provider_error(failure);
}
