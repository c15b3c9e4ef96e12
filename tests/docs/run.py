#!/usr/bin/env python3
"""run.py — runs what docs/ tells its readers to type, checks what it says they will see, follows its links, and counts its variables. Speaks TAP.

A page is run in an empty folder and an empty home; page.py says how its blocks are marked. Where DOCS_NETWORK is set, also what installs from registries.

usage: run.py [PAGE…]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import page
from page import FENCE, read

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
number = failed = 0


def report(problem, claim, skipped=None):
    global number, failed
    number += 1
    failed += bool(problem)
    print(f"{'not ok' if problem else 'ok'} {number} - {claim}" + (f" # SKIP {skipped}" if skipped else ""))
    if problem:
        print("".join(f"# {line}\n" for line in problem.split("\n")), end="")
    sys.stdout.flush()


def pages():
    chosen = [os.path.abspath(path) for path in sys.argv[1:]]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(TOP, "docs")) for name in names if name.endswith(".md")]
    return sorted(chosen or found)


class World:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="culumi-docs-")
        self.cwd = os.path.join(self.folder, "work")
        home = os.path.join(self.folder, "home")
        bin_ = os.path.join(self.folder, "bin")
        for path in (self.cwd, home, bin_):
            os.mkdir(path)
        cli = os.path.abspath(os.environ.get("CLI", os.path.join(TOP, "build/bin/culumi")))
        for name in ("culumi", "pulumi"):
            os.symlink(os.path.join(os.path.dirname(cli), "culumi"), os.path.join(bin_, name))
        hosts = os.path.abspath(os.environ.get("HOSTS", os.path.join(TOP, "build/bin")))
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("PULUMI_", "CULUMI_", "GIT"))}
        self.environment = {**keep, **page.caches(), "HOME": home, "PATH": ":".join([bin_, hosts, keep["PATH"]]), "EXAMPLES": os.path.join(TOP, "examples"), "NO_COLOR": "1"}

    def shell(self):
        return page.Shell(self.cwd, os.path.join(self.folder, "state"), self.environment)

    def close(self):
        shutil.rmtree(self.folder)


def run_page(path):
    name = os.path.relpath(path, TOP)
    world = World()
    try:
        page.play(path, world.shell(), lambda problem, claim, skipped: report(problem, f"{name}: {claim}", skipped), bool(os.environ.get("DOCS_NETWORK")))
    finally:
        world.close()


def check_links(path):
    folder = os.path.dirname(path)
    text = FENCE.sub("", read(path))
    broken = []
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        file = os.path.join(folder, target) if target else path
        if not os.path.exists(file):
            broken.append(link)
        elif anchor and file.endswith(".md") and anchor not in anchors(file):
            broken.append(link)
    report("broken: " + ", ".join(broken) if broken else None, f"{os.path.relpath(path, TOP)}: its links lead somewhere")


def anchors(path):
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", read(path)), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_variables():
    used = set()
    for folder in ("src", "hosts"):
        for root, _, names in os.walk(os.path.join(TOP, folder)):
            for name in names:
                if name.endswith((".c", ".h", ".def")):
                    used |= set(re.findall(r'settings_\w+\(\s*"((?:PULUMI|CULUMI)_[A-Z_]+)"', read(os.path.join(root, name))))
    used |= set(re.findall(r'VARIABLE\("([A-Z_]+)"', read(os.path.join(TOP, "src/cli/variables.def"))))
    page = read(os.path.join(TOP, "docs/environment.md"))
    left = sorted(name for name in used if name not in page)
    report("not in docs/environment.md: " + " ".join(left) if left else None, "every variable that is read is documented")


def check_site():
    claim = "the site's links lead somewhere"
    if not shutil.which("cmark-gfm"):
        report(None, claim, "cmark-gfm is not installed")
        return
    done = subprocess.run([os.path.join(TOP, "tools/make-docs")], capture_output=True, text=True)
    broken = [] if done.returncode == 0 else [done.stderr]
    for folder, _, names in os.walk(os.path.join(TOP, "build/docs")):
        for name in names:
            text = read(os.path.join(folder, name))
            for link in re.findall(r'href="([^"#]+\.html)(?:#[^"]*)?"', text):
                if not os.path.exists(os.path.join(folder, link)):
                    broken.append(f"{name}: {link}")
            if re.search(r'<(script|link|img|iframe)\b|url\(', text):
                broken.append(f"{name}: loads something")
    report("\n".join(broken), claim)


for path in pages():
    check_links(path)
    run_page(path)
if len(sys.argv) == 1:
    check_variables()
    check_site()
print(f"1..{number}")
sys.exit(1 if failed else 0)
