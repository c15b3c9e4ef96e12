"""play.py - plays a scenario in a world and checks the invariants after each operation."""

import copy
import json

from invariants import (STACK, Book, Violation, check_calls, check_cloud, check_events, check_exit, check_secrets,
                        check_snapshot, managed, name_of, require)
from world import World


def resolve_drift(op, state, cloud):
    """Turns drift by resource name into drift by id, now that ids are known."""
    op = copy.deepcopy(op)
    ids = {name_of(r["urn"]): r["id"] for r in managed(state) if not r.get("delete")}
    edit = op.setdefault("cloud", {})
    for change in op.pop("drift", []):
        name = ids.get(change["name"])
        if name not in (cloud.get("objects") or {}):
            continue
        if change.get("delete"):
            edit.setdefault("delete", []).append(name)
        else:
            known = cloud["objects"][name]
            edit.setdefault("set", {})[name] = {"type": known["type"], "props": {**known["props"], **change["set"]}}
    if not edit:
        del op["cloud"]
    return op


def resolve_edit(op, state, number):
    """Turns an edit of the state by resource name into a command, now that URNs are known."""
    if "edit" not in op:
        return op
    verb, name = op["edit"]
    op = {k: v for k, v in op.items() if k != "edit"}
    urns = [r["urn"] for r in managed(state) if name_of(r["urn"]) == name and not r.get("delete")]
    more = [f"{name}x{number}"] if verb == "rename" else []
    return {**op, "args": ["state", verb, urns[0], *more, "--yes"] if urns else ["version"]}


def resolve_move(op, state, side, stack):
    """Turns a move to the other stack, or back, into a command."""
    if "move" not in op:
        return op
    way, number, with_parents = op["move"]
    op = {k: v for k, v in op.items() if k != "move"}
    urns = [r["urn"] for r in (side if way == "back" else state).get("resources") or [] if r["type"] != STACK]
    if not urns:
        return {**op, "args": ["version"]}
    places = ["--source", "side", "--dest", stack] if way == "back" else ["--source", stack, "--dest", "side"]
    parents = ["--include-parents"] if with_parents else []
    return {**op, "args": ["state", "move", *places, *parents, urns[number % len(urns)], "--yes"]}


def was_killed(op, code):
    return code == -9 and "killAfterMs" in op or code == -9 and any(rule.get("signal") == 9 for rule in op.get("rules", []))


def has_fault(op):
    return bool("killAfterMs" in op or op.get("mayFail") or any("sleepMs" not in rule for rule in op.get("rules", [])) or op.get("drift") or op.get("cloud", {}).get("delete"))


def last_phase(events):
    """A preview before the operation tells its own events."""
    begins = [i for i, event in enumerate(events) if "preludeEvent" in event]
    return events[begins[-1]:] if begins else events


class Player:
    """Plays one scenario. played holds the operations as they were really done, for printing."""

    def __init__(self, scenario, program, scripted, log=None):
        self.scenario, self.program, self.scripted = scenario, program, scripted
        self.log = log
        self.played = []
        self.book = Book()
        self.drifted = False

    def note(self, text):
        if self.log:
            self.log.write(text + "\n")

    def play(self):
        """Raises Violation."""
        with World(self.program, self.scripted, self.scenario.get("setting")) as world:
            for number, op in enumerate(self.scenario["ops"]):
                try:
                    self.operation(world, op)
                except Violation as violation:
                    violation.args = (f"operation {number + 1} ({op['do']}): {violation}",)
                    raise

    def operation(self, world, op):
        book = self.book
        before = world.cloud()
        op = resolve_edit(resolve_drift(op, book.state, before), book.state, len(self.played))
        op = resolve_move(op, book.state, world.side_state(), world.stack)
        self.played.append(op)
        self.drifted = self.drifted or "delete" in op.get("cloud", {})
        book.drift(op)
        if "cloud" in op:
            world.edit_cloud(op["cloud"])
        before = world.cloud()
        book.ever |= set(before.get("objects") or {})
        code, output = world.operate({k: v for k, v in op.items() if k != "cloud"})
        self.note(f"$ {op['do']} {' '.join(op.get('args', []))} parallel={op.get('parallel', 1)} -> {code}\n"
                  f"  rules {json.dumps(op.get('rules', []))}\n  cloud {json.dumps(op.get('cloud', {}))}\n{output}")
        is_killed = was_killed(op, code)
        is_broken = is_killed or any(rule.get("crash") or rule.get("signal") for rule in op.get("rules", []))
        is_edit = op["do"] == "cli" and not op.get("final")
        check_exit(op, code, output, is_edit or has_fault(op) or self.drifted, is_killed)
        left = world.leftovers()
        require(not left, "process", f"processes {left} are still running")
        trace = [line for line in world.lines("trace.jsonl") if line.get("from") == "provider"
                 and not (op.get("previews") and (line.get("request") or {}).get("preview"))]
        self.unlock(world, is_killed)
        state, text = world.export()
        require(state is not None, "export", text)
        self.note(json.dumps([{k: r.get(k) for k in ("urn", "id", "delete", "pendingReplacement", "external", "dependencies",
                  "deletedWith", "retainOnDelete") if r.get(k)} for r in state.get("resources") or []], indent=1)
                  if op["do"] != "cli" else "")
        check_secrets(world, output)
        check_snapshot(state)
        side = world.side_state()
        check_snapshot(side)
        book.loose |= {r["id"] for r in managed(side)}
        if op["do"] == "preview":
            require(world.cloud() == before, "preview", "a preview changed the cloud")
            require(state.get("resources") == book.state.get("resources"), "preview", "a preview changed the state")
        events = last_phase(world.lines("events.json"))
        check_calls(book, op, trace, before, events)
        check_cloud(book, op, trace, state, world.cloud(), is_broken)
        is_preview = any(event.get("summaryEvent", {}).get("isPreview") for event in events)
        has_no_end = (op["do"] == "preview" or is_preview) and code != 0  # so failed steps of a preview are told
        if not (is_killed or has_no_end or "received; terminating" in output):
            check_events(events)
        book.state = state
        book.ever |= set(world.cloud().get("objects") or {})
        for left in [state] if op.get("final") and op["do"] == "destroy" else [side] if op.get("empties") else []:
            require(not left.get("resources"), "rest", f"a destroy left {[r['urn'] for r in left.get('resources') or []]}")

    def unlock(self, world, is_killed):
        if is_killed:
            code, output = world.run(["cancel", "--yes", world.stack])
            require(code == 0 or not world.locks(), "cancel", output)
        require(not world.locks(), "lock", f"locks {world.locks()} were left")


def violation_of(scenario, program, scripted, log=None):
    """The broken invariant of a scenario, or None, and the operations as they were done."""
    player = Player(scenario, program, scripted, log)
    try:
        player.play()
        return None, player.played
    except Violation as violation:
        return violation, player.played

