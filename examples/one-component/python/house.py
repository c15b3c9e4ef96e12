"""The component in the words of Python."""
from typing import Optional

import pulumi


class Service(pulumi.ComponentResource):
    url: pulumi.Output[str]
    password: pulumi.Output[str]

    def __init__(self, name: str, title: pulumi.Input[str], folder: pulumi.Input[str], port: Optional[pulumi.Input[int]] = None,
                 opts: Optional[pulumi.ResourceOptions] = None):
        outputs = {"url": None, "password": None}
        super().__init__("house:index:Service", name, {"title": title, "folder": folder, "port": port, **outputs}, opts, remote=True)
