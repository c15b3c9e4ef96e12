# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
import types
from typing import Optional

import pulumi

from .. import _utilities

__config__ = pulumi.Config("garden")


class _ExportableConfig(types.ModuleType):
    """Each property is asked for anew when it is read."""

    @_builtins.property
    def depth(self) -> Optional[_builtins.int]:
        value = __config__.get_int("depth")
        return _utilities.get_env_int("GARDEN_DEPTH") if value is None else value

    @_builtins.property
    def soil_type(self) -> _builtins.str:
        """What the ground is made of."""
        value = __config__.get("soilType")
        return "loam" if value is None else value
