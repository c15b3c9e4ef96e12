"""Many operations in a row through the Automation API, from one process that lives on: descriptors, children, temporary files and memory
stay as they are after the first few. Prints a line of TAP for each claim.

OPERATIONS=1000 says how many; `make endurance` does."""
import os
import resource
import sys
import tempfile
import time

OWN = os.path.join(os.getcwd(), "tmp")
os.makedirs(OWN, exist_ok=True)
os.environ["TMPDIR"] = tempfile.tempdir = OWN  # what is left in it is ours

import pulumi  # noqa: E402
from pulumi import automation as auto  # noqa: E402

OPERATIONS = int(os.environ.get("OPERATIONS", "24"))
WARM = max(8, OPERATIONS // 20)  # until then caches may fill
failures = 0
size = 0


def claim(text, problem):
    global failures
    failures += bool(problem)
    print(("not ok - " if problem else "ok - ") + text)
    if problem:
        print("#   " + str(problem))


def program():
    things = [pulumi.CustomResource("thing:index:Thing", f"thing{i}", {"color": str(size)}) for i in range(3)]
    pulumi.export("size", size)
    pulumi.export("first", things[0].urn)


# --- what there is ---

def descriptors():
    return len(os.listdir("/proc/self/fd"))


def processes():
    """Others that carry the mark of this test."""
    mark, found = ("E2E_MARK=" + os.environ["E2E_MARK"]).encode(), []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if int(pid) != os.getpid() and mark in file.read().split(b"\0"):
                    with open(f"/proc/{pid}/cmdline", "rb") as words:
                        found.append(pid + " " + words.read().replace(b"\0", b" ").decode(errors="replace")[:100])
        except OSError:
            pass
    return found


def files(*folders):
    return sorted(os.path.join(at, name) for folder in folders for at, _, names in os.walk(folder) for name in names)


def facts():
    home, state = os.environ["PULUMI_HOME"], os.environ["PULUMI_BACKEND_URL"][len("file://"):]
    kept = [path for path in files(home, state, OWN) if "/history/" not in path and "/backups/" not in path]
    return {
        "descriptors": descriptors(),
        "files": kept,
        "largest command in KB": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
        "this process in KB": int(open("/proc/self/statm").read().split()[1]) * 4,
        "state in bytes": sum(os.path.getsize(path) for path in kept if path.endswith("/dev.json")),
    }


# --- the operations ---

def operate(stack, i):
    """One operation; the kinds take turns."""
    global size
    kind = i % 8
    if kind in (0, 3, 5):
        size = i % 7
        done = stack.up()
        assert done.summary.result == "succeeded" and done.outputs["size"].value == size, done.stdout
    elif kind in (1, 6):
        assert stack.preview().change_summary
    elif kind == 2:
        assert stack.refresh().summary.result == "succeeded"
    elif kind == 4:
        assert stack.outputs()["size"].value == size
        assert len(stack.export_stack().deployment["resources"]) >= 4
    else:
        assert stack.destroy().summary.result == "succeeded"


def settle(check, patience=60):
    """What check() returns once it is empty, or when time is up."""
    deadline = time.monotonic() + patience
    while check() and time.monotonic() < deadline:
        time.sleep(0.05)
    return check()


def main():
    stack = auto.create_or_select_stack("dev", "endurance", program)
    lost, before, growth = [], None, []
    for i in range(OPERATIONS):
        operate(stack, i)
        lost = settle(processes)
        if lost:
            break
        if i + 1 == WARM:
            before = facts()
        if (i + 1) % 100 == 0:
            print(f"# {i + 1} operations: {descriptors()} descriptors", flush=True)
    claim(f"{OPERATIONS} operations succeeded", None if i + 1 == OPERATIONS else f"it stopped after {i + 1}")
    claim("no process is left", "; ".join(lost))
    after = facts()
    claim("no descriptor is left", after["descriptors"] > before["descriptors"] + 2 and f"{before['descriptors']} became {after['descriptors']}")
    extra = [path for path in after["files"] if path not in before["files"] and "/dev." not in path]
    claim("no file is left but history and backups", "; ".join(extra[:10]))
    claim("no lock and no temporary file is left", "; ".join(p for p in after["files"] if "/locks/" in p or ".tmp" in p or ".journal" in p))
    for name, most in (("largest command in KB", 1.25), ("this process in KB", 1.5), ("state in bytes", 1.5)):
        growth.append(f"{name}: {before[name]} became {after[name]}")
        claim(f"nothing grows: {name}", after[name] > before[name] * most + 4096 and growth[-1])
    print("# " + "; ".join(growth))
    claim("it ends with nothing", stack.destroy().summary.result != "succeeded")
    sys.exit(1 if failures else 0)


main()
