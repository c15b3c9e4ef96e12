import argparse
import os
import runpy
import socket
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--listen")
parser.add_argument("--wait-for-client", action="store_true", required=True)
parser.add_argument("--log-to")
parser.add_argument("program", nargs=argparse.REMAINDER)
options = parser.parse_args()
host, port = options.listen.split(":")
with socket.create_server((host, int(port))) as server:
    with open(os.path.join(options.log_to, f"debugpy.server-{os.getpid()}.log"), "w") as log:
        log.write("Adapter is accepting incoming client connections on 127.0.0.1\n")
    server.accept()[0].close()
sys.argv = options.program
runpy.run_path(sys.argv[0], run_name="__main__")
