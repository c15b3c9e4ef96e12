#!/usr/bin/env python3
"""hostile.py — what providers, programs and files say never reaches the terminal as a control character. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts SCRIPTED=build/release/support/scripted hostile.py [CLAIM…]

Everything that can be named or said here contains sequences that would set the title, clear the screen, move the cursor or colour text.
Of what the program writes to its terminal, only the sequences that it makes itself may be left."""
import json
import os
import re

from screen import World, claims, scripted

EVIL = "\x1b]0;owned\x07\x1b[2J\x1b[5;5H\x1b[31mred\x9b35m\x9d0;owned\x9c\x08\x7f\rover\x1bPq\x1b\\<{%fg 1%}>tag"
OURS = re.compile(r"\x1b\[(\?25[lh]|\?2026[lh]|\d*A|[HJK]|0m|1m|4m|38;5;\d+m)")
URN = "urn:pulumi:dev::proj::pkg:index:Res::a" + EVIL
FALSE_RED = "\x1b[38;5;1m"


def check_bytes(session, is_colored=True):
    """Only our own sequences; nothing of the other controls."""
    shown = session.bytes.decode("utf-8", "replace")
    left = OURS.sub("", shown)
    for number, character in enumerate(left):
        if (character < " " and character not in "\r\n\t") or "\x7f" <= character < "\xa0":
            raise AssertionError(f"{character!r} got to the terminal: {left[max(0, number - 60):number + 60]!r}")
    if "owned" not in shown and "tag" not in shown:
        raise AssertionError(f"it was not said at all: {shown!r}")
    if is_colored and re.search(re.escape(FALSE_RED) + "tag", shown):
        raise AssertionError(f"a tag of others has coloured something: {shown!r}")
    alone = re.sub(r"\r+\n", "\n", left)
    for line in alone.split("\n"):
        if "\r" in line and not line.startswith("\r"):
            raise AssertionError(f"a carriage return is within a line: {line!r}")


def hostile_world(program, rules=()):
    world = World("name: proj\nruntime: script\n")
    scripted(world, program, rules)
    del world.environment["NO_COLOR"]
    world.text("pulumi", "stack", "init", "dev")
    return world


PROGRAM = [
    {"resource": "a", "name": "a" + EVIL, "type": "pkg:index:Res", "props": {"key" + EVIL: "value" + EVIL, "list": ["x" + EVIL], "json": json.dumps({"k" + EVIL: EVIL})}},
    {"log": {"severity": "WARNING", "message": "warned " + EVIL + "\n"}},
    {"log": {"severity": "INFO", "message": "said " + EVIL + "\n", "resource": "a"}},
    {"print": "printed " + EVIL + "\n"},
    {"print": "complained " + EVIL + "\n", "error": True},
    {"export": {"out" + EVIL: "exported " + EVIL, "plain": "exported " + EVIL}},
]


def finish(session, code=0):
    ended = session.end()
    if ended != code:
        raise AssertionError(f"exit {ended}\n{session.screen.everything()}")
    check_bytes(session)


def the_table_and_its_sections_are_plain():
    world = hostile_world(PROGRAM)
    finish(world.run("pulumi", "up", "--yes", "--skip-preview", columns=200))
    finish(world.run("pulumi", "refresh", "--yes", "--skip-preview", "--urns", "--show-sames", columns=200))
    world.close()


def the_diff_is_plain():
    world = hostile_world(PROGRAM)
    finish(world.run("pulumi", "preview", "--diff", columns=200))
    finish(world.run("pulumi", "up", "--yes", "--skip-preview", "--diff", "--show-config", "-c", "key=" + EVIL.replace("\x1bP", ""), columns=200))
    world.close()


def lines_and_details_are_plain():
    world = hostile_world(PROGRAM)
    finish(world.run("pulumi", "preview", "--non-interactive", columns=200))
    session = world.run("pulumi", "up", columns=200)
    session.wait("details")
    session.send("det\r")
    session.wait("pkg:index:Res: (create)", "details")
    session.send("\x03")
    finish(session, 1)
    world.close()


def errors_of_providers_are_plain():
    world = hostile_world(PROGRAM, [{"on": "Create", "error": "failed " + EVIL}])
    finish(world.run("pulumi", "up", "--yes", "--skip-preview", columns=200), 1)
    finish(world.run("pulumi", "up", "--yes", "--skip-preview", "--diff", columns=200), 1)
    world.close()


def events_and_json_are_plain():
    world = hostile_world(PROGRAM)
    finish(world.run("pulumi", "preview", "--json", columns=200))
    finish(world.run("pulumi", "up", "--yes", "--skip-preview", "--json", columns=200))
    world.close()


def an_event_log_that_is_shown_again_is_plain():
    world = hostile_world(PROGRAM)
    world.text("pulumi", "up", "--yes", "--skip-preview", "--event-log", "events.json")
    for option in ("--diff", "--non-interactive"):
        finish(world.run("pulumi", "replay-events", "update", "events.json", option, columns=200))
    world.close()


def what_policies_say_is_plain():
    violation = {"policy_name": "rule", "policy_pack_name": "strict", "policy_pack_version": "1.0.0", "message": "broken " + EVIL,
                 "enforcement_level": "ADVISORY"}
    rules = [{"on": "GetAnalyzerInfo", "respond": {"policies": [{"name": "rule", "enforcement_level": "ADVISORY", "policy_type": "POLICY_TYPE_RESOURCE"}]}},
             {"on": "Analyze", "respond": {"diagnostics": [violation]}}]
    world = hostile_world(PROGRAM, rules)
    pack = world.folder.name + "/bin/pulumi-analyzer-strict"
    os.symlink(os.path.realpath(os.environ["SCRIPTED"]), pack)
    finish(world.run("pulumi", "up", "--yes", "--skip-preview", "--policy-pack", pack, columns=200))
    for option in ("--diff", "--json=false"):
        finish(world.run("pulumi", "policy", "analyze", "--policy-pack", pack, option, columns=200))
    world.close()


def commands_that_look_at_a_stack_are_plain():
    world = hostile_world(PROGRAM)
    done = world.text("pulumi", "up", "--yes", "--skip-preview", "--message", "message " + EVIL)
    if done.returncode:
        raise AssertionError(done.stdout)
    world.text("pulumi", "stack", "tag", "set", "tag", "value " + EVIL)
    world.text("pulumi", "config", "set", "plain", "value " + EVIL)
    for words in (["stack"], ["stack", "-u", "-i"], ["stack", "output"], ["stack", "output", "plain"], ["stack", "output", "--json"],
                  ["stack", "output", "--shell"], ["stack", "history"], ["stack", "history", "--json"], ["stack", "tag", "ls"], ["stack", "tag", "get", "tag"],
                  ["config"], ["config", "get", "plain"], ["config", "--json"], ["stack", "export"], ["about"],
                  ["state", "get", URN], ["state", "protect", "--all", "--yes"]):
        if words[0] in ("about", "state") and words[-1] != URN:
            session = world.run("pulumi", *words, columns=200)
            session.end()
            if re.search("owned\x07|\x1b\\]", session.bytes.decode("utf-8", "replace")):
                raise AssertionError(f"{words}: {session.bytes!r}")
            continue
        try:
            finish(world.run("pulumi", *words, columns=200))
        except AssertionError as failure:
            raise AssertionError(f"{words}: {failure}") from None
    world.close()


def files_of_state_are_plain():
    world = hostile_world(PROGRAM)
    world.text("pulumi", "up", "--yes", "--skip-preview")
    for name in sorted(os.listdir(world.folder.name + "/state/.pulumi/stacks/proj")):
        if name.endswith(".json"):
            path = world.folder.name + "/state/.pulumi/stacks/proj/" + name
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[:40] + "\x1b]0;owned\x07" + text[40:])
    session = world.run("pulumi", "stack", "export", columns=200)
    session.end()
    if re.search("\x1b\\]|\x07", session.bytes.decode("utf-8", "replace")):
        raise AssertionError(f"{session.bytes!r}")
    world.close()


def names_in_questions_are_plain():
    world = hostile_world(PROGRAM)
    world.text("pulumi", "up", "--yes", "--skip-preview")
    session = world.run("pulumi", "state", "delete", columns=200)
    session.wait("pkg:index:Res")
    session.send("\x03")
    session.end()
    check_bytes(session)
    world.close()


def pipes_get_every_byte():
    world = hostile_world([{"export": {"plain": "exported " + EVIL}}])
    world.text("pulumi", "up", "--yes", "--skip-preview")
    shown = world.text("pulumi", "stack", "output", "plain").stdout
    if shown != "exported " + EVIL.replace("\r", "\n") + "\n" and shown != "exported " + EVIL + "\n":
        raise AssertionError(repr(shown))
    world.close()


claims([
    the_table_and_its_sections_are_plain,
    the_diff_is_plain,
    lines_and_details_are_plain,
    errors_of_providers_are_plain,
    events_and_json_are_plain,
    an_event_log_that_is_shown_again_is_plain,
    what_policies_say_is_plain,
    commands_that_look_at_a_stack_are_plain,
    files_of_state_are_plain,
    names_in_questions_are_plain,
    pipes_get_every_byte,
])
