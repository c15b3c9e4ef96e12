"""Everything that the Automation API of the SDK offers for a stack; prints a line of TAP for each claim."""
import contextlib
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

import pulumi
from pulumi import automation as auto
from pulumi.automation import ConfigValue
from pulumi.automation.errors import CommandError, InlineSourceRuntimeError
from pulumi.automation.errors import RuntimeError as ProgramError

failures = 0


def claim(text, check):
    global failures
    try:
        check()
        print("ok - " + text)
    except Exception:  # pylint: disable=broad-except
        failures += 1
        print("not ok - " + text)
        print("\n".join("#   " + line for line in traceback.format_exc().splitlines()))


def raises(kind, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except Exception as error:  # pylint: disable=broad-except
        assert type(error) is kind, f"{type(error)}: {error}"
        return error
    raise AssertionError("nothing was raised")


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


# --- a program inside this process ---

hold = threading.Event()  # the program waits for it
hold.set()
started = threading.Event()
fails = False


def program():
    config = pulumi.Config()
    started.set()
    hold.wait()
    if fails:
        raise ValueError("the inline program went wrong")
    thing = pulumi.CustomResource("thing:index:Thing", "thing",
                                  {"color": config.require("color"), "hidden": config.require_secret("hidden")})
    pulumi.export("color", config.require("color"))
    pulumi.export("hidden", config.require_secret("hidden"))
    pulumi.export("nested", {"list": [1, config.require_secret("hidden")]})
    pulumi.export("urn", thing.urn)


INLINE = {"stack_name": "dev", "project_name": "inline", "program": program}


@contextlib.contextmanager
def held(stack):
    """An update that runs until the block is left."""
    errors = []

    def up():
        try:
            stack.up()
        except CommandError as error:
            errors.append(error)

    hold.clear()
    started.clear()
    thread = threading.Thread(target=up)
    thread.start()
    started.wait()
    try:
        yield errors
    finally:
        hold.set()
        thread.join()


def make_stack():
    claim("a stack that is not there is told apart", lambda: raises(auto.StackNotFoundError, auto.select_stack, **INLINE))
    claim("an inline stack is made", lambda: equal(auto.create_stack(**INLINE).name, "dev"))
    claim("a stack that is there already is told apart", lambda: raises(auto.StackAlreadyExistsError, auto.create_stack, **INLINE))
    return auto.create_or_select_stack(**INLINE)


def configuration(stack):
    def one():
        stack.set_config("color", ConfigValue("blue"))
        stack.set_config("hidden", ConfigValue("hush-hush", secret=True))
        got = stack.get_config("color"), stack.get_config("hidden")
        equal([(value.value, value.secret) for value in got], [("blue", False), ("hush-hush", True)])

    def many():
        stack.set_all_config({"tree.a[0]": ConfigValue("one"), "tree.b": ConfigValue("hidden-two", secret=True)}, path=True)
        stack.set_all_config({"plain": ConfigValue("a=b,c"), "other": ConfigValue("-x y")})
        everything = stack.get_all_config()
        equal(sorted(everything), ["inline:color", "inline:hidden", "inline:other", "inline:plain", "inline:tree"])
        equal((everything["inline:plain"].value, everything["inline:other"].value), ("a=b,c", "-x y"))
        equal(everything["inline:hidden"].secret, True)
        equal(json.loads(everything["inline:tree"].value), {"a": ["one"], "b": "hidden-two"})
        equal(stack.get_config("tree.a[0]", path=True).value, "one")

    def as_json():
        if hasattr(stack, "set_all_config_json"):
            stack.set_all_config_json(json.dumps({"inline:more": {"value": "m", "secret": True}}))
            equal((stack.get_config("more").value, stack.get_config("more").secret), ("m", True))
            stack.remove_config("more")

    def removed():
        stack.remove_config("tree.b", path=True)
        stack.remove_all_config(["plain", "other", "tree"])
        equal(sorted(stack.get_all_config()), ["inline:color", "inline:hidden"])
        raises(CommandError, stack.get_config, "plain")

    def tags():
        stack.set_tag("owner", "me")
        equal((stack.get_tag("owner"), stack.list_tags()["owner"]), ("me", "me"))
        stack.remove_tag("owner")
        assert "owner" not in stack.list_tags()

    claim("configuration is set and got", one)
    claim("many are set at once, with paths and secrets", many)
    claim("many are set from JSON", as_json)
    claim("what is removed is gone", removed)
    claim("tags are kept", tags)


def lifecycle(stack):
    def preview():
        events = []
        equal(stack.preview(on_event=events.append).change_summary, {"create": 2})
        assert any(event.resource_pre_event for event in events)
        equal(len([event for event in events if event.summary_event]), 1)

    def up():
        events, lines = [], []
        result = stack.up(on_output=lines.append, on_event=events.append, message="the first")
        equal(result.summary.resource_changes, {"create": 2})
        equal((result.summary.result, result.summary.kind, result.summary.message), ("succeeded", "update", "the first"))
        assert "+ 2 created" in result.stdout and any("+ 2 created" in line for line in lines), lines
        equal((result.outputs["color"].value, result.outputs["color"].secret), ("blue", False))
        equal((result.outputs["hidden"].value, result.outputs["hidden"].secret), ("hush-hush", True))
        for kind in ("prelude_event", "resource_pre_event", "res_outputs_event", "summary_event", "cancel_event"):
            assert any(getattr(event, kind) for event in events), kind + " is missing"
        equal([event.sequence for event in events], list(range(len(events))))
        assert "hush-hush" not in result.stdout + "".join(lines), "a secret is shown"

    def outputs():
        found = stack.outputs()
        equal((found["hidden"].value, found["hidden"].secret, found["color"].secret), ("hush-hush", True, False))
        equal(found["nested"].value, {"list": [1, "hush-hush"]})

    def nothing():
        result = stack.up(expect_no_changes=True, parallel=2, color="never", diff=True, suppress_progress=True)
        equal(result.summary.resource_changes, {"same": 2})

    def change():
        stack.set_config("color", ConfigValue("red"))
        equal(stack.preview(diff=True).change_summary, {"same": 1, "update": 1})
        raises(CommandError, stack.preview, expect_no_changes=True)
        equal(stack.up(target=[stack.outputs()["urn"].value]).summary.resource_changes["update"], 1)

    def refresh():
        if hasattr(stack, "preview_refresh"):
            equal(stack.preview_refresh().change_summary, {"same": 2})
        summary = stack.refresh(expect_no_changes=True).summary
        equal((summary.kind, summary.resource_changes), ("refresh", {"same": 2}))

    def history():
        updates = stack.history()
        equal([update.kind for update in updates], ["refresh", "update", "update", "update"])
        equal((updates[3].message, updates[3].config["inline:color"].value), ("the first", "blue"))
        assert updates[0].end_time >= updates[0].start_time
        equal((len(stack.history(page_size=1, page=2)), stack.info().kind), (1, "refresh"))

    def state():
        taken = stack.export_stack()
        equal((taken.version, len(taken.deployment["resources"])), (3, 3))
        stack.import_stack(taken)
        equal(stack.up().summary.resource_changes, {"same": 2})

    claim("a preview counts what it would do", preview)
    claim("up tells what it does as it does it", up)
    claim("outputs know what is secret", outputs)
    claim("up again changes nothing", nothing)
    claim("a change is seen and made", change)
    claim("refresh finds everything as it was", refresh)
    claim("history tells it all, the newest first", history)
    claim("the state is taken out and put back", state)


def trouble(stack):
    def concurrent():
        with held(stack) as errors:
            error = raises(auto.ConcurrentUpdateError, auto.select_stack(**INLINE).up)
            assert "the stack is currently locked by 1 lock(s)" in str(error)
        equal(errors, [])

    def cancel():
        with held(stack):
            auto.select_stack(**INLINE).cancel()
        equal(stack.up().summary.result, "succeeded")

    def failing():
        global fails
        fails = True
        error = raises(InlineSourceRuntimeError, stack.up)
        assert "the inline program went wrong" in str(error) and "main.py" in str(error), error
        fails = False
        equal((stack.up().summary.result, stack.history()[1].result), ("succeeded", "failed"))

    claim("a second update at the same time is told apart", concurrent)
    claim("cancel takes the lock away", cancel)
    claim("a program that fails is told apart, and the stack goes on", failing)


def end(stack):
    def rename():
        if not hasattr(stack, "rename"):
            return stack
        stack.rename(stack_name="renamed")
        equal([one.name for one in stack.workspace.list_stacks()], ["renamed"])
        equal(stack.workspace.get_config("renamed", "color").value, "red")
        return auto.select_stack(**{**INLINE, "stack_name": "renamed"})

    def destroy():
        if hasattr(stack, "preview_destroy"):
            equal(stack.preview_destroy().change_summary, {"delete": 2})
        equal(stack.destroy().summary.resource_changes, {"delete": 2})

    def remove():
        stack.workspace.remove_stack(stack.name)
        raises(auto.StackNotFoundError, auto.select_stack, **{**INLINE, "stack_name": stack.name})

    claim("a stack is renamed", rename)
    stack = auto.select_stack(**{**INLINE, "stack_name": "renamed"}) if hasattr(stack, "rename") else stack
    claim("a stack with resources is not removed", lambda: raises(CommandError, stack.workspace.remove_stack, stack.name))
    claim("destroy removes everything", destroy)
    claim("the stack is removed", remove)


# --- a program in a folder ---

def local_program():
    place = {"work_dir": os.path.join(os.path.dirname(os.path.abspath(__file__)), "program")}
    stack = auto.create_stack(stack_name="dev", **place)

    def life():
        stack.set_all_config({"color": ConfigValue("green"), "hidden": ConfigValue("hush-hush", secret=True)})
        result = stack.up()
        assert "the local program runs" in result.stdout and "hush-hush" not in result.stdout, result.stdout
        equal((result.outputs["color"].value, result.outputs["hidden"].secret), ("green", True))
        equal(stack.preview().change_summary, {"same": 2})

    def wrong():
        stack.set_config("how", ConfigValue("raise"))
        error = raises(ProgramError, stack.up)
        assert "ValueError: this went wrong" in str(error), error
        stack.remove_config("how")

    def imported():
        wanted = [{"type": "thing:index:Thing", "name": "found", "id": "known"}]
        summary = stack.import_resources(resources=wanted, generate_code=False, protect=False).summary
        equal((summary.kind, summary.resource_changes["import"]), ("resource-import", 1))

    def listed():
        auto.create_stack(stack_name="second", **place)
        stacks = stack.workspace.list_stacks()
        equal([(one.name, one.current) for one in stacks], [("dev", False), ("second", True)])
        equal(stacks[0].resource_count, 4)
        assert stacks[0].last_update
        stack.workspace.remove_stack("second")

    def settings():
        equal(stack.workspace.project_settings().name, "local")
        config = stack.workspace.stack_settings("dev").config
        equal(config["local:color"], "green")
        assert config["local:hidden"].secure

    def gone():
        stack.destroy(**({"remove": True} if "remove" in stack.destroy.__code__.co_varnames else {}))
        if stack.workspace.list_stacks():
            stack.workspace.remove_stack("dev")
        equal(stack.workspace.list_stacks(), [])

    claim("a program in a folder goes through its life", life)
    claim("what is wrong with it is told apart", wrong)
    claim("a resource is imported", imported)
    claim("the workspace lists its stacks", listed)
    claim("settings are read and written", settings)
    claim("destroy can remove the stack as well", gone)
    return stack


# --- the workspace ---

@contextlib.contextmanager
def server():
    """A server with one plugin on it."""
    folder = tempfile.mkdtemp(dir=os.environ["SCENARIO_DIR"])
    shutil.copy(os.path.realpath(shutil.which("pulumi-resource-thing")), os.path.join(folder, "pulumi-resource-other"))
    subprocess.run(["tar", "czf", "other.tar.gz", "pulumi-resource-other"], cwd=folder, check=True)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            is_it = re.fullmatch(r"/pulumi-resource-other-v1\.2\.3-linux-[a-z0-9]+\.tar\.gz", self.path)
            self.send_response(200 if is_it else 404)
            self.end_headers()
            if is_it:
                with open(os.path.join(folder, "other.tar.gz"), "rb") as file:
                    shutil.copyfileobj(file, self.wfile)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listening.server_port}"
        listening.shutdown()


def workspace(place):
    def who():
        found = place.who_am_i()
        assert found.user and found.url.startswith("file://"), found

    def plugins():
        with server() as url:
            place.install_plugin_from_server("other", "v1.2.3", url)
        place.install_plugin("other", "v1.2.3")  # it is there
        equal([(one.name, one.kind, one.version) for one in place.list_plugins()], [("other", "resource", "1.2.3")])
        place.remove_plugin("other", "1.2.3")
        equal(place.list_plugins(), [])

    claim("it is known who I am", who)
    claim("plugins are installed, listed and removed", plugins)
    claim("a plugin that is not to be had is told",
          lambda: raises(CommandError, place.install_plugin_from_server, "other", "v9.9.9", "http://127.0.0.1:9"))
    claim("the version is that of a Pulumi the SDK accepts", lambda: re.fullmatch(r"3\.\d+\.\d+", place.pulumi_version)[0])


def main():
    stack = make_stack()
    configuration(stack)
    lifecycle(stack)
    trouble(stack)
    end(stack)
    workspace(local_program().workspace)
    sys.exit(1 if failures else 0)


main()
