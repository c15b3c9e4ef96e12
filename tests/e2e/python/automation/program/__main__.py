"""The program of a workspace that is a folder; the configuration says how it ends."""
import pulumi

config = pulumi.Config()
print("the local program runs")
if config.get("how") == "raise":
    raise ValueError("this went wrong")
thing = pulumi.CustomResource("thing:index:Thing", "thing", {"color": config.require("color"), "hidden": config.get_secret("hidden")})
pulumi.export("color", config.require("color"))
pulumi.export("hidden", config.get_secret("hidden"))
pulumi.export("urn", thing.urn)
