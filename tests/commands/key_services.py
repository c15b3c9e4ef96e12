#!/usr/bin/env python3
"""key_services.py — stand-ins for key services, for stores of objects and for those that give out tokens, on loopback, for transcripts.

usage: key_services.py FOLDER &

FOLDER is made. When its file `ready` is there, `environment` has what a shell needs to find the servers, and `calls` gets a line for each
request. It ends when FOLDER is gone.

A key is sealed by writing its name before the bytes: that is no secret, but another key does not open it. /html/… answers with a web page,
a token with the word "bad" in it is refused. Stores take only the last token that was given out; with a file FOLDER/expire the next request
ends it, with a file FOLDER/forbid nothing may be written."""
import base64
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = os.path.abspath(sys.argv[1])
OBJECTS, TOKENS = {}, [0]


def seal(name, plain):
    return name.encode() + b"|" + plain


def unseal(name, sealed):
    owner, _, plain = sealed.partition(b"|")
    return plain if owner == name.encode() else None


def b64(data):
    return base64.b64encode(data).decode()


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_url64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def vault(call):
    """Vault's transit engine."""
    found = re.match(r"/v1/(\w+)/(encrypt|decrypt)/(\w+)$", call.path)
    if call.headers.get("X-Vault-Token") != "vt" or not found:
        return 403, {"errors": ["permission denied"]}
    _, verb, key = found.groups()
    question = json.loads(call.body)
    if verb == "encrypt":
        return 200, {"data": {"ciphertext": "vault:v1:" + b64(seal(key, base64.b64decode(question["plaintext"])))}}
    plain = unseal(key, base64.b64decode(question["ciphertext"][9:]))
    if plain is None:
        return 400, {"errors": ["cipher: message authentication failed"]}
    return 200, {"data": {"plaintext": b64(plain)}}


def google_kms(call):
    found = re.match(r"/v1/(projects/.*/cryptoKeys/\w+):(encrypt|decrypt)$", call.path)
    if call.headers.get("Authorization") not in ("Bearer gt", "Bearer sa", "Bearer meta"):
        return 401, {"error": {"code": 401, "message": "Request had invalid authentication credentials.", "status": "UNAUTHENTICATED"}}
    if not found:
        return 404, {"error": {"code": 404, "message": "no such key", "status": "NOT_FOUND"}}
    key, verb = found.groups()
    question = json.loads(call.body)
    key += question.get("additionalAuthenticatedData", "")
    if verb == "encrypt":
        return 200, {"name": key, "ciphertext": b64(seal(key, base64.b64decode(question["plaintext"])))}
    plain = unseal(key, base64.b64decode(question["ciphertext"]))
    if plain is None:
        return 400, {"error": {"code": 400, "message": "Decryption failed: the ciphertext is invalid.", "status": "INVALID_ARGUMENT"}}
    return 200, {"plaintext": b64(plain)}


def google_token(call):
    form = urllib.parse.parse_qs(call.body.decode())
    if "bad" in form.get("refresh_token", [""])[0]:
        return 400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}
    if "stores" in call.path:
        TOKENS[0] += 1
        return 200, {"access_token": f"store{TOKENS[0]}", "expires_in": 3600, "token_type": "Bearer"}
    return 200, {"access_token": "sa", "expires_in": 3600, "token_type": "Bearer"}


def refusal(call):
    """Why a store does not do it; None: it does."""
    try:
        os.remove(FOLDER + "/expire")
        TOKENS[0] += 1
    except FileNotFoundError:
        pass
    if call.headers.get("Authorization") != f"Bearer store{TOKENS[0]}":
        return 401
    return 403 if os.path.exists(FOLDER + "/forbid") and call.command != "GET" else None


def google_store(call):
    """Google Cloud Storage: bodies are bytes, or JSON."""
    query = {name: value[0] for name, value in urllib.parse.parse_qs(call.query).items()}
    status = refusal(call)
    if status:
        return status, {"error": {"code": status, "message": "you may not" if status == 403 else "Invalid Credentials"}}
    bucket, _, key = call.path.partition("/b/")[2].partition("/o")
    if bucket != "bucket":
        return 404, {"error": {"code": 404, "message": "The specified bucket does not exist."}}
    if call.path.startswith("/upload/"):
        found = OBJECTS.get(query["name"])
        if "ifGenerationMatch" in query and int(query["ifGenerationMatch"]) != (found[0] if found else 0):
            return 412, {"error": {"code": 412, "message": "conditionNotMet"}}
        return 200, {"generation": str(put(query["name"], call.body))}
    if not key:
        names = [name for name in sorted(OBJECTS) if name.startswith(query.get("prefix", ""))]
        if "delimiter" in query:
            names = [name for name in names if "/" not in name[len(query.get("prefix", "")):]]
        return 200, {"items": [{"name": name, "generation": str(OBJECTS[name][0]), "size": str(len(OBJECTS[name][1])),
                                "updated": "2026-01-01T00:00:00Z"} for name in names]}
    key, _, target = urllib.parse.unquote(key[1:]).partition("/rewriteTo/b/bucket/o/")
    if key not in OBJECTS:
        return 404, {"error": {"code": 404, "message": "No such object"}}
    if target:
        put(target, OBJECTS[key][1])
        return 200, {"done": True}
    if call.command == "DELETE":
        del OBJECTS[key]
        return 204, b""
    return 200, OBJECTS[key][1], {"X-Goog-Generation": str(OBJECTS[key][0])}


def put(key, data):
    TOKENS.append(0)
    OBJECTS[key] = (len(TOKENS), data)
    return len(TOKENS)


def azure_store(call):
    """Azure's blob storage, at /box/KEY."""
    query = {name: value[0] for name, value in urllib.parse.parse_qs(call.query).items()}
    status = refusal(call)
    if status:
        return status, b"", {"x-ms-error-code": {401: "InvalidAuthenticationInfo", 403: "AuthorizationPermissionMismatch"}[status]}
    container, _, key = urllib.parse.unquote(call.path[1:]).partition("/")
    if container != "box":
        return 404, b"", {"x-ms-error-code": "ContainerNotFound"}
    if not key:
        names = [name for name in sorted(OBJECTS) if name.startswith(query.get("prefix", ""))]
        if "delimiter" in query:
            names = [name for name in names if "/" not in name[len(query.get("prefix", "")):]]
        blobs = "".join(f"<Blob><Name>{name}</Name><Properties><Etag>{OBJECTS[name][0]}</Etag></Properties></Blob>" for name in names)
        return 200, f"<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker/></EnumerationResults>".encode()
    found, source = OBJECTS.get(key), call.headers.get("x-ms-copy-source")
    if source:
        data = OBJECTS.get(urllib.parse.unquote(source.partition("/box/")[2]))
        return (202, b"", {"x-ms-copy-status": "success", "ETag": f'"{put(key, data[1])}"'}) if data else (404, b"", {"x-ms-error-code": "BlobNotFound"})
    if call.command == "PUT":
        if call.headers.get("If-None-Match") and found:
            return 409, b"", {"x-ms-error-code": "BlobAlreadyExists"}
        if call.headers.get("If-Match") and (not found or call.headers["If-Match"] != f'"{found[0]}"'):
            return 412, b"", {"x-ms-error-code": "ConditionNotMet"}
        return 201, b"", {"ETag": f'"{put(key, call.body)}"'}
    if not found:
        return 404, b"", {"x-ms-error-code": "BlobNotFound"}
    if call.command == "DELETE":
        del OBJECTS[key]
        return 202, b""
    return 200, found[1], {"ETag": f'"{found[0]}"'}


def key_vault(call):
    """Azure Key Vault: the first call, without a token, is told where to get one."""
    found = re.match(r"/a\.vault\.x/keys/(\w+)/(?:(\w+)/)?(encrypt|decrypt)$", call.path)
    if not call.headers.get("Authorization"):
        resource = "https://0.0.1:%d" % call.server.server_address[1]
        return 401, {"error": {"code": "Unauthorized", "message": "AKV10000: Request is missing a Bearer or PoP token."}}, {
            "WWW-Authenticate": 'Bearer authorization="https://login.example/11111111-1111-1111-1111-111111111111", resource="%s"' % resource}
    if call.headers["Authorization"] != "Bearer at" or not found:
        return 403, {"error": {"code": "Forbidden", "message": "Caller is not authorized to perform action on resource."}}
    key, _, verb = found.groups()
    question = json.loads(call.body)
    value = from_url64(question["value"])
    name = key + question["alg"]
    if verb == "encrypt":
        return 200, {"kid": "k", "value": url64(seal(name, value).rjust(256, b"\0"))}
    plain = unseal(name, value.lstrip(b"\0"))
    if plain is None:
        return 400, {"error": {"code": "BadParameter", "message": "Decryption failed."}}
    return 200, {"value": url64(plain)}


def azure_token(call):
    if call.headers.get("X-IDENTITY-HEADER") != "ih":
        return 401, {"error": "invalid_client", "error_description": "who are you?"}
    if "storage.azure.com" in call.query:
        TOKENS[0] += 1
        return 200, {"access_token": f"store{TOKENS[0]}", "expires_on": "4102444800"}
    return 200, {"access_token": "at", "expires_on": "4102444800", "token_type": "Bearer"}


def aws_kms(call):
    action = call.headers.get("X-Amz-Target", "")
    question = json.loads(call.body)
    if "Credential=good/" not in call.headers.get("Authorization", ""):
        return 400, {"__type": "UnrecognizedClientException", "message": "The security token included in the request is invalid."}
    context = json.dumps(question.get("EncryptionContext", {}), sort_keys=True)
    if action == "TrentService.Encrypt":
        return 200, {"CiphertextBlob": b64(seal("aws" + context, base64.b64decode(question["Plaintext"]))), "KeyId": "arn"}
    plain = unseal("aws" + context, base64.b64decode(question["CiphertextBlob"]))
    if plain is None or "KeyId" in question:
        return 400, {"__type": "InvalidCiphertextException"}
    return 200, {"Plaintext": b64(plain)}


ROUTES = [("/storage/v1/", google_store), ("/upload/", google_store), ("/v1/projects/", google_kms), ("/v1/", vault), ("/google/token", google_token), ("/computeMetadata/", None), ("/a.vault.x/", key_vault),
          ("/msi", azure_token), ("/", aws_kms)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.path, _, self.query = self.path.partition("?")
        with open(FOLDER + "/calls", "a") as calls:
            calls.write(f"{self.command} {self.path} {self.headers.get('X-Amz-Target', '')}".strip() + "\n")
        headers = {"Content-Type": "application/json", "Metadata-Flavor": "Google"}
        if self.path.startswith("/html/"):
            status, text, headers["Content-Type"] = 200, b"<!DOCTYPE html><html><body>Welcome</body></html>", "text/html"
        elif self.path.startswith("/computeMetadata/"):
            status, text = 200, b'{"access_token":"meta","expires_in":3600,"token_type":"Bearer"}'
        else:
            handler = next(handler for prefix, handler in ROUTES if self.path.startswith(prefix))
            if self.headers.get("Host") == "acc.blob.core.windows.net":
                handler = azure_store
            status, body, *more = handler(self)
            headers.update(more[0] if more else {})
            text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = answer


def serve(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def proxy(tls_port):
    """A proxy that leads every CONNECT to the server with TLS."""
    listener = socket.create_server(("127.0.0.1", 0))

    def tunnel(client):
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(4096)
            if not piece:
                return
            head += piece
        server = socket.create_connection(("127.0.0.1", tls_port))
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        threading.Thread(target=pump, args=(client, server), daemon=True).start()
        pump(server, client)

    def accept():
        while True:
            threading.Thread(target=tunnel, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def main():
    os.makedirs(FOLDER)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=key services", "-addext",
                    "subjectAltName=IP:127.0.0.1,DNS:*.googleapis.com,DNS:acc.blob.core.windows.net", "-keyout", FOLDER + "/key.pem", "-out", FOLDER + "/cert.pem"],
                   check=True, capture_output=True)
    plain = serve(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
    secure = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(FOLDER + "/cert.pem", FOLDER + "/key.pem")
    # The handshake belongs to the thread of its connection: one that never ends must not hold up the others.
    secure.socket = context.wrap_socket(secure.socket, server_side=True, do_handshake_on_connect=False)
    tls = serve(secure)
    with open(FOLDER + "/environment", "w") as file:
        file.write(f"""export PLAIN=127.0.0.1:{plain} TLS=127.0.0.1:{tls} HTTPS_PROXY=http://127.0.0.1:{proxy(tls)} SSL_CERT_FILE={FOLDER}/cert.pem
export VAULT_ADDR=http://127.0.0.1:{plain} VAULT_TOKEN=vt GOOGLE_OAUTH_ACCESS_TOKEN=gt
export IDENTITY_ENDPOINT=http://127.0.0.1:{plain}/msi IDENTITY_HEADER=ih AZURE_TOKEN_CREDENTIALS=ManagedIdentityCredential
export AWS_ACCESS_KEY_ID=good AWS_SECRET_ACCESS_KEY=s AWS_REGION=us-east-1 AWS_ENDPOINT_URL_KMS=http://127.0.0.1:{plain}
""")
    subprocess.run(["openssl", "genrsa", "-out", FOLDER + "/service.pem", "2048"], check=True, capture_output=True)
    account = {"type": "service_account", "client_email": "a@p.iam.gserviceaccount.com", "private_key_id": "k1",
               "private_key": open(FOLDER + "/service.pem").read(), "token_uri": f"http://127.0.0.1:{plain}/google/token"}
    json.dump(account, open(FOLDER + "/account.json", "w"))
    json.dump({**account, "token_uri": account["token_uri"] + "/stores"}, open(FOLDER + "/stores.json", "w"))
    open(FOLDER + "/calls", "w").close()
    open(FOLDER + "/ready", "w").close()
    while os.path.exists(FOLDER + "/ready"):
        time.sleep(0.2)


main()
