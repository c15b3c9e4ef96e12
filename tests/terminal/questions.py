#!/usr/bin/env python3
"""questions.py — what a person is asked at a terminal, and what the answers do. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts questions.py [CLAIM…]"""
import json
import os
import re

from screen import World, claims

EMPTY = "name: proj\nruntime: yaml\n"
PET = "name: proj\nruntime: yaml\nresources:\n  pet:\n    type: random:RandomPet\noutputs: {o: done}\n"
CREATE = "Please choose a stack, or create a new one:"


def check(is_true, session, what=""):
    if not is_true:
        raise AssertionError(f"{what}\n{session.screen.everything()}")


def without_a_stack_up_offers_to_make_one():
    world = World(PET)
    session = world.run("pulumi", "up")
    session.wait(CREATE, "> <create a new stack>")
    session.send("\r")
    session.wait(CREATE + " <create a new stack>", "Please enter your desired stack name:")
    session.send("dev\r")
    session.wait("Created stack 'dev'", "Do you want to perform this update?", "> no")
    session.send("yes\r")
    session.wait("Do you want to perform this update? yes", "Resources:", "Duration:")
    check(session.end() == 0, session, "exit code")
    again = world.run("pulumi", "stack", "--show-name")
    again.wait("dev")
    again.end()
    world.close()


def a_stack_is_chosen_and_stays_selected():
    for command in (["preview"], ["config"], ["stack"], ["refresh", "--preview-only"]):
        world = World(EMPTY)
        for name in ("one", "two"):
            world.run("pulumi", "stack", "init", "--no-select", name).end()
        session = world.run("pulumi", *command)
        session.wait(CREATE, "  one", "  two", "> <create a new stack>")
        session.send("two\r")
        session.wait(CREATE + " two")
        check(session.end() == 0, session, f"exit code of {command}")
        again = world.run("pulumi", "stack", "--show-name")
        again.wait("two")
        again.end()
        world.close()


def commands_that_make_no_stack_offer_those_there_are():
    world = World(EMPTY)
    session = world.run("pulumi", "destroy")
    session.wait("error: this command requires a stack, but there are none")
    check(session.end() == 1, session, "exit code")
    world.run("pulumi", "stack", "init", "--no-select", "one").end()
    for command in (["cancel"], ["stack", "export"], ["stack", "output"]):
        session = world.run("pulumi", *command)
        session.wait("Please choose a stack:", "> one")
        check("<create" not in session.screen.text(), session, "offers a new stack")
        session.send("\x03")
        session.wait("error: no stack selected; please use `pulumi stack select` to choose one")
        check(session.end() == 1, session, f"exit code of {command}")
    world.close()


def without_a_choice_no_stack_is_selected():
    world = World(EMPTY)
    session = world.run("culumi", "up")
    session.wait(CREATE)
    session.send("\x03")
    session.wait("error: no stack selected; please use `culumi stack select` or `culumi stack init` to choose one")
    check(session.end() == 1, session, "exit code")
    world.close()


def a_stack_that_is_named_and_missing_can_be_made():
    world = World(PET)
    session = world.run("pulumi", "preview", "-s", "new")
    session.wait("The stack 'new' does not exist. Create it?", "> yes")
    session.send("\r")
    session.wait("Created stack 'new'", "Resources:")
    check(session.end() == 0, session, "exit code")
    session = world.run("pulumi", "preview", "-s", "other")
    session.wait("The stack 'other' does not exist. Create it?")
    session.send("no\r")
    session.wait("error: no stack named 'other' found")
    check(session.end() == 6, session, "exit code")
    world.close()


def stack_select_offers_a_new_one_and_has_the_selected_one_preset():
    world = World(EMPTY)
    world.run("pulumi", "stack", "init", "one").end()
    world.run("pulumi", "stack", "init", "two", "--no-select").end()
    session = world.run("pulumi", "stack", "select")
    session.wait("> one", "  two", "  <create a new stack>")
    session.send("create\r")
    session.wait("Please enter your desired stack name:")
    session.send("three\r")
    session.wait("Created stack 'three'")
    check(session.end() == 0, session, "exit code")
    world.close()


def a_new_stack_is_called_dev_unless_one_says_otherwise():
    world = World(EMPTY)
    session = world.run("pulumi", "stack", "init")
    session.wait("stack name (dev):")
    session.send("\r")
    session.wait("Created stack 'dev'")
    check(session.end() == 0, session, "exit code")
    world.close()


def a_menu_is_clean_after_a_resize():
    world = World(EMPTY)
    for name in ("one", "two"):
        world.run("pulumi", "stack", "init", "--no-select", name).end()
    for before, after in ((100, 30), (30, 100)):
        world.run("pulumi", "stack", "unselect").end()
        session = world.run("sh", "-c", "echo above; pulumi stack select", columns=before)
        session.wait("> <create a new stack>")
        session.resize(24, after)
        session.send("\x1b[A")
        session.wait("> two")
        shown = session.screen.everything()
        check(shown.startswith("above\nPlease choose") and shown.count("Please choose") == 1, session, f"from {before} columns to {after}")
        session.resize(24, before)
        session.send("\r")
        check(session.end() == 0, session, "exit code")
        check("".join(session.screen.everything().split()) == "above" + CREATE.replace(" ", "") + "two", session, "the answer")
    world.close()


def hidden_input_ends_with_a_new_line():
    world = World(EMPTY)
    del world.environment["PULUMI_CONFIG_PASSPHRASE"]
    session = world.run("pulumi", "stack", "init", "dev")
    session.wait("Enter your passphrase to protect config/secrets:")
    check(not session.echoes(), session, "the passphrase would be echoed")
    session.send("sexret\x7f\x7f\x7f\x7fcret\r")
    session.wait("Re-enter your passphrase to confirm:")
    session.send("secret\r")
    session.wait("Created stack 'dev'")
    check(session.end() == 0, session, "exit code")
    lines = session.screen.text().split("\n")
    check("Re-enter your passphrase to confirm:" in lines and "Created stack 'dev'" in lines, session, "lines run together")
    world.environment["PULUMI_CONFIG_PASSPHRASE"] = "secret"
    session = world.run("pulumi", "config", "set", "--secret", "k", "v")
    check(session.end() == 0, session, "it is another passphrase")
    world.close()


def control_c_at_hidden_input_gives_the_terminal_back():
    world = World(EMPTY)
    del world.environment["PULUMI_CONFIG_PASSPHRASE"]
    session = world.run("sh", "-c", "pulumi stack init dev; echo ended with $?; stty -a; read line")
    session.wait("Enter your passphrase to protect config/secrets:")
    session.send("abc\x03")
    session.wait("error:", "interrupt", "ended with 1")
    session.wait(where=lambda screen: re.search(r"[^-]echo ", screen.everything()) and re.search(r"[^-]icanon", screen.everything()))
    session.send("\r")
    session.end()
    world.close()


def control_c_at_the_question_says_so():
    world = World(PET)
    world.run("pulumi", "stack", "init", "dev").end()
    for keys in ("\x03", "\x1b\x03", "\x1b[\x03"):
        session = world.run("pulumi", "up")
        session.wait("Do you want to perform this update?", "> no")
        session.send(keys)
        session.wait("error: confirmation cancelled, not proceeding with the update: interrupt")
        check(session.end() == 1, session, "exit code")
    session = world.run("pulumi", "up")
    session.wait("Do you want to perform this update?", "> no")
    session.send("no\r")
    session.wait("Do you want to perform this update? no", "confirmation declined, not proceeding with the update")
    check(session.end() == 1, session, "exit code")
    world.close()


def without_a_preview_nothing_is_asked():
    world = World(PET)
    world.run("pulumi", "stack", "init", "dev").end()
    for command in (["up", "--skip-preview"], ["refresh", "-f"], ["destroy", "-f"]):
        session = world.run("pulumi", *command)
        session.wait(where=lambda screen: "Duration:" in screen.everything() or "Do you want" in screen.everything())
        check("Do you want" not in session.screen.everything(), session, f"{command} asks")
        check(session.end() == 0, session, f"exit code of {command}")
    world.close()


def protecting_in_the_state_says_that_the_program_decides():
    world = World(PET)
    world.run("pulumi", "stack", "init", "dev").end()
    session = world.run("pulumi", "up", "--yes", "--skip-preview")
    session.wait("Duration:")
    session.end()
    session = world.run("pulumi", "state", "protect")
    session.wait("Select a resource to protect:")
    session.send("pet\r")
    session.wait("does not also set the 'protect' resource option", "`pulumi up`", "Confirm?")
    session.send("yes\r")
    session.wait("1 resources protected")
    check(session.end() == 0, session, "exit code")
    world.close()


def pending_state(world, *names):
    """A stack with creations that were interrupted."""
    world.run("pulumi", "stack", "init", "dev").end()
    provider = "urn:pulumi:dev::proj::pulumi:providers:random::default"
    resources = [{"urn": "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev", "custom": False, "type": "pulumi:pulumi:Stack"},
                 {"urn": provider, "custom": True, "id": "p1", "type": "pulumi:providers:random", "inputs": {}, "outputs": {}}]
    pending = [{"resource": {"urn": f"urn:pulumi:dev::proj::random:index/randomString:RandomString::{name}", "custom": True,
                             "type": "random:index/randomString:RandomString", "inputs": {"length": 6}, "provider": provider + "::p1"},
                "type": "creating"} for name in names]
    path = world.folder.name + "/state/.pulumi/stacks/proj/dev.json"
    with open(path, encoding="utf-8") as file:
        state = json.load(file)
    state["checkpoint"]["latest"]["resources"] = resources
    state["checkpoint"]["latest"]["pending_operations"] = pending
    with open(path, "w", encoding="utf-8") as file:
        json.dump(state, file)
    return path


def refresh_asks_what_became_of_each_interrupted_creation():
    world = World(EMPTY)
    path = pending_state(world, "a", "b", "c")
    session = world.run("pulumi", "refresh", "--skip-preview", "--yes")
    for name, answer in (("a", "clear"), ("b", "skip"), ("c", "import")):
        session.wait(f"Options for pending CREATE of urn:pulumi:dev::proj::random:index/randomString:RandomString::{name}", "> clear", "  skip", "  import")
        session.send(answer + "\r")
    session.wait("ID:")
    session.send("abcdef\r")
    session.wait("Resources:", "Duration:")
    check(session.end() == 0, session, "exit code")
    with open(path, encoding="utf-8") as file:
        latest = json.load(file)["checkpoint"]["latest"]
    left = [operation["resource"]["urn"][-1] for operation in latest.get("pending_operations", [])]
    check(left == ["b"], session, f"left pending: {left}")
    ids = {resource["urn"].split("::")[-1]: resource.get("id") for resource in latest["resources"]}
    check(ids.get("c") == "abcdef" and "a" not in ids, session, f"resources: {ids}")
    results = [resource["outputs"]["result"] for resource in latest["resources"] if resource["urn"].endswith("::c")]
    check(results == ["abcdef"], session, f"what was read: {results}")
    world.close()


def refresh_asks_nothing_where_options_say_it():
    for option in ("--skip-pending-creates", "--clear-pending-creates"):
        world = World(EMPTY)
        pending_state(world, "a")
        session = world.run("pulumi", "refresh", "--skip-preview", "--yes", option)
        session.wait("Duration:")
        check(session.end() == 0, session, "exit code")
        check("Options for pending" not in session.screen.everything(), session, "asked")
        world.close()


def an_interrupted_question_about_a_creation_changes_nothing():
    world = World(EMPTY)
    path = pending_state(world, "a")
    with open(path, encoding="utf-8") as file:
        before = file.read()
    session = world.run("pulumi", "refresh", "--skip-preview", "--yes")
    session.wait("Options for pending CREATE")
    session.send("\x03")
    session.wait("error:", "interrupt")
    check(session.end() == 1, session, "exit code")
    with open(path, encoding="utf-8") as file:
        check(file.read() == before, session, "the state has changed")
    check(not os.listdir(world.folder.name + "/state/.pulumi/locks") or
          not any(files for _, _, files in os.walk(world.folder.name + "/state/.pulumi/locks")), session, "a lock is left")
    world.close()


claims([
    without_a_stack_up_offers_to_make_one,
    a_stack_is_chosen_and_stays_selected,
    commands_that_make_no_stack_offer_those_there_are,
    without_a_choice_no_stack_is_selected,
    a_stack_that_is_named_and_missing_can_be_made,
    stack_select_offers_a_new_one_and_has_the_selected_one_preset,
    a_new_stack_is_called_dev_unless_one_says_otherwise,
    a_menu_is_clean_after_a_resize,
    hidden_input_ends_with_a_new_line,
    control_c_at_hidden_input_gives_the_terminal_back,
    control_c_at_the_question_says_so,
    without_a_preview_nothing_is_asked,
    protecting_in_the_state_says_that_the_program_decides,
    refresh_asks_what_became_of_each_interrupted_creation,
    refresh_asks_nothing_where_options_say_it,
    an_interrupted_question_about_a_creation_changes_nothing,
])
