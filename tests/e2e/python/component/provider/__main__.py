"""A component in Python, offered to programs of every language: its schema is read from its types."""
from typing import Optional, TypedDict

import pulumi
from pulumi.provider.experimental import component_provider_host


class ShelfArgs(TypedDict):
    color: pulumi.Input[str]
    """What it is painted with"""
    sizes: Optional[pulumi.Input[list[pulumi.Input[float]]]]
    note: Optional[pulumi.Input[str]]


class Shelf(pulumi.ComponentResource):
    color: pulumi.Output[str]
    total: pulumi.Output[float]
    note: pulumi.Output[Optional[str]]

    def __init__(self, name: str, args: ShelfArgs, opts: Optional[pulumi.ResourceOptions] = None) -> None:
        super().__init__("shelves:index:Shelf", name, {}, opts)
        pulumi.CustomResource("thing:index:Thing", f"{name}-inside", {"color": args["color"], "note": args.get("note")},
                              pulumi.ResourceOptions(parent=self))
        self.color = pulumi.Output.concat("light ", args["color"])
        self.total = pulumi.Output.from_input(args.get("sizes")).apply(lambda sizes: sum(sizes or []))
        self.note = pulumi.Output.from_input(args.get("note"))
        self.register_outputs({"color": self.color, "total": self.total, "note": self.note})


component_provider_host(name="shelves", components=[Shelf])
