# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
import warnings
from typing import Optional, Union

import pulumi
import pulumi.runtime

from . import _utilities

__all__ = [
    "count_worms",
    "count_worms_output",
]

warnings.warn("they move", DeprecationWarning)


def count_worms(
    opts: Optional[pulumi.InvokeOptions] = None,
) -> _builtins.int:
    pulumi.log.warn("count_worms is deprecated: they move")
    __args__: pulumi.Inputs = {}
    opts = pulumi.InvokeOptions.merge(_utilities.get_invoke_opts_defaults(), opts)
    __ret__ = pulumi.runtime.invoke_single(
        "garden:index/countWorms:countWorms",
        __args__,
        opts=opts,
    ).value
    return __ret__


def count_worms_output(
    opts: Optional[Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]] = None,
) -> pulumi.Output[_builtins.int]:
    pulumi.log.warn("count_worms is deprecated: they move")
    __args__: pulumi.Inputs = {}
    opts = pulumi.InvokeOutputOptions.merge(_utilities.get_invoke_opts_defaults(), opts)
    __output__ = pulumi.runtime.invoke_output_single(
        "garden:index/countWorms:countWorms",
        __args__,
        opts=opts,
    )
    return __output__
