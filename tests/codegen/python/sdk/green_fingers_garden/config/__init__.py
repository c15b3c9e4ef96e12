# Generated from the schema of package garden. What is changed here is lost with the next generation.
import sys

from .vars import _ExportableConfig

sys.modules[__name__].__class__ = _ExportableConfig
