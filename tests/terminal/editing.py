#!/usr/bin/env python3
"""editing.py — `state edit` and `state repair` at a terminal, and other commands that let one choose. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts editing.py [CLAIM…]"""
import json
import os

from screen import World, claims

PET = "name: proj\nruntime: yaml\nresources:\n  pet: {type: random:RandomPet}\n  word: {type: random:RandomPassword, properties: {length: 9}}\n"


def check(is_true, session, what=""):
    if not is_true:
        raise AssertionError(f"{what}\n{session.screen.everything()}")


def deployed(editor):
    """A stack with resources, and an editor that is a shell script with the file as $1."""
    world = World(PET)
    path = world.folder.name + "/editor"
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + editor + "\n")
    os.chmod(path, 0o755)
    world.environment["EDITOR"] = path + " --wait"
    world.environment["TMPDIR"] = world.folder.name + "/tmp"
    os.mkdir(world.environment["TMPDIR"])
    world.run("pulumi", "stack", "init", "dev").end()
    world.run("pulumi", "up", "--skip-preview", "--yes").end()
    return world


def state_path(world):
    return world.folder.name + "/state/.pulumi/stacks/proj/dev.json"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def left(world):
    return [name for name in os.listdir(world.environment["TMPDIR"]) if name.startswith("pulumi-state-edit")]


def an_edit_is_shown_and_saved_when_it_is_accepted():
    world = deployed("sed -i 's/\"type\": \"random:index.randomPet:RandomPet\",/&\\n\"protect\": true,/' \"$2\"")
    session = world.run("pulumi", "state", "edit")
    session.wait("Previewing state edit (organization/proj/dev)", "+ ", '"protect": true', "Do you want to perform this edit?", "> edit")
    session.send("accept\r")
    check(session.end() == 0, session, "exit code")
    resources = json.loads(read(state_path(world)))["checkpoint"]["latest"]["resources"]
    check([r["urn"] for r in resources if r.get("protect")] == ["urn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet"],
          session, "not saved")
    check(not left(world), session, "a file is left")
    world.close()


def an_unchanged_state_is_not_saved():
    world = deployed("true")
    before = read(state_path(world))
    session = world.run("pulumi", "state", "edit")
    session.wait("warning: provided state was not changed")
    check(session.end() == 0 and read(state_path(world)) == before and not left(world), session, "something changed")
    world.close()


def an_editor_that_fails_changes_nothing_and_loses_nothing():
    world = deployed('echo "half" >>"$2"; exit 7')
    before = read(state_path(world))
    session = world.run("pulumi", "state", "edit")
    session.wait("error: the editor '", "failed with exit code 7")
    check(session.end() == 1, session, "exit code")
    check(read(state_path(world)) == before, session, "the state has changed")
    check(len(left(world)) == 1 and read(world.environment["TMPDIR"] + "/" + left(world)[0]).endswith("half\n"), session, "the edit is lost")
    world.environment["EDITOR"] = ""
    session = world.run("pulumi", "state", "edit")
    session.wait("error: no EDITOR environment variable set")
    check(session.end() == 1, session, "exit code")
    world.close()


def an_invalid_state_can_be_edited_again_or_reset_but_not_accepted():
    world = deployed("if test -e again; then exit 0; fi; touch again; sed -i 's/random:index.randomPet:RandomPet::pet\"/gone\"/; s/\"custom\": true/\"custom\": tru/' \"$2\"")
    before = read(state_path(world))
    session = world.run("pulumi", "state", "edit")
    session.wait("error: provided state is not valid:", "line", "Received invalid state. What would you like to do?", "> edit", "  reset", "  cancel")
    check("accept" not in session.screen.text(), session, "an invalid state could be accepted")
    session.send("reset\r")
    session.wait("warning: provided state was not changed")
    check(session.end() == 0 and read(state_path(world)) == before, session, "something changed")
    world.close()


def a_cancelled_edit_changes_nothing():
    world = deployed("sed -i 's/\"custom\": true,/&\\n\"protect\": true,/' \"$2\"")
    before = read(state_path(world))
    for keys in ("cancel\r", "\x03"):
        session = world.run("pulumi", "state", "edit")
        session.wait("Do you want to perform this edit?")
        session.send(keys)
        session.wait("error: confirmation cancelled, not proceeding with the state edit")
        check(session.end() == 1 and read(state_path(world)) == before and not left(world), session, "something changed")
    world.close()


def a_state_that_others_changed_meanwhile_is_not_overwritten():
    world = deployed("pulumi state protect --all --yes --non-interactive >/dev/null; sed -i 's/\"custom\": true,/&\\n\"taint\": true,/' \"$2\"")
    session = world.run("pulumi", "state", "edit")
    session.wait("Do you want to perform this edit?")
    session.send("accept\r")
    session.wait("Your edit is in '", "error: the state was changed by somebody else meanwhile; nothing was saved")
    check(session.end() == 1 and '"taint"' not in read(state_path(world)) and '"protect"' in read(state_path(world)) and len(left(world)) == 1,
          session, "an update was lost")
    world.close()


def state_repair_shows_its_plan_and_asks():
    world = deployed("true")
    text = read(state_path(world)).replace('"parent":"urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev"', '"parent":"urn:pulumi:dev::proj::a:b:C::gone"')
    text = text.replace('"parent": "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev"', '"parent": "urn:pulumi:dev::proj::a:b:C::gone"')
    with open(state_path(world), "w", encoding="utf-8") as file:
        file.write(text)
    session = world.run("pulumi", "state", "repair")
    session.wait("~ urn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet", "- urn:pulumi:dev::proj::a:b:C::gone [parent]",
                 "This command will edit your stack's state directly. Confirm?", "> no")
    session.send("\r")
    session.wait("Confirmation denied, not proceeding with state repair")
    check(session.end() == 0 and read(state_path(world)) == text, session, "something changed")
    session = world.run("pulumi", "state", "repair")
    session.wait("Confirm?")
    session.send("yes\r")
    session.wait("State repaired successfully")
    check(session.end() == 0 and "gone" not in read(state_path(world)), session, "not repaired")
    world.close()


def state_get_lets_one_choose():
    world = deployed("true")
    session = world.run("pulumi", "state", "get")
    session.wait("Select the resource to show", "> urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev")
    session.send("randomPet\r")
    session.wait("Type: random:index/randomPet:RandomPet", "Outputs:")
    check(session.end() == 0, session, "exit code")
    world.close()


def a_migration_is_confirmed_or_cancelled():
    world = deployed("true")
    other = "file://" + world.folder.name + "/state"
    os.mkdir(world.folder.name + "/new")
    world.environment["PULUMI_BACKEND_URL"] = "file://" + world.folder.name + "/new"
    for answer, words in (("no\r", "Migration cancelled"), ("yes\r", "Migrated stack dev from")):
        session = world.run("pulumi", "stack", "migrate", other, "dev")
        session.wait("This will migrate stack dev from", "will be rewritten", "Continue?", "by typing `yes`:")
        session.send(answer)
        session.wait(words)
        check(session.end() == 0, session, "exit code")
    world.close()


def a_log_is_chosen_and_removed():
    world = deployed("true")
    world.run("pulumi", "-v", "3", "stack", "ls").end()
    session = world.run("pulumi", "logs", "remove")
    session.wait("Select the log file to remove", "> pulumi.")
    session.send("\r")
    session.wait("This will remove 1 log file(s)!")
    session.send("yes\r")
    session.wait("Removed 1 log file(s)")
    check(session.end() == 0 and not os.listdir(world.environment["TMPDIR"]), session, "it is still there")
    world.close()


def a_shell_completes_commands_options_stacks_and_urns():
    for shell, start in (("bash", "source <(pulumi gen-completion bash)"),
                         ("zsh", "autoload -U compinit; compinit -D; source <(pulumi gen-completion zsh)")):
        if not os.path.exists("/usr/bin/" + shell):
            continue
        world = deployed("true")
        session = world.run(shell, "--norc" if shell == "bash" else "-f", "-i", columns=160)
        session.send(start + "; echo rea''dy\r")
        session.wait("ready")
        for typed, expected in (("pulumi stack outp\tname --stack d\t\r", "does not have output property 'name'"),
                                ("pulumi stack tag ls --outp\tj\t\r", "{}"),
                                ("pulumi state unprotect -y urn:pulumi:dev::proj::random:index/randomPe\t\r", "1 resources unprotected")):
            session.send(typed)
            session.wait(expected)
        session.send("exit\r")
        session.end()
        world.close()


claims([
    a_shell_completes_commands_options_stacks_and_urns,
    an_edit_is_shown_and_saved_when_it_is_accepted,
    an_unchanged_state_is_not_saved,
    an_editor_that_fails_changes_nothing_and_loses_nothing,
    an_invalid_state_can_be_edited_again_or_reset_but_not_accepted,
    a_cancelled_edit_changes_nothing,
    a_state_that_others_changed_meanwhile_is_not_overwritten,
    state_repair_shows_its_plan_and_asks,
    state_get_lets_one_choose,
    a_migration_is_confirmed_or_cancelled,
    a_log_is_chosen_and_removed,
])
