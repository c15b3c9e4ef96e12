/* fuzz_grpc.c — what gRPC puts into HTTP/2: bodies cut into messages the same however they arrive,
 * and header fields of any content as the end of a call. */
#include "fuzz/fuzz_support.h"

#include "rpc/grpc.h"
#include "rpc/rpc.h"

/* The messages of a body that comes `step` bytes at a time, each with its length before it. */
static int read_body(str body, size_t step, struct strbuf *out, bool *is_cut)
{
    struct grpc_inbox inbox = { 0 };
    uint64_t held = 0;
    int code = RPC_OK;

    inbox.held = &held;
    for (size_t at = 0; at < body.len && code == RPC_OK; at += step) {
        struct grpc_message *message;
        code = grpc_inbox_add(&inbox, str_slice(body, at, at + step));
        while ((message = grpc_inbox_take(&inbox))) {
            strbuf_printf(out, "%zu:", message->len);
            strbuf_add(out, (str){ message->bytes, message->len });
            grpc_message_free(&inbox, message);
        }
    }
    *is_cut = grpc_inbox_is_cut(&inbox);
    grpc_inbox_release(&inbox);
    REQUIRE(held == 0);
    return code;
}

static void try_body(str body)
{
    CLEANUP(strbuf_release) struct strbuf whole = { 0 };
    CLEANUP(strbuf_release) struct strbuf pieces = { 0 };
    bool is_cut, is_cut_slowly;

    /* An announced length is believed up to the limit of a message; so much at once teaches
     * nothing. */
    for (size_t at = 0; at + GRPC_PREFIX_LEN <= body.len; at++)
        if (body.ptr[at] == 0 && (body.ptr[at + 1] || (unsigned char)body.ptr[at + 2] > 15))
            return;
    int code = read_body(body, body.len + 1, &whole, &is_cut);
    REQUIRE(code == read_body(body, 3, &pieces, &is_cut_slowly));
    REQUIRE(str_equal(strbuf_str(&whole), strbuf_str(&pieces)) && is_cut == is_cut_slowly);
}

/* Names and values, parted by NUL bytes; the reader takes over what the list is made of. */
static void read_fields(str rest, struct hpack_list *list)
{
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    struct hpack_decoder decoder;

    while (rest.len) {
        str name = fuzz_part(&rest), value = fuzz_part(&rest);
        hpack_add(&block, name, value);
    }
    hpack_decoder_init(&decoder);
    REQUIRE(hpack_decode(&decoder, strbuf_str(&block), SIZE_MAX / 2, list));
}

/* A failure that was read is sent so that it reads the same. */
static void try_again(struct error *failure)
{
    CLEANUP(hpack_list_release) struct hpack_list list = { 0 };
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    struct hpack_decoder decoder;
    struct error *again;

    hpack_decoder_init(&decoder);
    grpc_add_status(&block, error_status(failure), error_message(failure), STR(""));
    REQUIRE(block.len <= GRPC_MAX_TRAILERS);
    REQUIRE(hpack_decode(&decoder, strbuf_str(&block), SIZE_MAX / 2, &list));
    REQUIRE(grpc_read_status(&list, &again) && again);
    REQUIRE(error_status(again) == error_status(failure));
    REQUIRE(str_starts_with(error_message(failure), error_message(again))
            || error_message(failure).len > 2000);
    error_free(again);
}

static void try_headers(str input)
{
    CLEANUP(hpack_list_release) struct hpack_list list = { 0 };
    struct error *failure = NULL;

    read_fields(input, &list);
    if (grpc_read_status(&list, &failure) && failure) {
        REQUIRE(error_kind(failure) == ERROR_STATUS && error_status(failure) != RPC_OK);
        REQUIRE(error_message(failure).len > 0 && str_is_utf8(error_message(failure)));
        try_again(failure);
    }
    error_free(failure);
    fuzz_accepts(grpc_check_answer(&list));
    struct grpc_metadata *metadata = grpc_metadata_copy(&list);
    if (metadata) {
        REQUIRE(grpc_metadata_size(metadata) > 0);
        for (size_t i = 0; i < list.len; i++) {
            struct hpack_field field = hpack_list_get(&list, i);
            str found = grpc_metadata_find(metadata, field.name);
            REQUIRE(found.len == 0 || str_equal(found, hpack_list_find(&list, field.name)));
        }
    }
    free(metadata);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str input = { (const char *)data, size };

    if (fuzz_choice(&input, 2) == 0)
        try_body(input);
    else
        try_headers(input);
    return 0;
}
