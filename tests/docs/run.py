#!/usr/bin/env python3
"""run.py — runs what docs/ tells its readers to type, checks what it says they will see, follows its links, and counts its variables. Speaks TAP.

A page is run from top to bottom in an empty folder and an empty home:
    ```sh                     is run; it must end with 0
    ```sh exit=1              must end with 1
    ```sh network             is run where DOCS_NETWORK is set: it installs from registries
    ```sh not-run: REASON     is not run
    ```text                   lines that the block before has printed, in this order; … stands for anything
    ```yaml NAME              becomes the file NAME; any language that is not sh or text

usage: run.py [PAGE…]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"^```(\S*)[ \t]*(.*?)\n(.*?)^```$", re.S | re.M)
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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


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
        self.environment = {**keep, "HOME": home, "PATH": ":".join([bin_, hosts, keep["PATH"]]), "EXAMPLES": os.path.join(TOP, "examples"), "NO_COLOR": "1"}

    def run(self, script):
        """Variables and the folder of one block hold in the next."""
        state = os.path.join(self.folder, "state")
        source = f"cd '{self.cwd}'\n[ -e '{state}' ] && . '{state}'\nset -e\ntrap 'code=$?; export -p >\"{state}\"; pwd >\"{state}.cwd\"; exit $code' EXIT\n{script}\n"
        done = subprocess.run(["bash", "-c", source], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=600)
        if os.path.exists(state + ".cwd"):
            self.cwd = read(state + ".cwd").strip()
        return done.returncode, done.stdout

    def close(self):
        shutil.rmtree(self.folder)


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


def run_page(path):
    name = os.path.relpath(path, TOP)
    world = World()
    output = ""
    skipped = False
    try:
        for place, (language, info, body) in enumerate(FENCE.findall(read(path)), 1):
            first = body.strip().split("\n")[0][:60]
            if language == "sh":
                skipped = info.startswith("not-run:") or (info.startswith("network") and not os.environ.get("DOCS_NETWORK"))
                if info.startswith("not-run:"):
                    report(None if info[8:].strip() else "no reason is given", f"{name}: {first}", info[8:].strip() or "?")
                elif skipped:
                    report(None, f"{name}: {first}", "DOCS_NETWORK is not set")
                else:
                    wanted = int(info[5:]) if info.startswith("exit=") else 0
                    code, output = world.run(body)
                    report(None if code == wanted else f"exit code {code} instead of {wanted}:\n{body}\n{output}", f"{name}: {first}")
            elif language == "text" and not skipped:
                line = missing_line(body, output)
                report(line and f"was not printed: {line}\nbut:\n{output}", f"{name}: it says: {first}")
            elif language not in ("sh", "text") and info:
                target = os.path.join(world.cwd, info)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "w", encoding="utf-8") as file:
                    file.write(body)
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
    told = read(os.path.join(TOP, "docs/environment.md"))
    left = sorted(name for name in used if name not in told)
    report("not in docs/environment.md: " + " ".join(left) if left else None, "every variable that is read is told")


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


for page in pages():
    check_links(page)
    run_page(page)
if len(sys.argv) == 1:
    check_variables()
    check_site()
print(f"1..{number}")
sys.exit(1 if failed else 0)
