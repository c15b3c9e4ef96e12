"""families.py - what some scenarios have beside plain programs: hooks, transforms, policies, packages, plans, edits."""

import copy
import random

from generate import COMP, PROVIDER, RES, SECRET_TEXT, is_custom, label_of

SECRET_KEY, SECRET_SIGN = "4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"


def all_entries(entries):
    """The entries of a program at any depth."""
    for entry in entries:
        yield entry
        yield from all_entries(entry.get("parallel", []) + entry.get("seq", []))


class Family:
    """Dresses the operations of a scenario, one after the other. Nothing that fails on purpose is left in the final ones."""

    setting = {}  # of the world

    def __init__(self, rng):
        self.rng = rng

    def chance(self, share):
        return self.rng.random() < share

    def dress(self, op):
        """Changes an operation that has a program."""

    def before(self, op):
        """Operations to be done before this one."""
        return []

    def after(self, op):
        """Operations to be done after it."""
        return []


class Hooks(Family):
    POINTS = [f"{when}_{what}" for when in ("before", "after") for what in ("create", "update", "delete")]

    def __init__(self, rng):
        super().__init__(rng)
        self.chosen = {}  # by label

    def choose(self, label):
        if label not in self.chosen or self.chance(0.2):
            points = self.rng.sample(self.POINTS, self.rng.randint(0, 3))
            hooks = {point: self.rng.sample(["plain", "dry", "soft", "odd"], self.rng.randint(1, 2)) for point in points}
            if self.chance(0.4):
                hooks["on_error"] = ["again"]
            self.chosen[label] = hooks
        return copy.deepcopy(self.chosen[label])

    def dress(self, op):
        final = op.get("final")
        odd = {"name": "odd", "onDryRun": self.chance(0.3)}
        if not final and self.chance(0.4):
            odd["error"] = "not now"
        for entry in [] if final else list(all_entries(op["program"])):
            hooks = self.choose(label_of(entry)) if "resource" in entry and not entry.get("remote") else {}
            if hooks:
                entry.setdefault("opts", {})["hooks"] = hooks
        op["program"][:0] = [
            {"hook": {"name": "plain"}}, {"hook": {"name": "dry", "onDryRun": True}}, {"hook": odd},
            {"hook": {"name": "soft", "error": "never mind", "ignoreErrors": True}},
            {"errorHook": {"name": "again", "retries": self.rng.randint(0, 2)}}]
        for rule in op.get("rules", []):  # what is half made and made again is lost, as with the reference
            if rule.pop("init", None):
                rule["error"] = "no luck"
        op["mayFail"] = not final


class Transforms(Family):
    def one(self, number):
        rng, transform = self.rng, {"name": f"t{number}"}
        if self.chance(0.7):
            transform["ifType"] = rng.choice([RES, RES, COMP, PROVIDER])
        if transform.get("ifType") == RES and self.chance(0.7):
            value = rng.choice([number, f"t{number}", {SECRET_KEY: SECRET_SIGN, "value": f"{SECRET_TEXT}{number}"}])
            transform["set"] = {rng.choice(["x", "y", "added", "forceA", "dbrA"]): value}
        if self.chance(0.5):
            transform["opts"] = rng.choice([
                {"protect": True}, {"ignoreChanges": ["x"]}, {"ignoreChanges": ["*"]}, {"replaceOnChanges": ["*"]},
                {"deleteBeforeReplace": True}, {"additionalSecretOutputs": ["out"]}, {"hideDiff": ["x"]},
                {"replacementTrigger": rng.randint(1, 2)}, {"customTimeouts": {"create": "5m"}}])
        return transform

    def __init__(self, rng):
        super().__init__(rng)
        self.stack = [self.one(i) for i in range(rng.randint(1, 2))]
        self.own = {}

    def dress(self, op):
        if self.chance(0.3) and not op.get("final"):
            self.stack[self.rng.randrange(len(self.stack))] = self.one(self.rng.randint(3, 9))
        for entry in all_entries(op["program"]):
            if "resource" not in entry or entry.get("remote"):
                continue
            if label_of(entry) not in self.own or self.chance(0.1):
                self.own[label_of(entry)] = [self.one(7)] if self.chance(0.3) else []
            if self.own[label_of(entry)]:
                entry["transforms"] = copy.deepcopy(self.own[label_of(entry)])
        stack = copy.deepcopy(self.stack)
        if not op.get("final") and self.chance(0.1):
            stack.append({"name": "bad", "ifType": RES, "rpcError": "not this one"})
            op["mayFail"] = True
        op["program"][:0] = [{"transform": transform} for transform in stack]


class Functions(Family):
    """Invokes, and what their results are for."""

    def dress(self, op):
        program = op["program"]
        known = [label_of(entry) for entry in all_entries(program) if is_custom(entry)]
        source = "${%s.out}" % self.rng.choice(known) if known and not op.get("final") else 7
        if not op.get("final") and self.chance(0.3):
            program.insert(0, {"invokeTransform": {"name": "it", "set": {"added": self.rng.randint(1, 3)}}})
        program += [{"invoke": "f1", "tok": "pkg:index:fn", "args": {"a": source, "s": {"$secret": f"{SECRET_TEXT}7"}}},
                    {"resource": "fed", "type": RES, "props": {"x": "${f1.a}", "s": "${f1.s}"}}]
        if not op.get("final") and self.chance(0.2):
            op.setdefault("rules", []).append({"on": "Invoke", "error": "no answer"})


class Remotes(Family):
    """Components of a provider whose insides change, one in the other."""

    def __init__(self, rng):
        super().__init__(rng)
        self.kids = 1

    def inside(self, op):
        if self.chance(0.4):
            self.kids = self.rng.randint(0, 3)
        kids = [{"resource": f"kid{i}", "type": RES, "props": {"forceK" if self.chance(0.2) else "k": self.rng.randint(1, 2)},
                 "opts": {"protect": True} if self.chance(0.1) else {}} for i in range(self.kids)]
        if self.kids > 1:
            kids[1]["props"]["x"] = "${kid0.out}"
        if self.chance(0.5):
            kids.append({"resource": "deep", "type": "pkg:index:Deep", "remote": True, "props": {"d": "${self.a}"}})
        outer = {"program": kids, "state": {"o": "${kid0.out}" if self.kids else 1}}
        if not op.get("final") and self.chance(0.1):
            outer["error"] = "given up"
            op["mayFail"] = True
        deep = {"program": [{"resource": "bottom", "type": RES, "props": {"x": "${self.d}"}}], "state": {"o": "${bottom.out}"}}
        return {"pkg:index:Outer": outer, "pkg:index:Deep": deep}

    def dress(self, op):
        program = op["program"]
        if not op.get("final") and self.chance(0.2):
            return
        op["components"] = {**op["components"], **self.inside(op)}
        known = [label_of(entry) for entry in all_entries(program) if is_custom(entry)]
        source = "${%s.out}" % self.rng.choice(known) if known else 1
        program += [{"resource": "outer", "type": "pkg:index:Outer", "remote": True, "props": {"a": source}},
                    {"call": "m1", "tok": "pkg:index:Outer/method", "self": "outer", "args": {"n": source}},
                    {"resource": "fed2", "type": RES, "props": {"x": "${m1.n}", "y": "${outer.o}"}}]
        if not op.get("final") and self.chance(0.15):
            op.setdefault("rules", []).append({"on": self.rng.choice(["Construct", "Call"]), "error": "no answer"})


class Packages(Family):
    """A parameterized package, whose parameter changes, and extensions of another."""

    setting = {"packages": ["pkg", "base"]}

    def dress(self, op):
        rng, program = self.rng, op["program"]
        version = rng.choice(["2.0.0", "2.1.0"])
        parameter = {"name": "par", "version": version, "value": rng.choice(["YQ==", "Yg=="])}
        base = {"name": "base", "version": "1.0.0", "parameterization": parameter}
        program += [{"requires": base}, {"package": "par", "request": base},
                    {"package": "ext", "request": {"name": "pkg", "version": "1.0.0", "extension":
                                                   {"name": "ext-a", "version": "1.0.0", "value": rng.choice(["YQ==", "Yg=="])}}}]
        if rng.random() < 0.4:
            program.append({"resource": "own", "type": "pulumi:providers:par", "package": "par", "props": {"region": "r"}})
        for i in range(rng.randint(1, 3)):
            entry = {"resource": f"q{i}", "type": "par:index:Res", "package": "par", "props": {"x": rng.randint(1, 2)}}
            if program[-1].get("resource") == "own":
                entry["provider"] = "own"
            program.append(entry)
        if rng.random() < 0.6:
            program.append({"resource": "e1", "type": RES, "package": "ext", "props": {"x": rng.randint(1, 2)}})


class Policies(Family):
    """A pack that advises, mends and forbids."""

    setting = {"packs": ["strict"]}
    POLICY = {"policy_pack_name": "strict", "policy_pack_version": "1.0.0"}

    def dress(self, op):
        rng = self.rng
        if op.get("final") or op["do"] not in ("up", "preview") or self.chance(0.3):
            return
        names = [entry.get("name") or label_of(entry) for entry in all_entries(op["program"]) if is_custom(entry) and "provider" not in entry["type"]] or ["r1"]
        op["args"] = op["args"] + ["--policy-pack", "../bin/pulumi-analyzer-strict"]
        rules = [{"on": "GetAnalyzerInfo", "respond": {"supports_config": True, "policies": [
            {"name": "no-bad", "enforcement_level": "MANDATORY", "policy_type": "POLICY_TYPE_RESOURCE"},
            {"name": "sized", "enforcement_level": "REMEDIATE", "policy_type": "POLICY_TYPE_RESOURCE"},
            {"name": "few", "enforcement_level": "ADVISORY", "policy_type": "POLICY_TYPE_STACK"}]}}]
        if self.chance(0.6):
            mended = {"x": 1, rng.choice(["size", "forceA", "dbrA"]): rng.randint(1, 3)}
            rules.append({"on": "Remediate", "name": rng.choice(names), "respond": {"remediations": [
                {"policy_name": "sized", **self.POLICY, "properties": mended}]}})
        way = rng.choice(["Analyze", "AnalyzeStack", "error", "none"])
        level = rng.choice(["MANDATORY", "ADVISORY"])
        if way in ("Analyze", "AnalyzeStack"):
            rule = {"on": way, "respond": {"diagnostics": [{"policy_name": "no-bad", **self.POLICY, "message": "is bad",
                                                            "enforcement_level": level}]}}
            rules.append({**rule, "name": rng.choice(names)} if way == "Analyze" else rule)
        if way == "error":
            rules.append({"on": rng.choice(["Analyze", "AnalyzeStack", "Remediate"]), "error": "the pack broke"})
        op["rules"] = op.get("rules", []) + rules


class Plans(Family):
    """A plan is saved and, right after it, kept to; without one, if the preview fails, there is no update."""

    def __init__(self, rng):
        super().__init__(rng)
        self.count = 0

    def before(self, op):
        if op["do"] != "up" or op.get("final") or self.chance(0.4):
            return []
        self.count += 1
        plan = f"../run/plan{self.count}.json"
        shared = {key: copy.deepcopy(op[key]) for key in ("program", "components", "parallel") if key in op}
        moved = {key: op.pop(key) for key in ("cloud", "drift") if key in op}
        args = [word for word in op["args"] if word != "--continue-on-error"]
        op["args"] = op["args"] + ["--plan", plan]
        return [{"do": "preview", **shared, **moved, "args": args + ["--save-plan", plan], "mayFail": True}]


class Edits(Family):
    """What people do to a stack between two updates. Some of it moves to another stack, and back."""

    setting = {"side": True, "secrets": {"pkg:token": f"{SECRET_TEXT}token"}}
    ENDING = [{"do": "cli", "args": ["state", "unprotect", "--all", "--yes", "--stack", "side"], "final": True},
              {"do": "cli", "args": ["destroy", "--yes", "--skip-preview", "--stack", "side"], "final": True, "empties": True}]

    def __init__(self, rng):
        super().__init__(rng)
        self.key = "soak"
        self.stays = False

    def before(self, op):
        if op.get("final") or self.chance(0.4):
            return []
        way = self.rng.choice(["rename", "again", "key"] + ([] if self.stays else ["move", "back"]))
        if way == "rename":
            return [{"do": "cli", "args": ["stack", "rename", f"dev{self.rng.randint(2, 5)}"]}]
        if way == "again":
            return [{"do": "cli", "args": ["stack", "export", "--file", "../run/kept.json"]},
                    {"do": "cli", "args": ["stack", "import", "--file", "../run/kept.json"]}]
        if way == "key":
            old, self.key = self.key, f"key{self.rng.randint(1, 99)}"
            change = {"do": "cli", "args": ["stack", "change-secrets-provider", "passphrase"], "input": self.key}
            return [change, {**change, "args": change["args"] + ["--stack", "side"], "env": {"PULUMI_CONFIG_PASSPHRASE": old}}]
        return [{"do": "cli", "move": [way, self.rng.randint(0, 99), self.chance(0.3)]}]

    def after(self, op):
        return copy.deepcopy(self.ENDING) if op.get("final") and op["do"] == "destroy" else []


class Imports(Family):
    """Lists of what is to be imported: with parents, a provider, and sometimes what is not there."""

    def __init__(self, rng):
        super().__init__(rng)
        self.count = 0

    def before(self, op):
        if op.get("final") or self.chance(0.6):
            return []
        self.count += 1
        top, kid, other = (f"l{self.count}{letter}" for letter in "abc")
        there = {f"ext-{name}": {"type": RES, "props": {"x": 1, "out": f"out-ext-{name}"}} for name in (kid, other)}
        resources = [{"type": COMP, "name": top, "component": True},
                     {"type": RES, "name": kid, "id": f"ext-{kid}", "parent": top},
                     {"type": RES, "name": other, "id": f"ext-{other}", "logicalName": f"{other}x", "properties": ["x"]}]
        if self.chance(0.3):
            resources.append({"type": RES, "name": f"{top}gone", "id": "nowhere", "parent": top})
        self.rng.shuffle(resources)
        return [{"do": "import", "args": ["--file", "../run/list.json", "--generate-code=false"], "mayFail": True,
                 "files": {"list.json": {"resources": resources}}, "cloud": {"set": there}}]


FAMILIES = [Hooks, Transforms, Functions, Remotes, Packages, Policies, Edits, Imports, Plans]


def widen(scenario, seed, only=()):
    """Gives a scenario some of the families."""
    rng = random.Random(f"families of {seed}")
    chosen = [kind(rng) for kind in FAMILIES if (kind.__name__ in only if only else rng.random() < 0.2)]
    for family in chosen:  # a program has to run where something with hooks is deleted
        family.stays = any(isinstance(other, Hooks) for other in chosen)
    ops = []
    for op in scenario["ops"]:
        for family in chosen if "program" in op else []:
            family.dress(op)
        before = [other for family in chosen for other in family.before(op)]
        ops += before + [op]
        ops += [other for family in chosen for other in family.after(op)]
    setting = {}
    for family in chosen:
        setting.update(copy.deepcopy(family.setting))
    return {**scenario, "ops": ops, **({"setting": setting} if setting else {})}
