import os
import sys

import pulumi

pulumi.export("own", os.path.samefile(sys.prefix, "own"))
