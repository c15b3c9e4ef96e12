// index.js — the published packages random and command, on the built-in providers of the same names.
const pulumi = require("@pulumi/pulumi");
const random = require("@pulumi/random");
const command = require("@pulumi/command");

const config = new pulumi.Config();
const pet = new random.RandomPet("pet", { length: 3, separator: "_", prefix: "p" });
const password = new random.RandomPassword("password", { length: 80, special: false, minUpper: 3 });
const id = new random.RandomId("id", { byteLength: 4, prefix: "x-" });
const order = new random.RandomShuffle("order", { inputs: ["a", "b", "c"], resultCount: 5, seed: "s" });
const number = new random.RandomInteger("number", { min: 7, max: 7, keepers: { k: config.require("keeper") } });
const text = new random.RandomString("text", { length: 8, special: false, upper: false, lower: false });
const uuid = new random.RandomUuid("uuid");
const bytes = new random.RandomBytes("bytes", { length: 3 });

const made = new command.local.Command("made", {
    create: 'echo "made by $WHO"; echo complaint >&2; cat; mkdir -p sub; echo z > sub/z.txt; echo q > sub/q.txt',
    update: 'echo "was: $PULUMI_COMMAND_STDERR"; mkdir -p sub; echo z > sub/z.txt',
    delete: "rm -rf sub",
    environment: { WHO: pulumi.interpolate`${number.result}` },
    stdin: config.require("input"),
    assetPaths: ["sub/**", "!**/q*"],
    archivePaths: ["sub/*.txt"],
    triggers: [uuid.result],
});
const ran = command.local.runOutput({ command: "cat", stdin: pulumi.interpolate`n=${number.result}`, logging: "none" });

exports.words = pet.id.apply(name => name.split("_").length);
exports.hash = pulumi.unsecret(pulumi.all([password.bcryptHash, password.result]).apply(([hash, word]) => `${hash.slice(0, 7)} ${word.length}`));
exports.id = pulumi.all([id.hex, id.dec]).apply(([hex, dec]) => hex === "x-" + Number(dec.slice(2)).toString(16).padStart(8, "0"));
exports.order = order.results.apply(all => [...all.slice(0, 3)].sort().join("") + all.length);
exports.number = number.result;
exports.digits = text.result.apply(digits => /^[0-9]{8}$/.test(digits));
exports.uuid = uuid.result.apply(value => value[14]);
exports.bytes = pulumi.unsecret(bytes.hex.apply(hex => hex.length));
exports.out = made.stdout;
exports.err = made.stderr;
exports.assets = made.assets.apply(assets => Object.keys(assets));
exports.ran = ran.stdout;
