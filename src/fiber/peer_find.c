/* peer_find.c — which user owns a TCP socket of this machine: asks netlink, or reads /proc/net/tcp.
 */
#include "fiber/peer_find.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { STATE_ESTABLISHED = 1, STATE_LISTEN = 10, ANSWER_SIZE = 8192, PATIENCE_S = 1 };

static bool is_live(unsigned state)
{
    return state == STATE_ESTABLISHED || state == STATE_LISTEN;
}

/* --- netlink --- */

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 diag;
};

static struct question make_question(const struct socket_pair *pair)
{
    struct question question = {
        .head = { .nlmsg_len = sizeof(question),
                  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                  .nlmsg_flags = NLM_F_REQUEST },
        .diag = { .sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u },
    };

    question.diag.id.idiag_sport = pair->own.sin_port;
    question.diag.id.idiag_dport = pair->other.sin_port;
    question.diag.id.idiag_src[0] = pair->own.sin_addr.s_addr;
    question.diag.id.idiag_dst[0] = pair->other.sin_addr.s_addr;
    question.diag.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
    question.diag.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    return question;
}

enum peer_answer peer_read_netlink(const char *bytes, size_t len, const struct socket_pair *pair,
                                   struct peer_found *out)
{
    struct nlmsghdr head;
    struct inet_diag_msg found;
    int number;

    if (len < sizeof(head))
        return PEER_UNKNOWN;
    memcpy(&head, bytes, sizeof(head));
    if (head.nlmsg_type == NLMSG_ERROR && len >= sizeof(head) + sizeof(number)) {
        memcpy(&number, bytes + sizeof(head), sizeof(number));
        return number == -ENOENT ? PEER_ABSENT : PEER_UNKNOWN;
    }
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || len < sizeof(head) + sizeof(found))
        return PEER_UNKNOWN;
    memcpy(&found, bytes + sizeof(head), sizeof(found));
    /* Where no connection matches, a listener at the same port does. */
    if (found.id.idiag_dport != pair->other.sin_port)
        return PEER_ABSENT;
    *out = (struct peer_found){ .uid = found.idiag_uid, .is_live = is_live(found.idiag_state) };
    return PEER_FOUND;
}

enum peer_answer peer_find_netlink(const struct socket_pair *pair, struct peer_found *out)
{
    struct question question = make_question(pair);
    struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
    struct timeval patience = { .tv_sec = PATIENCE_S };
    char bytes[ANSWER_SIZE];
    enum peer_answer answer = PEER_UNKNOWN;
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

    if (fd < 0)
        return PEER_UNKNOWN;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0
        && sendto(fd, &question, sizeof(question), 0, (struct sockaddr *)&kernel, sizeof(kernel))
               == (ssize_t)sizeof(question)) {
        ssize_t len = recv(fd, bytes, sizeof(bytes), 0);
        if (len > 0)
            answer = peer_read_netlink(bytes, (size_t)len, pair, out);
    }
    close(fd);
    return answer;
}

/* --- /proc/net/tcp --- */

/* The address of a line, as IPv4: 8 digits of it, or 32 of IPv6, of which the last 8 are used. */
static bool read_address(const char *text, struct sockaddr_in *out)
{
    static const char mapped[] = "0000000000000000FFFF0000";
    size_t digits = strspn(text, "0123456789ABCDEF");
    bool is_any = digits == 32 && strspn(text, "0") >= 32;
    unsigned address, port;

    if (digits == 32 && !is_any && memcmp(text, mapped, sizeof(mapped) - 1) != 0)
        return false;
    if ((digits != 8 && digits != 32) || sscanf(text + digits - 8, "%8X:%4X", &address, &port) != 2)
        return false;
    out->sin_addr.s_addr = address; /* printed as the machine reads it */
    out->sin_port = htons((uint16_t)port);
    return true;
}

/* A listener at any address is one at ours. */
static bool is_at(const struct sockaddr_in *wanted, const struct sockaddr_in *found,
                  bool may_be_any)
{
    return wanted->sin_port == found->sin_port
           && (wanted->sin_addr.s_addr == found->sin_addr.s_addr
               || (may_be_any && found->sin_addr.s_addr == 0));
}

bool peer_read_line(const char *line, const struct socket_pair *pair, struct peer_found *out)
{
    char own_text[48], other_text[48];
    struct sockaddr_in own, other;
    bool listens = pair->other.sin_port == 0;
    unsigned state, uid;

    if (sscanf(line, " %*u: %47s %47s %2X %*s %*s %*s %u", own_text, other_text, &state, &uid) != 4
        || !read_address(own_text, &own) || !read_address(other_text, &other)
        || !is_at(&pair->own, &own, listens) || !is_at(&pair->other, &other, false)
        || (listens && state != STATE_LISTEN))
        return false;
    *out = (struct peer_found){ .uid = uid, .is_live = is_live(state) };
    return true;
}

static enum peer_answer peer_find_in(const char *path, const struct socket_pair *pair,
                                     struct peer_found *out)
{
    enum peer_answer answer = PEER_ABSENT;
    char line[512];
    FILE *file = fopen(path, "re");

    if (!file)
        return PEER_UNKNOWN;
    while (answer == PEER_ABSENT && fgets(line, sizeof(line), file))
        if (peer_read_line(line, pair, out))
            answer = PEER_FOUND;
    fclose(file);
    return answer;
}

enum peer_answer peer_find_proc(const struct socket_pair *pair, struct peer_found *out)
{
    enum peer_answer answer = peer_find_in("/proc/net/tcp", pair, out);

    if (answer == PEER_FOUND || peer_find_in("/proc/net/tcp6", pair, out) != PEER_FOUND)
        return answer;
    return PEER_FOUND;
}
