# Stacks in the stores of Google and Azure, with tokens of an identity, over TLS.
$ python3 $TRANSCRIPTS/key_services.py services >log 2>&1 & until [ -e services/ready ]; do sleep 0.05; done
$ cat >Pulumi.yaml <<END
> name: proj
> runtime: yaml
> outputs:
>   hidden:
>     fn::secret: hush
> END
$ cat >services/gs <<'END'
> . services/environment; unset GOOGLE_OAUTH_ACCESS_TOKEN
> export GOOGLE_APPLICATION_CREDENTIALS=services/stores.json PULUMI_BACKEND_URL=gs://bucket/pre/fix
> END
$ . services/gs; pulumi stack init dev; pulumi config set --secret s hush; pulumi up --yes --skip-preview >log 2>&1 || cat log; pulumi stack ls | tr -s " "
Created stack 'dev'
NAME LAST UPDATE RESOURCE COUNT
dev* <ago> 1
$ . services/gs; pulumi stack output hidden --show-secrets; grep -c google/token services/calls
hush
5
# A token that ends in the middle is asked for once more.
$ . services/gs; touch services/expire; >services/calls; pulumi up --yes --skip-preview >log 2>&1 || cat log; grep -c google/token services/calls
2
$ . services/gs; touch services/forbid; pulumi config set a b; pulumi stack tag set a b; pulumi up --yes --skip-preview; rm services/forbid
error: gs://bucket/pre/fix: write pre/fix/.pulumi/stacks/proj/dev.pulumi-tags: HTTP status 403 (you may not): the credentials have no permission for this: they need to list the bucket, and to read, write and delete its objects (roles/storage.objectAdmin)
error: cannot lock the stack: gs://bucket/pre/fix: write pre/fix/.pulumi/locks/organization/proj/dev/<uuid>.json: HTTP status 403 (you may not): the credentials have no permission for this: they need to list the bucket, and to read, write and delete its objects (roles/storage.objectAdmin); gs://bucket/pre/fix: delete pre/fix/.pulumi/locks/organization/proj/dev/<uuid>.json: HTTP status 403 (you may not): the credentials have no permission for this: they need to list the bucket, and to read, write and delete its objects (roles/storage.objectAdmin)
$ . services/gs; pulumi stack tag ls
NAME  VALUE
$ . services/gs; PULUMI_BACKEND_URL=gs://other pulumi stack ls
error: gs://other: read .pulumi/meta.yaml: HTTP status 404 (The specified bucket does not exist.): create the bucket, or check its name
[1]
$ . services/gs; PULUMI_BACKEND_URL=gs:// pulumi stack ls
error: backend URL 'gs://': the URL names no bucket: expected gs://BUCKET[/PREFIX]
[1]
$ . services/gs; PULUMI_BACKEND_URL="gs://bucket?colour=red" pulumi stack ls
error: backend URL 'gs://bucket': unknown query parameter "colour"
[1]
$ . services/gs; unset SSL_CERT_FILE; pulumi stack ls 2>&1 | sed 's/self.signed.*/self-signed…/'
error: gs://bucket/pre/fix: GET https://storage.googleapis.com/storage/v1/b/bucket/o/pre%2Ffix%2F.pulumi%2Fmeta.yaml?…: SSL certificate problem: self-signed…
# Azure
$ cat >services/azblob <<'END'
> . services/environment
> export AZURE_STORAGE_ACCOUNT=acc PULUMI_BACKEND_URL=azblob://box/other
> END
$ . services/azblob; pulumi stack init two; pulumi up --yes --skip-preview >log 2>&1 || cat log; pulumi stack ls | tr -s " "
Created stack 'two'
NAME LAST UPDATE RESOURCE COUNT
two* <ago> 1
$ . services/azblob; touch services/expire; >services/calls; pulumi up --yes --skip-preview >log 2>&1 || cat log; grep -c /msi services/calls
2
$ . services/azblob; touch services/forbid; pulumi stack tag set a b; rm services/forbid; pulumi stack tag ls
error: azblob://box/other: write other/.pulumi/stacks/proj/two.pulumi-tags: HTTP status 403 (AuthorizationPermissionMismatch): the credentials have no permission for this: they need the role Storage Blob Data Contributor
NAME  VALUE
$ . services/azblob; PULUMI_BACKEND_URL=azblob://other pulumi stack ls
error: azblob://other: read .pulumi/meta.yaml: HTTP status 404 (ContainerNotFound): create the container, or check its name
[1]
$ . services/azblob; IDENTITY_HEADER=bad pulumi stack ls 2>&1 | sed s/$PLAIN/PLAIN/
error: azblob://box/other: ManagedIdentityCredential: the service of managed identities at 'http://PLAIN/msi' answered 401: who are you?
