# Generated from the schema of package garden. What is changed here is lost with the next generation.
import typing

from . import _utilities
from . import outputs
from ._inputs import *
from ._enums import *
from .bed import *
from .count_worms import *
from .provider import *
from .ring import *

if typing.TYPE_CHECKING:
    from . import config as config
    from . import water as water
else:
    config = _utilities.lazy_import("green_fingers_garden.config")
    water = _utilities.lazy_import("green_fingers_garden.water")

_utilities.register(
    "garden",
    {
        "garden:index/bed:Bed": "green_fingers_garden:Bed",
        "garden:water/pump:Pump": "green_fingers_garden.water:Pump",
    },
    provider="green_fingers_garden:Provider",
)
