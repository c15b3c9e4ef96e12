"""reduce.py - makes a failing scenario smaller while it still fails in the same way."""

import copy
import json
import time

from generate import drop_labels, label_of

SECONDS = 240


def labels_in(entries):
    found = []
    for entry in entries:
        found += labels_in(entry.get("parallel", [])) + labels_in(entry.get("seq", []))
        if label_of(entry):
            found.append(label_of(entry))
    return found


def drop_everywhere(scenario, label):
    smaller = copy.deepcopy(scenario)
    for op in smaller["ops"]:
        if "program" in op:
            op["program"] = drop_in(op["program"], label)
    return smaller


def drop_in(entries, label):
    kept = []
    for entry in entries:
        if "parallel" in entry:
            inner = drop_in(entry["parallel"], label)
            kept += [{"parallel": inner}] if len(inner) > 1 else inner
        elif "seq" in entry:
            inner = drop_in(entry["seq"], label)
            kept += [{"seq": inner}] if len(inner) > 1 else inner
        else:
            kept += drop_labels([entry], {label})
    return kept


def flattened(entries):
    flat = []
    for entry in entries:
        inner = entry.get("parallel", entry.get("seq"))
        flat += [entry] if inner is None else flattened(inner)
    return flat


def smaller_forms(scenario):
    """Candidates, the boldest first."""
    ops = scenario["ops"]
    for i in range(len(ops)):
        if not ops[i].get("final"):
            yield {**scenario, "ops": carried(ops, i)}
    labels = dict.fromkeys(label for op in ops for label in labels_in(op.get("program", [])))
    for label in reversed(labels):
        yield drop_everywhere(scenario, label)
    for i, op in enumerate(ops):
        for at, entry in enumerate(op.get("program", [])):
            if not label_of(entry) and "parallel" not in entry and "seq" not in entry:
                yield with_op(scenario, i, {**op, "program": op["program"][:at] + op["program"][at + 1:]})
        for key in ("rules", "args", "parallel", "env", "cloud", "killAfterMs"):
            if op.get(key) and not (key == "args" and op["do"] == "cli"):
                yield with_op(scenario, i, {k: v for k, v in op.items() if k != key})
        for at in range(len(op.get("rules", []))):
            if len(op["rules"]) > 1:
                yield with_op(scenario, i, {**op, "rules": op["rules"][:at] + op["rules"][at + 1:]})
        if any("parallel" in entry for entry in op.get("program", [])):
            yield with_op(scenario, i, {**op, "program": flattened(op["program"])})
    yield from plainer_entries(scenario)


def carried(ops, i):
    """The operations without one; what it put into the cloud is put there by the next."""
    rest = copy.deepcopy(ops[:i] + ops[i + 1:])
    put = {k: v for k, v in ops[i].get("cloud", {}).get("set", {}).items() if k.startswith("ext-")}
    if put and i < len(rest):
        cloud = rest[i].setdefault("cloud", {})
        cloud["set"] = {**put, **cloud.get("set", {})}
    return rest


def with_op(scenario, i, op):
    return {**scenario, "ops": scenario["ops"][:i] + [op] + scenario["ops"][i + 1:]}


def plainer_entries(scenario):
    """Drops one option or property of one resource in every program that has it."""
    wanted = {}
    for op in scenario["ops"]:
        for entry in flattened(op.get("program", [])):
            for key in ("opts", "props"):
                for name in entry.get(key, {}):
                    wanted[(label_of(entry), key, name)] = True
            for key in ("dependsOn", "deletedWith", "replaceWith", "parent", "provider"):
                if key in entry:
                    wanted[(label_of(entry), key, None)] = True
    for label, key, name in wanted:
        smaller = copy.deepcopy(scenario)
        for op in smaller["ops"]:
            for entry in flattened(op.get("program", [])):
                if label_of(entry) == label and key in entry:
                    if name is None:
                        del entry[key]
                    else:
                        entry[key].pop(name, None)
        yield smaller


def reduced(scenario, fails):
    """The smallest form found in a while for which fails() is true."""
    deadline = time.monotonic() + SECONDS
    progress = True
    while progress:
        progress = False
        for candidate in smaller_forms(scenario):
            if time.monotonic() > deadline:
                return scenario
            if fails(candidate):
                scenario, progress = candidate, True
                break
    return scenario


def as_text(scenario, violation):
    """A scenario file; JSON in flow style is YAML."""
    lines = [f"about: {json.dumps(str(violation).splitlines()[0])}"]
    lines += [f"{key}: {json.dumps(value)}" for key, value in scenario.get("setting", {}).items() if key != "side"]
    lines.append("ops:")
    last = None
    for op in scenario["ops"]:
        lines.append(f"  - do: {op['do']}")
        for key in ("args", "parallel", "env", "cloud", "files", "input"):
            if op.get(key):
                lines.append(f"    {key}: {json.dumps(op[key])}")
        if "program" in op and op["program"] != last:
            last = op["program"]
            lines.append("    program:" if last else "    program: []")
            lines += [f"      - {json.dumps(entry)}" for entry in last]
            if "remote" in json.dumps(last):
                lines.append(f"    components: {json.dumps(op.get('components', {}))}")
        if op.get("rules"):
            lines.append("    rules:")
            lines += [f"      - {json.dumps(rule)}" for rule in op["rules"]]
    return "\n".join(lines)
