#!/usr/bin/env python3
"""roundtrip.py — what `import` prints is what was imported: each case of tests/codegen/import is imported through the real command line from a
scripted provider; the YAML that it prints, put below the project file, changes nothing in a preview. Recorded programs in other languages
are programs, where their tools are installed. Converters and commands on packages, with scripted plugins. Speaks TAP.

usage: CLI=build/bin/pulumi SCRIPTED=build/release/support/scripted roundtrip.py [CASE…|plugins]"""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.realpath(os.path.dirname(__file__)) + "/import"
SIGNATURE, ASSET = "4dabf18193072939515e22adb298388d", "c44067f5952c0a294b673a41bacd8c17"

# Where the program cannot be what was imported, and why.
CHANGES = {
    "02-required-missing": "the program has a property that the resource lacks",
    "03-all-zero-values": "the program has properties that the resource lacks",
    "17-nested-required-missing": "the program has properties that the resource lacks",
    "20-enum-unknown-value": "the schema refuses the value, and the YAML host with it",
    "22-secret-value": "the schema makes the password a secret, the state does not",
    "27-asset-remote": "the asset lies on a server",
    "28-archive-assets": "the scripted provider does not know the hash of an archive",
    "29-archive-file-remote": "the archive lies on a server",
    "30-asset-as-string": "the program has assets where the resource has text",
    "34-any-json": "programs have no nulls in objects",
    "18-unknown-props-dropped": "the schema does not have what the resource has",
    "41-map-nonconforming-dropped": "the schema does not have what the resource has",
    "47-resource-ref": "the resource that it refers to is not there",
    "64-parent-component": "YAML has no components of its own",
    "67-remote-component": "a component of a package is made by its plugin, not imported",
    "73-zero-values": "the program has properties that the resource lacks",
    "74-enum-in-nested-zero": "the program has properties that the resource lacks",
}


def with_hashes(value):
    """Assets as providers answer them: with the hash of what is in them."""
    if isinstance(value, list):
        return [with_hashes(item) for item in value]
    if not isinstance(value, dict):
        return value
    text = value.get("text", "x" if value.get("path", "").endswith(".txt") else None)
    if value.get(SIGNATURE) == ASSET and text is not None:
        return {**value, "hash": hashlib.sha256(text.encode()).hexdigest()}
    return {key: with_hashes(item) for key, item in value.items()}


class World:
    """Everything that one case needs, below a folder of its own."""

    def __init__(self, home, cli, scripted, runtime="yaml"):
        self.home, self.runtime = home, runtime
        for name in ("bin", "run", "state", "project"):
            os.makedirs(f"{home}/{name}")
        os.symlink(os.path.realpath(cli), f"{home}/bin/pulumi")
        os.symlink(os.path.realpath(scripted), f"{home}/bin/pulumi-resource-acme")
        schema = json.load(open(f"{HERE}/schema.json"))
        json.dump({"acme": schema}, open(f"{home}/run/schemas.json", "w"))
        self.environment = {
            "PATH": f"{home}/bin:/usr/bin:/bin",
            "HOME": home,
            "PULUMI_HOME": f"{home}/home",
            "PULUMI_BACKEND_URL": f"file://{home}/state",
            "PULUMI_CONFIG_PASSPHRASE": "pw",
            "SCENARIO_DIR": f"{home}/run",
            "NO_COLOR": "1",
            "PULUMI_DISABLE_CI_DETECTION": "true",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
        }

    def pulumi(self, *words):
        done = subprocess.run(["pulumi", *words], cwd=f"{self.home}/project", env=self.environment, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def project(self, text):
        with open(f"{self.home}/project/Pulumi.yaml", "w") as file:
            file.write(f"name: imp\nruntime: {self.runtime}\n" + text)

    def files(self):
        for path in ("f.txt", "plain.txt"):
            open(f"{self.home}/project/{path}", "w").write("x")
        for path in ("dir", "plaindir"):
            os.makedirs(f"{self.home}/project/{path}", exist_ok=True)

    def cloud(self, case):
        """What the provider reads: inputs lie in the cloud, outputs are laid over them."""
        objects, rules = {}, []
        names = {entry.get("id"): entry["name"] for entry in case.get("resources", [])}
        for key, read in case["reads"].items():
            objects[key] = {"type": "", "props": with_hashes(read.get("inputs", {}))}
            if "outputs" in read:
                rules.append({"on": "Read", "name": names[key], "props": read["outputs"]})
        json.dump({"objects": objects, "serial": {}}, open(f"{self.home}/run/cloud.json", "w"))
        json.dump(rules, open(f"{self.home}/run/rules.json", "w"))


def words_of(world, case):
    """The command line of a case."""
    if "resources" in case and not case.get("inline"):
        path = f"{world.home}/project/list.json"
        json.dump({"resources": case["resources"]}, open(path, "w"))
        return ["--file", path, *case.get("args", [])]
    if "resources" in case:
        entry = case["resources"][0]
        return [entry["type"], entry["name"], entry["id"], *case["args"]]
    return case["args"]


def recorded(name, extension):
    for prefix in ("own", "out"):
        path = f"{HERE}/{name}/{prefix}.{extension}"
        if os.path.exists(path):
            return open(path).read()
    return None


def prepare(world, case):
    """What the program has before."""
    world.project("")
    code, text = world.pulumi("stack", "init", "dev")
    if code:
        return text
    if "before" in case:
        path = f"{world.home}/project/before.json"
        json.dump(case["before"], open(path, "w"))
        code, text = world.pulumi("import", "--file", path, "--yes", "--skip-preview", "--generate-code=false")
    return text if code else None


def play(world, name):
    """What is wrong with a case; None if nothing is."""
    case = json.load(open(f"{HERE}/{name}/case.json"))
    world.files()
    world.cloud(case)
    problem = prepare(world, case)
    if problem:
        return problem
    code, text = world.pulumi("import", *words_of(world, case), "--yes", "--skip-preview", "--out", "code.yaml")
    if code:
        return text
    if ("secrets in clear" in text) != ("-secret-" in name or name == "66-provider-in-file"):
        return "another warning of secrets:\n" + text
    program = open(f"{world.home}/project/code.yaml").read()
    if program != recorded(name, "yaml"):
        return "another program:\n" + program
    if name in CHANGES or "before" in case:
        return None
    world.project(program)
    code, text = world.pulumi("preview", "--expect-no-changes", "--diff")
    return text if code else None


def check_programs(say):
    """Are the recorded programs programs?"""
    tools = {"py": [sys.executable, "-m", "py_compile"], "go": ["gofmt", "-l"], "ts": ["node", "--check"]}
    with tempfile.TemporaryDirectory(prefix="roundtrip-") as home:
        for extension, command in tools.items():
            if not shutil.which(command[0]):
                say(f"programs in {extension} # SKIP {command[0]} is not installed", None)
                continue
            problems = []
            for name in sorted(os.listdir(HERE)):
                text = recorded(name, extension)
                if text is None:
                    continue
                path = f"{home}/p{'.mjs' if extension == 'ts' else '.' + extension}"
                # TypeScript's only word that node does not know; what it means is checked with a compiler by the programs of tests/e2e.
                open(path, "w").write(text.replace(" as any,", ",") if extension == "ts" else text)
                done = subprocess.run([*command, path], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if done.returncode or (extension == "go" and done.stdout):
                    problems.append(name + "\n" + done.stdout)
            say(f"recorded programs in {extension} are programs", "\n".join(problems) or None)


def converter_world(home, cli, scripted, resources, diagnostics=()):
    world = World(home, cli, scripted)
    os.symlink(os.path.realpath(scripted), f"{home}/bin/pulumi-converter-other")
    world.cloud({"reads": {"bid": {"inputs": {"policy": "p"}}}})
    rules = [{"on": "ConvertState", "respond": {"resources": resources, "diagnostics": list(diagnostics)}}]
    json.dump(rules, open(f"{home}/run/rules.json", "w"))
    world.project("")
    world.pulumi("stack", "init", "dev")
    return world


def check_converter(say, cli, scripted):
    """--from: the list comes from a converter, which gets the words behind --."""
    bucket = {"type": "acme:store/bucket:Bucket", "name": "b", "id": "bid"}
    words = ["import", "--from", "other", "--yes", "--skip-preview"]
    with tempfile.TemporaryDirectory(prefix="roundtrip-") as home:
        world = converter_world(home, cli, scripted, [bucket], [{"severity": "DIAG_WARNING", "summary": "odd state"}])
        code, text = world.pulumi(*words, "--out", "code.yaml", "--generate-resources", "list.json", "--", "some", "--words")
        program, trace = open(f"{home}/project/code.yaml").read(), open(f"{home}/run/trace.jsonl").read()
        listed = json.load(open(f"{home}/project/list.json"))
        problem = text if code or "warning: odd state" not in text else None
        if listed != {"resources": [bucket]} or "policy: p" not in program or '"args":["some","--words"]' not in trace:
            problem = f"{listed}\n{program}\n{trace}"
        say("import --from takes the list of a converter", problem)
    with tempfile.TemporaryDirectory(prefix="roundtrip-") as home:
        world = converter_world(home, cli, scripted, [{**bucket, "id": "absent"}])
        code, text = world.pulumi(*words)
        kept = glob.glob(f"{home}/project/pulumi-import-*.json")
        say("a list whose import fails is kept", None if code and len(kept) == 1 else text)
    with tempfile.TemporaryDirectory(prefix="roundtrip-") as home:
        world = converter_world(home, cli, scripted, [], [{"severity": "DIAG_ERROR", "summary": "no state"}])
        code, text = world.pulumi(*words)
        say("what a converter cannot read is an error", None if code and "error: no state" in text else text)
        code, text = world.pulumi("import", "--from", "none", "--yes")
        say("a converter that is not there is an error", None if code and "pulumi-converter-none" in text else text)


def check_packages(say, cli, scripted):
    """Commands on packages whose plugin is on the search path or named by its place."""
    with tempfile.TemporaryDirectory(prefix="roundtrip-") as home:
        world = World(home, cli, scripted)
        wanted = json.load(open(f"{HERE}/schema.json"))
        for source in ("acme", "../bin/pulumi-resource-acme", f"{home}/bin/pulumi-resource-acme"):
            done = subprocess.run(["pulumi", "package", "get-schema", source], cwd=f"{home}/project", env=world.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            is_right = done.returncode == 0 and json.loads(done.stdout) == wanted
            say(f"package get-schema {os.path.basename(source)} asks the plugin", None if is_right else done.stderr + done.stdout)
        code, text = world.pulumi("package", "get-mapping", "tf", "acme")
        say("a plugin without a mapping is an error", None if code and 'no mapping found for key "tf"' in text else text)
        rules = [{"on": "GetMapping", "respond": {"provider": "acmetf", "data": "eA=="}}]
        json.dump(rules, open(f"{home}/run/rules.json", "w"))
        code, text = world.pulumi("package", "get-mapping", "tf", "acme", "--out", "mapping")
        is_right = code == 0 and "acme maps to provider acmetf" in text and open(f"{home}/project/mapping").read() == "x"
        say("package get-mapping asks the plugin", None if is_right else text)
        code, text = world.pulumi("package", "get-mapping", "tf", "acme", "acmetf", "some", "words")
        is_right = code == 0 and '"args":["some","words"]' in open(f"{home}/run/trace.jsonl").read().replace(" ", "")
        say("package get-mapping passes parameters on", None if is_right else text)
        schemas = json.load(open(f"{home}/run/schemas.json"))
        base = {"baseProvider": {"name": "acme", "version": "1.2.3"}, "parameter": "eA=="}
        schemas["more"] = {"name": "more", "version": "1.0.0", "extensionParameterization": base, "resources": {"more:index:R": {}}}
        schemas["other"] = {"name": "other", "version": "1.0.0", "parameterization": base}
        json.dump(schemas, open(f"{home}/run/schemas.json", "w"))
        for command in (("package", "get-schema"), ("package", "info"), ("schema", "check")):
            code, text = world.pulumi(*command, "acme", "--extension", "more 'of it'")
            is_right = code == 0 and ("more" in text or command[0] == "schema")
            say(" ".join(command) + " asks for an extension", None if is_right else text)
            code, text = world.pulumi(*command, "acme", "--extension", "other")
            is_right = code and "acme did not return an extension-parameterized schema" in text
            say(" ".join(command) + " refuses what is no extension", None if is_right else text)


def main():
    cli, scripted = os.environ["CLI"], os.environ["SCRIPTED"]
    names = sys.argv[1:] or sorted(os.path.basename(path[:-1]) for path in glob.glob(f"{HERE}/*/"))
    failed = count = 0

    def say(claim, problem):
        nonlocal failed, count
        count += 1
        failed += problem is not None
        print(f"{'not ok' if problem else 'ok'} {count} - {claim}", flush=True)
        if problem:
            print("\n".join("# " + line for line in problem.split("\n")))

    for name in names if names != ["plugins"] else []:
        with tempfile.TemporaryDirectory(prefix="roundtrip-") as home:
            claim = f"import {name} prints its program"
            say(claim + ("" if name in CHANGES else ", which changes nothing"), play(World(home, cli, scripted), name))
    if not sys.argv[1:] or names == ["plugins"]:
        check_converter(say, cli, scripted)
        check_packages(say, cli, scripted)
    if not sys.argv[1:]:
        check_programs(say)
    print(f"1..{count}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
