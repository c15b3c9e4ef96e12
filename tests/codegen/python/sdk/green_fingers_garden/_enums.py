# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from enum import Enum

import pulumi

__all__ = [
    "Size",
]


@pulumi.type_token("garden:index/size:Size")
class Size(_builtins.str, Enum):
    """How much room there is."""

    SMALL = "small"
    """For a balcony."""
    VERY_LARGE = "very-large"
    ONE = "1"
    SIZE_3_4 = "3/4"
