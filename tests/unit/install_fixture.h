/* install_fixture.h — archives made byte by byte, and a small HTTP server that answers as a test
 * tells it. */
#pragma once

#include "unit/on_loop.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

/* --- archives --- */

struct tar_entry {
    const char *name;
    char type; /* '0' file, '2' link, '5' folder … */
    unsigned mode;
    const char *content; /* of a file, or the target of a link */
};

static void tar_add(struct strbuf *tar, const struct tar_entry *entry)
{
    char header[512] = { 0 };
    size_t size = entry->type == '0' ? strlen(entry->content) : 0;
    unsigned sum = 0;

    snprintf(header, 100, "%s", entry->name);
    snprintf(header + 100, 8, "%07o", entry->mode);
    snprintf(header + 124, 12, "%011o", (unsigned)size);
    header[156] = entry->type;
    if (entry->type != '0' && entry->content)
        snprintf(header + 157, 100, "%s", entry->content);
    memcpy(header + 257, "ustar", 6);
    memset(header + 148, ' ', 8);
    for (size_t i = 0; i < sizeof(header); i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
    strbuf_add(tar, (str){ header, sizeof(header) });
    if (size == 0)
        return;
    strbuf_add(tar, str_from(entry->content));
    strbuf_add_repeated(tar, '\0', (512 - size % 512) % 512);
}

static str compress_bytes(struct arena *arena, str bytes)
{
    z_stream stream = { .next_in = (unsigned char *)(uintptr_t)bytes.ptr,
                        .avail_in = (unsigned)bytes.len };
    size_t room = bytes.len + 1024;
    unsigned char *out = arena_alloc(arena, room);

    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    str result = { (const char *)out, room - stream.avail_out };
    deflateEnd(&stream);
    return result;
}

/* A whole tar.gz of the entries; a NULL name ends them. */
static __attribute__((unused)) str make_archive(struct arena *arena,
                                                const struct tar_entry *entries)
{
    CLEANUP(strbuf_release) struct strbuf tar = { 0 };

    for (; entries->name; entries++)
        tar_add(&tar, entries);
    strbuf_add_repeated(&tar, '\0', 1024);
    return compress_bytes(arena, strbuf_str(&tar));
}

/* --- a server --- */

/* Answers connection i with answers[i], the last one again and again, then closes. */
struct server {
    const str *answers;
    size_t count;
    size_t served;
    str last_request;
    struct arena arena;
    struct listener *listener;
    struct cancel *scope;
    bool hangs; /* never answers */
    struct latch ended;
};

/* Whether the head is there, and as much of a body as it announces. */
static bool is_whole_request(str request)
{
    str head, body, rest, digits;
    uint64_t length = 0;

    if (!str_cut(request, STR("\r\n\r\n"), &head, &body))
        return false;
    if (str_cut(head, STR("Content-Length: "), &rest, &digits)) {
        str_cut(digits, STR("\r\n"), &digits, &rest);
        assert_true(str_to_u64(digits, &length));
    }
    return body.len >= length;
}

static void serve_one(struct server *server, struct stream *stream)
{
    char request[4096];
    size_t len = 0, got = 1;

    while (got > 0 && !is_whole_request((str){ request, len })) {
        got = 0;
        error_ignore(stream_read(stream, request + len, sizeof(request) - len, &got),
                     "a client may leave early");
        len += got;
    }
    server->last_request = arena_copy(&server->arena, (str){ request, len });
    if (server->hangs) {
        error_ignore(stream_read(stream, request, sizeof(request), &got), "the client gives up");
        return;
    }
    size_t index = server->served < server->count ? server->served : server->count - 1;
    server->served++;
    error_ignore(stream_write(stream, server->answers[index]), "a client may leave early");
}

static void serve(void *server_)
{
    struct server *server = server_;
    struct stream *stream;
    struct error *failure;

    while (!(failure = listener_accept(server->listener, &stream))) {
        serve_one(server, stream);
        stream_close(stream);
    }
    error_ignore(failure, "the test is over");
    latch_open(&server->ended);
}

static void server_open(struct server *server, const str *answers, size_t count)
{
    *server = (struct server){ .answers = answers, .count = count };
    assert_ok(listener_open(0, &server->listener));
    server->scope = cancel_open(NULL);
    fiber_spawn_in(server->scope, serve, server);
}

static void server_close(struct server *server)
{
    cancel_fire(server->scope);
    latch_wait_uncancelable(&server->ended);
    listener_close(server->listener);
    cancel_close(server->scope);
    arena_release(&server->arena);
}

static __attribute__((unused)) str server_url(struct arena *arena, const struct server *server,
                                              const char *path)
{
    return arena_printf(arena, "http://127.0.0.1:%u%s", listener_port(server->listener), path);
}

static __attribute__((unused)) str answer_with(struct arena *arena, const char *status, str body)
{
    str head = arena_printf(arena, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n", status, body.len);
    return arena_concat(arena, head, body);
}
