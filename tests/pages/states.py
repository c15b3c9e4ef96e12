"""states.py — states of stacks for the tests of pages: one with every mark and hostile names, and large ones."""
import json
import random

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"a-secret-of-the-stack\""}
HOSTILE = "</script><img src=x onerror=\"globalThis.broken=1\"><!--\u2028'\"`${1}&amp;"


def urn(type_, name, parents=""):
    return f"urn:pulumi:dev::web::{parents}{type_}::{name}"


STACK = urn("pulumi:pulumi:Stack", "web-dev")


def provider(package):
    return urn("pulumi:providers:" + package, "default_1_0")


def resource(type_, name, parent=STACK, parents="", **more):
    package = type_.split(":")[0]
    made = {"urn": urn(type_, name, parents), "custom": True, "id": name + "-id", "type": type_, "parent": parent,
            "provider": provider(package) + "::0000-" + package, "inputs": {"name": name, "size": len(name), "tags": {"team": "web", "cost": ["a", "b"]}},
            "outputs": {"name": name, "arn": f"arn:{package}:{name}", "ready": True}}
    made.update(more)
    return made


def begin(packages):
    root = {"urn": STACK, "custom": False, "type": "pulumi:pulumi:Stack", "outputs": {"url": "https://example.test", "password": SECRET}}
    providers = [{"urn": provider(name), "custom": True, "id": "0000-" + name, "type": "pulumi:providers:" + name, "parent": STACK,
                  "inputs": {"region": "eu-west-1", "token": SECRET}, "outputs": {"region": "eu-west-1"}} for name in packages]
    return [root, *providers]


def depends(made, *others, through=None):
    made["dependencies"] = [other["urn"] for other in others]
    if through:
        made["propertyDependencies"] = {through: [other["urn"] for other in others]}
    return made


def deployment(resources, pending=()):
    return {"version": 3, "deployment": {"manifest": {"time": "2026-11-16T10:00:00Z", "magic": "", "version": ""},
                                         "resources": resources, "pending_operations": list(pending)}}


def small():
    """Ten resources: every mark, a component, secrets, names that would break out of a page."""
    resources = begin(["aws", "random"])
    site = {"urn": urn("acme:web:Site", "site"), "custom": False, "type": "acme:web:Site", "parent": STACK, "outputs": {"host": "example.test"}}
    pet = resource("random:index/randomPet:RandomPet", "pet", protect=True)
    bucket = depends(resource("aws:s3/bucket:Bucket", "bucket", site["urn"], "acme:web:Site$",
                              inputs={"bucket": "b", "password": SECRET, "policy": "{\n  \"Version\": 1\n}"}), pet, through="bucket")
    page = depends(resource("aws:s3/object:Object", "index.html", site["urn"], "acme:web:Site$", initErrors=["the object is not readable yet"]),
                   bucket, through="bucket")
    zone = resource("aws:route53/zone:Zone", "zone", external=True)
    record = depends(resource("aws:route53/record:Record", "www", created="2026-10-01T08:00:00Z", modified="2026-11-02T09:30:00Z"), zone, bucket)
    old = resource("aws:s3/bucket:Bucket", "old", delete=True)
    hostile = depends(resource("aws:s3/bucket:Bucket", HOSTILE, id=HOSTILE, inputs={HOSTILE: HOSTILE, "__proto__": 1}), pet)
    resources += [site, pet, bucket, page, zone, record, old, hostile]
    being = resource("aws:ec2/instance:Instance", "coming", id="")
    return deployment(resources, [{"resource": being, "type": "creating"}])


def large(number, seed=7):
    """Components with children, chains and fans of dependencies, five packages."""
    chance = random.Random(seed)
    kinds = {"aws": ["s3/bucket:Bucket", "ec2/instance:Instance", "iam/role:Role", "lambda/function:Function", "sqs/queue:Queue"],
             "kubernetes": ["apps/v1:Deployment", "core/v1:Service", "core/v1:ConfigMap"], "random": ["index/randomId:RandomId"],
             "cloudflare": ["index/record:Record"], "tls": ["index/privateKey:PrivateKey"]}
    resources = begin(list(kinds))
    leaves = []
    component, inside = STACK, ""
    while len(resources) < number:
        if len(resources) % 23 == 0:
            name = f"service-{len(resources)}"
            component, inside = urn("acme:web:Service", name), "acme:web:Service$"
            resources.append({"urn": component, "custom": False, "type": "acme:web:Service", "parent": STACK})
            continue
        package = chance.choices(list(kinds), [6, 4, 1, 1, 1])[0]
        made = resource(f"{package}:{chance.choice(kinds[package])}", f"{package}-{len(resources)}", component, inside)
        near = leaves[-40:]
        if near and chance.random() < 0.8:
            depends(made, *chance.sample(near, min(len(near), chance.choice([1, 1, 1, 2, 3]))), through="name")
        if chance.random() < 0.01:
            made["protect"] = True
        resources.append(made)
        if chance.random() < 0.3:
            leaves.append(made)
    return deployment(resources)


if __name__ == "__main__":
    import sys
    print(json.dumps(small() if sys.argv[1] == "small" else large(int(sys.argv[1]))))
