#!/usr/bin/env python3
"""trace.py — `view-trace`: what a browser makes of its page. SHOTS=DIR keeps pictures. Speaks TAP."""
import json
import os
import re
import signal
import subprocess
import urllib.request

from tap import embedded, equal, holds, main, test


def span(number, parent, name, start, end, **attributes):
    """Times in milliseconds."""
    return {"traceId": "a1", "spanId": str(number), "parentSpanId": str(parent) if parent else "", "name": name,
            "startTimeUnixNano": str(1763300000 * 10**9 + start * 10**6), "endTimeUnixNano": str(1763300000 * 10**9 + end * 10**6),
            "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()],
            "status": {"code": 2} if "error" in attributes else {}}


SPANS = [
    span(1, None, "pulumi up", 0, 1000),
    span(2, 1, "create", 100, 600, urn="urn:pulumi:dev::web::a:b:Bucket::logs"),
    span(3, 2, "/pulumirpc.ResourceProvider/Create", 110, 590, plugin="aws"),
    span(4, 1, "create", 200, 900, urn="urn:pulumi:dev::web::a:b:Site::<b>site</b>", error="</script><script>globalThis.broken = 1</script>"),
]


def shown(world):
    """The page as it is served, in a file."""
    world.write("up.trace", "".join(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}) + "\n" for one in SPANS))
    server = subprocess.Popen([world.cli, "view-trace", "up.trace", "--port", "0"], cwd=world.folder, env=world.environment,
                              stdout=subprocess.PIPE, text=True)
    try:
        port = re.search(r"localhost:(\d+)", server.stdout.readline()).group(1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            world.write("trace.html", answer.read().decode())
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
        server.stdout.close()
    return world.path("trace.html")


def labels(page):
    return page.js("[...document.querySelectorAll('#table tbody tr')].map((row) => row.innerText.split('\\t').slice(0, 3).join('|').replace(/\\s+/g, ' '))")


@test
def the_page_has_all_spans(world):
    shown(world)
    data = embedded(world.read("trace.html"))
    equal([(one[0], one[1], one[2], one[4]) for one in data["spans"]],
          [(0, 0, 1000000, "pulumi up"), (1, 100000, 500000, "create(a:b:Bucket)"),
           (2, 110000, 480000, "/pulumirpc.ResourceProvider/Create(aws)"), (1, 200000, 700000, "create(a:b:Site)")])


@test
def times_by_name_are_without_those_of_parts(world, page):
    page.open(shown(world))
    equal(page.text("h1"), "pulumi up")
    holds("4 spans in 1.00 s" in page.text("#figures") and "1 failed" in page.text("#figures"), page.text("#figures"))
    equal(labels(page), ["create(a:b:Site) 1 failed|1|700 ms", "/pulumirpc.ResourceProvider/Create(aws)|1|480 ms", "pulumi up|1|200 ms",
                         "create(a:b:Bucket)|1|20.0 ms"])
    equal(page.problems, [], "the console")
    equal([url for url in page.requests if not url.startswith("file:")], [], "what it asked the network for")
    if os.environ.get("SHOTS"):
        page.screenshot(os.path.join(os.environ["SHOTS"], "trace.png"))


@test
def a_span_is_chosen_closed_and_looked_for(world, page):
    page.open(shown(world))
    rows = "document.querySelector('.lanes').dataset.rows"
    equal(page.js(rows), "4")
    page.js("document.querySelector('.lanes .body canvas').focus()")
    for key in ("ArrowDown", "ArrowDown"):
        page.key(key)
    page.wait("!document.getElementById('detail').hidden")
    holds("create(a:b:Bucket)" in page.js("document.querySelector('#detail h3').textContent"), page.text("#detail"))
    page.key("Enter")
    equal(page.js(rows), "3", "after it was closed")
    page.click("#filter")
    page.type("site")
    equal(page.js(rows), "1", "with a filter")
    equal(page.js("globalThis.broken ?? null"), None)


main()
