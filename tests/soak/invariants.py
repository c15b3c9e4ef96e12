"""invariants.py - what must hold after every operation, whatever was asked for and whatever went wrong."""

import re

from generate import SECRET_TEXT

STACK = "pulumi:pulumi:Stack"

# What may rightly fail although neither provider, program nor anyone outside did anything wrong.
RIGHTFUL = re.compile(
    r"protect|which was was not specified in|not specified in --target|no resource named|does not exist|"
    r"may not be replaced|the program has had enough|no resources? matched|expect|was not found in the stack|"
    r"could not be found in the stack|has not been registered yet, this is due to a change of providers|"
    r"plan\d+\.json: no such file|"  # its preview failed
    r"does not, was registered before it, and depends on it in the state|"
    # the program makes a secret of an output that a skipped resource does not have
    r"malformed RPC secret: missing value")
ALARMING = re.compile(
    r"integrity|AddressSanitizer|LeakSanitizer|runtime error:|SUMMARY: |assert|[Pp]anic|internal error|"
    r"this is a bug|Segmentation|corrupt", re.I)


class Violation(Exception):
    """A broken invariant; kind is a short name that stays the same while a scenario is made smaller."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def require(holds, kind, text):
    if not holds:
        raise Violation(kind, text)


def urns_of(resource):
    """The URNs that a resource refers to."""
    urns = list(resource.get("dependencies") or [])
    for listed in (resource.get("propertyDependencies") or {}).values():
        urns += listed or []
    urns += resource.get("replaceWith") or []
    return urns + [resource[key] for key in ("parent", "deletedWith") if resource.get(key)]


def check_snapshot(state):
    """Order, references, providers and duplicates."""
    seen, providers, live = set(), set(), set()
    for resource in state.get("resources") or []:
        urn = resource["urn"]
        require(not (resource.get("delete") and resource.get("pendingReplacement")), "half",
                f"{urn} is both to be deleted and deleted")
        for other in urns_of(resource):
            require(other in seen, "order", f"{urn} refers to {other}, which does not stand before it")
        if resource.get("provider"):
            known = resource["provider"] in providers or resource.get("pendingReplacement")
            require(known, "provider", f"{urn} has no provider {resource['provider']}")
        if not resource.get("delete"):
            require(urn not in live, "duplicate", f"{urn} is there twice")
            live.add(urn)
        seen.add(urn)
        if resource["type"].startswith("pulumi:providers:"):
            providers.add(f"{urn}::{resource['id']}")


def managed(state):
    """The resources that stand for an object of the cloud."""
    return [r for r in state.get("resources") or []
            if r.get("custom") and not r.get("external") and r.get("id") and not r["type"].startswith("pulumi:")]


def name_of(urn):
    return urn.rsplit("::", 1)[1]


class Book:
    """What the checker remembers of the cloud from one operation to the next."""

    def __init__(self):
        self.state = {}
        self.gone = set()   # ids that may be in the state without being in the cloud
        self.loose = set()  # ids that may be in the cloud without being in the state
        self.ever = set()   # ids that ever were in the cloud

    def drift(self, op):
        """Notes what is done behind the engine's back."""
        edit = op.get("cloud", {})
        self.gone |= set(edit.get("delete", []))
        self.loose |= {name for name in edit.get("set", {}) if name.startswith("ext-")}
        if op.get("args", [])[:2] == ["state", "delete"]:
            self.loose |= {r["id"] for r in managed(self.state) if r["urn"] == op["args"][2]}

    def forgive(self, op, trace, state, is_broken):
        """Notes what an operation may have left behind by rule."""
        flagged = [r for r in (self.state.get("resources") or []) + (state.get("resources") or [])
                   if r.get("retainOnDelete") or r.get("deletedWith") or r.get("external")]
        self.loose |= {r["id"] for r in flagged if r.get("id")}
        self.retained_names = {name_of(r["urn"]) for r in flagged}
        self.gone |= {r["id"] for r in state.get("resources") or [] if r.get("pendingReplacement") and r.get("id")}
        if is_broken:  # the engine or a provider died: deletes may have been done and not been written down
            self.gone |= {call["request"]["id"] for call in trace if call.get("rpc") == "Delete"}


def asks_to_keep(entries):
    """Names that a program wants kept or deleted with others, at any depth; their objects may outlive them."""
    names = set()
    for entry in entries:
        names |= asks_to_keep(entry.get("parallel", [])) | asks_to_keep(entry.get("seq", []))
        if entry.get("opts", {}).get("retainOnDelete") or entry.get("deletedWith"):
            names.add(entry.get("name") or entry.get("resource"))
    return names


def check_cloud(book, op, trace, state, cloud, is_broken):
    """The state equals the cloud plus pending operations."""
    book.forgive(op, trace, state, is_broken)
    objects = cloud.get("objects") or {}
    here = {r["id"] for r in managed(state)}
    for resource in managed(state):
        known = resource["id"] in objects or resource["id"] in book.gone
        require(known, "phantom", f"{resource['urn']} has id {resource['id']}, which is not in the cloud")
    pending = {name_of(p["resource"]["urn"]) for p in state.get("pending_operations") or []}
    kept = asks_to_keep(op.get("program", []))
    for name in objects:
        owner = name.rsplit("-", 1)[0]
        if owner in kept and name not in here:
            book.loose.add(name)
        if name in here or name in book.loose:
            continue
        if owner in pending:
            book.loose.add(name)  # the user is told of it, and may clear it
            continue
        require(False, "orphan", f"{name} is in the cloud, but not in the state")


def check_calls(book, op, trace, before, events):
    """No call to what does not exist; no call to a provider that is not configured; dependents are deleted first."""
    dead = book.ever - set(before.get("objects") or {}) - book.gone
    for call in trace:
        require(not call.get("unconfigured"), "unconfigured", f"{call.get('rpc')} before Configure")
        if call.get("rpc") in ("Update", "Delete"):
            require(call["request"]["id"] not in dead, "dead",
                    f"{call['rpc']} of {call['request']['id']}, which was deleted")
        if op["do"] == "preview":
            unreal = call.get("rpc") in ("Create", "Update") and not call["request"].get("preview")
            require(not unreal and call.get("rpc") != "Delete", "preview", f"a preview called {call.get('rpc')}")
    deleted = {}
    for at, call in enumerate(trace):
        if call.get("rpc") == "Delete":
            deleted.setdefault(call["request"]["id"], at)
    replaced = {(event.get("resourcePreEvent") or {}).get("metadata", {}).get("urn") for event in events
                if (event.get("resourcePreEvent") or {}).get("metadata", {}).get("op") == "delete-replaced"}
    if "--run-program" in op.get("args", []):
        return  # what depends on what is the program's word by then
    live = [r for r in managed(book.state) if not r.get("delete") and r["id"] in deleted]
    ids = {r["urn"]: r["id"] for r in live}
    for resource in live:
        for urn in urns_of(resource):
            if urn in ids and urn != resource["urn"] and urn not in replaced:
                require(deleted[resource["id"]] < deleted[ids[urn]], "delete-order",
                        f"{urn} was deleted before {resource['urn']}, which depends on it")


def check_events(events):
    """Every step of a custom resource that begins also ends."""
    open_steps = {}
    for event in events:
        for kind in ("resourcePreEvent", "resOutputsEvent", "resOpFailedEvent"):
            metadata = (event.get(kind) or {}).get("metadata")
            if not metadata or not ((metadata.get("new") or metadata.get("old") or {}).get("custom")):
                continue
            if metadata["op"] in ("remove-pending-replace", "refresh") or kind == "resourcePreEvent" and \
                    metadata["op"] in ("delete-replaced", "discard-replaced", "replace"):
                continue
            key = (metadata["urn"])
            open_steps[key] = open_steps.get(key, 0) + (1 if kind == "resourcePreEvent" else 0)
            if kind != "resourcePreEvent":
                open_steps[key] = 0
    left = [key for key, count in open_steps.items() if count > 0]
    require(not left, "unended", f"steps began and did not end: {left}")


def check_exit(op, code, output, is_faulty, is_killed):
    if is_killed and code == -9:
        return
    require(code is not None, "hang", "the command did not end")
    require(0 <= code < 128, "exit", f"exit code {code}\n{output}")
    require(not ALARMING.search(output), "alarm", output)
    if op.get("final"):
        require(code == 0, "final " + " ".join([op["do"], *op.get("args", [])]), f"exit code {code}\n{output}")
    elif code != 0:
        require("error" in output or "[mandatory]" in output, "silent", f"exit code {code} without an error\n{output}")
        require(is_faulty or RIGHTFUL.search(output), "reason", f"failed without a fault\n{output}")


def check_secrets(world, output):
    require(SECRET_TEXT not in output, "secret", f"a secret was printed\n{output}")
    found = world.find_text(SECRET_TEXT)
    require(not found, "secret", f"a secret is in the clear in {found}")
