#!/usr/bin/env python3
"""round_trips.py — how often an update waited for the store, from the log of delay.py.

usage: round_trips.py LOG

Requests that overlap are one round trip. Before the first record: at most 6 (the store and the stack are opened with 2, locked with 2, the journal
begins with 1, and the first step is recorded). After the last record: at most 3. Each record: 1, so there are no more round trips in between than
records. Fails if it was more.
"""
import sys

requests = []
for line in open(sys.argv[1]):
    began, ended, method, target, _ = line.split(" ", 4)
    requests.append((float(began), float(ended), method, target))
requests.sort()


def trips(part):
    count, end = 0, 0.0
    for began, ended, *_ in part:
        if began >= end:
            count += 1
            end = ended
    return count


def is_record(request):
    return request[2] == "PUT" and "/.pulumi/journals/" in request[3]


first = next(i for i, one in enumerate(requests) if is_record(one))
last = max(i for i, one in enumerate(requests) if is_record(one))
records = sum(map(is_record, requests))
opening, middle, closing = trips(requests[:first]), trips(requests[first : last + 1]), trips(requests[last + 1 :])
print(f"{len(requests)} requests; round trips: {opening} to open and lock, {middle} for {records} groups of records, {closing} to end")
sys.exit(opening > 4 or middle > records or closing > 3)
