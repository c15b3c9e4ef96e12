# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Any, Mapping, Optional, Sequence, Union, overload

import pulumi

from . import _utilities
from . import _enums
from . import _inputs
from . import outputs as _outputs
from .water import _inputs as _water_inputs
from .water import outputs as _water_outputs

__all__ = ["BedArgs", "Bed"]


@pulumi.input_type
class BedArgs:
    def __init__(
        __self__,
        *,
        layers: pulumi.Input[Sequence[pulumi.Input["_inputs.LayerArgs"]]],
        opts: pulumi.Input[Optional[Mapping[_builtins.str, Any]]] = None,
        password: pulumi.Input[Optional[_builtins.str]] = None,
        size: pulumi.Input[Optional[Union[_builtins.str, "_enums.Size"]]] = None,
        valve: Optional["_water_inputs.ValveArgs"] = None,
    ):
        """The inputs of a Bed.

        :param layers: From the top.
            Down to the rock.
        """
        pulumi.set(__self__, "layers", layers)
        if opts is not None:
            pulumi.set(__self__, "opts", opts)
        if password is not None:
            pulumi.set(__self__, "password", password)
        if size is None:
            size = "small"
        if size is not None:
            pulumi.set(__self__, "size", size)
        if valve is not None:
            pulumi.set(__self__, "valve", valve)

    @_builtins.property
    @pulumi.getter
    def layers(self) -> pulumi.Input[Sequence[pulumi.Input["_inputs.LayerArgs"]]]:
        """From the top.
        Down to the rock.
        """
        return pulumi.get(self, "layers")

    @layers.setter
    def layers(self, value: pulumi.Input[Sequence[pulumi.Input["_inputs.LayerArgs"]]]) -> None:
        pulumi.set(self, "layers", value)

    @_builtins.property
    @pulumi.getter
    def opts(self) -> pulumi.Input[Optional[Mapping[_builtins.str, Any]]]:
        return pulumi.get(self, "opts")

    @opts.setter
    def opts(self, value: pulumi.Input[Optional[Mapping[_builtins.str, Any]]]) -> None:
        pulumi.set(self, "opts", value)

    @_builtins.property
    @pulumi.getter
    def password(self) -> pulumi.Input[Optional[_builtins.str]]:
        return pulumi.get(self, "password")

    @password.setter
    def password(self, value: pulumi.Input[Optional[_builtins.str]]) -> None:
        pulumi.set(self, "password", value)

    @_builtins.property
    @pulumi.getter
    def size(self) -> pulumi.Input[Optional[Union[_builtins.str, "_enums.Size"]]]:
        return pulumi.get(self, "size")

    @size.setter
    def size(self, value: pulumi.Input[Optional[Union[_builtins.str, "_enums.Size"]]]) -> None:
        pulumi.set(self, "size", value)

    @_builtins.property
    @pulumi.getter
    def valve(self) -> Optional["_water_inputs.ValveArgs"]:
        return pulumi.get(self, "valve")

    @valve.setter
    def valve(self, value: Optional["_water_inputs.ValveArgs"]) -> None:
        pulumi.set(self, "valve", value)


@pulumi.input_type
class _BedState:
    def __init__(
        __self__,
        *,
        yield_kg: pulumi.Input[Optional[_builtins.float]] = None,
    ):
        """What is known of a Bed that is looked up."""
        if yield_kg is not None:
            pulumi.set(__self__, "yield_kg", yield_kg)

    @_builtins.property
    @pulumi.getter(name="yieldKg")
    def yield_kg(self) -> pulumi.Input[Optional[_builtins.float]]:
        return pulumi.get(self, "yield_kg")

    @yield_kg.setter
    def yield_kg(self, value: pulumi.Input[Optional[_builtins.float]]) -> None:
        pulumi.set(self, "yield_kg", value)


@pulumi.type_token("garden:index/bed:Bed")
class Bed(pulumi.CustomResource):
    @overload
    def __init__(
        __self__,
        resource_name: _builtins.str,
        opts: Optional[pulumi.ResourceOptions] = None,
        layers: pulumi.Input[Optional[Sequence[pulumi.Input[Union["_inputs.LayerArgs", "_inputs.LayerArgsDict"]]]]] = None,
        opts_: pulumi.Input[Optional[Mapping[_builtins.str, Any]]] = None,
        password: pulumi.Input[Optional[_builtins.str]] = None,
        size: pulumi.Input[Optional[Union[_builtins.str, "_enums.Size"]]] = None,
        valve: Optional[Union["_water_inputs.ValveArgs", "_water_inputs.ValveArgsDict"]] = None,
        __props__=None,
    ):
        """A bed.

        ## Example
        ```python
        garden.Bed("b")
        ```

        See BedArgs.layers.

        :param resource_name: What this resource is called.
        :param opts: How this resource is managed.
        :param layers: From the top.
            Down to the rock.
        """
        ...

    @overload
    def __init__(
        __self__,
        resource_name: _builtins.str,
        args: BedArgs,
        opts: Optional[pulumi.ResourceOptions] = None,
    ):
        """A bed.

        ## Example
        ```python
        garden.Bed("b")
        ```

        See BedArgs.layers.

        :param resource_name: What this resource is called.
        :param args: The inputs of this resource.
        :param opts: How this resource is managed.
        """
        ...

    def __init__(__self__, resource_name: _builtins.str, *args, **kwargs):
        args, kwargs = _utilities.spread_args(BedArgs, args, kwargs)
        __self__._internal_init(resource_name, *args, **kwargs)

    def _internal_init(
        __self__,
        resource_name: _builtins.str,
        opts: Optional[pulumi.ResourceOptions] = None,
        layers: pulumi.Input[Optional[Sequence[pulumi.Input[Union["_inputs.LayerArgs", "_inputs.LayerArgsDict"]]]]] = None,
        opts_: pulumi.Input[Optional[Mapping[_builtins.str, Any]]] = None,
        password: pulumi.Input[Optional[_builtins.str]] = None,
        size: pulumi.Input[Optional[Union[_builtins.str, "_enums.Size"]]] = None,
        valve: Optional[Union["_water_inputs.ValveArgs", "_water_inputs.ValveArgsDict"]] = None,
        __props__=None,
    ):
        opts = _utilities.with_default_opts(opts)
        if opts.id is None:
            __props__ = _utilities.new_props(BedArgs, __props__)
            if layers is None and not opts.urn:
                raise TypeError("Missing required property 'layers'")
            __props__.__dict__["layers"] = layers
            __props__.__dict__["opts"] = opts_
            __props__.__dict__["password"] = _utilities.as_secret(password)
            if size is None:
                size = "small"
            __props__.__dict__["size"] = size
            __props__.__dict__["valve"] = valve
            __props__.__dict__["yield_kg"] = None
        opts = pulumi.ResourceOptions.merge(
            opts,
            pulumi.ResourceOptions(aliases=[
                pulumi.Alias(type_="garden:index/plot:Plot"),
                pulumi.Alias(type_="garden:index/patch:Patch"),
            ]),
        )
        opts = pulumi.ResourceOptions.merge(
            opts,
            pulumi.ResourceOptions(additional_secret_outputs=["password"]),
        )
        opts = pulumi.ResourceOptions.merge(
            opts,
            pulumi.ResourceOptions(replace_on_changes=["layers[*]"]),
        )
        super().__init__(
            "garden:index/bed:Bed",
            resource_name,
            __props__,
            opts,
        )

    @staticmethod
    def get(
        resource_name: _builtins.str,
        id: pulumi.Input[_builtins.str],
        opts: Optional[pulumi.ResourceOptions] = None,
        yield_kg: pulumi.Input[Optional[_builtins.float]] = None,
    ) -> "Bed":
        """A Bed that is there already, by its id.

        :param resource_name: What it is called here.
        :param id: The id that its provider gave it.
        :param opts: How this resource is managed.
        """
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(id=id))
        __props__ = _utilities.new_props(_BedState)
        __props__.__dict__["yield_kg"] = yield_kg
        __props__.__dict__["layers"] = None
        __props__.__dict__["password"] = None
        __props__.__dict__["size"] = None
        __props__.__dict__["valve"] = None
        return Bed(resource_name, opts=opts, __props__=__props__)

    @_builtins.property
    @pulumi.getter
    def layers(self) -> pulumi.Output[Sequence["_outputs.Layer"]]:
        return pulumi.get(self, "layers")

    @_builtins.property
    @pulumi.getter
    def password(self) -> pulumi.Output[Optional[_builtins.str]]:
        return pulumi.get(self, "password")

    @_builtins.property
    @pulumi.getter
    def size(self) -> pulumi.Output[Optional[_builtins.str]]:
        return pulumi.get(self, "size")

    @_builtins.property
    @pulumi.getter
    def valve(self) -> pulumi.Output[Optional["_water_outputs.Valve"]]:
        return pulumi.get(self, "valve")

    @_builtins.property
    @pulumi.getter(name="yieldKg")
    def yield_kg(self) -> pulumi.Output[_builtins.float]:
        """What it gave."""
        return pulumi.get(self, "yield_kg")
