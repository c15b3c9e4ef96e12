#!/usr/bin/env python3
"""table.py — every command and option that users of the reference know (options.table) is there, explained and used. Speaks TAP.

usage: CLI=build/bin/pulumi table.py

A line of the table: COMMAND [(other names)]: options, with their letters. A line that begins with "?" is of a command that may not be
there yet; it holds as soon as the command is. Options of the whole program stand under "*".

- `COMMAND --OPTION --help` is accepted, by each of its names and letters;
- the help of a command says what it is for, shows how it is used, and names each option and the defaults that are not just empty;
- the member that an option fills is read somewhere, or its help says that it has no effect here."""
import glob
import json
import os
import re
import subprocess
import sys

CLI = os.environ["CLI"]
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "src", "cli")
ROW = re.compile(r'\b(?:FLAG|FLAG_ON|TEXT|TEXT_PRESET|TEXT_OR|INTEGER|INTEGER_PRESET|LIST|LIST_OR|CSV)\(\s*'
                 r'(?:struct )?(\w+),\s*([\w.]+),\s*(?:\'.\'|0),\s*"([^"]+)",((?:[^()]|\([^()]*\))*)\)', re.S)
number = 0


def claim(is_true, text, why=""):
    global number
    number += 1
    print(f"{'ok' if is_true else 'not ok'} {number} - {text}")
    if not is_true and why:
        print("\n".join("#   " + line for line in str(why).split("\n")[:12]))


def run(*words):
    done = subprocess.run([CLI, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                          env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})
    return done.returncode, done.stdout + done.stderr


def read_table():
    """(may be missing, path, other names, [(letter, name)])"""
    for line in open(os.path.join(HERE, "options.table"), encoding="utf-8"):
        line = line.split("#")[0].strip()
        if not line:
            continue
        head, _, options = line.partition(":")
        path, _, names = head.lstrip("? ").partition("(")
        pairs = [(("-" + option.split("/")[0].lstrip("-")) if "/" in option else "", option.split("/")[-1]) for option in options.split()]
        yield line.startswith("?"), path.split(), names.rstrip(") ").split(), pairs


def is_there(tree, path):
    for word in path:
        tree = tree.get("commands", {}).get(word)
        if tree is None:
            return False
    return True


def check_command(path, names, options, shared):
    words = [] if path == ["*"] else path
    shown = " ".join(words) or "the program"
    code, text = run(*words, "--help")
    claim(code == 0 and len(text.split("\n")[0]) > 10 and "\nUsage:\n" in text and "\nExamples:\n" in text,
          f"{shown}: the help has a purpose, a usage and an example", text)
    for name in names:
        claim(run(*words[:-1], name, "--help")[1] == text, f"{shown}: is also called {name}")
    bad = []
    for letter, name in options + shared:
        for form in filter(None, (letter, name)):
            for value in ("", "=1", "=true", "=auto"):
                code, answer = run(*words, "--help", form + value)
                if code == 0:
                    break
            if code != 0:
                bad.append(f"{form} is refused: {answer.strip()}")
        if not re.search(rf"(^|\s){name}(\s|\[|$)", text, re.M) and name not in HIDDEN:
            bad.append(f"{name} is not explained")
    claim(not bad, f"{shown}: its {len(options)} options are accepted and explained", "\n".join(bad))


# Forms that older scripts and SDKs use, which the reference does not show either.
HIDDEN = {"--json", "--exec-kind", "--exec-agent", "--client", "--tracing-header"}


def check_use():
    """Each member that an option fills is read."""
    sources = {path: open(path, encoding="utf-8").read() for path in glob.glob(SOURCE + "/**/*.[ch]", recursive=True)}
    # These say so when they are used: everywhere, or in the command that is named before them.
    idle = set(re.findall(r'{ (?:ANYWHERE|"([\w-]+)"),\s*"([\w-]+)",', sources[os.path.join(SOURCE, "idle_options.c")]))
    assert idle, "idle_options.c has no row that can be read"
    everything = "\n".join(ROW.sub("", text) for text in sources.values())
    for path, text in sorted(sources.items()):
        for _, member, name, rest in ROW.findall(text):
            if "No effect here" in rest or member in ("idle", "idle_text", "idle_list") or name == "stack":
                continue
            command = os.path.basename(path).removeprefix("cmd_").removesuffix(".c").replace("_", " ")
            if ("", name) in idle or (command, name) in idle:
                continue
            last = member.split(".")[-1]
            claim(re.search(rf"(->|\.)(\w+\.)*{last}\b", everything) is not None, f"{os.path.basename(path)}: what --{name} sets is read")


def main():
    tree = json.loads(subprocess.run([CLI, "generate-cli-spec"], capture_output=True, text=True, check=True).stdout)
    rows = list(read_table())
    for may_be_missing, path, names, options in rows:
        if path != ["*"] and not is_there(tree, path):
            if may_be_missing:
                print(f"# {' '.join(path)} is not there yet")
            else:
                claim(False, f"{' '.join(path)} is there")
            continue
        check_command(path, names, options, [])
    check_use()
    # What is there and not in the table has at least a purpose and an example.
    known = {" ".join(path) for _, path, _, _ in rows}

    def walk(node, path):
        for word, child in node.get("commands", {}).items():
            here = path + [word]
            if word.startswith("__"):  # what follows is not ours
                continue
            text = run(*here, "--help")[1]
            if " ".join(here) not in known and "Works with the hosted service only" not in text:
                claim("\nExamples:\n" in text and len(text.split("\n")[0]) > 10, f"{' '.join(here)}: the help has a purpose and an example", text)
            walk(child, here)

    walk(tree, [])
    print(f"1..{number}")


sys.exit(main())
