#!/usr/bin/env python3
"""Runs a command, waits until a condition holds, sends it a signal, and ends as it does.

usage: interrupt.py SIGNAL CONDITION COMMAND…      CONDITION is a line of shell, tried again and again

The condition is something that can be seen, so that nobody has to guess how long the command takes to get there. 90: it never held; 91: the
command ended before; 92: the command did not end."""

import signal
import subprocess
import sys
import time

PATIENCE = 120


def main():
    number, condition, command = getattr(signal, "SIG" + sys.argv[1]), sys.argv[2], sys.argv[3:]
    child = subprocess.Popen(command)
    deadline = time.monotonic() + PATIENCE
    while subprocess.run(["sh", "-c", condition], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        if child.poll() is not None:
            return 91
        if time.monotonic() > deadline:
            child.kill()
            return 90
        time.sleep(0.02)
    child.send_signal(number)
    try:
        code = child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        return 92
    return 128 - code if code < 0 else code


sys.exit(main())
