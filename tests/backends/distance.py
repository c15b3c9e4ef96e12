#!/usr/bin/env python3
"""distance.py — stands before a server on this machine and makes it as far away as one likes, or cuts its answers.

usage: distance.py TARGET-PORT [--ms N] [--cut-every N]

Listens at a free port of 127.0.0.1, and prints it. Every byte arrives half of --ms later than it was sent, in each direction, so that a
round trip takes --ms. With --cut-every N the connection ends in the middle of every N-th answer, counted over all connections.
SIGUSR1 ends all connections. Ends by SIGTERM.
"""
import argparse
import asyncio
import signal


class Proxy:
    def __init__(self, port, ms, cut_every):
        self.port = port
        self.delay = ms / 2000
        self.cut_every = cut_every
        self.answers = 0
        self.writers = set()

    async def carry(self, reader, writer, is_answer):
        """What was read waits its time in a queue, while more is read."""
        queue = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def deliver():
            while True:
                due, data = await queue.get()
                if not data:
                    break
                await asyncio.sleep(max(0, due - loop.time()))
                if is_answer and self.is_cut():
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    self.end(writer)
                    return
                writer.write(data)
                await writer.drain()
            self.end(writer)

        delivery = asyncio.create_task(deliver())
        try:
            while True:
                data = await reader.read(65536)
                queue.put_nowait((loop.time() + self.delay, data))
                if not data:
                    break
        except ConnectionError:
            queue.put_nowait((0, b""))
        await asyncio.gather(delivery, return_exceptions=True)

    def is_cut(self):
        self.answers += 1
        return self.cut_every and self.answers % self.cut_every == 0

    def end(self, writer):
        self.writers.discard(writer)
        try:
            writer.close()
        except RuntimeError:
            pass

    async def serve(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.close()
            return
        self.writers |= {writer, far_writer}
        await asyncio.gather(
            self.carry(reader, far_writer, False), self.carry(far_reader, writer, True), return_exceptions=True
        )
        self.end(writer)
        self.end(far_writer)

    def cut_all(self):
        for writer in list(self.writers):
            writer.transport.abort()
        self.writers.clear()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--ms", type=float, default=0)
    parser.add_argument("--cut-every", type=int, default=0)
    arguments = parser.parse_args()
    proxy = Proxy(arguments.port, arguments.ms, arguments.cut_every)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, proxy.cut_all)
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    proxy.cut_all()


asyncio.run(main())
