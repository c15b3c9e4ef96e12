import * as random from "@pulumi/random";

const pet = new random.RandomPet("name");

export const name = pet.id;
