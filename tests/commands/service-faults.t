# The hosted service when something goes wrong: answers that are none, refusals, lost answers, a killed process, a lost lease.
$ $TRANSCRIPTS/../service/serve
$ printf 'name: proj\nruntime: yaml\nresources:\n  a:\n    type: random:RandomPet\n  b:\n    type: random:RandomPet\n' >Pulumi.yaml
$ PULUMI_ACCESS_TOKEN=good cloud login
Logging in using access token from PULUMI_ACCESS_TOKEN
Logged in to http://127.0.0.1:<port> as alice ()
$ cloud stack init dev
Created stack 'dev'
# --- answers that are none ---
$ control fault '{"path":"/api/stacks/acme/proj/dev$","status":200,"body":"<html>Welcome</html>"}'; cloud stack export
error: GET http://127.0.0.1:<port>/api/stacks/acme/proj/dev: a web page came (status 200), not the answer of an API; check that the URL is that of the service's API, and that no proxy is in between
[1]
$ control fault '{"path":"/export","status":404,"body":"<html>Nothing here</html>"}'; cloud stack export
error: GET http://127.0.0.1:<port>/api/stacks/acme/proj/dev/export: a web page came (status 404), not the answer of an API; check that the URL is that of the service's API, and that no proxy is in between
[1]
$ control fault '{"path":"/export","status":200,"body":"{\"version\":3,\"deployment\":{\"resources\":17}}"}'; cloud stack export
error: the state that the service gave is damaged; nothing was changed: line 1 column 40: expected an array, found a number
[1]
$ control fault '{"path":"/export","status":200,"body":"{\"version\":9,\"deployment\":{}}"}'; cloud stack export
error: the stack's state has version 9, which this version does not know; nothing was changed
[1]
$ control fault '{"path":"/api/user/stacks","status":200,"body":""}'; cloud stack ls
error: unmarshalling response object: the answer is empty
[1]
$ control fault '{"path":"/api/user/stacks","status":200,"body":"{\"stacks\":[],\"continuationToken\":\"x\"}"}'; cloud stack ls
error: the service lists the same stacks again and again
[1]
$ for to in x y x; do control fault "{\"path\":\"/api/user/stacks\",\"status\":200,\"body\":\"{\\\"stacks\\\":[{\\\"orgName\\\":\\\"acme\\\",\\\"projectName\\\":\\\"proj\\\",\\\"stackName\\\":\\\"dev\\\"}],\\\"continuationToken\\\":\\\"$to\\\"}\"}"; done; cloud stack ls
error: the service lists the same stacks again and again
[1]
# A time that no clock will show.
$ control fault '{"path":"/api/user/stacks","status":200,"body":"{\"stacks\":[{\"orgName\":\"acme\",\"projectName\":\"proj\",\"stackName\":\"dev\",\"lastUpdate\":9000000000000000}]}"}'; cloud stack ls --json | grep -o 2261-12
2261-12
$ control fault '{"path":"/api/stacks/acme/proj/dev$","status":418,"body":"\u001b[31mred"}'; cloud stack export
error: [418] [31mred
[1]
# --- refusals that may pass ---
$ control fault '{"path":"/export","status":429,"headers":{"Retry-After":"0"},"count":3}'; cloud stack export
{
    "version": 3,
    "deployment": null
}
$ control fault '{"path":"/export","status":503,"headers":{"Retry-After":"0"},"count":4,"body":{"code":503,"message":"Busy"}}'; cloud stack export
error: [503] Busy
[1]
$ control fault '{"path":"/export","way":"drop"}'; cloud stack export
{
    "version": 3,
    "deployment": null
}
$ control fault '{"path":"/tags","status":429}'; cloud stack tag set a b
error: pulumi service: request rate-limit exceeded
[1]
# --- accounts ---
$ control fault '{"path":"/export","status":401}'; cloud stack export
error: this command requires logging in; try running `pulumi login` first
[3]
$ control fault '{"path":"/export","status":403,"body":{"code":403,"message":"Forbidden: no."}}'; cloud stack export
error: [403] Forbidden: no.
[3]
$ control fault '{"path":"/export","status":401,"body":{"code":401,"message":"x","errors":[{"errorType":"saml_login_required","attribute":"acme"}]}}'; cloud stack export
error: the organization 'acme' requires a new single sign-on; sign in to it in the browser, then run `pulumi login http://127.0.0.1:<port>`
[3]
$ control set '{"warning":"This version is old."}'; cloud whoami; cloud stack export; control set '{"warning":""}'
warning: This version is old.
alice
warning: This version is old.
warning: This version is old.
warning: This version is old.
{
    "version": 3,
    "deployment": null
}
$ cloud login --oidc-token signed
error: --oidc-org must be set when --oidc-token is used
[1]
$ cloud login --oidc-token forged --oidc-org acme
error: OIDC token exchange failed: [400] Bad Request: the token is not trusted
[1]
$ cloud login --oidc-token signed --oidc-org acme --oidc-expiration soon
error: invalid --oidc-expiration 'soon': it is a duration such as 2h or 90m
[1]
$ cloud login --oidc-token signed --oidc-org acme --oidc-expiration 1h30m
Logged in to http://127.0.0.1:<port> as alice ()
$ grep -c -E 'refreshToken|expiresAt' ../home/credentials.json
2
# The token has ended: it is exchanged once, and kept.
$ control fault '{"path":"/export","status":401}'; cloud stack export
{
    "version": 3,
    "deployment": null
}
$ grep '"accessToken"' ../home/credentials.json
            "accessToken": "renewed",
# --- operations ---
$ control fault '{"path":"/journalentries","way":"forget","count":2}'; cloud up --yes --skip-preview --suppress-progress --parallel 1 2>&1 | still
Updating (dev):

 +  random:index:RandomPet a created
 +  random:index:RandomPet b created
 +  pulumi:pulumi:Stack proj-dev created
Resources:
    + 3 created

Duration

$ cloud destroy --yes --skip-preview --suppress-progress 2>&1 | still | tail -4
Duration

The resources in the stack have been deleted, but the history and configuration associated with the stack are still maintained. 
If you want to remove the stack completely, run `pulumi stack rm dev`.
$ control fault '{"path":"/events/batch","status":400,"count":9}'; cloud up --yes --skip-preview --suppress-progress >/dev/null && control clear
$ control fault '{"path":"/complete","status":400}'; cloud up --yes --skip-preview --suppress-progress --parallel 1 2>&1 | tail -1
error: failed to complete update: [400] a fault of the test
$ cloud up --yes --skip-preview 2>&1 | sed -E 's/began at [^ ]*\./began at TIME./'
error: [409] Conflict: Another update is currently in progress.
It is the update that alice began at TIME. Wait until it has ended, or run `pulumi cancel` if its process is gone.
$ cloud stack rm --yes --force
error: [409] Conflict: Another update is currently in progress.
[1]
$ cloud cancel --yes
The currently running update for 'dev' has been canceled!
$ cloud destroy --yes --skip-preview --suppress-progress 2>&1 | still | tail -4
Duration

The resources in the stack have been deleted, but the history and configuration associated with the stack are still maintained. 
If you want to remove the stack completely, run `pulumi stack rm dev`.
# What is too large for the service is sent in pieces.
$ control set '{"largest_body":1300}'; cloud up --yes --skip-preview --suppress-progress >/dev/null; control set '{"largest_body":9999999}'
$ control log | grep -o '413$' | sort -u
413
$ cloud stack export | grep -c '"urn"'
4
$ cloud destroy --yes --skip-preview --suppress-progress >/dev/null 2>&1
# A lease that has ended: nothing more is written, and that is said.
$ control fault '{"path":"/journalentries","status":403,"body":{"code":403,"message":"Forbidden: The update token has expired."}}'
$ cloud up --yes --skip-preview --suppress-progress --parallel 1 2>&1 | still
Updating (dev):

Diagnostics:
  pulumi:pulumi:Stack (proj-dev):
    error: update failed

  random:index:RandomPet (a):
    error: cannot record what happens (what was recorded before is safe): the lease of this update has ended ([403] Forbidden: The update token has expired.): it was cancelled, or another process has taken over the stack. Nothing more is written to the stack 'dev'

Resources:
    + 1 created
    2 errored

Duration

error: cannot record what happens (what was recorded before is safe): the lease of this update has ended ([403] Forbidden: The update token has expired.): it was cancelled, or another process has taken over the stack. Nothing more is written to the stack 'dev'
$ control clear; cloud up --yes --skip-preview 2>&1 | sed -n 1p; cloud cancel --yes
error: [409] Conflict: Another update is currently in progress.
The currently running update for 'dev' has been canceled!
$ cloud stack export | grep -c '"urn"'
0
[1]
# A process that is killed: what it began is known, and the next one goes on when the lease is gone.
$ CULUMI_FAULT=step.done:3 cloud up --yes --skip-preview --suppress-progress --parallel 1 >/dev/null 2>&1
[137]
$ cloud up --yes --skip-preview 2>&1 | sed -n 1p
error: [409] Conflict: Another update is currently in progress.
$ cloud stack export | grep -c '"type": "creating"'
1
$ control expire
$ cloud up --yes --skip-preview --suppress-progress --parallel 1 2>&1 | still
Updating (dev):

 +  random:index:RandomPet a created
 +  random:index:RandomPet b created
    pulumi:pulumi:Stack proj-dev 1 warning
Diagnostics:
  pulumi:pulumi:Stack (proj-dev):
    warning: Attempting to deploy or update resources with 1 pending operations from previous deployment.
    These resources are in an unknown state: the operation was cut off before its outcome was known. Look at them with their provider, then run `pulumi refresh`, which takes over what is there and clears pending operations (pending creates with --clear-pending-creates).

Resources:
    + 2 created
    1 unchanged

Duration

$ cloud refresh --yes --skip-preview --clear-pending-creates >/dev/null 2>&1; cloud stack export | grep -c '"type": "creating"'
0
[1]
# --- a service without a journal: whole states, or what differs between them ---
$ control clear; control set '{"journal":0}'; cloud destroy --yes --skip-preview >/dev/null 2>&1; control log | grep -o 'checkpoint.* 200' | sort -u
checkpoint 200
$ control clear; PULUMI_DISABLE_JOURNALING=true cloud up --yes --skip-preview >/dev/null 2>&1; control log | grep -o 'checkpoint.* 200' | sort -u
checkpoint 200
$ control set '{"capabilities":[{"capability":"delta-checkpoint-uploads-v2","version":2,"configuration":{"checkpointCutoffSizeBytes":600}}]}'
$ control clear; cloud destroy --yes --skip-preview >/dev/null 2>&1; control log | grep -o 'checkpoint.* 200' | sort -u
checkpointdelta 200
checkpointverbatim 200
$ cloud stack export | grep -c '"urn"'
0
[1]
# A delta that is refused is sent whole.
$ control fault '{"path":"checkpointdelta","status":400}'; cloud up --yes --skip-preview --suppress-progress --parallel 1 2>&1 | still
Updating (dev):

 +  random:index:RandomPet a created
 +  random:index:RandomPet b created
 +  pulumi:pulumi:Stack proj-dev created
Resources:
    + 3 created

Duration

$ PULUMI_OPTIMIZED_CHECKPOINT_PATCH=false cloud up --yes --skip-preview >/dev/null 2>&1
$ cloud stack export | grep -c '"urn"'
4
$ control complaints
# --- another key ---
$ control set '{"journal":1,"capabilities":[]}'
$ cloud config set --secret pw hush; control fault '{"path":"/copy/encrypt","status":403}'; cloud stack init copy --copy-config-from dev
error: the stack 'copy' was created, but without configuration ('pulumi config cp --stack dev --dest copy' copies it): failed to encrypt: [403] a fault of the test
[3]
$ cloud config cp --stack dev --dest copy; cloud config get pw -s copy; cloud stack rm copy --yes; cloud stack select dev
hush
Stack 'copy' has been removed!
$ cloud config set --secret pw hush; echo pw | cloud stack change-secrets-provider passphrase
Migrating old configuration and state to new secrets provider
$ cloud up --yes --skip-preview >/dev/null 2>&1; cloud stack export | grep '"type": "[ps]a*[es]' ; cloud config get pw
            "type": "passphrase",
hush
$ cloud stack change-secrets-provider default
Migrating old configuration and state to new secrets provider
$ cat Pulumi.dev.yaml; cloud stack export | grep '"type": "se'; cloud config get pw
config:
  proj:pw:
    secure: <ciphertext>
            "type": "service",
hush
# --- gone ---
$ control complaints
$ control stop
$ cloud stack export 2>&1 | sed -E 's/port [0-9]+.*/port/'
error: failed all 4 attempts: GET http://127.0.0.1:<port>/api/user/organizations/default: Failed to connect to 127.0.0.1 port
