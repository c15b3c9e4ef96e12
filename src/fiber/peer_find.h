/* peer_find.h — which user owns a TCP socket of this machine; private to this directory and its
 * tests. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/types.h>

/* A socket by its own address and that of its other end; ports and addresses in network order. */
struct socket_pair {
    struct sockaddr_in own;
    struct sockaddr_in other; /* zero: it listens */
};

enum peer_answer { PEER_UNKNOWN, PEER_ABSENT, PEER_FOUND };

struct peer_found {
    uid_t uid;
    bool is_live; /* established, or listening: the kernel forgets its owner when it is closed */
};

enum peer_answer peer_find_netlink(const struct socket_pair *pair, struct peer_found *out);
/* Reads /proc/net/tcp and tcp6. */
enum peer_answer peer_find_proc(const struct socket_pair *pair, struct peer_found *out);

/* What the kernel answers: one message of netlink, one line of /proc/net/tcp. */
enum peer_answer peer_read_netlink(const char *bytes, size_t len, const struct socket_pair *pair,
                                   struct peer_found *out);
bool peer_read_line(const char *line, const struct socket_pair *pair, struct peer_found *out);
