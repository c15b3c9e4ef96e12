#!/usr/bin/env python3
"""examples.py — follows the README of an example word for word at a terminal, as a newcomer would who has nothing set up. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts examples.py [NAME…]      (hello by default: the others need network)"""
import os
import re
import shutil
import sys
import time

from screen import PATIENCE, World, claims

ROOT = os.path.realpath(os.path.dirname(__file__) + "/../../examples")
# What is answered to which question.
ANSWERS = [
    ("Please choose a stack, or create a new one:  [", "\r"),
    ("Please enter your desired stack name:", "dev\r"),
    ("passphrase to protect config/secrets:", "pass\r"),
    ("Re-enter your passphrase to confirm:", "pass\r"),
    ("PULUMI_CONFIG_PASSPHRASE_FILE to remember):", "pass\r"),
    ("Do you want to perform this update?  [", "yes\r"),
    ("Do you want to perform this destroy?  [", "yes\r"),
]


def commands(name):
    """The indented lines of its README."""
    with open(f"{ROOT}/{name}/README.md", encoding="utf-8") as file:
        return [line[4:].split("#")[0].strip() for line in file if line.startswith("    ")]


def follow(session):
    """Answers until the program ends."""
    until = time.monotonic() + 10 * PATIENCE
    while session.read(0.1):
        text = session.screen.everything().rstrip()
        for question, keys in ANSWERS:
            if question.endswith("[") and question in text:  # a menu, gone when it is answered
                session.send(keys)
                session.wait(where=lambda screen: question not in screen.everything())
            elif text.endswith(question):
                session.send(keys)
                session.wait(where=lambda screen: screen.everything().rstrip() != text)
            else:
                continue
            break
        if time.monotonic() > until:
            raise AssertionError(f"it hangs; the screen:\n{session.screen.text()}")
    return session.end()


def example(name):
    def works():
        world = World("")
        shutil.rmtree(world.project)
        shutil.copytree(f"{ROOT}/{name}", world.project, ignore=shutil.ignore_patterns("node_modules", "venv", "Pulumi.*.yaml", "*.html"))
        del world.environment["PULUMI_CONFIG_PASSPHRASE"]
        world.environment["PATH"] = world.folder.name + "/bin:" + os.path.realpath(os.environ["HOSTS"]) + ":" + os.environ["PATH"]
        for number, command in enumerate(commands(name)):
            session = world.run("sh", "-c", command, rows=60)
            code = follow(session)
            shown = session.screen.everything()
            if code != 0:
                raise AssertionError(f"`{command}` ends with {code}:\n{shown}")
            if command == "pulumi up" and "Outputs:" not in shown:
                raise AssertionError(f"`{command}` prints no outputs:\n{shown}")
            if command == "pulumi up --diff" and not re.search(r"Resources:\s+~ 1 updated|Resources:\s+\+-1 replaced", shown):
                raise AssertionError(f"{number}: `{command}` changes something else than the page:\n{shown}")
        world.close()
    works.__name__ = f"the_readme_of_{name}_works_word_for_word"
    return works


names, sys.argv[1:] = sys.argv[1:] or ["hello"], []
claims([example(name) for name in names])
