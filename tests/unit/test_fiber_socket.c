/* test_fiber_socket.c — connections and pipes between fibers. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define in_fiber(run) assert_ok(scheduler_run((run), NULL))

enum { MUCH = 10 * 1024 * 1024 };

static char pattern(size_t i)
{
    return (char)(i * 31 + i / 4096);
}

static str address_of(const struct listener *listener, char into[32])
{
    snprintf(into, 32, "127.0.0.1:%u", listener_port(listener));
    return str_from(into);
}

/* Two connected streams. */
static void open_pair(struct stream *pair[2])
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    assert_ok(stream_from_fd(fds[0], &pair[0]));
    assert_ok(stream_from_fd(fds[1], &pair[1]));
}

struct echo {
    struct listener *listener;
    struct latch ended;
};

static void echo_one(void *echo_)
{
    struct echo *echo = echo_;
    struct stream *stream;
    char bytes[70000];
    size_t len;
    assert_ok(listener_accept(echo->listener, &stream));
    for (;;) {
        assert_ok(stream_read(stream, bytes, sizeof(bytes), &len));
        if (len == 0)
            break;
        assert_ok(stream_write(stream, (str){ bytes, len }));
    }
    stream_close(stream);
    latch_open(&echo->ended);
}

static void write_much(void *stream)
{
    char *bytes = malloc(MUCH);
    for (size_t i = 0; i < MUCH; i++)
        bytes[i] = pattern(i);
    assert_ok(stream_write(stream, (str){ bytes, MUCH }));
    free(bytes);
}

static void read_much_slowly(void *unused)
{
    (void)unused;
    struct echo echo = { 0 };
    struct stream *stream;
    char address[32], bytes[50000];
    size_t total = 0, len;
    assert_ok(listener_open(0, &echo.listener));
    fiber_spawn(echo_one, &echo);
    assert_ok(stream_connect(address_of(echo.listener, address), &stream));
    fiber_spawn(write_much, stream);
    while (total < MUCH) {
        assert_ok(stream_read(stream, bytes, sizeof(bytes), &len));
        assert_true(len > 0);
        for (size_t i = 0; i < len; i++)
            if (bytes[i] != pattern(total + i))
                fail();
        total += len;
        if (total % 8 == 0)
            assert_ok(fiber_sleep_ms(1));
    }
    assert_int_equal(total, MUCH);
    stream_close(stream);
    listener_close(echo.listener);
    assert_ok(latch_wait(&echo.ended));
}

static void ten_megabytes_come_back_to_a_slow_reader(void **state)
{
    (void)state;
    in_fiber(read_much_slowly);
}

static void connect_to_nobody(void *unused)
{
    (void)unused;
    struct listener *listener;
    struct stream *stream;
    char address[32];
    assert_ok(listener_open(0, &listener));
    str text = address_of(listener, address);
    listener_close(listener);
    struct error *error = stream_connect(text, &stream);
    assert_non_null(error);
    assert_int_equal(error_errno(error), ECONNREFUSED);
    error_free(error);
}

static void connecting_to_nobody_is_refused(void **state)
{
    (void)state;
    in_fiber(connect_to_nobody);
}

static void connect_badly(void *unused)
{
    (void)unused;
    static const char *const addresses[] = { "",
                                             "127.0.0.1",
                                             "127.0.0.1:",
                                             "127.0.0.1:0",
                                             "127.0.0.1:65536",
                                             "example.invalid:80",
                                             ":80",
                                             "127.0.0.1:+1",
                                             "1111111111111111111111:1" };
    struct stream *stream;
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
        assert_fails(stream_connect(str_from(addresses[i]), &stream), ERROR_INVALID,
                     "invalid address '");
}

static void an_address_must_be_a_loopback_name_and_a_port(void **state)
{
    (void)state;
    in_fiber(connect_badly);
}

static void listen_twice(void *unused)
{
    (void)unused;
    struct listener *listener, *second;
    assert_ok(listener_open(0, &listener));
    struct error *error = listener_open(listener_port(listener), &second);
    assert_non_null(error);
    assert_int_equal(error_errno(error), EADDRINUSE);
    error_free(error);
    listener_close(listener);
}

static void a_port_is_listened_at_once(void **state)
{
    (void)state;
    in_fiber(listen_twice);
}

/* --- the ends of waits --- */

static int returned;

static void accept_until_closed(void *listener)
{
    struct stream *stream;
    assert_fails(listener_accept(listener, &stream), ERROR_CANCELED, "");
    returned++;
}

static void end_accepts(void *unused)
{
    (void)unused;
    struct listener *listener;
    struct cancel *scope = cancel_open(NULL);
    returned = 0;
    assert_ok(listener_open(0, &listener));
    fiber_spawn_in(scope, accept_until_closed, listener);
    fiber_yield();
    cancel_fire(scope);
    fiber_yield();
    assert_int_equal(returned, 1);
    fiber_spawn(accept_until_closed, listener);
    fiber_yield();
    listener_close(listener);
    fiber_yield();
    assert_int_equal(returned, 2);
    cancel_close(scope);
}

static void accepting_ends_when_canceled_or_closed(void **state)
{
    (void)state;
    in_fiber(end_accepts);
}

static void read_until_canceled(void *stream)
{
    char byte;
    size_t len;
    assert_fails(stream_read(stream, &byte, 1, &len), ERROR_CANCELED, "canceled");
    assert_fails(stream_read(stream, &byte, 1, &len), ERROR_CANCELED, "canceled");
    returned++;
}

static void write_until_canceled(void *stream)
{
    char *bytes = calloc(1, MUCH);
    assert_fails(stream_write(stream, (str){ bytes, MUCH }), ERROR_CANCELED, "canceled");
    assert_fails(stream_write(stream, (str){ bytes, MUCH }), ERROR_CANCELED, "canceled");
    free(bytes);
    returned++;
}

static void cancel_streams(void *unused)
{
    (void)unused;
    struct stream *pair[2];
    struct cancel *scope = cancel_open(NULL);
    open_pair(pair);
    returned = 0;
    fiber_spawn_in(scope, read_until_canceled, pair[0]);
    fiber_spawn_in(scope, write_until_canceled, pair[0]);
    assert_ok(fiber_sleep_ms(5));
    assert_int_equal(returned, 0);
    cancel_fire(scope);
    fiber_yield();
    assert_int_equal(returned, 2);
    cancel_close(scope);
    stream_close(pair[0]);
    stream_close(pair[1]);
}

static void reading_and_writing_end_when_canceled(void **state)
{
    (void)state;
    in_fiber(cancel_streams);
}

static void connect_canceled(void *unused)
{
    (void)unused;
    struct stream *stream;
    struct cancel *scope = cancel_open(NULL);
    struct cancel *former = cancel_enter(scope);
    cancel_fire(scope);
    assert_fails(stream_connect(STR("localhost:1"), &stream), ERROR_CANCELED, "canceled");
    cancel_enter(former);
    cancel_close(scope);
}

static void connecting_ends_when_canceled(void **state)
{
    (void)state;
    in_fiber(connect_canceled);
}

static void read_until_shut(void *stream)
{
    char byte;
    size_t len = 1;
    assert_ok(stream_read(stream, &byte, 1, &len));
    assert_int_equal(len, 0);
    returned++;
}

static void write_until_shut(void *stream)
{
    char *bytes = calloc(1, MUCH);
    struct error *error = stream_write(stream, (str){ bytes, MUCH });
    assert_non_null(error);
    assert_int_equal(error_errno(error), EPIPE);
    error_free(error);
    free(bytes);
    returned++;
}

static void shut_streams(void *unused)
{
    (void)unused;
    struct stream *pair[2];
    open_pair(pair);
    returned = 0;
    fiber_spawn(read_until_shut, pair[0]);
    fiber_spawn(write_until_shut, pair[0]);
    assert_ok(fiber_sleep_ms(5));
    stream_shutdown(pair[0]);
    stream_shutdown(pair[0]);
    fiber_yield();
    assert_int_equal(returned, 2);
    read_until_shut(pair[0]);
    write_until_shut(pair[0]);
    stream_close(pair[0]);
    stream_close(pair[1]);
}

static void shutting_a_stream_wakes_both_sides(void **state)
{
    (void)state;
    in_fiber(shut_streams);
}

static void close_under_waiters(void *unused)
{
    (void)unused;
    struct stream *pair[2];
    open_pair(pair);
    returned = 0;
    fiber_spawn(read_until_shut, pair[0]);
    fiber_spawn(write_until_shut, pair[0]);
    assert_ok(fiber_sleep_ms(5));
    stream_close(pair[0]);
    fiber_yield();
    assert_int_equal(returned, 2);
    stream_close(pair[1]);
}

static void closing_a_stream_frees_it_after_its_waiters(void **state)
{
    (void)state;
    in_fiber(close_under_waiters);
}

static void close_at_once(void *listener)
{
    struct stream *stream;
    char byte;
    size_t len;
    assert_ok(listener_accept(listener, &stream));
    assert_ok(
        stream_read(stream, &byte, 1, &len)); /* not all of it: so the peer's connection is reset */
    stream_close(stream);
}

static void read_reset(void *unused)
{
    (void)unused;
    struct listener *listener;
    struct stream *stream;
    char address[32], byte;
    size_t len;
    assert_ok(listener_open(0, &listener));
    fiber_spawn(close_at_once, listener);
    snprintf(address, sizeof(address), "localhost:%u", listener_port(listener));
    assert_ok(stream_connect(str_from(address), &stream));
    assert_ok(stream_write(stream, STR("two")));
    struct error *error = stream_read(stream, &byte, 1, &len);
    assert_non_null(error);
    assert_int_equal(error_errno(error), ECONNRESET);
    error_free(error);
    stream_close(stream);
    listener_close(listener);
}

static void a_reset_connection_is_an_error_of_the_read(void **state)
{
    (void)state;
    in_fiber(read_reset);
}

/* --- streams of other kinds --- */

static void write_to_closed_pipe(void *unused)
{
    (void)unused;
    int fds[2];
    struct stream *stream;
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    close(fds[0]);
    assert_ok(stream_from_fd(fds[1], &stream));
    struct error *error = stream_write(stream, STR("x"));
    assert_non_null(error);
    assert_int_equal(error_errno(error), EPIPE);
    error_free(error);
    stream_close(stream);
}

static void a_pipe_without_reader_is_an_error_not_a_signal(void **state)
{
    (void)state;
    in_fiber(write_to_closed_pipe);
}

static void close_later(void *stream)
{
    assert_ok(fiber_sleep_ms(5));
    stream_close(stream);
}

static void write_to_closing_pipe(void *unused)
{
    (void)unused;
    int fds[2];
    struct stream *reader, *writer;
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_ok(stream_from_fd(fds[0], &reader));
    assert_ok(stream_from_fd(fds[1], &writer));
    fiber_spawn(close_later, reader);
    write_until_shut(writer);
    stream_close(writer);
}

static void a_blocked_writer_hears_that_the_reader_has_gone(void **state)
{
    (void)state;
    in_fiber(write_to_closing_pipe);
}

static void read_file(void *unused)
{
    (void)unused;
    struct stream *stream;
    char bytes[16];
    size_t len, total = 0;
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs("twenty-five bytes in all.", file);
    fflush(file);
    rewind(file);
    assert_ok(stream_from_fd(dup(fileno(file)), &stream));
    do {
        assert_ok(stream_read(stream, bytes, sizeof(bytes), &len));
        total += len;
    } while (len > 0);
    assert_int_equal(total, 25);
    stream_close(stream);
    fclose(file);
}

static void a_regular_file_can_be_read_as_a_stream(void **state)
{
    (void)state;
    in_fiber(read_file);
}

static void take_closed_descriptor(void *unused)
{
    (void)unused;
    struct stream *stream;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    close(fds[0]);
    close(fds[1]);
    assert_fails(stream_from_fd(fds[0], &stream), ERROR_OS, "file descriptor");
}

static void a_descriptor_must_be_open(void **state)
{
    (void)state;
    in_fiber(take_closed_descriptor);
}

static void fill_pipe(void *unused)
{
    (void)unused;
    struct stream *pair[2];
    size_t len, total = 0;
    static const char bytes[30000];
    open_pair(pair);
    do {
        assert_ok(stream_try_write(pair[0], (str){ bytes, sizeof(bytes) }, &len));
        total += len;
    } while (len > 0);
    assert_true(total > 0 && total < MUCH);
    stream_close(pair[1]);
    struct error *error = stream_try_write(pair[0], STR("x"), &len);
    assert_non_null(error);
    error_free(error);
    stream_close(pair[0]);
}

static void trying_to_write_never_waits(void **state)
{
    (void)state;
    in_fiber(fill_pipe);
}

/* A reader that never has to wait must not keep the others from running. */
static void stop_feeding(void *unused)
{
    (void)unused;
    assert_ok(fiber_sleep_ms(10));
    returned = 1;
}

static void read_file_for_ever(void *unused)
{
    (void)unused;
    struct stream *stream;
    char bytes[16];
    size_t len;
    returned = 0;
    assert_ok(stream_from_fd(open("/dev/zero", O_RDONLY | O_CLOEXEC), &stream));
    fiber_spawn(stop_feeding, NULL);
    while (!returned)
        assert_ok(stream_read(stream, bytes, sizeof(bytes), &len));
    stream_close(stream);
}

static void a_busy_stream_lets_others_run(void **state)
{
    (void)state;
    in_fiber(read_file_for_ever);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_megabytes_come_back_to_a_slow_reader),
        cmocka_unit_test(connecting_to_nobody_is_refused),
        cmocka_unit_test(an_address_must_be_a_loopback_name_and_a_port),
        cmocka_unit_test(a_port_is_listened_at_once),
        cmocka_unit_test(accepting_ends_when_canceled_or_closed),
        cmocka_unit_test(reading_and_writing_end_when_canceled),
        cmocka_unit_test(connecting_ends_when_canceled),
        cmocka_unit_test(shutting_a_stream_wakes_both_sides),
        cmocka_unit_test(closing_a_stream_frees_it_after_its_waiters),
        cmocka_unit_test(a_reset_connection_is_an_error_of_the_read),
        cmocka_unit_test(a_pipe_without_reader_is_an_error_not_a_signal),
        cmocka_unit_test(a_blocked_writer_hears_that_the_reader_has_gone),
        cmocka_unit_test(a_regular_file_can_be_read_as_a_stream),
        cmocka_unit_test(a_descriptor_must_be_open),
        cmocka_unit_test(trying_to_write_never_waits),
        cmocka_unit_test(a_busy_stream_lets_others_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
