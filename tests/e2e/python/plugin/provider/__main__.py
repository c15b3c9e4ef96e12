"""A component provider that is source code: the engine has the language host run it."""
import sys

import pulumi
import pulumi.provider as provider
from pulumi.provider.provider import InvokeResult


class Crate(pulumi.ComponentResource):
    def __init__(self, name, color, opts=None):
        super().__init__("crate:index:Crate", name, {}, opts)
        pulumi.CustomResource("thing:index:Thing", name + "-inside", {"color": color}, pulumi.ResourceOptions(parent=self))
        self.color = pulumi.Output.concat("light ", color)
        self.register_outputs({"color": self.color})


class Provider(provider.Provider):
    def __init__(self):
        super().__init__("1.2.3", "{}")

    def construct(self, name, resource_type, inputs, options=None):
        if resource_type != "crate:index:Crate":
            raise Exception("unknown type " + resource_type)
        crate = Crate(name, inputs["color"], options)
        return provider.ConstructResult(crate.urn, {"color": crate.color})

    def call(self, token, args):
        return provider.CallResult({"text": pulumi.Output.concat(args["greeting"], ", I am ", token)})

    def invoke(self, token, args):
        return InvokeResult({"text": token + " says " + args["text"]})


provider.main(Provider(), sys.argv[1:])
