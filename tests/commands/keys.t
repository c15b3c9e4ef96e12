# Secrets that are sealed by a key in a key service.
$ python3 $TRANSCRIPTS/key_services.py services >log 2>&1 & until [ -e services/ready ]; do sleep 0.05; done
$ cat >Pulumi.yaml <<END
> name: proj
> runtime: yaml
> outputs:
>   hidden:
>     fn::secret: hush
> END
# What can go wrong before there is a stack: nothing is made.
$ pulumi stack init dev --secrets-provider hashivault://k
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'hashivault://k': neither VAULT_SERVER_URL nor VAULT_ADDR environment variables are set; one of them has to be the address of the Vault server
[1]
$ . services/environment; VAULT_TOKEN=bad pulumi stack init dev --secrets-provider hashivault://k 2>&1 | sed s/$PLAIN/PLAIN/
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'hashivault://k': Vault at 'http://PLAIN/v1/transit/encrypt/k' answered 403: permission denied; is VAULT_TOKEN valid, and may it use the key?
$ . services/environment; VAULT_ADDR=http://$PLAIN/html pulumi stack init dev --secrets-provider hashivault://k 2>&1 | sed s/$PLAIN/PLAIN/
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'hashivault://k': Vault at 'http://PLAIN/html/v1/transit/encrypt/k' did not answer in JSON: it is a web page; is the address right?
$ . services/environment; pulumi stack init dev --secrets-provider "hashivault://k?motor=x"
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'hashivault://k': unknown query parameter "motor" of hashivault://
[1]
$ pulumi stack init dev --secrets-provider bogus://k
error: could not create secrets manager for new stack: unknown secrets provider type 'bogus' (supported values: default,passphrase,awskms,azurekeyvault,gcpkms,hashivault)
[1]
$ ls; pulumi stack ls
Pulumi.yaml
log
services
NAME  LAST UPDATE  RESOURCE COUNT
# Vault. One call a command.
$ . services/environment; >services/calls; pulumi stack init dev --secrets-provider hashivault://k; cat services/calls
Created stack 'dev'
PUT /v1/transit/encrypt/k
$ . services/environment; >services/calls; pulumi config set --secret s hush; cat services/calls
PUT /v1/transit/decrypt/k
$ sed 's/\(encryptedkey: \)\(.*\)/echo "\1$(echo \2 | base64 -d | cut -c1-9)"/e' Pulumi.dev.yaml
secretsprovider: hashivault://k
encryptedkey: vault:v1:
config:
  proj:s:
    secure: <ciphertext>
$ . services/environment; >services/calls; pulumi config get s; cat services/calls
hush
PUT /v1/transit/decrypt/k
$ . services/environment; >services/calls; pulumi up --yes --skip-preview >log 2>&1 || cat log; cat services/calls
PUT /v1/transit/decrypt/k
$ . services/environment; pulumi stack output hidden --show-secrets
hush
$ pulumi stack export >state.json; grep -A3 '"secrets_providers"' state.json; sed -n 's/encryptedkey: //p' Pulumi.dev.yaml | grep -cFf - state.json
        "secrets_providers": {
            "type": "cloud",
            "state": {
                "url": "hashivault://k",
1
# What the service does not open stays as it is.
$ . services/environment; cp Pulumi.dev.yaml kept.yaml; sed -i 's/encryptedkey: .*/encryptedkey: '$(printf vault:v1:$(printf "other|0123456789abcdef0123456789abcdef" | base64 -w0) | base64 -w0)/ Pulumi.dev.yaml
$ . services/environment; >services/calls; pulumi config get s 2>&1 | sed s/$PLAIN/PLAIN/; pulumi up --yes --skip-preview 2>&1 | sed s/$PLAIN/PLAIN/; cat services/calls
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'hashivault://k': Vault at 'http://PLAIN/v1/transit/decrypt/k' answered 400: cipher: message authentication failed
error: getting stack configuration: get stack secrets manager: cannot unlock the key of the secrets with 'hashivault://k': Vault at 'http://PLAIN/v1/transit/decrypt/k' answered 400: cipher: message authentication failed
PUT /v1/transit/decrypt/k
PUT /v1/transit/decrypt/k
$ sed -i 's/encryptedkey: .*/encryptedkey: "%"/' Pulumi.dev.yaml; pulumi config get s
error: the encryptedkey of the secrets provider is not base64
[1]
# A file that has lost its key gets it back from the state, as with a salt.
$ . services/environment; grep -v encryptedkey kept.yaml >Pulumi.dev.yaml; >services/calls; pulumi config get s; cat services/calls; pulumi preview >log 2>&1 || cat log; grep -c . Pulumi.dev.yaml; grep -cFf Pulumi.dev.yaml kept.yaml
hush
PUT /v1/transit/decrypt/k
5
5
# The other URL serves for the calls; what is written down stays.
$ . services/environment; cp kept.yaml Pulumi.dev.yaml; PULUMI_CLOUD_SECRET_OVERRIDE="hashivault://k?engine=copy" pulumi config get s; tail -1 services/calls; cmp kept.yaml Pulumi.dev.yaml
hush
PUT /v1/copy/decrypt/k
$ . services/environment; PULUMI_CLOUD_SECRET_OVERRIDE=passphrase pulumi config get s
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'passphrase': PULUMI_CLOUD_SECRET_OVERRIDE has to be the URL of a key in a key service
[1]
# A new key, also with the same URL; then a passphrase, and back.
$ . services/environment; >services/calls; pulumi stack change-secrets-provider hashivault://k; cat services/calls; grep encryptedkey Pulumi.dev.yaml | cmp -s - kept.yaml || pulumi config get s
Migrating old configuration and state to new secrets provider
PUT /v1/transit/decrypt/k
PUT /v1/transit/encrypt/k
hush
$ . services/environment; pulumi stack export >state.json; sed -n 's/encryptedkey: //p' Pulumi.dev.yaml | grep -cFf - state.json; sed -n 's/encryptedkey: //p' kept.yaml | grep -cFf - state.json
1
0
[1]
$ . services/environment; pulumi stack output hidden --show-secrets
hush
$ . services/environment; echo pw | pulumi stack change-secrets-provider passphrase; cat Pulumi.dev.yaml
Migrating old configuration and state to new secrets provider
config:
  proj:s:
    secure: <ciphertext>
encryptionsalt: <salt>
$ pulumi config get s; pulumi stack output hidden --show-secrets
hush
hush
$ . services/environment; VAULT_TOKEN=bad pulumi stack change-secrets-provider hashivault://k2 2>&1 | sed s/$PLAIN/PLAIN/; pulumi config get s
error: cannot seal a new key for secrets with 'hashivault://k2': Vault at 'http://PLAIN/v1/transit/encrypt/k2' answered 403: permission denied; is VAULT_TOKEN valid, and may it use the key?
hush
$ . services/environment; pulumi stack change-secrets-provider hashivault://k2; grep -o "^[a-z]*:.*//.*" Pulumi.dev.yaml; grep -c encryptionsalt Pulumi.dev.yaml
Migrating old configuration and state to new secrets provider
secretsprovider: hashivault://k2
0
[1]
$ . services/environment; PULUMI_CONFIG_PASSPHRASE=other pulumi stack output hidden --show-secrets
hush
# A file that names a key is obeyed by a new stack; its secrets are not given up for another provider.
$ . services/environment; cp Pulumi.dev.yaml Pulumi.two.yaml; pulumi stack init two; cmp Pulumi.dev.yaml Pulumi.two.yaml; pulumi config get s
Created stack 'two'
hush
$ . services/environment; cp Pulumi.dev.yaml Pulumi.three.yaml; pulumi stack init three --secrets-provider passphrase; cmp Pulumi.dev.yaml Pulumi.three.yaml
error: could not create secrets manager for new stack: '<dir>/project/Pulumi.three.yaml' has secrets that another secrets provider has encrypted; create the stack with that one, and change it with `pulumi stack change-secrets-provider` then
$ . services/environment; echo "secretsprovider: hashivault://k3" >Pulumi.three.yaml; pulumi stack init three; sed 's/encryptedkey: .*/encryptedkey: …/' Pulumi.three.yaml
Created stack 'three'
secretsprovider: hashivault://k3
encryptedkey: …
# A stack without secrets can leave a service that is gone.
$ . services/environment; export VAULT_ADDR=http://127.0.0.1:1; echo pw | pulumi stack change-secrets-provider -s three passphrase; cat Pulumi.three.yaml
Migrating old configuration and state to new secrets provider
encryptionsalt: <salt>
# Google: a token that is given, one of a service account, one of the machine.
$ cat >services/google <<'END'
> . services/environment
> KEY=gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k
> KEY2="$KEY?additional_authenticated_data=YQ=="
> END
$ . services/google; >services/calls; pulumi stack change-secrets-provider -s dev "$KEY"; cat services/calls; grep -o "^[a-z]*: *gcp.*" Pulumi.dev.yaml
Migrating old configuration and state to new secrets provider
PUT /v1/transit/decrypt/k2
POST /v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:encrypt
secretsprovider: gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k
$ . services/google; pulumi config get s -s dev
hush
$ . services/google; unset GOOGLE_OAUTH_ACCESS_TOKEN; >services/calls; GOOGLE_APPLICATION_CREDENTIALS=services/account.json pulumi config get s -s dev; cat services/calls
hush
POST /google/token
POST /v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt
$ . services/google; >services/calls; GOOGLE_CREDENTIALS=$(cat services/account.json) pulumi config get s -s dev; cat services/calls
hush
POST /google/token
POST /v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt
$ . services/google; unset GOOGLE_OAUTH_ACCESS_TOKEN; >services/calls; GCE_METADATA_HOST=$PLAIN pulumi config get s -s dev; cat services/calls
hush
GET /computeMetadata/v1/instance/service-accounts/default/token
POST /v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt
$ . services/google; pulumi stack change-secrets-provider -s dev "$KEY2"; pulumi stack output -s dev hidden --show-secrets; pulumi stack export -s dev | grep -A3 secrets_providers
Migrating old configuration and state to new secrets provider
hush
        "secrets_providers": {
            "type": "cloud",
            "state": {
                "url": "gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k?additional_authenticated_data=YQ==",
$ . services/google; GOOGLE_OAUTH_ACCESS_TOKEN=expired pulumi config get s -s dev
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': Google Cloud KMS at 'https://cloudkms.googleapis.com/v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt' answered 401: Request had invalid authentication credentials.; are the credentials still valid, and may they use the key (roles/cloudkms.cryptoKeyEncrypterDecrypter)?
[1]
$ . services/google; unset GOOGLE_OAUTH_ACCESS_TOKEN; GCE_METADATA_HOST=127.0.0.1:1 pulumi config get s -s dev 2>&1 | sed 's/: Failed.*//'
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': missing google credentials: unable to find gcp credentials: google: could not find default credentials. Set GOOGLE_CREDENTIALS, GOOGLE_OAUTH_ACCESS_TOKEN or GOOGLE_APPLICATION_CREDENTIALS, or run `gcloud auth application-default login`; there is no metadata server either: the metadata server cannot be asked: GET http://127.0.0.1:<port>/computeMetadata/v1/instance/service-accounts/default/token?…
$ . services/google; unset GOOGLE_OAUTH_ACCESS_TOKEN; GOOGLE_APPLICATION_CREDENTIALS=nope.json pulumi config get s -s dev
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': GOOGLE_APPLICATION_CREDENTIALS: open 'nope.json': No such file or directory
[1]
$ . services/google; GOOGLE_CREDENTIALS='{"type":"authorized_user","client_id":"i","client_secret":"hushhush","refresh_token":"bad","token_uri":"http://'$PLAIN'/google/token"}' pulumi config get s -s dev 2>&1 | sed s/$PLAIN/PLAIN/
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': the Google credentials in GOOGLE_CREDENTIALS: the refresh token does not serve; log in again with `gcloud auth application-default login`: Google's service of tokens at 'http://PLAIN/google/token' answered 400: Token has been expired or revoked.
$ . services/google; GOOGLE_CREDENTIALS='{"type":"service_account","client_email":"a","private_key":"-----BEGIN hushhush"}' pulumi config get s -s dev
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': the Google credentials in GOOGLE_CREDENTIALS: its private key is no RSA key in PEM
[1]
$ . services/google; GOOGLE_CREDENTIALS='{"type":"strange"}' pulumi config get s -s dev
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': the Google credentials in GOOGLE_CREDENTIALS: its type is 'strange': expected service_account, authorized_user, impersonated_service_account or external_account
[1]
$ . services/google; SSL_CERT_FILE=Pulumi.yaml pulumi config get s -s dev 2>&1 | sed 's/ .CURLcode.*//'
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': Google Cloud KMS cannot be asked: POST https://cloudkms.googleapis.com/v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt: error setting certificate file: Pulumi.yaml
$ . services/google; unset SSL_CERT_FILE; pulumi config get s -s dev 2>&1 | sed 's/self.signed.*/self-signed…/'
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k': Google Cloud KMS cannot be asked: POST https://cloudkms.googleapis.com/v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt: SSL certificate problem: self-signed…
$ . services/google; pulumi stack init four --secrets-provider gcpkms://projects/p/cryptoKeys/k
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'gcpkms://projects/p/cryptoKeys/k': the URL names no key: expected gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K
[1]
# Azure: the vault says for whom the token has to be; an identity of the machine gets it.
$ . services/environment; >services/calls; pulumi stack change-secrets-provider -s dev azurekeyvault://$TLS/a.vault.x/keys/k; cat services/calls
Migrating old configuration and state to new secrets provider
POST /v1/projects/p/locations/global/keyRings/r/cryptoKeys/k:decrypt
POST /a.vault.x/keys/k/encrypt
GET /msi
POST /a.vault.x/keys/k/encrypt
$ . services/environment; >services/calls; pulumi config get s -s dev; cat services/calls
hush
POST /a.vault.x/keys/k/decrypt
GET /msi
POST /a.vault.x/keys/k/decrypt
$ . services/environment; sed -n 's/encryptedkey: //p' Pulumi.dev.yaml | base64 -d | wc -c
342
# Older versions have kept the bytes and not their text.
$ . services/environment; old=$(sed -n 's/encryptedkey: //p' Pulumi.dev.yaml | base64 -d | tr -- -_ +/ | sed 's/$/==/'); sed -i "s|encryptedkey: .*|encryptedkey: $old|" Pulumi.dev.yaml; pulumi config get s -s dev
hush
$ . services/environment; pulumi stack change-secrets-provider -s dev "azurekeyvault://$TLS/a.vault.x/keys/k/v7?algorithm=RSA-OAEP" >log && pulumi config get s -s dev
hush
$ . services/environment; IDENTITY_HEADER=bad pulumi config get s -s dev 2>&1 | sed "s/$PLAIN/PLAIN/; s/$TLS/TLS/"
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'azurekeyvault://TLS/a.vault.x/keys/k/v7': ManagedIdentityCredential: the service of managed identities at 'http://PLAIN/msi' answered 401: who are you?
$ . services/environment; unset IDENTITY_ENDPOINT; AZURE_TOKEN_CREDENTIALS=EnvironmentCredential pulumi config get s -s dev 2>&1 | sed "s/$TLS/TLS/"
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'azurekeyvault://TLS/a.vault.x/keys/k/v7': there are no credentials for Azure: set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or log in with `az login`. Tried:
    EnvironmentCredential: AZURE_TENANT_ID is not set
$ . services/environment; AZURE_TOKEN_CREDENTIALS=Mine pulumi config get s -s dev 2>&1 | sed "s/$TLS/TLS/"
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'azurekeyvault://TLS/a.vault.x/keys/k/v7': AZURE_TOKEN_CREDENTIALS is 'Mine': expected dev, prod, EnvironmentCredential, WorkloadIdentityCredential, ManagedIdentityCredential, AzureCLICredential or AzureDeveloperCLICredential
$ . services/environment; mkdir tools; printf '#!/bin/sh\necho "$@" >&2; echo Please run az login >&2; exit 1\n' >tools/az; chmod +x tools/az; PATH=$PWD/tools:$PATH AZURE_TOKEN_CREDENTIALS=dev pulumi config get s -s dev 2>&1 | sed "s/$TLS/TLS/; s/0.0.1:[0-9]*/0.0.1:TLS/"
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'azurekeyvault://TLS/a.vault.x/keys/k/v7': there are no credentials for Azure: set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or log in with `az login`. Tried:
    AzureCLICredential: 'az' failed: account get-access-token -o json --resource https://0.0.1:TLS
    AzureDeveloperCLICredential: there is no 'azd' in PATH
$ . services/environment; printf '#!/bin/sh\necho {\\"accessToken\\":\\"at\\",\\"expires_on\\":4102444800}\n' >tools/az; PATH=$PWD/tools:$PATH AZURE_TOKEN_CREDENTIALS=AzureCLICredential pulumi config get s -s dev
hush
$ . services/environment; pulumi stack init four --secrets-provider azurekeyvault://v.example.org/keys/k
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'azurekeyvault://v.example.org/keys/k': the URL names no key: expected azurekeyvault://VAULT.vault.azure.net/keys/NAME[/VERSION]
[1]
# AWS: the context of the URL belongs to what is sealed.
$ . services/environment; >services/calls; pulumi stack change-secrets-provider -s dev "awskms://alias/pul?context_a=b"; tail -1 services/calls; >services/calls; pulumi config get s -s dev; cat services/calls
Migrating old configuration and state to new secrets provider
POST / TrentService.Encrypt
hush
POST / TrentService.Decrypt
$ . services/environment; cp Pulumi.dev.yaml kept.yaml; sed -i s/context_a=b/context_a=c/ Pulumi.dev.yaml; pulumi config get s -s dev 2>&1 | sed s/$PLAIN/PLAIN/; cp kept.yaml Pulumi.dev.yaml
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'awskms://alias/pul': AWS KMS at 'http://PLAIN/' answered 400: InvalidCiphertextException
$ . services/environment; AWS_ACCESS_KEY_ID=bad pulumi config get s -s dev 2>&1 | sed s/$PLAIN/PLAIN/
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'awskms://alias/pul': AWS KMS at 'http://PLAIN/' answered 400: The security token included in the request is invalid.
$ . services/environment; unset AWS_REGION; pulumi config get s -s dev
error: could not decrypt configuration value: cannot unlock the key of the secrets with 'awskms://alias/pul': no region is known: add ?region=REGION to the URL, or set AWS_REGION
[1]
$ . services/environment; pulumi stack change-secrets-provider -s dev "awskms:///arn:aws:kms:eu-west-1:1:key/k?endpoint=$PLAIN&disableSSL=true" >log; unset AWS_ENDPOINT_URL_KMS AWS_REGION; pulumi config get s -s dev; pulumi stack export -s dev | grep '"url": "aws' | sed s/$PLAIN/PLAIN/
hush
                "url": "awskms:///arn:aws:kms:eu-west-1:1:key/k?endpoint=PLAIN\u0026disableSSL=true",
$ . services/environment; pulumi stack init four --secrets-provider "awskms://k?fips=maybe"
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'awskms://k': query parameter "fips" is 'maybe': expected true or false
[1]
$ . services/environment; pulumi stack init four --secrets-provider "awskms://k?colour=x"
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'awskms://k': unknown query parameter "colour" of awskms://
[1]
# A new project, too.
$ . services/environment; pulumi new yaml --yes --name fresh --stack fresh --dir fresh --secrets-provider hashivault://k >log 2>&1 || cat log; head -1 fresh/Pulumi.fresh.yaml
secretsprovider: hashivault://k
$ . services/environment; VAULT_TOKEN=bad pulumi new yaml --yes --name fresh2 --stack fresh --dir fresh2 --secrets-provider hashivault://k 2>&1 | grep error | sed s/$PLAIN/PLAIN/; ls fresh2
error: could not create secrets manager for new stack: cannot seal a new key for secrets with 'hashivault://k': Vault at 'http://PLAIN/v1/transit/encrypt/k' answered 403: permission denied; is VAULT_TOKEN valid, and may it use the key?
ls: cannot access 'fresh2': No such file or directory
[2]
