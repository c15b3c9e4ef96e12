from typing import Optional, TypedDict

import pulumi
import pulumi_random as random
from pulumi.provider.experimental import component_provider_host


class GreetingArgs(TypedDict):
    words: Optional[pulumi.Input[int]]
    """How many words the name has"""


class Greeting(pulumi.ComponentResource):
    """A greeting for a name that is made once"""

    text: pulumi.Output[str]

    def __init__(
        self, name: str, args: GreetingArgs, opts: Optional[pulumi.ResourceOptions] = None
    ) -> None:
        super().__init__("${PROJECT}:index:Greeting", name, {}, opts)
        pet = random.RandomPet(
            f"{name}-name",
            length=args.get("words"),
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.text = pulumi.Output.concat("Hello, ", pet.id, "!")
        self.register_outputs({"text": self.text})


if __name__ == "__main__":
    component_provider_host(name="${PROJECT}", components=[Greeting])
