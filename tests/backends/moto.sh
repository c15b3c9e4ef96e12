#!/bin/sh
# moto.sh — S3, KMS and STS of one server that others wrote: the claims about all backends, keys of KMS with their contexts, roles. Speaks TAP.
# usage: CLI=… SCRIPTED=… SUITE=… moto.sh
set -u
[ -n "${TEST_STORE_PORT:-}" ] || exec "$(dirname "$0")/with-moto" "$0"
tests=$(realpath "$(dirname "$0")/..")
here=$tests/scenario
suite=$(realpath "$SUITE")
. "$here/world.sh"
endpoint=http://127.0.0.1:$TEST_STORE_PORT

reset() {
    rm -rf "$world/home" "$world/run/cloud.json" "$world/proj"
    mkdir -p "$world/proj" "$world/user"
    printf 'name: conf\nruntime: script\n' >"$world/proj/Pulumi.yaml"
    cd "$world/proj" || exit 1
    HOME=$world/user
    AWS_EC2_METADATA_DISABLED=true
    PULUMI_BACKEND_URL="s3://bucket/claim$((number + 1))?region=us-east-1&s3ForcePathStyle=true&endpoint=$endpoint"
    export HOME AWS_EC2_METADATA_DISABLED PULUMI_BACKEND_URL
}
mkdir -p "$world/bin" "$world/run"
ln -s "$scripted" "$world/bin/pulumi-language-script"
ln -s "$scripted" "$world/bin/pulumi-resource-pkg"
printf '[{"resource":"a","type":"pkg:index:Res","props":{"x":1}}]' >"$world/run/program.json"

# key — the ID of a new key of KMS.
key() {
    curl -s -H 'Content-Type: application/x-amz-json-1.1' -H 'X-Amz-Target: TrentService.CreateKey' -d '{}' \
        -H 'Authorization: AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/kms/aws4_request, SignedHeaders=host, Signature=x' "$endpoint/" |
        sed -n 's/.*"KeyId": *"\([^"]*\)".*/\1/p'
}

begin "what every backend has to do"
(cd "$tests/.." && CULUMI_SUITE_URL="s3://bucket/%s?region=us-east-1&s3ForcePathStyle=true&endpoint=$endpoint" "$suite") >"$world/out" 2>&1 ||
    wrong "the suite fails: $(grep -v '^ok' "$world/out" | head -n 5)"

begin "secrets are sealed with a key of KMS, in a context, and with another one after a rotation"
first=$(key)
second=$(key)
[ -n "$first" ] && [ -n "$second" ] || wrong "no key"
run stack init dev --secrets-provider "awskms://$first?region=us-east-1&endpoint=$endpoint&context_team=a"
exits 0
run config set --secret pw hush-hush
exits 0
run config get pw
says "hush-hush"
run $up
exits 0
run stack change-secrets-provider "awskms://$second?region=us-east-1&endpoint=$endpoint"
exits 0
grep -q "awskms://$second" Pulumi.dev.yaml || wrong "the file names another key: $(cat Pulumi.dev.yaml)"
run config get pw
says "hush-hush"
run stack export
says "awskms://$second"
run stack change-secrets-provider "awskms://$first?region=us-east-1&endpoint=$endpoint&context_team=a"
exits 0
sed -i 's/context_team=a/context_team=b/' Pulumi.dev.yaml
run config get pw
[ "$code" -ne 0 ] || wrong "the key is opened in another context"

begin "a role is taken for a bucket, by keys and by the token of a web identity"
AWS_ENDPOINT_URL_STS=$endpoint
export AWS_ENDPOINT_URL_STS
role=arn:aws:iam::123456789012:role/builder
PULUMI_BACKEND_URL="$PULUMI_BACKEND_URL&role=$role"
run stack init dev
exits 0
run $up
exits 0
PULUMI_BACKEND_URL=${PULUMI_BACKEND_URL%&role=*}
echo token >"$world/token"
(
    unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    AWS_WEB_IDENTITY_TOKEN_FILE=$world/token AWS_ROLE_ARN=$role "$cli" stack export --stack dev >"$world/out" 2>&1
) || wrong "by a web identity: $(cat "$world/out")"
unset AWS_ENDPOINT_URL_STS
plan
