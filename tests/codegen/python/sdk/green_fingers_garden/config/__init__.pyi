# Generated from the schema of package garden. What is changed here is lost with the next generation.
import builtins as _builtins
from typing import Optional

depth: Optional[_builtins.int]
soil_type: _builtins.str
"""What the ground is made of."""
