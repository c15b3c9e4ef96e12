"""Three things, of which a policy pack thinks what it thinks; the configuration gives their color."""
import pulumi

config = pulumi.Config()
color = config.require("color")
thing = pulumi.CustomResource("thing:index:Thing", "thing", {"color": color, "size": 1, "hidden": config.require_secret("hidden")})
pulumi.CustomResource("thing:index:Thing", "other", {"color": "white", "tags": {"owner": "me"}},
                      pulumi.ResourceOptions(depends_on=[thing]))
