"""screen.py — a terminal for tests: runs a program in a pty and keeps the screen that a person would see.

Nothing here depends on time: who wants to know something waits for it to appear on the screen."""
import atexit
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

PATIENCE = int(os.environ.get("PATIENCE", "120"))  # seconds; a screen that does not change for so long will not any more
CONTROL = re.compile(r"\x1b\[(\??[\d;]*)([A-Za-z])")


def cells(character):
    """Columns of one character, by what Python knows of Unicode."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """Rows of cells; what scrolls out at the top is kept in `history`. Resizing wraps long rows anew, as most terminals do."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.head = 0  # rows of history
        self.lines = [[] for _ in range(rows)]  # the history and the screen, one list of cells for each row
        self.wraps = [False] * rows  # does the row go on in the next one?
        self.y = self.x = 0  # of the cursor; y counts from the first row of history
        self.cursor_is_shown = True
        self.rest = ""

    def top(self):
        return self.head

    def down(self, wraps):
        self.wraps[self.y] = wraps
        self.y += 1
        if self.y == len(self.lines):
            self.lines.append([])
            self.wraps.append(False)
            self.head += 1

    def put(self, character):
        width = cells(character)
        row = self.lines[self.y]
        if width == 0:
            if self.x and len(row) >= self.x:
                row[self.x - 1] += character
            return
        if self.x + width > self.columns:
            self.down(True)
            self.x = 0
            row = self.lines[self.y]
        row.extend([" "] * (self.x - len(row)))
        row[self.x:self.x + width] = [character] + [""] * (width - 1)
        self.x += width

    def control(self, parameters, name):
        number = int(parameters) if parameters.isdigit() else 0
        if name == "A":
            self.y = max(self.top(), self.y - (number or 1))
        elif name == "H":
            self.y, self.x = self.top(), 0
        elif name == "K":
            del self.lines[self.y][self.x:]
        elif name == "J" and number == 0:
            del self.lines[self.y][self.x:]
            self.wraps[self.y] = False
            for row in range(self.y + 1, len(self.lines)):
                self.lines[row], self.wraps[row] = [], False
        elif parameters == "?25":
            self.cursor_is_shown = name == "h"

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = CONTROL.match(text, at)
                if not found:
                    self.rest = text[at:]
                    return
                self.control(*found.groups())
                at = found.end()
                continue
            if text[at] == "\n":
                self.down(False)
            elif text[at] == "\r":
                self.x = 0
            elif text[at] >= " ":
                self.put(text[at])
            at += 1

    def resize(self, rows, columns):
        """As a terminal that wraps anew: the row of the cursor stays that of the same text, and history fills a screen that grows."""
        lines, wraps, at = [], [], 0
        while len(self.lines) > self.y + 1 and not self.lines[-1]:
            self.lines.pop()
            self.wraps.pop()
        y = None
        while at < len(self.lines):
            whole = list(self.lines[at])
            begin = at
            while self.wraps[at]:
                at += 1
                whole += self.lines[at]
            if begin <= self.y <= at:
                y = len(lines)
            while len(whole) > columns:
                lines.append(whole[:columns])
                wraps.append(True)
                whole = whole[columns:]
            lines.append(whole)
            wraps.append(False)
            at += 1
        self.head = max(0, len(lines) - rows)
        while len(lines) < rows:
            lines.append([])
            wraps.append(False)
        self.rows, self.columns = rows, columns
        self.lines, self.wraps, self.y, self.x = lines, wraps, y, 0

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.lines[self.top():])

    def everything(self):
        return "\n".join("".join(row).rstrip() for row in self.lines)

    def column(self, text):
        """Where a text begins, in the rows that have it: {row: column}."""
        found = {}
        for number, row in enumerate(self.lines[self.top():]):
            line = "".join(row)
            if text in line:
                before = line[:line.index(text)]
                found[number] = sum(cells(character) for character in before)
        return found


class Session:
    """A program in a terminal."""

    def __init__(self, command, environment, directory, rows=24, columns=100):
        self.screen = Screen(rows, columns)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(command[0], command, environment)
        self.code = None
        self.is_open = True
        self.raw = b""
        self.bytes = b""  # all that it wrote

    def read(self, seconds):
        """Takes what the program wrote. False at the end."""
        if not self.is_open or not select.select([self.fd], [], [], seconds)[0]:
            return self.is_open
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            piece = b""
        if not piece:
            self.is_open = False
            return False
        self.raw += piece
        self.bytes += piece
        text = self.raw.decode("utf-8", "ignore")
        try:
            text = self.raw.decode("utf-8")
            self.raw = b""
        except UnicodeDecodeError as failure:
            text = self.raw[:failure.start].decode("utf-8")
            self.raw = self.raw[failure.start:]
        self.screen.feed(text)
        return True

    def wait(self, *texts, where=None):
        """Until all the texts are on the screen, or `where(screen)` holds."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            shown = self.screen.text()
            if all(text in shown for text in texts) and (where is None or where(self.screen)):
                return
            if not self.read(0.1) and not self.is_open:
                break
        shown = self.screen.text()
        if all(text in shown for text in texts) and (where is None or where(self.screen)):
            return
        raise AssertionError(f"not seen: {texts}; the screen:\n{self.screen.text()}")

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def resize(self, rows, columns):
        while select.select([self.fd], [], [], 0)[0] and self.read(0):
            pass
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def echoes(self):
        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def end(self):
        """Waits for the end of the program; its exit code."""
        until = time.monotonic() + PATIENCE
        while self.read(0.1) and time.monotonic() < until:
            pass
        if self.is_open:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        self.code = os.waitstatus_to_exitcode(status)
        if self.is_open:
            raise AssertionError(f"it does not end; the screen:\n{self.screen.text()}")
        return self.code


def scripted(world, program, rules=(), components=None):
    """Lets the project follow a script; see tests/support."""
    run = world.folder.name + "/run"
    os.makedirs(run, exist_ok=True)
    for name in ("pulumi-language-script", "pulumi-resource-pkg"):
        if not os.path.lexists(world.folder.name + "/bin/" + name):
            os.symlink(os.path.realpath(os.environ["SCRIPTED"]), world.folder.name + "/bin/" + name)
    for name, what in (("program", program), ("rules", rules), ("components", components or {})):
        with open(f"{run}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(what, file)
    world.environment["SCENARIO_DIR"] = run
    return run


class Tmux:
    """A program in a window of tmux: a terminal that people use."""

    def __init__(self, world, command, rows=24, columns=80):
        self.socket = world.folder.name + "/tmux"
        script = world.folder.name + "/command.sh"
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"trap : INT\ncd '{world.project}'\n{command}\necho \"ended: $?\"\nread line\n")
        environment = {**world.environment, "TERM": "xterm", "SHELL": "/bin/sh"}
        subprocess.run(["tmux", "-u", "-S", self.socket, "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-s", "t",
                        f"sh '{script}'"], env=environment, check=True, timeout=PATIENCE)
        atexit.register(self.close)

    def ask(self, *words):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *words], check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

    def text(self):
        return "\n".join(line.rstrip() for line in self.ask("capture-pane", "-p", "-t", "t").rstrip("\n").split("\n"))

    def everything(self):
        """With what has scrolled out at the top."""
        return self.ask("capture-pane", "-p", "-S", "-", "-t", "t")

    def wait(self, *texts, where=None):
        """Until all the texts are on the screen, or `where(text)` holds; the screen."""
        until = time.monotonic() + PATIENCE
        while True:
            shown = self.text()
            if all(text in shown for text in texts) and (where is None or where(shown)):
                return shown
            if time.monotonic() > until:
                raise AssertionError(f"not seen: {texts}; the screen:\n{shown}")
            time.sleep(0.05)

    def keys(self, *names):
        self.ask("send-keys", "-t", "t", *names)

    def resize(self, rows, columns):
        self.ask("resize-window", "-t", "t", "-x", str(columns), "-y", str(rows))

    def title(self):
        return self.ask("display-message", "-p", "-t", "t", "#{pane_title}")

    def close(self):
        atexit.unregister(self.close)
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, capture_output=True, timeout=PATIENCE)


class World:
    """A project with stacks and settings of its own, gone at the end."""

    def __init__(self, project, **variables):
        self.folder = tempfile.TemporaryDirectory(prefix="culumi-terminal-")
        home = self.folder.name
        self.project = home + "/project"
        for name in ("project", "state", "bin"):
            os.makedirs(home + "/" + name)
        for name in ("pulumi", "culumi"):
            os.symlink(os.path.realpath(os.environ["CLI"]), home + "/bin/" + name)
        with open(self.project + "/Pulumi.yaml", "w", encoding="utf-8") as file:
            file.write(project)
        self.environment = {
            "PATH": home + "/bin:" + os.path.realpath(os.environ["HOSTS"]) + ":/usr/bin:/bin",
            "HOME": home,
            "PULUMI_HOME": home + "/home",
            "PULUMI_BACKEND_URL": "file://" + home + "/state",
            "PULUMI_CONFIG_PASSPHRASE": "pw",
            "NO_COLOR": "1",
            "TERM": "xterm",
            "LANG": "C.UTF-8",
            "PULUMI_DISABLE_CI_DETECTION": "true",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
            **variables,
        }

    def run(self, *words, rows=24, columns=100):
        return Session(list(words), self.environment, self.project, rows, columns)

    def text(self, *words):
        """What a command prints where there is no terminal."""
        return subprocess.run(words, env=self.environment, cwd=self.project, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, timeout=PATIENCE)

    def close(self):
        self.folder.cleanup()


def claims(tests):
    """Runs each test; its name is the claim. Speaks TAP."""
    wanted = sys.argv[1:]
    number = 0
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        number += 1
        try:
            test()
            print(f"ok {number} - {test.__name__.replace('_', ' ')}", flush=True)
        except AssertionError as failure:
            print(f"not ok {number} - {test.__name__.replace('_', ' ')}")
            for line in str(failure).split("\n"):
                print("#   " + line)
            sys.stdout.flush()
    print(f"1..{number}")
