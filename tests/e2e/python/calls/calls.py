"""calls.py — what the language hosts answer to calls that no program makes; prints a line of TAP for each claim."""
import base64
import json
import os
import shutil
import subprocess
import tempfile

import grpc
from google.protobuf import empty_pb2, struct_pb2
from pulumi.runtime.proto import language_pb2 as messages
from pulumi.runtime.proto import language_pb2_grpc as services

PARAMETER = base64.b64encode(b"some value").decode()
DESCRIPTION = {"resource": True, "name": "real", "version": "4.5.6", "server": "https://example.invalid",
               "parameterization": {"name": "made", "version": "7.8.9", "value": PARAMETER}}


def write(folder, path, content):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))


def nodejs_project(folder):
    write(folder, "package.json", {"name": "x", "dependencies": {"@pulumi/plain": "1"}})
    write(folder, "node_modules/@pulumi/plain/package.json",
          {"name": "@pulumi/plain", "version": "1.2.3", "pulumi": {"resource": True}})
    write(folder, "node_modules/@pulumi/plain/node_modules/other/package.json",
          {"name": "other", "version": "2.0.0", "pulumi": DESCRIPTION})
    write(folder, "node_modules/foreign/package.json", {"name": "foreign", "version": "1.0.0", "pulumi": {"resource": True}})
    write(folder, "node_modules/broken/package.json", "{\"pulumi\": ")
    write(folder, "policy/PulumiPolicy.yaml", "runtime: nodejs\n")
    write(folder, "policy/node_modules/@pulumi/hidden/package.json",
          {"name": "@pulumi/hidden", "version": "1.0.0", "pulumi": {"resource": True}})


def python_project(folder):
    packages = "venv/lib/python3.11/site-packages/"
    write(folder, "venv/bin/python", "")
    for name, version in (("pulumi_plain", "1.2rc3"), ("pulumi", "3.0.0"), ("pulumi_policy", "1.0.0"), ("other", "2.0.0")):
        write(folder, f"{packages}{name}-{version}.dist-info/METADATA", f"Name: {name}\nVersion: {version}\n\ntext\n")
        write(folder, f"{packages}{name}-{version}.dist-info/RECORD",
              f"{name}/__init__.py,,\n" + (f"{name}/pulumi-plugin.json,,\n" if name == "other" else ""))
    write(folder, packages + "other/pulumi-plugin.json", DESCRIPTION)


def go_project(folder):
    write(folder, "go.mod", "module x\n\ngo 1.20\n\nrequire example.com/pulumi/pulumi-plain/sdk v1.2.4-0.20200403140640-efb5e2a48a86\n"
          "require (\n\texample.com/other v2.0.0 // indirect\n)\n")
    write(folder, "vendor/example.com/pulumi/pulumi-plain/sdk/pulumi-plugin.json", {"resource": True})
    write(folder, "vendor/example.com/other/go/pulumi-plugin.json", DESCRIPTION)


HOSTS = {
    "nodejs": (nodejs_project, {}, {("plain", "v1.2.3"), ("real", "v4.5.6")}, {("@pulumi/plain", "1.2.3")}),
    "python": (python_project, {"virtualenv": "venv"}, {("plain", "v1.2.0-rc.3"), ("real", "v4.5.6")}, None),
    "go": (go_project, {}, {("plain", "v1.2.3"), ("real", "v4.5.6")},
           {("example.com/pulumi/pulumi-plain/sdk", "v1.2.4-0.20200403140640-efb5e2a48a86")}),
}


def claim(is_good, text, found=""):
    print(f"{'ok' if is_good else 'not ok'} - {text}" + ("" if is_good else f"\n#   {found}"), flush=True)


def check(language, folder):
    make, options, packages, direct = HOSTS[language]
    make(folder)
    host = subprocess.Popen(["pulumi-language-" + language, "127.0.0.1:1"], stdout=subprocess.PIPE, cwd=folder)
    port = int(host.stdout.readline())
    stub = services.LanguageRuntimeStub(grpc.insecure_channel(f"127.0.0.1:{port}"))
    values = struct_pb2.Struct()
    values.update(options)
    info = messages.ProgramInfo(root_directory=folder, program_directory=folder, entry_point=".", options=values)

    version = stub.GetPluginInfo(empty_pb2.Empty()).version
    claim(version.count(".") == 2, f"{language} says its version", version)
    answer = stub.GetRequiredPackages(messages.GetRequiredPackagesRequest(info=info)).packages
    found = {(package.name, package.version) for package in answer}
    claim(found == packages, f"{language} finds the plugins of installed packages", found)
    real = [package for package in answer if package.name == "real"]
    claim(bool(real) and real[0].parameterization.value == b"some value" and real[0].server == "https://example.invalid",
          f"{language} passes on how a plugin is parameterized", real)
    if direct:
        answer = stub.GetProgramDependencies(messages.GetProgramDependenciesRequest(info=info)).dependencies
        found = {(dependency.name, dependency.version) for dependency in answer}
        claim(found == direct, f"{language} lists direct dependencies", found)
    prompts = stub.RuntimeOptionsPrompts(messages.RuntimeOptionsRequest(info=info)).prompts
    claim(language == "go" or len(prompts) == 1, f"{language} asks for its runtime options", prompts)
    source = stub.GenerateProgram(messages.GenerateProgramRequest(source={"a.pp": "resource r \"a:b:C\" {\n}\n"})).source
    declares = {"nodejs": b"new a.b.C(\"r\"", "python": b"C(\"r\"", "go": b"NewC(ctx, \"r\""}[language]
    claim(len(source) == 1 and all(declares in text for text in source.values()), f"{language} prints what was imported", source)
    try:
        stub.GenerateProject(messages.GenerateProjectRequest())
        code, text = None, ""
    except grpc.RpcError as failure:
        code, text = failure.code(), failure.details()
    claim(code == grpc.StatusCode.UNIMPLEMENTED and "code generation" in text, f"{language} refuses to generate code", (code, text))
    stub.Cancel(empty_pb2.Empty())
    host.terminate()
    claim(host.wait(10) == 0, f"{language} ends when it is told to", host.returncode)


for name in HOSTS:
    place = tempfile.mkdtemp()
    try:
        check(name, place)
    finally:
        shutil.rmtree(place)
