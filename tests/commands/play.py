#!/usr/bin/env python3
"""play.py — plays transcripts of commands and compares what is printed; speaks TAP, a claim for each command.

usage: CLI=build/bin/pulumi [SCRIPTED=build/release/support/scripted] play.py [-bless] FILE.t…

A transcript is a session in a new project directory. A line that begins with "$ " is given to the shell, with the lines after it that begin
with "> "; below it stands what it prints on both outputs, and "[N]" if its exit code is not 0. Lines that begin with "#" are comments.
$SCRIPTED is the program that plays plugins (see tests/support), for transcripts that link to it. Times, ciphertexts, identifiers and the
directory are masked. -bless writes the outputs anew; review the change like code."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d [\d:.]+ \+0000 UTC"), "<time>"),
    (re.compile(r"\b(now|\d+ \w+ ago)(?= |$)", re.MULTILINE), "<ago>"),
    (re.compile(r"(Managed by |backend \()" + re.escape(os.uname().nodename)), r"\1<host>"),
    (re.compile(r"v1:[\w+/]+=*:v1:[\w+/]+=*:[\w+/]+=*"), "<salt>"),
    (re.compile(r"v1:[\w+/]+=*:[\w+/]+=*"), "<ciphertext>"),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<uuid>"),
    (re.compile(r'"magic": "[0-9a-f]{64}"'), '"magic": "<magic>"'),
    (re.compile(r"\bv3\.\d+\.\d+\b"), "<version>"),
    (re.compile(r"(?<= )\(\d+(\.\d\d)?s\)|(?<=^Duration: )[\dms]+$", re.MULTILINE), "<took>"),
    (re.compile(r"http://127\.0\.0\.1:\d+\b"), "http://127.0.0.1:<port>"),
    (re.compile(r"\b(secure|ciphertext)\b(\"?: \"?)[\w+/]{40,}=*"), r"\1\2<ciphertext>"),
]


def read(path):
    """Pieces of a transcript: (comment lines, command lines, expected text)."""
    pieces, comments = [], []
    for line in open(path).read().split("\n")[:-1]:
        if line.startswith("#"):
            comments.append(line)
        elif line.startswith("$ "):
            pieces.append((comments, [line[2:]], []))
            comments = []
        elif line.startswith("> ") and not pieces[-1][2]:
            pieces[-1][1].append(line[2:])
        else:
            pieces[-1][2].append(line)
    return pieces


def mask(text, home):
    text = text.replace(home, "<dir>")
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return text


def session(cli, home):
    """What a command is run with; its stacks and settings are all below `home`."""
    os.makedirs(home + "/project")
    os.makedirs(home + "/state")
    os.makedirs(home + "/bin")
    os.makedirs(home + "/run")
    for name in ("pulumi", "culumi"):
        os.symlink(os.path.realpath(cli), home + "/bin/" + name)
    return {
        "PATH": home + "/bin:/usr/bin:/bin",
        "HOME": home,
        "PULUMI_HOME": home + "/home",
        "PULUMI_BACKEND_URL": "file://" + home + "/state",
        "PULUMI_CONFIG_PASSPHRASE": "pw",
        "NO_COLOR": "1",
        "TERM": "xterm",
        "PULUMI_DISABLE_CI_DETECTION": "true",  # a terminal counts as one, wherever this runs
        "TRANSCRIPTS": os.path.realpath(os.path.dirname(__file__)),
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
        "SCRIPTED": os.path.realpath(os.environ.get("SCRIPTED", "build/release/support/scripted")),
        "SCENARIO_DIR": home + "/run",
    }


def play(cli, path):
    """What each command of a transcript really prints."""
    with tempfile.TemporaryDirectory(prefix="commands-") as home:
        environment = session(cli, home)
        for comments, command, expected in read(path):
            run = subprocess.run("\n".join(command), shell=True, cwd=home + "/project", env=environment, text=True, timeout=300,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            lines = mask(run.stdout, home).split("\n")
            if lines[-1] == "":
                lines.pop()
            if run.returncode:
                lines.append(f"[{run.returncode}]")
            yield comments, command, expected, lines


def bless(cli, path):
    pieces = list(play(cli, path))
    with open(path, "w") as file:
        for comments, command, _, printed in pieces:
            for line in comments + ["$ " + command[0]] + ["> " + line for line in command[1:]] + printed:
                file.write(line + "\n")


def main():
    cli, paths = os.environ["CLI"], sys.argv[1:]
    if paths and paths[0] == "-bless":
        for path in paths[1:]:
            bless(cli, path)
        return 0
    number = 0
    for path in paths or sorted(os.path.join(os.path.dirname(__file__), name) for name in os.listdir(os.path.dirname(__file__))
                                if name.endswith(".t")):
        for _, command, expected, printed in play(cli, path):
            number += 1
            print(f"{'ok' if expected == printed else 'not ok'} {number} - {os.path.basename(path)}: {command[0]}")
            if expected != printed:
                for line in difflib.unified_diff(expected, printed, "expected", "printed", lineterm=""):
                    print("#   " + line)
    print(f"1..{number}")
    return 0


sys.exit(main())
