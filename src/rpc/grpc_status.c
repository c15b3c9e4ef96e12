/* grpc_status.c — how a call ends: status, text and details as header fields. */
#include "rpc/grpc.h"

#include "base/base64.h"
#include "base/hex.h"
#include "rpc/rpc.h"

#include <stdio.h>

_Static_assert((int)HTTP2_MAX_HEADER_LIST == (int)RPC_MAX_HEADER_LIST,
               "what is promised is what is taken");

const char *rpc_status_name(int code)
{
    static const char *const names[] = {
        "OK",
        "Canceled",
        "Unknown",
        "InvalidArgument",
        "DeadlineExceeded",
        "NotFound",
        "AlreadyExists",
        "PermissionDenied",
        "ResourceExhausted",
        "FailedPrecondition",
        "Aborted",
        "OutOfRange",
        "Unimplemented",
        "Internal",
        "Unavailable",
        "DataLoss",
        "Unauthenticated",
    };
    return code >= 0 && code <= RPC_UNAUTHENTICATED ? names[code] : "Unknown";
}

/* --- texts --- */

static bool status_is_plain(char c)
{
    return c >= 0x20 && c <= 0x7e && c != '%';
}

/* How many bytes from `at` belong to one character, so that none is cut in two. */
static size_t character_len(str text, size_t at)
{
    size_t len = 1;
    while (at + len < text.len && ((unsigned char)text.ptr[at + len] & 0xc0) == 0x80 && len < 4)
        len++;
    return len;
}

void grpc_percent_encode(struct strbuf *out, str text, size_t most)
{
    size_t limit = out->len + most;

    for (size_t at = 0, len; at < text.len; at += len) {
        len = character_len(text, at);
        size_t cost = len == 1 && status_is_plain(text.ptr[at]) ? 1 : 3 * len;
        if (out->len + cost > limit)
            return;
        if (cost == 1)
            strbuf_add_char(out, text.ptr[at]);
        else
            for (size_t i = 0; i < len; i++)
                strbuf_printf(out, "%%%02X", (unsigned char)text.ptr[at + i]);
    }
}

/* What is not a valid escape stays as it is. */
void grpc_percent_decode(struct strbuf *out, str text)
{
    for (size_t i = 0; i < text.len; i++) {
        int byte = percent_value(text, i);
        strbuf_add_char(out, byte < 0 ? text.ptr[i] : (char)byte);
        i += byte < 0 ? 0 : 2;
    }
}

/* Binary values come with or without padding. */
static bool decode_binary(struct strbuf *out, str text)
{
    CLEANUP(strbuf_release) struct strbuf padded = { 0 };

    if (text.len % 4 == 0)
        return base64_decode(out, text);
    strbuf_add(&padded, text);
    strbuf_add_repeated(&padded, '=', 4 - text.len % 4);
    return base64_decode(out, strbuf_str(&padded));
}

/* --- status out --- */

enum { OTHER_FIELDS = 300, LARGEST_DETAILS = GRPC_MAX_TRAILERS - OTHER_FIELDS - 500 };

/* Encoded, without padding. */
static void encode_details(struct strbuf *out, str details)
{
    if (details.len / 3 * 4 > LARGEST_DETAILS)
        return;
    base64_encode(out, details);
    while (out->len && out->ptr[out->len - 1] == '=')
        out->len--;
}

static void add_code(struct strbuf *block, int code)
{
    char number[12];
    int len = snprintf(number, sizeof(number), "%d", code);
    hpack_add(block, STR("grpc-status"), (str){ number, (size_t)len });
}

void grpc_add_status(struct strbuf *block, int code, str message, str details)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(strbuf_release) struct strbuf binary = { 0 };

    if (code == RPC_OK)
        hpack_add(block, STR("grpc-status"), STR("0"));
    else
        add_code(block, code);
    if (details.len)
        encode_details(&binary, details);
    if (message.len) {
        grpc_percent_encode(&text, message, GRPC_MAX_TRAILERS - OTHER_FIELDS - binary.len);
        hpack_add(block, STR("grpc-message"), strbuf_str(&text));
    }
    if (binary.len)
        hpack_add(block, STR("grpc-status-details-bin"), strbuf_str(&binary));
}

/* --- status in --- */

/* What the peer says of its failure. It is shown to people, so it is text and never empty. */
static void read_message(struct strbuf *out, const struct hpack_list *headers, uint64_t code)
{
    CLEANUP(strbuf_release) struct strbuf decoded = { 0 };

    grpc_percent_decode(&decoded, hpack_list_find(headers, STR("grpc-message")));
    strbuf_add_utf8(out, strbuf_str(&decoded));
    if (out->len == 0)
        strbuf_printf(out, "the peer answered with status %u (%s) and gave no reason",
                      (unsigned)code, rpc_status_name((int)code));
}

bool grpc_read_status(const struct hpack_list *headers, struct error **failure)
{
    CLEANUP(strbuf_release) struct strbuf message = { 0 };
    CLEANUP(strbuf_release) struct strbuf details = { 0 };
    uint64_t code;

    str status = hpack_list_find(headers, STR("grpc-status"));
    if (!status.ptr)
        return false;
    *failure = NULL;
    if (!str_to_u64(status, &code) || code > INT32_MAX)
        code = RPC_UNKNOWN;
    if (code == RPC_OK)
        return true;
    read_message(&message, headers, code);
    if (!decode_binary(&details, hpack_list_find(headers, STR("grpc-status-details-bin"))))
        strbuf_clear(&details);
    *failure = error_from_status((int)code, strbuf_str(&message), strbuf_str(&details));
    return true;
}

static int code_of_http_status(uint64_t status)
{
    switch (status) {
    case 400: return RPC_INTERNAL;
    case 401: return RPC_UNAUTHENTICATED;
    case 403: return RPC_PERMISSION_DENIED;
    case 404: return RPC_UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504: return RPC_UNAVAILABLE;
    default: return RPC_UNKNOWN;
    }
}

static struct error *not_grpc(int code, const char *what, str value)
{
    char text[200];
    int len = snprintf(text, sizeof(text), "the peer does not answer as a gRPC server: %s '%.*s'",
                       what, (int)(value.len < 100 ? value.len : 100), value.ptr ? value.ptr : "");
    return error_from_status(code, (str){ text, (size_t)len }, STR(""));
}

fallible grpc_check_answer(const struct hpack_list *headers)
{
    str status = hpack_list_find(headers, STR(":status"));
    str type = hpack_list_find(headers, STR("content-type"));
    uint64_t number = 0;

    if (!str_to_u64(status, &number) || number != 200)
        return not_grpc(code_of_http_status(number), "status", status);
    if (!grpc_is_content_type(type))
        return not_grpc(RPC_UNKNOWN, "content-type", type);
    return NULL;
}

int grpc_code_of_reset(enum http2_code code)
{
    switch (code) {
    case HTTP2_REFUSED_STREAM: return RPC_UNAVAILABLE;
    case HTTP2_CANCEL: return RPC_CANCELED;
    case HTTP2_ENHANCE_YOUR_CALM: return RPC_RESOURCE_EXHAUSTED;
    case HTTP2_INADEQUATE_SECURITY: return RPC_PERMISSION_DENIED;
    case HTTP2_NO_ERROR:
    case HTTP2_PROTOCOL_ERROR:
    case HTTP2_INTERNAL_ERROR:
    case HTTP2_FLOW_CONTROL_ERROR:
    case HTTP2_SETTINGS_TIMEOUT:
    case HTTP2_STREAM_CLOSED:
    case HTTP2_FRAME_SIZE_ERROR:
    case HTTP2_COMPRESSION_ERROR:
    case HTTP2_CONNECT_ERROR:
    case HTTP2_HTTP_1_1_REQUIRED: return RPC_INTERNAL;
    }
    return RPC_INTERNAL;
}
