import pulumi
import acmecorp_acme as acme

res = acme.Strict("res",
    a=None,
    b=False,
    e=acme.Size.SMALL,
    i=0,
    j={},
    l=[],
    m={},
    n=float(0),
    o={
        "name": "",
    },
    s="",
    u=0,
    x={},
    opts = pulumi.ResourceOptions(protect=True))
