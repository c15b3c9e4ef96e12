# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Optional, overload

import pulumi

from . import _utilities

__all__ = ["ProviderArgs", "Provider"]


@pulumi.input_type
class ProviderArgs:
    def __init__(
        __self__,
        *,
        api_key: pulumi.Input[Optional[_builtins.str]] = None,
        depth: pulumi.Input[Optional[_builtins.int]] = None,
    ):
        """The inputs of a Provider."""
        if api_key is None:
            api_key = _utilities.get_env("GARDEN_KEY", "GREEN_KEY")
        if api_key is not None:
            pulumi.set(__self__, "api_key", api_key)
        if depth is None:
            depth = _utilities.get_env_int("GARDEN_DEPTH", default=3)
        if depth is not None:
            pulumi.set(__self__, "depth", depth)

    @_builtins.property
    @pulumi.getter(name="apiKey")
    def api_key(self) -> pulumi.Input[Optional[_builtins.str]]:
        return pulumi.get(self, "api_key")

    @api_key.setter
    def api_key(self, value: pulumi.Input[Optional[_builtins.str]]) -> None:
        pulumi.set(self, "api_key", value)

    @_builtins.property
    @pulumi.getter
    def depth(self) -> pulumi.Input[Optional[_builtins.int]]:
        return pulumi.get(self, "depth")

    @depth.setter
    def depth(self, value: pulumi.Input[Optional[_builtins.int]]) -> None:
        pulumi.set(self, "depth", value)


@pulumi.type_token("pulumi:providers:garden")
class Provider(pulumi.ProviderResource):
    @overload
    def __init__(
        __self__,
        resource_name: _builtins.str,
        opts: Optional[pulumi.ResourceOptions] = None,
        api_key: pulumi.Input[Optional[_builtins.str]] = None,
        depth: pulumi.Input[Optional[_builtins.int]] = None,
        __props__=None,
    ):
        """Talks to the garden.

        :param resource_name: What this resource is called.
        :param opts: How this resource is managed.
        """
        ...

    @overload
    def __init__(
        __self__,
        resource_name: _builtins.str,
        args: Optional[ProviderArgs] = None,
        opts: Optional[pulumi.ResourceOptions] = None,
    ):
        """Talks to the garden.

        :param resource_name: What this resource is called.
        :param args: The inputs of this resource.
        :param opts: How this resource is managed.
        """
        ...

    def __init__(__self__, resource_name: _builtins.str, *args, **kwargs):
        args, kwargs = _utilities.spread_args(ProviderArgs, args, kwargs)
        __self__._internal_init(resource_name, *args, **kwargs)

    def _internal_init(
        __self__,
        resource_name: _builtins.str,
        opts: Optional[pulumi.ResourceOptions] = None,
        api_key: pulumi.Input[Optional[_builtins.str]] = None,
        depth: pulumi.Input[Optional[_builtins.int]] = None,
        __props__=None,
    ):
        opts = _utilities.with_default_opts(opts)
        if opts.id is None:
            __props__ = _utilities.new_props(ProviderArgs, __props__)
            if api_key is None:
                api_key = _utilities.get_env("GARDEN_KEY", "GREEN_KEY")
            __props__.__dict__["api_key"] = _utilities.as_secret(api_key)
            if depth is None:
                depth = _utilities.get_env_int("GARDEN_DEPTH", default=3)
            __props__.__dict__["depth"] = _utilities.as_json(depth)
        opts = pulumi.ResourceOptions.merge(
            opts,
            pulumi.ResourceOptions(additional_secret_outputs=["apiKey"]),
        )
        super().__init__(
            "garden",
            resource_name,
            __props__,
            opts,
        )

    @_builtins.property
    @pulumi.getter(name="apiKey")
    def api_key(self) -> pulumi.Output[_builtins.str]:
        return pulumi.get(self, "api_key")
