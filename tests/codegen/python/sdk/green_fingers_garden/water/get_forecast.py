# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Optional, Sequence, Union

import pulumi
import pulumi.runtime

from .. import _utilities
from . import _inputs
from . import outputs as _outputs

__all__ = [
    "GetForecastResult",
    "AwaitableGetForecastResult",
    "get_forecast",
    "get_forecast_output",
]


@pulumi.output_type
class GetForecastResult:
    def __init__(__self__, by_day=None, from_=None):
        _utilities.check_type("by_day", by_day, _builtins.list)
        pulumi.set(__self__, "by_day", by_day)
        _utilities.check_type("from_", from_, _builtins.str)
        pulumi.set(__self__, "from_", from_)

    @_builtins.property
    @pulumi.getter(name="byDay")
    def by_day(self) -> Sequence["_outputs.Forecast"]:
        return pulumi.get(self, "by_day")

    @_builtins.property
    @pulumi.getter(name="from")
    def from_(self) -> Optional[_builtins.str]:
        return pulumi.get(self, "from_")


class AwaitableGetForecastResult(GetForecastResult):
    def __await__(self):
        if False:
            yield self
        return GetForecastResult(
            by_day=pulumi.get(self, "by_day"),
            from_=pulumi.get(self, "from_"),
        )


def get_forecast(
    days: Optional[_builtins.int] = None,
    valve: Optional[Union["_inputs.Valve", "_inputs.ValveDict"]] = None,
    opts: Optional[pulumi.InvokeOptions] = None,
) -> AwaitableGetForecastResult:
    """What the sky will do.

    :param days: How many.
    """
    __args__ = {
        "days": days,
        "valve": valve,
    }
    opts = pulumi.InvokeOptions.merge(_utilities.get_invoke_opts_defaults(), opts)
    __ret__ = pulumi.runtime.invoke(
        "garden:water/getForecast:getForecast",
        __args__,
        opts=opts,
        typ=GetForecastResult,
    ).value
    return AwaitableGetForecastResult(
        by_day=pulumi.get(__ret__, "by_day"),
        from_=pulumi.get(__ret__, "from_"),
    )


def get_forecast_output(
    days: pulumi.Input[Optional[_builtins.int]] = None,
    valve: pulumi.Input[Optional[Union["_inputs.Valve", "_inputs.ValveDict"]]] = None,
    opts: Optional[Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]] = None,
) -> pulumi.Output[GetForecastResult]:
    """What the sky will do.

    :param days: How many.
    """
    __args__ = {
        "days": days,
        "valve": valve,
    }
    opts = pulumi.InvokeOutputOptions.merge(_utilities.get_invoke_opts_defaults(), opts)
    __output__ = pulumi.runtime.invoke_output(
        "garden:water/getForecast:getForecast",
        __args__,
        opts=opts,
        typ=GetForecastResult,
    )
    return __output__.apply(lambda __ret__: GetForecastResult(
        by_day=pulumi.get(__ret__, "by_day"),
        from_=pulumi.get(__ret__, "from_"),
    ))
