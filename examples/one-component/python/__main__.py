import os

import pulumi

from house import Service

service = Service("service", title="search", folder=os.path.abspath("../services"), port=8002)

pulumi.export("url", service.url)
pulumi.export("password", service.password)
