/* test_fiber_peer.c — who may connect: ourselves and root, and nobody who has gone already. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "fiber/peer.h"
#include "fiber/peer_find.h"
#include "fiber/socket.h"
#include "rpc/rpc.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOMEBODY_ELSE = 65534 };

/* What a child does at its end of a connection before it waits to be ended. */
enum conduct { STAYS, CLOSES, RESETS, LISTENS };

struct child {
    pid_t pid;
    uint16_t port; /* it listens at */
};

static struct sockaddr_in loopback(uint16_t port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void behave(enum conduct conduct, uint16_t port, int told)
{
    struct sockaddr_in address = loopback(conduct == LISTENS ? 0 : port);
    socklen_t len = sizeof(address);
    struct linger at_once = { .l_onoff = 1 };
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (conduct == LISTENS) {
        if (bind(fd, (struct sockaddr *)&address, len) < 0 || listen(fd, 5) < 0
            || getsockname(fd, (struct sockaddr *)&address, &len) < 0)
            _exit(1);
        port = ntohs(address.sin_port);
    } else if (connect(fd, (struct sockaddr *)&address, len) < 0
               || write(fd, "PRI * HTTP/2.0\r\n", 16) != 16) {
        _exit(1);
    }
    if (conduct == RESETS)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    if (conduct == CLOSES || conduct == RESETS)
        close(fd);
    if (write(told, &port, sizeof(port)) != sizeof(port))
        _exit(1);
    pause();
    _exit(0);
}

/* A process of that user; it has done what it does when this returns. */
static struct child start_child(uid_t uid, enum conduct conduct, uint16_t port)
{
    struct child child = { 0 };
    int told[2];

    assert_int_equal(pipe(told), 0);
    child.pid = fork();
    assert_true(child.pid >= 0);
    if (child.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (uid != getuid() && setuid(uid) < 0)
            _exit(1);
        behave(conduct, port, told[1]);
    }
    close(told[1]);
    assert_int_equal(read(told[0], &child.port, sizeof(child.port)), sizeof(child.port));
    close(told[0]);
    return child;
}

static void end_child(struct child child)
{
    kill(child.pid, SIGKILL);
    waitpid(child.pid, NULL, 0);
}

static struct error *check_connection_of(uid_t uid, enum conduct conduct)
{
    struct listener *listener;
    struct stream *stream;
    assert_ok(listener_open(0, &listener));
    struct child child = start_child(uid, conduct, listener_port(listener));
    assert_ok(listener_accept(listener, &stream));
    struct error *failure = peer_check(stream);
    stream_close(stream);
    listener_close(listener);
    end_child(child);
    return failure;
}

static void check_ourselves(void *unused)
{
    (void)unused;
    assert_ok(check_connection_of(getuid(), STAYS));
}

static void we_ourselves_may_connect(void **state)
{
    (void)state;
    assert_ok(scheduler_run(check_ourselves, NULL));
}

static void check_gone(void *unused)
{
    (void)unused;
    assert_fails(check_connection_of(getuid(), CLOSES), ERROR_OTHER, "has gone");
    assert_fails(check_connection_of(getuid(), RESETS), ERROR_OTHER, "has gone");
}

/* The kernel calls sockets that were closed root's. */
static void who_sends_and_closes_is_refused(void **state)
{
    (void)state;
    assert_ok(scheduler_run(check_gone, NULL));
}

static void check_another_user(void *unused)
{
    (void)unused;
    assert_fails(check_connection_of(SOMEBODY_ELSE, STAYS), ERROR_OTHER, "another user (65534)");
    assert_fails(check_connection_of(SOMEBODY_ELSE, CLOSES), ERROR_OTHER, "has gone");
    assert_fails(check_connection_of(SOMEBODY_ELSE, RESETS), ERROR_OTHER, "has gone");
    setenv("CULUMI_ANY_USER", "1", 1);
    assert_ok(check_connection_of(SOMEBODY_ELSE, STAYS));
    unsetenv("CULUMI_ANY_USER");
}

static void skip_unless_root(void)
{
    if (getuid() == 0)
        return;
    print_message("skipped: only root can start a process of another user\n");
    skip();
}

static void another_user_is_refused(void **state)
{
    (void)state;
    skip_unless_root();
    assert_ok(scheduler_run(check_another_user, NULL));
}

static void check_port(void *unused)
{
    (void)unused;
    struct child ours = start_child(getuid(), LISTENS, 0);
    struct child theirs = start_child(SOMEBODY_ELSE, LISTENS, 0);
    char address[32];
    struct stream *stream;
    snprintf(address, sizeof(address), "127.0.0.1:%u", ours.port);
    assert_ok(stream_connect(str_from(address), &stream));
    stream_close(stream);
    snprintf(address, sizeof(address), "127.0.0.1:%u", theirs.port);
    assert_fails(stream_connect(str_from(address), &stream), ERROR_OTHER, "another user (65534)");
    setenv("CULUMI_ANY_USER", "1", 1);
    assert_ok(stream_connect(str_from(address), &stream));
    unsetenv("CULUMI_ANY_USER");
    stream_close(stream);
    end_child(ours);
    end_child(theirs);
}

static void a_port_of_another_user_is_not_connected_to(void **state)
{
    (void)state;
    skip_unless_root();
    assert_ok(scheduler_run(check_port, NULL));
}

/* Both sources say the same. */
static void check_sources(void *unused)
{
    (void)unused;
    static enum peer_answer (*const finds[])(
        const struct socket_pair *, struct peer_found *) = { peer_find_netlink, peer_find_proc };
    struct child ours = start_child(getuid(), LISTENS, 0);
    char address[32];
    struct stream *stream;
    snprintf(address, sizeof(address), "localhost:%u", ours.port);
    assert_ok(stream_connect(str_from(address), &stream));
    for (size_t i = 0; i < 2; i++) {
        struct socket_pair pair = { 0 }, nobody = { .own = loopback(1) };
        struct socket_pair listening = { .own = loopback(ours.port) };
        struct peer_found found;
        assert_true(stream_addresses(stream, &pair.own, &pair.other));
        if (finds[i](&pair, &found) == PEER_UNKNOWN) {
            print_message("skipped: this machine does not tell whose a socket is\n");
            continue;
        }
        assert_int_equal(finds[i](&pair, &found), PEER_FOUND);
        assert_int_equal(found.uid, getuid());
        assert_true(found.is_live);
        assert_int_equal(finds[i](&listening, &found), PEER_FOUND);
        assert_int_equal(found.uid, getuid());
        assert_int_equal(finds[i](&nobody, &found), PEER_ABSENT);
        nobody = (struct socket_pair){ .own = loopback(ours.port), .other = loopback(1) };
        assert_int_equal(finds[i](&nobody, &found), PEER_ABSENT);
    }
    stream_close(stream);
    end_child(ours);
}

static void netlink_and_proc_agree(void **state)
{
    (void)state;
    assert_ok(scheduler_run(check_sources, NULL));
}

static struct error *say_hello(void *context, struct rpc_call *call, str request, str *response)
{
    (void)context, (void)call, (void)request;
    *response = STR("hello");
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/test.T/Hello", .unary = say_hello },
    { .path = NULL },
};

/* The first bytes of the server never reach somebody else, and others are still served. */
static void check_server(void *unused)
{
    (void)unused;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_server *server;
    struct rpc_client *client;
    str response;
    assert_ok(rpc_server_open(methods, NULL, &server));
    struct child child = start_child(SOMEBODY_ELSE, STAYS, rpc_server_port(server));
    assert_ok(rpc_client_open(rpc_server_address(server), &client));
    assert_ok(rpc_call_unary(client, "/test.T/Hello", STR(""), NULL, &arena, &response));
    assert_str_equal(response, STR("hello"));
    rpc_client_close(client);
    rpc_server_close(server, 60 * 1000); /* at once: the other connection was not taken */
    end_child(child);
}

static void a_server_serves_others_when_one_was_refused(void **state)
{
    (void)state;
    skip_unless_root();
    assert_ok(scheduler_run(check_server, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(we_ourselves_may_connect),
        cmocka_unit_test(who_sends_and_closes_is_refused),
        cmocka_unit_test(another_user_is_refused),
        cmocka_unit_test(a_port_of_another_user_is_not_connected_to),
        cmocka_unit_test(netlink_and_proc_agree),
        cmocka_unit_test(a_server_serves_others_when_one_was_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
