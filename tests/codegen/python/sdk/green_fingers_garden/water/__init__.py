# Generated from the schema of package garden. What is changed here is lost with the next generation.
from . import outputs
from ._inputs import *
from .get_forecast import *
from .pump import *
