#!/usr/bin/env python3
"""printed.py — what `import` prints in a language of programs is what was imported: each case of tests/codegen/import is imported through the
real command line, into a project of that language; the printed program, on the SDK that is made of the package's schema, changes nothing in a
preview. Run by tests/e2e/LANGUAGE/printed, in a folder in which the SDK of the language is found. Speaks TAP, without numbers.

usage: SCRIPTED=build/release/support/scripted printed.py nodejs|python|go [CASE…]"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
import roundtrip  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
CLI = os.path.join(ROOT, "build", "bin", "pulumi")
SCRIPTED = os.environ.get("SCRIPTED") or os.path.join(ROOT, "build", "release", "support", "scripted")
JOBS = int(os.environ.get("JOBS") or 2)

# Where the program cannot be what was imported, and why: as in YAML, but for what is so in YAML only.
CHANGES = {name: why for name, why in roundtrip.CHANGES.items() if name not in ("20-enum-unknown-value", "64-parent-component")}
CHANGES["66-provider-in-file"] = "SDKs send numbers in the configuration of a provider as text"


class Language:
    """How a printed program becomes one that runs."""

    file = ""
    refuses = {}  # what does not even run, and why
    builds_all = False  # also programs that cannot be what was imported

    def __init__(self, folder):
        self.folder = folder

    def must(self, *command, folder=None, **environment):
        done = subprocess.run(command, cwd=folder or self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **environment})
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}:\n{done.stdout}\nnot ok - {' '.join(command[:4])}")

    def make_sdk(self):
        self.must(CLI, "package", "gen-sdk", HERE + "/import/schema.json", "--language", self.name, "--local", "--out", "made")

    def complete(self, name, text):
        """What the program of a user has before: the resources that options of case 75 name."""
        if not name.startswith("75-"):
            return text
        return re.sub(self.above, lambda found: found.group() + self.before, text, count=1, flags=re.M)

    def build(self, worlds):
        """All programs at once. Those that cannot be built, and why."""
        return {}

    def options(self):
        """Lines of the project file."""
        return ""

    def environment(self, name):
        return {}


class Nodejs(Language):
    name, file = "nodejs", "index.ts"
    above = r'^import \* as acme .*\n'
    before = 'const myparent = new pulumi.ComponentResource("my:comp:Comp", "comp");\nconst myprov = new acme.Provider("prov", {region: "south"});\n'

    def make_sdk(self):
        super().make_sdk()
        self.compiler = subprocess.run(["node", "-p", 'require.resolve("typescript/bin/tsc")'], cwd=self.folder, text=True, check=True,
                                       stdout=subprocess.PIPE).stdout.strip()
        self.must("node", self.compiler, "--project", "made/nodejs")
        shutil.copy(self.folder + "/made/nodejs/package.json", self.folder + "/made/nodejs/bin/")
        os.makedirs(self.folder + "/node_modules/@acmecorp")
        os.symlink("../../made/nodejs", self.folder + "/node_modules/@acmecorp/acme")

    def build(self, worlds):
        programs = [f"cases/{name}/project/index.ts" for name in worlds]
        self.must("node", self.compiler, "--strict", "--types", "node", "--target", "es2020", "--module", "commonjs", "--moduleResolution", "node",
                  "--skipLibCheck", *programs)
        return {}

    def options(self):
        return "main: index.js\n"


class Python(Language):
    name, file = "python", "__main__.py"
    refuses = {"20-enum-unknown-value": "classes of enums raise for values that they lack"}
    above = r"^import acmecorp_acme as acme\n"
    before = 'myparent = pulumi.ComponentResource("my:comp:Comp", "comp")\nmyprov = acme.Provider("prov", region="south")\n'

    def make_sdk(self):
        """Installed, since it looks for its own version; requirements.txt is what it needs beside the SDK of the language."""
        super().make_sdk()
        install = [self.folder + "/venv/bin/python", "-m", "pip", "install", "--quiet", "--no-deps", "--target", "made/site"]
        self.must(*install, "--require-hashes", "-r", "requirements.txt")
        self.must(*install, "--no-build-isolation", "./made/python")

    def options(self):
        return f"runtime: {{name: python, options: {{virtualenv: {self.folder}/venv}}}}\n"

    def environment(self, name):
        return {"PYTHONPATH": self.folder + "/made/site", "PYTHONDONTWRITEBYTECODE": "1"}


class Go(Language):
    """All programs become one, which is linked once: each is a function of it, and a variable says which of them runs."""

    name, file = "go", "main.go"
    builds_all = True
    refuses = {"67-remote-component": "it has resources of both modules, and neither SDK has them all"}
    above = r"^\tpulumi\.Run\(.*\n"
    before = ('\t\tmyparent := &pulumi.ResourceState{}\n\t\tif failed := ctx.RegisterComponentResource("my:comp:Comp", "comp", myparent); failed != nil {\n'
              '\t\t\treturn failed\n\t\t}\n\t\tmyprov, failed := acme.NewProvider(ctx, "prov", &acme.ProviderArgs{Region: pulumi.String("south")})\n'
              "\t\tif failed != nil {\n\t\t\treturn failed\n\t\t}\n")
    module = "example.com/acme/sdk/go"

    def make_sdk(self):
        """The two modules of the package refer to each other, which packages of Go cannot: there is an SDK without the references of one side, and
        one without those of the other, for the case that needs them."""
        for half, schema in (("buckets", self.without(("Strict", "Site"), ())), ("strict", self.without(("Bucket", "Site"), ("getBucket",)))):
            os.makedirs("made/" + half)
            json.dump(schema, open(f"made/{half}/schema.json", "w"))
            self.must(CLI, "package", "gen-sdk", f"made/{half}/schema.json", "--language", "go", "--local", "--out", "made/" + half)
            self.module_file(f"made/{half}/go", self.module, "")
        names = ("GOMODCACHE", "GOCACHE")
        values = subprocess.run(["go", "env", *names], text=True, check=True, stdout=subprocess.PIPE).stdout.split("\n")
        self.caches = dict(zip(names, values))

    def without(self, resources, functions):
        """The schema without these; where there are no buckets, types of their module have no references to the other one."""
        schema = json.load(open(HERE + "/import/schema.json"))
        for token in [token for token in schema["resources"] if token.rsplit(":", 1)[1] in resources]:
            del schema["resources"][token]
        for token in [token for token in schema["functions"] if ":Site/" in token or token.rsplit(":", 1)[1] in functions]:
            del schema["functions"][token]
        for token, told in schema["types"].items() if "Bucket" in resources else ():
            if ":store/" in token:
                told["properties"] = {name: it for name, it in told["properties"].items() if "acme:index:" not in json.dumps(it)}
                told["required"] = [name for name in told.get("required", []) if name in told["properties"]]
        return schema

    def module_file(self, folder, name, more):
        """With the versions of the SDK of the language that is installed here."""
        text = open("../../go.mod").read()
        with open(folder + "/go.mod", "w") as file:
            file.write(re.sub(r"^module .*", "module " + name, text, flags=re.M) + more)
        shutil.copy("../../go.sum", folder + "/go.sum")

    def complete(self, name, text):
        text = super().complete(name, text)
        if "acme." in text and f'"{self.module}/acme"' not in text:
            text = text.replace("import (\n", f'import (\n\t"{self.module}/acme"\n', 1)
        return text

    def build(self, worlds):
        bad = {}
        for half in ("buckets", "strict"):
            names = [name for name in worlds if (half == "strict") == ("acme.NewStrict(" in open(f"cases/{name}/project/main.go").read())]
            if names:
                bad.update(self.build_half(half, names))
        return bad

    def build_half(self, half, names):
        folder = f"{self.folder}/programs/{half}"
        os.makedirs(folder)
        for name in names:
            text = open(f"cases/{name}/project/main.go").read()
            open(f"{folder}/{name}.go", "w").write(re.sub(r"^func main\(\)", f"func main{name[:2]}()", text, flags=re.M))
        self.module_file(folder, "printed", f"\nrequire {self.module} v0.0.0\n\nreplace {self.module} => {self.folder}/made/{half}/go\n")
        bad = self.link(folder, names)
        for name in bad:
            os.remove(f"{folder}/{name}.go")
        good = [name for name in names if name not in bad]
        if bad and self.link(folder, good):
            raise SystemExit("not ok - go build without the programs that cannot be built")
        for name in good:
            os.symlink(folder + "/program", f"cases/{name}/project/program")
        return bad

    def link(self, folder, names):
        """What is wrong with which program; nothing, if there is one program now."""
        with open(folder + "/main.go", "w") as file:
            file.write('package main\n\nimport "os"\n\nfunc main() {\n\tmap[string]func(){\n'
                       + "".join(f'\t\t"{name}": main{name[:2]},\n' for name in names) + '\t}[os.Getenv("PRINTED")]()\n}\n')
        done = subprocess.run(["go", "build", "-mod=mod", "-gcflags=-e", "-o", "program", "."], cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        bad = {}
        for name, line in re.findall(r"^(?:\./)?(\d\d-[\w-]*)\.go(:.*)", done.stdout, flags=re.M):
            bad[name] = bad.get(name, "") + f"main.go{line}\n"
        if done.returncode and not bad:
            raise SystemExit(f"{done.stdout}\nnot ok - go build")
        return bad

    def options(self):
        return "runtime: {name: go, options: {binary: program}}\n"

    def environment(self, name):
        """What is downloaded is not downloaded for each case."""
        return {"PRINTED": name, **self.caches}


def with_defaults(case):
    """What SDKs fill in, providers answer: it is there."""
    resources = json.load(open(f"{roundtrip.HERE}/schema.json"))["resources"]
    words = case.get("args", [])
    entries = case.get("resources") or [{"type": words[0], "id": words[2]}]
    for entry in entries:
        read = case["reads"].get(entry.get("id"))
        properties = resources.get(entry["type"], {}).get("inputProperties", {})
        for key, told in properties.items() if read else ():
            if "default" in told or "const" in told:
                read.setdefault("inputs", {}).setdefault(key, told.get("default", told.get("const")))
    return case


def do_import(language, name):
    """The world of a case with its program, and what is wrong."""
    world = roundtrip.World(f"{language.folder}/cases/{name}", CLI, SCRIPTED, language.name)
    world.environment["PATH"] = f"{world.home}/bin:{os.environ['PATH']}"
    world.environment.update(language.environment(name))
    case = with_defaults(json.load(open(f"{roundtrip.HERE}/{name}/case.json")))
    world.files()
    world.cloud(case)
    problem = roundtrip.prepare(world, case)
    if problem:
        return world, problem
    code, text = world.pulumi("import", *roundtrip.words_of(world, case), "--yes", "--skip-preview", "--out", language.file)
    if code:
        return world, text
    path = f"{world.home}/project/{language.file}"
    program = open(path).read()
    open(path, "w").write(language.complete(name, program))
    return world, None


def do_preview(language, world, name):
    options = language.options()
    with open(f"{world.home}/project/Pulumi.yaml", "w") as file:
        file.write("name: imp\n" + ("" if "runtime:" in options else f"runtime: {language.name}\n") + options)
    code, text = world.pulumi("preview", "--expect-no-changes", "--diff")
    return text if code else None


def main():
    language = {"nodejs": Nodejs, "python": Python, "go": Go}[sys.argv[1]](os.getcwd())
    names = sorted(name for name in os.listdir(roundtrip.HERE) if os.path.isdir(f"{roundtrip.HERE}/{name}"))
    names = [name for name in names if not sys.argv[2:] or any(name.startswith(word) for word in sys.argv[2:])]
    for folder in ("made", "cases", "programs", "node_modules/@acmecorp"):
        shutil.rmtree(folder, ignore_errors=True)
    language.make_sdk()
    failed = 0

    def say(problem, name, claim):
        nonlocal failed
        failed += problem is not None
        print(f"{'not ok' if problem else 'ok'} - {name} {claim}", flush=True)
        for line in (problem or "").rstrip().split("\n") if problem else ():
            print("#   " + line)

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        worlds = {}
        for name, (world, problem) in zip(names, pool.map(lambda name: do_import(language, name), names)):
            if problem:
                say(problem, name, "is imported")
            else:
                worlds[name] = world
        wanted = {name: world for name, world in worlds.items() if name not in CHANGES and name not in language.refuses}
        built = {name: world for name, world in worlds.items() if name not in language.refuses} if language.builds_all else wanted
        for name, problem in sorted(language.build(built).items()):
            say(problem, name, "is built")
            wanted.pop(name, None)
        for name, problem in zip(wanted, pool.map(lambda name: do_preview(language, wanted[name], name), wanted)):
            say(problem, name, "changes nothing")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
