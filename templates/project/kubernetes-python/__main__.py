import pulumi
from pulumi_kubernetes.apps.v1 import Deployment

labels = {"app": "nginx"}

deployment = Deployment(
    "nginx",
    spec={
        "selector": {"match_labels": labels},
        "replicas": 1,
        "template": {
            "metadata": {"labels": labels},
            "spec": {"containers": [{"name": "nginx", "image": "nginx"}]},
        },
    },
)

pulumi.export("name", deployment.metadata["name"])
