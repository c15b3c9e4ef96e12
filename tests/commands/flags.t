# Options that do what they say, are refused, or say that they have no effect here.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi stack --output json | sed 's/"backend": ".*"/"backend": "<host>"/'
{
  "project": "proj",
  "stack": "dev",
  "backend": "<host>",
  "tags": {},
  "manifest": {
    "time": "<time>",
    "pulumiVersion": "<version>"
  },
  "resources": [],
  "outputs": {}
}
$ pulumi import random:index/randomString:RandomString r abcd --yes --skip-preview --generate-code=false --otel-traces file://trace.json >/dev/null
$ pulumi stack --output json | sed 's/"backend": ".*"/"backend": "<host>"/'
{
  "project": "proj",
  "stack": "dev",
  "backend": "<host>",
  "tags": {},
  "manifest": {
    "time": "<time>",
    "pulumiVersion": "<version>"
  },
  "resources": [
    {
      "urn": "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev",
      "type": "pulumi:pulumi:Stack",
      "name": "proj-dev"
    },
    {
      "urn": "urn:pulumi:dev::proj::pulumi:providers:random::default",
      "type": "pulumi:providers:random",
      "name": "default",
      "id": "<uuid>"
    },
    {
      "urn": "urn:pulumi:dev::proj::random:index/randomString:RandomString::r",
      "type": "random:index/randomString:RandomString",
      "name": "r",
      "id": "abcd",
      "parent": "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev"
    }
  ],
  "outputs": {}
}
$ pulumi stack tag set color red
$ pulumi stack get --output json | grep -A2 tags
  "tags": {
    "color": "red"
  },
$ pulumi stack --output yaml
error: invalid argument "yaml" for "--output" flag: output "yaml" not supported, valid values are: default or json
[1]
# The trace: one root, everything else below it, in one trace.
$ python3 -c '
> import json
> spans = [json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"][0] for line in open("trace.json")]
> root = spans[-1]
> print(root["name"], len({span["traceId"] for span in spans}), len({span["spanId"] for span in spans}) == len(spans))
> assert all(span["parentSpanId"] == root["spanId"] for span in spans[:-1])
> assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in spans)
> print(sorted(span["name"] for span in spans[:-1]))'
pulumi import 1 True
['/pulumirpc.LanguageRuntime/Cancel', '/pulumirpc.LanguageRuntime/Cancel', '/pulumirpc.LanguageRuntime/GetRequiredPackages', 'create', 'create', 'import']
$ pulumi stack ls --otel-traces grpc://127.0.0.1:4317
error: --otel-traces 'grpc://127.0.0.1:4317' is not supported: expected file://PATH
[1]
$ pulumi stack ls --otel-traces file:///nope/trace.json
error: open the trace '/nope/trace.json': No such file or directory
[1]
$ pulumi stack --show-name --tracing file:./up.trace --profiling up --memprofilerate 1
warning: --profiling has no effect here: this is no Go program; `perf record` profiles it
warning: --memprofilerate has no effect here: this is no Go program; `heaptrack` and `valgrind` profile its memory
dev
$ pulumi config --open
warning: --open has no effect here: environments are a feature of the hosted service
KEY  VALUE
$ pulumi preview --neo --override-env a=b 2>&1 | grep warning
warning: --neo has no effect here: it is a feature of the hosted service
warning: --override-env has no effect here: environments are a feature of the hosted service
$ pulumi login --oidc-org mine file://../state; pulumi login --oidc-expiration 1h file://../state
warning: The PULUMI_BACKEND_URL environment variable is set to 'file://<dir>/state', which conflicts with the login URL 'file://../state'.
error: the --oidc options are for the hosted service; 'file://../state' is no URL of it
warning: The PULUMI_BACKEND_URL environment variable is set to 'file://<dir>/state', which conflicts with the login URL 'file://../state'.
error: the --oidc options are for the hosted service; 'file://../state' is no URL of it
[1]
$ pulumi login --default-org mine file://../state
warning: The PULUMI_BACKEND_URL environment variable is set to 'file://<dir>/state', which conflicts with the login URL 'file://../state'.
error: unable to set default org for this type of backend
[1]
$ pulumi login --insecure file://../state | sed 's/ to .*//'
warning: --insecure has no effect here: it is about connections to the hosted service
warning: The PULUMI_BACKEND_URL environment variable is set to 'file://<dir>/state', which conflicts with the login URL 'file://../state'.
Logged in
# The options of the log reach plugins only with --logflow.
$ mkdir bin; cat >bin/pulumi-resource-mine <<'END'
> #!/bin/sh
> for word; do case $word in -*) echo "flag $word";; *) echo address;; esac; done >args
> exit 1
> END
$ chmod +x bin/pulumi-resource-mine; printf 'name: proj\nruntime: yaml\nplugins: {providers: [{name: mine, path: ./bin}]}\nresources: {r: {type: mine:R}}\n' >Pulumi.yaml
$ pulumi preview -v 9 --logtostderr >log 2>&1 || cat args
address
$ pulumi preview -v 9 --logtostderr --logflow >log 2>&1 || cat args
flag --logtostderr
flag -v=9
address
