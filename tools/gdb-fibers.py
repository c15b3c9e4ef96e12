"""gdb-fibers.py — gdb commands that list the fibers of a live process or of a core file, with their calls.

    gdb -p PID -x tools/gdb-fibers.py -ex fibers            (or: gdb PROGRAM CORE -x …)
    fibers            every fiber: what it does, what it waits for, where
    fibers brief      without the calls
    fiber ADDRESS     one of them, by the address that `fibers` shows

A suspended fiber has its registers on its stack, as src/fiber/fiber_switch.c puts them there; everything is compiled with frame
pointers, so its calls are found without debug information of the stack. Functions that were inlined do not show.
"""
import gdb

# Offsets in words from the saved stack pointer: frame pointer and return address; see fiber_switch.c.
FRAMES = {"i386:x86-64": (6, 7), "aarch64": (18, 19)}
STATES = {"FIBER_NEW": "new", "FIBER_RUNNING": "running", "FIBER_YIELDED": "ready", "FIBER_PARKED": "waits", "FIBER_WOKEN": "ready"}


def text(pointer):
    return pointer.string(errors="replace") if int(pointer) else ""


def slice_text(value):
    length = int(value["len"])
    return value["ptr"].string(length=length, errors="replace") if length else ""


def word(address):
    kind = gdb.lookup_type("unsigned long").pointer()
    return int(gdb.Value(address).cast(kind).dereference())


def fibers_of(scope):
    """All fibers in a scope and below."""
    fiber = scope["fibers"]
    while int(fiber):
        yield fiber
        fiber = fiber["scope_next"]
    child = scope["first_child"]
    while int(child):
        yield from fibers_of(child.dereference())
        child = child["next"]


def each_fiber():
    """Of the thread that has a scheduler; there is one."""
    selected = gdb.selected_thread()
    try:
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            current = gdb.parse_and_eval("'src/fiber/fiber.c'::current")
            if int(current):
                yield from fibers_of(gdb.parse_and_eval("'src/fiber/cancel.c'::top"))
    finally:
        if selected:
            selected.switch()


def describe_pc(pc):
    block = gdb.block_for_pc(pc)
    while block and not block.function:
        block = block.superblock
    place = gdb.find_pc_line(pc)
    name = block.function.name if block else "??"
    return f"{name} at {place.symtab.filename}:{place.line}" if place.symtab else name


def calls_of(fiber):
    """Where the calls of a suspended fiber return to, innermost first."""
    at_pointer, at_return = FRAMES[gdb.selected_inferior().architecture().name()]
    top = int(fiber["context"]["stack_pointer"])
    bottom, size = int(fiber["context"]["stack_bottom"]), int(fiber["context"]["stack_size"])
    if not bottom <= top < bottom + size:
        return
    yield word(top + 8 * at_return)
    low, frame = top, word(top + 8 * at_pointer)
    while low < frame < bottom + size - 16:
        pc = word(frame + 8)
        if not pc:
            return
        yield pc
        low, frame = frame, word(frame)


def show(fiber, with_calls):
    state = STATES.get(str(fiber["state"]), str(fiber["state"]))
    line = f"{int(fiber):#x} {text(fiber['name'])}: {state}"
    if state == "waits":
        line += f" for {text(fiber['awaited'])}"
    if int(fiber["task"]["verb"]):
        line += f"; {text(fiber['task']['verb'])} {slice_text(fiber['task']['object'])}"
    print(line)
    if not with_calls or not int(fiber["stack"]):
        return
    if state == "running":
        print("    (its calls are those of the thread: bt)")
        return
    for pc in calls_of(fiber):
        # The address is behind the call: one less is in its line.
        print(f"    {pc:#x} {describe_pc(pc - 1)}")


class Fibers(gdb.Command):
    """fibers [brief]: lists all fibers."""

    def __init__(self):
        super().__init__("fibers", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        count = 0
        for fiber in each_fiber():
            show(fiber, argument.strip() != "brief")
            count += 1
        print(f"{count} fibers")


class Fiber(gdb.Command):
    """fiber ADDRESS: shows one fiber."""

    def __init__(self):
        super().__init__("fiber", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        kind = gdb.lookup_type("struct fiber").pointer()
        show(gdb.Value(int(argument, 0)).cast(kind), True)


Fibers()
Fiber()
