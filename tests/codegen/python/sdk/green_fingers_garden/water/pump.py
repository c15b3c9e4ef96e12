# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
import warnings
from typing import Optional, overload

import pulumi
import pulumi.runtime

from .. import _utilities
from . import _inputs
from .. import bed as _root_bed

__all__ = ["PumpArgs", "Pump"]


@pulumi.input_type
class PumpArgs:
    def __init__(
        __self__,
        *,
        bed: pulumi.Input["_root_bed.Bed"],
    ):
        """The inputs of a Pump."""
        pulumi.set(__self__, "bed", bed)

    @_builtins.property
    @pulumi.getter
    def bed(self) -> pulumi.Input["_root_bed.Bed"]:
        return pulumi.get(self, "bed")

    @bed.setter
    def bed(self, value: pulumi.Input["_root_bed.Bed"]) -> None:
        pulumi.set(self, "bed", value)


warnings.warn("rain is enough", DeprecationWarning)


@pulumi.type_token("garden:water/pump:Pump")
class Pump(pulumi.ComponentResource):
    warnings.warn("rain is enough", DeprecationWarning)

    @overload
    def __init__(
        __self__,
        resource_name: _builtins.str,
        opts: Optional[pulumi.ResourceOptions] = None,
        bed: pulumi.Input[Optional["_root_bed.Bed"]] = None,
        __props__=None,
    ):
        """A resource of the type garden:water/pump:Pump.

        :param resource_name: What this resource is called.
        :param opts: How this resource is managed.
        """
        ...

    @overload
    def __init__(
        __self__,
        resource_name: _builtins.str,
        args: PumpArgs,
        opts: Optional[pulumi.ResourceOptions] = None,
    ):
        """A resource of the type garden:water/pump:Pump.

        :param resource_name: What this resource is called.
        :param args: The inputs of this resource.
        :param opts: How this resource is managed.
        """
        ...

    def __init__(__self__, resource_name: _builtins.str, *args, **kwargs):
        args, kwargs = _utilities.spread_args(PumpArgs, args, kwargs)
        __self__._internal_init(resource_name, *args, **kwargs)

    def _internal_init(
        __self__,
        resource_name: _builtins.str,
        opts: Optional[pulumi.ResourceOptions] = None,
        bed: pulumi.Input[Optional["_root_bed.Bed"]] = None,
        __props__=None,
    ):
        pulumi.log.warn("Pump is deprecated: rain is enough")
        opts = _utilities.with_default_opts(opts)
        _utilities.check_no_id(opts)
        if opts.id is None:
            __props__ = _utilities.new_props(PumpArgs, __props__)
            if bed is None and not opts.urn:
                raise TypeError("Missing required property 'bed'")
            __props__.__dict__["bed"] = bed
        super().__init__(
            "garden:water/pump:Pump",
            resource_name,
            __props__,
            opts,
            remote=True,
        )

    @_builtins.property
    @pulumi.getter
    def bed(self) -> pulumi.Output[Optional["_root_bed.Bed"]]:
        return pulumi.get(self, "bed")

    @pulumi.output_type
    class StartNowResult:
        def __init__(__self__, litres=None):
            _utilities.check_type("litres", litres, _builtins.float)
            pulumi.set(__self__, "litres", litres)

        @_builtins.property
        @pulumi.getter
        def litres(self) -> _builtins.float:
            return pulumi.get(self, "litres")

    def start_now(
        __self__,
        *,
        minutes: pulumi.Input[_builtins.int],
        valve: pulumi.Input[Optional["_inputs.ValveArgs"]] = None,
    ) -> pulumi.Output["Pump.StartNowResult"]:
        """Starts it."""
        __args__ = {
            "__self__": __self__,
            "minutes": minutes,
            "valve": valve,
        }
        return pulumi.runtime.call(
            "garden:water/pump:Pump/startNow",
            __args__,
            res=__self__,
            typ=Pump.StartNowResult,
        )

    def stop(__self__) -> None:
        __args__ = {
            "__self__": __self__,
        }
        pulumi.runtime.call(
            "garden:water/pump:Pump/stop",
            __args__,
            res=__self__,
        )
