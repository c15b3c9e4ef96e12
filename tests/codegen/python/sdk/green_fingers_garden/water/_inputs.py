# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
import sys
from typing import Optional

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

import pulumi

from .. import _utilities
from .. import _inputs as _root_inputs

__all__ = [
    "ValveArgs",
    "ValveArgsDict",
    "Valve",
    "ValveDict",
]


class ValveArgsDict(TypedDict):
    flow_rate: NotRequired[pulumi.Input[Optional[_builtins.float]]]
    layer: NotRequired[pulumi.Input[Optional["_root_inputs.LayerArgsDict"]]]
    old_name: NotRequired[pulumi.Input[Optional[_builtins.str]]]


@pulumi.input_type
class ValveArgs:
    def __init__(
        __self__,
        *,
        flow_rate: pulumi.Input[Optional[_builtins.float]] = None,
        layer: pulumi.Input[Optional["_root_inputs.LayerArgs"]] = None,
        old_name: pulumi.Input[Optional[_builtins.str]] = None,
    ):
        if flow_rate is not None:
            pulumi.set(__self__, "flow_rate", flow_rate)
        if layer is not None:
            pulumi.set(__self__, "layer", layer)
        if old_name is not None:
            _utilities.warn_deprecated("old_name", "use \"flowRate\"")
        if old_name is not None:
            pulumi.set(__self__, "old_name", old_name)

    @_builtins.property
    @pulumi.getter(name="flowRate")
    def flow_rate(self) -> pulumi.Input[Optional[_builtins.float]]:
        return pulumi.get(self, "flow_rate")

    @flow_rate.setter
    def flow_rate(self, value: pulumi.Input[Optional[_builtins.float]]) -> None:
        pulumi.set(self, "flow_rate", value)

    @_builtins.property
    @pulumi.getter
    def layer(self) -> pulumi.Input[Optional["_root_inputs.LayerArgs"]]:
        return pulumi.get(self, "layer")

    @layer.setter
    def layer(self, value: pulumi.Input[Optional["_root_inputs.LayerArgs"]]) -> None:
        pulumi.set(self, "layer", value)

    @_builtins.property
    @pulumi.getter(name="oldName")
    @_utilities.deprecated("use \"flowRate\"")
    def old_name(self) -> pulumi.Input[Optional[_builtins.str]]:
        return pulumi.get(self, "old_name")

    @old_name.setter
    def old_name(self, value: pulumi.Input[Optional[_builtins.str]]) -> None:
        pulumi.set(self, "old_name", value)


class ValveDict(TypedDict):
    flow_rate: NotRequired[_builtins.float]
    layer: NotRequired["_root_inputs.LayerDict"]
    old_name: NotRequired[_builtins.str]


@pulumi.input_type
class Valve:
    def __init__(
        __self__,
        *,
        flow_rate: Optional[_builtins.float] = None,
        layer: Optional["_root_inputs.Layer"] = None,
        old_name: Optional[_builtins.str] = None,
    ):
        if flow_rate is not None:
            pulumi.set(__self__, "flow_rate", flow_rate)
        if layer is not None:
            pulumi.set(__self__, "layer", layer)
        if old_name is not None:
            _utilities.warn_deprecated("old_name", "use \"flowRate\"")
        if old_name is not None:
            pulumi.set(__self__, "old_name", old_name)

    @_builtins.property
    @pulumi.getter(name="flowRate")
    def flow_rate(self) -> Optional[_builtins.float]:
        return pulumi.get(self, "flow_rate")

    @flow_rate.setter
    def flow_rate(self, value: Optional[_builtins.float]) -> None:
        pulumi.set(self, "flow_rate", value)

    @_builtins.property
    @pulumi.getter
    def layer(self) -> Optional["_root_inputs.Layer"]:
        return pulumi.get(self, "layer")

    @layer.setter
    def layer(self, value: Optional["_root_inputs.Layer"]) -> None:
        pulumi.set(self, "layer", value)

    @_builtins.property
    @pulumi.getter(name="oldName")
    @_utilities.deprecated("use \"flowRate\"")
    def old_name(self) -> Optional[_builtins.str]:
        return pulumi.get(self, "old_name")

    @old_name.setter
    def old_name(self, value: Optional[_builtins.str]) -> None:
        pulumi.set(self, "old_name", value)
