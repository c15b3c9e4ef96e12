import pulumi
import pulumi_random as random

pet = random.RandomPet("name")

pulumi.export("name", pet.id)
