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
