import pulumi

pulumi.export("answer", 42)
