#!/usr/bin/env python3
"""round_trips.py — how often an update waited for the store, from the log of delay.py.

usage: round_trips.py LOG

Prints how many requests there were, and how often one began when all before it were answered: so many round trips were waited for, if the machine
was quick enough. Fails if there were more than 20 requests besides those that record something: these do not depend on how quick it is.
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
sys.exit(len(requests) - records > 20)
