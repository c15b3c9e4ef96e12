"""sandbox.py — a self-service desk: who needs a sandbox asks for one, and gives it back.

usage: sandbox.py create OWNER [--size small|large]
       sandbox.py list
       sandbox.py delete OWNER

Each sandbox is a stack. The people who ask never see a stack, a program or a passphrase: they see this command, or a page that calls it.
"""
import argparse
import os
import re
import sys

import pulumi
import pulumi_command as command
import pulumi_random as random
from pulumi import automation as auto

HERE = os.path.dirname(os.path.abspath(__file__))
QUOTA = {"small": 1, "large": 8}
PROJECT = "sandboxes"


def program_for(owner, size):
    """What a sandbox is. In a company this would be a database, a namespace, an account; here it is a folder."""

    def program():
        folder = os.path.join(HERE, "sandboxes", owner)
        name = random.RandomPet("name", length=1, prefix=owner)
        password = random.RandomPassword("password", length=20, special=False)
        command.local.Command(
            "folder",
            create='mkdir -p "$FOLDER" && echo "$QUOTA GB" >"$FOLDER/quota"',
            delete='rm -r "$FOLDER"',
            environment={"FOLDER": folder, "QUOTA": str(QUOTA[size])},
            opts=pulumi.ResourceOptions(delete_before_replace=True))
        pulumi.export("name", name.id)
        pulumi.export("password", password.result)
        pulumi.export("size", size)
        pulumi.export("folder", folder)

    return program


def settings():
    """Where the stacks are, and how their secrets are sealed: for all of them the same."""
    stacks = os.path.join(HERE, "stacks")
    os.makedirs(stacks, exist_ok=True)
    return {
        "project_settings": auto.ProjectSettings(name=PROJECT, runtime="python", backend=auto.ProjectBackend("file://" + stacks)),
        "env_vars": {"PULUMI_CONFIG_PASSPHRASE": os.environ["SANDBOX_PASSPHRASE"]},
    }


def open_stack(owner, program=lambda: None):
    return auto.create_or_select_stack(stack_name=owner, project_name=PROJECT, program=program, opts=auto.LocalWorkspaceOptions(**settings()))


def existing():
    return {stack.name for stack in auto.LocalWorkspace(**settings()).list_stacks()}


def what_happened(changes):
    """In one word; `changes` counts the steps by kind."""
    if "update" in changes or "replace" in changes:
        return "updated"
    return "created" if "create" in changes else "unchanged"


def create(owner, size):
    result = open_stack(owner, program_for(owner, size)).up()
    outputs = result.outputs
    print(f"{what_happened(result.summary.resource_changes or {})}: {outputs['name'].value}, {size}")
    print(f"folder:   {outputs['folder'].value}")
    print(f"password: {outputs['password'].value}")


def show():
    for owner in sorted(existing()):
        outputs = open_stack(owner).outputs()
        print(f"{owner:<10} {outputs['size'].value:<6} {outputs['name'].value}")


def delete(owner):
    if owner not in existing():
        sys.exit(f"{owner} has no sandbox")
    stack = open_stack(owner)
    stack.destroy()
    stack.workspace.remove_stack(owner)
    print(f"deleted the sandbox of {owner}")


def owner_name(text):
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,20}", text):
        raise argparse.ArgumentTypeError("a name has small letters, digits and dashes")
    return text


def main():
    parser = argparse.ArgumentParser(description="Sandboxes for those who ask")
    verbs = parser.add_subparsers(dest="verb", required=True)
    making = verbs.add_parser("create", help="make a sandbox, or change its size")
    making.add_argument("owner", type=owner_name)
    making.add_argument("--size", choices=sorted(QUOTA), default="small")
    verbs.add_parser("list", help="show who has which")
    verbs.add_parser("delete", help="give it back").add_argument("owner", type=owner_name)
    args = parser.parse_args()
    if args.verb == "create":
        create(args.owner, args.size)
    elif args.verb == "list":
        show()
    else:
        delete(args.owner)


main()
