"""grpcio's side of the interop tests; ../peer.h describes the service.

usage: peer.py serve | call ADDRESS | hang ADDRESS
"""
import concurrent.futures
import os
import signal
import sys
import threading
import time

import grpc

TEXT = "no such thing: é 100%"
OPTIONS = [("grpc.max_receive_message_length", 400 << 20), ("grpc.max_send_message_length", -1),
           ("grpc.max_metadata_size", 16 << 20), ("grpc.absolute_max_metadata_size", 16 << 20)]


def encode_details(size):
    """google.rpc.Status with one Any of `size` bytes."""
    def varint(number):
        out = b""
        while number >= 0x80:
            out += bytes([number & 0x7F | 0x80])
            number >>= 7
        return out + bytes([number])

    def field(number, value):
        return varint(number << 3 | 2) + varint(len(value)) + value

    detail = field(1, b"type.googleapis.com/interop.Detail") + field(2, b"d" * size)
    return bytes([8, grpc.StatusCode.NOT_FOUND.value[0]]) + field(2, TEXT.encode()) + field(3, detail)


# --- server ---


class Service:
    def __init__(self):
        self.waits = 0
        self.lock = threading.Lock()

    def echo(self, request, context):
        return request

    def fail(self, request, context):
        context.set_trailing_metadata([("grpc-status-details-bin", encode_details(int(request)))])
        context.abort(grpc.StatusCode.NOT_FOUND, TEXT)

    def wait(self, request, context):
        ended = threading.Event()
        context.add_callback(ended.set)
        ended.wait()
        with self.lock:
            self.waits += 1
        return b""

    def count_waits(self, request, context):
        return str(self.waits).encode()

    def die(self, request, context):
        os.kill(os.getpid(), signal.SIGKILL)

    def spout(self, request, context):
        count, size = map(int, request.split())
        for _ in range(count):
            yield b"s" * size

    def sum(self, requests, context):
        return str(sum(map(len, requests))).encode()

    def chat(self, requests, context):
        yield from requests


def serve():
    service = Service()
    unary = grpc.unary_unary_rpc_method_handler
    handlers = {
        "Echo": unary(service.echo),
        "Fail": unary(service.fail),
        "Wait": unary(service.wait),
        "Waits": unary(service.count_waits),
        "Die": unary(service.die),
        "Spout": grpc.unary_stream_rpc_method_handler(service.spout),
        "Sum": grpc.stream_unary_rpc_method_handler(service.sum),
        "Chat": grpc.stream_stream_rpc_method_handler(service.chat),
    }
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=64), options=OPTIONS)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("interop.T", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    sys.stdin.read()
    server.stop(0).wait()


# --- client ---


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Client:
    def __init__(self, address):
        channel = grpc.insecure_channel(address, options=OPTIONS)
        self.unary = {name: channel.unary_unary(f"/interop.T/{name}")
                      for name in ("Echo", "Fail", "Wait", "Waits", "Nothing")}
        self.spout = channel.unary_stream("/interop.T/Spout")
        self.sum = channel.stream_unary("/interop.T/Sum")
        self.chat = channel.stream_stream("/interop.T/Chat")

    def failure(self, name, request, **options):
        try:
            self.unary[name](request, **options)
        except grpc.RpcError as failure:
            return failure
        raise AssertionError("it did not fail")

    def echo(self, size):
        request = b"e" * size
        expect(self.unary["Echo"](request) == request, f"{size} bytes came back as others")

    def small(self):
        for size in (0, 1, 70000):
            self.echo(size)

    def server_stream(self):
        for count, size in ((1000, 10), (10, 1000000)):
            sizes = [len(message) for message in self.spout(f"{count} {size}".encode())]
            expect(sizes == [size] * count, f"{len(sizes)} messages")

    def client_stream(self):
        total = self.sum(iter([b"e" * 100000] * 100))
        expect(total == b"10000000", f"the sum is {total}")

    def both_streams(self):
        sent = [b"e" * i * 1000 for i in range(100)]
        expect(list(self.chat(iter(sent))) == sent, "other messages came back")

    def details(self):
        for size in (1, 2, 3000):
            failure = self.failure("Fail", str(size).encode())
            details = dict(failure.trailing_metadata()).get("grpc-status-details-bin")
            expect(failure.code() == grpc.StatusCode.NOT_FOUND and failure.details() == TEXT, failure)
            expect(details == encode_details(size), "wrong details")

    def expect_code(self, code, name, **options):
        failure = self.failure(name, b"", **options)
        expect(failure.code() == code, failure)

    def count_waits(self):
        return int(self.unary["Waits"](b""))

    def cancellation(self):
        before = self.count_waits()
        calls = [self.unary["Wait"].future(b"") for _ in range(20)]
        self.count_waits()  # what comes behind the others is answered: so they have arrived
        time.sleep(0.3)
        for call in calls:
            call.cancel()
        for _ in range(3000):
            time.sleep(0.02)
            after = self.count_waits()
            if after >= before + 20:
                break
        expect(after >= before + 20, f"{after - before} of 20 were canceled")

    def many_at_once(self):
        for _ in range(5):
            calls = [self.unary["Echo"].future(b"e" * 1000) for _ in range(400)]
            expect(all(call.result() == b"e" * 1000 for call in calls), "other messages came back")

    def stalled_reader(self):
        call = self.spout(b"1000 100000")
        time.sleep(0.1)
        self.echo(6 << 20)
        call.cancel()

    def hang(self):
        calls = [self.unary["Wait"].future(b"") for _ in range(10)]

        def half():
            yield b"e" * 1000000
            time.sleep(1000)

        calls.append(self.sum.future(half()))
        self.count_waits()
        time.sleep(0.3)
        print("hanging", flush=True)
        time.sleep(1000)


def call_all(client):
    claims = {
        "small messages come back": client.small,
        "6 MB come back": lambda: client.echo(6 << 20),
        "100 MB come back": lambda: client.echo(100 << 20),
        "a server may stream": client.server_stream,
        "a client may stream": client.client_stream,
        "both may stream": client.both_streams,
        "a status has text and details": client.details,
        "unknown methods are unimplemented": lambda: client.expect_code(grpc.StatusCode.UNIMPLEMENTED, "Nothing"),
        "deadlines end calls": lambda: client.expect_code(grpc.StatusCode.DEADLINE_EXCEEDED, "Wait", timeout=0.1),
        "cancellation reaches the handler": client.cancellation,
        "hundreds of calls at once": client.many_at_once,
        "a reader that stops disturbs nobody": client.stalled_reader,
    }
    for number, (name, check) in enumerate(claims.items(), 1):
        try:
            check()
            print(f"ok {number} - {name}", flush=True)
        except Exception as failure:
            reason = str(failure).replace("\n", " ")
            print(f"not ok {number} - {name}\n# {reason}", flush=True)


if sys.argv[1] == "serve":
    serve()
elif sys.argv[1] == "call":
    call_all(Client(sys.argv[2]))
elif sys.argv[1] == "hang":
    Client(sys.argv[2]).hang()
