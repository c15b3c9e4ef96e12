#!/usr/bin/env python3
"""live.py — the live display: what is on the screen while an update goes on, and what is left of it. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts live.py [CLAIM…]

The commands of the programs wait for a file, so that the update goes on for as long as a test wants."""
import glob
import os
import re
import signal
import subprocess

from screen import World, cells, claims

WAIT = "while [ ! -e go ]; do sleep 0.1; done"


def program(names, command=WAIT):
    resources = "".join(f"  {name}:\n    type: command:local:Command\n    properties: {{create: '{command}'}}\n" for name in names)
    return "name: proj\nruntime: yaml\nresources:\n" + resources


def world_of(names, command=WAIT):
    world = World(program(names, command))
    world.run("pulumi", "stack", "init", "dev").end()
    return world


def go(world):
    with open(world.project + "/go", "w", encoding="utf-8"):
        pass


def check(is_true, session, what=""):
    if not is_true:
        raise AssertionError(f"{what}\n{session.screen.everything()}")


def goes_on(screen):
    """Some seconds later: the table was drawn again and again."""
    return re.search(r"creating \(([2-9]|\d\d+)s\)", screen.text())


def rows_of(session, text):
    return [line for line in session.screen.text().split("\n") if text in line]


def keys_are_taken_and_leave_no_trace():
    world = world_of(["job"])
    session = world.run("sh", "-c", "pulumi up --yes --skip-preview; echo ended; read line; echo \"<$line>\"")
    session.wait("creating (")
    check(not session.echoes(), session, "keys are echoed")
    session.send("\r\rls\x1b[A\r")
    session.wait(where=goes_on)
    check(len(rows_of(session, "Type")) == 1 and len(rows_of(session, "job")) == 1, session, "rows of an old frame are left")
    go(world)
    session.wait("ended")
    check(session.echoes(), session, "the terminal was not put back")
    session.send("x\r")
    session.wait("<x>")
    check(session.end() == 0 and session.screen.cursor_is_shown, session)
    world.close()


def control_c_is_not_a_key():
    world = world_of(["job"])
    session = world.run("pulumi", "up", "--yes", "--skip-preview")
    session.wait("creating (")
    session.send("\x03")
    session.wait("^C received; cancelling")
    session.wait("error: update", "Duration:")
    check(session.echoes() and session.screen.cursor_is_shown, session, "the terminal was not put back")
    check(session.end() == 1, session, "exit code")
    world.close()


def the_terminal_is_put_back_after_a_crash():
    world = world_of(["job"])
    session = world.run("pulumi", "up", "--yes", "--skip-preview")
    session.wait("creating (")
    check(not session.echoes(), session, "keys are echoed")
    os.kill(session.pid, signal.SIGABRT)
    session.wait(where=lambda screen: screen.cursor_is_shown)
    go(world)
    check(session.echoes(), session, "the terminal was not put back")
    check(session.end() in (-signal.SIGABRT, 128 + signal.SIGABRT), session, "it did not end by the signal")
    world.close()


def control_z_gives_the_terminal_back_until_it_goes_on():
    world = world_of(["job"])
    session = world.run("bash", "-c", "set -m; pulumi up --yes --skip-preview; echo stopped; read line; fg; echo ended")
    session.wait("creating (")
    session.send("\x1a")
    session.wait("stopped")
    check(session.echoes() and session.screen.cursor_is_shown, session, "the terminal was not given back")
    session.send("\r")
    session.wait(where=lambda screen: "creating (" in screen.text()[screen.text().index("stopped"):])
    check(not session.echoes(), session, "keys are echoed again")
    go(world)
    session.wait("Duration:", "ended")
    check(session.end() == 0, session, "exit code")
    world.close()


WIDE = ["plain", "数据库-主", "naïve-café", "emoji-🚀-rocket", "ｆｕｌｌ", "e\u0301-combining", "עברית", "한국어", "👩\u200d🚀", "👍🏽", "🇩🇪🇫🇷", "❤\ufe0f"]


def columns_of(line, text):
    """As width.c counts, but written for the names above."""
    before, width, at = line[:line.index(text)], 0, 0
    for cluster in ("👩\u200d🚀", "👍🏽", "🇩🇪", "🇫🇷", "❤\ufe0f"):
        width += 2 * before.count(cluster)
        before = before.replace(cluster, "")
    for character in before:
        width += cells(character)
        at += 1
    return width


def columns_are_aligned_by_what_one_sees():
    world = world_of(['"' + name + '"' for name in WIDE])
    session = world.run("pulumi", "up", "--yes", "--skip-preview", "--parallel", "20")
    session.wait(where=lambda screen: screen.text().count("creating (") == len(WIDE) + 1)
    columns = {columns_of(line, "creating (") for line in session.screen.everything().split("\n") if "creating (" in line}
    check(len(columns) == 1, session, f"the status begins in columns {columns}")
    go(world)
    session.wait("Duration:")
    check(session.end() == 0, session, "exit code")
    world.close()


def wide_names_are_cut_before_the_edge():
    world = world_of(["数据库" * 20 + str(number) for number in range(4)])
    session = world.run("pulumi", "up", "--yes", "--skip-preview", columns=50)
    session.wait(where=lambda screen: screen.text().count("creating (") == 5)
    session.wait(where=goes_on)
    check(not any(session.screen.wraps), session, "rows are wrapped")
    check(len(rows_of(session, "Status")) == 1, session, "rows of an old frame are left")
    check(all(f"数…数据库{number} " in session.screen.text() for number in range(4)), session, "both ends of a name are seen")
    go(world)
    session.end()
    world.close()


def on_a_narrow_terminal_the_status_stays_in_sight():
    for columns in (39, 30):
        world = world_of(["job-00", "job-01"])
        session = world.run("pulumi", "up", "--yes", "--skip-preview", columns=columns)
        session.wait(where=lambda screen: len([line for line in screen.text().split("\n") if "job-0" in line and "creating (" in line]) == 2)
        check(not any(session.screen.wraps), session, "rows are wrapped")
        go(world)
        session.end()
        world.close()


def after_a_resize_nothing_old_is_left():
    names = [f"job-{number:02}" for number in range(14)]
    world = world_of(names)
    session = world.run("pulumi", "up", "--yes", "--skip-preview", "--parallel", "20", rows=24, columns=80)
    session.wait(where=lambda screen: screen.text().count("creating (") == 15)
    for rows, columns in ((15, 50), (40, 120), (10, 30), (30, 100), (24, 34), (24, 100), (18, 100)):
        session.resize(rows, columns)
        session.wait(where=lambda screen: screen.text().count("Status") == 1 and all(screen.text().count(name) <= 1 for name in names)
                     and "job-13" in screen.text() and "Status" in screen.text()
                     and (rows < 17 or all(name in screen.text() for name in names)))
    session.wait(where=goes_on)
    check(all(session.screen.text().count(name) == 1 for name in names), session, "old rows are left")
    go(world)
    session.wait("Duration:")
    check(session.end() == 0, session, "exit code")
    world.close()


def a_long_table_is_scrolled_by_keys():
    names = [f"job-{number:02}" for number in range(20)]
    world = world_of(names, "mktemp started-XXXXXX >&2; " + WAIT)
    session = world.run("pulumi", "up", "--yes", "--skip-preview", "--parallel", "30", rows=12)
    session.wait(where=lambda screen: len(glob.glob(world.project + "/started-*")) == len(names))
    session.send("g")  # a key is read after all of them are known
    session.wait("Status", "pulumi:pulumi:Stack", "more⬇")
    session.send("G")
    session.wait("Status", "└─ ", "⬆ more", where=lambda screen: "⬇" not in screen.text())
    check(session.screen.text().count("creating (") == 8, session, "rows in sight")
    last = rows_of(session, "└─ ")[0].split()[3]
    session.send("g")
    session.wait("Status", "pulumi:pulumi:Stack", "more⬇")
    check(last not in session.screen.text() and "⬆" not in session.screen.text(), session, "the beginning is not in sight")
    session.send("\x1b[B")
    session.wait("⬆ more⬇", where=lambda screen: "pulumi:pulumi:Stack" not in screen.text())
    session.send("\x1b[5~")
    session.wait("pulumi:pulumi:Stack")
    session.send("\x1b[6~G")
    session.wait("⬆ more", last)
    go(world)
    session.wait("Duration:")
    check(session.end() == 0, session, "exit code")
    shown = session.screen.everything()
    check(all(shown.count(name + " ") == 1 for name in names), session, "the last frame has all rows once")
    world.close()


def commands_that_succeed_leave_no_diagnostics():
    world = world_of(["one", "two"], "echo said it; echo complained >&2; " + WAIT)
    session = world.run("pulumi", "up", "--yes", "--skip-preview")
    session.wait(where=lambda screen: len([line for line in screen.text().split("\n") if "job" not in line and ("said it" in line or "complained" in line)]) == 2)
    go(world)
    session.wait("Duration:")
    check(session.end() == 0, session, "exit code")
    shown = session.screen.everything()
    check("command:local:Command (" not in shown and "said it" not in shown and "message" not in shown, session, "the output of commands is kept")
    world.close()


def a_command_that_fails_says_why_once():
    world = world_of(["bad"], "echo oh no >&2; exit 3")
    run = subprocess.run(["pulumi", "up", "--yes", "--skip-preview", "--non-interactive"], env=world.environment, cwd=world.project,
                         capture_output=True, text=True, check=False, timeout=120)
    diagnostics = run.stdout[run.stdout.index("Diagnostics:"):]
    if run.returncode == 0 or diagnostics.count("\n    oh no") != 1:
        raise AssertionError(run.stdout)
    world.close()


def a_host_names_the_program_as_it_was_called():
    for name in ("culumi", "pulumi"):
        world = World("name: proj\nruntime: yaml\nconfig: {}\nconfiguration: {k: {type: String}}\n", CULUMI_PROGRAM="culumi")
        world.run("pulumi", "stack", "init", "dev").end()
        session = world.run(name, "preview", columns=160)
        session.wait(f"; run `{name} config` to set")
        session.end()
        world.close()


claims([
    keys_are_taken_and_leave_no_trace,
    control_c_is_not_a_key,
    the_terminal_is_put_back_after_a_crash,
    control_z_gives_the_terminal_back_until_it_goes_on,
    columns_are_aligned_by_what_one_sees,
    wide_names_are_cut_before_the_edge,
    on_a_narrow_terminal_the_status_stays_in_sight,
    after_a_resize_nothing_old_is_left,
    a_long_table_is_scrolled_by_keys,
    commands_that_succeed_leave_no_diagnostics,
    a_command_that_fails_says_why_once,
    a_host_names_the_program_as_it_was_called,
])
