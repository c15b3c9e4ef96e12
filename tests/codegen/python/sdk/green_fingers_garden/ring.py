# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Awaitable, Optional

import pulumi
import pulumi.runtime

from . import _utilities

__all__ = [
    "ring",
]


def ring(
    opts_: Optional[_builtins.bool] = None,
    opts: Optional[pulumi.InvokeOptions] = None,
) -> Awaitable[None]:
    __args__ = {
        "opts": opts_,
    }
    opts = pulumi.InvokeOptions.merge(_utilities.get_invoke_opts_defaults(), opts)
    __ret__ = pulumi.runtime.invoke(
        "garden:index/ring:ring",
        __args__,
        opts=opts,
    )
    return __ret__
