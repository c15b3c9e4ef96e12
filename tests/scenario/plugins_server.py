#!/usr/bin/env python3
"""plugins_server.py — a server of plugins that is not always good.

usage: plugins_server.py FOLDER PORT-FILE [CERTIFICATE]

Serves the files of FOLDER under any path; the first part of the path says how:
/flaky/…   503 for the first two requests of a file        /cut/…    half of the file, then the end
/moved/…   redirects to the plain path                     /slow/…   in ten pieces, a while between them
/hang/…    a few bytes, and then nothing for a long time
/repos/…   releases as GitHub tells of them                /api/v4/… as GitLab does
/asset/…   a file of such a release, to who asks for bytes http://…  the file, as a proxy gives it
/…         as it is
A token "expired" is refused. Writes its port to PORT-FILE and each request to FOLDER/log. With a certificate (and its key, in one file) it speaks TLS.
"""
import http.server
import json
import os
import ssl
import sys
import time

folder, port_file = sys.argv[1:3]
seen = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        with open(os.path.join(folder, "log"), "a") as log:
            log.write(f"{self.path} {self.headers['User-Agent']} {self.headers['Authorization']}\n")
        seen[self.path] = seen.get(self.path, 0) + 1
        way = self.path.split("/")[1]
        path = os.path.join(folder, os.path.basename(self.path.split("?")[0]))
        if "expired" in (self.headers["Authorization"] or ""):
            return self.answer(401, b"")
        if way == "repos" or self.path.endswith("/permalink/latest"):
            return self.tell_release()
        if way == "asset" and self.headers["Accept"] != "application/octet-stream":
            return self.answer(406, b"")
        if way == "flaky" and seen[self.path] <= 2:
            return self.answer(503, b"")
        if way == "moved":
            return self.answer(302, b"", ("Location", "/" + os.path.basename(self.path)))
        if not os.path.isfile(path):
            return self.answer(404, b"not here")
        with open(path, "rb") as file:
            body = file.read()
        if way == "hang":
            return self.hang(body)
        self.answer(200, body, cut=way == "cut", pieces=10 if way == "slow" else 1)

    def hang(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:1000])
        self.wfile.flush()
        time.sleep(3600)

    def tell_release(self):
        """The newest release is that of the newest file; a tag names one."""
        names = sorted(name for name in os.listdir(folder) if name.startswith("pulumi-resource-pkg-v"))
        tag = os.path.basename(self.path)
        if tag == "latest":
            tag = names[-1].split("-")[3]
        scheme = "https" if len(sys.argv) > 3 else "http"
        assets = [
            {"id": 7, "name": name, "url": f"{scheme}://{self.headers['Host']}/asset/{name}", "uploader": {"name": "somebody", "url": "elsewhere"}}
            for name in names
            if f"-{tag}-" in name
        ]
        if not assets:
            return self.answer(404, b'{"message": "Not Found"}')
        self.answer(200, json.dumps({"url": "here", "tag_name": tag, "assets": assets}).encode())

    def answer(self, status, body, *headers, cut=False, pieces=1):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if cut:
            body = body[: len(body) // 2]
        size = len(body) // pieces + 1
        for i in range(pieces):
            self.wfile.write(body[i * size : (i + 1) * size])
            time.sleep(0.1 if pieces > 1 else 0)
        self.close_connection = True


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(port_file + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
