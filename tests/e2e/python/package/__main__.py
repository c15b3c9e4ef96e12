import pulumi
import pulumi_thing as thing

box = thing.Box("box", size=3, kind=thing.Kind.WOOD, word="hush", parts=[thing.PartArgs(name="nail", count=2)])

pulumi.export("size", box.size)
pulumi.export("label", box.label)
pulumi.export("kind", box.kind)
pulumi.export("lid", thing.get_lid_output(size=box.size).lid)
