#!/usr/bin/env python3
"""fake_service.py — the hosted service's API in memory, for tests: strict about tokens, leases, encodings and sequence numbers.

usage: fake_service.py [PORT]      prints "PORT n" and serves until it is killed

What a client does wrong is answered with 400 and kept in `complaints`. Tests look and set faults by /control:
  GET  /control/log          "METHOD PATH STATUS" of each request
  GET  /control/complaints   what clients did wrong
  POST /control              settings: journal, capabilities, lease_seconds, organizations, policies, warning, largest_body,
                             any_order (journal entries count by their numbers: the reference sends them as they come)
  POST /control/fault        {"method", "path" (a regular expression), "count", "status", "headers", "body", "way"}
                             way: answer (default), drop (no answer, nothing done), forget (done, no answer)
  POST /control/expire       ends all leases
GET /packs/NAME.tgz?signature=permission gives the file of the setting "packs": {NAME: path}, and nobody may send a token there.
"""
import base64
import copy
import gzip
import hashlib
import http.server
import json
import re
import sys
import threading
import time
import urllib.parse
import uuid

import environments

TOKENS = {"good": ("alice", "tok1"), "other": ("bob", "tok2"), "renewed": ("alice", "tok3")}
COMPRESSED = re.compile(r"/(batch-encrypt|batch-decrypt|import|checkpoint|checkpointverbatim|checkpointdelta|journalentries|events/batch)$")


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class Seal:
    """Ciphertexts of one stack; those of another are refused."""

    def __init__(self, identity):
        self.mark = identity.encode() + b"\0"

    def close(self, plain):
        raw = self.mark + plain
        return base64.b64encode(bytes(byte ^ 0x33 for byte in raw)).decode()

    def open(self, text):
        try:
            raw = bytes(byte ^ 0x33 for byte in base64.b64decode(text, validate=True))
        except ValueError:
            raise Refusal(400, "Bad Request: not base64")
        if not raw.startswith(self.mark):
            raise Refusal(400, "Bad Request: this ciphertext is not of this stack")
        return raw[len(self.mark):]


class Replay:
    """What a journal makes of the deployment that it began with."""

    def __init__(self, base):
        self.base = copy.deepcopy(base) or {}
        self.reset()

    def reset(self):
        self.new, self.place, self.begun = [], {}, {}
        self.gone_new, self.gone_old, self.replaced, self.marked, self.pending = set(), set(), {}, set(), set()
        self.refreshes = False

    def take(self, entry):
        kind, operation = entry["kind"], entry["operationID"]
        old, new, state = entry.get("removeOld"), entry.get("removeNew"), entry.get("state")
        if kind == 0:
            self.begun[operation] = entry.get("operation")
        elif kind == 2:
            self.begun.pop(operation, None)
        elif kind == 1:
            self.begun.pop(operation, None)
            if state is not None:
                self.place[operation] = len(self.new)
                self.new.append(copy.deepcopy(state))
            if old is not None:
                self.gone_old.add(old)
            if new is not None:
                self.gone_new.add(self.place[new])
            if entry.get("deleteOld") is not None:
                self.marked.add(entry["deleteOld"])
            if entry.get("deleteNew") is not None:
                self.new[self.place[entry["deleteNew"]]]["delete"] = True
            if entry.get("pendingReplacementOld") is not None:
                self.pending.add(entry["pendingReplacementOld"])
            if entry.get("pendingReplacementNew") is not None:
                self.new[self.place[entry["pendingReplacementNew"]]]["pendingReplacement"] = True
            self.refreshes |= entry.get("isRefresh", False)
        elif kind in (3, 4):
            self.begun.pop(operation, None)
            self.refreshes |= kind == 3
            if old is not None:
                if state is not None:
                    self.replaced[old] = state
                elif kind == 3:
                    self.gone_old.add(old)
            if new is not None:
                if state is not None:
                    self.new[self.place[new]] = copy.deepcopy(state)
                elif kind == 3:
                    self.gone_new.add(self.place[new])
        elif kind == 5:
            self.base = copy.deepcopy(entry["newSnapshot"])
        elif kind == 6:
            self.base["secrets_providers"] = entry["secretsProvider"]
        elif kind == 7:
            self.base = self.result()
            self.reset()
        elif kind == 9:
            self.base["snippets"] = entry.get("snippets")

    def result(self):
        resources = [state for i, state in enumerate(self.new) if i not in self.gone_new]
        for i, state in enumerate(self.base.get("resources") or []):
            if i in self.gone_old:
                continue
            state = copy.deepcopy(self.replaced.get(i, state))
            if i not in self.replaced and i in self.marked:
                state["delete"] = True
            if i not in self.replaced and i in self.pending:
                state["pendingReplacement"] = True
            resources.append(state)
        if self.refreshes:
            drop_dangling(resources)
        waiting = [operation for operation in self.begun.values() if operation]
        waiting += [operation for operation in self.base.get("pending_operations") or [] if operation["type"] == "creating"]
        version = "v3.260.0"
        result = {"manifest": {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "magic": hashlib.sha256(version.encode()).hexdigest(), "version": version}}
        for key in ("secrets_providers", "snippets"):
            if self.base.get(key):
                result[key] = self.base[key]
        if resources:
            result["resources"] = resources
        if waiting:
            result["pending_operations"] = waiting
        result["metadata"] = self.base.get("metadata") or {}
        return result


def drop_dangling(resources):
    seen = set()
    for state in resources:
        if state.get("dependencies"):
            state["dependencies"] = [urn for urn in state["dependencies"] if urn in seen]
        seen.add(state["urn"])


class Stack:
    def __init__(self, tags, state, config):
        self.id = str(uuid.uuid4())
        self.tags, self.config = tags, config
        self.state = state or {"version": 3, "deployment": None}
        self.versions, self.history, self.updates = {}, [], {}
        self.version, self.active, self.last = 0, "", None
        self.seal = Seal(self.id)

    def running(self):
        update = self.updates.get(self.active)
        if update and update.status == "running" and update.expires < time.time():
            update.status = "failed"
        return update if update and update.status == "running" else None

    def resources(self):
        return (self.state["deployment"] or {}).get("resources") or []

    def set_deployment(self, deployment):
        self.state = {"version": 3, "deployment": deployment}


class Update:
    def __init__(self, kind, request):
        self.id, self.kind, self.request = str(uuid.uuid4()), kind, request
        self.dry = request["options"]["dryRun"] or kind == "preview"
        self.status, self.tokens, self.expires = "not started", [], 0
        self.entries, self.events, self.sequence, self.text = [], {}, 0, None
        self.base, self.journaled, self.started, self.version = None, False, 0, 0
        self.beginning, self.numbered = None, {}

    def lease(self, seconds):
        self.tokens = (self.tokens + ["lease-" + uuid.uuid4().hex])[-2:]
        self.expires = time.time() + seconds
        return {"token": self.tokens[-1], "tokenExpiration": int(self.expires)}


class Service:
    def __init__(self):
        self.lock = threading.RLock()
        self.stacks, self.log, self.complaints, self.faults = {}, [], [], []
        self.environments = environments.Environments()
        self.settings = {"journal": 1, "lease_seconds": 300, "page": 2, "default_organization": "acme", "warning": "", "policies": [], "packs": {},
                         "largest_body": 64 << 20, "any_entries": False, "any_order": False, "deployment": "succeeded", "organizations": ["acme", "initech"],
                         "capabilities": [{"capability": "batch-encrypt"},
                                          {"capability": "deployment-schema-version", "version": 1, "configuration": {"version": 4}}]}

    def complain(self, text):
        self.complaints.append(text)
        raise Refusal(400, "Bad Request: " + text)


SERVICE = Service()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self, status, content=None, headers=None):
        if isinstance(content, (dict, list)):
            content = json.dumps(content)
        body = (content or "").encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if SERVICE.settings["warning"]:
            self.send_header("X-Pulumi-Warning", SERVICE.settings["warning"])
        self.send_header("Content-Type", "application/json")
        if len(body) > 500 and "gzip" in (self.headers.get("Accept-Encoding") or ""):
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    # --- a request ---

    def handle_request(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urllib.parse.urlsplit(self.path)
        self.route_path, self.query = urllib.parse.unquote(parts.path), dict(urllib.parse.parse_qsl(parts.query))
        if self.route_path.startswith("/control"):
            return self.control(raw)
        if self.route_path.startswith("/packs/"):
            return self.pack(self.route_path[len("/packs/"):].removesuffix(".tgz"))
        status = 0
        try:
            with SERVICE.lock:
                fault = self.find_fault()
                if fault and fault.get("way") == "drop":
                    status = "dropped"
                    self.close_connection = True
                    return
                if fault and fault.get("way") != "forget":
                    status = fault["status"]
                    return self.answer(status, fault.get("body", {"code": status, "message": "a fault of the test"}), fault.get("headers"))
                try:
                    self.body = self.decode(raw)
                    result = self.route() or {}
                    status = 200
                except Refusal as refusal:
                    status, result = refusal.code, {"code": refusal.code, "message": refusal.message}
                if fault:
                    status = "forgotten"
                    self.close_connection = True
                    return
                # The reference wants to know which revision of an environment it made.
                is_environment = self.command == "PATCH" and self.route_path.startswith("/api/esc/")
                self.answer(status, result, {"Pulumi-ESC-Revision": "2"} if is_environment else None)
        finally:
            SERVICE.log.append(f"{self.command} {self.path} {status}")

    def pack(self, name):
        """As a store with signed URLs would."""
        path, status, body = SERVICE.settings["packs"].get(name), 404, b""
        if self.headers.get("Authorization") or self.query.get("signature") != "permission":
            status = 403
        elif path:
            with open(path, "rb") as file:
                status, body = 200, file.read()
        SERVICE.log.append(f"{self.command} {self.route_path} {status}")
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = handle_request

    def find_fault(self):
        for fault in SERVICE.faults:
            if fault["count"] > 0 and fault.get("method", self.command) == self.command and re.search(fault["path"], self.route_path):
                fault["count"] -= 1
                return fault
        return None

    def control(self, raw):
        content = json.loads(raw) if raw else None
        with SERVICE.lock:
            if self.route_path == "/control/log":
                return self.answer(200, SERVICE.log)
            if self.route_path == "/control/complaints":
                return self.answer(200, SERVICE.complaints)
            if self.route_path == "/control/fault":
                SERVICE.faults.append({"count": 1, **content})
            elif self.route_path == "/control/config":
                for name, config in content.items():
                    SERVICE.stacks[tuple(name.split("/"))].config = config
            elif self.route_path == "/control/clear":
                SERVICE.faults, SERVICE.log = [], []
            elif self.route_path == "/control/expire":
                for stack in SERVICE.stacks.values():
                    for update in stack.updates.values():
                        update.expires = 0
            elif self.route_path == "/control/stacks":
                return self.answer(200, {"/".join(name): {"tags": stack.tags, "state": stack.state, "events": {u.id: [u.events[i] for i in sorted(u.events)] for u in stack.updates.values()},
                                                          "requests": [u.request for u in stack.updates.values()]} for name, stack in SERVICE.stacks.items()})
            else:
                SERVICE.settings.update(content)
            self.answer(200, {})

    def decode(self, raw):
        is_form = self.route_path == "/api/oauth/token"
        if not (self.headers.get("User-Agent") or "").startswith("pulumi-cli/1 (v3."):
            SERVICE.complain("the user agent is " + str(self.headers.get("User-Agent")))
        if "application/vnd.pulumi+" not in (self.headers.get("Accept") or ""):
            SERVICE.complain("no API version is accepted")
        if not is_form and self.headers.get("Content-Type") != "application/json":
            SERVICE.complain("the content type of " + self.path)
        is_compressed = self.headers.get("Content-Encoding") == "gzip"
        if is_compressed != bool(COMPRESSED.search(self.route_path)):
            SERVICE.complain(f"{self.path} is {'' if is_compressed else 'not '}compressed")
        if is_compressed:
            raw = gzip.decompress(raw)
        if len(raw) > SERVICE.settings["largest_body"]:
            raise Refusal(413, "Request Entity Too Large")
        self.text = raw.decode()
        if self.route_path.startswith("/api/esc/") and ("/yaml/" in self.route_path or self.command == "PATCH"):
            return None  # a definition
        if is_form:
            return dict(urllib.parse.parse_qsl(self.text, keep_blank_values=True))
        return json.loads(raw) if raw else None

    # --- who asks ---

    def user(self):
        scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
        if scheme != "token" or token not in TOKENS:
            raise Refusal(401, "Unauthorized: No credentials provided or are invalid.")
        return TOKENS[token]

    # --- what is asked for ---

    def route(self):
        method, path = self.command, self.route_path
        if path == "/api/capabilities":
            return {"capabilities": SERVICE.settings["capabilities"]}
        if path == "/api/oauth/token":
            return self.grant()
        if (self.headers.get("Authorization") or "").startswith("update-token "):
            return self.route_update(method, path)
        name, token = self.user()
        if path == "/api/user":
            return {"id": name, "githubLogin": name, "name": name.title(), "email": name + "@example.com", "avatarUrl": "", "identities": [],
                    "organizations": [{"name": o, "githubLogin": o, "avatarUrl": ""} for o in SERVICE.settings["organizations"]],
                    "tokenInfo": {"name": token}}
        if path == "/api/user/organizations/default":
            return {"GitHubLogin": SERVICE.settings["default_organization"], "Messages": None}
        if path == "/api/user/stacks":
            return self.list_stacks()
        found = re.fullmatch(r"/api/esc/environments/([^/]+)/yaml/(check|open)(?:/(\w+))?", path)
        if found:
            return self.environment(*found.groups())
        found = re.fullmatch(r"/api/esc/environments/([^/]+)(?:/([^/]+)/([^/]+))?", path)
        if found:
            return self.keep_environment(method, *found.groups())
        found = re.fullmatch(r"/api/stacks/([\w.-]+)/([\w.-]+)", path)
        if found:
            return self.project(method, *found.groups())
        found = re.fullmatch(r"/api/stacks/([\w.-]+)/([\w.-]+)/([\w.-]+)(?:/(.*))?", path)
        if not found:
            raise Refusal(404, "Not Found")
        key, rest = found.groups()[:3], found[4] or ""
        return self.stack(method, key, self.find(key), rest)

    def grant(self):
        if self.body.get("grant_type") == "refresh_token" and self.body["refresh_token"] == "refresh-1":
            return {"access_token": "renewed", "expires_in": 3600, "token_type": "token", "scope": ""}
        if self.body.get("subject_token") == "signed" and self.body["audience"] == "urn:pulumi:org:acme":
            return {"access_token": "good", "refresh_token": "refresh-1", "expires_in": int(self.body["expiration"]), "token_type": "token", "scope": self.body["scope"]}
        raise Refusal(400, "Bad Request: the token is not trusted")

    def environment(self, organization, verb, identity):
        """One environment: what is imported is its only content."""
        if verb == "open" and not identity:
            return {"id": base64.urlsafe_b64encode(self.text.encode()).decode().rstrip("=").replace("-", "_")}
        text = self.text
        if identity:
            text = base64.urlsafe_b64decode(identity + "=" * (-len(identity) % 4)).decode()
        if "missing" in text:
            raise Refusal(400, "Bad Request: the environment 'missing' does not exist")
        try:
            properties = SERVICE.environments.properties(organization, text, verb == "check")
        except environments.Wrong as wrong:
            raise Refusal(400, f"Bad Request: {wrong}")
        if properties is not None:
            return {"properties": properties}
        hidden = {"value": "[unknown]", "unknown": True, "secret": True, "trace": {}} if verb == "check" else {"value": "hidden", "secret": True, "trace": {}}
        config = {"aws:region": {"value": "eu-1", "trace": {}}, "fromEnv": {"value": "hello", "trace": {}}, "pw": hidden,
                  "deep": {"value": {"a": {"value": [{"value": 1, "trace": {}}], "trace": {}}}, "trace": {}}}
        most = {"value": {"most": {"value": 9, "trace": {}}, "unit": {"value": "kg", "trace": {}}}, "trace": {}}
        return {"properties": {"policyConfig": {"value": {"rules:no-pets": most, "others:no-pets": {"value": "disabled", "trace": {}}}, "trace": {}},
                               "pulumiConfig": {"value": config, "trace": {}},
                               "environmentVariables": {"value": {"FROM_ESC": {"value": "variable", "trace": {}}}, "trace": {}},
                               "files": {"value": {"ESC_FILE": {"value": "in a file", "trace": {}}, "ESC_KEY": hidden}, "trace": {}}}}

    def keep_environment(self, method, organization, project, name):
        try:
            if method == "POST" and project is None:
                SERVICE.environments.create(organization, self.body)
            elif method == "PATCH" and project is not None:
                SERVICE.environments.define(organization, project, name, self.text)
            else:
                raise Refusal(405, "Method Not Allowed")
        except FileExistsError:
            raise Refusal(409, "Conflict: environment already exists")
        except FileNotFoundError:
            raise Refusal(404, "Not Found: environment not found")
        except environments.Wrong as wrong:
            raise Refusal(400, f"Bad Request: {wrong}")
        return {}

    def find(self, key):
        if key not in SERVICE.stacks:
            raise Refusal(404, f"Not Found: Stack '{'/'.join(key)}' not found")
        return SERVICE.stacks[key]

    def list_stacks(self):
        lines = []
        for (organization, project, name), stack in sorted(SERVICE.stacks.items()):
            if self.query.get("project", project) != project or self.query.get("organization", organization) != organization:
                continue
            line = {"id": stack.id, "orgName": organization, "projectName": project, "stackName": name}
            if stack.last or stack.running():
                line["lastUpdate"] = 0 if stack.running() else stack.last
            if stack.state["deployment"] is not None:
                line["resourceCount"] = len(stack.resources())
            lines.append(line)
        first, size = int(self.query.get("continuationToken", 0)), SERVICE.settings["page"]
        page = {"stacks": lines[first:first + size]}
        if first + size < len(lines):
            page["continuationToken"] = str(first + size)
        return page

    def project(self, method, organization, project):
        if method == "HEAD":
            if any(key[:2] == (organization, project) for key in SERVICE.stacks):
                return {}
            raise Refusal(404, "Not Found")
        key = (organization, project, self.body["stackName"])
        if organization not in SERVICE.settings["organizations"] + ["alice"]:
            raise Refusal(403, f"Forbidden: you may not create stacks in '{organization}'")
        if key in SERVICE.stacks:
            raise Refusal(409, f"Conflict: stack '{key[2]}' already exists")
        SERVICE.stacks[key] = Stack(self.body.get("tags") or {}, self.body.get("state"), self.body.get("config"))
        return {}

    def no_update(self, stack):
        if stack.running():
            raise Refusal(409, "Conflict: Another update is currently in progress.")

    def stack(self, method, key, stack, rest):
        if rest == "" and method == "GET":
            answer = {"id": stack.id, "orgName": key[0], "projectName": key[1], "stackName": key[2], "activeUpdate": stack.active, "tags": stack.tags, "version": stack.version}
            if stack.running():
                answer["currentOperation"] = {"kind": stack.running().kind, "author": "alice", "started": stack.running().started}
            if stack.config:
                answer["config"] = stack.config
            return answer
        if rest == "" and method == "DELETE":
            self.no_update(stack)
            kinds = [state["type"] for state in stack.resources()]
            if self.query["force"] != "true" and kinds not in ([], ["pulumi:pulumi:Stack"]):
                raise Refusal(400, "Bad Request: Stack still contains resources.")
            del SERVICE.stacks[key]
            return {}
        if rest == "config" and method == "PUT":
            stack.config = self.body
            return {}
        if rest == "tags" and method == "PATCH":
            stack.tags = self.body
            return {}
        if rest == "rename" and method == "POST":
            return self.rename(key, stack)
        if rest == "export":
            return stack.state
        if rest.startswith("export/"):
            if rest[7:] not in stack.versions:
                raise Refusal(404, f"Not Found: version {rest[7:]} of the stack does not exist")
            return stack.versions[rest[7:]]
        if rest == "import" and method == "POST":
            return self.take_import(stack)
        if rest in ("encrypt", "decrypt", "batch-encrypt", "batch-decrypt"):
            return self.seal(stack.seal, rest)
        if rest == "updates":
            size, page = int(self.query.get("pageSize", 1000)), int(self.query.get("page", 1))
            return {"updates": stack.history[(page - 1) * size:page * size]}
        if rest in ("update", "preview", "refresh", "destroy") and method == "POST":
            return self.create_update(stack, rest)
        if rest == "deployments" and method == "POST":
            SERVICE.log.append("deployment " + json.dumps(self.body, sort_keys=True))
            return {"id": "deployment-1", "consoleUrl": "https://app.example.com/deployments/1"}
        if rest == "deployments/deployment-1/logs":
            first = "continuationToken" not in self.query
            return {"lines": [{"header": "Get source"}, {"line": "cloning\n"}], "nextToken": "more"} if first else {"lines": [{"line": "done"}]}
        if rest == "deployments/deployment-1":
            return {"status": SERVICE.settings["deployment"]}
        found = re.fullmatch(r"update/([\w-]+)(?:/(\w+))?", rest)
        if found and found[1] in stack.updates:
            return self.update(method, stack, stack.updates[found[1]], found[2])
        raise Refusal(404, "Not Found: " + rest)

    def rename(self, key, stack):
        self.no_update(stack)
        new = (key[0], self.body["newProject"], self.body["newName"])
        if new in SERVICE.stacks:
            raise Refusal(409, f"Conflict: stack '{new[2]}' already exists")
        text = json.dumps(stack.state).replace(f"urn:pulumi:{key[2]}::{key[1]}::", f"urn:pulumi:{new[2]}::{new[1]}::")
        text = text.replace(f'pulumi:pulumi:Stack::{key[1]}-{key[2]}"', f'pulumi:pulumi:Stack::{new[1]}-{new[2]}"')
        stack.state = json.loads(text)
        provider = (stack.state["deployment"] or {}).get("secrets_providers")
        if provider and provider["type"] == "service":
            provider["state"].update(project=new[1], stack=new[2])
        SERVICE.stacks[new] = SERVICE.stacks.pop(key)
        return {}

    def record(self, stack, kind, result, started, request):
        metadata = request.get("metadata", {"message": "", "environment": {}})
        stack.history.insert(0, {"kind": kind, "startTime": started, "message": metadata["message"], "environment": metadata["environment"], "config": request.get("config", {}),
                                 "result": result, "endTime": int(time.time()), "version": stack.version, "resourceChanges": request.get("changes", {})})
        stack.versions[str(stack.version)] = copy.deepcopy(stack.state)
        stack.last = int(time.time())

    def take_import(self, stack):
        self.no_update(stack)
        if set(self.body) - {"version", "features", "deployment"}:
            SERVICE.complain("an import with unknown members")
        stack.state = self.body
        stack.version += 1
        update = Update("import", {"options": {"dryRun": False}})
        update.status = "succeeded"
        stack.updates[update.id] = update
        self.record(stack, "import", "succeeded", int(time.time()), {})
        return {"updateId": update.id}

    def seal(self, seal, verb):
        if verb == "encrypt":
            return {"ciphertext": seal.close(base64.b64decode(self.body["plaintext"]))}
        if verb == "decrypt":
            return {"plaintext": base64.b64encode(seal.open(self.body["ciphertext"])).decode()}
        if verb == "batch-encrypt":
            if not any(c["capability"] == "batch-encrypt" for c in SERVICE.settings["capabilities"]):
                SERVICE.complain("batch-encrypt without the capability")
            return {"ciphertexts": [seal.close(base64.b64decode(text)) for text in self.body["plaintexts"]]}
        return {"plaintexts": {text: base64.b64encode(seal.open(text)).decode() for text in self.body["ciphertexts"]}}

    # --- updates ---

    def create_update(self, stack, kind):
        for key in ("name", "runtime", "main", "description", "options", "config", "metadata"):
            if key not in self.body:
                SERVICE.complain("an update without " + key)
        for key, value in self.body["config"].items():
            if ":" not in key or set(value) != {"string", "secret", "object"}:
                SERVICE.complain("configuration " + key)
            manager = ((stack.state["deployment"] or {}).get("secrets_providers") or {}).get("type", "service")
            if value["secret"] and not value["object"] and manager == "service":
                stack.seal.open(value["string"])
        update = Update(kind, self.body)
        stack.updates[update.id] = update
        return {"updateID": update.id, "requiredPolicies": SERVICE.settings["policies"]}

    def update(self, method, stack, update, rest):
        if rest is None and method == "GET":
            return {"status": update.status, "events": []}
        if rest is None and method == "POST":
            return self.start(stack, update)
        if rest == "cancel" and method == "POST":
            update.status = "cancelled"
            return {}
        raise Refusal(403, "Forbidden: this needs the token of the update")

    def start(self, stack, update):
        if update.status != "not started":
            raise Refusal(409, "Conflict: The update was started already.")
        if not update.dry:
            self.no_update(stack)
            stack.version += 1
            stack.active = update.id
        if self.body.get("tags") is not None:
            stack.tags = self.body["tags"]
        update.status, update.started, update.version = "running", int(time.time()), stack.version
        update.beginning = copy.deepcopy(stack.state["deployment"])
        update.base = Replay(update.beginning)
        answer = {"version": stack.version, **update.lease(SERVICE.settings["lease_seconds"])}
        if self.body.get("journalVersion") == 1 and SERVICE.settings["journal"]:
            update.journaled = True
            answer["journalVersion"] = SERVICE.settings["journal"]
        return answer

    def route_update(self, method, path):
        found = re.fullmatch(r"/api/stacks/([\w.-]+)/([\w.-]+)/([\w.-]+)/update/([\w-]+)/(.*)", path)
        if not found:
            SERVICE.complain(f"{path} with the token of an update")
        stack = self.find(found.groups()[:3])
        update, rest = stack.updates.get(found[4]), found[5]
        token = self.headers["Authorization"].partition(" ")[2]
        if not update or token not in update.tokens:
            raise Refusal(403, "Forbidden: The update token is not valid.")
        if update.status == "running" and update.expires < time.time():
            update.status = "failed"
        if rest == "complete" and update.status == self.body["status"]:
            return {}
        if update.status != "running":
            raise Refusal(403, f"Forbidden: The update token has expired: the update is {update.status}.")
        action = {"renew_lease": self.renew, "events/batch": self.take_events, "complete": self.complete, "journalentries": self.take_entries,
                  "checkpoint": self.take_checkpoint, "checkpointverbatim": self.take_verbatim, "checkpointdelta": self.take_delta}.get(rest)
        if not action:
            raise Refusal(404, "Not Found: " + rest)
        return action(stack, update)

    def renew(self, _, update):
        if self.body["duration"] != 300:
            SERVICE.complain("the duration of a lease")
        return update.lease(SERVICE.settings["lease_seconds"])

    def take_events(self, _, update):
        for event in self.body["events"]:
            kinds = set(event) - {"sequence", "timestamp"}
            if len(kinds) != 1 or not kinds.pop().endswith("Event") or "cancelEvent" in event:
                SERVICE.complain("an event " + str(sorted(event)))
            if update.events.setdefault(event["sequence"], event) != event:
                SERVICE.complain("two events with one number")
        return {}

    def complete(self, stack, update):
        if self.body["status"] not in ("succeeded", "failed"):
            SERVICE.complain("the status of complete")
        update.status = self.body["status"]
        if not update.dry:
            changes = {}
            for event in update.events.values():
                changes = event.get("summaryEvent", {}).get("resourceChanges") or changes
            self.record(stack, update.kind, update.status, update.started, {**update.request, "changes": changes})
        return {}

    def may_save(self, update, journaled):
        if update.dry:
            SERVICE.complain("a preview saves")
        if update.journaled != journaled:
            SERVICE.complain("the wrong way to save")

    def take_entries(self, stack, update):
        self.may_save(update, True)
        for entry in self.body["entries"]:
            number = entry["sequenceID"]
            if entry.get("version") != 1:
                SERVICE.complain("the version of a journal entry")
            if SERVICE.settings["any_entries"]:
                update.base.take(entry)
                continue
            if SERVICE.settings["any_order"]:
                if update.numbered.setdefault(number, entry) != entry:
                    SERVICE.complain("two journal entries with one number")
                continue
            if number <= len(update.entries):
                if update.entries[number - 1] != entry:
                    SERVICE.complain("two journal entries with one number")
                continue
            if number != len(update.entries) + 1:
                SERVICE.complain(f"journal entry {number} after {len(update.entries)}")
            if number == 1 and entry["kind"] not in (5, 6):
                SERVICE.complain("a journal that does not begin with the secrets manager")
            update.entries.append(entry)
            update.base.take(entry)
        if update.numbered:
            replay = Replay(update.beginning)
            for number in sorted(update.numbered):
                replay.take(update.numbered[number])
            update.base = replay
        stack.set_deployment(update.base.result())
        return {}

    def take_checkpoint(self, stack, update):
        self.may_save(update, False)
        if self.body["isInvalid"] or "deployment" not in self.body:
            SERVICE.complain("a checkpoint")
        stack.state = {key: self.body[key] for key in ("version", "features", "deployment") if key in self.body}
        return {}

    def take_verbatim(self, stack, update):
        self.may_save(update, False)
        begin = self.text.index('"untypedDeployment":') + len('"untypedDeployment":')
        _, end = json.JSONDecoder().raw_decode(self.text[begin:])
        return self.keep_text(stack, update, self.text[begin:begin + end].encode())

    def take_delta(self, stack, update):
        self.may_save(update, False)
        if update.text is None:
            SERVICE.complain("a delta before anything whole")
        text, last = update.text, len(update.text)
        for edit in reversed(self.body["deploymentDelta"]):
            start, end = edit["Span"]["start"]["offset"], edit["Span"]["end"]["offset"]
            if not start <= end <= last:
                SERVICE.complain("edits that are not in order")
            text, last = text[:start] + edit["NewText"].encode() + text[end:], start
        if hashlib.sha256(text).hexdigest() != self.body["checkpointHash"]:
            SERVICE.complain("the hash of a delta")
        return self.keep_text(stack, update, text)

    def keep_text(self, stack, update, text):
        if self.body["sequenceNumber"] not in (update.sequence, update.sequence + 1):
            SERVICE.complain(f"state {self.body['sequenceNumber']} after {update.sequence}")
        update.sequence, update.text = self.body["sequenceNumber"], text
        stack.state = json.loads(text)
        return {}


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    server.daemon_threads = True
    print("PORT", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
