# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Any, Optional

import pulumi

from .. import _utilities
from .. import outputs as _root_outputs

__all__ = [
    "Forecast",
    "Valve",
]


@pulumi.output_type
class Forecast(dict):
    def __init__(
        __self__,
        *,
        rain_mm: _builtins.float,
    ):
        pulumi.set(__self__, "rain_mm", rain_mm)

    @_builtins.property
    @pulumi.getter(name="rainMm")
    def rain_mm(self) -> _builtins.float:
        return pulumi.get(self, "rain_mm")


@pulumi.output_type
class Valve(dict):
    __spelling = {
        "flowRate": "flow_rate",
        "oldName": "old_name",
    }

    def __getitem__(self, key: _builtins.str) -> Any:
        _utilities.warn_spelling("Valve", self.__spelling, key)
        return super().__getitem__(key)

    def get(self, key: _builtins.str, default=None) -> Any:
        _utilities.warn_spelling("Valve", self.__spelling, key)
        return super().get(key, default)

    def __init__(
        __self__,
        *,
        flow_rate: Optional[_builtins.float] = None,
        layer: Optional["_root_outputs.Layer"] = None,
        old_name: Optional[_builtins.str] = None,
    ):
        if flow_rate is not None:
            pulumi.set(__self__, "flow_rate", flow_rate)
        if layer is not None:
            pulumi.set(__self__, "layer", layer)
        if old_name is not None:
            pulumi.set(__self__, "old_name", old_name)

    @_builtins.property
    @pulumi.getter(name="flowRate")
    def flow_rate(self) -> Optional[_builtins.float]:
        return pulumi.get(self, "flow_rate")

    @_builtins.property
    @pulumi.getter
    def layer(self) -> Optional["_root_outputs.Layer"]:
        return pulumi.get(self, "layer")

    @_builtins.property
    @pulumi.getter(name="oldName")
    @_utilities.deprecated("use \"flowRate\"")
    def old_name(self) -> Optional[_builtins.str]:
        return pulumi.get(self, "old_name")
