#!/usr/bin/env python3
"""report.py — `--report` and `report`: what is in the page, and what a browser makes of it. SHOTS=DIR keeps pictures. Speaks TAP."""
import json
import os
import stat

import logs
import states
from tap import embedded, equal, holds, main, test

PROGRAM = """name: web
runtime: yaml
config:
  size: {type: integer, default: 1}
  token: {type: string, secret: true}
resources:
  pet: {type: "random:RandomPet", properties: {length: 2, prefix: "size-${size}"}}
  network: {type: "command:local:Command", properties: {create: "echo ${pet.id}"}}
  server: {type: "command:local:Command", properties: {create: "echo ${network.stdout} ${size}", environment: {TOKEN: "${token}"}}}
  alone: {type: "command:local:Command", properties: {create: "true"}}
outputs:
  name: ${pet.id}
  hidden: {"fn::secret": "a-secret-output"}
"""


def shot(page, name):
    if os.environ.get("SHOTS"):
        height = page.js("document.documentElement.scrollHeight")
        page.call("Emulation.setDeviceMetricsOverride", width=1440, height=height, deviceScaleFactor=1, mobile=False)
        page.screenshot(os.path.join(os.environ["SHOTS"], name + ".png"))
        page.call("Emulation.setDeviceMetricsOverride", width=1440, height=900, deviceScaleFactor=1, mobile=False)


def quiet(page):
    equal(page.problems, [], "the console")
    equal([url for url in page.requests if not url.startswith("file:")], [], "what it asked the network for")


def texts(page, selector):
    return page.js(f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.innerText.trim())")


@test
def an_update_writes_its_page_with_both_phases_and_no_secret(world):
    world.write("Pulumi.yaml", PROGRAM)
    world.run("stack", "init", "dev")
    world.run("config", "set", "--secret", "token", "a-secret-token")
    world.run("up", "--yes", "--report", "up.html", "--event-log", "up.log")
    text = world.read("up.html")
    equal(stat.S_IMODE(os.stat(world.path("up.html")).st_mode), 0o600)
    for secret in ("a-secret-token", "a-secret-output"):
        holds(secret not in text, f"{secret} is in the page")
    data = embedded(text)
    equal((data["stack"], data["project"], data["operation"], len(data["phases"])), ("dev", "web", "up", 2))
    names = {span[0] for span in data["phases"][1]["spans"] if "Command::server" in span[2]}
    equal(names, {"queue", "plan", "journal", "apply", "create"})
    depends = {event["urn"].split("::")[-1]: event.get("dependsOn", []) for event in data["phases"][1]["events"] if event["e"] == "pre"}
    equal([urn.split("::")[-1] for urn in depends["server"]], ["network"])


@test
def show_secrets_does_not_reach_the_page(world):
    world.run("preview", "--show-secrets", "--report", "shown.html")
    for secret in ("a-secret-token", "a-secret-output"):
        holds(secret not in world.read("shown.html"), f"{secret} is in the page")


@test
def refresh_and_destroy_have_reports_too(world):
    for command in ("refresh", "destroy"):
        world.run(command, "--yes", "--skip-preview", "--report", command + ".html")
        data = embedded(world.read(command + ".html"))
        equal((data["operation"], len(data["phases"])), (command, 1))
    world.run("up", "--yes", "--skip-preview")


@test
def a_file_that_cannot_be_written_stops_before_anything_is_done(world):
    said = world.run("up", "--yes", "--skip-preview", "-c", "size=7", "--report", "no/such/folder.html", code=1)
    holds("no/such/folder.html" in said and "Updating" not in said, said)
    world.run("config", "rm", "size")


@test
def a_failed_update_has_its_report(world):
    world.write("Pulumi.yaml", PROGRAM.replace('create: "true"', 'create: "true", update: "echo oops >&2; false", triggers: [1]'))
    world.run("up", "--yes", "--skip-preview")
    world.write("Pulumi.yaml", PROGRAM.replace('create: "true"', 'create: "true #", update: "echo oops >&2; false", triggers: [1]'))
    world.run("up", "--yes", "--skip-preview", "--report", "failed.html", code=1)
    holds(any(event["e"] == "failed" for event in embedded(world.read("failed.html"))["phases"][0]["events"]), "no failed step")
    world.write("Pulumi.yaml", PROGRAM)
    world.run("up", "--yes", "--skip-preview")


@test
def a_log_becomes_a_page_beside_it_or_where_out_says(world):
    world.run("report", "up.log")
    equal(len(embedded(world.read("up.html"))["phases"]), 1)
    world.run("report", "up.log", "--out", "other.html")
    equal(embedded(world.read("other.html"))["source"], "up.log")


@test
def what_is_no_log_is_refused_and_nothing_written(world):
    world.write("bad.log", '{"sequence":0,"timestamp":1,"cancelEvent":{}}\nhello\n')
    said = world.run("report", "bad.log", code=1)
    holds("'bad.log' is no event log: line 2" in said, said)
    holds(not os.path.exists(world.path("bad.html")), "a page was written")
    holds("nope.log" in world.run("report", "nope.log", code=1), "the file is not named")
    world.write("page.html", '{"sequence":0,"timestamp":1,"cancelEvent":{}}\n')
    holds("would replace its event log" in world.run("report", "page.html", code=1), "the log was replaced")


@test
def a_log_that_was_cut_off_gives_what_it_has(world):
    world.write("cut.log", logs.small()[:-60])
    holds("warning: the last line of the event log is incomplete" in world.run("report", "cut.log"), "nothing is said")


@test
def the_report_of_an_update_shows_times_and_changes(world, page):
    world.run("up", "--yes", "--report", "change.html", "-c", "size=2")
    for theme in ("light", "dark"):
        page.theme(theme)
        page.open(world.path("change.html"))
        equal(page.js("document.documentElement.dataset.theme"), theme)
        shot(page, f"report-{theme}")
    equal(page.text("#title"), "Update of dev")
    equal(texts(page, "#phases button"), ["Preview", "Update"])
    equal(page.text("#overview .figure .value"), "succeeded")
    equal(texts(page, ".ops li")[:2], ["~\n2 updated", "±\n1 replaced"])
    path = [text.split("\n")[0] for text in texts(page, "#path li > div:first-child") if text]
    equal(path[-3:], ["network", "server", "pet"], "the critical path: the old pet is deleted last")
    row = "document.querySelector('.change[data-op=replace]')"
    equal(page.js(f"{row}.querySelector('.what').firstChild.data"), "pet")
    page.js(f"{row}.open = true")
    page.wait(f"{row}.querySelector('.forced')")
    equal(page.js(f"{row}.querySelector('.forced').textContent"), "forces the replacement")
    quiet(page)


@test
def a_row_of_the_timeline_is_chosen_by_pointer_and_by_key(world, page):
    page.open(world.path("change.html"))
    page.click("#timeline-filter")
    page.type("server")
    equal(page.js("document.querySelector('.lanes').dataset.rows"), "1")
    where = page.js("(() => { const r = document.querySelector('.lanes .body canvas').getBoundingClientRect(); return [r.x + 60, r.y + 12]; })()")
    page.click_at(*where)
    page.wait("!document.querySelector('.detail').hidden")
    holds("depends on network" in page.text(".detail"), page.text(".detail"))
    page.js("document.getElementById('timeline-filter').value = ''; document.getElementById('timeline-filter').dispatchEvent(new Event('input'))")
    page.js("document.querySelector('.lanes .body canvas').focus()")
    page.key("ArrowUp")
    first = page.text(".detail strong")
    page.key("ArrowDown")
    holds(page.text(".detail strong") != first, "the next row is not chosen")


@test
def the_preview_is_one_click_away(world, page):
    page.open(world.path("change.html"))
    page.click("#phases button:first-child")
    holds("to update" in page.text(".ops"), page.text(".ops"))
    equal(page.js("document.querySelector('#phases button').getAttribute('aria-pressed')"), "true")
    quiet(page)


@test
def everything_that_a_log_can_hold_is_shown_as_text(world, page):
    world.write("all.log", logs.small())
    world.run("report", "all.log")
    holds("a-secret-of-the-log" not in world.read("all.html"), "a ciphertext is in the page")
    page.open(world.path("all.html"))
    shot(page, "report-log")
    equal(page.js("globalThis.broken ?? null"), None)
    equal(page.js("document.images.length"), 0)
    equal(page.text("#overview .figure .value"), "failed")
    holds(states.HOSTILE.split("\u2028")[0] in page.text("#messages"), "the message is not as it was")
    holds("passing by" not in page.text("#messages"), "a status that passed is shown")
    holds("house 1.0: 2 passed, 1 failed" in page.text("#policies"), page.text("#policies"))
    holds("changed bucket" in page.text("#policies"), "no remediation")
    equal(texts(page, "#outputs td:first-child")[1:], ["password", "url"])
    equal(texts(page, "#outputs .chip"), ["new", "new", "changed"])
    holds("Guessed from times" in page.text("#path"), "the path does not say that it is a guess")
    changes = {row.split("\n")[0]: row for row in texts(page, ".change")}
    page.js("document.querySelectorAll('.change').forEach((row) => { row.open = true; })")
    page.wait("document.querySelectorAll('.change .inside:empty').length === 0")
    server = texts(page, f'.change[data-urn="{states.urn("aws:ec2/instance:Instance", "server")}"] .diff > *')
    rows = [server[i:i + 3] for i in range(0, len(server), 3)]
    equal([row[:2] for row in rows], [["~", "policy.v"], ["~", "script"], ["~", "size"], ["−", "tags[0]"], ["+", "tags[1]"], ["~", "key"]])
    equal(rows[2][2], "1→2")
    equal(rows[5][2], "changed; both sides are secret or not told")
    holds("failed" in changes.get("✕", "") or page.js("document.querySelectorAll('.change .chip.bad').length") == 1, "the failed one is not marked")
    quiet(page)


@test
def changes_are_filtered_by_kind_and_text(world, page):
    page.open(world.path("all.html"))
    page.click("#changes button[data-op=replace]")
    equal(page.text("#changes-found"), "1 of 5")
    page.click("#changes button[data-op=replace]")
    page.click("#changes-filter")
    page.type("bucket")
    equal(page.text("#changes-found"), "2 of 5")


@test
def it_can_be_printed_whole(world, page):
    page.open(world.path("all.html"))
    holds(page.pdf().startswith(b"%PDF"), "no PDF")
    quiet(page)


@test
def five_thousand_resources_stay_fluid(world, page):
    world.write("large.log", logs.large(5000))
    world.run("report", "large.log")
    page.open(world.path("large.html"))
    equal(page.js("document.querySelector('.lanes').dataset.rows"), "5000")
    holds(page.js("document.querySelectorAll('.change').length") <= 100, "all changes are in the document")
    holds(page.js("document.querySelector('.lanes .body canvas').height") < 1200, "the canvas has all rows")
    page.js("document.querySelector('.lanes .body').scrollTop = 60000")
    page.js("document.querySelector('.lanes .body canvas').focus()")
    page.key("ArrowDown")
    page.wait("!document.querySelector('.detail').hidden")
    shot(page, "report-large")
    quiet(page)


main()
