#!/usr/bin/env python3
"""new.py — what `new`, `package new`, `policy new` and `up TEMPLATE` ask a person. Speaks TAP.
usage: CLI=build/bin/pulumi HOSTS=build/release/hosts new.py [CLAIM…]"""
import os
import signal

from screen import World, claims

MINE = """name: ${PROJECT}
description: ${DESCRIPTION}
runtime: yaml
template:
  description: Mine
  config:
    size: {description: How large, default: 3}
    token: {description: The key, secret: true}
resources: {}
"""
PROVIDER = "Which provider would you like to use?"
LANGUAGE = "Which language would you like to use?"
READY = "Your new project is ready to go!"


def world_of_nothing():
    world = World("")
    os.remove(world.project + "/Pulumi.yaml")
    os.makedirs(world.folder.name + "/mine")
    with open(world.folder.name + "/mine/Pulumi.yaml", "w", encoding="utf-8") as file:
        file.write(MINE)
    return world


def text(world, name):
    with open(world.project + "/" + name, encoding="utf-8") as file:
        return file.read()


def check(is_true, session, what=""):
    if not is_true:
        raise AssertionError(f"{what}\n{session.screen.everything()}")


def is_empty(world, session):
    check(os.listdir(world.project) == [], session, f"there is {os.listdir(world.project)}")


def questions_have_presets_and_answers_are_kept():
    world = world_of_nothing()
    session = world.run("pulumi", "new", "../mine", rows=40)
    session.wait("This command will walk you through creating a new Pulumi project.", "Press ^C at any time to quit.", "Project name (project):")
    session.send("bad name\r")
    session.wait("Sorry, 'bad name' is not a valid project name: project names may only contain")
    session.send("site\r")
    session.wait("Project description (Mine):")
    session.send("My site\r")
    session.wait("Stack name (dev):")
    session.send("\r")
    session.wait("How large (size) (3):")
    session.send("5\r")
    session.wait("The key (token):")
    session.wait(where=lambda screen: not session.echoes())
    session.send("hush\r")
    session.wait("Created project 'site'", "Created stack 'dev'", "Saved config", READY)
    check(session.end() == 0, session, "exit code")
    check("hush" not in session.screen.everything(), session, "the secret is shown")
    check("name: site\ndescription: My site\nruntime: yaml\nresources: {}\n" in text(world, "Pulumi.yaml"), session, text(world, "Pulumi.yaml"))
    config = text(world, "Pulumi.dev.yaml")
    check('site:size: "5"' in config and "secure:" in config and "hush" not in config, session, config)
    session = world.run("pulumi", "config", "get", "token")
    session.wait("hush")
    session.end()
    world.close()


def a_repository_does_not_wait_for_an_answer_that_nobody_can_give():
    world = world_of_nothing()
    world.environment["GIT_SSH_COMMAND"] = "sh -c 'read answer < /dev/tty && echo answered; exit 1'"
    session = world.run("pulumi", "new", "git@host.invalid:owner/repository", rows=40)
    session.wait("Could not read from remote repository")
    check(session.end() != 0, session, "exit code")
    is_empty(world, session)
    world.close()


def package_managers_do_not_wait_for_an_answer_that_nobody_can_give():
    world = world_of_nothing()
    tools = world.folder.name + "/tools"
    os.makedirs(tools)
    world.environment["PATH"] = tools + ":" + world.environment["PATH"]
    for name in ("npm", "go"):
        with open(f"{tools}/{name}", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ \"$1\" != version ] || { echo go version go1.25.0 linux/amd64; exit 0; }\n"
                       "read answer < /dev/tty && echo answered\necho nobody answered\nexit 1\n")
        os.chmod(f"{tools}/{name}", 0o755)
    for runtime, files in (("nodejs", {"package.json": '{"name":"x"}'}), ("go", {"go.mod": "module x\n\ngo 1.21\n", "main.go": "package main\nfunc main() {}\n"})):
        for name, content in {"Pulumi.yaml": f"name: proj\nruntime: {runtime}\n", **files}.items():
            with open(f"{world.project}/{name}", "w", encoding="utf-8") as file:
                file.write(content)
        session = world.run("pulumi", "install", rows=40)
        session.wait("nobody answered")
        check(session.end() != 0, session, "exit code")
    world.close()


def what_the_command_line_says_is_not_asked():
    world = world_of_nothing()
    session = world.run("pulumi", "new", "../mine", "-n", "site", "-d", "It", "-s", "prod", "-c", "size=4", "-c", "token=open", "-e", rows=40)
    session.wait("Created project 'site'", "Created stack 'prod'", READY + " ✨")
    check(session.end() == 0, session, "exit code")
    check("Project name" not in session.screen.everything(), session, "asked")
    check("site:token: open" in text(world, "Pulumi.prod.yaml"), session)
    world.close()


def names_that_are_taken_are_asked_about():
    world = world_of_nothing()
    world.run("pulumi", "new", "../mine", "--yes", "-n", "site", "--dir", "../other").end()
    session = world.run("pulumi", "new", "../mine", "-d", "It", "-c", "size=4", "-c", "token=open", rows=40)
    session.wait("Project name (project):")
    session.send("site\r")
    session.wait("A project with the name `site` already exists.", "> Use 'site' anyway")
    session.send("Specify\r")
    session.wait("Specify a different project name", where=lambda screen: screen.text().count("Project name (project):") == 2)
    session.send("site\r")
    session.wait("> Use 'site' anyway")
    session.send("\r")
    session.wait("Stack name (dev):")
    session.send("dev\r")
    session.wait("Sorry, could not create stack 'dev': stack 'organization/site/dev' already exists")
    session.send("two\r")
    session.wait("Created stack 'two'", READY)
    check(session.end() == 0, session, "exit code")
    world.close()


def nothing_is_written_before_the_last_answer():
    for words in (["new", "../mine"], ["new", "../mine", "--dir", "deep/down"]):
        world = world_of_nothing()
        session = world.run("pulumi", *words, rows=40)
        for question in ("Project name", "Project description", "Stack name"):
            session.wait(question)
            session.send("\r")
        session.wait("How large")
        is_empty(world, session)
        session.send("\x03")
        check(session.end() == -signal.SIGINT, session, "exit code")
        is_empty(world, session)
        world.close()


def without_a_passphrase_nothing_is_left():
    world = world_of_nothing()
    del world.environment["PULUMI_CONFIG_PASSPHRASE"]
    session = world.run("pulumi", "new", "yaml", rows=40)
    for question in ("Project name", "Project description", "Stack name"):
        session.wait(question)
        session.send("\r")
    session.wait("Enter your passphrase to protect config/secrets:")
    session.wait(where=lambda screen: not session.echoes())
    session.send("\x03")
    session.wait("Nothing of the project was kept")
    check(session.end() == 1, session, "exit code")
    is_empty(world, session)
    world.close()


def a_guide_leads_to_a_template():
    world = world_of_nothing()
    folder = world.folder.name + "/home/templates/gcp-yaml"
    os.makedirs(folder)
    with open(folder + "/Pulumi.yaml", "w", encoding="utf-8") as file:
        file.write("name: ${PROJECT}\nruntime: yaml\ntemplate: {description: A cloud, config: {gcp:project: {description: Where}}}\n")
    session = world.run("pulumi", "new", rows=40)
    session.wait(PROVIDER, "> AWS", "  Azure", "  Google Cloud", "  Basic Pulumi Program", "  Browse all templates")
    session.send("Google\r")
    session.wait(PROVIDER + " Google Cloud", LANGUAGE, "> TypeScript", "  Python", "  Go", "  YAML")
    session.send("\x03")
    session.wait("> Google Cloud")
    session.send("\r")
    session.wait(LANGUAGE, "> TypeScript")
    session.send("YAML\r")
    session.wait("Where (gcp:project):")
    session.send("mine\r")
    session.wait("Project name:  project", "Description:   A cloud", "Stack name:    dev", "Config:",
                 "  gcp:project:  mine", "Do these look good?", "> Yes, create the project", "  Change these values")
    session.send("Change\r")
    session.wait("Project name (project):")
    session.send("site\r")
    session.wait("Project description (A cloud):")
    session.send("\r")
    session.wait("Stack name (dev):")
    session.send("\r")
    session.wait("Where (gcp:project) (mine):")
    session.send("\r")
    session.wait("Project name:  site", "> Yes, create the project")
    session.send("\r")
    session.wait(READY, "    Project name:  site", "    Stack name:    dev")
    session.end()
    check("gcp:project: mine" in text(world, "Pulumi.dev.yaml"), session)
    world.close()


def who_chooses_nothing_gets_nothing():
    world = world_of_nothing()
    session = world.run("pulumi", "new")
    session.wait(PROVIDER)
    session.send("\x03")
    session.wait("error: no template selected; please use `pulumi new` to choose one")
    check(session.end() == 1, session, "exit code")
    session = world.run("pulumi", "new", "-g", rows=40)
    session.wait(PROVIDER)
    session.send("Basic\r")
    session.wait(LANGUAGE)
    session.send("YAML\r")
    session.wait("Do these look good?")
    session.send("\x03")
    session.wait("error: no project created; please use `pulumi new` to start again")
    check(session.end() == 1, session, "exit code")
    is_empty(world, session)
    world.close()


def a_collection_is_a_list():
    world = world_of_nothing()
    session = world.run("pulumi", "new", "..", "-g", rows=40)
    session.wait("Please choose a template (1 total):", "> mine    Mine")
    session.send("\r")
    session.wait("Project name (project):")
    session.send("\r")
    session.wait("Project description (Mine):")
    session.send("\r")
    session.wait("Created project 'project'", "pulumi stack init")
    check(session.end() == 0, session, "exit code")
    check("pulumi:template: mine" in text(world, "Pulumi.yaml"), session)
    world.close()


def the_runtime_has_options_too():
    world = world_of_nothing()
    session = world.run("pulumi", "new", "python", "-g", rows=40)
    for question in ("Project name", "Project description"):
        session.wait(question)
        session.send("\r")
    session.wait("The toolchain to use for installing dependencies and running the program", "pip", "poetry", "uv")
    session.send("pip\r")
    session.wait("Created project 'project'")
    check(session.end() == 0, session, "exit code")
    check("options:\n    toolchain: pip\n    virtualenv: venv\n" in text(world, "Pulumi.yaml"), session)
    world.close()


def a_package_is_asked_for_its_name():
    world = world_of_nothing()
    session = world.run("pulumi", "package", "new", "-g", rows=40)
    session.wait("Please choose a template (4 total):", "> component-go")
    session.send("yaml\r")
    session.wait("creating a new Pulumi package.", "Package name (project):")
    session.send("Bad\r")
    session.wait("Sorry, 'Bad' is not a valid package name")
    session.send("greet\r")
    session.wait("Package description (A package in YAML with one component):")
    session.send("\r")
    session.wait("Created package 'greet'", "pulumi install")
    check(session.end() == 0, session, "exit code")
    world.close()


def a_policy_pack_is_chosen():
    world = world_of_nothing()
    session = world.run("pulumi", "policy", "new", "-g", "--runtime-options", "packagemanager=npm", rows=40)
    session.wait("Please choose a template (2 total):", "> policy-python", "  policy-typescript")
    session.send("typescript\r")
    session.wait("Created Policy Pack!", "Once you're done editing")
    check(session.end() == 0, session, "exit code")
    world.close()


def up_asks_for_a_template_what_new_asks():
    world = world_of_nothing()
    session = world.run("pulumi", "up", "random-yaml", rows=40)
    session.wait("Project name (random-yaml):")
    session.send("pet\r")
    session.wait("Project description (")
    session.send("\r")
    session.wait("Stack name (dev):")
    session.send("\r")
    session.wait("Do you want to perform this update?", "> no")
    session.send("yes\r")
    session.wait("+ 2 created")
    check(session.end() == 0, session, "exit code")
    is_empty(world, session)
    world.close()


claims([
    questions_have_presets_and_answers_are_kept,
    a_repository_does_not_wait_for_an_answer_that_nobody_can_give,
    package_managers_do_not_wait_for_an_answer_that_nobody_can_give,
    what_the_command_line_says_is_not_asked,
    names_that_are_taken_are_asked_about,
    nothing_is_written_before_the_last_answer,
    without_a_passphrase_nothing_is_left,
    a_guide_leads_to_a_template,
    who_chooses_nothing_gets_nothing,
    a_collection_is_a_list,
    the_runtime_has_options_too,
    a_package_is_asked_for_its_name,
    a_policy_pack_is_chosen,
    up_asks_for_a_template_what_new_asks,
])
