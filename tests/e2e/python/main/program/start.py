import neighbour
import pulumi

pulumi.export("name", neighbour.NAME)
