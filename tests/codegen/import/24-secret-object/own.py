import pulumi
import acmecorp_acme as acme

res = acme.store.Bucket("res",
    main_rule=pulumi.Output.secret({
        "count": 1,
        "name": "n",
    }),
    policy="p",
    opts = pulumi.ResourceOptions(protect=True))
