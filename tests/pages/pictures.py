#!/usr/bin/env python3
"""pictures.py — the pictures of the two pages in README.md; `make pictures` calls it. usage: pictures.py FOLDER"""
import os
import sys

import browser
import states
import tap

PROGRAM = """name: shop
runtime: yaml
resources:
  pet: {type: "random:RandomPet", properties: {length: 2}}
  key: {type: "random:RandomPassword", properties: {length: 12}}
"""
# Name, what it waits for, tenths of a second.
THINGS = [("network", "pet.id", 4), ("subnet-a", "network.stdout", 3), ("subnet-b", "network.stdout", 7), ("database", "subnet-b.stdout", 9),
          ("cache", "subnet-a.stdout", 2), ("queue", "pet.id", 6), ("worker", "queue.stdout", 8), ("web", "database.stdout} ${cache.stdout", 3),
          ("monitor", "web.stdout", 2)]


def main(folder):
    os.makedirs(folder, exist_ok=True)
    world = tap.World()
    try:
        world.run("stack", "init", "dev")
        world.have(states.large(90, seed=4))
        world.run("stack", "graph", "--html", "graph.html")
        world.write("Pulumi.yaml", PROGRAM + "".join(
            f'  {name}: {{type: "command:local:Command", properties: {{create: "sleep {tenths / 10}; echo ${{{after}}}"}}}}\n' for name, after, tenths in THINGS))
        world.run("stack", "init", "production")
        world.run("up", "--yes", "--report", "report.html")
        with browser.Browser(1240, 700) as page:
            page.theme("light")
            page.open(world.path("graph.html"))
            page.key("d", "d")
            page.key("/", "/")
            page.type("aws-35")
            page.key("ArrowDown")
            page.js("document.getElementById('clear').click()")
            page.js("document.getElementById('zoom-out').click()")
            page.screenshot(os.path.join(folder, "graph.png"))
            page.theme("dark")
            page.open(world.path("report.html"))
            page.screenshot(os.path.join(folder, "report.png"))
    finally:
        world.close()


main(sys.argv[1])
