"""page.py — a page of Markdown as something that can be run: its blocks of commands, and what it says that they print.

A page is run from top to bottom:
    ```sh                     is run; it must end with 0
    ```sh exit=1              must end with 1
    ```sh network             installs from registries: run where that is wanted
    ```sh not-run: REASON     is not run
    ```text                   lines that the block before has printed, in this order; … stands for anything
    ```yaml NAME              becomes the file NAME; any language that is not sh or text
"""
import os
import re
import subprocess

FENCE = re.compile(r"^```(\S*)[ \t]*(.*?)\n(.*?)^```$", re.S | re.M)
TIMEOUT = 600  # seconds for one block


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def caches():
    """Where the package managers of this machine keep what they have fetched, for those who are given another home."""
    home = os.path.expanduser("~")
    places = {"npm_config_cache": ".npm", "npm_config_userconfig": ".npmrc", "PIP_CACHE_DIR": ".cache/pip", "GOPATH": "go", "GOCACHE": ".cache/go-build",
              "GOENV": ".config/go/env"}
    return {name: os.environ.get(name, os.path.join(home, path)) for name, path in places.items()}


class Shell:
    """Variables and the folder of one block hold in the next. `memory` is a file that remembers them."""

    def __init__(self, cwd, memory, environment):
        self.cwd, self.memory, self.environment = cwd, memory, environment

    def run(self, script):
        source = (f"cd '{self.cwd}'\n[ -e '{self.memory}' ] && . '{self.memory}'\nset -e\n"
                  f"trap 'code=$?; export -p >\"{self.memory}\"; pwd >\"{self.memory}.cwd\"; exit $code' EXIT\n{script}\n")
        done = subprocess.run(["bash", "-c", source], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=TIMEOUT)
        if os.path.exists(self.memory + ".cwd"):
            self.cwd = read(self.memory + ".cwd").strip()
        return done.returncode, done.stdout


def missing_line(wanted, output):
    """The first line of the text that the output does not have, or None."""
    lines = iter(output.split("\n"))
    for line in wanted.strip("\n").split("\n"):
        pattern = re.compile(".*".join(re.escape(part) for part in line.strip().split("…")) + r"\s*$")
        if line.strip() in ("", "…"):
            continue
        if not any(pattern.search(printed.strip()) for printed in lines):
            return line
    return None


def play(path, shell, report, has_network):
    """Runs a page; report(problem, claim, skipped) hears of each block."""
    output, skipped = "", False
    for language, info, body in FENCE.findall(read(path)):
        first = body.strip().split("\n")[0][:60]
        if language == "sh":
            skipped = info.startswith("not-run:") or (info.startswith("network") and not has_network)
            if info.startswith("not-run:"):
                report(None if info[8:].strip() else "no reason is given", first, info[8:].strip() or "?")
            elif skipped:
                report(None, first, "DOCS_NETWORK is not set")
            else:
                wanted = int(info[5:]) if info.startswith("exit=") else 0
                code, output = shell.run(body)
                report(None if code == wanted else f"exit code {code} instead of {wanted}:\n{body}\n{output}", first, None)
        elif language == "text" and not skipped:
            line = missing_line(body, output)
            report(line and f"was not printed: {line}\nbut:\n{output}", f"it says: {first}", None)
        elif language not in ("sh", "text") and info:
            target = os.path.join(shell.cwd, info)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(body)
