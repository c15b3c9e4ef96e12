"""world.py - a folder with a project, a state, a scripted cloud, and the real command line run in it."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

TIMEOUT = float(os.environ.get("SOAK_TIMEOUT", "120"))


class World:
    """One stack of one scenario. Use as a context; the folder is removed in the end."""

    def __init__(self, program, scripted, setting=None):
        self.setting = setting or {}  # packages, config, secrets and project of a scenario
        self.program = os.path.abspath(program)
        self.stack = "dev"
        self.side = None  # what is known of the other stack
        self.folder = tempfile.mkdtemp(prefix="soak-")
        for name in ("proj", "home", "state", "bin", "run"):
            os.mkdir(self.path(name))
        parts = ["pulumi-resource-" + package for package in self.setting.get("packages", ["pkg"])]
        packs = ["pulumi-analyzer-" + pack for pack in self.setting.get("packs", [])]
        for part in ["pulumi-language-script", *parts, *packs]:
            os.symlink(os.path.abspath(scripted), self.path("bin", part))
        with open(self.path("proj", "Pulumi.yaml"), "w") as file:
            json.dump({"name": "conf", "runtime": "script", **self.setting.get("project", {})}, file)
        for name, content in self.setting.get("files", {}).items():
            with open(self.path("proj", name), "w") as file:
                file.write(content if isinstance(content, str) else json.dumps(content))
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PULUMI_")}
        self.environment = {
            **kept, "PATH": f"{self.path('bin')}:{kept['PATH']}", "PULUMI_HOME": self.path("home"),
            "PULUMI_BACKEND_URL": "file://" + self.path("state"), "PULUMI_CONFIG_PASSPHRASE": "soak",
            "PULUMI_SKIP_UPDATE_CHECK": "true", "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true", "NO_COLOR": "1",
            "SCENARIO_DIR": self.path("run")}

    def __enter__(self):
        code, output = self.run(["stack", "init", "dev", "--non-interactive"])
        if code != 0:
            raise RuntimeError(f"stack init failed:\n{output}")
        if self.setting.get("side"):
            self.run(["stack", "init", "side", "--no-select", "--non-interactive"])
        for key, flag in (("config", "--plaintext"), ("secrets", "--secret")):
            for name, value in self.setting.get(key, {}).items():
                self.run(["config", "set", name, str(value), flag, "--non-interactive"])
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    # --- files of the script ---

    def write(self, name, value):
        with open(self.path("run", name), "w") as file:
            json.dump(value, file)

    def lines(self, name):
        """The JSON lines of a file; the last may be cut off."""
        if not os.path.exists(self.path("run", name)):
            return []
        found = []
        with open(self.path("run", name)) as file:
            for line in file:
                try:
                    found.append(json.loads(line))
                except ValueError:
                    pass
        return found

    def cloud(self):
        try:
            with open(self.path("run", "cloud.json")) as file:
                return json.load(file)
        except FileNotFoundError:
            return {"objects": {}, "serial": {}}

    def edit_cloud(self, edit):
        cloud = self.cloud()
        cloud.setdefault("objects", {}).update(edit.get("set", {}))
        for name in edit.get("delete", []):
            cloud["objects"].pop(name, None)
        self.write("cloud.json", cloud)

    # --- commands ---

    def run(self, args, environment=None, kill_after=None, typed=""):
        """Exit code (negative: a signal, None: it hangs) and everything printed. It is killed after so many seconds."""
        with open(self.path("run", "output"), "w+b") as output, open(self.path("run", "input"), "w+") as given:
            given.write(typed)
            given.seek(0)
            child = subprocess.Popen([self.program, *args], cwd=self.path("proj"), stdin=given,
                                     env={**self.environment, **(environment or {})}, stdout=output,
                                     stderr=subprocess.STDOUT)
            try:
                code = child.wait(TIMEOUT if kill_after is None else kill_after)
            except subprocess.TimeoutExpired:
                child.kill()
                code = child.wait()
                code = None if kill_after is None else code
            output.seek(0)
            return code, output.read().decode(errors="replace")

    def operate(self, op):
        """Runs one operation of a scenario."""
        do, args = op["do"], op.get("args", [])
        if "program" in op:
            self.write("program.json", op["program"])
        if "components" in op:
            self.write("components.json", op["components"])
        for name, content in {"rules.json": op.get("rules", []), **op.get("files", {})}.items():
            self.write(name, content)
        saves_plan = "plan" in op.get("also", self.setting.get("also", []))
        for name in ("trace.jsonl", "events.json", *(["plan.json"] if saves_plan else [])):
            if os.path.exists(self.path("run", name)):
                os.remove(self.path("run", name))
        if "cloud" in op:
            self.edit_cloud(op["cloud"])
        words = list(args)
        if do == "cli":
            self.side = None
        else:
            yes = [] if do == "preview" else ["--yes"] if op.get("previews") else ["--yes", "--skip-preview"]
            plan = ["--save-plan", self.path("run", "plan.json")] if saves_plan else []
            words = [do, *yes, "--non-interactive", "--event-log", self.path("run", "events.json"), *plan, *args]
        if do not in ("cli", "import"):
            words += ["--parallel", str(op.get("parallel", 1))]
        code, output = self.run(words, op.get("env"), op["killAfterMs"] / 1000 if "killAfterMs" in op else None,
                                op.get("input", ""))
        if code == 0 and words[:2] == ["stack", "rename"]:
            self.stack = words[2]
        if code == 0 and "input" in op:  # a new passphrase
            self.environment["PULUMI_CONFIG_PASSPHRASE"] = op["input"]
        return code, output

    def side_state(self):
        """What is in the other stack, to which resources are moved. Only commands of their own change it."""
        if self.side is None:
            self.side = (self.export(stack="side")[0] or {}) if self.setting.get("side") else {}
        return self.side

    def export(self, *flags, stack=None):
        code, output = self.run(["stack", "export", "--stack", stack or self.stack, *flags])
        if code != 0:
            return None, output
        try:
            return json.loads(output)["deployment"], output
        except ValueError as error:
            return None, f"{error}\n{output}"

    # --- leftovers ---

    def processes(self):
        """Processes that still run with the environment of this world."""
        mark, found = f"PULUMI_HOME={self.path('home')}".encode(), []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def leftovers(self, patience=120):
        """Processes that do not end by themselves; they are ended."""
        deadline = time.monotonic() + patience
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        left = self.processes()
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return left

    def locks(self):
        found = []
        for folder, _, files in os.walk(self.path("state", ".pulumi", "locks")):
            found += [os.path.join(folder, file) for file in files]
        return found

    def find_text(self, text):
        """Files of state and events that contain a text; compressed ones are not looked into."""
        found = []
        for top in (self.path("state"), self.path("run", "events.json")):
            files = [os.path.join(f, n) for f, _, names in os.walk(top) for n in names] if os.path.isdir(top) else [top]
            for name in files:
                if os.path.exists(name):
                    with open(name, "rb") as file:
                        if text.encode() in file.read():
                            found.append(name)
        return found


def tell_totals(passed, failed, skipped=0):
    """Prints them and appends them to $TOTALS; returns the exit code. Nothing played is a failure, too."""
    print(f"{passed} passed, {failed} failed" + (f", {skipped} not to be scheduled" if skipped else ""))
    if os.environ.get("TOTALS"):
        with open(os.environ["TOTALS"], "a") as totals:
            totals.write(f"{passed} {failed} 0\n")
    return 1 if failed or not passed else 0
