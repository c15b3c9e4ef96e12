import pulumi
import acmecorp_acme as acme

res = acme.store.Bucket("res",
    level=3,
    policy="p",
    size="tiny",
    opts = pulumi.ResourceOptions(protect=True))
