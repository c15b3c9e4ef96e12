# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Any, Literal, Optional

import pulumi

from . import _utilities

__all__ = [
    "Layer",
]


@pulumi.output_type
class Layer(dict):
    """A layer of soil."""

    __spelling = {
        "depthCm": "depth_cm",
        "class": "class_",
    }

    def __getitem__(self, key: _builtins.str) -> Any:
        _utilities.warn_spelling("Layer", self.__spelling, key)
        return super().__getitem__(key)

    def get(self, key: _builtins.str, default=None) -> Any:
        _utilities.warn_spelling("Layer", self.__spelling, key)
        return super().get(key, default)

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

    @_builtins.property
    @pulumi.getter
    def kind(self) -> Literal["soil"]:
        return pulumi.get(self, "kind")

    @_builtins.property
    @pulumi.getter
    def below(self) -> Optional["Layer"]:
        return pulumi.get(self, "below")

    @_builtins.property
    @pulumi.getter(name="class")
    def class_(self) -> Optional[_builtins.str]:
        return pulumi.get(self, "class_")
