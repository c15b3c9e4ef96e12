/* fuzz_peer.c — what the kernel says of a socket: an owner is believed only where the answer is
 * about that socket. */
#include "fuzz/fuzz_support.h"

#include "fiber/peer_find.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>

/* 127.0.0.1:4660 to 127.0.0.1:22136 */
static struct socket_pair make_pair(void)
{
    struct socket_pair pair = { 0 };

    pair.own.sin_addr.s_addr = pair.other.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pair.own.sin_port = htons(0x1234);
    pair.other.sin_port = htons(0x5678);
    return pair;
}

static void try_line(struct arena *arena, str text)
{
    struct socket_pair pair = make_pair();
    const char *line = arena_cstr(arena, text);
    struct peer_found found;

    if (peer_read_line(line, &pair, &found))
        REQUIRE(strstr(line, ":1234") && strstr(line, ":5678"));
    pair.other = (struct sockaddr_in){ 0 };
    if (peer_read_line(line, &pair, &found))
        REQUIRE(strstr(line, ":1234") && found.is_live);
}

static void try_netlink(struct arena *arena, str bytes)
{
    struct socket_pair pair = make_pair();
    struct peer_found found;

    (void)arena;
    if (peer_read_netlink(bytes.ptr, bytes.len, &pair, &found) == PEER_FOUND)
        REQUIRE(bytes.len >= sizeof(struct nlmsghdr) + sizeof(struct inet_diag_msg));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    if (fuzz_choice(&input, 2) == 0)
        try_line(&arena, input);
    else
        try_netlink(&arena, input);
    return 0;
}
