import pulumi
import acmecorp_acme as acme

prov = acme.Provider("prov",
    api_token=pulumi.Output.secret("tok"),
    region="south",
    retries=2,
    opts = pulumi.ResourceOptions(version="1.2.3"))
b = acme.store.Bucket("b", policy="p",
opts = pulumi.ResourceOptions(provider=prov,
    protect=True))
