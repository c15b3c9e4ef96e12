/* peer.c — which user owns the process at the other end of a loopback connection. */
#include "fiber/peer.h"

#include "base/settings.h"
#include "fiber/peer_find.h"
#include "fiber/socket.h"

#include <arpa/inet.h>
#include <unistd.h>

typedef enum peer_answer peer_find(const struct socket_pair *pair, struct peer_found *out);

static bool is_any_user_fine(void)
{
    return settings_bool("CULUMI_ANY_USER");
}

static bool is_loopback(const struct sockaddr_in *address)
{
    return address->sin_family == AF_INET
           && ntohl(address->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static fallible refuse_user(uid_t uid, uint16_t port)
{
    return error_new(ERROR_OTHER,
                     "the process at 127.0.0.1:%u belongs to another user (%u); "
                     "CULUMI_ANY_USER=1 permits it",
                     port, (unsigned)uid);
}

static fallible judge_user(const struct peer_found *found, uint16_t port)
{
    if (found->uid == 0 || found->uid == geteuid() || found->uid == getuid())
        return NULL;
    return refuse_user(found->uid, port);
}

/* Asks one source for the other end. It can only be believed that the other end has gone if it
 * knows ours, which is there for sure. */
static enum peer_answer find_other_end(peer_find *find, const struct socket_pair *pair,
                                       struct peer_found *out)
{
    struct socket_pair ours = { .own = pair->other, .other = pair->own };
    struct peer_found unused;
    enum peer_answer answer = find(pair, out);

    if (answer == PEER_ABSENT && find(&ours, &unused) != PEER_FOUND)
        return PEER_UNKNOWN;
    return answer;
}

/* The process that has the other end of a connection. */
static fallible check_other_end(const struct stream *stream, const struct socket_pair *pair)
{
    struct peer_found found = { 0 };
    enum peer_answer answer = find_other_end(peer_find_netlink, pair, &found);

    if (answer == PEER_UNKNOWN)
        answer = find_other_end(peer_find_proc, pair, &found);
    if (answer == PEER_FOUND && found.is_live)
        return judge_user(&found, ntohs(pair->own.sin_port));
    if (answer == PEER_UNKNOWN && pair->own.sin_port && stream_is_established(stream))
        return NULL;
    return error_new(ERROR_OTHER, "the process at the other end of a connection has gone");
}

fallible peer_check(const struct stream *stream)
{
    struct socket_pair pair = { 0 }; /* of the socket at the other end */

    if (is_any_user_fine())
        return NULL;
    if (stream_addresses(stream, &pair.other, &pair.own) && !is_loopback(&pair.own))
        return NULL;
    return check_other_end(stream, &pair);
}

/* A connection that waits to be taken is called root's, so its listener is checked first. */
fallible peer_check_listener(const struct stream *stream)
{
    struct socket_pair pair = { 0 }, listening = { 0 };
    struct peer_found found = { 0 };

    if (is_any_user_fine())
        return NULL;
    if (stream_addresses(stream, &pair.other, &pair.own) && !is_loopback(&pair.own))
        return NULL;
    listening.own = pair.own;
    if (peer_find_netlink(&listening, &found) == PEER_FOUND
        || peer_find_proc(&listening, &found) == PEER_FOUND)
        return judge_user(&found, ntohs(pair.own.sin_port));
    return check_other_end(stream, &pair);
}
