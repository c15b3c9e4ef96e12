#!/usr/bin/env python3
"""delay.py — stands before a server on this machine, makes it far away, and counts its requests.

usage: delay.py TARGET-PORT MILLISECONDS LOG

Listens at a free port of 127.0.0.1, and prints it. A round trip takes MILLISECONDS more. LOG gets a line for each request: when it came and when
its answer had gone, in seconds, and its first line. Ends by SIGTERM.
"""
import socket
import sys
import threading
import time

target, delay, log = int(sys.argv[1]), int(sys.argv[2]) / 1000, open(sys.argv[3], "a", buffering=1)
turn = threading.Lock()


def read_message(connection, rest, is_answer, method):
    """One message with its body: the bytes, and what came behind them."""
    while b"\r\n\r\n" not in rest:
        piece = connection.recv(65536)
        if not piece:
            return b"", b""
        rest += piece
    head, rest = rest.split(b"\r\n\r\n", 1)
    length, is_chunked = 0, False
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        is_chunked |= name.lower() == b"transfer-encoding"
    status = int(head.split(b" ")[1]) if is_answer else 0
    if is_answer and (method == "HEAD" or status in (204, 304)):
        length, is_chunked = 0, False
    while is_chunked and not rest.endswith(b"0\r\n\r\n"):
        rest += connection.recv(65536)
    if is_chunked:
        length = len(rest)
    while len(rest) < length:
        rest += connection.recv(65536)
    return head + b"\r\n\r\n" + rest[:length], rest[length:]


def serve(client):
    """The server may close its connections; that of the client stays, as with a server that keeps them."""
    rest = b""
    while True:
        request, rest = read_message(client, rest, False, "")
        if not request:
            break
        began, line = time.monotonic(), request.split(b"\r\n", 1)[0].decode()
        time.sleep(delay)
        with socket.create_connection(("127.0.0.1", target)) as server:
            server.sendall(request)
            answer, _ = read_message(server, b"", True, line.split(" ")[0])
        head, body = answer.split(b"\r\n\r\n", 1)
        head = b"\r\n".join(one for one in head.split(b"\r\n") if not one.lower().startswith(b"connection:"))
        client.sendall(head + b"\r\n\r\n" + body)
        with turn:
            log.write("%.4f %.4f %s\n" % (began, time.monotonic(), line))
    client.close()


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(client,), daemon=True).start()


main()
