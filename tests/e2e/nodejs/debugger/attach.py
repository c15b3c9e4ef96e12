"""attach.py — runs an update that waits for a debugger, attaches as an editor would, and lets it go on."""
import base64
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request


def wait_for(look, process):
    """What `look` finds, once it finds something."""
    while process.poll() is None:
        found = look()
        if found is not None:
            return found
        time.sleep(0.05)
    sys.exit("the update ended before a debugger was asked for:\n" + process.stdout.read())


def debugging_event(log):
    if not os.path.exists(log):
        return None
    for line in open(log):
        if line.endswith("\n") and "startDebuggingEvent" in line:
            return json.loads(line)["startDebuggingEvent"]["config"]
    return None


def let_go(port):
    """The one message of the inspector's protocol that ends the wait, in a frame of a web socket."""
    url = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))[0]["webSocketDebuggerUrl"]
    connection = socket.create_connection(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall((f"GET {url.split(str(port), 1)[1]} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    assert connection.recv(4096).startswith(b"HTTP/1.1 101"), "no web socket"
    for number, method in enumerate(["Runtime.enable", "Debugger.enable", "Runtime.runIfWaitingForDebugger", "Debugger.resume", "Debugger.disable"], 1):
        text = json.dumps({"id": number, "method": method}).encode()
        connection.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)  # masked with zeros
    return connection


def main():
    log = tempfile.mktemp(suffix=".json")
    process = subprocess.Popen(["pulumi", "up", "--yes", "--skip-preview", "--attach-debugger", "--event-log", log], text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    config = wait_for(lambda: debugging_event(log), process)
    assert config["type"] == "node" and config["request"] == "attach" and config["processId"] > 1, config
    connection = let_go(int(config.get("port", 9229)))
    output, _ = process.communicate()
    connection.close()
    print(output)
    os.unlink(log)
    sys.exit(process.returncode)


main()
