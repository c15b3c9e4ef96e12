from sdk import resource

Deployment = resource("kubernetes:apps/v1:Deployment", ["metadata"])
