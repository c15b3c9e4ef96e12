/* grpc_inbox.c — cuts bodies into messages: 5 bytes of flag and length, then storage of exactly
 * that length. */
#include "rpc/grpc.h"

#include "base/memory.h"
#include "rpc/http2_frame.h"
#include "rpc/rpc.h"

void grpc_put_prefix(char prefix[GRPC_PREFIX_LEN], size_t len)
{
    prefix[0] = 0; /* not compressed */
    prefix[1] = (char)(len >> 24);
    prefix[2] = (char)(len >> 16);
    prefix[3] = (char)(len >> 8);
    prefix[4] = (char)len;
}

void grpc_inbox_charge(struct grpc_inbox *inbox, size_t size)
{
    inbox->own_held += size;
    if (inbox->held)
        *inbox->held += size;
}

static void uncount(struct grpc_inbox *inbox, size_t less)
{
    inbox->own_held -= less;
    if (inbox->held)
        *inbox->held -= less;
}

void grpc_inbox_detach(struct grpc_inbox *inbox)
{
    if (inbox->held)
        *inbox->held -= inbox->own_held;
    inbox->held = NULL;
}

/* Checks a whole prefix and makes room for the message it announces. */
static int begin_message(struct grpc_inbox *inbox)
{
    size_t len = http2_read_u32(inbox->prefix + 1);

    if (inbox->prefix[0] != 0)
        return RPC_UNIMPLEMENTED;
    if (len > RPC_MAX_MESSAGE || (inbox->held && *inbox->held + len > GRPC_MAX_HELD))
        return RPC_RESOURCE_EXHAUSTED;
    size_t size = sizeof(struct grpc_message) + len;
    inbox->partial = inbox->arena ? arena_alloc_raw(inbox->arena, size) : memory_alloc(size);
    inbox->partial->next = NULL;
    inbox->partial->len = len;
    inbox->filled = 0;
    grpc_inbox_charge(inbox, len);
    return RPC_OK;
}

static void end_message(struct grpc_inbox *inbox)
{
    if (inbox->last)
        inbox->last->next = inbox->partial;
    else
        inbox->first = inbox->partial;
    inbox->last = inbox->partial;
    inbox->partial = NULL;
    inbox->prefix_len = 0;
}

static str inbox_take_part(str *bytes, size_t most)
{
    str part = str_slice(*bytes, 0, most);
    *bytes = str_slice(*bytes, part.len, bytes->len);
    return part;
}

int grpc_inbox_add(struct grpc_inbox *inbox, str bytes)
{
    while (bytes.len) {
        if (!inbox->partial) {
            str part = inbox_take_part(&bytes, GRPC_PREFIX_LEN - (size_t)inbox->prefix_len);
            memcpy(inbox->prefix + inbox->prefix_len, part.ptr, part.len);
            inbox->prefix_len = (uint8_t)(inbox->prefix_len + part.len);
            if (inbox->prefix_len < GRPC_PREFIX_LEN)
                break;
            int code = begin_message(inbox);
            if (code != RPC_OK)
                return code;
        }
        str part = inbox_take_part(&bytes, inbox->partial->len - inbox->filled);
        if (part.len)
            memcpy(inbox->partial->bytes + inbox->filled, part.ptr, part.len);
        inbox->filled += (uint32_t)part.len;
        if (inbox->filled == inbox->partial->len)
            end_message(inbox);
    }
    return RPC_OK;
}

struct grpc_message *grpc_inbox_take(struct grpc_inbox *inbox)
{
    struct grpc_message *message = inbox->first;

    if (!message)
        return NULL;
    inbox->first = message->next;
    if (!inbox->first)
        inbox->last = NULL;
    return message;
}

void grpc_message_free(struct grpc_inbox *inbox, struct grpc_message *owned)
{
    if (!owned)
        return;
    uncount(inbox, owned->len);
    if (!inbox->arena)
        free(owned);
}

bool grpc_inbox_is_cut(const struct grpc_inbox *inbox)
{
    return inbox->prefix_len > 0;
}

void grpc_inbox_release(struct grpc_inbox *inbox)
{
    for (struct grpc_message *message; (message = grpc_inbox_take(inbox));)
        grpc_message_free(inbox, message);
    grpc_message_free(inbox, inbox->partial);
    inbox->partial = NULL;
    inbox->prefix_len = 0;
}
