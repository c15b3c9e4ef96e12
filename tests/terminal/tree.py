#!/usr/bin/env python3
"""tree.py — the live table in a real terminal, tmux: every width, a resize, thousands of resources, an interrupt. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts SCRIPTED=build/release/support/scripted tree.py [-bless] [CLAIM…]

The screens are beside this file, in golden/; -bless writes them anew. Resources wait for a file, so that an update goes on for as long as a
test wants."""
import os
import re
import shutil
import sys

from screen import Tmux, World, claims, scripted

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
BLESSES = "-bless" in sys.argv
PROGRAM = [
    {"resource": "net", "type": "acme:platform/network:Network", "component": True},
    {"resource": "subnet", "name": "production-europe-west-subnet-with-a-very-long-name-07", "type": "pkg:network/subnet:Subnet", "parent": "net"},
    {"resource": "wide", "name": "数据库-主-é-🚀", "type": "pkg:index:Res", "parent": "net"},
    {"resource": "combining", "name": "e\u0301te\u0301", "type": "pkg:index:Res"},
    {"resource": "plain", "type": "pkg:index:Res"},
    {"parallel": [{"resource": "slow-a", "type": "pkg:index:Res"}, {"resource": "slow-b", "type": "pkg:index:Res"}]},
]
WAITS = [{"on": "Create", "name": name, "appears": {"go": ""}} for name in ("slow-a", "slow-b")]


def scripted_world(program, rules):
    world = World("name: proj\nruntime: script\n")
    run = scripted(world, program, rules)
    world.text("pulumi", "stack", "init", "dev")
    return world, run


def go(run):
    with open(run + "/go", "w", encoding="utf-8"):
        pass


def check(is_true, shown, what=""):
    if not is_true:
        raise AssertionError(f"{what}\n{shown}")


def layout(shown):
    """Without what time changes: how long things take, dots, and what is to the right of them."""
    shown = re.sub(r"(creating|created)( \([\d.]+s\).*)?$", r"\1 (…)", shown, flags=re.M)
    shown = re.sub(r"(Status)  +Info$", r"\1", shown, flags=re.M)
    return re.sub(r"(running), [\dms]+$", r"\1, …", shown, flags=re.M).rstrip("\n") + "\n"


def compare(name, shown):
    path = f"{GOLDEN}/{name}.txt"
    if BLESSES:
        with open(path, "w", encoding="utf-8") as file:
            file.write(shown)
        return
    with open(path, encoding="utf-8") as file:
        wanted = file.read()
    check(shown == wanted, shown, f"wanted:\n{wanted}\ngot:")


def two_are_running(shown):
    return "4/7 done, 2 running" in shown


def screen_at(columns):
    world, run = scripted_world(PROGRAM, WAITS)
    window = Tmux(world, "pulumi up --yes --skip-preview", columns=columns)
    compare(f"tree-{columns}", layout(window.wait(where=two_are_running)))
    go(run)
    window.wait("Duration:", "ended: 0")
    window.close()
    world.close()


def at_40_columns_names_and_status_are_seen():
    screen_at(40)


def at_80_columns_the_type_is_shortened():
    screen_at(80)


def at_200_columns_everything_is_seen():
    screen_at(200)


def a_resize_in_the_middle_leaves_one_table():
    world, run = scripted_world(PROGRAM, WAITS)
    window = Tmux(world, "pulumi up --yes --skip-preview", columns=80)
    window.wait(where=two_are_running)
    for rows, columns in ((24, 40), (14, 200), (30, 80), (8, 60), (24, 80)):
        window.resize(rows, columns)
        shown = window.wait(where=lambda shown, rows=rows, columns=columns: two_are_running(shown) and shown.count("Status") == 1
                            and shown.count("slow-a") == 1 and ("Type" in shown) == (columns > 40) and ("proj-dev" in shown) == (rows > 8)
                            and ("more" in shown) == (rows == 8))
    compare("tree-80-resized", layout(shown))
    go(run)
    window.wait("Duration:", "ended: 0")
    window.close()
    world.close()


def what_is_awaited_is_said_when_nothing_moves():
    world, run = scripted_world(PROGRAM, WAITS)
    window = Tmux(world, "pulumi up --yes --skip-preview", columns=100)
    shown = window.wait("waiting for pkg: Create of slow-")
    check(re.search(r"^waiting for pkg: Create of slow-[ab] \(pkg:index:Res\) since \d\d:\d\d:\d\d, \d+s, and 1 more$", shown, re.M), shown)
    go(run)
    window.wait("Duration:", "ended: 0")
    window.close()
    world.close()


COUNT = 5000


def of_5000_resources_those_at_work_stay_in_sight():
    pets = "".join(f"  r{number}: {{type: 'random:RandomPet'}}\n" for number in range(COUNT))
    world = World("name: proj\nruntime: yaml\nresources:\n"
                  "  first-of-all: {type: 'command:local:Command', properties: {create: 'while [ ! -e go ]; do sleep 0.1; done'}}\n" + pets)
    world.text("pulumi", "stack", "init", "dev")
    window = Tmux(world, "pulumi up --yes --skip-preview", rows=24, columns=80)
    shown = window.wait(f"{COUNT}/{COUNT + 1} done, 1 running")
    check("first-of-all" in shown and "Status" in shown and "⬆ more" in shown and len(shown.split("\n")) <= 23, shown, "at the end")
    window.keys("Home")
    shown = window.wait("pulumi:pulumi:Stack", "more⬇", "first-of-all")
    check("⬆" not in shown, shown, "at the beginning")
    window.keys("PageDown")
    window.wait("⬆ more⬇", "first-of-all", where=lambda shown: "pulumi:pulumi:Stack" not in shown)
    window.keys("PageUp")
    window.wait("pulumi:pulumi:Stack")
    window.keys("Down")
    window.wait("⬆ more⬇", where=lambda shown: "pulumi:pulumi:Stack" not in shown)
    window.keys("Up")
    window.wait("pulumi:pulumi:Stack")
    window.keys("End")
    window.wait("└─ ", "⬆ more", "first-of-all", where=lambda shown: "⬇" not in shown)
    with open(world.project + "/go", "w", encoding="utf-8"):
        pass
    shown = window.wait("Duration:", "ended: 0")
    check(f"+ {COUNT + 2} created" in shown, shown)
    window.close()
    world.close()


def an_interrupt_leaves_the_terminal_as_it_was():
    world, run = scripted_world(PROGRAM, WAITS)
    window = Tmux(world, "stty -a >before; pulumi up --yes --skip-preview; code=$?; stty -a >after; cmp before after && (exit $code)", columns=80)
    window.wait(where=two_are_running)
    window.keys("C-c")
    window.wait("^C received; cancelling", "2 running")
    go(run)
    shown = window.wait("ended: 1")
    check("error: update canceled" in window.everything() and "running" not in shown, window.everything())
    check(window.ask("display-message", "-p", "-t", "t", "#{cursor_flag}").strip() == "1", shown, "the cursor is hidden")
    window.close()
    world.close()


if BLESSES:
    sys.argv.remove("-bless")
    os.makedirs(GOLDEN, exist_ok=True)
if shutil.which("tmux"):
    claims([
        at_40_columns_names_and_status_are_seen,
        at_80_columns_the_type_is_shortened,
        at_200_columns_everything_is_seen,
        a_resize_in_the_middle_leaves_one_table,
        what_is_awaited_is_said_when_nothing_moves,
        of_5000_resources_those_at_work_stay_in_sight,
        an_interrupt_leaves_the_terminal_as_it_was,
    ])
else:
    print("ok 1 # SKIP tmux is not installed\n1..1")
