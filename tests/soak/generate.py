"""generate.py - random scenarios: programs that change from operation to operation, faults, drift, interrupts."""

import copy
import random

RES = "pkg:index:Res"
FORM = "pkg:index:Form"
COMP = "my:index:Comp"
REMOTE = "pkg:index:Comp"
PROVIDER = "pulumi:providers:pkg"
SECRET_TEXT = "hush-"  # how every secret value begins; it must never be seen in the clear

REMOTE_COMPONENTS = {REMOTE: {"program": [{"resource": "inner", "type": RES, "props": {"x": 1}}],
                              "state": {"out": "${inner.out}"}}}


def label_of(entry):
    return entry.get("resource") or entry.get("read")


def name_of(entry):
    return entry.get("name") or label_of(entry)


def is_custom(entry):
    return "resource" in entry and not entry.get("component") and not entry.get("remote") and entry["type"] != PROVIDER


def is_provider(entry):
    return entry.get("type") == PROVIDER


def references(value):
    """The labels that a property value refers to."""
    if isinstance(value, str) and value.startswith("${"):
        return {value[2:].split(".")[0]}
    if isinstance(value, dict) and "$ref" in value:
        return {value["$ref"]}
    if isinstance(value, dict) and "$output" in value:
        return references(value["$output"].get("value")) | set(value["$output"].get("dependencies", []))
    if isinstance(value, dict):
        return set().union(*(references(v) for v in value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*(references(v) for v in value)) if value else set()
    return set()


def labels_used(entry):
    """Every label that an entry needs to stand after."""
    used = references(entry.get("props", {})) | set(entry.get("dependsOn", [])) | set(entry.get("replaceWith", []))
    used |= {entry[key] for key in ("parent", "provider", "deletedWith", "outputs") if key in entry}
    used |= set(entry.get("providers", {}).values()) | references(entry.get("id"))
    used |= references(entry.get("values", {})) | references(entry.get("export", {}))
    return used


def without(entry, gone):
    """The entry without its references to the labels in gone."""
    entry = copy.deepcopy(entry)
    for key in ("props", "values", "export"):
        if key in entry:
            entry[key] = {k: v for k, v in entry[key].items() if not references(v) & gone}
    for key in ("dependsOn", "replaceWith"):
        if key in entry:
            entry[key] = [label for label in entry[key] if label not in gone]
            if not entry[key]:
                del entry[key]
    for key in ("parent", "provider", "deletedWith"):
        if entry.get(key) in gone:
            del entry[key]
    if "providers" in entry:
        entry["providers"] = {k: v for k, v in entry["providers"].items() if v not in gone}
    return entry


def drop_labels(program, gone):
    """The program without the entries labelled so, and without references to them."""
    kept = [e for e in program if label_of(e) not in gone and e.get("outputs") not in gone]
    return [without(e, gone) for e in kept]


class Program:
    """A program under change. Entries only refer to earlier ones."""

    def __init__(self, rng):
        self.rng = rng
        self.entries = []
        self.count = 0
        self.names = []    # of every custom resource there ever was
        self.foreign = {}  # objects to put into the cloud before the next operation

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def pick(self, test=lambda e: True, before=None):
        entries = self.entries if before is None else self.entries[:before]
        found = [e for e in entries if label_of(e) and test(e)]
        return self.rng.choice(found) if found else None

    def chance(self, share):
        return self.rng.random() < share

    # --- values and options ---

    def constant(self):
        number = self.rng.randint(1, 4)
        return self.rng.choice([number, f"v{number}", {"k": number, "l": [1, number]}, [number, "e"],
                                {"$secret": f"{SECRET_TEXT}{number}"}, {"t": {"$secret": f"{SECRET_TEXT}{number}"}}])

    def value(self, before):
        target = self.pick(lambda e: not is_provider(e), before)
        if target is None or self.chance(0.4):
            return self.constant()
        way = self.rng.choice(["out", "out", "id", "urn"]) if is_custom(target) else "urn"
        reference = "${%s.%s}" % (label_of(target), way)
        return self.rng.choice([reference, [reference, 1], {"n": reference}, {"$secret": reference}])

    def property(self):
        return self.rng.choice(["x", "x", "y", "z", "forceA", "forceA", "dbrA"])

    def give_options(self, entry, at):
        rng, opts = self.rng, {}
        if self.chance(0.12):
            opts["protect"] = True
        if self.chance(0.12):
            opts["retainOnDelete"] = True
        if self.chance(0.15):
            opts["ignoreChanges"] = [self.property()]
        if self.chance(0.12):
            opts["replaceOnChanges"] = [rng.choice([self.property(), "*"])]
        if self.chance(0.15):
            opts.update(deleteBeforeReplace=rng.random() < 0.7, deleteBeforeReplaceDefined=True)
        if self.chance(0.08):
            opts["additionalSecretOutputs"] = ["out"]
        if self.chance(0.08):
            opts["replacementTrigger"] = rng.randint(1, 2)
        if self.chance(0.05):
            opts["customTimeouts"] = {"create": "5m", "delete": "1m"}
        if opts:
            entry["opts"] = opts
        if self.chance(0.15):
            other = self.pick(is_custom, at)
            if other:
                entry["deletedWith"] = label_of(other)
        if self.chance(0.12):
            other = self.pick(is_custom, at)
            if other:
                entry["replaceWith"] = [label_of(other)]

    def give_place(self, entry, at):
        if self.chance(0.35):
            parent = self.pick(lambda e: e.get("component") or (is_custom(e) and self.chance(0.3)), at)
            if parent:
                entry["parent"] = label_of(parent)
        if self.chance(0.35):
            other = self.pick(lambda e: not is_provider(e), at)
            if other:
                entry["dependsOn"] = [label_of(other)]
        if self.chance(0.35):
            provider = self.pick(is_provider, at)
            if provider:
                entry["provider"] = label_of(provider)

    # --- changes ---

    def add(self):
        kind = self.rng.choices(["custom", "component", "provider", "read", "import", "remote"],
                                [60, 12, 8, 6, 5, 4])[0]
        at = self.rng.randint(len(self.entries) // 2, len(self.entries))
        getattr(self, "add_" + kind)(at)

    def add_custom(self, at):
        label = self.fresh("r")
        props = {self.property(): self.value(at) for _ in range(self.rng.randint(0, 3))}
        entry = {"resource": label, "type": self.rng.choice([RES, RES, FORM]), "props": props}
        self.give_place(entry, at)
        self.give_options(entry, at)
        self.names.append(label)
        self.entries.insert(at, entry)

    def add_component(self, at):
        label = self.fresh("c")
        entry = {"resource": label, "type": COMP, "component": True, "props": {}}
        if self.chance(0.5):
            entry["props"]["i"] = self.value(at)
        self.give_place(entry, at)
        if "provider" in entry:
            entry["providers"] = {"pkg": entry.pop("provider")}
        if self.chance(0.15):
            entry["opts"] = {self.rng.choice(["protect", "retainOnDelete"]): True}
        self.entries.insert(at, entry)
        if self.chance(0.7):
            self.entries.append({"outputs": label, "values": {"o": self.value(len(self.entries))}})

    def add_remote(self, at):
        if self.pick(lambda e: e.get("remote")):
            return  # what is inside has the same name in each
        label = self.fresh("m")
        self.entries.insert(at, {"resource": label, "type": REMOTE, "remote": True, "props": {"a": self.value(at)}})
        self.names.append("inner")

    def add_provider(self, at):
        label = self.fresh("p")
        props = {self.rng.choice(["region", "forceRegion"]): f"v{self.rng.randint(1, 2)}"}
        if self.chance(0.2):
            props["y"] = self.value(at)
        self.entries.insert(at, {"resource": label, "type": PROVIDER, "props": props})

    def add_read(self, at):
        label = self.fresh("x")
        self.foreign[f"ext-{label}"] = {"type": RES, "props": {"x": 1, "out": f"out-ext-{label}"}}
        self.entries.insert(at, {"read": label, "type": RES, "id": f"ext-{label}", "props": {}})

    def add_import(self, at):
        label = self.fresh("i")
        self.foreign[f"ext-{label}"] = {"type": RES, "props": {"x": 1, "out": f"out-ext-{label}"}}
        self.names.append(label)
        self.entries.insert(at, {"resource": label, "type": RES, "props": {"x": self.rng.randint(1, 2)},
                                 "opts": {"importId": f"ext-{label}"}})

    def remove(self):
        entry = self.pick()
        if entry:
            self.entries = drop_labels(self.entries, {label_of(entry)})

    def change(self):
        entry = self.pick(lambda e: "resource" in e and not e.get("remote") and "importId" not in e.get("opts", {}))
        if entry is None:
            return
        at = self.entries.index(entry)
        if is_provider(entry):
            entry["props"][self.rng.choice(["region", "forceRegion"])] = f"v{self.rng.randint(1, 3)}"
            return
        key = "i" if entry.get("component") else self.property()
        if key in entry["props"] and self.chance(0.2):
            del entry["props"][key]
        else:
            entry["props"][key] = self.value(at)

    def change_options(self):
        entry = self.pick(is_custom)
        if entry is None or "importId" in entry.get("opts", {}):
            return
        for key in ("opts", "deletedWith", "replaceWith"):
            entry.pop(key, None)
        self.give_options(entry, self.entries.index(entry))

    def move(self):
        entry = self.pick(is_custom)
        if entry is None or "importId" in entry.get("opts", {}):
            return
        for key in ("parent", "dependsOn", "provider"):
            entry.pop(key, None)
        self.give_place(entry, self.entries.index(entry))

    def rename(self):
        entry = self.pick(lambda e: "resource" in e and "importId" not in e.get("opts", {}) and not e.get("remote"))
        if entry is None:
            return
        old, new = name_of(entry), self.fresh(label_of(entry)[0])
        opts = entry.setdefault("opts", {})
        opts["aliases"] = opts.get("aliases", []) + [{"spec": {"name": old}}]
        entry["name"] = new
        self.names.append(new)

    def mutate(self):
        for entry in self.entries:  # imports are done once
            if entry.get("opts", {}).pop("importId", None) and not entry["opts"]:
                del entry["opts"]
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            way = self.rng.choices([self.add, self.remove, self.change, self.change_options, self.move, self.rename],
                                   [25, 18, 35, 10, 8, 6])[0]
            way()

    def written(self, parallel):
        """The program as a script."""
        entries = copy.deepcopy(self.entries)
        if not parallel:
            return entries
        return in_parallel(entries) if self.chance(0.5) else in_branches(entries)


def in_parallel(entries):
    """Neighbours that do not need each other are registered at the same time."""
    groups, labels = [], set()
    for entry in entries:
        own = label_of(entry)
        if not groups or labels_used(entry) & labels:
            groups.append([])
            labels = set()
        groups[-1].append(entry)
        labels |= {own} if own else set()
    return [group[0] if len(group) == 1 else {"parallel": group} for group in groups]


def in_branches(entries):
    """What has to do with each other is one sequence; the sequences are registered at the same time."""
    branches = []  # pairs of labels and entries
    for entry in entries:
        used = labels_used(entry)
        own = {label_of(entry)} if label_of(entry) else set()
        met = [branch for branch in branches if branch[0] & used]
        merged = (set().union(own, *(branch[0] for branch in met)), [e for branch in met for e in branch[1]] + [entry])
        branches = [branch for branch in branches if branch not in met] + [merged]
    if len(branches) < 2:
        return entries
    return [{"parallel": [{"seq": branch[1]} if len(branch[1]) > 1 else branch[1][0] for branch in branches]}]


class Scenario:
    """A random scenario of several operations on one stack; the same seed gives the same one."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed = seed
        self.has_lost = False  # whether anything vanished from the cloud
        self.program = Program(self.rng)
        for _ in range(self.rng.randint(2, 9)):
            self.program.add()

    def one_name(self):
        return self.rng.choice(self.program.names or ["r1"])

    def rule(self):
        rng = self.rng
        on = rng.choices(["Create", "Update", "Delete", "Read", "Diff", "Check", "Configure"],
                         [35, 18, 25, 10, 5, 4, 3])[0]
        rule = {"on": on}
        if on != "Configure" and rng.random() < 0.7:
            rule["name"] = self.one_name()
        if rng.random() < 0.6:
            rule["nth"] = rng.randint(1, 3)
        ways = ["error", "error", "crash", "signal", "signal", "kill"]
        if on in ("Create", "Update") or (on == "Read" and not self.has_lost):  # what is lost cannot be half there
            ways += ["init", "init"]
        way = rng.choice(ways)
        if way == "error":
            rule["error"] = "no luck"
            if rng.random() < 0.3:
                rule["code"] = rng.choice(["UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "UNIMPLEMENTED"])
        elif way == "init":
            rule["init"] = ["not ready"]
        elif way == "crash":
            rule["crash"] = True
        else:
            rule["signal"] = 2 if way == "signal" else 9
        if way in ("crash", "signal", "kill") and rng.random() < 0.6:
            rule["after"] = True
        return rule

    def drift(self):
        drift = []
        for _ in range(self.rng.randint(1, 2)):
            change = {"name": self.one_name()}
            if self.rng.random() < 0.5:
                change["delete"] = self.has_lost = True
            else:
                change["set"] = {self.program.property(): f"drift{self.rng.randint(1, 4)}"}
            drift.append(change)
        return drift

    def arguments(self, do):
        rng, args = self.rng, []
        some = lambda: f"**::{self.one_name()}"
        if rng.random() < 0.25:
            way = rng.choice(["--target", "--target", "--exclude"])
            for _ in range(rng.randint(1, 2)):
                args += [way, some()]
            if rng.random() < 0.5 and not (do == "destroy" and way == "--exclude"):
                args.append(way + "-dependents")
        elif do in ("up", "preview") and rng.random() < 0.12:
            args += [rng.choice(["--replace", "--target-replace"]), some()]
        if do in ("up", "preview", "destroy") and rng.random() < 0.12:
            args.append("--refresh")
        if do in ("up", "destroy") and rng.random() < 0.2:
            args.append("--continue-on-error")
        if do in ("refresh", "destroy") and rng.random() < 0.15:
            args.append("--run-program")
        if do == "destroy" and not args and rng.random() < 0.2:
            args.append("--exclude-protected")
        if do == "refresh" and rng.random() < 0.1:
            args.append("--clear-pending-creates")
        return args

    def operation(self, first):
        rng = self.rng
        do = "up" if first else rng.choices(["up", "preview", "refresh", "destroy", "state", "import"],
                                            [60, 12, 14, 8, 5, 3])[0]
        if do == "state":
            return {"do": "cli", "edit": [rng.choice(["taint", "untaint", "protect", "delete", "rename"]), self.one_name()]}
        if do == "import":
            name = self.program.fresh("j")
            self.program.names.append(name)
            return {"do": "import", "args": [RES, name, f"ext-{name}"],
                    "cloud": {"set": {f"ext-{name}": {"type": RES, "props": {"x": 1, "out": f"out-ext-{name}"}}}}}
        op = {"do": do, "args": [] if first else self.arguments(do)}
        parallel = rng.choice([1, 1, 4, 4, 16, 64])
        if parallel != 1:
            op["parallel"] = parallel
            op["env"] = {"CULUMI_SEED": str(rng.randint(1, 999))}
            if rng.random() < 0.3:
                op["env"]["PULUMI_PARALLEL_DIFF"] = "true"
        if do != "preview" and rng.random() < 0.25:
            op["previews"] = True
        if parallel != 1 and rng.random() < 0.8:  # every call of a provider takes its own time
            op["env"]["SCENARIO_DELAYS"] = f"{rng.randint(1, 99999)}:{rng.choice([5, 20, 60])}"
        op["program"] = self.program.written(rng.random() < (0.4 if parallel == 1 else 0.8))
        op["components"] = REMOTE_COMPONENTS
        if not first and rng.random() < 0.2:
            op["drift"] = self.drift()
        if rng.random() < 0.5:
            op["rules"] = [self.rule() for _ in range(rng.choice([1, 1, 2]))]
        if rng.random() < 0.06:
            op["killAfterMs"] = rng.randint(20, 600)
        if rng.random() < 0.04 and do == "up":
            op["program"].insert(rng.randint(0, len(op["program"])), {"fail": "the program has had enough"})
        if self.program.foreign:
            op["cloud"] = {"set": self.program.foreign}
            self.program.foreign = {}
        return op

    def generate(self):
        ops = []
        for i in range(self.rng.randint(2, 6)):
            ops.append(self.operation(i == 0))
            self.program.mutate()
        return {"about": f"seed {self.seed}", "ops": ops + self.ending()}

    def ending(self):
        """What brings any stack to rest, and then to nothing."""
        last = {"program": self.program.written(False), "components": REMOTE_COMPONENTS}
        if self.program.foreign:
            last["cloud"] = {"set": self.program.foreign}
        unprotect = {"do": "cli", "args": ["state", "unprotect", "--all", "--yes"], "final": True}
        ops = [unprotect, {"do": "up", "args": [], "final": True, **last},
               {"do": "preview", "args": ["--expect-no-changes"], "final": True}]
        if self.rng.random() < 0.4:
            ops += [unprotect, {"do": "refresh", "args": [], "final": True}, {"do": "up", "args": [], "final": True},
                    {"do": "refresh", "args": ["--expect-no-changes"], "final": True},
                    {"do": "preview", "args": ["--expect-no-changes"], "final": True}]
        return ops + [unprotect, {"do": "destroy", "args": [], "final": True}]
