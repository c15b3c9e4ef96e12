"""What a program sees of the world around it: another stack, files, its configuration; and what it tells the user."""
import os

import pulumi

config = pulumi.Config()
other = pulumi.StackReference("organization/other/dev")

site = pulumi.CustomResource("thing:index:Thing", "site", {
    "files": pulumi.FileArchive("./site"),
    "page": pulumi.FileAsset("site/index.html"),
    "remote": pulumi.RemoteAsset("file://" + os.path.abspath("site/index.html")),
    "both": pulumi.AssetArchive({"a.html": pulumi.FileAsset("site/index.html"), "sub": pulumi.FileArchive("site")}),
})

pulumi.log.debug("told only to who asks", site)
pulumi.log.info("something to know", site)
pulumi.log.warn("something to mind", site)
if config.get_bool("wrong"):
    pulumi.log.error("something to mend", site)

pulumi.export("name", other.require_output("name"))
pulumi.export("key", other.get_output("key"))
pulumi.export("nothing", other.get_output("nothing").apply(lambda value: value is None))
pulumi.export("detail", pulumi.Output.from_input(other.get_output_details("name")).apply(lambda detail: detail.value))
pulumi.export("place", f"{pulumi.get_organization()}/{pulumi.get_project()}/{pulumi.get_stack()}")
pulumi.export("tree", config.require_object("tree"))
pulumi.export("leaf", config.require_secret_object("tree").apply(lambda tree: tree["list"][1]))
answer = pulumi.Output.secret("hush-hush").apply(lambda at: pulumi.runtime.invoke("thing:index:look", {"at": at}).value)
pulumi.export("looked", answer.apply(lambda value: value["at"]))
