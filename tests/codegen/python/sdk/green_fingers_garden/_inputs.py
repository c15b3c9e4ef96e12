# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
import sys
from typing import Literal, Optional

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

import pulumi

__all__ = [
    "LayerArgs",
    "LayerArgsDict",
    "Layer",
    "LayerDict",
]


class LayerArgsDict(TypedDict):
    """A layer of soil."""

    depth_cm: pulumi.Input[_builtins.float]
    """How deep it is."""
    kind: pulumi.Input[Literal["soil"]]
    below: NotRequired[pulumi.Input[Optional["LayerArgsDict"]]]
    class_: NotRequired[pulumi.Input[Optional[_builtins.str]]]


@pulumi.input_type
class LayerArgs:
    def __init__(
        __self__,
        *,
        depth_cm: pulumi.Input[_builtins.float],
        kind: pulumi.Input[Literal["soil"]],
        below: pulumi.Input[Optional["LayerArgs"]] = None,
        class_: pulumi.Input[Optional[_builtins.str]] = None,
    ):
        """A layer of soil.

        :param depth_cm: How deep it is.
        """
        pulumi.set(__self__, "depth_cm", depth_cm)
        pulumi.set(__self__, "kind", "soil")
        if below is not None:
            pulumi.set(__self__, "below", below)
        if class_ is None:
            class_ = "a"
        if class_ is not None:
            pulumi.set(__self__, "class_", class_)

    @_builtins.property
    @pulumi.getter(name="depthCm")
    def depth_cm(self) -> pulumi.Input[_builtins.float]:
        """How deep it is."""
        return pulumi.get(self, "depth_cm")

    @depth_cm.setter
    def depth_cm(self, value: pulumi.Input[_builtins.float]) -> None:
        pulumi.set(self, "depth_cm", value)

    @_builtins.property
    @pulumi.getter
    def kind(self) -> pulumi.Input[Literal["soil"]]:
        return pulumi.get(self, "kind")

    @kind.setter
    def kind(self, value: pulumi.Input[Literal["soil"]]) -> None:
        pulumi.set(self, "kind", value)

    @_builtins.property
    @pulumi.getter
    def below(self) -> pulumi.Input[Optional["LayerArgs"]]:
        return pulumi.get(self, "below")

    @below.setter
    def below(self, value: pulumi.Input[Optional["LayerArgs"]]) -> None:
        pulumi.set(self, "below", value)

    @_builtins.property
    @pulumi.getter(name="class")
    def class_(self) -> pulumi.Input[Optional[_builtins.str]]:
        return pulumi.get(self, "class_")

    @class_.setter
    def class_(self, value: pulumi.Input[Optional[_builtins.str]]) -> None:
        pulumi.set(self, "class_", value)


class LayerDict(TypedDict):
    """A layer of soil."""

    depth_cm: _builtins.float
    """How deep it is."""
    kind: Literal["soil"]
    below: NotRequired["LayerDict"]
    class_: NotRequired[_builtins.str]


@pulumi.input_type
class Layer:
    def __init__(
        __self__,
        *,
        depth_cm: _builtins.float,
        kind: Literal["soil"],
        below: Optional["Layer"] = None,
        class_: Optional[_builtins.str] = None,
    ):
        """A layer of soil.

        :param depth_cm: How deep it is.
        """
        pulumi.set(__self__, "depth_cm", depth_cm)
        pulumi.set(__self__, "kind", "soil")
        if below is not None:
            pulumi.set(__self__, "below", below)
        if class_ is None:
            class_ = "a"
        if class_ is not None:
            pulumi.set(__self__, "class_", class_)

    @_builtins.property
    @pulumi.getter(name="depthCm")
    def depth_cm(self) -> _builtins.float:
        """How deep it is."""
        return pulumi.get(self, "depth_cm")

    @depth_cm.setter
    def depth_cm(self, value: _builtins.float) -> None:
        pulumi.set(self, "depth_cm", value)

    @_builtins.property
    @pulumi.getter
    def kind(self) -> Literal["soil"]:
        return pulumi.get(self, "kind")

    @kind.setter
    def kind(self, value: Literal["soil"]) -> None:
        pulumi.set(self, "kind", value)

    @_builtins.property
    @pulumi.getter
    def below(self) -> Optional["Layer"]:
        return pulumi.get(self, "below")

    @below.setter
    def below(self, value: Optional["Layer"]) -> None:
        pulumi.set(self, "below", value)

    @_builtins.property
    @pulumi.getter(name="class")
    def class_(self) -> Optional[_builtins.str]:
        return pulumi.get(self, "class_")

    @class_.setter
    def class_(self, value: Optional[_builtins.str]) -> None:
        pulumi.set(self, "class_", value)
