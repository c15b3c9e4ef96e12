#!/usr/bin/env python3
"""rpc_bench.py — CPU time and memory of our gRPC server beside grpc-go's, for the same calls of the same client, in one run.

usage: rpc_bench.py BUILD-FOLDER      (make PRESET=release build/release/tests/{bench/rpc_load,interop/peer}; make interop for grpc-go)
"""
import os
import subprocess
import sys

BUILD = sys.argv[1]
LOAD = os.path.join(BUILD, "tests/bench/rpc_load")
SERVERS = {"ours": os.path.join(BUILD, "tests/interop/peer"), "grpc-go": "build/interop/go-peer"}
CASES = [(60000, 10, 1), (200000, 10, 16), (200000, 1024, 16), (200000, 1024, 128), (20000, 51200, 16)]
TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory_mb(pid, name):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    return 0


def measure(command):
    """Microseconds of CPU for a call in each case, and memory in the end."""
    server = subprocess.Popen([command, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    address = "127.0.0.1:" + server.stdout.readline().strip()
    idle = memory_mb(server.pid, "VmRSS")
    costs = []
    for calls, size, in_flight in CASES:
        subprocess.run([LOAD, address, "2000", str(size), str(in_flight)], check=True, stdout=subprocess.DEVNULL)
        before = cpu_seconds(server.pid)
        subprocess.run([LOAD, address, str(calls), str(size), str(in_flight)], check=True, stdout=subprocess.DEVNULL)
        costs.append((cpu_seconds(server.pid) - before) / calls * 1e6)
    peak = memory_mb(server.pid, "VmHWM")
    server.stdin.close()
    server.wait(10)
    return costs, idle, peak


def main():
    results = {name: measure(command) for name, command in SERVERS.items() if os.path.exists(command)}
    print(f"{'CPU of the server, us a call':32}" + "".join(f"{name:>12}" for name in results))
    for number, (_, size, in_flight) in enumerate(CASES):
        row = [costs[number] for costs, _, _ in results.values()]
        ratio = f"{row[1] / row[0]:11.1f}x" if len(row) == 2 and row[0] > 0 else ""
        print(f"{f'{size} bytes, {in_flight} in flight':32}" + "".join(f"{cost:12.2f}" for cost in row) + ratio)
    for title, index in (("memory when idle, MB", 1), ("memory at its peak, MB", 2)):
        print(f"{title:32}" + "".join(f"{result[index]:12.1f}" for result in results.values()))


main()
