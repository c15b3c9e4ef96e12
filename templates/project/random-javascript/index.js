"use strict";
const random = require("@pulumi/random");

const pet = new random.RandomPet("name");

exports.name = pet.id;
