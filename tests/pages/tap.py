"""tap.py — tests that speak TAP, and the world they run in: the command line, a home and a backend of its own."""
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

import browser

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
tests = []


def test(function):
    """The name of the function is the claim."""
    tests.append(function)
    return function


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what + ': ' if what else ''}{got!r} instead of {wanted!r}")


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


class World:
    """A folder with a project; removed at the end."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="culumi-test-")
        self.cli = os.path.abspath(os.environ.get("CLI", os.path.join(TOP, "build/bin/pulumi")))
        hosts = os.path.abspath(os.environ.get("HOSTS", os.path.join(TOP, "build/bin")))
        os.mkdir(self.path("state"))
        self.environment = dict(os.environ, PULUMI_HOME=self.path("home"), PULUMI_BACKEND_URL="file://" + self.path("state"),
                                PULUMI_CONFIG_PASSPHRASE="p", PATH=hosts + ":" + os.environ["PATH"])
        self.write("Pulumi.yaml", "name: web\nruntime: yaml\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run(self, *words, code=0):
        done = subprocess.run([self.cli, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if done.returncode != code:
            raise AssertionError(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def have(self, deployment):
        """Makes it the state of the stack dev. An import drops what is pending, so that goes into the file."""
        self.write("deployment.json", json.dumps(deployment))
        self.run("stack", "import", "--file", "deployment.json", "--force")
        pending = deployment["deployment"]["pending_operations"]
        if pending:
            file = self.path("state/.pulumi/stacks/web/dev.json")
            with open(file, encoding="utf-8") as source:
                state = json.load(source)
            state["checkpoint"]["latest"]["pending_operations"] = pending
            with open(file, "w", encoding="utf-8") as target:
                json.dump(state, target)

    def close(self):
        shutil.rmtree(self.folder)


def embedded(page):
    """The data of a page, and that nothing else could be read out of it."""
    mark = '<script type="application/json" id="data">'
    data = page.split(mark)[1].split("</script>")[0]
    for bad in "<>&":
        holds(bad not in data, f"the data has a {bad!r}")
    return json.loads(data)


@functools.cache
def reason_to_skip():
    return None if browser.find() else "chromium is not installed (make pages installs it where it can)"


def main():
    world = World()
    failed = 0
    chrome = None
    try:
        if not reason_to_skip():
            chrome = browser.Browser()
        for number, function in enumerate(tests, 1):
            claim = function.__name__.replace("_", " ")
            needs = function.__code__.co_varnames[:function.__code__.co_argcount]
            if "page" in needs and reason_to_skip():
                print(f"ok {number} - {claim} # SKIP {reason_to_skip()}", flush=True)
                continue
            try:
                function(*({"world": world, "page": chrome}[name] for name in needs))
                print(f"ok {number} - {claim}", flush=True)
            except Exception:  # noqa: a test that fails in any way has failed
                failed += 1
                print(f"not ok {number} - {claim}")
                print("".join("# " + line + "\n" for line in traceback.format_exc().split("\n")), flush=True)
    finally:
        if chrome:
            chrome.close()
        world.close()
    print(f"1..{len(tests)}")
    sys.exit(1 if failed else 0)
