"""attach.py — runs an update that waits for a debugger, attaches as an editor would, and lets it go on."""
import json
import os
import socket
import subprocess
import sys
import time

LOG = "events.json"


def debugging_event():
    for line in open(LOG) if os.path.exists(LOG) else []:
        if line.endswith("\n") and "startDebuggingEvent" in line:
            return json.loads(line)["startDebuggingEvent"]["config"]
    return None


process = subprocess.Popen(["pulumi", "up", "--yes", "--skip-preview", "--attach-debugger=program", "--event-log", LOG], text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
config = None
while config is None and process.poll() is None:
    config = debugging_event()
    time.sleep(0.05)
if config is not None:
    assert config["type"] == "python" and config["request"] == "attach", config
    socket.create_connection((config["connect"]["host"], int(config["connect"]["port"]))).close()
output, _ = process.communicate()
print(output)
sys.exit(process.returncode if config else "no debugger was asked for")
