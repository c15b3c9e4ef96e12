"""Uses a component that another process makes: construct, a method, a function."""
import pulumi


class Crate(pulumi.ComponentResource):
    color: pulumi.Output[str]

    def __init__(self, name, color):
        super().__init__("crate:index:Crate", name, {"color": color}, None, True)

    def greet(self, greeting):
        answer = pulumi.runtime.call("crate:index:Crate/greet", {"__self__": self, "greeting": greeting}, self)
        return answer.apply(lambda value: value["text"])


crate = Crate("crate", pulumi.Config().require("color"))
pulumi.export("color", crate.color)
pulumi.export("greeting", crate.greet("hello"))
pulumi.export("said", pulumi.runtime.invoke("crate:index:say", {"text": "yes"}).value["text"])
